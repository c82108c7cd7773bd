"""Parts: every region of what is found, and the same spans as Python's own parser has."""

import ast
import random
import sysconfig
import warnings
from pathlib import Path

import casefile
import pytest

from snippetlock.config import parse_selector
from snippetlock.errors import SourceError
from snippetlock.select import find
from snippetlock.select.grammar import confirm
from snippetlock.select.outline import Outline
from snippetlock.select.parts import module_part
from snippetlock.select.skim import skim
from snippetlock.source import DictTree
from snippetlock.text import decode, line_of, line_starts


def described(text, part, dots=""):
    def cut(region):
        return "|" + text[region.start : region.end].replace("\n", "\\n") + "|"

    rows = [f"{dots}{part.kind} {part.name or '-'} {part.selector or '-'}"]
    for name in ("whole", "lead", "head", "body", "docstring"):
        region = getattr(part, name)
        if region is not None:
            rows.append(f"{dots}  {name} {cut(region)}")
    for name in ("comments", "literals"):
        if regions := getattr(part, name):
            rows.append(f"{dots}  {name} {' '.join(map(cut, regions))}")
    return "\n".join([*rows, *(described(text, member, f"{dots}.") for member in part.members)])


@casefile.each("select-parts.case")
def test_a_part_is_taken_apart(case, tree, golden):
    files = tree(case.files)
    names = case.get("find").split("\n")[:-1] or [""]
    founds = [find(files, parse_selector(f"a:{name}" if name else "a")) for name in names]
    golden(case, "".join(f"{described(found.text, found.part)}\n" for found in founds))


def spans(text, members):
    """(kind, name, first line without the comments above, last line of code, has a docstring, the same inside)."""
    starts = line_starts(text)
    lines = [text[a:b] for a, b in zip(starts, (*starts[1:], len(text)), strict=True)]
    for part in members:
        first = line_of(starts, part.lead.end if part.lead else part.whole.start)
        last = line_of(starts, part.whole.end - 1)
        while lines[last - 1].lstrip().startswith("#") or not lines[last - 1].strip():
            last -= 1  # trailing comments are ours, not ast's
        yield part.kind, part.name, first, last, part.docstring is not None, tuple(spans(text, part.members))


TYPE_ALIAS = getattr(ast, "TypeAlias", ast.Assign)  # since Python 3.12


def spans_of_ast(body, inside_function=False):
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            kind = "class" if isinstance(node, ast.ClassDef) else "function"
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            inner = tuple(spans_of_ast(node.body, kind == "function"))
            yield kind, node.name, first, node.end_lineno, ast.get_docstring(node, clean=False) is not None, inner
        elif isinstance(node, ast.Assign | ast.AnnAssign | TYPE_ALIAS):
            alias = [node.name] if type(node).__name__ == "TypeAlias" else []
            targets = node.targets if isinstance(node, ast.Assign) else alias or [node.target]
            for name in dict.fromkeys(name for target in targets for name in plain_names(target)):
                if not inside_function:
                    yield "attribute", name, node.lineno, node.end_lineno, False, ()
        else:
            for part in ("body", "cases", "handlers", "orelse", "finalbody"):
                for inner in [value] if isinstance(value := getattr(node, part, []), ast.AST) else value:
                    found = inner.body if isinstance(inner, ast.match_case | ast.ExceptHandler) else [inner]
                    yield from spans_of_ast((n for n in found if isinstance(n, ast.stmt)), inside_function)


def plain_names(target):
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            yield from plain_names(element)
    elif isinstance(target, ast.Starred):
        yield from plain_names(target.value)


LIBRARY = Path(sysconfig.get_path("stdlib"))
# Lines that several statements share: ours are shown whole, ast counts each statement alone.
SHARED = {"inspect_fodder.py", "inspect_fodder2.py"}


def sample(number):
    files = sorted(p for p in LIBRARY.rglob("*.py") if "site-packages" not in p.parts and p.name not in SHARED)
    return random.Random(20261130).sample(files, number)


def test_spans_are_those_of_the_python_that_runs():
    compared = 0
    for file in sample(60):
        data = file.read_bytes()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(data)
        except (SyntaxError, ValueError):
            continue
        text = decode(data, file.name, python=True)
        outline = Outline(skim(text))
        part = module_part(outline)
        assert outline.skim.faults == [], file
        assert list(spans(text, part.members)) == list(spans_of_ast(tree.body)), file
        assert (part.docstring is not None) == (ast.get_docstring(tree, clean=False) is not None)
        compared += 1
    assert compared > 50


def walked(part, prefix=""):
    for member in part.members:
        yield f"{prefix}{member.selector}", member
        yield from walked(member, f"{prefix}{member.selector}.")


def test_every_member_of_a_sample_is_found_by_its_selector(tree):
    rng = random.Random(7)
    found = 0
    for file in sample(25):
        if file.stat().st_size > 40_000:
            continue
        files = tree({"a.py": file.read_bytes()})
        try:
            whole = find(files, parse_selector("a.py"))
        except SourceError:
            continue
        text = whole.text
        everything = list(walked(whole.part))
        for selector, member in rng.sample(everything, min(4, len(everything))):
            alone = find(files, parse_selector(f"a.py:{selector}"))
            assert alone.part == member
            found += 1
            assert_regions(text, alone.part)
    assert found > 30


def assert_regions(text, part):
    """Whole lines; the head inside; body, docstring, members and comments inside and in order."""
    starts = {0, *line_starts(text), len(text)}
    assert {part.whole.start, part.whole.end} <= starts
    assert part.whole.start <= part.head.start <= part.head.end <= part.whole.end
    if part.lead:
        assert (part.lead.start, part.lead.end) == (part.whole.start, part.head.start)
    if part.body:
        assert part.head.end <= part.body.start <= part.body.end == part.whole.end
    if part.docstring:
        assert part.body is not None
        assert part.body.start <= part.docstring.start < part.docstring.end <= part.body.end
        assert isinstance(ast.literal_eval(text[part.docstring.start : part.docstring.end]), str)
    for regions in (part.comments, part.literals):
        assert list(regions) == sorted(regions, key=lambda r: r.start)
        assert all(part.whole.start <= r.start < r.end <= part.whole.end for r in regions)
    for member in part.members:
        assert part.whole.start <= member.whole.start < member.whole.end <= part.whole.end
        assert_regions(text, member)


PIECES = ["x = 1", "y: int", "a = b = 2", "def f(): pass", "class C: x = 1", "if x: z = 1", "# comment", "",
          "import os", 's = """a\nb"""', "t = (\n1,\n  2)", "u = 1; v = 2", "pass", "'doc'",
          "w = 1 + \\\n  2"]  # fmt: skip
HEADERS = ["def g(a,\n b):", "class D(B):", "@deco\ndef h():", "if x:", "for i in y:", "with z as q:", "async def k():"]


def program(rng, depth=0):
    lines = []
    for _ in range(rng.randint(1, 4)):
        lines.append(" " * 4 * depth + rng.choice(PIECES))
        if depth < 3 and rng.random() < 0.4:
            lines.append("\n".join(" " * 4 * depth + line for line in rng.choice(HEADERS).split("\n")))
            lines.append(program(rng, depth + 1))
            if rng.random() < 0.3:
                lines.append(" " * rng.randint(0, 12) + "# odd")
    lines.append(" " * 4 * depth + "pass")
    return "\n".join(lines)


def test_random_programs_have_the_spans_of_ast():
    rng = random.Random(20261130)
    for _ in range(400):
        text = program(rng) + "\n"
        tree = ast.parse(text)
        outline = Outline(skim(text))
        part = module_part(outline)
        shared = {"u", "v"}  # statements that share a line
        ours = [s for s in flat(spans(text, part.members)) if s[1] not in shared]
        assert ours == [s for s in flat(spans_of_ast(tree.body)) if s[1] not in shared], text
        assert_regions(text, part)


def flat(found, prefix=""):
    for kind, name, first, last, docstring, inner in found:
        yield kind, f"{prefix}{name}" if kind != "attribute" else name, first, last, docstring
        yield from flat(inner, f"{prefix}{name}.")


def test_random_text_never_crashes_the_skim():
    rng = random.Random(4)
    letters = ["def f():", "class C:", "x = ", "'", '"', '"""', "f'", "{", "}", "(", ")", "[", "]", "#", "\\", "\n",
               "\r\n", "\r", "    ", "\t", ":", ";", "\x0c", "1", ",", "@", "\x00", "é", "*", "."]  # fmt: skip
    for _ in range(2000):
        text = "".join(rng.choices(letters, k=rng.randint(0, 40)))
        found = skim(text)
        assert all(a < b for a, b in zip(found.starts, found.ends, strict=True))
        assert all(b <= a for a, b in zip(found.starts[1:], found.ends, strict=False))
        assert all(s <= c < e for s, c, e in zip(found.starts, found.codes, found.ends, strict=True))
        module_part(Outline(found))


def test_two_readings_that_differ_are_an_error():
    found = skim("x = 1\n")
    with pytest.raises(SourceError) as caught:
        confirm(found, range(1), -1, [], "a.py")

    assert str(caught.value) == (
        "a.py:1: this reads differently by its lines and by its grammar\n"
        "  by its lines: nothing\n"
        "  by its grammar: attribute x\n"
        "  mend: please report it with the file: this is a bug of snippetlock"
    )


def test_what_was_found_is_taken_apart_once_and_confirmed_where_it_could_not_be():
    tree = DictTree({"a.py": b"class C:\n    def f(self): ...\n\n    def g(self:\n"})

    assert find(tree, parse_selector("a:C.f")).part is find(tree, parse_selector("a:C.f")).part
    for _ in range(2):
        with pytest.raises(SourceError, match="not closed"):
            find(tree, parse_selector("a:C"))
