"""Be nobody for a moment: root may read and write everything, so a test of permissions proves nothing under it."""

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534


@contextmanager
def nobody():
    """Within, the process has no more rights than any user."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(before)


@contextmanager
def open_folder():
    """A folder that nobody may enter, which pytest's own is not."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)
