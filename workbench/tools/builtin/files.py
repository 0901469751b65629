"""Files of the project: reading, writing and listing them, and nothing outside of it."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from workbench.disk.atomic import make_folder, replace_file
from workbench.disk.files import Kind, entries, look_at, read_file, real_path, why
from workbench.errors import CannotRead, RunFailed
from workbench.i18n import _
from workbench.tools.builtin.rules import BuiltinRules
from workbench.tools.confinement import place_in
from workbench.tools.values import Preview
from workbench.visible import visible

_FILE_BYTES = 1 << 20
_MOST_NAMES = 1000
Heard = Callable[[str], None]


def read(rules: BuiltinRules, arguments: Mapping[str, Any], _on_output: Heard) -> str:
    """The text of a file."""
    return _text_in(_file(rules.folder, arguments["path"]))


def write(rules: BuiltinRules, arguments: Mapping[str, Any], _on_output: Heard) -> str:
    """Write a file; the name of what was written."""
    path = place_in(rules.folder, arguments["path"])
    if look_at(path).kind not in {Kind.FILE, Kind.MISSING}:
        raise RunFailed(_("“{name}” is not a file.").format(name=visible(arguments["path"])))
    try:
        make_folder(path.parent)
        replace_file(path, arguments["text"].encode("utf-8", "surrogatepass"))
    except OSError as error:
        message = _("“{name}” could not be written: {reason}.")
        raise RunFailed(message.format(name=visible(arguments["path"]), reason=why(error))) from error
    return str(arguments["path"])


def show_write(rules: BuiltinRules, arguments: Mapping[str, Any]) -> Preview:
    """How the file would change, as a diff in which hidden characters can be seen."""
    path = place_in(rules.folder, arguments["path"])
    name, is_new = visible(arguments["path"]), look_at(path).kind is Kind.MISSING
    before = "" if is_new else _text_in(_file(rules.folder, arguments["path"]))
    lines = difflib.unified_diff(
        visible(before).splitlines(), visible(arguments["text"]).splitlines(), f"a/{name}", f"b/{name}", lineterm=""
    )
    summary = _("Write a new file {name}") if is_new else _("Change the file {name}")
    return Preview(summary.format(name=name), "\n".join(lines), is_difference=True)


def list_names(rules: BuiltinRules, arguments: Mapping[str, Any], _on_output: Heard) -> list[str]:
    """The names in a folder, those of folders with a slash; at most a thousand."""
    folder = place_in(rules.folder, arguments.get("path", "."))
    if look_at(folder).kind is not Kind.FOLDER:
        raise RunFailed(_("There is no folder “{name}”.").format(name=visible(arguments.get("path", "."))))
    pattern = arguments.get("pattern", "*")
    found = (path for path in entries(folder) if fnmatchcase(path.name, pattern))
    return [path.name + "/" * (look_at(path).kind is Kind.FOLDER) for path in found][:_MOST_NAMES]


def _file(folder: Path | None, written: str) -> Path:
    path = place_in(folder, written)
    kind = look_at(path).kind
    if kind is Kind.MISSING:
        raise RunFailed(_("There is no file “{name}” in the folder of the project.").format(name=visible(written)))
    if kind is not Kind.FILE or not real_path(path).is_relative_to(real_path(folder or path)):
        raise RunFailed(_("“{name}” is not a file.").format(name=visible(written)))
    return path


def _text_in(path: Path) -> str:
    try:
        return read_file(path, _FILE_BYTES).decode("utf-8-sig")
    except CannotRead as error:
        raise RunFailed(str(error)) from error
    except UnicodeDecodeError as error:
        raise RunFailed(_("“{name}” is not a text file.").format(name=path.name)) from error
