"""Findings about branches and loops in which nothing stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from workbench.i18n import _
from workbench.model.checks.context import Context, warning
from workbench.model.meaning import Branch, Loop, LoopForm, Raw, StepKind
from workbench.model.program import Playbook, Step
from workbench.model.step_facts import step_runs
from workbench.syntax.change import TextEdit
from workbench.syntax.diagnostics import Diagnostic, Fix
from workbench.syntax.text import Span, split_lines

_INDENT = "  "


def check_empty(context: Context, playbook: Playbook) -> Iterator[Diagnostic]:
    """All findings of this kind in *playbook*."""
    if context.is_assembly:
        return
    is_program = context.is_language and "$" in context.document.text
    below: Step | None = None
    for run in reversed(step_runs(playbook)):
        for step, following in _of_run(run):
            if is_program or _is_sure(step):
                yield _told(context, step, below if step is run[-1] else following)
        below = run[0]


@lru_cache(maxsize=8_192)
def _of_run(run: tuple[Step, ...]) -> tuple[tuple[Step, Step | None], ...]:
    """The empty ones among the steps of *run* and below them, each with what follows it in its list."""
    nested = [found for root in run if root.children for found in _below(root)]
    return (*_in_list(run), *nested)


@lru_cache(maxsize=65_536)
def _below(root: Step) -> tuple[tuple[Step, Step | None], ...]:
    return tuple([found for step in root.walk() if step.children for found in _in_list(step.children)])


def _in_list(steps: Sequence[Step]) -> Iterator[tuple[Step, Step | None]]:
    for step, following in pairwise([*steps, None]):
        if step is not None and step.kind in (StepKind.DECISION, StepKind.LOOP) and _is_empty(step):
            yield step, following


def hollow_steps(playbook: Playbook) -> Iterator[Step]:
    """The steps of *playbook* that only lead somewhere, and nowhere; where it surely is a program."""
    for step in (found for root in playbook.steps for found in root.walk()):
        meaning = step.meaning
        if isinstance(meaning, Branch | Loop) and (
            _is_empty(step) or (meaning.condition and not meaning.condition.text)
        ):
            yield step


def _is_empty(step: Step) -> bool:
    """True where *step* has nothing to do. A loop that waits for its condition is told of as endless."""
    assert isinstance(step.meaning, Branch | Loop)
    if step.children or step.details or step.meaning.action is not None:
        return False
    waits = isinstance(step.meaning, Loop) and step.meaning.form in (LoopForm.WHILE, LoopForm.UNTIL)
    return not waits


def _is_sure(step: Step) -> bool:
    """True where the words are the language, and not prose that begins like it."""
    meaning = step.meaning
    if isinstance(meaning, Loop):
        return meaning.items is not None
    return isinstance(meaning, Branch) and meaning.condition is not None and meaning.condition.test is not None


def _told(context: Context, step: Step, following: Step | None) -> Diagnostic:
    if isinstance(step.meaning, Loop):
        message = _("Nothing stands in this loop, so it does nothing.")
    else:
        message = _("Nothing stands in this branch, so it does nothing.")
    if not _is_sure(step) and " " in step.text.strip():
        message += " " + _("If this line says what to do, put a comma before that.")
    return warning("empty-body", message, context.head(step), *_nested(context, following))


def _nested(context: Context, step: Step | None) -> tuple[Fix, ...]:
    """*step*, which follows, put into the body; not where it is a branch or no step at all."""
    if step is None or step.item is None or step.kind is StepKind.DECISION or isinstance(step.meaning, Raw):
        return ()
    at = context.start_of_step(step) + step.item.owned.start
    edits = []
    for line in split_lines(step.item.owned.of(step.block.text)):
        if line.strip():
            edits.append(TextEdit(Span(at, at), _INDENT))
        at += len(line)
    return (Fix(_("Put the next step into it"), tuple(edits)),)
