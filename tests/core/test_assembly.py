"""Compiling: deterministic, idempotent, mapped line by line, and meaning the same as the source."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given

from tests.core.strategies import documents
from tests.core.test_scan import FILES
from tests.core.test_snapshot import book
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.meaning import Loop
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.assembly_lines import (
    next_number,
    number_key,
    parent_number,
    parse_assembly_line,
    parse_trigger_line,
)
from workbench.syntax.text import SourceText, split_lines

MAIN = "# A\n\n## M\n### Steps\n"


def steps_of(source: str) -> list[str]:
    """The compiled lines of the steps in *source*."""
    lines = split_lines(compile_assembly(book(f"{MAIN}{source}")).text)
    return [line.strip().removeprefix("- ") for line in lines if line.lstrip().startswith("- 0")]


@pytest.mark.parametrize(
    ("source", "compiled"),
    [
        ("- $n = 3\n", ["01:EXE $n:int = 3"]),
        ("- $n = 3\n- $n = 4\n", ["01:EXE $n:int = 3", "02:EXE $n = 4"]),
        ("- Ask user for $name:str\n", ["01:QUE Say(user, Ask user for $name:str); YLD for user"]),
        ('- Tell user "Hi {$name}"\n', ['01:QUE Say(user, "Hi {$name}")']),
        ("- Tell user their order status\n", ["01:QUE Say(user, Tell user their order status)"]),
        ("- $r = F($a, b=2)\n", ["01:QUE $r = F($a, b=2); YLD for call"]),
        ("- If $a > 1\n  - b\n", ["01:CND If $a > 1", "01.01:EXE b"]),
        ("- If x\n  - a\n- Otherwise\n  - b\n", ["01:CND If x", "01.01:EXE a", "02:CND Otherwise", "02.01:EXE b"]),
        ("- Unless $a is 1\n  - b\n", ["01:CND Unless $a is 1", "01.01:EXE b"]),
        ("- While $a > 1\n  - b\n", ["01:CND While $a > 1", "01.01:EXE b", "01.02:JMP 01"]),
        ("- For each $x in $xs\n  - b\n", ["01:CND For each $x in $xs", "01.01:EXE b", "01.02:JMP 01"]),
        ("- Retry three times\n  - b\n", ["01:CND Repeat 3 times", "01.01:EXE b", "01.02:JMP 01"]),
        ("- Repeat twice\n  - b\n", ["01:CND Repeat 2 times", "01.01:EXE b", "01.02:JMP 01"]),
        ("- Repeat $n times\n  - b\n", ["01:CND Repeat $n times", "01.01:EXE b", "01.02:JMP 01"]),
        ("- While $a\n  - break\n- c\n", ["01:CND While $a", "01.01:JMP 02", "01.02:JMP 01", "02:EXE c"]),
        ("- While $a\n  - break\n", ["01:CND While $a", "01.01:RET", "01.02:JMP 01"]),
        ("- While $a\n  - continue\n", ["01:CND While $a", "01.01:JMP 01", "01.02:JMP 01"]),
        ("- a\n- Go to step 1\n", ["01:EXE a", "02:JMP 01"]),
        ("- If $a > 1, return 3\n", ["01:CND If $a > 1", "01.01:RET 3"]),
        ("- Think about it\n", ["01:TNK Think about it"]),
        ("- Return $x\n", ["01:RET $x"]),
        ("- End program\n", ["01:YLD for exit"]),
        ("- a\n  more words\n", ["01:EXE a more words"]),
    ],
)
def test_a_step_compiles_to(source: str, compiled: list[str]) -> None:
    assert steps_of(source) == compiled


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_compiling_its_own_output_is_the_identity(path: Path) -> None:
    compiled = compile_assembly(derive(SourceText.decode(path.read_bytes()))).text
    again = derive(SourceText(compiled))
    if any(playbook.steps for playbook in again.program.playbooks):
        assert compile_assembly(again).text == compiled


@given(documents())
def test_compiling_the_output_of_anything_is_the_identity(text: str) -> None:
    compiled = compile_assembly(book(text)).text
    again = book(compiled)
    if any(playbook.steps for playbook in again.program.playbooks):
        assert compile_assembly(again).text == compiled


@given(documents())
def test_every_line_comes_from_a_line_of_the_source(text: str) -> None:
    snapshot = book(text)
    assembly = compile_assembly(snapshot)
    assert len(assembly.origins) == len(split_lines(assembly.text))
    assert all(1 <= origin.source_line <= max(1, len(snapshot.lines.starts)) for origin in assembly.origins)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_steps_line_maps_to_where_the_step_stands(path: Path) -> None:
    snapshot = derive(SourceText.decode(path.read_bytes()))
    for origin in compile_assembly(snapshot).origins:
        step = snapshot.at_address(origin.step) if origin.step else None
        if step is not None:
            assert snapshot.line(step.id) == origin.source_line


LOOPS = [
    "Retry three times", "Repeat once", "Repeat twice", "Up to 4 turns", "Repeat up to five times until $ok",
    "Repeat 3 times while $n < 2", "Repeat until $n > 2", "Repeat", "Repeat forever", "While $n < 3",
    "For each $x in $xs", "For each ticket", "For every open ticket", "For all hosts",
]  # fmt: skip


@pytest.mark.parametrize("head", LOOPS)
def test_a_compiled_loop_means_what_its_source_means(head: str) -> None:
    source = book(f"{MAIN}- {head}\n  - b\n")
    compiled = book(compile_assembly(source).text)
    assert rounds_of(compiled) == rounds_of(source)


def rounds_of(snapshot: Snapshot) -> tuple[object, ...]:
    """What the loop that comes first asks before each round: its form, its list or count, its end."""
    loop = snapshot.program.playbooks[0].steps[0].meaning
    assert isinstance(loop, Loop)
    test = loop.condition.test if loop.condition else None
    trees = (one.tree if one else None for one in (loop.items, test))
    return loop.form, loop.variable, *(ast.unparse(tree) if tree else "" for tree in trees)


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("For every open ticket", "01:CND For every open ticket"),
        ("Repeat", "01:CND While true"),
        ("Repeat up to five times until $ok", "01:CND Repeat 5 times until $ok"),
        ("Repeat 3 times while $n < 2", "01:CND Repeat 3 times while $n < 2"),
    ],
)
def test_the_head_of_a_loop_says_what_ends_it_and_nothing_twice(head: str, line: str) -> None:
    assert steps_of(f"- {head}\n  - b\n")[0] == line


def test_compiling_is_the_same_a_hundred_times() -> None:
    source = SourceText.decode(FILES[0].read_bytes())
    assert len({compile_assembly(derive(source)).text for _round in range(100)}) == 1


def test_compiling_does_not_depend_on_the_hash_seed() -> None:
    sample = next(path for path in FILES if path.name == "incident-triage.md")
    command = [sys.executable, "-m", "workbench", "compile", str(sample), "--map"]
    outputs = {
        subprocess.run(command, check=True, stdout=subprocess.PIPE, env={**os.environ, "PYTHONHASHSEED": seed}).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert json.loads(outputs.pop())["lines"][0]["assembly_line"] == 1


def test_a_compiled_decision_skips_otherwise_after_then() -> None:
    snapshot = book(compile_assembly(book(f"{MAIN}- If $a > 1\n  - b\n- Otherwise\n  - c\n")).text)
    kinds = [step.kind.value for step in snapshot.program.playbooks[0].steps]
    assert kinds == ["decision", "decision"]


def test_one_colon_after_the_code_is_dropped() -> None:
    line = parse_assembly_line("01:YLD: for user")
    assert line is not None
    assert (line.number, line.code, line.content) == ("01", "YLD", "for user")


def test_a_second_colon_stays() -> None:
    line = parse_assembly_line("01:CND:: If x")
    assert line is not None
    assert line.content == ": If x"


def test_nested_numbers_and_empty_contents() -> None:
    nested, empty = parse_assembly_line("02.01:EXE do"), parse_assembly_line("03:RET")
    assert nested is not None and nested.number == "02.01"
    assert empty is not None and empty.content == ""


@pytest.mark.parametrize(
    ("text", "number", "code", "content"),
    [
        ("1:EXE x", "1", "EXE", "x"), ("001:EXE x", "001", "EXE", "x"), ("01.1.02:CND If y", "01.1.02", "CND", "If y"),
        ("01:QUEx", "01", "QUE", "x"), ("01:QUE2 x", "01", "QUE", "2 x"), ("01:ABCDE x", "01", "ABCDE", "x"),
        ("  01:EXE x  ", "01", "EXE", "x"),
    ],
)  # fmt: skip
def test_numbers_and_codes_are_taken_as_written(text: str, number: str, code: str, content: str) -> None:
    line = parse_assembly_line(text)
    assert line is not None
    assert (line.number, line.code, line.content) == (number, code, content)


@pytest.mark.parametrize("text", ["", "01:que x", "01 QUE x", "T1:BGN x", "01.:EXE", "N1 note", "01:EXE a\nb", "hello"])
def test_what_is_no_line_of_assembly(text: str) -> None:
    assert parse_assembly_line(text) is None


def test_the_parent_of_a_number() -> None:
    assert [parent_number(one) for one in ("01", "01.02", "01.02.03.04")] == ["", "01", "01.02.03"]


def test_numbers_are_ordered_component_by_component() -> None:
    numbers = ["01", "01.01", "01.01.01", "01.2", "01.10", "02", "10"]
    shuffled = ["10", *numbers[:-1]]
    assert sorted(shuffled, key=number_key) == numbers


def test_the_next_number_at_the_same_level() -> None:
    numbers = ["01", "09", "01.09", "01.02.03"]
    assert [next_number(one) for one in numbers] == ["02", "10", "01.10", "01.02.04"]


def test_triggers_of_assembly() -> None:
    begins, empty = parse_trigger_line("T1:BGN At start"), parse_trigger_line("T2:CND")
    assert begins is not None and (begins.number, begins.code, begins.content) == ("1", "BGN", "At start")
    assert empty is not None and empty.content == ""
