"""From a goal to a playbook: stage by stage, judged by scripts and models, cut off anywhere, repeated and edited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from threading import Event

import pytest

from tests.conftest import PATIENCE_S, is_thorough
from tests.core.cycle_driver import PLAN, REFUND, RIGHT, WRONG, cycled, decides, done, says, scripted, told
from tests.core.model_driver import MODEL, FakeModel, data, options
from tests.core.steplist_cutting import IN_MEMORY
from workbench.engine.backends.person import NobodyBackend
from workbench.engine.forking.forking import plan_fork
from workbench.engine.forking.plan import CannotFork, ForkWish
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.starting import resume_run
from workbench.errors import InputNeeded, RunFailed
from workbench.event_words import described
from workbench.planning.cycle import Means, NoHands, Seed, begin, cycle_of, resume, seed_from, text_of
from workbench.planning.plan import plan_from_json
from workbench.planning.request import PersonalNote, Review
from workbench.planning.stages import CycleFold, Stage, text_of_cycle

_FREE = replace(REFUND, is_free=True)
_STORY = (says(1, plan={}), says(1, plan=PLAN), says(2, text=WRONG), says(3, text=RIGHT), decides(True))


def stages(events: Sequence[RunEvent]) -> list[str]:
    """What happened in the stages, in order."""
    return [event.name.removeprefix("cycle.") for event in events if event.name.startswith("cycle.")]


def test_a_goal_becomes_a_playbook_and_the_journal_tells_how() -> None:
    run, events = cycled(_FREE, _STORY)
    assert run.result == RIGHT
    made = ["sent_back", "planned", "generated", "checked", "generated", "checked", "observed", "reviewed", "compiled"]
    assert stages(events) == made
    first, second = told(events, "cycle.checked")
    assert [each["code"] for each in first["problems"] if each["severity"] == "error"] == [
        "unknown-call",
        "missing-argument",
        "unknown-argument",
    ]
    assert (first["problems"][0]["line"], first["round"], second["round"]) == (7, 1, 0)
    assert [event.step for event in events if event.name == "step.exited"] == [stage.address for stage in Stage]
    assert all(described(event) for event in events if event.name.startswith("cycle."))


def test_a_plan_that_says_all_is_written_by_rule_and_asks_nobody() -> None:
    means = Means(seed=Seed(plan_from_json(PLAN)))
    run, events = cycled(replace(REFUND, review=Review.RULES), (), means=means)
    assert "  - PayBack(amount=5, id=$order)\n- Otherwise\n" in str(run.result)
    assert told(events, "input.asked") == [] and told(events, "cycle.planned")[0]["by"] == "form"


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ([says(1, plan={"title": number}) for number in range(4)], "must be a text"),
        ([says(1, plan=PLAN), says(2, text=WRONG), *[says(3, text=WRONG)] * 4], "LodOrder"),
        ([says(1, plan=PLAN), says(2, text=RIGHT), decides(False)], "not accepted"),
    ],
)
def test_what_does_not_get_right_in_three_rounds_ends_with_everything_kept(answers: list[object], reason: str) -> None:
    run, events = cycled(_FREE, answers)  # type: ignore[arg-type]  # made above
    assert reason in run.state.error
    assert len(told(events, "cycle.sent_back")) in (0, 3) and len(told(events, "cycle.checked")) in (0, 1, 4)
    at = cycle_of(run_journal(events), run.id)
    assert bool(at.plan) is (len(answers) != 4) and at.text in ("", WRONG, RIGHT)


def essence(events: Sequence[RunEvent]) -> list[object]:
    """What *events* tell, but for what a cycle that was cut off may ask once more."""
    again = {"run.resumed", "run.paused", "input.asked"}
    bodies = [(each.name, dict(encoded(each.payload))) for each in events if each.name not in again]
    return [(name, {key: value for key, value in body.items() if key != "request"}) for name, body in bodies]


def run_journal(events: Sequence[RunEvent]) -> Journal:
    """A journal that holds *events* and the text of their cycle, as a process leaves it that was killed there."""
    journal = Journal(IN_MEMORY)
    journal.keep(text_of_cycle(REFUND.goal).encode())
    journal.append(events)
    return journal


def test_a_review_that_says_why_not_has_it_corrected_and_checked_again() -> None:
    short = RIGHT.replace("- PayBack(id=$order)\n", "")
    answers = (says(1, plan=PLAN), says(2, text=short), decides(False, "nothing is paid"), says(4, text=RIGHT))
    run, events = cycled(_FREE, (*answers, decides(True)))
    assert run.result == RIGHT and stages(events).count("checked") == 2
    assert told(events, "cycle.observed")[0]["verdicts"] == [
        {"step": "Main:01", "is_fine": True, "reason": ""},
        {"step": "", "is_fine": False, "reason": "The plan wants PayBack called, and no step does it."},
    ]
    assert "PayBack called" in told(events, "input.asked")[2]["text"]


def test_a_yes_with_another_text_has_that_checked_and_reviewed_first() -> None:
    mine, wrong = RIGHT.replace("# Refund", "# My refund"), WRONG.replace("# Refund", "# My refund")
    answers = (says(1, plan=PLAN), says(2, text=RIGHT), decides(True, wrong), says(3, text=mine), decides(True, "fine"))
    run, events = cycled(_FREE, answers)
    assert run.result == mine
    assert [each["round"] for each in told(events, "cycle.checked")] == [0, 1, 0]
    assert [each["is_accepted"] for each in told(events, "cycle.reviewed")] == [True]


def test_a_cycle_that_is_cut_off_after_any_event_goes_on_to_the_same_end() -> None:
    _run, whole = cycled(_FREE, _STORY)
    usual = essence(whole)
    for cut in range(1, len(whole) - 1, 1 if is_thorough() else 3):
        journal, backend = run_journal(whole[:cut]), scripted(*_STORY)
        backend.catch_up(whole[:cut])
        resumed = done(resume(whole[0].run, journal, backend))
        assert resumed.result == RIGHT, whole[cut]
        assert essence(journal.check(resumed.id)) == usual, whole[cut]


def test_a_cycle_without_anybody_to_ask_waits_and_is_gone_on_with() -> None:
    journal = Journal(IN_MEMORY)
    waiting = done(begin(REFUND, journal, NobodyBackend()))
    assert isinstance(waiting.halt, InputNeeded)
    with pytest.raises(RunFailed, match="generate --resume"):
        resume_run(waiting.id, journal, NobodyBackend())
    with pytest.raises(CannotFork, match="Generate it once more"):
        plan_fork(journal, ForkWish(waiting.id))
    assert done(resume(waiting.id, journal, scripted(says(1, plan=PLAN), decides(True)))).result


def test_a_cycle_that_a_person_has_stopped_is_gone_on_with() -> None:
    class Stopping(NoHands):
        begun, stopped = Event(), Event()

        def store(self, made: CycleFold) -> None:
            self.begun.set()
            assert self.stopped.wait(PATIENCE_S)

    journal, hands = Journal(IN_MEMORY), Stopping()
    run = begin(REFUND, journal, scripted(says(1, plan=PLAN), decides(True)), Means(hands))
    assert hands.begun.wait(PATIENCE_S)
    run.stop()
    hands.stopped.set()
    assert done(run).state.status is RunStatus.CANCELLED
    assert done(resume(run.id, journal, scripted())).state.status is RunStatus.COMPLETED
    assert stages(journal.check(run.id)).count("generated") == 1


def test_a_stage_is_done_once_more_with_what_a_person_has_changed() -> None:
    journal = Journal(IN_MEMORY)
    run, _events = cycled(_FREE, _STORY, journal)
    request, seed = seed_from(journal, run.id, Stage.CHECK)
    changed = RIGHT.replace("# Refund", "# Refunds")
    means = Means(seed=replace(seed, text=changed))
    other, events = cycled(request, (decides(True),), journal, means)
    assert text_of(journal, other.id) == changed and told(events, "cycle.generated")[0]["by"] == "person"
    assert text_of(journal, run.id) == RIGHT


def test_a_model_plans_and_is_told_what_can_be_called_what_is_liked_and_what_was_wrong() -> None:
    steps = [{"intent": "x", "call": "Delete"}]
    model = FakeModel([data(plan={**PLAN, "steps": steps}), data(plan=PLAN), data(reason="fine", decision=True)])
    noted = replace(REFUND, notes=(PersonalNote("n1", "Amounts are in euros"),))
    journal = Journal(IN_MEMORY)
    run = done(begin(noted, journal, NobodyBackend(), Means(options=options(model))))
    assert "PayBack" in str(run.result) and run.state.used.requests == 3
    planning, correcting, _reviewing = ("\n".join(each.text for each in sent.messages) for sent in model.sent)
    assert "LoadOrder(id): loads an order" in planning and "Amounts are in euros" in planning
    assert "There is nothing to call named Delete" in correcting


def test_an_observer_says_of_each_step_what_it_thinks_before_anything_is_carried_out() -> None:
    verdicts = {"Main:01": "ok", "Main:02": "It pays before anybody has said so."}
    model = FakeModel([data(plan=PLAN), data(verdicts=verdicts)])
    watched = replace(REFUND, has_observer=True, review=Review.RULES)
    run = done(begin(watched, Journal(IN_MEMORY), NobodyBackend(), Means(options=options(model, MODEL))))
    assert "nothing left to say" in str(run.halt)
    sent = "\n".join(each.text for each in model.sent[-1].messages)
    assert "Main:02 It pays before anybody has said so." in sent
