"""Where playbooks and functions are called: in steps, in placeholders, in sentences and in Python."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache, partial

from workbench.model.markdown.heads import PUBLIC_INTERFACE
from workbench.model.meaning import BY_THEMSELVES, Call, TriggerEvent, actions_of
from workbench.model.program import Agent, Playbook, Step
from workbench.model.sentences.calls import is_implied, kept
from workbench.model.sentences.classify import moment_of
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.change import TextEdit
from workbench.syntax.data.json_reading import read_json
from workbench.syntax.data.nodes import DataNode
from workbench.syntax.expressions import NAME
from workbench.syntax.lines import COMMENT
from workbench.syntax.signatures import parse_signature, rename_calls
from workbench.syntax.text import Span

_CALLING = frozenset({BlockKind.ITEM, BlockKind.PARAGRAPH, BlockKind.TABLE})
_QUOTED = regex(r'"[^"\r\n]*"')
_NAME = regex(NAME)
_STRING = regex(r"([\"'])((?:(?!\1)[^\\\r\n])*)\1")
_CODE = regex(r"^T\d+:[A-Z]{3} ")
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
    is_only = not any(each.callable(playbook.name) for each in snapshot.program.agents if each is not agent)
    for index, block in enumerate(snapshot.blocks):
        if block is playbook.heading:
            continue
        meant = {playbook.name, playbook.written} if block.kind is BlockKind.FENCE else spellings
        found = {span for spelling in meant for span in calls_in_block(block, spelling, agent, is_only=is_only)}
        if _means_another(snapshot, index, playbook, agent):
            found = {span for span in found if block.text[span.start - 1 : span.start] == "."}
        edits = dict.fromkeys(found, new)
        root = snapshot.roots[index]
        edits |= _said(root, spellings, playbook.name, new) if root is not None else {}
        is_near = not _means_another(snapshot, index, playbook, agent)
        edits |= dict.fromkeys(awaited_in(block, root, spellings, agent.name, is_near=is_near), new)
        for span in sorted(edits, key=lambda each: each.start):
            yield TextEdit(span.shifted(snapshot.block_starts[index]), edits[span])


def offered(snapshot: Snapshot, agent: Agent, name: str, parameter: str = "") -> Iterator[Span]:
    """Where the interface of *agent*, a fence ``public.json``, has the *name* of a playbook, or a *parameter* of it."""
    for block, start in zip(snapshot.blocks, snapshot.block_starts, strict=False):
        if block.kind is not BlockKind.FENCE or block.title != PUBLIC_INTERFACE or name not in block.text:
            continue
        if agent_at(snapshot, start) is not agent:
            continue
        first = block.text.find("\n") + 1
        lines = block.text[first:].rstrip()
        root = read_json(lines[: lines.rfind("\n") + 1]).root
        for entry in root.items if root is not None else ():
            named = entry.get("name")
            if named is None or named.text != name:
                continue
            wanted = parameter or name
            for node in _parameters_in(entry) if parameter else (named,):
                at = lines.find(wanted, node.span.start, node.span.end)
                if node.text == wanted and at >= 0:
                    yield Span(at, at + len(wanted)).shifted(start + first)


def _parameters_in(entry: DataNode) -> Iterator[DataNode]:
    schema = entry.get("parameters")
    properties, required = (schema.get(each) if schema is not None else None for each in ("properties", "required"))
    yield from (key for key, _value in properties.entries) if properties is not None else ()
    yield from required.items if required is not None else ()


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
    return near.callable(playbook.name) is not None


def _spellings(snapshot: Snapshot, playbook: Playbook, agent: Agent) -> set[str]:
    """Every word of the document that means *playbook* where a step calls it."""
    letters = _letters(playbook.name)
    words = [word for word in set(_NAME.findall(snapshot.text)) if _letters(word) == letters]
    return {word for word in words if agent.playbook(word) is playbook}


def _letters(name: str) -> str:
    return name.replace("_", "").lower()


def calls_in_block(block: Block, name: str, agent: Agent, *, is_only: bool = False) -> Iterator[Span]:
    """Where *block* calls the playbook *name* of *agent*, in source order. *is_only*: no other agent has one."""
    is_python = block.kind is BlockKind.FENCE and block.title == "python"
    if name not in block.text or not (is_python or block.kind in _CALLING):
        return
    text = COMMENT.sub(_blanked, block.text)
    calls = partial(rename_calls, old=name, new=name, agent=agent.name, is_only=is_only)
    spans = {edit.span for edit in calls(text)}
    for quoted in _QUOTED.finditer(text):
        for inner in _PLACEHOLDER.finditer(text, *quoted.span()):
            spans |= {edit.span.shifted(inner.start()) for edit in calls(inner[0])}
    if block.kind is BlockKind.ITEM:
        told = re.finditer(rf"\b[Cc]all[ \t]+`?({re.escape(name)})\b(?![ \t]*\()", _QUOTED.sub(_blanked, text))
        spans |= {Span(*match.span(1)) for match in told}
    yield from sorted(spans)


def awaited_in(
    block: Block, root: Step | None, spellings: Collection[str], agent: str, *, is_near: bool = True
) -> Iterator[Span]:
    """Where triggers in *block* wait for a call of one of *spellings*: “After calling Check”, “When Check fails”.

    *is_near*: a name alone means that of *agent*.
    """
    item = root.item if root is not None else None
    triggers = [(root.text, item.text)] if root is not None and item is not None and _is_trigger(root) else []
    if block.kind is BlockKind.FENCE and "triggers" in block.text:
        strings = (Span(*match.span(2)) for match in _STRING.finditer(block.text))
        triggers = [(_CODE.sub("", span.of(block.text)), span) for span in strings]
    for words, span in triggers:
        event = moment_of(words, words)
        owner, dot, name = event.subject.rpartition(".") if event is not None else ("", "", "")
        if event is None or event.moment in BY_THEMSELVES or name not in spellings:
            continue
        if owner == agent or (not owner and is_near):
            at = block.text.find(event.subject, span.start, span.end) + len(owner + dot)
            yield Span(at, at + len(name))


def _is_trigger(root: Step) -> bool:
    return isinstance(root.meaning, TriggerEvent)


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
