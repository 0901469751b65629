"""What sentences mean that people write in procedures: each of a table, and laws for all others."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.prose_table import said, table
from workbench.model.meaning import Branch, Condition, Judge, Jump
from workbench.model.sentences.prose.reading import classify_prose

_TABLE = table()
_JOINING = frozenset("if when whenever unless then in case of the event that should else otherwise once".split())
_WORDS = re.compile(r"[^\W_]+")


@pytest.mark.parametrize(("sentence", "expected"), _TABLE, ids=[sentence for sentence, _expected in _TABLE])
def test_a_sentence_means_what_a_person_reads(sentence: str, expected: str) -> None:
    assert said(sentence) == expected


def _lost(sentence: str, branch: Branch) -> Counter[str]:
    """The words of *sentence* that neither the condition of *branch* nor what hangs on it says."""
    held = branch.condition.text if branch.condition else ""
    match branch.action:
        case Judge(text=text):
            held += f" {text}"
        case Jump():
            held += f" {sentence}"
    words = Counter(_WORDS.findall(sentence.lower()))
    return words - Counter(_WORDS.findall(held.lower()))


@pytest.mark.parametrize(
    "sentence", [sentence for sentence, what in _TABLE if re.match("if|else|otherwise", what) and "?" not in sentence]
)
def test_no_word_of_a_condition_is_lost(sentence: str) -> None:
    meaning = classify_prose(sentence.removeprefix("> "), sentence.startswith("> "))
    assert isinstance(meaning, Branch)
    lost = _lost(sentence.removeprefix("> "), meaning)
    assert set(lost) <= _JOINING or "do the following" in sentence


_PLAIN = st.sampled_from(
    """return stop exit quit print say display call repeat-order continue end break set let assign total wait ask tell
    run loop-in start pass raise import yield case trigger note finish call check once after before as because though
    the a every each no maybe wenn si se drucken""".split()
)
_FURTHER = st.sampled_from(
    """the lamp key guest is red and or open = 3 `x` $n (see below) "a, b" to from with until while each times valid
    status tab, again. done: now; not yet — later → left""".split()
)


@settings(max_examples=examples(300))
@given(_PLAIN, st.lists(_FURTHER, max_size=8), st.booleans())
def test_a_sentence_that_begins_with_no_plain_form_is_text(first: str, further: list[str], has_children: bool) -> None:
    sentence = " ".join((first, *further))
    assert classify_prose(sentence, has_children) == Judge(sentence)


_CONDITIONS = st.sampled_from(
    ("the disk is full", "`df -h` shows 90 %", "cards, keys or badges are missing", "so", "the sign says “a, b”", "any")
)
_JOINS = st.sampled_from((", ", ", then ", " then ", ": ", " → ", " — ", " - "))
_ACTIONS = st.sampled_from(
    ("delete old logs", "call Anna, then Bert", "do not touch it", "open the door, wait, and look", "write “if” on it")
)
_HEADS = st.sampled_from(("If", "IF", "When", "Whenever", "In case", "**If**", "Otherwise, if", "Else if"))


@settings(max_examples=examples(300))
@given(_HEADS, _CONDITIONS, _JOINS, _ACTIONS, st.booleans())
def test_a_plain_condition_keeps_all_its_words(
    head: str, condition: str, join: str, action: str, has_children: bool
) -> None:
    meaning = classify_prose(f"{head} {condition}{join}{action}", has_children)
    assert isinstance(meaning, Branch)
    assert (meaning.condition, meaning.action) == (Condition(condition), Judge(action))


@settings(max_examples=examples(200))
@given(st.text('If thenorws,.:;–→step 123*_`"(', max_size=60), st.booleans())
def test_any_words_mean_something(words: str, has_children: bool) -> None:
    assert classify_prose(words, has_children) == classify_prose(words, has_children)
