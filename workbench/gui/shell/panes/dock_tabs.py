"""The tabs of panes that share a place: words where there is room for them, else icons."""

from __future__ import annotations

import enum

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMainWindow, QTabBar

from workbench.gui.control.pane_table import PANES
from workbench.gui.look.icons import icon
from workbench.gui.look.theming import SMALL_ICON_PX, Ink, current_theme
from workbench.gui.shell.panes.panes import Panes

_BESIDE_WORDS_PX, _BESIDE_ICON_PX = 26, 22
_FORM, _FOLLOWED = "form", "is-followed"
_CHANGES = frozenset(
    {
        *(QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.FontChange, QEvent.Type.StyleChange),
        QEvent.Type.LayoutRequest,
    }
)


class _Form(enum.Enum):
    """How much each tab says: its name; the one in front alone does; none does."""

    WORDS = "words"
    FRONT = "front"
    ICONS = "icons"


class DockTabs(QObject):
    """Looks at the bars of tabs that Qt makes for *panes*, whenever their room changes.

    A name of which half is cut off says nothing; the icon has the name as its tooltip, and it stands above the pane.
    """

    def __init__(self, panes: Panes, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._icons = {str(spec.title): spec.icon for spec in PANES}
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self.look)
        for spec in PANES:
            dock = panes.dock(spec.id)
            dock.dockLocationChanged.connect(self._soon.start)
            dock.visibilityChanged.connect(self._soon.start)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look soon: Qt is in the middle of placing tabs."""
        if event.type() in _CHANGES:
            self._soon.start()
        return super().eventFilter(watched, event)

    @Slot()
    def look(self) -> None:
        """Show of each name what there is room for."""
        bars = self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        names = {bar: frozenset(map(bar.tabText, range(bar.count()))) for bar in bars}
        for bar in bars:
            # moving panes about, Qt forgets bars, and leaves them in the window below what is seen
            if any(names[bar] < others for others in names.values()):
                bar.hide()
            elif bar.isVisible():
                self._fit(bar)

    def _fit(self, bar: QTabBar) -> None:
        if not bar.property(_FOLLOWED):
            bar.setProperty(_FOLLOWED, True)
            bar.installEventFilter(self)
        form, size = self._form_of(bar), current_theme().px(SMALL_ICON_PX)
        for index in range(bar.count()):
            if form is _Form.WORDS:
                bar.setTabIcon(index, QIcon())
            elif bar.tabIcon(index).isNull():
                bar.setTabIcon(index, icon(self._icons[bar.tabText(index)], Ink.MUTED))
                bar.setTabToolTip(index, bar.tabText(index))
        if (bar.property(_FORM), bar.iconSize().width()) != (form.value, size):
            bar.setIconSize(QSize(size, size))
            bar.setProperty(_FORM, form.value)
            bar.style().unpolish(bar)
            bar.style().polish(bar)

    def _form_of(self, bar: QTabBar) -> _Form:
        """As many words as fit: the bar itself would measure what it shows now."""
        theme = current_theme()
        words = [bar.fontMetrics().horizontalAdvance(bar.tabText(index)) for index in range(bar.count())]
        beside, alone = _BESIDE_WORDS_PX, theme.px(SMALL_ICON_PX) + _BESIDE_ICON_PX
        if sum(words) + len(words) * beside <= bar.width():
            return _Form.WORDS
        if max(words, default=0) + beside + len(words) * alone <= bar.width():
            return _Form.FRONT
        return _Form.ICONS
