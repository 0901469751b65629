"""The guide: complete in every language, and true: each example is read, checked and carried out."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from workbench.assist.keys import SETTING_RULES
from workbench.cli.main import COMMANDS
from workbench.help.pages import LINK, Page, example, guide_page, page_names
from workbench.help.topics import topic_of
from workbench.i18n import LANGUAGES, use_language
from workbench.model.checks.metadata import AGENT_KEYS, PLAYBOOK_KEYS
from workbench.model.loader.reading import TOP_FIELDS
from workbench.model.loader.step_reading import STEP_FIELDS
from workbench.model.sentences.conditions import exact_condition
from workbench.model.sentences.timing import timing_of
from workbench.model.snapshot import derive
from workbench.model.steplists.graph_checks import GRAPH_STEP, GRAPH_TOP
from workbench.resources import resource_path
from workbench.syntax.expressions_grammar import FUNCTIONS
from workbench.syntax.text import SourceText
from workbench.tools.names import BUILT_IN_TOOLS

EXAMPLES = resource_path("help/examples")
FENCE = re.compile(r"^~~~~.*?^~~~~$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
# what is said of an example, and has to be: a graph is not run, and what is made in a run is in no file
SAID = {"graph.yaml": {"graph"}, "create-playbook.md": {"made-in-run"}}


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    """A terminal without a display."""
    return Terminal(capsys)


def english() -> list[Page]:
    """The pages of the guide in English."""
    return [guide_page(name, "en") for name in page_names()]


def part(name: str) -> str:
    """The text of the section called *name*."""
    return next(section.text for page in english() for section in page.sections if section.name == name)


def test_the_contents_list_every_page() -> None:
    assert set(page_names()) == {path.stem for path in resource_path("help/en").iterdir()}


@pytest.mark.parametrize("language", sorted({*LANGUAGES} - {"en"}))
@pytest.mark.parametrize("name", page_names())
def test_a_page_is_the_same_in_every_language(name: str, language: str) -> None:
    page, other = guide_page(name, "en"), guide_page(name, language)
    assert [(one.name, one.level) for one in other.sections] == [(one.name, one.level) for one in page.sections]
    assert other.examples == page.examples
    for mine, theirs in zip(page.sections, other.sections, strict=True):
        assert FENCE.findall(theirs.text) == FENCE.findall(mine.text)
        assert Counter(targets(theirs.text)) == Counter(targets(mine.text)), mine.name
        assert theirs.text.count("\n|") == mine.text.count("\n|"), mine.name
        assert theirs.text.count("\n\n") == mine.text.count("\n\n"), mine.name


def targets(text: str) -> list[str]:
    """Where the links of *text* lead, but for keys of actions, which the languages may place otherwise."""
    return [match["target"] for match in LINK.finditer(text) if match["kind"] in ("help", "key")]


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_a_name_is_that_of_one_section_and_a_word_of_one_on_a_page(language: str) -> None:
    pages = [guide_page(name, language) for name in page_names()]
    names = Counter(section.name for page in pages for section in page.sections)
    assert [name for name, count in names.items() if count > 1] == []
    for page in pages:
        words = Counter(word.casefold() for section in page.sections for word in section.words)
        assert [word for word, count in words.items() if count > 1] == []


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_link_leads_to_a_topic(language: str) -> None:
    use_language(language)
    try:
        texts = [guide_page(name, language).text for name in page_names()]
        wanted = {match["target"] for text in texts for match in LINK.finditer(text) if match["kind"] == "help"}
        assert [target for target in sorted(wanted) if topic_of(target) is None] == []
    finally:
        use_language("en")


def test_every_heading_of_a_page_has_a_topic() -> None:
    for page in english():
        assert not re.search(r"^#{1,3} ", FENCE.sub("", "\n".join(one.text for one in page.sections)), re.MULTILINE)


def test_every_example_is_on_a_page() -> None:
    used = {one.name for page in english() for one in page.examples}
    assert used == {path.name for path in EXAMPLES.iterdir() if path.name.count(".") == 1}


@pytest.mark.parametrize(
    "word",
    sorted(
        {*PLAYBOOK_KEYS, *AGENT_KEYS, *TOP_FIELDS, *STEP_FIELDS, *GRAPH_STEP, *GRAPH_TOP, *SETTING_RULES}
        | {f"workbench {command}" for command in COMMANDS}
    ),
)
def test_every_setting_field_and_command_is_a_topic(word: str) -> None:
    assert topic_of(word) is not None


def test_every_setting_function_and_tool_is_spoken_of() -> None:
    assert {*CODE.findall(part("agent-settings"))} >= set(AGENT_KEYS)
    assert {*CODE.findall(part("playbook-settings"))} >= set(PLAYBOOK_KEYS)
    assert {*" ".join(CODE.findall(part("expressions"))).split()} >= FUNCTIONS
    assert {code.partition("(")[0] for code in CODE.findall(part("tools"))} >= set(BUILT_IN_TOOLS)


def test_the_forms_of_exact_conditions_are_exact() -> None:
    said = [code for code in CODE.findall(part("exact-conditions")) if code.startswith("$") and "…" not in code]
    assert len(said) > 15
    assert [code for code in said if exact_condition(code) is None] == []


def test_the_forms_of_times_are_times() -> None:
    said = CODE.findall(part("time-trigger").partition("Timers")[0])
    assert [code for code in said if timing_of(code) is None] == []


@pytest.mark.parametrize("name", sorted({one.name for page in english() for one in page.examples}))
def test_an_example_has_no_findings(name: str) -> None:
    snapshot = derive(SourceText(example(name).text))
    assert {one.code for one in snapshot.diagnostics} == SAID.get(name, set())
    assert snapshot.program.playbooks


@pytest.mark.parametrize("script", sorted(path.name for path in EXAMPLES.glob("*.script.yaml")))
def test_an_example_says_what_the_page_says(script: str, terminal: Terminal, tmp_path: Path) -> None:
    stem = script.removesuffix(".script.yaml")
    file = next(path for path in EXAMPLES.glob(f"{stem}.*") if path.name.count(".") == 1)
    given = ["--host-name", "rack7"] if stem == "procedure" else []
    done = terminal.run("run", file, *given, "--script", EXAMPLES / script, "--trust", "--quiet", "--store", tmp_path)
    said = EXAMPLES / f"{stem}.output.txt"
    assert (done.code, done.err) == (0, "")
    assert done.out == (said.read_text("utf-8") if said.exists() else "")


def test_the_assembly_of_the_guide_is_that_of_the_example(terminal: Terminal) -> None:
    done = terminal.run("compile", EXAMPLES / "if.md")
    assert done.out == (EXAMPLES / "if.compiled.txt").read_text("utf-8")
