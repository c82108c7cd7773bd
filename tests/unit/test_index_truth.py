"""The index of Python's own library against an independent walk of its syntax, and against what Python says itself."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sysconfig
from collections import Counter
from pathlib import Path

import pytest
from indexing import indexed

from snippetlock.index import bind, calls, lookup, member, produces, signature, unproven
from snippetlock.index.index import module_of

LIBRARY = Path(sysconfig.get_path("stdlib"))
MODULES = (
    *("abc", "argparse", "ast", "calendar", "collections/__init__", "configparser", "contextlib", "copy", "csv"),
    *("dataclasses", "difflib", "dis", "enum", "fractions", "functools", "graphlib", "heapq", "html/parser"),
    *("http/cookies", "inspect", "json/decoder", "json/encoder", "logging/__init__", "numbers", "pprint", "queue"),
    *("random", "selectors", "shlex", "socketserver", "statistics", "string", "subprocess", "textwrap", "threading"),
    *("traceback", "types", "typing", "unittest/case", "urllib/parse", "uuid", "warnings", "weakref", "zipfile"),
)
KINDS = ("positional-only", "positional", "variadic", "keyword-only", "keywords")


@pytest.fixture(scope="module")
def sources():
    places = {f"{name}.py": LIBRARY / f"{name}.py" for name in MODULES}
    return {path: place.read_bytes() for path, place in places.items() if place.exists()}


@pytest.fixture(scope="module")
def index(sources):
    assert len(sources) > 30
    found = indexed(sources)
    assert found.unread == ()
    return found


class Walk(ast.NodeVisitor):
    """Every function and class by its name in its file: line, and parameters or bases as Python writes them."""

    def __init__(self):
        self.way = []
        self.found = {}

    def visit_FunctionDef(self, node):
        arguments = ast.unparse(ast.arguments(**{**vars(node.args)}))
        self.note(node, f"({arguments})", [node.name, "<locals>"])

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        self.note(node, ", ".join(map(ast.unparse, node.bases)), [node.name])

    def note(self, node, what, way):
        self.found.setdefault(".".join([*self.way, node.name]), []).append((node.lineno, what))
        self.way += way
        for each in node.body:
            self.visit(each)
        del self.way[-len(way) :]


def written(definition):
    """The same of a definition of the index, through Python so that layout does not count."""
    if definition.kind == "class":
        text = f"class C({', '.join(definition.bases)}): ..."
        return ", ".join(map(ast.unparse, ast.parse(text).body[0].bases))
    words, before = [], ""
    for each in definition.parameters:
        if before == "positional-only" != each.kind:
            words.append("/")
        if each.kind == "keyword-only" and before not in ("keyword-only", "variadic"):
            words.append("*")
        note = f": {each.annotation}" if each.annotation else ""
        words.append(each.starred + note + (f" = {each.default}" if each.default is not None else ""))
        before = each.kind
    text = ", ".join([*words, "/"] if before == "positional-only" else words)
    return f"({ast.unparse(ast.parse(f'def f({text}): ...').body[0].args)})"


def test_every_definition_is_there_with_its_signature_and_no_other(index, sources):
    compared = 0
    for number, (path, _) in enumerate(index.table("names")["files"]):
        file, walk = index.file(number), Walk()
        walk.visit(ast.parse(sources[path]))
        mine = {}
        for at in range(len(file.sheet["defs"])):
            each = index.definition(file, at)
            if each.kind != "attribute" and each.bases != ("typing.NamedTuple",):
                mine.setdefault(each.qualified, []).append((each.line, written(each)))
        assert {name: sorted(found) for name, found in mine.items()} == {
            name: sorted(found) for name, found in walk.found.items()
        }
        compared += sum(map(len, mine.values()))
    assert compared > 2000


def live(index):
    """Each class and function of a module that Python knows under the same name, with its only definition."""
    for module in index.modules:
        if index.modules[module] < 0:
            continue
        loaded = importlib.import_module(module)
        for name, value in vars(loaded).items():
            found = [each for each in lookup(index, f"{module}.{name}") if each.module == module]
            if (
                getattr(value, "__module__", "") == module
                and len(found) == 1
                and found[0].kind in ("class", "function")
            ):
                yield found[0], value


def test_what_a_call_takes_is_what_python_says(index):
    compared = 0
    for definition, value in live(index):
        mine = signature(index, definition).parameters
        if mine is None or inspect.isclass(value) != (definition.kind == "class") or hasattr(value, "__signature__"):
            continue
        try:
            parameters = inspect.signature(value).parameters.values()
        except (ValueError, TypeError):
            continue
        if any(each.default is inspect.Parameter.empty and each.kind == each.KEYWORD_ONLY for each in parameters):
            continue  # `inspect` itself has defaults that are this mark
        theirs = [(each.name, KINDS[each.kind], each.default is not each.empty) for each in parameters]
        assert [(each.name, each.kind, each.default is not None) for each in mine] == theirs, definition.selector
        compared += 1
    assert compared > 300


def test_no_member_that_python_has_is_said_to_be_missing(index):
    compared = proven = 0
    for definition, value in live(index):
        if definition.kind != "class" or not inspect.isclass(value):
            continue
        for name in dir(value):
            assert member(index, definition, name) or unproven(index, definition, name), (definition.selector, name)
            compared += 1
        proven += not unproven(index, definition, "surely_not_there")
    assert compared > 5_000
    assert proven > 80


def test_messages_of_templates_are_made_by_them(index):
    """Placeholders filled with what they are filled with in practice: identifiers, numbers, types, lists."""
    samples = ("value", "3", "Some.name", "'key'", "['a', 'b']", "<class 'int'>", "float32")
    tried = made = 0
    for path, number, at in index.table("texts")["templates"][::5]:
        del path
        text = index.text(index.file(number), at)
        words = re.findall(r"[A-Za-z]{2,}", " ".join(text.parts))
        if text.role != "raise" or len(words) < 4 or not text.name.endswith("Error"):
            continue
        message = text.parts[0]
        for count, part in enumerate(text.parts[1:]):
            message += samples[(tried + count) % len(samples)] + part
        found = produces(index, message)
        tried += 1
        made += any(text.name.rpartition(".")[2] in each.exceptions for each in found)
    assert tried > 20
    assert made >= tried * 0.95


def bound_in(tree):
    """How often each name is bound anywhere in a file: as parameter, variable, import, function or class."""
    names = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names[node.id] += 1
        elif isinstance(node, ast.arg):
            names[node.arg] += 1
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names[node.name] += 1
        elif isinstance(node, ast.alias):
            names[node.asname or node.name] += 1
    return names


def test_every_call_that_the_library_makes_of_its_own_is_read_and_fits(index, sources):
    """Real calls run: whatever is said against one is wrong. Names are told apart by being bound once in a file."""
    fitted = told = 0
    for path, source in sources.items():
        tree, lines = ast.parse(source), source.decode().split("\n")
        once = {name for name, count in bound_in(tree).items() if count == 1}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in once:
                continue
            found = [d for d in lookup(index, f"{module_of(path)}.{node.func.id}") if d.kind in ("class", "function")]
            written = lines[node.lineno - 1][node.col_offset : node.end_col_offset]
            if len(found) != 1 or node.lineno != node.end_lineno or not written.isascii():
                continue
            call, *_ = calls(written)
            result = bind(signature(index, found[0]), call)
            assert result.fits is not False, (path, node.lineno, written, result)
            fitted += result.fits is True
            told += bool(call.arguments)
    assert fitted > 400
    assert told > 300
