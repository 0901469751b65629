"""The status bar: what the open file is, and whether calls are held to a plan, for the document and for the run."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QSizePolicy, QStackedWidget, QStatusBar, QToolButton, QWidget

from workbench.editing.keeping.storage import DiskState
from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import FileState
from workbench.gui.control.notices import Notice, NoticeKind
from workbench.gui.control.running.run_judges import judge_words, judges_of
from workbench.gui.control.running.window_runs import WindowRun
from workbench.gui.look.icons import icon
from workbench.gui.look.label import ElidedLabel
from workbench.gui.look.layouts import in_row
from workbench.gui.look.theming import Ink, current_theme, severity_ink
from workbench.gui.words.values import drawable_line, menu_text, problem_words, tip
from workbench.i18n import N_, LazyText, _, ngettext, numeral
from workbench.model.derivers import deriver_of, why
from workbench.model.format import foreign_format
from workbench.model.kinds import FileKind
from workbench.model.snapshot import Snapshot
from workbench.syntax.diagnostics import Severity
from workbench.syntax.text import Span, line_start

ON, OFF, RECORDS_ONLY = N_("on"), N_("off"), N_("audit only")
_HINTS = {
    ON: N_("Calls that the step list does not allow are blocked."),
    OFF: N_("The runtime keeps the order of the steps. Tool calls are not checked against a plan."),
    RECORDS_ONLY: N_("Calls that the step list does not allow are made, and recorded as violations."),
}
_MESSAGE_MS = 6_000
_LEAST_PX, _MOST_PX, _BESIDE_WORDS_PX = 32, 150, 10


class EnforcementLabel(ElidedLabel):
    """``Enforcement: on``; where the run goes by another rule than the document, both."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__("", parent)
        self._context = context
        self._shown: tuple[LazyText, LazyText | None] | None = None
        documents, runs, shown = context.documents, context.runs, context.shown
        for signal in (documents.document_opened, documents.document_changed, documents.file_state_changed):
            signal.connect(self._on_changed)
        for signal in (shown.run_shown, shown.state_changed, runs.run_ended):
            signal.connect(self._on_changed)
        context.actions.action("run.record-only").toggled.connect(self._on_changed)
        self._on_changed(None)

    @Slot(object)
    def _on_changed(self, _cause: object) -> None:
        """Asked with every batch of a run: text is laid out only where it differs."""
        shown = (self._of_document(), self._of_run())
        if shown == self._shown:
            return
        self._shown = shown
        document, run = shown
        words = _("Plan enforcement: {document}").format(document=document)
        if run and run != document:
            words = _("{words} · this run: {run}").format(words=words, run=run)
        self.setText(words)
        self.setToolTip(str(_HINTS[run or document]))
        self.setAccessibleDescription(str(_HINTS[run or document]))

    def _of_document(self) -> LazyText:
        form = self._context.documents.snapshot.program.format
        if not form.is_steplist or form.is_graph:
            return OFF
        return RECORDS_ONLY if self._context.actions.action("run.record-only").isChecked() else ON

    def _of_run(self) -> LazyText | None:
        """None where no run is shown that goes on."""
        shown = self._context.shown
        if shown.view is None or not shown.is_live:
            return None
        start = shown.view.origin.steplist
        return OFF if start is None else ON if start.blocks else RECORDS_ONLY


class JudgeLabel(ElidedLabel):
    """Who decides the steps that need judgement, in the next run of the document."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__("", parent)
        self._context = context
        self._hint = _("Who decides the steps that need judgement. Choose it in the menu Run › Who judges…")
        context.settings.settings_changed.connect(self._on_changed)
        context.documents.file_state_changed.connect(self._on_changed)
        self._on_changed(None)

    @Slot(object)
    def _on_changed(self, _cause: object) -> None:
        judges = judges_of(self._context.settings.current, self._context.documents.file_state.path)
        words = _("Judged by: {who}").format(who=judge_words(judges.usual, judges))
        if words != self.text():
            self.setText(words)
            self.setToolTip(tip(f"{words}\n{self._hint}"))


class PlaceLabel(ElidedLabel):
    """``Ln 12, Col 5``, and how much is selected in the source."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__("", parent)
        self._context = context
        self.setToolTip(_("Line and column of the caret in the source"))
        context.selection.caret_changed.connect(self._show)
        context.documents.document_opened.connect(self._show)
        context.documents.change_followed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        selection = self._context.selection
        words = place_words(self._context.documents.snapshot.text, selection.caret)
        if selection.carets > 1:
            words = f"{words} · {ngettext('{count} caret', '{count} carets', selection.carets)}"
        if words != self.text():
            self.setText(words)


def place_words(text: str, caret: Span) -> str:
    """Where *caret* ends in *text*, and how many characters and lines it selects."""
    end = min(caret.end, len(text))
    start = line_start(text, end)
    words = _("Ln {line}, Col {column}").format(line=_line_of(text, end), column=end - start + 1)
    if not len(caret):
        return words
    lines = _line_of(text, end) - _line_of(text, caret.start) + 1
    chosen = ngettext("{count} selected", "{count} selected", len(caret))
    if lines > 1:
        chosen = f"{chosen}, {ngettext('{count} line', '{count} lines', lines)}"
    return f"{words} ({chosen})"


def _line_of(text: str, offset: int) -> int:
    """The 1-based line of *offset*; asked at every key, so nothing is kept for it."""
    crs = text.count("\r", 0, offset)
    return text.count("\n", 0, offset) + crs - (text.count("\r\n", 0, offset) if crs else 0) + 1


class StatusBar(QStatusBar):
    """Shows; every number can be clicked to get to what it counts."""

    problems_requested = Signal()
    answer_requested = Signal()
    actual_size_requested = Signal()

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.file_label = ElidedLabel("", self)
        self.kind_button = KindButton(context, self)
        self.problems_button = QToolButton(self)
        self.waiting_button = QToolButton(self)
        self.enforcement_label = EnforcementLabel(context, self)
        self.judge_label = JudgeLabel(context, self)
        self.place_label = PlaceLabel(context, self)
        self.zoom_button = QToolButton(self)
        for button in (self.problems_button, self.waiting_button):
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._show_problems(0, 0, 0)
        self.waiting_button.setIcon(icon("person", Ink.WAITING))
        self._show_waiting()
        self._explain()
        self.setSizeGripEnabled(False)
        self.message_label = ElidedLabel("", self)
        for label in (self.file_label, self.enforcement_label, self.judge_label, self.place_label):
            label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
            label.setMinimumWidth(current_theme().px(_LEAST_PX))
        self._message_over = QTimer(self, interval=_MESSAGE_MS, singleShot=True)
        self._lay_out()
        self._connect()
        self._on_file_state_changed(context.documents.file_state)
        self.show_zoom(1.0)

    def _lay_out(self) -> None:
        """At the left a message or the facts; Qt's own messages are drawn over facts that change meanwhile."""
        self._facts = QWidget(self)
        in_row(self._facts, self.file_label, self.kind_button, self.problems_button, self.waiting_button, 1, margins=0)
        self._left = QStackedWidget(self)
        self._left.addWidget(self._facts)
        self._left.addWidget(self.message_label)
        self.addWidget(self._left, 1)
        for widget in (self.enforcement_label, self.judge_label, self.place_label, self.zoom_button):
            self.addPermanentWidget(widget)

    def _explain(self) -> None:
        self.zoom_button.setToolTip(_("Zoom of the flowchart; click for 100%"))
        self.waiting_button.setToolTip(_("Show the question of the run"))
        self.problems_button.setToolTip(_("Show problems"))

    def _connect(self) -> None:
        self._context.documents.file_state_changed.connect(self._on_file_state_changed)
        self._context.notices.noticed.connect(self._on_noticed)
        self._context.diagnosis.ready.connect(self._on_diagnosed)
        self._context.runs.phase_changed.connect(self._on_phase_changed)
        self._context.runs.run_ended.connect(self._on_phase_changed)
        self._context.shown.run_shown.connect(self._show_waiting)
        self.problems_button.clicked.connect(self.problems_requested)
        self.waiting_button.clicked.connect(self.answer_requested)
        self.zoom_button.clicked.connect(self.actual_size_requested)
        self._message_over.timeout.connect(self._on_message_over)

    def show_zoom(self, scale: float) -> None:
        """Show *scale* (1.0 = 100 %)."""
        self.zoom_button.setText(_("{percent}%").format(percent=numeral(round(scale * 100))))

    @Slot(object)
    def _on_file_state_changed(self, state: FileState) -> None:
        self.file_label.setText(file_words(state))
        # whether the file is saved is worth more than what stands at the right
        words_px = self.file_label.fontMetrics().horizontalAdvance(self.file_label.text()) + _BESIDE_WORDS_PX
        self.file_label.setMinimumWidth(min(words_px, current_theme().px(_MOST_PX)))
        self.file_label.setToolTip(tip(str(state.path)) if state.path else "")
        of_document = (self.kind_button, self.problems_button, self.zoom_button, self.enforcement_label)
        for widget in (*of_document, self.judge_label, self.place_label):
            widget.setVisible(state.is_open)

    @Slot(object)
    def _on_phase_changed(self, run: WindowRun) -> None:
        """That a run waits is more than any message."""
        self._show_waiting()
        if run.phase.is_asking:
            self._on_message_over()

    @Slot()
    def _show_waiting(self) -> None:
        """By its name where it is another run than the one that is shown."""
        asking = [each for each in self._context.runs.waiting if each.phase.is_asking]
        view = self._context.shown.view
        words = ngettext("{count} run is waiting for you", "{count} runs are waiting for you", len(asking))
        words = words.format(count=numeral(len(asking)))
        if asking and not asking[1:]:
            is_shown = view is not None and view.id == asking[0].id
            named = _("{playbook} is waiting for you").format(playbook=drawable_line(asking[0].view.name))
            words = _("The run is waiting for you") if is_shown else named
        self.waiting_button.setText(menu_text(words))
        self.waiting_button.setVisible(bool(asking))

    @Slot(object)
    def _on_diagnosed(self, snapshot: Snapshot) -> None:
        found = Counter(each.severity for each in snapshot.diagnostics)
        self._show_problems(found[Severity.ERROR], found[Severity.WARNING], found[Severity.INFO])

    def _show_problems(self, errors: int, warnings: int, infos: int) -> None:
        """In words, with the sign of the worst of them; a tick where there are none."""
        self.problems_button.setText(problem_words(errors, warnings, infos))
        counts = {Severity.ERROR: errors, Severity.WARNING: warnings, Severity.INFO: infos}
        worst = next((severity.value for severity, count in counts.items() if count), "")
        look = icon(worst, severity_ink(worst)) if worst else icon("tick", Ink.DONE)
        self.problems_button.setIcon(look)

    @Slot(object)
    def _on_noticed(self, notice: Notice) -> None:
        """Errors have a banner of their own."""
        if notice.kind is not NoticeKind.ERROR:
            self.message_label.setText(notice.text)
            self.message_label.setToolTip(tip(notice.text))
            self._left.setCurrentWidget(self.message_label)
            self._message_over.start()

    @Slot()
    def _on_message_over(self) -> None:
        self._left.setCurrentWidget(self._facts)


def file_words(state: FileState) -> str:
    """How the document stands to its file, in a few words."""
    if not state.is_open:
        return _("No playbook is open")
    if state.disk is DiskState.CHANGED:
        return _("Conflict: changed here and on disk")
    if state.disk is DiskState.MISSING:
        return _("File deleted on disk")
    if state.disk is DiskState.UNREADABLE:
        return _("File cannot be read")
    if state.path is None:
        return _("Unsaved")
    return _("Modified") if state.is_dirty else _("Saved")


class KindButton(QToolButton):
    """Says ``Procedure``; by the menu the person chooses how the file is read."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._shown: tuple[FileKind, FileKind | None, str] | None = None
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setMenu(QMenu(self))
        self.menu().aboutToShow.connect(self._fill)
        context.documents.document_opened.connect(self._on_changed)
        context.documents.document_changed.connect(self._on_changed)
        context.actions.register("file.kind", self.open_menu)
        self._on_changed(None)

    def open_menu(self) -> None:
        """Show the menu above the word."""
        menu = self.menu()
        self._fill()
        menu.popup(self.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    @Slot(object)
    def _on_changed(self, _cause: object) -> None:
        """Asked at every key: text is laid out only where it differs."""
        program, deriver = self._context.documents.snapshot.program, self._context.documents.snapshot.deriver
        shown = (program.kind, deriver.wanted, program.foreign)
        if shown != self._shown:
            self._shown = shown
            self.setText(kind_words(self._context.documents.snapshot))
            self._explain()

    def _explain(self) -> None:
        snapshot = self._context.documents.snapshot
        words = why(snapshot.deriver, snapshot.text)
        hint = _("Click to read the file as something else.")
        self.setToolTip(tip(f"{words}\n{hint}"))
        self.setAccessibleName(_("What the file is: {kind}").format(kind=self.text()))
        self.setAccessibleDescription(words)

    def event(self, event: QEvent) -> bool:
        """The reason may be another since the word was shown."""
        if event.type() is QEvent.Type.ToolTip:
            self._explain()
        return super().event(event)

    @Slot()
    def _fill(self) -> None:
        """What the file can be read as, with a mark at how it is read now."""
        menu, wanted = self.menu(), self._context.documents.snapshot.deriver.wanted
        menu.clear()
        group = QActionGroup(menu)
        group.triggered.connect(self._on_chosen)
        found = deriver_of(self._context.documents.snapshot.text).kind
        menu.addAction(_choice(group, _("As its content says: {kind}").format(kind=found), None, wanted))
        menu.addSeparator()
        menu.addActions([_choice(group, capital(str(kind)), kind, wanted) for kind in FileKind])

    @Slot(QAction)
    def _on_chosen(self, action: QAction) -> None:
        kind = action.data()
        if kind is not self._context.documents.snapshot.deriver.wanted:
            self._context.kinds.choose(kind)


def _choice(group: QActionGroup, text: str, kind: FileKind | None, wanted: FileKind | None) -> QAction:
    action = QAction(menu_text(text), group)
    action.setData(kind)
    action.setCheckable(True)
    action.setChecked(kind is wanted)
    return action


def kind_words(snapshot: Snapshot) -> str:
    """What the file of *snapshot* is called: by its format where it is one of another program."""
    kind = snapshot.program.kind
    known = foreign_format(snapshot.text) if kind is FileKind.FOREIGN and snapshot.deriver.wanted is None else None
    return capital(str(known.what) if known else str(kind))


def capital(words: str) -> str:
    """*words* as they begin a line."""
    return words[:1].upper() + words[1:]
