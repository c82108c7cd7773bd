"""What a file says: strings and templates, what they are there for, what is raised."""

from __future__ import annotations

import ast

from snippetlock.index import rows
from snippetlock.index.slices import dotted
from snippetlock.index.templates import held_by, passed, template
from snippetlock.index.walk import NONE, Role, Scope, Walk

_SETTERS = {"setattr", "object.__setattr__", "super().__setattr__"}
_OPENERS = {"setattr", "__setattr__", "globals", "update"}


class Sayings(Walk):
    """The part of the walk that reads expressions."""

    def set_on_self(self, name: str, node: ast.Call) -> None:
        """An attribute of the class that is being read is set by its name."""
        raise NotImplementedError

    def settle(self, scope: Scope, begin: int) -> None:
        """What was said into a variable that is raised later is raised; what is added to can begin or end otherwise."""
        for row in self.texts[begin:]:
            role, name = row[rows.ROLE], row[rows.CALLED]
            if role == "grow":
                row[rows.PARTS] = ["", *row[rows.PARTS], ""]
                row[rows.HELD :] = [[[at + 1, *caught] for at, *caught in held] for held in row[rows.HELD :]]
                row[rows.ROLE] = role = "assign"
            elif role == "assign" and name in scope.grown:
                row[rows.PARTS] = [*row[rows.PARTS], ""]
            if role == "assign" and name in scope.raised:
                row[rows.ROLE], row[rows.CALLED] = "raise", scope.raised[name]
        if scope.kind == "f":
            names = {parameter[0] for parameter in self.defs[scope.number][rows.A]}
            passes = {name: exception for name, exception in scope.raised.items() if name in names}
            if (
                self.defs[scope.number][rows.DECORATORS]
                and not self.defs[scope.number][rows.B]
                and len(scope.made) == 1
            ):
                self.defs[scope.number][rows.C] += scope.made - {""}
            if passes:
                self.defs[scope.number][rows.C][1] = passes
        self.role = NONE

    def _operation(self, node: ast.BinOp) -> None:
        kind = node.op.__class__
        if kind is ast.Add or (kind is ast.Mod and node.left.__class__ is ast.Constant):
            self._template(node)
            return
        self._push(node.left)
        self._push(node.right)

    def _template(self, node: ast.JoinedStr | ast.BinOp) -> None:
        made = template(node)
        if made is None:
            self._push(node.right)  # type: ignore[union-attr]  # of a remainder, whose left is a number
            return
        if any(made[0]):
            self._say(made[0], node.lineno, held_by(made, self.scope.caught))
        holes = [each for each in made[1] if each.__class__ not in (ast.Name, ast.Constant)]
        if holes:
            self._under(NONE, holes)

    def _call(self, node: ast.Call) -> None:
        func = node.func
        if func.__class__ is ast.Attribute:
            self._word(func.attr, rows.READ)
            made = template(node) if func.attr == "format" else None
            if made:
                self._say(made[0], node.lineno, held_by(made, self.scope.caught))
                self._under(NONE, made[1])
                return
            self._push(func.value)
            if func.attr in _OPENERS:
                self._opened(dotted(func), node)
        elif func.__class__ is not ast.Name:
            self.stack.append(func)
        elif func.id in _OPENERS:
            self._opened(func.id, node)
        arguments = [each for each in node.args if each.__class__ is not ast.Name]
        for word in node.keywords:
            if word.arg:
                self._word(word.arg, rows.KEYWORD)
            if word.value.__class__ is not ast.Name:
                arguments.append(word.value)
        if self.scope.caught and dotted(func).endswith(("Error", "Exception")):
            self._passed(("call", dotted(func)), node)
        if not arguments:
            return
        if self.role[0] == "raise":
            self.stack += arguments
        else:
            self.stack.append(self.role)
            self.stack += arguments
            self.stack.append(("call", dotted(func)))

    def _opened(self, name: str, node: ast.Call) -> None:
        """Note what sets attributes that no name in the source tells."""
        if name in _SETTERS and len(node.args) >= 2:
            what = node.args[0] if name == "setattr" or name.startswith("object") else None
            own = self.scope.cls >= 0 and (what is None or dotted(what) == self.scope.first)
            attribute = node.args[1 if what is not None else 0]
            if isinstance(attribute, ast.Constant) and isinstance(attribute.value, str):
                if own:
                    self.set_on_self(attribute.value, node)
                self._word(attribute.value, rows.SET)
            elif own:
                self.sheet["open"].append(self.scope.cls)
        elif name == "globals":
            self.sheet["open"].append(-1)
        elif name == f"{self.scope.first}.__dict__.update" and self.scope.cls >= 0:
            self.sheet["open"].append(self.scope.cls)

    def _read_attribute(self, node: ast.expr) -> None:
        words = self.words
        while node.__class__ is ast.Attribute:
            words[node.attr] = words.get(node.attr, 0) | rows.READ
            node = node.value
        self._push(node)

    def _dict(self, node: ast.Dict) -> None:
        owner = self.role[1] if self.role[0] in ("assign", "call", "return") else ""
        values = []
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                self.texts.append([[key.value], key.lineno, self.scope.number, "key", owner])
            else:
                self._push(key)
            values.append(value)
        self._push(values)

    def _raise(self, node: ast.Raise) -> None:
        self._push(node.cause)
        raised = node.exc
        if raised is None:
            return
        name = dotted(raised.func if isinstance(raised, ast.Call) else raised)
        if self.scope.kind == "f" and name:
            self.defs[self.scope.number][rows.C][0].append(name)
        if not isinstance(raised, ast.Call):
            self._push(raised)
            return
        self._push(raised.func)
        if self.scope.caught:
            self._passed(("raise", name), raised)
        arguments = [*raised.args, *(word.value for word in raised.keywords)]
        for argument in arguments:
            if isinstance(argument, ast.Name):
                self.scope.raised.setdefault(argument.id, name)
        self._under(("raise", name), arguments)

    def _passed(self, role: Role, made: ast.Call) -> None:
        """Note an exception that is made of nothing but what another says: `RowError(str(exc))`."""
        for argument in made.args:
            caught = passed(argument, self.scope.caught)
            if caught:
                self.texts.append([["", ""], argument.lineno, self.scope.number, *role, [[0, *caught]]])

    def _assert(self, node: ast.Assert) -> None:
        self._push(node.test)
        if node.msg is not None:
            self._under(("raise", "AssertionError"), [node.msg])

    def _return(self, node: ast.Return) -> None:
        self.scope.made.add(dotted(node.value.func) if isinstance(node.value, ast.Call) else "")
        if node.value is not None:
            self._under(("return", ""), [node.value])

    def _expression(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a text that stands alone is for people
            self._push(node.value)
