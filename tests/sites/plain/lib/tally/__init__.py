"""Count things, a little at a time."""

from tally._counting import Counter as Counter
from tally._counting import merge as merge

LIMIT = 1_000
