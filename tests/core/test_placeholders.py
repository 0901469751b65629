"""What a procedure leaves open is found in every common form, and nothing else is taken for it."""

from __future__ import annotations

import pytest

from tests.core.check import snapshot_of
from workbench.model.kinds import FileKind
from workbench.model.procedures.placeholders import (
    Placeholder,
    filled_in,
    is_usable,
    placeholders_of,
    with_defaults,
)
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText


def _found(text: str) -> tuple[Placeholder, ...]:
    return placeholders_of(derive(SourceText(text), wanted=FileKind.PROCEDURE))


def _names(text: str) -> list[str]:
    return [each.name for each in _found(text)]


def _step(words: str) -> str:
    return f"# Pump\n\n## Steps\n\n1. {words}\n"


def _fence(code: str, language: str = "bash") -> str:
    return f"# Pump\n\n## Steps\n\n1. Look.\n\n```{language}\n{code}\n```\n"


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Open <instance-id>.", "instance_id"),
        ("Open <INSTANCE_ID>.", "instance_id"),
        ("Open <your instance id>.", "instance_id"),
        ("Open <instanceId>.", "instance_id"),
        ("Open ${CASE_ID}.", "case_id"),
        ("Open {{ host }}.", "host"),
        ("Sign with [YOUR_NAME].", "name"),
        ("Write to [CASE NUMBER].", "case_number"),
        ("Call `pumpctl show <path>`.", "path"),
        ("Call `pumpctl -n $PUMP_ROOM`.", "pump_room"),
        ("Look under /valves/<valve>/state.", "valve"),
    ],
)
def test_a_placeholder_in_prose_is_found(words: str, name: str) -> None:
    assert _names(_step(words)) == [name]


@pytest.mark.parametrize(
    "words",
    [
        "A line<br>break.",
        "A <b>bold</b> word and <details open>.",
        "Write to <keeper@example.com>.",
        "See <https://example.com/pumps>.",
        "It gives a List<string> or a Map<K>.",
        "Speak of the `<title>` and the `<img>`.",
        "It prints <none> or <unknown>.",
        "From a -> b, if x < y or y > z.",
        "See [THE MANUAL](manual.md) and [THE MANUAL][1].",
        "- [ ] box, [x] box, [TODO] and [WIP].",
        "It costs $5, and $PATH is yours.",
        "A template has {{ end }} and {{ .Values.pump }} and {{ $labels.pump }}.",
        "A set {a} and {b}.",
        "Look at `${HOME}/pumps`.",
        "Give <API_TOKEN> and <password> to nobody.",
        "<!-- <hidden> -->Look.",
        "<role>a tag with an end</role>",
    ],
)
def test_what_only_looks_like_a_placeholder_is_none(words: str) -> None:
    assert _names(_step(words)) == []


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("pumpctl show <pump>", ["pump"]),
        ("pumpctl -n $ROOM show ${PUMP_ID}", ["room", "pump_id"]),
        ("ROOM=3\npumpctl -n $ROOM", []),
        ("export ROOM=$(hostname); pumpctl $ROOM", []),
        ("for VALVE in a b; do pumpctl $VALVE; done", []),
        ("read -p 'Which? ' VALVE\npumpctl $VALVE", []),
        ("cd $HOME && echo $? $1 $$ ${USER} ${PUMP:-2}", []),
        ("cat <<EOF\nx\nEOF", []),
        ("sort <in.txt >out.txt", []),
        ("NAME   READY  IP\npump   1/1    <none>", []),
        ("${lower_case} is the program's own", []),
    ],
)
def test_a_fence_of_a_shell_leaves_open_what_nobody_sets(code: str, names: list[str]) -> None:
    assert _names(_fence(code)) == names


@pytest.mark.parametrize("language", ["html", "ts", "java", "jsx", "xml", "markdown"])
def test_a_fence_of_another_language_has_tags_and_types(language: str) -> None:
    assert _names(_fence("const x: Map<PumpId> = <Pump>;", language)) == []


def test_all_ways_to_write_it_are_one_placeholder_with_its_places() -> None:
    text = "# Pump\n\n## Diagnosis\n\n1. Open <pump-id>.\n\n```bash\npumpctl ${PUMP_ID}\n```\n"
    (found,) = _found(text)
    assert (found.name, found.title) == ("pump_id", "pump-id")
    places = [(each.written, each.chapter, each.is_in_fence) for each in found.uses]
    assert places == [("<pump-id>", "Diagnosis", False), ("${PUMP_ID}", "Diagnosis", True)]


INPUTS = """# Pump

## Inputs

* `${PUMP_ID}`: which pump
* **Case number** (required): where it is noted
* *(Optional) `${HOURS}`: how far back (default: 72).*
* `room` (optional, default: `cellar`) – where it stands
* `API_KEY`: the key
* A sentence, which declares nothing.

## Steps

1. Look at ${PUMP_ID}, and note the level as ${LEVEL}.
2. Go to {room}.
"""


def test_inputs_are_declared_with_description_default_and_whether_they_are_required() -> None:
    assert [(each.name, each.description, each.default, each.is_required) for each in _found(INPUTS)] == [
        ("pump_id", "which pump", "", False),
        ("case_number", "where it is noted", "", True),
        ("hours", "how far back (default: 72).", "72", False),
        ("room", "where it stands", "cellar", False),
    ]


def test_what_steps_find_out_is_not_asked_where_inputs_are_declared() -> None:
    assert "level" not in _names(INPUTS)


def test_parameters_of_an_operating_procedure_are_asked_for() -> None:
    text = "# Desk\n\n## Parameters\n\n- **desk** (required): which desk\n\n## Steps\n\n### 1. Clear {desk}\n\nDo it.\n"
    (found,) = _found(text)
    assert (found.name, found.is_required, [each.written for each in found.uses]) == ("desk", True, ["{desk}"])


def test_values_are_put_in_literally_where_they_are_known() -> None:
    values = {"pump_id": "p'1 $x", "room": ""}
    assert filled_in("Open <pump-id> in <room>, ${PUMP_ID}.", values) == "Open p'1 $x in <room>, p'1 $x."


def test_a_variable_that_the_command_itself_sets_is_not_filled_in() -> None:
    command = "PUMP=<pump>\npumpctl $PUMP"
    assert filled_in(command, {"pump": "p1"}, "bash") == "PUMP=p1\npumpctl $PUMP"


def test_a_default_may_hold_another_value() -> None:
    text = (
        "# Plan\n\n## Parameters\n\n- **name** (optional): of it\n- **folder** (default: `plans/{name}`): of plans\n"
        "\n## Steps\n\n1. Write.\n"
    )
    assert with_defaults(_found(text), {"name": "roof"}) == {"name": "roof", "folder": "plans/roof"}


@pytest.mark.parametrize(("value", "is_fine"), [("p 1", True), ("a\nb", False), ("a\x1bb", False), ("a\u2028b", False)])
def test_a_value_with_a_line_end_or_a_control_character_cannot_be_used(value: str, is_fine: bool) -> None:
    assert is_usable(value) is is_fine


def test_a_text_without_anything_open_has_none() -> None:
    assert placeholders_of(snapshot_of("# Pump\n\n## Steps\n\n1. Look.\n")) == ()
