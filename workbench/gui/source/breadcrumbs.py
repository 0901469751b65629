"""The line above the source: which playbook, branch and step the caret is in, each of them a way to go there."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_row
from workbench.gui.look.theming import Ink
from workbench.gui.words.directions import ordered
from workbench.gui.words.kinds import KINDS
from workbench.gui.words.values import drawable_line, menu_text, tip
from workbench.i18n import _
from workbench.model.program import Step
from workbench.model.showing.words import plain_text
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import Span

_MOST = 6
_LONGEST = 28


@dataclass(frozen=True, slots=True)
class Crumb:
    """One of the things that hold the caret. *span*: where its words begin."""

    words: str
    icon: str
    span: Span


def crumbs_at(snapshot: Snapshot, offset: int) -> tuple[Crumb, ...]:
    """What holds *offset*, from the playbook down to the step; of very deep steps the innermost."""
    placed = snapshot.placed_at_block(snapshot.block_index_at(offset)) if snapshot.blocks else None
    found: list[Crumb] = []
    if placed is not None:
        start = snapshot.block_starts[placed.start]
        found.append(Crumb(placed.playbook.title or placed.playbook.name, "playbook", Span(start, start)))
    step = snapshot.step_at(offset)
    steps = snapshot.lineage(step) if step is not None else ()
    inner = [_crumb(snapshot, each) for each in steps[-_MOST:]]
    return (*found, *inner)


def _crumb(snapshot: Snapshot, step: Step) -> Crumb:
    start = snapshot.head_span(step.id).start
    return Crumb(plain_text(step), KINDS[step.kind].icon, Span(start, start))


class CrumbButton(QToolButton):
    """The button of the crumb *at* a place in the row."""

    wanted = Signal(object)  # int

    def __init__(self, at: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._at = at
        self.setProperty("role", "crumb")
        self.setAccessibleName(_("Where the caret is"))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.clicked.connect(self._on_clicked)

    @Slot()
    def _on_clicked(self) -> None:
        self.wanted.emit(self._at)


class Breadcrumbs(QWidget):
    """Buttons that are made once and take other words."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._crumbs: tuple[Crumb, ...] | None = None  # nothing was shown yet, not even that there are none
        self.buttons = [self._button(at) for at in range(_MOST + 1)]
        self._signs = [Label("›", self, role="secondary") for _at in range(_MOST)]
        row = in_row(self, self.buttons[0], margins=(8, 1, 4, 1), spacing=2)
        for sign, button in zip(self._signs, self.buttons[1:], strict=True):
            row.addWidget(sign)
            row.addWidget(button)
        row.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Where the caret is"))
        context.selection.caret_changed.connect(self.refresh)
        context.selection.selection_changed.connect(self.refresh)
        context.documents.change_shown.connect(self.refresh)
        context.documents.document_opened.connect(self.refresh)
        self.refresh()

    def _button(self, at: int) -> CrumbButton:
        button = CrumbButton(at, self)
        button.wanted.connect(self.go_to)
        return button

    @Slot()
    def refresh(self) -> None:
        """Say where the caret is now."""
        snapshot, caret = self._context.documents.snapshot, self._context.selection.caret.start
        crumbs = crumbs_at(snapshot, min(caret, max(len(snapshot.text) - 1, 0)))
        if crumbs == self._crumbs:
            return
        self._crumbs = crumbs
        for at, button in enumerate(self.buttons):
            is_shown = at < len(crumbs)
            button.setVisible(is_shown or at == 0)
            if at:
                self._signs[at - 1].setVisible(is_shown)
            if is_shown:
                self._show(button, crumbs[at])
            elif at == 0:
                button.setText(" ")
                button.setAccessibleName(_("Where the caret is"))
                button.setEnabled(False)

    def _show(self, button: QToolButton, crumb: Crumb) -> None:
        words = crumb.words if len(crumb.words) <= _LONGEST else crumb.words[: _LONGEST - 1] + "…"
        button.setText(ordered(menu_text(words)))
        button.setAccessibleName(drawable_line(crumb.words))
        button.setEnabled(True)
        button.setToolTip(tip(crumb.words))
        button.setIcon(icon(crumb.icon, Ink.MUTED))

    @Slot(object)
    def go_to(self, at: int) -> None:
        """Go to the crumb *at*."""
        if self._crumbs and at < len(self._crumbs):
            self._context.trail.go_to(self._crumbs[at].span)
