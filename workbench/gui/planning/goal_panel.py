"""The goal pane: how far a goal has come, stage by stage, what came of each, and what is to be said to go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QInputDialog,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from workbench.gui.control.context import WindowContext
from workbench.gui.control.versions.version_control import Version, Wanted
from workbench.gui.forms.goal_answers import AnswerBox, ButtonBlock, give, question_of
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, open_on_screen
from workbench.gui.look.theming import current_theme, status_ink
from workbench.gui.look.written_words import read_as_written
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import _
from workbench.syntax.text import SourceText, Span

if TYPE_CHECKING:
    from workbench.engine.state.run_state import RunState
    from workbench.gui.control.planning.goals import Goal, GoalController
    from workbench.gui.words.stage_words import StageLine, StageRow
    from workbench.planning.stages import Stage

ORIGIN = "goal"
_ROLE = Qt.ItemDataRole.UserRole
_REFRESH_MS = 30
_ROW_PX = 24
_STAGES, _LEAST_ROWS, _EDGE_PX = 7, 4, 8
_DEPTH = "    "
_REPEATABLE = frozenset({"plan", "generate", "check", "review"})


class GoalPanel(QWidget):
    """Shows the goal that is looked at. Nothing is found out while nobody looks."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._goals = context.goals
        self.title = Label(parent=self, role="title", wraps=True)
        self.stages, self.answers, self.rows = StageList(self), AnswerBox(self), OutcomeList(self)
        self.acts = ButtonBlock(self, "link")
        self.acts.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._timer = QTimer(self, singleShot=True, interval=_REFRESH_MS)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        words = _("Say what is to be reached. It becomes a plan, the plan a playbook, which you review, run and keep.")
        self._pages = QStackedWidget(self)
        self._empty = EmptyState("goal", _("No goal yet"), words, self._pages)
        self.new = QPushButton(_("New from a goal…"), self)
        self._empty.add_button(self.new)
        self._page = QScrollArea(self._pages)
        inside = QWidget(self._page)
        parts = (self.title, self.stages, self.answers, (self.rows, 1), self.acts)
        in_column(inside, *parts, margins=8, spacing=8)
        self._page.setWidget(inside)
        self._page.setWidgetResizable(True)
        self._page.setFrameShape(QFrame.Shape.NoFrame)
        self._page.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._page)
        in_column(self, self._pages, margins=0)
        self.title.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusProxy(self.new)
        self.take_theme()

    def _connect(self) -> None:
        self._goals.changed.connect(self._on_changed)
        self._timer.timeout.connect(self.refresh)
        self.new.clicked.connect(self._context.actions.action("file.new-goal").trigger)
        self.stages.chosen_changed.connect(self._on_stage_chosen)
        self.rows.itemActivated.connect(self._on_row_activated)
        self.answers.given.connect(self._on_answered)
        self.answers.left.connect(self.stages.setFocus)
        self.acts.pushed.connect(self._on_pushed)
        self._context.documents.document_changed.connect(self._on_changed)

    def take_theme(self) -> None:
        """Larger letters need more room."""
        self.stages.take_theme()
        self.rows.setMinimumHeight(_LEAST_ROWS * current_theme().px(_ROW_PX))

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while nobody looked."""
        super().showEvent(event)
        self.refresh()

    @Slot()
    def _on_changed(self) -> None:
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    @Slot()
    def refresh(self) -> None:
        """Show the goal as it is now."""
        goal = self._goals.shown
        self._pages.setCurrentWidget(self._empty if goal is None else self._page)
        self.setFocusProxy(self.new if goal is None else self.stages)  # what is hidden would hold Tab for ever
        if goal is None:
            return
        from workbench.gui.words.stage_words import stage_lines  # noqa: PLC0415 - loaded with the first goal

        self.title.setText(goal.at.request.goal)
        self.stages.show_lines(stage_lines(goal.at, _state_of(goal, self._context), asks=goal.request is not None))
        self._show_rows(goal)
        self.answers.show_question(question_of(goal, self._goals.written))
        self.acts.show_buttons(tuple(self._buttons(goal)))

    def _show_rows(self, goal: Goal) -> None:
        from workbench.gui.words.stage_words import judging_rows, stage_rows  # noqa: PLC0415 - as above

        stage = self.stages.stage
        self._goals.look_up()
        rows = stage_rows(goal.at, stage, len(goal.texts), goal.kept) if stage is not None else ()
        self.rows.show_rows((*(judging_rows(_state_of(goal, self._context)) if stage is goal.at.stage else ()), *rows))

    def _buttons(self, goal: Goal) -> Sequence[tuple[str, str]]:
        """What can be done besides answering: name and words of each."""
        found = [("text", _("Show &playbook"))] if goal.at.text else []
        if goal.at.candidate is not None and goal.at.is_taken is None:
            found.append(("compare", _("Compare old and new…")))
        elif len(goal.texts) > 1:
            found.append(("compare", _("Compare versions…")))
        if goal.at.begun:
            found.append(("run", _("Show &run")))
        if goal.kept is not None:
            found += [("shelf", _("Show on the &shelf")), ("tags", _("&Tags…"))]
        if goal.at.plan is not None:
            found.append(("plan", _("Change the p&lan…")))
        if self._may_repeat(goal):
            found.append(("again", _("Do this stage a&gain")))
        if self._goals.may_resume:
            found.append(("resume", _("Go &on with it")))
        return [*found, *([("stop", _("&Stop"))] if goal.is_going else [("new", _("&New goal…"))])]

    def _may_repeat(self, goal: Goal) -> bool:
        """Whether the stage that is shown can be done once more: what it needs is there, and it is no run."""
        line = self.stages.line
        if line is None or line.state not in {"done", "failed", "stopped"} or line.stage.value not in _REPEATABLE:
            return False
        return line.stage.value == "plan" or goal.at.plan is not None

    @Slot()
    def _on_stage_chosen(self) -> None:
        goal = self._goals.shown
        if goal is not None:
            self._show_rows(goal)
            self.acts.show_buttons(tuple(self._buttons(goal)))

    @Slot(QListWidgetItem)
    def _on_row_activated(self, item: QListWidgetItem) -> None:
        """Go to the step or the line, or show how that version differs from the one before."""
        row: StageRow = item.data(_ROLE)
        goal = self._goals.shown
        if goal is None:
            return
        if row.version > 1:
            self._compare(goal.texts[row.version - 2], goal.texts[row.version - 1])
        elif row.version or row.address or row.line:
            self._goals.show_text()
            snapshot = self._context.documents.snapshot
            step = snapshot.at_address(row.address) if row.address else None
            if step is not None:
                self._context.selection.reveal((step.id,), ORIGIN)
            elif row.line:
                lines = snapshot.text.splitlines(keepends=True)[: row.line]
                end = sum(map(len, lines))
                self._context.selection.show_text(Span(end - len(lines[-1]), end))

    @Slot(str, str)
    def _on_answered(self, name: str, text: str) -> None:
        self.answers.refuse(give(self._goals, name, text))

    @Slot(str)
    def _on_pushed(self, name: str) -> None:
        goal = self._goals.shown
        if goal is None:
            return
        acts: dict[str, Callable[[], object]] = {
            "text": self._goals.show_text,
            "compare": partial(self._compare_last, goal),
            "run": self._goals.show_run,
            "plan": self._goals.ask_for_plan,
            "shelf": self._context.actions.action("pane.shelf").trigger,
            "tags": partial(ask_tags, self._goals, goal, self),
            "again": partial(self._goals.again, self.stages.stage),
            "stop": self._goals.stop,
            "resume": self._goals.resume,
            "new": self._context.actions.action("file.new-goal").trigger,
        }
        acts[name]()

    def _compare_last(self, goal: Goal) -> None:
        candidate = goal.at.candidate
        if candidate is not None and goal.at.is_taken is None:
            self._compare(goal.at.text, candidate.text)
        elif len(goal.texts) > 1:
            self._compare(goal.texts[-2], goal.texts[-1])

    def _compare(self, old: str, new: str) -> None:
        from workbench.planning.checking import read_text  # noqa: PLC0415 - loaded with the first goal

        goal = self._goals.shown
        if goal is not None:
            snapshot = read_text(new, goal.at.request.format)
            version = Version(_("the version before"), partial(SourceText, old))
            self._context.versions.compare(Wanted(version, snapshot, _("the next version")))


def _state_of(goal: Goal, context: WindowContext) -> RunState | None:
    return goal.run.state if goal.run is not None else context.shown.latest


def ask_tags(goals: GoalController, goal: Goal, parent: QWidget) -> QInputDialog:
    """Ask for the tags with which what came of *goal* stands on the shelf."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(_("Tags"))
    dialog.setLabelText(_("Tags, set apart by commas:"))
    dialog.setTextValue(", ".join(goal.kept.tags) if goal.kept is not None else "")
    dialog.textValueSelected.connect(goals.look_up)
    dialog.finished.connect(dialog.deleteLater)
    open_on_screen(dialog)
    return dialog


class _Lines(QListWidget):
    """Lines with icons, each in one line however long it is."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        read_as_written(self)
        self.setAccessibleName(name)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


class StageList(_Lines):
    """The stages of a goal; the one at hand is chosen by itself until a person chooses another."""

    chosen_changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(_("Stages"), parent)
        self._lines: tuple[StageLine, ...] = ()
        self._chosen: Stage | None = None
        self.currentRowChanged.connect(self._on_row_changed)

    @property
    def stage(self) -> Stage | None:
        """The stage whose outcome is shown."""
        return self._chosen or self._at_hand(self._lines)

    @property
    def line(self) -> StageLine | None:
        """What is told of it."""
        return next((each for each in self._lines if each.stage is self.stage), None)

    def _at_hand(self, lines: Sequence[StageLine]) -> Stage | None:
        return next((each.stage for each in reversed(lines) if each.state), None)

    def show_lines(self, lines: tuple[StageLine, ...]) -> None:
        """Show *lines*; where another stage is at hand, that one is chosen."""
        if lines == self._lines:
            return
        if self._at_hand(lines) is not self._at_hand(self._lines):
            self._chosen = None
        self._lines = lines
        with QSignalBlocker(self):
            self.clear()
            for line in lines:
                item = QListWidgetItem(icon(line.icon, status_ink(line.status)), drawable_line(line.words), self)
                item.setSizeHint(QSize(0, current_theme().px(_ROW_PX)))
                item.setToolTip(tip(line.all_words))
                item.setData(Qt.ItemDataRole.AccessibleTextRole, drawable_line(line.all_words))
            self.setCurrentRow(next((row for row, each in enumerate(lines) if each.stage is self.stage), 0))

    def take_theme(self) -> None:
        """All stages can be seen, whatever the size of letters."""
        self.setFixedHeight(_STAGES * current_theme().px(_ROW_PX) + 2 * self.frameWidth() + _EDGE_PX)

    @Slot(int)
    def _on_row_changed(self, row: int) -> None:
        if 0 <= row < len(self._lines):
            self._chosen = self._lines[row].stage
            self.chosen_changed.emit()


class OutcomeList(_Lines):
    """What came of a stage, line by line."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(_("What came of the stage"), parent)
        self._rows: tuple[StageRow, ...] = ()

    def show_rows(self, rows: tuple[StageRow, ...]) -> None:
        """Show exactly *rows*."""
        if rows == self._rows:
            return
        self._rows = rows
        self.clear()
        for row in rows:
            words = _DEPTH * row.depth + drawable_line(row.text)
            item = QListWidgetItem(icon(row.icon, status_ink(row.status)), words, self)
            item.setData(_ROLE, row)
            item.setToolTip(tip(row.text))
        self.setCurrentRow(0)
