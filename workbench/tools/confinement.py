"""Paths that stay in the folder of the project, whatever they are written like."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from workbench.disk.files import real_path
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.regex import regex
from workbench.visible import hidden, visible

_PROTECTED = frozenset({".git", ".mcp.json", "workbench.toml"})
_OWN_MEANING = regex(r"[/\\.:~]")
_DRIVE = regex(r"[A-Za-z]:")


def place_in(folder: Path | None, written: str) -> Path:
    """Where *written* lies, links followed. Raises RunFailed where that is not in *folder*, None for no folder."""
    if folder is None:
        raise RunFailed(_("The playbook is not saved, so there is no folder for its files."))
    problem = _problem(written)
    if problem:
        raise RunFailed(problem.format(name=visible(written)))
    root = real_path(folder)
    place = real_path(root / written)
    if not place.is_relative_to(root):
        raise RunFailed(_("“{name}” leads out of the folder of the project.").format(name=visible(written)))
    return place


def words_in(folder: Path | None, written: str) -> tuple[str, ...] | None:
    """The names that lead from *folder* to where *written* lies; None where that is not in it."""
    try:
        place = place_in(folder, written)
    except RunFailed:
        return None
    assert folder is not None
    return place.relative_to(real_path(folder)).parts


def is_protected(words: tuple[str, ...]) -> bool:
    """Whether what lies there decides itself what may be done or started."""
    return any(word.casefold() in _PROTECTED for word in words)


def _problem(written: str) -> str:
    """Why no path is written like this, whatever is there; empty where that is all right."""
    if not written or next(hidden(written), None) is not None or "\n" in written:
        return _("“{name}” is not a path: it is empty, or holds characters that nobody sees.")
    if _OWN_MEANING.findall(written) != _OWN_MEANING.findall(unicodedata.normalize("NFKC", written)):
        return _("“{name}” holds a character that only looks like a part of a path.")
    if written.startswith(("/", "\\", "~")) or _DRIVE.match(written):
        return _("“{name}” does not begin in the folder of the project. Write it from there on.")
    if ".." in re.split(r"[/\\]", written) or "\\" in written:
        return _("“{name}” must not hold “..” or a backslash. Write the path from the folder of the project on.")
    return ""
