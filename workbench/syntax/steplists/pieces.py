"""A step list cut by its lines alone: fast, and right wherever every piece can be read by itself.

An element is a run of lines that begins with a dash (in JSON with a brace) in the column of
the list. Such a cut is wrong only where quotes or brackets go on over lines that look like
this; then a piece cannot be read by itself, and ``scan`` reads the text as a whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from workbench.regex import regex
from workbench.syntax.text import Span

_END = r"(?:\r\n|\r|\n|\Z)"
_RUN = rf"(?P<quote>[\"']?)(?P<key>steps|step_groups)(?P=quote)[ \t]*:[ \t]*(?:#[^\r\n]*)?{_END}"
_FIRST = regex(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))*(?P<indent> *)-(?=[ \t\r\n]|\Z)")
_JSON_RUN = r'[ \t]*"(?P<key>steps|step_groups)"[ \t]*:[ \t]*\[[ \t]*(?:\r\n|\r|\n)'
_JSON_FIRST = regex(r"(?:[ \t]*(?:\r\n|\r|\n))*(?P<indent>[ \t]*)\{")
_LINE = regex(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


@dataclass(frozen=True, slots=True)
class Run:
    """One list of elements. *at*: where its key stands. *elements*: owned spans, in order. *indent*: of its dashes."""

    key: str
    at: int
    elements: tuple[Span, ...]
    indent: str


def yaml_runs(text: str) -> list[Run]:
    """The lists under ``steps`` and ``step_groups`` in the first column."""
    runs: list[Run] = []
    at = 0
    while (key := _search(_RUN, text, at)) is not None:
        first = _FIRST.match(text, key.end())
        at = key.end()
        if first is None:
            continue
        indent = first["indent"]
        end = _yaml_end(text, first.end(), len(indent))
        starts = _starts(text, rf" {{{len(indent)}}}-(?=[ \t\r\n]|\Z)", Span(first.start("indent"), end))
        runs.append(Run(key["key"], key.start("line"), _owned(text, key.end(), starts, end, len(indent)), indent))
        at = end
    return runs


def json_runs(text: str) -> list[Run]:
    """The lists of objects that begin on lines of their own, all in one column."""
    runs: list[Run] = []
    at = 0
    while (key := _search(_JSON_RUN, text, at)) is not None:
        at = key.end()
        first = _JSON_FIRST.match(text, at)
        if first is None:
            continue
        indent = first["indent"]
        end = _json_end(text, first.end(), indent)
        starts = _starts(text, rf"{re.escape(indent)}\{{", Span(first.start("indent"), end))
        elements = [Span(start, stop) for start, stop in zip(starts, [*starts[1:], end], strict=True)]
        runs.append(Run(key["key"], key.start("line"), tuple(_trimmed(text, one) for one in elements), indent))
        at = end
    return runs


def _starts(text: str, pattern: str, within: Span) -> list[int]:
    """Where the lines begin inside *within* that *pattern* matches."""
    first = [within.start] if _compiled(pattern).match(text, within.start, within.end) else []
    found = _lines_like(pattern, text).finditer(text, within.start, within.end)
    return first + [match.start("line") for match in found]


def _search(pattern: str, text: str, at: int) -> re.Match[str] | None:
    """The first line at or behind *at*, which is where a line begins, that *pattern* matches."""
    return _compiled(rf"(?P<line>){pattern}").match(text, at) or _lines_like(pattern, text).search(text, at)


def _lines_like(pattern: str, text: str) -> re.Pattern[str]:
    """*pattern* at the beginning of a line: behind a letter that can be looked for fast, in all but very old files."""
    has_lone_returns = text.count("\r") != text.count("\r\n")
    return _compiled((r"(?:\n|\r(?!\n))" if has_lone_returns else r"\n") + rf"(?P<line>){pattern}")


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _yaml_end(text: str, at: int, indent: int) -> int:
    """Where the first line begins that cannot belong to a list whose dashes stand *indent* blanks deep."""
    less = rf"| {{0,{indent - 1}}}-" if indent else ""
    pattern = rf"(?: {{0,{indent}}}(?=[^\s#-]){less}| {{{indent}}}-(?![ \t\r\n]|\Z))"
    found = _lines_like(pattern, text).search(text, at)
    return found.start("line") if found else len(text)


def _json_end(text: str, at: int, indent: str) -> int:
    """The line of the bracket that closes the list: it stands less deep than its elements."""
    if not indent:
        return len(text)
    found = _lines_like(rf"[ \t]{{0,{len(indent) - 1}}}\]", text).search(text, at)
    return found.start("line") if found else len(text)


def _owned(text: str, floor: int, starts: list[int], end: int, indent: int) -> tuple[Span, ...]:
    """The elements at *starts* with the comments directly above them, without blank lines and comments behind."""
    found: list[Span] = []
    for start, stop in zip(starts, [*starts[1:], end], strict=True):
        above = found[-1].end if found else floor
        begin = _comments_above(text, start, above, indent)
        found.append(Span(begin, _without_tail(text, Span(start, stop), indent)))
    return tuple(found)


def _comments_above(text: str, start: int, floor: int, indent: int) -> int:
    gap = list(_LINE.finditer(text, floor, start))
    for line in reversed(gap):
        stripped = line[0].lstrip(" \t")
        if not stripped.startswith("#") or len(line[0]) - len(stripped) > indent:
            break
        start = line.start()
    return start


def _without_tail(text: str, element: Span, indent: int) -> int:
    """Where *element* ends: blank lines, and comments no deeper than the list, belong to nobody or to what follows."""
    end = element.end
    while end > element.start:
        start = _last_line(text, element.start, end)
        line = text[start:end]
        stripped = line.lstrip(" \t")
        is_comment = stripped.startswith("#") and len(line) - len(stripped) <= indent
        if (stripped.strip() and not is_comment) or start == element.start:
            break
        end = start
    return end


def _last_line(text: str, floor: int, end: int) -> int:
    """Where the line that ends at *end* begins."""
    inner = end - 1
    if text.startswith("\r\n", end - 2) and end - 2 >= floor:
        inner = end - 2
    return max(text.rfind("\n", floor, inner), text.rfind("\r", floor, inner), floor - 1) + 1


def _trimmed(text: str, element: Span) -> Span:
    """*element* without the blank lines at its end."""
    return Span(element.start, _without_tail(text, element, -1))
