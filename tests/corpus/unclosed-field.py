def good():
    return 1


NAME = f"{abc


def hidden():
    return 2
