"""Reading the files that lie beside a playbook, and no others."""

from __future__ import annotations

import hashlib
from pathlib import Path

from workbench.engine.journal.run_events import NamedValue, ToolResult
from workbench.engine.state.frames import Intent
from workbench.errors import RunFailed
from workbench.i18n import _

FILE_READERS = ("LoadFile", "Loadfile")
_NAMES = ("file_path", "inline", "silent")
_LIMIT = 1_000_000


def read_file(folder: Path | None, intent: Intent, threshold: int) -> ToolResult:
    """The text of the file that *intent* names, in or below *folder*. Raises RunFailed.

    One longer than *threshold* becomes an artifact too, unless it is wanted ``inline``; a ``silent`` one is nothing
    else.
    """
    given = dict(zip(_NAMES, intent.positional, strict=False)) | dict(intent.named)
    text = _text(_place(folder, str(given.get("file_path", ""))))
    is_silent, is_inline = given.get("silent") is True, given.get("inline") is True
    is_kept = is_silent or (len(text) > threshold and not is_inline)
    return ToolResult(
        "" if is_silent else text,
        hash=hashlib.sha256(text.encode("utf-8")).hexdigest(),
        artifact=NamedValue(Path(str(given["file_path"])).name, text) if is_kept else None,
    )


def _place(folder: Path | None, written: str) -> Path:
    """Where *written* lies. Raises RunFailed where that is not in *folder*."""
    if folder is None:
        raise RunFailed(_("the playbook is not saved, so there is no folder to read files from."))
    try:
        path = (folder / written).resolve(strict=True)
    except (OSError, ValueError, RuntimeError) as error:
        raise RunFailed(_("there is no file “{name}” beside the playbook.").format(name=written)) from error
    if not path.is_relative_to(folder.resolve()) or not path.is_file():
        raise RunFailed(_("“{name}” is not a file in the folder of the playbook.").format(name=written))
    return path


def _text(path: Path) -> str:
    try:
        data = path.read_bytes() if path.stat().st_size <= _LIMIT else None
    except OSError as error:
        reason = error.strerror or str(error)
        raise RunFailed(_("“{name}” cannot be read: {reason}.").format(name=path.name, reason=reason)) from error
    if data is None:
        raise RunFailed(_("“{name}” is larger than {limit} bytes.").format(name=path.name, limit=_LIMIT))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RunFailed(_("“{name}” is not a text.").format(name=path.name)) from error
