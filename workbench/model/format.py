"""Which kind of file a text is, by its content: its name is only a hint that people get wrong."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.i18n import _
from workbench.model.foreign.notation import is_json, is_yaml
from workbench.model.foreign.sketch import Sketch, sketch_of_json, sketch_of_yaml
from workbench.model.kinds import FileKind
from workbench.regex import regex
from workbench.syntax.text import LINE_START, LINE_STOP

if TYPE_CHECKING:
    from workbench.model.foreign.formats import ForeignFormat

_ENDINGS = (".json", ".yaml", ".yml")
_LOOK_AT = 65_536
_STEPS = regex(LINE_START + r"([\"']?)(?:steps|step_groups)\1[ \t]*(?::|" + LINE_STOP + ")")
_HEADING = regex(LINE_START + r"#{1,3}[ \t]+\S")
_PUREBASIC = regex(LINE_START + r"(?:EnableExplicit|Procedure(?:\.\w+)?[ \t]|EndProcedure|Debug[ \t]|OpenConsole)")
_LISTS = frozenset({"steps", "step_groups"})
_OF_LISTS = frozenset(
    "id name description version steps strict_sequence allow_extra_tools max_iterations metadata tags step_groups "
    "title playbook_id summary extras_may_run_ahead blocking_evidence locus_compat defaults".split()
)
_ONLY_OF_LISTS = frozenset(
    "strict_sequence allow_extra_tools max_iterations step_groups extras_may_run_ahead blocking_evidence".split()
)
_ONLY_OF_STEPS = frozenset("expected_tools hints max_tool_calls min_tool_calls required_probes retry_limit".split())
_OF_STEPS = _ONLY_OF_STEPS | {"id", "description", "required", "validation", "timeout_seconds", "metadata", "any_tool"}
_MOST_SLIPS = 1


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
    is_json = text[:_LOOK_AT].lstrip("\ufeff \t\r\n").startswith(("{", "["))
    if kind is FileKind.STEPLIST:
        return TextFormat.STEPLIST_JSON if is_json else TextFormat.STEPLIST
    return TextFormat.GRAPH_JSON if is_json else TextFormat.GRAPH


def is_named_steplist(path: Path) -> bool:
    """Whether *path* is called as step lists are."""
    return path.suffix.lower() in _ENDINGS


def detect_format(text: str) -> TextFormat:
    """How *text* is read; cheap enough to be asked at every keystroke."""
    return TextFormat.MARKDOWN if "\0" in text else _read(text[:_LOOK_AT]).form


def why_foreign(text: str) -> str:
    """A sentence on what *text* is, which is no playbook of ours; empty where it is one."""
    if "\0" in text:
        return _("This file contains binary data. It is shown as it is and kept byte for byte.")
    found = _read(text[:_LOOK_AT])
    if not found.notation or found.form.is_steplist:
        return ""
    if found.format is not None:
        message = _("This is {what}. It is shown as it is, read-only, and kept byte for byte.")
        return message.format(what=found.format.what)
    if found.notation == "PureBasic":
        return _("This looks like PureBasic code, which also uses the extension .pb. It is shown as plain text.")
    message = _("This is {format}, but no step list. It is shown as it is, read-only, and kept byte for byte.")
    return message.format(format=found.notation)


def foreign_format(text: str) -> ForeignFormat | None:
    """The format of another program that *text* has, where it is known by name."""
    return None if "\0" in text else _read(text[:_LOOK_AT]).format


def is_half_steplist(text: str) -> bool:
    """True where *text* is no step list, and all that it holds could stand in one: somebody began to write it."""
    found = _read(text[:_LOOK_AT])
    if found.format is not None or found.form.is_steplist or found.notation not in ("JSON", "YAML"):
        return False
    top = sketch_of_json(text) if found.notation == "JSON" else sketch_of_yaml(text)
    keys = set(top.top)
    is_begun = bool({"id", "playbook_id"} & keys) or {"name", "description"} <= keys
    return is_begun and keys <= _OF_LISTS and not top.is_list


@dataclass(frozen=True, slots=True)
class _Read:
    """What the beginning of a text tells. *notation*: as people call it, where it is not markdown."""

    form: TextFormat
    notation: str = ""
    format: ForeignFormat | None = None


@lru_cache(maxsize=8)
def _read(start: str) -> _Read:
    start = start.removeprefix("\ufeff")
    if not start:
        return _Read(TextFormat.MARKDOWN)
    if is_json(start):
        return _of_data(sketch_of_json(start), start)
    if is_yaml(start):
        return _of_data(sketch_of_yaml(start), start)
    is_code = not _HEADING.search(start) and _PUREBASIC.search(start) is not None
    return _Read(TextFormat.MARKDOWN, "PureBasic" if is_code else "")


def _of_data(top: Sketch, start: str) -> _Read:
    from workbench.model.foreign.formats import format_of  # noqa: PLC0415 - no markdown needs it

    notation = "JSON" if top.is_json else "YAML"
    if _is_graph(top):
        return _Read(TextFormat.GRAPH_JSON if top.is_json else TextFormat.GRAPH, notation)
    is_ours = bool(_ONLY_OF_LISTS & set(top.top)) or bool(_ONLY_OF_STEPS & _of_entries(top))
    found = None if is_ours else format_of(top)
    if is_ours or (found is None and _is_steplist(top, start)):
        return _Read(TextFormat.STEPLIST_JSON if top.is_json else TextFormat.STEPLIST, notation)
    return _Read(TextFormat.MARKDOWN, notation, found)


def _is_graph(top: Sketch) -> bool:
    return top.top.get("version", "").split("#")[0].rstrip(" \t\"'") == "playbook.v2"


def _of_entries(top: Sketch) -> set[str]:
    return top.under("steps") | top.under("step_groups")


def _is_steplist(top: Sketch, start: str) -> bool:
    """True where the keys at the top are those of a step list, whatever is still missing or wrong."""
    keys = set(top.top)
    has_id = "id" in keys or "playbook_id" in keys
    if _LISTS & keys or (not top.is_json and not top.is_list and _STEPS.search(start) is not None):
        entries = _of_entries(top)
        return has_id or len(entries) <= _MOST_SLIPS or bool(entries & _OF_STEPS)
    return has_id and bool({"name", "title"} & keys) and len(keys - _OF_LISTS) <= _MOST_SLIPS
