def good():
    return 1


TABLE = [
    1,  # one
    """a
    b""",


class Fine:
    def m(self):
        return 2
