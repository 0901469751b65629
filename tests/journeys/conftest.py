"""Journeys through the real window: a warning from Qt fails the test that caused it."""

from __future__ import annotations

from tests.gui.conftest import (
    collected_now_and_then,
    no_collection_elsewhere,
    open_window,
    pytest_collection_modifyitems,
    qtbot,
    short_rests,
    window,
)

__all__ = [
    "collected_now_and_then",
    "no_collection_elsewhere",
    "open_window",
    "pytest_collection_modifyitems",
    "qtbot",
    "short_rests",
    "window",
]
