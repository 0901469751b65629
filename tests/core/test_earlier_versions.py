"""What version 0.1.0 has written still opens, says the same, and goes on. See ``tests/data/earlier/README.md``."""

from __future__ import annotations

import json
import shutil
import sqlite3
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.core.cli_driver import Terminal
from tests.core.earlier import (
    DATA,
    LIBRARY,
    RUNS,
    Earlier,
    document_of,
    edits_of,
    library_said,
    state_in,
    unsaved_texts,
)
from workbench.disk.places import Places
from workbench.settings import load_settings, save_settings

EXPECTED: dict[str, Any] = json.loads((DATA / "expected.json").read_text("utf-8"))
for _run, _ways in json.loads((DATA / "mended.json").read_text("utf-8")).items():
    EXPECTED["resumed"][_run].update(_ways)
SOUND = [name for name, run in RUNS.items() if run["store"] == "runs"]
WAYS = [(name, way) for name, run in RUNS.items() for way in run["resume"]]
FILES = sorted(file.name for file in (DATA / "edits" / "files").iterdir())
SAVED_AND_UNSAVED = "both.md"
PATTERNS: dict[str, str] = json.loads((DATA / "library" / "ids.json").read_text("utf-8"))
AGAIN = {"again"}
"""The ways to resume in which somebody asks for a call to be made twice."""


@pytest.fixture
def earlier(tmp_path: Path, terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> Earlier:
    """A copy of all that the earlier version has written, which is the working folder too."""
    copied = Earlier.copied_to(tmp_path / "earlier", terminal)
    monkeypatch.chdir(copied.folder)
    return copied


@pytest.fixture(scope="module")
def one_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy for all tests that only look."""
    return Path(shutil.copytree(DATA, tmp_path_factory.mktemp("earlier") / "copy"))


@pytest.fixture
def looked_at(one_copy: Path, terminal: Terminal) -> Earlier:
    """What the earlier version has written, to look at."""
    return Earlier(one_copy, terminal)


@dataclass(frozen=True, slots=True)
class GoneOn:
    """A run of the earlier version that was resumed: its copy, and what became of it."""

    earlier: Earlier
    resumed: dict[str, Any]


@pytest.fixture(scope="module")
def resumed_runs() -> dict[tuple[str, str], GoneOn]:
    """Runs that were resumed, by their names and the way, for all tests that look at what became of them."""
    return {}


@pytest.fixture
def gone_on(
    resumed_runs: dict[tuple[str, str], GoneOn], tmp_path: Path, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str, str], GoneOn]:
    """Resumes a run in a way, once for all tests."""

    def go_on(name: str, way: str) -> GoneOn:
        if (name, way) not in resumed_runs:
            made = Earlier.copied_to(tmp_path / "earlier", terminal)
            monkeypatch.chdir(made.folder)
            resumed_runs[name, way] = GoneOn(made, made.resumed(name, way))
        gone = resumed_runs[name, way]
        return replace(gone, earlier=replace(gone.earlier, terminal=terminal))

    return go_on


@pytest.fixture
def library(earlier: Earlier) -> Path:
    """The file of the earlier library."""
    return earlier.folder / "library" / "patterns.sqlite"


@pytest.fixture
def settings_kept(own_places: Places) -> Places:
    """The places of a person who has used the earlier version."""
    shutil.copytree(DATA / "settings", own_places.config_dir)
    return own_places


def test_all_runs_of_a_store_are_listed_as_before(looked_at: Earlier) -> None:
    assert looked_at.listed(looked_at.folder / "runs") == EXPECTED["listed"]


@pytest.mark.parametrize("name", SOUND)
def test_a_run_stands_where_it_stood(looked_at: Earlier, name: str) -> None:
    assert looked_at.state(name) == EXPECTED["states"][name]


@pytest.mark.parametrize("name", EXPECTED["plans"])
def test_the_plan_of_a_step_list_is_as_far_as_it_was(looked_at: Earlier, name: str) -> None:
    assert looked_at.plan(name) == EXPECTED["plans"][name]


@pytest.mark.parametrize("name", RUNS)
def test_the_chain_of_a_run_is_judged_as_before(looked_at: Earlier, name: str) -> None:
    expected = EXPECTED["verified"][name]
    assert {key: looked_at.verified(name)[key] for key in expected} == expected


@pytest.mark.parametrize("name", SOUND)
def test_an_audit_has_every_event_as_it_was_stored(looked_at: Earlier, name: str) -> None:
    lines = [json.loads(line) for line in looked_at.exported(name).splitlines()]
    assert [(line["type"], line["body"], line["hash"]) for line in lines] == stored(looked_at, name)


def stored(earlier: Earlier, name: str) -> list[tuple[str, Any, str]]:
    """Type, body and hash of each event of the run *name*, read without the program."""
    connection = sqlite3.connect(earlier.store_of(name) / "runs.sqlite")
    try:
        rows = connection.execute(
            "SELECT type, body, data, hash FROM event LEFT JOIN blob ON sha256 = event.blob WHERE run = ? ORDER BY seq",
            (RUNS[name]["run"],),
        ).fetchall()
    finally:
        connection.close()
    return [(kind, json.loads(body or zlib.decompress(data)), own.hex()) for kind, body, data, own in rows]


@pytest.mark.parametrize("name", SOUND)
def test_an_audit_is_the_same_to_the_last_byte(looked_at: Earlier, name: str) -> None:
    assert looked_at.export_digest(name) == EXPECTED["exported"][name]


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_a_run_goes_on_as_it_would_have(gone_on: Callable[[str, str], GoneOn], name: str, way: str) -> None:
    assert gone_on(name, way).resumed == EXPECTED["resumed"][name][way]


@pytest.mark.parametrize(("name", "way"), [(name, way) for name, way in WAYS if way not in AGAIN])
def test_nothing_is_done_twice_by_a_run_that_goes_on(
    gone_on: Callable[[str, str], GoneOn], name: str, way: str
) -> None:
    gone = gone_on(name, way)
    events = stored(gone.earlier, name)
    calls = [body["key"] for kind, body, _hash in events if kind == "tool.call"]
    questions = [body["request"] for kind, body, _hash in events if kind == "input.given"]
    assert all(len(set(each)) == len(each) for each in (gone.resumed["deeds"], calls, questions))


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_the_chain_holds_across_the_versions(gone_on: Callable[[str, str], GoneOn], name: str, way: str) -> None:
    gone, before = gone_on(name, way), EXPECTED["verified"][name]
    after = gone.earlier.verified(name)
    assert (after["is_sound"], after["written"] > before["written"]) == (True, bool(gone.resumed["events"]))


def test_a_store_whose_log_was_not_put_into_its_file_opens(earlier: Earlier) -> None:
    assert (earlier.folder / "killed" / "runs.sqlite-wal").stat().st_size
    (run,) = earlier.listed(earlier.folder / "killed")
    assert run == EXPECTED["killed"][0]
    assert state_in(earlier.folder / "killed", run["run"]) == EXPECTED["killed state"]


def test_a_run_whose_log_was_not_put_into_its_file_goes_on(earlier: Earlier) -> None:
    (run,) = earlier.listed(earlier.folder / "killed")
    done = earlier.terminal.run("resume", run["run"], "--json", "--store", earlier.folder / "killed")
    last = json.loads(done.out.splitlines()[-1])
    assert (done.code, last["body"]["return"]) == (0, ["Ada", 3, "blue, größer", 1, 29])


@pytest.mark.parametrize("question", LIBRARY, ids=" ".join)
@pytest.mark.usefixtures("settings_kept")
def test_the_library_says_the_same(earlier: Earlier, library: Path, question: tuple[str, ...]) -> None:
    assert library_said(earlier.terminal, library, question) == EXPECTED["library"][" ".join(question)]


def test_what_has_worked_is_put_into_the_context_of_a_task(earlier: Earlier, library: Path) -> None:
    context = earlier.terminal.run("patterns", "context", "deploy the shop", "--store", library).out
    assert "run_tests" in context
    assert "build_image" in context


def test_an_earlier_pattern_counts_on(earlier: Earlier, library: Path) -> None:
    told = ("--type", "shell", "--description", "Deploy the shop to production", "--run", "today")
    for _once in range(2):
        done = earlier.terminal.run(
            "patterns", "record", *told, "run_tests", "build_image", "deploy", "--json", "--store", library
        )
    before = EXPECTED["library"][f"show {PATTERNS['deploy']}"][1]
    assert done.json["pattern_id"] == PATTERNS["deploy"]
    assert done.json["success_count"] == before["success_count"] + 1
    assert (done.json["name"], done.json["state"]) == (before["name"], before["state"])


@pytest.mark.parametrize(("kind", "pattern"), [("skill", "new"), ("playbook", "both"), ("skill", "mail")])
def test_an_earlier_pattern_is_promoted(earlier: Earlier, library: Path, kind: str, pattern: str) -> None:
    target = earlier.folder / "promoted"
    promote = ("patterns", "promote", PATTERNS[pattern], "--to", target, "--kind", kind, "--json", "--store", library)
    (draft,) = earlier.terminal.run(*promote).json
    assert Path(draft["path"]).is_relative_to(target)
    shown = earlier.terminal.run("patterns", "show", PATTERNS[pattern], "--json", "--store", library).json
    before = EXPECTED["library"][f"show {PATTERNS[pattern]}"][1]
    assert (shown["state"], shown["history"][:-1]) == ("accepted", before["history"])
    assert shown["observations"] == before["observations"]
    assert all(tool in Path(draft["path"]).read_text("utf-8") for tool in shown["tool_sequence"])


@pytest.mark.parametrize("pattern", ["deploy", "search", "junk", "old"])
def test_what_was_decided_holds_until_it_is_taken_back(earlier: Earlier, library: Path, pattern: str) -> None:
    promote = ("patterns", "promote", PATTERNS[pattern], "--to", earlier.folder / "promoted", "--store", library)
    assert earlier.terminal.run(*promote).code == 1
    assert earlier.terminal.run("patterns", "undo", PATTERNS[pattern], "--store", library).code == 0
    assert earlier.terminal.run(*promote).code == 0


def test_earlier_patterns_merge(earlier: Earlier, library: Path) -> None:
    assert earlier.terminal.run("patterns", "merge", PATTERNS["search"], PATTERNS["old"], "--store", library).code == 0
    shown = earlier.terminal.run("patterns", "show", PATTERNS["search"], "--json", "--store", library).json
    assert (shown["success_count"], len(shown["variants"])) == (7, 2)
    assert earlier.terminal.run("patterns", "show", PATTERNS["old"], "--store", library).code == 1


@pytest.mark.parametrize(("what", "count"), [("published.json", 15), ("skills", 2)])
def test_what_was_given_out_is_taken_in(earlier: Earlier, what: str, count: int) -> None:
    fresh = earlier.folder / "fresh.sqlite"
    for expected in ((count, 0), (0, count)):
        done = earlier.terminal.run("patterns", "import", earlier.folder / "library" / what, "--json", "--store", fresh)
        assert (done.json["added"], done.json["merged"], done.json["skipped"]) == (*expected, [])


def test_every_setting_keeps_its_value(settings_kept: Places) -> None:
    settings = load_settings(settings_kept)
    kept = json.loads(settings_kept.settings_file.read_text("utf-8"))
    assert (settings.theme, settings.project_folder) == (kept["theme"], kept["project_folder"])
    assert (settings.python_timeout_s, settings.text_scale) == (kept["python_timeout_s"], kept["text_scale"])
    assert list(settings.recent_files) == kept["recent_files"]
    assert sorted(settings.trusted) == kept["trusted"]
    assert dict(settings.promotion_thresholds) == kept["promotion_thresholds"]
    assert settings.layouts.keys() == kept["layouts"].keys()


def test_settings_are_saved_as_they_were_what_the_program_remembers_apart(settings_kept: Places) -> None:
    before = json.loads(settings_kept.settings_file.read_bytes())
    save_settings(settings_kept, load_settings(settings_kept))
    chosen, remembered = (
        json.loads(path.read_bytes()) for path in (settings_kept.settings_file, settings_kept.remembered_file)
    )
    assert {**chosen, **remembered} == before
    assert "wallpaper" in chosen
    assert set(remembered) == {"layouts", "project_folder", "recent_files"}


@pytest.mark.usefixtures("settings_kept")
def test_python_that_was_trusted_without_its_steps_is_asked_about_again(earlier: Earlier) -> None:
    run = ("run", earlier.folder / "playbooks" / "orders.md", "--arg", "orders=[]", "--json")
    created = json.loads(earlier.terminal.run(*run).out.splitlines()[0])
    assert created["body"]["is_trusted"] is False


@pytest.mark.usefixtures("settings_kept")
def test_python_may_take_as_long_as_was_set(earlier: Earlier) -> None:
    run = ("run", earlier.folder / "playbooks" / "orders.md", "--arg", "orders=[]", "--json", "--trust")
    created, *_others, last = [json.loads(line) for line in earlier.terminal.run(*run).out.splitlines()]
    assert created["body"]["python_timeout_s"] == 7.5
    assert last["body"]["return"] == []


@pytest.mark.parametrize(("name", "threshold"), [("playbooks", 4), ("größer", 6), ("elsewhere", 3)])
def test_each_project_keeps_its_threshold(
    earlier: Earlier, library: Path, settings_kept: Places, name: str, threshold: int
) -> None:
    text = settings_kept.settings_file.read_text("utf-8")
    changed = {**json.loads(text), "project_folder": f"/srv/{name}"}
    settings_kept.settings_file.write_text(json.dumps(changed), encoding="utf-8")
    asked = ("patterns", "promotable", "--json", "--store", library)
    found = earlier.terminal.run(*asked).json
    assert found == earlier.terminal.run(*asked, "--threshold", threshold).json
    assert bool(found) == (threshold == 3)


@pytest.mark.parametrize("name", FILES)
def test_edits_are_recovered_and_undone_to_the_first_byte(earlier: Earlier, name: str) -> None:
    expected = dict(EXPECTED["edits"][name])
    if name == SAVED_AND_UNSAVED:
        # 0.1.0 went back no further than to what had been saved
        book = begun_of(earlier, name).decode()
        expected["texts"] = [*expected["texts"], f"saved{book}", book]
    assert edits_of(document_of(earlier.folder, name)) == expected


@pytest.mark.parametrize("name", FILES)
def test_what_is_saved_once_all_is_undone_is_what_the_edits_began_with(earlier: Earlier, name: str) -> None:
    expected = begun_of(earlier, name)
    document = document_of(earlier.folder, name)
    document.recover()
    while document.undo():
        pass
    document.save()
    assert (earlier.folder / "edits" / "files" / name).read_bytes() == expected


def begun_of(earlier: Earlier, name: str) -> bytes:
    """What the file *name* held before anyone edited it."""
    file, begun = (earlier.folder / "edits" / folder / name for folder in ("files", "begun"))
    if name == SAVED_AND_UNSAVED:
        return file.read_bytes().removeprefix(b"saved\n")
    return (begun if begun.exists() else file).read_bytes()


def test_documents_that_never_had_a_file_come_back_and_are_undone_to_their_beginning(earlier: Earlier) -> None:
    assert unsaved_texts(earlier.folder) == EXPECTED["unsaved"]
