"""The finding that says why a step is left to judgement although it looks exact, and how it is written exactly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from workbench.i18n import _
from workbench.model.checks.calls import Known
from workbench.model.checks.context import Context, note, replacement
from workbench.model.checks.judged.sentences import reasons_in
from workbench.model.checks.judged.values import Kind, Reason
from workbench.model.meaning import Judge
from workbench.model.program import Playbook, Step
from workbench.model.sentences.slips import is_uneven
from workbench.model.step_facts import step_runs
from workbench.regex import regex
from workbench.syntax.diagnostics import Diagnostic, Fix
from workbench.syntax.text import Span

_CALLING = frozenset(
    "a and as call do execute from get in into invoke it its now of output playbook please result run save store the "
    "then to use value with".split()
)
"""Words that say of a call no more than that it is made, and where its result goes."""
_WORD = regex(r"[^\W\d_]+")
_NAME = regex(r"[\w.$:]+(?=\()")


@dataclass(frozen=True, slots=True)
class _Found:
    """*reason* in the words of *step*."""

    step: Step
    reason: Reason

    @property
    def part(self) -> str:
        """The words that the reason names."""
        return self.step.text[self.reason.start : self.reason.end]


def check_judged(context: Context, playbook: Playbook, known: Known) -> Iterator[Diagnostic]:
    """All findings of this kind in *playbook*."""
    if context.is_assembly:
        return
    for run in step_runs(playbook):
        for found in _in_run(run):
            if context.is_language or "$" in found.step.text:
                yield from _told(context, found, known)


@lru_cache(maxsize=8_192)
def _in_run(run: tuple[Step, ...]) -> tuple[_Found, ...]:
    return tuple([found for root in run for found in _in_root(root)])


@lru_cache(maxsize=65_536)
def _in_root(root: Step) -> tuple[_Found, ...]:
    return tuple([found for step in root.walk() if step.item is not None for found in _in_step(step)])


def _in_step(step: Step) -> Iterator[_Found]:
    # what is a slip of the pen is told as one
    if "**" in step.text or "__" in step.text or is_uneven(step.text):
        return
    for reason in reasons_in(step.meaning, step.text):
        yield _Found(step, reason)


def _told(context: Context, found: _Found, known: Known) -> Iterator[Diagnostic]:
    reason = found.reason
    span = _span(context, found)
    if reason.call:
        yield from _around_call(context, found, known)
        return
    message = _BECAUSE_OF[reason.kind](found.part, reason)
    is_literal = span.of(context.document.text) == found.part
    fixes = (_fix(context, span, reason.insert),) if reason.insert is not None and is_literal else ()
    yield note("judged-though-exact", message, span, *fixes)


def _span(context: Context, found: _Found) -> Span:
    """Where the words that the reason names stand in the document."""
    step, reason = found.step, found.reason
    assert step.item is not None
    if step.item.text.of(step.block.text) == step.text:
        start = context.start_of_step(step) + step.item.text.start
        return Span(start + reason.start, start + reason.end)
    return context.words(step, found.part)


def _fix(context: Context, span: Span, insert: str) -> Fix:
    if insert:
        return replacement(_("Change to {near}").format(near=insert.strip()), span, insert)
    # the blank behind words that go, goes with them
    end = span.end + (context.document.text[span.end : span.end + 1] == " ")
    words = span.of(context.document.text)
    return replacement(_("Remove “{words}”").format(words=words), Span(span.start, end), "")


def _around_call(context: Context, found: _Found, known: Known) -> Iterator[Diagnostic]:
    """A call with words beside it; one of something that is not there."""
    call, step = found.reason.call, found.step
    match = _NAME.match(call)
    name = match.group().rpartition(".")[2] if match is not None else ""
    if not known.is_there(name) and not known.is_elsewhere(match.group() if match is not None else ""):
        message = _("This is left to judgement: nothing here is called {name}.").format(name=name)
        yield note("judged-though-exact", message, context.words(step, name), *known.instead(context, step, name))
        return
    message = _("This is left to judgement because of “{words}”. Written by itself, {call} is carried out.")
    yield note(
        "judged-though-exact",
        message.format(words=found.part, call=call),
        _span(context, found),
        *_alone(context, found),
    )


def _alone(context: Context, found: _Found) -> tuple[Fix, ...]:
    """The call by itself, where the words beside it say nothing else."""
    step, call = found.step, found.reason.call
    if not isinstance(step.meaning, Judge) or len(step.meaning.outputs) > 1 or step.meaning.outcomes:
        return ()
    before, _call, after = step.text.partition(call)
    words = {word.lower() for word in _WORD.findall(re.sub(r"\$\w+", "", before + " " + after))}
    span = context.words(step, step.text)
    if not words <= _CALLING or span.of(context.document.text) != step.text:
        return ()
    result = "".join(f"${one.name} = " for one in step.meaning.outputs)
    return (replacement(_("Change to {near}").format(near=result + call), span, result + call),)


def _refused(part: str, reason: Reason) -> str:
    message = _("This is left to judgement, because “{part}” cannot be read. {problem}")
    return message.format(part=part, problem=reason.problem)


def _prose(part: str, _reason: Reason) -> str:
    message = _(
        "This is left to judgement, because “{part}” is no value. Write a variable, a number, or a text in quotes."
    )
    return message.format(part=part)


def _bare(part: str, _reason: Reason) -> str:
    message = _(
        "This is left to judgement, because “{part}” is no variable. Write {exact}, or “{part}” in quotes for a text."
    )
    return message.format(part=part, exact=f"${part}")


def _worded(part: str, reason: Reason) -> str:
    message = _("This is left to judgement, because “{part}” is a word. Write {exact}.")
    return message.format(part=part, exact=(reason.insert or "").strip())


def _around(part: str, _reason: Reason) -> str:
    return _("This is left to judgement because of “{part}”. Without these words it is carried out.").format(part=part)


def _clause(part: str, _reason: Reason) -> str:
    message = _("“{part}” is a judgement, and so is the whole condition. Put it into a step of its own.")
    return message.format(part=part)


def _sign(part: str, reason: Reason) -> str:
    if reason.insert is None:
        return _("This is left to judgement, because the sign “{part}” means nothing here.").format(part=part)
    message = _("This is left to judgement, because the sign “{part}” means nothing here. Write {exact}.")
    return message.format(part=part, exact=reason.insert.strip())


_BECAUSE_OF = {
    Kind.REFUSED: _refused,
    Kind.PROSE: _prose,
    Kind.BARE: _bare,
    Kind.WORDED: _worded,
    Kind.AROUND: _around,
    Kind.CLAUSE: _clause,
    Kind.SIGN: _sign,
}
