"""Calls the person who does not look: who is elsewhere when a run waits, and who listens to a screen reader.

Who is elsewhere is told by a notice of the desktop, else by the window's entry; the status bar says so in any case.
Only the name of the playbook is told there: a notice stands on locked screens, and in the lists of other programs.
Who listens is told what happens where the keys are not: edits, runs, findings, notices.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from workbench.editing.change import ChangeOrigin, DocumentChange
from workbench.engine.journal.events import RunId
from workbench.gui.canvas.content.structure_walk import index_of, list_around
from workbench.gui.canvas.view.accessible import name_of
from workbench.gui.control.actions import Mark
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Notice, NoticeKind
from workbench.gui.control.running.run_marks import MarkStatus
from workbench.gui.control.running.window_runs import Phase, WindowRun
from workbench.gui.look.icons import icon
from workbench.gui.look.theming import Ink
from workbench.gui.words.values import drawable_line, problem_words
from workbench.i18n import _, ngettext
from workbench.model.links import file_links
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot
from workbench.syntax.diagnostics import Severity
from workbench.vocabulary import Status, status_of_run

_ENOUGH = 120
_REST_MS = 400
_NEXT = frozenset({MarkStatus.NEXT})


class RunAlert(QObject):
    """Tells once for every question, call or breakpoint with which a run waits that is not being looked at.

    A run is looked at while it is shown and a window of this program is active.
    """

    alerted = Signal(object)  # str: what is told

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._tray: QSystemTrayIcon | None = None
        self._told: dict[RunId, str] = {}
        context.runs.phase_changed.connect(self._on_phase_changed)
        context.runs.run_ended.connect(self._on_run_ended)
        context.actions.register("run.notify", self.toggle)
        context.settings.settings_changed.connect(self._mark)
        self._mark()

    def toggle(self) -> None:
        """Tell, or stop telling."""
        is_notified = not self._context.settings.current.is_notified
        self._context.settings.change(lambda settings: replace(settings, is_notified=is_notified))

    @Slot()
    def _mark(self) -> None:
        self._context.actions.set_mark(
            "run.notify", Mark.ON if self._context.settings.current.is_notified else Mark.OFF
        )

    @Slot(object)
    def _on_phase_changed(self, run: WindowRun) -> None:
        if self._tray is not None and not any(each.phase.is_asking for each in self._context.runs.waiting):
            self._tray.hide()
        if not run.phase.is_asking or self._is_looked_at(run) or not self._context.settings.current.is_notified:
            return
        if self._told.get(run.id) != run.wait:
            self._told[run.id] = run.wait
            self._tell(run)

    def _is_looked_at(self, run: WindowRun) -> bool:
        is_active = QGuiApplication.applicationState() is Qt.ApplicationState.ApplicationActive
        view = self._context.shown.view
        return is_active and view is not None and view.id == run.id

    def _tell(self, run: WindowRun) -> None:
        name, is_stopped = drawable_line(run.view.name), run.phase is Phase.AT_BREAKPOINT
        words = _("{playbook} has stopped at a breakpoint") if is_stopped else _("{playbook} is waiting for you")
        words = words.format(playbook=name)
        if QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages():
            self._show(words)
        else:
            QApplication.alert(self._window)
        self.alerted.emit(words)

    @Slot(object)
    def _on_run_ended(self, run: WindowRun) -> None:
        """That a run is over which is not shown is told in the status bar alone: nobody is waited for."""
        self._told.pop(run.id, None)
        view = self._context.shown.view
        if run.state is not None and run.state.is_over and view is not None and view.id != run.id:
            status = status_of_run(run.state.status, is_live=False)
            name = drawable_line(run.view.name)
            self._context.notices.tell(_("{playbook}: {status}").format(playbook=name, status=status))

    def _show(self, words: str) -> None:
        """As a title: in the text below it some desktops read markup."""
        if self._tray is None:
            self._tray = QSystemTrayIcon(icon("workbench", Ink.ACCENT), self)
            self._tray.messageClicked.connect(self._on_clicked)
        self._tray.show()  # without it, most desktops show no notice
        self._tray.showMessage(words, _("Playbook Workbench"), icon("workbench", Ink.ACCENT))

    @Slot()
    def _on_clicked(self) -> None:
        self._window.raise_()
        self._window.activateWindow()
        self._context.shown.show_live()


class Announcer(QObject):
    """Says each thing once, in the words of the window. *announced*: what was said."""

    announced = Signal(str)

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._found: frozenset[str] = frozenset()
        self._counted = ""
        self._is_edited = False
        self._stage = ""
        self._stopped: tuple[WindowRun, str] | None = None
        self._waiting: dict[str, str] = {}
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self._on_rested)
        context.documents.document_opened.connect(self._on_opened)
        context.documents.change_followed.connect(self._on_changed)
        context.diagnosis.ready.connect(self._on_diagnosed)
        context.runs.phase_changed.connect(self._on_phase_changed)
        context.runs.run_ended.connect(self._on_run_ended)
        context.notices.noticed.connect(self._on_noticed)
        context.notices.spoken.connect(self._on_spoken)
        context.goals.changed.connect(self._on_goal_changed)

    def say(self, words: str, *, is_urgent: bool = False) -> None:
        """Have *words* read; urgent ones at once, others when what is being read is over."""
        if not words:
            return
        if QAccessible.isActive():
            event = QAccessibleAnnouncementEvent(self._window, words)
            polite = QAccessible.AnnouncementPoliteness.Polite
            event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive if is_urgent else polite)
            QAccessible.updateAccessibility(event)
        self.announced.emit(words)

    @Slot(str, str)
    def _on_spoken(self, topic: str, words: str) -> None:
        """What is said of one thing while somebody types or goes through it is said once, when that rests."""
        self._waiting[topic] = words
        self._rest.start()

    @Slot()
    def _on_rested(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for words in waiting.values():
            self.say(words)
        if self._stopped is not None:
            (run, about), self._stopped = self._stopped, None
            self.say(f"{about}{self._next_in(run)}", is_urgent=run.phase.is_asking)

    def _next_in(self, run: WindowRun) -> str:
        """The step before which *run* stands, where that one is shown."""
        shown, snapshot = self._context.shown, self._context.documents.snapshot
        at = shown.marks.latest(_NEXT) if shown.view is not None and shown.view.id == run.id else None
        step = snapshot.find(at) if at is not None else None
        return drawable_line(f", {name_of(snapshot, step, ())}") if step is not None else ""

    @Slot(object)
    def _on_opened(self, _snapshot: object) -> None:
        """The window's title says what was opened, and the first findings are no news of an edit."""
        self._found, self._counted, self._is_edited = frozenset(), "", False

    @Slot(object)
    def _on_changed(self, change: DocumentChange) -> None:
        self._is_edited = True
        self.say(words_of_change(change))

    @Slot(object)
    def _on_diagnosed(self, snapshot: Snapshot) -> None:
        """How many there are where that is another number than before, and the first error that was not there.

        Only once something was edited.
        """
        found = snapshot.diagnostics
        words = problem_words(*[sum(each.severity is level for each in found) for level in Severity])
        errors = [each.message for each in found if each.severity is Severity.ERROR]
        new = next((each for each in errors if each not in self._found), "")
        if self._is_edited and (new or words != self._counted):
            self.say(drawable_line(f"{words}: {new}" if new else words))
        self._found, self._counted = frozenset(errors), words

    @Slot(object)
    def _on_phase_changed(self, run: WindowRun) -> None:
        """A question is told with its words, and where a run stands still with the step that is next."""
        about = f"{drawable_line(run.view.name)}: {_about(run)}"
        self._stopped = (run, about) if run.phase in (Phase.PAUSED, Phase.AT_BREAKPOINT) else None
        if self._stopped is not None:
            self._rest.start()  # which step is next comes with the marks on the flowchart
        elif run.phase.is_asking or run.phase is Phase.LISTENS:
            asked = _short(run.request.text) if run.request is not None else ""
            self.say(drawable_line(f"{about}: {asked}" if asked else about), is_urgent=run.phase.is_asking)

    @Slot(object)
    def _on_run_ended(self, run: WindowRun) -> None:
        """That another one is over than the one that is shown is told as a notice."""
        view = self._context.shown.view
        if run.state is not None and run.state.is_over and view is not None and view.id == run.id:
            status = status_of_run(run.state.status, is_live=False)
            words = _("{playbook}: {status}").format(playbook=drawable_line(run.view.name), status=status)
            self.say(drawable_line(f"{words}: {_short(run.state.error)}" if run.state.error else words))

    @Slot()
    def _on_goal_changed(self) -> None:
        """Which stage of the goal has begun, failed, or is left behind; what it asks is told with the run."""
        goal = self._context.goals.shown
        if goal is None or goal.run is None:
            return
        from workbench.gui.words.stage_words import stage_lines  # noqa: PLC0415 - loaded with the first goal

        lines = stage_lines(goal.at, goal.run.state, asks=False)
        words = next((each.all_words for each in reversed(lines) if each.state), "")
        if words != self._stage:
            self._stage = words
            self._on_spoken("stage", words)

    @Slot(object)
    def _on_noticed(self, notice: Notice) -> None:
        self.say(notice.text, is_urgent=notice.kind is NoticeKind.ERROR)


def words_of_change(change: DocumentChange) -> str:
    """What an edit has done, and where it left the step: ``Move step: Step 2 of 3, Tell user, below “Ask user”``.

    Empty for typing, which is read as it is typed, and for what another program wrote, which the window tells of.
    """
    if change.origin is ChangeOrigin.TYPING or not change.origin.is_by_hand:
        return ""
    done = change.label
    if done and change.origin in (ChangeOrigin.UNDO, ChangeOrigin.REDO):
        done = (_("Undone: {label}") if change.origin is ChangeOrigin.UNDO else _("Redone: {label}")).format(label=done)
    touched = next((each for each in change.selection if change.after.has(each)), None)
    if touched is None and change.removed:
        gone = ngettext("{count} step is gone", "{count} steps are gone", len(change.removed))
        return f"{done}: {gone}" if done else gone
    step = change.after.find(touched) if touched is not None else None
    if step is None:
        return done
    links = (link for _index, link in file_links(change.after))
    place = f"{name_of(change.after, step, links)}, {_above(change.after, step)}".rstrip(", ")
    return drawable_line(f"{done}: {place}" if done else place)


def _above(snapshot: Snapshot, step: Step) -> str:
    row = list_around(snapshot, step.id)
    at = index_of(row, step.id)
    return _("below “{text}”").format(text=_short(row[at - 1].text)) if at > 0 else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _ENOUGH else f"{line[: _ENOUGH - 1]}…"


def _about(run: WindowRun) -> str:
    """What the run is about, in the words of its pane."""
    from workbench.gui.runs.run_header import PHASES  # noqa: PLC0415 - loaded with the run

    return str(PHASES[run.phase][0]) if run.phase in PHASES else str(Status.PAUSED)
