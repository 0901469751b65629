"""Parts of the form in which a goal is described: the script that answers, what may be called, and further wishes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QWidget,
)

from workbench.disk.files import home_folder
from workbench.engine.scripts import read_script
from workbench.gui.control.planning.plan_rows import written_parameters
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.written_words import read_as_written
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import N_, _
from workbench.planning.plan import Plan
from workbench.planning.request import USUAL_POLICIES, DeviationKind, Offer, PlanRequest, PlaybookFormat, Policy
from workbench.vocabulary import safety_words

_ROLE = Qt.ItemDataRole.UserRole
_LOOKS, _MOST_LOOKS = 5, 99
"""How often is looked at a run at most: usually, as in the terminal; and in the form."""
_POLICIES = (
    (Policy.ASK, N_("Ask me")),
    (Policy.RETRY, N_("Try the step again")),
    (Policy.SEGMENT, N_("Write the step anew, and show me")),
    (Policy.REST, N_("Write all that is left anew, and show me")),
    (Policy.STOP, N_("Stop")),
)


class ScriptChoice(QWidget):
    """The file of a script that answers. Its text is read when it is wanted, and kept with the goal."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = ""
        self.path = QLineEdit(self)
        self.browse = QPushButton(_("&Browse…"), self)
        self.path.setAccessibleName(_("File of the script"))
        self.path.setPlaceholderText(_("answers in YAML; what it does not answer comes to you"))
        self.browse.setAutoDefault(False)
        in_row(self, (self.path, 1), self.browse, margins=0, spacing=6)
        self.browse.clicked.connect(self._on_browse)

    def show_text(self, text: str) -> None:
        """The script *text* of an earlier goal counts, as long as no file is named."""
        self._text = text

    def text(self) -> str:
        """The script. Raises CannotRead, and ValueError where none is named."""
        if not self.path.text().strip():
            if not self._text:
                raise ValueError(_("No script is named. Choose its file, or plan yourself (see “Who plans”)."))
            return self._text
        return read_script(Path(self.path.text().strip()))

    @Slot()
    def _on_browse(self) -> None:
        kinds = _("Scripts (*.yaml *.yml);;All files (*)")
        name, _kind = QFileDialog.getOpenFileName(self, _("Script that answers"), str(home_folder()), kinds)
        if name:
            self.path.setText(name)


class ToolChoice(QWidget):
    """What may be called: a box to tick for each tool or playbook, and files that bring more."""

    changed = Signal()
    added = Signal(object)  # str: a file whose playbooks and functions may be called as well

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.known: frozenset[str] = frozenset()
        self.list = QListWidget(self)
        read_as_written(self.list)
        self.add = QPushButton(_("Playbooks of a &file…"), self)
        self.list.setAccessibleName(_("What may be called"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.add.setAutoDefault(False)
        words = _(
            "Nothing else can be called by the playbook. What changes something asks for leave when it is called."
        )
        note = Label(words, self, role="secondary", wraps=True)
        self.where = Label(parent=self, role="secondary", wraps=True)
        in_column(self, note, self.where, (self.list, 1), in_row(None, self.add, 1), margins=8, spacing=8)
        self.list.itemChanged.connect(self.changed)
        self.add.clicked.connect(self._on_add)

    @property
    def chosen(self) -> set[str]:
        """The names of what is ticked."""
        items = (self.list.item(row) for row in range(self.list.count()))
        return {str(each.data(_ROLE)) for each in items if each.checkState() is Qt.CheckState.Checked}

    def show_folder(self, folder: Path | None) -> None:
        """Say where tools for files find them."""
        known = _("Files are those of the project: {folder}").format(folder=folder)
        none = _("No folder is open, so tools for files find none. Open one first: File › Open folder…")
        self.where.setText(none if folder is None else known)

    def show_offers(self, offers: Sequence[Offer], chosen: Collection[str]) -> None:
        """List *offers*, with those *chosen* ticked."""
        self.known = frozenset(each.name for each in offers)
        with QSignalBlocker(self.list):
            self.list.clear()
            for each in offers:
                about = " · ".join(filter(None, (safety_words(each.safety), each.source)))
                item = QListWidgetItem(f"{drawable_line(each.line)}  ({drawable_line(about)})", self.list)
                item.setToolTip(tip(each.line))
                item.setData(_ROLE, each.name)
                item.setCheckState(Qt.CheckState.Checked if each.name in chosen else Qt.CheckState.Unchecked)
            self.list.setCurrentRow(0)

    @Slot()
    def _on_add(self) -> None:
        kinds = _("Playbooks (*.md *.pb *.playbooks);;All files (*)")
        name, _kind = QFileDialog.getOpenFileName(self, _("Playbooks that may be called"), str(home_folder()), kinds)
        if name:
            self.added.emit(name)


class MoreWishes(QScrollArea):
    """What seldom has to be said: what the playbook is called and given, and how it is gone about."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        page = QWidget(self)
        self.title, self.about, self.given, self.returns = (QLineEdit(page) for _each in range(4))
        self.format, self.deviation = QComboBox(page), QComboBox(page)
        self.runs = QCheckBox(_("&Carry it out once it is accepted"), page)
        self.observes = QCheckBox(_("Whoever plans also looks at each step before I accept it"), page)
        self.is_free = QCheckBox(_("Whoever plans writes the text too, instead of the rules for plans"), page)
        self.looks = QCheckBox(_("Whoever plans also looks now and then whether the run still leads to the goal"), page)
        self.most_looks = QSpinBox(page, minimum=1, maximum=_MOST_LOOKS, value=_LOOKS)
        self._form = QFormLayout(page, fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._is_other = False
        self._lay_out(page)

    def _lay_out(self, page: QWidget) -> None:
        self.format.addItem(_("Markdown: branches, loops and calls"), PlaybookFormat.MARKDOWN)
        self.format.addItem(_("Step list in YAML: steps in a row, enforced"), PlaybookFormat.STEPLIST)
        for policy, words in _POLICIES:
            self.deviation.addItem(str(words), policy)
        self.title.setPlaceholderText(_("the goal"))
        self.given.setPlaceholderText(_("values that a run is given, like order: str, amount: number"))
        self.returns.setPlaceholderText(_("what it gives, like $total"))
        for text, field in (
            (_("T&itle"), self.title),
            (_("&Description"), self.about),
            (_("Is gi&ven"), self.given),
            (_("Ret&urns"), self.returns),
            (_("F&ormat"), self.format),
            ("", self.runs),
            (_("If the run is not as p&lanned"), self.deviation),
            ("", self.looks),
            (_("Looks at &most"), self.most_looks),
            *(("", box) for box in (self.observes, self.is_free)),
        ):
            self._form.addRow(text, field)
            if text:
                field.setAccessibleName(text.replace("&", ""))
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(page)
        self.runs.toggled.connect(self._on_runs_toggled)
        self.looks.toggled.connect(self._on_runs_toggled)
        self._on_runs_toggled()

    @Slot()
    def _on_runs_toggled(self) -> None:
        self._form.setRowVisible(self.deviation, self.runs.isChecked())
        may_look = self.runs.isChecked() and self._is_other
        self._form.setRowVisible(self.looks, may_look)
        self._form.setRowVisible(self.most_looks, may_look and self.looks.isChecked())

    def show_who(self, *, is_person: bool) -> None:
        """Ask of whoever plans only what does not go without."""
        self._is_other = not is_person
        for box in (self.observes, self.is_free):
            self._form.setRowVisible(box, self._is_other)
        self._on_runs_toggled()

    def show_plan(self, plan: Plan) -> None:
        """What *plan* says besides its steps."""
        self.title.setText(plan.title)
        self.about.setText(plan.description)
        self.given.setText(written_parameters(plan.parameters))
        self.returns.setText(plan.returns)

    def show_wish(self, request: PlanRequest, plan: Plan | None) -> None:
        """What *request* and *plan* say."""
        if plan is not None:
            self.show_plan(plan)
        self.format.setCurrentIndex(self.format.findData(request.format))
        self.runs.setChecked(request.is_run)
        self.observes.setChecked(request.has_observer)
        self.looks.setChecked(request.looks > 0)
        self.most_looks.setValue(request.looks or _LOOKS)
        self.is_free.setChecked(request.is_free)
        self.deviation.setCurrentIndex(max(0, self.deviation.findData(request.policy_for(DeviationKind.FAILED))))

    def wanted(self, request: PlanRequest) -> PlanRequest:
        """*request* with what is said here. Where a person plans, nobody else looks or writes."""
        policy: Policy = self.deviation.currentData()
        ends = [kind for kind, usual in USUAL_POLICIES.items() if usual is Policy.ASK]
        is_usual = policy is Policy.ASK
        return replace(
            request,
            format=self.format.currentData(),
            is_run=self.runs.isChecked(),
            has_observer=self.observes.isChecked() and self._is_other,
            is_free=self.is_free.isChecked() and self._is_other,
            looks=self.most_looks.value() if self.looks.isChecked() and self._is_other else 0,
            policies={} if is_usual else {kind.value: policy.value for kind in ends},
        )
