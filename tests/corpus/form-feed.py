x = 1

class C:
    def m(self):
            return ""


# about f
def f():
    pass
