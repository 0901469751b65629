"""Journeys through the real window: a warning from Qt fails the test that caused it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.gui.conftest import (
    collected_now_and_then,
    no_collection_elsewhere,
    open_window,
    pytest_collection_modifyitems,
    qtbot,
    short_rests,
    window,
)
from workbench.i18n import language, use_language

__all__ = [
    "collected_now_and_then",
    "no_collection_elsewhere",
    "open_window",
    "pytest_collection_modifyitems",
    "qtbot",
    "short_rests",
    "window",
]


@pytest.fixture(autouse=True)
def spoken_language() -> Iterator[None]:
    """English, or ``JOURNEY_LANGUAGE``, for whoever looks at the pictures of a journey."""
    before = language()
    use_language(os.environ.get("JOURNEY_LANGUAGE", before))
    yield
    use_language(before)
