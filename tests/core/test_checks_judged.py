"""The finding that says why a step is judged although it looks exact, and how it is written exactly."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from workbench.model.checks.judged.sentences import reasons_in
from workbench.model.meaning import Branch, Judge
from workbench.model.sentences.classify import classify
from workbench.model.snapshot import derive
from workbench.syntax.change import TextChange
from workbench.syntax.diagnostics import Diagnostic, Severity
from workbench.syntax.text import SourceText

CODE = "judged-though-exact"
SAID = [
    ("$x = $price times $quantity", "times", "$x = $price * $quantity"),
    ("$x = $price divided by 2", "divided by", "$x = $price / 2"),
    ("$x = $a + the tax", "the tax", ""),
    ("$x = $total * tax rate", "tax rate", ""),
    ("$x = $n + 1 days", "days", ""),
    ("$x = $a && $b", "&&", "$x = $a and $b"),
    ("$x = $a || $b", "||", "$x = $a or $b"),
    ("$x = $a === 5", "===", "$x = $a == 5"),
    ("$x = $n % the rest", "the rest", ""),
    ("$x = $a +", "+", ""),
    ("$x = [$a; $b]", ";", ""),
    ("$r = the mean of Check($n)", "the mean of", ""),
    ("$r = Check($n) in euros", "in euros", ""),
    ("$x := 5", ":=", "$x = 5"),
    ("$x == 5", "==", "$x = 5"),
    ("$x = 1,000", "1,000", ""),
    ("Set $x to 1,5", "1,5", ""),
    ("$n++", "++", "$n += 1"),
    ("$n--", "--", "$n -= 1"),
    ("Return $total + tax rate", "tax rate", ""),
    ("Check(the order)", "the order", ""),
    ("Check($n and more words)", "more words", ""),
    ("$x = Check(n=)", "n=", ""),
    ("$x = Check($n, m= , k=2)", "m=", ""),
    ("Have Check($n) done twice", "Have", ""),
    ("Have Chekc($n) done twice", "Chekc", "Have Check($n) done twice"),
    ("If $n is more than five", "five", "If $n is more than 5"),
    ("If $total is more than the limit", "the limit", ""),
    ("If $total exceeds our budget", "our budget", ""),
    ("If $n > 5 and the order is late", "the order is late", ""),
    ("If $n is at least 3 and the sky is blue", "the sky is blue", ""),
    ("If $n > 5 && $m", "&&", "If $n > 5 and $m"),
    ("If $n + 1 > the limit", "the limit", ""),
    ("If Check($n) is convincing", "is convincing", ""),
    ("While $n < the limit", "the limit", ""),
    ("Until $n is above the average", "the average", ""),
    ("For each $x in $orders that are late", "that are late", ""),
    ("End programm", "programm", "End program"),
    ("Go to step two", "two", "Go to step 2"),
]
NOTHING = [
    "$x = list of $cities",
    "$summary = a short summary of $text",
    '$x = "hello" in French',
    "$x = 3 facts about $topic (short)",
    "$x = 10% of $price",
    "$x = between $5 - $10",
    "$x = $a + 1",
    "$x = 2024-11-05",
    "$r = Check($n)",
    "Check the order(s)",
    "Check the order (see the manual)",
    "Think about $n",
    "Tell the user about $n",
    "Ask user for $n",
    "List 5 cities near $city",
    "Give the user (politely) the $answer",
    "Thank the customer for their order of $date",
    "Read https://example.org/?a=1&b=2",
    "Set $x to the number of guests",
    "Return the total",
    "Return $total",
    "Return what the customer said about $order in the first message",
    "If the order is late",
    "If $status is approved",
    "If $email is not valid",
    "If the customer is angry and it is late",
    "If $n > 5 and $m < 3",
    "While the user has questions",
    "While $email is not valid",
    "For each $x in $items",
    "For each customer who has ordered",
    "Repeat until the user is happy",
    "Repeat 3 times",
    "Retrun $x",
    "$x = ($a + $b",
    "Wait for the two of them",
]


def findings(sentence: str) -> tuple[Diagnostic, ...]:
    """What is said of *sentence* as the first step of a playbook."""
    return tuple(one for one in derive(SourceText(book(sentence))).diagnostics if one.code == CODE)


def book(sentence: str) -> str:
    """A playbook whose first step is *sentence*."""
    return f'# A\n## Main\n### Steps\n- {sentence}\n  - Tell user "x"\n## Check($n)\n### Steps\n- Return 1\n'


@pytest.mark.parametrize(("sentence", "part", "exact"), SAID)
def test_it_is_said_what_keeps_a_step_from_being_exact(sentence: str, part: str, exact: str) -> None:
    (found,) = findings(sentence)
    assert found.span.of(book(sentence)) == part
    assert part in found.message
    assert found.severity is Severity.INFO


@pytest.mark.parametrize(("sentence", "part", "exact"), [each for each in SAID if each[2]])
def test_what_is_sure_can_be_written_at_once(sentence: str, part: str, exact: str) -> None:
    (found,) = findings(sentence)
    text = book(sentence)
    assert TextChange(found.fixes[0].edits).apply(text) == book(exact)
    assert not found.fixes[0].is_safe


@pytest.mark.parametrize("exact", [each[2] for each in SAID if each[2] and "twice" not in each[2]])
def test_what_is_written_at_once_is_carried_out(exact: str) -> None:
    assert findings(exact) == ()
    first = derive(SourceText(book(exact))).program.playbooks[0].steps[0].meaning
    assert not isinstance(first, Judge)
    assert not isinstance(first, Branch) or (first.condition is not None and first.condition.test is not None)


@pytest.mark.parametrize("sentence", NOTHING)
def test_nothing_is_said_of_prose_and_of_what_is_exact(sentence: str) -> None:
    assert findings(sentence) == ()


FILES = [*sorted(Path("playbooks").glob("*.md")), *sorted(Path("tests/data/markdown").iterdir())]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nothing_is_said_of_the_samples(path: Path) -> None:
    assert [one.message for one in derive(SourceText(path.read_text())).diagnostics if one.code == CODE] == []


FRAMES = ("$x = F({})", "F({})", "Return {}", "$x = {}", "If {}", "Set $x to {}")
SIGNS = ("", "$", "a", "(", ")", ",", '"', "'", "[", "]", ".", ";", "`", " ", "=", "-", "\u2028", "{", "#", "*")


@pytest.mark.parametrize("frame", FRAMES)
def test_whatever_stands_where_a_value_should_be_something_is_said_or_nothing(frame: str) -> None:
    for signs in product(SIGNS, repeat=3):
        words = frame.format("".join(signs))
        for reason in reasons_in(classify(words, has_children=False), words):
            assert 0 <= reason.start < reason.end <= len(words)


def test_it_is_told_at_the_terminal_and_fails_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.md"
    file.write_text(book("$x = $price times 2"))
    done = Terminal(capsys).run("check", file)
    assert done.code == 0
    assert "“times” is a word. Write *." in done.out
