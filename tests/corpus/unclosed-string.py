def good():
    return 1


NAME = "abc


def fine():
    return f"{2}"
