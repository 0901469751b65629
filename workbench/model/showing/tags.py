"""Tags: words with a ``#`` in notes (``<!-- #review ask Ann -->``, in lists ``# #review``), and those of ``tags:``.

A tag counts for what its note belongs to and for all that is in it: a step with its steps, a playbook, an agent, the
file. In the words of steps nothing is a tag: there a ``#`` can mean anything. ``TODO`` and ``FIXME`` count as tags too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from workbench.model.meaning import StepKind
from workbench.model.program import Agent, Playbook, Step, StepId
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.syntax.blocks import BlockKind
from workbench.syntax.lines import COMMENT

_TAG = regex(r"(?<![\w#&/])#(?P<tag>[^\W\d_](?:[\w/-]*\w)?)|\b(?P<mark>TODO|FIXME)\b")
_DATA_COMMENT = regex(r"^(?:[^#'\"\r\n]*[ \t])?#(?P<words>[^\r\n]*)", re.MULTILINE)
_DISABLED = "<!-- disabled"
_LISTED = regex(r"[^\s,]+")
_CODE = frozenset({BlockKind.FENCE, BlockKind.CODE})
_NONE: frozenset[str] = frozenset()
_Thing = TypeVar("_Thing")
_MAY_LIST = regex(r"\btags\b")


@dataclass(frozen=True)
class Tags:
    """What is tagged in a document, by the small letters of the tags.

    *words*: how each is written first, and how often it is said. *names*: those of playbooks and agents with a heading.
    """

    file: frozenset[str] = frozenset()
    agents: Mapping[str, frozenset[str]] = field(default_factory=dict)
    playbooks: Mapping[str, frozenset[str]] = field(default_factory=dict)
    steps: Mapping[StepId, frozenset[str]] = field(default_factory=dict)
    words: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How often each is said, by how it is written, in the order of the alphabet."""
        return dict(sorted(self.words.values(), key=lambda each: each[0].casefold()))

    def of_step(self, snapshot: Snapshot, step: StepId) -> frozenset[str]:
        """All that counts for *step*."""
        own = (self.steps.get(each.id, _NONE) for each in snapshot.lineage(step))
        return self.of_playbook(snapshot, snapshot.playbook_of(step)).union(*own)

    def of_playbook(self, snapshot: Snapshot, playbook: Playbook) -> frozenset[str]:
        """All that counts for all of *playbook*."""
        agent = snapshot.program.agent_of(playbook)
        above = self.of_agent(agent) if agent is not None else self.file
        return above | self.playbooks.get(playbook.address, _NONE)

    def of_agent(self, agent: Agent) -> frozenset[str]:
        """All that counts for all of *agent*."""
        return self.file | self.agents.get(agent.name, _NONE)

    def steps_with(self, snapshot: Snapshot, tag: str) -> Iterator[StepId]:
        """The outermost steps for which *tag* counts, in the order of the text."""
        wanted = bare(tag)
        for playbook in snapshot.program.playbooks:
            steps = (step for section in playbook.sections for step in section.steps)
            if wanted in self.of_playbook(snapshot, playbook):
                yield from (step.id for step in steps if step.kind is not StepKind.RAW)
            else:
                yield from (found for step in steps for found in self._outermost(step, wanted))

    def _outermost(self, step: Step, wanted: str) -> Iterator[StepId]:
        if wanted in self.steps.get(step.id, _NONE):
            yield step.id
            return
        for child in step.children:
            yield from self._outermost(child, wanted)


def bare(tag: str) -> str:
    """*tag* as tags are compared: without its sign, in small letters."""
    return tag.removeprefix("#").casefold()


def may_have_tags(text: str) -> bool:
    """Whether *text* could have a tag; cheap, and true of some that have none."""
    return "#" in text or "tags" in text or "TODO" in text or "FIXME" in text


def tags_of(snapshot: Snapshot) -> Tags:
    """All tags of *snapshot*; those of a file of another program are none of ours."""
    if snapshot.program.foreign or not may_have_tags(snapshot.text):
        return Tags()
    said = _Said()
    program = snapshot.program
    said.add_file(_listed(program.front_matter))
    for agent in program.agents:
        said.add_to(said.agents, agent.name, _listed(agent.metadata))
        for playbook in agent.playbooks:
            said.add_to(said.playbooks, playbook.address, _listed(playbook.metadata))
    if program.format.is_steplist:
        said.add_file(_of_list(snapshot.text))
    for place, words in _notes(snapshot):
        _add_note(said, snapshot, place, words)
    return said.tags


class _Said:
    """Gathers tags as they are come upon."""

    def __init__(self) -> None:
        self.file: set[str] = set()
        self.agents: dict[str, set[str]] = {}
        self.playbooks: dict[str, set[str]] = {}
        self.steps: dict[StepId, set[str]] = {}
        self._words: dict[str, tuple[str, int]] = {}

    def add_file(self, words: Iterable[str]) -> None:
        """*words* are said of the file."""
        self.file |= self._counted(words)

    def add_to(self, things: dict[_Thing, set[str]], thing: _Thing, words: Iterable[str]) -> None:
        """*words* are said of *thing*."""
        found = self._counted(words)
        if found:
            things.setdefault(thing, set()).update(found)

    def _counted(self, words: Iterable[str]) -> set[str]:
        found = set()
        for each in words:
            written, count = self._words.get(bare(each), (each, 0))
            self._words[bare(each)] = written, count + 1
            found.add(bare(each))
        return found

    @property
    def tags(self) -> Tags:
        """What was gathered."""
        return Tags(
            frozenset(self.file), _frozen(self.agents), _frozen(self.playbooks), _frozen(self.steps), dict(self._words)
        )


def _frozen(found: Mapping[_Thing, set[str]]) -> Mapping[_Thing, frozenset[str]]:
    return {thing: frozenset(words) for thing, words in found.items()}


def _listed(values: Iterable[tuple[str, object]]) -> list[str]:
    """The tags in the metadata *values*: a list, or words with commas or blanks between them."""
    found = next((value for name, value in values if name == "tags"), ())
    words = _LISTED.findall(found) if isinstance(found, str) else found if isinstance(found, list | tuple) else ()
    return [each.removeprefix("#") for each in words if isinstance(each, str) and each.strip("#")]


def _of_list(text: str) -> list[str]:
    if not _MAY_LIST.search(text):
        return []
    from workbench.model.loader.loading import parse_data  # noqa: PLC0415 - few lists have tags

    root = parse_data(text).root
    tags = root.get("tags") if root is not None else None
    return [each.resolved.text for each in tags.items if each.resolved.text] if tags is not None else []


def _notes(snapshot: Snapshot) -> Iterator[tuple[int, str]]:
    """The notes of the text, each with where it begins; steps that are disabled are none."""
    if snapshot.program.format.is_steplist:
        for match in _DATA_COMMENT.finditer(snapshot.text):
            yield match.start("words") - 1, match["words"]
        return
    for match in COMMENT.finditer(snapshot.text):
        if not match.group().startswith(_DISABLED):
            yield match.start(), match.group()


def _add_note(said: _Said, snapshot: Snapshot, place: int, words: str) -> None:
    """Say the tags in a note of what it belongs to; one that stands by itself is counted, and belongs to nothing."""
    found = [match["tag"] or match["mark"] for match in _TAG.finditer(words)]
    if not found:
        return
    step = snapshot.step_at(place)
    block = snapshot.blocks[snapshot.block_index_at(place)]
    if block.kind in _CODE:
        return
    if step is not None:
        said.add_to(said.steps, step, found)
        return
    for agent in snapshot.program.agents:
        if agent.heading is block:
            said.add_to(said.agents, agent.name, found)
            return
        for playbook in agent.playbooks:
            if playbook.heading is block:
                said.add_to(said.playbooks, playbook.address, found)
                return
    said.add_to({}, place, found)
