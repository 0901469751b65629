"""Playbooks as BPMN 2.0: what each kind of step becomes, that the file is whole, and that the diagram shows it."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from tests.conftest import DATA
from tests.core.diagrams import MODEL, Bpmn, part, snapshot_of, text_of
from workbench.model.snapshot import derive
from workbench.pages.diagrams.forms import Form
from workbench.pages.parts import part_of
from workbench.syntax.text import SourceText

SHOP = """# Shop

## Main

### Triggers

- When program starts
- Every 10 minutes
- When user says "stop"
- When $stock < 3

### Steps

- $n = 0 <!-- from the start -->
- For each $item in $items
  - If $item is broken, continue
  - If $n > 3, break
  - Repeat 3 times
    - Knock at the door
- If $n == 5
  - Greet("x")
- Otherwise
  - Return 5
- Ask user for $more
- Extract $date from the letter
- Pack("x")
- Wait 10 minutes
- Go to step 2

### Notes

- Be brief

## Greet($who)

### Steps

- Tell user "Hello <{$who}> & co"
- End program
"""


def bpmn(text: str) -> Bpmn:
    """*text* as BPMN, checked."""
    found = Bpmn(text_of(part(text), Form.BPMN))
    found.check()
    return found


@pytest.fixture(scope="module")
def shop() -> Bpmn:
    return bpmn(SHOP)


def condition(of: Bpmn, source: str, target: str) -> tuple[str, str | None]:
    """The words of the condition of the flow between two elements, and its type."""
    flow = next(name for name, ends in of.flows.items() if ends == (source, target))
    found = of.by_id[flow].find(f"{MODEL}conditionExpression")
    assert found is not None
    return str(found.text), found.get("{http://www.w3.org/2001/XMLSchema-instance}type")


def test_each_kind_of_step_becomes_the_element_that_says_it(shop: Bpmn) -> None:
    wanted = {
        "p1_01": "scriptTask",
        "p1_02": "exclusiveGateway",
        "p1_02_01": "exclusiveGateway",
        "p1_02_01_do": "intermediateThrowEvent",
        "p1_02_03_01": "task",
        "p1_03_01": "callActivity",
        "p1_04": "intermediateThrowEvent",
        "p1_04_01": "endEvent",
        "p1_05": "userTask",
        "p1_06": "businessRuleTask",
        "p1_07": "serviceTask",
        "p1_08": "intermediateCatchEvent",
        "p1_09": "intermediateThrowEvent",
        "p1_N1": "textAnnotation",
        "p2_01": "sendTask",
        "p2_02": "endEvent",
    }
    assert {name: shop.elements[name] for name in wanted} == wanted


def test_triggers_are_start_events_with_what_they_wait_for(shop: Bpmn) -> None:
    kinds = [[child.tag.removeprefix(MODEL) for child in shop.by_id[f"p1_T{place}"]][-1] for place in range(1, 5)]
    assert kinds[1:] == ["timerEventDefinition", "messageEventDefinition", "conditionalEventDefinition"]
    assert shop.by_id["p1_T2"].findtext(f".//{MODEL}timeCycle") == "R/PT600S"
    assert shop.elements["p1_T3_message"] == "message"
    assert "p1_start" not in shop.elements
    assert "p2_start" in shop.elements


def test_a_decision_asks_exactly_where_its_condition_is_exact(shop: Bpmn) -> None:
    assert condition(shop, "p1_03", "p1_03_01") == ("$n == 5", "tFormalExpression")
    assert condition(shop, "p1_02_01", "p1_02_01_do") == ("$item is broken", None)
    default = shop.by_id["p1_03"].get("default")
    assert shop.flows[str(default)] == ("p1_03", "p1_04")


def test_a_loop_is_two_gateways_with_a_way_back_and_a_break_leaves_it(shop: Bpmn) -> None:
    ways = set(shop.flows.values())
    assert {("p1_01", "p1_02_again"), ("p1_02_again", "p1_02"), ("p1_02", "p1_02_01")} <= ways
    assert ("p1_02_01_do", "p1_02_again") in ways
    assert {("p1_02", "p1_02_join"), ("p1_02_02_do", "p1_02_join"), ("p1_02_join", "p1_03")} <= ways
    assert ("p1_09", "p1_02_again") in ways


def test_a_call_names_the_process_and_a_return_ends_it(shop: Bpmn) -> None:
    assert shop.by_id["p1_03_01"].get("calledElement") == "p2"
    assert shop.elements["p2"] == "process"
    assert shop.by_id["p2_02"].find(f"{MODEL}terminateEventDefinition") is not None


def test_every_element_has_its_lines_and_foreign_letters_survive(shop: Bpmn) -> None:
    assert shop.by_id["p1_01"].findtext(f"{MODEL}documentation") == "- $n = 0 <!-- from the start -->"
    assert shop.by_id["p2_01"].get("name") == 'Tell user "Hello <{$who}> & co"'


def test_agents_are_lanes_and_playbooks_in_python_are_processes() -> None:
    python = '```python\n@playbook(triggers=["When asked"])\nasync def weigh(grams):\n    return grams\n```\n'
    found = bpmn(f"# Clerk\n\n## A\n### Steps\n- weigh(3)\n\n# Boss\n\n{python}\n## B\n### Steps\n- b\n")
    lanes = [each.get("name") for each in found.root.iter(f"{MODEL}lane")]
    assert lanes == ["Clerk", "Boss"]
    assert found.elements["f1"] == "process"
    assert found.by_id["p1_01"].get("calledElement") == "f1"


def test_two_agents_can_have_python_of_one_name() -> None:
    python = "```python\n@playbook\nasync def weigh(grams):\n    return grams\n```\n"
    found = bpmn(f"# Clerk\n\n{python}\n## A\n### Steps\n- weigh(3)\n\n# Boss\n\n{python}\n## B\n### Steps\n- b\n")
    assert {found.elements["f1"], found.elements["f2"]} == {"process"}


def test_a_list_in_any_order_is_one_place_for_all_of_its_tasks() -> None:
    groups = (DATA / "steplist_corpus" / "groups.yaml").read_text(encoding="utf-8")
    found = Bpmn(text_of(part_of(snapshot_of(f"strict_sequence: false\n{groups}"), "g.yaml"), Form.BPMN))
    found.check()
    assert found.elements["p1_any"] == "adHocSubProcess"
    assert [each.get("id") for each in found.by_id["p1_any"].iter(f"{MODEL}task")] == [
        *("p1_01_01", "p1_01_02", "p1_02_01", "p1_02_02"),
    ]
    assert found.elements["p1_01"] == "group"


def test_a_graph_keeps_its_own_ways_and_waits_for_all_that_a_step_names() -> None:
    path = DATA / "steplists" / "graph-v2.yaml"
    found = Bpmn(text_of(part_of(derive(SourceText.decode(path.read_bytes())), path.name), Form.BPMN))
    found.check()
    assert condition(found, "p1_01_01_out", "p1_02_02") == ("Up to 50", None)
    waits = "version: playbook.v2\nsteps:\n  - {id: a}\n  - {id: b}\n  - {id: c, after: [a, b]}\n"
    joined = bpmn(waits)
    assert joined.elements["p1_03_all"] == "parallelGateway"
    assert {("p1_01", "p1_03_all"), ("p1_02", "p1_03_all"), ("p1_03_all", "p1_03")} <= set(joined.flows.values())


def test_the_chapters_of_a_procedure_are_called_one_after_the_other() -> None:
    text = "# Move\n\n## Before\n\n1. Pack the boxes\n2. Lock up\n\n## After\n\n1. Unpack the boxes\n2. Call home\n"
    found = bpmn(text)
    assert [each.get("calledElement") for each in found.root.iter(f"{MODEL}callActivity")] == ["p1", "p2"]
    assert found.elements["p1_01"] == "userTask"


def test_what_nothing_leads_to_does_not_begin_by_itself() -> None:
    found = bpmn("# A\n\n## M\n### Steps\n- Return 1\n- never done\n")
    assert (found.elements["p1_01"], found.elements["p1_02"]) == ("endEvent", "textAnnotation")


def test_an_empty_document_is_a_file_without_processes() -> None:
    root = ET.fromstring(text_of(part(""), Form.BPMN))
    assert (root.tag, len(root)) == (f"{MODEL}definitions", 0)
