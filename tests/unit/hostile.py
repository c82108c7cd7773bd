"""Texts that grow with `n` and are nothing but trouble: tests hold the answers, `benchmarks/growth.py` the time."""

from __future__ import annotations


def _nested(n: int) -> str:
    return "".join(" " * 4 * (i % 200) + "- a\n" for i in range(n))


PAGES = {
    "unclosed fences": lambda n: "```a\n" * n,
    "unclosed fences behind prefixes": lambda n: "".join(f"{' ' * (i % 40)}```a\n" for i in range(n)),
    "comments": lambda n: "<!--\n" * n,
    "comments in text": lambda n: "x <!--\n" * n,
    "comments in one line": lambda n: "x <!--" * n,
    "headings": lambda n: "# h\n" * n,
    "generic blocks": lambda n: "/// a\n///\n" * n,
    "open generic blocks": lambda n: "/// a\n\n" * (n // 8),
    "nested lists": lambda n: _nested(n // 8),
    "nested quotes": lambda n: "".join(">" * (i % 200) + " a\n" for i in range(n // 8)),
    "quote marks": lambda n: ">" * n * 4,
    "list marks": lambda n: "- " * n * 4,
    "elements": lambda n: "<div>\n" * n,
    "markdown elements": lambda n: "<div markdown>\n" * n,
    "pre": lambda n: "<div>\n" + "<pre>\n" * n,
    "pre in text": lambda n: "x <pre>" * n,
    "tags": lambda n: "<div " * n * 4,
    "backticks": lambda n: "`` ` " * n + '```python snippet="x"',
    "misplaced directives": lambda n: 'x ```python snippet="x" ```' * n,
    "options": lambda n: "```py " + 'a="x" ' * n + "\n```\n",
    "quotation marks": lambda n: "```py " + 'a=" ' * n + "\n```\n",
    "definitions": lambda n: ": a\n" * n,
    "footnotes": lambda n: "".join(f"[^{i}]: b\n\n    c\n\n" for i in range(n // 4)),
    "tabs": lambda n: "\t" * n * 4,
    "marks of every kind": lambda n: '# h\n!!! a\n=== "t"\n> q\n- a\n---\n: d\n' * (n // 8),
}


# One token or one line of a length that no author writes.
TOKENS = {
    "long string": lambda n: "x = '" + "a" * n * 50 + "'",
    "long line": lambda n: "x = [" + "1, " * n * 10 + "]",
    "brackets": lambda n: "(" * n * 5 + ")" * n * 5,
    "fields": lambda n: "f'{" * n + "1" + "}'" * n,
    "escapes": lambda n: "'''" + "\\'" * n * 15 + "'''",
    "quotes": lambda n: '"""' + '"a' * n * 15 + '"""',
    "backslashes": lambda n: "\\\n" * n * 10,
    "comment": lambda n: "#" * n * 50,
}

# Modules that define `x` once.
SOURCES = {
    "string": lambda n: "x = '" + "a" * n * 50 + "'\n",
    "list": lambda n: "x = [" + "1, " * n + "]\n",
    "comment": lambda n: "# " + "a" * n * 50 + "\nx = 1\n",
    "blanks": lambda n: "x = 1" + " " * n * 50 + "\n",
    "quotes": lambda n: "x = 1  # " + "'" * n * 50 + "\n",
    "backslashes": lambda n: "x = 1\n" + "\\\n" * n * 5 + "y = 2\n",
    "strings": lambda n: "x = 1\n" + "'''a'''; \"b\" 'c'\n" * n,
    "lines": lambda n: "x = 1\n" + "y = 2\n# c\n" * n,
    "functions": lambda n: "x = 1\n" + "def f(): pass\n" * n,
}

# Files in which one name means `n` things: path, name, text.
TWINS = {
    "assignments": ("a.py", "x", lambda n: "x = 1\n" * n),
    "branches": ("a.py", "x", lambda n: "if y: pass\n" + "elif y: x = 2\n" * n),
    "branches over lines": ("a.py", "x", lambda n: "if y:\n    pass\n" + "elif y:\n    x = 2\n" * n),
    "functions": ("a.py", "x", lambda n: "def x(): pass\n" * n),
    "overloads": ("a.py", "x", lambda n: "@overload\ndef x(): ...\n" * n),
    "methods": ("a.py", "C.x", lambda n: "class C:\n" + "    def x(self): pass\n" * n),
    "methods of twins": ("a.py", "C.x", lambda n: "class C:\n    def x(self): pass\n" * n),
    "keys": ("a.yaml", "x", lambda n: "x: 1\n" * n),
    "keys further in": ("a.yaml", "y.x", lambda n: "y:\n" + "  x: 1\n" * n),
    "regions": ("a.txt", "@x", lambda n: "# --8<-- [start:x]\ny\n# --8<-- [end:x]\n" * n),
    "headings": ("a.md", "x", lambda n: "# x\n\n" * n),
    "definitions": ("a.cu", "x", lambda n: "int x() { return 1; }\n" * n),
}

# Files with `n` things and none of that name, which could be meant all the same: path, name, text.
STRANGERS = {
    "a role that none of many has": ("a.py", "x@setter", lambda n: "def x(): pass\n" * n),
    "a number beyond many": ("a.py", "x#999999", lambda n: "def x(): pass\n" * n),
    "many other names": ("a.py", "zzz", lambda n: "".join(f"def x{i}(): pass\n" for i in range(n))),
    "many names alike": ("a.py", "x", lambda n: "".join(f"class A{i}:\n    def X(self): pass\n" for i in range(n))),
    "many imports": ("a.py", "zzz", lambda n: "".join(f"from b import x{i}\n" for i in range(n))),
    "set on self by many": ("a.py", "C.x", lambda n: "class C:\n" + "    def m(self): self.x = 1\n" * n),
    "below an assignment after many": ("a.py", "x.y", lambda n: "y = 1\n" * n + "x = 1\n"),
    "a key of many others": ("a.yaml", "x", lambda n: "".join(f"a{i}:\n  x: 1\n" for i in range(n))),
    "a number beyond many keys": ("a.yaml", "x#999999", lambda n: "x: 1\n" * n),
}

# Prose that could be calls.
CLAIMS = {
    "in one line": lambda n: "a " + "<!-- claim: 1 == 1 --> " * n,
    "in lines": lambda n: "<!-- claim: 1 == 1 -->\n" * n + "a\n",
    "in one comment": lambda n: "<!-- " + "claim: 1 == 1\n" * n + " -->\na\n",
    "of many lines": lambda n: "<!-- claim: " + "1 ==\n" * n + " -->\na\n",
    "over two lines each": lambda n: "a <!-- claim: 1\n== 1 --> b\n" * n,
    "before a long row": lambda n: "<!-- claim: 1 == 1 -->\n" * n + "<!-- a --> " * n,
    "in items": lambda n: "- a <!-- claim: 1 == 1 -->\n" * n,
    "in rows": lambda n: "| a |\n| - |\n" + "| b <!-- claim: 1 == 1 --> |\n" * n,
    "in HTML": lambda n: "<div>\n" + "<!-- claim: 1 == 1 -->\n" * n + "</div>\n",
    "beside code": lambda n: "`a` <!-- claim: 1 == 1 --> " * n,
    "never closed": lambda n: "a <!-- claim: 1 == 1\n\n" * n,
}

PROSE = {
    "spans": lambda n: "`FireFwdOp` " * n,
    "calls": lambda n: "`kiln_for(a, b, c)`\n\n" * n,
    "messages": lambda n: "`ValueError` `the kiln is cold`{ .message }\n\n" * n,
    "keys beside a dict": lambda n: "`kiln_types` " + "".join(f"the key `k{i}` " for i in range(n)),
    "names that nobody has": lambda n: "".join(f"`Kiln{i}Op` " for i in range(n)),
    "members of classes": lambda n: "`FIREFwdOp` " + "`self.no_such` " * n,
    "links": lambda n: "https://git.example/kilns/blob/v1.0/lib/kilns/x.py " * n,
    "examples": lambda n: "```python\n" + "from kilns import Op\nOp(1)\nOp.x\n" * n + "```\n",
    "diagrams": lambda n: "```mermaid\nflowchart TD\n" + "A[kiln_for(a, b, c)] --> FireFwdOp\n" * n + "```\n",
    "what cannot be seen": lambda n: "a `b\u200bc`\n" * n,
}

CALLS = {
    "opened": lambda n: "f(" * n,
    "nested": lambda n: "f(" * n + ")" * n,
    "arguments": lambda n: "f(" + "a, " * n + "b)",
    "keywords": lambda n: "f(" + "".join(f"a{i}=1, " for i in range(n)) + ")",
    "optional": lambda n: "f(a" + "[, b" * n + "]" * n + ")",
    "optional, opened": lambda n: "f(a" + "[, b" * n,
    "chained": lambda n: "f" + "(a)" * n,
    "dotted": lambda n: "f" + ".f" * n + "(a)",
    "lambdas": lambda n: "f(" + "lambda a, b: " * n + "1)",
    "crossed": lambda n: "f([)" * n,
    "many": lambda n: "f(a) " * n,
}

# Prose that could be a message, for templates of little but placeholders.
MESSAGES = {
    "words": lambda n: "word " * n,
    "frames": lambda n: "a: " * n,
    "hyphens": lambda n: "a-" * n + "(",
    "quotes": lambda n: "a'" * n,
    "one word": lambda n: "a" * n,
    "pieces": lambda n: "a is not b, " * n,
    "nearly": lambda n: "the same " * n,
}
MAKERS = """
def f(a, b, c):
    raise ValueError(f"{a}: {b}")
    raise ValueError(f"{a} is not {b}, {c}")
    raise ValueError(f"{a} is not {b}, {b} is not {c}, and so on")
    raise ValueError(f"{a}{b}{c}")
    raise ValueError(f"{a}a{b}a{c}a")
    raise ValueError("the same the same the same the same {} the other".format(a))
"""
