"""Where playbooks and functions are called: in steps, in placeholders, in sentences and in Python."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from workbench.model.meaning import Call, actions_of
from workbench.model.program import Agent, Playbook, Step
from workbench.model.sentences.calls import is_implied, kept
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.change import TextEdit
from workbench.syntax.expressions import NAME
from workbench.syntax.lines import COMMENT
from workbench.syntax.signatures import parse_signature, rename_calls
from workbench.syntax.text import Span

_CALLING = frozenset({BlockKind.ITEM, BlockKind.PARAGRAPH, BlockKind.TABLE})
_QUOTED = regex(r'"[^"\r\n]*"')
_NAME = regex(NAME)
_PLACEHOLDER = regex(r"\{[^{}]*\}")


def written_name(playbook: Playbook) -> str:
    """The part of the heading that is the name."""
    head = playbook.title
    for mark in ("->", "("):
        shorter = head.split(mark)[0].strip()
        if shorter and parse_signature(shorter).name == playbook.name:
            head = shorter
    return head


def calls_of(snapshot: Snapshot, playbook: Playbook, new: str) -> Iterator[TextEdit]:
    """What is to be written where *playbook* is called, so that it is called *new*; in source order."""
    agent = next(agent for agent in snapshot.program.agents if playbook in agent.playbooks)
    spellings = _spellings(snapshot, playbook, agent)
    for index, block in enumerate(snapshot.blocks):
        if block is playbook.heading:
            continue
        meant = {playbook.name, playbook.written} if block.kind is BlockKind.FENCE else spellings
        found = {span for spelling in meant for span in calls_in_block(block, spelling, agent)}
        if _means_another(snapshot, index, playbook, agent):
            found = {span for span in found if block.text[span.start - 1 : span.start] == "."}
        edits = dict.fromkeys(found, new)
        root = snapshot.roots[index]
        edits |= _said(root, spellings, playbook.name, new) if root is not None else {}
        for span in sorted(edits, key=lambda each: each.start):
            yield TextEdit(span.shifted(snapshot.block_starts[index]), edits[span])


def agent_at(snapshot: Snapshot, offset: int) -> Agent | None:
    """The agent below whose heading *offset* stands; the first one where it stands above all."""
    found = next(iter(snapshot.program.agents), None)
    for start, agent in _agent_starts(snapshot):
        found = agent if start <= offset else found
    return found


@lru_cache(maxsize=4)
def _agent_starts(snapshot: Snapshot) -> tuple[tuple[int, Agent], ...]:
    """Where the heading of each agent begins that has one."""
    starts = {id(block): start for block, start in zip(snapshot.blocks, snapshot.block_starts, strict=False)}
    return tuple((starts[id(one.heading)], one) for one in snapshot.program.agents if id(one.heading) in starts)


def _means_another(snapshot: Snapshot, index: int, playbook: Playbook, agent: Agent) -> bool:
    """Whether the name of *playbook*, alone in the block *index*, is one of another agent that has its own."""
    if len(snapshot.program.agents) < 2:
        return False
    near = agent_at(snapshot, snapshot.block_starts[index])
    if near is None or near is agent:
        return False
    return near.playbook(playbook.name) is not None or any(one.name == playbook.name for one in near.functions)


def _spellings(snapshot: Snapshot, playbook: Playbook, agent: Agent) -> set[str]:
    """Every word of the document that means *playbook* where a step calls it."""
    letters = _letters(playbook.name)
    words = [word for word in set(_NAME.findall(snapshot.text)) if _letters(word) == letters]
    return {word for word in words if agent.playbook(word) is playbook}


def _letters(name: str) -> str:
    return name.replace("_", "").lower()


def calls_in_block(block: Block, name: str, agent: Agent) -> Iterator[Span]:
    """Where *block* calls the playbook *name* of *agent*, in source order."""
    is_python = block.kind is BlockKind.FENCE and block.title == "python"
    if name not in block.text or not (is_python or block.kind in _CALLING):
        return
    text = COMMENT.sub(_blanked, block.text)
    spans = {edit.span for edit in rename_calls(text, name, name, agent.name)}
    for quoted in _QUOTED.finditer(text):
        for inner in _PLACEHOLDER.finditer(text, *quoted.span()):
            spans |= {edit.span.shifted(inner.start()) for edit in rename_calls(inner[0], name, name, agent.name)}
    if block.kind is BlockKind.ITEM:
        told = re.finditer(rf"\b[Cc]all[ \t]+`?({re.escape(name)})\b(?![ \t]*\()", _QUOTED.sub(_blanked, text))
        spans |= {Span(*match.span(1)) for match in told}
    yield from sorted(spans)


def _said(root: Step, spellings: Collection[str], old: str, new: str) -> dict[Span, str]:
    """What is to be written in the block of *root* where sentences call *old*: the *new* name for each exact one.

    Where only the words of the name are said, they become what the call is for: ``Call Settle to process payment``.
    """
    edits: dict[Span, str] = {}
    for step in root.walk():
        calls = [one for one in actions_of(step.meaning) if isinstance(one, Call) and one.text]
        for call in calls:
            if call.target.rpartition(".")[2] == old and step.item is not None:
                edits |= _said_in(step.block.text, step.item.text, call, (spellings, new))
    return edits


def _said_in(text: str, place: Span, call: Call, names: tuple[Collection[str], str]) -> dict[Span, str]:
    spellings, new = names
    if not call.is_by_words:
        words = (match for match in _NAME.finditer(_QUOTED.sub(_blanked, text), place.start, place.end))
        return {Span(*match.span()): new for match in words if match[0] in spellings}
    sentence = kept(call.text)[0]
    start = text.find(sentence, place.start, place.end)
    if start < 0:
        return {}
    said = [each.value.source for each in call.arguments if not is_implied(call, each) or each.value.source in sentence]
    aim = f" with {' and '.join(said)}" if said else f" to {sentence[:1].lower()}{sentence[1:]}"
    return {Span(start, start + len(sentence)): f"Call {new}{aim}"}


def _blanked(match: re.Match[str]) -> str:
    return " " * len(match[0])
