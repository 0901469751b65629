"""Journeys through the real window: a warning from Qt fails the test that caused it."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let pytest-qt fail on warnings of Qt, not only on critical messages."""
    for item in items:
        item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
