"""``workbench patterns`` on the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.core.cli_driver import Done, Terminal
from workbench.disk.places import Places
from workbench.library.skills.importing import read_skill


class Library:
    """A library and the commands on it."""

    def __init__(self, terminal: Terminal, folder: Path) -> None:
        self._terminal = terminal
        self.folder = folder
        self.store = folder / "patterns.sqlite"

    def run(self, verb: str, *arguments: object) -> Done:
        """``workbench patterns`` *verb*."""
        return self._terminal.run("patterns", verb, *arguments, "--store", self.store)

    def proven(self, times: int = 3) -> str:
        """The id of a pattern that has worked *times* times."""
        for _time in range(times):
            done = self.run("record", "--json", "--type", "shell", "--description", "Free the disk", "du", "rm")
        return str(done.json["pattern_id"])


@pytest.fixture
def library(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Library:
    return Library(Terminal(capsys), tmp_path)


def test_an_empty_library_says_how_patterns_come_to_be(library: Library) -> None:
    done = library.run("list")
    assert (done.code, done.err) == (0, "")
    assert "Each successful run that calls tools" in done.out
    assert not library.store.exists()


def test_the_published_fields_come_first_in_json(library: Library) -> None:
    library.proven(1)
    (entry,) = library.run("list", "--json").json
    assert list(entry)[:8] == [
        *("pattern_id", "task_type", "description", "tool_sequence"),
        *("prompt_template", "success_count", "created_at", "promoted"),
    ]
    assert (entry["success_rate"], entry["state"], entry["failure_count"]) == (1.0, "none", 0)


def test_show_tells_variants_records_and_history(library: Library) -> None:
    pattern = library.proven(2)
    library.run("record", "--type", "shell", "--outcome", "failure", "--reason", "full", "--run", "r9", "rm", "du")
    shown = library.run("show", pattern, "--json").json
    assert [variant["tools"] for variant in shown["variants"]] == [["du", "rm"], ["rm", "du"]]
    assert shown["observations"][0]["reason"] == "full"
    assert shown["history"] == []
    assert "succeeded in 2 of 3 runs" in library.run("show", pattern).out


def test_an_unknown_pattern_is_a_finding(library: Library) -> None:
    library.proven(1)
    for verb in ("show", "reject", "undo", "delete", "export"):
        done = library.run(verb, "nope")
        assert (done.code, done.out) == (1, "")
        assert "nope" in done.err
    assert library.run("promote", "nope", "--to", library.folder).code == 1


def test_relevant_patterns_fit_a_task_or_a_type(library: Library) -> None:
    pattern = library.proven(1)
    assert pattern in library.run("relevant", "the disk is full").out
    assert pattern in library.run("relevant", "--type", "shell").out
    assert "No matching proven pattern" in library.run("relevant", "--type", "web").out
    assert library.run("relevant").code == 1


def test_a_pattern_is_promoted_to_a_valid_skill(library: Library) -> None:
    pattern = library.proven()
    assert pattern in library.run("promotable").out
    (written,) = library.run("promote", pattern, "--to", library.folder / "skills", "--json").json
    assert read_skill(Path(written["path"]).parent).problems == ()
    again = library.run("promote", pattern, "--to", library.folder / "skills")
    assert (again.code, again.out) == (1, "")
    assert "already been promoted" in again.err


def test_too_few_successes_are_refused_with_the_numbers(library: Library) -> None:
    done = library.run("promote", library.proven(2), "--to", library.folder)
    assert done.code == 1
    assert "2 of the 3 successes" in done.err


def test_patterns_go_from_one_library_to_another(library: Library) -> None:
    pattern = library.proven()
    file = library.folder / "playbook.json"
    assert library.run("export", "-o", file).code == 0
    assert [entry["pattern_id"] for entry in json.loads(file.read_text())] == [pattern]
    library.store = library.folder / "other.sqlite"
    assert library.run("import", file, "--json").json == {"added": 1, "merged": 0, "skipped": [], "noticed": []}
    assert library.run("show", pattern, "--json").json["success_count"] == 3
    assert json.loads(library.run("export").out) == json.loads(file.read_text())


def test_wrong_entries_are_left_out_and_named(library: Library) -> None:
    file = library.folder / "playbook.json"
    file.write_text(json.dumps([{"tool_sequence": ["a"]}, 7, {"tool_sequence": ["b"], "success_count": "many"}]))
    done = library.run("import", file)
    assert done.code == 1
    assert "1 added" in done.out
    assert "Entry 2 was skipped" in done.err
    assert "Entry 3 was skipped" in done.err


def test_a_field_that_is_given_twice_is_told(library: Library) -> None:
    file = library.folder / "playbook.json"
    file.write_text('[{"tool_sequence": ["a"], "description": "One", "description": "Two"}]')
    done = library.run("import", file)
    assert done.code == 0
    assert "Entry 1: “description” is given twice; the last one counts." in done.err


@pytest.mark.parametrize("content", ["", "{", "{}", "[" * 100_000])
def test_a_file_that_is_no_list_of_patterns_is_unusable(library: Library, content: str) -> None:
    file = library.folder / "playbook.json"
    file.write_text(content)
    assert library.run("import", file).code == 2
    assert not library.store.exists()


def test_patterns_are_renamed_merged_and_deleted(library: Library) -> None:
    pattern = library.proven(2)
    other = library.run("record", "--json", "--type", "shell", "df").json["pattern_id"]
    assert "Mine" in library.run("rename", pattern, "Mine").out
    assert library.proven(1) == pattern
    assert "Mine" in library.run("list", "mine").out
    library.run("merge", pattern, other)
    merged = library.run("show", pattern, "--json").json
    assert merged["success_count"] == 4
    assert len(merged["variants"]) == 2
    assert other in merged["history"][0]["note"]
    assert library.run("merge", pattern, pattern).code == 2
    assert library.run("delete", pattern).code == 0
    assert library.run("list", "--json").json == []


def test_a_rejected_pattern_is_offered_again_after_undo(library: Library) -> None:
    pattern = library.proven()
    library.run("reject", pattern, "--note", "too narrow")
    assert "awaits promotion" in library.run("promotable").out
    library.run("undo", pattern)
    assert pattern in library.run("promotable").out


def test_a_library_that_cannot_be_used_is_exit_code_two(library: Library) -> None:
    library.store.write_bytes(b"")
    done = library.run("list")
    assert (done.code, done.out) == (2, "")
    assert "damaged" in done.err
    assert library.run("record", "--type", "shell", "du").code == 2
    assert library.store.read_bytes() == b""


def test_secrets_in_a_hint_are_removed(library: Library) -> None:
    done = library.run("record", "--json", "--type", "shell", "--hint", "use token: abc123secret", "du")
    assert done.json["prompt_template"] == "use token: [removed]"


def test_what_cannot_be_recorded_is_told(library: Library) -> None:
    done = library.run("record", "--type", "shell", " ")
    assert (done.code, done.out) == (1, "")
    assert "blank" in done.err


def test_the_table_of_task_words_is_the_persons_own(library: Library, own_places: Places) -> None:
    pattern = library.proven(1)
    own_places.config_dir.mkdir(parents=True)
    table = own_places.config_dir / "task-types.yaml"
    table.write_text("shell: [Platte]\n")
    assert pattern in library.run("relevant", "die Platte ist voll").out
    table.write_text("- wrong\n")
    done = library.run("relevant", "die Platte ist voll")
    assert done.code == 2
    assert "shell: [run, execute]" in done.err


def test_recording_leaves_a_backup_once_a_day(library: Library) -> None:
    library.proven(1)
    assert library.store.with_name("patterns.sqlite.backup").exists()


def test_context_for_a_model_keeps_its_budget(library: Library) -> None:
    library.proven(3)
    told = library.run("context", "the disk is full", "--json").json
    assert told["text"] == "[playbook] Free the disk (succeeded in 3 of 3 runs): du -> rm"
    assert library.run("context", "the disk is full", "--budget", 8, "--json").json["tokens"] <= 8
    for options in (("paint the fence",), ("the disk is full", "--budget", 0)):
        nothing = library.run("context", *options)
        assert nothing.out == ""
        assert "No matching proven pattern" in nothing.err


def test_a_search_folds_accents_and_tells_names_first(library: Library) -> None:
    for number, (kind, description) in enumerate([("café", "Open"), ("shop", "Open the cafe\u0301"), ("x", "Close")]):
        library.run("record", "--type", kind, "--description", description, f"t{number}")
    for words in ("café", "CAFE\u0301"):
        found = library.run("list", words, "--json").json
        assert [entry["task_type"] for entry in found] == ["café", "shop"]
