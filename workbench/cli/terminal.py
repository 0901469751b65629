"""What the commands print, and to which stream."""

from __future__ import annotations

import json
import sys


def show(text: str) -> None:
    """Write *text* and a line end to the output; bytes that are not UTF-8 come out as they came in."""
    _write(text + "\n")


def show_json(value: object) -> None:
    """Write *value* as JSON that every reader accepts."""
    _write(json.dumps(value, indent=2, ensure_ascii=False).encode("utf-8", "backslashreplace").decode() + "\n")


def complain(text: str) -> None:
    """Write *text* to the error stream, under the program's name."""
    sys.stderr.write(f"workbench: {text}\n".encode("utf-8", "backslashreplace").decode())
    sys.stderr.flush()


def _write(text: str) -> None:
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    buffer.write(text.encode("utf-8", "surrogateescape"))
    buffer.flush()
