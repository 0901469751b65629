"""The findings of procedures and skills: a module of its own, which no program loads.

Among them how the steps of a procedure are counted, and what its words say of their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from workbench.i18n import _
from workbench.model.checks.characters import check_characters
from workbench.model.checks.context import Context, in_order, replacement, warning
from workbench.model.checks.headings import check_anchors, check_empty_file
from workbench.model.checks.ordinary.skills import check_skill
from workbench.model.checks.slips import check_damage
from workbench.model.meaning import Branch, Judge, Jump, Meaning, Raw, StepKind
from workbench.model.program import Step
from workbench.model.queries import Queries
from workbench.model.sentences.step_mentions import LONGEST_NUMBER, step_mentions
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.heading_words import step_title
from workbench.syntax.text import Span


def _check_counting(context: Context) -> Iterator[Diagnostic]:
    """Numbers that stand twice or are left out, steps that say nothing, and ways to steps that nowhere are."""
    lists = [steps for chapter in context.program.playbooks for steps in _lists(chapter.steps)]
    known = {number for steps in lists for number in _numbers(steps)}
    for steps in lists:
        yield from _slips(context, steps)
        yield from _empty(context, steps)
        for step in steps:
            yield from _lost(context, step, known)


def _lists(steps: Sequence[Step]) -> Iterator[Sequence[Step]]:
    """Each list of steps: *steps*, and those below them."""
    yield [step for step in steps if step.kind is not StepKind.RAW]
    for step in steps:
        if step.children:
            yield from _lists(step.children)


def _numbers(steps: Sequence[Step]) -> Iterator[str]:
    """All numbers by which one of *steps* could be called: as it is written, or by its place."""
    for place, step in enumerate(steps, 1):
        yield str(place)
        said = step_title(step.text.strip("*_ ")) if step.item is None else None
        if said is not None:
            yield said.number
        elif step.item is not None and step.item.is_ordered:
            yield _written(step)


def _written(step: Step) -> str:
    assert step.item is not None
    return step.item.marker(step.block.text)[:-1].lstrip("0") or "0"


def _slips(context: Context, steps: Sequence[Step]) -> Iterator[Diagnostic]:
    counted = [step for step in steps if step.item is not None and step.item.is_ordered]
    numbers = [int(_written(step)) for step in counted]
    if len(set(numbers)) < 2:  # 1. 1. 1. is a way of writing
        return
    for (above, number), (step, following) in pairwise(zip(counted, numbers, strict=True)):
        wanted = number + 1
        # another list begins with 1, and one that a text parts may go on where its author wants
        if (
            following == 1
            or following not in (number, number + 2)
            or context.document.where[step.id] - _stop(context, above) > 1
        ):
            continue
        message = _("This step has the number {number} and follows {above}.").format(number=following, above=number)
        span = _marker(context, step)
        title = _("Change to {number}").format(number=wanted)
        yield warning("step-number", message, span, replacement(title, span, str(wanted)))


def _stop(context: Context, step: Step) -> int:
    return context.document.where[step.id]


def _marker(context: Context, step: Step) -> Span:
    assert step.item is not None
    span = step.item.marker_span.shifted(context.document.block_start(step.id))
    return Span(span.start, span.end - 1)


def _empty(context: Context, steps: Sequence[Step]) -> Iterator[Diagnostic]:
    """Steps that say nothing beside one that does; a list that says nothing at all is a form to be filled in."""
    for at, step in enumerate(steps):
        beside = (*steps[max(at - 1, 0) : at], *steps[at + 1 : at + 2])
        if not _says_nothing(step) or not any(_is_counted(each) and each.text.strip() for each in beside):
            continue
        span = context.document.owned_span(step.id)
        message = _("This step says nothing. Say what is to be done, or delete it.")
        end = span.start + len(span.of(context.document.text).rstrip())
        yield warning("empty-step", message, Span(span.start, end))


def _is_counted(step: Step) -> bool:
    """True for what an author meant as a step: it has a number, or a box to tick."""
    return step.item is not None and (step.item.is_ordered or step.item.box is not None)


def _says_nothing(step: Step) -> bool:
    is_empty = _is_counted(step) and not (step.text.strip() or step.children or step.details)
    # a comment tells whoever fills the list in what belongs there
    return is_empty and not isinstance(step.meaning, Raw) and "<!--" not in step.block.text


def _lost(context: Context, step: Step, known: set[str]) -> Iterator[Diagnostic]:
    """Ways of *step* that lead nowhere; a mere mention may mean the steps of another text."""
    numbers = {way.number for way in _ways(step.meaning)} - known
    if not numbers or step.item is None:
        return
    head = context.document.text_span(step.id)
    for mention in step_mentions(head.of(context.document.text)):
        number = mention[0]
        if number in numbers and len(number) <= LONGEST_NUMBER:
            message = _("This refers to step {number}, and no list here has a step with that number.")
            span = Span(head.start + mention.start(), head.start + mention.end())
            yield warning("unknown-reference", message.format(number=number), span)


def _ways(meaning: Meaning | None) -> Iterator[Jump]:
    """Where a sentence leads, by itself or as somebody decides."""
    match meaning:
        case Jump():
            yield meaning
        case Judge(outcomes=outcomes):
            yield from (way for way in outcomes if isinstance(way, Jump))
        case Branch(action=action):
            yield from _ways(action)


_CHECKS: tuple[Callable[[Context], Iterator[Diagnostic]], ...] = (
    check_empty_file,
    check_damage,
    check_anchors,
    _check_counting,
    check_skill,
)


def check_procedure(document: Queries) -> tuple[Diagnostic, ...]:
    """What the author of a procedure or a skill would agree is wrong, in the order of the text."""
    context = Context.of(document)
    return in_order([*check_characters(document), *(each for check_one in _CHECKS for each in check_one(context))])
