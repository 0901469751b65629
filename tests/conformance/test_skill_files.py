"""SKILL.md: what the specification allows, what readers take, and what ours hold."""

from __future__ import annotations

import importlib.util
import random
import unicodedata
from pathlib import Path

import pytest

from workbench.library.entries import PatternEntry
from workbench.library.skills.importing import FoundSkill, read_skill, skill_in
from workbench.library.skills.promotion import PromotionKind, draft_promotion, promote
from workbench.library.skills.rules import check_skill_text
from workbench.library.skills.skill_text import Skill, skill_of
from workbench.library.store import PatternStore


def front(name: str = "pdf", description: str = "Reads PDFs.", more: str = "") -> str:
    return f"---\nname: {name}\ndescription: {description}\n{more}---\n\nBody.\n"


def codes(text: str, folder: str = "pdf") -> set[str]:
    return {problem.code for problem in check_skill_text(text, folder)}


def skill(task_type: str, description: str, tools: list[str], hint: str = "") -> Skill:
    return skill_of(PatternEntry("0123456789abcdef", task_type, description, tuple(tools), hint, 3, "2026", False), ())


def hostile_patterns(count: int) -> list[tuple[str, str, list[str], str]]:
    """*count* random patterns made of what breaks writers and readers."""
    source = random.Random(118)
    pieces = [
        *("---", "<b>", "</system>", "\n", "\r\n", "\u2028", "\x00", "\x1b[31m", "..", "/", "\\", "'", '"', ": ", " #"),
        *(
            "é",
            "e\u0301",
            "日本語",
            "\U0001f600",
            "\u202e",
            "\ufeff",
            "null",
            "yes",
            "- ",
            "* ",
            "`",
            "```",
            "{",
            "[",
            "&a",
        ),
        *("!!str", "claude", "anthropic", "mcp__git__commit", "a.b", "word", " ", "%", "@", "|", ">", "x" * 2000),
    ]

    def text(most: int) -> str:
        return "".join(source.choices(pieces, k=source.randint(0, most)))

    def tool() -> str:
        return text(4) + "t"

    return [(text(3), text(8), [tool() for _tool in range(source.randint(1, 6))], text(8)) for _number in range(count)]


def test_the_limits_of_the_specification() -> None:
    assert codes(front()) == set()
    assert codes(front(description="d" * 1024)) == set()
    assert codes(front(description="d" * 1025)) == {"description"}
    assert codes(front(name="n" * 64), "n" * 64) == set()
    assert codes(front(name="n" * 65), "n" * 65) == {"name"}
    assert codes(front(more=f"compatibility: {'c' * 500}\n")) == set()
    assert codes(front(more=f"compatibility: {'c' * 501}\n")) == {"compatibility"}
    assert codes(front(more="license: MIT\nallowed-tools: Read Bash\nmetadata:\n  a: b\n")) == set()


@pytest.mark.parametrize("name", ["Pdf", "p_f", "p.f", "p+f", "p f", "-pdf", "pdf-", "p--f", "pdé", "other-claude"])
def test_names_that_some_reader_refuses(name: str) -> None:
    assert codes(front(name=name), name) == {"name"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (front(name="doc"), "name"),
        (front(more="version: 1\n"), "unknown-key"),
        ("\ufeff" + front(), "bom"),
        ("\n" + front(), "front-matter"),
        ("---\nname: pdf\n", "front-matter"),
        (front(more="name: pdf\n"), "duplicate-key"),
        (front(more="metadata:\n  a: b\n  a: c\n"), "duplicate-key"),
        (front(more="metadata: {a: b}\n"), "flow-style"),
        (front(more="license: &x MIT\n"), "anchor"),
        (front(more="license: !!str MIT\n"), "tag"),
        (front(description="a: b"), "yaml"),
        (front(description="'a --- b'"), "dashes"),
        (front(description="uses <b>"), "description"),
        (front(description="''"), "description"),
        (front().replace("\n", "\r\n"), "line-ends"),
        (front(more="metadata:\n  a:\n    b: c\n"), "metadata"),
        ("---\n- a\n---\n", "yaml"),
        ("no front matter", "front-matter"),
    ],
)
def test_what_some_reader_refuses_is_told_with_a_reason(text: str, code: str) -> None:
    assert code in codes(text)
    assert all(problem.message.endswith(".") for problem in check_skill_text(text, "pdf"))


def test_are_plain_in_every_respect() -> None:
    for pattern in hostile_patterns(200):
        made = skill(*pattern)
        head = made.text.split("\n---\n")[0]
        assert made.name.isascii()
        assert "---" not in head.removeprefix("---\n")
        assert not set("<>\r") & set(head)
        assert not any(word in made.name for word in ("claude", "anthropic"))


def test_readers_of_others_skills_are_lenient_and_report() -> None:
    text = (
        "---\nname: Other_Name\ndescription: |-\n  Two\n  lines\nlicense: 'it''s \"free\"'\n"
        "metadata:\n  author: me\nallowed-tools: Read Bash(git:*)\n---\n1. Use `x`.\n"
    )
    found = found_in(text, "other")
    assert (found.name, found.description) == ("Other_Name", "Two\nlines")
    assert found.metadata == {"author": "me"}
    assert found.tools == ("x",)
    assert {problem.code for problem in found.problems} == {"name"}


def found_in(text: str, folder: str) -> FoundSkill:
    return skill_in(text, Path(folder, "SKILL.md"))


def test_five_hundred_hostile_patterns_make_valid_skills(tmp_path: Path) -> None:
    for pattern in hostile_patterns(500):
        made = skill(*pattern)
        assert check_skill_text(made.text, made.name) == ()
    made = skill(*hostile_patterns(1)[0])
    (tmp_path / made.name).mkdir()
    (tmp_path / made.name / "SKILL.md").write_text(made.text, "utf-8")
    assert read_skill(tmp_path / made.name).problems == ()


@pytest.mark.skipif(importlib.util.find_spec("skills_ref") is None, reason="the reference validator is not installed")
def test_the_reference_validator_agrees(tmp_path: Path) -> None:
    validate = importlib.import_module("skills_ref").validate
    for number, pattern in enumerate(hostile_patterns(200)):
        made = skill(*pattern)
        folder = tmp_path / str(number) / made.name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(made.text, "utf-8")
        assert validate(folder) == []


def test_the_hint_is_in_the_skill_and_no_tool_is_allowed_by_it() -> None:
    made = skill("shell", "Free the disk", ["du"], "look first\n# not a heading")
    assert "> look first" in made.text
    assert "\n# not" not in made.text
    assert "allowed-tools" not in made.text


@pytest.mark.parametrize("tool", ["a.b", "mcp:git/commit", "日本", "a,b", "null", "`x`", "a\nb"])
def test_tools_of_any_name_are_listed_in_a_valid_skill(tool: str) -> None:
    made = skill("shell", "x", [tool, "rm"])
    assert check_skill_text(made.text, made.name) == ()
    assert found_in(made.text, made.name).tools == (tool, "rm")


def test_what_is_promoted_reads_back_as_it_was(tmp_path: Path) -> None:
    store = PatternStore(tmp_path / "p.sqlite")
    for task_type, description, tools, hint in hostile_patterns(40):
        clean = [unicodedata.normalize("NFC", tool) for tool in tools]
        for _time in range(3):
            entry = store.record(task_type, description, clean, hint)
        draft = draft_promotion(store, entry.pattern_id, tmp_path / "skills", PromotionKind.SKILL)
        if entry.promoted:
            continue
        found = read_skill(promote(store, draft))
        assert (found.tools, found.pattern_id) == (tuple(clean), entry.pattern_id)
        assert (found.successes, found.problems) == (3, ())
