"""A fork that goes on with an edited text: finished steps stay done, and what cannot go on is refused with a reason."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conformance.enforcing import step, steplist
from tests.conftest import PATIENCE_S, examples
from tests.core.engine_driver import Played, book, finished, scripted
from tests.core.forks import check_grown_fork
from tests.core.steplist_cutting import IN_MEMORY, Case, Desk, Doer, World, essence
from tests.core.steplist_driver import text_of
from workbench.engine.audit.chain import check_chain
from workbench.engine.audit.deeds import plan_at_end
from workbench.engine.backends.script import ScriptedWalker
from workbench.engine.enforcement.records import StepStatus
from workbench.engine.forking.forking import fork_run, plan_fork
from workbench.engine.forking.plan import CannotFork, ForkPlan, ForkWish, Lost
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.ports import InDoubtChoice
from workbench.engine.scripts import ScriptedCall as Call
from workbench.engine.starting import resume_run, snapshot_of, start_run
from workbench.engine.state.fold import fold
from workbench.model.kinds import FileKind
from workbench.model.loader.steplist import Playbook
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText

OPTIONS = RunOptions()


@pytest.fixture
def journal() -> Iterator[Journal]:
    """A journal that lasts as long as the test."""
    opened = Journal(IN_MEMORY)
    yield opened
    opened.close()


@settings(max_examples=examples(15))
@given(st.randoms(use_true_random=False))
def test_a_fork_does_all_that_the_run_did_and_what_was_put_into_the_text(chance: random.Random) -> None:
    assert check_grown_fork(chance) == []


PLAIN = '- $a = 1\n- $b = $a + 1\n- Tell user "{$b}"\n- Return $b\n'
LOOP = '- $s = 0\n- For each $x in [1, 2, 3]\n  - $s = $s + $x\n  - Tell user "{$s}"\n- Return $s\n'
BRANCH = '- $a = 1\n- If $a == 1\n  - Tell user "x"\n  - Tell user "y"\n- Otherwise\n  - Tell user "z"\n- Return $a\n'
CALL = "- $a = 1\n- Sub()\n- Return $a\n\n## Sub\n### Steps\n- $a = 2\n- $a = 3\n"


@dataclass(frozen=True, slots=True)
class Case_:
    """A text that is edited (*old* becomes *new*) where the run is before the step *at*.

    *steps*: what the fork enters; *result*: what it gives.
    """

    text: str
    at: str
    old: str
    new: str
    steps: str
    result: object


GOES_ON = {
    "the next step was changed": Case_(PLAIN, "Main:03", 'user "{$b}"', 'user "so: {$b}"', "Main:03 Main:04", 2),
    "a step was put in before what is done": Case_(
        PLAIN, "Main:03", "- $a = 1", "- $z = 1\n- $a = 1", "Main:04 Main:05", 2
    ),
    "a step was put in where the run is": Case_(
        PLAIN, "Main:03", "- Tell", "- $b = 7\n- Tell", "Main:03 Main:04 Main:05", 7
    ),
    "the next step was taken out": Case_(PLAIN, "Main:03", '- Tell user "{$b}"\n', "", "Main:03", 2),
    "a step that is done was changed": Case_(PLAIN, "Main:03", "$a + 1", "$a + 2", "Main:03 Main:04", 2),
    "a step that is done was taken out": Case_(PLAIN, "Main:03", "- $a = 1\n", "", "Main:02 Main:03", 2),
    "a step was put in at the end of a loop": Case_(
        LOOP, "Main:02.02", "- Return", "  - $s = $s * 2\n- Return", "Main:02.02 Main:02.03 Main:03", 12
    ),
    "the rest of a loop was taken out": Case_(LOOP, "Main:02.02", '  - Tell user "{$s}"\n', "", "Main:03", 6),
    "the loop has moved": Case_(LOOP, "Main:02.02", "- $s = 0", "- $q = 1\n- $s = 0", "Main:03.02 Main:04", 6),
    "the condition of a branch that was taken was changed": Case_(
        BRANCH, "Main:02.02", "$a == 1", "$a < 2", "Main:02.02 Main:04", 1
    ),
    "a step was put into a branch": Case_(
        BRANCH, "Main:02.02", '  - Tell user "y"', '  - $a = 5\n  - Tell user "y"', "Main:02.02 Main:02.03 Main:04", 5
    ),
    "a called playbook was changed": Case_(CALL, "Sub:02", "$a = 3", "$a = 30", "Sub:02 Main:03", 30),
    "the call has moved": Case_(CALL, "Sub:02", "- Sub()", "- $k = 1\n- Sub()", "Sub:02 Main:04", 3),
    "the caller goes on otherwise": Case_(CALL, "Sub:02", "- Return $a", "- Return $a * 2", "Sub:02 Main:03", 6),
}


@pytest.mark.parametrize("name", GOES_ON)
def test_a_run_goes_on_with_an_edited_text(name: str, journal: Journal) -> None:
    case = GOES_ON[name]
    source, plan = planned(journal, case.text, case.at, case.old, case.new)
    assert plan.refusals == ()
    run = fork_run(journal, plan)
    played = finished(resume_run(run, journal, scripted("")), journal)
    later = [each.step for each in played.events[plan.seq + 1 :] if each.name == "step.entered"]
    assert (" ".join(dict.fromkeys(later)), played.run.result) == (case.steps, case.result)
    assert plan.next_step == later[0] or case.steps == "Main:03"
    assert check_chain(journal, run).is_sound and check_chain(journal, source.run.id).is_sound
    assert fold(played.events) == played.state
    assert snapshot_of(played.state, journal).text == edited(case.text, case.old, case.new).text


IF = '- If $a == 1\n  - Tell user "x"\n  - Tell user "y"\n- Otherwise\n  - Tell user "z"\n'
SUB = "\n## Sub\n### Steps\n- $a = 2\n- $a = 3\n"
REFUSED = {
    "a loop that is gone through was changed": (LOOP, "Main:02.02", "[1, 2, 3]", "[1, 2]", "Main:02 is under way"),
    "a step around it is gone": (BRANCH, "Main:02.02", IF, "", "Main:02 is under way at this event and is not"),
    "the call that is under way was changed": (CALL, "Sub:02", "- Sub()", "- Sub(1)", "Main:02 is under way"),
    "the playbook is gone": (CALL, "Sub:02", SUB, "", "The playbook Sub is under way"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_text_with_which_a_run_cannot_go_on_is_refused(name: str, journal: Journal) -> None:
    text, at, old, new, reason = REFUSED[name]
    _source, plan = planned(journal, text, at, old, new)
    assert any(reason in refusal for refusal in plan.refusals), plan.refusals
    with pytest.raises(CannotFork, match=reason):
        fork_run(journal, plan)
    assert len(journal.runs()) == 1


def edited(text: str, old: str, new: str) -> Snapshot:
    """The playbook of *text*, in which *new* stands for *old*."""
    assert old in text
    return book(text.replace(old, new, 1))


def planned(journal: Journal, text: str, at: str, old: str, new: str) -> tuple[Played, ForkPlan]:
    """The run of *text*, and the plan of its fork before the step *at* with the edited text."""
    source = finished(start_run(book(text), journal, scripted(""), OPTIONS), journal)
    return source, plan_fork(journal, ForkWish(source.run.id, step=at, text=edited(text, old, new)))


def test_what_is_no_longer_valid_is_named(journal: Journal) -> None:
    changed = PLAIN.replace("- $a = 1\n", "").replace("$a + 1", "$a + 2")
    source = finished(start_run(book(PLAIN), journal, scripted(""), OPTIONS), journal)
    plan = plan_fork(journal, ForkWish(source.run.id, step="Main:03", text=book(changed)))
    assert [(each.step, each.why, each.is_open) for each in plan.lost] == [
        ("Main:01", Lost.GONE, False),
        ("Main:02", Lost.CHANGED, False),
    ]
    assert plan.kept == ()


def test_a_step_that_waits_for_an_answer_must_be_what_it_was(journal: Journal) -> None:
    steps = "- Ask user for $name\n- Return $name\n"
    source = finished(start_run(book(steps), journal, scripted("answers: []"), OPTIONS), journal)
    assert source.run.halt is not None
    other = book(steps.replace("$name", "$title"))
    assert "is another" in plan_fork(journal, ForkWish(source.run.id, text=other)).refusals[0]
    longer = book(f"- $a = 1\n{steps}")
    run = fork_run(journal, plan_fork(journal, ForkWish(source.run.id, text=longer)))
    script = scripted("answers:\n- {step: 'Main:02', values: {name: Ann}}\n")
    assert finished(resume_run(run, journal, script), journal).run.result == "Ann"


def test_a_file_of_another_kind_is_no_other_text(journal: Journal) -> None:
    source = finished(start_run(book(PLAIN), journal, scripted(""), OPTIONS), journal)
    listed = text_of(steplist(step("find", "lookup")))
    (refusal,) = plan_fork(journal, ForkWish(source.run.id, text=listed)).refusals
    assert "another kind" in refusal


TRIGGERS = "- $a = 1\n- $a = 2\n- $a = 3\n- Return $b\n\n## Count\n### Triggers\n- When $a > 1\n### Steps\n- $b = $a\n"


def test_a_trigger_that_has_moved_does_not_fire_again(journal: Journal) -> None:
    moved = TRIGGERS.replace("- When $a > 1\n", "- When $a > 100\n- When $a > 1\n")
    source = finished(start_run(book(TRIGGERS), journal, scripted(""), OPTIONS), journal)
    assert source.run.result == 2
    run = fork_run(journal, plan_fork(journal, ForkWish(source.run.id, step="Main:03", text=book(moved))))
    played = finished(resume_run(run, journal, scripted("")), journal)
    assert played.run.result == 2 and len(played.bodies("trigger.fired")) == 1


PROCEDURE = "# Opening\n\n## Before\n1. Unlock the door\n2. Switch the light on\n\n## After\n1. Count the till\n"


def test_a_chapter_that_was_put_in_is_gone_through(journal: Journal) -> None:
    before = derive(SourceText(PROCEDURE), wanted=FileKind.PROCEDURE)
    text = PROCEDURE.replace("## After", "## Between\n1. Sweep the floor\n\n## After")
    source = finished(start_run(before, journal, scripted("answers: []"), OPTIONS), journal)
    after = derive(SourceText(text), wanted=FileKind.PROCEDURE)
    plan = plan_fork(journal, ForkWish(source.run.id, text=after))
    assert plan.refusals == () and plan.forked.text is not None
    assert [name for _agent, name in plan.forked.text.starts] == ["Before", "Between", "After"]


# Step lists

ORDERS = steplist(step("find", "lookup"), step("check", "policy"), step("pay", "refund"))
CALLS = (Call("lookup", result="found"), Call("policy", result="fine"), Call("refund", result="done"))


def walked(journal: Journal, playbook: Playbook, calls: tuple[Call, ...] = CALLS) -> RunId:
    """A run of *playbook* that *calls* walk."""
    run = start_run(text_of(playbook), journal, ScriptedWalker(calls), OPTIONS)
    assert run.wait(PATIENCE_S)
    return run.id


def forked(journal: Journal, plan: ForkPlan, calls: tuple[Call, ...] = CALLS) -> RunId:
    """The fork of *plan*, walked to its end."""
    run, walker = fork_run(journal, plan), ScriptedWalker(calls)
    walker.catch_up(journal.read(run))
    again = resume_run(run, journal, walker)
    assert again.wait(PATIENCE_S)
    return run


@pytest.mark.parametrize("name", ["calls", "person"])
def test_a_step_list_forked_at_any_event_comes_to_the_same(name: str, journal: Journal) -> None:
    entries = tuple({"action": call.tool, "result": call.result} for call in CALLS)
    case = Case(text_of(ORDERS), lambda: ScriptedWalker(CALLS) if name == "calls" else Desk(entries))
    run = start_run(case.snapshot, journal, case.walker(), OPTIONS)
    assert run.wait(PATIENCE_S) and run.state.status is RunStatus.COMPLETED
    whole = journal.check(run.id)
    for seq in range(len(whole) - 1):
        fork, walker = fork_run(journal, plan_fork(journal, ForkWish(run.id, seq))), case.walker()
        if isinstance(walker, ScriptedWalker):
            walker.catch_up(journal.read(fork))
        again = resume_run(fork, journal, walker)
        assert again.wait(PATIENCE_S)
        assert essence(journal.check(fork)) == essence(whole), (seq, whole[seq].name)


@pytest.mark.parametrize("choice", InDoubtChoice)
def test_a_call_of_a_list_that_was_under_way_is_only_made_again_where_that_is_said(
    choice: InDoubtChoice, journal: Journal
) -> None:
    source = start_run(text_of(ORDERS), journal, Doer(World(), CALLS), OPTIONS)
    assert source.wait(PATIENCE_S)
    call = next(event for event in journal.read(source.id) if event.name == "tool.call")
    run, world = fork_run(journal, plan_fork(journal, ForkWish(source.id, call.seq))), World()
    walker = Doer(world, CALLS)
    walker.catch_up(journal.read(run))
    again = resume_run(run, journal, walker, RunOptions(in_doubt=choice))
    assert again.wait(PATIENCE_S)
    assert ("lookup()" in world.done) is (choice is InDoubtChoice.AGAIN)


def test_a_step_list_goes_on_with_an_edited_list(journal: Journal) -> None:
    source = walked(journal, ORDERS)
    longer = steplist(step("find", "lookup"), step("ask", "mail"), step("check", "policy"), step("pay", "refund"))
    plan = plan_fork(journal, ForkWish(source, step="list:02", text=text_of(longer)))
    assert (plan.refusals, plan.lost, plan.next_step) == ((), (), "list:02")
    calls = (CALLS[0], Call("mail", result="sent"), *CALLS[1:])
    run = forked(journal, plan, calls)
    events = journal.check(run)
    assert fold(events).status is RunStatus.COMPLETED
    ended = plan_at_end(events, journal)
    assert (
        ended is not None
        and [ended.status(each) for each in ("find", "ask", "check", "pay")] == [StepStatus.COMPLETED] * 4
    )
    later = [event for event in events[plan.seq + 1 :] if event.name == "tool.call"]
    assert [event.step for event in later] == ["list:02", "list:03", "list:04"]
    spans = [event.span for event in events if event.name == "step.entered"]
    assert len(spans) == len(set(spans))
    assert check_chain(journal, run).is_sound


def test_what_is_no_longer_valid_in_a_list_is_named_or_refused(journal: Journal) -> None:
    source = walked(journal, ORDERS)
    other = steplist(step("look", "lookup"), step("check", "policy"), step("pay", "refund"))
    plan = plan_fork(journal, ForkWish(source, step="list:02", text=text_of(other)))
    assert [(each.step, each.why) for each in plan.lost] == [("list:01", Lost.GONE)]
    call = next(event for event in journal.read(source) if event.name == "tool.call")
    (refusal,) = plan_fork(journal, ForkWish(source, call.seq, text=text_of(other))).refusals
    assert "list:01 is under way" in refusal
