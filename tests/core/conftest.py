"""Tests of everything below the window: importing Qt here is an error.

The ban holds when pytest-qt is off (``make core``); with pytest-qt on, Qt is loaded before
any of our files is read.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest

from tests.core.cli_driver import Terminal


class _NoQt(MetaPathFinder):
    """Refuses to find Qt."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """None for everything but Qt, so that the usual finders are asked."""
        if name.partition(".")[0] in {"PySide6", "shiboken6"}:
            raise ImportError(f"nothing below the window may import {name}")
        return None


if "PySide6" not in sys.modules:
    sys.meta_path.insert(0, _NoQt())


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    """The command line, without a display."""
    return Terminal(capsys)
