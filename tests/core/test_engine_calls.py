"""The tool calls of a run, as patterns are learned from them."""

from __future__ import annotations

from pathlib import Path

from tests.core.engine_driver import play
from workbench.engine.journal.codec import decoded
from workbench.engine.journal.events import RunEvent, RunId
from workbench.planning.lessons import calls_of


def test_calls_are_listed_in_order_with_how_they_ended(tmp_path: Path) -> None:
    played = play("- $a = One()\n- $b = Two()\n- $c = One()\n", tmp_path, "tools: {One: [1], Two: 2}")
    calls = calls_of(played.events)
    assert [(call.name, call.is_ok, call.step) for call in calls] == [
        ("One", True, "Main:01"),
        ("Two", True, "Main:02"),
        ("One", False, "Main:03"),
    ]
    assert "have been used" in calls[2].error
    assert all(call.ended_ns >= call.started_ns for call in calls)


def _event(seq: int, type_: str, **body: object) -> RunEvent:
    return RunEvent(RunId("r"), seq, decoded(type_, body), seq, seq, span="s1", step="Main:01")


def test_a_call_that_never_ended_is_not_a_success() -> None:
    (call,) = calls_of([_event(0, "tool.call", tool="send")])
    assert (call.is_ok, call.ended_ns) == (False, 0)


def test_a_call_in_doubt_counts_as_it_was_decided() -> None:
    begun = _event(0, "tool.call", tool="send")
    assert calls_of([begun, _event(1, "effect.resolved", how="done")])[0].is_ok
    assert not calls_of([begun, _event(1, "effect.resolved", how="skip")])[0].is_ok
    again = [begun, _event(1, "effect.resolved", how="again"), _event(2, "effect.result", value=1)]
    assert calls_of(again)[0].is_ok
