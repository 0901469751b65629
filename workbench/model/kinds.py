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

from workbench.regex import regex
from workbench.syntax.heading_words import Sort, sort_of

_BEGINNING = 16_384
_FRONT = regex(r"---[ \t]*(?:\r\n|\r|\n)(.*?)(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)", re.DOTALL)
_FRONT_KEY = regex(r"(?:\A|(?<=[\r\n]))([A-Za-z][\w-]*)[ \t]*:")
_FENCE_MARK = regex(r"(`{3,}|~{3,})([^\r\n]*)")
_HEADING = regex(r"(#{1,3})[ \t]+([^\r\n]*)")
_AGENT = regex(r"\S[ \t]*:[ \t]*(?:AI|Human|MCP)$")
_SIGNATURE = regex(r"(?:[^\r\n(]*\w\(\$[^)]*|(?![a-z]\w*\(\)$)[^\W\d][\w ]*\([ \t]*)\)[ \t]*(?:->.*)?$")
"""``F($x)`` and ``F()``; but ``useThis()``, which is how manuals write the functions of a program."""
_CALLABLE = regex(r"Main|[A-Z][a-z0-9]*(?:[A-Z][a-z0-9]*)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
_TRIGGER = regex(r"triggers?[ \t]*:?", re.IGNORECASE)
_SECTION = regex(r"(?:trigger|step|note)s?[ \t]*:?", re.IGNORECASE)
_TRIGGERS = regex(r"\s*[-*+][ \t]+(?:T\d|\$|(?:after|at|before|every|if|once|on|when|whenever)\b)|\s*\Z", re.IGNORECASE)
_SETTING = regex(r"(?:\A|(?<=[\r\n]))[ \t]*execution_mode:")
_SETTINGS = regex(
    r"(?:\A|(?<=[\r\n]))\#{1,2}[ \t][^\r\n]*(?:\r\n|\r|\n)"
    r"(?:[a-z_]++:[^\r\n]*+(?>\r\n|\r|\n)(?:[ \t][^\r\n]*+(?>\r\n|\r|\n))*+)++---[ \t]*+(?=[\r\n])"
)
_DECORATOR = regex(r"(?<=[\r\n])[ \t]*@playbook\b")
_OPENING = regex(
    r"(?:\A|(?<=[\r\n]))[ \t]*(?:[-*+][ \t]+)?[0-9T][0-9.T]*:(?:EXE|QUE|YLD|CND|JMP|RET|CHK|TNK|LOP|ELS|BGN)\b"
)
_VARIABLE = regex(r"\$([^\W\d]\w*)(?![\w$]|:\w)")
_BARE_DOLLAR = regex(r"[^\r\n]*\$(?![\w{(])")
_LIST_OR_HEADING = regex(r"[ \t]*(?:[-*+]|\d{1,9}[.)]|#{1,3})[ \t]")
_FAR_MARKS = ("\n### Triggers", "\n## Main", "\n@playbook")
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

    @property
    def is_markdown(self) -> bool:
        """True for headings, list items and prose."""
        return self in (FileKind.PROGRAM, FileKind.PROCEDURE, FileKind.SKILL)


def kind_of_markdown(text: str) -> FileKind:
    """Which kind of markdown *text* is; cheap enough to be asked at every keystroke."""
    found = _kind_of_beginning(text[:_BEGINNING])
    is_long = found is not FileKind.PROGRAM and len(text) > _BEGINNING
    if is_long and any(text.find(mark, _BEGINNING) >= 0 for mark in _FAR_MARKS):
        return FileKind.PROGRAM
    return found


@lru_cache(maxsize=8)
def _kind_of_beginning(text: str) -> FileKind:
    is_skill = is_front_of_skill(text)
    outside = _Outside.of(text)
    if _has_marks(outside) or (not is_skill and _has_variables(outside)):
        return FileKind.PROGRAM
    return FileKind.SKILL if is_skill else FileKind.PROCEDURE


def is_front_of_skill(text: str) -> bool:
    """True where *text* begins with metadata as skills, agents, instructions and prompts have it."""
    front = _FRONT.match(text.removeprefix("\ufeff"))
    keys = set(_FRONT_KEY.findall(front[1])) if front else set()
    if "applyTo" in keys or "allowed-tools" in keys:
        return True
    return "description" in keys and "title" not in keys and (bool(keys & _OF_SKILLS) or keys == {"description"})


@dataclass(frozen=True, slots=True)
class _Outside:
    """A text without its fences: the pieces between them, and the Python in them."""

    pieces: tuple[str, ...]
    python: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> _Outside:
        front = _FRONT.match(text)  # what looks like a heading there is a comment
        pieces, python, start = [], [], front.end() if front else 0
        for opening, closing in _fences(text):
            pieces.append(text[start : max(start, opening.start())])
            if opening[2].strip() == "python":
                python.append(text[opening.end() : closing.start()])
            start = closing.end()
        return cls((*pieces, text[start:]), tuple(python))


def _fences(text: str) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """The first and the last line of each fence; one that is never closed is none."""
    opening: re.Match[str] | None = None
    for mark in _FENCE_MARK.finditer(text):
        if not _begins_line(text, mark.start()):
            continue
        if opening is None:
            opening = None if mark[1][0] == "`" and "`" in mark[2] else mark
        elif mark[1].startswith(opening[1]) and not mark[2].strip():
            yield opening, mark
            opening = None


def _begins_line(text: str, at: int) -> bool:
    before = text[max(0, at - 64) : at].rstrip(" \t>")
    return not before or before[-1] in "\r\n"


def _has_marks(outside: _Outside) -> bool:
    """True where something stands that only the language has."""
    if any(_DECORATOR.search(code) for code in outside.python):
        return True
    return any(
        ("execution_mode:" in piece and _SETTING.search(piece))
        or (":" in piece and (_OPENING.search(piece) or _SETTINGS.search(piece)))
        or has_headings_of_language(piece)
        for piece in outside.pieces
    )


def has_headings_of_language(piece: str) -> bool:
    """True where a heading in *piece*, a text without fences, says that the file is written in the language."""
    is_below = is_callable = False
    for heading in _HEADING.finditer(piece):
        if heading.start() and piece[heading.start() - 1] not in "\r\n":
            continue
        level, title = len(heading[1]), heading[2].rstrip(" \t#")
        if level == 1 and _AGENT.search(title):
            return True
        if level == 2 and (title == "Main" or _SIGNATURE.match(title)):
            return True
        if level == 3 and is_callable and _SECTION.fullmatch(title):
            return True
        if level == 3 and is_below and _TRIGGER.fullmatch(title) and _TRIGGERS.match(piece, heading.end()):
            return True
        is_below = level == 2 or (level == 3 and is_below)
        is_callable = (level == 2 and _is_name(title)) or (level == 3 and is_callable)
    return False


def _is_name(title: str) -> bool:
    """True for a heading that is a name: one word that chapters of procedures do not have, or several in one."""
    if _CALLABLE.fullmatch(title):
        return True
    return title.isidentifier() and sort_of(title) is Sort.NEUTRAL


def _has_variables(outside: _Outside) -> bool:
    """True where a list item or a heading names a variable as the language does, and not as a shell does."""
    return any(_names_variable(piece, mark) for piece in outside.pieces for mark in _VARIABLE.finditer(piece))


def _names_variable(piece: str, mark: re.Match[str]) -> bool:
    if mark[1].isupper() and len(mark[1]) > 1:
        return False
    start = max(piece.rfind("\n", 0, mark.start()), piece.rfind("\r", 0, mark.start())) + 1
    before = piece[start : mark.start()]
    is_in_code = before.count("`") % 2 == 1 or _BARE_DOLLAR.match(piece, start) is not None
    return not is_in_code and not before[-1:].isalnum() and _LIST_OR_HEADING.match(before) is not None
