"""Values that are written into a step list are what was meant, for every reader: ours, Python's and that of libyaml."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.cli_driver import Terminal
from tests.core.steplist_cases import values_of
from workbench.editing.change import DocumentChange
from workbench.editing.commands import Command, Refusal, RenamePlaybook, SetPlaybookField, SetStepField, SetStepText
from workbench.editing.document import Document
from workbench.model.program import StepId

HEAD = "id: w\nname: Words\nsteps:\n"
STYLES = {
    "plain": HEAD + "- id: one\n  description: plain  # why\n  hints:\n  - a\n  - b\n- id: two\n  description: d\n",
    "single": HEAD.replace("Words", "'Words'") + "- id: 'one'\n  description: 'x'\n  hints: ['a', 'b']\n",
    "double": HEAD.replace("Words", '"Words"') + '- id: "one"\n  description: "x"\n  hints:\n    - "a"\n    - "b"\n',
    "lines": HEAD + "- id: one\n  description: |\n    a\n    b\n  hints:\n  - |-\n    a\n    b\n  - c\n- id: two\n",
    "folded": HEAD + "-   id: one\n    description: >-\n      a\n      b\n    hints: []\n",
    "flow": HEAD + "- {id: one, description: x, hints: [a, b], metadata: {k: v}}\n",
    "nothing": HEAD + "- id: one\n- id: two\n",
    "json": '{"id": "w", "name": "Words", "steps": [{"id": "one", "description": "x", "hints": ["a", "b"]}]}',
    "json lines": '{\n  "id": "w",\n  "name": "Words",\n  "steps": [\n    {\n      "id": "one"\n    }\n  ]\n}\n',
}
GRAPH = "version: playbook.v2\nplaybook_id: g\ntitle: G\nsteps:\n- id: one\n  goal: x\n  allowed_tools: [a]\n"
ODD = [
    *("off", "0123", "a: b", "- x", "null", "~", "a #b", "#", "tab\there", "<<", "=", "? x", "?", "&a", "*a", "!x"),
    *("!!str x", "|", ">", "%a", "@a", "`a", "2024-99-99", "2024-01-01", "1:30", "1_000", "0x1f", "1e3", "y", "No"),
    *(".inf", "-", "--- a", "...", "x:", ": x", "'", '"', "\\", "a\\", "{", "}", "[a", "a]", "a, b", ",", " lead"),
    *("trail ", "\n", "x\n", "x\n\n", "\nx", " x\ny", "x\n y\n", "\tx", "x\r", "a\r\nb", "\u2028", "a\x85b", "\x80"),
    *("\ufffe", "\ufeffx", "\x00", "🗂️", "שלום", "a\u200bb"),
]
SOME = st.lists(st.sampled_from([*ODD, "a", " "]), max_size=4).map("".join)
TEXTS = st.one_of(st.sampled_from(ODD), st.text(max_size=12), SOME)
LONGEST_KEY = 1_000
READERS = [loader for name in ("SafeLoader", "CSafeLoader") if (loader := getattr(yaml, name, None)) is not None]


def settings_of(step: StepId, text: str) -> Iterator[tuple[Command, tuple[str | int, ...], Any]]:
    """Every way to write *text* into a file, where it stands then, and as what."""
    one = ("steps", 0)
    yield SetStepText(step, text), (*one, "description"), text.strip()
    yield RenamePlaybook("w", text), ("name",), text.strip()
    for field in ("id", "description"):
        yield SetStepField(step, field, text), (*one, field), text
    for field in ("expected_tools", "hints", "uses"):
        for texts in ([text], [text, "b"], ["a", text], ["a", text, "c"], [text, text]):
            yield SetStepField(step, field, tuple(texts)), (*one, field), texts
    for value in ({"k": text}, {text: "v"}, {"k": {"deep": [1, text]}}, {"a": "b", "k": [text, True]}):
        yield SetStepField(step, "metadata", value), (*one, "metadata"), value
    for field in ("name", "description", "version"):
        yield SetPlaybookField("w", field, text), (field,), text
    yield SetPlaybookField("w", "tags", ["x", text]), ("tags",), ["x", text]
    yield SetPlaybookField("w", "metadata", {"k": text}), ("metadata",), {"k": text}


def read(text: str, *, is_json: bool) -> Iterator[Any]:
    """What each reader makes of *text*."""
    yield values_of(text)
    for loader in READERS:
        yield yaml.load(text, Loader=loader)
    if is_json:
        yield json.loads(text)


def at(data: Any, path: tuple[str | int, ...]) -> Any:
    """What stands in *data* at *path*; a block of text may end with the line end that it ended with."""
    for key in path:
        data = data[key]
    return data


WAYS = len(list(settings_of(StepId(""), "")))


def check_text(style: str, text: str, way: int) -> None:
    """*text* is read back where it is written in a file of this *style* in one of the *way*s, or refused."""
    document = Document.from_text(STYLES[style])
    step = document.snapshot.program.playbooks[0].steps[0].id
    command, path, meant = list(settings_of(step, text))[way]
    outcome = document.execute(command)
    if isinstance(outcome, Refusal):
        assert not text.strip() or len(text) > LONGEST_KEY, (command, outcome)
        return
    assert isinstance(outcome, DocumentChange)
    for data in read(document.snapshot.text, is_json=style.startswith("json")):
        found = at(data, path)
        assert found == meant or (style == "lines" and found == f"{meant}\n"), (command, document.snapshot.text)


@pytest.mark.parametrize("style", STYLES)
def test_odd_texts_are_read_back_by_every_reader(style: str) -> None:
    for number, text in enumerate(ODD):
        for way in range(number % 9, WAYS, 9):
            check_text(style, text, way)


@given(st.sampled_from(list(STYLES)), TEXTS, st.integers(0, WAYS - 1))
@settings(max_examples=examples(300))
def test_any_text_is_read_back_by_every_reader(style: str, text: str, way: int) -> None:
    check_text(style, text, way)


@pytest.mark.parametrize("way", range(WAYS))
def test_a_name_that_is_too_long_for_others_is_refused(way: int) -> None:
    check_text("plain", "k" * 2 * LONGEST_KEY, way)


@pytest.mark.parametrize(
    ("field", "value"),
    [("goal", "off"), ("title", "a: b"), ("kind", "task"), ("allowed_tools", ["a,b", "no"]), ("after", ["1"])],
)
def test_the_fields_of_a_graph_are_read_back_by_every_reader(field: str, value: object) -> None:
    document = Document.from_text(GRAPH)
    step = document.snapshot.program.playbooks[0].steps[0].id
    assert isinstance(document.execute(SetStepField(step, field, value)), DocumentChange)
    for data in read(document.snapshot.text, is_json=False):
        assert data["steps"][0][field] == value


@pytest.mark.parametrize("value", [1e300, 1e-7, 2.0, -0.5, 10**20, True, float("inf")])
@pytest.mark.parametrize("style", ["plain", "flow", "nothing"])
def test_numbers_are_read_back_by_every_reader(style: str, value: float) -> None:
    document = Document.from_text(STYLES[style])
    step = document.snapshot.program.playbooks[0].steps[0].id
    document.execute(SetStepField(step, "metadata", {"n": value}))
    for data in read(document.snapshot.text, is_json=False):
        assert data["steps"][0]["metadata"] == {"n": value}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A step list."""
    path = tmp_path / "words.yaml"
    path.write_text(STYLES["plain"], encoding="utf-8")
    return path


@pytest.mark.parametrize("text", ["off", "0123", "a: b", "- x", "null", "a #b", "[a]", "'a'", "{a: b}", "2024-01-01"])
def test_what_is_set_in_the_terminal_is_text_where_text_belongs(terminal: Terminal, file: Path, text: str) -> None:
    assert terminal.run("edit", file, "set", "w:01", "description", text).code == 0
    assert terminal.run("edit", file, "set", "w", "version", text).code == 0
    found = yaml.safe_load(file.read_bytes())
    assert (found["steps"][0]["description"], found["version"]) == (text, text)


def test_entries_that_are_set_in_the_terminal_are_texts(terminal: Terminal, file: Path) -> None:
    assert terminal.run("edit", file, "set", "w:01", "hints", "[off, 0123, 'a, b', x]").code == 0
    assert yaml.safe_load(file.read_bytes())["steps"][0]["hints"] == ["off", "0123", "a, b", "x"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("hints", "a"), ("required", "maybe"), ("max_tool_calls", "-1")),
        *(("on_failure", "x"), ("metadata", "[a]"), ("id", "")),
    ],
)
def test_what_a_field_cannot_hold_is_refused(terminal: Terminal, file: Path, field: str, value: str) -> None:
    done = terminal.run("edit", file, "set", "w:01", field, value)
    assert done.code == 1
    assert done.err.strip().endswith(".")
    assert file.read_text("utf-8") == STYLES["plain"]
