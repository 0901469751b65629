"""What nobody would see gets a sign, and what writing needs is left alone."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from workbench.visible import hidden, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "⟨U+001B⟩[31mred"),
        ("a\x00b\x7f", "a⟨U+0000⟩b⟨U+007F⟩"),
        ("red\x9b31m", "red⟨U+009B⟩31m"),
        ("50 %\rdone", "50 %⟨U+000D⟩done"),
        ("rm \u202e.txt.exe", "rm ⟨U+202E⟩.txt.exe"),
        ("Zero\u200bwidth", "Zero⟨U+200B⟩width"),
        ("in\u200cside", "in⟨U+200C⟩side"),
        ("in\u200dside", "in⟨U+200D⟩side"),
        ("left\u200eright", "left⟨U+200E⟩right"),
        ("a\ufeffb", "a⟨U+FEFF⟩b"),
        ("x\ufe0f\ufe01\ufe02y", "x\ufe0f⟨U+FE01⟩⟨U+FE02⟩y"),
        ("hi" + "".join(chr(0xE0000 + ord(c)) for c in "ignore"), "hi⟨U+E0069⟩⟨U+E0067⟩⟨U+E006E⟩⟨U+E006F⟩…"),
        ("name\u3164", "name⟨U+3164⟩"),
        ("old terminal \udc9b", "old terminal ⟨U+DC9B⟩"),
    ],
)
def test_a_hidden_character_gets_a_sign(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "plain words, “quoted”, 日本語, ñ, caf\u00e9",
        "two\nlines\r\nand a\ttab",
        "می\u200cخواهم",
        "क\u094d\u200dष",
        "family 👨\u200d👩\u200d👧, heart ❤\ufe0f, flag 🏳\ufe0f\u200d🌈",
        "England 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "สวัสดี\u200bครับ",
        "שלום\u200f!",
        "\ufeff# A title behind a byte order mark",
        "caf\udce9 in Latin-1",
        "hard\u00a0space, soft\u00adhyphen",
    ],
)
def test_what_writing_needs_is_left_alone(text: str) -> None:
    assert visible(text) == text


def test_what_is_shown_without_a_closer_look_hides_nothing() -> None:
    shown = "".join([character for character in map(chr, range(sys.maxunicode + 1)) if character.isprintable()])
    assert not list(hidden("".join([f"a{each}{each}" for each in shown if visible(each * 2) == each * 2])))


@settings(max_examples=examples(200))
@given(st.text())
def test_a_text_with_signs_hides_nothing(text: str) -> None:
    assert not list(hidden(visible(text)))


@settings(max_examples=examples(200))
@given(st.text(st.characters(codec="utf-8") | st.sampled_from("\x1b\u200b\u200d\u202e\ufe0f\U000e0061\r\n")))
def test_only_what_is_hidden_changes(text: str) -> None:
    spans = list(hidden(text))
    starts, ends = [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(text)]
    shown, at = visible(text), 0
    for start, end in zip(starts, ends, strict=True):
        at = shown.index(text[start:end], at) + end - start
