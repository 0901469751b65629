"""Markdown: agents, playbooks and their names, sections, modes."""

from __future__ import annotations

import pytest

from tests.core.test_snapshot import book
from workbench.model.program import Agent, Playbook, PlaybookMode
from workbench.model.snapshot import Snapshot
from workbench.syntax.signatures import normalise_name, parse_signature

STEPS = "## M\n### Steps\n- a\n"


def agent(heading: str) -> Agent:
    """The agent of *heading*."""
    return book(f"# {heading}\n{STEPS}").program.agents[0]


def codes(text: str) -> set[str]:
    """The codes of what is found in *text*."""
    return {one.code for one in book(text).diagnostics}


def messages(text: str, code: str) -> str:
    """What is said of *code* in *text*."""
    return " ".join(one.message for one in book(text).diagnostics if one.code == code)


def playbook(text: str, heading: str = "Main") -> Playbook:
    """A playbook with *text* below its heading."""
    return book(f"# A\n\n## {heading}\n{text}").program.playbooks[0]


@pytest.mark.parametrize(
    ("heading", "name", "kind"),
    [("Host", "Host", "AI"), ("Uma:Human", "Uma", "Human"), (" Xan : MCP ", "Xan", "MCP"), ("", "Unnamed", "AI")],
)
def test_a_heading_is_a_name_and_a_kind(heading: str, name: str, kind: str) -> None:
    found = agent(heading)
    assert (found.name, found.kind) == (name, kind)


@pytest.mark.parametrize("heading", ["Ada:human", "Note: this", "Ada:AI:x"])
def test_another_kind_is_a_finding_that_names_the_kinds(heading: str) -> None:
    assert "AI, Human, MCP" in messages(f"# {heading}\n{STEPS}", "agent-kind")


@pytest.mark.parametrize("title", ["CamelCase", "HTTPServer", "A", "Camel123"])
def test_what_is_camel_case_stays(title: str) -> None:
    assert normalise_name(title).name == title


@pytest.mark.parametrize("title", ["camelCase", "snake_case", "kebab-case", "Has Space", "", "Camel.Case"])
def test_what_is_not_is_changed(title: str) -> None:
    assert normalise_name(title).name != title


@pytest.mark.parametrize(
    ("title", "name"),
    [("our_desk-bell", "OurDeskBell"), ("mail server", "MailServer"), ("123_try", "123Try"), ("LOUD", "LOUD")],
)
def test_words_are_joined_with_capitals(title: str, name: str) -> None:
    assert normalise_name(title).name == name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("AI Clerk", "AiClerk"),
        ("FAQ Desk", "FaqDesk"),
        ("goodDay", "Goodday"),
        ("Magi_Balthasar", "MagiBalthasar"),
        ("Night-shift", "NightShift"),
    ],
)
def test_names_of_agents(title: str, name: str) -> None:
    assert agent(title).name == name


@pytest.mark.parametrize(
    ("title", "code"),
    [
        ("Ann's agent", "name-characters"),
        ("3D Agent", "name-starts-with-digit"),
        ("R&D crew", "name-characters"),
        ("Été agent", "name-not-portable"),
        ("order desk (v2)", "name-characters"),
        ("***", "name-empty"),
        ("Type", "reserved-name"),
    ],
)
def test_names_of_agents_that_others_refuse_are_findings(title: str, code: str) -> None:
    assert code in codes(f"# {title}\n{STEPS}")


def test_an_agent_without_playbooks_is_accepted() -> None:
    snapshot = book(f"# A\n{STEPS}\n# B\nOnly words.\n")
    assert [one.name for one in snapshot.program.agents] == ["A", "B"]
    assert snapshot.diagnostics == ()


def test_two_agents_of_one_name_are_an_error() -> None:
    assert "duplicate-agent" in codes(f"# My desk\n{STEPS}\n# my_desk\n{STEPS}")


def test_a_file_without_an_agent_is_an_error() -> None:
    assert "no-heading" in codes("- $a = 1\n- b\n")


@pytest.mark.parametrize(
    ("title", "name", "parameters", "returns"),
    [
        ("Begin", "Begin", [], ""),
        ("Begin()", "Begin", [], ""),
        ("Begin() -> None", "Begin", [], "None"),
        ("Count($a:int=3) -> str", "Count", ["a"], "str"),
        ("Check town($x)", "CheckTown", ["x"], ""),
        ("pull_figures(text)", "PullFigures", ["text"], ""),
    ],
)
def test_a_title_is_a_signature(title: str, name: str, parameters: list[str], returns: str) -> None:
    found = parse_signature(title)
    assert (found.name, [one.name for one in found.parameters], found.returns) == (name, parameters, returns)


@pytest.mark.parametrize("title", ["Check town($x)", "pull_figures(text)"])
def test_names_of_playbooks_that_others_cut_off_are_findings(title: str) -> None:
    assert "name-is-phrase" in codes(f"# A:AI\n## {title}\n### Steps\n- Return 1\n")


@pytest.mark.parametrize(("title", "code"), [("2Go()", "name-starts-with-digit"), ("Été()", "name-not-portable")])
def test_names_of_playbooks_that_others_refuse_are_findings(title: str, code: str) -> None:
    assert code in codes(f"# A:AI\n## {title}\n### Steps\n- Return 1\n")


def sections(text: str) -> Snapshot:
    """A document with *text* below a playbook."""
    return book(f"# A\n## M\n{text}")


def test_sections_in_any_letter_case() -> None:
    found = sections("### TRIGGERS\n- When asked\n### steps\n- a\n### NOTES\n- n\n").program.playbooks[0]
    assert (len(found.triggers), len(found.steps), len(found.notes)) == (1, 1, 1)


def test_a_trigger_in_the_singular_is_read_and_mended() -> None:
    snapshot = sections("### Trigger\n- When asked\n### Steps\n- a\n")
    assert len(snapshot.program.playbooks[0].triggers) == 1
    (finding,) = snapshot.diagnostics
    assert finding.fixes[0].is_safe


def test_steps_with_a_colon_are_steps() -> None:
    snapshot = sections("### Steps:\n- a\n")
    assert snapshot.program.playbooks[0].mode is PlaybookMode.STEPS
    assert [one.code for one in snapshot.diagnostics] == ["section-heading"]


def test_an_unknown_section_holds_no_steps() -> None:
    found = sections("### Steps\n- a\n### Background\n- b\n").program.playbooks[0]
    assert [step.text for step in found.steps] == ["a"]


def test_bullets_below_a_playbook_are_steps_and_the_paragraph_its_description() -> None:
    snapshot = book("# A\n## M\nWhat it does.\n\n- a\n- b\n\n## N\n### Steps\n- c\n")
    found = snapshot.program.playbooks[0]
    assert (found.description, len(found.steps)) == ("What it does.", 2)
    assert [one.code for one in snapshot.diagnostics] == ["steps-without-heading"]


def test_an_introduction_hides_no_steps() -> None:
    snapshot = sections("### Steps\nIn this order:\n\n- a\n- b\n")
    assert [step.text for step in snapshot.program.playbooks[0].steps] == ["In this order:", "a", "b"]
    assert [one.code for one in snapshot.diagnostics] == ["text-among-steps"]


def test_a_second_list_is_kept() -> None:
    snapshot = sections("### Steps\n- a\n\n1. b\n2. c\n")
    assert [step.text for step in snapshot.program.playbooks[0].steps] == ["a", "b", "c"]
    assert [one.code for one in snapshot.diagnostics] == ["second-list"]


def test_a_line_without_a_number_is_kept_in_compiled_text() -> None:
    snapshot = sections("### Steps\n- 01:EXE a\n- b\n  - 02.01:EXE c\n")
    assert [len(step.children) for step in snapshot.program.playbooks[0].steps] == [0, 1]
    assert "assembly-line" in {one.code for one in snapshot.diagnostics}


def test_a_fence_below_a_step_belongs_to_it() -> None:
    (step,) = sections("### Steps\n- a\n  ```sh\n  x\n  ```\n").program.playbooks[0].steps
    assert step.details == ("  ```sh\n  x\n  ```\n",)


def test_an_empty_list_of_steps_is_carried_out_step_by_step() -> None:
    found = sections("### Steps\n").program.playbooks[0]
    assert (found.mode, found.steps) == (PlaybookMode.STEPS, ())


def test_two_lines_of_one_number_are_both_kept_and_an_error() -> None:
    snapshot = sections("### Steps\n- 01:EXE a\n- 01:EXE b\n")
    assert len(snapshot.program.playbooks[0].steps) == 2
    assert "assembly-number-twice" in {one.code for one in snapshot.diagnostics}


def test_two_playbooks_of_one_name_are_an_error() -> None:
    assert "duplicate-playbook" in codes("# A\n## M\n### Steps\n- a\n## m\n### Steps\n- b\n")


def test_a_small_heading_is_part_of_the_description() -> None:
    assert "Details" in playbook("What it does.\n\n#### Details\n\nMore.\n### Steps\n- a\n").description


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("execution_mode: raw\n---\nWrite a line.\n", PlaybookMode.RAW),
        ("Find it out.\n", PlaybookMode.REACT),
        ("### Steps\n- a\n", PlaybookMode.STEPS),
    ],
)
def test_how_a_playbook_is_carried_out(text: str, mode: PlaybookMode) -> None:
    assert book(f"# A\n\n## N\n### Steps\n- b\n\n## M\n{text}").program.playbooks[1].mode is mode


def test_an_unknown_mode_is_an_error() -> None:
    assert "playbook, react, raw" in messages("# A\n## M\nexecution_mode: magic\n### Steps\n- a\n", "metadata-value")


@pytest.mark.parametrize(
    ("heading", "metadata", "words"),
    [
        ("Ada", "startup_mode: never", "default, standby"),
        ("Ada:Human", "delivery_channel: custom", "delivery_handler"),
        ("Ada:Human", "delivery_channel: sms", "streaming, buffered, custom"),
        ("Ada:Human", "meeting_notifications: some", "all, targeted, none"),
        ("Ada:Human", "streaming_chunk_size: 0", "1 or more"),
        ("Ada:Human", "buffer_timeout: soon", "0 or more"),
    ],
)
def test_values_that_cannot_be(heading: str, metadata: str, words: str) -> None:
    assert words in messages(f"# {heading}\n{metadata}\n---\n{STEPS}", "metadata-value")


@pytest.mark.parametrize(
    ("heading", "metadata"),
    [("Ada", "startup_mode: standby"), ("Ada:Human", "delivery_channel: custom\ndelivery_handler: ours.send")],
)
def test_values_that_can_be(heading: str, metadata: str) -> None:
    assert "metadata-value" not in codes(f"# {heading}\n{metadata}\n---\n{STEPS}")


@pytest.mark.parametrize(
    ("remote", "words"),
    [
        ("type: mcp", "needs a url"),
        ("type: mcp\n  url: x\n  transport: http", "sse, stdio, websocket, streamable-http, memory"),
        ("type: a2a\n  url: x", "only be remote as mcp"),
    ],
)
def test_a_remote_agent_that_cannot_be_reached(remote: str, words: str) -> None:
    assert words in messages(f"# Sky\nremote:\n  {remote}\n---\n{STEPS}", "remote-settings")
