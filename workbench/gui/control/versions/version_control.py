"""What is compared with what: anybody asks for it here, and the window shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from workbench.editing.commands import Command
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import SourceText


@dataclass(frozen=True, slots=True)
class Version:
    """A text to compare with. *name*: as people call it. *read*: gives it, on another thread; may raise WorkbenchError.

    *is_fixed*: it stays what it is, so it is read once. *is_other_file*: it is no earlier state of the same file.
    """

    name: str
    read: Callable[[], SourceText]
    is_fixed: bool = True
    is_other_file: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """A *command* that can be done as long as the document is *snapshot*."""

    snapshot: Snapshot
    command: Command


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be shown: *old* beside *new*; None for the open document, as it is and while it changes.

    *new_name*: what *new* is called. *proposal*: what makes it of the open document, where that is offered.
    """

    old: Version
    new: Snapshot | None = None
    new_name: str = ""
    proposal: Proposal | None = None


class VersionControl(QObject):
    """The versions of one window."""

    comparison_requested = Signal(object)  # Wanted

    def compare(self, wanted: Wanted) -> None:
        """Ask the window to show *wanted*."""
        self.comparison_requested.emit(wanted)
