"""Tags in notes and metadata: what they count for, and what is found by them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from workbench.model.showing.tags import Tags, tags_of
from workbench.model.snapshot import Snapshot, derive
from workbench.project.index import indexed
from workbench.project.rows import choice_of, rows_of
from workbench.search.document import found_in
from workbench.search.matching import Finder, Query
from workbench.syntax.text import SourceText

PROGRAM = """---
tags: [desk, "#EU"]
---
# Desk
tags: front office

## Main <!-- #Main -->
### Steps
<!-- #review ask Ann, see http://x.org/#part and a#b -->
- Tell user "#no tag" #none
  - Tell user inner <!-- TODO: #later/on -->
- Tell user <!-- #REVIEW --> again
<!-- disabled
- Tell user "#gone"
-->

<!-- #alone -->

## Other
tags: x, y
### Steps
- Tell user again

```html
<!-- #code -->
```
"""
LIST = """id: a
name: N
tags: [slow]
steps:
  # #review
  - id: one
    description: 'is "# #no"'
    tools: []  # TODO
  - id: two
    description: e
"""


def tagged(text: str) -> tuple[Snapshot, Tags]:
    snapshot = derive(SourceText(text))
    return snapshot, tags_of(snapshot)


def with_tag(text: str, tag: str) -> list[str]:
    snapshot, tags = tagged(text)
    return [snapshot.address(step) for step in tags.steps_with(snapshot, tag)]


def test_a_tag_counts_for_what_its_note_belongs_to_and_all_that_is_in_it() -> None:
    assert with_tag(PROGRAM, "#Review") == ["Main:01", "Main:02"]
    assert with_tag(PROGRAM, "later/on") == with_tag(PROGRAM, "todo") == ["Main:01.01"]
    assert with_tag(PROGRAM, "main") == ["Main:01", "Main:02"]
    assert with_tag(PROGRAM, "Y") == ["Other:01"]
    assert with_tag(PROGRAM, "office") == with_tag(PROGRAM, "eu") == ["Main:01", "Main:02", "Other:01"]
    snapshot, tags = tagged(PROGRAM)
    inner = snapshot.at_address("Main:01.01")
    assert inner is not None
    assert tags.of_step(snapshot, inner.id) == {"desk", "eu", "front", "office", "main", "review", "later/on", "todo"}


def test_words_of_steps_addresses_and_what_is_disabled_hold_no_tags() -> None:
    counts = tagged(PROGRAM)[1].counts
    assert counts == {
        "alone": 1,
        "desk": 1,
        "EU": 1,
        "front": 1,
        "later/on": 1,
        "Main": 1,
        "office": 1,
        "review": 2,
        "TODO": 1,
        "x": 1,
        "y": 1,
    }
    assert list(counts) == sorted(counts, key=str.casefold)
    assert with_tag(PROGRAM, "alone") == []


def test_a_step_list_has_tags_in_its_comments_and_its_field() -> None:
    assert with_tag(LIST, "review") == with_tag(LIST, "TODO") == ["a:01"]
    assert with_tag(LIST, "slow") == ["a:01", "a:02"]
    assert set(tagged(LIST)[1].counts) == {"review", "slow", "TODO"}


@pytest.mark.parametrize("text", ["", "no tags", "<!-- #", "<!-- #1 ## # -->", "on:\n  push: {tags: [a]}\njobs: {}\n"])
def test_a_text_without_tags_has_none(text: str) -> None:
    assert tagged(text)[1] == Tags()


def found(query: Query) -> list[str]:
    with closing(Finder()) as finder:
        return [match.span.of(PROGRAM) for match in found_in(finder, query, derive(SourceText(PROGRAM))).matches]


def test_words_are_found_in_what_has_a_tag_and_without_words_all_of_it() -> None:
    assert found(Query("again", tag="review")) == ["again"]
    assert found(Query("AGAIN")) == ["again", "again"]
    assert found(Query("in.er", is_regex=True, tag="main")) == ["inner"]
    assert [words.split("\n")[0] for words in found(Query("", tag="review"))] == [
        'Tell user "#no tag" #none',
        "Tell user <!-- #REVIEW --> again",
    ]


def test_the_terminal_and_the_project_know_files_by_their_tags(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "desk.md").write_text(PROGRAM)
    (tmp_path / "list.yaml").write_text(LIST)
    (tmp_path / "other.md").write_text("# A\n\n## Main\n### Steps\n- Tell user #review again\n")
    told = terminal.run("search", "", tmp_path, "--tag", "review", "--json").json
    assert [(each["file"], each["step"]) for each in told] == [
        ("desk.md", "Main:01"),
        ("desk.md", "Main:02"),
        ("list.yaml", "a:01"),
    ]
    assert terminal.run("search", "again", tmp_path, "--tag", "#Review").out.count("desk.md") == 1
    assert terminal.run("search", "", tmp_path).code == 2
    *_earlier, index = indexed(tmp_path, {})
    assert index.tags["review"] == 2
    assert [row.path for row in rows_of(index, choice_of("#review", is_all=False))] == ["desk.md", "list.yaml"]
