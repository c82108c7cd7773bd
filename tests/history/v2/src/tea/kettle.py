"""Kettles, all of them."""

import math


class Vessel:
    def empty(self):
        return self.level == 0


class GlassKettle(Vessel):
    """Boils water."""

    modes = {
        'tea': 80,
        'coffee': 92,
    }

    def boil(self, seconds, limit=100):
        """Heat up."""
        # never beyond the limit
        degrees = seconds * self.power
        return min(limit, degrees)
