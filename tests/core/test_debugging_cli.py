"""Stopping at the terminal: ``run --break``, what is typed there, and ``workbench breakpoints``."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.core.cli_driver import Done, Terminal
from workbench.disk.places import places
from workbench.engine.debugging.breakpoints import parse_breakpoint
from workbench.engine.debugging.kept import found_again, kept_at, load_kept, move_kept, save_kept
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText

TEXT = """# Shop
## Main
### Steps
- $a = 1
- $b = Double($a)
- If $b > 3:
  - Say "big"
- Return $b + 1

## Double($x)
### Steps
- $y = $x * 2
- Return $y
"""


class Desk:
    """A person with a playbook, a store, and a keyboard."""

    def __init__(self, folder: Path, terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        self.file = folder / "shop.md"
        self.file.write_text(TEXT, "utf-8")
        self._store = folder / "store"
        self._terminal = terminal
        self._monkeypatch = monkeypatch

    def run(self, typed: str, *arguments: object) -> Done:
        """The run of the playbook, at whose stops *typed* is typed."""
        return self._typing(typed, "run", self.file, "--store", self._store, *arguments)

    def resume(self, typed: str, *arguments: object) -> Done:
        """The newest run, gone on with."""
        newest = self._terminal.run("runs", "--json", "--store", self._store).json[0]["run"]
        return self._typing(typed, "resume", newest, "--store", self._store, *arguments)

    def breakpoints(self, *arguments: object) -> Done:
        """What the command about breakpoints says."""
        return self._terminal.run("breakpoints", self.file, *arguments)

    def _typing(self, typed: str, *arguments: object) -> Done:
        self._monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return self._terminal.run(*arguments)


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, home: Path) -> Desk:
    assert home
    return Desk(tmp_path, Terminal(capsys), monkeypatch)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_run_stops_shows_the_next_line_and_goes_on(desk: Desk) -> None:
    done = desk.run("continue\n", "--break", "Double:02")
    assert done.code == 0
    assert "→ - Return $y\n(Double:02) " in done.out
    assert "run.completed     3" in done.out


def test_enter_carries_out_the_next_step_with_what_it_calls(desk: Desk) -> None:
    done = desk.run("\n\n\nc\n", "--step")
    stops = [line.split(") ")[0] for line in done.out.splitlines() if line.startswith("(")]
    assert stops == ["(Main:01", "(Main:02", "(Main:03", "(Main:04"]


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("vars", "  $a = 1"),
        ("p [$a, 2]", "[1, 2]"),
        ("print $nobody", "nobody"),
        ("p (", "expression"),
        ("where", "  Shop.Main"),
        ("list", "→    5  - $b = Double($a)"),
        ("break Double:01", "  Double:01"),
        ("b Double:07", "There is no step Double:07"),
        ("b nowhere", "no place to stop at"),
        ("until Main:09", "There is no step Main:09"),
        ("dance", "There is no verb “dance” here."),
        ("set a", "Write “set $name = value”"),
        ("help", "leave the next step out"),
    ],
)
def test_what_is_typed_is_answered(typed: str, shown: str, desk: Desk) -> None:
    done = desk.run(f"{typed}\nclear\nc\n", "--break", "Main:02")
    assert shown in done.out
    assert done.code == 0


def test_a_variable_is_changed_and_what_follows_sees_it(desk: Desk) -> None:
    done = desk.run("set $a = 21\np $a\nc\n", "--break", "Main:02")
    assert "(Main:02) 21\n" in done.out
    assert "run.completed     43" in done.out


def test_a_step_is_skipped_and_the_run_stops_behind_it(desk: Desk) -> None:
    done = desk.run("set $b = 1\nskip\nc\n", "--break", "Main:02")
    assert "(Main:03)" in done.out and "run.completed     2" in done.out


def test_a_run_that_is_let_go_of_is_resumed_with_its_breakpoints(desk: Desk) -> None:
    quitted = desk.run("quit\n", "--break", "Main:02")
    assert quitted.code == 1 and "Resume it with" in quitted.err and "input ended" not in quitted.err
    done = desk.resume("c\n", "--break", "Double:02")
    assert done.code == 0 and "(Double:02)" in done.out


def test_the_end_of_the_input_lets_go_of_a_stopped_run(desk: Desk) -> None:
    assert desk.run("", "--step").code == 1
    assert desk.resume("").code == 0


def test_a_stopped_run_can_be_ended(desk: Desk) -> None:
    assert desk.run("stop\n", "--step").code == 130


@pytest.mark.parametrize("written", ["Double:2", "Shop.Double:02"])
def test_a_place_may_be_written_in_another_way(written: str, desk: Desk) -> None:
    assert "(Double:02)" in desk.run("c\n", "--break", written).out
    assert "(Double:02)" in desk.run(f"until {written}\nc\n", "--step").out


def test_a_log_point_tells_its_text(desk: Desk) -> None:
    done = desk.run("", "--break", "Double:02 log twice is {$y}")
    assert "bp.logged         twice is 2" in done.out


@pytest.mark.parametrize("place", ["Main:77", "Main", "cost:x", "Main:01 if ("])
def test_a_place_that_is_none_is_refused_before_anything_runs(place: str, desk: Desk) -> None:
    done = desk.run("", "--break", place)
    assert done.code == 2 and "run.created" not in done.out


# Breakpoints that are kept


def test_breakpoints_are_kept_listed_and_taken_away(desk: Desk) -> None:
    desk.breakpoints("--add", "Main:02 if $a > 1", "--add", "error")
    listed = desk.breakpoints()
    assert listed.out.splitlines() == [f"Main:02 if $a > 1  {desk.file}:5  $b = Double($a)", "error"]
    assert desk.breakpoints("--remove", "Main:02").out == "error\n"
    assert desk.breakpoints("--clear").out == "No breakpoints in this file.\n"
    assert desk.breakpoints("--json").json == []


def test_a_run_stops_where_breakpoints_are_kept(desk: Desk) -> None:
    desk.breakpoints("--add", "Double:02")
    assert "(Double:02)" in desk.run("c\n", "--breakpoints").out
    assert "(Double:02)" not in desk.run("").out


def test_a_breakpoint_at_a_step_that_is_not_there_is_refused(desk: Desk) -> None:
    done = desk.breakpoints("--add", "Main:09")
    assert done.code == 2 and "Main:09" in done.err


def snapshot(text: str) -> Snapshot:
    """What *text* means."""
    return derive(SourceText(text))


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (TEXT, "Main:02"),
        (TEXT.replace("- $a = 1\n", "- $z = 0\n- $a = 1\n"), "Main:03"),
        (TEXT.replace("- $a = 1\n- $b = Double($a)\n", "- $b = Double($a)\n"), "Main:01"),
        (TEXT.replace("$b = Double($a)", "$b = Double($a) + 1"), "Main:02"),
        (TEXT.replace("## Main", "## Start"), "Start:02"),
        ("# Nothing\n", "Main:02"),
    ],
)
def test_a_kept_breakpoint_follows_its_step(text: str, address: str) -> None:
    kept = kept_at(parse_breakpoint("Main:02"), snapshot(TEXT))
    (found,) = found_again((kept,), snapshot(text))
    assert found.breakpoint.at == address


def test_of_several_steps_with_the_words_the_nearest_is_meant() -> None:
    before = snapshot("# A\n## M\n### Steps\n- Say x\n- $a = 1\n- Say x\n")
    after = snapshot("# A\n## M\n### Steps\n- Say x\n- $a = 1\n- $b = 1\n- Say x\n")
    (found,) = found_again((kept_at(parse_breakpoint("M:03"), before),), after)
    assert found.breakpoint.at == "M:04"


def test_what_is_kept_survives_and_moves_with_its_file(home: Path, tmp_path: Path) -> None:
    store, old, new = places().breakpoints_file, tmp_path / "a.md", tmp_path / "b.md"
    kept = (
        kept_at(parse_breakpoint("Main:02 if $a log {$a}"), snapshot(TEXT)),
        kept_at(parse_breakpoint("error"), snapshot(TEXT)),
    )
    save_kept(store, old, kept)
    assert load_kept(store, old) == kept
    move_kept(store, old, new)
    assert (load_kept(store, old), load_kept(store, new)) == ((), kept)


@pytest.mark.parametrize(
    "damage", ["", "[1", "[]", '{"a": 1}', '{"FILE": [1, {"at": 3}, {"at": "Main:01", "line": "x"}]}']
)
def test_a_damaged_store_loses_nothing_else(damage: str, home: Path, tmp_path: Path) -> None:
    store, file = places().breakpoints_file, tmp_path / "a.md"
    store.parent.mkdir(parents=True)
    store.write_text(damage.replace("FILE", str(file)), "utf-8")
    assert [each.line for each in load_kept(store, file)] in ([], [0])
    save_kept(store, file, (kept_at(parse_breakpoint("error"), snapshot(TEXT)),))
    assert [str(each.breakpoint) for each in load_kept(store, file)] == ["error"]
