"""The wizard of a promotion: the evidence, what would be written and where, then one click."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QTabWidget,
    QWidget,
)

from workbench.disk.files import from_home, home_folder
from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.control.versions.version_control import Version, Wanted
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row, resize_on_screen
from workbench.gui.patterns.pattern_detail import PatternDetails, record_sentence
from workbench.gui.patterns.sequence_view import SequenceView
from workbench.gui.words.values import drawable, drawable_line
from workbench.i18n import N_, _, numeral
from workbench.library.entries import Outcome
from workbench.library.skills.nearby import PROMOTED
from workbench.library.skills.promotion import Draft, PromotionKind, draft_promotion, promote
from workbench.library.skills.skill_text import best_variant
from workbench.library.store import PatternStore
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

_KINDS = (
    (PromotionKind.SKILL, N_("Skill (a folder with SKILL.md)")),
    (PromotionKind.PLAYBOOK, N_("Playbook (markdown)")),
    (PromotionKind.STEPLIST, N_("Step list (YAML, order is enforced)")),
)


class PromotionDialog(QDialog):
    """Shows a draft; *Promote* writes it and marks the pattern, both or neither."""

    promoted = Signal(object)  # Path

    def __init__(
        self, context: WindowContext, store: PatternStore, details: PatternDetails, parent: QWidget | None
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._store = store
        self._details = details
        self.draft: Draft | None = None
        self.setWindowTitle(_("Promote “{name}”").format(name=drawable_line(details.entry.title[:60])))
        self.kind = QComboBox(self)
        self.folder = QLineEdit(self)
        self.browse = QPushButton(_("Browse…"), self)
        self.target = QLineEdit(self, readOnly=True)
        self.remark = _line(self)
        self.preview = _text_view(context, self)
        self.preview.setAccessibleName(_("Preview"))
        self.changes = _text_view(context, self)
        self.changes.setAccessibleName(_("Changes"))
        self.tabs = QTabWidget(self)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.beside = self.buttons.addButton(_("Side by side…"), QDialogButtonBox.ButtonRole.ActionRole)
        self.confirm = self.buttons.addButton(_("Promote"), QDialogButtonBox.ButtonRole.AcceptRole)
        self._arrange()
        self._connect()
        self._suggest_folder()
        resize_on_screen(self, 720, 640)

    @property
    def chosen_kind(self) -> PromotionKind:
        """What it will become."""
        return _KINDS[self.kind.currentIndex()][0]

    def redraft(self) -> None:
        """Work out again what would be written, and show it."""
        try:
            folder = from_home(self.folder.text().strip().replace("\0", ""))
            self.draft = draft_promotion(self._store, self._details.entry.pattern_id, folder, self.chosen_kind)
        except WorkbenchError as error:
            self.draft = None
            self.remark.setText(str(error))
        self.confirm.setEnabled(self.draft is not None and bool(self.folder.text().strip()))
        if self.draft is not None:
            self._show_draft(self.draft)

    def _show_draft(self, draft: Draft) -> None:
        self.target.setText(str(draft.path))
        self.preview.setPlainText(drawable(draft.text))
        self.changes.setPlainText(drawable(draft.diff))
        self.tabs.setTabVisible(self.tabs.indexOf(self.changes), bool(draft.diff))
        self.beside.setVisible(bool(draft.diff))
        remarks = {
            (True, False): _("An earlier version was edited by hand. It is kept, and this one is saved next to it."),
            (False, True): _("This replaces the previous version, which has not been edited since."),
        }
        self.remark.setText(remarks.get((draft.edited is not None, draft.replaced is not None), ""))

    def _suggest_folder(self) -> None:
        """Where such files are looked for: in the project that is open, else in the person's own folder."""
        project = self._context.settings.current.project_folder
        root = Path(project) if project else home_folder()
        self.folder.setText(str(root / PROMOTED if self.chosen_kind is PromotionKind.SKILL else root))
        self.redraft()

    def _arrange(self) -> None:
        for _kind, words in _KINDS:
            self.kind.addItem(str(words))
        form = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(_("Format"), self.kind)
        row = in_row(None, (self.folder, 1), self.browse)
        form.addRow(_("Folder"), row)
        form.addRow(_("File"), self.target)
        self.tabs.addTab(self.preview, _("Text"))
        self.tabs.addTab(self._flowchart(), _("Flowchart"))
        self.tabs.addTab(self.changes, _("Changes"))
        self.kind.setAccessibleName(_("Preview"))
        self.folder.setAccessibleName(_("Folder"))
        self.target.setAccessibleName(_("File"))
        self.confirm.setDefault(True)
        in_column(self, self._evidence(), form, (self.tabs, 1), self.remark, self.buttons)

    def _evidence(self) -> Label:
        label = _line(self)
        records, variants = self._details.records, self._details.variants
        lines = [record_sentence(self._details.entry)]
        if len(variants) > 1:
            seen = _("Orders seen: {count}. The best-proven one is written.")
            lines.append(seen.format(count=numeral(len(variants))))
        failure = next((each for each in records if each.outcome is not Outcome.SUCCESS and each.reason), None)
        if failure is not None:
            lines.append(_("Last failure: {reason}").format(reason=" ".join(failure.reason.split())[:200]))
        label.setText("\n".join(lines))
        return label

    def _flowchart(self) -> QWidget:
        scroll = QScrollArea(self, widgetResizable=True)
        self.sequence = SequenceView(scroll)
        self.sequence.show_variant(best_variant(self._details.entry, self._details.variants))
        inner = QWidget(scroll)
        in_column(inner, self.sequence, 1)
        scroll.setWidget(inner)
        return scroll

    def _connect(self) -> None:
        self.kind.activated.connect(self._suggest_folder)
        self.folder.textEdited.connect(self.redraft)
        self.browse.clicked.connect(self._on_browse_clicked)
        self.beside.clicked.connect(self.show_beside)
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)

    @Slot()
    def _on_browse_clicked(self) -> None:
        name = QFileDialog.getExistingDirectory(self, _("Save to"), self.folder.text())
        if name:
            self.folder.setText(name)
            self.redraft()

    @Slot()
    def show_beside(self) -> None:
        """Show the version that is there beside the one that would be written, on the flowchart as well."""
        draft = self.draft
        if draft is not None:
            there = draft.replaced if draft.replaced is not None else draft.edited
            old = Version(_("version that is there"), partial(SourceText, there or ""))
            self._context.versions.compare(Wanted(old, derive(SourceText(draft.text)), draft.path.name))

    @Slot()
    def _on_accepted(self) -> None:
        """Write and mark; when the world does not let it happen, say so and stay open."""
        if self.draft is None:
            return
        try:
            path = promote(self._store, self.draft, self._context.settings.current.promotion_threshold)
        except WorkbenchError as error:
            self.remark.setText(str(error))
            return
        self.accept()
        self.promoted.emit(path)


def _line(parent: QWidget) -> Label:
    label = Label(parent=parent, wraps=True)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _text_view(context: WindowContext, parent: QWidget) -> QPlainTextEdit:
    view = QPlainTextEdit(parent, readOnly=True)
    view.setProperty("role", "mono")
    view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    return view
