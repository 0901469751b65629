"""Finds text in all files of the project and replaces it; lists where a name is used, and what another name changes.

What was found is a tree: file, playbook, and each place with its step; and what it becomes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFrame, QHeaderView, QLineEdit, QPushButton, QTreeWidget, QTreeWidgetItem, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.control.search.names import PlannedRenaming, ProjectUsages
from workbench.gui.control.search.project_search import ProjectSearch
from workbench.gui.look.action_button import switch_button
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.tag_button import TagButton
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.words.directions import ordered
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import _, ngettext, numeral
from workbench.model.showing.tags import tags_of
from workbench.model.snapshot import Snapshot, derive
from workbench.search.files import FileEdits, FileFound, FileText, replaced
from workbench.search.matching import Query
from workbench.search.replacing import Replacement
from workbench.syntax.change import TextEdit
from workbench.syntax.text import LineIndex, Span, line_start, line_stop

_MOST_OPENED = 12
_MOST_ROWS = 2_000
_LONGEST = 300
PLACE = Qt.ItemDataRole.UserRole
_REST_MS = 250


@dataclass(frozen=True)
class FileRow:
    """A file with the *places* that were found. *edits*: what they become, None where nothing is replaced."""

    file: FileText
    places: tuple[Span, ...]
    edits: tuple[TextEdit, ...] | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the file *path*."""

    path: str
    span: Span


class ResultTree(QTreeWidget):
    """Files with a box where something is to be replaced; a place that is activated is wished for."""

    place_chosen = Signal(object)  # Place
    choice_changed = Signal()  # other files are to be changed

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._rows: list[FileRow] = []
        self.setAccessibleName(_("Search results"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setColumnCount(2)
        self.setHeaderLabels([_("Found"), _("Becomes")])
        self.header().setStretchLastSection(True)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.itemExpanded.connect(self._on_expanded)
        self.itemActivated.connect(self._on_activated)
        self.itemClicked.connect(self._on_activated)
        self.itemChanged.connect(self._on_changed)

    def show_rows(self, rows: list[FileRow]) -> None:
        """Show *rows* and nothing else; the first files are open."""
        self.clear()
        self._rows = []
        self.add_rows(rows)

    def add_rows(self, rows: list[FileRow]) -> None:
        """Show *rows* as well."""
        self.setColumnHidden(1, all(row.edits is None for row in (*self._rows, *rows)))
        if not self.isColumnHidden(1):
            self.setColumnWidth(0, self.viewport().width() // 2)
        with QSignalBlocker(self):
            items = [self._file_item(len(self._rows) + at, row) for at, row in enumerate(rows)]
            self._rows += rows
            self.addTopLevelItems(items)
        for item in items:
            if self.topLevelItemCount() <= _MOST_OPENED:
                item.setExpanded(True)
                self._on_expanded(item)

    def _file_item(self, at: int, row: FileRow) -> QTreeWidgetItem:
        count = ngettext("{count} match", "{count} matches", len(row.places))
        item = QTreeWidgetItem([f"{drawable_line(row.file.path) or _('This document')}  ·  {count}", ""])
        item.setIcon(0, icon("playbook", Ink.MUTED))
        item.setData(0, PLACE, at)
        item.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
        if row.edits is not None:
            item.setCheckState(0, Qt.CheckState.Checked)
        return item

    def chosen(self) -> list[FileEdits]:
        """What changes in the files that are ticked."""
        found: list[FileEdits] = []
        for at, row in enumerate(self._rows):
            item = self.topLevelItem(at)
            if item is not None and row.edits and item.checkState(0) is Qt.CheckState.Checked:
                found.append(FileEdits(row.file, row.edits))
        return found

    @property
    def rows(self) -> list[FileRow]:
        """The files that are shown."""
        return self._rows

    @Slot(QTreeWidgetItem)
    def _on_expanded(self, item: QTreeWidgetItem) -> None:
        """A file is read only when somebody looks at it."""
        at = item.data(0, PLACE)
        if isinstance(at, int) and not item.childCount():
            with QSignalBlocker(self):
                item.addChildren(list(place_items(self._rows[at])))
                for child in range(item.childCount()):
                    item.child(child).setExpanded(True)  # type: ignore[union-attr]

    @Slot(QTreeWidgetItem)
    def _on_activated(self, item: QTreeWidgetItem) -> None:
        place = item.data(0, PLACE)
        if isinstance(place, Place):
            self.place_chosen.emit(place)

    @Slot(QTreeWidgetItem)
    def _on_changed(self, _item: QTreeWidgetItem) -> None:
        self.choice_changed.emit()


def place_items(row: FileRow) -> Iterator[QTreeWidgetItem]:
    """The rows below a file: those of its playbooks with their places, and the places in none."""
    snapshot = derive(row.file.source)
    lines = LineIndex.of(row.file.text)
    groups: dict[str, QTreeWidgetItem] = {}
    for at, span in enumerate(row.places[:_MOST_ROWS]):
        playbook, address = _home(snapshot, span)
        item = _place_item(row, at, lines.line(span.start) + 1, address)
        if not playbook:
            yield item
            continue
        if playbook not in groups:
            groups[playbook] = QTreeWidgetItem([drawable_line(playbook), ""])
            groups[playbook].setIcon(0, icon("flowchart", Ink.MUTED))
            yield groups[playbook]
        groups[playbook].addChild(item)


def _home(snapshot: Snapshot, span: Span) -> tuple[str, str]:
    """The title of the playbook that *span* stands in, and the address of the step; empty where there is none."""
    placed = snapshot.placed_at_block(snapshot.block_index_at(span.start)) if snapshot.blocks else None
    step = snapshot.step_at(span.start)
    title = (placed.playbook.title or placed.playbook.name) if placed is not None else ""
    return title, (snapshot.address(step) or "") if step is not None else ""


def _place_item(row: FileRow, at: int, line: int, address: str) -> QTreeWidgetItem:
    span, text = row.places[at], row.file.text
    start = line_start(text, span.start)
    stop = min(line_stop(text, span.start), start + _LONGEST)
    words = text[start:stop].strip()
    told = address or _("line {line}").format(line=numeral(line))
    item = QTreeWidgetItem([f"{told}  {ordered(drawable_line(words))}", _becomes(row, Span(start, stop))])
    item.setToolTip(0, tip(f"{_('line {line}').format(line=numeral(line))}\n{words}"))
    item.setData(0, PLACE, Place(row.file.path, span))
    item.setForeground(1, QColor(current_theme().color(Ink.DONE)))
    return item


def _becomes(row: FileRow, line: Span) -> str:
    """The words of *line* as they will be."""
    inside = [edit for edit in row.edits or () if line.start <= edit.span.start and edit.span.end <= line.end]
    pieces, done = [], line.start
    for edit in inside:
        pieces += [row.file.text[done : edit.span.start], edit.insert]
        done = edit.span.end
    return ordered(drawable_line("".join((*pieces, row.file.text[done : line.end])).strip())) if inside else ""


class SearchPanel(QWidget):
    """Two fields, what was found, and buttons that change the files or change them back."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._search = context.search
        self._found: list[FileFound] = []
        self._root = Path()
        self._label = self._said = ""
        self._done = ""
        self.field = QLineEdit(self, placeholderText=_("Text in the files of the project"))
        self.replacement = QLineEdit(self, placeholderText=_("Replace with"))
        self.case = switch_button(self, "Aa", _("Small and capital letters differ"))
        self.word = switch_button(self, "W", _("Whole words only"))
        self.regex = switch_button(self, ".*", _("Regular expression"))
        self.tags = TagButton(partial(_tag_counts, context), self)
        self.keeping = switch_button(self, "AB", _("Keep small and capital letters as they are there"))
        self.told = Label("", self, role="secondary")
        self.problem = ProblemLabel(self)
        self.apply = QPushButton(_("Replace in files"), self)
        self.undo = QPushButton(_("Undo in files"), self)
        self.tree = ResultTree(self)
        self.nothing = EmptyState("search", "", "", self)
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self.search)
        self._lay_out()
        self._connect()
        self._refresh()

    def _lay_out(self) -> None:
        self.field.setAccessibleName(_("Find in files"))
        self.replacement.setAccessibleName(_("Replace with"))
        self.field.addAction(icon("search", Ink.MUTED), QLineEdit.ActionPosition.LeadingPosition)
        switches = (self.case, self.word, self.regex, self.tags)
        first = in_row(None, (self.field, 3), *switches, (self.replacement, 2), self.keeping, margins=0, spacing=4)
        second = in_row(None, self.told, 1, self.apply, self.undo, margins=0, spacing=8)
        in_column(self, first, self.problem, second, (self.tree, 1), (self.nothing, 1), margins=(8, 6, 8, 0), spacing=4)
        self.setFocusProxy(self.field)

    def _connect(self) -> None:
        for switch in (self.case, self.word, self.regex):
            switch.clicked.connect(self.search)
        self.tags.chosen.connect(self.search)
        self.keeping.clicked.connect(self._on_replacement_changed)
        self.field.textEdited.connect(self._rest.start)
        self.field.returnPressed.connect(self.search)
        self.replacement.textEdited.connect(self._on_replacement_changed)
        self.apply.clicked.connect(self._on_apply)
        self.undo.clicked.connect(self._search.undo)
        self.tree.place_chosen.connect(self._on_place_chosen)
        self.tree.choice_changed.connect(self._refresh)
        self._search.found.connect(self._on_found)
        self._search.ended.connect(self._refresh)
        self._search.changed.connect(self._on_files_changed)
        self._context.names.usages_found.connect(self._on_usages_found)
        self._context.names.renaming_planned.connect(self._on_renaming_planned)

    def begin(self, words: str) -> None:
        """Wait for what is to be found; look for *words* at once where there are some."""
        if words:
            self.field.setText(words)
            self.search()
        self.field.setFocus()
        self.field.selectAll()

    @Slot()
    def search(self) -> None:
        """Look for what is in the field."""
        self._rest.stop()
        self._found, self._label, self._done = [], "", ""
        self._root = self._search.root or Path()
        self.problem.setText("")
        self._said = ""
        self.tree.show_rows([])
        switches = self.case.isChecked(), self.word.isChecked(), self.regex.isChecked()
        self._search.search(Query(self.field.text(), *switches, tag=self.tags.tag))
        self._refresh()

    @Slot(object)
    def _on_found(self, found: list[FileFound]) -> None:
        self._found += [each for each in found if each.found.matches]
        self.problem.setText(next((each.found.trouble for each in found if each.found.trouble), ""))
        self.tree.add_rows([row_of(each, self._replacement) for each in found if each.found.matches])
        self._refresh()

    @property
    def _replacement(self) -> Replacement | None:
        """What is put in; None while nothing is to be replaced."""
        words = self.replacement.text()
        choices = self.keeping.isChecked(), self.regex.isChecked()
        return Replacement(words, *choices, self.field.text()) if words else None

    @Slot()
    def _on_replacement_changed(self) -> None:
        """Show what becomes of what was found."""
        if not self._label:
            self.tree.show_rows([row_of(each, self._replacement) for each in self._found])
            self._refresh()

    @Slot()
    def _on_apply(self) -> None:
        chosen = self.tree.chosen()
        label = self._label or _("Replace in files")
        if chosen and self._search.apply(self._root, chosen, label):
            count = sum(len(change.edits) for change in chosen)
            words = ngettext("Changed {count} place", "Changed {count} places", count)
            files = ngettext("in {count} file", "in {count} files", len(chosen))
            self._done = f"{words} {files}"
            self._context.notices.tell(self._done)
            self._refresh()

    @Slot()
    def _on_files_changed(self) -> None:
        """What was found does not fit the files any more."""
        if self._label or self._done:
            self.tree.show_rows([])
            self._label = self._done = ""
            self._refresh()
        else:
            self.search()

    @Slot(object)
    def _on_place_chosen(self, place: Place) -> None:
        self._context.trail.go_to(place.span, self._root / place.path if place.path else None)

    @Slot(object)
    def _on_usages_found(self, found: ProjectUsages) -> None:
        """List them; nothing is to be changed."""
        self._show(found.root, [FileRow(each.file, tuple(use.span for use in each.usages)) for each in found.files])
        self._label = _("Usages of {name}").format(name=found.symbol.written)
        self._refresh()

    @Slot(object)
    def _on_renaming_planned(self, planned: PlannedRenaming) -> None:
        """Show every line that changes; the button does it."""
        rows = [FileRow(each.file, tuple(edit.span for edit in each.edits), each.edits) for each in planned.changes]
        self._show(planned.root, rows)
        self._label = _("Rename {name} to {new}").format(name=planned.symbol.written, new=planned.new)
        self._refresh()
        self.apply.setFocus()

    def _show(self, root: Path, rows: list[FileRow]) -> None:
        self._search.cancel()
        self._root, self._found = root, []
        self._done = ""
        self.problem.setText("")
        self.tree.show_rows(rows)

    @Slot()
    def _refresh(self) -> None:
        """Say what is shown, and what the buttons would do."""
        rows = self.tree.rows
        count = sum(len(row.places) for row in rows)
        matches = ngettext("{count} match", "{count} matches", count)
        words = ngettext("{count} place", "{count} places", count) if self._label else matches
        files = ngettext("in {count} file", "in {count} files", len(rows))
        told = f"{words} {files}" if rows else ""
        self.tree.setVisible(bool(rows))
        self.nothing.setHidden(bool(rows))
        if not rows:
            self.nothing.tell("search", *why_nothing(self._search, self.field.text(), self._done))
        self.told.setText(f"{self._label}: {told}" if self._label else told)
        said = self.told.text() or self.nothing.title.text()
        if self.isVisible() and not self._search.is_searching and self.field.text() and said != self._said:
            self._said = said
            self._context.notices.speak("search", said)
        is_changing = any(row.edits is not None for row in rows)
        self.apply.setText(self._label if self._label and is_changing else _("Replace in files"))
        self.apply.setVisible(is_changing)
        self.apply.setEnabled(bool(is_changing and self.tree.chosen()))
        self.undo.setVisible(self._search.can_undo)


def row_of(found: FileFound, replacement: Replacement | None) -> FileRow:
    """What is shown of a file, with what becomes of it."""
    places = tuple(match.span for match in found.found.matches)
    return FileRow(found.file, places, replaced(found, replacement).edits if replacement is not None else None)


def why_nothing(search: ProjectSearch, words: str, done: str) -> tuple[str, str]:
    """A title and a sentence in the place of rows, while *words* are looked for; *done*: what was just changed."""
    if done:
        return done, _("“Undo in files” takes it back while none of these files has changed again.")
    if search.is_searching:
        return _("Searching…"), _("Matches appear here as they are found.")
    if search.root is None:
        return _("No folder is open"), _("Open a folder, or save this document: then all files beside it are searched.")
    if words:
        return _("No matches"), _(
            "Look at the choices beside the words: capital letters, whole words, regular expression."
        )
    return _("Search the project"), _(
        "Type what you look for. Usages of a name, and what renaming it changes, appear here too."
    )


def _tag_counts(context: WindowContext) -> Mapping[str, int]:
    """Those of the project; where no folder is open, those of the document."""
    return context.project.index.tags or tags_of(context.documents.snapshot).counts
