"""Our dataclasses against the standard library's: whoever uses one cannot tell, but by the time it takes."""

import copy
import dataclasses
import pickle
import subprocess
import sys
from collections.abc import Mapping
from functools import cached_property

import pytest

from snippetlock import records

BOTH = (dataclasses, records)
NAME = "made.<locals>.Point"


def made(of):
    """The same three classes by either decorator: of values, of what is inside others, and one that changes."""

    @of.dataclass(frozen=True, slots=True, kw_only=True)
    class Point:
        x: int
        y: int = 0
        tags: Mapping[str, int] = of.field(default_factory=dict)
        note: str = of.field(default="", repr=False, compare=False)

        def __post_init__(self) -> None:
            if self.x < 0:
                raise ValueError("left of the edge")

    @of.dataclass(frozen=True, slots=True)
    class Line:
        first: Point
        others: tuple[Point, ...] = ()

        @property
        def count(self) -> int:
            return 1 + len(self.others)

    @of.dataclass(slots=True)
    class Open:
        name: str
        inside: list["Open"] = of.field(default_factory=list)

    return Point, Line, Open


@pytest.fixture(params=BOTH, ids=lambda of: of.__name__)
def of(request):
    return request.param


def same(act, before=0):
    """What comes of an act with either kind, as text: a value, or the error and its words.

    `before` are the objects of each class that were made before: the first are made otherwise than the rest.
    """
    found = []
    for of in BOTH:
        kinds = made(of)
        for number in range(before):
            kinds[0](x=number), kinds[1](number), kinds[2]("a")
        try:
            found.append(repr(act(of, *kinds)))
        except (AttributeError, TypeError, ValueError) as error:
            found.append(f"{type(error).__name__}: {error}")
    assert found[0] == found[1]
    return found[1]


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda of, P, L, M: P(x=1), "made.<locals>.Point(x=1, y=0, tags={})"),
        (lambda of, P, L, M: P(x=1, y=2, tags={"a": 1}, note="n").note, "'n'"),
        (lambda of, P, L, M: P(), f"TypeError: {NAME}.__init__() missing 1 required keyword-only argument: 'x'"),
        (lambda of, P, L, M: P(1), None),
        (lambda of, P, L, M: P(x=1, z=2), None),
        (lambda of, P, L, M: P(x=-1), "ValueError: left of the edge"),
        (lambda of, P, L, M: L(P(x=1), (P(x=2),)).count, "2"),
        (lambda of, P, L, M: P(x=1).tags is P(x=1).tags, "False"),
        (lambda of, P, L, M: P(x=1) == P(x=1), "True"),
        (lambda of, P, L, M: P(x=1, note="a") == P(x=1, note="b"), "True"),
        (lambda of, P, L, M: P(x=1) == P(x=2), "False"),
        (lambda of, P, L, M: M("a") == M("a"), "True"),
        (lambda of, P, L, M: P(x=1) == L(P(x=1)), "False"),
        (lambda of, P, L, M: P(x=1).__eq__(1), "NotImplemented"),
        (lambda of, P, L, M: hash(L(1)) == hash(L(1)), "True"),
        (lambda of, P, L, M: len({L(1), L(1), L(2)}), "2"),
        (lambda of, P, L, M: hash(P(x=1)), "TypeError: unhashable type: 'dict'"),
        (lambda of, P, L, M: hash(M("a")), "TypeError: unhashable type: 'Open'"),
        (lambda of, P, L, M: setattr(P(x=1), "x", 2), "FrozenInstanceError: cannot assign to field 'x'"),
        (lambda of, P, L, M: delattr(P(x=1), "x"), "FrozenInstanceError: cannot delete field 'x'"),
        (lambda of, P, L, M: setattr(M("a"), "other", 2), None),  # in words that are those of each Python
        (lambda of, P, L, M: of.replace(P(x=1, y=2), y=3), "made.<locals>.Point(x=1, y=3, tags={})"),
        (lambda of, P, L, M: of.replace(P(x=1, note="n"), y=3).note, "'n'"),
        (lambda of, P, L, M: of.replace(P(x=1), z=3), None),
        (lambda of, P, L, M: of.replace(P(x=1), x=-1), "ValueError: left of the edge"),
        (lambda of, P, L, M: dataclasses.replace(P(x=1), y=3), "made.<locals>.Point(x=1, y=3, tags={})"),
        (lambda of, P, L, M: of.asdict(L(P(x=1), (P(x=2),)))["others"][0]["x"], "2"),
        (lambda of, P, L, M: of.asdict(L(P(x=1), (P(x=2),))) == dataclasses.asdict(L(P(x=1), (P(x=2),))), "True"),
        (lambda of, P, L, M: [f.name for f in dataclasses.fields(P)], "['x', 'y', 'tags', 'note']"),
        (lambda of, P, L, M: copy.copy(P(x=1, y=2)), "made.<locals>.Point(x=1, y=2, tags={})"),
        (lambda of, P, L, M: copy.deepcopy(L(P(x=1))), None),
        (lambda of, P, L, M: (P.__match_args__, L.__match_args__, L.__slots__), None),
    ],
)  # fmt: skip
def test_what_comes_of_it_is_the_same(act, said):
    assert said in (None, same(act))
    same(act, before=40)


def test_what_holds_itself_is_shown_once(of):
    *_, Open = made(of)
    one = Open("a")
    one.inside.append(one)

    assert repr(one) == "made.<locals>.Open(name='a', inside=[...])"


def test_identity_is_kept_where_equality_is_not_asked_for(of):
    @of.dataclass(frozen=True, slots=True, eq=False)
    class One:
        x: int

    one = One(1)

    assert one != One(1)
    assert len({one, one, One(1)}) == 2


def test_what_is_found_out_late_has_room_without_slots(of):
    @of.dataclass(frozen=True)
    class Late:
        x: int

        @cached_property
        def twice(self) -> int:
            return 2 * self.x

    assert Late(2).twice == 4
    assert Late(2) == Late(2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Late(2).x = 3


@records.dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    x: int
    inside: tuple["Sent", ...] = ()


def test_what_goes_to_another_process_comes_back():
    one = Sent(x=1, inside=(Sent(x=2),))

    assert pickle.loads(pickle.dumps(one)) == one


def test_the_library_s_own_are_not_even_loaded():
    """`inspect` comes with them, and takes as long to load as all that we need of the standard library."""
    code = (
        "import sys; from snippetlock import records, model; model.Span(path='a', first=1, last=2);"
        "print(*sorted({'dataclasses', 'inspect'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == ""
