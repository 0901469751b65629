"""A playbook is called as its heading is written, and as that is normalised; what is called exactly so comes first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.core.check import check_command, snapshot_of
from tests.core.engine_driver import play
from workbench.editing.commands import RenamePlaybook
from workbench.engine.language.program.book import Book, PlaybookTarget, ToolTarget, entry_of
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.flow import flow_of_program
from workbench.model.meaning import Call, actions_of
from workbench.syntax.diagnostics import Severity

MAIN = "# Shop\n## Main\n### Steps\n"


def called(heading: str, call: str, python: str = "") -> str:
    """What *call*, as a step, calls beside a playbook with *heading*: its address, or what is told instead."""
    text = f"# Shop\n{python}\n## Main\n### Steps\n- $r = {call}\n- Return $r\n\n## {heading}\n### Steps\n- Return 7\n"
    target = Book(snapshot_of(text)).resolve("Shop", step(text).target)
    if isinstance(target, PlaybookTarget):
        return f"playbook {target.playbook.name}"
    return f"Python {target.name}" if isinstance(target, ToolTarget) else "nothing"


def step(text: str) -> Call:
    """The call that the first step of *text* is."""
    meaning = snapshot_of(text).program.playbooks[0].steps[0].meaning
    assert isinstance(meaning, Call)
    return meaning


HEADING_AND_CALL = [
    ("process_order($n)", "process_order(3)", "playbook ProcessOrder"),
    ("process_order($n)", "ProcessOrder(3)", "playbook ProcessOrder"),
    ("Process order($n)", "process_order(3)", "playbook ProcessOrder"),
    ("ProcessOrder($n)", "process_order(3)", "playbook ProcessOrder"),
    ("CheckOrder_statusFlow", "CheckOrder_statusFlow()", "playbook CheckorderStatusflow"),
    ("CheckOrder_statusFlow", "CheckorderStatusflow()", "playbook CheckorderStatusflow"),
    ("check-order", "check_order()", "playbook CheckOrder"),
    ("check-order", "CheckOrder()", "playbook CheckOrder"),
    ("Check order", "check()", "nothing"),
    ("Read file($path)", 'read_file("a")', "nothing"),
    ("read_file($path)", 'read_file("a")', "playbook ReadFile"),
]


@pytest.mark.parametrize(("heading", "call", "what"), HEADING_AND_CALL)
def test_a_call_finds_the_heading_in_either_spelling(heading: str, call: str, what: str) -> None:
    assert called(heading, call) == what


def test_python_that_is_called_exactly_so_comes_before_a_heading_that_is_not() -> None:
    python = "```python\n@playbook\ndef process_order(n):\n    return n\n```\n"
    assert called("Process order($n)", "process_order(3)", python) == "Python process_order"
    assert called("Process order($n)", "ProcessOrder(3)", python) == "playbook ProcessOrder"


def test_a_run_calls_a_heading_as_it_is_written(tmp_path: Path) -> None:
    text = f"{MAIN}- $r = process_order(3)\n- Return $r + 1\n\n## process_order($n)\n### Steps\n- Return $n * 2\n"
    assert play(snapshot_of(text), tmp_path).state.result == 7


def test_what_is_called_as_written_has_its_edge_no_finding_and_its_name_in_assembly() -> None:
    snapshot = snapshot_of(f"{MAIN}- process_order(3)\n\n## process_order($n)\n### Steps\n- Tell user {{$n}}\n")
    kinds = [kind for _a, _b, kind in flow_of_program(snapshot).edges(data="kind")]
    assert kinds.count("call") == 1
    assert not [one for one in snapshot.diagnostics if one.severity is Severity.ERROR]
    assert "01:QUE ProcessOrder(3); YLD for call" in compile_assembly(snapshot).text


def test_a_run_begins_with_a_playbook_named_as_it_is_written() -> None:
    book = Book(snapshot_of(f"{MAIN}- Return 1\n\n## process_order\n### Steps\n- Return 2\n"))
    for name in ("process_order", "ProcessOrder", "Process order"):
        target = entry_of(book, name)
        assert target is not None
        assert target.playbook.name == "ProcessOrder"


TWINS = "## ProcessOrder\n### Steps\n- Return 1\n\n## process_order\n### Steps\n- Return 2\n"


@pytest.mark.parametrize(("call", "result"), [("ProcessOrder()", 1), ("process_order()", 2), ("Process_Order()", 1)])
def test_two_headings_of_one_name_are_told_apart_by_their_spelling(call: str, result: int, tmp_path: Path) -> None:
    assert play(snapshot_of(f"{MAIN}- $r = {call}\n- Return $r\n\n{TWINS}"), tmp_path).state.result == result


def test_two_headings_of_one_name_are_a_finding_that_says_how_to_call_the_second() -> None:
    snapshot = snapshot_of(f"{MAIN}- ProcessOrder()\n- process_order()\n\n{TWINS}")
    (finding,) = [one for one in snapshot.diagnostics if one.code == "duplicate-playbook"]
    assert finding.message.endswith("Calls of this one must be written process_order.")
    assembly = compile_assembly(snapshot).text
    assert [line for line in assembly.splitlines() if line.startswith("## ")] == [
        "## Main() -> None",
        "## ProcessOrder()",
        "## process_order()",
    ]


TRIGGERED = f"""{MAIN}- process_order()

## process_order
### Steps
- $x = 1 / 0

## Mend
### Triggers
- When {{name}} fails
### Steps
- Tell user "mended"
"""


@pytest.mark.parametrize("name", ["process_order", "ProcessOrder"])
def test_a_trigger_waits_for_a_playbook_in_either_spelling(name: str, tmp_path: Path) -> None:
    snapshot = snapshot_of(TRIGGERED.replace("{name}", name))
    assert "trigger-never-fires" not in {one.code for one in snapshot.diagnostics}
    assert play(snapshot, tmp_path).told() == ["mended"]


PYTHON = """# Shop
```python
@playbook
async def total() -> int:
    return await process_order(20) + await ProcessOrder(1) + len(list("ab"))
```
## Main
### Steps
- $r = total()
- Return $r

## process_order($n)
### Steps
- Return $n * 2

## list
### Steps
- Return 1
"""


def test_python_of_the_file_has_both_spellings_and_keeps_its_own_names(tmp_path: Path) -> None:
    assert play(snapshot_of(PYTHON), tmp_path).state.result == 44


RENAMED = """# Shop
```python
@playbook
async def total() -> int:
    return await process_order(20)
```
## Main
### Steps
- $r = process_order(3)
- ProcessOrder(4)
- Call Process_order(5)

## process_order($n)
### Triggers
- When $x > 3
### Steps
- Return {text}
"""


def test_renaming_changes_every_spelling_that_means_the_playbook() -> None:
    text = RENAMED.replace("{text}", '"process_order(3) is told"')
    after = re.sub(r"(?i)process_order(?=\([\d$n]*\)\n)|ProcessOrder(?=\()", "SettleBill", text)
    check_command(text, lambda _find: RenamePlaybook("process_order", "SettleBill"), after)


SAID = """# Shop
## Main
### Steps
- Run ProcessPayment with $total
- `ProcessPayment`
- Get $r from ProcessPayment
- ProcessPayment
- $r = Process payment
- If $r > 3, process the payment
- Process payment with $total
- Tell user "ProcessPayment is done"
- Ask about ProcessPayment and the like

## ProcessPayment($total)
### Steps
- Return $total
"""
SETTLED = """# Shop
## Main
### Steps
- Run SettleBill with $total
- `SettleBill`
- Get $r from SettleBill
- SettleBill
- $r = Call SettleBill to process payment
- If $r > 3, Call SettleBill to process the payment
- Call SettleBill with $total
- Tell user "ProcessPayment is done"
- Ask about ProcessPayment and the like

## SettleBill($total)
### Steps
- Return $total
"""


def test_renaming_keeps_the_calls_that_stand_in_prose() -> None:
    check_command(SAID, lambda _find: RenamePlaybook("ProcessPayment", "SettleBill"), SETTLED)
    called = [
        [
            call.target
            for step in each.program.playbooks[0].steps
            for call in actions_of(step.meaning)
            if isinstance(call, Call)
        ]
        for each in (snapshot_of(SAID), snapshot_of(SETTLED))
    ]
    assert called == [["ProcessPayment"] * 7, ["SettleBill"] * 7]
