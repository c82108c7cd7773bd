class C:
	x = "a	b"

	def m(self):
		"""Doc
	string.
"""
		if self:
	        	return 1
		return	2

# after
def after():
	return """
	
"""
