"""A button with a list of tags, of which one can be chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from workbench.gui.words.values import drawable_line, menu_text
from workbench.i18n import _, numeral

_LONGEST = 16


class TagButton(QToolButton):
    """Shows the *tag* that is chosen. *counts*: asked whenever the list opens, which tags there are and how often."""

    chosen = Signal(str)  # a tag, empty for all that there is

    def __init__(self, counts: Callable[[], Mapping[str, int]], parent: QWidget) -> None:
        super().__init__(parent)
        self._counts = counts
        self.tag = ""
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.list = QMenu(self)
        self.list.aboutToShow.connect(self._fill)
        self.list.triggered.connect(self._on_triggered)
        self.setMenu(self.list)
        self.show_tag("")

    def show_tag(self, tag: str) -> None:
        """Show that *tag* is chosen; empty: none."""
        self.tag = tag
        shown = drawable_line(f"#{tag}")
        self.setText(shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…")
        told = _("Only what has the tag {tag}").format(tag=shown) if tag else _("Only what has a tag")
        self.setToolTip(told)
        self.setAccessibleName(told)

    @Slot()
    def _fill(self) -> None:
        self.list.clear()
        counts = self._counts()
        self._add(_("With or without tags"), "")
        if not counts:
            self.list.addSection(_("A tag is a word with # in a note: <!-- #review -->"))
        for tag, count in counts.items():
            self._add(f"#{tag}\t{numeral(count)}", tag)

    def _add(self, words: str, tag: str) -> None:
        entry = QAction(menu_text(words), self.list, checkable=True, checked=tag == self.tag)
        entry.setData(tag)
        self.list.addAction(entry)

    @Slot(QAction)
    def _on_triggered(self, entry: QAction) -> None:
        self.show_tag(str(entry.data()))
        self.chosen.emit(self.tag)
