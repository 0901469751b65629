"""The language of the program: chosen by the system or the settings, and complete wherever it is heard."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import PATIENCE_S
from workbench.cli.main import COMMANDS
from workbench.i18n import N_, SYSTEM, _, language, ngettext, numeral, system_language, use_language
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def german() -> Iterator[None]:
    """A program that speaks German."""
    use_language("de")
    yield
    use_language("en")


@pytest.mark.parametrize(
    ("variables", "wanted"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LANGUAGE": "fr:de", "LANG": "en_US.UTF-8"}, "de"),
        ({"LANGUAGE": "fr"}, "en"),
        ({"LANG": "de_AT@euro"}, "de"),
    ],
)
def test_the_system_says_which_language(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], wanted: str
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert system_language() == wanted


def test_a_text_of_a_table_is_translated_when_it_is_read() -> None:
    text = N_("Step")
    use_language("de")
    assert (str(text), f"{text}", language()) == ("Schritt", "Schritt", "de")
    use_language("en")
    assert str(text) == "Step"


@pytest.mark.usefixtures("german")
def test_what_has_no_translation_stays_as_it_is() -> None:
    assert _("gibberish") == "gibberish"
    assert ngettext("one thing", "many things", 2) == "many things"


def test_an_unknown_choice_is_the_language_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "de")
    use_language(SYSTEM)
    assert language() == "de"
    use_language("en")


def test_numbers_are_grouped_as_in_english() -> None:
    assert [numeral(1_234_567), numeral(2.4, ".1f"), numeral(1500.0, "g")] == ["1,234,567", "2.4", "1,500"]


@pytest.mark.usefixtures("german")
def test_numbers_are_grouped_as_in_german() -> None:
    assert [numeral(1_234_567), numeral(2.4, ".1f"), numeral(1500.0, "g")] == ["1.234.567", "2,4", "1.500"]


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("one", "many", "wanted"),
    [
        ("{count} step", "{count} steps", ["1 Schritt", "2 Schritte"]),
        ("{count} warning", "{count} warnings", ["1 Warnung", "2 Warnungen"]),
        ("{count} event", "{count} events", ["1 Ereignis", "2 Ereignisse"]),
        ("{count} day ago", "{count} days ago", ["vor 1 Tag", "vor 2 Tagen"]),
        ("Move step", "Move {count} steps", ["Schritt verschieben", "2 Schritte verschieben"]),
    ],
)
def test_a_german_count_has_its_own_singular(one: str, many: str, wanted: list[str]) -> None:
    assert [ngettext(one, many, 1), ngettext(one, many, 2)] == wanted


@pytest.mark.usefixtures("german")
def test_a_count_is_grouped_and_leaves_other_placeholders_to_be_filled_in() -> None:
    one, many = "Wrote {count} pattern to “{path}”.", "Wrote {count} patterns to “{path}”."
    assert ngettext(one, many, 1200).format(path="a.json") == "1.200 Muster nach „a.json“ geschrieben."


@pytest.mark.usefixtures("german")
def test_the_findings_of_a_file_are_german() -> None:
    text = "# Desk\n\n## Main\n### Steps\n- Return $totl\n- Nobody()\n- Say hello\n"
    messages = " ".join(finding.message for finding in derive(SourceText(text)).diagnostics)
    assert "wird verwendet, aber nie gesetzt" in messages
    assert not {"The", "This", "is", "Nothing"} & set(messages.split())


_HELPS = """\
import contextlib, json, sys
from workbench.__main__ import main
for words in json.loads(sys.argv[1]):
    print("\\0", end="", flush=True)
    with contextlib.suppress(SystemExit):
        main([*words, "--help"])
"""


@cache
def helps_in(code: str) -> dict[tuple[str, ...], list[str]]:
    """The lines of ``--help`` of each command in the language *code*, all from a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", _HELPS, json.dumps(WORDS)],
        cwd=ROOT,
        env={**os.environ, "LANGUAGE": code, "COLUMNS": "500"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    texts = done.stdout.split("\0")[1:]
    lines = ([line.strip() for line in text.splitlines() if " " in line.strip()] for text in texts)
    return dict(zip(WORDS, lines, strict=True))


WORDS = ((), *((name,) for name in COMMANDS if name != "screenshot"))


@pytest.mark.parametrize("command", WORDS, ids=" ".join)
def test_the_help_of_a_command_is_german(command: tuple[str, ...]) -> None:
    english, german = helps_in("en")[command], helps_in("de")[command]
    assert english and german
    # what is only names and metavariables is the same in both
    same = [
        line
        for line in set(english) & set(german)
        if any(word.islower() and word.isalpha() for word in line.split()[2:])
    ]
    assert [line for line in same if not line.startswith(("-", "workbench"))] == []
