"""A kept playbook becomes ordinary files of a project, which from then on are the truth about it."""

from __future__ import annotations

from pathlib import Path

from workbench.disk.atomic import make_folder, write_new_file
from workbench.disk.files import is_there, read_file
from workbench.disk.outputs import write_file
from workbench.errors import CannotSave
from workbench.i18n import _
from workbench.planning.request import PlaybookFormat
from workbench.planning.shelf.entries import Kept
from workbench.regex import regex
from workbench.syntax.text import SourceText
from workbench.tools.confinement import place_in

_SLUG = regex(r"[^a-z0-9]+")
_ENDINGS = {PlaybookFormat.MARKDOWN.value: ".md", PlaybookFormat.STEPLIST.value: ".yaml"}


def promote(kept: Kept, folder: Path) -> tuple[Path, ...]:
    """The files that were written into *folder*: the playbook, and what it imports where that is not there yet.

    Raises CannotSave, and nothing is written, where a file of its name is there, or one that it imports is another;
    RunFailed where an import leads out of *folder*.
    """
    stem = _SLUG.sub("-", kept.title.lower()).strip("-")[:60] or "playbook"
    wanted = {folder / f"{stem}{_ENDINGS[kept.format]}": kept.text}
    for name, text in kept.imports.items():
        wanted[place_in(folder, name)] = text
    new = {path: SourceText(text).encode() for path, text in wanted.items() if not _is_same(path, text)}
    for path in new:
        if is_there(path):
            message = _("“{path}” is there already and is another one, so nothing was written.")
            raise CannotSave(message.format(path=path))
    for path, data in new.items():
        if not is_there(path.parent):
            _make_folder(path.parent)
        write_file(path, data, write_new_file)
    return tuple(new)


def _is_same(path: Path, text: str) -> bool:
    return is_there(path) and read_file(path) == SourceText(text).encode()


def _make_folder(folder: Path) -> None:
    try:
        make_folder(folder)
    except OSError as error:
        raise CannotSave(_("The folder “{path}” cannot be made.").format(path=folder)) from error
