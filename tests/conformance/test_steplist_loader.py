"""Files and texts that are, or should have been, step lists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import DATA
from tests.core.work import WORST_GROWTH, growth
from workbench.model.loader.loading import PlaybookLoadError, load_playbook, read_steplist
from workbench.model.loader.steplist import playbook_from_json, playbook_to_json
from workbench.syntax.diagnostics import Severity
from workbench.syntax.text import LineIndex, SourceText

STEPS = "steps:\n- id: a\n  description: first\n  expected_tools: [t]\n"
HEAD = "id: p\nname: P\n"


def codes(text: str) -> list[str]:
    """The codes of everything that is wrong in *text*."""
    return [one.code for one in read_steplist(text).diagnostics if one.severity is Severity.ERROR]


@pytest.mark.parametrize("ending", ["json", "JSON", "yaml", "Yaml", "yml"])
def test_endings_in_any_letter_case_are_loaded(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"list.{ending}"
    path.write_text('{"id": "p", "name": "P"}', encoding="utf-8")
    assert load_playbook(path).id == "p"


@pytest.mark.parametrize("ending", ["toml", "txt"])
def test_other_endings_are_refused_with_those_that_are_taken(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"list.{ending}"
    path.write_text(HEAD, encoding="utf-8")
    with pytest.raises(PlaybookLoadError, match=r"\.json, \.yaml or \.yml"):
        load_playbook(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(PlaybookLoadError, match="nowhere"):
        load_playbook(tmp_path / "nowhere.yaml")


def test_everything_that_is_wrong_is_told_at_once_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    text = "name: P\nsteps:\n- just text\n- description: no id\n  hints: one\n- id: a\n- id: a\n  description: twice\n"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PlaybookLoadError) as caught:
        load_playbook(path)
    message = str(caught.value)
    assert all(f"{path}:{line}:" in message for line in (1, 3, 4, 5, 6, 7))
    assert caught.value.path == path


def test_steps_must_be_a_list() -> None:
    assert codes(f"{HEAD}steps: {{a: 1}}\n") == ["not-a-list"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("expected_tool", "expected_tools"),
        ("max-tool-calls", "max_tool_calls"),
        ("Hints", "hints"),
        ("descripton", "description"),
    ],
)
def test_an_unknown_key_is_an_error_with_the_nearest_name(written: str, meant: str) -> None:
    found = read_steplist(f"{HEAD}steps:\n- id: a\n  description: x\n  {written}: [t]\n").diagnostics
    unknown = next(one for one in found if one.code == "unknown-key")
    assert meant in unknown.message
    assert unknown.fixes[0].edits[0].insert == meant


def test_a_key_that_stands_twice_is_told_with_both_lines() -> None:
    for text in (f"{HEAD}name: Q\n", '{"id": "p",\n"name": "P",\n"name": "Q"}'):
        found = [one for one in read_steplist(text).diagnostics if one.code == "duplicate-key"]
        assert "on lines 2 and 3" in found[0].message


def test_numbers_are_taken_as_they_are_written_with_a_note() -> None:
    found = read_steplist("id: 7\nname: P\nversion: 1.0\n")
    assert found.playbook is not None
    assert (found.playbook.id, found.playbook.version) == ("7", "1.0")
    assert [one.code for one in found.diagnostics] == ["quote-it", "quote-it"]


@pytest.mark.parametrize("word", ["yes", "no", "on", "off", "~", "null"])
def test_words_that_are_no_text_in_yaml_must_be_quoted(word: str) -> None:
    found = read_steplist(f"{HEAD}steps:\n- id: {word}\n  description: x\n  expected_tools: [{word}]\n").diagnostics
    assert [one.code for one in found if one.severity is Severity.ERROR] == ["quote-it", "quote-it"]
    assert all("quotes" in one.message for one in found)


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ('id: ""', "empty"), ('expected_tools: ["", " "]', "empty"), ("max_tool_calls: 2.5", "not-a-count"),
        ('max_tool_calls: "5"', "not-a-count"), ("max_tool_calls: -1", "not-a-count"),
        ("required: maybe", "not-a-flag"), ("timeout_seconds: .inf", "not-seconds"),
        ("timeout_seconds: 0", "not-seconds"), ("expected_tools: t", "not-a-list"),
        ("metadata: [1]", "not-a-mapping"), ("on_failure: explode", "unknown-policy"),
    ],
)  # fmt: skip
def test_values_that_cannot_be_meant_are_errors(field: str, code: str) -> None:
    own_id = "" if field.startswith("id") else "id: a\n  "
    assert code in codes(f"{HEAD}steps:\n- {own_id}{field}\n  description: x\n")


def test_byte_order_marks_are_taken_and_other_bytes_are_located(tmp_path: Path) -> None:
    text = json.dumps({"id": "p", "name": "P"})
    (tmp_path / "bom.json").write_bytes(b"\xef\xbb\xbf" + text.encode())
    (tmp_path / "wide.json").write_bytes(b"\xff\xfe" + text.encode("utf-16-le"))
    (tmp_path / "latin.yaml").write_bytes(b"id: p\nname: \xe9\n")
    assert load_playbook(tmp_path / "bom.json").id == "p"
    assert load_playbook(tmp_path / "wide.json").id == "p"
    with pytest.raises(PlaybookLoadError, match="offset 12"):
        load_playbook(tmp_path / "latin.yaml")


@pytest.mark.parametrize(
    "source",
    [
        None,
        [],
        "",
        " ",
        "x" * 5000,
        "{" * 300,
        "[" * 100_000,
        "a: " + "[" * 10_000,
        '{"id": "p"' * 400,
        "\0",
        "/",
        "a/\0b.yaml",
    ],
)
def test_whatever_is_handed_over_only_our_error_comes_back(source: object) -> None:
    with pytest.raises(PlaybookLoadError):
        load_playbook(source)  # type: ignore[arg-type]


@pytest.mark.parametrize("source", [None, [], "", "- a\n"])
def test_what_is_no_mapping_is_told_so(source: object) -> None:
    with pytest.raises(PlaybookLoadError, match="must be a mapping"):
        load_playbook(source)  # type: ignore[arg-type]


def test_a_text_may_be_yaml_too() -> None:
    assert load_playbook(f"{HEAD}{STEPS}").steps[0].expected_tools == ("t",)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"{HEAD}metadata: !!python/object:os.system x\n", "tag"), (f"{HEAD}---\nid: q\n", "several-documents"),
        (f"{HEAD}steps:\n\t- id: a\n", "yaml-syntax"), (f"{HEAD}metadata: {'[' * 70}{']' * 70}\n", "too-deep"),
        (f"{HEAD}metadata: &m {{x: *m}}\n", "circular-alias"),
    ],
)  # fmt: skip
def test_tags_documents_tabs_depth_and_circles_are_errors(text: str, code: str) -> None:
    assert code in codes(text)


def test_a_bomb_of_aliases_and_a_huge_file_are_refused() -> None:
    lines = ["m0: &m0 [x, x]"] + [f"m{n}: &m{n} [{', '.join([f'*m{n - 1}'] * 9)}]" for n in range(1, 9)]
    bomb = f"{HEAD}metadata:\n  " + "\n  ".join(lines) + "\n"
    assert codes(bomb) == ["aliases"]
    assert codes(HEAD + "#" * (17 * 1024 * 1024)) == ["too-large"]


def test_a_graph_is_recognised_and_never_read_as_a_list() -> None:
    text = (DATA / "steplists" / "graph-v2.yaml").read_text(encoding="utf-8")
    assert read_steplist(text).is_graph
    with pytest.raises(PlaybookLoadError, match="not run as a list"):
        load_playbook(text)


GROUPS = """playbook_id: p
title: P
summary: What it is
mode: guided
step_groups:
- id: look
  title: Look
  steps:
  - {id: a, goal: find it, guidance: {skill_refs: [searching]}}
  - {id: b, description: read it}
- id: act
  goal: Act
  steps:
  - {id: a, description: again}
  - {id: b, description: once more}
- id: act
  steps:
  - {id: a, description: a third time}
"""


def test_groups_are_flattened_kept_as_phases_and_their_ids_made_unique() -> None:
    playbook = load_playbook(GROUPS)
    assert (playbook.name, playbook.description, playbook.metadata["mode"]) == ("P", "What it is", "guided")
    assert [one.id for one in playbook.steps] == ["a", "b", "act.a", "act.b", "act.a.2"]
    assert [one.description for one in playbook.steps][:3] == ["Look: find it", "read it", "Act: again"]
    assert playbook.steps[0].uses == ("searching",)
    assert [(one.title, one.steps) for one in playbook.groups][:2] == [
        ("Look", ("a", "b")),
        ("Act", ("act.a", "act.b")),
    ]


@pytest.mark.parametrize("path", sorted((DATA / "enforce").glob("[!c]*")), ids=lambda path: path.name)
def test_a_saved_playbook_is_equal_when_it_is_loaded_again(path: Path) -> None:
    playbook = load_playbook(path)
    assert playbook_from_json(json.loads(json.dumps(playbook_to_json(playbook)))) == playbook


def test_four_times_as_many_steps_are_four_times_the_work() -> None:
    step = "- id: s{n}\n  description: does {n}\n  expected_tools: [a, b]\n  hints: [look]\n  max_tool_calls: 3\n"
    few, many = (f"{HEAD}steps:\n" + "".join(step.format(n=number) for number in range(count)) for count in (250, 1000))
    assert len(load_playbook(many).steps) == 1000
    assert growth(load_playbook, few, many) < WORST_GROWTH


def test_every_input_is_explained_with_its_lines() -> None:
    path = DATA / "steplists" / "words-that-are-not-text.yaml"
    text = SourceText.decode(path.read_bytes()).text
    lines = {LineIndex.of(text).line(one.span.start) + 1 for one in read_steplist(text).diagnostics}
    assert lines == {1, 2, 3, 5, 6, 7, 8, 9, 10}
