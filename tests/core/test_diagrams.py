"""Playbooks as Mermaid, SVG and HTML: every step once, every letter as it was, and the same bytes each time."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings

from tests.conftest import DATA, examples
from tests.core.cli_driver import Terminal
from tests.core.diagrams import (
    Page,
    check_all_steps_once,
    mermaid_nodes,
    mermaid_ways,
    part,
    part_or_nothing,
    snapshot_of,
    svg_blocks,
    text_of,
)
from tests.core.strategies import documents, ordinary_documents, programs
from workbench.errors import CannotRead
from workbench.model.snapshot import derive
from workbench.pages.diagrams.forms import Form
from workbench.pages.diagrams.mermaid import escaped
from workbench.pages.parts import part_of
from workbench.syntax.text import SourceText

DESK = """# Desk

## Main

### Triggers

- When program starts

### Steps

- Ask user for $name
- If $name == "Ada" <!-- the first -->
  - Greet($name)
- Otherwise
  - Return 0
- While $tries < 3
  - Knock at the door
- Return 1

## Greet($who)

### Steps

- Tell user "Hello {$who}"
"""
NASTY = (
    '# <Desk> & "Co"\n\n## Main\n### Steps\n'
    '- Say "hi" to Zoë & 終わり; a < b <x-y 50%% #1 style:a#b\n- fa:fa-car $$x$$ שלום\n'
)


@settings(max_examples=examples(10))
@given(text=documents())
def test_every_step_of_a_list_is_in_every_form_once(text: str) -> None:
    check_all_steps_once(part_or_nothing(text))


@settings(max_examples=examples(10))
@given(text=programs())
def test_every_step_of_a_program_is_in_every_form_once(text: str) -> None:
    check_all_steps_once(part_or_nothing(text))


@settings(max_examples=examples(10))
@given(text=ordinary_documents())
def test_every_step_of_a_procedure_is_in_every_form_once(text: str) -> None:
    check_all_steps_once(part_or_nothing(text))


@pytest.mark.parametrize("name", ["graph-v2.yaml", "groups.yaml", "refund.yaml", "graph-dangling.yaml"])
def test_every_entry_of_a_step_list_is_in_every_form_once(name: str) -> None:
    path = next(DATA.rglob(name))
    check_all_steps_once(part_of(derive(SourceText.decode(path.read_bytes())), name))


def test_mermaid_has_a_frame_per_playbook_a_shape_per_kind_and_ways_with_words() -> None:
    text = text_of(part(DESK), Form.MERMAID)
    assert text.splitlines()[:4] == ["---", 'title: "Desk"', "---", "flowchart TD"]
    assert dict(mermaid_nodes(text))["p2"] == "Greet($who)"
    assert re.search(r'p1_01\[/".*"/\]', text)
    assert re.search(r'p1_02\{".*"\}', text)
    assert re.search(r'p1_02_01\[\[".*"\]\]', text)
    ways = set(mermaid_ways(text))
    assert {("p1_02", "yes", "p1_02_01"), ("p1_02", "no", "p1_03"), ("p1_04_01", "again", "p1_04")} <= ways
    assert {("p1_T1", "", "p1_start"), ("p1_02_01", "calls", "p2_start"), ("p1_04", "no", "p1_05")} <= ways


def test_both_ways_out_of_a_decision_without_steps_are_kept() -> None:
    text = text_of(part("# A\n\n## M\n### Steps\n- If $x\n- b\n"), Form.MERMAID)
    assert {("p1_01", "yes", "p1_02"), ("p1_01", "no", "p1_02")} <= set(mermaid_ways(text))


def test_phases_of_a_list_without_order_are_frames_around_their_steps() -> None:
    groups = (DATA / "steplist_corpus" / "groups.yaml").read_text(encoding="utf-8")
    of = part_of(snapshot_of(f"strict_sequence: false\n{groups}"), "groups.yaml")
    assert of.title == "Grouped"
    assert 'subgraph p1_01["01 Look"]' in text_of(of, Form.MERMAID)


def test_foreign_letters_survive_every_form() -> None:
    of = part(NASTY)
    wanted = '01 Say "hi" to Zoë & 終わり; a < b <x-y 50%% #1 style:a#b'
    assert dict(mermaid_nodes(text_of(of, Form.MERMAID)))["p1_01"] == wanted
    assert svg_blocks(text_of(of, Form.SVG))["p1_01"] == wanted
    page = Page(text_of(of, Form.HTML))
    assert wanted.removeprefix("01 ") in page.words
    assert "שלום" in page.words
    assert "x-y" not in page.tags


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ('say "hi"', "say #quot;hi#quot;"),
        ("a < b & c", "a #60; b #38; c"),
        ("#1", "#35;1"),
        ("50%%{init}", "50#37;#37;{init}"),
        ("style:x#y;", "style#58;x#35;y;"),
        ("1. first", "1#46; first"),
        ("$$x$$", "#36;#36;x#36;#36;"),
        ("$price:float", "$price:float"),
    ],
)
def test_what_mermaid_would_read_something_into_is_written_as_its_number(words: str, written: str) -> None:
    assert escaped(words) == written


def test_characters_that_xml_cannot_hold_have_signs() -> None:
    text = "# A\n\n## M\n### Steps\n- bell \x07 and \ufffe end\n"
    assert svg_blocks(text_of(part(text), Form.SVG))["p1_01"].startswith("01 bell ")
    ET.fromstring(text_of(part(text), Form.SVG))


def test_the_svg_has_text_as_text_a_title_and_a_description_for_each_block() -> None:
    text = text_of(part(DESK), Form.SVG)
    root = ET.fromstring(text)
    svg = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{svg}title") == "Desk"
    assert root.find(f".//{svg}g[@id='p1_01']/{svg}desc").text == "Ask, line 11"  # type: ignore[union-attr]
    assert any(each.text == "Knock at the door" for each in root.iter(f"{svg}text"))
    assert "var(" not in text
    assert "sans-serif" in str(root.get("font-family"))


def test_the_page_needs_nothing_else_and_its_links_lead_somewhere() -> None:
    text = text_of(part(NASTY + "- Return $missing\n"), Form.HTML)
    page = Page(text)
    assert page.open == []
    assert not {"script", "link", "img", "iframe"} & page.tags
    assert page.links
    assert all(link.startswith("#") and page.names[link[1:]] == 1 for link in page.links)
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "prefers-color-scheme: dark" in text
    assert "Findings" in page.words


def test_the_page_holds_the_text_line_by_line() -> None:
    page = Page(text_of(part(DESK), Form.HTML))
    assert all(line in page.words for line in DESK.splitlines())


def test_one_playbook_has_only_its_own_lines_and_steps() -> None:
    of = part(DESK, "Greet")
    assert dict(mermaid_nodes(text_of(of, Form.MERMAID))).keys() == {"p2", "p2_start", "p2_01", "p2_end"}
    page = Page(text_of(of, Form.HTML))
    assert "Tell user" in page.words
    assert "Knock" not in page.words
    assert svg_blocks(text_of(of, Form.SVG)).keys() == {"p2_01"}


def test_a_selection_keeps_its_numbers_and_takes_what_is_below() -> None:
    whole = snapshot_of(DESK)
    steps = [step for number in ("02", "02.01", "05") if (step := whole.at_address(f"Main:{number}"))]
    of = part_of(whole, "a.md", steps=[step.id for step in steps])
    assert {"p1_02", "p1_02_01", "p1_05"} <= dict(mermaid_nodes(text_of(of, Form.MERMAID))).keys()
    assert svg_blocks(text_of(of, Form.SVG))["p1_05"] == "05 Return 1"
    check_all_steps_once(of)


def test_the_file_of_another_program_is_refused_in_words() -> None:
    with pytest.raises(CannotRead, match="no steps that could be drawn"):
        part_of(snapshot_of("services:\n  web:\n    image: nginx\n"), "compose.yaml")


def test_a_playbook_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(CannotRead, match="Playbooks here: Main, Greet"):
        part(DESK, "Grete")


def test_the_terminal_writes_a_playbook_by_the_ending_of_the_file(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "desk.md").write_text(DESK, encoding="utf-8")
    for ending, beginning in ((".mmd", "---\n"), (".bpmn", "<?xml"), (".svg", "<?xml"), (".html", "<!doctype html>")):
        out = tmp_path / f"desk{ending}"
        assert terminal.run("export", tmp_path / "desk.md", "-o", out).code == 0
        assert out.read_text(encoding="utf-8").startswith(beginning)


def test_the_terminal_prints_a_playbook_and_tells_what_is_missing(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "desk.md").write_text(f"{DESK}\n## Empty\n\n### Steps\n", encoding="utf-8")
    done = terminal.run("export", tmp_path / "desk.md", "--format", "mermaid", "--playbook", "Empty")
    assert (done.code, "flowchart TD" in done.out) == (0, True)
    assert "has no steps to draw" in done.err


def test_the_terminal_asks_for_the_form_of_a_playbook(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "desk.md").write_text(DESK, encoding="utf-8")
    done = terminal.run("export", tmp_path / "desk.md")
    assert (done.code, "--format" in done.err) == (2, True)
