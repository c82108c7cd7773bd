"""Hold a program of the docs against the library: what it imports, reads and calls of it. Nothing is run.

A name is followed as far as the text tells: through imports, to what a class of the program has from the library's
(`self.x`, `super().x`), and to a variable that is set once, to a new object of a class, or annotated as one. What is
not told is left alone.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from snippetlock.index import bind, callee, calls, follow, general_first, lookup, signature
from snippetlock.records import replace
from snippetlock.references.bench import Bench
from snippetlock.references.calls import only_named
from snippetlock.references.imports import given, imported
from snippetlock.references.naming import judge_name
from snippetlock.references.objects import Class, Meaning, Names, Object, class_or_none, narrowed, run_by_call, set_to
from snippetlock.references.scopes import arguments, ordered, set_on_receivers, stored, within
from snippetlock.references.verdicts import Verdict
from snippetlock.references.wording import LONGEST, shaped

__all__ = ["judge_made", "judge_program"]

_MOST = 3  # definitions that a message lists
_EXCUSE = "what is not the library's"
_SUPER = "super()"  # no name is called so
_OF_CLASSES = ("__new__", "__init_subclass__", "__class_getitem__")  # methods of a class without being marked as such


def judge_program(bench: Bench, text: str) -> tuple[Verdict, ...]:
    """The verdicts on what a program has of the library, by line. Raises `SyntaxError` for one that is no Python."""
    reader = _Reader(bench, text)
    tree = ast.parse(text)
    names: dict[str, Meaning] = {}
    for _, alias, bound, name, verdict in imported(bench, tree):
        names[bound] = name
        reader.say(verdict, alias)
    reader.body(tree, _without(names, stored(tree.body)), None)
    found = {(each.line, each.column, each.text): each for each in reader.found}
    return tuple(sorted(map(_as_program, found.values()), key=lambda each: (each.line, each.column, each.text)))


def judge_made(bench: Bench, text: str, tree: ast.Module) -> Iterator[Verdict]:
    """The findings on what a block of a page makes of the library: objects of its classes, and classes below them.

    A block need not be the whole: what other blocks of the page define is theirs, a call without arguments only names
    what is called, and one of nothing but keywords names those that it is about.
    """
    attributes = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    sets = frozenset(node.attr for node in attributes if not isinstance(node.ctx, ast.Load))
    reader = _Reader(bench, text, sets=sets)
    names: dict[str, Meaning] = {bound: name for _, _, bound, name, _ in imported(bench, tree)}
    reader.body(tree, _without(names, stored(tree.body)), None)
    found = {(each.line, each.column, each.text): each for each in reader.found if each.rule}
    for verdict in sorted(found.values(), key=lambda each: (each.line, each.column, each.text)):
        yield replace(verdict, rule="SL302") if verdict.rule == "SL308" else verdict


def _as_program(verdict: Verdict) -> Verdict:
    """A program has a rule of its own, and no vocabulary excuses it."""
    if verdict.rule != "SL301":
        return verdict
    return replace(verdict, rule="SL307", certain=True, mend=verdict.mend.partition(_EXCUSE)[0].strip())


def _without(names: Names, taken: Mapping[str, int]) -> dict[str, Meaning]:
    return {name: meaning for name, meaning in names.items() if name not in taken}


class _Reader:
    """`sets` are the attributes that a sketch sets on anything, None for a whole program. Of a sketch only what is read
    and called of objects is said, and what may stand in another block is left aside.
    """

    def __init__(self, bench: Bench, text: str, *, sets: frozenset[str] | None = None) -> None:
        self.bench = bench
        self.sketch = sets is not None
        self.sets = sets or frozenset()
        self.lines = [line.encode("utf-8", "surrogatepass") for line in text.split("\n")]
        self.found: list[Verdict] = []

    def say(self, verdict: Verdict | None, node: ast.alias | ast.expr) -> None:
        if verdict is not None:
            line = self.lines[node.lineno - 1][: node.col_offset]
            column = len(line.decode("utf-8", "surrogatepass")) + 1
            self.found.append(replace(verdict, line=node.lineno, column=column))

    def body(self, scope: ast.Module | ast.ClassDef | ast.FunctionDef, names: Names, cls: Class | None) -> None:
        """Judge one scope, and those in it. `cls` is the class whose body it is."""
        nodes = list(scope.body)
        known = dict(names)
        sets = stored(nodes)
        for node in ordered(nodes):
            if isinstance(node, ast.ClassDef):
                made = self._class(node, known)
                if sets[node.name] == 1:
                    known[node.name] = made
            elif one := set_to(node):
                name, value, annotation = one
                made_of = self._object(value, known) or self._annotated(annotation, known)
                if made_of is not None and sets[name] == 1:
                    known[name] = made_of
        self._uses(nodes, known)
        inner = names if cls is not None else known  # what a class body sets, its methods do not see
        for node in within(nodes):
            if isinstance(node, ast.ClassDef):
                self.body(node, known, class_or_none(known.get(node.name)) or self._class(node, known))
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self._function(node, inner, cls)
            elif isinstance(node, ast.Lambda):
                self._lambda(node, inner)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, names: Names, cls: Class | None) -> None:
        first = [*node.args.posonlyargs, *node.args.args][:1]
        taken = Counter(each.arg for each in arguments(node.args)) + stored(node.body)
        known = _without(names, taken)
        told = stored(node.body).keys() | narrowed(node.body)
        for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            made_of = self._annotated(each.annotation, names)
            if made_of is not None and each.arg not in told:
                known[each.arg] = made_of
        decorators = {getattr(each, "id", "") for each in node.decorator_list}
        if cls is not None and first and "staticmethod" not in decorators:
            receiver = first[0].arg
            if not stored(node.body)[receiver]:
                of_class = "classmethod" in decorators or node.name in _OF_CLASSES
                known[receiver] = cls if of_class else Object(of=cls)
            known[_SUPER] = Object(of=replace(cls, members=frozenset()))
        self.body(node, known, None)  # type: ignore[arg-type]  # an asynchronous one has the same parts

    def _lambda(self, node: ast.Lambda, names: Names) -> None:
        taken = Counter(each.arg for each in arguments(node.args))
        known = _without(names, taken)
        self._uses([node.body], known)
        for inner in within([node.body]):
            if isinstance(inner, ast.Lambda):
                self._lambda(inner, known)

    def _class(self, node: ast.ClassDef, names: Names) -> Class:
        above: list[str] = []
        members = set(stored(node.body)) | set_on_receivers(node)
        unknown = bool(node.keywords)
        for base in node.bases:
            meaning = self._meaning(base.value if isinstance(base, ast.Subscript) else base, names)
            if isinstance(meaning, Class):
                above += meaning.above
                members |= meaning.members
                unknown = unknown or meaning.open
            elif isinstance(meaning, str) and self._is_class(meaning):
                above.append(meaning)
            else:
                unknown = True
        unknown = unknown or "__getattr__" in members
        return Class(name=node.name, above=tuple(above), members=frozenset(members), open=unknown)

    def _object(self, node: ast.expr | None, names: Names) -> Object | None:
        """The new object that an expression makes; None for every other."""
        return self._of(self._meaning(node.func, names)) if isinstance(node, ast.Call) else None

    def _annotated(self, node: ast.expr | None, names: Names) -> Object | None:
        """The object that a whole program says a name is, by a plain class."""
        plain = isinstance(node, ast.Name | ast.Attribute) and not self.sketch
        return self._of(self._meaning(node, names)) if node is not None and plain else None

    def _of(self, meaning: Meaning | None) -> Object | None:
        if isinstance(meaning, Class) or (isinstance(meaning, str) and self._is_class(meaning)):
            return Object(of=meaning)
        return None

    def _is_class(self, name: str) -> bool:
        found = [follow(self.bench.index, each) for each in lookup(self.bench.index, name)]
        return bool(found) and all(each.kind == "class" for each in found)

    def _uses(self, nodes: Sequence[ast.AST], names: Names) -> None:
        """What the expressions of one scope read and call of the library."""
        inner: set[int] = set()
        for node in within(nodes):
            if isinstance(node, ast.Attribute) and id(node) not in inner:
                inner.update(id(part) for part in _chain(node))
                name = self._meaning(node, names)
                if isinstance(name, str) and name and not (self.sketch and self._elsewhere(node, names)):
                    self.say(self._loose(judge_name(self.bench, name), node, names), node)
            if isinstance(node, ast.Call):
                self._call(node, names)

    def _elsewhere(self, node: ast.expr, names: Names) -> bool:
        """Whether what a sketch reads is of no object, or what another block of the page may have given it."""
        *_, first = _chain(node)
        root = names.get(first.id) if isinstance(first, ast.Name) else self._object(first, names) or names.get(_SUPER)
        parts = [each for each in (node, *_chain(node)) if isinstance(each, ast.Attribute)]
        if not isinstance(root, Object) or not parts:
            return True
        member, of = parts[-1].attr, root.of
        if not isinstance(of, Class):
            return member in self.sets
        if isinstance(first, ast.Call) and root is names.get(_SUPER):
            return member in self.sets  # above the classes of the page
        code = shaped(member) or member.startswith("_") or "__init__" in of.members
        return not code or member in self.bench.own.defined | self.sets

    def _loose(self, verdict: Verdict, node: ast.expr, names: Names) -> Verdict:
        """The verdict on what a class of a sketch has: it is not certain that the sketch shows all of the class."""
        *_, first = _chain(node)
        root = names.get(first.id) if isinstance(first, ast.Name) else None
        sketched = self.sketch and isinstance(root, Object) and isinstance(root.of, Class)
        return replace(verdict, certain=False) if sketched else verdict

    def _call(self, node: ast.Call, names: Names) -> None:
        name = self._meaning(node.func, names)
        if not self.sketch:
            name = self._object(node.func, names) or name
            name = run_by_call(self.bench.index, name.of) if isinstance(name, Object) else name
        if not isinstance(name, str) or not name or not lookup(self.bench.index, name):
            return
        if self.sketch and (not isinstance(node.func, ast.Attribute) or self._elsewhere(node.func, names)):
            return
        text = name + given(self.lines, node)
        if len(text) <= LONGEST:
            owner = self._meaning(node.func.value, names) if isinstance(node.func, ast.Attribute) else None
            through = isinstance(owner, Class) or (isinstance(owner, str) and self._is_class(owner))
            # Looked up in its class, a method takes the object too.
            self.say(_bound(self.bench, name, text, exact=not through, sketch=self.sketch), node)

    def _meaning(self, node: ast.expr, names: Names) -> Meaning | None:
        """What an expression reads: a dotted name of the library, a class of the program, or nothing that is told."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        parts.reverse()
        root: Meaning | None
        if isinstance(node, ast.Name):
            root = names.get(node.id)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super":
            root = names.get(_SUPER)
        elif parts:
            root = self._object(node, names)
        else:
            return None
        if not parts:
            return root
        owner = root.of if isinstance(root, Object) else root
        return self._member(owner, parts) if isinstance(owner, Class) else owner and ".".join([owner, *parts])

    def _member(self, cls: Class, parts: Sequence[str]) -> str | None:
        """What a class of the program has from the library under a name; None for its own, and where that is open."""
        if parts[0] in cls.members or not cls.above:
            return None
        for base in cls.above:
            if lookup(self.bench.index, f"{base}.{parts[0]}"):
                return ".".join([base, *parts])
        special = parts[0].startswith("__") and parts[0].endswith("__")  # every class has them
        return None if cls.open or special else ".".join([cls.above[0], *parts])


def _bound(bench: Bench, name: str, text: str, *, exact: bool, sketch: bool) -> Verdict | None:
    """The verdict on a call of something that the library has; None where that cannot be told."""
    index = bench.index
    found = {each.number: each for each in (callee(index, one) for one in lookup(index, name)) if each.kind != "module"}
    call = next(iter(calls(text)), None)
    if sketch and call and not call.arguments:
        return None
    takes = [(each, signature(index, each)) for each in general_first(index, found.values())] if call else []
    tried = [(each, bind(one, call, exact=exact or one.bound != "instance")) for each, one in takes] if call else []
    tried = [(each, only_named(binding, call)) for each, binding in tried] if sketch and call else tried
    if not tried or any(binding.fits is not False for _, binding in tried):
        return Verdict(text=text, state="resolved", why=tried[0][1].takes or tried[0][1].reason) if tried else None
    definition, best = min(tried, key=lambda pair: len(pair[1].problems))
    said = "; ".join(problem.message for problem in best.problems if problem.kind != "name")
    return Verdict(
        text=text,
        state="unknown",
        why=best.takes,
        rule="SL308",
        message=f"{text!r} does not bind: {best.takes}: {said}",
        evidence=tuple(f"{each.place}  {binding.takes}" for each, binding in tried[:_MOST]),
        mend=f"call {definition.name} as it is called at the pin",
        certain=True,
    )


def _chain(node: ast.expr) -> Iterator[ast.expr]:
    while isinstance(node, ast.Attribute):
        node = node.value
        yield node
