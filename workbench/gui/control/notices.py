"""What the window has to tell that needs no answer: one line, never a dialog."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from workbench.editing.commands import Refusal
from workbench.errors import WorkbenchError


class Cause(enum.Enum):
    """What a line above the document is about: it goes when that is over (``banners/endings.py``), or is dismissed."""

    MOMENT = "moment"  # said in passing: the status bar forgets it
    PERSON = "person"  # nothing but the person ends it
    OFFER = "offer"  # something of an earlier session, until it is taken up
    TEXT = "text"  # the text as the last edit left it
    CONFLICTS = "conflicts"  # places of the text that two sides changed
    DOCUMENT = "document"  # the document that is open
    FILE = "file"  # how the document stands to its file
    SAVING = "saving"
    OPENING = "opening"
    OTHER_FILE = "other file"  # what was to be read or written besides the document
    COMMAND = "command"  # what one command could not do
    RUN = "run"  # why a run did not begin, or does not go on
    JOURNAL = "journal"  # the runs that are kept
    PATTERNS = "patterns"
    SETTINGS = "settings"


class NoticeKind(enum.Enum):
    """How a notice looks; an ERROR stands above the document, the others are told in the status bar."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Notice:
    """One line for the person. *topic*: where several of one cause can be told side by side."""

    kind: NoticeKind
    text: str
    cause: Cause = Cause.MOMENT
    topic: str = ""


class Notices(QObject):
    """Where panes say what went wrong or what happened; the window shows it."""

    noticed = Signal(object)  # Notice
    settled = Signal(object)  # Cause: whatever is told because of it is over
    topic_settled = Signal(str)  # the same of one topic
    spoken = Signal(str, str)  # a topic, and what is to be read of it: it is shown, but where the keys are not

    def report(self, error: WorkbenchError, cause: Cause, topic: str = "") -> None:
        """Tell that the world failed, until *cause* is over."""
        self.noticed.emit(Notice(NoticeKind.ERROR, str(error), cause, topic))

    def settle(self, cause: Cause) -> None:
        """Tell that *cause* is over."""
        self.settled.emit(cause)

    def refuse(self, refusal: Refusal) -> None:
        """Tell why a command cannot be done now."""
        self.noticed.emit(Notice(NoticeKind.WARNING, refusal.message))

    def speak(self, topic: str, text: str) -> None:
        """Have *text* read to who listens to a screen reader, unless more is said of *topic* in a moment."""
        self.spoken.emit(topic, text)

    def tell(self, text: str) -> None:
        """Tell something that is good to know."""
        self.noticed.emit(Notice(NoticeKind.INFO, text))
