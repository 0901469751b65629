"""Prompts stay whole: what a playbook without steps says is text, lists and tags included."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.engine_driver import play
from workbench.editing.commands import InsertStep, Place
from workbench.editing.undoable import EditPlan, plan
from workbench.engine.journal.choices import RunStatus
from workbench.model.flow import flow_of_program
from workbench.model.incremental.advancing import advance
from workbench.model.meaning import StepKind
from workbench.model.program import Playbook, PlaybookMode
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.text import SourceText, Span

PROMPT = """\
Find out about {$what}.

<rules>
- Check two sources
  - and a third
- Cite them
</rules>

#### Form

1. A title
2. A text

```python
example = 1
```

---

After the rule."""
OTHER = "\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Return 1\n"


def snapshot(text: str) -> Snapshot:
    """What *text* means."""
    return derive(SourceText(text))


def only(text: str, name: str = "Research") -> Playbook:
    """The playbook *name* of *text*."""
    found = snapshot(text).program.playbook(name)
    assert found is not None
    return found


def lists(playbook: Playbook) -> list[str]:
    """The words of all list items among the steps of *playbook*."""
    return [step.text for root in playbook.steps for step in root.walk() if step.item is not None]


@pytest.mark.parametrize("mode", ["react", "raw"])
@pytest.mark.parametrize(
    "form",
    [
        "execution_mode: {mode}\n{prompt}\n",
        "execution_mode: {mode}\n\n{prompt}\n",
        "metadata:\n  execution_mode: {mode}\n---\n{prompt}\n",
        "metadata: {{execution_mode: {mode}}}\n---\n{prompt}\n",
        "{prompt}\n\nexecution_mode: {mode}\n",
        "{prompt}\nexecution_mode: {mode}\n",
        "{prompt}\n\nmetadata:\n  execution_mode: {mode}\n---\n",
        "public: true\nexecution_mode: {mode}\n---\n{prompt}\n",
    ],
)
def test_a_playbook_that_says_it_is_a_prompt_keeps_its_text_whole(form: str, mode: str) -> None:
    text = "# A\n## Research($what)\n" + form.format(mode=mode, prompt=PROMPT) + OTHER
    playbook = only(text)
    assert playbook.mode is PlaybookMode(mode)
    assert playbook.description == PROMPT
    assert playbook.sections == ()
    assert lists(only(text, "Main")) == ["Return 1"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_prompt_is_the_same_whatever_its_lines_end_with(end: str) -> None:
    text = f"# A\n## Research($what)\nexecution_mode: raw\n{PROMPT}\n" + OTHER
    assert only(text.replace("\n", end)).description == PROMPT


def test_settings_between_the_paragraphs_of_a_prompt_are_settings() -> None:
    playbook = only("# A\n## Research\nFirst.\nexecution_mode: raw\nSecond.\n\n- third\n")
    assert playbook.mode is PlaybookMode.RAW
    assert playbook.description == "First.\nSecond.\n\n- third"


def test_what_only_looks_like_settings_stays_in_a_prompt() -> None:
    text = (
        "Say what you found:\n\ninput: the question\noutput: the answer\n\nrules:\n- be brief\n\n```\npublic: true\n```"
    )
    assert only(f"# A\n## Research\nexecution_mode: raw\n\n{text}\n").description == text


def test_chapters_of_a_prompt_belong_to_it_and_sections_do_not() -> None:
    text = "execution_mode: react\nFind it.\n### Form\n- A title\n### Triggers\n- When asked\n### Style\nBe brief.\n"
    playbook = only("# A\n## Research\n" + text)
    assert playbook.description == "Find it.\n### Form\n- A title\n### Style\nBe brief."
    assert [one.text for one in playbook.triggers] == ["When asked"]


def test_comments_are_no_part_of_a_prompt() -> None:
    text = "execution_mode: raw\nFind it.\n<!-- why -->\n- one <!-- first -->\n<!-- and -->\n- two\n"
    assert only("# A\n## Research\n" + text).description == "Find it.\n- one\n- two"


def test_python_in_a_prompt_is_an_example_unless_it_is_a_playbook() -> None:
    fence = "```python\n@playbook\ndef F():\n    return 1\n```\n"
    found = snapshot(f"# A\n## Research\nexecution_mode: raw\nSo:\n\n```python\nx = 1\n```\n\n{fence}")
    assert [one.name for one in found.program.functions] == ["F"]
    assert found.program.playbooks[0].description == "So:\n\n```python\nx = 1\n```"
    assert not [one.code for one in found.diagnostics if one.code.startswith("python")]


def test_an_example_in_a_prompt_that_is_no_python_is_no_error() -> None:
    found = snapshot("# A\n## Research\nexecution_mode: raw\nSo:\n\n```python\nthis is $no python\n```\n" + OTHER)
    assert [one.code for one in found.diagnostics] == []


def test_a_description_keeps_its_lists_where_the_steps_have_a_heading() -> None:
    playbook = only('# A\n## Research\nMind these:\n- be brief\n- be kind\n### Steps\n- Tell user "x"\n')
    assert playbook.description == "Mind these:\n- be brief\n- be kind"
    assert lists(playbook) == ['Tell user "x"']


AS_STEPS = [
    "- one\n- two\n",
    "It does it.\n- one\n- two\n",
    "Do the following:\n- one\n- two\n\nBe brief.\n",
    "Steps:\n\n- one\n- two\n\nBe brief.\n",
    "Rules:\n- one\n- two\n",
    "- one\n- two\n\nRules:\n\nBe brief.\n",
    "It greets <b>them</b>.\n<details>\n- one\n- two\n</details>\n",
    "Here a tag <rules> in running text.\n- one\n- two\n",
    "<rules>\n- one\n- two\n",
]


@pytest.mark.parametrize("text", AS_STEPS)
def test_a_list_directly_below_a_playbook_is_its_steps(text: str) -> None:
    playbook = only("# A\n## Research\n" + text + OTHER)
    assert playbook.mode is PlaybookMode.STEPS
    assert [each.split("\n")[0].split("<")[0].strip() for each in lists(playbook)] == ["one", "two"]


AS_TEXT = [
    "<rules>\n- one\n- two\n</rules>",
    'You find it.\n\n<rules id="1">\n\n- one\n\n- two\n\n</rules>\n\nGo.',
    "Rules:\n- one\n- two\n\nBe brief.",
    "**Rules**\n\n- one\n- two\n\nBe brief.",
    "#### Rules\n- one\n- two\n\nBe brief.",
    "Find it.\n\nRules:\n- one\n\n**Style:**\n- two\n\nBe brief.",
]


@pytest.mark.parametrize("text", AS_TEXT)
def test_a_list_inside_a_prompt_is_text(text: str) -> None:
    playbook = only("# A\n## Research\n" + text + "\n" + OTHER)
    assert playbook.mode is PlaybookMode.REACT
    assert playbook.description == text
    assert lists(playbook) == []


def test_steps_after_a_list_in_a_tag_are_steps() -> None:
    playbook = only("# A\n## Research\n<rules>\n- one\n</rules>\n\n- two\n- three\n" + OTHER)
    assert playbook.description == "<rules>\n- one\n</rules>"
    assert lists(playbook) == ["two", "three"]


def test_a_plain_runbook_has_steps_below_labels_and_tags() -> None:
    text = "# Runbook\n\n## Deploy\n**Prepare**\n\n- one\n\n<note>\n\n- two\n\n</note>\n\nBe careful.\n"
    assert lists(only(text, "Deploy")) == ["one", "two"]


@pytest.mark.parametrize(
    "agent",
    [
        "# A\nIt knows:\n- much\n- more\n",
        "# A\n- much\n- more\n",
        "# A\nIt knows:\n\n#### Tax\n- much\n\n- more\n",
    ],
)
def test_a_list_below_an_agent_with_playbooks_is_its_description(agent: str) -> None:
    found = snapshot(agent + OTHER)
    assert [one.name for one in found.program.playbooks] == ["Main"]
    assert found.program.agents[0].description == agent.removeprefix("# A\n").rstrip()


@pytest.mark.parametrize(
    "agent",
    [
        "# B:Human\n- likes tea\n",
        "# B\n- likes tea\n",
        "# B\n- likes tea\n```python\n@playbook\ndef F():\n    return 1\n```\n",
    ],
)
def test_a_list_below_an_agent_without_playbooks_is_no_playbook_either(agent: str) -> None:
    found = snapshot("# A\n" + OTHER + agent)
    assert [one.name for one in found.program.playbooks] == ["Main"]
    assert found.program.agents[1].description == "- likes tea"


def test_a_plain_list_below_a_title_is_a_playbook() -> None:
    found = snapshot("# Release\nHow to:\n- Build it\n- Ship it\n")
    assert [one.name for one in found.program.playbooks] == ["Release"]
    assert lists(found.program.playbooks[0]) == ["Build it", "Ship it"]


def test_a_list_below_a_title_with_steps_below_it_is_text() -> None:
    found = snapshot("# Release:AI\n- Mind the gap\n### Steps\n- Ship it\n")
    assert found.program.agents[0].description == "- Mind the gap"
    assert lists(found.program.playbooks[0]) == ["Ship it"]


SETTINGS = "framework: GAAP\nspecialization:\n- accounting\n- tax\nauthor: John Doe\n"
MEANT = {"framework": "GAAP", "specialization": ["accounting", "tax"], "author": "John Doe"}


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (SETTINGS, ""),
        (SETTINGS + "It does taxes.\n", "It does taxes."),
        ("It does taxes.\n" + SETTINGS, "It does taxes."),
        ("It does taxes.\n\n" + SETTINGS + "\nAnd more.\n", "It does taxes.\n\n\nAnd more."),
    ],
)
def test_settings_of_an_agent_are_settings_below_text_as_well(text: str, rest: str) -> None:
    agent = snapshot("# Accountant\n" + text + OTHER).program.agents[0]
    assert dict(agent.metadata) == MEANT
    assert agent.description == rest


def test_rules_of_an_agent_are_no_settings() -> None:
    text = "It does taxes.\nrules:\n- Always be kind to everybody.\n- Be brief."
    agent = snapshot(f"# Accountant\n{text}\n" + OTHER).program.agents[0]
    assert agent.metadata == ()
    assert agent.description == text


def test_attendees_below_text_are_settings() -> None:
    text = "# A\n## Research\nThey talk.\nmeeting: true\nrequired_attendees:\n- Bob\n- Eve\n### Steps\n- Return 1\n"
    playbook = only(text)
    assert dict(playbook.metadata) == {"meeting": True, "required_attendees": ["Bob", "Eve"]}
    assert playbook.description == "They talk."


def test_nothing_in_a_prompt_can_be_moved_as_a_step() -> None:
    found = snapshot(f"# A\n## Research($what)\nexecution_mode: raw\n{PROMPT}\n")
    assert all(root is None for root in found.roots)
    assert all(not found.has(one) for ids in found.block_ids for one in ids)


@pytest.mark.parametrize("mode", ["raw", "react"])
def test_whoever_carries_out_a_prompt_reads_all_of_it(mode: str, tmp_path: Path) -> None:
    text = '# A\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Research(what="bees")\n'
    text += f"## Research($what)\n{PROMPT}\nexecution_mode: {mode}\n"
    played = play(snapshot(text), tmp_path, ANSWERS[mode])
    assert played.state.status is RunStatus.COMPLETED
    assert [body["text"] for body in played.bodies("input.asked")] == [PROMPT.replace("{$what}", "bees")]


ANSWERS = {
    "raw": "answers: [{step: Research, text: done}]",
    "react": "answers: [{step: Research, values: {action: done, result: done}}]",
}


PIECES = st.sampled_from(
    [
        "Find it.\n", "\n", "- one\n", "  - deep\n", "<rules>\n", "</rules>\n", "execution_mode: raw\n", "### Steps\n",
        "Rules:\n", "**Rules**\n", "#### Small\n", "```\n", "---\n", "specialization:\n", "## Other\n", "# B\n",
        "### Triggers\n", "required_attendees:\n", "metadata:\n", "  execution_mode: react\n", "## F($x)\n",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=14), st.integers(0, 14), st.lists(PIECES, max_size=3), st.integers(0, 3))
def test_an_edit_of_a_prompt_leads_where_reading_it_anew_does(
    pieces: list[str], at: int, fresh: list[str], gone: int
) -> None:
    lines = ["# A\n", "## Main\n", *pieces]
    place = sum(len(each) for each in lines[:at])
    end = place + sum(len(each) for each in lines[at : at + gone])
    before = snapshot("".join(lines))
    after = advance(before, TextChange((TextEdit(Span(place, end), "".join(fresh)),)))
    assert told(after) == told(snapshot(after.text))


def test_a_prompt_is_one_box_with_its_text_and_so_a_run_carries_it_out(tmp_path: Path) -> None:
    text = f"# A\n## Research($what)\n{PROMPT}\nexecution_mode: raw\n### Triggers\n- At the beginning\n"
    found = snapshot(text.replace("($what)", "").replace("{$what}", "bees"))
    graph = flow_of_program(found)
    boxes = {node: graph.nodes[node]["label"] for node in graph if graph.nodes[node]["kind"] == "step"}
    assert boxes == {"prompt:Research": PROMPT.replace("{$what}", "bees")}
    assert list(graph["playbook:Research"]) == ["prompt:Research"]
    assert list(graph["prompt:Research"]) == ["end:Research"]
    assert play(found, tmp_path, ANSWERS["raw"]).steps() == [graph.nodes["prompt:Research"]["step"]]


def test_a_program_of_python_shows_its_functions_and_what_starts_them() -> None:
    code = '@playbook(triggers=["At the beginning", "When asked"])\nasync def start():\n    pass\n'
    found = snapshot(f"# A\n```python\n{code}\n@playbook\ndef other():\n    pass\n```\n## M\n### Steps\n- other()\n")
    graph = flow_of_program(found)
    call = found.program.playbooks[0].steps[0].id
    assert graph.nodes["playbook:start"] == {
        "kind": "call",
        "label": "start",
        "line": 4,
        "step": "",
        "playbook": "start",
    }
    assert [(one, graph.nodes[one]["label"]) for one in graph.predecessors("playbook:start")] == [
        ("trigger:start:1", "At the beginning"),
        ("trigger:start:2", "When asked"),
    ]
    assert graph.edges[call, "playbook:other"] == {"kind": "call"}


def test_a_trigger_that_is_a_paragraph_is_a_trigger(tmp_path: Path) -> None:
    text = '# A\n## M\n### Triggers\n\nWhen the program starts\n\nWhen $n > 3\n### Steps\n- Tell user "hi"\n'
    found = snapshot(text)
    assert [(one.kind, one.text) for one in found.program.playbooks[0].triggers] == [
        (StepKind.TRIGGER, "When the program starts"),
        (StepKind.TRIGGER, "When $n > 3"),
    ]
    assert play(found, tmp_path).told() == ["hi"]
    assert codes(text)[:2] == ["trigger-not-in-list", "trigger-not-in-list"]


def test_notes_that_are_paragraphs_are_notes() -> None:
    assert [one.text for one in only("# A\n## Research\n### Steps\n- a\n### Notes\nBe brief.\n").notes] == ["Be brief."]


def told(found: Snapshot) -> list[object]:
    """All that matters here of what *found* means."""
    agents = [(one.name, one.description, one.metadata) for one in found.program.agents]
    playbooks = [
        (one.name, one.mode, one.description, one.metadata, lists(one), [each.text for each in one.triggers])
        for one in found.program.playbooks
    ]
    return [agents, playbooks]


def codes(text: str) -> list[str]:
    """The codes of what is found in *text*."""
    return [one.code for one in snapshot(text).diagnostics]


@pytest.mark.parametrize("text", AS_TEXT)
def test_the_author_is_told_of_a_list_that_is_read_as_text(text: str) -> None:
    assert codes("# A\n## Research\n" + text + "\n" + OTHER) == ["list-in-prompt"]


def test_nothing_is_told_of_lists_where_the_author_has_said_what_they_are() -> None:
    assert codes("# A\n## Research\nexecution_mode: react\n" + AS_TEXT[0] + "\n" + OTHER) == []
    assert codes("# A\n## Research\n" + AS_TEXT[0] + "\n### Steps\n- Return 1\n") == []


def test_steps_are_put_under_a_heading_unasked_only_where_no_text_stands_above_them() -> None:
    def safe(text: str) -> list[bool]:
        return [fix.is_safe for one in snapshot("# A\n## R\n" + text + OTHER).diagnostics for fix in one.fixes]

    assert safe("- one\n") == [True]
    assert safe("public: true\n\n- one\n") == [True]
    assert safe("It does it.\n\n- one\n") == [False]


def test_a_setting_that_is_taken_out_of_the_text_is_told() -> None:
    assert codes("# Accountant\nIt does taxes.\n" + SETTINGS + OTHER) == ["setting-below-text"]
    assert codes("# Accountant\n" + SETTINGS + "It does taxes.\n" + OTHER) == []
    assert codes("# A\n## Research\nFind it.\n\nexecution_mode: raw\n" + OTHER) == []


@pytest.mark.parametrize("text", [f"{PROMPT}\nexecution_mode: react\n", AS_TEXT[0] + "\n", AS_TEXT[3] + "\n"])
def test_a_step_that_is_put_into_a_prompt_stands_below_it_and_changes_none_of_it(text: str) -> None:
    before = snapshot("# A\n## Research\n" + text + OTHER)
    planned = plan(before, InsertStep(Place("Research"), "Tell user hello"))
    assert isinstance(planned, EditPlan)
    after = advance(before, planned.change)
    was, now = (each.program.playbooks[0] for each in (before, after))
    assert now.description == was.description
    assert lists(now) == ["Tell user hello"]
    assert "### Steps\n- Tell user hello\n" in after.text
