def good():
    return 1


class C:
    x = 1
    y = """abc

    def hidden(self):
        return 2
