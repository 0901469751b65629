"""The versions that a document can be compared with: the saved file, what git has, another file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.disk.files import read_file
from workbench.errors import CannotRead
from workbench.gui.control.versions.version_control import Version
from workbench.gui.words.values import moment_text
from workbench.i18n import _
from workbench.syntax.text import SourceText

if TYPE_CHECKING:  # git is asked on other threads, and by few
    from workbench.disk.revisions import Revision

_SHORT = 10
_WINDOWS_END = "\r\n"


def saved_version(path: Path) -> Version:
    """What the file *path* holds, at any time."""
    return Version(_("saved file"), partial(_read, path), is_fixed=False)


def other_file(path: Path) -> Version:
    """What another file holds, at any time."""
    return Version(path.name, partial(_read, path), is_fixed=False, is_other_file=True)


def committed_version(path: Path, text: str) -> Version:
    """What the file *path* was in the last commit, as git would put it where *text* is now."""
    return Version(_("last commit"), partial(committed_text, path, text))


def revised_version(path: Path, revision: Revision, text: str) -> Version:
    """The same of another revision."""
    name = f"{revision.id[:_SHORT]} · {moment_text(revision.time_s)} · {revision.subject}"
    return Version(name, partial(_revised_text, path, revision, text))


def _read(path: Path) -> SourceText:
    return SourceText.decode(read_file(path))


def committed_text(path: Path, text: str) -> SourceText:
    """What the file *path* was in the last commit, with the line ends that git would give it. Raises CannotRead."""
    from workbench.disk.revisions import read_committed  # noqa: PLC0415 - it starts programs

    data = read_committed(path)
    if data is None:
        raise CannotRead(_("“{name}” is not in the last commit yet.").format(name=path.name))
    return SourceText.decode(_with_ends_of(data, path, text))


def _revised_text(path: Path, revision: Revision, text: str) -> SourceText:
    from workbench.disk.revisions import read_revision  # noqa: PLC0415 - it starts programs

    return SourceText.decode(_with_ends_of(read_revision(path, revision.id, revision.name), path, text))


def _with_ends_of(data: bytes, path: Path, text: str) -> bytes:
    """*data* with the line ends of Windows, where *text* has them only because git puts them there."""
    if _WINDOWS_END not in text or b"\r" in data:
        return data
    from workbench.disk.revisions import changes_line_ends  # noqa: PLC0415 - it starts programs

    return data.replace(b"\n", b"\r\n") if changes_line_ends(path) else data
