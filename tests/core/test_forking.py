"""A fork goes on from an event of another run: nothing before is done again, and what is changed counts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import DATA, PATIENCE_S, examples
from tests.core.cutting import Cut, Whole, all_cuts, check_cut, forked, run_whole, some_cuts, whole_fork
from tests.core.engine_driver import Played, begin, book, finished, scripted, wait_for
from tests.core.forks import check_fork, new_fork
from tests.core.steplist_cutting import IN_MEMORY
from workbench.engine.audit.chain import check_chain, json_lines
from workbench.engine.audit.otlp import otlp_text
from workbench.engine.backends.person import PersonBackend
from workbench.engine.forking.beginning import begin_at
from workbench.engine.forking.forking import fork_run, plan_fork
from workbench.engine.forking.plan import CannotFork, ForkWish
from workbench.engine.journal.choices import RunStatus, Scope
from workbench.engine.journal.events import RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_list import ForkedFrom
from workbench.engine.options import RunOptions
from workbench.engine.ports import InDoubtChoice
from workbench.engine.running.controls import EditVariable
from workbench.engine.starting import resume_run, start_run
from workbench.engine.state.fold import fold
from workbench.engine.state.frames import ApprovalState
from workbench.errors import StoreFailed

SUM = """- $a = 1
- $b = $a + 1
- If $b > 5
  - Tell user "big"
- Otherwise
  - Tell user "small"
- Return $b
"""


@pytest.fixture
def journal() -> Iterator[Journal]:
    """A journal that lasts as long as the test."""
    opened = Journal(IN_MEMORY)
    yield opened
    opened.close()


def run_of(journal: Journal, steps: str, script: str = "") -> Played:
    """The run of *steps*, at its end."""
    return finished(start_run(book(steps), journal, scripted(script), RunOptions(is_trusted=True)), journal)


def gone_on(journal: Journal, source: Played, script: str = "", **wish: object) -> Played:
    """A fork of *source*, at its end."""
    run, backend = new_fork(journal, source.run.id, **wish), scripted(script)
    backend.catch_up(journal.read(run))
    return finished(resume_run(run, journal, backend), journal)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """A run whose Python has left traces."""
    return run_whole(DATA / "language" / "plain.md", tmp_path_factory.mktemp("plain") / "whole")


# Nothing before the fork is done again


@settings(max_examples=examples(12))
@given(st.randoms(use_true_random=False))
def test_a_random_program_forked_at_a_random_event_goes_on_with_all_that_it_knew(chance: random.Random) -> None:
    assert check_fork(chance) == []


@pytest.mark.parametrize(("name", "count"), [("plain.md", 3), ("nested.md", 4)])
def test_what_python_did_before_a_fork_is_not_done_again(name: str, count: int, tmp_path: Path) -> None:
    whole = run_whole(DATA / "language" / name, tmp_path / "whole")
    for number, cut in enumerate(some_cuts(whole, count)):
        check_cut(whole, cut, tmp_path / str(number), forked)


@pytest.mark.parametrize("choice", InDoubtChoice)
def test_a_call_that_was_under_way_is_in_doubt_and_only_made_again_where_that_is_said(
    choice: InDoubtChoice, whole: Whole, tmp_path: Path
) -> None:
    first = next(event for event in whole.events if event.name == "tool.call")
    played = forked(whole, Cut(first.seq + 1, True, choice), tmp_path / "fork")
    done = (tmp_path / "fork" / "effects").read_text("utf-8").splitlines()
    assert done.count("effect 0 begun") == (2 if choice is InDoubtChoice.AGAIN else 1)
    assert done.count("effect 1 begun") == 1
    assert [body["how"] for body in played.bodies("effect.resolved")] == [choice.value]


def test_a_forked_run_can_be_killed_between_any_two_events(tmp_path: Path) -> None:
    whole = run_whole(DATA / "language" / "nested.md", tmp_path / "whole")
    fork = whole_fork(whole, _quiet(whole.events, 20), tmp_path / "fork")
    begun = next(event.seq for event in fork.events if event.name == "run.forked")
    cuts = [cut for cut in all_cuts(fork) if cut.count > begun]
    for number, cut in enumerate(cuts[:: max(1, len(cuts) // 5) | 1]):
        check_cut(fork, cut, tmp_path / str(number))


def _quiet(events: tuple[object, ...], count: int) -> int:
    """*count*, or the next place behind it at which no call is under way."""
    while any(frame.intents for frame in fold(events[:count]).frames):  # type: ignore[arg-type]
        count += 1
    return count


def test_leave_that_was_given_is_not_leave_for_the_fork(tmp_path: Path) -> None:
    whole = run_whole(DATA / "language" / "leave.md", tmp_path / "whole")
    granted = next(event for event in whole.events if event.name == "approval.granted")
    journal = Journal(tmp_path / "runs.sqlite")
    journal.append(whole.events)
    journal.keep(whole.snapshot.source.encode())
    state = fold(journal.read(new_fork(journal, whole.played.run.id, seq=granted.seq)))
    assert state.intent is not None and state.intent.approval.state is ApprovalState.NEEDED
    later = max(event.seq for event in whole.events if not event.name.startswith("run."))
    assert fold(whole.events[: later + 1]).allowed
    assert not fold(journal.read(new_fork(journal, whole.played.run.id, seq=later))).allowed
    journal.close()


# What is changed counts


def test_a_variable_that_is_set_counts_from_the_fork_on(journal: Journal) -> None:
    source = run_of(journal, SUM)
    played = gone_on(journal, source, step="Main:03", values={"b": 9})
    assert (source.told(), played.told(), played.run.result) == (["small"], ["big"], 9)
    (edited,) = played.bodies("state.edited")
    assert (edited["name"], edited["new"]) == ("b", 9) and edited["by"]
    (forked_,) = played.bodies("run.forked")
    assert (forked_["source"], forked_["edited"]) == (source.run.id, ["b"])


def test_a_local_variable_is_set_where_it_is_known(journal: Journal) -> None:
    source = run_of(journal, "- n = 1\n- Return n\n")
    assert gone_on(journal, source, step="Main:02", values={"n": 5}).run.result == 5


def test_a_variable_of_a_caller_can_be_set_by_its_frame(journal: Journal) -> None:
    source = run_of(journal, "- n = 1\n- Sub()\n- Return n\n\n## Sub\n### Steps\n- $x = 1\n")
    entered = next(event for event in source.events if event.name == "playbook.entered")
    edit = EditVariable("n", Scope.LOCAL, "Book", entered.span, 7)
    assert gone_on(journal, source, step="Sub:01", edits=(edit,)).run.result == 7


def test_a_step_in_a_loop_is_begun_from_where_it_was_entered_last(journal: Journal) -> None:
    source = run_of(journal, "- $sum = 0\n- For each $n in [1, 2, 3]\n  - $sum = $sum + $n\n- Return $sum\n")
    assert source.run.result == 6
    assert gone_on(journal, source, step="Main:02.01", values={"sum": 100}).run.result == 103


def test_another_answer_can_be_given_in_a_fork(journal: Journal) -> None:
    steps = '- Ask user for $name\n- Tell user "Hi {$name}"\n'
    answers = "answers:\n- {{step: 'Main:01', values: {{name: {}}}}}\n"
    source = run_of(journal, steps, answers.format("Ann"))
    assert gone_on(journal, source, answers.format("Bob"), step="Main:01").told() == ["Hi Bob"]


# From where


def test_a_failed_run_is_forked_before_its_last_step(journal: Journal) -> None:
    source = run_of(journal, "- $n = 0\n- $half = 10 / $n\n- Return $half\n")
    assert source.state.status is RunStatus.FAILED
    assert gone_on(journal, source, values={"n": 2}).run.result == 5


def test_a_paused_run_and_one_that_goes_on_can_be_forked(journal: Journal) -> None:
    run = begin("- Ask user for $a\n- Return $a\n", journal, PersonBackend())
    wait_for(run, "input.asked")
    fork = new_fork(journal, run.id)
    assert [event.name for event in journal.read(fork)][-1] == "run.forked"
    run.leave()
    assert run.wait(PATIENCE_S)
    again = resume_run(new_fork(journal, run.id), journal, scripted("answers:\n- {step: 'Main:01', values: {a: 3}}\n"))
    assert again.wait(PATIENCE_S) and again.result == 3


def test_a_stopped_run_can_be_forked(journal: Journal) -> None:
    run = begin("- Ask user for $a\n- Return $a\n", journal, PersonBackend())
    wait_for(run, "input.asked")
    run.stop()
    assert run.wait(PATIENCE_S) and run.state.status is RunStatus.CANCELLED
    again = resume_run(new_fork(journal, run.id), journal, scripted("answers:\n- {step: 'Main:01', values: {a: 3}}\n"))
    assert again.wait(PATIENCE_S) and again.result == 3


def test_a_fork_can_be_forked(journal: Journal) -> None:
    first = gone_on(journal, run_of(journal, SUM), step="Main:03", values={"b": 9})
    second = gone_on(journal, first, step="Main:03", values={"b": 3})
    assert second.told() == ["small"] and len(second.bodies("run.forked")) == 2
    assert journal.runs()[0].fork == ForkedFrom(first.run.id, 11)


@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        ({"seq": 400}, "There is no event 400"),
        ({"seq": -1}, "There is no event -1"),
        ({"step": "Main:09"}, "never came to step Main:09"),
        ({"seq": 1, "values": {"a": 2}}, "No playbook has begun"),
    ],
)
def test_it_is_said_why_a_run_cannot_be_forked(wish: dict[str, object], reason: str, journal: Journal) -> None:
    source = run_of(journal, SUM)
    with pytest.raises(CannotFork, match=reason):
        new_fork(journal, source.run.id, **wish)
    assert len(journal.runs()) == 1


def test_the_end_of_a_run_cannot_be_forked(journal: Journal) -> None:
    source = run_of(journal, SUM)
    with pytest.raises(CannotFork, match="has ended with event"):
        new_fork(journal, source.run.id, seq=source.events[-1].seq)


# From a step, with typed values

NESTED = """- $a = 1
- If $a == 1
  - Tell user "x {$a}"
  - Tell user "y {$a}"
- For each $n in [1, 2]
  - $a = $a + $n
- Sub($a)
- Return $a

## Sub($v)
### Steps
- $w = $v
- Return $w
"""


def begun_at(journal: Journal, step: str, **values: object) -> Played:
    """A run of ``NESTED`` that begins at *step* with *values*, at its end."""
    options = RunOptions(playbook=step.partition(":")[0], arguments=values)
    run = begin_at(book(NESTED), journal, options, step)
    return finished(resume_run(run, journal, scripted("")), journal)


@pytest.mark.parametrize(
    ("step", "values", "result", "entered"),
    [
        ("Main:02.02", {"a": 7}, 10, ["Main:02", "Main:02.02", "Main:03", "Main:03.01", "Main:03.01", "Main:04"]),
        ("Main:05", {"a": 7}, 7, ["Main:05"]),
        ("Sub:02", {"v": 1, "w": 4}, 4, ["Sub:02"]),
    ],
)
def test_a_run_begins_at_a_step_with_typed_values(
    step: str, values: dict[str, object], result: object, entered: list[str], journal: Journal
) -> None:
    played = begun_at(journal, step, **values)
    assert (played.run.result, [one for one in played.steps() if not one.startswith("Sub") or step == one][:6]) == (
        result,
        entered,
    )
    assert check_chain(journal, played.run.id).is_sound
    assert journal.runs()[0].fork == ForkedFrom(RunId(""), played.bodies("run.forked")[0]["seq"])


@pytest.mark.parametrize(
    ("step", "reason"), [("Main:03.01", "stands in the loop Main:03"), ("Main:09", "There is no step Main:09")]
)
def test_it_is_said_where_a_run_cannot_begin(step: str, reason: str, journal: Journal) -> None:
    with pytest.raises(CannotFork, match=reason):
        begun_at(journal, step, a=1)
    assert journal.runs() == ()


# What the plan says


def test_a_plan_says_what_is_done_what_is_in_doubt_and_what_may_happen_twice(whole: Whole, journal: Journal) -> None:
    journal.append(whole.events)
    journal.keep(whole.snapshot.source.encode())
    call = next(event for event in whole.events if event.name == "tool.call")
    plan = plan_fork(journal, ForkWish(whole.played.run.id, call.seq))
    assert plan.kept == ("Main:01",)
    assert [(each.tool, each.arguments, each.gave) for each in plan.open_calls] == [("effect", {"1": 0}, (0,))]
    assert [each.tool for each in plan.later_calls] == ["effect"] * 6
    assert len(journal.runs()) == 1


# Everybody who reads runs goes on working


def test_a_fork_is_checked_exported_and_listed_like_any_run(journal: Journal) -> None:
    source = run_of(journal, SUM)
    before = journal.read(source.run.id)
    played = gone_on(journal, source, step="Main:03", values={"b": 9})
    assert journal.check(played.run.id) == played.events and journal.read(source.run.id) == before
    assert check_chain(journal, played.run.id).is_sound and check_chain(journal, source.run.id).is_sound
    assert len(list(json_lines(played.events))) == len(played.events)
    assert '"playbook.fork.seq"' in otlp_text(played.events, contents=True)
    assert fold(played.events) == played.state
    newest, oldest = journal.runs()
    assert (newest.id, newest.fork, oldest.fork) == (played.run.id, ForkedFrom(source.run.id, 8), None)
    assert newest.started_ns > oldest.started_ns and newest.status is RunStatus.COMPLETED


def test_a_fork_that_somebody_hangs_elsewhere_in_the_tree_is_found_out(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    played = gone_on(journal, run_of(journal, SUM), step="Main:03")
    journal._execute("UPDATE fork SET source=?", ("another",))
    assert any("fork" in fault for fault in check_chain(journal, played.run.id).faults)
    journal.close()


def test_a_fork_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    plan = plan_fork(journal, ForkWish(run_of(journal, SUM).run.id))
    journal._execute(
        "CREATE TRIGGER full BEFORE INSERT ON event WHEN NEW.seq=5 BEGIN SELECT RAISE(ABORT, 'x'); END", ()
    )
    with pytest.raises(StoreFailed):
        fork_run(journal, plan)
    assert len(journal.runs()) == 1
    journal.close()
