"""Where playbooks that are under way go on in another text: which instruction of the new code is the one at hand.

A step that is being carried out has to be what it was. Between two steps, the way that led here leads on in the new
text: so what was put in there is carried out, and what was taken out is passed over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workbench.engine.expressions.unrolling import NOT_UNROLLED
from workbench.engine.language.program.book import Book, type_of
from workbench.engine.language.program.code import Code, Instruction, Op
from workbench.engine.state.fold import RunFold
from workbench.engine.state.frames import LiveFrame, OpenStep
from workbench.i18n import _
from workbench.model.meaning import Loop
from workbench.model.versions.matching import Matched

_BETWEEN = frozenset({Op.ENTER, Op.LEAVE, Op.FINISH})
_Key = tuple[object, ...]


class NotMovable(Exception):
    """A playbook cannot go on in the other text; the message says why."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The text of a run and the one it is to go on with, ready to be carried out, and which step is which."""

    old: Book
    new: Book
    steps: Matched


def moved_pc(texts: Texts, frame: LiveFrame, came_from: int | None) -> int:
    """The instruction at hand of *frame* in the new text. Raises NotMovable.

    *came_from*: the instruction that led to the one at hand, None where nobody knows.
    """
    if not _is_there(texts, frame):
        message = _("The playbook {name} is under way at this event and is not in the other text.")
        raise NotMovable(message.format(name=frame.playbook))
    old, new = (book.code(frame.agent, frame.playbook) for book in (texts.old, texts.new))
    move = _Move(old, new, texts.steps)
    at = old.instructions[frame.pc]
    for step in frame.open:
        _check_open(texts, step, is_at_work=step is frame.open[-1] and at.op not in _BETWEEN)
    place = move.after(came_from, frame.pc) if _is_untouched(frame) else None
    if place is None and not (at.op is Op.DESCRIBE and at.address in texts.steps.changed):
        place = move.at(frame.pc)
    if place is None or not _fits(new.instructions[place], frame, texts.steps):
        message = _("{step}, which comes next, does not stand where the run is at this event.")
        raise NotMovable(message.format(step=at.address))
    return place


def _is_there(texts: Texts, frame: LiveFrame) -> bool:
    agent = type_of(frame.agent)
    owner = texts.old.agent(agent)
    if owner is None or frame.playbook not in {playbook.name for playbook in owner.playbooks}:
        return agent in texts.new.linked or texts.new.playbook(agent, frame.playbook) is not None
    return (agent, frame.playbook) in texts.steps.playbooks


def _is_untouched(frame: LiveFrame) -> bool:
    """Whether nothing is known yet of what the instruction at hand comes to."""
    is_begun = bool(frame.done or frame.intents) or frame.answer is not None or frame.judging is not None
    return not is_begun and frame.unrolled == NOT_UNROLLED


def _check_open(texts: Texts, step: OpenStep, *, is_at_work: bool) -> None:
    """Raise NotMovable where *step*, which has begun, is gone, or is another where that matters."""
    if texts.steps.to(step.step) is None:
        message = _("Step {step} is under way at this event and is not in the other text.")
        raise NotMovable(message.format(step=step.step))
    found = texts.old.snapshot.at_address(step.step)
    is_loop = found is not None and isinstance(found.meaning, Loop)
    if step.step in texts.steps.changed and (is_at_work or is_loop):
        message = _("Step {step} is under way at this event and is another in the other text.")
        raise NotMovable(message.format(step=step.step))


def _fits(at: Instruction, frame: LiveFrame, steps: Matched) -> bool:
    """Whether the steps that are open are those that *at* lies in; on the way out some are closed already."""
    is_open = tuple(steps.to(step.step) for step in frame.open)
    return at.within[: len(is_open)] == is_open and (at.op not in _BETWEEN or len(at.within) == len(is_open))


def next_step(book: Book, fold: RunFold) -> tuple[str, str]:
    """Address and words of the step that the run of *fold* carries out, or begins next; empty where there is none."""
    if not fold.frames:
        return "", ""
    frame = fold.top
    code = book.code(frame.agent, frame.playbook).instructions
    at = code[frame.pc]
    while at.op is Op.LEAVE and at.next >= 0:
        at = code[at.next]
    return ("", "") if at.op in {Op.FINISH, Op.LEAVE} else (at.address, at.text)


@dataclass(frozen=True, slots=True)
class _Move:
    """From the *old* code of a playbook to the *new* one."""

    old: Code
    new: Code
    steps: Matched

    def at(self, place: int) -> int | None:
        """Where the instruction at *place* is; behind the steps that are gone. None: nowhere."""
        passed: set[int] = set()
        while place >= 0 and place not in passed:
            passed.add(place)
            at = self.old.instructions[place]
            if self.steps.to(at.address) is not None:
                return self._same(place)
            place = self._behind(place)
        return None

    def after(self, came_from: int | None, place: int) -> int | None:
        """Where the way from *came_from* to *place* leads now, where that is to a step which is new there."""
        before = None if came_from is None else self._same(came_from)
        if before is None or came_from is None:
            return None
        was, now = self.old.instructions[came_from], self.new.instructions[before]
        ways = zip(_ways(was), _ways(now), strict=False)
        led = next((leads for led, leads in ways if led == place and leads >= 0), None)
        if led is None:
            return None
        at = self.new.instructions[led]
        return led if at.op is Op.ENTER and at.address not in self.steps.new else None

    def _same(self, place: int) -> int | None:
        """Where exactly this instruction is, among those that are like it the one with the same number."""
        key = _key(self.old.instructions[place], self.steps.to)
        if key is None:
            return None
        number = sum(_key(each, self.steps.to) == key for each in self.old.instructions[:place])
        alike = [index for index, each in enumerate(self.new.instructions) if _key(each, str) == key]
        return alike[number] if number < len(alike) else None

    def _behind(self, place: int) -> int:
        """What follows the step that the instruction at *place* begins, where it is left out; -1: nothing."""
        at = self.old.instructions[place]
        within = (*at.within, at.address)
        leaves = [each for each in self.old.instructions if each.op is Op.LEAVE and each.within == within]
        return leaves[-1].next if at.op is Op.ENTER and leaves else -1


def _ways(at: Instruction) -> tuple[int, ...]:
    return at.next, at.otherwise, *at.ways


def _key(at: Instruction, to: Callable[[str], str | None]) -> _Key | None:
    """What an instruction is known by in both texts; None where its step, or one around it, is gone."""
    places = [to(at.address), *map(to, at.within)]
    return None if None in places else (at.op, at.status, *places)
