"""The line above the flowchart: what of the file it shows, how one came there, and the ways back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from workbench.gui.canvas.content.canvas_state import CanvasState
from workbench.gui.canvas.view.diving import Diving
from workbench.gui.canvas.view.focusing import Focusing, Kept
from workbench.gui.look.icons import icon
from workbench.gui.look.label import ElidedLabel, Label
from workbench.gui.look.layouts import in_row
from workbench.gui.look.theming import Ink
from workbench.gui.words.values import drawable_line, menu_text, tip
from workbench.i18n import _
from workbench.model.layout.focusing import Way

_MOST = 5
_LONGEST = 28


class WayBack(QToolButton):
    """Leads out of the dive *at* a place in the row."""

    wanted = Signal(object)  # int

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.at = 0
        self.setProperty("role", "crumb")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIcon(icon("playbook", Ink.MUTED))
        self.setAccessibleName(_("Whole flowchart"))
        self.clicked.connect(self._on_clicked)

    def lead_to(self, at: int, words: str) -> None:
        """Lead out to the place *at*, which is called *words*."""
        self.at = at
        self.setText(menu_text(words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"))
        self.setAccessibleName(_("Back to {name}").format(name=drawable_line(words)))
        self.setToolTip(tip(words))

    @Slot()
    def _on_clicked(self) -> None:
        self.wanted.emit(self.at)


class FocusBar(QWidget):
    """Shown only where something is left out, or where a call leads back."""

    def __init__(self, state: CanvasState, focusing: Focusing, diving: Diving, parent: QWidget) -> None:
        super().__init__(parent)
        self._state = state
        self._focusing = focusing
        self._diving = diving
        self.ways = [WayBack(self) for _at in range(_MOST)]
        self._signs = [Label("›", self, role="secondary") for _at in range(_MOST)]
        self.words = ElidedLabel("", self)
        self.all = QToolButton(self)
        self.all.setText(_("Show everything"))
        self.all.setToolTip(_("Show all that is left out of the flowchart"))
        self.all.clicked.connect(self._on_all_wanted)
        row = in_row(self, margins=(8, 1, 4, 1), spacing=2)
        for way, sign in zip(self.ways, self._signs, strict=True):
            way.wanted.connect(self._on_way_wanted)
            row.addWidget(way)
            row.addWidget(sign)
        row.addWidget(self.words, 1)
        row.addWidget(self.all)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("What the flowchart shows"))
        focusing.changed.connect(self.refresh)
        diving.changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Say what is shown now."""
        lookouts, focus = self._diving.lookouts, self._state.focus
        first = max(0, len(lookouts) - _MOST)
        here = self._diving.here
        for place, (way, sign) in enumerate(zip(self.ways, self._signs, strict=True)):
            is_shown = first + place < len(lookouts)
            way.setVisible(is_shown)
            sign.setVisible(is_shown)
            if is_shown:
                lookout = lookouts[first + place]
                file = lookout.path.name if lookout.path is not None and lookout.path != here else ""
                way.lead_to(first + place, ": ".join(filter(None, (file, lookout.words or _("Whole flowchart")))))
        self.words.setText(words_of(self._state, self._focusing.kept))
        self.all.setVisible(not focus.is_everything)
        self.setVisible(bool(lookouts) or not focus.is_everything)

    @Slot(object)
    def _on_way_wanted(self, at: int) -> None:
        self._diving.leave_to(at)

    @Slot()
    def _on_all_wanted(self) -> None:
        self._diving.show_all()


def words_of(state: CanvasState, kept: Kept | None) -> str:
    """What *state* shows, where that is not everything."""
    playbook = state.snapshot.program.playbook(state.focus.playbook) if state.focus.playbook else None
    title = playbook.title or playbook.name if playbook is not None else ""
    if kept is None or not kept.way or not state.focus.left_out:
        return title
    number = kept.address.rpartition(":")[2]
    step = f"{number} {kept.words}".strip()
    if kept.way == Way.PATH.value:
        return _("{playbook}: only the ways to and from “{step}”").format(playbook=title, step=step)
    return _("{playbook}: only the branch of “{step}”").format(playbook=title, step=step)
