"""The blocks of a markdown file → agents, playbooks, sections and steps, in one pass in source order.

A step is lowered when the pass comes to its block, for only then is it known in which
section it stands, and with that its role.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from workbench.model.markdown import heads
from workbench.model.markdown.heads import (
    PUBLIC_INTERFACE,
    agent_title,
    is_section_heading,
    metadata_and_text,
    section_kind,
)
from workbench.model.markdown.lowering import Role, Surroundings, item_text, lower_block
from workbench.model.markdown.metadata import Metadata, front_matter
from workbench.model.markdown.playbook_names import Addresses, names_of
from workbench.model.meaning import Ask, Call, Judge, Raw, StepKind, Tell, actions_of
from workbench.model.program import (
    RAW_KINDS,
    Agent,
    PlacedPlaybook,
    Playbook,
    PlaybookMode,
    Program,
    Section,
    SectionKind,
    Step,
    StepId,
    Structure,
)
from workbench.model.sentences.meetings import Party
from workbench.model.sentences.naming import Names
from workbench.model.sentences.resolving import Callables
from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.python_functions import python_functions
from workbench.syntax.signatures import Signature, normalise_name, parse_signature
from workbench.syntax.text import line_stop

_ROLES = {SectionKind.TRIGGERS: Role.TRIGGER, SectionKind.NOTES: Role.NOTE}
_BARE_LINK = regex(r"^(?:\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?|<https?://[^>]*>|https?://\S+)$")
_AFTER_TEXT = frozenset({BlockKind.HEADING, BlockKind.ITEM})
_PYTHON = frozenset({"python"})


def assemble_markdown(
    blocks: Sequence[Block], ids: Sequence[tuple[StepId, ...]], known: Sequence[Step | None], callables: Callables
) -> Structure:
    """What *blocks* mean, whose steps have *ids*.

    *known*: for each block the step that was lowered from it with *callables*, or None; it is
    taken again where it still stands in the same.
    """
    if not any(known):
        callables = callables_of(_sketch(blocks, ids))
    structure = _assembled(blocks, ids, known, callables)
    found = callables_of(structure.program)
    if found == callables:
        return structure
    # what sentences can call is known when all headings are: those that may be calls are read again
    rest = [None if root and _may_call(root) else root for root in structure.roots]
    return _assembled(blocks, ids, rest, found)


def _sketch(blocks: Sequence[Block], ids: Sequence[tuple[StepId, ...]]) -> Program:
    """The program of *blocks* as far as it can be told without reading what its steps mean: to read them once."""

    def step_of(index: int, _role: Role, _home: str) -> Step:
        block, item = blocks[index], blocks[index].item
        kind, words = (StepKind.RAW, "") if item is None else (StepKind.STEP, item_text(block, item))
        return Step(ids[index][0], kind, words, Raw(), block, item)

    return _Assembler(blocks, step_of).assemble()[0]


def _assembled(
    blocks: Sequence[Block], ids: Sequence[tuple[StepId, ...]], known: Sequence[Step | None], callables: Callables
) -> Structure:
    used: list[Step | None] = [None] * len(blocks)

    def step_of(index: int, role: Role, home: str) -> Step:
        step = known[index]
        if step is None or not stands_still(step, role, home):
            step = lower_block(blocks[index], ids[index], Surroundings(role, home, callables))
        used[index] = step
        return step

    program, placed = _Assembler(blocks, step_of).assemble()
    roots: list[Step | None] = [None] * len(blocks)
    for one in placed:
        # what stands in a chapter that is no playbook is not drawn and is no step
        roots[one.start : one.stop] = used[one.start : one.stop]
    return Structure(program, placed, tuple(roots), callables)


def callables_of(program: Program) -> Callables:
    """What the steps of *program* can call by a sentence."""
    playbooks = [(playbook.name, playbook.parameters) for playbook in program.playbooks]
    functions = [(function.name, function.parameters) for function in program.functions]
    names = Names.of(
        [(playbook.name, playbook.written) for playbook in program.playbooks], [name for name, _parameters in functions]
    )
    return Callables(tuple(playbooks + functions), tuple(map(_party, program.agents)), names)


def _party(agent: Agent) -> Party:
    meetings = tuple(one.name for one in agent.playbooks if dict(one.metadata).get("meeting") is True)
    return Party(agent.name, agent.kind == "Human", meetings)


def _may_call(root: Step) -> bool:
    """True when a change of what can be called may change what *root* means."""
    actions = (action for step in root.walk() for action in actions_of(step.meaning))
    return any(isinstance(one, Judge | Call | Tell | Ask) for one in actions)


def stands_still(step: Step, role: Role, home: str) -> bool:
    """True when *step* means the same in a section of *role* of the playbook *home*."""
    return role_of(step) is role and step.home in ("", home)


def role_of(step: Step) -> Role:
    """The role that *step* was lowered for."""
    if step.kind is StepKind.TRIGGER:
        return Role.TRIGGER
    return Role.NOTE if step.kind is StepKind.NOTE else Role.STEP


def have_steps(sections: Iterable[Section | _SectionDraft]) -> bool:
    """True when there is at least one item that is more than a link: else a chapter may be no playbook."""
    steps = (step for section in sections for step in section.steps)
    return any(step.kind is not StepKind.RAW and not is_bare_link(step) for step in steps)


def is_bare_link(step: Step) -> bool:
    """True for an item that is nothing but a link: something to read, and not to do."""
    return _BARE_LINK.match(step.text) is not None


@dataclass(slots=True)
class _SectionDraft:
    kind: SectionKind
    heading: Block | None
    steps: list[Step] = field(default_factory=list)

    def finish(self) -> Section:
        return Section(self.kind, self.heading, tuple(self.steps))


@dataclass(slots=True)
class _PlaybookDraft:
    heading: Block | None
    signature: Signature
    start: int
    stop: int
    text: list[Block] = field(default_factory=list)
    sections: list[_SectionDraft] = field(default_factory=list)
    is_prompt: bool = False

    @property
    def role(self) -> Role:
        return _ROLES.get(self.sections[-1].kind, Role.STEP) if self.sections else Role.STEP

    def add(self, step: Step) -> None:
        if not self.sections:
            self.sections.append(_SectionDraft(SectionKind.STEPS, None))
        self.sections[-1].steps.append(step)

    @property
    def takes_raw(self) -> bool:
        """True where a paragraph or fence stands among steps and not in the description."""
        if not self.sections or self.sections[-1].kind is not SectionKind.STEPS:
            return False
        return self.sections[-1].heading is not None or bool(self.sections[-1].steps)

    @property
    def has_steps(self) -> bool:
        """True when there is at least one item that is more than a link."""
        return have_steps(self.sections)


@dataclass(slots=True)
class _AgentDraft:
    heading: Block | None
    text: list[Block] = field(default_factory=list)
    python: list[str] = field(default_factory=list)
    playbooks: list[_PlaybookDraft] = field(default_factory=list)
    implied: _PlaybookDraft | None = None


class _Assembler:
    """Goes through the blocks of one document; *step_of* lowers the block with an index for a role."""

    def __init__(self, blocks: Sequence[Block], step_of: Callable[[int, Role, str], Step]) -> None:
        self._blocks = blocks
        self._step_of = step_of
        self._agents: list[_AgentDraft] = []
        self._front: Metadata = ()
        self._is_language = heads.is_language(blocks)
        self._playbook: _PlaybookDraft | None = None
        self._text_stop = next((at for at, each in enumerate(blocks) if each.kind in _AFTER_TEXT), len(blocks))

    def assemble(self) -> tuple[Program, tuple[PlacedPlaybook, ...]]:
        """The program of all blocks, and where its playbooks stand."""
        for index, block in enumerate(self._blocks):
            kind = block.kind
            if kind is BlockKind.FRONT_MATTER:
                self._front = front_matter(block.text)
            elif index < self._text_stop:
                self._text(block)
            elif kind is BlockKind.ITEM:
                self._item(index)
            elif kind is BlockKind.HEADING:
                self._heading(index, block)
            elif kind in RAW_KINDS:
                self._prose(index, block)
        self._close(len(self._blocks))
        return _Finisher(self._agents, self._front, is_language=self._is_language).finish()

    @property
    def _agent(self) -> _AgentDraft:
        if not self._agents:
            self._agents.append(_AgentDraft(None))
        return self._agents[-1]

    def _close(self, index: int) -> None:
        if self._playbook is not None:
            self._playbook.stop = index

    @cached_property
    def _has_playbooks(self) -> bool:
        return heads.has_playbooks(self._blocks)

    def _heading(self, index: int, block: Block) -> None:
        if block.level == 1:
            self._close(index)
            self._playbook = None
            self._agents.append(_AgentDraft(block))
            self._text_stop = heads.agent_head(self._blocks, index, has_playbooks=self._has_playbooks).stop
        elif is_section_heading(block):
            self._section(index, block)
        elif block.level == 2:
            self._close(index)
            head = heads.playbook_head(self._blocks, index, in_language=self._is_language)
            signature = parse_signature(block.title)
            self._playbook = _PlaybookDraft(block, signature, index, index, is_prompt=head.is_prompt)
            self._agent.playbooks.append(self._playbook)
            self._text_stop = head.stop

    def _section(self, index: int, block: Block) -> None:
        kind = section_kind(block.title)
        playbook = self._playbook
        if kind is not SectionKind.OTHER:
            self._current(index).sections.append(_SectionDraft(kind, block))
        elif playbook is not None and playbook.is_prompt:
            # what no section of the language is, is a chapter of the prompt
            self._text(block)
            self._text_stop = heads.next_heading(self._blocks, index + 1)
        elif playbook is not None:
            playbook.sections.append(_SectionDraft(kind, block))

    def _current(self, index: int) -> _PlaybookDraft:
        """The playbook that takes what comes now; the one its agent's heading implies where there is no other."""
        if self._playbook is None:
            agent = self._agent
            title = agent_title(agent.heading.title)[0] if agent.heading else "Main"
            self._playbook = agent.implied = _PlaybookDraft(agent.heading, parse_signature(title), index, index)
        return self._playbook

    def _item(self, index: int) -> None:
        playbook = self._current(index)
        playbook.add(self._step_of(index, playbook.role, playbook.signature.name))

    def _text(self, block: Block) -> None:
        """Take a block that is part of a description."""
        playbook = self._playbook
        if block.kind is BlockKind.FENCE and block.title in _PYTHON and self._is_program(block):
            self._agent.python.append(_fence_body(block))
        elif playbook is not None:
            playbook.text.append(block)
        elif self._agents or block.kind in RAW_KINDS:
            self._agent.text.append(block)

    def _is_program(self, block: Block) -> bool:
        """True for Python that belongs to the agent, and not to what a prompt says."""
        return self._playbook is None or not self._playbook.is_prompt or "@playbook" in block.text

    def _prose(self, index: int, block: Block) -> None:
        playbook = self._playbook
        if block.kind is BlockKind.FENCE and block.title in _PYTHON and self._is_beside_steps(block):
            self._agent.python.append(_fence_body(block))
        elif playbook is None:
            self._agent.text.append(block)
        elif playbook.takes_raw and block.title != PUBLIC_INTERFACE:
            playbook.add(self._step_of(index, Role.STEP, playbook.signature.name))
        elif playbook.role is not Role.STEP and block.kind in (BlockKind.PARAGRAPH, BlockKind.TABLE):
            playbook.add(self._step_of(index, playbook.role, playbook.signature.name))

    def _is_beside_steps(self, block: Block) -> bool:
        return self._playbook is None or not self._playbook.takes_raw or "@playbook" in block.text


def _fence_body(block: Block) -> str:
    """The lines between the fences."""
    inside = block.text[line_stop(block.text, 0) :]
    closed = inside.rstrip()
    return inside[: max(closed.rfind("\n"), closed.rfind("\r")) + 1]


class _Finisher:
    """Turns drafts into values, once all of the document has been seen."""

    def __init__(self, drafts: list[_AgentDraft], front: Metadata, *, is_language: bool) -> None:
        self._drafts = drafts
        self._front = front
        self._is_language = is_language or any(draft.python for draft in drafts)
        self._placed: list[PlacedPlaybook] = []
        self._addresses = Addresses()

    def finish(self) -> tuple[Program, tuple[PlacedPlaybook, ...]]:
        agents = tuple([self._agent(draft) for draft in self._drafts])
        return Program(agents, self._front), tuple(self._placed)

    def _agent(self, draft: _AgentDraft) -> Agent:
        metadata, description = metadata_and_text(draft.text, is_agent=True)
        title, kind = agent_title(draft.heading.title if draft.heading else "")
        procedures = [one for one in draft.playbooks if self._is_procedure(one)]
        owner, implied = normalise_name(title).name, draft.implied
        names = names_of([one.signature for one in procedures])
        own = None
        if implied is not None and (implied.has_steps or not procedures):
            own = implied, implied.signature.name, self._addresses.own(owner, implied.signature.name)
        addresses = [self._addresses.own(owner, name) for name in names]
        playbooks = list(map(self._playbook, procedures, names, addresses))
        if own is not None:
            playbooks.insert(0, self._playbook(*own, is_implied=True))
        python = tuple(draft.python)
        functions = tuple([function for code in python for function in python_functions(code)])
        return Agent(
            owner,
            title,
            kind,
            draft.heading,
            description,
            tuple(playbooks),
            functions,
            python,
            metadata,
        )

    def _is_procedure(self, draft: _PlaybookDraft) -> bool:
        """False for the chapters of a runbook that only explain or link."""
        assert draft.heading is not None
        if draft.has_steps or draft.is_prompt or "(" in draft.heading.title:
            return True
        if any(section.kind is not SectionKind.OTHER and section.heading for section in draft.sections):
            return True
        return self._is_language and not any(section.steps for section in draft.sections)

    def _playbook(self, draft: _PlaybookDraft, name: str, address: str, *, is_implied: bool = False) -> Playbook:
        title = draft.heading.title if draft.heading else "Main"
        signature = draft.signature
        metadata, description = metadata_and_text(draft.text, is_agent=False)
        sections = tuple([section.finish() for section in draft.sections])
        playbook = Playbook(
            name,
            title,
            signature.parameters,
            signature.returns,
            draft.heading,
            description,
            sections,
            metadata,
            is_implied,
            _mode(metadata, sections),
            written=signature.written,
            own_address=address,
        )
        self._placed.append(PlacedPlaybook(playbook, draft.start, draft.stop))
        return playbook


def _mode(metadata: Metadata, sections: tuple[Section, ...]) -> PlaybookMode:
    written = dict(metadata).get("execution_mode")
    if written in [mode.value for mode in PlaybookMode]:
        return PlaybookMode(written)
    has_steps = any(section.kind is SectionKind.STEPS for section in sections)
    return PlaybookMode.STEPS if has_steps else PlaybookMode.REACT
