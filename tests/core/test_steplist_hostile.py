"""Files that are made to break readers: a clear message, with little work and little memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.work import lines_run
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.diagnostics import Severity
from workbench.syntax.text import SourceText

_HEAD = "id: b\nname: B\n"
_BOMB = "metadata:\n  a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"  a{depth}: &a{depth} [{', '.join([f'*a{depth - 1}'] * 9)}]\n" for depth in range(1, 10)
)
_MANY = "".join(f"- id: a{index}\n  description: d\n  metadata: {{x: *a9}}\n" for index in range(300))
HOSTILE = {
    "an alias bomb": (_HEAD + _BOMB + "steps:\n" + _MANY, "The aliases here cannot be followed"),
    "a tag": (
        _HEAD + "steps:\n- id: !!python/object/apply:os.system [ls]\n  description: d\n",
        "would create an object",
    ),
    "ten thousand brackets": (_HEAD + "steps:\n- id: a\n  description: " + "[" * 10_000 + "]" * 10_000, "levels"),
    "ten thousand open brackets": (_HEAD + "steps:\n- id: a\n  description: " + "[" * 10_000, "levels"),
    "a deep block": (
        _HEAD + "metadata:\n" + "".join(" " * at + "k:\n" for at in range(1, 2000)) + "steps: []\n",
        "levels",
    ),
    "deep JSON": ('{"id": "b", "name": "B", "steps": ' + "[" * 10_000, "levels"),
    "a cyclic anchor": (_HEAD + "steps:\n- &a\n  id: a\n  description: d\n  metadata: {me: *a}\n", "never end"),
    "duplicate keys": (_HEAD + "id: c\nsteps: []\n", "on lines 1 and 3"),
    "a tab": (_HEAD + "steps:\n\t- id: a\n", "YAML does not allow a tab here"),
    "two documents": (_HEAD + "steps: []\n---\nid: c\n", "A second document starts here"),
}


MOST_LINES = 5_000_000
"""Of Python that may run: less than a second. An alias bomb, followed as far as is allowed, takes most."""


def opened(text: str) -> Snapshot:
    """The document *text* with its findings."""
    snapshot = derive(SourceText(text))
    assert snapshot.diagnostics is not None
    return snapshot


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_explained(name: str) -> None:
    text, words = HOSTILE[name]
    snapshot = opened(text)
    errors = [one.message for one in snapshot.diagnostics if one.severity is Severity.ERROR]
    assert any(words in message for message in errors), errors
    assert "".join(block.text for block in snapshot.blocks) == text


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_little_work(name: str) -> None:
    text, _words = HOSTILE[name]
    assert lines_run(lambda: opened(text)) < MOST_LINES


def test_zero_bytes_are_shown_as_they_are() -> None:
    snapshot = opened(_HEAD + "steps:\n- id: a\0\n")
    assert snapshot.program.foreign.startswith("This file contains binary data")


def test_a_hundred_megabytes_are_refused_before_they_are_read(tmp_path: Path) -> None:
    file = tmp_path / "huge.yaml"
    with file.open("wb") as stream:
        stream.truncate(100 * 1024 * 1024)
    code = (
        "import sys; from workbench.cli.main import run_command_line as run;"
        "assert run(['check', *sys.argv[1:]], print, print) == 2;"
        "print(next(int(line.split()[1]) for line in open('/proc/self/io') if line.startswith('rchar:')))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=False)
    assert "files up to 16 MiB can be opened" in done.stderr
    assert int(done.stdout.splitlines()[-1]) < 50 * 1024 * 1024


def test_hostile_files_take_little_memory(tmp_path: Path) -> None:
    for number, (text, _words) in enumerate(HOSTILE.values()):
        (tmp_path / f"{number}.yaml").write_text(text, encoding="utf-8")
    code = (
        "import sys; from workbench.cli.main import run_command_line as run;"
        "run(['check', *sys.argv[1:]], print, print);"
        # ru_maxrss would also count what the process held that it was forked from
        "print(next(int(line.split()[1]) for line in open('/proc/self/status') if line[:6] == 'VmHWM:') // 1024)"
    )
    files = [str(file) for file in tmp_path.iterdir()]
    done = subprocess.run([sys.executable, "-c", code, *files], capture_output=True, text=True, check=True)
    assert int(done.stdout.splitlines()[-1]) < 200
