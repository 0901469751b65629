"""The calls that a model wants: made like any other, or answered at once where they cannot be made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from workbench.engine.background import Background
from workbench.engine.decider import Decider, Draft, Where, draft_at
from workbench.engine.expressions.data import canonical
from workbench.engine.journal.model_events import ModelWish, WishAnswered
from workbench.engine.journal.run_events import ToolCalled
from workbench.engine.judging.context import PIECE, THE_STEP, result_name
from workbench.engine.judging.wanted import LOAD
from workbench.engine.ports import CalledBack
from workbench.engine.state.fold import RunFold
from workbench.engine.state.judging import Judging, Stage
from workbench.errors import RunFailed
from workbench.i18n import _, numeral
from workbench.tools.schemas import problem_in
from workbench.tools.values import ToolSpec


def made(inner: Decider, fold: RunFold, loop: Judging, offered: Sequence[ToolSpec]) -> Draft | WishAnswered:
    """The event by which the next wish in *loop* is called, or what is answered without a call."""
    wish = loop.wish
    assert wish is not None
    if wish.arguments is None:
        return _refused(wish, _("The arguments are not a JSON object."))
    spec = next((one for one in offered if one.name == wish.tool), None)
    if spec is None and wish.tool == LOAD:
        return _loaded(wish, inner.background(fold), loop)
    if spec is None:
        names = ", ".join(one.name for one in offered) or _("none")
        return _refused(wish, _("There is no tool called {name}. Known: {names}.").format(name=wish.tool, names=names))
    problem = problem_in(spec.schema, dict(wish.arguments), "")
    if problem:
        return _refused(wish, _("The call was not made. {problem}").format(problem=problem))
    return begun(inner, fold, loop, wish)


def begun(inner: Decider, fold: RunFold, loop: Judging, wish: ModelWish) -> Draft | WishAnswered:
    """The event by which the call of *wish* begins, or why it was not made."""
    try:
        draft = inner.called_back(fold, CalledBack(wish.tool, (), tuple((wish.arguments or {}).items())))
    except RunFailed as error:
        return _refused(wish, _("The call was not made: {problem}").format(problem=error))
    return replace(draft, parent=loop.span) if isinstance(draft.payload, ToolCalled) else draft


def drafted(loop: Judging, result: Draft | WishAnswered) -> Draft:
    """The event of *result*."""
    return draft_at(within(loop), result) if isinstance(result, WishAnswered) else result


def within(loop: Judging) -> Where:
    """Where the events of the turn at hand lie."""
    turn = len(loop.turns) + (loop.stage in (Stage.DUE, Stage.ASKED))
    return Where(loop.request.step, loop.line, f"{loop.span}.m{turn}", loop.span)


def _refused(wish: ModelWish, message: str) -> WishAnswered:
    return WishAnswered(wish.id, wish.tool, message, is_error=True)


def _loaded(wish: ModelWish, background: Background, loop: Judging) -> WishAnswered:
    """A piece of what the model has seen only the beginning of."""
    arguments = wish.arguments or {}
    name, start = str(arguments.get("name", "")), arguments.get("start", 0)
    kept = _kept(background, loop)
    if name not in kept:
        return _refused(wish, _("Nothing is called “{name}” here.").format(name=name))
    value = kept[name]
    text = value if isinstance(value, str) else canonical(value)
    first = max(0, start) if isinstance(start, int) else 0
    piece = text[first : first + PIECE]
    rest = len(text) - first - len(piece)
    if rest > 0:
        piece += f"\n… ({numeral(rest)} more characters; start={first + PIECE} gives the next)"
    return WishAnswered(wish.id, wish.tool, piece)


def _kept(background: Background, loop: Judging) -> Mapping[str, Any]:
    """What can be loaded: variables with and without their sign, artifacts, and what calls in *loop* gave."""
    found: dict[str, Any] = {name.lstrip("$"): value for name, value in background.variables}
    found |= dict(background.variables) | dict(background.artifacts) | {THE_STEP: loop.request.text}
    for number, turn in enumerate(loop.turns, 1):
        for index, (wish, result) in enumerate(zip(turn.wishes, turn.results, strict=False), 1):
            found[result_name(wish.tool, number, index)] = result.value
    return found
