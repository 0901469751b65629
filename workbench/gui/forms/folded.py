"""What stands beside a question and is read when it is wanted."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QToolButton, QWidget

from workbench.engine.ports import Request
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column
from workbench.gui.words.values import value_text
from workbench.i18n import _, numeral

MOST_SHOWN = 40


class Folded(QWidget):
    """A button that unfolds some words."""

    def __init__(self, title: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._button = QToolButton(self)
        self._button.setText(title)
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.setArrowType(Qt.ArrowType.RightArrow)
        self._button.clicked.connect(self._on_clicked)
        self._words = Label(words, self, wraps=True)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._words.hide()
        in_column(self, self._button, self._words, margins=0)

    @property
    def words(self) -> str:
        """What is folded."""
        return self._words.text()

    @property
    def is_open(self) -> bool:
        """Whether the words can be seen."""
        return not self._words.isHidden()

    @Slot()
    def _on_clicked(self) -> None:
        self._words.setVisible(not self.is_open)
        self._button.setArrowType(Qt.ArrowType.DownArrow if self.is_open else Qt.ArrowType.RightArrow)


def folded_about(request: Request, parent: QWidget) -> tuple[Folded, ...]:
    """What whoever judges *request* may want to know besides: the playbook and its notes, the variables in view."""
    about = (Folded(_("About this playbook"), request.about, parent),) if request.about else ()
    return (*about, known_values(request.context, parent)) if request.context else about


def known_values(values: tuple[tuple[str, Any], ...], parent: QWidget | None) -> Folded:
    """The variables in view, one per line."""
    lines = [f"{name} = {value_text(value)}" for name, value in values[:MOST_SHOWN]]
    return Folded(_("Context ({count})").format(count=numeral(len(values))), "\n".join(lines), parent)
