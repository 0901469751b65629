"""What the conversation tells of the events of a run."""

from __future__ import annotations

from workbench.engine.journal.codec import decoded
from workbench.engine.journal.events import RunEvent, RunId
from workbench.gui.runs.card import CardKind, answer_text
from workbench.gui.runs.cards import MOST_CARDS, SPARE_CARDS, CardFold, call_text
from workbench.gui.words.values import value_text
from workbench.model.meaning import StepKind


def fold() -> CardFold:
    """A fold for which every step is a decision."""
    return CardFold(lambda _address, _seq: (StepKind.DECISION, "If $n > 1"))


def event(type_: str, span: str = "s1", **body: object) -> RunEvent:
    """An event of one step."""
    return RunEvent(RunId("r"), 0, decoded(type_, body), 0, 0, span, step="Main:01")


def told(*events: RunEvent) -> list[tuple[CardKind, str, str]]:
    """Kind, text and outcome of each card."""
    cards = fold()
    for each in events:
        cards.take((each,))
    return [(card.kind, card.text, card.outcome) for card in cards.cards]


def test_a_call_and_what_it_gave_are_one_card() -> None:
    call = event("tool.call", tool="look", positional=["A-1"], named={"full": True})
    assert told(call, event("effect.result", value={"id": 1})) == [
        (CardKind.CALLED, 'look("A-1", full=true)', '{"id": 1}')
    ]


def test_a_call_that_failed_says_why() -> None:
    call = event("tool.call", tool="look", positional=[], named={})
    assert told(call, event("effect.error", message="no such order")) == [(CardKind.FAILED, "look()", "no such order")]


def test_a_failure_is_told_once_however_much_fails_because_of_it() -> None:
    found = told(
        event("tool.call", tool="look", positional=[], named={}),
        event("effect.error", message="no such order"),
        event("step.failed", message="Main:01 (line 5) failed: no such order"),
        event("step.failed", message="Main:01 (line 5) failed: no such order"),
        event("run.failed", message="Main:01 (line 5) failed: no such order"),
    )
    assert found == [(CardKind.FAILED, "look()", "no such order"), (CardKind.FAILED, "Run failed", "")]


def test_the_same_failure_in_the_next_step_is_told_again() -> None:
    failure = event("step.failed", message="no such order")
    assert len(told(failure, event("step.entered"), failure)) == 2


def test_stepping_adds_nothing_of_its_own() -> None:
    step = (event("run.paused"), event("run.resumed"), event("step.entered"))
    assert told(event("run.started"), *step, *step) == [(CardKind.BEGUN, "Run started", "")]


def test_a_run_that_was_interrupted_is_told_to_be_resumed() -> None:
    assert told(event("step.entered"), event("run.resumed")) == [(CardKind.BEGUN, "Run resumed", "")]


def test_what_is_said_of_a_step_and_does_not_hold_is_told_with_the_reason() -> None:
    held, refused = told(
        event("plan.control", tool="skip_step", named={}),
        event("plan.control", tool="skip_step", named={}, refused="Step pay is required."),
    )
    assert held[0] is CardKind.SAID
    assert refused == (CardKind.BLOCKED, "skip_step()", "Step pay is required.")


def test_only_what_changed_is_handed_to_the_view() -> None:
    cards = fold()
    cards.take((event("say.told", text="Hello"), event("tool.call", tool="look")))
    change = cards.take((event("effect.result", value=1),))
    assert change is not None
    assert (change.first, [card.outcome for card in change.cards]) == (1, ["1"])


def test_events_that_say_nothing_to_a_person_change_nothing() -> None:
    assert fold().take((event("step.entered"), event("var.set", name="n", new=1))) is None


def test_an_exact_branch_is_told_and_a_judged_one_only_once() -> None:
    assert told(event("branch.taken", taken=False)) == [(CardKind.BRANCH, "If $n > 1", "no")]
    judged = told(
        event("input.asked", kind="decide", text="n is large"),
        event("input.given", answer={"decision": True, "text": ""}),
        event("branch.taken", taken=True),
    )
    assert [kind for kind, _text, _outcome in judged] == [CardKind.DECIDE, CardKind.ANSWERED]


def test_a_call_in_doubt_and_what_was_decided_are_told() -> None:
    found = told(event("effect.in_doubt", text="pay(5) was begun"), event("effect.resolved", how="again"))
    assert found == [(CardKind.IN_DOUBT, "pay(5) was begun", ""), (CardKind.ANSWERED, "Retried", "")]


def test_answers_read_as_they_were_given() -> None:
    assert answer_text({"values": {"name": "Ada"}, "text": ""}) == 'name = "Ada"'
    assert answer_text({"decision": False, "text": "too late"}) == "No · too late"
    assert answer_text({"values": {}, "text": ""}) == "Done"


def test_long_values_are_cut() -> None:
    assert len(value_text("x" * 10_000)) == 300
    assert call_text("f", (), {}) == "f()"


def test_a_loop_that_never_ends_does_not_fill_the_memory() -> None:
    cards = fold()
    said = 0
    for _batch in range(40):
        cards.take([event("say.told", text=str(said + at)) for at in range(300)])
        said += 300
    assert len(cards.cards) <= MOST_CARDS + SPARE_CARDS
    assert cards.cards[-1].text == str(said - 1)
    first_kept = int(cards.cards[1].text)
    assert f"({first_kept:,})" in cards.cards[0].text


def test_a_call_keeps_its_card_when_older_ones_are_given_up() -> None:
    cards = fold()
    cards.take([event("say.told", text="x") for _at in range(MOST_CARDS + SPARE_CARDS - 1)])
    cards.take([event("tool.call", tool="look"), event("say.told", text="y")])
    cards.take([event("effect.result", value=7)])
    assert cards.cards[-2].outcome == "7"


def test_questions_about_triggers_are_not_told_but_what_fires_is() -> None:
    found = told(
        event("input.asked", "s4", kind="judge", purpose="triggers", text="Which of these?"),
        event("input.given", "s4", answer={"values": {"Calm_T1": True}, "text": ""}),
        event("trigger.fired", "", trigger="Calm:T1", playbook="Calm"),
    )
    assert found == [(CardKind.TRIGGERED, "Calm started", "")]


def test_what_agents_say_and_save_is_told() -> None:
    found = told(
        event("message.sent", **{"from": "Desk", "to": ["Tax:1001"], "text": "How much?"}),
        event("artifact.saved", name="report", summary="All of it"),
        event("say.told", text="Done", target="Ada"),
    )
    assert [text for _kind, text, _outcome in found] == [
        "Desk to Tax:1001: How much?",
        "report · All of it",
        "to Ada: Done",
    ]
