"""Room for a question: the run pane is as high as its form needs, and as high as before when it is answered."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QMainWindow, QTabBar

from workbench.gui.look.theming import current_theme
from workbench.gui.runs.run_panel import RunPanel
from workbench.gui.shell.panes.panes import Panes

# Between two questions the pane stays as it is: one that came and went with each would make the window restless.
_BETWEEN_QUESTIONS_MS = 600
_LEAST_OF_DOCUMENT_PX = 96
_SLACK_PX = 4


class LentRoom(QObject):
    """Takes room from the document, never all of it, and gives back what the person has not changed meanwhile."""

    def __init__(self, panes: Panes, window: QMainWindow) -> None:
        super().__init__(panes)
        self._window = window
        self._dock = panes.dock("run")
        self._panel = panes.panel("run")
        self._wanted_px = 0
        self._before_px: int | None = None
        self._lent_px = 0
        self._is_in_front = False
        self._over = QTimer(self, interval=_BETWEEN_QUESTIONS_MS, singleShot=True)
        self._over.timeout.connect(self.give_back)
        if isinstance(self._panel, RunPanel):
            self._panel.room_wanted.connect(self._on_room_wanted)
        self._dock.visibilityChanged.connect(self._on_visibility_changed)

    @property
    def is_lending(self) -> bool:
        """Whether the pane is higher than it was."""
        return self._before_px is not None

    @Slot()
    def give_back(self) -> None:
        """Make the pane as high as it was, unless the person has made it otherwise."""
        self._over.stop()
        before_px, self._before_px = self._before_px, None
        if before_px is not None and abs(self._dock.height() - self._lent_px) <= _SLACK_PX:
            self._set_height(before_px)

    @Slot(object)
    def _on_room_wanted(self, wanted_px: int) -> None:
        if wanted_px != self._wanted_px:  # a person may make the pane lower again
            self._wanted_px = wanted_px
            self._update()

    @Slot(bool)
    def _on_visibility_changed(self, is_in_front: bool) -> None:  # noqa: FBT001 - Qt's own form
        self._is_in_front = is_in_front
        self._update()

    def _update(self) -> None:
        if self._wanted_px and self._is_in_front:
            self._over.stop()
            self._lend()
        elif self._before_px is not None and not self._over.isActive():
            self._over.start()

    def _lend(self) -> None:
        title_px = self._dock.height() - self._panel.height()
        wanted_px = min(self._wanted_px + title_px, self._most_px())
        if wanted_px > self._dock.height():
            if self._before_px is None:
                self._before_px = self._dock.height()
            self._set_height(wanted_px)
            self._lent_px = wanted_px

    def _most_px(self) -> int:
        """What there is, without the least that the document keeps."""
        if self._dock.isFloating():
            return self._window.screen().availableSize().height()
        document = self._window.centralWidget()
        left_px = document.height() - current_theme().px(_LEAST_OF_DOCUMENT_PX) if document is not None else 0
        return self._dock.height() + left_px

    def _set_height(self, height_px: int) -> None:
        if self._dock.isFloating():
            self._dock.resize(self._dock.width(), height_px)
        else:
            self._window.resizeDocks([self._dock], [height_px + self._tabs_px()], Qt.Orientation.Vertical)

    def _tabs_px(self) -> int:
        """The height of the tabs below the pane: for Qt they are part of it."""
        if not self._window.tabifiedDockWidgets(self._dock):
            return 0
        bars = self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        title = self._dock.windowTitle()
        return next((bar.height() for bar in bars if title in map(bar.tabText, range(bar.count()))), 0)
