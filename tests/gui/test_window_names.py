"""Everything that can be operated has a name that a screen reader can say."""

from __future__ import annotations

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from workbench.gui.shell.main_window import MainWindow
from workbench.resources import sample_playbooks

OPERATED = (QAbstractButton, QLineEdit, QComboBox, QAbstractItemView, QPlainTextEdit, QTextEdit)


def is_part_of_another(widget: QWidget) -> bool:
    """Qt builds controls from smaller ones, which need no name of their own."""
    owners = (QComboBox, QLineEdit)
    parent = widget.parentWidget()
    while parent is not None and not isinstance(parent, owners):
        parent = parent.parentWidget()
    return parent is not None or isinstance(widget, QHeaderView) or widget.objectName().startswith("qt_")


def name_of(widget: QWidget) -> str:
    """What a screen reader says."""
    found = QAccessible.queryAccessibleInterface(widget)
    return found.text(QAccessible.Text.Name) if found is not None else ""


def test_every_control_of_the_window_has_a_name(window: MainWindow) -> None:
    window.files.open_path(sample_playbooks()[0])
    controls = [
        each for each in window.findChildren(QWidget) if isinstance(each, OPERATED) and not is_part_of_another(each)
    ]
    nameless = [
        f"{type(each).__name__} in {type(each.parentWidget()).__name__}" for each in controls if not name_of(each)
    ]
    assert len(controls) > 50
    assert nameless == []
