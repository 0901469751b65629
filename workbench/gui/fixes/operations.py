"""The operations that can be done to steps now: as entries of a menu, each previewed as the edit that it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from workbench.editing.commands import Command, EnableSteps, Refusal
from workbench.editing.undoable import plan
from workbench.gui.control.action_spec import ActionSpec, Menu, Need
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.control.context import WindowContext
from workbench.gui.fixes.fix_preview import FixPreview
from workbench.gui.look.icons import icon
from workbench.gui.words.values import tip
from workbench.i18n import _
from workbench.model.program import StepId
from workbench.syntax.diagnostics import Fix

_OPERATIONS = tuple(spec for spec in ACTIONS if spec.menu is Menu.OPERATIONS)


@dataclass(frozen=True, slots=True)
class OfferedOperation:
    """An operation on what is selected, and the command that it means."""

    spec: ActionSpec
    command: Command

    @property
    def title(self) -> str:
        """Its words, without the mark of the access key."""
        return str(self.spec.text).replace("&", "")


def offers_on(steps: Sequence[StepId], line: int = 0) -> tuple[OfferedOperation, ...]:
    """Every operation on *steps*, whether it can be done or not; *line*: that the caret is on, from 1 (0: none)."""
    chosen = tuple(steps)
    found = [
        OfferedOperation(spec, spec.command(chosen))
        for spec in _OPERATIONS
        if spec.command is not None and chosen and (Need.ONE_STEP not in spec.needs or len(chosen) == 1)
    ]
    if line:
        enabling = next(spec for spec in _OPERATIONS if spec.id == "operation.enable")
        found = [each for each in found if each.spec is not enabling] + [
            OfferedOperation(enabling, EnableSteps(chosen, line))
        ]
    return tuple(found)


def preview_operation(
    context: WindowContext, offer: OfferedOperation, parent: QWidget, point: QPoint
) -> FixPreview | None:
    """Show at *point* of the screen what *offer* would change; told as a refusal where it cannot be done."""
    planned = plan(context.documents.snapshot, offer.command)
    if isinstance(planned, Refusal):
        context.documents.refused.emit(planned)
        return None
    preview = FixPreview(context, Fix(offer.title, planned.change.edits), parent.window(), offer.command)
    preview.open_at(point)
    return preview


class OperationAction(QAction):
    """Previews one operation where its menu was; greyed, with the reason, where it cannot be done."""

    def __init__(self, context: WindowContext, offer: OfferedOperation, menu: QMenu) -> None:
        super().__init__(str(offer.spec.text), menu)
        if offer.spec.icon:
            self.setIcon(icon(offer.spec.icon))
        self.offer = offer
        self._context = context
        self._menu = menu
        refusal = context.documents.can(offer.command)
        self.setEnabled(refusal is None)
        self.setToolTip(tip(refusal.message if refusal is not None else str(offer.spec.tooltip)))
        self.triggered.connect(self._on_triggered)

    @Slot()
    def _on_triggered(self) -> None:
        parent = self._menu.parentWidget()
        while isinstance(parent, QMenu):
            parent = parent.parentWidget()
        if parent is not None:
            preview_operation(self._context, self.offer, parent, self._menu.pos())


def operations_menu(menu: QMenu, context: WindowContext, steps: Sequence[StepId]) -> QMenu:
    """A menu inside *menu* with all operations on *steps*."""
    inner = QMenu(_("Operations"), menu, toolTipsVisible=True)
    group = 0
    for offer in offers_on(steps):
        if offer.spec.group != group and not inner.isEmpty():
            inner.addSeparator()
        group = offer.spec.group
        inner.addAction(OperationAction(context, offer, inner))
    return inner


def add_operations(menu: QMenu, context: WindowContext, offers: Sequence[OfferedOperation]) -> None:
    """Add to *menu* those of *offers* that can be done, as far as that can be told without trying."""
    menu.setToolTipsVisible(True)
    menu.addActions(
        [OperationAction(context, each, menu) for each in offers if not context.documents.can(each.command)]
    )
