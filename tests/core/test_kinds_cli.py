"""What a file is, said and overruled at the terminal; and what is done with files of other programs there."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from workbench.disk.places import places
from workbench.engine.backends.person import NobodyBackend
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.starting import start_run
from workbench.errors import RunFailed
from workbench.model.snapshot import derive
from workbench.settings import change_settings
from workbench.syntax.text import SourceText

PROCEDURE = "# Tea\n\n## Boil\n\n1. Boil the water.\n"
POD = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: can\n"


@pytest.fixture
def tea(tmp_path: Path) -> Path:
    """A procedure."""
    path = tmp_path / "tea.md"
    path.write_text(PROCEDURE, "utf-8")
    return path


@pytest.fixture
def pod(tmp_path: Path) -> Path:
    """A file of another program."""
    path = tmp_path / "pod.yaml"
    path.write_text(POD, "utf-8")
    return path


def test_check_names_the_file_of_another_program(pod: Path, terminal: Terminal) -> None:
    done = terminal.run("check", pod)
    assert done.code == 0
    assert (
        done.out == f"{pod}: This is a Kubernetes manifest. It is shown as it is, read-only, and kept byte for byte.\n"
    )


def test_check_says_what_a_file_is(tea: Path, pod: Path, terminal: Terminal) -> None:
    done = terminal.run("check", "--list-kinds", "--json", tea, pod)
    kinds = [(each["kind"], each.get("format")) for each in json.loads(done.out)]
    assert kinds == [("procedure", None), ("foreign", "kubernetes")]


def test_a_finding_says_what_the_file_is(tmp_path: Path, terminal: Terminal) -> None:
    path = tmp_path / "a.md"
    path.write_text("# Desk\n\n## Main\n\n- Return $x\n", "utf-8")
    assert {each["kind"] for each in json.loads(terminal.run("check", "--json", path).out)} == {"program"}


@pytest.mark.parametrize("command", ["compile", "graph", "run", "convert"])
def test_the_file_of_another_program_is_refused_by_its_name(command: str, pod: Path, terminal: Terminal) -> None:
    done = terminal.run(command, pod, *(("--to", "steplist") if command == "convert" else ()))
    assert (done.code, done.out) == (2, "")
    assert "“pod.yaml”: This is a Kubernetes manifest." in done.err


def test_fixing_leaves_the_file_of_another_program_alone(pod: Path, terminal: Terminal) -> None:
    terminal.run("check", "--fix", pod)
    assert pod.read_text("utf-8") == POD


def test_the_kind_can_be_said_for_once(tea: Path, terminal: Terminal) -> None:
    done = terminal.run("check", "--list-kinds", "--kind", "program", tea)
    assert done.out.startswith(f"{tea}: playbook program. You have chosen")


def test_the_kind_that_a_person_chose_for_a_file_counts_everywhere(tea: Path, terminal: Terminal) -> None:
    change_settings(places(), lambda settings: settings.with_kind(tea, "skill"))
    assert terminal.run("check", "--list-kinds", tea).out.startswith(f"{tea}: skill.")
    change_settings(places(), lambda settings: settings.with_kind(tea, ""))
    assert terminal.run("check", "--list-kinds", tea).out.startswith(f"{tea}: procedure.")


def test_a_run_of_another_program_s_file_says_what_the_file_is(tmp_path: Path) -> None:
    with (
        closing(Journal(tmp_path / "runs.sqlite")) as journal,
        pytest.raises(RunFailed, match="This is a Kubernetes manifest"),
    ):
        start_run(derive(SourceText(POD)), journal, NobodyBackend(), RunOptions())
