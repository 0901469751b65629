"""The flowchart as a picture in a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from workbench.errors import CannotSave
from workbench.gui.files.file_actions import export_picture
from workbench.gui.look.theming import DARK, LIGHT
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText


def test_every_sample_becomes_a_picture_with_something_in_it(sample: Path, tmp_path: Path, qapp: QApplication) -> None:
    snapshot = derive(SourceText.decode(sample.read_bytes()))
    export_picture(snapshot, LIGHT, tmp_path / "chart.png")
    image = QImage(str(tmp_path / "chart.png"))
    assert image.width() > 500
    assert image.height() > 500
    places = ((x, y) for x in range(0, image.width(), 40) for y in range(0, image.height(), 40))
    colors = {image.pixelColor(x, y).name() for x, y in places}
    assert len(colors) > 3


def test_an_svg_carries_the_words_of_the_steps(tmp_path: Path, qapp: QApplication) -> None:
    snapshot = derive(SourceText("# A\n\n## Main\n\n### Steps\n\n- Polish the brass\n"))
    export_picture(snapshot, DARK, tmp_path / "chart.svg")
    assert "brass" in (tmp_path / "chart.svg").read_text()


def test_an_empty_document_becomes_a_picture_too(tmp_path: Path, qapp: QApplication) -> None:
    export_picture(derive(SourceText("")), LIGHT, tmp_path / "chart.png")
    assert not QImage(str(tmp_path / "chart.png")).isNull()


def test_a_picture_that_cannot_be_written_is_told(tmp_path: Path, qapp: QApplication) -> None:
    with pytest.raises(CannotSave, match=r"chart\.png"):
        export_picture(derive(SourceText("")), LIGHT, tmp_path / "missing" / "chart.png")
