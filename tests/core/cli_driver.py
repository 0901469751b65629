"""Drives the command line inside the test's process."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from workbench.cli.main import run_command_line


@dataclass(frozen=True, slots=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The output as JSON."""
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Terminal:
    """A terminal without a display."""

    capture: pytest.CaptureFixture[str]

    def run(self, *arguments: object) -> Done:
        """What ``workbench`` with *arguments* did; opening a window or a picture is a mistake here."""
        try:
            code = run_command_line([str(argument) for argument in arguments], _no_qt, _no_qt)
        except SystemExit as left:
            code = int(left.code or 0)
        captured = self.capture.readouterr()
        return Done(code, captured.out, captured.err)


def _no_qt(arguments: Sequence[str]) -> int:
    pytest.fail(f"opened a window for {list(arguments)}")
