"""Step lists and markdown, one made of the other: nothing is dropped, and what moves into notes is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.core.steplist_cases import CORPUS, DATA, opened, values_of
from workbench.cli.main import run_command_line
from workbench.model.converting import comments_of, to_markdown, to_steplist
from workbench.model.loader.loading import PlaybookLoadError, load_playbook, read_steplist
from workbench.model.snapshot import derive
from workbench.resources import sample_playbooks
from workbench.syntax.text import SourceText

LISTS = [path for path in CORPUS if read_steplist(opened(path).text).playbook is not None]
MARKDOWN = [*sorted((DATA / "markdown").glob("*.*")), *sample_playbooks()]
names = [path.name for path in LISTS]


@pytest.mark.parametrize("path", LISTS, ids=names)
def test_a_list_turned_into_markdown_and_back_says_the_same(path: Path) -> None:
    before = load_playbook(opened(path).text)
    markdown = to_markdown(before)
    snapshot = derive(SourceText(markdown.text))
    assert len(snapshot.program.playbooks[0].steps) == len(before.steps)
    back = to_steplist(snapshot)
    assert back is not None
    after = load_playbook(back.text)
    rest = {key: value for key, value in after.metadata.items() if key not in ("groups", "notes")}
    assert replace(after, metadata=rest) == replace(before, groups=())
    assert len(after.metadata.get("groups", ())) == len(before.groups)


@pytest.mark.parametrize("path", MARKDOWN, ids=[path.name for path in MARKDOWN])
def test_markdown_turned_into_a_list_loads_and_keeps_every_word(path: Path) -> None:
    snapshot = opened(path)
    if not snapshot.program.playbooks:
        return
    converted = to_steplist(snapshot)
    assert converted is not None
    load_playbook(converted.text)
    kept = _words("\n".join(_texts(values_of(converted.text))))
    for step in snapshot.program.playbooks[0].steps:
        for inner in step.walk():
            assert _words(inner.text) <= kept


def _texts(value: Any) -> Iterator[str]:
    """All texts in *value*."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def test_what_markdown_cannot_say_is_reported() -> None:
    found = to_markdown(load_playbook("id: a\nname: A\nsteps:\n- id: s\n  description: Do\n  max_tool_calls: 2\n"))
    assert "Step s: max_tool_calls are kept in a note." in found.kept
    assert '"max_tool_calls": 2' in found.text


def test_comments_are_found_outside_of_texts_only() -> None:
    text = "# one\nid: a # two\nname: 'no # comment'\ndescription: |\n  # nor this\nsteps: []\n# three\n"
    assert comments_of(text) == ("one", "two", "three")


def test_the_command_writes_the_file_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "a.yaml", tmp_path / "a.md"
    source.write_text("# why\nid: a\nname: A\nsteps:\n- id: s\n  description: Do it\n", encoding="utf-8")
    arguments = ["convert", str(source), "--to", "markdown", "-o", str(target)]
    assert run_command_line(arguments, _never, _never) == 0
    assert "- Do it" in target.read_text(encoding="utf-8")
    assert "- Comment: why" in target.read_text(encoding="utf-8")
    assert "comments of the file are kept" in capsys.readouterr().err
    assert run_command_line(arguments, _never, _never) == 2


def test_a_graph_is_neither_converted_nor_loaded(capsys: pytest.CaptureFixture[str]) -> None:
    path = DATA / "steplists" / "graph-v2.yaml"
    assert run_command_line(["convert", str(path), "--to", "markdown"], _never, _never) == 2
    assert "graph" in capsys.readouterr().err
    with pytest.raises(PlaybookLoadError, match="not run as a list"):
        load_playbook(path)


def _never(_arguments: object) -> int:
    raise AssertionError("no window is needed")
