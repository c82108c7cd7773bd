"""Pages put together at random: every container in every other, down to four deep, around code of all kinds."""

from __future__ import annotations

from random import Random

DEEPEST = 4


def compose(random: Random) -> str:
    """A page whose layout depends on the generator alone."""
    return "\n".join(_Writer(random).blocks(0, random.randint(1, 6))) + "\n"


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.words = 0
        self.notes = 0

    def word(self) -> str:
        self.words += 1
        return f"w{self.words}"

    def blocks(self, depth: int, count: int) -> list[str]:
        lines: list[str] = []
        before = ""
        for _ in range(count):
            kind = self.random.choice(self.kinds(depth, before))
            lines += [*([""] if lines else []), *getattr(self, kind)(depth)]
            before = kind
        return lines

    def kinds(self, depth: int, before: str) -> list[str]:
        kinds = ["paragraph", "fence", "fence"]
        if before not in ("bullets", "numbers", "definition", "footnote"):  # there it would be their next paragraph
            kinds.append("code")
        if depth < DEEPEST:
            kinds += ["bullets", "numbers", "quote", "admonition", "details", "tabs", "definition", "table", "heading"]
        return kinds if depth else [*kinds, "element", "footnote", "comment", "raw"]

    def inside(self, depth: int, most: int, gap: bool = False) -> list[str]:
        lines = [f"    {line}" if line else "" for line in self.blocks(depth + 1, self.random.randint(1, most))]
        return ["", *lines] if gap else lines

    def paragraph(self, depth: int) -> list[str]:
        return [
            " ".join(self.word() for _ in range(self.random.randint(1, 4))) for _ in range(self.random.randint(1, 2))
        ]

    def fence(self, depth: int) -> list[str]:
        fence = self.random.choice("`~") * self.random.choice([3, 3, 3, 4, 5])
        marks = ["# h", "- item", "> q", "!!! note", fence[:-1] if len(fence) > 3 else "x"]
        lines = [
            self.random.choice(
                [self.word(), f"    {self.word()}", "", f"  {self.word()}", f"<b> & {self.word()}", *marks]
            )
            for _ in range(self.random.randint(0, 4))
        ]
        return [fence + self.random.choice(["", "python", "text", " yaml"]), *lines, fence]

    def code(self, depth: int) -> list[str]:
        more = [
            self.random.choice(
                [f"    {self.word()}", f"        {self.word()}", "", "    ```py\n    y\n    ```", "    - x"]
            )
            for _ in range(self.random.randint(0, 3))
        ]
        return "\n".join([f"    {self.word()}", *more]).rstrip("\n").split("\n")

    def bullets(self, depth: int, marks: tuple[str, ...] = ("-",)) -> list[str]:
        lines: list[str] = []
        for index in range(self.random.randint(1, 3)):
            item = [marks[index % len(marks)].ljust(4) + self.word()]
            if self.random.random() < 0.7:
                item += self.inside(depth, 2, gap=True)
            lines += [*([""] if len(lines) > 1 or (lines and self.random.random() < 0.5) else []), *item]
        return lines

    def numbers(self, depth: int) -> list[str]:
        return self.bullets(depth, ("1.", "2.", "3."))

    def quote(self, depth: int) -> list[str]:
        return [f"> {line}" if line else ">" for line in self.blocks(depth + 1, self.random.randint(1, 3))]

    def admonition(self, depth: int) -> list[str]:
        return [self.random.choice(["!!! note", '!!! note "T"']), *self.inside(depth, 3, self.random.random() < 0.5)]

    def details(self, depth: int) -> list[str]:
        return [self.random.choice(["??? note", '???+ tip "x"']), *self.inside(depth, 3, self.random.random() < 0.5)]

    def tabs(self, depth: int) -> list[str]:
        first = ['=== "one"', *self.inside(depth, 2, gap=True)]
        return first if self.random.random() < 0.5 else [*first, "", '=== "two"', *self.inside(depth, 2, gap=True)]

    def definition(self, depth: int) -> list[str]:
        more = self.inside(depth, 2, gap=True) if self.random.random() < 0.7 else []
        return [self.word(), f":   {self.word()}", *more]

    def table(self, depth: int) -> list[str]:
        return ["| a | b |", "| - | - |", f"| {self.word()} | `x` |"]

    def heading(self, depth: int) -> list[str]:
        return [self.random.choice(["# h", "## h2", "---"])]

    def element(self, depth: int) -> list[str]:
        return ["<div markdown>", "", *self.blocks(depth + 1, self.random.randint(1, 3)), "", "</div>"]

    def raw(self, depth: int) -> list[str]:
        return ["<div>", "<p>x</p>", "</div>"]

    def comment(self, depth: int) -> list[str]:
        return [f"<!-- {self.word()}", "", *self.fence(depth), "", "    code", "-->"]

    def footnote(self, depth: int) -> list[str]:
        self.notes += 1
        return [f"see[^{self.notes}]", "", f"[^{self.notes}]: {self.word()}", *self.inside(depth, 2, gap=True)]
