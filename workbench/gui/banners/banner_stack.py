"""Lines above the document that tell something and offer what to do; never a dialog."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QPushButton, QToolButton, QWidget

from workbench.errors import WorkbenchError
from workbench.gui.control.notices import Cause, Notice, NoticeKind, Notices
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import TOOL_ICON_PX, Ink, severity_ink
from workbench.i18n import _

_OF_TEXT = frozenset({Cause.TEXT, Cause.CONFLICTS, Cause.SAVING})


@dataclass(frozen=True, slots=True)
class Choice:
    """One button of a banner: a verb, and what it does."""

    text: str
    chosen: Callable[[], object]


class ChoiceButton(QPushButton):
    """The button of one choice; what fails is told in the window, and can be chosen again."""

    done = Signal()

    def __init__(self, choice: Choice, cause: Cause, notices: Notices, parent: QWidget) -> None:
        super().__init__(choice.text, parent)
        self._choice = choice
        self._cause = cause
        self._notices = notices
        self.clicked.connect(self._on_clicked)

    @Slot()
    def _on_clicked(self) -> None:
        try:
            self._choice.chosen()
        except WorkbenchError as error:
            self._notices.report(error, self._cause, f"{self._cause.value} failed")
        else:
            self.done.emit()


class Banner(QFrame):
    """One line with buttons. Whatever was chosen and done closes it, and so does the cross.

    What is told of the file stays until the file is another: to choose something need not change that.
    """

    closed = Signal(object)  # Banner

    def __init__(self, topic: str, notice: Notice, choices: tuple[Choice, ...], services: BannerStack) -> None:
        super().__init__(services)
        self.topic = topic
        self.notice = notice
        self.choices = choices
        self.setObjectName("banner")
        self.setProperty("kind", notice.kind.value)
        sign = notice.kind.value
        self._picture = Picture(icon(sign, severity_ink(sign)), self, TOOL_ICON_PX)
        self._words = Label(notice.text, self, wraps=True)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.buttons = tuple(ChoiceButton(choice, notice.cause, services.notices, self) for choice in choices)
        self._cross = QToolButton(self)
        self._cross.setIcon(icon("cross", Ink.MUTED))
        self._cross.setToolTip(_("Dismiss this message"))
        self._cross.setAccessibleName(_("Dismiss this message"))
        self._lay_out()

    def _lay_out(self) -> None:
        row = in_row(self, self._picture, (self._words, 1), margins=(12, 6, 8, 6), spacing=8)
        for button in self.buttons:
            row.addWidget(button)
            if self.notice.cause is not Cause.FILE:
                button.done.connect(self._on_done)
        row.addWidget(self._cross)
        self._cross.clicked.connect(self._on_done)

    @Slot()
    def _on_done(self) -> None:
        self.closed.emit(self)


class BannerStack(QWidget):
    """The banners of the window, newest below; at most one per topic."""

    def __init__(self, notices: Notices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.notices = notices
        self._banners: dict[str, Banner] = {}
        self._column = in_column(self, margins=0, spacing=0)
        self.hide()
        notices.noticed.connect(self._on_noticed)
        notices.settled.connect(self.end)
        notices.topic_settled.connect(self.close_banner)

    @property
    def banners(self) -> tuple[Banner, ...]:
        """What shows now."""
        return tuple(self._banners.values())

    def show_banner(self, topic: str, notice: Notice, choices: tuple[Choice, ...] = ()) -> None:
        """Show *notice*, instead of what showed about the same *topic*. Raises ValueError where it could never end."""
        if notice.cause is Cause.MOMENT:
            raise ValueError(f"The line “{topic}” names no cause")
        self.close_banner(topic)
        banner = Banner(topic, notice, choices, self)
        banner.closed.connect(self._on_closed)
        self._banners[topic] = banner
        self._column.addWidget(banner)
        self.show()

    @Slot(str)
    def close_banner(self, topic: str) -> None:
        """Close what shows about *topic*, if anything does."""
        banner = self._banners.pop(topic, None)
        if banner is not None:
            self._column.removeWidget(banner)
            banner.hide()
            banner.deleteLater()
        self.setVisible(bool(self._banners))

    @Slot(object)
    def end(self, cause: Cause) -> None:
        """Close what shows because of *cause*: it is over."""
        for banner in self.banners:
            if banner.notice.cause is cause:
                self.close_banner(banner.topic)

    def put_away(self) -> tuple[tuple[str, Notice, tuple[Choice, ...]], ...]:
        """What is told of the document, which is shown no longer: only the document can end it."""
        told = (each for each in self.banners if each.notice.cause in _OF_TEXT)
        return tuple((each.topic, each.notice, each.choices) for each in told)

    def bring_back(self, view: tuple[tuple[str, Notice, tuple[Choice, ...]], ...]) -> None:
        """Tell it again."""
        for topic, notice, choices in view:
            self.show_banner(topic, notice, choices)

    @Slot(object)
    def _on_closed(self, banner: Banner) -> None:
        if self._banners.get(banner.topic) is banner:
            self.close_banner(banner.topic)

    @Slot(object)
    def _on_noticed(self, notice: Notice) -> None:
        """Errors stay until their cause is over; the rest is for the status bar."""
        if notice.kind is NoticeKind.ERROR:
            self.show_banner(notice.topic or notice.cause.value, notice)
