"""Heads of blocks in other words than If and While: what they mean; chart, assembly and run agree about them."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

from tests.core.engine_driver import Played, book, play
from workbench.engine.journal.choices import RunStatus
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.flow import flow_of
from workbench.model.meaning import Branch, Judge, Loop, LoopForm, Meaning
from workbench.model.snapshot import Snapshot

BRANCHES = [
    ("In Understanding phase", "in Understanding phase", False),
    ("In the Understanding phase:", "in the Understanding phase", False),
    ("In that case", "in that case", False),
    ("In case $n > 3", "$n > 3", True),
    ("In the event of a fire", "in the event of a fire", False),
    ("During the talk", "during the talk", False),
    ("On error", "on error", False),
    ("Upon a payment failure", "upon a payment failure", False),
    ("Should $n > 3", "$n > 3", True),
    ("Should the guest be late", "should the guest be late", False),
    ("Provided that $n > 3", "$n > 3", True),
    ("Given that they agree", "given that they agree", False),
    ("Once the guest has agreed", "once the guest has agreed", False),
    ("As needed", "as needed", False),
    ("Check whether the game is over: if so", "the game is over", False),
    ("Check if $n > 3; if so:", "$n > 3", True),
    ("See whether it is there, and if it is", "it is there", False),
    ("Check whether the game is over: if not", "unless the game is over", False),
]
LOOPS = [
    ("As long as $n < 3", LoopForm.WHILE, "$n < 3"),
    ("As long as the guest likes", LoopForm.WHILE, "the guest likes"),
    ("For as long as $n < 3", LoopForm.WHILE, "$n < 3"),
    ("Keep asking until $n > 3", LoopForm.UNTIL, "$n > 3"),
    ("Go on while the guest likes", LoopForm.WHILE, "the guest likes"),
    ("Do this until the guest agrees", LoopForm.UNTIL, "the guest agrees"),
    ("If it is thin, up to 3 iterations", LoopForm.REPEAT, "not: it is thin"),
    ("If it is thin (at most three times)", LoopForm.REPEAT, "not: it is thin"),
    ("While $n < 3, for up to $most rounds", LoopForm.REPEAT, "not: $n < 3"),
    ("Until $n > 3, but at most twice", LoopForm.REPEAT, "$n > 3"),
    ("3 times", LoopForm.REPEAT, None),
    ("Three times:", LoopForm.REPEAT, None),
]
WHOLE = [
    "Depending on the mood",
    "Choose one of the following",
    "Each morning:",
    "Throughout the talk",
    "Talk to the guest, up to 4 turns",
]
PLAIN = [
    "In the report",
    "On the form",
    "Given the order",
    "Check the order",
    "Check whether it is there",
    "Go to the shop",
    "Keep the receipt",
    "Before you begin",
    "Based on the mood",
    "Each of them gets a card",
    "If the guest asked at most 3 times",
    "Plan the trip",
]


def meaning(head: str) -> Meaning:
    """What *head* means with something below it."""
    return book(f"- {head}\n  - Look\n").program.playbooks[0].steps[0].meaning


@pytest.mark.parametrize(("head", "asked", "is_exact"), BRANCHES)
def test_what_is_said_to_be_conditional_is_a_branch(head: str, asked: str, is_exact: bool) -> None:
    found = meaning(head)
    assert isinstance(found, Branch) and found.condition is not None
    assert (found.condition.text, found.condition.test is not None) == (asked, is_exact)


@pytest.mark.parametrize(("head", "form", "asked"), LOOPS)
def test_what_is_said_to_be_repeated_is_a_loop(head: str, form: LoopForm, asked: str | None) -> None:
    found = meaning(head)
    assert isinstance(found, Loop)
    assert (found.form, found.condition.text if found.condition else None) == (form, asked)


@pytest.mark.parametrize("head", PLAIN)
def test_other_heads_are_what_they_were(head: str) -> None:
    step = book(f"- {head}\n  - Look\n").program.playbooks[0].steps[0]
    assert isinstance(step.meaning, Branch if head.startswith("If") else Judge)
    assert [one.text for one in step.children] == ["Look"]


@pytest.mark.parametrize("head", WHOLE)
def test_a_head_that_says_only_some_of_it_is_done_is_judged_with_all_that_is_below(head: str) -> None:
    found = book(f"- {head}\n  - Greet\n    - warmly\n  - $x = 3\n  - Return $x\n")
    step = found.program.playbooks[0].steps[0]
    assert isinstance(step.meaning, Judge) and step.children == () and step.is_judged_whole
    assert step.meaning.text == f"{head}\n- Greet\n  - warmly\n- $x = 3\n- Return $x"
    assert [one.name for one in step.meaning.outputs] == ["x"]
    assert len(step.meaning.outcomes) == 1
    assert f"01:EXE {head} - Greet - warmly - $x = 3 - Return $x" in compile_assembly(found).text


def test_ways_below_that_are_decisions_themselves_are_carried_out() -> None:
    step = book("- Depending on $n\n  - If $n > 3\n    - Look\n").program.playbooks[0].steps[0]
    assert [one.text for one in step.children] == ["If $n > 3"]


FORMS = [*(head for head, _asked, _exact in BRANCHES), *(head for head, _form, _asked in LOOPS), *WHOLE]


def program(head: str) -> Snapshot:
    """Steps around a block with *head*."""
    return book(f"- $n = 2\n- $most = 2\n- {head}\n  - $n = $n + 1\n  - $m = $n\n- $end = 1\n")


@pytest.mark.parametrize("choice", ["true", "false"])
@pytest.mark.parametrize("head", FORMS[::3])
def test_a_run_goes_only_where_the_chart_has_an_edge(head: str, choice: str, tmp_path: Path) -> None:
    snapshot = program(head)
    played = play(snapshot, tmp_path, answers(head, choice))
    assert played.state.status is RunStatus.COMPLETED, played.state
    graph = flow_of(snapshot, snapshot.program.playbooks[0])
    entered = [node for address in played.steps() if (node := snapshot.at_address(address)) is not None]
    for before, after in zip(entered, entered[1:], strict=False):
        assert any(after.id in graph[node] for node in (before.id, *_ways(graph, before.id))), (before.text, after.text)
    assert set(entered_below(played)) <= {"Main:03.01", "Main:03.02"}


def _ways(graph: nx.DiGraph[str], node: str) -> list[str]:
    """The heads of loops and decisions that *node* leads to."""
    return [one for one in graph[node] if graph.nodes[one]["kind"] in ("loop", "decision")]


def entered_below(played: Played) -> list[str]:
    """The steps below the third one that were entered."""
    return [address for address in played.steps() if address.startswith("Main:03.")]


@pytest.mark.parametrize("head", [head for head, _asked, is_exact in BRANCHES if not is_exact][::4])
def test_what_is_below_is_done_only_where_somebody_says_so(head: str, tmp_path: Path) -> None:
    done, left = (play(program(head), made(tmp_path / each), answers(head, each)) for each in ("true", "false"))
    assert entered_below(done) == ["Main:03.01", "Main:03.02"]
    assert entered_below(left) == []


def made(folder: Path) -> Path:
    """*folder*, which is there now."""
    folder.mkdir()
    return folder


def answers(head: str, choice: str) -> str:
    """A script that gives *choice* for the third step, and then the opposite; values for what is judged whole."""
    if head in WHOLE:
        return "answers: [{step: Main:03, values: {n: 1, m: 1}}]"
    other = "true" if choice == "false" else "false"
    return f"answers: [{{step: Main:03, decision: {choice}}}, {{step: Main:03, decision: {other}}}]"


@pytest.mark.parametrize(
    ("head", "rounds"),
    [
        ("As long as $n < 4", 2),
        ("While $n < 9, for up to $most rounds", 2),
        ("If $n < 3, up to 5 times", 1),
        ("3 times", 3),
    ],
)
def test_a_loop_goes_round_as_often_as_it_says(head: str, rounds: int, tmp_path: Path) -> None:
    assert entered_below(play(program(head), tmp_path)) == ["Main:03.01", "Main:03.02"] * rounds


@pytest.mark.parametrize("head", FORMS)
def test_what_is_compiled_means_what_the_source_means(head: str) -> None:
    source = program(head)
    compiled = book("", compile_assembly(source).text)
    was, now = (one.program.playbooks[0].steps[2] for one in (source, compiled))
    assert was.kind is now.kind
    if isinstance(was.meaning, Branch) and isinstance(now.meaning, Branch):
        assert was.meaning.condition is not None and now.meaning.condition is not None
        assert was.meaning.condition.text == now.meaning.condition.text


def test_a_break_in_such_a_loop_leaves_it() -> None:
    found = book("- If it is thin, up to 3 iterations\n  - Look\n  - break the loop\n- $end = 1\n")
    assert [one.code for one in found.diagnostics if one.code in ("jump-outside-loop", "unreachable")] == []
    steps = found.program.playbooks[0].steps
    graph = flow_of(found, found.program.playbooks[0])
    assert graph.edges[steps[0].children[1].id, steps[1].id]["kind"] == "jump"
