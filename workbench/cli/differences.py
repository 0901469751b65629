"""What a file would become, as a unified diff that ``patch`` applies."""

from __future__ import annotations

import difflib
from pathlib import Path

from workbench.cli.terminal import show_exactly
from workbench.syntax.text import split_lines


def show_difference(path: Path, before: str, after: str) -> None:
    """Print how *path* would change from *before* to *after*."""
    name = path.as_posix().lstrip("/")
    for line in difflib.unified_diff(split_lines(before), split_lines(after), f"a/{name}", f"b/{name}"):
        is_whole = line.endswith(("\n", "\r"))
        show_exactly((line.removesuffix("\n") if is_whole else f"{line}\n\\ No newline at end of file") + "\n")
