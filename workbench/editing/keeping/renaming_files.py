"""Gives a file of a project another name, and brings the links of the other files up to date."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path

from workbench.disk.atomic import give_name, make_folder, remove_file
from workbench.disk.files import is_there, why
from workbench.editing.keeping.storage import DiskState, digest_of, disk_state, save
from workbench.errors import CannotSave, ChangedOnDisk
from workbench.i18n import _
from workbench.project.renaming import LinkEdits, Renaming
from workbench.visible import visible

log = logging.getLogger(__name__)


def check_unchanged(renaming: Renaming, left_out: Iterable[str] = ()) -> None:
    """Raises ChangedOnDisk where a file is another by now than the one whose links are to change."""
    for change in renaming.changes:
        if change.path not in left_out:
            _check(renaming.root / change.path, change)


def _check(place: Path, change: LinkEdits) -> None:
    if disk_state(place, digest_of(change.data)) is not DiskState.SAME:
        message = _("“{name}” has changed meanwhile, so nothing was renamed. Look at the changes again.")
        raise ChangedOnDisk(message.format(name=visible(change.path)))


def rename_file(renaming: Renaming) -> None:
    """Give the file its new name, whatever links to it. Raises CannotSave, and then it has its old one."""
    old, new = renaming.root / renaming.old, renaming.root / renaming.new
    try:
        make_folder(new.parent)
        give_name(old, new)
        if is_there(old):  # a file system with links has it under both names now
            remove_file(old)
    except FileExistsError as error:
        message = _("There is something called “{name}” already. Choose another name.")
        raise CannotSave(message.format(name=visible(renaming.new))) from error
    except OSError as error:
        message = _("Could not rename “{name}”: {reason}.")
        raise CannotSave(message.format(name=visible(renaming.old), reason=why(error))) from error
    log.info("Renamed %s to %s", old.name, new.name)


def update_links(renaming: Renaming, left_out: Iterable[str] = ()) -> None:
    """Write all changes but those of the files *left_out*, after the file has been renamed.

    Raises CannotSave, with the names of the files that still have their old links.
    """
    failed: list[str] = []
    for change in renaming.changes:
        if change.path in left_out:
            continue
        path = renaming.new if change.path == renaming.old else change.path
        try:
            save(renaming.root / path, change.data_after, digest_of(change.data))
        except CannotSave:
            failed.append(path)
    if failed:
        message = _("The file was renamed, but the links in these files could not be changed: {names}.")
        raise CannotSave(message.format(names=", ".join(map(visible, failed))))
