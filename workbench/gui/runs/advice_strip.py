"""One line beside a run: what has worked before for the same task."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from workbench.engine.run_thread import RunHandle
from workbench.errors import CannotRead, StoreFailed
from workbench.gui.control.context import WindowContext
from workbench.gui.look.icons import icon, pixmap
from workbench.gui.look.theme import GRID_PX, Theme
from workbench.i18n import _
from workbench.library.entries import PatternEntry, sequence_text
from workbench.library.relevance import advice
from workbench.library.statistics import worked
from workbench.library.store import PatternStore
from workbench.library.task_words import FILE_NAME, load_words
from workbench.planning.learning import description_of, identity_of

_ICON_PX = 16


class AdviceStrip(QWidget):
    """Shown while there is advice; it can be put away until the next run."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = context.theme
        self._store = PatternStore(context.places.patterns_file)
        self._table = context.places.config_dir / FILE_NAME
        self._notices = context.notices
        self._icon = QLabel(self)
        self._words = ""
        self.label = QLabel(self)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.dismiss = QToolButton(self)
        self.dismiss.setToolTip(_("Put this advice away"))
        self.dismiss.setAccessibleName(_("Put this advice away"))
        self.dismiss.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID_PX + GRID_PX // 2, 0, GRID_PX, 0)
        row.setSpacing(GRID_PX)
        row.addWidget(self._icon)
        row.addWidget(self.label, 1)
        row.addWidget(self.dismiss)
        self.hide()
        context.runs.run_started.connect(self._on_run_started)
        context.theme.theme_changed.connect(self._on_theme_changed)
        self._on_theme_changed(context.theme.theme)

    @property
    def words(self) -> str:
        """What is advised, in full."""
        return self._words

    def show_advice(self, entries: tuple[PatternEntry, ...]) -> None:
        """Show *entries*, the first in the line, all in the tooltip; nothing hides the strip."""
        lines = [advice_line(entry) for entry in entries]
        self._words = lines[0] if lines else ""
        self.label.setToolTip("\n".join(lines))
        self.label.setAccessibleName(self._words)
        self.setVisible(bool(lines))
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much of the line as there is room for."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room = self.label.width()
        self.label.setText(self.label.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, room))

    @Slot(object)
    def _on_run_started(self, run: RunHandle) -> None:
        """A library that cannot be read gives no advice; the pattern pane says why."""
        try:
            program = run.snapshot.program
            task = description_of(run.state, program)
            entries = advice(self._store, identity_of(run.state), task, table=load_words(self._table))
        except StoreFailed:
            entries = ()
        except CannotRead as error:
            self._notices.report(error)
            entries = ()
        self.show_advice(entries)

    @Slot(object)
    def _on_theme_changed(self, theme: Theme) -> None:
        self._icon.setPixmap(pixmap("pattern", theme.done, theme.px(_ICON_PX), self.devicePixelRatioF()))
        self.dismiss.setIcon(icon("cross", theme.muted))


def advice_line(entry: PatternEntry) -> str:
    """*Worked 5 of 6 times: find_order → delivery_day (Tells a customer …)*."""
    tried = worked(entry.success_count, entry.attempts)
    return f"{tried[:1].upper()}{tried[1:]}: {sequence_text(entry.tool_sequence)}  ({entry.title})"
