"""A tree that is a commit, read from the object store: no checkout, no work tree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from snippetlock.errors import RepositoryError, TreeError
from snippetlock.source.door import LARGEST, check, missing, too_large, unsafe
from snippetlock.source.mirror import obtain
from snippetlock.source.notice import is_notice
from snippetlock.source.objects import FOLDER, LINK, SUBMODULE, Entry
from snippetlock.source.repository import Repo

_POINTER = rb"version https://git-lfs\.github\.com/spec/v1\n(?:ext-.+\n)*oid sha256:[0-9a-f]{64}\nsize (\d+)\n?"
_HELD = 16 * 1024 * 1024  # bytes of contents kept: several snippets are of one file, or of one public module
_POINTER_SIZE = 1024  # bytes; git-lfs takes nothing longer for a pointer


class GitTree:
    """The files of `commit`, a full hash, below the folder `root` of the repository.

    `older` are roots that other commits had ("" is the top): a path that is not below `root` is looked for there,
    so that a package which moved under `src/` keeps its paths. Without them a commit that lacks `root` raises
    `TreeError`. Links and submodules are refused by name, and so are files that Git LFS keeps elsewhere. What a
    mirror lacks is fetched when read, a file at a time: `prefetch` gets many at once. Not for two threads at once.
    """

    def __init__(
        self, repo: Repo, commit: str, root: str = "", *, older: Sequence[str] = (), limit: int = LARGEST
    ) -> None:
        self.repo = repo
        self.commit = commit
        self.root = root
        self.identity = f"git:{commit}:{':'.join((root, *older))}"
        self._roots = tuple(dict.fromkeys((root, *older)))
        self._limit = limit
        self._held: dict[str, bytes] = {}  # by the name of the object, whose content is always the same
        self._size = 0
        self._entries: dict[str, Entry | None] = {}  # what was looked up: a commit stays as it is
        info = repo.objects.glance([f"{commit}^{{tree}}"])[0]
        if info is None:
            raise RepositoryError(f"there is no commit {commit} in {repo.name}", mend="name another revision")
        self._top = info.id
        if root and not older and not _is_folder(self._entry(root)):
            mend = "set `root` in the pin to the folder of the repository that holds the packages"
            raise TreeError(f"the commit {commit[:10]} has no folder {root!r}", mend=mend)

    def __enter__(self) -> GitTree:
        return self

    def __exit__(self, *_: object) -> None:
        self.repo.objects.close()

    def read(self, path: str) -> bytes:
        check(path)
        entry = self._find(path)
        if entry is None or _is_folder(entry):
            raise missing(path, self.paths())
        return self._content(path, entry)

    def has(self, path: str) -> bool:
        """Also true for what `read` refuses with a reason: a link, or what is below a submodule, is there."""
        if unsafe(path):
            return False
        entry = self._find(path)
        return entry is not None and not _is_folder(entry)

    def paths(self) -> tuple[str, ...]:
        """Every regular file, sorted."""
        return tuple(sorted(path for path, entry in self._files().items() if entry.mode not in (LINK, SUBMODULE)))

    def blob_id(self, path: str) -> str | None:
        """The name of a regular file's content, by which it can be known again; None where there is no such file."""
        entry = None if unsafe(path) else self._find(path)
        return None if entry is None or _is_odd(entry) else entry.id

    @property
    def folder_id(self) -> str:
        """The name of the folder that holds all its files, where it has one root; two trees differ as these do."""
        entry = self._entry(self.root) if self.root else None
        return entry.id if entry else self._top

    def prefetch(self, paths: Iterable[str] | None = None) -> None:
        """Have the contents of these files at hand, fetched at once into a mirror; of all files where it is None."""
        if paths is None:
            obtain(self.repo, self._contents().values())
        else:
            obtain(self.repo, [name for name in map(self.blob_id, paths) if name])

    def ahead(self, paths: Iterable[str]) -> None:
        """Have the contents of these files at hand, as many as are kept, in few trips; fetches nothing."""
        entries = [entry for entry in map(self._find, paths) if entry and not _is_odd(entry)]
        wanted = dict.fromkeys(entry.id for entry in entries if entry.id not in self._held)
        for info, data in self.repo.objects.read(wanted, self._limit):
            if info and data is not None and not is_pointer(data):
                if self._size + len(data) > _HELD:
                    break
                self._hold(info.id, data)

    def lacking(self) -> tuple[str, ...]:
        """The files whose contents are not at hand, sorted. Fetches nothing."""
        wanted = self._contents()
        infos = self.repo.objects.check(wanted.values())
        return tuple(sorted(path for path, info in zip(wanted, infos, strict=True) if info is None))

    def notices(self) -> tuple[tuple[str, bytes], ...]:
        """The licence files at the top of the root, else of the repository."""
        return tuple((name, self._content(name, entry)) for name, entry in self._notices())

    def _contents(self) -> dict[str, str]:
        """The names of the contents of every regular file, the licence's among them."""
        files = [*self._files().items(), *self._notices()]
        return {path: entry.id for path, entry in files if entry.mode not in (LINK, SUBMODULE)}

    def _notices(self) -> list[tuple[str, Entry]]:
        for root in dict.fromkeys((*self._roots, "")):
            entries = self._folder(root).items()
            found = [(name, entry) for name, entry in entries if is_notice(name) and not _is_odd(entry)]
            if found:
                return sorted(found)
        return []

    def _content(self, path: str, entry: Entry) -> bytes:
        _refuse(path, entry)
        if entry.id in self._held:  # it was found to be no pointer and not too large
            return self._held[entry.id]
        info, data = next(self.repo.objects.read([entry.id], self._limit))
        if info is None:
            obtain(self.repo, [entry.id])
            info, data = next(self.repo.objects.read([entry.id], self._limit))
        assert info  # or `obtain` would have raised
        if data is None:
            raise too_large(path, info.size, self._limit)
        if pointer := is_pointer(data):
            what = f"refused: a Git LFS pointer; its {pointer:,} bytes are not in the repository"
            raise TreeError(what, path=path, mend="quote from a file that git keeps itself")
        if self._size + len(data) > _HELD:
            self._held.clear()
            self._size = 0
        self._hold(entry.id, data)
        return data

    def _hold(self, name: str, data: bytes) -> None:
        self._held[name] = data
        self._size += len(data)

    def _find(self, path: str) -> Entry | None:
        """What stands at a package path; a link or a submodule on the way is what is found."""
        for root in self._roots:
            entry = self._entry(f"{root}/{path}" if root else path)
            if entry is not None:
                return entry
        return None

    def _entry(self, full: str) -> Entry | None:
        if full in self._entries:
            return self._entries[full]
        entry: Entry | None = Entry(FOLDER, self._top)
        for part in full.split("/"):
            if entry is None or entry.mode in (LINK, SUBMODULE):
                break
            entry = self.repo.objects.tree(entry.id).get(part) if entry.mode == FOLDER else None
        self._entries[full] = entry
        return entry

    def _folder(self, root: str) -> dict[str, Entry]:
        """The entries of a folder of the repository; none where it is no folder."""
        entry = self._entry(root) if root else Entry(FOLDER, self._top)
        return dict(self.repo.objects.tree(entry.id)) if entry and _is_folder(entry) else {}

    def _files(self) -> dict[str, Entry]:
        found: dict[str, Entry] = {}
        for root in self._roots:
            for path, entry in self._walk(self._folder(root), ""):
                found.setdefault(path, entry)
        return found

    def _walk(self, entries: dict[str, Entry], prefix: str) -> Iterator[tuple[str, Entry]]:
        for name, entry in entries.items():
            if entry.mode == FOLDER:
                yield from self._walk(dict(self.repo.objects.tree(entry.id)), f"{prefix}{name}/")
            else:
                yield prefix + name, entry


def is_pointer(data: bytes) -> int:
    """How many bytes Git LFS keeps elsewhere in place of this content; 0 for content that is no pointer."""
    match = re.fullmatch(_POINTER, data) if len(data) < _POINTER_SIZE else None
    return max(1, int(match[1])) if match else 0


def _refuse(path: str, entry: Entry) -> None:
    if entry.mode == LINK:
        raise TreeError("refused: a symbolic link, or below one", path=path, mend="quote from the file itself")
    if entry.mode == SUBMODULE:
        what = "refused: it is in a submodule, whose files are in another repository"
        raise TreeError(what, path=path, mend="quote from a file of this repository")


def _is_folder(entry: Entry | None) -> bool:
    return entry is not None and entry.mode == FOLDER


def _is_odd(entry: Entry) -> bool:
    return entry.mode in (FOLDER, LINK, SUBMODULE)
