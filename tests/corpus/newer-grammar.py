def good():
    return 1


def newer():
    x = 1
    when x becomes 2:
        return x


def fine():
    return 2
