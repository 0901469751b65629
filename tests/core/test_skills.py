"""Promotion: what is written is valid everywhere, nothing of a person's is overwritten, both or neither happen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from workbench.disk.unfinished import clear_up
from workbench.errors import CannotSave
from workbench.library.curation import reject, undo_promotion
from workbench.library.entries import Evidence, Outcome, PatternEntry, PromotionState
from workbench.library.skills.importing import FoundSkill, import_skills, read_skill, skill_in
from workbench.library.skills.playbook_text import camel_name, playbook_text, step_list_text
from workbench.library.skills.promotion import (
    Draft,
    NotPromotable,
    PromotionKind,
    draft_promotion,
    promote,
    why_not_promotable,
)
from workbench.library.skills.rules import check_skill_text
from workbench.library.skills.skill_text import skill_of
from workbench.library.store import PatternStore
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

HOSTILE = st.one_of(
    st.text(st.characters(exclude_categories=("Cs",)), max_size=60),
    st.sampled_from(
        [
            *(
                "---",
                "a---b",
                "<system>",
                "x: y",
                "# no",
                "'",
                '"',
                "\\",
                "a\nb",
                "a\r\nb",
                "\t",
                "--",
                "-",
                "é",
                "日本語",
            ),
            *(
                "../../etc/passwd",
                "mcp__git__commit",
                "a.b:c/d",
                "anthropic",
                "Claude",
                "claclaudeude",
                "null",
                "yes",
                "1.0",
            ),
            *(
                "{a: b}",
                "[a]",
                "&x",
                "*x",
                "!!python/object",
                "```",
                "<!-- x -->",
                "\u2028",
                "\ufeff",
                "\u202e",
                "e\u0301",
            ),
            "long words " * 180,
        ]
    ),
)
TOOL = HOSTILE.filter(lambda text: bool(text.strip()))


@pytest.fixture
def store(tmp_path: Path) -> PatternStore:
    return PatternStore(tmp_path / "data" / "patterns.sqlite")


def proven(store: PatternStore, *tools: str, times: int = 3, hint: str = "look first") -> PatternEntry:
    for _time in range(times):
        entry = store.record("shell", "Free the disk", tools or ("du", "rm"), hint)
    return entry


def draft(store: PatternStore, folder: Path, kind: PromotionKind = PromotionKind.SKILL) -> Draft:
    return draft_promotion(store, store.patterns()[0].pattern_id, folder, kind)


@settings(max_examples=examples(100))
@given(HOSTILE, HOSTILE, st.lists(TOOL, min_size=1, max_size=5), HOSTILE, st.integers(1, 3))
def test_every_skill_of_any_pattern_is_valid_and_reads_back_as_it_was(
    task_type: str, description: str, tools: list[str], hint: str, version: int
) -> None:
    entry = PatternEntry("0123456789abcdef", task_type, description, tuple(tools), hint, 3, "2026-01-01", False)
    skill = skill_of(entry, (), version)
    assert check_skill_text(skill.text, skill.name) == ()
    found = skill_found(skill.text, skill.name)
    assert (found.tools, found.pattern_id, found.successes) == (tuple(tools), entry.pattern_id, 3)
    assert found.task_type == task_type
    assert found.problems == ()


def skill_found(text: str, name: str) -> FoundSkill:
    return skill_in(text, Path(name, "SKILL.md"))


@settings(max_examples=examples(60))
@given(HOSTILE, HOSTILE, st.lists(TOOL, min_size=1, max_size=5), HOSTILE)
def test_every_playbook_of_any_pattern_has_a_step_per_tool(
    task_type: str, description: str, tools: list[str], hint: str
) -> None:
    entry = PatternEntry("0123456789abcdef", task_type, description, tuple(tools), hint, 3, "2026-01-01", False)
    program = derive(SourceText(playbook_text(entry, ()))).program
    (playbook,) = program.playbooks
    assert len(playbook.steps) == len(tools)
    assert camel_name(entry).isalnum()
    loaded = yaml.safe_load(step_list_text(entry, ()))
    assert [step["expected_tools"] for step in loaded["steps"]] == [[tool] for tool in tools]


def test_promoting_writes_a_valid_skill_and_marks_the_pattern(store: PatternStore, tmp_path: Path) -> None:
    entry = proven(store)
    path = promote(store, draft(store, tmp_path / "skills"))
    assert read_skill(path.parent).problems == ()
    assert store.entry(entry.pattern_id).promoted
    assert [event.path for event in store.history(entry.pattern_id)] == [str(path)]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["data", "skills"]


def test_a_draft_writes_and_marks_nothing(store: PatternStore, tmp_path: Path) -> None:
    proven(store)
    draft(store, tmp_path / "skills")
    assert not (tmp_path / "skills").exists()
    assert len(store.get_promotable()) == 1


def test_a_pattern_is_promoted_only_after_enough_successes(store: PatternStore, tmp_path: Path) -> None:
    proven(store, times=2)
    with pytest.raises(NotPromotable, match="2 of the 3 successes"):
        promote(store, draft(store, tmp_path))
    assert list(tmp_path.glob("*/SKILL.md")) == []


def test_the_best_proven_order_is_written(store: PatternStore, tmp_path: Path) -> None:
    proven(store, "deploy", "test", times=1)
    proven(store, "test", "deploy", times=3)
    assert read_skill(promote(store, draft(store, tmp_path))).tools == ("test", "deploy")


def test_an_edited_skill_is_never_overwritten(store: PatternStore, tmp_path: Path) -> None:
    entry = proven(store)
    path = promote(store, draft(store, tmp_path))
    path.write_text("mine\n")
    undo_promotion(store, entry.pattern_id)
    again = draft(store, tmp_path)
    assert again.edited == "mine\n"
    assert again.diff
    second = promote(store, again)
    assert second != path
    assert path.read_text() == "mine\n"
    assert read_skill(second.parent).problems == ()


def test_an_unedited_skill_is_replaced_by_the_newer_one(store: PatternStore, tmp_path: Path) -> None:
    entry = proven(store)
    path = promote(store, draft(store, tmp_path))
    (path.parent / "scripts").mkdir()
    undo_promotion(store, entry.pattern_id)
    proven(store, times=1, hint="look twice")
    again = draft(store, tmp_path)
    assert "+> look twice" in again.diff
    assert promote(store, again) == path
    assert "look twice" in path.read_text()
    assert (path.parent / "scripts").is_dir()


def test_what_changes_between_draft_and_promotion_is_left_alone(store: PatternStore, tmp_path: Path) -> None:
    entry = proven(store)
    waiting = draft(store, tmp_path)
    waiting.path.parent.mkdir()
    waiting.path.write_text("somebody else\n")
    with pytest.raises(CannotSave, match="in the meantime"):
        promote(store, waiting)
    assert waiting.path.read_text() == "somebody else\n"
    assert not store.entry(entry.pattern_id).promoted


def test_a_folder_that_cannot_be_written_to_leaves_the_pattern_promotable(store: PatternStore, tmp_path: Path) -> None:
    proven(store)
    (tmp_path / "skills").write_text("a file, not a folder")
    with pytest.raises(CannotSave, match="can still be promoted"):
        promote(store, draft(store, tmp_path / "skills"))
    assert len(store.get_promotable()) == 1


def test_a_store_that_fails_takes_the_file_back(
    store: PatternStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proven(store)
    waiting = draft(store, tmp_path / "skills")
    with PatternStore(store.path).database.writing():
        store.database._lock_wait_s = 0.05
        store.close()
        with pytest.raises(Exception, match="locked by another program"):
            promote(store, waiting)
    assert list((tmp_path).glob("skills/*")) == []
    assert len(store.get_promotable()) == 1


KILLED = """
import os, sys
from pathlib import Path
from workbench.disk import atomic
atomic.write_new_file = lambda path, data: (path.write_bytes(data[:2]), os._exit(9))
folder = Path(sys.argv[1])
atomic.put_new_folder(folder / "skills" / "one", "SKILL.md", b"text", folder)
"""


def test_a_draft_that_a_killed_process_left_is_removed_at_the_next_start(tmp_path: Path) -> None:
    (tmp_path / "skills").mkdir()
    assert subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False).returncode == 9
    assert len(list(tmp_path.iterdir())) == 2
    clear_up()
    assert list(tmp_path.iterdir()) == [tmp_path / "skills"]


def test_rejected_and_promoted_patterns_are_not_offered_until_that_is_undone(store: PatternStore) -> None:
    entry = proven(store)
    reject(store, entry.pattern_id, "too narrow")
    assert store.get_promotable() == ()
    assert "rejected" in why_not_promotable(store.entry(entry.pattern_id))
    undo_promotion(store, entry.pattern_id)
    assert len(store.get_promotable()) == 1
    assert [event.state for event in store.history(entry.pattern_id)] == [PromotionState.REJECTED, PromotionState.NONE]


@pytest.mark.parametrize(("kind", "ending"), [(PromotionKind.PLAYBOOK, ".md"), (PromotionKind.STEPLIST, ".yaml")])
def test_a_pattern_can_become_a_playbook(store: PatternStore, tmp_path: Path, kind: PromotionKind, ending: str) -> None:
    entry = proven(store)
    path = promote(store, draft(store, tmp_path / "books", kind))
    assert path.suffix == ending
    assert "look first" in path.read_text()
    assert store.entry(entry.pattern_id).state is PromotionState.ACCEPTED


def test_the_steps_of_a_promoted_step_list_are_limited_by_the_record(store: PatternStore, tmp_path: Path) -> None:
    for number in range(3):
        store.record("web", "Read pages", ["search", "fetch"], "", Evidence(f"r{number}", repeats=(1, 4)))
    loaded = yaml.safe_load(promote(store, draft(store, tmp_path, PromotionKind.STEPLIST)).read_text())
    assert [step["max_tool_calls"] for step in loaded["steps"]] == [2, 5]


def test_skills_in_a_folder_are_taken_in_once(store: PatternStore, tmp_path: Path) -> None:
    ours = proven(store)
    promote(store, draft(store, tmp_path / "skills"))
    other = tmp_path / "skills" / "deep" / "pdf"
    other.mkdir(parents=True)
    (other / "SKILL.md").write_text("---\nname: pdf\ndescription: |-\n  Reads\n  PDFs\nallowed-tools: Read Bash\n---\n")
    fresh = PatternStore(tmp_path / "fresh.sqlite")
    assert (import_skills(fresh, tmp_path / "skills").added, import_skills(fresh, tmp_path / "skills").added) == (2, 0)
    assert fresh.entry(ours.pattern_id).success_count == 3
    assert {entry.tool_sequence for entry in fresh.patterns()} == {("du", "rm"), ("Read", "Bash")}
    assert all(entry.promoted for entry in fresh.patterns())


def test_half_successes_count_against_a_pattern(store: PatternStore) -> None:
    entry = store.record("shell", "x", ["a"], evidence=Evidence(outcome=Outcome.PARTIAL))
    assert (entry.success_count, entry.failure_count, entry.success_rate) == (0, 1, 0.0)


def test_a_promotion_that_was_cut_off_after_the_file_was_written_is_completed(
    store: PatternStore, tmp_path: Path
) -> None:
    entry = proven(store)
    waiting = draft(store, tmp_path)
    waiting.path.parent.mkdir()
    waiting.path.write_text(waiting.text)
    assert promote(store, draft(store, tmp_path)) == waiting.path
    assert store.entry(entry.pattern_id).promoted


def test_two_skills_of_one_name_are_both_there(store: PatternStore, tmp_path: Path) -> None:
    for folder, words in (("mine", "Look at the logs."), ("theirs", "Ask somebody.")):
        path = tmp_path / "skills" / folder / "triage"
        path.mkdir(parents=True)
        text = f"---\nname: triage\ndescription: {words}\nallowed-tools: [look]\n---\n{words}\n"
        (path / "SKILL.md").write_text(text, encoding="utf-8")
    assert import_skills(store, tmp_path / "skills").added == 2
    assert {entry.description for entry in store.patterns()} == {"Look at the logs.", "Ask somebody."}
    assert import_skills(store, tmp_path / "skills").added == 0


@pytest.mark.parametrize("start", ["", "\n\n", "\ufeff"], ids=["plain", "blank lines above", "byte-order mark"])
def test_a_field_of_a_skill_that_is_given_twice_is_taken_once_and_told(store: PatternStore, start: str) -> None:
    file = store.path.parent / "skills" / "mend" / "SKILL.md"
    file.parent.mkdir(parents=True)
    text = "---\nname: mend\ndescription: First.\nmetadata:\n  a: 1\n  a: 2\ndescription: Last.\n---\n1. `look`\n"
    file.write_text(start + text, encoding="utf-8")
    report = import_skills(store, file.parent.parent)
    first = start.count("\n")
    assert report.added == 1
    assert report.noticed == (
        f"{file}:{first + 6}: “a” is given twice; the last one counts.",
        f"{file}:{first + 7}: “description” is given twice; the last one counts.",
    )
    assert [entry.title for entry in store.patterns()] == ["Last."]
