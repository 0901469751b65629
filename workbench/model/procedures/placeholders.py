"""What a procedure leaves open: ``<instance-id>``, ``${CASE_ID}``, ``{{ host }}``, ``[YOUR_NAME]``, and its inputs.

A run asks for the values once, at the start, and puts them in where they stand. Each can be left empty: then it stays
as it is written. What is secret by its name is never asked for, because a journal keeps what was answered. Inputs are
also declared in a chapter such as *Inputs* or *Parameters*: one list item each.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.model.markdown.lowering import item_text
from workbench.model.procedures.placeholder_forms import (
    NAMES_OF_OUTPUT,
    NOT_IN_PROSE,
    PLAIN_TEXT,
    SET_IN_SHELL,
    SHELLS,
    TAGS,
    TEMPLATE_WORDS,
    WELL_KNOWN,
    canonical,
)
from workbench.model.program import StepId
from workbench.model.queries import Queries
from workbench.regex import regex
from workbench.secrets import is_secret_name
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.text import Span

_FORMS = regex(
    r"(?<![A-Za-z0-9<])<(?P<angle>[A-Za-z][A-Za-z0-9]+(?:[ _-][A-Za-z0-9]+){0,5})>(?![a-z0-9])"
    r"|\$\{(?P<braced>[A-Za-z]\w*)\}"
    r"|(?<![\w$\\])\$(?P<bare>[A-Z][A-Z0-9_]+)\b"
    r"|(?<![{$])\{\{[ \t]*(?P<double>[A-Za-z][\w-]*)[ \t]*\}\}(?!\})"
    r"|(?<![{$\w])\{(?P<single>[A-Za-z][\w-]*)\}(?!\})"
    r"|(?<![!\]\w\\])\[(?P<square>[A-Z]+(?:[_ ][A-Z0-9]+)+|(?:your|YOUR|Your|insert|Insert)[ _-][\w -]{1,40})\]"
    r"(?![(\[:])"
)
_FENCE = regex(r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\r\n]*$", re.MULTILINE)
_COMMENT = regex(r"<!--.*?-->", re.DOTALL)
_CLOSING = regex(r"</([A-Za-z][\w-]*)[ \t]*>")
_CONTROL = regex(r"[\x00-\x1f\x7f\u0085\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class PlaceholderUse:
    """One place where a value is left open. *chapter*: its title. *step*: None where it stands in none."""

    written: str
    span: Span
    chapter: str
    step: StepId | None
    is_in_fence: bool


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A value that a procedure leaves open.

    *name*: the same for every way to write it (``instance_id``). *title*: as a person reads it. *default*: what it is
    where nobody says anything. *uses*: none where it is only declared, as an input with a *description*.
    """

    name: str
    title: str
    uses: tuple[PlaceholderUse, ...] = ()
    description: str = ""
    is_required: bool = False
    default: str = ""
    is_declared: bool = False


@dataclass(frozen=True, slots=True)
class _Fence:
    """A fence with the text *inside* it."""

    inside: Span
    language: str


@dataclass(frozen=True, slots=True)
class _Found:
    name: str
    title: str
    form: str
    span: Span


def placeholders_of(document: Queries) -> tuple[Placeholder, ...]:
    """What the procedure in *document* leaves open, in the order of the text; declared inputs first."""
    declared = {each.name: each for each in declared_inputs(document)}
    uses: dict[str, list[PlaceholderUse]] = {name: [] for name in declared}
    titles = {name: each.title for name, each in declared.items()}
    reading = _Reading(document.text, frozenset(declared))
    for found in reading.all():
        if found.name in declared or reading.is_asked(found):
            titles.setdefault(found.name, found.title)
            uses.setdefault(found.name, []).append(_use(document, found, reading))
    return tuple(_placeholder(name, titles[name], tuple(uses[name]), declared.get(name)) for name in uses)


def _placeholder(name: str, title: str, uses: tuple[PlaceholderUse, ...], declared: Declared | None) -> Placeholder:
    plain = Placeholder(name, title, uses)
    if declared is None:
        return plain
    return replace(
        plain,
        description=declared.description,
        is_required=declared.is_required,
        default=declared.default,
        is_declared=True,
    )


def _use(document: Queries, found: _Found, reading: _Reading) -> PlaceholderUse:
    placed = document.placed_at_block(document.block_index_at(found.span.start))
    chapter = placed.playbook.title if placed is not None else ""
    is_in_fence = reading.fence_at(found.span.start) is not None
    return PlaceholderUse(
        found.span.of(document.text), found.span, chapter, document.step_at(found.span.start), is_in_fence
    )


def filled_in(text: str, values: Mapping[str, str], language: str | None = None) -> str:
    """*text* with *values*, by name, in the places that are left open; an empty one stays as it is written.

    *language*: of the fence that *text* is the inside of; None: it is prose, perhaps with fences of its own.
    """
    known = {name: value for name, value in values.items() if value}
    if not known:
        return text
    pieces, end = [], 0
    for found in _Reading(text, frozenset(known), language).all():
        if found.name in known:
            pieces += [text[end : found.span.start], known[found.name]]
            end = found.span.end
    return "".join((*pieces, text[end:]))


def with_defaults(placeholders: Sequence[Placeholder], given: Mapping[str, str]) -> dict[str, str]:
    """The values of *placeholders*: those that are *given*, else the defaults, in which others may stand."""
    values = {each.name: given.get(each.name, each.default) for each in placeholders}
    values |= {name: value for name, value in given.items() if name not in values}
    return {name: value if name in given else filled_in(value, {**values, name: ""}) for name, value in values.items()}


def is_usable(value: str) -> bool:
    """False where *value* holds a line end or another character that would change what a command does unseen."""
    return _CONTROL.search(value) is None


class _Reading:
    """A text, with what it says of the places in it. *declared*: names that are open however they are written."""

    def __init__(self, text: str, declared: frozenset[str], language: str | None = None) -> None:
        self.text = text
        self._declared = declared
        whole = _Fence(Span(0, len(text)), language) if language is not None else None
        self._fences = (whole,) if whole is not None else tuple(_fences(text))
        self._starts = [fence.inside.start for fence in self._fences]
        self._closed = frozenset(_CLOSING.findall(text)) if "</" in text else frozenset()
        self._comments = [match.span() for match in _COMMENT.finditer(text)] if "<!--" in text else []
        self._set = {
            match[match.lastgroup or 0]
            for fence in self._fences
            if fence.language in SHELLS
            for match in SET_IN_SHELL.finditer(fence.inside.of(text))
        }
        self._is_declaring = any(f"${{{name.upper()}}}" in text for name in declared)

    def all(self) -> Iterator[_Found]:
        """Everything that is left open, in order."""
        for match in _FORMS.finditer(self.text):
            form = match.lastgroup or ""
            title = match[form]
            found = _Found(canonical(title), title, form, Span(*match.span()))
            if not self._is_commented(found.span.start) and _RULES[form](self, found):
                yield found

    def is_asked(self, found: _Found) -> bool:
        """Whether a run asks for what is not declared: not for secrets, nor for what its steps find out.

        Where a text declares inputs as ``${CASE_ID}``, others of that form in its prose are results of its steps.
        """
        if found.form == "single" or is_secret_name(found.title.replace(" ", "_").replace("-", "_")):
            return False
        is_prose = self.fence_at(found.span.start) is None
        return not (found.form == "braced" and is_prose and self._is_declaring)

    def fence_at(self, offset: int) -> _Fence | None:
        """The fence that *offset* is in."""
        index = bisect_right(self._starts, offset) - 1
        fence = self._fences[index] if index >= 0 else None
        return fence if fence is not None and offset < fence.inside.end else None

    def _is_commented(self, offset: int) -> bool:
        return any(start <= offset < end for start, end in self._comments)

    def _is_code(self, offset: int) -> bool:
        """Whether back-ticks stand around *offset*."""
        return self.text.count("`", self.text.rfind("\n", 0, offset) + 1, offset) % 2 == 1

    def is_angle(self, found: _Found) -> bool:
        """Whether words in angle brackets are no tag, no type, and nothing that a program prints."""
        first, fence = found.title.partition(" ")[0], self.fence_at(found.span.start)
        if first in self._closed or found.title.lower() in NAMES_OF_OUTPUT:
            return False
        if fence is not None:
            return fence.language in PLAIN_TEXT
        is_command = self._is_code(found.span.start) and not self._is_alone(found.span)
        return first.lower() not in (TAGS if is_command else NOT_IN_PROSE)

    def _is_alone(self, span: Span) -> bool:
        """Whether nothing else stands between the back-ticks around *span*: then it is spoken of."""
        return self.text[span.start - 1 : span.start] == "`" == self.text[span.end : span.end + 1]

    def is_braced(self, found: _Found) -> bool:
        """Whether a variable of a shell is one that nobody sets."""
        fence = self.fence_at(found.span.start)
        is_read = fence is None or fence.language in PLAIN_TEXT
        if found.title in self._set or not is_read:
            return False
        if found.name in self._declared:
            return True
        return not WELL_KNOWN.fullmatch(found.title) and (fence is None or found.title.isupper())

    def is_bare(self, found: _Found) -> bool:
        """``$NAME`` means something in a shell only."""
        fence = self.fence_at(found.span.start)
        is_shell = (fence is not None and fence.language in SHELLS) or (
            fence is None and self._is_code(found.span.start)
        )
        return is_shell and self.is_braced(found)

    def is_double(self, found: _Found) -> bool:
        """Whether two braces hold a name, and no word of a template language."""
        return found.title.lower() not in TEMPLATE_WORDS

    def is_single(self, found: _Found) -> bool:
        """One brace is too common to mean anything but what is declared."""
        return found.name in self._declared

    def is_square(self, found: _Found) -> bool:
        """Whether brackets stand in plain text."""
        fence = self.fence_at(found.span.start)
        is_reference = f"[{found.title}]:" in self.text
        return not is_reference and (fence is None or fence.language in PLAIN_TEXT)


_RULES: dict[str, Callable[[_Reading, _Found], bool]] = {
    "angle": _Reading.is_angle,
    "braced": _Reading.is_braced,
    "bare": _Reading.is_bare,
    "double": _Reading.is_double,
    "single": _Reading.is_single,
    "square": _Reading.is_square,
}


def _fences(text: str) -> Iterator[_Fence]:
    """The fences of *text*; one that is never closed is none."""
    opening: re.Match[str] | None = None
    for mark in _FENCE.finditer(text):
        if opening is None:
            opening = mark
        elif mark[1].startswith(opening[1]) and not mark[2]:
            yield _Fence(Span(opening.end(), mark.start()), opening[2].lower())
            opening = None


_CHAPTERS = regex(
    r"(?:\W*\d[\d.]*[.)]?\s*)?(?:(?:required|optional|run(?:time)?|user|key|sop|workflow)\s+)*"
    r"(?:inputs?|parameters?|arguments?|variables?|placeholders?|eingaben?|parameter|paramètres|parámetros|entradas)"
    r"(?:\s+(?:required|needed|variables?|parameters?))?\W*",
    re.IGNORECASE,
)
_ITEM = regex(
    r"[*_]?(?:\((?P<before>required|optional)[^)]*\)[ \t]*)?"
    r"(?:\*\*(?P<bold>[^*\n]{1,60}?):?\*\*|`(?P<code>[^`\n]{1,60})`"
    r"|(?P<plain>[A-Za-z][\w-]{1,40}(?=[ \t]*[:(]|[ \t]+[–—-][ \t])))"
    r"[ \t]*(?:\((?P<how>[^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\))?[ \t]*(?:[:–—-]|$)?[ \t]*(?P<about>.*)",
    re.IGNORECASE | re.DOTALL,
)
_MARKS = regex(r"^[`<\[{$]+|[`>\]}]+$")
_NAME = regex(r"[A-Za-z][\w-]*(?:[ _-][\w-]+){0,4}")
_DEFAULT = regex(
    r"\bdefaults?(?:[ \t]+value)?(?:[ \t]*[:=]|[ \t]+(?:to|is))[ \t]*"
    r"(?P<value>`[^`]*`|\"[^\"]*\"|'[^']*'|“[^”]*”|[^\s,;()]+(?=[,;)]|$))",
    re.IGNORECASE,
)
_QUOTES = "`\"'“”"


@dataclass(frozen=True, slots=True)
class Declared:
    """An input. *title*: as written, without marks around it. *default*: empty where none is said."""

    name: str
    title: str
    description: str
    is_required: bool
    default: str


def declared_inputs(document: Queries) -> tuple[Declared, ...]:
    """The inputs that *document* declares, in order; each once, and none that is secret by its name."""
    found: dict[str, Declared] = {}
    for block in _items(document.blocks):
        item = block.item
        assert item is not None
        declared = declared_in(item_text(block, item))
        if declared is not None and not is_secret_name(declared.name):
            found.setdefault(declared.name, declared)
    return tuple(found.values())


def _items(blocks: Iterable[Block]) -> Iterator[Block]:
    """The list items directly below a heading that says that there are inputs; up to text that begins another list."""
    is_inside = False
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            is_inside = _CHAPTERS.fullmatch(block.title.strip("*_` ")) is not None
        elif is_inside and block.kind is BlockKind.ITEM:
            yield block


def declared_in(text: str) -> Declared | None:
    """The input that the list item *text* declares: ``**desk** (required): which desk``; None where it is prose."""
    match = _ITEM.match(text)
    if match is None:
        return None
    title = _MARKS.sub("", (match["bold"] or match["code"] or match["plain"]).strip("` ")).strip()
    if not _NAME.fullmatch(title):
        return None
    how, about = (match["how"] or "").strip(), match["about"].strip().rstrip("*_").strip()
    said = f"{match['before'] or ''} {how}".lower()
    is_about = not match["how"] or "required" in said or "optional" in said or "default" in said
    default = _DEFAULT.search(how) or _DEFAULT.search(about)
    return Declared(
        canonical(title),
        title,
        about if is_about else f"({how}) {about}".strip(),
        "required" in said and "optional" not in said and "not required" not in said,
        default["value"].strip(_QUOTES) if default is not None else "",
    )
