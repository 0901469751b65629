"""What the window does for the actions that are its own: runs, views, fixes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QDialog, QInputDialog, QMenu, QMessageBox, QWidget

from workbench.errors import CannotSave, StoreFailed
from workbench.gui.control.actions import Mark
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause, Notice, NoticeKind
from workbench.gui.control.running.run_questions import default_options
from workbench.gui.control.running.told_run import has_paused
from workbench.gui.control.running.window_runs import WindowRun
from workbench.gui.fixes.fix_preview import FixPreview, preview_fix
from workbench.gui.fixes.safe_fix_search import FoundFixes, SafeFixSearch, SearchProgress
from workbench.gui.look.layouts import open_on_screen
from workbench.gui.look.theming import current_theme
from workbench.gui.shell.panes.centre import CentreView
from workbench.gui.shell.panes.layout_memory import LayoutMemory
from workbench.gui.words.values import drawable_line
from workbench.i18n import LANGUAGES, SYSTEM, _, ngettext, numeral
from workbench.settings import THEMES, Settings
from workbench.syntax.diagnostics import Fix

if TYPE_CHECKING:
    from workbench.engine.options import RunOptions
    from workbench.gui.preferences.preferences_dialog import PreferencesDialog

_LANGUAGES = (SYSTEM, *LANGUAGES)
_MOST_NAMED = 12
TEXT_SCALES = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)


class RunActions(QObject):
    """Steers the run of the window."""

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        runs = context.runs
        handlers: dict[str, Callable[[], object]] = {
            "run.start": self.start,
            "run.start-another": self.start,
            "run.pause": runs.pause,
            "run.go-on": runs.go_on,
            "run.stop": runs.stop,
            "run.stop-all": self.stop_all,
            "run.next-waiting": context.shown.show_next_waiting,
            "run.resume": self.resume,
            "run.record-only": self.tell_rule,
            "run.models": self.set_up_models,
            "run.judges": self.choose_judges,
            "run.context": self.show_context,
            "run.spans": self.choose_collector,
        }
        for action_id, handler in handlers.items():
            context.actions.register(action_id, handler)
        shown = context.shown
        for signal in (shown.run_shown, shown.state_changed, shown.owner_changed, runs.run_ended):
            signal.connect(self._on_run_changed)
        self._on_run_changed(None)

    def start(self) -> None:
        """Run the document as it is now."""
        self._context.runs.start(self.options())

    def stop_all(self) -> None:
        """Stop every run of this window, once the person has said so again."""
        count = len(self._context.runs.going)
        head = ngettext("Stop {count} run?", "Stop {count} runs?", count).format(count=numeral(count))
        self._ask(head, _leaving_words(self._context.runs.going), _("&Stop all"), self._context.runs.stop_all)

    def ask_to_leave(self, leave: Callable[[], None]) -> None:
        """Ask whether the window shall close, with what becomes of its runs; *leave* does it."""
        runs = self._context.runs.going
        head = ngettext("Close while {count} run goes on?", "Close while {count} runs go on?", len(runs))
        self._ask(head.format(count=numeral(len(runs))), _leaving_words(runs), _("&Close"), leave)

    def _ask(self, head: str, words: str, doing: str, act: Callable[[], None]) -> None:
        question = QMessageBox(QMessageBox.Icon.Question, _("Playbook Workbench"), head, parent=self._window)
        question.setTextFormat(Qt.TextFormat.PlainText)
        question.setInformativeText(words)
        yes = question.addButton(doing, QMessageBox.ButtonRole.AcceptRole)
        question.addButton(_("Cancel"), QMessageBox.ButtonRole.RejectRole)
        question.setDefaultButton(yes)
        question.accepted.connect(act)
        self._open(question)

    def options(self) -> RunOptions:
        """How a run of the document is started here."""
        is_recording_only = self._context.actions.action("run.record-only").isChecked()
        path = self._context.documents.file_state.path
        return replace(default_options(self._context.settings.current, path), is_recording_only=is_recording_only)

    def tell_rule(self) -> None:
        """Say by which rule the next run of a step list goes."""
        is_recording_only = self._context.actions.action("run.record-only").isChecked()
        refusing = _("Step-list runs will block calls outside the plan.")
        recording = _("Step-list runs will record calls outside the plan as violations, and block nothing.")
        self._context.notices.tell(recording if is_recording_only else refusing)

    def set_up_models(self) -> None:
        """Show which models there are."""
        from workbench.gui.models.models_dialog import ModelsDialog  # noqa: PLC0415 - few need it at the start

        self._open(ModelsDialog(self._context, self._window))

    def choose_judges(self) -> None:
        """Ask who judges the runs of the document."""
        from workbench.gui.models.judges_dialog import JudgesDialog  # noqa: PLC0415 - it loads the engine

        self._open(JudgesDialog(self._context, self._window))

    def show_context(self) -> None:
        """Show what models were sent in the run that is shown."""
        from workbench.gui.models.context_dialog import ContextDialog  # noqa: PLC0415 - it loads the engine

        view, host = self._context.shown.view, self._context.runs.host
        if view is None:
            return
        try:
            self._open(ContextDialog(host, host.events(view.id), self._window))
        except StoreFailed as error:
            self._context.notices.report(error, Cause.JOURNAL)

    def choose_collector(self) -> None:
        """Ask where the spans of runs are sent."""
        dialog = QInputDialog(self._window)
        dialog.setWindowTitle(_("Send spans"))
        dialog.setLabelText(_("Address of the collector (OTLP over HTTP, JSON); leave it empty to send nothing."))
        dialog.setTextValue(self._context.settings.current.otlp_endpoint)
        dialog.textValueSelected.connect(self._on_collector_chosen)
        self._open(dialog)

    @Slot(str)
    def _on_collector_chosen(self, address: str) -> None:
        try:
            self._context.settings.change(partial(Settings.with_collector, address=address))
        except (CannotSave, ValueError) as error:
            self._context.notices.noticed.emit(Notice(NoticeKind.ERROR, str(error), Cause.SETTINGS))

    def _open(self, dialog: QDialog) -> None:
        dialog.finished.connect(dialog.deleteLater)
        if isinstance(dialog, QInputDialog):
            open_on_screen(dialog)
        else:
            dialog.open()

    def resume(self) -> None:
        """Show where the run that is shown stands; it goes on when the person says so."""
        view = self._context.shown.view
        if view is not None:
            from workbench.gui.resume.resume_dialog import offer_resume  # noqa: PLC0415 - no start needs it

            offer_resume(self._context, view.id, self._window)

    @Slot(object)
    def _on_run_changed(self, _cause: object) -> None:
        """In the toolbar *Continue* takes the place of *Pause* while the run is paused."""
        actions, shown = self._context.actions, self._context.shown
        is_paused = shown.is_live and has_paused(shown)
        actions.action("run.go-on").setVisible(is_paused)
        actions.action("run.pause").setVisible(not is_paused)
        is_going = shown.is_live or shown.owner is not None
        actions.action("run.start").setVisible(not is_going)
        actions.action("run.start-another").setVisible(is_going)


def _leaving_words(runs: Sequence[WindowRun]) -> str:
    """What becomes of *runs* where they stop now: one line for each, and that they can be resumed."""
    lines = [f"• {drawable_line(each.view.name)} – {_becomes(each)}" for each in runs[:_MOST_NAMED]]
    if len(runs) > _MOST_NAMED:
        lines.append("…")
    return "\n".join((*lines, "", _("You can resume each of them later.")))


def _becomes(run: WindowRun) -> str:
    """What comes of *run* where it is left now."""
    if run.phase.is_asking:
        return _("it asks again when it is resumed")
    if run.state is not None and run.state.intent is not None:
        return _("a call is being made: it is ended, and whether it was done is unknown")
    return _("it stops where it is")


class ViewActions(QObject):
    """Handles the actions of the View menu that concern no single pane, most of which change a setting."""

    def __init__(self, context: WindowContext, layout: LayoutMemory, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._preferences: PreferencesDialog | None = None
        handlers: dict[str, Callable[[], object]] = {
            "view.text-larger": self.make_text_larger,
            "view.text-smaller": self.make_text_smaller,
            "view.reset-layout": layout.reset,
            "edit.preferences": self.show_preferences,
            "edit.keys": self.show_keys,
        }
        for choice in THEMES:
            handlers[f"view.theme-{choice}"] = partial(self.use_theme, choice)
        for choice in _LANGUAGES:
            handlers[f"view.language-{choice}"] = partial(self.speak, choice)
        for action_id, handler in handlers.items():
            context.actions.register(action_id, handler)
        context.settings.settings_changed.connect(self._mark)
        self._mark(context.settings.current)

    def show_preferences(self) -> PreferencesDialog:
        """Show all settings."""
        if self._preferences is None:
            from workbench.gui.preferences.preferences_dialog import PreferencesDialog  # noqa: PLC0415 - no start needs it

            self._preferences = PreferencesDialog(self._context, self._window)
        self._preferences.present()
        return self._preferences

    def show_keys(self) -> None:
        """Show which keys do what, to be changed."""
        self.show_preferences().show_keys()

    def use_theme(self, choice: str) -> None:
        """The theme *choice*, or that of the system."""
        self._context.settings.change(partial(replace, theme=choice))

    def make_text_larger(self) -> None:
        """The next larger text size."""
        current = self._context.settings.current.text_scale
        self._scale(min((scale for scale in TEXT_SCALES if scale > current), default=TEXT_SCALES[-1]))

    def make_text_smaller(self) -> None:
        """The next smaller text size."""
        current = self._context.settings.current.text_scale
        self._scale(max((scale for scale in TEXT_SCALES if scale < current), default=TEXT_SCALES[0]))

    def speak(self, choice: str) -> None:
        """Speak the language *choice* from the next start on, which is offered: findings and menus are said already."""
        self._context.settings.change(partial(replace, language=choice))

    def _scale(self, scale: float) -> None:
        self._context.settings.change(partial(replace, text_scale=scale))
        self._context.notices.tell(_("Text size {percent}%").format(percent=numeral(round(scale * 100))))

    @Slot(object)
    def _mark(self, settings: Settings) -> None:
        for name, chosen, choices in (
            ("theme", settings.theme, THEMES),
            ("language", settings.language, _LANGUAGES),
        ):
            for choice in choices:
                mark = Mark.ON if choice == chosen else Mark.OFF
                self._context.actions.set_mark(f"view.{name}-{choice}", mark)


class FixActions(QObject):
    """Handles *Quick fix…* where the focus is, and *Fix all safe problems…* for the whole file."""

    def __init__(self, context: WindowContext, centre: CentreView, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._centre = centre
        self._window = window
        self.search = SafeFixSearch(self)
        self.progress = SearchProgress(window)
        self.search.progressed.connect(self._on_progressed)
        self.search.found.connect(self._on_found)
        self.search.failed.connect(self.progress.finish)
        self.progress.cancelled.connect(self.search.cancel)
        context.documents.document_changed.connect(self._on_document_changed)
        context.documents.document_opened.connect(self._on_document_changed)
        context.actions.register("edit.quick-fix", self.offer)
        context.actions.register("edit.fix-all", self.offer_all)

    def offer(self) -> QMenu | FixPreview | None:
        """Offer the fixes of the line that the caret is on, else of the selected step."""
        if self._centre.source.editor.hasFocus():
            return self._centre.source.findings.offer_fixes()
        return self._centre.canvas.tools.fixes.offer_selected()

    def offer_all(self) -> None:
        """Look for everything that can be fixed without changing what the playbook means, to preview it."""
        self.search.look(self._context.documents.snapshot)
        self.progress.begin()

    def give_up(self) -> None:
        """Nobody waits for what is being looked for: the window closes."""
        self.search.cancel()
        self.progress.finish()

    @Slot(object)
    def _on_progressed(self, found: FoundFixes) -> None:
        self.progress.show_count(found.fixes.count)

    @Slot(object)
    def _on_found(self, found: FoundFixes) -> None:
        self.progress.finish()
        count = found.fixes.count
        if not found.fixes.edits:
            self._context.notices.tell(_("There are no problems with a safe fix."))
            return
        title = ngettext("Apply {count} safe fix", "Apply {count} safe fixes", count)
        middle = self._window.mapToGlobal(self._window.rect().center())
        middle.setX(middle.x() - current_theme().px(280))
        middle.setY(middle.y() - current_theme().px(160))
        preview_fix(self._context, Fix(title, found.fixes.edits, is_safe=True), self._window, middle)

    @Slot(object)
    def _on_document_changed(self, _cause: object) -> None:
        """What is being looked for would fit another text."""
        if self.search.is_looking:
            self.give_up()
            told = _("The text changed during the search, so no fix was applied. Choose “Apply all safe fixes” again.")
            self._context.notices.tell(told)
