"""Two runs side by side: which passes belong together, and what differs between them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core import programs
from tests.core.engine_driver import Played, play
from tests.core.model_driver import FakeModel, data, judge, said
from workbench.engine.comparing.comparing import compare, last_good
from workbench.engine.comparing.comparison import Comparison, comparison_of
from workbench.engine.comparing.differences import About
from workbench.engine.comparing.passes import passes_of
from workbench.engine.journal.choices import Scope, StepStatus
from workbench.engine.journal.debug_events import StateEdited
from workbench.engine.journal.fork_events import OtherText, RunForked
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.payload import NOTHING
from workbench.engine.options import RunOptions
from workbench.pages.comparison_page import comparison_page
from workbench.pages.comparison_words import first_difference, summary_of, told
from workbench.pages.page import shown_rows
from workbench.syntax.comparing.aligning import aligned, by_key, by_words

LOOP = """\
- $sum = 0
- For each $item in {items}
  - Ask the shop for the $price:int of {{$item}}
  - $sum = $sum + $price
- $paid = Pay($sum)
- Return $paid

## Pay($amount)
### Steps
- Transfer {{$amount}} and note the $number
- If $number == "X"
  - $n = 1 / 0
- Return $number
"""


def script(*prices: int, number: str = "R") -> str:
    answers = [f'- {{step: "Main:02.01", values: {{price: {price}}}}}' for price in prices]
    return "\n".join(["answers:", *answers, f'- {{step: "Pay:01", values: {{number: "{number}"}}}}'])


def bought(folder: Path, items: str, script_text: str) -> Played:
    return play(LOOP.format(items=items), folder, script_text)


def found(comparison: Comparison) -> list[tuple[str, int, set[About]]]:
    """Where the runs differ, in which round, and in what."""
    return [
        (row.shown.address, row.shown.round, {each.about for each in row.differences if each.matters})
        for row in comparison.differing
    ]


def compared(run: Played, other: Played) -> Comparison:
    return comparison_of(run.events, other.events)


THREE, FOUR = '["pen", "ink", "lamp"]', '["pen", "cup", "ink", "lamp"]'


def test_a_pass_says_what_was_asked_called_set_and_decided(tmp_path: Path) -> None:
    passes = passes_of(bought(tmp_path, THREE, script(2, 3, 4)).events)
    asked = [one for one in passes if one.address == "Main:02.01"]
    assert [(one.round, dict(one.values), one.answers[0].answer["values"]) for one in asked] == [
        (1, {"$price": (2,)}, {"price": 2}),
        (2, {"$price": (3,)}, {"price": 3}),
        (3, {"$price": (4,)}, {"price": 4}),
    ]
    call = next(one for one in passes if one.address == "Main:03")
    assert [(each.name, each.arguments, each.result) for each in call.calls] == [("Pay", {"amount": 9}, "R")]
    condition = next(one for one in passes if one.address == "Pay:02")
    assert (condition.branch, condition.status, passes[condition.around].address) == (
        *(False, StepStatus.SKIPPED),
        "Main:03",
    )


def test_runs_that_did_the_same_do_not_differ_whatever_the_time(tmp_path: Path) -> None:
    first, second = (bought(tmp_path, THREE, script(2, 3, 4)) for _number in range(2))
    comparison = compared(second, first)
    assert not comparison.matters
    assert [row.shown.address for row in comparison.rows][:3] == ["Main:01", "Main:02", "Main:02.01"]
    assert "Nothing differs in what they did." in summary_of(comparison)


def test_what_follows_from_a_difference_is_marked_and_its_origin_named(tmp_path: Path) -> None:
    comparison = compared(bought(tmp_path, THREE, script(2, 3, 5)), bought(tmp_path, THREE, script(2, 3, 4)))
    assert found(comparison) == [
        ("Main:02.01", 3, {About.ANSWER}),
        ("Main:02.02", 3, {About.VALUE}),
        ("Main:03", 0, {About.ARGUMENTS}),
    ]
    origin = first_difference(comparison)
    assert origin is not None
    assert told(origin.differences[0]).line == "answer price: 4 → 5"


def test_a_failed_run_is_told_from_where_it_parted(tmp_path: Path) -> None:
    good, bad = bought(tmp_path, THREE, script(2, 3, 4)), bought(tmp_path, THREE, script(2, 3, 4, number="X"))
    comparison = compared(bad, good)
    rows = {row.shown.address: row for row in comparison.rows}
    assert rows["Pay:02.01"].other is None
    assert rows["Main:04"].run is None
    assert {each.about for each in rows["Main:03"].differences} >= {About.OUTCOME, About.RESULT}
    words = summary_of(comparison)
    assert words[0] == "How this run ended: failed; the other run: completed."
    assert "They part at Pay:01" in " ".join(words)


def test_a_round_more_is_one_that_came_in_and_the_others_keep_their_items(tmp_path: Path) -> None:
    comparison = compared(bought(tmp_path, FOUR, script(2, 9, 3, 4)), bought(tmp_path, THREE, script(2, 3, 4)))
    new = [(row.shown.address, row.shown.round) for row in comparison.rows if row.other is None]
    assert new == [("Main:02.01", 2), ("Main:02.02", 2)]
    pairs = [(row.other.round, row.run.round) for row in comparison.rows if row.run and row.other and row.run.round]
    assert pairs == [(1, 1), (1, 1), (2, 3), (2, 3), (3, 4), (3, 4)]


def test_where_the_text_was_changed_steps_are_known_by_their_words(tmp_path: Path) -> None:
    old = play("- $a = 1\n- Ask the shop for the $price\n- Return $a\n", tmp_path, 'answers: [{values: {price: "3"}}]')
    new = play(
        '- Tell user "Hello"\n- $a = 1\n- Ask the shop again for the $price\n- Return $a\n',
        *(tmp_path, 'answers: [{values: {price: "3"}}]'),
    )
    comparison = compared(new, old)
    assert not comparison.is_same_text
    assert found(comparison) == [("Main:01", 0, {About.TOLD}), ("Main:03", 0, {About.TEXT})]
    assert {(row.other.address, row.run.address) for row in comparison.rows if row.run and row.other} == {
        *(("Main:01", "Main:02"), ("Main:02", "Main:03")),
        ("Main:03", "Main:04"),
    }


def test_other_words_of_a_comment_are_told_and_do_not_matter(tmp_path: Path) -> None:
    comparison = compared(play("<!-- b -->\n- $a = 1\n", tmp_path), play("<!-- a -->\n- $a = 1\n", tmp_path))
    assert [each.about for each in comparison.differences if each.about is not About.TIME] == [About.SOURCE]
    assert not comparison.matters


def test_a_number_and_a_text_that_look_alike_differ(tmp_path: Path) -> None:
    one, other = play("- $a = 1\n", tmp_path), play('- $a = "1"\n', tmp_path)
    lines = [told(each).line for each in compared(one, other).values]
    assert lines == ['value $a: "1" → 1']


def test_another_cost_does_not_matter_by_itself(tmp_path: Path) -> None:
    steps = "- Look at the sky and set $w\n"
    (tmp_path / "1").mkdir()
    first = judge(steps, tmp_path, FakeModel([data(w="sun")]))
    second = judge(steps, tmp_path / "1", FakeModel([said(""), data(w="sun")]))
    comparison = compared(second, first)
    assert not comparison.matters
    differences = comparison.rows[0].differences
    assert {each.about for each in differences} - {About.TIME} == {About.TOKENS, About.COST}


def test_a_value_that_only_one_run_knows_is_told_as_nothing(tmp_path: Path) -> None:
    comparison = compared(play("- $a = 1\n- $b = 2\n", tmp_path), play("- $a = 1\n", tmp_path))
    assert [(each.name, each.other, each.run) for each in comparison.values] == [("$b", NOTHING, 2)]


def started(journal: Journal, folder: Path, steps: str, path: str) -> Any:
    return play(steps, folder, options=RunOptions(path=path, is_trusted=True)).run.id


def test_a_run_is_compared_with_the_last_of_its_file_that_was_completed(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    assert last_good(journal, started(journal, tmp_path, "- $a = 1 / 0\n", "a.md")) is None
    good = [started(journal, tmp_path, f"- $a = {number}\n", "a.md") for number in range(2)]
    started(journal, tmp_path, "- $a = 3\n", "b.md")
    failed = started(journal, tmp_path, "- $a = 1 / 0\n", "a.md")
    started(journal, tmp_path, "- $a = 4\n", "a.md")
    assert last_good(journal, failed) == good[1]
    assert compare(journal, failed, good[1]).matters
    journal.close()


ROWS = st.lists(st.integers(0, 6), max_size=9)


@settings(max_examples=examples(200))
@given(ROWS, ROWS)
def test_everything_stands_once_in_the_order_of_both_rows(old: list[int], new: list[int]) -> None:
    pairs = list(aligned(old, new, (by_key(lambda one: one),)))
    assert [was for was, _now in pairs if was is not None] == list(range(len(old)))
    assert [now for _was, now in pairs if now is not None] == list(range(len(new)))
    assert all(old[was] == new[now] for was, now in pairs if was is not None and now is not None)


@settings(max_examples=examples(100))
@given(ROWS, st.data())
def test_what_was_taken_out_of_a_row_is_all_that_is_missing(old: list[int], choice: st.DataObject) -> None:
    unique = list(dict.fromkeys(old))
    new = [one for one in unique if choice.draw(st.booleans())]
    pairs = list(aligned(unique, new, (by_key(lambda one: one),)))
    assert [unique[was] for was, now in pairs if was is not None and now is None] == [
        one for one in unique if one not in new
    ]


def test_words_that_are_alike_belong_together_in_a_gap() -> None:
    old, new = ["send the letter", "file it"], ["hello", "send the long letter", "file it"]
    rules = (by_key(lambda one: one), by_words(lambda one: one))
    assert list(aligned(old, new, rules)) == [(None, 0), (0, 1), (1, 2)]


def test_what_only_one_run_did_is_told_in_full(tmp_path: Path) -> None:
    bad = play("- $a = 1\n- $b = 1 / 0\n", tmp_path)
    comparison = compared(bad, play("- $a = 1\n", tmp_path))
    (row,) = comparison.differing
    assert (row.other, [each.about for each in row.differences]) == (None, [About.ERROR])


def test_a_variable_that_a_person_changed_is_a_difference(tmp_path: Path) -> None:
    events = play("- $a = 1\n- $b = $a\n", tmp_path).events
    at = next(place for place, event in enumerate(events) if event.step == "Main:02")
    edit = StateEdited("a", Scope.STATE, "Book", "s1", None, 5, by="Ann")
    edited = replace(events[at], payload=edit, span="", parent="")
    comparison = comparison_of((*events[:at], edited, *events[at:]), events)
    (row,) = comparison.differing
    assert [told(each).line for each in row.differences] == ["answer a: nothing → 5"]


def test_of_very_many_rows_a_page_shows_the_first_and_the_last() -> None:
    page = shown_rows(range(9_000), lambda number: f"<tr><td>{number}</td></tr>", 1)
    assert "… 4,000 more rows" in page
    assert ("<td>0</td>" in page, "<td>4000</td>" in page, "<td>8999</td>" in page) == (True, False, True)


@pytest.mark.parametrize("file", programs.PROGRAMS[::5], ids=lambda file: file.stem)
def test_a_program_does_not_differ_from_itself_and_a_part_of_it_only_lacks_the_rest(file: Path, tmp_path: Path) -> None:
    expected = programs.expected(file)
    events = programs.run(file, programs.read(file).snapshot, tmp_path, expected.arguments).events
    itself = comparison_of(events, events)
    assert not itself.matters
    assert all(row.is_in_both and not row.differences for row in itself.rows)
    for end in range(2, len(events), max(1, len(events) // 7)):
        cut = comparison_of(events[:end], events)
        assert [row.other for row in cut.rows] == [row.other for row in itself.rows]
        assert summary_of(cut)
        assert comparison_page(cut)


def test_what_a_fork_with_another_text_came_to_before_stands_where_the_text_has_it(tmp_path: Path) -> None:
    events = play("- $a = 1\n- $b = 2\n- $c = 3\n", tmp_path).events
    at = next(place for place, event in enumerate(events) if event.step == "Main:03")
    text = OtherText(steps={"Main:01": None, "Main:02": ("Main:05", 9)})
    forked = replace(events[at], payload=RunForked("other", at, "old", "new", text=text), step="", span="", parent="")
    passes = passes_of((*events[:at], forked, *events[at:]))
    assert [(one.address, one.line) for one in passes] == [("(Main:01)", 0), ("Main:05", 9), ("Main:03", 6)]
