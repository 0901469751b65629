"""Where an explanation is asked for; the window shows it in its pane, or beside a dialog that is open.

And what the pointer would be told, for who has asked by a key.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtCore import QObject, QRect, Signal

if TYPE_CHECKING:  # loaded with the first question
    from workbench.help.topics import Topic


@runtime_checkable
class Explained(Protocol):
    """A pane or dialog that knows what F1 is to explain in it."""

    def help_topic(self) -> str:
        """The name of the topic of what is chosen in it; empty where that is nothing in particular."""
        ...


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of what stands at *place*, on the screen."""

    words: str
    place: QRect


@runtime_checkable
class Telling(Protocol):
    """A pane that tells what the pointer is over, and as well what the keys are at."""

    def told_here(self) -> Told | None:
        """What it tells where the keys are; None where that is nothing."""
        ...


class HelpController(QObject):
    """Takes questions from wherever they are asked."""

    asked = Signal(object)  # Topic

    def explain(self, word: str) -> None:
        """Have *word* explained: a topic, a word of the language, or the code of a finding. Else the contents."""
        from workbench.help.pages import CONTENTS  # noqa: PLC0415 - no start needs it
        from workbench.help.topics import topic_of  # noqa: PLC0415 - likewise

        self.show(topic_of(word) or topic_of(CONTENTS))

    def show(self, topic: Topic | None) -> None:
        """Have *topic* shown."""
        if topic is not None:
            self.asked.emit(topic)
