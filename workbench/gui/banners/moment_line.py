"""The line above the document that says so while something else than the run as it is now is shown."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.keyframes import Moment
from workbench.gui.control.running.run_steps import TextMatch
from workbench.gui.look.action_button import ActionButton, OfferButton
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import ElidedLabel
from workbench.gui.look.layouts import in_row
from workbench.gui.look.theming import TOOL_ICON_PX, Ink
from workbench.gui.words.run_words import moment_words
from workbench.gui.words.values import tip

ACTIONS = ("run.back-step", "run.back", "run.forward", "run.forward-step")


class MomentLine(QFrame):
    """Seen while an earlier moment is shown, or an earlier run whose text is not that of the document."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = context.shown
        self.setObjectName("banner")
        self.setProperty("kind", "info")
        picture = Picture(icon("history", Ink.ACCENT), self, TOOL_ICON_PX)
        self._words = ElidedLabel("", self)
        row = in_row(self, picture, (self._words, 1), margins=(12, 4, 8, 4), spacing=8)
        self._buttons = [ActionButton(context.actions.action(name), self) for name in ACTIONS]
        for button in (*self._buttons, OfferButton(context.actions.action("run.now"), self)):
            row.addWidget(button)
        self.hide()
        self._shown.run_shown.connect(self._on_run_shown)
        self._shown.moment_changed.connect(self._on_moment_changed)
        context.documents.document_changed.connect(self._show)
        context.documents.document_opened.connect(self._show)

    @property
    def words(self) -> str:
        """What it says."""
        return self._words.text()

    @Slot(object)
    def _on_run_shown(self, _view: object) -> None:
        self._show()

    @Slot(object)
    def _on_moment_changed(self, _moment: object) -> None:
        self._show()

    @Slot()
    def _show(self) -> None:
        moment, match = self._shown.moment, self._shown.text_match
        view, of_document = self._shown.view, self._shown.of_document
        is_earlier = view is not None and not of_document.has_begun(view) and not self._shown.is_live
        parts = [_told(moment, self._shown.moments.count)] if moment is not None else []
        if match is not TextMatch.SAME and (moment is not None or is_earlier):
            parts.append(match.words)
        if parts:
            words = " · ".join(parts)
            self._words.setText(words)
            self._words.setToolTip(tip(words))
        for button in self._buttons:
            button.setVisible(moment is not None)
        self.setVisible(bool(parts))


def _told(moment: Moment, count: int) -> str:
    """Which moment it is, and what happened last."""
    from workbench.event_words import described  # noqa: PLC0415 - it knows all events, which a start does not need

    event = moment.event
    what = ": ".join(filter(None, (event.step, described(event)))) or event.name
    words = moment_words(moment.seq, count)
    return f"{words[:1].upper()}{words[1:]}: {what}"
