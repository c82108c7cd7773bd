def f():
        x = 1
    y = 2


def fine():
    return 2
