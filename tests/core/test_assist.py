"""What is offered and told to somebody who writes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from workbench.assist.callables import callables_of
from workbench.assist.completing import completions, completions_in_words, names_in_words
from workbench.assist.hovering import hover, signature_help
from workbench.assist.keys import INNER_RULES, STEP_RULES, TOP_RULES, list_rules
from workbench.assist.names import place_in
from workbench.assist.openings import triggers
from workbench.assist.values import Around, Completions
from workbench.model.loader.reading import TOP_FIELDS
from workbench.model.loader.step_reading import RULES, STEP_FIELDS
from workbench.model.meaning import TriggerEvent
from workbench.model.sentences.classify import classify_trigger
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText
from workbench.tools.values import CallSafety, ToolSpec

PLAYBOOK = """# Desk
## Main($order, $limit:int=3) -> str
execution_mode: pl
### Triggers
- When pr
### Steps
- $total = $order * 2
- If $total > 1
  - Tell user "Hi {$to}"
- Ask user for $customer_name:str
- For each $part in [1, 2]
  - Mitigate($part, "a, (b", )
- Mit
- Ask us
- Tell $later_on
- $later_on = 1
```python
Mit
```
## Mitigate($x:int, $why)
Does what is needed.
### Steps
- Return $x
"""
STEPS = """id: a
name: b
steps:
  - id: one
    description: x
    expected_tools:
      - lo
      - read
    on_failure: s
    max
    validation:
      ma
  - id: two
    required: t
    after: [o]
"""
GRAPH = "version: playbook.v2\nsteps:\n  - id: one\n    goal: x\n  - id: two\n    after: [o]\n"
JSON = '{"id": "a", "name": "n", "steps": [\n {"id": "one", "description": "x", "on_failure": "s", "ma": 1}\n]}'
FRONT = """---
dev: x
deviation:
  fa: x
  drift: s
plans:
  approve: r
---
# A
## M
deviation:
    slower: g
### Steps
- a
"""
LOOKUP = ToolSpec(
    "lookup",
    "Looks a word up.\nIn a book.",
    {"properties": {"lang": {"type": "string"}, "word": {"type": "string"}}, "required": ["word"]},
    CallSafety.READ,
    "built in",
)
AROUND = Around((LOOKUP,), {"$total": "84"})


def document(text: str = PLAYBOOK) -> Snapshot:
    """The document of *text*."""
    return derive(SourceText(text))


_PLANNED = """id: a
name: A
metadata:
  deviation:
    failed: retry
    missing: ask
steps:
- id: b
  description: c
"""


def behind(words: str, text: str = PLAYBOOK) -> Completions:
    """What can be written directly behind the first *words* of *text*."""
    return completions(document(text), text.index(words) + len(words), AROUND)


def labels(words: str, text: str = PLAYBOOK) -> list[str]:
    """The labels of that."""
    return [each.label for each in behind(words, text).items]


@pytest.mark.parametrize(
    ("words", "text", "expected"),
    [
        ("{$to", PLAYBOOK, ["$total", "$customer_name"]),
        ("Tell $lat", PLAYBOOK, ["$later_on"]),
        ("- Mit", PLAYBOOK, ["Mitigate"]),
        ("- Ask us", PLAYBOOK, ["Ask"]),
        ("- When pr", PLAYBOOK, ["Start"]),
        ("execution_mode: pl", PLAYBOOK, ["playbook"]),
        ("exec", PLAYBOOK, ["execution_mode"]),
        ("### Tri", PLAYBOOK, ["Triggers"]),
        ("```python\nMit", PLAYBOOK, []),
        ("---\ndev", FRONT, ["deviation"]),
        ("  fa", FRONT, ["failed"]),
        ("drift: s", FRONT, ["stop", "segment"]),
        ("approve: r", FRONT, ["rules"]),
        ("    slower: g", FRONT, ["go-on"]),
        ("      - lo", STEPS, ["lookup"]),
        ("on_failure: s", STEPS, ["stop", "skip"]),
        ("    max", STEPS, ["max_tool_calls"]),
        ("      ma", STEPS, ["match"]),
        ("required: t", STEPS, ["true"]),
        ("after: [o", GRAPH, ["one"]),
        ("  dev", _PLANNED, ["deviation"]),
        ("    mis", _PLANNED, ["missing"]),
        ("failed: re", _PLANNED, ["retry", "rest"]),
        ('"on_failure": "s', JSON, ["stop", "skip"]),
        ('"ma', JSON, ["max_tool_calls"]),
        ("on: [push]\njobs:\n  wa", "on: [push]\njobs:\n  water:\n    runs-on: bed\n    steps:\n      - run: a\n", []),
    ],
)
def test_what_fits_is_offered_best_first(words: str, text: str, expected: list[str]) -> None:
    assert labels(words, text)[: len(expected)] == expected
    assert bool(labels(words, text)) is bool(expected)


@pytest.mark.parametrize(
    ("written", "begun"), [("Tell $na", "$na"), ("Call Che", "Che"), ("Wait ", ""), ("$", "$"), ("price 12", "")]
)
def test_a_name_is_completed_from_where_it_begins(written: str, begun: str) -> None:
    place = place_in(document(), "Main")
    assert names_in_words(place, f"{written} more", len(written)).span.of(written) == begun


def test_a_variable_is_told_with_its_type_and_where_it_is_set() -> None:
    found = {each.label: each for each in behind("{$").items}
    assert [found[name].detail for name in ("$limit", "$customer_name", "$total")] == [
        "int · parameter of Main",
        "str · Main:03",
        "Main:01",
    ]
    assert "84" in found["$total"].words


def test_what_has_a_value_already_comes_before_what_gets_it_later() -> None:
    found = labels('Tell user "Hi {$')
    assert found.index("$total") < found.index("$later_on")
    assert "$part" in found


def test_the_name_that_is_being_written_is_not_offered() -> None:
    assert "$customer_name" not in labels("Ask user for $customer_name")


def test_a_call_is_offered_with_its_arguments_and_the_first_of_them_is_to_be_written() -> None:
    found = next(each for each in behind("- Mit").items if each.label == "Mitigate")
    assert (found.text, found.blank, found.words) == ("Mitigate($x, $why)", "$x", "Does what is needed.")


def test_arguments_of_tools_are_offered_by_name() -> None:
    found = completions_in_words(place_in(document(), "Main"), "lookup(", 7, AROUND)
    assert [each.text for each in found.items[:2]] == ["word=", "lang="]


def test_every_way_to_begin_a_trigger_is_one() -> None:
    for each in triggers():
        meaning = classify_trigger(each.text)
        assert isinstance(meaning, TriggerEvent)
        assert meaning.is_start or meaning.condition or meaning.hearing or meaning.timing


def hovered(words: str, text: str = PLAYBOOK) -> tuple[str, ...]:
    """What is told of the first *words* of *text*, the title first."""
    found = hover(document(text), text.index(words) + 1, AROUND)
    return (found.title, *found.lines) if found is not None else ()


@pytest.mark.parametrize(
    ("words", "text", "told"),
    [
        ("$total > 1", PLAYBOOK, ("$total: number", "Set in Main:01: $total = $order * 2", "Last run: 84")),
        ("$order *", PLAYBOOK, ("$order: number", "$order: parameter of Main")),
        ("Mitigate($part", PLAYBOOK, ("Mitigate($x:int, $why)", "Does what is needed.", "Playbook")),
        ("ecution_mode", PLAYBOOK, ("execution_mode", "How it is carried out: step by step, by choosing")),
        ("drift", FRONT, ("drift", "What is done where the run goes away", "Values: ask, stop, retry")),
        ("slower", FRONT, ("slower", "What is done where a step takes far longer", "Values: ask, stop, retry")),
        (
            "- Plan how to b",
            "# A\n## M\n### Steps\n- Plan how to b, then do it\n",
            ("M:01 · Call", "A plan is asked for."),
        ),
        ("If $total", PLAYBOOK, ("Main:02 · Decision", "The steps below are carried out where the condition holds.")),
        ("user for", PLAYBOOK, ()),
        ("on_failure", STEPS, ("on_failure", "What happens when the step fails", "Values: stop, skip, ask")),
    ],
)
def test_what_stands_under_the_pointer_is_explained(words: str, text: str, told: tuple[str, ...]) -> None:
    found = hovered(words, text)
    assert len(found) >= len(told)
    assert all(said.startswith(each) for said, each in zip(found, told, strict=False))
    assert bool(found) is bool(told)


@pytest.mark.parametrize(("words", "active"), [("Mitigate(", 0), ("Mitigate($part, ", 1), ('"a, (b", ', -1)])
def test_the_parameter_that_is_written_stands_out(words: str, active: int) -> None:
    found = signature_help(document(), PLAYBOOK.index(words) + len(words), AROUND)
    assert found is not None
    assert (found.label, found.active) == ("Mitigate($x:int, $why)", active)
    assert [span.of(found.label) for span in found.parameters] == ["$x:int", "$why"]


def test_a_tool_of_a_server_is_known_by_its_whole_name() -> None:
    shop = Around((replace(LOOKUP, name="shop.lookup"), LOOKUP))
    text = "# D\n## Main\n### Steps\n- shop.lo\n- shop.lookup(1)\n"
    found = completions(document(text), text.index("\n- shop.lookup"), shop)
    assert [(each.label, found.span.of(text)) for each in found.items] == [("shop.lookup", "shop.lo")]
    told = hover(document(text), text.index("okup(") + 1, shop)
    assert told is not None and told.title == "shop.lookup(word:str, lang:str=…)"


def test_outside_of_a_call_there_is_no_signature() -> None:
    assert signature_help(document(), PLAYBOOK.index("Ask user for"), AROUND) is None


def test_an_optional_argument_of_a_tool_can_be_told_apart() -> None:
    (found,) = [each for each in callables_of(document().program, AROUND, None) if each.name == "lookup"]
    assert found.signature == "lookup(word:str, lang:str=…)"


def test_every_field_of_a_step_list_has_a_rule() -> None:
    assert set(STEP_FIELDS) <= set(STEP_RULES)
    assert set(TOP_FIELDS) - {"defaults"} <= set(TOP_RULES)
    assert set(RULES) == set(INNER_RULES["validation"])
    assert set(list_rules(("steps",), is_graph=True)) >= {"after", "allowed_tools", "goal"}


@pytest.mark.parametrize("text", [PLAYBOOK, STEPS, JSON, ""], ids=["playbook", "yaml", "json", "nothing"])
def test_every_place_of_a_text_can_be_asked_about(text: str) -> None:
    snapshot = document(text)
    for offset in range(0, len(text) + 1, 3):
        found = completions(snapshot, offset, AROUND)
        assert found.span.start <= offset <= found.span.end
        hover(snapshot, offset, AROUND)
        signature_help(snapshot, offset, AROUND)
