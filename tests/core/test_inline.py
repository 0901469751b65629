"""The words of a line without the marks of markdown: which are marks, which are code, and what always holds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.work import WORST_GROWTH, growth
from workbench.model.meaning import StepKind
from workbench.model.showing.words import plain_text, words_of
from workbench.model.snapshot import derive
from workbench.syntax.inline import Stretch, plain_words, stretches_of, stretches_of_lines
from workbench.syntax.text import SourceText

LOOKS = [
    ("**Knead** the dough", "[b:Knead] the dough"),
    ("the *whole* dough, _slowly_", "the [i:whole] dough, [i:slowly]"),
    ("__Knead the dough__ now", "[b:Knead the dough] now"),
    ("***both*** and **bold *and more***", "[bi:both] and [b:bold ][bi:and more]"),
    ("`oven --heat 200` first", "[c:oven --heat 200] first"),
    ("`` a`b `` and ` `", "[c:a`b] and [c: ]"),
    ("**`oven`**: hot", "[bc:oven]: hot"),
    ("~~cold~~ warm", "[s:cold] warm"),
    ('[the recipe](bread.md "Bread") is long', "[<bread.md>:the recipe] is long"),
    ("[a (b)](x(1).md)", "[<x(1).md>:a (b)]"),
    ("**[the *best*](a.md)**", "[b<a.md>:the ][bi<a.md>:best]"),
    ("as [told here][bread], [there][]", "as [<bread>:told here], [there][]"),
    ("[](a.md)", "[<a.md>:a.md]"),
    ("![a loaf](loaf.png) here", "a loaf here"),
    ("[![built](b.svg)](ci.html)", "[<ci.html>:built]"),
    (
        "see <https://bread.org/a_b>, or https://bread.org/c_d_.",
        "see [<https://bread.org/a_b>:https://bread.org/a_b], or [<https://bread.org/c_d>:https://bread.org/c_d]_.",
    ),
    ("(https://bread.org/a(b))", "([<https://bread.org/a(b)>:https://bread.org/a(b)])"),
    ("two\\* and 1\\_2 \\<b>", "two* and 1_2 <b>"),
    ("1\\. not a list", "1. not a list"),
    ("salt &amp; pepper &rarr; dough &#39;", "salt & pepper → dough '"),
    ("set &notify; or &copy", "set &notify; or &copy"),
    ("first<br>then<br/>last", "first\nthen\nlast"),
    ("<kbd>Ctrl</kbd>+<kbd>C</kbd>", "[c:Ctrl]+[c:C]"),
    ("<b>hot</b> <em>oven</em> <del>ice</del> <sub>2</sub>", "[b:hot] [i:oven] [s:ice] 2"),
    ('<a href="x.md">there</a>', "[<x.md>:there]"),
    ("これは**重要**です", "これは[b:重要]です"),
    ("**注意：**请看", "[b:注意：]请看"),
    ("**S**alt **E**gg", "[b:S]alt [b:E]gg"),
    ("line\r\nline", "line line"),
]
PLAIN = [
    *("2**10", "2 ** 3 * 4", "$a * $b * $c", "$a*$b*$c", "($a)*($b)*($c)", "x**2 + y**2", "a**b**c"),
    *(
        "__init__ and __main__.py",
        "snake_case_names",
        'remove("/data/__tmp__/x")',
        "/a/_b_/c",
        "$my_var and $other_var",
    ),
    *("*.py and *.js", "src/**/*.py", "**/*.yaml and **/*.yml", "f(*args, **kwargs)", "*.py,*.js", "*/5 * * * *"),
    *("a 4* or 5* house", "char *p, *q", "**never closed", "`never closed", "~5 and ~/x", "~~~", "a ~~ b ~~ c"),
    *("<instance-id> of <name>", "a < b > c", "<b> alone", "</b>", "${CASE_ID}", "&unknown; & more", "a &copy b"),
    *("a[0](b)", "[x] [y]", "[1][2]", "[a](b", "](", "C:\\Users\\x", "\\d+ \\w", "\\\\server\\share", "****", "* * *"),
]


def told(stretches: tuple[Stretch, ...]) -> str:
    """*stretches* on one line: ``[bi<target>:words]`` for each that differs from plain words."""
    parts = []
    for text, bold, italic, code, strike, link in stretches:
        signs = "b" * bold + "i" * italic + "c" * code + "s" * strike + (f"<{link}>" if link else "")
        parts.append(f"[{signs}:{text}]" if signs else text)
    return "".join(parts)


@pytest.mark.parametrize(("text", "wanted"), LOOKS)
def test_marks_become_looks(text: str, wanted: str) -> None:
    assert told(stretches_of(text)) == wanted


@pytest.mark.parametrize("text", PLAIN)
def test_what_could_be_code_stays_as_it_is_written(text: str) -> None:
    assert told(stretches_of(text)) == text


def test_what_somebody_says_keeps_its_lines() -> None:
    assert told(stretches_of_lines("**Hot**\n\n* a\n* b*")) == "[b:Hot]\n\n* a\n* b*"


_MARKS = (
    r"** * _ __ *** ` `` [ ] ( ) ](x) ![ ~~ < > <b> </b> <br> <kbd> </kbd> \ \* & &amp; https://a.b a b_c 重 . : / $x"
)
PIECES = st.sampled_from([*_MARKS.split(" "), " ", "\n"])
TEXTS = st.lists(st.one_of(PIECES, st.just(" "), st.text(max_size=3)), max_size=30).map("".join)


@given(TEXTS)
@settings(max_examples=examples(300))
def test_no_text_is_too_odd_and_nothing_is_made_up(text: str) -> None:
    shown = plain_words(text)
    if "&" not in text and "<br" not in text and "\r" not in text:
        left = iter(text.replace("\n", " "))
        assert all(any(letter == other for other in left) for letter in shown)


@given(TEXTS)
@settings(max_examples=examples(200))
def test_the_stretches_together_are_the_plain_words(text: str) -> None:
    stretches = stretches_of(text)
    assert "".join([each.text for each in stretches]).replace("\n", " ") == plain_words(text)
    assert all(each.text for each in stretches)
    assert all(one[1:] != other[1:] for one, other in zip(stretches, stretches[1:], strict=False))


@given(st.text(alphabet=st.characters(exclude_characters="*_`[<~&\\\n\r/")))
@settings(max_examples=examples(60))
def test_text_without_marks_is_itself(text: str) -> None:
    assert told(stretches_of(text)) == text


@pytest.mark.parametrize(
    "piece",
    [
        "*a ",
        "**a",
        "_a*b ",
        "*a*_b_",
        "[a](b",
        "[",
        "![a",
        "[[a](b)](c)",
        "<b>",
        "` `` ",
        "<a ",
        "](a 'x",
        "~~a ",
        "![",
        "https://",
    ],
)
def test_reading_takes_time_in_proportion_to_the_text(piece: str) -> None:
    def read(text: str) -> None:
        stretches_of.cache_clear()
        stretches_of(text)

    for ending in ("", "](b)" * 60):
        assert growth(read, piece * 60 + ending, piece * 240 + ending * 4) < WORST_GROWTH


STEPS = [
    ("Check the **oven** with `heat`", StepKind.STEP, "Check the oven with heat"),
    ("$x = 2**3 * $y**2", StepKind.ASSIGN, "$x = 2**3 * $y**2"),
    ('Tell user "**Hot** {$x}"', StepKind.TELL, 'Tell user "**Hot** {$x}"'),
    ("Tell the user **kindly** about it", StepKind.TELL, "Tell the user kindly about it"),
    ("If $x > 2 ** 3, return `$x`", StepKind.DECISION, "If $x > 2 ** 3, return `$x`"),
    ("If the *crust* is `brown`", StepKind.DECISION, "If the crust is brown"),
    ('remove("/data/__tmp__/x")', StepKind.CALL, 'remove("/data/__tmp__/x")'),
    ("Return **all** of it", StepKind.RETURN, "Return all of it"),
]


@pytest.mark.parametrize(("line", "kind", "shown"), STEPS)
def test_exact_steps_show_their_source_and_others_their_words(line: str, kind: StepKind, shown: str) -> None:
    (step,) = derive(SourceText(f"# Desk\n## Main\n### Steps\n- {line}\n")).program.playbooks[0].steps
    assert (step.kind, plain_text(step)) == (kind, shown)
    assert "".join([each.text for each in words_of(step)]) == shown
