"""Comfort: what happens is said aloud, nothing moves that need not, and large text has room in a small window."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QAccessible, QTextCursor
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Windows
from tests.gui.test_window_names import OPERATED, is_part_of_another, name_of
from workbench.disk.places import Places
from workbench.editing.commands import EditText
from workbench.gui.control.background import finish_background_work
from workbench.gui.control.context import WindowContext
from workbench.gui.control.pane_table import PANES
from workbench.gui.look.frames import BusyBar
from workbench.gui.look.label import ElidedLabel
from workbench.gui.look.theming import current_theme
from workbench.gui.search.search_panel import SearchPanel
from workbench.gui.shell.main_window import MainWindow
from workbench.i18n import use_language
from workbench.settings import Settings, save_settings
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

TEXT = "# Desk\n\n## Main\n\n### Steps\n\n- Ask user for $name\n- Tell user their order status\n- End program\n"
_DRAWN = (QTabBar, QAbstractItemView, QAbstractScrollArea)  # whose parts may lie over each other
CHILDREN = Qt.FindChildOption.FindDirectChildrenOnly
_DIALOGS = (
    *("edit.preferences", "edit.keys", "run.models", "run.judges", "run.breakpoints", "help.about", "help.report"),
    *("file.new", "file.new-goal", "file.rename", "file.export", "version.saved", "version.history", "version.name"),
    *("run.spans", "step.edit-breakpoint"),
)


@pytest.fixture
def said(window: MainWindow, tmp_path: Path) -> list[str]:
    """What is said of a window with a small playbook."""
    path = tmp_path / "desk.md"
    path.write_text(TEXT, encoding="utf-8")
    window.files.open_path(path)
    heard: list[str] = []
    window.announcer.announced.connect(heard.append)
    return heard


def first_step(context: WindowContext, index: int = 0) -> None:
    """Choose a step."""
    context.selection.select((context.documents.snapshot.program.playbooks[0].steps[index].id,))


def test_edits_findings_and_refusals_are_said(window: MainWindow, said: list[str], qtbot: QtBot) -> None:
    context = window.context
    first_step(context)
    context.actions.action("step.move-down").trigger()
    assert said[-1].startswith("Move step: ")
    assert "2 of 3, Ask user for $name" in said[-1]
    assert said[-1].endswith("below “Tell user their order status”")
    context.actions.action("edit.undo").trigger()
    assert said[-1].startswith("Undone: Move step: ")
    first_step(context, 2)
    context.actions.action("step.delete").trigger()
    assert said[-1].startswith("Delete step")
    context.documents.open_text(TEXT)
    said.clear()
    end = len(TEXT)
    context.documents.execute(EditText((TextEdit(Span(end, end), "- Go to step 99\n"),), "Insert"))
    qtbot.waitUntil(lambda: any("error" in words for words in said))
    context.documents.execute(EditText((TextEdit(Span(0, 0), " "),), "Insert"))
    qtbot.waitUntil(lambda: context.documents.snapshot.is_diagnosed)
    (new,) = (words for words in said if "error" in words)
    assert new.endswith(": There is no step 99 in this playbook.")


def test_a_run_that_stands_asks_or_ends_is_said_once(window: MainWindow, said: list[str], qtbot: QtBot) -> None:
    context = window.context
    context.actions.action("run.step").trigger()
    qtbot.waitUntil(lambda: "Main: paused, Ask 1 of 3, Ask user for $name" in said)
    context.actions.action("run.go-on").trigger()
    qtbot.waitUntil(lambda: any("asks you something" in words for words in said))
    assert [words for words in said if "asks you" in words] == ["Main: asks you something: Ask user for $name"]
    context.actions.action("run.stop").trigger()
    qtbot.waitUntil(lambda: any(words.endswith(": stopped") for words in said))


def test_what_a_search_finds_is_said_when_typing_rests(window: MainWindow, said: list[str], qtbot: QtBot) -> None:
    window.context.actions.trigger("edit.find")
    qtbot.keyClicks(window.find_bar.field, "user")
    qtbot.waitUntil(lambda: said[-1:] == ["1 of 2"])
    window.context.actions.trigger("edit.find-next")
    qtbot.waitUntil(lambda: said[-1:] == ["2 of 2"])
    assert said == ["1 of 2", "2 of 2"]
    panel = window.panes.panel("search")
    assert isinstance(panel, SearchPanel)
    window.panes.bring_forward("search")
    panel.begin("user")
    qtbot.waitUntil(lambda: said[2:] == ["2 matches in 1 file"])


def test_a_screen_reader_gets_the_words(window: MainWindow, said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[object] = []
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(QAccessible, "updateAccessibility", events.append)
    window.announcer.say("The run is over", is_urgent=True)
    assert said == ["The run is over"]
    (event,) = events
    assert event.message() == "The run is over"  # type: ignore[attr-defined]
    assert event.politeness() is QAccessible.AnnouncementPoliteness.Assertive  # type: ignore[attr-defined]


def test_nothing_moves_where_less_motion_is_wanted(window: MainWindow) -> None:
    change = window.context.settings.change
    change(lambda settings: replace(settings, motion="less"))
    assert (current_theme().moves, window.isAnimated(), QApplication.cursorFlashTime()) == (False, False, 0)
    bar = BusyBar("Exporting", window)
    assert (bar.maximum(), bar.text(), bar.isTextVisible()) == (1, "Working…", True)
    change(lambda settings: replace(settings, motion="full"))
    assert (current_theme().moves, window.isAnimated()) == (True, True)
    assert (bar.maximum(), bar.isTextVisible()) == (0, False)
    assert QApplication.cursorFlashTime() > 0


def test_a_step_in_a_script_from_right_to_left_keeps_its_marker_at_the_left(window: MainWindow, qtbot: QtBot) -> None:
    window.context.documents.open_text("# A\n\n## Main\n\n- اسأل المستخدم عن $name\n")
    qtbot.waitExposed(window)
    editor = window.centre.source.editor
    cursor = QTextCursor(editor.document().findBlockByNumber(4))
    assert editor.cursorRect(cursor).left() < editor.viewport().width() / 4


@pytest.fixture(params=["en", "de"])
def small(request: pytest.FixtureRequest, open_window: Windows, own_places: Places) -> Iterator[MainWindow]:
    """A window of 800 × 600 with text at 150 %, in either language."""
    save_settings(own_places, Settings(text_scale=1.5, theme="light", language=request.param))
    use_language(request.param)
    window = open_window()
    window.resize(800, 600)
    window.context.documents.open_text(TEXT)
    first_step(window.context)
    yield window
    use_language("en")


def test_large_text_has_room_in_a_small_window(small: MainWindow) -> None:
    cut: dict[str, list[str]] = {}
    for pane in PANES:
        small.context.actions.action(f"pane.{pane.id}").trigger()
        QApplication.sendPostedEvents()
        QApplication.processEvents()
        cut[pane.id] = list(cut_off(small))
    assert small.minimumSizeHint().width() <= 800
    assert has_whole_tabs(small)
    assert {name: found for name, found in cut.items() if found} == {}


def has_whole_tabs(window: MainWindow) -> bool:
    """Whether the tabs of all panes fit, each once, and those without words tell their name."""
    bars = [bar for bar in window.findChildren(QTabBar, options=CHILDREN) if bar.isVisible()]
    names = [bar.tabText(index) for bar in bars for index in range(bar.count())]
    fit = all(bar.tabRect(bar.count() - 1).right() <= bar.width() for bar in bars)
    told = [bar.tabToolTip(index) for bar in bars for index in range(bar.count()) if not bar.tabIcon(index).isNull()]
    return sorted(names) == sorted(str(pane.title) for pane in PANES if pane.id != "palette") and fit and all(told)


@pytest.mark.parametrize("small", ["de"], indirect=True)  # the longer words of the two
def test_large_text_has_room_in_dialogs_of_a_small_screen(small: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "desk.md"
    path.write_text(TEXT, encoding="utf-8")
    small.files.open_path(path)
    first_step(small.context)
    cut: dict[str, list[str]] = {}
    for name in _DIALOGS:
        small.context.actions.action(name).trigger()
        QApplication.processEvents()
        for dialog in (
            each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog) and each.isVisible()
        ):
            dialog.resize(dialog.size().boundedTo(QSize(768, 536)))
            finish_background_work()  # what is found out for it is shown, and then laid out
            QApplication.processEvents()
            QApplication.processEvents()
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)  # of what has come in the background
            too_large = (
                [f"{dialog.width()} × {dialog.height()}"] if dialog.width() > 800 or dialog.height() > 600 else []
            )
            cut[name] = [*too_large, *cut_off(dialog)]
            cut[name] += [f"a {type(each).__name__} without a name" for each in nameless(dialog)]
            dialog.close()
    assert len(cut) == len(_DIALOGS)
    assert {name: found for name, found in cut.items() if found} == {}


def nameless(whole: QWidget) -> Iterator[QWidget]:
    """What can be operated in *whole*, and a screen reader has no word for."""
    for each in whole.findChildren(QWidget):
        if isinstance(each, OPERATED) and each.isVisible() and not is_part_of_another(each) and not name_of(each):
            yield each


def cut_off(whole: QWidget) -> Iterator[str]:
    """What in *whole* has less room than its words need, and shows no ellipsis for that."""
    for label in whole.findChildren(QLabel):
        is_free = isinstance(label, ElidedLabel) or label.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.Ignored
        if not label.isVisible() or not label.text() or is_free:
            continue
        if label.wordWrap():
            is_cut = label.height() < label.heightForWidth(label.width()) - 1
        else:
            is_cut = label.width() < label.sizeHint().width() - 1
        if is_cut:
            yield label.text()
    for button in whole.findChildren(QAbstractButton):
        has_icon_only = isinstance(button, QToolButton) and not button.icon().isNull()
        is_shown = is_seen(button) and bool(button.text()) and not has_icon_only
        is_told = bool(button.toolTip()) and not isinstance(button, QPushButton)  # which cuts its words on both sides
        if is_shown and not is_told and button.width() < button.sizeHint().width() - 1:
            yield button.text()
    for field in whole.findChildren(QLineEdit):
        needed = QSize(field.fontMetrics().horizontalAdvance("nnnnnn"), field.fontMetrics().height())
        if field.isVisible() and needed.expandedTo(field.contentsRect().size()) != field.contentsRect().size():
            yield field.accessibleName() or field.placeholderText()
    yield from squeezed(whole)


def squeezed(whole: QWidget) -> Iterator[str]:
    """Which boxes of choices in *whole* show next to nothing of their choice, and what stands over something else."""
    for box in whole.findChildren(QComboBox):
        option = QStyleOptionComboBox()
        box.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        room_px = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, box).width()
        shown = min(map(box.fontMetrics().horizontalAdvance, (box.currentText(), "nnnn")))
        if is_seen(box) and room_px < shown:
            yield f"{box.accessibleName()}: {box.currentText()}"
    operated = [each for each in whole.findChildren(QWidget) if isinstance(each, OPERATED) and is_seen(each)]
    for first, second in itertools.combinations(operated, 2):
        is_beside = first.parentWidget() is second.parentWidget() and not isinstance(first.parentWidget(), _DRAWN)
        if is_beside and first.geometry().intersects(second.geometry()):
            yield f"{name_of(first)} over {name_of(second)}"


def is_seen(widget: QWidget) -> bool:
    """Whether any of *widget* is on the screen: Qt keeps the panes of other tabs visible, but far away."""
    return widget.isVisible() and not widget.visibleRegion().isEmpty()
