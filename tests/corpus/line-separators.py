class C:
    """A BCDE."""  #  

    def m(self):
        return " "


def after(): return 1
