"""What runs: the run that is shown and how it stands, with its buttons, and the list of the runs of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Slot
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QSizePolicy, QWidget

from workbench.engine.journal.choices import RunStatus
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.retelling import RunView
from workbench.gui.control.running.run_steps import TextMatch
from workbench.gui.control.running.window_runs import Phase, WindowRun
from workbench.gui.look.action_button import ActionButton, OfferButton
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_row
from workbench.gui.look.theming import TOOL_ICON_PX, status_ink
from workbench.gui.words.run_words import file_name, moment_words, owner_words, used_words
from workbench.gui.words.values import NS_PER_S, drawable_line, tip
from workbench.i18n import N_, _, duration_text
from workbench.vocabulary import Status, status_of_run, waiting_words

if TYPE_CHECKING:
    from workbench.engine.state.run_state import RunState

CLOCK_MS = 200
BUTTONS = ("run.judges", "run.start", "run.start-another", "run.pause", "run.step", "run.stop")
_LOOKS = {
    RunStatus.PAUSED: ("pause", "blocked"),
    RunStatus.CANCELLED: ("stop", "stopped"),
    RunStatus.COMPLETED: ("done", "done"),
    RunStatus.FAILED: ("failed", "failed"),
}
_WAITING = frozenset({RunStatus.LISTENING, RunStatus.TIMED})
PHASES = {
    Phase.ASKS: (N_("asks you something"), "waiting", "waiting"),
    Phase.WANTS_LEAVE: (N_("asks for your approval"), "shield", "waiting"),
    Phase.AT_BREAKPOINT: (N_("stopped at a breakpoint"), "breakpoint", "waiting"),
    Phase.LISTENS: (Status.LISTENING.value, "chat", "waiting"),
}
_LIST_PX = QSize(250, 120)


class RunHeader(QWidget):
    """Shows the run; the buttons are the actions of the Run menu."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = context.shown
        self._documents = context.documents
        self._looks: tuple[str, str, str] | None = None
        self._picture = Picture(icon("run"), self, TOOL_ICON_PX)
        self._words = Label(parent=self)
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._elapsed = Label(parent=self, role="secondary")
        row = in_row(self, self._picture, (self._words, 1), self._elapsed, margins=(12, 4, 8, 4), spacing=6)
        for action_id in ("run.resume", "run.change-result", "run.change-answer", "run.go-on"):
            row.addWidget(OfferButton(context.actions.action(action_id), self))
        row.addWidget(ReportOffer(context, self))
        for action_id in BUTTONS:
            row.addWidget(ActionButton(context.actions.action(action_id), self))
        self._clock = QTimer(self, interval=CLOCK_MS)
        self._clock.timeout.connect(self._show)
        self._connect()
        self._show()

    def _connect(self) -> None:
        self._shown.run_shown.connect(self._on_run_shown)
        self._shown.state_changed.connect(self._show)
        self._shown.settled.connect(self._on_settled)
        self._shown.owner_changed.connect(self._show)
        self._documents.file_state_changed.connect(self._show)

    @property
    def words(self) -> str:
        """What runs, and how it stands."""
        return self._words.text()

    @Slot(object)
    def _on_run_shown(self, view: RunView | None) -> None:
        if view is None:
            self._clock.stop()
        else:
            self._clock.start()
        self._show()

    @Slot()
    def _on_settled(self) -> None:
        self._clock.stop()
        self._show()

    @Slot()
    def _show(self) -> None:
        """Asked with every batch of a run: text is laid out only where it differs."""
        elapsed_ns = self._shown.shown_ns()
        self._elapsed.setText(duration_text(elapsed_ns) if elapsed_ns >= NS_PER_S else _("under 1 s"))
        self._elapsed.setVisible(self._shown.view is not None)
        status, icon_name, color = self._status()
        owner = self._shown.owner
        where = owner_words(owner) if owner is not None else ""
        looks = " · ".join(part for part in (self._name(), status, where, self._used()) if part), icon_name, color
        if looks != self._looks:
            self._looks = looks
            self._words.setText(looks[0])
            self._picture.show_icon(icon(icon_name, status_ink(color)))

    def _name(self) -> str:
        """The playbook, and its file where that is not the one that is open."""
        view = self._shown.view
        if view is None:
            return ""
        path, match = self._documents.file_state.path, self._shown.text_match
        if match in {TextMatch.CHANGED, TextMatch.LOST}:
            return f"{view.name} ({match.short_words})"
        if view.origin.path == ("" if path is None else str(path)):
            return view.name
        return _("{playbook} in {file}").format(playbook=view.name, file=file_name(view.origin.path))

    def _used(self) -> str:
        """What models have used, in a few words."""
        used = self._shown.state.used if self._shown.state is not None else None
        if used is None or not used.requests:
            return ""
        return used_words(used)

    def _status(self) -> tuple[str, str, str]:
        """The word, icon and colour of the status."""
        shown, state = self._shown, self._shown.state
        if shown.view is None:
            return _("No run yet"), "run", ""
        if shown.moment is not None:
            return moment_words(shown.moment.seq, shown.moments.count), "history", "waiting"
        if not shown.is_live and shown.owner is None:
            if not shown.is_settled:
                return _("Reading the run…"), "run", ""
            if state is None or not state.is_over:
                return str(Status.INTERRUPTED), "blocked", "blocked"
        if state is None:
            return str(Status.STARTING), "running", "running"
        if _is_asking_model(state):
            return _("asking a model"), "running", "running"
        if state.status is RunStatus.RUNNING and state.pending is not None:
            return str(Status.WAITING_FOR_YOU if shown.is_live else Status.WAITING), "waiting", "waiting"
        if state.waiting.wait is not None and state.status in _WAITING:
            wait = state.waiting.wait
            return waiting_words(wait.until_ns, is_open=wait.is_open), "waiting", "waiting"
        icon_name, color = _LOOKS.get(state.status, ("running", "running"))
        return str(status_of_run(state.status, is_live=True)), icon_name, color


def _is_asking_model(state: RunState) -> bool:
    loop = state.frames[-1].judging if state.frames else None
    return state.status is RunStatus.RUNNING and loop is not None and loop.is_with_model


class ReportOffer(OfferButton):
    """Offers the report when the run is over; what there is of it so far is had from the menu."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        self._shown = context.shown
        super().__init__(context.actions.action("run.report"), parent)

    @property
    def is_wanted(self) -> bool:
        """While the run goes on or waits there is nothing final."""
        state = self._shown.latest
        return super().is_wanted and state is not None and state.is_over


class RunsList(QListWidget):
    """The runs of the window, those that wait for the person first. A click or Enter has one shown.

    It comes when a second run goes on, and stays until a run starts while no other goes on.
    """

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = context.shown
        self._runs = context.runs
        self._listed: tuple[WindowRun, ...] = ()
        self.setAccessibleName(_("Runs of this window"))
        self.setToolTip(_("Click a run to show it"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setSpacing(1)
        self.hide()
        self._clock = QTimer(self, interval=1000)
        self._clock.timeout.connect(self._tell)
        self.itemClicked.connect(self._on_chosen)
        self.itemActivated.connect(self._on_chosen)
        self._runs.run_began.connect(self._on_run_began)
        for signal in (self._runs.phase_changed, self._runs.run_ended, self._shown.run_shown):
            signal.connect(self._on_changed)

    def sizeHint(self) -> QSize:
        """Room for a name and a state."""
        return _LIST_PX

    def minimumSizeHint(self) -> QSize:
        """Two rows."""
        return QSize(_LIST_PX.width() // 2, 2 * self.fontMetrics().lineSpacing() * 2)

    @Slot(object)
    def _on_run_began(self, _run: WindowRun) -> None:
        self.setVisible(len(self._runs.going) > 1)
        self._on_changed(None)

    @Slot(object)
    def _on_changed(self, _cause: object) -> None:
        """Whoever walks through the list with keys stays where they are."""
        if self.isHidden():
            self._clock.stop()
            return
        listed = tuple(sorted(self._runs.all, key=_place))
        if listed != self._listed:
            at = self._id_of(self.currentItem()) if self.hasFocus() else None
            self._listed = listed
            self.clear()
            for each in listed:
                self.addItem(self._item(each))
            self._make_current(at)
        elif not self.hasFocus():
            self._make_current(None)
        self._tell()
        if self._runs.going:
            self._clock.start()
        else:
            self._clock.stop()

    def _make_current(self, run: object) -> None:
        """Go to *run*, None: to the one that is shown."""
        wanted = run if run is not None else self._shown.view.id if self._shown.view is not None else None
        row = next((row for row, each in enumerate(self._listed) if each.id == wanted), -1)
        self.setCurrentRow(row)

    @staticmethod
    def _item(run: WindowRun) -> QListWidgetItem:
        item = QListWidgetItem()
        item.setData(Qt.ItemDataRole.UserRole, run.id)
        item.setToolTip(tip("\n".join(filter(None, (run.view.name, run.view.origin.path)))))
        return item

    @staticmethod
    def _id_of(item: QListWidgetItem | None) -> object:
        return item.data(Qt.ItemDataRole.UserRole) if item is not None else None

    @Slot()
    def _tell(self) -> None:
        """How each stands, and since when; text is laid out only where it differs."""
        for row, run in enumerate(self._listed):
            words, icon_name, color = run_looks(run)
            name = _("{playbook} in {file}").format(playbook=run.view.name, file=file_name(run.view.origin.path))
            text = f"{drawable_line(name)}\n{words} · {_lasting(run.elapsed_ns)}"
            item = self.item(row)
            if item.text() != text:
                item.setText(text)
                item.setIcon(icon(icon_name, status_ink(color)))

    @Slot(QListWidgetItem)
    def _on_chosen(self, item: QListWidgetItem) -> None:
        chosen, view = self._runs.find(item.data(Qt.ItemDataRole.UserRole)), self._shown.view
        if chosen is not None and (view is None or view.id != chosen.id):
            self._shown.show(chosen.id)


def _place(run: WindowRun) -> Phase:
    return run.phase


def _lasting(elapsed_ns: int) -> str:
    return duration_text(elapsed_ns) if elapsed_ns >= NS_PER_S else _("under 1 s")


def run_looks(run: WindowRun) -> tuple[str, str, str]:
    """The words, icon and colour for what *run* is about."""
    if run.phase in PHASES:
        words, icon_name, color = PHASES[run.phase]
        return str(words), icon_name, color
    if run.state is None:
        return str(Status.STARTING), "running", "running"
    icon_name, color = _LOOKS.get(run.state.status, ("running", "running"))
    return str(status_of_run(run.state.status, is_live=run.is_going)), icon_name, color
