"""Markdown: lines of assembly, their numbers, and where control goes."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.core.test_snapshot import book
from workbench.model.flow import flow_of
from workbench.model.snapshot import Snapshot
from workbench.syntax.assembly_lines import next_number, number_key, parent_number, parse_assembly_line


def read(text: str) -> tuple[str, str, str] | None:
    """Number, code and content of *text*."""
    line = parse_assembly_line(text)
    return (line.number, line.code, line.content) if line else None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("01:YLD: Good day", ("01", "YLD", "Good day")),
        ("01:CND:: If …", ("01", "CND", ": If …")),
        ("02.01:EXE Weigh it", ("02.01", "EXE", "Weigh it")),
        ("03:RET", ("03", "RET", "")),
        ("1:EXE x", ("1", "EXE", "x")),
        ("001:EXE x", ("001", "EXE", "x")),
        ("01.1.02:CND If x", ("01.1.02", "CND", "If x")),
        ("01:QUE2 x", ("01", "QUE", "2 x")),
        ("01:ABCDE x", ("01", "ABCDE", "x")),
        ("  01:EXE x  ", ("01", "EXE", "x")),
        ("01:QUEx", ("01", "QUE", "x")),
    ],
)
def test_a_line_is_a_number_a_code_and_content(text: str, line: tuple[str, str, str]) -> None:
    assert read(text) == line


@pytest.mark.parametrize(
    "text", ["", "   ", "weigh it", "01:que x", "01 QUE x", "T1:BGN x", "01.:EXE x", "N1 note", "01:EXE x\nmore"]
)
def test_everything_else_is_no_line(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize(("number", "above"), [("01", ""), ("01.02", "01"), ("01.02.03.04", "01.02.03")])
def test_the_number_that_a_number_stands_in(number: str, above: str) -> None:
    assert parent_number(number) == above


@pytest.mark.parametrize(("first", "second"), list(pairwise(["01", "01.01", "01.01.01", "01.2", "01.10", "02", "10"])))
def test_numbers_are_ordered_part_by_part(first: str, second: str) -> None:
    assert number_key(first) < number_key(second)


@pytest.mark.parametrize(
    ("number", "following"), [("01", "02"), ("09", "10"), ("01.09", "01.10"), ("01.02.03", "01.02.04")]
)
def test_the_next_number_of_the_same_level(number: str, following: str) -> None:
    assert next_number(number) == following


def compiled(*lines: str) -> Snapshot:
    """A playbook of *lines*."""
    return book("# A\n\n## M()\n### Steps\n" + "".join(f"{line}\n" for line in lines))


def ways(snapshot: Snapshot) -> dict[str, set[str]]:
    """The numbers that control can go to from each number; empty for the end of the playbook."""
    playbook = snapshot.program.playbooks[0]
    graph = flow_of(snapshot, playbook)
    numbers = {step.id: snapshot.number(step.id) for root in playbook.steps for step in root.walk()}
    return {
        numbers[node]: {numbers[after] for after in graph.successors(node) if after in numbers}
        for node in graph
        if node in numbers
    }


def test_steps_are_found_by_number_and_unknown_ones_are_not() -> None:
    snapshot = compiled("- 01:EXE a", "- 02:EXE b")
    step = snapshot.at_address("M:02")
    assert step is not None
    assert step.text == "02:EXE b"
    assert snapshot.at_address("M:03") is None


def test_a_plain_sequence() -> None:
    assert ways(compiled("- 01:EXE a", "- 02:EXE b", "- 03:RET")) == {"01": {"02"}, "02": {"03"}, "03": set()}


def test_nested_lines_are_children() -> None:
    snapshot = compiled("- 01:CND If $x", "  - 01.01:EXE a", "  - 01.02:EXE b")
    assert [step.text for step in snapshot.program.playbooks[0].steps[0].children] == ["01.01:EXE a", "01.02:EXE b"]


def test_the_last_line_of_a_loop_leads_back_to_its_head() -> None:
    found = ways(compiled("- 01:LOP While $x", "  - 01.01:EXE a", "  - 01.02:EXE b", "- 02:RET"))
    assert found["01.02"] == {"01"}
    assert found["01"] == {"01.01", "02"}


def test_a_condition_and_its_else() -> None:
    lines = ["- 01:CND If $x", "  - 01.01:EXE a", "- 02:ELS", "  - 02.01:EXE b", "- 03:RET"]
    found = ways(compiled(*lines))
    assert found["01.01"] == {"03"}
    assert found["02.01"] == {"03"}
    assert ways(compiled("- 01:CND If $x", "  - 01.01:EXE a", "- 02:RET"))["01"] == {"01.01", "02"}


def test_otherwise_is_skipped_after_then_and_a_jump_follows_its_target() -> None:
    lines = ["- 01:EXE a", "- 02:CND If $x", "  - 02.01:JMP 01", "- 03:CND Otherwise", "  - 03.01:EXE b", "- 04:RET"]
    found = ways(compiled(*lines))
    assert found["02.01"] == {"01"}
    assert found["03.01"] == {"04"}
    straight = ways(compiled(*[line.replace("JMP 01", "EXE c") for line in lines]))
    assert straight["02.01"] == {"04"}


def test_the_false_edge_of_a_loop_leads_behind_its_block() -> None:
    found = ways(compiled("- 01:CND While $x", "  - 01.01:EXE a", "  - 01.02:JMP 01", "- 02:RET"))
    assert found["01"] == {"01.01", "02"}
    assert found["01.02"] == {"01"}
