"""Topics of the guide, full text over all pages, and both in the terminal."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.core.cli_driver import Terminal
from workbench.help.pages import page_names
from workbench.help.searching import search
from workbench.help.topics import shown_page, similar_topics, topic_of, topic_on
from workbench.i18n import use_language


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    """A terminal without a display."""
    return Terminal(capsys)


@pytest.fixture
def german() -> Iterator[None]:
    """The language of the person is German."""
    use_language("de")
    yield
    use_language("en")


def first(words: str) -> str:
    """The topic that is found first for *words*."""
    topic = search(words)[0].topic
    return shown_page(topic).sections[topic.section].name


@pytest.mark.parametrize(
    ("words", "topic"),
    [
        ("for each", "for-each"),
        ("breakpoint condition", "breakpoints"),
        ("loop that cannot end", "endless-loop"),
        ("exit codes", "exit-codes"),
        ("expected_tools", "step-fields"),
        ("password", "secrets"),
        ("condition", "conditions"),
        ("evid", "evidence"),
        ("WAIT", "wait"),
    ],
)
def test_words_are_found_where_they_are_explained(words: str, topic: str) -> None:
    assert first(words) == topic


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("words", "topic"),
    [
        ("Schleife", "loops"),
        ("Haltepunkten", "breakpoints"),
        ("Laufe vergleichen", "compare-runs"),
        ("Bedingungen", "conditions"),
        ("abzweigen", "fork"),
        ("for each", "for-each"),
        ("kürzel", "keys"),
    ],
)
def test_german_words_are_found_in_other_forms_and_inside_of_words(words: str, topic: str) -> None:
    assert first(words) == topic


def test_what_has_not_all_words_is_found_where_nothing_has_all() -> None:
    assert first("timeline xylophone") == "pane-timeline"
    assert search("xylophone") == search("  ") == ()


def test_an_excerpt_stands_around_the_word() -> None:
    hit = search("Haltepunkt breakpoint")[0]
    assert "breakpoint" in hit.excerpt.casefold()
    assert "~~~~" not in hit.excerpt
    assert len(hit.excerpt) < 160


def test_a_topic_is_a_name_a_word_a_title_or_a_code() -> None:
    assert topic_of("For  Each") == topic_of("for-each") == topic_of("foreach")
    assert topic_of("Going nowhere") is None
    assert topic_of("endless-loop").page == "endless-loop"  # type: ignore[union-attr]
    assert "loops" in similar_topics("lopps")


@pytest.mark.usefixtures("german")
def test_english_words_are_topics_in_german_too() -> None:
    assert topic_of("for each") == topic_of("für jedes")
    assert shown_page(topic_of("for each")).title == "Schleifen"  # type: ignore[arg-type]


def test_a_field_is_looked_up_on_the_page_of_its_file() -> None:
    assert topic_on(("graphs", "step-lists"), "after").page == "graphs"  # type: ignore[union-attr]
    assert topic_on(("graphs", "step-lists"), "no_such") is None


def test_help_lists_the_chapters_with_their_topics(terminal: Terminal) -> None:
    done = terminal.run("help")
    assert (done.code, done.err) == (0, "")
    assert all(f"[{name}]" in done.out for name in page_names() if name != "contents")


def test_help_explains_a_section_and_a_rule(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    loop = terminal.run("help", "for", "each")
    assert "For each\n--------" in loop.out
    assert "    - For each $person in $people" in loop.out
    assert "Until" not in loop.out
    assert max(map(len, loop.out.splitlines())) <= 60
    assert "A LOOP THAT CANNOT END" in terminal.run("help", "endless-loop").out


def test_a_table_fits_into_the_terminal(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    done = terminal.run("help", "exit-codes")
    assert done.code == 0
    fields = terminal.run("help", "step-fields")
    assert max(map(len, fields.out.splitlines())) <= 50
    assert "|" not in fields.out


def test_an_unknown_topic_gets_the_nearest_ones(terminal: Terminal) -> None:
    done = terminal.run("help", "lops")
    assert (done.code, done.out) == (2, "")
    assert "Similar ones: loops" in done.err


def test_help_searches(terminal: Terminal) -> None:
    done = terminal.run("help", "--search", "for each")
    assert done.out.startswith("Loops › For each  [workbench help for-each]\n")
    facts = terminal.run("help", "--search", "for each", "--json").json
    assert facts[0] == {
        "topic": "for-each",
        "title": "For each",
        "page": "Loops",
        "excerpt": facts[0]["excerpt"],
    }
    assert terminal.run("help", "--search", "xylophone").code == 2


def test_every_topic_that_is_listed_is_one(terminal: Terminal) -> None:
    listed = [line.split()[0] for line in terminal.run("help", "--list").out.splitlines() if line.startswith("    ")]
    assert len(listed) > 200
    assert [name for name in listed if topic_of(name) is None] == []


def test_options_that_do_not_go_together_are_refused(terminal: Terminal) -> None:
    assert terminal.run("help", "loops", "--search", "x").code == 2
    assert terminal.run("help", "--json").code == 2
