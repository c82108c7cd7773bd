"""Where counting is done."""


class Counter:
    """Counts what it is shown."""

    def __init__(self, start: int = 0) -> None:
        # Negative starts are allowed: a debt is a count too.
        self._count = start

    @property
    def value(self) -> int:
        """How many were seen."""
        return self._count

    @value.setter
    def value(self, count: int) -> None:
        self._count = count

    def see(self, *things: object) -> int:
        """Count the things and return the new count.

        None of them is kept.
        """
        for thing in things:
            if thing is not None:
                self._count += 1
        return self._count


# Merging is symmetric: the order of the two does not matter.
def merge(one: Counter, other: Counter) -> Counter:
    return Counter(one.value + other.value)
