"""Text that runs from right to left: names and code in it stay whole, what is cut off is its end, fields follow it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QTextCursor, QTextLayout
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QPlainTextEdit, QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from workbench.gui.canvas.painting.text_layout import TextFrame, WordInk, fitted, set_apart
from workbench.gui.look.inline_look import laid_out, markup_of
from workbench.gui.look.label import ElidedLabel
from workbench.gui.look.theming import LIGHT
from workbench.gui.look.written_words import WordsDelegate, follow_words
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.words.directions import Marked, closed, islands, ordered
from workbench.syntax.inline import Stretch

MARKS = "\u2066\u2067\u2068\u2069"
HEBREW = "בדוק את $orderId במערכת"


def plain(text: str) -> str:
    """*text* without marks."""
    return "".join([each for each in text if each not in MARKS])


def seen(text: str) -> str:
    """The characters of *text* from left to right as Qt draws them."""
    laid = QTextLayout(text, QFont())
    laid.beginLayout()
    line = laid.createLine()
    line.setLineWidth(100_000)
    laid.endLayout()
    lefts = {at: line.glyphRuns(at, 1)[0].positions()[0].x() for at, each in enumerate(text) if each not in MARKS}
    return "".join([text[at] for at in sorted(lefts, key=lambda at: lefts[at])])


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    ("text", "whole"),
    [
        (HEBREW, "$orderId"),
        ("$orderId בדוק את", "$orderId"),
        ("שלח (ל-foo/bar.md).", "foo/bar.md"),
        ("החזר $order['status'].", "$order['status']"),
        ('הרץ `x + "שלום"` עכשיו', '`x + "'),
        ("קרא ל @check_order(a), ואז", "@check_order(a)"),
        ("اسأل المستخدم عن $name", "$name"),
        ("שלום C++!", "C++"),
    ],
)
def test_names_code_and_paths_stay_whole(text: str, whole: str) -> None:
    assert whole in seen(ordered(text))


@pytest.mark.usefixtures("qapp")
def test_without_marks_a_name_would_come_apart() -> None:
    assert "$orderId" not in seen(HEBREW)


@pytest.mark.parametrize("text", ["Ask user for $name", "Ask שלום for $name", "Prüfe $näme", "日本語 $name", ""])
def test_what_runs_from_left_to_right_is_left_alone(text: str) -> None:
    assert ordered(text) == text


@pytest.mark.usefixtures("qapp")
def test_a_sentence_runs_from_right_to_left_in_a_window_that_does_not() -> None:
    assert seen(f"1. {ordered('$orderId בדוק (שלום).')}") == "1. .)םולש( קודב $orderId"


@given(st.text("אבג $`x.[]'(-é…\U0001f600", max_size=30), st.data())
def test_pieces_and_places_are_those_of_the_whole(text: str, data: st.DataObject) -> None:
    marked = Marked(text, islands(text))
    first, last = sorted(data.draw(st.integers(0, len(text))) for _each in range(2))
    whole = marked.piece(0, len(text))
    assert marked.piece(0, first) + marked.piece(first, last) + marked.piece(last, len(text)) == whole
    assert all(whole[marked.place(at)] == each for at, each in enumerate(text))
    assert plain(whole) == text
    assert closed(f"{whole}…") == f"{whole}…"


@pytest.fixture
def place(qtbot: QtBot) -> QWidget:
    """Where labels stand."""
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


@pytest.mark.parametrize("width", [90, 150, 220])
def test_the_end_is_cut_off_in_a_block_and_a_label(width: int, place: QWidget) -> None:
    words = Stretch("בדוק את ", bold=True), Stretch("orders[0]", code=True), Stretch(f" ואז {HEBREW} {HEBREW}")
    text = "".join([each.text for each in words])
    ink = WordInk(LIGHT.body_font(), LIGHT, LIGHT.text, words=words)
    marked, ink = set_apart(text, ink)
    shown = fitted(marked, TextFrame(0, 0, width, width, 20), ink)
    label = ElidedLabel(text, place)
    label.resize(width, 20)
    for each in (shown, label.shown):
        assert seen(each).startswith("…")
        assert text.startswith(plain(each).removesuffix("…"))
        assert each.count(MARKS[3]) == sum(map(each.count, MARKS[:3]))


@pytest.mark.usefixtures("qapp")
def test_looks_stay_with_their_words() -> None:
    words = Stretch("קרא ל "), Stretch("fetch(x)", code=True), Stretch(" ואז "), Stretch("$orderId", bold=True)
    text = "".join([each.text for each in words])
    part = (text.index("$"), len(text))
    ink = WordInk(LIGHT.body_font(), LIGHT, LIGHT.text, judged=part, words=words, differing=(part,))
    marked, ink = set_apart(text, ink)
    assert [plain(each.text) for each in ink.words] == [each.text for each in words]
    assert "".join([each.text for each in ink.words]) == marked
    assert ink.judged is not None
    for start, end in (ink.judged, *ink.differing):
        assert marked[start:end] == "$orderId"
    laid = laid_out(words, LIGHT, LIGHT.body_font(), 500)
    assert laid.text() != text
    assert "\u2066fetch(x)\u2069" in markup_of(words, LIGHT)
    assert plain(laid.text()) == text


def write(field: QWidget | None, words: str) -> bool:
    """Write *words* into *field*; whether they begin at its right, where the caret is then."""
    assert isinstance(field, QLineEdit | QPlainTextEdit)
    if isinstance(field, QLineEdit):
        field.setText(words)
        field.home(False)  # noqa: FBT003 - an argument of Qt
    else:
        field.setPlainText(words)
        field.moveCursor(QTextCursor.MoveOperation.Start)
    field.grab()  # Qt finds the place of a line when it is drawn
    return field.cursorRect().center().x() > field.width() / 2


@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit])
def test_a_field_runs_as_the_words_in_it_do(kind: type[QLineEdit | QPlainTextEdit], place: QWidget) -> None:
    field = kind(place)
    field.resize(400, 60)
    place.show()
    follow_words(field)
    follow_words(field)  # once is enough
    leftwards = ("$orderId בדוק", "`x` שלום", "בדוק את $orderId", "1. בדוק")
    others = ("Ask for $שם", "$orderId", "", "Check (שלום)")
    assert [write(field, words) for words in leftwards] == [True] * len(leftwards)
    assert [write(field, words) for words in others] == [False] * len(others)
    assert write(field, leftwards[0])
    assert (field.text() if isinstance(field, QLineEdit) else field.toPlainText()) == leftwards[0]


def test_cells_are_drawn_in_order_and_hold_what_they_are_given(place: QWidget) -> None:
    rows = QListWidget(place)
    delegate = WordsDelegate(rows)
    for words in (HEBREW, "Ask user"):
        rows.addItem(words)
        option = QStyleOptionViewItem()
        delegate.initStyleOption(option, rows.model().index(rows.count() - 1, 0))
        assert option.text == ordered(words)
        assert rows.item(rows.count() - 1).text() == words


def test_what_is_written_in_the_window_runs_as_its_words_do(window: MainWindow, qtbot: QtBot) -> None:
    context = window.context
    context.documents.open_text(f"# Desk\n\n## Main\n\n- Ask user for $name\n- $orderId {HEBREW}\n")
    window.activateWindow()
    qtbot.waitActive(window)
    context.selection.select((context.documents.snapshot.program.playbooks[0].steps[1].id,))
    words = next(each for each in window.findChildren(QPlainTextEdit) if each.toPlainText() == f"$orderId {HEBREW}")
    assert words.document().defaultTextOption().textDirection() is Qt.LayoutDirection.RightToLeft  # nobody writes yet
    for action in ("step.edit", "step.insert", "edit.find"):
        window.centre.canvas.view.setFocus()
        context.actions.action(action).trigger()
        assert write(QApplication.focusWidget(), f"$orderId {HEBREW}"), action
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    context.actions.action("run.start").trigger()
    answer = "$name"

    def field() -> QLineEdit | None:
        return next((each for each in window.findChildren(QLineEdit) if each.accessibleName() == answer), None)

    qtbot.waitUntil(lambda: field() is not None)
    assert write(field(), f"$orderId {HEBREW}")
