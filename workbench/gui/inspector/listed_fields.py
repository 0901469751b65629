"""All fields of a listed step, to be read and changed."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFormLayout, QWidget

from workbench.gui.inspector.listed_field import ListedField, NewValue
from workbench.gui.inspector.listed_field_kinds import GRAPH_FIELDS, LIST_FIELDS, FieldSpec, value_in
from workbench.model.meaning import StepListEntry
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot
from workbench.model.steplists.details import fields_of

_TOOLS = ("expected_tools", "allowed_tools")


class ListedFields(QWidget):
    """One row per field; the rows of a graph are others than those of a list."""

    value_written = Signal(object)  # NewValue

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._form = QFormLayout(self)
        self._form.setContentsMargins(12, 2, 12, 8)
        self._form.setHorizontalSpacing(12)
        self._form.setVerticalSpacing(4)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._specs: tuple[FieldSpec, ...] = ()
        self.fields: dict[str, ListedField] = {}

    def show_step(self, step: Step, snapshot: Snapshot) -> bool:
        """Show the fields of *step*; false where it has none."""
        own = fields_of(step)
        if own is None or not isinstance(step.meaning, StepListEntry):
            return False
        self._show_specs(GRAPH_FIELDS if snapshot.program.format.is_graph else LIST_FIELDS)
        for field in self.fields.values():
            field.show_value(step.id, value_in(field.spec, step.meaning, own))
            if field.completer is not None:
                field.completer.show_names(_names(snapshot, field.spec.name))
        return True

    def _show_specs(self, specs: tuple[FieldSpec, ...]) -> None:
        if specs is self._specs:
            return
        while self._form.rowCount():
            self._form.removeRow(0)
        self._specs = specs
        self.fields = {spec.name: ListedField(spec, self) for spec in specs}
        for field in self.fields.values():
            field.value_written.connect(self._on_value_written)
            self._form.addRow(field.spec.label, field)

    @Slot(object)
    def _on_value_written(self, value: NewValue) -> None:
        self.value_written.emit(value)


def _names(snapshot: Snapshot, field: str) -> list[str]:
    """The names known in the document that can stand in *field*."""
    steps = [step for root in snapshot.roots if root is not None for step in root.walk()]
    known = [own for step in steps if (own := fields_of(step)) is not None]
    if field == "after":
        return sorted({own.id for own in known})
    names = [own.expected_tools if field in _TOOLS else own.uses for own in known]
    return sorted({name for found in names for name in found})
