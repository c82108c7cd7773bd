"""What somebody has to do about a step of a move, in words. Pure."""

from __future__ import annotations

from snippetlock.errors import SnippetlockError, ViewError
from snippetlock.moves import SCORE, Step
from snippetlock.records import replace

__all__ = ["advise"]


def advise(step: Step, problem: SnippetlockError | None = None) -> Step:
    """The step with its mend. `problem` is why it cannot be cut in the target, where it cannot."""
    if step.verdict == "asks":
        return replace(step, mend=_ask(step))
    if step.verdict == "blocked":
        return replace(step, mend=_blocked(step, problem))
    return step


def _ask(step: Step) -> str:
    accept = f"--accept {step.snippet}"
    if step.cls == "renamed":
        return f"look at it, then `{accept}` takes {step.selector}{_or_another(step)}"
    if step.candidates:
        other = step.candidates[0].selector
        return f"`{accept}` takes what has the name now, `{accept}={other}` what was shown before"
    return f"read its pages, then `{accept}`"


def _or_another(step: Step) -> str:
    more = [f"`--accept {step.snippet}={one.selector}`" for one in step.candidates if one.selector != step.selector]
    return f", {' or '.join(more)} another candidate" if more else ""


def _blocked(step: Step, problem: SnippetlockError | None) -> str:
    name = step.snippet
    found = step.cls in ("body", "signature", "comment", "layout", "moved", "same", "new")
    if problem is not None and (found or isinstance(problem, ViewError)):
        why = f" ({problem.mend})" if problem.mend else ""
        return f"the definition does not fit it: {problem.what}{why}; mend it at {step.place}, then run this again"
    if problem is not None and step.before and not step.chosen and step.selector != step.before:
        # Somebody pointed the definition elsewhere before the move: what it says is theirs to set right first.
        choose = f"correct `source` at {step.place}: it says {step.selector}, where {step.before} was accepted; "
        choose += f"or say what to quote: `--accept {name}=SELECTOR`"
    elif step.cls == "renamed" and step.candidates:
        best = step.candidates[0].selector
        choose = f"no candidate scores {SCORE}: choose one, like `--accept {name}={best}`"
    elif step.cls == "ambiguous":
        like = step.candidates[0].selector if step.candidates else "SELECTOR"
        choose = f"say which is meant, like `--accept {name}={like}`"
    else:
        choose = f"say what to quote instead: `--accept {name}=SELECTOR`"
    listed = "its directives, where it is shown, and " if step.uses else ""
    return f"{choose}; or delete {listed}its definition"
