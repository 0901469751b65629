"""What somebody does with the shelf, by keys alone or by mouse alone."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabBar, QTreeWidget, QTreeWidgetItem, QWidget

from tests.journeys.author import Author, Keys, Mouse
from workbench.gui.shelf.entry_actions import ReuseDialog
from workbench.gui.shelf.exchange import ShelfExportDialog, ShelfImportDialog
from workbench.gui.shelf.shelf_panel import ShelfPanel
from workbench.i18n import _
from workbench.planning.shelf.entries import Entry


def shelf_of(person: Author) -> ShelfPanel:
    """The pane of the shelf, in front."""
    if isinstance(person, Mouse):
        bars = person.window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        places = ((bar, at) for bar in bars for at in range(bar.count()) if bar.tabText(at) == _("Shelf"))
        bar, at = next(places)
        person.click(bar, bar.tabRect(at).center())
    else:
        person.do("pane.shelf")
    panel = person.window.panes.panel("shelf")
    assert isinstance(panel, ShelfPanel)
    person.qtbot.waitUntil(panel.isVisible)
    if isinstance(person, Keys):  # from here, Tab leads to all of it
        person.go_to(panel)
        for _press in range(60):
            if person.focus is panel.tabBar():
                break
            person.press("Shift+Tab")
    return panel


def search(person: Author, goal: str, title: str) -> Entry:
    """Type *goal*, and wait until the playbook *title* is the first that is found and shown; gives it."""
    page = shelf_of(person).playbooks
    person.fill(page.bar.goal, goal)

    def is_shown() -> bool:
        found, whole = page.model.entries, page.detail.whole
        is_first = bool(found) and found[0].title == title
        return is_first and page.detail.isVisible() and whole is not None and whole.entry.id == found[0].id

    person.qtbot.waitUntil(is_shown)
    return page.model.entries[0]


def reuse(person: Author) -> str:
    """Open a copy of the playbook that is shown, in which no note changes anything; gives its text."""
    page = shelf_of(person).playbooks
    with person.qtbot.waitSignal(person.context.documents.document_opened):
        person.push(page.detail.reuse)
    return person.text


def reuse_with_notes(person: Author, *left_out: str) -> str:
    """Open a copy with the notes that change it, but for those that say *left_out*; gives its text."""
    page = shelf_of(person).playbooks
    person.push(page.detail.reuse)
    person.qtbot.waitUntil(lambda: isinstance(page.acts.dialog, ReuseDialog) and page.acts.dialog.isVisible())
    dialog = page.acts.dialog
    assert isinstance(dialog, ReuseDialog)
    for note in left_out:
        tick(person, dialog.effects, row_of(dialog.effects, note))
    person.picture("reuse", dialog)
    with person.qtbot.waitSignal(person.context.documents.document_opened):
        person.push(dialog.confirm)
    return person.text


def write_note(person: Author, text: str) -> None:
    """Write a note in the pane, and wait until it is kept."""
    panel = shelf_of(person)
    turn_to(person, panel, panel.notes)
    person.fill(panel.notes.new, text)
    person.push(panel.notes.add)
    notes = panel.notes.list
    person.qtbot.waitUntil(lambda: any(each.text(0) == text for each in rows_of(notes)))
    turn_to(person, shelf_of(person), panel.playbooks)


def turn_to(person: Author, panel: ShelfPanel, page: QWidget) -> None:
    """Turn to *page* of the pane, which has just been brought to the front."""
    bar, index = panel.tabBar(), panel.indexOf(page)
    if isinstance(person, Mouse):
        person.click(bar, bar.tabRect(index).center())
    elif isinstance(person, Keys):
        person.press("Right" if index > panel.currentIndex() else "Left")
    assert panel.currentWidget() is page


def export(person: Author, file: Path) -> None:
    """Write the playbook that is shown to *file*, for others."""
    page = shelf_of(person).playbooks
    page.acts.export.trigger()
    person.qtbot.waitUntil(lambda: isinstance(page.acts.dialog, ShelfExportDialog) and page.acts.dialog.isVisible())
    dialog = page.acts.dialog
    assert isinstance(dialog, ShelfExportDialog)
    person.fill(dialog.file.name, str(file))
    person.picture("export", dialog)
    person.push(dialog.confirm)
    person.qtbot.waitUntil(file.is_file)


def take_in(person: Author, file: Path, title: str) -> Entry:
    """Import *file*, once it is looked into, and wait until the playbook *title* is shown; gives it."""
    page = shelf_of(person).playbooks
    person.push(page.take_in if page.empty.isVisible() else page.bar.take_in)
    dialog = page.dialog
    assert isinstance(dialog, ShelfImportDialog)
    person.qtbot.waitUntil(dialog.isVisible)
    person.fill(dialog.file.name, str(file))
    person.qtbot.waitUntil(dialog.confirm.isEnabled)
    person.picture("import", dialog)
    person.push(dialog.confirm)
    person.qtbot.waitUntil(lambda: page.detail.isVisible() and page.detail.title.text() == title)
    assert page.detail.whole is not None
    return page.detail.whole.entry


def rows_of(tree: QTreeWidget) -> list[QTreeWidgetItem]:
    """The rows of *tree*."""
    return [row for row in map(tree.topLevelItem, range(tree.topLevelItemCount())) if row is not None]


def row_of(tree: QTreeWidget, words: str) -> QTreeWidgetItem:
    """The row of *tree* that begins with *words*."""
    return next(row for row in rows_of(tree) if row.text(0).startswith(words))


def tick(person: Author, tree: QTreeWidget, row: QTreeWidgetItem) -> None:
    """Tick the box of *row*, or empty it, with the space bar."""
    before = row.checkState(0)
    tree.setCurrentItem(row)
    tree.setFocus()
    person.press("Space")
    person.qtbot.waitUntil(lambda: row.checkState(0) is not before)
