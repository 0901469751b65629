"""The command line works where Qt is not even installed, and loads what is large only when it is needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PATIENCE_S
from workbench.resources import sample_playbooks

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = sample_playbooks()[0]
WHEN_NEEDED = frozenset({"asyncio", "httpx2", "httpcore2", "anyio", "ssl", "mcp", "pydantic", "keyring", "xllamacpp"})
"""What talks to models and servers of tools; each of it takes longer to load than most commands take."""


def imported_by(*arguments: str) -> set[str]:
    """The top-level packages that ``workbench`` imports for *arguments*."""
    command = [sys.executable, "-X", "importtime", "-m", "workbench", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


@pytest.mark.parametrize("arguments", [("check", str(SAMPLE)), ("graph", str(SAMPLE)), ("--help",)], ids=str)
def test_a_command_imports_neither_qt_nor_what_talks_to_servers(arguments: tuple[str, ...]) -> None:
    packages = imported_by(*arguments)
    assert "workbench" in packages
    assert not packages & {"PySide6", "shiboken6"}
    assert not packages & WHEN_NEEDED
