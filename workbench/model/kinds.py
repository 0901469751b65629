"""What a file is: a program in the language, a procedure, a skill, a step list, a graph, another program's file.

Which of the first three a markdown text is, is decided here, by marks: what only an author of the language writes makes
a program; the keys of its front matter make a skill; all else is a procedure. It is asked at every keystroke, so what
the beginning of a text says is kept, and the rest is only searched for a few words.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from workbench.i18n import N_
from workbench.regex import regex
from workbench.syntax.heading_words import Sort, sort_of
from workbench.syntax.text import line_start

_BEGINNING = 16_384
_FRONT = regex(r"---[ \t]*(?:\r\n|\r|\n)(.*?)(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)", re.DOTALL)
_FRONT_KEY = regex(r"(?:\A|(?<=[\r\n]))([A-Za-z][\w-]*)[ \t]*:")
_FENCE_MARK = regex(r"(`{3,}|~{3,})([^\r\n]*)")
_MARKER_BEFORE = regex(r"(?:[-*+]|\d{1,9}[.)])[ \t]+\Z")
_HEADING = regex(r"(#{1,3})[ \t]+([^\r\n]*)")
_ANY_HEADING = regex(r"(?:\A|(?<=[\r\n]))(#{1,3})[ \t]")
_AGENT = regex(r"\S[ \t]*:[ \t]*(?:AI|Human|MCP)$")
_SIGNATURE = regex(
    r"(?:[^\r\n(]*\w\(\$[^)]*"
    r"|(?!(?:(?i:how|what|when|where|which|why|the|an?|about|\w+ing)[ ](?:[^\r\n(]*[ ])?)?[a-z]\w*\(\)$)"
    r"[^\W\d][\w ]*\([ \t]*)\)[ \t]*(?:->.*)?$"
)
"""``F($x)`` and ``F()``; but ``useThis()`` and ``When to use it()``, as manuals write the functions of a program."""
_CALLABLE = regex(r"Main|[A-Z][a-z0-9]*(?:[A-Z][a-z0-9]*)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
_TRIGGER = regex(r"triggers?[ \t]*:?", re.IGNORECASE)
_SECTION = regex(r"(?:trigger|step|note)s?[ \t]*:?", re.IGNORECASE)
_TRIGGERS = regex(r"\s*[-*+][ \t]+(?:T\d|\$|(?:after|at|before|every|if|once|on|when|whenever)\b)|\s*\Z", re.IGNORECASE)
_SETTING = regex(r"(?:\A|(?<=[\r\n]))[ \t]*execution_mode:")
_SETTINGS = regex(
    r"(?:\A|(?<=[\r\n]))\#{1,2}[ \t][^\r\n]*(?:\r\n|\r|\n)"
    r"(?:[a-z_]++:[^\r\n]*+(?>\r\n|\r|\n)(?:[ \t][^\r\n]*+(?>\r\n|\r|\n))*+)++---[ \t]*+(?=[\r\n])"
)
_INCLUSION = regex(r"(?:\A|(?<=[\r\n]))[ \t]*!import[ \t]+(?=[^\s#])[^\r\n]*")
_DECORATOR = regex(r"(?<=[\r\n])[ \t]*@playbook\b")
_OPENING = regex(
    r"(?:\A|(?<=[\r\n]))[ \t]*(?:[-*+][ \t]+)?[0-9T][0-9.T]*:(?:EXE|QUE|YLD|CND|JMP|RET|CHK|TNK|LOP|ELS|BGN)\b"
)
_VARIABLE = regex(r"\$([^\W\d]\w*)(?![\w$]|:\w)")
_BARE_DOLLAR = regex(r"[^\r\n]*\$(?![\w{(])")
_LIST_OR_HEADING = regex(r"[ \t]*(?:[-*+]|\d{1,9}[.)]|#{1,2})[ \t]")
_FAR_MARKS = ("\n### Triggers\n", "\n## Main\n", "\n@playbook\n")
_OF_SKILLS = frozenset(
    "name tools mode agent agents model applyTo allowed-tools argument-hint handoffs target license metadata".split()
)


class FileKind(enum.Enum):
    """What a file is: each kind has its own rules, palette and findings."""

    PROGRAM = "program"
    PROCEDURE = "procedure"
    SKILL = "skill"
    STEPLIST = "steplist"
    GRAPH = "graph"
    FOREIGN = "foreign"

    def __str__(self) -> str:
        """What a file of this kind is called."""
        return str(_WORDS[self])

    @property
    def is_markdown(self) -> bool:
        """True for headings, list items and prose."""
        return self in (FileKind.PROGRAM, FileKind.PROCEDURE, FileKind.SKILL)


_WORDS = {
    FileKind.PROGRAM: N_("playbook program"),
    FileKind.PROCEDURE: N_("procedure"),
    FileKind.SKILL: N_("skill"),
    FileKind.STEPLIST: N_("step list"),
    FileKind.GRAPH: N_("graph"),
    FileKind.FOREIGN: N_("other file"),
}


def kind_named(word: str) -> FileKind | None:
    """The kind that is written as *word* in settings, journals and options; None for any other word."""
    return next((kind for kind in FileKind if kind.value == word), None)


def kind_of_markdown(text: str) -> FileKind:
    """Which kind of markdown *text* is; cheap enough to be asked at every keystroke."""
    if mark_of_language(text):
        return FileKind.PROGRAM
    return FileKind.SKILL if is_front_of_skill(text[:_BEGINNING]) else FileKind.PROCEDURE


def mark_of_language(text: str) -> str:
    """The first thing in *text* that only an author of the language writes, as it is written; empty where none is."""
    found = _mark_in_beginning(text[:_BEGINNING], is_all=len(text) <= _BEGINNING)
    if found or len(text) <= _BEGINNING:
        return found
    return next((mark.strip() for mark in _FAR_MARKS if text.find(mark, _BEGINNING) >= 0), "")


@lru_cache(maxsize=8)
def _mark_in_beginning(text: str, *, is_all: bool) -> str:
    outside = _Outside.of(text, is_all=is_all)
    return _mark(outside) or ("" if is_front_of_skill(text) else _variable(outside))


def is_front_of_skill(text: str) -> bool:
    """True where *text* begins with metadata as skills, agents, instructions and prompts have it."""
    front = _FRONT.match(text.removeprefix("\ufeff"))
    keys = set(_FRONT_KEY.findall(front[1])) if front else set()
    if "applyTo" in keys or "allowed-tools" in keys or {"name", "tools"} <= keys:
        return True
    return "description" in keys and "title" not in keys and (bool(keys & _OF_SKILLS) or keys == {"description"})


@dataclass(frozen=True, slots=True)
class _Outside:
    """A text without front matter and fences, and the Python of its agents: what stands above their chapters."""

    text: str
    python: tuple[str, ...]

    @classmethod
    def of(cls, text: str, *, is_all: bool) -> _Outside:
        """What of *text* stands outside; *is_all* false: it goes on, so that a fence may be closed further down."""
        front = _FRONT.match(text)
        start, is_in_chapter = front.end() if front else 0, False
        pieces: list[str] = []
        python: list[str] = []
        for opening, closing in _fences(text, start):
            if closing is None:
                return cls("".join((*pieces, text[start:] if is_all else text[start : opening.start()])), tuple(python))
            pieces.append(text[start : opening.start()])
            if "#" in pieces[-1]:
                levels = [len(mark[1]) for mark in _ANY_HEADING.finditer(pieces[-1])]
                is_in_chapter = levels[-1] > 1 if levels else is_in_chapter
            if opening[2].strip() == "python" and not is_in_chapter:
                python.append(text[opening.end() : closing.start()])
            start = closing.end()
        return cls("".join((*pieces, text[start:])), tuple(python))


def _fences(text: str, start: int) -> Iterator[tuple[re.Match[str], re.Match[str] | None]]:
    """The first and the last line of each fence from *start* on; None for the last of one that is never closed."""
    opening: re.Match[str] | None = None
    for mark in _FENCE_MARK.finditer(text, start):
        if not _begins_line(text, mark.start()):
            continue
        if opening is None:
            opening = None if mark[1][0] == "`" and "`" in mark[2] else mark
        elif mark[1].startswith(opening[1]) and not mark[2].strip():
            yield opening, mark
            opening = None
    if opening is not None:
        yield opening, None


def _begins_line(text: str, at: int) -> bool:
    before = text[max(0, at - 64) : at]
    words = before.rstrip(" \t>")
    if words and words[-1] in "-*+.)":
        words = _MARKER_BEFORE.sub("", before).rstrip(" \t>")
    return not words or words[-1] in "\r\n"


def _mark(outside: _Outside) -> str:
    """What stands in *outside* that only the language has."""
    if any(_DECORATOR.search(code) for code in outside.python):
        return "@playbook"
    text = outside.text
    setting = _SETTING.search(text) if "execution_mode:" in text else None
    inclusion = _INCLUSION.search(text) if "!import" in text else None
    found = setting or inclusion or ((_OPENING.search(text) or _SETTINGS.search(text)) if ":" in text else None)
    return found[0].strip().splitlines()[0] if found else heading_of_language(text)


def heading_of_language(text: str) -> str:
    """The first heading in *text*, which is without fences, that says that the file is written in the language."""
    is_below = is_callable = False
    for heading in _HEADING.finditer(text):
        if heading.start() and text[heading.start() - 1] not in "\r\n":
            continue
        level, title = len(heading[1]), heading[2].rstrip(" \t#")
        if level == 1 and _AGENT.search(title):
            return heading[0].rstrip()
        if level == 2 and (title == "Main" or _SIGNATURE.match(title)):
            return heading[0].rstrip()
        if level == 3 and is_callable and _SECTION.fullmatch(title):
            return heading[0].rstrip()
        if level == 3 and is_below and _TRIGGER.fullmatch(title) and _TRIGGERS.match(text, heading.end()):
            return heading[0].rstrip()
        is_below = level == 2 or (level == 3 and is_below)
        is_callable = (level == 2 and _is_name(title)) or (level == 3 and is_callable)
    return ""


def _is_name(title: str) -> bool:
    """True for a heading that is a name: one word that chapters of procedures do not have, or several in one."""
    if _CALLABLE.fullmatch(title):
        return True
    return title.isidentifier() and sort_of(title) is Sort.NEUTRAL


def _variable(outside: _Outside) -> str:
    """The first variable that a list item or a heading names as the language does, and not as a shell does."""
    text = outside.text
    return next((mark[0] for mark in _VARIABLE.finditer(text) if _names_variable(text, mark)), "")


def _names_variable(text: str, mark: re.Match[str]) -> bool:
    if mark[1].isupper() and len(mark[1]) > 1:
        return False
    start = line_start(text, mark.start())
    before = text[start : mark.start()]
    is_in_code = before.count("`") % 2 == 1 or _BARE_DOLLAR.match(text, start) is not None
    return not is_in_code and not before[-1:].isalnum() and _LIST_OR_HEADING.match(before) is not None
