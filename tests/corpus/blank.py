

# only a comment