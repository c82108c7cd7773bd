"""Read one Python file into a sheet: what it defines, imports and says. Runs none of it, and knows no other file."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any

from snippetlock.errors import OTHER_FILE, SourceError
from snippetlock.index import rows
from snippetlock.index.headers import class_row, exported, function_row, keys_of, named_tuple
from snippetlock.index.rows import Row, Sheet
from snippetlock.index.sayings import Sayings
from snippetlock.index.slices import dotted
from snippetlock.index.walk import Scope

__all__ = ["harvest"]

_EXCEPTION = re.compile(r"\b\w*(?:Error|Exception|Warning)\b")


def harvest(text: str, path: str) -> Sheet:
    """The sheet of a Python file's text. Raises `SourceError` for what the running Python cannot parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of another's escapes and comparisons
            tree = ast.parse(text)
    except SyntaxError as error:
        line = error.lineno or None
        raise SourceError(f"not Python: {error.msg}", path=path, line=line, mend=OTHER_FILE) from error
    except (ValueError, RecursionError, MemoryError) as error:
        what = f"too much for Python's parser: {error or type(error).__name__}"
        raise SourceError(what, path=path, mend=OTHER_FILE) from error
    return _Harvest(text).read(tree)


class _Harvest(Sayings):
    """The part of the walk that reads statements."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.slots: list[tuple[int, str, ast.stmt]] = []
        self.tried: dict[ast.ExceptHandler, list[str]] = {}

    # Definitions

    def _define(self, row: Row) -> int:
        self.defs.append(row)
        return len(self.defs) - 1

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        scope = self.scope
        number = self._define(function_row(node, scope.number, self.slicer))
        parameters = self.defs[number][rows.A]
        for parameter in parameters:
            self._word(parameter[0], rows.PARAMETER)
        self._under(("default", node.name), [*node.args.defaults, *node.args.kw_defaults])
        self._push(node.decorator_list)
        owner, first = scope.cls, scope.first  # what a method defines inside may still set what `self` is
        if scope.kind == "c":
            static = any(dotted(each) == "staticmethod" for each in node.decorator_list)
            owner, first = scope.number, parameters[0][0] if parameters and not static else ""
        inside = Scope("f", number, node.body, owner, first)
        inside.caught = {p[0]: (kinds, []) for p in parameters if p[3] and (kinds := _EXCEPTION.findall(p[3]))}
        self.waiting.append(inside)

    def _class(self, node: ast.ClassDef) -> None:
        number = self._define(class_row(node, self.scope.number, self.slicer))
        self._push(node.bases)
        self._push([word.value for word in node.keywords])
        self._push(node.decorator_list)
        self.waiting.append(Scope("c", number, node.body))

    def _lambda(self, node: ast.Lambda) -> None:
        arguments = node.args
        for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            self._word(each.arg, rows.PARAMETER)
        self._push(arguments)
        self._push(node.body)

    # Assignments

    def _assign(self, node: ast.Assign) -> None:
        targets, value = node.targets, node.value
        for target in targets:
            self._bind(target, node, value)
        if isinstance(value, ast.Call) and getattr(value.func, "attr", "") != "format":
            self.stack.append(value)  # its own arguments are said to it
        elif not isinstance(value, ast.Name):
            self._value(targets[0], value)

    def _annotated(self, node: ast.AnnAssign) -> None:
        self._bind(node.target, node, node.value, node.annotation)
        if node.value is not None:
            self._value(node.target, node.value)

    def _augmented(self, node: ast.AugAssign) -> None:
        name = dotted(node.target)
        if name == "__all__" and self.scope.kind == "m":
            exported(self.sheet, node.value, added=True)
        self.scope.grown.add(name)
        self._under(("grow", name), [node.value])

    def _named(self, node: ast.NamedExpr) -> None:
        self._bind(node.target, node, node.value)
        self._push(node.value)

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        self._bind(node.target, node.target, None)
        self._push(node.orelse)
        self._push(node.body)
        self._push(node.iter)

    def _comprehension(self, node: ast.comprehension) -> None:
        waiting = [node.target]
        while waiting:
            each = waiting.pop()
            if isinstance(each, ast.Name):
                self._word(each.id, rows.LOCAL)
            elif isinstance(each, ast.Tuple | ast.List):
                waiting += each.elts
            elif isinstance(each, ast.Starred):
                waiting.append(each.value)
        self._push(node.ifs)
        self._push(node.iter)

    def _with(self, node: ast.withitem) -> None:
        if node.optional_vars is not None:
            self._bind(node.optional_vars, node.optional_vars, None)
        self._push(node.context_expr)

    def _try(self, node: ast.Try) -> None:
        for body in (node.finalbody, node.orelse, node.handlers, node.body):
            self._push(body)
        named = [handler for handler in node.handlers if handler.name]
        if named:
            called = (each.func for child in node.body for each in ast.walk(child) if isinstance(each, ast.Call))
            names = sorted({dotted(func).rpartition(".")[2] for func in called} - {""})
            self.tried |= dict.fromkeys(named, names)

    def _handler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self._word(node.name, rows.LOCAL)
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            caught = [dotted(kind) if kind is not None else "" for kind in kinds]
            self.scope.caught[node.name] = caught, self.tried.pop(node, [])
        self._push(node.type)
        self._push(node.body)

    def _global(self, node: ast.Global) -> None:
        self.scope.globals.update(node.names)

    def _value(self, target: ast.expr, value: ast.expr) -> None:
        self._under(("assign", dotted(target)), [value])

    def _bind(self, target: ast.expr, node: Any, value: ast.expr | None, note: ast.expr | None = None) -> None:
        if target.__class__ is ast.Name:
            self._bind_name(target.id, node, value, note)
            return
        targets, single = [target], True
        while targets:
            each = targets.pop()
            if isinstance(each, ast.Name):
                self._bind_name(each.id, node, value if single else None, note)
            elif isinstance(each, ast.Attribute):
                self._bind_attribute(each, node, value if single else None, note)
            elif isinstance(each, ast.Tuple | ast.List):
                targets += each.elts[::-1]
                single = False
            elif isinstance(each, ast.Starred):
                targets.append(each.value)
                single = False
            else:
                self._push(each)

    def _bind_name(self, name: str, node: Any, value: ast.expr | None, note: ast.expr | None) -> None:
        scope = self.scope
        if scope.kind == "f" and name not in scope.globals:
            self._word(name, rows.LOCAL)
            return
        if scope.kind == "m" and name == "__all__":
            exported(self.sheet, value, added=False)
        elif scope.kind == "c" and name == "__slots__" and isinstance(value, ast.Tuple | ast.List):
            texts = (each.value for each in value.elts if isinstance(each, ast.Constant))
            self.slots += ((scope.number, text, node) for text in texts if isinstance(text, str))
        made = named_tuple(name, node, scope.number, value, self.slicer)
        if made:
            number = self._define(made[0])
            for row in made[1]:
                row[rows.OWNER] = number
                self._define(row)
            return
        owner = -1 if scope.kind == "f" else scope.number
        self._define(self._attribute("a", name, owner, node, value, note))

    def _bind_attribute(self, target: ast.Attribute, node: Any, value: ast.expr | None, note: ast.expr | None) -> None:
        scope = self.scope
        own = scope.cls >= 0 and isinstance(target.value, ast.Name) and target.value.id in (scope.first, "self")
        if not own:
            self._word(target.attr, rows.SET)
            self._push(target.value)
        else:
            self._set(target.attr, node, value, note)

    def finish(self) -> None:
        """Slots are attributes too, where no method shows what they are set to."""
        for cls, name, node in self.slots:
            if (cls, name) not in self.instance:
                self._define(self._attribute("a", name, cls, node, None, None))

    def set_on_self(self, name: str, node: ast.Call) -> None:
        self._set(name, node, None, None)

    def _set(self, name: str, node: Any, value: ast.expr | None, note: ast.expr | None) -> None:
        """An attribute of an instance is defined where it is set first."""
        scope = self.scope
        if (scope.cls, name) not in self.instance:
            self.instance.add((scope.cls, name))
            self._define([*self._attribute("i", name, scope.cls, node, value, note), scope.number])

    def _attribute(
        self, kind: str, name: str, owner: int, node: Any, value: ast.expr | None, note: ast.expr | None
    ) -> Row:
        text = self.slicer.value(value) if value is not None else None
        keys = keys_of(value) if value is not None else None
        annotation = self.slicer.cut(note) if note is not None else ""
        return [kind, name, owner, node.lineno, node.end_lineno, 0, [], annotation, text, keys]

    # Imports

    def _type_alias(self, node: Any) -> None:
        self._bind_name(node.name.id, node, node.value, None)
        self._push(node.value)

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            bound = alias.asname or alias.name.partition(".")[0]
            self.sheet["imports"].append([bound, alias.name if alias.asname else bound, "", 0, self.scope.number])

    def _import_from(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            row = [alias.asname or alias.name, node.module or "", alias.name, node.level, self.scope.number]
            self.sheet["imports"].append(row)


_Harvest.how = {
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef), _Harvest._function),
    **dict.fromkeys((ast.For, ast.AsyncFor), _Harvest._for),
    ast.comprehension: _Harvest._comprehension,
    ast.JoinedStr: _Harvest._template,
    ast.BinOp: _Harvest._operation,
    ast.ClassDef: _Harvest._class,
    ast.Lambda: _Harvest._lambda,
    ast.Assign: _Harvest._assign,
    ast.AnnAssign: _Harvest._annotated,
    ast.AugAssign: _Harvest._augmented,
    ast.NamedExpr: _Harvest._named,
    ast.withitem: _Harvest._with,
    **dict.fromkeys((ast.Try, ast.TryStar), _Harvest._try),
    ast.ExceptHandler: _Harvest._handler,
    ast.Global: _Harvest._global,
    ast.Import: _Harvest._import,
    ast.ImportFrom: _Harvest._import_from,
    ast.Call: _Harvest._call,
    ast.Attribute: _Harvest._read_attribute,
    ast.Dict: _Harvest._dict,
    ast.Raise: _Harvest._raise,
    ast.Assert: _Harvest._assert,
    ast.Return: _Harvest._return,
    ast.Expr: _Harvest._expression,
    type(None): (),
}
if hasattr(ast, "TypeAlias"):  # Python 3.12
    _Harvest.how |= {ast.TypeAlias: _Harvest._type_alias}
