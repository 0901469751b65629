"""A recorded run on a text that has changed since: what changes nothing is harmless, the rest is found where it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import book, play
from tests.core.mutating import check_mutation, original_of
from workbench.engine.journal.events import RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.replaying.recording import Today
from workbench.engine.replaying.replay import Replay, replay
from workbench.syntax.text import SourceText

HEAD = "# Book\n## Main\n### Steps\n"
STEPS = """\
- Ask user for $n:int
- If $n > 10
  - Tell user "much"
- Otherwise
  - Tell user "little"
- Return $n
"""
ANSWER = "answers: [{values: {n: 12}}]"


def on(folder: Path, before: str, after: str, script: str = ANSWER, options: RunOptions | None = None) -> Replay:
    """The run of the steps *before*, replayed on the steps *after*."""
    played = play(book(before), folder, script, options)
    journal = Journal(folder / "runs.sqlite")
    try:
        return replay(journal, RunId(played.run.id), Today(SourceText(HEAD + after)))
    finally:
        journal.close()


@pytest.mark.parametrize(
    "after",
    [
        STEPS,
        f"<!-- a note -->\n\n{STEPS}",
        STEPS.replace("$n > 10", "$n > 11"),
        STEPS.replace("If $n > 10", "If $n is more than 3"),
        STEPS.replace('"little"', '"nothing"'),
        STEPS.replace("- Otherwise\n", "- Otherwise\n  - Ask user for $more\n"),
        STEPS.replace("- If", "1. If").replace("- Otherwise", "2. Otherwise"),
        STEPS + "\n## Unused\n### Steps\n- Return 1\n",
    ],
)
def test_a_change_that_changes_nothing_of_what_happened_is_harmless(after: str, tmp_path: Path) -> None:
    assert on(tmp_path, STEPS, after).divergence is None


@pytest.mark.parametrize(
    ("old", "new", "event", "line"),
    [
        ("$n > 10", "$n > 20", "branch.taken", 5),
        ('"much"', '"a lot"', "say.told", 6),
        ("Ask user for $n:int", "Ask user for $n", "input.asked", 4),
        ("Return $n", "Return $n + 1", "playbook.exited", 9),
        ('  - Tell user "much"\n', '  - Tell user "very"\n  - Tell user "much"\n', "say.told", 6),
        ("- If $n", "- $n = $n - 5\n- If $n", "branch.taken", 5),
    ],
)
def test_the_first_event_that_comes_out_otherwise_is_told_with_its_line_in_the_new_text(
    old: str, new: str, event: str, line: int, tmp_path: Path
) -> None:
    divergence = on(tmp_path, STEPS, STEPS.replace(old, new)).divergence
    assert divergence is not None
    assert divergence.came is not None
    assert divergence.recorded.name == event or divergence.came.name == event
    assert divergence.line == line


def test_what_is_no_event_is_told_in_words(tmp_path: Path) -> None:
    before = "- Ask user for $a\n- $b = Lookup($a)\n- Return $b\n"
    script = "{answers: [{values: {a: 1}}], tools: {Lookup: 5}}"
    found = on(tmp_path, before, before.replace("Lookup($a)", "Lookup($a, 2)"), script)
    assert found.divergence is not None
    assert [one.name for one in found.divergence.differences] == ["positional"]
    found = on(tmp_path / "other", before, "- If it rains\n  - Return 1\n", script)
    assert found.divergence is not None


def test_a_text_that_cannot_be_started_so_diverges_at_once(tmp_path: Path) -> None:
    played = play(book(STEPS), tmp_path, ANSWER, RunOptions(playbook="Main"))
    journal = Journal(tmp_path / "runs.sqlite")
    found = replay(journal, RunId(played.run.id), Today(SourceText("# Book\n## Other\n### Steps\n- Return 1\n")))
    journal.close()
    assert found.divergence is not None
    assert (found.divergence.recorded.seq, found.snapshot) == (0, None)
    assert "Main" in found.divergence.problem


def test_a_step_that_fails_on_another_line_fails_the_same(tmp_path: Path) -> None:
    before = "- $a = 1 / 0\n"
    assert on(tmp_path, before, f"<!-- a\nnote -->\n{before}").divergence is None


def test_python_that_has_changed_is_not_carried_out_and_gives_what_it_gave(tmp_path: Path) -> None:
    text = "# B\n```python\n@playbook\ndef two() -> int:\n    return 2\n```\n## Main\n### Steps\n- Return two()\n"
    played = play(book("", text), tmp_path, "", RunOptions(is_trusted=True))
    journal = Journal(tmp_path / "runs.sqlite")
    found = replay(journal, RunId(played.run.id), Today(SourceText(text.replace("return 2", "raise 1"))))
    journal.close()
    assert found.divergence is None


@pytest.mark.parametrize("name", ["ballot", "claims", "complaint", "dinner", "todo", "trip-cost"])
def test_a_random_change_is_harmless_or_found_where_a_run_of_it_first_does_something_else(
    name: str, tmp_path: Path
) -> None:
    """``make soak`` tries 200 of them, on all programs."""
    one = original_of(name, tmp_path)
    for seed in range(4):
        check_mutation(one, seed, tmp_path / str(seed))
    one.journal.close()
