"""Long documents: what a gesture does not need at once comes when the changes rest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from workbench.editing.commands import DeleteSteps, MoveSteps, Place
from workbench.editing.document import Document
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause, Notice
from workbench.gui.control.tabs.open_tabs import LONG_BYTES
from workbench.gui.inspector.inspector_panel import InspectorPanel
from workbench.gui.outline.outline_panel import OutlinePanel
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.source.highlighter import SourceHighlighter

_TEXT = "# Desk\n\n## Main\n### Steps\n" + "".join(f"- step {number}\n" for number in range(1_200))


def test_the_outline_of_a_long_document_follows_when_its_changes_rest(
    open_window: Callable[[], MainWindow], qtbot: QtBot
) -> None:
    window = open_window()
    window.context.documents.open_text(_TEXT)
    steps = window.context.documents.snapshot.program.playbooks[0].steps
    outline = window.panes.panel("outline")
    assert isinstance(outline, OutlinePanel)
    window.context.documents.execute(MoveSteps((steps[1].id,), Place("Main", None, steps[1_000].id)))
    qtbot.waitUntil(lambda: outline.model.index_of(steps[1].id).row() == 1_000)
    assert outline.model.index_of(steps[2].id).row() == 1


def test_the_source_shows_a_step_that_went_far(open_window: Callable[[], MainWindow]) -> None:
    window = open_window()
    window.context.documents.open_text(_TEXT)
    steps = window.context.documents.snapshot.program.playbooks[0].steps
    window.context.documents.execute(MoveSteps((steps[1].id,), Place("Main", None, steps[1_000].id)))
    assert window.centre.source.editor.toPlainText() == window.context.documents.snapshot.text
    window.context.documents.undo()
    assert window.centre.source.editor.toPlainText() == _TEXT


def test_the_inspector_of_a_long_document_tells_the_new_number_when_its_changes_rest(
    open_window: Callable[[], MainWindow], qtbot: QtBot
) -> None:
    window = open_window()
    context = window.context
    context.documents.open_text("# Desk\n\n## Main\n### Steps\n" + "".join(f"- step {each}\n" for each in range(2_500)))
    steps = context.documents.snapshot.program.playbooks[0].steps
    inspector = window.panes.panel("inspector")
    assert isinstance(inspector, InspectorPanel)
    context.selection.select((steps[1].id,))
    qtbot.waitUntil(lambda: inspector.page.head.address.text() == "02")
    context.documents.execute(MoveSteps((steps[1].id,), Place("Main", None, steps[9].id)))
    qtbot.waitUntil(lambda: inspector.page.head.address.text() == "10")


def test_long_files_are_read_beside_the_window_and_shown_ready_one_after_the_other(
    open_window: Callable[[], MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = open_window()
    context, canvas = window.context, window.centre.canvas
    paths = [tmp_path / "one.md", tmp_path / "two.md"]
    for path in paths:
        path.write_text(_TEXT + "".join(f"- {path.stem} with some more words {at}\n" for at in range(2_000)))
        assert path.stat().st_size > LONG_BYTES
    gone = tmp_path / "gone.md"
    gone.write_text(_TEXT * 10)
    noticed: list[Notice] = []
    context.notices.noticed.connect(noticed.append)
    for path in (*paths, paths[1], gone):
        window.files.open_path(path)
    gone.unlink()  # none is begun before the one before it is shown
    assert context.tabs.shown is None  # nothing waits for them
    qtbot.waitUntil(lambda: len(context.tabs.tabs) == 2 and any(each.cause is Cause.OPENING for each in noticed))
    assert context.documents.document.path == paths[1]
    layout, snapshot = canvas.state.layout, context.documents.snapshot
    assert layout.document is snapshot
    assert layout.playbooks[0].playbook is snapshot.program.playbooks[0]
    assert context.settings.current.recent_files[:2] == (str(paths[1]), str(paths[0]))
    steps = snapshot.program.playbooks[0].steps
    context.documents.execute(MoveSteps((steps[1].id,), Place("Main", None, steps[2].id)))
    before = {id(each) for each in layout.playbooks[0].fragments}
    after = canvas.state.layout.playbooks[0].fragments
    assert sum(id(each) not in before for each in after) < 10  # what was made beside the window is used again
    context.documents.open_now_requested.emit(paths[0])
    assert context.documents.document.path == paths[0]


def test_a_mistake_in_one_long_file_does_not_keep_the_next_from_being_shown(
    context: WindowContext, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = tmp_path / "bad.md", tmp_path / "good.md"
    for path in (bad, good):
        path.write_text(_TEXT)
    opened = Document.open

    def with_mistake(path: Path, *others: object) -> Document:
        if path == bad:
            raise ZeroDivisionError
        return opened(path, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(Document, "open", with_mistake)
    shown: list[object] = []
    with qtbot.capture_exceptions() as mistakes:
        for path, is_preview in ((bad, False), (good, True), (good, False)):
            context.tabs.long.open(path, shown.append, is_preview=is_preview)
        qtbot.waitUntil(lambda: bool(shown))
    assert [kind for kind, _mistake, _trace in mistakes] == [ZeroDivisionError]
    assert [(tab.name, tab.is_preview) for tab in context.tabs.tabs] == [("good.md", False)], "a second click keeps it"


def test_the_lines_of_a_long_text_are_looked_at_in_slices_and_lead_to_the_same(
    open_window: Callable[[], MainWindow], qtbot: QtBot
) -> None:
    window = open_window()
    fence = "```python\nx = 1\n```\n"
    window.context.documents.open_text(f"{_TEXT}{fence}{_TEXT[_TEXT.index('- ') :]}  ```\n  inside\n")
    document = window.centre.source.editor.document()

    def states() -> list[int]:
        blocks = (document.findBlockByNumber(number) for number in range(document.blockCount()))
        return [block.userState() >> 1 for block in blocks]

    assert states()[0] == 0
    assert states()[-1] < 0
    # lines that come and go meanwhile are looked at, too
    steps = window.context.documents.snapshot.program.playbooks[0].steps
    window.context.documents.execute(DeleteSteps(tuple(step.id for step in steps[300:700])))
    qtbot.waitUntil(lambda: min(states()) >= 0)
    shown, document = states(), QTextDocument(document.toPlainText())
    SourceHighlighter(document).rehighlight()
    assert shown == states()


def test_the_flowchart_shows_first_where_a_step_went_far_and_the_panes_follow(
    open_window: Callable[[], MainWindow], qtbot: QtBot
) -> None:
    window = open_window()
    context, sync, canvas = window.context, window.centre.source.sync, window.centre.canvas
    context.documents.open_text("# Desk\n\n## Main\n### Steps\n" + "".join(f"{at}. step {at}\n" for at in range(1, 61)))
    steps = context.documents.snapshot.program.playbooks[0].steps

    def drop(at: int) -> None:
        """Put a step near the end; the flowchart has it there, and nothing else yet."""
        context.documents.execute(MoveSteps((steps[at].id,), Place("Main", None, steps[55].id)))
        assert canvas.state.snapshot is context.documents.snapshot
        assert canvas.view.look.selected == {steps[at].id}
        assert sync.positions.text != context.documents.snapshot.text

    def has_followed() -> bool:
        """Whether the source has the text of the document."""
        return sync.positions.text == context.documents.snapshot.text

    drop(1)
    qtbot.waitUntil(has_followed)
    qtbot.waitUntil(lambda: context.selection.selected == (steps[1].id,))
    drop(2)
    qtbot.keyClick(canvas.view, Qt.Key.Key_Shift)
    assert has_followed()
    drop(3)
    assert context.selection.selected == (steps[3].id,)
    assert has_followed()
    drop(4)
    context.documents.execute(DeleteSteps((steps[4].id,)))
    context.documents.catch_up()
    assert has_followed()
    assert not context.selection.selected
