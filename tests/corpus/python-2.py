def old():
    print "hello"


def fine():
    return 2
