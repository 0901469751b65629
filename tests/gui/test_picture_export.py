"""The flowchart as a picture and as pages: painted, cut between its blocks, and asked for in the window."""

from __future__ import annotations

import re
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.core.diagrams import Bpmn, mermaid_nodes, part
from workbench.errors import CannotSave
from workbench.gui.control.notices import Notice
from workbench.gui.files import exporting, pictures
from workbench.gui.files.exporting import ExportDialog, Exporting
from workbench.gui.files.pictures import Picture, draw, drawing
from workbench.gui.shell.main_window import MainWindow
from workbench.model.snapshot import derive
from workbench.pages.diagrams.forms import Form, Paper, Wish
from workbench.pages.diagrams.paging import cuts
from workbench.pages.diagrams.pdf_bytes import Bookmark, with_bookmarks
from workbench.pages.parts import part_of
from workbench.resources import sample_playbooks
from workbench.syntax.text import SourceText

BRASS = "# Ship\n\n## Main\n\n### Steps\n\n- Polish the brass\n- If it shines\n  - Report($deck)\n- Rest\n\n"
BRASS += "## Report($deck)\n\n### Steps\n\n- Tell the mate\n"
LONG = "# Ship\n\n## Main\n\n### Steps\n\n" + "".join(f"- Polish the brass of cabin {at}\n" for at in range(60))


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def test_a_sample_becomes_a_picture_with_something_in_it(qapp: QApplication) -> None:
    sample = next(path for path in sample_playbooks() if path.stem == "refund")
    snapshot = derive(SourceText.decode(sample.read_bytes()))
    image = QImage.fromData(draw(part_of(snapshot, sample.name), Wish(Form.PNG)))
    assert image.width() > 500
    assert image.height() > 500
    places = ((x, y) for x in range(0, image.width(), 40) for y in range(0, image.height(), 40))
    colors = {image.pixelColor(x, y).name() for x, y in places}
    assert len(colors) > 3


@pytest.mark.parametrize("form", [Form.PNG, Form.PDF])
def test_an_empty_document_becomes_a_picture_and_a_page_too(form: Form, qapp: QApplication) -> None:
    assert draw(part(""), Wish(form))[:4] in (b"\x89PNG", b"%PDF")


def test_a_picture_that_would_be_too_large_is_refused_with_the_scale_that_fits(qapp: QApplication) -> None:
    with pytest.raises(CannotSave, match=r"Choose a scale of 3\.\d or less") as refused:
        draw(part(LONG), Wish(Form.PNG, scale=8.0))
    fitting = re.search(r"scale of (\S+) or less", str(refused.value))
    assert fitting is not None
    assert draw(part(LONG.replace(" of cabin", "")), Wish(Form.PNG, scale=0.5))


def test_a_small_flowchart_is_one_page_and_a_long_one_has_an_overview_before_its_pages(qapp: QApplication) -> None:
    small, long = draw(part(BRASS), Wish(Form.PDF)), draw(part(LONG), Wish(Form.PDF))
    assert pages_of(small) == 1
    assert pages_of(long) > 4
    assert pages_of(draw(part(LONG), Wish(Form.PDF, paper=Paper.AS_LARGE))) == 1
    assert b"/ToUnicode" in small  # the words are text


def test_the_same_text_gives_the_same_bytes(qapp: QApplication) -> None:
    for form in (Form.PNG, Form.PDF):
        assert draw(part(BRASS), Wish(form)) == draw(part(BRASS), Wish(form))


def test_the_terminal_draws_the_same_bytes_each_time_without_a_window(tmp_path: Path) -> None:
    (tmp_path / "ship.md").write_text(BRASS, encoding="utf-8")
    for name in ("a.pdf", "b.pdf"):
        words = [sys.executable, "-m", "workbench", "export", str(tmp_path / "ship.md"), "-o", str(tmp_path / name)]
        subprocess.run(words, check=True)
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()


def test_pages_are_cut_between_blocks_where_there_is_room_and_anywhere_else_where_not() -> None:
    blocks = [(0.0, 40.0), (60.0, 100.0), (120.0, 160.0)]
    assert cuts(blocks, 0.0, 170.0, 110.0) == [0.0, 106.0, 170.0]
    assert cuts([(0.0, 300.0)], 0.0, 300.0, 100.0) == [0.0, 100.0, 200.0, 300.0]
    assert cuts(blocks, 0.0, 100.0, 110.0) == [0.0, 100.0]


def test_what_is_given_up_half_way_lets_go_of_its_painter(qapp: QApplication) -> None:
    slices = drawing(Picture(part(LONG), Wish(Form.PDF)), Wish(Form.PDF))
    assert 0 <= next(slices) < 1
    slices.close()


@pytest.fixture
def asked(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[MainWindow, Path]:
    """A window with a file, and where a person would have things exported to, with the ending that is suggested."""
    (tmp_path / "ship.md").write_text(BRASS, encoding="utf-8")
    window.context.documents.open(tmp_path / "ship.md")
    monkeypatch.setattr(exporting, "ask_file", lambda _parent, suggestion, _form: suggestion)
    return window, tmp_path


def exporter(window: MainWindow) -> Exporting:
    return window.files.exporting


def choose(window: MainWindow, **fields: str) -> ExportDialog:
    """Open the dialog, and choose in its fields."""
    window.context.actions.action("file.export").trigger()
    dialog = exporter(window).dialog
    assert dialog is not None
    choose_in(dialog, **fields)
    return dialog


def choose_in(dialog: ExportDialog, **fields: str) -> None:
    """Choose in the fields of *dialog*."""
    for name, value in fields.items():
        box = getattr(dialog, name)
        box.setCurrentIndex(box.findData(value))
        box.activated.emit(box.currentIndex())


def test_the_dialog_exports_a_playbook_as_it_says_and_remembers(asked: tuple[MainWindow, Path], qtbot: QtBot) -> None:
    window, folder = asked
    dialog = choose(window, form="bpmn", what="Report")
    assert not dialog.paper.isEnabled()
    with qtbot.waitSignal(exporter(window).exported):
        dialog.go_on.click()
    (written,) = folder.glob("*.bpmn")
    assert "p2_01" in Bpmn(written.read_text(encoding="utf-8")).elements
    again = choose(window)
    assert again.chosen["form"] == "bpmn"
    choose_in(again, form="pdf")
    assert again.paper.isEnabled()
    with qtbot.waitSignal(exporter(window).exported):
        again.go_on.click()
    assert (folder / "ship.pdf").read_bytes().startswith(b"%PDF")


def test_a_refusal_is_told_and_nothing_is_written(asked: tuple[MainWindow, Path], qtbot: QtBot) -> None:
    window, folder = asked
    window.context.documents.open_text(LONG)
    noticed: list[Notice] = []
    window.context.notices.noticed.connect(noticed.append)
    dialog = choose(window, form="png")
    dialog.scale.setValue(8.0)
    dialog.go_on.click()
    qtbot.waitUntil(lambda: any("Choose a scale" in one.text for one in noticed))
    assert not list(folder.glob("*.png"))


def test_the_flowchart_is_copied_as_mermaid_and_as_a_picture(asked: tuple[MainWindow, Path], qtbot: QtBot) -> None:
    window, _folder = asked
    with qtbot.waitSignal(exporter(window).exported):
        window.context.actions.action("edit.copy-mermaid").trigger()
    assert "p1_01" in dict(mermaid_nodes(QGuiApplication.clipboard().text()))
    steps = window.context.documents.snapshot.program.playbooks[0].steps
    window.context.selection.select((steps[0].id,))
    with qtbot.waitSignal(exporter(window).exported):
        window.context.actions.action("edit.copy-picture").trigger()
    assert QGuiApplication.clipboard().image().width() > 100


def objects_in(pdf: bytes) -> dict[int, bytes]:
    """The objects of *pdf* as a reader finds them: by its tables, the last one first."""
    found: dict[int, bytes] = {}
    at = int(pdf.rstrip().rsplit(b"startxref", 1)[1].split()[0])
    while at:
        table, trailer = pdf[at:].split(b"trailer", 1)
        lines = table.split(b"\n")[1:]
        while lines and lines[0].strip():
            first, count = map(int, lines.pop(0).split())
            for number in range(first, first + count):
                place, _generation, kind = lines.pop(0).split()
                if kind == b"n" and number not in found:
                    head, body = pdf[int(place) :].split(b"obj", 1)
                    assert head.split() == [b"%d" % number, b"0"]
                    found[number] = body.split(b"endobj", 1)[0]
        before = re.search(rb"/Prev (\d+)", trailer.split(b"startxref", 1)[0])
        at = int(before[1]) if before is not None else 0
    return found


def bookmarks_of(pdf: bytes) -> list[tuple[str, int]]:
    """The bookmarks of *pdf* in their order, each with its page from 0."""
    objects = objects_in(pdf)
    catalog = next(each for each in objects.values() if b"/Catalog" in each)
    pages = re.findall(rb"(\d+) 0 R", objects[_named(catalog, b"Pages")].split(b"/Kids", 1)[1].split(b"]")[0])
    found, at = [], _named(objects[_named(catalog, b"Outlines")], b"First")
    while at:
        title = re.search(rb"/Title <(\w+)>", objects[at])
        assert title is not None
        place = re.search(rb"/Dest \[(\d+) 0 R", objects[at])
        assert place is not None
        found.append((bytes.fromhex(title[1].decode()).decode("utf-16"), pages.index(place[1])))
        at = _named(objects[at], b"Next")
    return found


def _named(body: bytes, key: bytes) -> int:
    match = re.search(rb"/%s (\d+) 0 R" % key, body)
    return int(match[1]) if match is not None else 0


def test_a_pdf_has_a_bookmark_for_the_overview_and_for_each_playbook(qapp: QApplication) -> None:
    text = LONG + "\n## Réport 🚢\n\n### Steps\n\n- Tell the mate\n"
    pdf = draw(part(text), Wish(Form.PDF))
    (whole, first), (main, start), (report, last) = bookmarks_of(pdf)
    assert (first, start, last) == (0, 1, pages_of(pdf) - 1)
    assert (main, report) == ("Main", "Réport 🚢")
    assert whole
    assert bookmarks_of(draw(part(BRASS), Wish(Form.PDF)))[0][1] == 0


def contents_of(pdf: bytes) -> list[bytes]:
    """What is drawn on each page of *pdf*, as a reader finds it: by the tree of pages, piece by piece."""
    objects = objects_in(pdf)
    catalog = next(body for body in objects.values() if b"/Type /Catalog" in body)
    tree = objects[_named(catalog, b"Pages")]
    kids = [objects[int(each)] for each in re.findall(rb"(\d+) 0 R", tree[tree.index(b"/Kids") : tree.index(b"]")])]
    assert b"/Count %d" % len(kids) in tree
    found: list[bytes] = []
    for page in kids:
        pieces = re.search(rb"/Contents (?:\[([^\]]*)\]|(\d+ 0 R))", page)
        assert pieces is not None
        streams = [objects[int(each)] for each in re.findall(rb"(\d+) 0 R", pieces[1] or pieces[2])]
        data = [re.search(rb"stream\n(.*)\nendstream", each, re.DOTALL) for each in streams]
        packed = [(b"/Flate" in each, one[1]) for each, one in zip(streams, data, strict=True) if one is not None]
        found.append(b"\n".join(zlib.decompress(one) if is_packed else one for is_packed, one in packed))
    return found


def test_a_page_that_is_written_in_pieces_has_all_of_it_and_takes_back_what_each_leaves(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = part("".join((LONG, *(f"- Look into the hold {at}\n" for at in range(140)))))
    pieced = draw(many, Wish(Form.PDF, paper=Paper.AS_LARGE))
    monkeypatch.setattr(pictures, "_TURNS_OF_A_PIECE", 10**9)
    whole = draw(many, Wish(Form.PDF, paper=Paper.AS_LARGE))
    assert pages_of(pieced) > pages_of(whole) == 1
    (ours,), (theirs,) = contents_of(pieced), contents_of(whole)
    for shown in (b" Tj", b" re\nf", b" Do"):
        assert ours.count(shown) == theirs.count(shown)
    assert len(re.findall(rb"\bq\b", ours)) == len(re.findall(rb"\bQ\b", ours))
    assert [at for _title, at in bookmarks_of(pieced)] == [0]


@pytest.mark.parametrize("pdf", [b"", b"%PDF-1.4\nstartxref\n0\n%%EOF\n", b"%PDF-1.5\n1 0 obj\nstartxref\n9\n%%EOF"])
def test_a_pdf_that_is_written_otherwise_stays_as_it_is(pdf: bytes) -> None:
    assert with_bookmarks(pdf, [Bookmark("A", 0)]) == pdf
