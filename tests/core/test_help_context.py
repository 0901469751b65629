"""F1 explains what stands at the caret, and what a selected step is."""

from __future__ import annotations

import pytest

from workbench.help.context import topic_at, topic_of_step
from workbench.help.topics import Topic, shown_page
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText

HEAD = "# Desk\n## Main\n### Triggers\n- When program starts\n### Steps\n- $n = 1\n"
STEPS = {
    "$m = $n + 1": "assign",
    "Ask user for $name": "ask",
    'Tell user "Hello"': "tell",
    "Wait 10 minutes": "wait",
    "Return $n": "return",
    "End program": "end",
    "Apologise": "judgement",
    'Tell user "a" and end the program': "several",
    "Main()": "calls",
    "notify('a')": "tools",
    "If $n > 1, return": "if",
    "Otherwise, return": "if",
    "Unless $n > 1, return": "unless",
    "When $n > 1, return": "when",
    "While $n < 3, $n = $n + 1": "while",
    "Until $n > 3, $n = $n + 1": "while",
    "For each $x in [1, 2], tell user $x": "for-each",
    "Repeat 3 times, tell user $n": "repeat",
    "Go back to step 1": "go-to",
}
TRIGGERS = {
    "When program starts": "start-trigger",
    "When $n > 3": "condition-trigger",
    'When user says "hello"': "message-trigger",
    "Every 10 minutes": "time-trigger",
    "When Check fails": "call-trigger",
    "At the end": "end-trigger",
}


def named(topic: Topic) -> str:
    """The name of the section that *topic* is."""
    return shown_page(topic).sections[topic.section].name


def at(text: str) -> str:
    """The topic of the place that is marked with a bar in *text*."""
    offset = text.index("¦")
    return named(topic_at(derive(SourceText(text.replace("¦", ""))), offset))


def last_step(snapshot: Snapshot) -> str:
    """The topic of the last step of *snapshot*."""
    step = snapshot.program.playbooks[-1].steps[-1]
    return named(topic_of_step(snapshot, step))


@pytest.mark.parametrize(("words", "name"), STEPS.items())
def test_a_step_leads_to_its_construct(words: str, name: str) -> None:
    assert last_step(derive(SourceText(f"{HEAD}- {words}\n"))) == name
    assert at(f"{HEAD}- {words[:2]}¦{words[2:]}\n") == name


@pytest.mark.parametrize(("words", "name"), TRIGGERS.items())
def test_a_trigger_leads_to_its_kind(words: str, name: str) -> None:
    assert at(f"# D\n## Check\n### Steps\n- $n = 1\n## Main\n### Triggers\n- {words[:3]}¦{words[3:]}\n") == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("# De¦sk\n## Main\n### Steps\n- $n = 1\n", "agent-heading"),
        ("# Desk\n## Ma¦in\n### Steps\n- $n = 1\n", "playbook-heading"),
        ("# Desk\n## Main\n### St¦eps\n- $n = 1\n", "sections"),
        ("# Desk\n## Main\npub¦lic: true\n\n### Steps\n- $n = 1\n", "playbook-settings"),
        ("# Desk\nrem¦ote:\n  type: mcp\n\n## Main\n### Steps\n- $n = 1\n", "agent-settings"),
        ("---\ntit¦le: A\n---\n# Desk\n## Main\n### Steps\n- $n = 1\n", "front-matter"),
        ("---\njud¦ge: person\n---\n# Desk\n## Main\n### Steps\n- $n = 1\n", "models"),
        ("# Desk\n```python\n@playbook\ndef f(): ¦...\n```\n## Main\n### Steps\n- f()\n", "python"),
        ("# Desk\n<!-- a ¦comment -->\n## Main\n### Steps\n- $n = 1\n", "comments"),
        ("# Pump\n\n## Oil it\n\n1. Oi¦l it.\n2. Wipe it.\n", "chapters"),
        ("# Pump\n\n- [ ] Oi¦l it.\n", "boxes"),
        ("¦", "procedures"),
    ],
)
def test_a_place_in_markdown_is_explained(text: str, name: str) -> None:
    assert at(text) == name


LIST = "id: a\nname: A\nsteps:\n  - id: one\n    description: One\n    expected_tools: [find]\n"


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        ("na¦me", "name", "list-fields"),
        ("descr¦iption", "description", "step-fields"),
        ("expected_to¦ols", "expected_tools", "step-fields"),
        ("[fi¦nd]", "[find]", "step-fields"),
    ],
)
def test_a_field_of_a_step_list_is_explained(before: str, after: str, name: str) -> None:
    assert at(LIST.replace(after, before)) == name


def test_a_field_of_a_graph_is_explained_on_the_page_of_graphs() -> None:
    graph = "version: playbook.v2\nid: a\ntitle: A\nsteps:\n  - id: one\n    goal: One\n    af¦ter: []\n"
    assert at(graph) == "graphs"


def test_a_finding_goes_before_the_construct() -> None:
    text = f"{HEAD}- Call Nobody()\n"
    snapshot, offset = derive(SourceText(text)), text.index("Nobody") + 2
    assert named(topic_at(snapshot, offset)) == "calls"
    assert [each.code for each in snapshot.diagnostics][-1] == "unknown-call"
    assert named(topic_at(snapshot, offset)) == "unknown-call"
