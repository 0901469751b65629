"""What every agent can call without anyone having written it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.core.engine_driver import Played, book, play
from workbench.engine.options import RunOptions
from workbench.engine.state.fold import fold
from workbench.model.checks.families import check_markdown


def _beside(folder: Path, steps: str) -> Played:
    """A run of *steps* as a file in *folder*."""
    return play(steps, folder, options=RunOptions(path=str(folder / "book.md")))


def test_a_file_beside_the_playbook_is_read_and_its_hash_is_journaled(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("hello", encoding="utf-8")
    played = _beside(tmp_path, "- $note = LoadFile('note.txt')\n- Return $note\n")
    assert played.run.result == "hello"
    assert played.bodies("effect.result")[0]["hash"] == hashlib.sha256(b"hello").hexdigest()


@pytest.mark.parametrize("name", ["../secret.txt", "/etc/hostname", "missing.txt", "link.txt", "."])
def test_no_other_file_is_read(name: str, tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (inside / "link.txt").symlink_to(tmp_path / "secret.txt")
    played = _beside(inside, f"- $x = Loadfile('{name}')\n")
    assert "LoadFile" in played.state.error or "Loadfile failed" in played.state.error
    assert "secret" not in str(played.bodies("effect.result"))


def test_a_playbook_that_is_not_saved_has_no_files(tmp_path: Path) -> None:
    assert "not saved" in play("- $x = LoadFile('a.txt')\n", tmp_path).state.error


def test_a_long_file_becomes_an_artifact_unless_it_is_wanted_inline(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("x" * 600, encoding="utf-8")
    kept = _beside(tmp_path, "- $x = LoadFile('long.txt')\n- $y = LoadArtifact('long.txt')\n- Return $x == $y\n")
    assert (kept.run.result, list(kept.state.world.artifacts)) == (True, ["long.txt"])
    inline = _beside(tmp_path, "- $x = LoadFile('long.txt', inline=true)\n")
    assert not inline.state.world.artifacts


def test_a_file_that_is_loaded_silently_gives_nothing_and_is_kept(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("hello", encoding="utf-8")
    steps = "- $x = LoadFile('note.txt', silent=true)\n- $y = LoadArtifact('note.txt')\n- Return [$x, $y]\n"
    played = _beside(tmp_path, steps)
    assert played.run.result == ["", "hello"]


def test_artifacts_are_saved_and_loaded_by_name(tmp_path: Path) -> None:
    steps = "- SaveArtifact('plan', 'what to do', ['a', 'b'])\n- $x = LoadArtifact('plan')\n- Return $x\n"
    assert play(steps, tmp_path).run.result == ["a", "b"]


@pytest.mark.parametrize("saved", ["'rep'", "'$rep'", "name='rep'"])
@pytest.mark.parametrize("loaded", ["rep", "$rep"])
def test_an_artifact_has_one_name_with_and_without_the_sign(saved: str, loaded: str, tmp_path: Path) -> None:
    steps = f"- SaveArtifact({saved}, summary='', value=5)\n- $x = LoadArtifact('{loaded}')\n- Return $x\n"
    assert play(steps, tmp_path).run.result == 5


def test_what_is_saved_is_the_variable_of_its_name(tmp_path: Path) -> None:
    played = play("- SaveArtifact('report', 'short', 'long text')\n- Return $report\n", tmp_path)
    assert played.run.result == "long text"
    assert fold(played.events) == played.state


def test_what_is_saved_is_the_parameter_of_its_name(tmp_path: Path) -> None:
    text = "# B\n## Main\n### Steps\n- $r = F(1)\n- Return [$r, $n]\n"
    text += "## F($n)\n### Steps\n- SaveArtifact('n', '', 2)\n- Return $n\n"
    assert play(book("", text), tmp_path).run.result == [2, 2]


def test_an_artifact_whose_name_no_variable_has_is_only_kept(tmp_path: Path) -> None:
    played = play(
        "- SaveArtifact('my report.txt', '', 1)\n- $x = LoadArtifact('my report.txt')\n- Return $x\n", tmp_path
    )
    assert (played.run.result, dict(played.state.variables)) == (1, {"x": 1})


def test_a_saved_artifact_is_no_unset_variable() -> None:
    checked = check_markdown(book("- SaveArtifact('report', '', 1)\n- Return $report\n"))
    assert [each.code for each in checked] == []


def test_an_artifact_that_is_not_there_fails_with_the_nearest_name(tmp_path: Path) -> None:
    steps = "- SaveArtifact('report', '', 1)\n- $x = LoadArtifact('raport')\n"
    assert "there is no artifact “raport”. Did you mean report?" in play(steps, tmp_path).state.error


_LONG = "# B\n## Main\n### Steps\n{steps}## Long\n### Steps\n- Return 'ab' * 300\n"
_LONG += "## Short\n### Steps\n- Return 'ab' * 250\n"


def test_a_long_result_becomes_an_artifact_named_after_its_variable(tmp_path: Path) -> None:
    # above the threshold, not at it
    played = play(book("", _LONG.format(steps="- $text = Long()\n- $other = Short()\n")), tmp_path)
    assert {name: len(str(each.value)) for name, each in played.state.world.artifacts.items()} == {"text": 600}


def test_a_long_result_without_a_variable_is_named_after_its_content(tmp_path: Path) -> None:
    played = play(book("", _LONG.format(steps="- Long()\n")), tmp_path)
    assert list(played.state.world.artifacts) == ["a_" + hashlib.sha256(b"ab" * 300).hexdigest()[:8]]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("len($t)", 600),
        ("len($t + 'x') + len('x' + $t)", 1202),
        ("len($t * 2) + len(2 * $t)", 2400),
        ("$t[0] + $t[-1]", "ab"),
        ("$t[1:4]", "bab"),
        ("'ba' in $t", True),
        ("[$t == 'ab', $t < 'b', $t <= 'b', $t > 'b', $t >= 'a']", [False, True, True, False, True]),
    ],
)
def test_an_artifact_behaves_as_its_text(expression: str, value: object, tmp_path: Path) -> None:
    played = play(book("", _LONG.format(steps=f"- $t = Long()\n- Return {expression}\n")), tmp_path)
    assert played.run.result == value


def test_messages_wait_until_their_agent_asks_for_them(tmp_path: Path) -> None:
    text = (
        "# A\n## Main\n### Steps\n- SendMessage('B', 'one')\n- Say('agent 1001', 'two')\n- $x = B.Read()\n- Return $x\n"
        "# B\n## Read\npublic: true\n### Steps\n"
        "- $m = WaitForMessage('A')\n- $n = WaitForMessage('*')\n- Return [$m, $n]\n"
    )
    got = [{"from": "A", "text": "one"}, {"from": "A", "text": "two"}]
    assert play(book("", text), tmp_path).run.result == [got, []]


def test_the_message_of_a_person_is_asked_for(tmp_path: Path) -> None:
    text = "# A\n## Main\n### Steps\n- $m = WaitForMessage('Ann')\n- WaitForMessage('user')\n- Return $m\n# Ann:Human\n"
    played = play(book("", text), tmp_path, "answers: [{text: hello}, {text: bye}]")
    assert played.run.result == "hello"
    assert [body.get("target") for body in played.bodies("input.asked")] == ["Ann", None]


def test_whoever_is_not_there_cannot_be_told(tmp_path: Path) -> None:
    assert "no agent or person called “Zoe”" in play('- Say("Zoe", "hi")\n', tmp_path).state.error


def test_the_end_of_the_program_is_called_by_name(tmp_path: Path) -> None:
    played = play(book("", "# B\n## Main\n### Steps\n- F()\n- Say('no')\n## F\n### Steps\n- EndProgram()\n"), tmp_path)
    assert (played.told(), played.state.status.value) == ([], "completed")


def test_a_playbook_can_be_written_in_the_run_and_called_in_it(tmp_path: Path) -> None:
    steps = "- CreatePlaybook('Add Tax', '- $t = $n * 2\\n- Return $t + 1')\n- $n = 5\n- $r = AddTax()\n- Return $r\n"
    played = play(steps, tmp_path)
    assert played.run.result == 11, played.state.error
    assert played.bodies("playbook.written")[0]["name"] == "AddTax"
    assert fold(played.events) == played.state


def test_a_playbook_that_is_there_already_cannot_be_written(tmp_path: Path) -> None:
    assert "there is already a playbook Main" in play("- CreatePlaybook('Main', '- Return 1')\n", tmp_path).state.error


def test_a_written_playbook_may_have_parameters(tmp_path: Path) -> None:
    steps = "- CreatePlaybook('Twice', '## Twice($n)\\n### Steps\\n- Return $n * 2')\n- $r = Twice(4)\n- Return $r\n"
    assert play(steps, tmp_path).run.result == 8


def test_said_and_returned_texts_have_their_placeholders_filled_in(tmp_path: Path) -> None:
    steps = '- $x = 3\n- Say(user, "x is {$x}")\n- Say("{$x + 1} comes after $x")\n- Return "got {$x} and $x"\n'
    played = play(steps, tmp_path)
    assert (played.told(), played.run.result) == (["x is 3", "4 comes after 3"], "got 3 and 3")


def test_a_text_that_is_only_assigned_stays_as_it_is_written(tmp_path: Path) -> None:
    assert play("- $x = 'a {b} $c'\n- Return $x\n", tmp_path).run.result == "a {b} $c"
