def good():
    return 1


x = 'a
x = 'a
x = 'a
x = 'a
x = 'a
x = 'a
x = 'a
x = 'a
x = 'a


def hidden():
    return 2
