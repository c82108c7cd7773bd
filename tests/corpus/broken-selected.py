def good():
    return 1


def broken():
    x = 1 +
    return x


def fine():
    return 2
