"""A script written down from a run gives the same run again."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.cli_driver import Terminal
from tests.core.engine_driver import Played, finished, play, scripted
from tests.core.programs import PROGRAMS, expected, happened, read
from tests.core.test_debugging import LIST
from workbench.engine.backends.script import ScriptBackend, ScriptedWalker
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.replaying.scripting import flow, script_of
from workbench.engine.scripts import ScriptedCall, parse_calls, parse_script, script_beside
from workbench.engine.starting import start_run
from workbench.errors import CannotRead, RunFailed
from workbench.model.snapshot import derive
from workbench.secrets import holds_mark
from workbench.syntax.text import SourceText


def played_with(file: Path, folder: Path, script: str) -> Played:
    """The run of the program *file* that *script* answers."""
    folder.mkdir()
    journal = Journal(folder / "runs.sqlite")
    options = RunOptions(is_trusted=True, path=str(folder / file.name), arguments=expected(file).arguments)
    played = finished(start_run(read(file).snapshot, journal, scripted(script), options), journal)
    journal.close()
    return played


_SECRETIVE = {"login"}
"""Programs that are told secrets, which no journal keeps."""


@pytest.mark.parametrize("file", [each for each in PROGRAMS if each.stem not in _SECRETIVE], ids=lambda file: file.stem)
def test_every_program_does_the_same_by_the_script_of_its_run(file: Path, tmp_path: Path) -> None:
    beside = script_beside(file)
    first = played_with(file, tmp_path / "first", beside.read_text("utf-8") if beside else "")
    again = played_with(file, tmp_path / "again", script_of(first.events))
    assert (again.run.result, again.state.error) == (first.run.result, first.state.error)
    assert happened(again.events) == happened(first.events)


def test_an_answer_that_was_secret_has_to_be_put_in_by_hand(tmp_path: Path) -> None:
    file = next(each for each in PROGRAMS if each.stem in _SECRETIVE)
    beside = script_beside(file)
    assert beside is not None
    assert holds_mark(script_of(played_with(file, tmp_path / "first", beside.read_text("utf-8")).events))


FAILING = """- $a = Pay(1)
- $b = Pay(2)
- Return [$a, $b]

## Sorry
### Triggers
- When Pay fails
### Steps
- Say "sorry"
"""


def test_calls_that_failed_fail_again(tmp_path: Path) -> None:
    script = "tools:\n  Pay: [1, null, 3]\nfailures:\n  Pay: {2: The bank is closed}\n"
    first = play(FAILING, tmp_path / "first", script)
    assert first.bodies("effect.error")[0]["message"] == "Pay failed: The bank is closed"
    again = play(FAILING, tmp_path / "again", script_of(first.events))
    assert [each.name for each in again.events] == [each.name for each in first.events]
    assert again.bodies("effect.error") == first.bodies("effect.error")


@pytest.mark.parametrize("results", ["7", "[7, null, 7]"])
def test_a_script_counts_on_from_the_calls_of_the_journal(tmp_path: Path, results: str) -> None:
    script = f"tools:\n  Pay: {results}\nfailures:\n  Pay: {{2: The bank is closed}}\n"
    events = play(FAILING, tmp_path, script).events
    calls = [at for at, each in enumerate(events) if each.name in ("effect.result", "effect.error")]
    for count, at in enumerate(calls, 1):
        backend = ScriptBackend(parse_script(script))
        backend.catch_up(events[: at + 1])
        if count == 1:
            with pytest.raises(RunFailed, match="closed"):
                backend.tool_result("Pay")
        assert backend.tool_result("Pay") == 7


def test_a_script_says_which_calls_fail_in_a_mapping() -> None:
    with pytest.raises(CannotRead, match="failures"):
        parse_script("failures:\n  Pay: [1]\n")


@settings(max_examples=examples(100))
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
       | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8))  # fmt: skip
def test_any_value_is_read_as_it_was_written(value: object) -> None:
    assume("<<" not in str(value))
    assert parse_script(f"tools:\n  Pay: [{flow(value)}]\n").tools["Pay"] == [value]


def test_a_step_list_is_played_back(tmp_path: Path) -> None:
    calls = (ScriptedCall("lookup", {"id": 3}, {"n": 1.5}), ScriptedCall("refund", {}, error="closed"))
    calls += (ScriptedCall("refund", {}, "paid", batch="b"), ScriptedCall("lookup", {}, batch="b"))
    journal = Journal(tmp_path / "runs.sqlite")
    first = finished(start_run(derive(SourceText(LIST)), journal, ScriptedWalker(calls), RunOptions()), journal)
    written = ScriptedWalker(parse_calls(script_of(first.events)))
    again = finished(start_run(derive(SourceText(LIST)), journal, written, RunOptions()), journal)
    journal.close()
    assert [each.name for each in again.events] == [each.name for each in first.events]
    assert again.bodies("effect.result") == first.bodies("effect.result")


def test_the_script_of_a_run_is_written_and_played_at_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    terminal, file, store = Terminal(capsys), tmp_path / "ask.md", ("--store", tmp_path / "store")
    file.write_text("# Book\n## Main\n### Steps\n- Ask user for $name\n- $a = Pay($name)\n- Return $a\n", "utf-8")
    (tmp_path / "first.yaml").write_text("answers: [{values: {name: Ann}}]\ntools: {Pay: [paid]}\n", "utf-8")
    assert terminal.run("run", file, "--script", tmp_path / "first.yaml", *store).code == 0
    run = terminal.run("runs", "--json", *store).json[0]["run"]
    assert terminal.run("runs", "script", run, "-o", tmp_path / "again.yaml", *store).code == 0
    again = terminal.run("run", file, "--script", tmp_path / "again.yaml", *store)
    assert again.code == 0 and "run.completed     paid" in again.out
    assert '"Ann"' in terminal.run("runs", "script", run, *store).out
