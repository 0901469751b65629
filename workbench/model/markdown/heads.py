"""What stands directly below a heading: text for whoever reads it, or steps.

A list below ``##`` is the steps of the playbook, unless the playbook has ``### Steps`` or says that it is a prompt
(``execution_mode: react`` or ``raw``). In a file of the language it is text as well where it stands in
``<rules>`` … ``</rules>``, or under a label (``Rules:``, ``**Rules**``, ``#### Rules``) with running text after it.
A list below ``#`` is the steps of a playbook only where nothing in the file says that the heading is an agent.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from workbench.model.markdown.metadata import LIST_KEYS, Metadata, read_head
from workbench.model.program import SectionKind
from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.lines import without_comments
from workbench.syntax.text import last_line

_SECTIONS = {
    "trigger": SectionKind.TRIGGERS,
    "triggers": SectionKind.TRIGGERS,
    "step": SectionKind.STEPS,
    "steps": SectionKind.STEPS,
    "note": SectionKind.NOTES,
    "notes": SectionKind.NOTES,
}
_AGENT_TITLE = regex(r"^(?P<name>.*?)[ \t]*:[ \t]*(?P<kind>AI|Human|MCP)$")
PUBLIC_INTERFACE = "public.json"
_OPENING = regex(r"(?m)^[ \t]*<([A-Za-z][\w-]*)(?:[ \t][^>\r\n]*)?>")
_CLOSING = regex(r"</([A-Za-z][\w-]*)>")
_HTML = frozenset(
    "a b blockquote br center code details div em hr i img kbd li ol p pre small span strong sub summary sup table"
    " ul".split()
)
_BOLD = regex(r"\*\*[^*]+\*\*:?|__[^_]+__:?")
_OF_STEPS = regex(r"\b(?:steps?|following|as follows|procedure|process|workflow|do this|tasks?)\b", re.IGNORECASE)
_TRAILING = regex(r"(?<![ \t])[ \t]++(?=[\r\n]|\Z)")
_RUNNING = frozenset({BlockKind.PARAGRAPH, BlockKind.TABLE})
_SIGNATURE = regex(r"\w\((?:\)|\$)")


def section_kind(title: str) -> SectionKind:
    """The section that a heading with *title* begins: in any letter case, singular, with a colon."""
    return _SECTIONS.get(title.strip().rstrip(":").rstrip().lower(), SectionKind.OTHER)


def is_section_heading(block: Block) -> bool:
    """True for the headings that begin a part of a playbook, whether written with ``##`` or ``###``."""
    if block.kind is not BlockKind.HEADING or block.level not in (2, 3):
        return False
    return block.level == 3 or section_kind(block.title) is not SectionKind.OTHER


def agent_title(title: str) -> tuple[str, str]:
    """Name and kind of an agent from its heading."""
    match = _AGENT_TITLE.match(title)
    return (match["name"], match["kind"]) if match else (title, "AI")


@dataclass(frozen=True, slots=True)
class Head:
    """*stop*: the block at which the text below a heading ends; nothing before it is a step.

    *is_prompt*: the playbook says that all of it is text for whoever carries it out.
    """

    stop: int
    is_prompt: bool = False


def is_language(blocks: Sequence[Block]) -> bool:
    """True for a file that is written in the language of playbooks, and not for any list of things to do."""
    return any(_is_of_language(block) for block in blocks)


def _is_of_language(block: Block) -> bool:
    if block.kind is BlockKind.HEADING:
        is_section = block.level in (2, 3) and section_kind(block.title) is not SectionKind.OTHER
        return is_section or (block.level == 2 and _SIGNATURE.search(block.title) is not None)
    if block.kind is BlockKind.FENCE:
        return block.title == "python" and "@playbook" in block.text
    return block.kind is BlockKind.PARAGRAPH and "execution_mode:" in block.text


def playbook_head(blocks: Sequence[Block], index: int, *, in_language: bool) -> Head:
    """What stands below the heading of a playbook, the block *index*."""
    stop = next_heading(blocks, index + 1)
    if _says_prompt(blocks, index + 1, stop):
        return Head(stop, is_prompt=True)
    first = _first_item(blocks, index + 1, stop)
    if first == stop or _has_steps(blocks, stop):
        return Head(stop)
    return Head(_first_bare(blocks, index + 1, stop) if in_language else first)


def agent_head(blocks: Sequence[Block], index: int, *, has_playbooks: bool) -> Head:
    """What stands below the heading of an agent, the block *index*.

    *has_playbooks*: there are headings of playbooks somewhere in the file.
    """
    stop = index + 1
    while stop < len(blocks) and not _ends_agent_text(blocks[stop]):
        stop += 1
    first = _first_item(blocks, index + 1, stop)
    if first == stop or has_playbooks or _is_agent(blocks, index, stop):
        return Head(stop)
    return Head(first)


def has_playbooks(blocks: Sequence[Block]) -> bool:
    """True when a heading of a playbook has sections of the language below it, or parameters."""
    is_below = False
    for block in blocks:
        if block.kind is not BlockKind.HEADING or block.level > 3:
            continue
        is_section = block.level > 1 and section_kind(block.title) is not SectionKind.OTHER
        if is_section and is_below:
            return True
        if block.level < 3 and not is_section:
            is_below = block.level == 2
            if is_below and _SIGNATURE.search(block.title):
                return True
    return False


def text_of(blocks: Iterable[Block]) -> str:
    """What *blocks* say, as written, without comments of their own; lines end with a line feed."""
    return "".join([_said(block) for block in blocks]).replace("\r\n", "\n").replace("\r", "\n")


def _said(block: Block) -> str:
    if block.kind is BlockKind.COMMENT or (block.kind is BlockKind.FENCE and block.title == PUBLIC_INTERFACE):
        return ""
    if block.item is None:
        return block.text
    text = block.text[block.item.lines.start :]
    return _TRAILING.sub("", without_comments(text)) if "<!--" in text else text


def next_heading(blocks: Sequence[Block], at: int) -> int:
    """The first block from *at* on that is a heading of an agent, a playbook or a section."""
    while at < len(blocks) and not (blocks[at].kind is BlockKind.HEADING and blocks[at].level <= 3):
        at += 1
    return at


def _ends_agent_text(block: Block) -> bool:
    if block.kind is not BlockKind.HEADING or block.level > 3:
        return False
    return block.level < 3 or section_kind(block.title) is not SectionKind.OTHER


def _first_item(blocks: Sequence[Block], start: int, stop: int) -> int:
    return next((at for at in range(start, stop) if blocks[at].kind is BlockKind.ITEM), stop)


def _has_steps(blocks: Sequence[Block], at: int) -> bool:
    """True when one of the sections from *at* on, up to the next playbook, holds steps."""
    while at < len(blocks) and (blocks[at].kind is not BlockKind.HEADING or not _ends_playbook(blocks[at])):
        if is_section_heading(blocks[at]) and section_kind(blocks[at].title) is SectionKind.STEPS:
            return True
        at += 1
    return False


def _ends_playbook(heading: Block) -> bool:
    return heading.level == 1 or (heading.level == 2 and not is_section_heading(heading))


def _says_prompt(blocks: Sequence[Block], start: int, stop: int) -> bool:
    if not any("execution_mode" in blocks[at].text for at in range(start, stop)):
        return False
    metadata, _text = read_head(text_of(blocks[start:stop]), is_agent=False)
    return dict(metadata).get("execution_mode") in ("react", "raw")


def _is_agent(blocks: Sequence[Block], index: int, stop: int) -> bool:
    """True where what stands below the heading *index* says that a list there is no procedure."""
    if agent_title(blocks[index].title)[1] != "AI":
        return True
    if stop < len(blocks) and section_kind(blocks[stop].title) is SectionKind.STEPS:
        return True
    for at in range(index + 1, len(blocks)):
        if blocks[at].kind is BlockKind.HEADING and blocks[at].level == 1:
            return False
        if blocks[at].kind is BlockKind.FENCE and _is_of_language(blocks[at]):
            return True
    return False


def _first_bare(blocks: Sequence[Block], start: int, stop: int) -> int:
    """The first item that is a step: in no tag, and not one of a list in running text."""
    closings = _closings(blocks, start, stop)
    ends_at = _last_text(blocks, start, stop)
    tag_stop, is_text = start, False
    for at in range(start, stop):
        block = blocks[at]
        if block.kind is BlockKind.ITEM:
            if at >= tag_stop and not is_text:
                return at
        elif block.kind in _RUNNING:
            tag_stop = max([tag_stop, *_tag_stops(block, at, closings)])
            is_text = _is_list_key(block) or (at < ends_at and _is_label(block.text))
        elif block.kind is BlockKind.HEADING:
            is_text = at < ends_at and not _OF_STEPS.search(block.title)
    return stop


def _closings(blocks: Sequence[Block], start: int, stop: int) -> dict[str, list[int]]:
    """For each tag the blocks in which it is closed."""
    found: dict[str, list[int]] = {}
    for at in range(start, stop):
        if "</" in blocks[at].text and blocks[at].kind is not BlockKind.FENCE:
            for name in _CLOSING.findall(blocks[at].text):
                found.setdefault(name, []).append(at)
    return found


def _tag_stops(block: Block, at: int, closings: dict[str, list[int]]) -> Iterable[int]:
    """The blocks behind those in which the tags of *block*, at *at*, are closed."""
    for name in _OPENING.findall(block.text) if closings else ():
        places = closings.get(name, [])
        place = bisect_left(places, at)
        if name.lower() not in _HTML and place < len(places):
            yield places[place] + 1


def _last_text(blocks: Sequence[Block], start: int, stop: int) -> int:
    """The last paragraph of running text: one that leads to no list."""
    return next(
        (at for at in range(stop - 1, start - 1, -1) if blocks[at].kind in _RUNNING and not _leads_on(blocks[at].text)),
        -1,
    )


def _leads_on(text: str) -> bool:
    last = last_line(text).strip()
    return last.endswith(":") or _BOLD.fullmatch(last) is not None


def _is_label(text: str) -> bool:
    return _leads_on(text) and not _OF_STEPS.search(last_line(text))


def _is_list_key(block: Block) -> bool:
    """True for a paragraph that ends with a key of metadata whose value is a list."""
    last = last_line(block.text)
    return last.endswith(":") and last[:-1] in LIST_KEYS


def metadata_and_text(blocks: Sequence[Block], *, is_agent: bool) -> tuple[Metadata, str]:
    """What *blocks* below one heading say: settings, and the description."""
    return read_head(text_of(blocks), is_agent=is_agent)
