"""The links of a document and of its steps, and the anchors that links can lead to.

What is found in a block is kept by its identity, so that after an edit only what is new is read again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from posixpath import normpath
from typing import NamedTuple
from urllib.parse import quote

from workbench.model.program import StepId
from workbench.model.queries import Queries
from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind, ItemNode
from workbench.syntax.links import (
    NO_DEFINITIONS,
    Definition,
    Definitions,
    Link,
    LinkForm,
    definitions_in,
    links_in,
    may_hold_links,
    unescaped,
)
from workbench.syntax.text import Span, split_lines

RUNBOOK_ENDINGS = (".md", ".markdown", ".pb", ".playbooks", ".pbasm")
"""What the names of files end with that are drawn and run; YAML and JSON may be anything."""
STEPLIST_ENDINGS = (".yaml", ".yml", ".json")
SCRIPT_ENDING = ".script.yaml"
"""What the name of a file with the answers for a playbook ends with."""

_HOLDING = frozenset({BlockKind.HEADING, BlockKind.ITEM, BlockKind.PARAGRAPH, BlockKind.TABLE})
_BLANK_LINES = regex(r"(?:[ \t>]*(?:\r\n|\r|\n)){2,}")
_NESTED_HEADING = regex(r"(?:\A|(?<=[\r\n]))[ \t>]*(?:[-*+][ \t]+)?#{1,6}[ \t]+([^\r\n]+)")
_HTML_ID = regex(r"<[A-Za-z][^<>]{0,400}?\b(?:id|name)=[\"']?([^\"'<>\s]{1,300})")
_ATTRIBUTE_ID = regex(r"\{[:]?[ \t]*#([\w.:-]{1,200})[^{}\r\n]{0,200}\}[ \t]*$")
_TAGS = regex(r"</?[A-Za-z][^<>]{0,400}>")
_EMPHASIS = (
    regex(r"(\*{1,3})(?=[^\s*])(.{1,400}?)(?<=\S)\1"),
    regex(r"(?<!\w)(_{1,3})(?=[^\s_])(.{1,400}?)(?<=\S)\1(?!\w)"),
)
_NO_SLUG = regex(r"[^\w\- ]")
_DASHES = regex(r"[-\s]+")
_OF_NO_HEADING = regex(r"top|L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?|:~:.*|/.*|!.*", re.IGNORECASE | re.DOTALL)


def links_of(document: Queries) -> tuple[Link, ...]:
    """All links of *document*, in the order of the text; none in fences, code, comments and front matter."""
    if document.program.format.is_steplist or document.program.foreign or not may_hold_links(document.text):
        return ()
    known = _kept(tuple(_unplaced(one) for one in definitions_of(document)))
    found: list[Link] = []
    for block, start in zip(document.blocks, document.block_starts, strict=False):
        if block.kind in _HOLDING and may_hold_links(block.text):
            found += [link.shifted(start) for link in _links_of_block(block, known)]
    return tuple(found)


def definitions_of(document: Queries) -> tuple[Definition, ...]:
    """All definitions that links of *document* can name, in the order of the text."""
    if "]:" not in document.text or document.program.format.is_steplist:
        return ()
    return tuple(
        Definition(one.label, one.target, one.target_span.shifted(start), one.title, one.span.shifted(start))
        for block, start in zip(document.blocks, document.block_starts, strict=False)
        if block.kind in _HOLDING and "]:" in block.text
        for one in definitions_in(_visible(block))
    )


def targets_of(document: Queries) -> tuple[Link, ...]:
    """The links of *document* where their targets are written: definitions in place of the references to them."""
    own = (link for link in links_of(document) if not link.is_reference)
    defined = (
        Link(LinkForm.REFERENCE, one.span, one.label, one.span, one.target, one.target_span, one.title)
        for one in definitions_of(document)
    )
    return tuple(sorted((*own, *defined), key=lambda link: link.span.start))


def links_by_step(document: Queries) -> Mapping[StepId, tuple[Link, ...]]:
    """The links in the words of each step, those in the steps below it left out; only steps that have some."""
    found: dict[StepId, tuple[Link, ...]] = {}
    for link in links_of(document):
        step = document.step_at(link.span.start)
        if step is not None:
            found[step] = (*found.get(step, ()), link)
    return found


class FileLink(NamedTuple):
    """A step that links to a file. *path*: from the folder of its own file on, without detours."""

    step: StepId
    path: str


def file_links(document: Queries) -> Iterator[tuple[int, FileLink]]:
    """The links from steps of *document* to other files that are playbooks, each with the block that it stands in.

    Asked at every keystroke: what a block says is kept, and where no such name stands nothing is looked at.
    """
    text, program = document.text, document.program
    if program.format.is_steplist or program.foreign or _NAMED.search(text) is None:
        return
    known = _kept(tuple(_unplaced(one) for one in definitions_of(document)))
    for index, block in enumerate(document.blocks):
        for offset, path in _paths_in_block(block, known):
            ids = document.block_ids[index]
            is_plain = len(ids) == 1 and document.roots[index] is not None
            step = ids[0] if is_plain else document.step_at(document.block_starts[index] + offset)
            if step is not None:
                yield index, FileLink(step, path)


@lru_cache(maxsize=65_536)
def _paths_in_block(block: Block, known: _Known) -> tuple[tuple[int, str], ...]:
    """Where in *block* links to playbooks stand, and the paths of those."""
    if block.kind not in _HOLDING or not (known.by_label or _NAMED.search(block.text)):
        return ()
    found = ((link.span.start, runbook_path(link)) for link in _links_of_block(block, known))
    return tuple((offset, normpath(path)) for offset, path in found if path)


def runbook_path(link: Link) -> str:
    """The path of the file that *link* leads to, as written, where its name is that of a playbook; else empty."""
    path = link.path
    if link.is_image or not is_plain_path(path):
        return ""
    is_named = path.lower().endswith(RUNBOOK_ENDINGS)
    return path if is_named and PurePosixPath(path).name.lower() not in RUNBOOK_ENDINGS else ""


def is_named_as_ours(name: str) -> bool:
    """Whether a file with this *name* may be a playbook, in whatever form."""
    return name.lower().endswith((*RUNBOOK_ENDINGS, *STEPLIST_ENDINGS)) and not name.endswith(SCRIPT_ENDING)


def path_span(link: Link, text: str) -> Span:
    """Where *text* holds the path that *link* (not a reference) leads to, without anchor and query."""
    written = link.target_span.of(text)
    cut = min((at for at in (written.find("#"), written.find("?")) if at >= 0), default=len(written))
    return Span(link.target_span.start, link.target_span.start + cut)


def written_path(path: str, span: Span, text: str) -> str:
    """*path* as it is written at *span* of *text*: in angle brackets as it is, else without blanks and brackets."""
    is_angled = text[span.start - 1 : span.start] == "<" and not _BREAKING_ANGLED.search(path)
    return path if is_angled else _BREAKING.sub(lambda found: quote(found[0]), path)


def is_plain_path(path: str) -> bool:
    """Whether *path* names one file: a part to be filled in, or a pattern, names none."""
    return bool(path) and not _PLACEHOLDERS.intersection(path) and "..." not in path and path.isprintable()


_BREAKING = regex(r"[\s%#?()<>\[\]\\\"'`]")
_BREAKING_ANGLED = regex(r"[\r\n<>%#?\\]")
_NAMED = regex(r"\.(?:md|markdown|pb|playbooks|pbasm)[)#?>\"' \t\r\n]", re.IGNORECASE)
_PLACEHOLDERS = frozenset('{}<>$*|"\\')


class _Known:
    """Definitions by label, told apart by identity: one object stands for equal ones."""

    def __init__(self, definitions: tuple[Definition, ...]) -> None:
        self.by_label: Definitions = {one.label: one for one in reversed(definitions)} or NO_DEFINITIONS


@lru_cache(maxsize=8)
def _kept(definitions: tuple[Definition, ...]) -> _Known:
    return _Known(definitions)


def _unplaced(definition: Definition) -> Definition:
    return Definition(definition.label, definition.target, Span(0, 0), definition.title, Span(0, 0))


@lru_cache(maxsize=16_384)
def _links_of_block(block: Block, known: _Known) -> tuple[Link, ...]:
    """The links of *block*, counted from its start."""
    return tuple(
        link.shifted(piece.start) for piece in _pieces(block) for link in links_in(piece.of(block.text), known.by_label)
    )


def _pieces(block: Block) -> Iterator[Span]:
    """The stretches of *block* that no link or code in backticks reaches out of."""
    if block.item is None or block.kind is BlockKind.TABLE:
        yield from _paragraphs(block.text, Span(0, len(block.text)))
        return
    for item in block.item.walk():
        for span in (item.text, *sorted(item.tails)):
            yield from _paragraphs(block.text, span)


def _paragraphs(text: str, span: Span) -> Iterator[Span]:
    start = span.start
    for blank in _BLANK_LINES.finditer(text, span.start, span.end):
        if blank.start() > start:
            yield Span(start, blank.start())
        start = blank.end()
    if start < span.end:
        yield Span(start, span.end)


def _visible(block: Block) -> str:
    """The text of *block*, of the same length, without what fences in it hold."""
    if block.item is None:
        return block.text
    parts: list[str] = []
    done = 0
    for span in sorted(_fences(block.item)):
        parts += (block.text[done : span.start], " " * len(span))
        done = span.end
    return "".join((*parts, block.text[done:]))


def _fences(item: ItemNode) -> Iterator[Span]:
    for each in item.walk():
        yield from each.fences


Anchors = Mapping[str, str]
"""What links can name in a file: by what forges agree on, the anchor as it is written."""


def anchors_of(blocks: Iterable[Block]) -> Anchors:
    """The anchors in a text of *blocks*: its headings as GitHub names them, and the ids that its HTML gives."""
    found: dict[str, str] = {}
    for _index, anchor in _anchors(blocks):
        found.setdefault(loose_anchor(anchor), anchor)
    return found


def anchor_place(document: Queries, anchor: str) -> Span | None:
    """The heading, or what has an id, that *anchor* leads to in *document*."""
    wanted = loose_anchor(anchor)
    for index, each in _anchors(document.blocks):
        if loose_anchor(each) == wanted:
            start = document.block_starts[index]
            return Span(start, start + len(document.blocks[index].text.rstrip()))
    return None


def _anchors(blocks: Iterable[Block]) -> Iterator[tuple[int, str]]:
    """Every anchor, with the number of its block."""
    slugs: Counter[str] = Counter()
    for index, block in enumerate(blocks):
        for title in _titles(block):
            own = _ATTRIBUTE_ID.search(title)
            if own is not None:
                yield index, own[1]
            slug = slug_of(title[: own.start()] if own else title)
            yield index, f"{slug}-{slugs[slug]}" if slugs[slug] else slug
            slugs[slug] += 1
        if block.kind is not BlockKind.FENCE and "<" in block.text:
            yield from ((index, unescaped(name)) for name in _HTML_ID.findall(block.text))


def moved_anchors(before: Iterable[Block], after: Iterable[Block]) -> Mapping[str, str]:
    """What became of anchors when headings were written anew: what forges agree on of the old one → the new one."""
    old, new = ([anchor for _index, anchor in _anchors(blocks)] for blocks in (before, after))
    found: dict[str, str] = {}
    for one, other in zip(old, new, strict=False) if len(old) == len(new) else ():
        found.setdefault(loose_anchor(one), other)
    return {one: other for one, other in found.items() if loose_anchor(other) != one}


def anchor_span(link: Link, text: str) -> Span:
    """Where *text* holds the anchor that *link* (not a reference) leads to; empty where there is none."""
    at = link.target_span.of(text).find("#")
    return (
        Span(link.target_span.start + at + 1, link.target_span.end)
        if at >= 0
        else Span(link.target_span.end, link.target_span.end)
    )


def leads_to(anchor: str, anchors: Anchors) -> bool:
    """Whether *anchor* is one of *anchors*, however a forge names headings, or of those that every page has."""
    return _OF_NO_HEADING.fullmatch(anchor) is not None or not anchor or loose_anchor(anchor) in anchors


def slug_of(title: str) -> str:
    """The anchor of a heading with *title*, as GitHub makes it."""
    return _NO_SLUG.sub("", read_words(title.rstrip("# \t")).strip().lower()).replace(" ", "-")


def read_words(written: str) -> str:
    """The words of one line of markdown as a person reads them: of a link its words, of an image nothing."""
    words = written
    for link in reversed(links_in(words)):
        if link.words != link.target:
            words = words[: link.span.start] + ("" if link.is_image else link.words) + words[link.span.end :]
    if "`" not in words:
        words = _TAGS.sub("", words)
        for mark in _EMPHASIS:
            words = mark.sub(r"\2", words)
    return unescaped(words.replace("`", ""))


def _titles(block: Block) -> Iterator[str]:
    if block.kind is BlockKind.HEADING:
        yield block.title
    elif block.kind in _HOLDING and "#" in block.text:
        for line in _NESTED_HEADING.finditer(_visible(block)):
            yield line[1]


def loose_anchor(anchor: str) -> str:
    """*anchor* without what forges do not agree on."""
    return _DASHES.sub("-", anchor.lower().removeprefix("user-content-")).strip("-_")


def first_title(document: Queries) -> str:
    """What a document calls itself: its front matter's ``title`` or ``name``, its first heading, its first playbook."""
    front = dict(document.program.front_matter)
    for key in ("title", "name"):
        if isinstance(front.get(key), str) and str(front[key]).strip():
            return str(front[key]).strip()
    heading = next((block.title for block in document.blocks if block.kind is BlockKind.HEADING and block.title), "")
    titles = (playbook.title for playbook in document.program.playbooks)
    return read_words(heading) or next(titles, "") or _first_words(document)


def _first_words(document: Queries) -> str:
    lines = (line.strip() for block in document.blocks for line in split_lines(block.text))
    return next((line for line in lines if line), "")[:80] if document.program.kind.is_markdown else ""
