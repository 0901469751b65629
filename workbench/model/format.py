"""Which kind of file a text is, by its content: its name is only a hint that people get wrong."""

from __future__ import annotations

import enum
from pathlib import Path

from workbench.i18n import _
from workbench.model.kinds import FileKind, is_front_of_skill
from workbench.regex import regex
from workbench.syntax.text import LINE_START, LINE_STOP

_ENDINGS = (".json", ".yaml", ".yml")
_LOOK_AT = 8192
_LOOK_FOR_KEYS = 65_536
_SECOND_LEVEL = regex(LINE_START + r"#{2,3}[ \t]+\S")
_YAML_KEY = regex(r"(?:\"[^\"\n]*\"|'[^'\n]*'|[A-Za-z_][\w-]*)[ \t]*:(?:[ \t]|$)|\? ")
_STEPS = regex(LINE_START + r"[ \t]*(?:\? )?([\"']?)(?:steps|step_groups)\1[ \t]*(?::|" + LINE_STOP + ")")
_ID = regex(LINE_START + r"([\"']?)(?:id|playbook_id)\1[ \t]*:")
_NAME = regex(LINE_START + r"([\"']?)(?:name|title)\1[ \t]*:")
_JSON_STEPS = regex(r'"(?:steps|step_groups)"\s*:')
_JSON_ID = regex(r'"(?:id|playbook_id)"\s*:')
_JSON_NAME = regex(r'"(?:name|title)"\s*:')
_GRAPH = regex(r"(?:\A|(?<=[\r\n{,]))[ \t]*([\"']?)version\1[ \t]*:[ \t]*([\"']?)playbook\.v2\2[ \t]*(?=[,}#\r\n]|\Z)")
_CLOSED_FRONT = regex(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*[\r\n]+[^\S\r\n]*[^\s]")
_HEADING = regex(LINE_START + r"#{1,3}[ \t]+\S")
_ANSIBLE = regex(rf"{LINE_START}(?:-[ \t]+(?:hosts|import_playbook):|[ \t]+(?:tasks|roles):[ \t]*{LINE_STOP})")
_FOREIGN_KEY = regex(r"(?:\"[^\"\n]*\"|'[^'\n]*'|[A-Za-z_][\w-]*):(?:[ \t]|$)")
_YAML_MARK = regex(rf"{LINE_START}(?:answers|calls|id|name|step_groups|steps|tools|version):(?:[ \t]|{LINE_STOP})")
_PUREBASIC = regex(LINE_START + r"(?:EnableExplicit|Procedure(?:\.\w+)?[ \t]|EndProcedure|Debug[ \t]|OpenConsole)")


class Notation(enum.Enum):
    """How a text is written, and with that: how it is cut into blocks."""

    MARKDOWN = enum.auto()
    YAML = enum.auto()
    JSON = enum.auto()


class TextFormat(enum.Enum):
    """How a text is read."""

    MARKDOWN = "markdown"
    STEPLIST = "steplist"
    STEPLIST_JSON = "steplist-json"
    GRAPH = "graph"
    GRAPH_JSON = "graph-json"

    @property
    def is_steplist(self) -> bool:
        """True for every kind of step list, graphs included."""
        return self is not TextFormat.MARKDOWN

    @property
    def is_json(self) -> bool:
        """True where it is written as JSON."""
        return self in (TextFormat.STEPLIST_JSON, TextFormat.GRAPH_JSON)

    @property
    def notation(self) -> Notation:
        """How it is written."""
        if self is TextFormat.MARKDOWN:
            return Notation.MARKDOWN
        return Notation.JSON if self.is_json else Notation.YAML

    @property
    def is_graph(self) -> bool:
        """True for ``version: playbook.v2``."""
        return self in (TextFormat.GRAPH, TextFormat.GRAPH_JSON)


def format_for(text: str, kind: FileKind) -> TextFormat:
    """How *text* is read as a file of *kind*."""
    if kind not in (FileKind.STEPLIST, FileKind.GRAPH):
        return TextFormat.MARKDOWN
    is_json = _first_line(text[:_LOOK_AT]).lstrip().startswith(("{", "["))
    if kind is FileKind.STEPLIST:
        return TextFormat.STEPLIST_JSON if is_json else TextFormat.STEPLIST
    return TextFormat.GRAPH_JSON if is_json else TextFormat.GRAPH


def is_named_steplist(path: Path) -> bool:
    """Whether *path* is called as step lists are."""
    return path.suffix.lower() in _ENDINGS


def detect_format(text: str) -> TextFormat:
    """How *text* is read; cheap enough to be asked at every keystroke."""
    if "\0" in text:
        return TextFormat.MARKDOWN
    start = text[:_LOOK_AT]
    first = _first_line(start)
    if first.lstrip().startswith("{"):
        return _json_format(text)
    if not _YAML_KEY.match(first.lstrip(" ")):
        return TextFormat.MARKDOWN
    looked_at = text[:_LOOK_FOR_KEYS]
    if _is_front_matter(start):
        return TextFormat.MARKDOWN
    has_names = _ID.search(start) is not None and _NAME.search(start) is not None
    if not _STEPS.search(looked_at) and not (has_names and not _SECOND_LEVEL.search(start)):
        return TextFormat.MARKDOWN
    return TextFormat.GRAPH if _GRAPH.search(start) else TextFormat.STEPLIST


def _json_format(text: str) -> TextFormat:
    looked_at = text[:_LOOK_FOR_KEYS]
    has_names = _JSON_ID.search(looked_at) is not None and _JSON_NAME.search(looked_at) is not None
    if not _JSON_STEPS.search(looked_at) and not has_names:
        return TextFormat.MARKDOWN
    return TextFormat.GRAPH_JSON if _GRAPH.search(looked_at) else TextFormat.STEPLIST_JSON


def _is_front_matter(start: str) -> bool:
    """True where the keys stand between ``---`` lines and something else follows: metadata of a markdown file."""
    if start.lstrip("\ufeff").startswith("---"):
        return _CLOSED_FRONT.search(start) is not None
    closed = _CLOSED_FRONT.search(start)
    return closed is not None and _SECOND_LEVEL.search(start, closed.start()) is not None


def _first_line(text: str) -> str:
    """The first line that is neither blank, a YAML comment nor a document mark."""
    for line in text.splitlines():
        stripped = line.strip()
        if stripped and not stripped.startswith(("#", "%")) and stripped != "---":
            return line
    return ""


def why_foreign(text: str) -> str:
    """A sentence on why *text*, which is no step list, is shown as plain text; empty where it is read as markdown."""
    if "\0" in text:
        return _("This file contains binary data. It is shown as it is and kept byte for byte.")
    start = text[:_LOOK_AT]
    if not start.strip():
        return ""
    first = _first_line(start)
    if first.startswith(("{", "[{")) and '"' in start:
        return _("This is JSON without steps, not a playbook. It is shown as plain text and kept byte for byte.")
    has_headings = _SECOND_LEVEL.search(start) is not None or is_front_of_skill(start)
    if not has_headings and _ANSIBLE.search(start):
        return _("This looks like an Ansible playbook, which is a different kind of file. It is shown as plain text.")
    if not has_headings and _FOREIGN_KEY.match(first) and _YAML_MARK.search(start):
        return _("This is YAML without steps, not a playbook. It is shown as plain text and kept byte for byte.")
    if not _HEADING.search(start) and _PUREBASIC.search(start):
        return _("This looks like PureBasic code, which also uses the extension .pb. It is shown as plain text.")
    return ""
