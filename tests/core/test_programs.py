"""Whole programs, as people write them: each runs to its end, is checked, compiled and drawn as it is meant."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

from tests.core.programs import FOLDER, PROGRAMS, expected, happened, read, run, told_findings
from tests.core.step_table import NEEDS_JUDGEMENT, row_of, table
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.flow import flow_of, title_id
from workbench.model.snapshot import derive
from workbench.resources import sample_playbooks
from workbench.syntax.diagnostics import Severity
from workbench.syntax.text import SourceText

programs = pytest.mark.parametrize("file", PROGRAMS, ids=lambda file: file.stem)


@programs
def test_a_program_runs_to_its_end_and_asks_only_what_needs_judgement(file: Path, tmp_path: Path) -> None:
    wanted = expected(file)
    played = run(file, read(file).snapshot, tmp_path, wanted.arguments)
    assert (happened(played.events), played.state.error) == (wanted.happened, "")
    assert (played.state.is_over, played.run.result) == (True, wanted.result)


@programs
def test_a_program_does_the_same_when_it_is_compiled(file: Path, tmp_path: Path) -> None:
    wanted = expected(file)
    compiled = derive(SourceText(compile_assembly(read(file).snapshot).text))
    played = run(file, compiled, tmp_path, wanted.arguments)
    assert (played.run.result, played.state.error) == (wanted.result, "")
    assert [line for line in happened(played.events) if not is_worded(line)] == [
        line for line in wanted.happened if not is_worded(line)
    ]


def is_worded(line: str) -> bool:
    """Whether *line* holds the words of a step, which assembly may write in another way."""
    return line.startswith(("asked", "judged"))


@programs
def test_check_finds_no_error_in_a_program(file: Path) -> None:
    program = read(file)
    assert [one.message for one in program.diagnostics if one.severity is Severity.ERROR] == []
    assert told_findings(program) == expected(file).findings


@programs
def test_compiling_a_program_twice_is_compiling_it_once(file: Path) -> None:
    compiled = compile_assembly(read(file).snapshot).text
    assert compile_assembly(derive(SourceText(compiled))).text == compiled


@programs
def test_every_box_of_a_program_can_be_reached(file: Path) -> None:
    snapshot = read(file).snapshot
    for playbook in snapshot.program.playbooks:
        graph = flow_of(snapshot, playbook)
        reached = nx.descendants(graph, title_id(playbook)) | {title_id(playbook)}
        drawn = {node for node, data in graph.nodes(data=True) if data.get("kind") not in ("trigger", "note")}
        assert drawn - reached == set(), playbook.name


def test_no_step_that_was_exact_is_judged_again() -> None:
    """``python -m tests.core.step_table > tests/data/programs/steps.txt`` makes the table anew."""
    told = "\n".join(table([*PROGRAMS, *sample_playbooks()]))
    assert told.splitlines() == (FOLDER / "steps.txt").read_text("utf-8").splitlines()


def test_no_step_of_a_program_is_judged_though_it_looks_exact() -> None:
    assert [step for file in PROGRAMS for step in row_of(file).judged if step.reason != NEEDS_JUDGEMENT] == []
