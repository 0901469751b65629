"""Runs that are saved as tests: the files beside the playbook, and the commands ``replay`` and ``test``."""

from __future__ import annotations

import getpass
import json
import shutil
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.core.cli_driver import Terminal
from workbench.engine.scripts import script_beside
from workbench.i18n import use_language

STEPS = '- Ask user for $n:int\n- $m = 10 / $n\n- Tell user "{$m}"\n- Return $m\n'
BOOK = f"# Book\n## Main\n### Steps\n{STEPS}"
SCRIPT = "answers: [{values: {n: 4}}]"


def run_book(terminal: Terminal, folder: Path, text: str = BOOK, script: str = SCRIPT) -> str:
    """The id of a run of *text*, which lies in *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "book.md").write_text(text, "utf-8")
    (folder / "answers.yaml").write_text(script, "utf-8")
    terminal.run("run", folder / "book.md", "--script", folder / "answers.yaml", "--store", folder / "store")
    return str(terminal.run("runs", "--store", folder / "store", "--json").json[0]["run"])


def save_book(terminal: Terminal, folder: Path, *more: str, text: str = BOOK, script: str = SCRIPT) -> Path:
    """The file of a saved run of *text*."""
    run = run_book(terminal, folder, text, script)
    done = terminal.run("runs", "save-test", run, "--store", folder / "store", *more)
    assert done.code == 0, done
    return Path(done.out.strip())


def test_a_sample_comes_out_as_it_was_recorded_and_can_be_saved_as_a_test(
    terminal: Terminal, tmp_path: Path, sample: Path
) -> None:
    file, script = tmp_path / sample.name, script_beside(sample)
    shutil.copy(sample, file)
    terminal.run("run", file, "--script", script, "--store", tmp_path, "--trust", "--quiet")
    run = terminal.run("runs", "--store", tmp_path, "--json").json[0]["run"]
    assert terminal.run("replay", run, "--store", tmp_path).code == 0
    assert terminal.run("replay", run, "--store", tmp_path, "--on", file).code == 0
    saved = Path(terminal.run("runs", "save-test", run, "--store", tmp_path).out.strip())
    assert saved.parent == tmp_path / f"{sample.stem}.runs"
    assert terminal.run("test", file).code == 0


def test_a_replay_tells_the_first_event_that_comes_out_otherwise_with_its_line(
    terminal: Terminal, tmp_path: Path
) -> None:
    run = run_book(terminal, tmp_path)
    (tmp_path / "book.md").write_text(BOOK.replace("10 / $n", "12 / $n"), "utf-8")
    done = terminal.run("replay", run, "--on", tmp_path / "book.md", "--store", tmp_path / "store")
    assert done.code == 1
    assert f"{tmp_path / 'book.md'}:5" in done.out
    assert "- $m = 12 / $n" in done.out
    assert "new: 2.5 → 3.0" in done.out
    told = terminal.run("replay", run, "--on", tmp_path / "book.md", "--store", tmp_path / "store", "--json").json
    assert (told["divergence"]["step"], told["divergence"]["line"]) == ("Main:02", 5)


def test_a_run_that_is_not_there_or_damaged_cannot_be_replayed(terminal: Terminal, tmp_path: Path) -> None:
    run = run_book(terminal, tmp_path)
    assert terminal.run("replay", "nothing", "--store", tmp_path / "store").code == 2
    missing = terminal.run("replay", run, "--on", tmp_path / "no.md", "--store", tmp_path / "store")
    assert missing.code == 2
    assert "no.md" in missing.err


def test_a_saved_run_can_be_read_and_holds_nothing_of_this_machine(terminal: Terminal, tmp_path: Path) -> None:
    script = 'answers: [{values: {n: 4, note: "see %s/letter.txt"}}]' % tmp_path  # noqa: UP031 - braces
    text = BOOK.replace("$n:int", "$n:int and $note")
    file = save_book(terminal, tmp_path, text=text, script=script)
    written = file.read_text("utf-8")
    head, *events = map(json.loads, written.splitlines())
    assert head["playbook"] == "../book.md"
    assert [one["event"] for one in events][:3] == ["run.created", "run.started", "playbook.entered"]
    told = next(one for one in events if one["event"] == "say.told")
    assert (told["step"], told["line"], told["body"]) == ("Main:03", 6, {"text": "2.5"})
    assert str(tmp_path) not in written
    assert "‹folder›/letter.txt" in written
    assert f'"{getpass.getuser()}"' not in written


def test_saving_a_run_twice_gives_the_same_file_twice(terminal: Terminal, tmp_path: Path) -> None:
    first = save_book(terminal, tmp_path)
    run = terminal.run("runs", "--store", tmp_path / "store", "--json").json[0]["run"]
    again = Path(terminal.run("runs", "save-test", run, "--store", tmp_path / "store").out.strip())
    assert again.name == "main-completed-2.run.jsonl"
    assert again.read_bytes() == first.read_bytes()


def test_a_saved_run_goes_with_its_playbook_wherever_that_goes(terminal: Terminal, tmp_path: Path) -> None:
    save_book(terminal, tmp_path / "here")
    shutil.rmtree(tmp_path / "here" / "store")
    (tmp_path / "here").rename(tmp_path / "there")
    done = terminal.run("test", tmp_path / "there")
    assert (done.code, "1 saved run: 1 same" in done.out) == (0, True)


def test_a_program_of_several_files_is_tested_with_all_of_them(terminal: Terminal, tmp_path: Path) -> None:
    files = (tmp_path / "a.md", tmp_path / "b.md")
    files[0].write_text("# A\n## Main\n### Triggers\n- When program starts\n### Steps\n- Return B.Two()\n", "utf-8")
    files[1].write_text("# B\n## Two\npublic: true\n### Steps\n- Return 2\n", "utf-8")
    terminal.run("run", *files, "--store", tmp_path / "store")
    run = terminal.run("runs", "--store", tmp_path / "store", "--json").json[0]["run"]
    done = terminal.run("runs", "save-test", run, "--store", tmp_path / "store", "--playbook", *files)
    assert (done.code, terminal.run("test", tmp_path).code) == (0, 0)
    files[1].write_text(files[1].read_text("utf-8").replace("Return 2", "Return 3"), "utf-8")
    done = terminal.run("test", tmp_path)
    assert (done.code, f"{files[1]}:5" in done.out) == (1, True)


def test_a_secret_is_in_no_saved_run(terminal: Terminal, tmp_path: Path) -> None:
    text = '# Book\n## Main\n### Steps\n- Ask user for $password\n- Tell user "thanks"\n- Return 1\n'
    file = save_book(terminal, tmp_path, text=text, script="answers: [{values: {password: Blue-Lamp-77}}]")
    assert "Blue-Lamp" not in file.read_text("utf-8")
    assert "‹secret" in file.read_text("utf-8")


def test_saving_says_where_the_playbook_does_something_else_already(terminal: Terminal, tmp_path: Path) -> None:
    run = run_book(terminal, tmp_path)
    (tmp_path / "book.md").write_text(BOOK.replace('"{$m}"', '"m: {$m}"'), "utf-8")
    done = terminal.run("runs", "save-test", run, "--store", tmp_path / "store", "-o", tmp_path / "one")
    assert (done.code, "something else" in done.err) == (1, True)
    assert (tmp_path / "one.run.jsonl").exists()


def test_all_saved_runs_of_a_folder_are_replayed_and_one_that_diverges_fails(
    terminal: Terminal, tmp_path: Path
) -> None:
    save_book(terminal, tmp_path / "a")
    save_book(terminal, tmp_path / "b", script="answers: [{values: {n: 5}}]")
    (tmp_path / "b" / "book.md").write_text(BOOK.replace("Return $m", "Return $n"), "utf-8")
    done = terminal.run("test", tmp_path, "--junit", tmp_path / "out.xml")
    assert done.code == 1
    assert "2 saved runs: 1 same, 1 otherwise" in done.out
    assert f"{tmp_path / 'b' / 'book.md'}:7" in done.out
    suite = ET.parse(tmp_path / "out.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    assert [[part.tag for part in case] for case in suite] == [[], ["failure"]]
    assert suite[1].get("classname") == str(tmp_path / "b" / "book.md")


def test_a_test_can_be_told_as_data_with_where_it_came_out_otherwise(terminal: Terminal, tmp_path: Path) -> None:
    run = run_book(terminal, tmp_path)
    saved = terminal.run("runs", "save-test", run, "--store", tmp_path / "store", "--json")
    assert (saved.code, saved.json["verdict"], saved.json["divergence"]) == (0, "same", None)
    (tmp_path / "book.md").write_text(BOOK.replace("Return $m", "Return $n"), "utf-8")
    told = terminal.run("test", tmp_path / "book.md", "--json")
    assert (told.code, told.json["file"], told.json["verdict"]) == (1, saved.json["file"], "otherwise")
    assert told.json["divergence"]["line"] == 7
    again = terminal.run("runs", "save-test", run, "--store", tmp_path / "store", "--json")
    assert (again.code, again.json["verdict"]) == (1, "otherwise")


def test_results_in_xml_have_no_character_that_xml_has_not(terminal: Terminal, tmp_path: Path) -> None:
    file = save_book(terminal, tmp_path)
    (tmp_path / "book.md").write_text(BOOK.replace('"{$m}"', '"\x07 \uffff {$m}"'), "utf-8")
    assert terminal.run("test", file, "--junit", tmp_path / "out.xml").code == 1
    assert "say.told" in "".join(ET.parse(tmp_path / "out.xml").getroot().itertext())


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda _text: "", "damaged in line 1"),
        (lambda _text: '{"runs": []}\n', "no saved run"),
        (lambda _text: "[]\n", "damaged in line 1"),
        (lambda text: text.replace('"version": 1', '"version": 9'), "another version"),
        (lambda text: text.replace('"event": "run.started"', '"event": 5'), "damaged in line 3"),
        (lambda text: "\n".join(text.split("\n")[:1]), "damaged in line 2"),
        (lambda text: text[:-30], "damaged in line"),
        (lambda text: text.replace('{"n": 4}', "4"), "none that a run has"),
        (lambda text: text.replace("../book.md", "/etc/hostname"), "damaged in line 1"),
        (lambda text: text.replace("../book.md", "../gone.md"), "gone.md"),
    ],
)
def test_a_saved_run_that_is_damaged_or_foreign_says_so(
    damage: object, message: str, terminal: Terminal, tmp_path: Path
) -> None:
    assert callable(damage)
    file = save_book(terminal, tmp_path)
    file.write_text(damage(file.read_text("utf-8")), "utf-8")
    done = terminal.run("test", tmp_path, "--junit", tmp_path / "out.xml")
    assert done.code == 2
    assert message in done.out
    assert [part.tag for part in ET.parse(tmp_path / "out.xml").getroot()[0][0]] == ["error"]


def test_events_in_another_order_are_a_divergence_and_no_crash(terminal: Terminal, tmp_path: Path) -> None:
    file = save_book(terminal, tmp_path)
    head, first, *rest = file.read_text("utf-8").splitlines()
    for shift in range(1, len(rest)):
        file.write_text("\n".join([head, first, *rest[shift:], *rest[:shift]]) + "\n", "utf-8")
        assert terminal.run("test", file).code in {1, 2}


def test_where_there_is_no_saved_run_that_is_said(terminal: Terminal, tmp_path: Path) -> None:
    assert terminal.run("test", tmp_path).code == 2
    assert "save-test" in terminal.run("test", tmp_path).err
    assert terminal.run("test", tmp_path / "nowhere").code == 2


def test_a_run_in_another_language_is_replayed_in_that(terminal: Terminal, tmp_path: Path) -> None:
    try:
        use_language("de")
        text, script = BOOK, "answers: [{values: {n: 0}}]"
        run = run_book(terminal, tmp_path, text, script)
        file = Path(terminal.run("runs", "save-test", run, "--store", tmp_path / "store").out.strip())
    finally:
        use_language("en")
    assert "Zeile" in file.read_text("utf-8")
    assert terminal.run("replay", run, "--store", tmp_path / "store").code == 0
    assert terminal.run("test", file).code == 0


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="only there can a process change its clock")
def test_a_run_is_replayed_by_the_clock_that_it_had(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = '# Book\n## Main\n### Steps\n- Tell user "It is {timestamp}"\n- Return 1\n'
    monkeypatch.setenv("TZ", "XXX-05:30")
    time.tzset()
    try:
        file = save_book(terminal, tmp_path, text=text)
    finally:
        monkeypatch.undo()
        time.tzset()
    assert json.loads(file.read_text("utf-8").splitlines()[0])["zone"] == "+05:30"
    assert terminal.run("test", file).code == 0
