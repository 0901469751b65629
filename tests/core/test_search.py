"""Looking for words and expressions in a text, and what is put in their place."""

from __future__ import annotations

import re
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.strategies import documents
from workbench.errors import Cancelled
from workbench.search.matching import Finder, Found, Query
from workbench.search.replacing import Replacement, edits_of, in_case_of
from workbench.syntax.change import TextChange
from workbench.syntax.text import Span, split_lines

FINDER = Finder()


def found(text: str, words: str, within: Span | None = None, **how: bool) -> list[str]:
    """What of *text* the words find."""
    return [match.span.of(text) for match in FINDER.find(Query(words, **how), text, within).matches]


def replaced(text: str, query: Query, replacement: Replacement) -> str:
    """*text* with all that *query* finds replaced."""
    return TextChange(edits_of(text, FINDER.find(query, text).matches, replacement)).apply(text)


@pytest.mark.parametrize(
    ("words", "how", "there"),
    [
        ("total", {}, ["Total", "total", "TOTAL", "total"]),
        ("total", {"is_case": True}, ["total", "total"]),
        ("total", {"is_word": True}, ["Total", "total", "TOTAL"]),
        ("$total", {"is_word": True}, ["$total"]),
        ("t.t", {}, []),
        ("t.t", {"is_regex": True}, ["Tot", "tot", "TOT", "tot"]),
        (r"tot\w+", {"is_regex": True, "is_word": True, "is_case": True}, ["total", "totals"]),
        (r"^- \w+$", {"is_regex": True}, ["- TOTAL"]),
        ("is\n- ", {}, ["is\r\n- "]),
        (r"is\n- ", {"is_regex": True}, ["is\r\n- "]),
        ("", {}, []),
    ],
)
def test_words_are_found_as_they_were_asked_for(words: str, how: dict[str, bool], there: list[str]) -> None:
    assert found("Total $total is\r\n- TOTAL\r\nof totals", words, **how) == there


def test_only_a_part_of_the_text_is_looked_at_where_one_is_given() -> None:
    assert found("aa\r\naa\r\naa", "a", Span(1, 5)) == ["a", "a"]
    assert found("aa\r\naa\r\naa", "a+$", Span(4, 12), is_regex=True) == ["aa", "aa"]


@pytest.mark.parametrize(
    ("words", "told"), [("(a", "at character 1"), ("a{1000000000000}", "too large"), ("a" * 2001, "2,000 characters")]
)
def test_what_is_no_expression_is_told(words: str, told: str) -> None:
    found = FINDER.find(Query(words, is_regex=True), "aaa")
    assert told in found.trouble and not found.matches


@pytest.mark.parametrize("words", ["(a+)+$", "(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$"])
def test_an_expression_that_would_take_for_ever_is_given_up_and_the_next_one_is_answered(words: str) -> None:
    finder = Finder(limit_s=0.02)
    assert "takes too long" in finder.find(Query(words, is_regex=True), "a" * 60 + "!").trouble
    assert len(finder.find(Query("a+", is_regex=True), "aa aa").matches) == 2
    finder.close()


def test_what_is_being_looked_for_can_be_given_up_from_another_thread() -> None:
    finder = Finder(limit_s=600)
    given_up = threading.Timer(0.05, finder.cancel)
    given_up.start()
    with pytest.raises(Cancelled):
        finder.find(Query("(a+)+$", is_regex=True), "a" * 60 + "!")
    with pytest.raises(Cancelled):
        finder.find(Query("a", is_regex=True), "a")


@pytest.mark.parametrize(
    ("text", "words", "by", "after"),
    [
        ("xax", "x*", "-", "--a--"),
        ("a\r\nb\r\n", "^", "> ", "> a\r\n> b\r\n> "),
        ("a\r\nb\r\n", "$", ";", "a;\r\nb;\r\n;"),
        ("a\r\nb", r"\n", "\n\n", "a\r\n\r\nb"),
        ("k: v", r"(\w): (\w)", r"\2 = $1, \g<1>, $&, \0, $total, $9, \$1", r"v = k, k, k: v, k: v, $total, $9, $1"),
        ("ab", r"(x)?b", r"[\1]\t", "a[]\t"),
        ("k: v", r"(?P<key>\w): (?P<is>\w)", r"\g<is> \g<key> \g<no> \g<2>", r"v k \g<no> v"),
    ],
)
def test_an_expression_is_replaced_with_its_parts(text: str, words: str, by: str, after: str) -> None:
    assert replaced(text, Query(words, is_regex=True), Replacement(by, is_regex=True, expression=words)) == after


@pytest.mark.parametrize(
    ("there", "then"),
    [("order", "sale"), ("ORDER", "SALE"), ("Order", "Sale"), ("oRDER", "sale"), ("123", "sale"), ("O", "Sale")],
)
def test_the_case_of_what_was_there_is_kept(there: str, then: str) -> None:
    assert in_case_of(there, "sale") == then


def test_the_rest_of_the_words_keeps_its_own_case() -> None:
    assert replaced("Order order", Query("order"), Replacement("mySale", keeps_case=True)) == "MySale mysale"


WORDS = st.text("a-$\n\r.é🗂", min_size=1, max_size=3)


@settings(max_examples=examples(60))
@given(text=st.text("ab-$\n\r.é🗂", max_size=40), words=WORDS, by=st.text("xyz\n", max_size=3))
def test_replacing_changes_what_was_found_and_nothing_else(text: str, words: str, by: str) -> None:
    query = Query(words, is_case=True)
    matches = FINDER.find(query, text).matches
    assert all(not (text[at - 1 : at] == "\r" and text[at : at + 1] == "\n") for m in matches for at in _ends(m.span))
    after = TextChange(edits_of(text, matches, Replacement(by))).apply(text)
    kept = re.split("\0", _blanked(text, matches))
    assert re.fullmatch(".*?".join(map(re.escape, kept)), after, re.DOTALL)
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace(words.replace("\r\n", "\n").replace("\r", "\n"), by)
    assert after.replace("\r\n", "\n").replace("\r", "\n") == plain


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _blanked(text: str, matches: tuple[object, ...]) -> str:
    return TextChange(edits_of(text, matches, Replacement("\0"))).apply(text)  # type: ignore[arg-type]


@settings(max_examples=examples(15))
@given(text=documents(), pattern=st.sampled_from(["^", "$", "x*", r"\s*", r"(\$\w+)", r"^- .*\n", r"\b", r"[^\n]*"]))
def test_replacing_an_expression_is_what_python_says_of_it(text: str, pattern: str) -> None:
    matches = FINDER.find(Query(pattern, is_case=True, is_regex=True), text).matches
    after = TextChange(edits_of(text, matches, Replacement("<>"))).apply(text)
    assert after.replace("\r\n", "\n") == re.sub(pattern, "<>", text.replace("\r\n", "\n"), flags=re.MULTILINE)
    untouched = [line for line in split_lines(text) if line in after]
    assert "\r\n" not in text or all(line.endswith("\r\n") for line in untouched if line.endswith("\n"))


def test_of_very_many_matches_the_first_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.search.matching.MOST_MATCHES", 3)
    for is_regex in (False, True):
        cut = FINDER.find(Query("a", is_regex=is_regex), "aaaaa")
        assert cut == Found(cut.matches, is_cut=True) and len(cut.matches) == 3
