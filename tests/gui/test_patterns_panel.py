"""The pattern library in the window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from workbench.disk.places import Places
from workbench.editing.commands import InsertLines, Place
from workbench.gui.canvas.gestures.drops import command_for
from workbench.gui.control.context import WindowContext, window_context
from workbench.gui.control.step_mime import words_in
from workbench.gui.patterns.patterns_model import FIRST_ROWS, Column
from workbench.gui.patterns.patterns_panel import TABLE_PX, PatternsPanel
from workbench.gui.patterns.promotion_dialog import PromotionDialog
from workbench.library.entries import Evidence, Outcome, PromotionState
from workbench.library.listing import Sort
from workbench.library.observations import checked_observation, write_observation
from workbench.library.skills.importing import read_skill
from workbench.library.store import PatternStore
from workbench.library.store_file import backup_path


class Panels:
    """Makes panels, and keeps them until the end: what nobody holds may be collected while it is painted."""

    def __init__(self, own_places: Places) -> None:
        self.owner = QWidget()
        self.context = window_context(own_places, self.owner)

    def open(self, width_px: int = 320) -> PatternsPanel:
        """A panel that is shown."""
        panel = PatternsPanel(self.context, self.owner)
        self.owner.resize(width_px, 800)
        panel.resize(width_px, 800)
        self.owner.show()
        panel.show()
        return panel


@pytest.fixture
def panels(qtbot: QtBot, own_places: Places) -> Iterator[Panels]:
    made = Panels(own_places)
    yield made
    made.owner.close()
    # at once: what is left to the collector may be taken away on the thread of a run
    made.owner.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def store(own_places: Places) -> PatternStore:
    return PatternStore(own_places.patterns_file)


def titles(panel: PatternsPanel) -> list[str]:
    model = panel.model
    return [str(model.index(row, Column.NAME).data()) for row in range(model.rowCount())]


def proven(store: PatternStore, description: str = "Free the disk", times: int = 3) -> str:
    for _time in range(times):
        entry = store.record("shell", description, ["du", description])
    return entry.pattern_id


def test_an_empty_library_says_how_patterns_come_to_be(qtbot: QtBot, panels: Panels) -> None:
    panel = panels.open()
    assert panel.empty.isVisible()
    assert "three successes" in panel.empty.words.text()
    assert not panel.store.path.exists()


CALLING = (
    "# Desk\n\n```python\n@playbook\ndef two() -> int:\n    return 2\n```\n\n"
    "## Main\n\n### Steps\n\n- $n = two()\n- Return $n\n"
)


def test_a_run_is_learned_from_where_no_pane_of_patterns_was_ever_made(
    qtbot: QtBot, context: WindowContext, store: PatternStore
) -> None:
    context.documents.open_text(CALLING)
    context.runs.trust_needed.connect(context.runs.trust)
    with qtbot.waitSignal(context.recorder.recorded):
        context.runs.start()
    (entry,) = store.patterns()
    assert (entry.tool_sequence, entry.success_count) == (("two",), 1)


def test_typing_finds_patterns_at_once(qtbot: QtBot, panels: Panels, store: PatternStore) -> None:
    proven(store)
    proven(store, "Refund a customer")
    panel = panels.open()
    qtbot.keyClicks(panel.filters.search, "refu")
    assert titles(panel) == ["Refund a customer"]
    assert panel.detail.title.text() == "Refund a customer"
    qtbot.keyClicks(panel.filters.search, "zzz")
    assert titles(panel) == []
    assert panel._nothing.isVisible()


def test_filters_and_order_change_the_list(qtbot: QtBot, panels: Panels, store: PatternStore) -> None:
    proven(store, "b", times=1)
    proven(store, "a", times=4)
    store.record("web", "c", ["fetch"], evidence=Evidence(outcome=Outcome.FAILURE))
    panel = panels.open()
    assert titles(panel) == ["c", "a", "b"]
    panel.filters.choose_sort(Sort.NAME)
    assert titles(panel) == ["a", "b", "c"]
    panel.filters.rate.setCurrentIndex(1)
    panel.filters.rate.activated.emit(1)
    assert titles(panel) == ["a", "b"]
    panel.filters.clear()
    assert len(titles(panel)) == 3
    assert [panel.filters.type.itemText(i) for i in range(3)] == ["Any type", "shell (2)", "web (1)"]


def test_promote_is_enabled_at_three_successes_and_else_says_why(
    qtbot: QtBot, panels: Panels, store: PatternStore
) -> None:
    pattern = proven(store, times=2)
    panel = panels.open()
    assert not panel.detail.promote.isEnabled()
    assert "2 of the 3 successes" in panel.detail.reason.text()
    proven(store, times=1)
    panel.refresh()
    assert panel.detail.promote.isEnabled()
    assert panel.current is not None
    assert panel.current.pattern_id == pattern


def test_why_a_pattern_cannot_be_promoted_is_never_cut_off(qtbot: QtBot, panels: Panels, store: PatternStore) -> None:
    proven(store, times=2)
    panel = panels.open()
    panel.resize(200, 240)
    reason = panel.detail.reason
    qtbot.waitUntil(lambda: reason.height() >= reason.heightForWidth(reason.width()))


def test_what_another_process_records_appears(qtbot: QtBot, panels: Panels, store: PatternStore) -> None:
    panel = panels.open()
    proven(store)
    qtbot.waitUntil(lambda: titles(panel) == ["Free the disk"])


def test_the_chosen_pattern_stays_chosen_when_others_arrive(qtbot: QtBot, panels: Panels, store: PatternStore) -> None:
    proven(store, "first")
    panel = panels.open()
    proven(store, "second")
    panel.refresh()
    assert titles(panel) == ["second", "first"]
    assert panel.detail.title.text() == "first"


def test_the_detail_shows_every_order_and_run(qtbot: QtBot, panels: Panels, store: PatternStore) -> None:
    store.record("shell", "x", ["a", "b"], evidence=Evidence("r1"))
    store.record("shell", "x", ["b", "a"], evidence=Evidence("r2", outcome=Outcome.FAILURE, reason="disk full"))
    panel = panels.open()
    detail = panel.detail
    assert detail.variant.count() == 2
    assert detail.runs.topLevelItemCount() == 2
    assert detail.runs.topLevelItem(0).toolTip(0) == "disk full"
    with qtbot.waitSignal(detail.run_requested) as wish:
        detail.runs.itemActivated.emit(detail.runs.topLevelItem(1), 0)
    assert wish.args == ["r1"]


def dialog_of(panel: PatternsPanel, qtbot: QtBot) -> PromotionDialog:
    qtbot.mouseClick(panel.detail.promote, Qt.MouseButton.LeftButton)
    dialog = panel.actions_of_pattern.dialog
    assert dialog is not None
    return dialog


def test_a_pattern_is_promoted_after_a_preview(
    qtbot: QtBot, panels: Panels, store: PatternStore, tmp_path: Path
) -> None:
    pattern = proven(store)
    panel = panels.open()
    dialog = dialog_of(panel, qtbot)
    dialog.folder.setText(str(tmp_path / "skills"))
    dialog.redraft()
    assert dialog.preview.toPlainText().startswith("---\nname: shell-free-the-disk-")
    assert not (tmp_path / "skills").exists()
    qtbot.mouseClick(dialog.confirm, Qt.MouseButton.LeftButton)
    (folder,) = (tmp_path / "skills").iterdir()
    assert read_skill(folder).problems == ()
    assert store.entry(pattern).promoted
    assert not panel.detail.promote.isEnabled()
    assert "already been promoted" in panel.detail.reason.text()


def test_a_promotion_that_cannot_be_written_stays_open_and_says_why(
    qtbot: QtBot, panels: Panels, store: PatternStore, tmp_path: Path
) -> None:
    pattern = proven(store)
    dialog = dialog_of(panels.open(), qtbot)
    (tmp_path / "file").write_text("")
    dialog.folder.setText(str(tmp_path / "file"))
    dialog.redraft()
    qtbot.mouseClick(dialog.confirm, Qt.MouseButton.LeftButton)
    assert dialog.isVisible()
    assert "can still be promoted" in dialog.remark.text()
    assert not store.entry(pattern).promoted


def test_the_menu_decides_renames_and_deletes(qtbot: QtBot, panels: Panels, store: PatternStore) -> None:
    pattern = proven(store)
    panel = panels.open()
    actions = panel.actions_of_pattern
    actions.rename_to("Mine")
    assert panel.detail.title.text() == "Mine"
    actions.reject.trigger()
    assert store.entry(pattern).state is PromotionState.REJECTED
    actions.undo.trigger()
    assert store.entry(pattern).state is PromotionState.NONE
    actions.delete.trigger()
    assert actions.confirmation is not None
    actions.confirmation.accepted.emit()
    actions.confirmation.close()
    assert store.count() == 0
    assert panel.empty.isVisible()


def test_the_steps_of_a_pattern_are_inserted_with_one_undo(
    qtbot: QtBot, panels: Panels, store: PatternStore, tmp_path: Path
) -> None:
    book = tmp_path / "book.md"
    book.write_text("# Book\n\n## Main\n\n### Steps\n\n- Tell user hello\n")
    panels.context.documents.open(book)
    proven(store)
    panel = panels.open()
    panel.actions_of_pattern.insert.trigger()
    lines = panels.context.documents.snapshot.text.splitlines()
    assert lines[-3:] == ["- Tell user hello", "- Use the tool `du`", "- Use the tool `Free the disk`"]
    panels.context.documents.undo()
    assert panels.context.documents.snapshot.text == book.read_text()


def test_patterns_are_exported_and_taken_in_again(
    qtbot: QtBot, panels: Panels, store: PatternStore, tmp_path: Path
) -> None:
    pattern = proven(store)
    panel = panels.open()
    panel.exchange.export_to(tmp_path / "playbook.json")
    panel.actions_of_pattern.delete.trigger()
    assert panel.actions_of_pattern.confirmation is not None
    panel.actions_of_pattern.confirmation.accepted.emit()
    panel.actions_of_pattern.confirmation.close()
    panel.exchange.import_from(tmp_path / "playbook.json")
    assert store.entry(pattern).success_count == 3
    assert titles(panel) == ["Free the disk"]


def test_a_damaged_store_is_told_in_the_panel_and_left_alone(qtbot: QtBot, panels: Panels, store: PatternStore) -> None:
    proven(store)
    panel = panels.open()
    store.close()
    panel.store.close()
    store.path.write_bytes(store.path.read_bytes()[:5000])
    panel.refresh()
    assert panel.empty.isVisible()
    assert "damaged" in panel.empty.words.text()
    assert store.path.stat().st_size == 5000


def test_a_damaged_store_at_the_start_does_not_keep_the_window_from_opening(
    qtbot: QtBot, panels: Panels, own_places: Places
) -> None:
    own_places.data_dir.mkdir(parents=True)
    own_places.patterns_file.write_bytes(b"")
    panel = panels.open()
    assert "damaged" in panel.empty.words.text()


def test_a_wide_panel_is_a_table_beside_the_detail(qtbot: QtBot, panels: Panels, store: PatternStore) -> None:
    proven(store)
    panel = panels.open(TABLE_PX + 100)
    assert panel.list.is_table
    with qtbot.waitSignal(panel.list.sort_requested):
        panel.list.horizontalHeader().sectionClicked.emit(Column.NAME)
    assert panel.filters.query.sort is Sort.NAME
    panel.resize(300, 800)
    assert not panel.list.is_table
    assert panel.list.currentIndex().row() == 0


def test_a_pattern_dropped_on_the_canvas_becomes_its_steps(panels: Panels, store: PatternStore) -> None:
    proven(store)
    panel = panels.open()
    index = panel.model.index(0, Column.NAME)
    assert panel.model.flags(index) & Qt.ItemFlag.ItemIsDragEnabled
    words = words_in(panel.model.mimeData([index]))
    assert words == "- Use the tool `du`\n- Use the tool `Free the disk`\n"
    assert command_for(words, Place("Main")) == InsertLines(Place("Main"), words)


def test_a_project_sets_after_how_many_successes_patterns_may_be_promoted(panels: Panels, store: PatternStore) -> None:
    proven(store)
    panel = panels.open()
    assert panel.detail.promote.isEnabled()
    panel.actions_of_pattern.threshold.set_threshold(5)
    assert not panel.detail.promote.isEnabled()
    assert "3 of the 5 successes" in panel.detail.reason.text()


def look_for_backup(panel: PatternsPanel) -> None:
    panel.backup.look()
    assert panel.backup.thread_of_copy is not None
    panel.backup.thread_of_copy.join()


def test_the_library_is_copied_once_a_day(panels: Panels, store: PatternStore) -> None:
    pattern = proven(store)
    panel = panels.open()
    look_for_backup(panel)
    copy = backup_path(store.path)
    assert PatternStore(copy).entry(pattern).success_count == 3
    before = copy.stat().st_mtime_ns
    look_for_backup(panel)
    assert copy.stat().st_mtime_ns == before


def test_a_store_that_is_damaged_while_it_is_looked_at_is_told(panels: Panels, store: PatternStore) -> None:
    for number in range(300):
        proven(store, f"pattern {number}", times=1)
    panel = panels.open()
    store.close()
    panel.store.close()
    data = bytearray(store.path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    store.path.write_bytes(data)
    panel.list.choose_row(290)
    assert panel.model.entry_at(290) is None
    panel._on_time_to_look()
    assert "damaged" in panel.empty.words.text()


def test_patterns_ordered_by_type_are_grouped(panels: Panels, store: PatternStore) -> None:
    for task_type, name in (("web", "c"), ("shell", "b"), ("web", "a")):
        store.record(task_type, name, [name])
    panel = panels.open()
    panel.filters.choose_sort(Sort.TASK_TYPE)
    assert dict(panel.model.groups) == {0: "shell · 1", 1: "web · 2"}
    heights = [panel.list.rowHeight(row) for row in range(3)]
    assert heights[0] == heights[1] > heights[2]
    panel.filters.choose_sort(Sort.NAME)
    assert len({panel.list.rowHeight(row) for row in range(3)}) == 1


@pytest.mark.parametrize("folder", ["~nobody-of-this-name/x", "x" * 5000, "a\0b", ""])
def test_no_folder_that_is_typed_breaks_the_dialog(
    qtbot: QtBot, panels: Panels, store: PatternStore, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pattern = proven(store)
    dialog = dialog_of(panels.open(), qtbot)
    dialog.folder.setText(folder)
    dialog.redraft()
    if dialog.confirm.isEnabled() and len(folder) > 1000:
        dialog.confirm.click()
        assert "can still be promoted" in dialog.remark.text()
    assert not store.entry(pattern).promoted


def test_the_rest_of_a_long_list_is_fetched_when_it_is_needed(panels: Panels, store: PatternStore) -> None:
    with store.database.writing() as connection:
        for number in range(FIRST_ROWS + 200):
            seen = checked_observation("shell", f"pattern {number}", (f"t{number}",), "", Evidence())
            write_observation(connection, seen)
    panel = panels.open()
    assert panel.model.rowCount() == FIRST_ROWS
    panel.list.scrollToBottom()
    assert panel.model.rowCount() == FIRST_ROWS + 200
    last = FIRST_ROWS + 199
    panel.list.choose_row(last)
    assert panel.detail.title.text() == "pattern 0"
    store.record("shell", "newest", ["x"])
    panel.refresh()
    assert panel.detail.title.text() == "pattern 0"
    assert panel.list.currentIndex().row() == last + 1
    assert len(set(titles(panel))) == FIRST_ROWS + 201


def test_patterns_of_one_type_can_be_merged(panels: Panels, store: PatternStore) -> None:
    other, kept = proven(store, "other"), proven(store, "kept")
    store.record("web", "elsewhere", ["fetch"])
    panel = panels.open()
    panel.list.choose_row(1)
    entry, action = panel.current, panel.actions_of_pattern.merge
    assert entry is not None
    assert list(action.others(entry).values()) == [other]
    action.merge(entry, other)
    assert store.entry(kept).success_count == 6
    assert panel.detail.variant.count() == 2
    assert sorted(titles(panel)) == ["elsewhere", "kept"]
