"""Through the steps of a playbook in their order: each one element, a decision a gateway, a loop a way back to one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from workbench.i18n import _
from workbench.model.decisions import chains, is_total
from workbench.model.kinds import FileKind
from workbench.model.layout.shapes import Rect
from workbench.model.meaning import (
    Action,
    Branch,
    Condition,
    Judge,
    Jump,
    JumpForm,
    Loop,
    LoopForm,
    Meaning,
    StepKind,
    actions_of,
)
from workbench.model.procedures.numbers import jump_target
from workbench.model.program import Step, StepId
from workbench.pages.bpmn.elements import (
    CONVERGING,
    DIVERGING,
    END,
    EVENT,
    GATEWAY,
    JOIN_PX,
    Called,
    Exit,
    Kind,
    around,
    centred,
    condition_of,
    kind_of_meaning,
    kind_of_step,
    leaving,
)
from workbench.pages.bpmn.places import Sheet
from workbench.pages.parts import Part, step_words, words

_BY_PEOPLE = (FileKind.PROCEDURE, FileKind.SKILL)


class _Around(NamedTuple):
    """The loop that steps stand in. *header*: where its next round begins, and *back* the lane there; *lane*: the way
    out at the other side; *breaks*: who takes it.
    """

    header: str
    back: tuple[float, float]
    lane: float
    breaks: list[Exit]


class Walk:
    """Goes through the steps of one playbook, in their order, and puts their elements on a sheet."""

    def __init__(self, sheet: Sheet, called: Called, steps: Sequence[Step]) -> None:
        self._sheet = sheet
        self._called = called
        self._is_by_people = sheet.part.whole.program.kind in _BY_PEOPLE
        self._entries: dict[StepId, str] = {}
        self._jumps: list[tuple[Exit, Step]] = []
        self._goals = frozenset(_goals_of(sheet.part, steps))

    def sequence(self, steps: Sequence[Step], exits: list[Exit], inside: _Around | None = None) -> list[Exit]:
        """Add *steps* behind *exits*; gives the ends that are open then."""
        for chain in chains(steps):
            if not exits and not self._is_jumped_to(chain):
                self._leave_out(chain)
            elif chain[0].kind in (StepKind.RAW, StepKind.NOTE):
                self._sheet.remark(chain[0])
            elif chain[0].kind is StepKind.DECISION:
                exits = self._decision(chain, exits, inside)
            elif isinstance(chain[0].meaning, Loop):
                exits = self._loop(chain[0], chain[0].meaning, exits)
            else:
                exits = self._plain(chain[0], exits, inside)
        return exits

    def _is_jumped_to(self, chain: Sequence[Step]) -> bool:
        return not self._goals.isdisjoint(one.id for step in chain for one in step.walk())

    def _leave_out(self, chain: Sequence[Step]) -> None:
        """Nothing leads to *chain*, and an element that nothing leads to would begin by itself: it is only told."""
        for step in chain:
            for one in step.walk():
                self._sheet.remark(one)

    def finish_jumps(self) -> None:
        """Add the ways of all jumps to other steps, past the right of everything."""
        right = max((rect.x + rect.width for rect in self._sheet.rects.values()), default=0.0) + 20.0
        for place, (way, target) in enumerate(self._jumps):
            if target.id in self._entries:
                self._sheet.connect([way._replace(lane=right + 8.0 * place)], self._entries[target.id])

    def _plain(self, step: Step, exits: list[Exit], inside: _Around | None) -> list[Exit]:
        kind = kind_of_step(step, self._called, is_by_people=self._is_by_people)
        name = self._enter(step, self._sheet.step(step, kind), exits)
        actions = actions_of(step.meaning)
        after = self._acted(step, name, actions[-1] if actions else None, inside)
        return self.sequence(step.children, after, inside)

    def _enter(self, step: Step, name: str, exits: list[Exit]) -> str:
        self._entries[step.id] = name
        self._sheet.connect(exits, name)
        return name

    def _acted(self, step: Step, name: str, last: Meaning | None, inside: _Around | None) -> list[Exit]:
        """The open ends behind the element *name* of *step*, which does *last* in the end."""
        if isinstance(last, Judge) and last.outcomes:
            return self._outcomes(step, name, last.outcomes, inside)
        leave = leaving(last) if last is not None else None
        return [Exit(name)] if leave is None else self._left(step, Exit(name), leave, inside)

    def _left(self, step: Step, way: Exit, leave: Action, inside: _Around | None) -> list[Exit]:
        """What is open where *leave* comes at the end of *way*: only a jump that leads nowhere goes on."""
        if not isinstance(leave, Jump):
            self._end_at(step, way, leave)
        elif leave.form is JumpForm.GO_TO:
            target = jump_target(self._sheet.part.whole, step.id, leave.number)
            if target is None:
                return [way]
            self._jumps.append((way, target))
        elif inside is None:
            return [way]
        elif leave.form is JumpForm.CONTINUE:
            self._sheet.connect([way._replace(back=inside.back)], inside.header)
        else:
            inside.breaks.append(way._replace(lane=inside.lane))
        return []

    def _end_at(self, step: Step, way: Exit, leave: Action) -> None:
        """An end of its own behind *way*, unless what it comes from is one."""
        nodes = {node.id: node.kind.tag for node in self._sheet.process.nodes[-3:]}
        if nodes.get(way.node) == END:
            return
        name = f"{self._sheet.name(step)}_end"
        count = sum(one.id.startswith(name) for one in self._sheet.process.nodes[-9:])
        rect = self._sheet.rects[way.node]
        beside = around(rect.x + rect.width + 24.0, rect.y + rect.height + 24.0 + 36.0 * count, 24.0)
        kind = kind_of_meaning(leave, "", self._called, is_by_people=False)
        self._sheet.connect([way], self._sheet.node(f"{name}{count or ''}", kind, "", beside))

    def _outcomes(self, step: Step, name: str, outcomes: Sequence[Action], inside: _Around | None) -> list[Exit]:
        """A gateway behind a judgement: it goes on unless the judgement says otherwise."""
        rect, gateway = self._sheet.rects[name], f"{self._sheet.name(step)}_out"
        below = around(rect.x + rect.width / 2, rect.y + rect.height + JOIN_PX, JOIN_PX)
        self._sheet.connect([Exit(name)], self._sheet.node(gateway, Kind(GATEWAY, "", DIVERGING), "", below))
        exits = [Exit(gateway, is_default=True)]
        for outcome in outcomes:
            told = words(f"{type(outcome).__name__.lower()} {getattr(outcome, 'number', '')}").strip()
            exits += self._left(step, Exit(gateway, told, condition_of(None, told)), outcome, inside)
        return exits

    def _decision(self, arms: Sequence[Step], exits: list[Exit], inside: _Around | None) -> list[Exit]:
        """A gateway for each arm with a condition: yes leads into it, no to the next one."""
        sheet, after, is_rest = self._sheet, list[Exit](), False
        for arm in arms:
            assert isinstance(arm.meaning, Branch)
            is_rest = arm is arms[-1] and is_total(arms)
            name = self._enter(arm, sheet.step(arm, Kind(EVENT) if is_rest else Kind(GATEWAY, "", DIVERGING)), exits)
            condition = condition_of(arm.meaning.condition, step_words(arm))
            taken = Exit(name) if is_rest else Exit(name, _("yes"), condition)
            after += self._body(arm, taken, arm.meaning.action, inside)
            exits = [Exit(name, _("no"), is_default=True)]
        if not is_rest:
            lane = sheet.places.right_of(arms)
            after += [each._replace(lane=lane) for each in exits]
        first = sheet.places.of(arms[0])
        low = max(sheet.low(one) for arm in arms for one in arm.walk())
        return sheet.joined(after, f"{sheet.name(arms[0])}_join", first.x + first.width / 2, low + 44.0)

    def _body(self, step: Step, way: Exit, action: Action | None, inside: _Around | None) -> list[Exit]:
        """What is done on the line of *step*, a decision or a loop, and then what stands below it."""
        if action is None:
            return self.sequence(step.children, [way], inside)
        kind = kind_of_meaning(action, step.text, self._called, is_by_people=self._is_by_people)
        own = self._sheet.rects[self._sheet.name(step)]
        room = Rect(own.x + own.width / 2 - 90.0, own.y + own.height + 26.0, 180.0, 40.0)
        name = self._sheet.node(f"{self._sheet.name(step)}_do", kind, step_words(step), centred(room, kind.tag))
        self._sheet.connect([way], name)
        return self.sequence(step.children, self._acted(step, name, action, inside), inside)

    def _loop(self, step: Step, loop: Loop, exits: list[Exit]) -> list[Exit]:
        """Two gateways: where rounds begin, and where it is asked whether there is another one."""
        sheet, name = self._sheet, self._sheet.name(step)
        place, frame = sheet.places.of(step), sheet.places.frame(step)
        x, y = place.x + place.width / 2, place.y + place.height / 2
        again = sheet.node(f"{name}_again", Kind(GATEWAY, "", CONVERGING), "", around(x, y - 26.0, JOIN_PX))
        self._enter(step, again, exits)
        sheet.step(step, Kind(GATEWAY, "", DIVERGING), around(x, y + 16.0, 36.0))
        sheet.connect([Exit(again)], name)
        low = frame.y + frame.height
        inside = _Around(again, (frame.x + 14.0, low - 12.0), frame.x + frame.width - 8.0, [])
        way = Exit(name, _("yes"), _another_round(loop, step_words(step)))
        ends = self._body(step, way, loop.action, inside)
        sheet.connect([each._replace(back=inside.back) for each in ends], again)
        after = [Exit(name, _("no"), is_default=True, lane=inside.lane), *inside.breaks]
        return sheet.joined(after, f"{name}_join", x, low + 12.0)


def _goals_of(part: Part, steps: Sequence[Step]) -> Iterator[StepId]:
    """The steps that something in *steps* jumps to by their number."""
    for root in steps:
        for step in root.walk():
            last = next(reversed(actions_of(step.meaning)), None)
            outcomes = last.outcomes if isinstance(last, Judge) else (last,)
            for jump in outcomes:
                if isinstance(jump, Jump) and jump.form is JumpForm.GO_TO:
                    target = jump_target(part.whole, step.id, jump.number)
                    if target is not None:
                        yield target.id


def _another_round(loop: Loop, title: str) -> str:
    """The condition for another round of *loop*."""
    condition = loop.condition
    if condition is None or loop.form is not LoopForm.UNTIL:
        return condition_of(condition, title)
    negated = f"not ({condition.text})" if condition.test is not None else f"not yet: {condition.text}"
    return condition_of(Condition(negated, condition.test))
