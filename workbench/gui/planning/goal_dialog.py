"""A goal is described: what is to be reached, how, with which tools, and who plans. It needs no model.

Whoever has none writes the steps down here, or begins with a pattern or a playbook that there is.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTabWidget,
    QWidget,
)

from workbench.disk.files import is_file
from workbench.engine.judges import JudgeKind, Judges
from workbench.errors import WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.context import WindowContext
from workbench.gui.control.planning.cycles import GoalWish
from workbench.gui.control.planning.plan_rows import parameters_of
from workbench.gui.forms.goal_fields import MoreWishes, ScriptChoice, ToolChoice
from workbench.gui.forms.plan_editor import PlanEditor
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column, in_row, resize_on_screen
from workbench.gui.look.theming import current_theme
from workbench.gui.models.endpoint_keeper import EndpointKeeper
from workbench.gui.words.values import drawable_line
from workbench.i18n import _
from workbench.planning.moves import check_calls
from workbench.planning.offering import named_offers, usual_offers
from workbench.planning.plan import Plan, PlanRefused, plan_from_json, plan_to_json
from workbench.planning.request import Offer, PlanRequest
from workbench.planning.templates import plan_of_pattern, plan_of_playbook

_PERSON, _MODEL, _SCRIPT = "person", "model", "script"
_NOTHING, _OPEN, _PATTERN = "", "open", "pattern:"
_GOAL_PX, _CONTEXT_PX = 44, 60
_MOST_PATTERNS = 30


class GoalDialog(QDialog):
    """Begins a goal when it is accepted. What was written stays when it is closed, and comes back with the next look.

    *offers*: what may be called, as far as that is known.
    """

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._base = GoalWish(PlanRequest(""))
        self.offers: tuple[Offer, ...] = ()
        self._imports: tuple[str, ...] = ()
        self.goal, self.about = QPlainTextEdit(self, tabChangesFocus=True), QPlainTextEdit(self, tabChangesFocus=True)
        self.who, self.start = QComboBox(self), StartChoice(context, self)
        self.model = ModelChoice(context, self)
        self.script = ScriptChoice(self)
        self.plan = PlanEditor(self)
        self.tools = ToolChoice(self)
        self.more = MoreWishes(self)
        self.tabs = QTabWidget(self)
        self.said = ProblemLabel(self)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.make = self._buttons.addButton(_("&Make the playbook"), QDialogButtonBox.ButtonRole.AcceptRole)
        self._form = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._arrange()
        self._work = BackgroundWork(self)
        self._connect()
        resize_on_screen(self, 940, 760)
        self._show_who()

    def _arrange(self) -> None:
        self.setWindowTitle(_("New from a goal"))
        for text_field, height_px in ((self.goal, _GOAL_PX), (self.about, _CONTEXT_PX)):
            text_field.setFixedHeight(current_theme().px(height_px))
        self.goal.setPlaceholderText(_("In your words, like: Refund an order that arrived damaged"))
        self.about.setPlaceholderText(_("Rules, limits, and whatever else should be known. It may stay empty."))
        for value, words in (
            (_PERSON, _("You: the steps below are the plan")),
            (_MODEL, _("A model")),
            (_SCRIPT, _("A script, from a file")),
        ):
            self.who.addItem(words, value)
        rows: tuple[tuple[str, QWidget], ...] = (
            (_("&Goal"), self.goal),
            (_("W&hat to know"), self.about),
            (_("Who &plans"), self.who),
            ("", self.model),
            ("", self.script),
        )
        for text, field in rows:
            self._form.addRow(text, field)
            field.setAccessibleName(text.replace("&", ""))
        self._add_tabs()
        self.make.setDefault(True)
        in_column(self, self._form, (self.tabs, 1), self.said, self._buttons, margins=16, spacing=10)

    def _add_tabs(self) -> None:
        steps = QWidget(self)
        begin = Label(_("&Begin with"), self)
        begin.setBuddy(self.start)
        in_column(steps, in_row(None, begin, (self.start, 1), spacing=8), (self.plan, 1), margins=8, spacing=8)
        self.tabs.addTab(steps, _("S&teps"))
        self.tabs.addTab(self.tools, _("&Tools"))
        self.tabs.addTab(self.more, _("Mo&re"))

    def _connect(self) -> None:
        self._work.done.connect(self._on_offers_known)
        self.who.currentIndexChanged.connect(self._show_who)
        self.start.begun.connect(self._on_begun_with)
        self.start.failed.connect(self.said.setText)
        self.tools.added.connect(self._on_file_added)
        self.tools.changed.connect(self._on_tools_changed)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)

    def ask(self, wish: GoalWish | None) -> None:
        """Show what *wish* says; None: what was written last."""
        if wish is not None:
            self._show_wish(wish)
        self.tabs.setCurrentIndex(0)
        self.start.fill()
        self._work.ask(partial(_known_offers, self._folder))
        self.tools.show_folder(self._folder)
        self.said.setText("")
        self.setWindowTitle(_("Change the plan") if self._base.again else _("New from a goal"))
        self.show()
        self.goal.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def _folder(self) -> Path | None:
        """Whose tools are meant: the folder of the project."""
        found = self._base.folder or self._context.settings.current.project_folder
        return Path(found) if found else None

    def _show_wish(self, wish: GoalWish) -> None:
        self._base, request = wish, wish.request
        self.goal.setPlainText(request.goal)
        self.about.setPlainText(request.context)
        if request.imports:
            self._imports, self.offers = request.imports, request.offers
        self.tools.show_offers(self.offers or request.offers, {each.name for each in request.offers})
        self.more.show_wish(request, wish.plan)
        self.script.show_text(wish.script)
        self.who.setCurrentIndex(self.who.findData(_SCRIPT if wish.script else _PERSON))
        if JudgeKind.MODEL in wish.judges.kinds:
            self.who.setCurrentIndex(self.who.findData(_MODEL))
            self.model.show_judges(wish.judges)
        self.plan.show_steps(wish.plan.steps if wish.plan is not None else ())

    @Slot(object)
    def _on_begun_with(self, plan: Plan) -> None:
        """Put the steps of *plan* in the place of those that stand there."""
        self.said.setText("")
        self.plan.show_steps(plan.steps)
        is_other = bool(self.goal.toPlainText().strip())
        self.more.show_plan(replace(plan, title="" if is_other else plan.title))
        if not is_other:
            self.goal.setPlainText(plan.title)

    @Slot(object)
    def _on_offers_known(self, found: tuple[Offer, ...] | WorkbenchError) -> None:
        if isinstance(found, WorkbenchError):
            self.said.setText(str(found))
            return
        names = {each.name for each in found}
        self.offers = (*found, *(each for each in self.offers if each.name not in names))
        asked = {each.name for each in self._base.request.offers}
        self.tools.show_offers(self.offers, self.tools.chosen | asked | (names - self.tools.known))
        self._on_tools_changed()

    @Slot(object)
    def _on_file_added(self, path: str) -> None:
        try:
            found, imports = named_offers((path,), self._folder)
        except WorkbenchError as error:
            self.said.setText(str(error))
            return
        self._imports = tuple(dict.fromkeys((*self._imports, *imports)))
        self.offers = (*self.offers, *(each for each in found if each not in self.offers))
        self.tools.show_offers(self.offers, self.tools.chosen | {each.name for each in found})
        self._on_tools_changed()

    @Slot()
    def _on_tools_changed(self) -> None:
        self.plan.show_offers([each for each in self.offers if each.name in self.tools.chosen])

    @Slot()
    def _show_who(self) -> None:
        """Only what belongs to whoever plans is asked."""
        who = self.who.currentData()
        self._form.setRowVisible(self.model, who == _MODEL)
        self._form.setRowVisible(self.script, who == _SCRIPT)
        self.more.show_who(is_person=who == _PERSON)

    def wish(self) -> GoalWish:
        """What the form says. Raises ValueError with what is missing, PlanRefused where the steps are no plan."""
        goal, who = " ".join(self.goal.toPlainText().split()), self.who.currentData()
        if not goal:
            raise ValueError(_("The goal is empty. Say what is to be reached."))
        offers = tuple(each for each in self.offers if each.name in self.tools.chosen)
        about = self.about.toPlainText().strip()
        request = replace(self._base.request, goal=goal, context=about, offers=offers, imports=self._imports)
        request = self.more.wanted(request)
        if who == _PERSON and not self.plan.steps:
            words = _("There are no steps yet. Add one below, or let a model or a script plan (see “Who plans”).")
            raise ValueError(words)
        plan = self._plan(goal, request) if self.plan.steps else None
        judges = self.model.judges() if who == _MODEL else Judges()
        script = self.script.text() if who == _SCRIPT else ""
        folder = str(self._folder or "")
        return replace(self._base, request=request, plan=plan, judges=judges, script=script, folder=folder)

    def _plan(self, goal: str, request: PlanRequest) -> Plan:
        title = self.more.title.text().strip() or goal
        about = self.more.about.text().strip()
        given, returns = parameters_of(self.more.given.text()), self.more.returns.text().strip()
        reactions = self._base.plan.reactions if self._base.plan is not None else ()
        written = Plan(title[:200], about, self.plan.steps, given, reactions, returns)
        plan = plan_from_json(plan_to_json(written))
        check_calls(plan, request)
        return plan

    @Slot()
    def accept(self) -> None:
        """Begin, or say what is missing."""
        try:
            wish = self.wish()
        except PlanRefused as refused:
            self.said.setText("\n".join(refused.problems[:5]))
            return
        except (ValueError, WorkbenchError) as problem:
            self.said.setText(str(problem))
            return
        super().accept()
        self._base = replace(self._base, again="")
        self._context.goals.begin(wish)


def _known_offers(folder: Path | None) -> tuple[Offer, ...] | WorkbenchError:
    try:
        return usual_offers(folder)
    except WorkbenchError as error:
        return error


class StartChoice(QComboBox):
    """What a plan can begin with: the playbook that is open, and patterns that have worked."""

    begun = Signal(object)  # Plan
    failed = Signal(str)  # why there is none

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.setAccessibleName(_("Begin with"))
        self.activated.connect(self._on_activated)

    def fill(self) -> None:
        """List what there is now."""
        self.clear()
        self.addItem(_("The steps below"), _NOTHING)
        if self._context.documents.file_state.is_open:
            self.addItem(_("The playbook that is open"), _OPEN)
        if not is_file(self._context.places.patterns_file):
            return
        try:
            found = self._context.recorder.store.patterns()[:_MOST_PATTERNS]
        except WorkbenchError as error:
            self.failed.emit(str(error))
            return
        for each in found:
            words = _("The pattern “{title}”").format(title=drawable_line(each.title))
            self.addItem(words, f"{_PATTERN}{each.pattern_id}")

    @Slot()
    def _on_activated(self) -> None:
        chosen = str(self.currentData() or "")
        try:
            if chosen:
                self.begun.emit(self._plan(chosen))
        except WorkbenchError as error:
            self.failed.emit(str(error))

    def _plan(self, chosen: str) -> Plan:
        if chosen == _OPEN:
            documents = self._context.documents
            return plan_of_playbook(documents.snapshot, path=documents.document.path)
        store, name = self._context.recorder.store, chosen.removeprefix(_PATTERN)
        entry = next(each for each in store.patterns() if each.pattern_id == name)
        return plan_of_pattern(entry, store.variants(name))


class ModelChoice(QWidget):
    """Which model plans. Where none is set up, it says so, and how that is done."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.endpoint, self.name = QComboBox(self), QLineEdit(self)
        self.set_up = QPushButton(_("Models…"), self)
        self.endpoint.setAccessibleName(_("Models"))
        self.name.setAccessibleName(_("Model"))
        self.name.setPlaceholderText(_("its usual model"))
        self.endpoint.setPlaceholderText(_("no model is set up"))
        self.set_up.setAutoDefault(False)
        in_row(self, (self.endpoint, 1), (self.name, 1), self.set_up, margins=0, spacing=6)
        self.set_up.clicked.connect(context.actions.action("run.models").trigger)
        context.settings.settings_changed.connect(self._fill)
        self._fill()

    @Slot()
    def _fill(self) -> None:
        known = EndpointKeeper(self._context.settings, self).known
        chosen = self.endpoint.currentData()
        self.endpoint.clear()
        if known.default:
            self.endpoint.addItem(_("Default ({name})").format(name=known.default), "")
        for each in known.known:
            self.endpoint.addItem(drawable_line(each.name), each.name)
        self.endpoint.setCurrentIndex(max(0, self.endpoint.findData(chosen)))

    def show_judges(self, judges: Judges) -> None:
        """Show which model *judges* name."""
        self.endpoint.setCurrentIndex(max(0, self.endpoint.findData(judges.endpoint)))
        self.name.setText(judges.model)

    def judges(self) -> Judges:
        """Who judges then. Raises ValueError where no model is set up."""
        if not self.endpoint.count():
            words = _(
                "No model is set up. Set one up with “Models…”, or plan yourself, or by a script (see “Who plans”)."
            )
            raise ValueError(words)
        endpoint, model = str(self.endpoint.currentData()), self.name.text().strip()
        return Judges(JudgeKind.MODEL, endpoint=endpoint, model=model, is_handing_over=True)
