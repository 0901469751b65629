"""Whether a text is written as markdown, YAML or JSON.

All three can begin in the same way, so what follows is weighed. No parser is asked: a text that somebody is writing is
broken most of the time, and stays what it is.
"""

from __future__ import annotations

import re

from workbench.model.foreign.sketch import Line, lines_of, telling_lines
from workbench.model.kinds import heading_of_language, is_front_of_skill
from workbench.regex import regex
from workbench.syntax.text import LINE_START, LINE_STOP

_LOOK_AT = 8_192
_JSON = regex(
    r"[\ufeff\s]*(?:/\*(?:[^*]|\*(?!/))*\*/\s*|//[^\n]*\n\s*)*(?:\{\s*(?:\"|//|/\*|\}\s*\Z)"
    r"|\[\s*(?:\{\s*[\"}]|\[\s*[\[\"\d{]|\"(?:[^\"\\\n]|\\.)*\"\s*(?:,|\]\s*\Z)|-?\d[\d.]*\s*(?:,|\]\s*\Z)|\]\s*\Z))"
)
_HARD = regex(r"```|~~~|\d{1,9}[.)](?:[ \t]|$)|[*+][ \t]|>[ \t]|\||!\[|\[[^\]]*\]\(|<[A-Za-z!/]|\*\*|={3,}$|-{4,}$")
_LABEL = regex(r"[A-Z]")
_MADE = regex(r"[a-z][a-z0-9]*(?:[_-][A-Za-z0-9]+|[A-Z][A-Za-z0-9]*)+$|\$|\.")
_PROSE = regex(r"[^\"'\[{&*!|>]\S*(?:[ \t]+\S+){3}")
_WRITTEN = regex(r"[\"'\[{&*!|>](?!\*)|\d+$|(?:true|false|null)$")
_FENCE = regex(
    LINE_START + r"(```+|~~~+)[^\r\n]*(?:\r\n|\r|\n)(?:.*?(?<=[\r\n]))??\1[`~]*[ \t]*" + LINE_STOP, re.DOTALL
)
_HEADING = regex(LINE_START + r"(?:# [^\r\n]*|#{2,6}[ \t]+\S[^\r\n]*)(?:\r\n|\r|\n|\Z)(?=[ \t]*(?:[\r\n]|\Z))")
_SETTING = regex(
    LINE_START + r"(?:execution_mode:[ \t]*(?:react|raw|playbook)\b|remote:[ \t]*[\r\n]+[ \t]+type:[ \t]*mcp\b)"
)
"""What only playbooks say below a heading, however much of the rest has the look of YAML."""
_FRONT = regex(r"[\ufeff\s]*---[ \t]*(?:\r\n|\r|\n)")
_FRONT_END = regex(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:[\r\n]+|\Z)")
_OWN_WORDS = frozenset(
    "answers calls id name playbook_id step_groups steps tools version apiVersion hosts import_playbook include "
    "include_tasks import_tasks include_role import_role role jobs services groups nodes".split()
)
_OF_YAML = frozenset("apiVersion jobs playbook_id services step_groups steps".split())
_OF_FRONT = frozenset("name description title applyTo mode tools model license tags author date metadata".split())


def is_json(text: str) -> bool:
    """True where *text* begins as JSON does, and as markdown does not."""
    return _JSON.match(text) is not None


def is_yaml(text: str) -> bool:
    """True where *text* is rather YAML than markdown: keys and what they hold, and hardly a line that is neither."""
    start = text[:_LOOK_AT]
    if is_front_of_skill(start) or heading_of_language(start):
        return False
    if "## " in start and _SETTING.search(start):
        return False
    front = _FRONT.match(start)
    if front is None:
        return _is_rather_yaml(start)
    end = _FRONT_END.search(start, front.end())
    if end is None:
        return not _is_front(start[front.end() :]) and _is_rather_yaml(start)
    rest = start[end.end() :]
    if rest.strip():
        return _is_rather_yaml(rest) or (end[0].startswith(".") and _is_rather_yaml(start[: end.start()]))
    return bool(_OF_YAML & _keys(start[front.end() : end.start()])) and _is_rather_yaml(start[: end.start()])


def _is_front(text: str) -> bool:
    """True where all keys of *text* can be metadata of a markdown file that somebody begins."""
    keys = _keys(text)
    return not keys or (bool(keys & {"description", "name", "title"}) and keys <= _OF_FRONT)


def _keys(text: str) -> set[str]:
    """What stands at the margin of *text*: keys, and the marks of elements."""
    lines = [*lines_of(text)]
    margin = min((line.indent if line.dash is None else line.dash for line in lines), default=0)
    return {"-" if line.dash == margin else line.key for line in lines if margin in (line.indent, line.dash)}


def _is_rather_yaml(start: str) -> bool:
    first = next(telling_lines(start), None)
    if first is None or not first.key:
        return False
    weights = _Weights()
    shown = _FENCE.sub("```\n", start) if "```" in start or "~~~" in start else start
    for line in lines_of(shown):
        weights.take(line)
    headings = len(_HEADING.findall(start))
    return weights.yaml > weights.markdown + min(headings, 1 if weights.is_nested else 3)


class _Weights:
    """What speaks for YAML, and what for markdown, line by line."""

    def __init__(self) -> None:
        self.yaml = 0.0
        self.markdown = 0.0
        self.is_nested = False
        self._base = -1
        self._is_list = False
        self._takes = False
        self._can_hold = False
        self._waits = 0.0
        self._is_record = False

    def take(self, line: Line) -> None:
        """Weigh *line*."""
        if self._base < 0:
            self._base = line.indent if line.dash is None else line.dash
            self._is_list = line.dash is not None
        if line.dash is None and line.indent <= self._base:
            self._at_margin(line)
            return
        self.yaml += self._waits
        self._waits = 0.0
        if line.dash is not None and line.dash <= self._base:
            self._element(line)
        elif self._takes and line.key and not _LABEL.match(line.key):
            self.yaml += 1 + (self._is_record and line.dash is None)
            self._is_record = False
            self.is_nested = True
        elif self._takes and line.key:
            self.yaml += 0.5

    def _at_margin(self, line: Line) -> None:
        self._takes = bool(line.key)
        self._can_hold = bool(line.key) and not line.value
        if line.key:
            weight = self._weight(line)
            is_open = self._can_hold and line.key not in _OWN_WORDS
            self.yaml += self._waits + (0 if is_open else weight)
            self._waits = weight if is_open else 0.0
        elif line.text[0] not in "]}\"'":
            self.markdown += 2 if _HARD.match(line.text) else 1

    def _weight(self, line: Line) -> float:
        if line.key in _OWN_WORDS:
            return 3
        if _LABEL.match(line.key) or _PROSE.match(line.value):
            return 0.5 if line.value else 0
        return 2 if _MADE.search(line.key) or _WRITTEN.match(line.value) else 1

    def _element(self, line: Line) -> None:
        """Weigh an element of a list at the margin."""
        is_odd = not (self._is_list or self._can_hold)
        self._is_record = bool(line.key) and not _LABEL.match(line.key)
        self._takes = bool(line.key)
        if is_odd:
            self.markdown += 1
        elif line.key in _OWN_WORDS and line.key != "name":
            self.yaml += 1
        elif _WRITTEN.match(line.value):
            self.yaml += 0.5
        elif not line.key:
            self.markdown += 1 if self._is_list else 0.3 * (" " in line.value)
