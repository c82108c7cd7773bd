"""Tell cheaply whether a project is as it was: for builders that build several times in a row."""

from __future__ import annotations

import os
from pathlib import Path

from snippetlock.config.strays import beneath, strays
from snippetlock.workflow.files import walk
from snippetlock.workflow.project import Project


def stamp(project: Project) -> object | None:
    """A value that is equal only while no file of the project changed; None when that cannot be told.

    Looks at times and sizes, reads nothing but the pin. A folder's own files are not looked at, so a project
    that is pinned to one has no stamp.
    """
    config = project.config
    if project.pin.kind == "folder":
        return None
    try:
        pages = [config.docs / name for name, outside in walk(config.docs) if not outside]
        beside = sorted((entry.path, entry.is_dir()) for entry in os.scandir(config.snippets))
        definitions = [Path(path) for path, folder in beside if not folder]
        own = [config.snippets / path for path in beneath(str(config.snippets))]
        files = (config.root / "pyproject.toml", config.pin, *definitions, *own, *pages)
        states = tuple((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files)
        return config.root, beside, strays(str(config.snippets)), states
    except OSError:
        return None
