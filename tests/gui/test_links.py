"""Links are followed from the flowchart and the source, and back; nothing is opened by itself."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAccessible, QDesktopServices
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from workbench.gui.canvas.canvas_panel import CanvasPanel
from workbench.gui.canvas.gestures.hover import tooltip_at
from workbench.gui.shell.main_window import MainWindow
from workbench.model.layout.shapes import Rect, Shape
from workbench.syntax.text import Span

TEXT = (
    "# Restart\n\n## Steps\n1. Drain it, see [drain](how/drain.md#now)\n2. Wait\n"
    "3. Read [gone](gone.md) and <https://pages.example/a?b=1>\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with two files."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "how").mkdir()
    (tmp_path / "restart.md").write_text(TEXT)
    (tmp_path / "how/drain.md").write_text("# Drain the shop\n\n1. Close\n\n## Now\n\n1. Lock\n")
    return tmp_path


@pytest.fixture
def canvas(window: MainWindow, project: Path) -> CanvasPanel:
    """The flowchart of the first file."""
    window.resize(1400, 900)
    window.context.documents.open(project / "restart.md")
    return window.centre.canvas


def box_of(canvas: CanvasPanel, name: str) -> Rect:
    """Where the box of the file *name* stands."""
    boxes = [box for each in canvas.state.layout.playbooks for box in each.boxes if box.shape is Shape.FILE]
    return next(box.rect for box in boxes if box.text == name)


def click(canvas: CanvasPanel, rect: Rect) -> None:
    """Click into the middle of *rect* of the canvas."""
    at = canvas.view.mapFromScene(QPointF(rect.x + rect.width / 2, rect.y + rect.height / 2))
    QTest.mouseClick(canvas.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


def select(window: MainWindow, words: str) -> None:
    """Select the step that begins with *words*."""
    snapshot = window.context.documents.snapshot
    steps = [step for root in snapshot.roots if root for step in root.walk()]
    window.context.selection.select((next(step.id for step in steps if step.text.startswith(words)),))


def test_a_click_on_the_box_of_a_file_opens_it(window: MainWindow, canvas: CanvasPanel, project: Path) -> None:
    click(canvas, box_of(canvas, "how/drain.md"))
    assert window.context.documents.file_state.path == project / "how/drain.md"


def test_a_box_says_what_the_project_knows_of_the_file(
    window: MainWindow, canvas: CanvasPanel, project: Path, qtbot: QtBot
) -> None:
    window.context.settings.change(partial(replace, project_folder=str(project)))
    qtbot.waitUntil(lambda: window.context.project.index.is_whole and bool(window.context.project.index.folders))
    shown = {box.content.text: box.content for box in canvas.view.shown.boxes.values()}
    assert "Drain the shop\u2028drain.md" in shown
    assert [badge.icon for badge in shown["gone.md"].badges] == ["warning"]
    rect = box_of(canvas, "gone.md")
    assert tooltip_at(canvas.state, rect.x + 5, rect.y + 5) == "gone.md is not there"


def test_one_can_go_back_to_where_one_was(window: MainWindow, canvas: CanvasPanel, project: Path) -> None:
    documents, selection = window.context.documents, window.context.selection
    select(window, "Drain")
    window.context.actions.action("step.open-link").trigger()
    assert documents.file_state.path == project / "how/drain.md"
    window.context.actions.action("go.back").trigger()
    assert documents.file_state.path == project / "restart.md"
    assert [documents.snapshot.step(step).text.split()[0] for step in selection.selected] == ["Drain"]


def test_an_anchor_is_shown(window: MainWindow, canvas: CanvasPanel) -> None:
    places: list[Span] = []
    window.context.selection.place_requested.connect(places.append)
    select(window, "Drain")
    window.context.links.open_selected()
    assert [place.of(window.context.documents.snapshot.text) for place in places] == ["## Now"]


def test_a_click_with_ctrl_in_the_source_follows_the_link(
    window: MainWindow, canvas: CanvasPanel, project: Path
) -> None:
    source = window.centre.source
    source.show()
    position = source.sync.positions.position(TEXT.index("how/drain"))
    source.editor.link_requested.emit(position)
    assert window.context.documents.file_state.path == project / "how/drain.md"


def test_a_file_that_is_not_there_is_told(window: MainWindow, canvas: CanvasPanel, project: Path) -> None:
    click(canvas, box_of(canvas, "gone.md"))
    assert "There is no file “gone.md”" in window.banners.banners[0].notice.text
    assert window.context.documents.file_state.path == project / "restart.md"


def test_a_link_that_is_only_told_by_its_target_may_name_a_page(
    window: MainWindow, canvas: CanvasPanel, project: Path, qtbot: QtBot
) -> None:
    window.context.settings.change(partial(replace, project_folder=str(project)))
    window.context.project.begin()
    qtbot.waitUntil(lambda: len(window.context.project.index.entries) == 2)
    window.context.links.open_target("Drain#now")
    assert window.context.documents.file_state.path == project / "how/drain.md"


def test_a_page_is_only_opened_from_the_menu_with_its_address(
    window: MainWindow, canvas: CanvasPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: bool(opened.append(url.toString())) or True)
    select(window, "Read")
    window.context.links.open_selected()
    menu = canvas.tools.menu.menu()
    offered = {action.text(): action for action in menu.actions()}
    links = [words for words in offered if ".md" in words or "://" in words]
    assert links == ["Open gone (gone.md)", "Open https://pages.example/a?b=1"]
    assert opened == []
    offered["Open https://pages.example/a?b=1"].trigger()
    assert opened == ["https://pages.example/a?b=1"]


@pytest.mark.parametrize("address", ["file:///etc/passwd", "javascript:alert(1)", "vscode://open", "data:text/html,x"])
def test_nothing_but_pages_and_mail_is_handed_to_the_system(
    address: str, window: MainWindow, canvas: CanvasPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", None)
    window.context.documents.open_text(f"# A\n- <{address}>\n")
    link = window.context.links.link_at(8)
    assert link is not None
    window.context.links.open(link)


def test_a_link_does_not_lead_out_of_the_project(window: MainWindow, canvas: CanvasPanel, project: Path) -> None:
    (project.parent / "secret.md").write_text("# Secret\n")
    window.context.links.open_path("../secret.md")
    assert window.context.documents.file_state.path == project / "restart.md"


def test_a_file_that_comes_later_is_no_longer_missed(
    window: MainWindow, canvas: CanvasPanel, project: Path, qtbot: QtBot
) -> None:
    window.context.settings.change(partial(replace, project_folder=str(project)))
    qtbot.waitUntil(lambda: window.context.project.index.is_whole and bool(window.context.project.index.folders))
    found: list[str] = []

    def are(*codes: str) -> bool:
        found[:] = [finding.code for finding in window.context.documents.snapshot.diagnostics]
        return found == list(codes)

    qtbot.waitUntil(lambda: window.context.documents.snapshot.is_looked_beside and are("missing-file"))
    (project / "gone.md").write_text("# Here\n")
    qtbot.waitUntil(are)
    (project / "how/drain.md").write_text("# Drain\n")
    window.context.project.look()  # as when the window comes to the front
    qtbot.waitUntil(lambda: are("missing-anchor"))


def test_a_screen_reader_hears_which_files_a_step_links_to(canvas: CanvasPanel) -> None:
    first = QAccessible.queryAccessibleInterface(canvas.view).child(0)
    assert first.text(QAccessible.Text.Name).endswith("links to how/drain.md")


def test_keys_follow_a_link_and_lead_back(window: MainWindow, canvas: CanvasPanel, project: Path, qtbot: QtBot) -> None:
    with qtbot.waitActive(window):
        window.activateWindow()
    select(window, "Drain")
    canvas.view.setFocus()
    qtbot.keyClick(canvas.view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert window.context.documents.file_state.path == project / "how/drain.md"
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    qtbot.keyClick(canvas.view, Qt.Key.Key_Left, modifiers)
    assert window.context.documents.file_state.path == project / "restart.md"
