"""What a playbook file means: agents, playbooks, sections, steps.

All values are frozen and compared by identity: a step that an edit did not touch *is* the
same object in the next snapshot. Nothing here holds an absolute position; ask the
``Snapshot`` (it knows where every block starts).
"""

from __future__ import annotations

import enum
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NewType

from workbench.model.format import TextFormat
from workbench.model.kinds import FileKind
from workbench.model.meaning import Meaning, StepKind, TriggerEvent
from workbench.model.sentences.resolving import Callables
from workbench.syntax.blocks import Block, BlockKind, ItemNode
from workbench.syntax.python_functions import PythonFunction as PythonFunction  # noqa: PLC0414 - part of the model
from workbench.syntax.signatures import Parameter as Parameter  # noqa: PLC0414 - part of the model
from workbench.syntax.signatures import normalise_name
from workbench.syntax.text import line_start
from workbench.tools.names import BUILT_IN_TOOLS

StepId = NewType("StepId", str)

RAW_KINDS = frozenset({BlockKind.FENCE, BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.CODE, BlockKind.DAMAGED})
"""Blocks that are drawn word for word where they stand among steps."""


def count_ids(block: Block) -> int:
    """How many ids *block* needs: one per list item in it, or one for a block that may be drawn raw."""
    if block.item is not None:
        return block.item.count()
    return 1 if block.kind in RAW_KINDS or block.is_step else 0


# not frozen: a text has ten thousand of them, and making a frozen one takes more than twice as long
@dataclass(slots=True, eq=False)
class Step:
    """One block of the flowchart: a step, a trigger, a note, or a raw stretch between steps.

    *text*: what a person reads: no marker, no comments, continuation lines joined by blanks.
    *block*: what it was read from. The block that stands there by now may have another number before the words, which
    says nothing of the step: ask ``Queries.marker``.
    *item*: the list item, relative to *block*; None for a raw block (fence, table, paragraph). It can have children
    where the step has none: what is judged as a whole has no steps below it, and its meaning says all of it.
    *home*: the playbook that it stands in, where its words could mean something else in another one.
    *blocks*: how many blocks it takes from its own on. A heading that is a step takes all that stands below it, and its
    children have blocks of their own.
    """

    id: StepId
    kind: StepKind
    text: str
    meaning: Meaning
    block: Block
    item: ItemNode | None
    children: tuple[Step, ...] = ()
    home: str = ""
    blocks: int = 1

    @property
    def is_spread(self) -> bool:
        """True where it takes several blocks: its children, if any, stand in blocks of their own."""
        return self.item is None and self.blocks > 1

    @property
    def is_judged_whole(self) -> bool:
        """True where the list below the step is no steps, but part of what is judged."""
        return self.item is not None and bool(self.item.children) and not self.children

    @property
    def is_ticked(self) -> bool | None:
        """Whether the box in front of the words is ticked; None where there is none."""
        box = self.item.box if self.item is not None else None
        return box.of(self.block.text) != "[ ]" if box is not None else None

    @property
    def shown_text(self) -> str:
        """All that is carried out: the words, with the list below where that is judged as well."""
        judged = getattr(self.meaning, "text", "") if self.is_judged_whole else ""
        return judged or self.text

    @property
    def details(self) -> tuple[str, ...]:
        """The fences and later paragraphs that stand inside the step, as written; of a row, its other cells."""
        if self.item is None:
            return ()
        if self.block.kind is BlockKind.TABLE:
            from workbench.syntax.tables.steps import other_cells  # noqa: PLC0415 - no program needs it

            return other_cells(self.block.text, self.item)
        spans, text = sorted(self.item.fences + self.item.tails), self.block.text
        # a fence that opens behind the marker is set in as far as what stands in it
        return tuple(" " * (span.start - line_start(text, span.start)) + span.of(text) for span in spans)

    @property
    def numbered(self) -> tuple[Step, ...]:
        """The children that have a number: what stands between them as text has none."""
        return (
            tuple([one for one in self.children if one.kind is not StepKind.RAW]) if self.is_spread else self.children
        )

    def child_at(self, offset: int) -> Step | None:
        """The child whose lines hold *offset*, which counts from the block that both stand in."""
        if self.is_spread:
            return None
        index = bisect_right(self.children, offset, key=_owned_start) - 1
        child = self.children[index] if index >= 0 else None
        return child if child is not None and child.item is not None and offset < child.item.owned.end else None

    def walk(self) -> Iterator[Step]:
        """This step and everything below it, in source order."""
        yield self
        for child in self.children:
            yield from child.walk()


def _owned_start(step: Step) -> int:
    return step.item.owned.start if step.item is not None else 0


class SectionKind(enum.Enum):
    """The parts of a playbook."""

    DESCRIPTION = "description"
    TRIGGERS = "triggers"
    STEPS = "steps"
    NOTES = "notes"
    OTHER = "other"


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """A heading (None where steps stand directly under the playbook) and what follows it.

    *steps*: the list items, and in STEPS the raw blocks between them, in source order.
    """

    kind: SectionKind
    heading: Block | None
    steps: tuple[Step, ...]


class PlaybookMode(enum.Enum):
    """How a playbook is carried out: step by step, by a think-act loop, or as one request."""

    STEPS = "playbook"
    REACT = "react"
    RAW = "raw"


@dataclass(frozen=True, slots=True, eq=False)
class Playbook:
    """One procedure.

    *name*: normalised, the word that calls use (``ValidateCity``). *title*: as written in the
    heading. *written*: the name in it (``validate_city``), which calls can use too. *own_address*:
    what it is addressed by where another before it has the same name (``Clerk.ValidateCity``).
    *is_implied*: made from an agent's heading (or, where *heading* is None, from a file without
    headings) because the steps stand directly under it. *is_ordered*: one step comes after the
    other; false for lists that are done in any order, and for graphs, whose steps say themselves
    what they come after. *is_chapter*: a part of a procedure, which is carried out with the others;
    not *is_carried_out*: it is only read.
    """

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    returns: str
    heading: Block | None
    description: str
    sections: tuple[Section, ...]
    metadata: tuple[tuple[str, object], ...] = ()
    is_implied: bool = False
    mode: PlaybookMode = PlaybookMode.STEPS
    is_ordered: bool = True
    written: str = ""
    is_chapter: bool = False
    is_carried_out: bool = True
    own_address: str = ""

    @property
    def address(self) -> str:
        """What it is called wherever one of its file is meant: in addresses of steps and in commands."""
        return self.own_address or self.name

    @property
    def is_prompt(self) -> bool:
        """True where it is carried out by its text: it is one box, and not one for each step."""
        return self.mode is PlaybookMode.RAW or (self.mode is PlaybookMode.REACT and not self.steps)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps, in source order over all step sections."""
        return self._all(SectionKind.STEPS)

    @property
    def triggers(self) -> tuple[Step, ...]:
        """The triggers, in source order."""
        return self._all(SectionKind.TRIGGERS)

    @property
    def is_start(self) -> bool:
        """True where it begins with the program."""
        return any(isinstance(step.meaning, TriggerEvent) and step.meaning.is_start for step in self.triggers)

    @property
    def is_offered(self) -> bool:
        """True where other agents may call it."""
        metadata = dict(self.metadata)
        return any(metadata.get(word) is True for word in _OFFERING) or self.is_start

    @property
    def notes(self) -> tuple[Step, ...]:
        """The notes, in source order."""
        return self._all(SectionKind.NOTES)

    def _all(self, kind: SectionKind) -> tuple[Step, ...]:
        found = [section.steps for section in self.sections if section.kind is kind]
        return found[0] if len(found) == 1 else tuple(step for steps in found for step in steps)


def prompt_id(playbook: Playbook) -> StepId:
    """The id of the one box of a prompt."""
    return StepId(f"{PROMPT}{playbook.address}")


PROMPT = "prompt:"


@dataclass(frozen=True, slots=True, eq=False)
class Agent:
    """One ``# Heading`` and what stands under it. *kind*: ``AI``, ``Human`` or ``MCP``.

    *python*: the Python fences, each block's code. *heading* is None for text before the
    first agent that holds playbooks.
    """

    name: str
    title: str
    kind: str
    heading: Block | None
    description: str
    playbooks: tuple[Playbook, ...]
    functions: tuple[PythonFunction, ...] = ()
    python: tuple[str, ...] = ()
    metadata: tuple[tuple[str, object], ...] = ()

    def playbook(self, name: str) -> Playbook | None:
        """The playbook that *name* means here, or None; see ``meant``."""
        return meant(name, self.playbooks, self.functions)

    def callable(self, name: str) -> Playbook | PythonFunction | None:
        """The playbook or function that *name* means here, or None."""
        found = next((function for function in self.functions if function.name == name), None)
        return self.playbook(name) or found

    def is_public(self, name: str) -> bool:
        """Whether other agents may call *name*."""
        for playbook in self.playbooks:
            if playbook.name == name:
                return playbook.is_offered
        return any(function.name == name and function.is_public for function in self.functions)


_OFFERING = ("public", "export", "meeting")


def meant(name: str, playbooks: Sequence[Playbook], functions: Sequence[PythonFunction]) -> Playbook | None:
    """The one of *playbooks* that *name* means, in any spelling of its heading; None where it is none of theirs.

    What is called exactly so comes first, *functions* and tools included; the first where several are.
    """
    for playbook in playbooks:
        if playbook.name == name:
            return playbook
    if any(function.name == name for function in functions):
        return None
    as_written = next((playbook for playbook in playbooks if playbook.written == name), None)
    if as_written is not None or name in BUILT_IN_TOOLS:
        return as_written
    normal = normalise_name(name)
    return None if normal.problem else next((one for one in playbooks if one.name == normal.name), None)


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """Everything a file means. *foreign*: why the file is shown as plain text, or empty. *kind*: what the file is."""

    agents: tuple[Agent, ...]
    front_matter: tuple[tuple[str, object], ...] = ()
    foreign: str = ""
    format: TextFormat = TextFormat.MARKDOWN
    kind: FileKind = FileKind.PROGRAM

    @property
    def playbooks(self) -> tuple[Playbook, ...]:
        """All playbooks in source order."""
        return tuple(playbook for agent in self.agents for playbook in agent.playbooks)

    @property
    def functions(self) -> tuple[PythonFunction, ...]:
        """All Python functions in source order."""
        return tuple(function for agent in self.agents for function in agent.functions)

    def playbook(self, name: str) -> Playbook | None:
        """The playbook with the address *name*, or else the one that *name* means (see ``meant``), or None."""
        return self.addressed(name) or meant(name, self.playbooks, self.functions)

    def addressed(self, address: str) -> Playbook | None:
        """The playbook with *address*; of the first with its name, that may begin with its agent all the same."""
        found = next((one for one in self.playbooks if one.address == address), None)
        if found is not None or "." not in address:
            return found
        owner, _dot, name = address.rpartition(".")
        own = (one for agent in self.agents if agent.name == owner for one in agent.playbooks)
        return next((one for one in own if one.name == name), None)

    def agent_of(self, playbook: Playbook) -> Agent | None:
        """The agent that *playbook* belongs to; None where it does not stand here."""
        return next((agent for agent in self.agents if playbook in agent.playbooks), None)

    def called(self, target: str, caller: str) -> tuple[Agent, Playbook | PythonFunction] | None:
        """What ``target`` (``Check`` or ``Tax.Check``) means when the agent *caller* says it, with whose it is.

        A name alone is sought with the caller, then among what others offer, then everywhere.
        """
        owner, _dot, name = target.rpartition(".")
        if owner:
            names = {each.name for each in self.agents}
            owner = owner if owner in names else normalise_name(owner).name
            agents = [each for each in self.agents if each.name == owner]
        else:
            agents = sorted(self.agents, key=lambda each: each.name != caller)
        found = [(each, one) for each in agents if (one := each.callable(name)) is not None]
        offered = (pair for pair in found if pair[0].name == caller or pair[0].is_public(pair[1].name))
        return next(offered, None) or next(iter(found), None)

    def function(self, name: str) -> PythonFunction | None:
        """The Python function called *name*, or None."""
        return next((function for function in self.functions if function.name == name), None)


@dataclass(frozen=True, slots=True)
class PlacedPlaybook:
    """A playbook and the half-open range of blocks that it takes."""

    playbook: Playbook
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Structure:
    """What a row of blocks means: a program, and how it lies over the blocks.

    *placed*: where the playbooks stand. *roots*: for each block the step that it means, None
    where it is not drawn. *callables*: what sentences can call; the steps were lowered with
    exactly these. *is_generous*: of a procedure in which lists are done because nothing else would be.
    """

    program: Program
    placed: tuple[PlacedPlaybook, ...]
    roots: tuple[Step | None, ...]
    callables: Callables = field(default_factory=Callables)
    is_generous: bool = False
