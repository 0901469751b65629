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


OF_OTHER_FILES = frozenset(
    f"workbench.{name}"
    for name in (
        *("model.foreign.formats", "model.foreign.outline", "model.loader.steplist", "model.checks.ordinary.counting"),
        *("model.checks.links", "model.links", "syntax.links", "syntax.tables.steps", "model.markdown.step_counts"),
        *("model.procedures.assembling", "model.sentences.prose.reading"),
    )
)
"""What procedures, step lists and the files of other programs are read with."""


def imported_by(*arguments: str) -> set[str]:
    """The modules that ``workbench`` imports for *arguments*."""
    command = [sys.executable, "-X", "importtime", "-m", "workbench", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines}


@pytest.mark.parametrize("arguments", [("check", str(SAMPLE)), ("graph", str(SAMPLE)), ("--help",)], ids=str)
def test_a_command_imports_neither_qt_nor_what_talks_to_servers(arguments: tuple[str, ...]) -> None:
    packages = {name.partition(".")[0] for name in imported_by(*arguments)}
    assert "workbench" in packages
    assert not packages & {"PySide6", "shiboken6"}
    assert not packages & WHEN_NEEDED


def test_a_check_of_a_program_loads_nothing_that_only_other_files_need() -> None:
    modules = imported_by("check", str(SAMPLE))
    assert "workbench.model.checks.families" in modules
    assert not modules & OF_OTHER_FILES
    assert "hashlib" not in modules  # it loads OpenSSL
