"""A recorded run, carried out once more without the world, comes out as it was recorded: runs of every kind."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import DATA, PATIENCE_S
from tests.core import model_cutting, steplist_cutting
from tests.core.cutting import Whole, all_cuts, resumed, run_whole
from tests.core.engine_driver import Played, begin, book, play, scripted, wait_for
from tests.core.model_driver import FakeModel, judge, options
from tests.core.programs import PROGRAMS, expected, read, run
from tests.core.steplist_cutting import IN_MEMORY
from tests.core.steplist_driver import text_of
from tests.core.test_debugging import Session
from tests.core.test_judging_cuts import CASES
from tests.core.test_steplist_cuts import CHECKED, ENDS_IN_WORDS, ENTRIES, SAID, SCRIPTS, STRICT
from workbench.engine.backends.python_host import PythonHost
from workbench.engine.backends.script import ScriptedWalker
from workbench.engine.debugging.breakpoints import parse_breakpoint
from workbench.engine.journal.choices import Scope
from workbench.engine.journal.codec import _TYPES
from workbench.engine.journal.debug_events import StateEdited
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.fork_events import MovedFrame, OtherText, RunForked
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import RunCancelled, RunPaused, Told
from workbench.engine.journal.waiting_events import TimerDue
from workbench.engine.options import RunOptions
from workbench.engine.ports import InDoubtChoice
from workbench.engine.replaying.recording import TOLD, NotKept, Recording, Today
from workbench.engine.replaying.replay import Replay, replay, replay_recording
from workbench.engine.running.controls import EditVariable, SkipStep
from workbench.engine.starting import resume_run
from workbench.engine.state.fold import fold
from workbench.errors import ModelFailed, StoreFailed
from workbench.model.loader.steplist import Playbook
from workbench.syntax.text import SourceText


def kept(*contents: bytes) -> NotKept:
    """What keeps *contents*."""
    texts = NotKept()
    for content in contents:
        texts.keep(content)
    return texts


def check_same(found: Replay) -> None:
    """Hold that nothing came out otherwise, down to the last event."""
    assert found.divergence is None
    assert len(found.events) == found.count


def check_replays(events: Sequence[RunEvent], texts: NotKept) -> None:
    """Hold that the run of *events* comes out the same, on its own text and on the same one as a text of today."""
    recording = Recording(tuple(events), texts)
    check_same(replay_recording(recording))
    source = SourceText.decode(texts.kept(recording.origin.pb_hash))
    check_same(replay_recording(recording, Today(source)))


def check_played(played: Played, folder: Path) -> None:
    """The same of a run that lies in the journal of *folder*."""
    journal = Journal(folder / "runs.sqlite")
    source = SourceText.decode(journal.kept(played.state.origin.pb_hash))
    check_same(replay(journal, RunId(played.run.id)))
    check_same(replay(journal, RunId(played.run.id), Today(source, str(folder / "book.md"))))
    journal.close()


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda file: file.stem)
def test_every_program_comes_out_as_it_was_recorded(file: Path, tmp_path: Path) -> None:
    played = run(file, read(file).snapshot, tmp_path, expected(file).arguments)
    check_played(played, tmp_path)


@pytest.mark.parametrize(
    ("name", "cuts"),
    [
        ("nested", 2),
        ("prose-calls", 1),
        ("leave", 2),
        ("commands", 2),
        ("help-desk", 1),
        ("agency", 1),
        ("inner-calls", 1),
        ("market-stall", 1),
    ],
)
def test_runs_with_calls_leave_commands_messages_timers_and_meetings_come_out_so_and_where_they_were_cut_off(
    name: str, cuts: int, tmp_path: Path
) -> None:
    whole = run_whole(DATA / "language" / f"{name}.md", tmp_path / "whole")
    check_whole(whole, whole.played)
    chosen = all_cuts(whole)
    for cut in chosen[len(chosen) // 2 :: len(chosen) // 3][:cuts]:
        check_whole(whole, resumed(whole, cut, tmp_path / str(cut.count)))


def check_whole(whole: Whole, played: Played) -> None:
    """Hold that *played*, a run of *whole*, comes out the same."""
    check_replays(played.events, kept(whole.snapshot.source.encode(), *whole.linked))


@pytest.mark.parametrize("name", CASES)
def test_runs_that_models_judge_come_out_so_without_a_model(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = model_cutting.whole(CASES[name], monkeypatch)
    check_replays(whole.events, kept(*whole.kept))
    for count in range(1, len(whole.events), max(2, len(whole.events) // 3)):
        events, _shop, _model = model_cutting.resumed(whole, count, InDoubtChoice.AGAIN, monkeypatch)
        check_replays(events, kept(*whole.kept))


@pytest.mark.parametrize("name", SCRIPTS)
def test_step_lists_that_a_script_walks_come_out_so(name: str) -> None:
    playbook, calls = SCRIPTS[name]
    case = steplist_cutting.Case(text_of(playbook), lambda: ScriptedWalker(calls))
    check_list(case)


@pytest.mark.parametrize(("playbook", "entries"), [(CHECKED, ENTRIES), (ENDS_IN_WORDS, SAID)])
def test_step_lists_that_a_person_walks_come_out_so(
    playbook: Playbook, entries: Sequence[Mapping[str, object]]
) -> None:
    check_list(steplist_cutting.Case(text_of(playbook), lambda: steplist_cutting.Desk(entries)))


def test_step_lists_whose_tools_do_something_come_out_so() -> None:
    world = steplist_cutting.World()
    calls = steplist_cutting.script_for(STRICT)
    check_list(steplist_cutting.Case(text_of(STRICT), lambda: steplist_cutting.Doer(world, calls)))


def check_list(case: steplist_cutting.Case) -> None:
    """Hold that the run of *case* comes out the same, and so where it was cut off and gone on with."""
    whole = steplist_cutting.whole(case)
    check_replays(whole.events, kept(*whole.kept))
    for count in range(2, len(whole.events), max(2, len(whole.events) // 3)):
        events = steplist_cutting.resumed(whole, count, case.walker(), RunOptions(in_doubt=InDoubtChoice.AGAIN))
        check_replays(events, kept(*whole.kept))


@pytest.mark.parametrize(
    "steps",
    [
        "- $a = 1 / 0\n",
        "- Look up the order\n- Return $nothing\n",
        "- $n:int = 5\n- $m = New($n)\n",
        "- While 1 < 2\n  - $n = 1\n",
    ],
)
def test_a_run_that_failed_comes_out_so(steps: str, tmp_path: Path) -> None:
    script = "answers: [{values: {result: 3}}]"
    played = play(steps, tmp_path, script, RunOptions(max_steps=300))
    check_played(played, tmp_path)


def test_a_run_that_was_paused_stepped_and_cancelled_comes_out_so(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    steps = book('- Tell user "a"\n- Tell user "b"\n- Tell user "c"\n')
    run = begin(steps, journal, scripted(""), RunOptions(start_paused=True))
    wait_for(run, "run.paused")
    run.step()
    wait_for(run, "run.paused")
    run.stop()
    assert run.wait(PATIENCE_S)
    events = journal.check(RunId(run.id))
    journal.close()
    assert {RunPaused, RunCancelled} <= {type(event.payload) for event in events}
    check_played(Played(run, events), tmp_path)


def test_a_run_that_somebody_stopped_changed_and_skipped_a_step_of_comes_out_so(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    options = RunOptions(
        breakpoints=(parse_breakpoint("Main:02"), replace(parse_breakpoint("Main:03"), log="n is {$n}"))
    )
    run = begin(book("- $n = 1\n- $n = 2\n- $n = $n + 1\n- Return $n\n"), journal, scripted(""), options)
    session = Session(run)
    session.stop()
    run.controls.order(EditVariable("n", Scope.STATE, "Book", "", 5))
    run.controls.order(SkipStep())
    session.go()
    session.go()
    assert run.wait(PATIENCE_S)
    events = journal.check(RunId(run.id))
    journal.close()
    assert {"bp.hit", "bp.logged", "state.edited"} <= {event.name for event in events}
    assert run.result == 6
    check_played(Played(run, events), tmp_path)


def test_a_fork_that_goes_on_with_another_text_comes_out_so(tmp_path: Path) -> None:
    old, new = '- $a = 1\n- Tell user "old"\n', '- $a = 1\n- $b = 2\n- Tell user "new {$a}"\n- Return $a\n'
    before = play(old, tmp_path / "old").events
    seq = next(each.seq for each in before if each.name == "step.entered" and each.step == "Main:02")
    there = play(new, tmp_path / "new")
    at = next(each.seq for each in there.events if each.name == "step.entered" and each.step == "Main:03")
    frame = fold(there.events[:at]).frames[0]
    journal, text = Journal(IN_MEMORY), book(new).source.encode()
    names = [journal.keep(each) for each in (book(old).source.encode(), text)]
    moved = OtherText(starts=(("Book", "Main"),), moved=(MovedFrame(frame.span, frame.pc),))
    run = RunId(before[0].run)
    forked = RunForked("other", seq - 1, names[0], names[1], text=moved)
    journal.append((*before[:seq], replace(before[seq], payload=forked, span="", parent="", step="", line=0)))
    assert resume_run(run, journal, scripted("")).wait(PATIENCE_S)
    recording = Recording(journal.check(run), journal)
    check_same(replay_recording(recording))
    assert [each.payload.text for each in recording.events if isinstance(each.payload, Told)] == ["new 1"]
    found = replay_recording(recording, Today(SourceText.decode(text)))
    assert found.divergence is not None
    assert found.divergence.recorded.seq > seq
    journal.close()


def test_a_run_that_begins_at_a_step_comes_out_so_on_its_own_text_alone(tmp_path: Path) -> None:
    events = play('- $a = 1\n- Tell user "{$a}"\n', tmp_path).events
    seq = next(each.seq for each in events if each.name == "step.entered" and each.step == "Main:02")
    journal, run = Journal(IN_MEMORY), RunId(events[0].run)
    name = journal.keep(book('- $a = 1\n- Tell user "{$a}"\n').source.encode())
    edited = StateEdited("a", Scope.STATE, "Book", "", None, 7)
    made = [each for each in events[:seq] if each.name != "var.set"]
    told = [*made, *(replace(events[seq], payload=each) for each in (RunForked("", 0, name, name), edited))]
    plain = [replace(each, seq=at) for at, each in enumerate(told)]
    journal.append(plain)
    assert resume_run(run, journal, scripted("")).wait(PATIENCE_S)
    recording = Recording(journal.check(run), journal)
    check_same(replay_recording(recording))
    source = SourceText.decode(journal.kept(name))
    journal.close()
    found = replay_recording(recording, Today(source)).divergence
    assert found is not None
    assert "only be replayed" in found.problem


def test_a_model_that_could_not_be_reached_is_not_needed_either(tmp_path: Path) -> None:
    model = FakeModel([ModelFailed("no network")])
    played = judge("- Water the plants\n- Return 1\n", tmp_path, model, options(model))
    assert played.events[-1].name == "run.paused"
    check_played(played, tmp_path)


def test_timers_go_off_at_the_times_of_the_record(tmp_path: Path) -> None:
    file = PROGRAMS[[each.stem for each in PROGRAMS].index("oven")]
    program = read(file).snapshot
    events = run(file, program, tmp_path, expected(file).arguments).events
    found = replay_recording(Recording(events, kept(program.source.encode())))
    due = [(one.at_ns, one.payload) for one in events if isinstance(one.payload, TimerDue)]
    assert due
    assert [(one.at_ns, one.payload) for one in found.events if isinstance(one.payload, TimerDue)] == due


def test_nothing_is_carried_out_in_a_replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run_whole(DATA / "language" / "nested.md", tmp_path)
    done = (tmp_path / "effects").read_bytes()

    def forbidden(*_given: object, **_named: object) -> None:
        raise AssertionError("a replay starts nothing")

    monkeypatch.setattr(subprocess, "Popen", forbidden)
    monkeypatch.setattr(PythonHost, "call", forbidden)
    check_whole(whole, whole.played)
    assert (tmp_path / "effects").read_bytes() == done


def test_what_a_secret_was_is_taken_from_where_the_record_has_it(tmp_path: Path) -> None:
    text = (
        "# B\n## Main\n### Steps\n- Ask user for $password\n- Check($password)\n"
        '## Check($word)\n### Steps\n- $n = len($word)\n- Tell user "{$n}"\n'
    )
    played = play(book("", text), tmp_path, 'answers: [{values: {password: "Blue-Lamp-77"}}]')
    assert played.told() == ["12"]
    check_played(played, tmp_path)


def test_a_run_whose_text_is_lost_cannot_be_replayed(tmp_path: Path) -> None:
    played = play("- Return 1\n", tmp_path)
    with pytest.raises(StoreFailed, match="not kept"):
        replay_recording(Recording(played.events, NotKept()))


def test_only_what_the_world_does_is_taken_as_it_was_told() -> None:
    told = sorted(name for name, kind in _TYPES.items() if kind in TOLD)
    assert told == [
        "answer.held",
        "answer.recalled",
        "approval.asked",
        "approval.denied",
        "approval.expired",
        "approval.granted",
        "approval.used",
        "bp.hit",
        "bp.logged",
        "effect.held",
        "effect.in_doubt",
        "model.said",
        "run.cancelled",
        "run.cancelling",
        "run.created",
        "run.forked",
        "run.judges",
        "run.paused",
        "run.resumed",
        "state.edited",
        "tool.output",
    ]
