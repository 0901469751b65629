"""Colours of the source: what means something, and nothing else."""

from __future__ import annotations

import pytest
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String

from workbench.model.showing.colours import tokens_of


def coloured(line: str, kind: object) -> list[str]:
    """The words of *line* that are coloured as *kind*, or as something of that kind."""
    return [line[start : start + length] for start, length, found in tokens_of(line, "playbook") if found in kind]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("- If $a is empty and not $b", ["If", "is", "and", "not"]),
        ("- Otherwise", ["Otherwise"]),
        ("  - While $x in $y or $z", ["While", "in", "or"]),
        ("- $all = $a and $b", ["and"]),
        ("- 02:CND if $x and $y", ["CND", "and"]),
        ("- Tell the user what is in the box and who is in", ["Tell"]),
        ("- Check what is left, and write it down", []),
        ("Tells a customer where their order is, and when it comes.", []),
        ('From "something is wrong" to 3 people = 1 team', []),
    ],
)
def test_words_of_a_condition_are_coloured_only_in_conditions(line: str, words: list[str]) -> None:
    assert coloured(line, Keyword) == words


def test_prose_has_variables_calls_and_code_and_nothing_else() -> None:
    line = 'Uses $total, {$name}, `code`, Send(), "words", 3 + 4 <!-- why -->'
    assert coloured(line, Name) == ["$total", "{$name}", "`code`", "Send"]
    assert coloured(line, Comment) == ["<!-- why -->"]
    assert coloured(line, String) + coloured(line, Number) + coloured(line, Operator) == []


def test_a_step_has_text_in_quotes_with_what_is_filled_in() -> None:
    line = '- Tell user "It is {$day} and $count" 3 times'
    assert coloured(line, String) == ['"It is ', " and ", '"']
    assert coloured(line, Name) == ["{$day}", "$count"]
    assert coloured(line, Number) == ["3"]


def test_what_goes_on_with_a_step_is_coloured_like_it() -> None:
    assert coloured('  "and more" of 3', String) == ['"and more', '"']


def test_a_heading_is_a_heading() -> None:
    assert coloured("## Main($x) and more", Generic.Heading) == ["##", " Main($x) and more"]


@pytest.mark.parametrize("line", ["", " ", "-", "- ", '"', '- "', "- $", "{", "- `", "<!--", "#", "- If", "\t- é"])
def test_any_line_is_covered(line: str) -> None:
    assert all(start >= 0 and start + length <= len(line) for start, length, _kind in tokens_of(line, "playbook"))
