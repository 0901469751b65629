"""A playbook's steps as linear code: the same steps always give the same instructions.

Control flow is settled here once, so that carrying out a step never needs to look at its
neighbours: every instruction knows where it leads.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from workbench.engine.journal.choices import StepStatus
from workbench.engine.language.program.carried_out import (
    MOST_REPEATED,
    RETURNED,
    called_for,
    executable,
    is_rest,
    open_ways,
    repeated_steps,
    waiting_for,
)
from workbench.model.decisions import chains
from workbench.model.described import has_calls
from workbench.model.inner_calls import inner_calls
from workbench.model.meaning import (
    Branch,
    BranchForm,
    Condition,
    Group,
    Judge,
    Jump,
    JumpForm,
    Loop,
    Meaning,
    Return,
    Several,
    Variable,
    Yield,
)
from workbench.model.procedures.matter import is_asked
from workbench.model.procedures.numbers import jump_address
from workbench.model.program import Playbook, PlaybookMode, Step
from workbench.model.sentences.people import addressed
from workbench.model.snapshot import Snapshot
from workbench.syntax.expressions import parse_expression


class Op(enum.Enum):
    """What an instruction does.

    DESCRIBE makes the calls that the description holds.
    ENTER and LEAVE begin and end a step, ACT carries out its action, TEST decides a branch,
    ROUND begins the next round of a loop or ends it, THINK goes on with a playbook that has no
    steps, FINISH leaves the playbook.
    """

    DESCRIBE = enum.auto()
    ENTER = enum.auto()
    ACT = enum.auto()
    TEST = enum.auto()
    ROUND = enum.auto()
    THINK = enum.auto()
    LEAVE = enum.auto()
    FINISH = enum.auto()


@dataclass(frozen=True, slots=True)
class Think:
    """The loop of a playbook without steps: choose a call, see what it gives, until it is done. *result*: its type."""

    result: str


@dataclass(frozen=True, slots=True)
class Instruction:
    """One move of the machine.

    *next*: where it leads (-1: a jump that leads nowhere). *otherwise*: where a TEST leads
    when it fails, a ROUND when there is none left. *within*: addresses of the steps that are
    open when it is carried out. *status*: what a LEAVE says about its step. *ways*: where each outcome of a judgement
    leads. *has_calls*: expressions of it hold calls.
    """

    op: Op
    address: str = ""
    line: int = 0
    text: str = ""
    meaning: Meaning | Think | None = None
    next: int = -1
    otherwise: int = -1
    within: tuple[str, ...] = ()
    status: StepStatus = StepStatus.DONE
    ways: tuple[int, ...] = ()
    has_calls: bool = False


@dataclass(frozen=True, slots=True)
class Code:
    """The instructions of one playbook; the first is where it begins.

    *lines*: of each step's address. *loops*: addresses of loops, into which nothing can jump.
    """

    instructions: tuple[Instruction, ...]
    lines: dict[str, int]
    loops: frozenset[str]


def compile_playbook(playbook: Playbook, snapshot: Snapshot, people: Sequence[str] = ()) -> Code:
    """The code of *playbook*; one without steps is carried out as its description says.

    *people*: whom steps may ask and tell besides the user.
    """
    assembler = _Assembler(snapshot, people, playbook.is_chapter)
    steps = executable(playbook.steps)
    finish = _Label()
    if has_calls(playbook.description, snapshot.program):
        assembler.lines.append(
            _Line(Op.DESCRIBE, playbook.address, _heading_line(snapshot, playbook), playbook.description)
        )
    if steps and playbook.mode is not PlaybookMode.RAW:
        assembler.block(steps, _Place((), finish))
    else:
        assembler.described(playbook)
    assembler.place(finish)
    assembler.lines.append(_Line(Op.FINISH, address=playbook.address))
    return assembler.code()


class _Label:
    """A place in the code that is not known yet."""

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at = -1


@dataclass(slots=True)
class _Line:
    """An instruction whose targets are still labels; no label: the one that follows it."""

    op: Op
    address: str = ""
    line: int = 0
    text: str = ""
    meaning: Meaning | Think | None = None
    next: _Label | None = None
    otherwise: _Label | None = None
    within: tuple[str, ...] = ()
    status: StepStatus = StepStatus.DONE
    ways: tuple[_Label, ...] = ()


@dataclass(frozen=True, slots=True)
class _LoopLabels:
    """Where ``continue`` and ``break`` lead."""

    head: _Label
    leave: _Label


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a block stands: *within* which steps, what follows it, and the loop around it."""

    within: tuple[str, ...]
    follow: _Label
    loop: _LoopLabels | None = None


@dataclass(slots=True)
class _Assembler:
    """Collects the instructions of one playbook."""

    snapshot: Snapshot
    people: Sequence[str] = ()
    is_chapter: bool = False
    is_again: bool = False
    repeated: int = 0
    lines: list[_Line] = field(default_factory=list)
    entries: dict[str, _Label] = field(default_factory=dict)
    step_lines: dict[str, int] = field(default_factory=dict)
    loops: dict[str, _Label] = field(default_factory=dict)

    def place(self, label: _Label) -> None:
        label.at = len(self.lines)

    def block(self, steps: Sequence[Step], place: _Place) -> None:
        """The code of siblings; after the last of them control goes to *place.follow*."""
        groups = list(chains(steps))
        for index, group in enumerate(groups):
            follow = place.follow if index == len(groups) - 1 else _Label()
            here = _Place(place.within, follow, place.loop)
            if isinstance(group[0].meaning, Branch) and not (self.is_chapter and is_rest(group[0])):
                self._chain(group, here)
            else:
                self._single(group[0], here)
            if follow is not place.follow:
                self.place(follow)

    def _single(self, step: Step, place: _Place) -> None:
        head = self._enter(step, place)
        inside = _Place((*place.within, head.address), place.follow, place.loop)
        if isinstance(step.meaning, Loop):
            self._loop(step, head, inside, step.meaning)
        else:
            self._plain(step, head, inside)

    def _chain(self, arms: Sequence[Step], place: _Place) -> None:
        """The arms of one decision; the one that is taken leads past all others."""
        for step in arms:
            head = self._enter(step, place)
            inside = _Place((*place.within, head.address), place.follow, place.loop)
            branch = _as_first_arm(step) if step is arms[0] else _branch_of(step)
            self._arm(step, head, inside, branch)
            # not taken: falls into the next arm, the last one leads to what follows the decision
            self._leave(head, inside, place.follow if step is arms[-1] else None, status=StepStatus.SKIPPED)

    def _enter(self, step: Step, place: _Place) -> _Line:
        """The instruction that begins *step*; it is also the pattern for the others of the step."""
        address, line = self.snapshot.address(step.id), self.snapshot.line(step.id)
        self.place(_Label() if self.is_again else self.entries.setdefault(address, _Label()))
        self.step_lines[address] = line
        head = _Line(Op.ENTER, address, line, step.text, within=place.within)
        self.lines.append(head)
        return head

    def _plain(self, step: Step, head: _Line, inside: _Place) -> None:
        if not isinstance(step.meaning, Group) and is_asked(step):
            meaning = Judge(step.text) if isinstance(step.meaning, Branch) else step.meaning
            self._act(head, meaning, inside, None)
        leave = _Label()
        children = executable(step.children)
        if children:
            self.block(children, _Place(inside.within, leave, inside.loop))
        self.place(leave)
        self._leave(head, inside, inside.follow)

    def _arm(self, step: Step, head: _Line, inside: _Place, branch: Branch) -> None:
        """The code of one arm up to where it has not been taken."""
        skip, leave = _Label(), _Label()
        test = _Line(Op.TEST, head.address, head.line, head.text, branch, None, skip, inside.within)
        self.lines.append(test)
        if branch.action is not None:
            self._act(head, branch.action, inside, None)
        children = executable(step.children)
        if children:
            self.block(children, _Place(inside.within, leave, inside.loop))
        self.place(leave)
        self._leave(head, inside, inside.follow)
        self.place(skip)

    def _loop(self, step: Step, head: _Line, inside: _Place, loop: Loop) -> None:
        labels = _LoopLabels(_Label(), _Label())
        self.loops.setdefault(head.address, labels.head)
        self.place(labels.head)
        children = executable(step.children)
        is_empty = not children and loop.action is None
        again = labels.head if is_empty else None
        self.lines.append(_Line(Op.ROUND, head.address, head.line, head.text, loop, again, labels.leave, inside.within))
        within = _Place(inside.within, labels.head, labels)
        if loop.action is not None:
            self._act(head, loop.action, within, None if children else labels.head)
        if children:
            self.block(children, within)
        self.place(labels.leave)
        self._leave(head, inside, inside.follow)

    def _act(self, head: _Line, action: Meaning, place: _Place, follow: _Label | None) -> None:
        if isinstance(action, Yield):
            waiting = waiting_for(action)
            if waiting is None:
                return  # calls are made one after the other, so there is nothing to wait for
            action = waiting
        action = addressed(action, self.people)
        if isinstance(action, Jump) and action.number and not jump_address(self.snapshot, head.address, action.number):
            action = Judge(head.text)
        if isinstance(action, Several):
            for part in action.parts[:-1]:
                self._act(head, part, place, None)
            self._act(head, action.parts[-1], place, follow)
            return
        if isinstance(action, Judge) and action.outcomes:
            ways = open_ways(action, head.address, self.snapshot, is_in_loop=place.loop is not None)
            self._outcomes(head, replace(action, outcomes=ways), place, follow)
            return
        called = called_for(action)
        if called is not None:
            self.lines.append(_Line(Op.ACT, head.address, head.line, head.text, called, within=place.within))
            action = Return(parse_expression(RETURNED.name))
        is_free = not self.is_again and self.repeated < MOST_REPEATED
        again = repeated_steps(self.snapshot, head.address, action) if is_free else ()
        if again:
            self._once_more(head, action, again, place)
            return
        target = self._jump_target(head.address, action, place) if isinstance(action, Jump) else follow
        self.lines.append(_Line(Op.ACT, head.address, head.line, head.text, action, target, within=place.within))

    def _once_more(self, head: _Line, action: Meaning, again: Sequence[Step], place: _Place) -> None:
        """A second code of the steps *again*, behind which the step of *head* is asked anew."""
        begin = _Label()
        self.lines.append(_Line(Op.ACT, head.address, head.line, head.text, action, begin, within=place.within))
        self.place(begin)
        self.is_again, self.repeated = True, self.repeated + 1
        self.block(again, _Place(head.within, self.entries[head.address], place.loop))
        self.is_again = False

    def _outcomes(self, head: _Line, judge: Judge, place: _Place, follow: _Label | None) -> None:
        """A judgement, and behind it what may follow: the answer leads to one of these, or past them."""
        after, ways = follow or _Label(), tuple(_Label() for _outcome in judge.outcomes)
        line = _Line(Op.ACT, head.address, head.line, head.text, judge, after, within=place.within, ways=ways)
        self.lines.append(line)
        for way, outcome in zip(ways, judge.outcomes, strict=True):
            self.place(way)
            self._act(head, outcome, place, after)
        if follow is None:
            self.place(after)

    def _leave(self, head: _Line, inside: _Place, follow: _Label | None, status: StepStatus = StepStatus.DONE) -> None:
        line = _Line(Op.LEAVE, head.address, head.line, "", None, follow, within=inside.within, status=status)
        self.lines.append(line)

    def _jump_target(self, address: str, jump: Jump, place: _Place) -> _Label:
        if jump.form is JumpForm.GO_TO:
            wanted = jump_address(self.snapshot, address, jump.number)
            if wanted in place.within and wanted in self.loops:  # assembly writes the next round so
                return self.loops[wanted]
            return self.entries.setdefault(wanted, _Label())
        if place.loop is None:
            return _Label()
        return place.loop.leave if jump.form is JumpForm.BREAK else place.loop.head

    def described(self, playbook: Playbook) -> None:
        """A playbook without steps: its description is carried out, and what comes of it is returned."""
        text = playbook.description.strip() or playbook.title
        line = _heading_line(self.snapshot, playbook)
        address = playbook.address
        self.step_lines[address] = line
        within = (address,)
        self.lines.append(_Line(Op.ENTER, address, line, text))
        if playbook.mode is PlaybookMode.RAW:
            result = (Variable("result", is_state=False, type=playbook.returns),)
            self.lines.append(_Line(Op.ACT, address, line, text, Judge(text, result), within=within))
            returned = Return(parse_expression("result"))
            self.lines.append(_Line(Op.ACT, address, line, text, returned, within=within))
        else:
            self.lines.append(_Line(Op.THINK, address, line, text, Think(playbook.returns), within=within))
        self.lines.append(_Line(Op.LEAVE, address, line, within=within))

    def code(self) -> Code:
        """The finished code, every label replaced by where it was placed."""
        return Code(
            tuple(_settled(line, index) for index, line in enumerate(self.lines)),
            self.step_lines,
            frozenset(self.loops),
        )


def _heading_line(snapshot: Snapshot, playbook: Playbook) -> int:
    return snapshot.lines.line(snapshot.playbook_span(playbook.address).start) + 1


def _settled(line: _Line, index: int) -> Instruction:
    following = index + 1
    return Instruction(
        op=line.op,
        address=line.address,
        line=line.line,
        text=line.text,
        meaning=line.meaning,
        next=following if line.next is None else line.next.at,
        otherwise=-1 if line.otherwise is None else line.otherwise.at,
        within=line.within,
        status=line.status,
        ways=tuple(way.at for way in line.ways),
        has_calls=line.op is Op.DESCRIBE or ("(" in line.text and any(True for _call in inner_calls(line.meaning))),
    )


def _branch_of(step: Step) -> Branch:
    assert isinstance(step.meaning, Branch)
    return step.meaning


def _as_first_arm(step: Step) -> Branch:
    """The branch that begins a decision; an Otherwise without an If before it is a judgement about its words."""
    branch = _branch_of(step)
    if branch.form is not BranchForm.OTHERWISE:
        return branch
    return Branch(BranchForm.IF, Condition(step.text), branch.action)
