"""Graphs: what leads to what, what is wrong in them, and that no edit leaves a name behind that leads nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from workbench.editing.commands import DeleteSteps, Refusal, SetStepField
from workbench.editing.undoable import refusal_of
from workbench.model.snapshot import Snapshot, derive
from workbench.model.steplists.edges import depths_of, edges_of
from workbench.model.steplists.graph_checks import why_unreadable
from workbench.syntax.diagnostics import Severity
from workbench.syntax.text import SourceText

JOINED = """\
version: playbook.v2
id: claim
title: Claim
steps:
- {id: triage, goal: Look}
- {id: photos, goal: Ask for photos, after: [triage], parallel_group: evidence}
- {id: report, goal: Ask for the report, after: [triage], parallel_group: evidence}
- {id: decide, goal: Decide, joins: evidence}
- {id: tell, goal: Tell, after: decide, joins: null}
"""


def graph(text: str) -> Snapshot:
    return derive(SourceText(text))


def named(snapshot: Snapshot, name: str) -> int:
    return next(index for index, step in enumerate(snapshot.program.playbooks[0].steps) if step.meaning.id == name)  # type: ignore[union-attr]


def errors(text: str) -> list[str]:
    return [one.code for one in graph(text).diagnostics if one.severity is Severity.ERROR]


def test_a_join_waits_for_every_member_of_its_group() -> None:
    playbook = graph(JOINED).program.playbooks[0]
    ids = {step.id: step.meaning.id for step in playbook.steps}  # type: ignore[union-attr]
    assert {(ids[edge.source], ids[edge.target]) for edge in edges_of(playbook)} == {
        ("triage", "photos"), ("triage", "report"), ("photos", "decide"), ("report", "decide"), ("decide", "tell"),
    }  # fmt: skip
    assert depths_of(playbook.steps) == [0, 1, 1, 2, 3]


def test_a_join_names_a_group_and_not_a_step() -> None:
    assert errors(JOINED) == []
    found = graph(JOINED.replace("joins: evidence", "joins: evidnce")).diagnostics
    assert [one.message for one in found if one.code == "dangling-reference"] == [
        "There is no parallel group “evidnce”. Did you mean evidence?"
    ]
    assert errors(JOINED.replace("joins: evidence", "joins: triage")) == ["dangling-reference"]


def test_members_that_wait_for_their_own_join_are_a_circle() -> None:
    assert set(errors(JOINED.replace("after: [triage], parallel", "after: [decide], parallel"))) == {"circular-order"}


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ("id: a, branches: [{when: amount <= <= 3, next_step_id: z}]", "unreadable-condition"),
        ("id: a, alowed_tools: [t]", "unknown-key"),
        ("id: a, approval: {}", "nobody-approves"),
        ("id: a, approval: true", "nobody-approves"),
        ("id: a, approval: {rules: [{when: always, due: 2h}]}", "nobody-approves"),
        ("id: a, allowed_tools: t", "not-a-list"),
        ("id: a, max_tool_calls: -1", "not-a-count"),
        ("id: a, max_tool_calls: true", "not-a-count"),
        ("id: a, max_tool_calls: 1, min_tool_calls: 2", "too-few-calls"),
        ("id: a, required: maybe", "not-a-flag"),
    ],
)
def test_what_is_wrong_in_a_step_of_a_graph_is_found(step: str, code: str) -> None:
    text = f"version: playbook.v2\nid: g\ntitle: G\nsteps:\n- {{{step}}}\n- {{id: z, goal: Z}}\n"
    assert errors(text) == [code]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("steps: []\n", "graph-without-steps"),
        ("steps:\n- only words\n- {id: a, goal: A}\n", "not-a-mapping"),
        ("metadata: {enforcement: blok}\nsteps:\n- {id: a, goal: A}\n", "unknown-policy"),
        ("forbiden_actions: [{tool: t}]\nsteps:\n- {id: a, goal: A}\n", "unknown-key"),
    ],
)
def test_what_is_wrong_around_the_steps_of_a_graph_is_found(text: str, code: str) -> None:
    assert errors(f"version: playbook.v2\nid: g\ntitle: G\n{text}") == [code]


@pytest.mark.parametrize(
    "condition",
    ["always", "amount <= 50", "order.total > 50 EUR and not (vip or region equals north)", "reason is not empty",
     "tags contains 'late'", "items[0].price >= 3.5", "NOT closed AND status == \"open\"", "a is empty"],
)  # fmt: skip
def test_conditions_that_can_be_read(condition: str) -> None:
    assert why_unreadable(condition) == ""


@pytest.mark.parametrize(
    "condition",
    ["amount <=", "amount <= <= 3", "and x", "(a or b", "a b", "f(x)", "__import__('os')", "a = 3", "x" * 501,
     "(" * 40 + "a" + ")" * 40],
)  # fmt: skip
def test_conditions_that_cannot_be_read_say_why(condition: str) -> None:
    assert why_unreadable(condition)


def test_a_step_that_others_name_is_neither_renamed_nor_deleted() -> None:
    snapshot = graph(JOINED)
    steps = snapshot.program.playbooks[0].steps
    decide, photos, report, tell = (steps[named(snapshot, one)].id for one in ("decide", "photos", "report", "tell"))
    assert isinstance(refusal_of(snapshot, SetStepField(decide, "id", "other")), Refusal)
    assert isinstance(refusal_of(snapshot, DeleteSteps((decide,))), Refusal)
    assert isinstance(refusal_of(snapshot, DeleteSteps((photos, report))), Refusal)
    assert refusal_of(snapshot, DeleteSteps((photos,))) is None
    assert refusal_of(snapshot, DeleteSteps((decide, tell))) is None
    assert refusal_of(snapshot, SetStepField(tell, "id", "other")) is None


def test_a_graph_is_not_compiled_and_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "graph.yaml"
    path.write_text(JOINED)
    done = Terminal(capsys).run("compile", path)
    assert (done.code, done.out) == (2, "")
    assert "Graphs have no assembly" in done.err
