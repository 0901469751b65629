"""The shelf in the window."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from workbench.disk.places import Places
from workbench.engine.language.procedures.start import who
from workbench.gui.control.context import WindowContext, window_context
from workbench.gui.control.versions.version_control import Wanted
from workbench.gui.shelf.entry_actions import EntryDialog, ReuseDialog
from workbench.gui.shelf.entry_view import beginning_of
from workbench.gui.shelf.exchange import ShelfExportDialog
from workbench.gui.shelf.shelf_panel import ShelfPanel
from workbench.gui.words.values import drawable
from workbench.planning.shelf.bundle import bundle_of, digest_of, read_bundle
from workbench.planning.shelf.entries import Entry, Kept, Note, Origin, RunOfIt
from workbench.planning.shelf.notes import Notes
from workbench.planning.shelf.store import Shelf

TEXT = (
    "# Greet\n\n## Main()\n\n### Triggers\n\n- At the beginning\n\n### Steps\n\n- $x = 1\n- Tell user {said}\n"
    "- Return $x\n"
)


class Panels:
    """Makes panels, and keeps them until the end: what nobody holds may be collected while it is painted."""

    def __init__(self, own_places: Places, bot: QtBot) -> None:
        self.owner = QWidget()
        self.context = window_context(own_places, self.owner)
        self.bot = bot

    def open(self, width_px: int = 900) -> ShelfPanel:
        """A panel that is shown and has looked."""
        panel = ShelfPanel(self.context, self.owner)
        self.owner.resize(width_px, 700)
        panel.resize(width_px, 700)
        with self.bot.waitSignal(panel.desk.listed):
            self.owner.show()
        return panel


@pytest.fixture
def panels(qtbot: QtBot, own_places: Places) -> Iterator[Panels]:
    made = Panels(own_places, qtbot)
    yield made
    made.context.documents.close()
    made.owner.close()
    made.owner.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def shelf(own_places: Places) -> Iterator[Shelf]:
    made = Shelf(own_places.shelf_file, who())
    yield made
    made.close()


def put(shelf: Shelf, goal: str, said: str = '"hello"', **more: object) -> Entry:
    """A playbook for *goal* on *shelf*."""
    return shelf.put(replace(Kept(goal, TEXT.format(said=said), "markdown", Origin(goal, "form · rules")), **more))  # type: ignore[arg-type]


def titles(panel: ShelfPanel) -> list[str]:
    return [each.title for each in panel.playbooks.model.entries]


def shows(panel: ShelfPanel, title: str) -> bool:
    """Whether all of the entry *title* is shown."""
    return panel.playbooks.detail.isVisible() and panel.playbooks.detail.title.text() == title


def test_an_empty_shelf_says_what_it_is_for_and_makes_no_file(panels: Panels, own_places: Places) -> None:
    page = panels.open().playbooks
    assert page.empty.isVisible() and "made from a goal" in page.empty.words.text()
    assert page.take_in.isVisible() and not own_places.shelf_file.exists()


def test_a_text_without_an_end_is_shown_as_far_as_it_can_be_drawn_at_once() -> None:
    shown = beginning_of("a" * 3_000 + "\n" + "b\n" * 150_000).split("\n")
    assert (len(shown[0]), shown[1], shown[-1]) == (2_001, "b", "(103,001 more letters are not shown)")


def test_a_damaged_shelf_is_told_in_the_pane(panels: Panels, own_places: Places) -> None:
    own_places.shelf_file.parent.mkdir(parents=True, exist_ok=True)
    own_places.shelf_file.write_bytes(b"no database at all" * 100)
    page = panels.open().playbooks
    assert page.empty.isVisible() and "is damaged" in page.empty.words.text() and not page.take_in.isVisible()


def test_typing_a_goal_finds_playbooks_and_what_others_put_there_appears(
    qtbot: QtBot, panels: Panels, shelf: Shelf
) -> None:
    good = put(shelf, "Refund an order", tags=("money",))
    for number in range(8):
        shelf.count_run(good.id, RunOfIt(f"r{number}", 1, f"2026-01-0{number + 1}", number > 0, "no network"))
    put(shelf, "Reset a password", '"bye"')
    panel = panels.open()
    assert titles(panel) == ["Reset a password", "Refund an order"]
    qtbot.keyClicks(panel.playbooks.bar.goal, "refund the ord")
    qtbot.waitUntil(lambda: titles(panel) == ["Refund an order"] and shows(panel, "Refund an order"))
    detail = panel.playbooks.detail
    assert detail.record.text() == "Went well in 7 of 8 runs." and panel.playbooks.said.text() == "1 of 2 fits"
    assert "Goal: Refund an order" in detail.preview.facts.words and "Made by: form" in detail.preview.facts.words
    assert detail.runs.topLevelItemCount() == 8 and 'Tell user "hello"' in detail.preview.text.toPlainText()
    detail.preview.setCurrentIndex(1)
    assert detail.preview.chart is not None and len(detail.preview.chart.state.snapshot.program.playbooks) == 1
    qtbot.keyClicks(panel.playbooks.bar.goal, " zzzz rocket")
    panel.playbooks.bar.goal.setText("rockets")
    qtbot.waitUntil(lambda: titles(panel) == [] and "other words" in panel.playbooks.said.text())
    panel.playbooks.bar.goal.clear()
    qtbot.waitUntil(lambda: len(titles(panel)) == 2)
    panel.playbooks.bar.tag.setCurrentIndex(panel.playbooks.bar.tag.findData("money"))
    panel.playbooks.bar.tag.activated.emit(1)
    qtbot.waitUntil(lambda: titles(panel) == ["Refund an order"])
    put(shelf, "Refund a parcel", '"parcel"', tags=("money",))
    panel.desk.look()
    qtbot.waitUntil(lambda: titles(panel) == ["Refund a parcel", "Refund an order"])


def test_a_copy_is_opened_with_the_notes_that_the_person_leaves_in_and_its_runs_are_counted(
    qtbot: QtBot, panels: Panels, shelf: Shelf
) -> None:
    entry, notes = put(shelf, "Greet", "politely"), Notes(shelf)
    kind = notes.add(Note("", "Be kind", old="Tell user politely", new='Tell user "my dear"'))
    notes.add(Note("", "No ones", old="$x = 1"))
    panel = panels.open()
    qtbot.waitUntil(lambda: shows(panel, "Greet"))
    acts = panel.playbooks.acts
    panel.playbooks.detail.reuse.click()
    qtbot.waitUntil(lambda: isinstance(acts.dialog, ReuseDialog))
    dialog = acts.dialog
    assert isinstance(dialog, ReuseDialog) and dialog.effects.topLevelItemCount() == 2
    compared: list[Wanted] = []
    panels.context.versions.comparison_requested.connect(compared.append)
    dialog.beside.click()
    assert compared[0].new is not None and "my dear" in compared[0].new.text
    row = next(each for each in map(dialog.effects.topLevelItem, range(2)) if each and each.text(0) == "No ones")
    row.setCheckState(0, Qt.CheckState.Unchecked)
    told: list[str] = []
    panels.context.notices.noticed.connect(lambda notice: told.append(notice.text))
    with qtbot.waitSignal(panel.desk.changed):
        dialog.confirm.click()
    assert panels.context.documents.snapshot.text == TEXT.format(said='"my dear"')
    assert panels.context.documents.file_state.path is None and "changed 1 step" in told[0]
    assert [(each.note, each.place) for each in notes.effects()] == [(kind.id, "Main:02")]
    with qtbot.waitSignal(panels.context.recorder.rated):
        panels.context.runs.start()
    assert (shelf.entry(entry.id).successes, shelf.runs(entry.id)[0].version) == (1, 1)
    qtbot.waitUntil(lambda: panel.playbooks.detail.record.text() == "Went well in 1 of 1 run.")


def test_an_entry_is_described_compared_promoted_and_deleted(
    qtbot: QtBot, panels: Panels, shelf: Shelf, tmp_path: Path
) -> None:
    entry = put(shelf, "Greet")
    shelf.put(Kept("Greet", TEXT.format(said='"hi"'), "markdown", Origin("Greet", cycle="c2")), entry.id)
    panels.context.settings.change(lambda settings: replace(settings, project_folder=str(tmp_path)))
    panel = panels.open()
    detail = panel.playbooks.detail
    qtbot.waitUntil(lambda: shows(panel, "Greet"))
    panel.playbooks.acts.edit.trigger()
    dialog = panel.playbooks.acts.dialog
    assert isinstance(dialog, EntryDialog)
    for field, words in ((dialog.title, "Say hello"), (dialog.owner, "bob"), (dialog.tags, "kind, warm")):
        field.setText(words)
    dialog.confirm.click()
    qtbot.waitUntil(lambda: detail.title.text() == "Say hello")
    assert detail.about.text() == "markdown · bob · #kind · #warm"
    with qtbot.waitSignal(panels.context.versions.comparison_requested) as compared:
        detail.compare.click()
    wanted = compared.args[0]
    assert '"hello"' in wanted.old.read().text and '"hi"' in wanted.new.text
    detail.version.setCurrentIndex(detail.version.findData(1))
    detail.version.activated.emit(1)
    qtbot.waitUntil(lambda: '"hello"' in detail.preview.text.toPlainText())
    panel.playbooks.acts.promote.trigger()
    qtbot.waitUntil(lambda: panels.context.documents.file_state.path == tmp_path / "say-hello.md")
    panel.playbooks.acts.delete.trigger()
    box = panel.playbooks.acts.dialog
    assert isinstance(box, QMessageBox) and "cannot be undone" in box.text()
    next(each for each in box.buttons() if each.text() == "Delete").click()
    qtbot.waitUntil(panel.playbooks.empty.isVisible)


def test_what_is_exported_is_shown_whole_before_and_holds_no_secret(
    qtbot: QtBot, panels: Panels, shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_API_KEY", "hunter2-hunter2")
    put(shelf, "Greet with hunter2-hunter2", '"hunter2-hunter2"', tags=("kind",))
    page = panels.open().playbooks
    qtbot.waitUntil(page.detail.isVisible)
    page.acts.export.trigger()
    qtbot.waitUntil(lambda: isinstance(page.acts.dialog, ShelfExportDialog))
    export = page.acts.dialog
    assert isinstance(export, ShelfExportDialog) and "in the place of" in export.contents.text()
    assert "hunter2" not in export.text.toPlainText()
    export.file.name.setText(str(tmp_path / "greet.json"))
    export.confirm.click()
    assert drawable((tmp_path / "greet.json").read_text("utf-8")) == export.text.toPlainText()
    other = Shelf(tmp_path / "other.sqlite", "bob")
    taken = other.put(read_bundle((tmp_path / "greet.json").read_bytes(), "greet.json")[0])
    assert taken.tags == ("kind",)
    other.close()


def test_nothing_is_taken_in_before_it_was_checked_and_shown(
    qtbot: QtBot, panels: Panels, own_places: Places, tmp_path: Path
) -> None:
    kept = Kept("Greet", TEXT.format(said='"hello"'), "markdown", Origin("Greet", "form · rules"))
    entry = Entry("", "Greet", "Greet", "", "markdown", "", (), 1, "")
    data = bundle_of(entry, kept)
    told = json.loads(data)
    broken = {**told, "text": told["text"] + '- $y = shell("ls")\n'}
    page = panels.open().playbooks
    page.take_in.click()
    dialog, file = page.dialog, tmp_path / "greet.json"
    assert dialog is not None and not dialog.confirm.isEnabled()
    file.write_text(json.dumps(broken), "utf-8")
    dialog.file.name.setText(str(file))
    qtbot.waitUntil(lambda: "was changed after" in dialog.said.text())
    file.write_text(json.dumps({**broken, "digest": digest_of(broken)}), "utf-8")
    dialog.file.name.clear()
    dialog.file.name.setText(str(file))
    qtbot.waitUntil(dialog.findings.isVisible)
    assert "1 error" in dialog.summary.text() and not dialog.confirm.isEnabled()
    file.write_bytes(data)
    dialog.file.name.clear()
    dialog.file.name.setText(str(file))
    qtbot.waitUntil(dialog.confirm.isEnabled)
    assert told["digest"][:16] in dialog.summary.text() and "imported (form" in dialog.preview.facts.words
    assert not own_places.shelf_file.exists()
    dialog.confirm.click()
    qtbot.waitUntil(lambda: page.detail.isVisible() and page.detail.title.text() == "Greet")


def test_what_is_to_stand_in_the_place_of_a_secret_is_asked_for(qtbot: QtBot, panels: Panels, shelf: Shelf) -> None:
    put(shelf, "Greet", '"‹secret 0123456789ab›"')
    page = panels.open().playbooks
    qtbot.waitUntil(page.detail.isVisible)
    page.detail.reuse.click()
    qtbot.waitUntil(lambda: isinstance(page.acts.dialog, ReuseDialog))
    reuse = page.acts.dialog
    assert isinstance(reuse, ReuseDialog) and not reuse.effects.isVisible()
    next(iter(reuse.fields.values())).setText("dear")
    reuse.confirm.click()
    assert panels.context.documents.snapshot.text == TEXT.format(said='"dear"')


def test_notes_are_written_changed_switched_off_and_deleted_with_what_they_have_done(
    qtbot: QtBot, panels: Panels, shelf: Shelf
) -> None:
    panel = panels.open()
    panel.setCurrentWidget(panel.notes)
    view, notes = panel.notes, Notes(shelf)
    qtbot.waitUntil(lambda: "No notes yet" in view.about.text())
    assert not view.add.isEnabled()
    qtbot.keyClicks(view.new, "Amounts are in euros")
    qtbot.keyClick(view.new, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.list.topLevelItemCount() == 1)
    item = view.list.topLevelItem(0)
    assert item is not None and "changes no finished text" in view.about.text()
    item.setText(0, "Amounts are in francs")
    qtbot.waitUntil(lambda: notes.all()[0].text == "Amounts are in francs")
    qtbot.waitUntil(lambda: view.chosen is not None and view.chosen.text == "Amounts are in francs")
    item = view.list.topLevelItem(0)
    assert item is not None
    item.setCheckState(0, Qt.CheckState.Unchecked)
    qtbot.waitUntil(lambda: not notes.woven() and view.chosen is not None and not view.chosen.is_on)
    view.delete.click()
    assert view.confirmation is not None and "Amounts are in francs" in view.confirmation.text()
    next(each for each in view.confirmation.buttons() if each.text() == "Delete").click()
    qtbot.waitUntil(lambda: view.list.topLevelItemCount() == 0)
    view.use.click()
    assert not panels.context.settings.current.uses_notes


def test_nothing_of_the_person_is_used_where_notes_are_switched_off(qtbot: QtBot, panels: Panels, shelf: Shelf) -> None:
    put(shelf, "Greet", "politely")
    Notes(shelf).add(Note("", "Be kind", old="Tell user politely", new='Tell user "my dear"'))
    panels.context.settings.change(lambda settings: replace(settings, uses_notes=False))
    panel = panels.open()
    qtbot.waitUntil(lambda: shows(panel, "Greet"))
    with qtbot.waitSignal(panels.context.documents.document_opened):
        panel.playbooks.detail.reuse.click()
    assert panels.context.documents.snapshot.text == TEXT.format(said="politely")


def test_a_run_is_counted_for_the_shelf_once_and_not_at_all_for_other_texts(
    qtbot: QtBot, context: WindowContext, shelf: Shelf
) -> None:
    entry = put(shelf, "Greet")
    rated: list[Entry] = []
    context.recorder.rated.connect(rated.append)
    for text in (TEXT.format(said='"other"'), TEXT.format(said='"hello"')):
        context.documents.open_text(text)
        with qtbot.waitSignal(context.runs.run_finished):
            context.runs.start()
    qtbot.waitUntil(lambda: bool(rated))
    assert [(each.id, each.successes) for each in rated] == [(entry.id, 1)]
    assert context.runs.run is not None and shelf.runs(entry.id)[0].run == context.runs.run.id
