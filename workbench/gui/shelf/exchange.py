"""Playbooks go over to others as files: what one will hold, and what one holds, is shown before anything is done."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from workbench.disk.atomic import replace_private_file
from workbench.disk.files import from_home, home_folder, is_file, is_there, read_file
from workbench.disk.outputs import write_file
from workbench.errors import WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column, in_row, resize_on_screen
from workbench.gui.look.written_words import read_as_written
from workbench.gui.shelf.entry_view import FORMAT_WORDS, Preview, beginning_of, facts_of
from workbench.gui.shelf.shelf_desk import ShelfDesk, Whole, safely, suggested_name
from workbench.gui.words.values import drawable, drawable_line, tip
from workbench.i18n import N_, _, ngettext, numeral
from workbench.model.layout.program import Layout, layout_program
from workbench.model.snapshot import Snapshot
from workbench.planning.checking import read_text
from workbench.planning.request import PlaybookFormat
from workbench.planning.shelf.bundle import LARGEST, Bundle, look_into
from workbench.secrets import marks_in

_MOST_FINDINGS, _LONGEST = 200, 20_000
_FILTER = N_("Playbooks for others (*.json);;All files (*)")


class _FileRow(QWidget):
    """A field for the name of a file, and a button that looks for one."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.name = QLineEdit(self)
        self.name.setAccessibleName(_("File"))
        self.browse = QPushButton(_("Browse…"), self)
        self.browse.setAutoDefault(False)
        in_row(self, (self.name, 1), self.browse, margins=0)

    @property
    def path(self) -> Path | None:
        """The file that is named."""
        words = self.name.text().strip().replace("\0", "")
        return from_home(words) if words else None


class ShelfExportDialog(QDialog):
    """What the file for others will hold, all of it, before it is written."""

    def __init__(self, desk: ShelfDesk, whole: Whole, data: bytes, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.data, self._notices = data, desk.context.notices
        self.setWindowTitle(_("Export “{title}”").format(title=drawable_line(whole.entry.title[:60])))
        self.file = _FileRow(self)
        self.contents = Label("\n".join(contents_of(whole, data)), self, wraps=True)
        self.text = QPlainTextEdit(beginning_of(drawable(data.decode("utf-8")), _LONGEST), self, readOnly=True)
        self.text.setProperty("role", "mono")
        self.text.setAccessibleName(_("All that the file will hold"))
        self.said = ProblemLabel(self)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.confirm = self.buttons.addButton(_("Export"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.confirm.setDefault(True)
        in_column(self, self.contents, (self.text, 1), self.file, self.said, self.buttons, margins=16, spacing=8)
        folder = desk.context.settings.current.project_folder
        root = Path(folder) if folder else home_folder()
        self.file.name.setText(str(root / suggested_name(whole.entry.title, ".playbook.json")))
        self.file.browse.clicked.connect(self._on_browse)
        self.file.name.textChanged.connect(self._on_named)
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        self._on_named()
        resize_on_screen(self, 680, 560)

    @Slot()
    def _on_named(self) -> None:
        path = self.file.path
        self.confirm.setEnabled(path is not None)
        is_taken = path is not None and is_there(path)
        self.said.setText(_("This file is there already; it will be replaced.") if is_taken else "")

    @Slot()
    def _on_browse(self) -> None:
        name, _chosen = QFileDialog.getSaveFileName(self, _("Export playbook"), self.file.name.text(), str(_FILTER))
        if name:
            self.file.name.setText(name)

    @Slot()
    def _on_accepted(self) -> None:
        path = self.file.path
        if path is None:
            return
        try:
            write_file(path, self.data, replace_private_file)
        except WorkbenchError as error:
            self.said.setText(str(error))
            return
        self._notices.tell(_("Wrote “{path}”.").format(path=path))
        self.accept()


def contents_of(whole: Whole, data: bytes) -> list[str]:
    """What a file for others holds, in sentences."""
    kept = whole.kept
    lines = [_("The playbook, its goal, its tags, and where it comes from, with how many of its runs went well.")]
    if kept.plan:
        lines.append(_("The plan that it was made of."))
    if kept.imports:
        count = len(kept.imports)
        words = ngettext("{count} file that it imports.", "{count} files that it imports.", count)
        lines.append(words.format(count=numeral(count)))
    if kept.tools:
        count = len(kept.tools)
        words = ngettext("{count} declaration of a tool.", "{count} declarations of tools.", count)
        lines.append(words.format(count=numeral(count)))
    count = len(marks_in(data.decode("utf-8"))) - len(marks_in(kept.text))
    if count > 0:
        words = ngettext("A mark in the place of {count} secret.", "Marks in the place of {count} secrets.", count)
        lines.append(words.format(count=numeral(count)))
    return [*lines, _("Never: keys, tokens or passwords, your notes, and what happened in your runs.")]


@dataclass(frozen=True, slots=True)
class _Looked:
    """What a file holds, ready to be drawn."""

    bundle: Bundle
    snapshot: Snapshot
    layout: Layout


def _looked(path: Path) -> _Looked:
    """What the file *path* holds. Raises CannotRead."""
    bundle = look_into(read_file(path, LARGEST + 1), path.name)
    snapshot = read_text(bundle.kept.text, PlaybookFormat(bundle.kept.format))
    return _Looked(bundle, snapshot, layout_program(snapshot))


class ShelfImportDialog(QDialog):
    """Looks into the file that is named and shows all of it; nothing is kept before *Take in*."""

    confirmed = Signal(object)  # Kept

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Import playbook"))
        self.found: _Looked | None = None
        self.file = _FileRow(self)
        self.summary = Label("", self, wraps=True)
        self.findings = QTreeWidget(self)
        read_as_written(self.findings)
        self.preview = Preview(self)
        self.said = ProblemLabel(self)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.confirm = self.buttons.addButton(_("Take in"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.confirm.setDefault(True)
        self._arrange()
        self._looking = BackgroundWork(self)
        self._looking.done.connect(self._on_looked)
        self.file.browse.clicked.connect(self._on_browse)
        self.file.name.textChanged.connect(self._on_named)
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        self._on_named()
        resize_on_screen(self, 680, 620)

    def _arrange(self) -> None:
        self.findings.setHeaderLabels([_("Line"), _("Finding")])
        self.findings.setRootIsDecorated(False)
        self.findings.setAccessibleName(_("Findings"))
        self.findings.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.findings.setMaximumHeight(140)
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        parts = (self.file, self.said, self.summary, self.findings, (self.preview, 1), 0, self.buttons)
        in_column(self, *parts, margins=16, spacing=8)

    @Slot()
    def _on_browse(self) -> None:
        name, _chosen = QFileDialog.getOpenFileName(self, _("Import playbook"), self.file.name.text(), str(_FILTER))
        if name:
            self.file.name.setText(name)

    @Slot()
    def _on_named(self) -> None:
        path = self.file.path
        if path is None or not is_file(path):
            self._looking.forget()
            self._show(None)
            self.said.setText(_("There is no such file.") if path is not None else "")
            return
        self._looking.ask(partial(safely, partial(_looked, path)))

    @Slot(object)
    def _on_looked(self, found: _Looked | WorkbenchError) -> None:
        self.said.setText(str(found) if isinstance(found, WorkbenchError) else "")
        self._show(None if isinstance(found, WorkbenchError) else found)

    def _show(self, found: _Looked | None) -> None:
        self.found = found
        self.confirm.setEnabled(found is not None and not found.bundle.errors)
        self.findings.clear()
        for each in (self.summary, self.preview):
            each.setVisible(found is not None)
        self.findings.setVisible(found is not None and bool(found.bundle.problems))
        if found is None:
            return
        bundle = found.bundle
        self.summary.setText(summary_of(bundle))
        for problem in bundle.problems[:_MOST_FINDINGS]:
            row = QTreeWidgetItem(self.findings, [numeral(problem.line), drawable_line(problem.message)])
            row.setIcon(1, icon("error" if problem.is_error else "warning"))
            row.setToolTip(1, tip(f"{problem.code}: {problem.message}"))
        if (more := len(bundle.problems) - _MOST_FINDINGS) > 0:
            words = ngettext("and {count} more finding", "and {count} more findings", more)
            QTreeWidgetItem(self.findings, ["", words.format(count=numeral(more))])
        facts = [*facts_of(bundle.kept), (_("Tags"), ", ".join(bundle.kept.tags))]
        self.preview.show_playbook(found.snapshot, found.layout, facts)

    @Slot()
    def _on_accepted(self) -> None:
        if self.found is not None:
            self.confirmed.emit(self.found.bundle.kept)
            self.accept()


def summary_of(bundle: Bundle) -> str:
    """What was found out about a file, before anything is kept."""
    kept = bundle.kept
    lines = [f"{kept.title} · {FORMAT_WORDS[kept.format]}"]
    lines.append(_("The file is as it was exported (digest {digest}).").format(digest=bundle.digest[:16]))
    if bundle.errors:
        count = len(bundle.errors)
        words = ngettext("{count} error: it cannot be taken in.", "{count} errors: it cannot be taken in.", count)
        lines.append(words.format(count=numeral(count)))
    elif bundle.problems:
        lines.append(_("It can be taken in; see what is doubtful about it."))
    else:
        lines.append(_("Nothing wrong or doubtful was found in it."))
    return "\n".join(lines)
