"""New files and folders of a project, copies of files, and files that are given up."""

from __future__ import annotations

import logging
from pathlib import Path
from posixpath import splitext

from workbench.disk.atomic import make_folder, remove_file, write_new_file
from workbench.disk.files import is_there, read_file, why
from workbench.errors import CannotSave
from workbench.i18n import _
from workbench.project.renaming import new_name
from workbench.visible import visible

log = logging.getLogger(__name__)
_MOST_COPIES = 1000


def create_file(root: Path, written: str, data: bytes) -> Path:
    """The new file *written*, from the folder *root* of the project on, which holds *data*. Raises CannotSave."""
    name = new_name(root, written)
    try:
        make_folder((root / name).parent)
        write_new_file(root / name, data)
    except (OSError, ValueError) as error:
        raise _failed(name, error) from error
    log.info("Created %s", name)
    return root / name


def create_folder(root: Path, written: str) -> Path:
    """The new folder *written*, from the folder *root* of the project on. Raises CannotSave."""
    name = new_name(root, written)
    try:
        make_folder(root / name)
    except (OSError, ValueError) as error:
        raise _failed(name, error) from error
    return root / name


def duplicate_file(root: Path, path: str) -> Path:
    """A copy of the file *path* beside it, under a name that nothing has. Raises CannotRead and CannotSave."""
    stem, ending = splitext(path)
    names = (f"{stem}-{number}{ending}" for number in range(2, _MOST_COPIES))
    name = next((each for each in names if not is_there(root / each)), f"{stem}-{_MOST_COPIES}{ending}")
    return create_file(root, name, read_file(root / path))


def delete_file(root: Path, path: str) -> None:
    """Remove the file *path* for good. Raises CannotSave."""
    try:
        remove_file(root / path)
    except OSError as error:
        message = _("Could not delete “{name}”: {reason}.")
        raise CannotSave(message.format(name=visible(path), reason=why(error))) from error
    log.info("Deleted %s", path)


def _failed(name: str, error: OSError | ValueError) -> CannotSave:
    return CannotSave(_("Could not write “{name}”: {reason}.").format(name=visible(name), reason=why(error)))
