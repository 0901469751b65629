"""The links in a stretch of markdown, with the places that they take in it.

Inline links, references with their definitions, addresses in angle brackets and bare ones, images, wiki links, and the
two HTML tags that lead somewhere. One pass over the text; what a link may hold is limited, so that no text is slow.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from urllib.parse import unquote

from workbench.regex import regex
from workbench.syntax.inline import ENTITY, character
from workbench.syntax.lines import COMMENT
from workbench.syntax.masking import FILL
from workbench.syntax.text import Span

_LONGEST = 2000
_INSIDE = rf"(?:\\.|[^\\()\s{FILL}])"
_PLAIN = rf"(?:{_INSIDE}|\((?:{_INSIDE}|\((?:{_INSIDE}|\({_INSIDE}{{0,99}}\)){{0,99}}\)){{0,99}}\)){{1,{_LONGEST}}}+"
_TITLE = r"""(?:"(?:\\.|[^"\\]){0,999}+"|'(?:\\.|[^'\\]){0,999}+'|\((?:\\.|[^()\\]){0,999}+\))"""
_DESTINATION = rf"(?:<(?P<angled>(?:\\.|[^<>\\\r\n]){{0,{_LONGEST}}}+)>|(?P<plain>{_PLAIN}))"
_INLINE = regex(rf"\(\s{{0,99}}+(?:{_DESTINATION}(?:\s{{1,99}}+(?P<title>{_TITLE}))?)?\s{{0,99}}+\)")
_LABEL = regex(r"\[(?P<label>(?:\\.|[^\[\]\\]){0,999}+)\]")
_DEFINITION = regex(
    rf"(?:\A|(?<=[\r\n]))[ ]{{0,12}}\[(?P<label>(?!\^)(?:\\.|[^\[\]\\\r\n]){{1,999}}+)\]:[ \t]*+(?:\r\n|\r|\n)?[ \t]*+"
    rf"{_DESTINATION}(?:[ \t]++(?P<title>{_TITLE}))?[ \t]*+(?=[\r\n]|\Z)"
)
_WIKI = regex(
    r"\[\[(?P<name>(?![ \t!-])[^\[\]\r\n|#`]{0,300}+(?<![ \t]))(?P<anchor>\#[^\[\]\r\n|]{0,300}+)?"
    r"(?:\|(?P<words>[^\[\]\r\n]{1,300}+))?\]\](?!\()"
)
_ADDRESS = regex(rf"<(?P<target>[A-Za-z][A-Za-z0-9+.-]{{1,31}}:[^\s<>]{{0,{_LONGEST}}}+)>")
_TAG = regex(
    rf"<(?P<tag>a|img)\b[^<>{FILL}]{{0,400}}?\b(?:href|src)=(?P<quote>[\"'])(?P<target>[^\"'<>\r\n]{{1,{_LONGEST}}}+)(?P=quote)",
    re.IGNORECASE,
)
_BARE = regex(rf"https?://[^\s<>\[\]{FILL}`\"]{{1,{_LONGEST}}}+", re.IGNORECASE)
_TOKEN = regex(r"\\[^\w\s]|!?\[|\]|<(?=[A-Za-z])|(?<![\w/])https?://", re.IGNORECASE)
_TICKS = regex(r"`+")
_ENTITY = regex(ENTITY)
_ESCAPED = regex(r"\\([!-/:-@\[-`{-~])")
_BLANKS = regex(r"\s+")
_SCHEME = regex(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_OPEN_END = "?!.,:;*_~'\""


class LinkForm(enum.Enum):
    """How a link is written. EMBED: a wiki link that shows what it leads to. HTML: ``<a href>`` and ``<img src>``."""

    INLINE = enum.auto()
    REFERENCE = enum.auto()
    ADDRESS = enum.auto()
    BARE = enum.auto()
    IMAGE = enum.auto()
    WIKI = enum.auto()
    EMBED = enum.auto()
    HTML = enum.auto()


WIKIS = frozenset({LinkForm.WIKI, LinkForm.EMBED})


@dataclass(frozen=True, slots=True)
class Link:
    """One link. *span*: all of it. *words*: what a person reads, as written; *words_span*: where.

    *target*: what it leads to, without angle brackets and escapes; *target_span*: where that is written, or for a
    reference the name of its definition. *is_image*: it shows something, and leads nowhere.
    """

    form: LinkForm
    span: Span
    words: str
    words_span: Span
    target: str
    target_span: Span
    title: str = ""
    is_image: bool = False

    @property
    def is_web(self) -> bool:
        """True for what begins with a scheme (``https:``, ``mailto:``) or a host."""
        return self.form is not LinkForm.WIKI and is_web_target(self.target)

    @property
    def path(self) -> str:
        """The path of the file it leads to, decoded; empty where it stays in its own file, or leads to the web."""
        if self.is_web:
            return ""
        path = self.target.partition("#")[0]
        return path if self.form in WIKIS else unquote(path.partition("?")[0])

    @property
    def anchor(self) -> str:
        """What stands behind ``#``, decoded."""
        return unquote(self.target.partition("#")[2])

    @property
    def is_reference(self) -> bool:
        """True where a definition says what it leads to."""
        return self.form is LinkForm.REFERENCE

    def shifted(self, by: int) -> Link:
        """The same link, *by* code points further on."""
        words, target = self.words_span.shifted(by), self.target_span.shifted(by)
        return replace(self, span=self.span.shifted(by), words_span=words, target_span=target)


@dataclass(frozen=True, slots=True)
class Definition:
    """``[label]: target "title"``. *span*: all of it."""

    label: str
    target: str
    target_span: Span
    title: str
    span: Span


Definitions = Mapping[str, Definition]
"""By normalised label; of several with one label, the first."""

NO_DEFINITIONS: Definitions = MappingProxyType({})


def definitions_in(text: str) -> tuple[Definition, ...]:
    """The definitions in *text*, in its order; none in comments."""
    if "]:" not in text:
        return ()
    masked = _without_comments(text)
    return tuple(
        Definition(_label(found["label"]), *_destination(text, found), _title(found), Span(*found.span()))
        for found in _DEFINITION.finditer(masked)
    )


def links_in(text: str, definitions: Definitions = NO_DEFINITIONS) -> tuple[Link, ...]:
    """The links in *text*, a paragraph or the words of one step, in its order; none in code and comments."""
    if not may_hold_links(text):
        return ()
    return tuple(sorted(_Links(text, definitions).all(), key=_start))


def may_hold_links(text: str) -> bool:
    """False where it is certain that *text* holds neither a link nor a definition."""
    return "[" in text or "://" in text or "<" in text


def _start(link: Link) -> int:
    return link.span.start


@dataclass(slots=True)
class _Opening:
    at: int
    is_image: bool


@dataclass(slots=True)
class _Links:
    """One pass over *text*. Openings below *closed* begin no link any more: a link holds no other."""

    text: str
    definitions: Definitions
    open: list[_Opening] = field(default_factory=list)
    closed: int = 0
    found: list[Link] = field(default_factory=list)

    def all(self) -> list[Link]:
        """All links."""
        masked = masked_code(self.text)
        at = 0
        while (token := _TOKEN.search(masked, at)) is not None:
            at = self._take(masked, token)
        return self.found

    def _take(self, masked: str, token: re.Match[str]) -> int:
        """Where to go on behind *token*."""
        written = token[0]
        if written == "]":
            return self._close(masked, token.start())
        if written in {"[", "!["}:
            wiki = _WIKI.match(masked, token.end() - 1)
            if wiki is not None and (wiki["name"] or wiki["anchor"]):
                return self._add_wiki(wiki, token.start())
            self.open.append(_Opening(token.start(), written == "!["))
        elif written == "<":
            return self._angled(masked, token.start())
        elif not written.startswith("\\"):
            return self._add_bare(masked, token.start())
        return token.end()

    def _add_wiki(self, wiki: re.Match[str], start: int) -> int:
        is_embed = start < wiki.start()
        part = "words" if wiki["words"] else "name" if wiki["name"] else "anchor"
        target = Span(wiki.start("name"), wiki.end("anchor") if wiki["anchor"] else wiki.end("name"))
        form = LinkForm.EMBED if is_embed else LinkForm.WIKI
        whole, words = Span(start, wiki.end()), Span(*wiki.span(part))
        self.found.append(Link(form, whole, wiki[part], words, target.of(self.text), target, "", is_embed))
        return wiki.end()

    def _angled(self, masked: str, start: int) -> int:
        address = _ADDRESS.match(masked, start)
        found = address or _TAG.match(masked, start)
        if found is None:
            return start + 1
        inner = Span(*found.span("target"))
        is_image = address is None and found["tag"].lower() == "img"
        form = LinkForm.ADDRESS if address else LinkForm.HTML
        target = unescaped(found["target"])
        self.found.append(Link(form, Span(*found.span()), found["target"], inner, target, inner, "", is_image))
        return found.end()

    def _add_bare(self, masked: str, start: int) -> int:
        found = _BARE.match(masked, start)
        if found is None:
            return start + 1
        span = Span(start, start + len(_trimmed(found[0])))
        words = span.of(self.text)
        self.found.append(Link(LinkForm.BARE, span, words, span, words, span))
        return max(span.end, start + 1)

    def _close(self, masked: str, at: int) -> int:
        """The link that the bracket at *at* ends, where it ends one."""
        if not self.open:
            return at + 1
        opening = self.open.pop()
        is_dead = not opening.is_image and len(self.open) < self.closed
        self.closed = min(self.closed, len(self.open))
        link, end = (None, at + 1) if is_dead else self._link(masked, opening, at)
        if link is None:
            return at + 1
        while self.found and self.found[-1].span.start > opening.at and (link.is_image or not self.found[-1].is_image):
            self.found.pop()
        self.found.append(link)
        if not opening.is_image:
            self.closed = len(self.open)
        return end

    def _link(self, masked: str, opening: _Opening, at: int) -> tuple[Link | None, int]:
        words = Span(opening.at + 1 + opening.is_image, at)
        inline = _INLINE.match(masked, at + 1)
        if inline is not None:
            form = LinkForm.IMAGE if opening.is_image else LinkForm.INLINE
            whole, (target, place) = Span(opening.at, inline.end()), _destination(self.text, inline)
            link = Link(form, whole, words.of(self.text), words, target, place, _title(inline), opening.is_image)
            return link, inline.end()
        label = _LABEL.match(masked, at + 1) if self.definitions else None
        end = label.end() if label else at + 1
        name = (label["label"] if label else "") or words.of(self.text)
        known = self.definitions.get(_label(name)) if len(name) < 1000 else None
        if known is None:
            return None, end
        whole = Span(opening.at, end)
        place = Span(*label.span("label")) if label and label["label"] else words
        form, written, title = LinkForm.REFERENCE, words.of(self.text), known.title
        return Link(form, whole, written, words, known.target, place, title, opening.is_image), end


def is_web_target(target: str) -> bool:
    """True where *target* begins with a scheme or a host."""
    return _SCHEME.match(target) is not None


def unescaped(text: str) -> str:
    """*text* with what ``&amp;`` and its like stand for."""
    return _ENTITY.sub(lambda found: character(found[0]), text) if "&" in text else text


def _destination(text: str, found: re.Match[str]) -> tuple[str, Span]:
    part = "angled" if found["angled"] is not None else "plain"
    place = Span(*found.span(part)) if found[part] is not None else Span(found.start() + 1, found.start() + 1)
    return unescaped(_ESCAPED.sub(r"\1", place.of(text))), place


def _title(found: re.Match[str]) -> str:
    return _ESCAPED.sub(r"\1", found["title"][1:-1]) if found["title"] else ""


def _label(written: str) -> str:
    return _BLANKS.sub(" ", written).strip().casefold()


def _trimmed(address: str) -> str:
    """*address* without the signs at its end that belong to the sentence, and closing brackets that it did not open."""
    extra = address.count(")") - address.count("(")
    end = len(address)
    while end:
        if address[end - 1] == ")" and extra > 0:
            extra -= 1
        elif address[end - 1] not in _OPEN_END:
            break
        end -= 1
    return address[:end]


def masked_code(text: str) -> str:
    """*text*, of the same length, with code in backticks, comments and definitions filled up."""
    masked = _without_comments(text)
    if "]:" in masked:
        masked = _DEFINITION.sub(_filled, masked)
    if "`" not in masked:
        return masked
    parts: list[str] = []
    done = 0
    for start, end in _code_spans(masked):
        parts += (masked[done:start], FILL * (end - start))
        done = end
    return "".join((*parts, masked[done:]))


def _code_spans(text: str) -> Iterator[tuple[int, int]]:
    """From the first to behind the last backtick of each stretch of code: as many on one side as on the other."""
    runs = [(found.start(), found.end()) for found in _TICKS.finditer(text)]
    nexts: dict[int, int] = {}
    partner = [-1] * len(runs)
    for index in range(len(runs) - 1, -1, -1):
        length = runs[index][1] - runs[index][0]
        partner[index] = nexts.get(length, -1)
        nexts[length] = index
    index = 0
    while index < len(runs):
        start, close = runs[index][0], partner[index]
        if start and text[start - 1] == "\\":
            close = -1
        if close >= 0:
            yield start, runs[close][1]
        index = max(index, close) + 1


def _without_comments(text: str) -> str:
    end = text.rfind("-->") + 3
    return COMMENT.sub(_filled, text[:end]) + text[end:] if end > 2 and "<!--" in text else text


def _filled(found: re.Match[str]) -> str:
    return FILL * len(found[0])
