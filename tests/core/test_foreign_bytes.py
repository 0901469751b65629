"""Bytes that are no text reach nothing that cannot take them, and stay in the file as they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import DATA, examples
from tests.soak import texts
from workbench.cli.main import run_command_line
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.converting import to_steplist
from workbench.model.loader.loading import PlaybookLoadError, load_text
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.change import TextChange
from workbench.syntax.data.encodable import Encodable
from workbench.syntax.data.nodes import plain_value
from workbench.syntax.data.yaml_reading import read_yaml
from workbench.syntax.data.yaml_writing import dump_yaml
from workbench.syntax.text import SURROGATES, SourceText

LIST = b"""id: one
name: caf%s
steps:
- id: a
  description: tea%s here
  expected_tools: [t%s]
- id: b
  description: x
"""
MARKDOWN = b"""---
title: caf%s
---
# Desk%s

It is%s.

## Main
### Steps
- $a = "%s"
- Tell user "{$a} %s"
- Look at it%s
"""
PYTHON = b"""# A
```python
@playbook
def f(a):
    return '%s'
```
## Main
### Steps
- $x = f(1)
- Tell user "{$x}"
"""
JSON = b'{"id": "one", "name": "caf%s", "steps": [{"id": "a", "description": "tea%s"}]}'
TEXTS = {"list": LIST, "markdown": MARKDOWN, "python": PYTHON, "json": JSON}
ODD = {
    "latin-1": b"\xe9", "surrogate": b"\xed\xa0\x80", "NUL": b"\0", "escape": rb"\ud83d", "control": b"\x07",
    "no character": b"\xef\xbf\xbf",
}  # fmt: skip
COMMANDS = [
    "check FILE", "check --json FILE", "check --fix FILE", "compile FILE", "compile --map FILE", "compile FILE -o NEW",
    "graph FILE", "convert FILE --to markdown", "convert FILE --to steplist -o NEW", "enforce FILE --calls SCRIPT",
    "enforce FILE --json --calls SCRIPT", "run FILE --json --trust --script SCRIPT", "edit FILE text Main:01 other",
    "edit FILE text one:01 other", "edit FILE duplicate one:01", "edit FILE delete one:02",
]  # fmt: skip
SCRIPT = "calls:\n- step: a\n  tool: té\n  result: café\nanswers:\n- café\n"
TEXT = st.text(st.sampled_from("ab:- \n\"'[{#&*|é\ud83d\udce9\udfff\0\x07\uffff\U0010f0e9"), max_size=40)


def no_window(_arguments: Sequence[str]) -> int:
    raise AssertionError


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("kind", TEXTS)
def test_no_command_fails_over_bytes(
    kind: str, odd: str, command: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    places = {"FILE": tmp_path / "file", "SCRIPT": tmp_path / "script.yaml", "NEW": tmp_path / "new"}
    places["FILE"].write_bytes(TEXTS[kind].replace(b"%s", ODD[odd]))
    places["SCRIPT"].write_text(SCRIPT, "utf-8")
    code = run_command_line([str(places.get(part, part)) for part in command.split()], no_window, no_window)
    capsysbinary.readouterr()
    assert code in (0, 1, 2, 3)


def snapshot_of(template: bytes, odd: bytes = b"\xe9") -> Snapshot:
    return derive(SourceText.decode(template.replace(b"%s", odd)))


@pytest.mark.parametrize("kind", TEXTS)
def test_every_place_that_is_not_utf8_is_found(kind: str) -> None:
    snapshot = snapshot_of(TEXTS[kind])
    found = [one for one in snapshot.diagnostics if one.code == "not-utf8"]
    assert "".join(one.span.of(snapshot.text) for one in found).count("\udce9") == TEXTS[kind].count(b"%s")


def test_all_bytes_can_be_read_as_western_letters() -> None:
    snapshot = snapshot_of(LIST)
    fix = next(one for one in snapshot.diagnostics if one.code == "not-utf8").fixes[0]
    assert TextChange(fix.edits).apply(snapshot.text) == LIST.decode().replace("%s", "é")


def test_a_step_list_that_is_not_utf8_still_shows_its_steps() -> None:
    steps = snapshot_of(LIST).program.playbooks[0].steps
    assert [step.text for step in steps] == ["tea\udce9 here", "x"]


def test_a_step_list_that_is_not_utf8_is_not_run() -> None:
    with pytest.raises(PlaybookLoadError, match="not UTF-8"):
        load_text(snapshot_of(LIST).text)


@pytest.mark.parametrize("name", ["steplist-latin1.yaml", "steplist-not-utf8.yaml"])
def test_a_list_of_few_bytes_is_checked_to_its_end(name: str) -> None:
    snapshot = derive(SourceText.decode((DATA / "damaged" / name).read_bytes()))
    assert {"not-utf8", "missing-field"} <= {one.code for one in snapshot.diagnostics}


def test_front_matter_with_other_bytes_is_read() -> None:
    assert snapshot_of(MARKDOWN).program.front_matter == (("title", "caf\udce9"),)


def test_compiled_metadata_keeps_its_bytes() -> None:
    compiled = SourceText(compile_assembly(derive(SourceText("# A\nauthor: \udce9\n---\n## M\n- a\n"))).text)
    assert b"  author: \xe9\n" in compiled.encode()


def test_a_converted_list_keeps_its_bytes() -> None:
    converted = to_steplist(snapshot_of(MARKDOWN))
    assert converted is not None
    assert b"description: Look at it\xe9\n" in SourceText(converted.text).encode()


@given(TEXT)
def test_what_yaml_holds_is_what_the_text_holds(text: str) -> None:
    parse = read_yaml(text)
    assert parse.root is None or set(SURROGATES.findall(parse.root.text)) <= set(text)


@given(TEXT)
def test_a_text_can_be_encoded_and_is_itself_again(text: str) -> None:
    encodable = Encodable.of(text)
    encodable.text.encode()
    assert len(encodable.text) == len(text)
    assert encodable.original(encodable.text) == text


@given(st.dictionaries(TEXT, TEXT, max_size=3))
def test_data_written_as_yaml_is_read_as_the_same(data: dict[str, str]) -> None:
    root = read_yaml(dump_yaml(data, width=80)).root
    assert root is not None
    assert plain_value(root) == data


@given(TEXT, st.sampled_from(["utf-8", "utf-16-le"]))
def test_every_text_has_bytes(text: str, encoding: str) -> None:
    data = SourceText(text, b"", encoding).encode()
    assert data.decode(encoding, "surrogateescape" if encoding == "utf-8" else "strict")[:1] in (text[:1], "\ufffd")


def test_files_that_were_damaged_at_random_are_read_by_everything(tmp_path: Path) -> None:
    assert list(texts.failures(examples(90, 200), tmp_path)) == []


def test_whatever_hands_text_to_libyaml_makes_it_encodable_first() -> None:
    package = Path(__file__).parents[2] / "workbench"
    uses = re.compile(r"cyaml|\bC\w*(?:Loader|Dumper)\b")
    sources = [path.read_text("utf-8") for path in package.rglob("*.py")]
    assert all("Encodable.of(" in source for source in sources if uses.search(source))
