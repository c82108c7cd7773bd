class C:
    def m(self):
        """Text
in column 0.

def not_a_function():
    pass
"""
        x = """
class NotOne:
"""
# a comment there as well
        return x

    def n(self):
        return (
1,
2)
