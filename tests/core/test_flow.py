"""The flow graph: kinds of nodes and edges, and where each branch leads."""

from __future__ import annotations

import networkx as nx

from tests.core.test_snapshot import book
from workbench.model.flow import flow_of_program


def edges(steps: str) -> set[tuple[str, str, str]]:
    """(from, kind, to) by the words of the steps; the playbook and its end by their titles."""
    graph = flow_of_program(book(f"# A\n\n## M\n### Steps\n{steps}"))
    labels = nx.get_node_attributes(graph, "label")
    return {(labels[a], data["kind"], labels[b]) for a, b, data in graph.edges(data=True)}


def test_steps_follow_one_another_to_the_end() -> None:
    assert edges("- a\n- b\n") == {("M", "next", "a"), ("a", "next", "b"), ("b", "next", "End")}


def test_a_decision_has_a_yes_and_a_no() -> None:
    found = edges("- If x\n  - a\n- Otherwise\n  - b\n- c\n")
    assert {("If x", "yes", "a"), ("If x", "no", "Otherwise"), ("Otherwise", "next", "b")} <= found
    assert {("a", "next", "c"), ("b", "next", "c")} <= found


def test_a_decision_without_otherwise_goes_on_below() -> None:
    assert ("If x", "no", "c") in edges("- If x\n  - a\n- c\n")


def test_a_loop_repeats_and_leaves() -> None:
    found = edges("- While $x < 3\n  - a\n- c\n")
    assert {("While $x < 3", "yes", "a"), ("a", "repeat", "While $x < 3"), ("While $x < 3", "no", "c")} <= found


def test_break_leaves_the_loop_and_continue_repeats_it() -> None:
    found = edges("- While $x < 3\n  - If y\n    - break\n  - If z\n    - continue\n- c\n")
    assert {("break", "jump", "c"), ("continue", "repeat", "While $x < 3")} <= found


def test_go_to_is_a_jump() -> None:
    assert ("Go to step 1", "jump", "a") in edges("- a\n- Go to step 1\n")


def test_return_ends_the_flow() -> None:
    assert edges("- Return 1\n") == {("M", "next", "Return 1")}


def test_a_call_leads_to_the_playbook() -> None:
    assert ("Other()", "call", "Other") in edges("- Other()\n\n## Other\n### Steps\n- b\n")


def test_a_trigger_leads_to_its_playbook() -> None:
    graph = flow_of_program(book("# A\n\n## M\n### Triggers\n- When program starts\n### Steps\n- a\n"))
    kinds = nx.get_node_attributes(graph, "kind")
    trigger = next(node for node, kind in kinds.items() if kind == "trigger")
    assert list(graph.successors(trigger)) == ["playbook:M"]
