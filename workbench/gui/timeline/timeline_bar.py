"""The strip above the timeline: which run, fit, follow, zoom."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from workbench.errors import WorkbenchError
from workbench.gui.look.elided_label import ElidedLabel
from workbench.gui.look.icons import icon
from workbench.gui.look.theme import Theme
from workbench.gui.resume.resume_button import ResumeButton
from workbench.gui.timeline.run_combo import RunCombo
from workbench.gui.timeline.time_navigator import Mode
from workbench.i18n import _

ICON_PX = 18


class TimelineBar(QWidget):
    """Says what is wanted; the panel does it."""

    mode_wanted = Signal(object)  # Mode
    zoom_wanted = Signal(object)  # float: factor

    def __init__(self, runs: RunCombo, resume: ResumeButton, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.runs = runs
        self.info = ElidedLabel("", self)
        self.info.setProperty("role", "secondary")
        self._follow = self._button(_("Follow the newest (F)"))
        self._follow.setCheckable(True)
        self._fit = self._button(_("Show the whole run (Ctrl+0)"))
        self._zoom_in = self._button(_("Show less time (+)"))
        self._zoom_out = self._button(_("Show more time (-)"))
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 8, 4)
        row.setSpacing(4)
        row.addWidget(runs)
        row.addWidget(resume)
        row.addWidget(self.info, 1)
        for button in (self._follow, self._zoom_out, self._zoom_in, self._fit):
            row.addWidget(button)
        self._follow.clicked.connect(self._on_follow_clicked)
        self._fit.clicked.connect(self._on_fit_clicked)
        self._zoom_in.clicked.connect(self._on_zoom_in_clicked)
        self._zoom_out.clicked.connect(self._on_zoom_out_clicked)

    def show_theme(self, theme: Theme) -> None:
        """Take the colours of *theme*."""
        pictures = (
            (self._follow, "right"),
            (self._fit, "fit"),
            (self._zoom_in, "zoom-in"),
            (self._zoom_out, "zoom-out"),
        )
        for button, name in pictures:
            button.setIcon(icon(name, theme.text))
            button.setIconSize(QSize(theme.px(ICON_PX), theme.px(ICON_PX)))

    def show_mode(self, mode: Mode) -> None:
        """Show whether the newest is kept in sight."""
        self._follow.setChecked(mode is not Mode.FREE)

    def show_info(self, text: str) -> None:
        """One line about the run, or about what the pointer is over."""
        self.info.setText(text)
        self.info.setToolTip(text)

    @Slot(object)
    def show_failure(self, error: WorkbenchError) -> None:
        """Say why the chosen run cannot be shown: what still is shown is another one."""
        self.show_info(str(error))

    def _button(self, text: str) -> QToolButton:
        button = QToolButton(self)
        button.setToolTip(text)
        button.setAccessibleName(text)
        return button

    @Slot()
    def _on_follow_clicked(self) -> None:
        self.mode_wanted.emit(Mode.FOLLOW if self._follow.isChecked() else Mode.FREE)

    @Slot()
    def _on_fit_clicked(self) -> None:
        self.mode_wanted.emit(Mode.FIT)

    @Slot()
    def _on_zoom_in_clicked(self) -> None:
        self.zoom_wanted.emit(1.5)

    @Slot()
    def _on_zoom_out_clicked(self) -> None:
        self.zoom_wanted.emit(1 / 1.5)
