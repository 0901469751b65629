"""Two versions of a playbook: what is told is true, and every line that differs can be had or left by itself."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.strategies import documents, ordinary_documents, programs
from workbench.model.program import Playbook
from workbench.model.snapshot import Snapshot, derive
from workbench.model.versions.comparing import compare_versions
from workbench.model.versions.differences import About, Differences, Fate, HunkKind, StepChange
from workbench.model.versions.matching import row_of
from workbench.syntax.comparing.words import pieces_of
from workbench.syntax.text import SourceText, split_lines

BOOK = """\
# Desk
The desk.

## Main($limit)
Takes orders.
### Triggers
- At the beginning
### Steps
1. Ask user for $name
2. If $name == "Zoe"
   - Tell user "Hello Zoe"
   - Return 1
3. Look up the orders of the user
4. Tell user "Good bye"

## Other
### Steps
- Count the parcels
- Weigh the parcels
- Write it down
"""
LIST = """\
id: ship
name: Ship it
steps:
  - id: pack
    description: Pack the parcel
    expected_tools: [pack]
  - id: send
    description: Send the parcel
    max_tool_calls: 2
"""


def snapshot(text: str) -> Snapshot:
    return derive(SourceText(text))


def compared(old: str, new: str) -> Differences:
    return compare_versions(snapshot(old), snapshot(new))


def told(change: StepChange) -> tuple[str, str, str]:
    """A change as its fates, and where the step was and is."""
    fates = " ".join(sorted(fate.value for fate in change.fates))
    return fates, change.old.address if change.old else "", change.new.address if change.new else ""


def changes(old: str, new: str) -> list[tuple[str, str, str]]:
    return [told(change) for change in compared(old, new).steps]


def texts_of(one: Snapshot) -> Counter[str]:
    rows = [row for playbook in one.program.playbooks for row in row_of(playbook).walk()]
    return Counter((row.step.text if row.fields else row.text) for row in rows if row.step is not None)


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, str]:
    """A text, and what a few random changes of its lines make of it."""
    old = draw(st.one_of(programs(), documents(), ordinary_documents(), st.just(LIST)))
    lines = split_lines(old)
    for _each in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, max(0, len(lines) - 1)))
        size = draw(st.integers(1, 3))
        taken = lines[at : at + size]
        match draw(st.sampled_from(["move", "delete", "double", "indent", "reword", "blank"])):
            case "move":
                del lines[at : at + size]
                to = draw(st.integers(0, len(lines)))
                lines[to:to] = taken
            case "delete":
                del lines[at : at + size]
            case "double":
                lines[at:at] = taken
            case "indent":
                lines[at : at + size] = ["  " + line for line in taken]
            case "reword":
                lines[at : at + size] = [line.replace("e", "ee", 1) for line in taken]
            case "blank":
                lines[at:at] = ["\n"]
    return old, "".join(lines)


@settings(max_examples=examples(8))
@given(edited())
def test_the_lines_that_differ_lead_from_one_version_to_the_other_together_and_one_by_one(
    texts: tuple[str, str],
) -> None:
    old, new = texts
    found = compared(old, new)
    assert found.change.apply(old) == new
    assert found.taking_back(found.hunks).apply(new) == old
    for hunk in found.hunks:
        lines = split_lines(old)
        first, count = hunk.lines[0] - 1, len(split_lines(hunk.was))
        assert lines[first : first + count] == split_lines(hunk.was)
        wanted = [*lines[:first], *split_lines(hunk.now), *lines[first + count :]]
        assert split_lines(found.accepting([hunk]).apply(old)) == wanted
        others = [each for each in found.hunks if each is not hunk]
        assert found.taking_back([hunk]).apply(new) == found.accepting(others).apply(old)


@settings(max_examples=examples(8))
@given(edited())
def test_what_is_told_of_the_steps_makes_those_of_one_version_of_those_of_the_other(texts: tuple[str, str]) -> None:
    old, new = map(snapshot, texts)
    found = compare_versions(old, new)
    was, now = texts_of(old), texts_of(new)
    for change in found.steps:
        assert change.old is None or was[change.old.text]
        assert change.new is None or now[change.new.text]
        was -= Counter([change.old.text] if change.old else [])
        now -= Counter([change.new.text] if change.new else [])
        assert "".join(piece.was for piece in change.words) == (change.old.text if change.old else "")
        assert "".join(piece.now for piece in change.words) == (change.new.text if change.new else "")
        is_in_both = change.old is not None and change.new is not None
        assert is_in_both == change.fates.isdisjoint({Fate.ADDED, Fate.REMOVED})
    assert was == now
    assert {place for hunk in found.hunks for place in hunk.steps} == set(range(len(found.steps)))
    assert found.is_same == (texts[0] == texts[1])
    assert not (found.is_same and (found.parts or found.steps))


def test_steps_that_came_went_and_changed_are_told_with_their_places() -> None:
    new = BOOK.replace("Look up the orders", "Look up the old orders").replace("   - Return 1\n", "")
    new = new.replace("4. Tell", "4. Wait for the van\n5. Tell")
    assert changes(BOOK, new) == [
        ("removed", "Main:02.02", ""),
        ("changed", "Main:03", "Main:03"),
        ("added", "", "Main:04"),
    ]


def test_the_words_that_differ_are_told() -> None:
    (change,) = compared(BOOK, BOOK.replace("Good bye", "See you then")).steps
    assert [(each.was, each.now) for each in change.words if not each.is_shared] == [("Good bye", "See you then")]
    assert "".join(each.now for each in pieces_of("a b c", "a x c") if each.is_shared) == "a  c"


def test_a_step_that_was_moved_or_put_elsewhere_in_its_list_is_no_other_step() -> None:
    reordered = BOOK.replace("- Count the parcels\n", "").replace("down\n", "down\n- Count the parcels\n")
    assert changes(BOOK, reordered) == [("reordered", "Other:01", "Other:03")]
    moved = BOOK.replace("- Weigh the parcels\n", "").replace(
        "   - Return 1\n", "   - Weigh the parcels\n   - Return 1\n"
    )
    assert changes(BOOK, moved) == [("moved", "Other:02", "Main:02.02")]


def test_a_step_that_is_wrapped_is_moved_with_the_place_it_came_from() -> None:
    new = BOOK.replace("- Count the parcels\n- Weigh", "- If $late\n  - Count the parcels\n- Weigh")
    assert changes(BOOK, new) == [("added", "", "Other:01"), ("moved", "Other:01", "Other:01.01")]
    (moved,) = (each for each in compared(BOOK, new).steps if each.fates == {Fate.MOVED})
    assert moved.old is not None and moved.new is not None
    assert (moved.old.parent, moved.new.parent) == ("Other", "Other:01")


def test_a_step_that_was_written_anew_is_one_that_changed() -> None:
    new = BOOK.replace('   - Tell user "Hello Zoe"\n   - Return 1\n', "   - Return 1\n").replace(
        "Look up the orders of the user", "Call them"
    )
    assert changes(BOOK, new) == [("removed", "Main:02.01", ""), ("changed", "Main:03", "Main:03")]


@pytest.mark.parametrize(
    "new",
    [
        BOOK.replace("1. ", "- ").replace("2. ", "- ").replace("3. ", "- ").replace("4. ", "- "),
        BOOK.replace("4. Tell", "5. Tell"),
        BOOK.replace("### Steps\n", "### Steps\n\n"),
        BOOK.replace("\n", "\r\n"),
        BOOK.replace("- Weigh the", "-  Weigh the"),
    ],
)  # fmt: skip
def test_nothing_but_layout_is_told_as_such(new: str) -> None:
    assert compared(BOOK, new).is_only_layout


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# A\n```python\nif x:\n    y()\nz()\n```\n", "# A\n```python\nif x:\n    y()\n    z()\n```\n"),
        ("# A\n## B\n- C\n<!-- one -->\n", "# A\n## B\n- C\n<!-- two -->\n"),
        (BOOK, BOOK.replace("The desk", "A desk")),
        ("# A\nIt is\n## B\n- C\n", "# A It is\n## B\n- C\n"),
    ],
)  # fmt: skip
def test_what_blanks_and_words_around_the_steps_say_is_no_layout(old: str, new: str) -> None:
    found = compared(old, new)
    assert not found.is_only_layout
    assert not found.steps
    assert {hunk.kind for hunk in found.hunks} == {HunkKind.TEXT}


def test_headings_descriptions_and_metadata_are_told_by_part() -> None:
    new = f"---\ntitle: Desk\n---\n{BOOK}".replace("## Main", "## First").replace("Takes orders", "Takes all orders")
    found = compared(BOOK, new)
    assert [(each.about, each.name) for part in found.parts for each in part.fields] == [
        (About.METADATA, "title"),
        (About.TITLE, ""),
        (About.DESCRIPTION, ""),
    ]
    assert found.parts[1].lines == (4, 7)
    assert not found.steps


def test_playbooks_that_came_went_or_stand_elsewhere_are_told() -> None:
    head, main, other = (
        BOOK.partition("## Main")[0],
        BOOK.partition("## Other")[0],
        "## Other" + BOOK.partition("## Other")[2],
    )
    found = compared(BOOK, head + other + "\n" + main.removeprefix(head))
    assert [(each.fates, part.name) for each in found.parts if isinstance(part := each.part, Playbook)] == [
        ({Fate.REORDERED}, "Main")
    ]
    assert not found.steps
    gone = compared(BOOK, main)
    assert [each.fates for each in gone.parts] == [{Fate.REMOVED}]
    assert [told(each)[0] for each in gone.steps] == ["removed"] * 3
    assert [each.fates for each in compared(main, BOOK).parts] == [{Fate.ADDED}]


def test_entries_of_a_step_list_are_known_by_their_id_and_told_field_by_field() -> None:
    new = LIST.replace("Send the parcel\n    max_tool_calls: 2", "Give it to the driver\n    max_tool_calls: 3")
    new = new.replace("    expected_tools: [pack]\n", "").replace("id: ship", "id: ship\nversion: 2")
    found = compared(LIST, new)
    assert [(told(each)[0], [field.name for field in each.fields]) for each in found.steps] == [
        ("changed", ["expected_tools"]),
        ("changed", ["description", "max_tool_calls"]),
    ]
    assert found.steps[1].fields[1].was == 2
    assert found.steps[1].fields[1].now == 3
    assert [hunk.kind for hunk in found.hunks] == [HunkKind.TEXT, HunkKind.STEPS, HunkKind.STEPS]


def test_a_step_list_that_is_only_set_in_otherwise_is_only_layout() -> None:
    assert compared(LIST, LIST.replace("\n  - id: send", "\n\n  - id: send")).is_only_layout
    assert not compared(LIST, LIST + "# the end\n").is_only_layout


def test_a_step_below_a_heading_that_came_belongs_to_the_lines_of_that() -> None:
    new = BOOK.replace("- Weigh", "\n## Scale\n- Weigh")
    found = compared(BOOK, new)
    assert [told(each) for each in found.steps] == [
        ("moved", "Other:02", "Scale:01"),
        ("moved", "Other:03", "Scale:02"),
    ]
    assert [hunk.steps for hunk in found.hunks] == [(0, 1)]
