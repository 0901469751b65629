"""What the events of a run say in words: each of them something, or nothing on purpose."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.test_event_codec import _KINDS, _bodies
from workbench.engine.journal import approval_events as approval
from workbench.engine.journal import model_events as model
from workbench.engine.journal import run_events as run
from workbench.engine.journal import steplist_events as steplist
from workbench.engine.journal import waiting_events as waiting
from workbench.engine.journal.codec import decoded
from workbench.engine.journal.events import RunEvent, RunId
from workbench.event_words import _RULES, described
from workbench.i18n import use_language

SAYS_IT_ALL = {
    run.RunStarted, run.RunResumed, run.RunCancelling, run.RunCancelled, steplist.PlanAdopted,
    approval.ApprovedCallBegun, waiting.ConversationEnded, waiting.WaitOver, model.CommandOver,
}  # fmt: skip
"""The events whose name says enough."""


def event(name: str, body: dict[str, object]) -> RunEvent:
    """An event of the type *name*."""
    return RunEvent(RunId("r"), 1, decoded(name, body), 1, 1, "s")


def test_every_event_has_words_or_a_name_that_says_it_all() -> None:
    assert {*_KINDS.values()} - _RULES.keys() == SAYS_IT_ALL


@pytest.mark.parametrize("name", _KINDS)
@settings(max_examples=examples(4))
@given(data=st.data())
def test_whatever_an_event_holds_it_has_words(name: str, data: st.DataObject) -> None:
    assert "\n" not in described(event(name, data.draw(_bodies(_KINDS[name]))))


def test_what_became_of_a_step_and_a_call_is_told_in_the_language_of_the_person() -> None:
    use_language("de")
    events = [event("step.exited", {"status": "skipped"}), event("effect.resolved", {"how": "done"})]
    told = [described(one) for one in events]
    use_language("en")
    assert told == ["übersprungen", "er wurde ausgeführt"]
