"""What the window has to tell that needs no answer: one line, never a dialog."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from workbench.editing.commands import Refusal
from workbench.errors import WorkbenchError


class NoticeKind(enum.Enum):
    """How a notice looks; an ERROR stays until it is closed."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Notice:
    """One line for the person. *topic*: what an error is about; a later one takes its place."""

    kind: NoticeKind
    text: str
    topic: str = "error"


class Notices(QObject):
    """Where panes say what went wrong or what happened; the window shows it."""

    noticed = Signal(object)  # Notice
    settled = Signal(str)  # the topic of errors that are over

    def report(self, error: WorkbenchError, topic: str = "error") -> None:
        """Tell that the world failed; with a *topic* of its own until that is settled."""
        self.noticed.emit(Notice(NoticeKind.ERROR, str(error), topic))

    def settle(self, topic: str) -> None:
        """Tell that what went wrong with *topic* is over."""
        self.settled.emit(topic)

    def refuse(self, refusal: Refusal) -> None:
        """Tell why a command cannot be done now."""
        self.noticed.emit(Notice(NoticeKind.WARNING, refusal.message))

    def tell(self, text: str) -> None:
        """Tell something that is good to know."""
        self.noticed.emit(Notice(NoticeKind.INFO, text))
