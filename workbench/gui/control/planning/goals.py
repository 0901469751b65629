"""The goals of the window: each is a cycle that makes a playbook, followed stage by stage as it goes on.

What a cycle has made so far stands in a document of its own, which follows it from round to round, and which a person
may edit like any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from workbench.editing.commands import EditText
from workbench.editing.document import began_with
from workbench.editing.keeping.unsaved_journal import unsaved_left
from workbench.errors import CannotRead, WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.document_controller import KeptDocument
from workbench.i18n import _

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from workbench.editing.document import Document
    from workbench.engine.journal.events import RunEvent, RunId
    from workbench.engine.judges import Limits
    from workbench.engine.ports import Answer, Request
    from workbench.gui.control.document_controller import DocumentController
    from workbench.gui.control.planning.cycles import CycleHost, GoalWish, Launched
    from workbench.gui.control.running.retelling import RunView
    from workbench.gui.control.running.run_controller import RunController
    from workbench.gui.control.running.shown_run import ShownRun
    from workbench.gui.control.running.window_runs import WindowRun
    from workbench.gui.control.tabs.open_tabs import OpenTabs, Tab
    from workbench.planning.shelf.entries import Entry
    from workbench.planning.stages import CycleFold, Stage

# ruff: noqa: PLC0415 - the engine loads with the first goal


@dataclass(eq=False, slots=True)
class Goal:
    """One cycle, as far as it was told. *run*: where it goes on, or went on, in this window; None: it is only told.

    *document*: what it has made, as a document of the window. *given*: the text that this was given last. *texts*: all
    that there were, the oldest first. *kept*: how it stands on the shelf, once that was looked up.
    """

    id: RunId
    at: CycleFold
    run: WindowRun | None = None
    document: Document | None = None
    given: str = ""
    texts: list[str] = field(default_factory=list)
    kept: Entry | None = None

    @property
    def request(self) -> Request | None:
        """The question that it waits with."""
        return self.run.request if self.run is not None else None

    @property
    def asks(self) -> str:
        """What that is about: plan, reuse, text, correct, observe, accept, deviation, regenerate, take; or nothing."""
        return self.request.id.partition(":")[0] if self.request is not None else ""

    @property
    def text(self) -> str:
        """The text that it asks about, or has."""
        is_other = self.at.candidate is not None and self.at.is_taken is None
        return self.at.candidate.text if is_other and self.at.candidate is not None else self.at.text

    @property
    def is_going(self) -> bool:
        """Whether it goes on in this window."""
        return self.run is not None and self.run.is_going

    def take(self, batch: Sequence[RunEvent]) -> None:
        """Hear of what happened."""
        for event in batch:
            self.at.take(event)
            if self.at.text and (not self.texts or self.texts[-1] != self.at.text):
                self.texts.append(self.at.text)


class FollowedGoals(QObject):
    """Follows the goals of this window. *shown*: the one that is looked at, None where there was none yet."""

    changed = Signal()  # where the goal that is shown stands, or what it asks; or another one is shown

    def __init__(self, runs: RunController, told: ShownRun, documents: GoalDocuments, parent: QObject | None) -> None:
        super().__init__(parent)
        self._runs = runs
        self._told = told
        self._documents = documents
        self.shown: Goal | None = None
        self._goals: dict[str, Goal] = {}
        runs.run_began.connect(self._on_run_began)
        runs.phase_changed.connect(self._on_run_changed)
        runs.run_ended.connect(self._on_run_changed)
        told.run_shown.connect(self._on_run_shown)
        told.events_arrived.connect(self._on_told)
        self._shelf = BackgroundWork(self)
        self._shelf.done.connect(self._on_looked_up)

    def look_up(self, tags: str | None = None) -> None:
        """Find out how the goal that is shown stands on the shelf; with other *tags* from then on, set apart by commas.

        It is told by ``changed``.
        """
        goal = self.shown
        if goal is not None and goal.at.stored is not None and (goal.kept is None or tags is not None):
            self._shelf.ask(partial(_kept, self._runs.host.places.shelf_file, goal, tags))

    @Slot(object)
    def _on_looked_up(self, found: tuple[Goal, Entry | None]) -> None:
        goal, entry = found
        if entry != goal.kept:
            goal.kept = entry
            self.changed.emit()

    @Slot(object)
    def _on_run_began(self, run: WindowRun) -> None:
        if run.view.origin.is_cycle:
            from workbench.planning.stages import CycleFold

            self.shown = self._goals[run.id] = Goal(run.id, CycleFold(), run)
            followed = _Followed(self.shown, run)
            followed.moved.connect(self._on_moved)
            self.changed.emit()

    @Slot(object)
    def _on_moved(self, goal: Goal) -> None:
        before = self._goals.get(goal.at.source)
        if goal.document is None and before is not None and self._documents.tab_of(before.document) is not None:
            goal.document, goal.given = before.document, before.given
        if goal.at.text:
            self._documents.follow(goal)
        if goal is self.shown:
            self.changed.emit()

    @Slot(object)
    def _on_run_changed(self, run: WindowRun) -> None:
        if self.shown is not None and run.id in (self.shown.id, self.shown.at.begun):
            self.changed.emit()

    @Slot(object)
    def _on_run_shown(self, view: RunView | None) -> None:
        """A cycle that is only told is followed as it is told."""
        if view is None or not view.origin.is_cycle:
            return
        known = self._goals.get(view.id)
        if known is None or known.run is None:
            from workbench.planning.stages import CycleFold

            known = self._goals[view.id] = Goal(view.id, CycleFold())
        if known is not self.shown:
            self.shown = known
            self.changed.emit()

    @Slot(object)
    def _on_told(self, batch: tuple[RunEvent, ...]) -> None:
        goal, view = self.shown, self._told.view
        if goal is not None and goal.run is None and view is not None and view.id == goal.id:
            goal.take(batch)
            self.changed.emit()

    @property
    def may_resume(self) -> bool:
        """Whether the goal that is shown was stopped or cut off, and nobody goes on with it."""
        from workbench.engine.journal.choices import RunStatus

        goal, view = self.shown, self._told.view
        if goal is not None and goal.run is not None:
            return not goal.is_going and goal.run.state is not None and goal.run.state.status is RunStatus.CANCELLED
        return goal is not None and view is not None and view.id == goal.id and self._told.is_resumable

    def resume(self) -> None:
        """Go on with the goal that is shown where it was."""
        if self.shown is not None and self.may_resume:
            self._runs.resume(self.shown.id)


class GoalController(FollowedGoals):
    """Begins goals, answers what they ask, and does stages once more."""

    form_wanted = Signal(object)  # GoalWish | None: somebody wants to describe a goal, or change that one
    _carried_out = Signal(object)  # Launched: a run of what a cycle has made; emitted on the thread of the cycle

    def __init__(self, runs: RunController, told: ShownRun, documents: GoalDocuments, parent: QObject | None) -> None:
        super().__init__(runs, told, documents, parent)
        runs.resume_cycle = partial(_resumed, self)
        self._carried_out.connect(self._on_carried_out, Qt.ConnectionType.QueuedConnection)

    @cached_property
    def host(self) -> CycleHost:
        """Who carries cycles out; made, and the engine loaded, when it is first wanted."""
        from workbench.gui.control.planning.cycles import CycleHost

        return CycleHost(self._runs.host, self._carried_out.emit)

    def begin(self, wish: GoalWish) -> None:
        """Begin a cycle; the one whose plan it changes goes on no more."""
        before = self._goals.get(wish.again)
        if before is not None:
            self._stop(before)
        self._runs.launch(partial(_begun, self, wish))

    def again(self, stage: Stage | None) -> None:
        """Do *stage* of the goal that is shown once more, and all that follows, as another cycle."""
        if self.shown is not None and stage is not None:
            self._stop(self.shown)
            self._runs.launch(partial(_again, self, self.shown.id, stage))

    def answer(self, answer: Answer) -> bool:
        """Answer what the goal that is shown asks; False where it asks nothing, or the answer does not fit."""
        goal = self.shown
        if goal is None or goal.run is None or goal.request is None:
            return False
        return goal.run.run.answer(goal.request.id, answer)

    def decide(self, text: str = "", *, is_yes: bool) -> bool:
        """The same with yes or no, and why, or with which text; asks first for trust where a run needs it."""
        from workbench.engine.ports import Answer

        goal = self.shown
        is_run = is_yes and goal is not None and goal.at.request.is_run and goal.asks in {"accept", "take"}
        if is_run and goal is not None and goal.run is not None:
            file, program = self.host.carried_out(goal.run.view.origin.path, text or goal.text)
            if self._runs.needs_trust(program, file, partial(self.decide, text, is_yes=is_yes)):
                return True
        return self.answer(Answer(decision=is_yes, text=text))

    def say(self, values: Mapping[str, Any]) -> bool:
        """The same with values by their names."""
        from workbench.engine.ports import Answer

        return self.answer(Answer(tuple(values.items())))

    def stop(self) -> None:
        """End the goal that is shown; what it has come to stays in the journal."""
        if self.shown is not None:
            self._stop(self.shown)

    def _stop(self, goal: Goal) -> None:
        if goal.run is not None and goal.run.is_going:
            for each in self._runs.going:
                if each.id == goal.at.begun:
                    each.run.stop()
            goal.run.run.stop()

    def ask_for_plan(self) -> None:
        """Have the plan of the goal that is shown changed in the form: then another cycle goes on from there."""
        from workbench.gui.control.planning.cycles import wish_of

        if self.shown is not None:
            self.form_wanted.emit(wish_of(self._runs.host, self.shown.id, self.shown.at))

    def show_candidate(self) -> None:
        """Let the document of the goal say what it would go on with, so that it can be changed first."""
        if self.shown is not None and self.shown.at.candidate is not None:
            self.show_text()
            if self.shown.document is not None:
                self._documents.put(self.shown.document, self.shown.at.candidate.text)

    def show_run(self) -> None:
        """Show the run that carries out what the goal has come to, in all panes."""
        if self.shown is not None and self.shown.at.begun:
            from workbench.engine.journal.events import RunId

            self._told.show(RunId(self.shown.at.begun))

    def show_text(self) -> None:
        """Show the document of the goal that is shown, opened again where it was closed."""
        if self.shown is not None and self.shown.at.text:
            self._documents.show(self.shown)

    @property
    def written(self) -> str:
        """The text of the document of the goal that is shown, as a person has it now; empty where it is closed."""
        document = self.shown.document if self.shown is not None else None
        is_open = document is not None and self._documents.tab_of(document) is not None
        return document.snapshot.text if document is not None and is_open else ""

    @Slot(object)
    def _on_carried_out(self, launched: Launched) -> None:
        self._runs.take_up(*launched, is_of_text=True)


class _Followed(QObject):
    """Follows *goal* as long as its run is known."""

    moved = Signal(object)  # Goal

    def __init__(self, goal: Goal, run: WindowRun) -> None:
        super().__init__(run)
        self._goal = goal
        run.events_arrived.connect(self._on_events_arrived)
        run.request_changed.connect(self._on_request_changed)

    @Slot(object)
    def _on_events_arrived(self, batch: tuple[RunEvent, ...]) -> None:
        self._goal.take(batch)
        self.moved.emit(self._goal)

    @Slot(object)
    def _on_request_changed(self, _request: object) -> None:
        self.moved.emit(self._goal)


class GoalDocuments:
    """The documents that have what cycles make. *edits_dir*: where what was never saved is kept."""

    def __init__(self, documents: DocumentController, tabs: OpenTabs, edits_dir: Path) -> None:
        self._documents = documents
        self._edits_dir = edits_dir
        self._tabs = tabs

    def tab_of(self, document: Document | None) -> Tab | None:
        """The tab of *document*; None where it is closed."""
        if document is None:
            return None
        shown = self._tabs.shown if self._documents.document is document else None
        kept = (each for each in self._tabs.tabs if each.kept is not None and each.kept.document is document)
        return shown or next(kept, None)

    def show(self, goal: Goal) -> None:
        """Show the document of *goal*, opened where it is not."""
        tab = self.tab_of(goal.document)
        if tab is not None:
            self._tabs.show(tab)
            return
        left = self._left_of(goal)
        goal.document, goal.given = left or self._documents.beside(goal.at.text), goal.at.text
        if self.tab_of(left) is None:
            self._tabs.open_document(KeptDocument(goal.document))

    def _left_of(self, goal: Goal) -> Document | None:
        """What a person had made of the text of *goal* when it was cut off, where that was kept: open again or not."""
        if goal.run is None or goal.run.resumed_after < 0:
            return None
        kept = (each.kept.document for each in self._tabs.tabs if each.kept is not None)
        known = (each for each in (self._documents.document, *kept) if each.path is None and each.is_dirty)
        left = (each for each in unsaved_left(self._edits_dir) if each.base == goal.at.text)
        found = next((each for each in known if began_with(each) == goal.at.text), None)
        with suppress(CannotRead):  # another window has taken it meanwhile
            found = found or next((self._documents.restored(each.file) for each in left), None)
        return found

    def follow(self, goal: Goal) -> None:
        """Let the document of *goal* have its text as it is now, unless a person has changed it meanwhile."""
        text = goal.at.text
        if goal.document is None:
            self.show(goal)
        elif text != goal.given and self.tab_of(goal.document) is not None:
            is_own, goal.given = goal.document.snapshot.text in (goal.given, text), text
            if is_own:
                self.put(goal.document, text)

    def put(self, document: Document, text: str) -> None:
        """Let *document* say *text*, as one edit that can be undone."""
        from workbench.syntax.comparing.lines import line_change

        change = line_change(document.snapshot.text, text)
        if change.edits:
            self._documents.execute_in(document, EditText(change.edits, _("Take over the next version")))


def _begun(goals: GoalController, wish: GoalWish) -> Launched:
    return goals.host.begin(wish)


def _again(goals: GoalController, run: RunId, stage: Stage) -> Launched:
    return goals.host.again(run, stage)


def _resumed(goals: GoalController, run: RunId, limits: Limits | None) -> Launched:
    return goals.host.resume(run, limits)


def _kept(file: Path, goal: Goal, tags: str | None) -> tuple[Goal, Entry | None]:
    """How *goal* stands on the shelf in *file*; None where it does no more. Why it cannot be read says the shelf."""
    from workbench.engine.language.procedures.start import who
    from workbench.planning.shelf.store import Shelf

    try:
        shelf = Shelf(file, who())
        try:
            place = goal.at.stored.place if goal.at.stored is not None else ""
            return goal, shelf.entry(place) if tags is None else shelf.tag(place, tags.split(","))
        finally:
            shelf.close()
    except WorkbenchError:
        return goal, None
