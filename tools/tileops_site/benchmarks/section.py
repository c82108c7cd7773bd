"""The section as it is built: which pages it has, what stands on each, and where it stands in the navigation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from snippetlock.source import at_hand, open_repo
from snippetlock.workflow import Project
from tileops_site.benchmarks.book import Book, make_book
from tileops_site.benchmarks.families import PAGES
from tileops_site.benchmarks.history import history_page, in_order
from tileops_site.benchmarks.manifest import read_manifest
from tileops_site.benchmarks.model import Night
from tileops_site.benchmarks.opening import Place, branch_place, places
from tileops_site.benchmarks.overview import accounting, no_night, overview
from tileops_site.benchmarks.pages import family_page
from tileops_site.benchmarks.reading import read_night
from tileops_site.benchmarks.settings import Settings, load_settings
from tileops_site.benchmarks.words import LANGUAGES, WORDS

FOLDER = "benchmarks/"
MARKER = "<!-- benchmarks: overview -->"


def fetched_place(project: Project, settings: Settings, *, ask: bool, environ: Mapping[str, str]) -> Place:
    """The night at the tip of the configured branch: `ask` for what is new, or take what the cache has.

    Raises a `SnippetlockError` where it is not to be had; without `ask` nothing is fetched.
    """
    base = project.config.root
    if ask:
        repo = open_repo(settings.repository, project.cache, base=base, environ=environ)
    else:
        repo = at_hand(settings.repository, project.cache, base=base)
    return branch_place(repo, settings.branch, ask=ask)


def read_nights(found: Sequence[Place], settings: Settings) -> tuple[Night, ...]:
    """The nights, oldest first."""
    return in_order([read_night(place, settings.aside) for place in found])


def at_path(path: Path, settings: Settings) -> tuple[Night, ...]:
    """The nights at a path, oldest first."""
    return read_nights(places(path), settings)


def book_of(project: Project, night: Night, settings: Settings | None = None) -> Book:
    """A night sorted by the manifest at the pin and the project's settings."""
    settings = settings or load_settings(project.config.root)
    return make_book(night, project.pin, read_manifest(project.tree), settings)


def made_pages(book: Book, nights: Sequence[Night]) -> dict[str, str]:
    """Every page that is made, by its file below the docs: the families, the accounting, and the history."""
    found: dict[str, str] = {}
    for language in LANGUAGES:
        end = ".md" if language == "en" else f".{language}.md"
        for page in PAGES:
            found[f"{FOLDER}{page.slug}{end}"] = family_page(book, page, language)
        if len(nights) > 1:
            found[f"{FOLDER}history{end}"] = history_page(nights, language)
        found[f"{FOLDER}accounting{end}"] = accounting(book, language)
    return found


def marked(book: Book | None, language: str) -> str:
    """What takes the place of the marker on the overview page."""
    return overview(book, language) if book else no_night(language)


def navigation(*, night: bool, history: bool) -> list[str | dict[str, str]]:
    """The section's entries, in order, with their English labels; without a night only what needs none."""
    entries: list[str | dict[str, str]] = [f"{FOLDER}index.md"]
    if night:
        entries += [{page.english: f"{FOLDER}{page.slug}.md"} for page in PAGES]
    if history:
        entries.append({WORDS["en"]["history"]: f"{FOLDER}history.md"})
    if night:
        entries.append({WORDS["en"]["accounting"]: f"{FOLDER}accounting.md"})
    return [*entries, {WORDS["en"]["reading"]: f"{FOLDER}reading.md"}]


def labels(language: str) -> dict[str, str]:
    """The labels of the navigation in another language, by the English ones."""
    own = {WORDS["en"][key]: WORDS[language][key] for key in ("benchmarks", "history", "accounting", "reading")}
    return {**own, **{page.english: page.chinese for page in PAGES}}
