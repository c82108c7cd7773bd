"""The drill as a command, and the real `drift` on what the drill changes."""

from __future__ import annotations

import json
import re
import shutil

import pytest
from plain import copy_of, opened

from snippetlock.changes import FAIL_ON
from snippetlock.select import find
from snippetlock.workflow import drill as drilling
from snippetlock.workflow.mutations import mutations


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("SNIPPETLOCK_CACHE", str(tmp_path / "cache"))
    return copy_of(tmp_path)


def test_a_drill_prints_a_score_for_each_class(root, run):
    code, said, err = run("drill", "--sample", "2", cwd=root)

    assert (code, err) == (0, "")
    assert re.search(r"(?m)^renamed +2 of +2$", said)
    assert re.search(r"\n(\d+) of \1 right\n$", said)


def test_a_miss_is_printed_and_ends_with_1(root, run, monkeypatch):
    compare = drilling.compare

    def lenient(*arguments, **options):
        from dataclasses import replace

        change = compare(*arguments, **options)
        return replace(change, cls="body") if change.cls == "signature" else change

    monkeypatch.setattr(drilling, "compare", lenient)
    code, said, _ = run("drill", cwd=root)

    assert code == 1
    assert re.search(r"(?m)^counter-see: .*: body, should be signature$", said)
    assert re.search(r"(?m)^signature +0 of ", said)


@pytest.mark.parametrize("number", ["0", "-1", "two"])
def test_a_sample_is_a_number(root, run, number):
    code, _, err = run("drill", f"--sample={number}", cwd=root)

    assert code == 2
    assert f"argument --sample: {number!r} is not a whole number from 1 on" in err


def test_the_real_command_gives_each_change_its_class_and_exit_code(root, run):
    """The same changes as files in a folder: nothing of the drill's own way of comparing."""
    project = opened(root)
    tried = 0
    for definition in project.definitions:
        for number, mutation in enumerate(mutations(find(project.tree, definition.selector), definition.view)):
            folder = root / f"{definition.id}-{number}"
            shutil.copytree(root / "lib", folder)
            for path, data in mutation.files.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).unlink(missing_ok=True) if data is None else (folder / path).write_bytes(data)
            arguments = ["drift", "--against", f"./{folder.name}", "--only", definition.id, "--format", "json"]
            code, said, _ = run(*arguments, cwd=root)
            got = json.loads(said)["snippets"][0]["class"]
            assert (got, code) == (mutation.cls, 1 if mutation.cls in FAIL_ON else 0), (definition.id, mutation.way)
            tried += 1
    assert tried > 30
