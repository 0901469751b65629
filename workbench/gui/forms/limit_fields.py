"""The fields for what models may use."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from workbench.engine.judges import Limits
from workbench.gui.look.label import Label
from workbench.i18n import N_, _

_OF_RUN = (
    ("requests", N_("Requests")),
    ("tokens", N_("Tokens")),
    ("cost_usd", N_("Dollars")),
)
_OF_STEP = (
    ("turns", N_("Requests")),
    ("seconds", N_("Seconds")),
    ("step_cost_usd", N_("Dollars")),
)
_KINDS = {field.name: type(field.default) for field in fields(Limits)}


class LimitFields(QWidget):
    """What models may use in a whole run, and in each step; an empty field is no limit."""

    edited = Signal()

    def __init__(self, limits: Limits, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines: dict[str, QLineEdit] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        rows = ((_("In a whole run"), _OF_RUN), (_("In each step"), _OF_STEP))
        for row, (title, limits_of_row) in enumerate(rows):
            grid.addWidget(Label(title, self), row, 0)
            for column, (name, words) in enumerate(limits_of_row):
                self._add(grid, (row, 1 + 2 * column), name, (title, str(words)))
                self.lines[name].setText(_shown(getattr(limits, name)))

        grid.addWidget(Label(_("An empty field is no limit."), self, role="secondary"), len(rows), 0, 1, -1)

    def _add(self, grid: QGridLayout, at: tuple[int, int], name: str, words: tuple[str, str]) -> None:
        line = QLineEdit(self)
        line.setPlaceholderText("∞")
        line.setAccessibleName(": ".join(words))
        line.textEdited.connect(self.edited)
        self.lines[name] = line
        row, column = at
        grid.addWidget(Label(words[1], self, role="secondary"), row, column)
        grid.addWidget(line, row, column + 1)

    def limits(self) -> Limits:
        """What the fields say. Raises ValueError with what is wrong."""
        values: dict[str, Any] = {name: _number(line.text().strip(), _KINDS[name]) for name, line in self.lines.items()}
        return Limits(**values)


def _shown(value: float) -> str:
    return str(value).removesuffix(".0") if value else ""  # it is read back, so without marks between thousands


def _number(text: str, kind: type) -> float:
    """The limit that *text* says; 0 for none."""
    plain = text.replace(",", ".")
    try:
        value = kind(plain or 0)
    except ValueError:
        value = -1
    if not 0 <= value < math.inf:
        message = _("“{text}” is not a limit, such as 20. Leave the field empty for no limit.")
        raise ValueError(message.format(text=text))
    return float(value) if kind is float else int(value)
