"""Which tools of a server a person has seen and approved, word for word: what changes is approved again."""

from __future__ import annotations

import contextlib
import difflib
import enum
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from workbench.disk.atomic import make_folder, replace_private_file
from workbench.disk.files import is_there, read_file, why
from workbench.errors import CannotRead, CannotSave
from workbench.i18n import _
from workbench.regex import regex
from workbench.tools.mcp.server_tool import ServerTool
from workbench.tools.mcp.specs import ServerSpec


class Standing(enum.Enum):
    """What is known of the tools of a server.

    SEEN: they are as they were at first, and nobody has approved them. CHANGED: they are not what was seen or
    approved last.
    """

    SEEN = "seen"
    APPROVED = "approved"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class _Kept:
    text: str
    is_approved: bool


class ApprovedTools:
    """What was seen and approved, kept in *folder*; a server that is started differently is another one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def standing(self, spec: ServerSpec, tools: Iterable[ServerTool]) -> Standing:
        """How *tools* of *spec* stand; what is seen for the first time is kept. Raises CannotSave."""
        kept, text = self._kept(spec), _text(tools)
        if kept is None:
            self._keep(spec, _Kept(text, is_approved=False))
            return Standing.SEEN
        if kept.text != text:
            return Standing.CHANGED
        return Standing.APPROVED if kept.is_approved else Standing.SEEN

    def approve(self, spec: ServerSpec, tools: Iterable[ServerTool]) -> None:
        """Keep *tools* as what a person has approved. Raises CannotSave."""
        self._keep(spec, _Kept(_text(tools), is_approved=True))

    def seen(self, spec: ServerSpec) -> tuple[ServerTool, ...]:
        """The tools that *spec* had when it was started last, as far as they can be read; nothing is started."""
        kept = self._kept(spec)
        return tuple(_tools_in(kept.text)) if kept is not None else ()

    def difference(self, spec: ServerSpec, tools: Iterable[ServerTool]) -> str:
        """How *tools* differ from what was kept, as a diff that a person can read; empty where they do not."""
        kept = self._kept(spec)
        before = kept.text if kept is not None else ""
        lines = difflib.unified_diff(before.splitlines(), _text(tools).splitlines(), "before", "now", lineterm="")
        return "\n".join(lines)

    def _kept(self, spec: ServerSpec) -> _Kept | None:
        path = self._path(spec)
        if not is_there(path):
            return None
        try:
            loaded = json.loads(read_file(path))
            return _Kept(str(loaded["tools"]), loaded["approved"] is True)
        except (CannotRead, ValueError, KeyError, TypeError):
            return _Kept("", is_approved=False)  # nobody knows what was approved, so it is approved again

    def _keep(self, spec: ServerSpec, kept: _Kept) -> None:
        data = json.dumps({"server": spec.name, "approved": kept.is_approved, "tools": kept.text}, ensure_ascii=False)
        try:
            make_folder(self._folder)
            replace_private_file(self._path(spec), data.encode("utf-8", "surrogatepass"))
        except OSError as error:
            message = _("It could not be kept which tools the server “{name}” has: {reason}.")
            raise CannotSave(message.format(name=spec.name, reason=why(error))) from error

    def _path(self, spec: ServerSpec) -> Path:
        return self._folder / f"{spec.digest[:32]}.json"


_TOOL = regex(r'(?P<name>[^\n]*)\n(?P<description>.*?)\n(?P<told>\{\n "arguments":.*?\n\})\n(?:\n|$)', re.DOTALL)


def _tools_in(text: str) -> Iterator[ServerTool]:
    """The tools that ``ServerTool.text`` tells of in *text*."""
    for match in _TOOL.finditer(text):
        with contextlib.suppress(ValueError, TypeError, AttributeError, RecursionError):
            schema = json.loads(match["told"]).get("arguments")
            yield ServerTool(match["name"], match["description"], schema if isinstance(schema, dict) else {})


def _text(tools: Iterable[ServerTool]) -> str:
    return "\n".join(tool.text for tool in tools)
