"""Cut what a view shows where part of the view has lost its ground.

A kept member can be gone, a text to highlight, or the statement where a range begins.
"""

from __future__ import annotations

from snippetlock.drift.classes import is_narrow
from snippetlock.errors import HighlightError, SelectorError, SourceError, ViewError
from snippetlock.model import Definition, Found, Snippet, View
from snippetlock.records import dataclass, replace
from snippetlock.render import Laid

__all__ = ["Fitted", "fit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """`laid` is None where nothing can be shown; `lost` are kept members that are gone, `notes` what to know.

    `wide` says that more is shown than asked, because what bounds it is not found, and `several` that it is found
    more than once.
    """

    laid: Laid | None
    view: View
    lost: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    wide: bool = False
    several: bool = False

    @property
    def snippet(self) -> Snippet | None:
        return self.laid.snippet if self.laid else None


def fit(definition: Definition, found: Found, *, digested: bool = True) -> Fitted:
    """The snippet of a definition, as much of it as there is; to be `digested`, where it will be compared."""
    view = definition.view
    lost: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    wide = several = False
    while True:  # as asked; without what is to be highlighted; without the members or the bounds that are gone
        try:
            laid = Laid(definition.id, found, view)
            if digested:
                laid.snippet  # noqa: B018 - what has no digests does not fit either
            return Fitted(laid=laid, view=view, lost=lost, notes=notes, wide=wide, several=several)
        except HighlightError as error:
            notes = (*notes, f"{error.what}: mend `highlight`")
            view = replace(view, highlight=())
        except (ViewError, SelectorError, SourceError) as error:
            if is_narrow(view) and not isinstance(error, SourceError):
                notes, wide = (*notes, error.what), True
                several = several or (isinstance(error, ViewError) and error.several)
                view = replace(view, from_="", to="", match="", count=None, highlight=())
                continue
            names = {name for m in found.part.members for name in (m.name, m.selector, _short(found, m.selector))}
            gone = tuple(name for name in view.keep if name not in names)
            if not gone:
                return Fitted(laid=None, view=view, lost=lost, notes=(*notes, error.headline))
            lost, kept = gone, tuple(name for name in view.keep if name in names)
            view = replace(view, keep=kept, highlight=()) if kept else View(show="signature", comments=view.comments)


def _short(found: Found, selector: str) -> str:
    return selector.removeprefix(f"{found.part.selector}.")
