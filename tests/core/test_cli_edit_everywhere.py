"""``workbench edit`` on every sample and every odd file, in every dress: only what must change does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import DATA
from tests.core.cli_driver import Terminal
from workbench.model.snapshot import derive
from workbench.resources import sample_playbooks
from workbench.syntax.text import SourceText

FILES = [*sample_playbooks(), *sorted((DATA / "markdown").iterdir())]
COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
LABEL = re.compile(rb"^\s*(?:[-*+]|\d+[.)])?\s*")

DRESSES: dict[str, Callable[[bytes], bytes]] = {
    "as it is": bytes,
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "BOM": lambda data: b"\xef\xbb\xbf" + data,
    "no final line end": lambda data: data.rstrip(b"\n"),
    "tabs": lambda data: re.sub(rb"^(?:  )+", lambda found: b"\t" * (len(found[0]) // 2), data, flags=re.MULTILINE),
}


@pytest.fixture(params=FILES, ids=lambda path: path.name)
def original(request: pytest.FixtureRequest) -> Path:
    """Each file in turn."""
    return Path(request.param)


@pytest.fixture(params=DRESSES.values(), ids=DRESSES)
def dressed(request: pytest.FixtureRequest, original: Path, tmp_path: Path) -> Path:
    """Each file in each dress."""
    path = tmp_path / original.name
    path.write_bytes(request.param(original.read_bytes()))
    return path


def addresses(path: Path) -> list[list[str]]:
    """The addresses of the top-level steps, by playbook; playbooks with one name are left out."""
    snapshot = derive(SourceText.decode(path.read_bytes()))
    names = Counter(playbook.name for playbook in snapshot.program.playbooks)
    found = [
        [address for step in playbook.steps if (address := snapshot.address(step.id))[-1] != ":"]
        for playbook in snapshot.program.playbooks
        if names[playbook.name] == 1
    ]
    return [steps for steps in found if steps]


def words_of(data: bytes) -> Counter[bytes]:
    """The lines of *data* without indentation, list markers, numbers and line ends."""
    return Counter(words for line in data.splitlines() if (words := LABEL.sub(b"", line).strip()))


def test_a_move_keeps_every_word_and_every_comment(terminal: Terminal, dressed: Path) -> None:
    before = dressed.read_bytes()
    for steps in addresses(dressed):
        dressed.write_bytes(before)
        done = terminal.run("edit", dressed, "move", steps[-1], "--before", steps[0])
        after = dressed.read_bytes()
        assert done.code in {0, 1}, done.err
        assert words_of(after) == words_of(before)
        assert Counter(COMMENT.findall(after)) == Counter(COMMENT.findall(before))


def test_new_words_change_nothing_outside_their_step(terminal: Terminal, dressed: Path) -> None:
    before = dressed.read_bytes()
    for steps in addresses(dressed):
        dressed.write_bytes(before)
        done = terminal.run("edit", dressed, "text", steps[0], "Zebra")
        assert done.code in {0, 1}, done.err
        gained = words_of(dressed.read_bytes()) - words_of(before)
        assert sum(gained.values()) <= 1


def test_a_dry_run_of_each_verb_writes_nothing(terminal: Terminal, original: Path) -> None:
    before = original.read_bytes()
    for step in (steps[0] for steps in addresses(original)):
        for verb in (["delete", step], ["duplicate", step], ["wrap", step, "--in", "if"], ["unwrap", step]):
            assert terminal.run("edit", original, *verb, "--dry-run").code in {0, 1}
    assert original.read_bytes() == before


def test_a_deleted_step_takes_nothing_else_along(terminal: Terminal, dressed: Path) -> None:
    before = dressed.read_bytes()
    for steps in addresses(dressed):
        dressed.write_bytes(before)
        terminal.run("edit", dressed, "delete", steps[0])
        assert not words_of(dressed.read_bytes()) - words_of(before)
