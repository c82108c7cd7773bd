# -*- coding: latin-1 -*-
# About C.
class C:
    """Café.

    Two.
    """

    # about x
    x = 1  # why

    def m(self):
        """Say."""
        return [
            1,
        ]


def after():
    return 2
