"""Changes several files of a folder together, or none of them, and takes that back."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.editing.keeping.storage import DiskState, digest_of, disk_state, save
from workbench.errors import CannotSave, ChangedOnDisk
from workbench.i18n import _
from workbench.search.files import FileEdits
from workbench.visible import visible

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Written:
    """What one file held *before*, and what it holds *after*."""

    path: str
    before: bytes
    after: bytes


def check_unchanged(root: Path, files: Sequence[Written]) -> None:
    """Raises ChangedOnDisk where one of *files* does not hold on the disk what it held *before*."""
    for each in files:
        if disk_state(root / each.path, digest_of(each.before)) is not DiskState.SAME:
            message = _("“{name}” has changed meanwhile, so no file was changed. Search again.")
            raise ChangedOnDisk(message.format(name=visible(each.path)))


def writings(changes: Sequence[FileEdits]) -> tuple[Written, ...]:
    """What *changes* write: nothing for a file that stays as it is."""
    made = (Written(each.path, each.file.data, each.data_after) for each in changes)
    return tuple(each for each in made if each.before != each.after)


def write_together(root: Path, files: Sequence[Written]) -> None:
    """Write all *files*. Raises ChangedOnDisk and CannotSave, and then each holds what it did."""
    check_unchanged(root, files)
    done: list[Written] = []
    try:
        for each in files:
            save(root / each.path, each.after, digest_of(each.before))
            done.append(each)
    except (CannotSave, ChangedOnDisk):
        for each in reversed(done):
            save(root / each.path, each.before, digest_of(each.after))
        raise
    log.info("Changed %d files", len(files))


def taken_back(files: Sequence[Written]) -> tuple[Written, ...]:
    """What leads back from *files*."""
    return tuple(Written(each.path, each.after, each.before) for each in files)
