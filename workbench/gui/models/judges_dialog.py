"""Who judges the runs of a playbook: a person, a model, an earlier run; together or alone; and what models may use."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from workbench.engine.journal.run_events import JudgesChosen
from workbench.engine.judges import JudgeKind, JudgeOf, Judges, Subject
from workbench.errors import CannotSave, StoreFailed
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_judges import chosen_judges, with_judges
from workbench.gui.forms.limit_fields import LimitFields
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import high_on_screen, in_column, in_row, resize_on_screen
from workbench.gui.models.endpoint_keeper import EndpointKeeper
from workbench.gui.words.run_words import summary_texts
from workbench.gui.words.values import drawable_line
from workbench.i18n import N_, _

_JUDGES = (
    (JudgeKind.PERSON, N_("You")),
    (JudgeKind.MODEL, N_("A model")),
    (JudgeKind.REPLAY, N_("An earlier run, once more")),
)
_SUBJECTS = (
    (Subject.STEPS, N_("Steps in words")),
    (Subject.CONDITIONS, N_("Conditions in words")),
    (Subject.TRIGGERS, N_("Triggers in words")),
    (Subject.REACT, N_("Playbooks without steps")),
    (Subject.RAW, N_("Playbooks that are one request")),
)
_AS_ABOVE = "as above"
_MOST_RUNS = 20


class JudgesDialog(QDialog):
    """What is chosen here counts for the next run of the document, and is remembered for its file."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._file = context.documents.file_state.path
        chosen = chosen_judges(context.settings.current, self._file)
        self.setWindowTitle(_("Who judges"))
        self.usual = QComboBox(self)
        self.run, self.endpoint, self.model = QComboBox(self), QComboBox(self), QLineEdit(self)
        self.set_up = QPushButton(_("Set &up…"), self)
        self.proposes = QCheckBox(_("The model &proposes; you accept or change each answer"), self)
        self.hands_over = QCheckBox(_("The model may &hand over to you when it does not know"), self)
        self.others = {subject: QComboBox(self) for subject, _words in _SUBJECTS}
        self.limits = LimitFields(chosen.limits, self)
        self.said = ProblemLabel(self)
        self._form = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._fill(chosen.judges)
        self._arrange()
        self._connect()
        resize_on_screen(self, 700, 100)
        high_on_screen(self, self.sizeHint().height())
        self._show_rows()

    def _fill(self, judges: Judges) -> None:
        for kind, words in _JUDGES:
            self.usual.addItem(str(words), kind)
        self.usual.setCurrentIndex(self.usual.findData(judges.usual))
        for subject, box in self.others.items():
            box.addItem(_("As above"), _AS_ABOVE)
            for kind, words in _JUDGES[:2]:
                box.addItem(str(words), kind)
            said = next((one.judge for one in judges.others if one.subject is subject), _AS_ABOVE)
            box.setCurrentIndex(max(0, box.findData(said)))
        self._fill_endpoints(judges.endpoint)
        self.model.setText(judges.model)
        self._fill_runs(judges.replay)
        self.proposes.setChecked(judges.is_proposing)
        self.hands_over.setChecked(judges.is_handing_over)

    def _fill_endpoints(self, name: str) -> None:
        known = EndpointKeeper(self._context.settings, self).known
        self.endpoint.clear()
        self.endpoint.addItem(_("Default ({name})").format(name=known.default) if known.default else _("Default"), "")
        for each in known.known:
            self.endpoint.addItem(drawable_line(each.name), each.name)
        self.endpoint.setCurrentIndex(max(0, self.endpoint.findData(name)))
        self.model.setPlaceholderText(_("its usual model"))

    def _fill_runs(self, replay: str) -> None:
        path = "" if self._file is None else str(self._file)
        try:
            runs = [each for each in self._context.runs.host.runs() if each.path == path][:_MOST_RUNS]
        except StoreFailed as error:
            runs = []
            self.said.setText(str(error))
        for each, line in zip(runs, summary_texts(runs), strict=True):
            self.run.addItem(drawable_line(line), each.id)
        self.run.setCurrentIndex(max(0, self.run.findData(replay)))

    def _arrange(self) -> None:
        intro = _("“Ask user” steps always go to a person, and what is exact is carried out without anybody.")
        self.endpoint_row = QWidget(self)
        in_row(self.endpoint_row, (self.endpoint, 1), (self.model, 1), self.set_up, margins=0)
        self.model.setAccessibleName(_("Model"))
        is_list = self._context.documents.snapshot.program.format.is_steplist
        self._form.addRow(_("&Judgements are made by"), self.usual)
        self._form.addRow(_("&Run"), self.run)
        self._form.addRow(_("&Model"), self.endpoint_row)
        self._form.addRow("", self.proposes)
        self._form.addRow("", self.hands_over)
        for subject, words in () if is_list else _SUBJECTS:
            self._form.addRow(str(words), self.others[subject])
        self._form.addRow(_("Models may use"), self.limits)
        for box in self.others.values() if is_list else ():
            box.hide()
        kinds = QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        self.buttons = QDialogButtonBox(kinds, self)
        note = Label(intro, self, role="secondary", wraps=True)
        in_column(self, note, self._form, self.said, 1, self.buttons, margins=16, spacing=10)

    def _connect(self) -> None:
        for box in (self.usual, *self.others.values()):
            box.currentIndexChanged.connect(self._show_rows)
        self.set_up.clicked.connect(self._context.actions.action("run.models").trigger)
        self._context.settings.settings_changed.connect(self._on_settings_changed)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def chosen(self) -> JudgesChosen:
        """What the fields say. Raises ValueError with what is wrong."""
        replay = self.run.currentData() if self.usual.currentData() is JudgeKind.REPLAY else ""
        if replay is None:
            raise ValueError(_("There is no earlier run of this playbook whose answers could be given once more."))
        others = {subject: box.currentData() for subject, box in self.others.items()}
        judges = Judges(
            self.usual.currentData(),
            tuple(JudgeOf(subject, kind) for subject, kind in others.items() if kind != _AS_ABOVE),
            endpoint=self.endpoint.currentData(),
            model=self.model.text().strip(),
            replay=replay,
            is_proposing=self.proposes.isChecked(),
            is_handing_over=self.hands_over.isChecked(),
        )
        return JudgesChosen(judges if JudgeKind.MODEL in judges.kinds else _plain(judges), self.limits.limits())

    @Slot()
    def accept(self) -> None:
        """Remember what was chosen, or say why it cannot be."""
        try:
            change = partial(with_judges, file=self._file, chosen=self.chosen())
            self._context.settings.change(change)
        except (ValueError, CannotSave) as problem:
            self.said.setText(str(problem))
            return
        super().accept()

    @Slot()
    def _show_rows(self) -> None:
        usual = self.usual.currentData()
        is_model = usual is JudgeKind.MODEL or any(box.currentData() is JudgeKind.MODEL for box in self.others.values())
        self._form.setRowVisible(self.run, usual is JudgeKind.REPLAY)
        for row in (self.endpoint_row, self.proposes, self.hands_over, self.limits):
            self._form.setRowVisible(row, is_model)

    @Slot()
    def _on_settings_changed(self) -> None:
        self._fill_endpoints(str(self.endpoint.currentData()))


def _plain(judges: Judges) -> Judges:
    """*judges* without what is only said of models."""
    return replace(judges, endpoint="", model="", is_proposing=False, is_handing_over=False)
