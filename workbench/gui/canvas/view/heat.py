"""How often steps were carried out in the run that is shown, or for how long: on the blocks, with a legend below."""

from __future__ import annotations

import time
from collections.abc import Iterator

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from workbench.gui.canvas.painting.outlines import area_of
from workbench.gui.canvas.painting.overlay import BARS_PX, heat_ground, paint_bars
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.control.actions import ActionRegistry, Mark
from workbench.gui.control.running.shown_run import ShownRun
from workbench.gui.look.icons import icon
from workbench.gui.look.label import ElidedLabel
from workbench.gui.look.layouts import TwoRows, in_row
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.words.values import tip
from workbench.i18n import N_, LazyText, _, duration_text, numeral
from workbench.model.program import StepId
from workbench.model.showing.heat import Measure, Warmth, bounds_of, level_of

ACTIONS = {Measure.COUNT: "view.heat-count", Measure.TIME: "view.heat-time"}
_TITLES: dict[Measure, LazyText] = {
    Measure.COUNT: N_("How often each step was carried out"),
    Measure.TIME: N_("How long each step took, all its rounds together"),
}
_REST_MS = 300
_PAUSE_MS = 4
_SLICE_S = 0.004
_US = 1_000
_PLATE_PX = 6.0


class RunHeat(QObject):
    """Finds out what each step has, in slices of time, whenever the run that is shown has come on, or the layout has.

    *measure*: what is looked at; None for nothing. *levels*: what there is of it, from little to much. *starts*: the
    least that each level has, in words.
    """

    changed = Signal()

    def __init__(self, view: CanvasView, shown: ShownRun) -> None:
        super().__init__(view)
        self._view = view
        self._shown = shown
        self._layout: object = None
        self._due: Iterator[None] = iter(())
        self.measure: Measure | None = None
        self.levels: tuple[Warmth, ...] = ()
        self.starts: tuple[str, ...] = ()
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self._begin)
        self._slices = QTimer(self, interval=_PAUSE_MS, singleShot=True)
        self._slices.timeout.connect(self._go_on)
        shown.marks_changed.connect(self._on_marks_changed)
        view.view_moved.connect(self._on_view_moved)

    def show(self, measure: Measure | None) -> None:
        """Look at *measure* from now on."""
        self.measure = measure
        self._begin()

    @Slot(object)
    def _on_marks_changed(self, _marks: object) -> None:
        if self.measure is not None and not self._rest.isActive():
            self._rest.start()

    @Slot()
    def _on_view_moved(self) -> None:
        if self._view.state.layout is not self._layout:
            self._layout = self._view.state.layout
            self._view.look.far_heat = ()
            self._on_marks_changed(None)

    @Slot()
    def _begin(self) -> None:
        self._due = self._found()
        self._go_on()

    @Slot()
    def _go_on(self) -> None:
        end = time.perf_counter() + _SLICE_S
        for _step in self._due:
            if time.perf_counter() > end:
                self._slices.start()
                return

    def finish(self) -> None:
        """Find out all of it, however long that takes: for pictures of the window and for tests."""
        self._begin()
        while self._slices.isActive():
            self._slices.stop()
            self._go_on()

    def _found(self) -> Iterator[None]:
        """Give time again and again, and then show all that was found at once."""
        values: dict[StepId, int] = {}
        for step, value in self._values():
            if step is not None and value:
                values[step] = values.get(step, 0) + value
            yield
        bounds, heat = bounds_of(values.values()), dict[StepId, Warmth]()
        count, layout = len(bounds), self._view.state.layout
        far: list[list[QRectF]] = [[] for _level in bounds]
        for step, value in values.items():
            warmth = heat[step] = Warmth(self._words(value), level_of(bounds, value), count)
            found = layout.box_of(step) if layout.document.find(step) is not None else None
            if found is not None and found[1].step is not None and found[1].step.id == step:
                rect = found[0].words_rect(found[1])
                far[warmth.level - 1].append(area_of(rect._replace(width=rect.width * warmth.level / count)))
            yield
        self.levels = tuple(self._levels(bounds, max(values.values(), default=0)))
        self.starts = tuple(map(self._words, bounds))
        look, self._layout = self._view.look, layout
        look.heat, look.far_heat = heat, tuple(zip(self.levels, far, strict=True))
        self._view.viewport().update()
        self.changed.emit()

    def _values(self) -> Iterator[tuple[StepId | None, int]]:
        """What the steps have, by their addresses in the run."""
        executions = self._shown.executions if self.measure is not None else None
        seq = self._shown.moment.seq if self._shown.moment is not None else None
        steps = self._shown.steps.at(seq)
        for address, rows in tuple(executions.rows.items()) if executions is not None else ():
            begun = rows.tally(seq).begun
            if self.measure is Measure.TIME and begun:
                yield steps.id_of(address), max(1, rows.spent_ns(seq) // _US)
            else:
                yield steps.id_of(address), begun

    def _words(self, value: int) -> str:
        return f"×{numeral(value)}" if self.measure is Measure.COUNT else duration_text(value * _US)

    def _levels(self, bounds: tuple[int, ...], most: int) -> Iterator[Warmth]:
        """Each level, with from what to what it goes."""
        for level, low in enumerate(bounds, 1):
            high = most if level == len(bounds) else bounds[level] - 1
            words = self._words(low)
            if self._words(high) != words:
                words = f"{words} – {self._words(high)}"
            yield Warmth(words, level, len(bounds))


class Legend(QWidget):
    """What each level looks like on a block, and from what to what it goes."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._levels: tuple[Warmth, ...] = ()
        self._short: tuple[Warmth, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Legend"))

    def show_levels(self, levels: tuple[Warmth, ...], starts: tuple[str, ...]) -> None:
        """Tell of these from now on; where there is too little room, only where each *starts*."""
        self._levels = levels
        self._short = tuple(each._replace(words=f"≥ {start}") for each, start in zip(levels, starts, strict=True))
        self.setAccessibleDescription(", ".join(each.words for each in levels))
        self.setToolTip(tip(self.accessibleDescription()))
        self.updateGeometry()
        self.update()

    def _plates(self, levels: tuple[Warmth, ...]) -> Iterator[tuple[Warmth, QRectF]]:
        """Each level with its place."""
        metrics, left = QFontMetricsF(self.font()), 0.0
        for each in levels:
            width = BARS_PX + metrics.horizontalAdvance(each.words) + 3 * _PLATE_PX
            yield each, QRectF(left + 0.5, 1.5, width, self.height() - 3)
            left += width + _PLATE_PX

    def sizeHint(self) -> QSize:
        """Room for all levels."""
        last = list(self._plates(self._levels))[-1:]
        return QSize(round(last[0][1].right() + 2) if last else 0, round(QFontMetricsF(self.font()).height() + 6))

    def minimumSizeHint(self) -> QSize:
        """Where there is too little room, the tip has the rest."""
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """A plate for each level, as on the blocks."""
        del event  # it is small: all of it
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for each, place in self._plates(self._levels if self.sizeHint().width() <= self.width() else self._short):
            painter.setPen(QColor(theme.blocked))
            painter.setBrush(heat_ground(each, theme))
            painter.drawRoundedRect(place, place.height() / 2, place.height() / 2)
            paint_bars(painter, QPointF(place.x() + _PLATE_PX + 2, place.center().y() - 5), each, theme)
            painter.setPen(QColor(theme.text))
            words = place.adjusted(BARS_PX + 2 * _PLATE_PX, 0, 0, 0)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, each.words)
        painter.end()


class HeatBar(TwoRows):
    """Says below the flowchart what is looked at, and what the levels mean; gone while nothing is."""

    def __init__(self, heat: RunHeat, actions: ActionRegistry, parent: QWidget) -> None:
        super().__init__(parent)
        self._heat = heat
        self.title = ElidedLabel("", self)
        self.legend = Legend(self)
        self._actions = actions
        self.hider = QToolButton(self)
        self.hider.setProperty("role", "tool")
        self.hider.setIcon(icon("cross", Ink.MUTED))
        self.hider.setToolTip(_("Hide the heat"))
        self.hider.setAccessibleName(_("Hide the heat"))
        self.hider.clicked.connect(self._on_hidden)
        row = in_row(None, self.hider, (self.title, 1), spacing=8)
        self._lines = row, in_row(None, (self.legend, 1))
        self.lay_out(*self._lines, (8, 2, 8, 2), 0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Heat"))
        heat.changed.connect(self._on_changed)

    @Slot()
    def _on_hidden(self) -> None:
        if self._heat.measure is not None:
            self._actions.trigger(ACTIONS[self._heat.measure])

    @Slot()
    def _on_changed(self) -> None:
        """Tell of what there is now."""
        measure, levels = self._heat.measure, self._heat.levels
        self.setVisible(measure is not None)
        if measure is not None:
            none = _("No run is shown, or it has carried out no step of this file. The timeline has earlier runs.")
            self.title.setText(str(_TITLES[measure]) if levels else none)
            self.title.setToolTip(tip(self.title.text()))
            self.legend.setVisible(bool(levels))
            self.legend.show_levels(levels, self._heat.starts)
            for line in self._lines:
                line.invalidate()  # Qt would do so later
            self.fold()


class HeatUse:
    """The heat of one flowchart, with what switches it. *bar*: its legend, which is to be put below the flowchart."""

    def __init__(self, view: CanvasView, shown: ShownRun, actions: ActionRegistry, parent: QWidget) -> None:
        self._actions = actions
        self.heat = RunHeat(view, shown)
        self.bar = HeatBar(self.heat, actions, parent)

    def switch(self, measure: Measure) -> None:
        """Look at *measure*, or at nothing where it is looked at already."""
        wanted = None if self.heat.measure is measure else measure
        self.heat.show(wanted)
        for each, name in ACTIONS.items():
            self._actions.set_mark(name, Mark.ON if each is wanted else Mark.OFF)
