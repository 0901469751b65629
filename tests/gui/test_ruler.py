"""The ruler of the timeline: a time is written in full, or not at all."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from workbench.gui.look.theming import LIGHT
from workbench.gui.timeline.strips import labels
from workbench.gui.timeline.time_window import TimeWindow


@example(start_ns=1_099_511_627_650, span_ns=2_391, width_px=247)
@given(start_ns=st.integers(0, 10**13), span_ns=st.integers(1_000, 10**13), width_px=st.integers(1, 3_000))
def test_times_fit_and_stand_apart(qapp: QApplication, start_ns: int, span_ns: int, width_px: int) -> None:
    del qapp
    area = QRectF(0, 0, width_px, 20)
    told = list(labels(TimeWindow(start_ns, span_ns, width_px), area, metrics()))
    assert all(place.right() <= area.right() for place, _words in told)
    assert all(left.right() < right.left() for (left, _), (right, _) in pairwise(told))
    assert len({words for _place, words in told}) == len(told)


@pytest.mark.usefixtures("qapp")
def test_a_wide_ruler_tells_times() -> None:
    words = [words for _place, words in labels(TimeWindow(0, 205e6, 660), QRectF(0, 0, 660, 20), metrics())]
    assert words == ["0 ms", "50 ms", "100 ms", "150 ms"]


def metrics() -> QFontMetricsF:
    """What the ruler measures its words with."""
    return QFontMetricsF(LIGHT.secondary_font())
