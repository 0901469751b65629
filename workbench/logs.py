"""Where log records go: a file that cannot grow without end, and warnings to the terminal."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

from workbench.disk.private import make_private_folder
from workbench.visible import visible

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_FILE_BYTES = 1_000_000
_OLD_FILES = 3


class _Visible(logging.Formatter):
    """Shows a sign for each character that a terminal would obey."""

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


def log_to_terminal() -> None:
    """Show warnings and worse on the error stream."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.WARNING)
    handler.setFormatter(_Visible("%(levelname)s: %(message)s"))
    _root().addHandler(handler)


def log_to_file(folder: Path) -> Path | None:
    """Keep records from INFO on in ``workbench.log`` in *folder*; None where that cannot be written."""
    from workbench.disk.rotating_log import RotatingLog  # noqa: PLC0415 - it loads sockets, and only the window needs it

    path = folder / "workbench.log"
    try:
        make_private_folder(folder)
        handler = RotatingLog(
            path, maxBytes=_FILE_BYTES, backupCount=_OLD_FILES, encoding="utf-8", errors="backslashreplace"
        )
    except OSError as error:
        _root().warning("No log file is kept, %s cannot be written: %s", path, error)
        return None
    handler.setFormatter(logging.Formatter(_FORMAT))
    _root().addHandler(handler)
    _root().setLevel(logging.INFO)
    return path


def _root() -> logging.Logger:
    """The logger above all of ours."""
    return logging.getLogger("workbench")
