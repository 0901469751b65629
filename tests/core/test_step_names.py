"""What a step reads and writes, and how its words say it otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import book
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot, derive
from workbench.model.step_names import filled_in, names_of, only_read, with_type
from workbench.syntax.text import SourceText

NAMES = [
    ("$total = $price * $n", ["$price", "$n"], ["$total"]),
    ("Ask user for $name and $age:int", [], ["$name", "$age"]),
    ("If $n > 5 and $m is empty", ["$n", "$m"], []),
    ("For each $x in $items", ["$items"], ["$x"]),
    ("$r = F($n, k=$m)", ["$n", "$m"], ["$r"]),
    ("$n += $step", ["$n", "$step"], ["$n"]),
    ('Tell user "Hello {$name}, $town"', ["$name", "$town"], []),
    ("Return [$a, b_1]", ["$a", "b_1"], []),
    ("Summarize {$text} into $summary", ["$text"], ["$summary"]),
    ("total = $price", ["$price"], ["total"]),
    ("Think about the weather", [], []),
]


def first(steps: str) -> tuple[Snapshot, Step]:
    """A playbook with *steps*, and the first of them."""
    snapshot = book(steps)
    return snapshot, snapshot.program.playbooks[0].steps[0]


def step_of(words: str) -> Step:
    """A step that says *words*."""
    return first(f"- {words}\n")[1]


@pytest.mark.parametrize(("words", "reads", "writes"), NAMES)
def test_a_step_reads_and_writes_what_its_meaning_says(words: str, reads: list[str], writes: list[str]) -> None:
    names = names_of(*first(f"- {words}\n"))
    assert [each.name for each in names.reads] == reads
    assert [each.name for each in names.writes] == writes


def test_a_name_leads_to_the_step_that_sets_it() -> None:
    snapshot, step = first("- Tell user $n\n- $n = 1\n")
    (name,) = names_of(snapshot, step).reads
    assert name.set_by is not None
    assert snapshot.address(name.set_by.id) == "Main:02"


def test_a_name_has_the_type_that_some_step_gives_it() -> None:
    (name,) = names_of(*first("- Tell user $n\n- Ask user for $n:bool\n")).reads
    assert name.type == "bool"


def test_a_name_has_the_type_that_the_program_needs() -> None:
    (name,) = names_of(*first("- Ask user for $n\n- If $n > 5\n  - Return\n")).writes
    assert name.type == "number"
    assert name.needed is not None


def test_a_parameter_has_its_type_and_no_step_that_sets_it() -> None:
    snapshot = derive(SourceText("# A\n## Main($n:int)\n### Steps\n- Return $n\n"))
    (name,) = names_of(snapshot, snapshot.program.playbooks[0].steps[0]).reads
    assert (name.type, name.set_by) == ("int", None)


TYPED = [
    ("Ask user for $n", "$n", "int", "Ask user for $n:int"),
    ("Ask user for $n:int", "$n", "float", "Ask user for $n:float"),
    ("Ask user for $n:int", "$n", "", "Ask user for $n"),
    ("Ask user for $n:list[int] and $m", "$m", "str", "Ask user for $n:list[int] and $m:str"),
    ("$total = $n + 1", "$total", "float", "$total:float = $n + 1"),
    ("$r = F($n)", "$r", "list", "$r:list = F($n)"),
    ('Ask "$n?" for $n', "$n", "int", 'Ask "$n?" for $n:int'),
    ("Extract $a and $b from the text", "$b", "bool", "Extract $a and $b:bool from the text"),
    ("Tell user $n", "$n", "int", None),
    ("Ask user for $n:int", "$n", "int", None),
]


@pytest.mark.parametrize(("words", "name", "type_", "wanted"), TYPED)
def test_a_type_is_written_where_the_name_is_set(words: str, name: str, type_: str, wanted: str | None) -> None:
    assert with_type(step_of(words), name, type_) == wanted


def test_a_field_can_be_made_a_name_that_is_only_read() -> None:
    step = step_of("Ask user for $town and what the weather in $town is")
    assert only_read(step_of("Extract $a and $b from the text"), "$b") == "Extract $a and {$b} from the text"
    assert only_read(step_of("$a = 3"), "$a") is None
    assert only_read(step, "$other") is None


def test_a_name_that_is_only_read_can_be_made_a_field() -> None:
    assert filled_in(step_of("Ask user whether $summary is right"), "$summary") == (
        "Ask user whether $summary:str is right"
    )
    assert filled_in(step_of("$a = $b"), "$b") is None


FILES = sorted(Path("playbooks").glob("*.md"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_correction_that_is_offered_does_just_that(path: Path) -> None:
    snapshot = derive(SourceText(path.read_text()))
    for step in (step for playbook in snapshot.program.playbooks for top in playbook.steps for step in top.walk()):
        for name in names_of(snapshot, step).writes:
            words = only_read(step, name.name)
            if words is not None:
                assert name.name not in {each.name for each in names_of(*first(f"- {words}\n")).writes}
