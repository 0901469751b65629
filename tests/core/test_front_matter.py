"""A value of the front matter is changed, added or taken out, and every other character stays as it was written."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.check import check_command, check_refused, check_unchanged, snapshot_of, try_laws
from workbench.editing.change import DocumentChange
from workbench.editing.commands import SetFrontMatter
from workbench.model.markdown.front_matter import FrontMatter, front_of

BODY = "\n# Lost keys\n\n## Steps\n\n1. Ask the guard.\n2. Write a note.\n"
FRONT = """\
# kept by the guard
name: lost-keys  # as the folder is called
description: >-
  Finds lost keys.
  Use it when somebody
  has lost one.
"allowed-tools": [Read, 'Bash(git *)',  Oven] # three
tools:
  - Read   # always
  - "Grep"
license: 'MIT'
version: 1.10
on-call: yes
since: 2024-05-01
compatibility:
metadata:
    author: the guard
    notes: |
      One.

      Two.
handoffs:
  - agent: next
    prompt: go
"""
PATHS = [
    ("name",),
    ("description",),
    ("allowed-tools",),
    ("tools",),
    ("license",),
    ("version",),
    ("on-call",),
    ("since",),
    ("compatibility",),
    ("metadata", "author"),
    ("metadata", "notes"),
]


def file(front: str) -> str:
    return f"---\n{front}---\n{BODY}"


def check(before: str, path: str, value: str | tuple[str, ...] | None, after: str) -> None:
    """Setting the value at *path* (keys with slashes between) makes *after* of the front matter, for each line end."""
    command = SetFrontMatter(tuple(path.split("/")), value)
    for end in ("\n", "\r\n"):
        check_command(file(before).replace("\n", end), lambda _find: command, file(after).replace("\n", end))


def test_the_fields_are_read_with_their_values() -> None:
    found = front_of(snapshot_of(file(FRONT)).blocks)
    assert found is not None
    assert [(each.path, each.value) for each in found[1].fields] == [
        (("name",), "lost-keys"),
        (("description",), "Finds lost keys. Use it when somebody has lost one."),
        (("allowed-tools",), ("Read", "Bash(git *)", "Oven")),
        (("tools",), ("Read", "Grep")),
        (("license",), "MIT"),
        (("version",), "1.10"),
        (("on-call",), "yes"),
        (("since",), "2024-05-01"),
        (("compatibility",), ""),
        (("metadata", "author"), "the guard"),
        (("metadata", "notes"), "One.\n\nTwo."),
        (("handoffs",), None),
    ]


CHANGES: dict[str, tuple[str, str, Any, str]] = {
    "plain text": ("name: a # x\n", "name", "b", "name: b # x\n"),
    "text that needs quotes": ("description: a\n", "description", "b: c", 'description: "b: c"\n'),
    "text in quotes": ("license: 'MIT'\n", "license", "It's", "license: 'It''s'\n"),
    "text for a number": ("license: MIT\n", "license", "1.0", 'license: "1.0"\n'),
    "a number for a number": ("version: 1.0 # x\n", "version", "1.10", "version: 1.10 # x\n"),
    "text where there was a number": ("version: 1.0\n", "version", "two", "version: two\n"),
    "yes or no": ("user-invocable: true\n", "user-invocable", "false", "user-invocable: false\n"),
    "nothing yet": ("license: # which?\n", "license", "MIT", "license: MIT # which?\n"),
    "tools as text": ("allowed-tools: Read, Grep\n", "allowed-tools", "Read Grep", "allowed-tools: Read Grep\n"),
    "a list in brackets": ("tools: [Read,  Oven] # x\n", "tools", ("Read", "Grep"), "tools: [Read,  Grep] # x\n"),
    "one more in brackets": ("tools: [Read,Oven]\n", "tools", ("Read", "Oven", "a: b"), 'tools: [Read,Oven,"a: b"]\n'),
    "one less of lines": ("tools:\n- Read # x\n- Oven\n", "tools", ("Read",), "tools:\n- Read # x\n"),
    "a word of a folded text": (
        "description: >-\n  Finds lost\n  keys at home.\n",
        *("description", "Finds lost coats at home."),
        "description: >-\n  Finds lost\n  coats at home.\n",
    ),
    "a word of a text over several lines": (
        "description: Finds lost\n  keys at home.\n",
        *("description", "Finds lost keys at the office."),
        "description: Finds lost\n  keys at the office.\n",
    ),
    "a line of a text in lines": (
        "description: |\n  One.\n\n  Two.\n",
        *("description", "One.\n\nThree."),
        "description: |\n  One.\n\n  Three.\n",
    ),
    "a text in lines that becomes another": (
        "description: |\n  One.\n  Two.\nname: a\n",
        *("description", "Zero."),
        "description: |\n  Zero.\nname: a\n",
    ),
    "inside of a mapping": (
        "metadata:\n    a: b # x\n    c: d\n",
        "metadata/a",
        "e",
        "metadata:\n    a: e # x\n    c: d\n",
    ),
    "another in a mapping": (
        "metadata:\n    a: b\nname: n\n",
        "metadata/c",
        "d",
        "metadata:\n    a: b\n    c: d\nname: n\n",
    ),
    "another in brackets": ("metadata: {a: b}\n", "metadata/c", "d", "metadata: {a: b, c: d}\n"),
    "the first in a mapping": ("name: n\n", "metadata/a", "b", "name: n\nmetadata:\n  a: b\n"),
    "the first in an empty mapping": ("metadata:\nname: n\n", "metadata/a", "b", "metadata:\n  a: b\nname: n\n"),
    "a key that is missing": (
        "name: n\nmetadata:\n  a: b\n",
        "license",
        "MIT",
        "name: n\nlicense: MIT\nmetadata:\n  a: b\n",
    ),
    "a key that nobody knows": ("name: n # x\n", "colour", "# red", 'name: n # x\ncolour: "# red"\n'),
    "taken out": ("name: n\nlicense: MIT # x\n# y\nmodel: m\n", "license", None, "name: n\n# y\nmodel: m\n"),
    "the last in a mapping taken out": ("name: n\nmetadata:\n  a: b\n", "metadata/a", None, "name: n\n"),
    "the only one taken out": ("name: n\n", "name", None, 'name: ""\n'),
    "empty front matter": ("", "name", "n", "name: n\n"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_a_change_of_the_front_matter(case: str) -> None:
    check(*CHANGES[case])


REFUSED = {
    "no front matter": ("# Title\n\n1. Step.\n", ("name",), "no-front-matter"),
    "a list": ("---\n- a\n---\n# T\n", ("name",), "damaged"),
    "broken": ("---\nname: [a\n---\n# T\n", ("name",), "damaged"),
    "no name": ("---\nname: a\n---\n# T\n", ("metadata", " "), "no-field"),
    "a text that cannot hold another": ("---\nname: a\n---\n# T\n", ("name", "b"), "not-here"),
    "what others stand for": ("---\nname: &a x\nlicense: *a\n---\n# T\n", ("name",), "not-here"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_changed_is_refused(case: str) -> None:
    text, path, code = REFUSED[case]
    check_refused(text, lambda _find: SetFrontMatter(path, "b"), code)


def test_the_same_value_changes_nothing() -> None:
    check_unchanged(
        file(FRONT),
        lambda _find: SetFrontMatter(("description",), "Finds lost keys. Use it when somebody has lost one."),
    )
    check_unchanged(file(FRONT), lambda _find: SetFrontMatter(("tools",), ("Read", "Grep")))


WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]) | st.sampled_from("\n: #-'\"[]{}&*!|>%@,"),
    max_size=12,
)
LISTS = st.lists(WORDS, min_size=1, max_size=4).map(tuple)


@given(st.sampled_from(PATHS), WORDS | LISTS | st.none(), st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=examples(120, 300))
def test_all_but_the_value_stays(path: tuple[str, ...], value: str | tuple[str, ...] | None, end: str) -> None:
    before = snapshot_of(file(FRONT).replace("\n", end))
    change = try_laws(before, SetFrontMatter(path, value))
    if not isinstance(change, DocumentChange):
        return
    old, new = front_of(before.blocks), front_of(change.after.blocks)
    assert old is not None
    assert new is not None
    field = old[1].field(path)
    assert field is not None
    rest = before.text[field.span.end :] if value is not None else before.text[before.text.index(end, field.span.end) :]
    assert change.after.text.startswith(before.text[: field.span.start].rstrip())
    assert change.after.text.endswith(rest.lstrip(" "))
    assert _others(new[1], path) == _others(old[1], path)
    assert _value(new[1], path) == value


def _others(front: FrontMatter, path: tuple[str, ...]) -> dict[tuple[str, ...], str]:
    return {each.path: each.source for each in front.fields if each.path != path}


def _value(front: FrontMatter, path: tuple[str, ...]) -> object:
    found = front.field(path)
    return found.value if found is not None else None
