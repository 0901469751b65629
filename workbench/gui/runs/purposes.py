"""Which form a question gets that is not a list of fields."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.engine.ports import Purpose, Request
from workbench.gui.runs.special_fields import ActChoice, SpecialFields, TriggerChecks
from workbench.gui.runs.turn_fields import TurnFields


def special_fields(request: Request, parent: QWidget) -> SpecialFields | None:
    """What stands in the place of the fields of *request*, or None where they are asked for one by one."""
    match request.purpose:
        case Purpose.TRIGGERS:
            return TriggerChecks(request, parent)
        case Purpose.REACT:
            return ActChoice(request, parent)
        case Purpose.TURN:
            return TurnFields(request, parent)
        case _:
            return None
