"""Texts of steps with the values of variables put in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from workbench.engine.decider import AskJudgement
from workbench.engine.expressions.evaluation import EvaluationFailed, Filling, render
from workbench.engine.expressions.unrolling import CallWanted
from workbench.engine.language.about import about_playbook, in_view
from workbench.engine.language.procedures.matter import filled_words, is_in_chapter
from workbench.engine.language.program.book import type_of
from workbench.engine.language.turn import Turn
from workbench.engine.ports import Request, RequestKind
from workbench.i18n import _
from workbench.model.meaning import Variable
from workbench.model.number_types import reason_words
from workbench.syntax.expressions import Expression, Template, parse_template

_SHOWN = 10_000


def rendered(turn: Turn, template: Template) -> str:
    """*template* with every placeholder filled in; raises StepFailed where one has no value."""
    try:
        return render(template, turn.names, turn.caller)
    except CallWanted:
        raise
    except EvaluationFailed as error:
        message = _("{problem} (in “{source}”).").format(problem=str(error).rstrip("."), source=template.source)
        parts = [piece for piece in template.pieces if isinstance(piece, Expression)]
        raise turn.failure(error, template.source, parts, message) from error


def filled(turn: Turn, text: str, kept: Iterable[Variable] = ()) -> str:
    """*text* with the variables that have values filled in; those in *kept*, and all others, stay as written."""
    if is_in_chapter(turn.state, turn.book):
        return filled_words(turn, text)
    names, filling = {variable.name for variable in kept}, Filling(turn.names, turn.caller)
    return "".join(_piece(filling, piece, written, names) for piece, written in _template(text).pairs)


def _piece(filling: Filling, piece: str | Expression, written: str, kept: set[str]) -> str:
    if isinstance(piece, str):
        return piece
    if not any(name in kept for name, _is_state in piece.names):
        try:
            return filling.text_of(piece)
        except CallWanted:
            raise
        except EvaluationFailed:
            pass  # a judgement can do without: the words are for whoever judges
    return written


def shortened(text: str) -> str:
    """*text* for a question about it: one of several, of which none may take all the room."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def written_values(positional: Iterable[Any], named: Mapping[str, Any]) -> str:
    """The values of a call as they stand in a question about it."""
    values = [*map(repr, positional), *(f"{name}={value!r}" for name, value in named.items())]
    return ", ".join(map(shortened, values))


_template = lru_cache(maxsize=1024)(parse_template)


def asking(turn: Turn, kind: RequestKind, text: str, fields: tuple[Variable, ...] = (), target: str = "") -> Request:
    """A question about the step at hand; *target*: the person who is asked, empty for the user."""
    number = f"q{turn.state.next_seq}"
    return Request(number, kind, turn.at.address, filled(turn, text, fields), fields, target=target)


def typed_question(turn: Turn, kind: RequestKind, text: str, fields: tuple[Variable, ...], target: str = "") -> Request:
    """A question whose *fields* are numbers where the program compares or computes with them."""
    types, place = turn.book.number_types, (type_of(turn.frame.agent), turn.frame.playbook)
    found = ((each.name, types.reason(*place, each)) for each in fields)
    reasons = tuple((name, reason_words(needed, turn.book.snapshot)) for name, needed in found if needed is not None)
    request = asking(turn, kind, text, tuple(types.typed(*place, each) for each in fields), target)
    return replace(request, reasons=reasons)


def with_context(turn: Turn, request: Request) -> AskJudgement:
    """The wait for an answer to *request*, which shows the variables in view, and says what the playbook is about."""
    about = "" if request.kind is RequestKind.ASK else about_playbook(turn.state, turn.book)
    return AskJudgement(replace(request, context=in_view(turn.state), about=about))
