"""The page of a run: its flowchart with marks, its time line, what was said, and whatever its texts hold."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.conftest import DATA
from tests.core.engine_driver import Played, play
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import RunResumed
from workbench.i18n import use_language
from workbench.model.snapshot import derive
from workbench.pages.exporting import AuditForm, audit_text
from workbench.pages.flowchart import flowchart
from workbench.pages.marks import Ran
from workbench.pages.run_timeline import timeline
from workbench.syntax.text import SourceText

STEPS = """\
- Ask user for $name
- If $name == "Zoe"
  - Tell user "Hello <b>{$name}</b>"
- For each $item in [1, 2, 3]
  - $last = $item
- $n = 1 / 0
- Return $n
"""
ANSWERS = 'answers: [{values: {name: "Ann\u202e"}}]'
SAMPLES = Path(__file__).resolve().parents[2] / "playbooks"


def failed_run(folder: Path) -> Played:
    return play(STEPS, folder, ANSWERS)


def page_of(played: Played, folder: Path) -> str:
    journal = Journal(folder / "runs.sqlite")
    try:
        return audit_text(journal, played.run.id, AuditForm.PAGE)
    finally:
        journal.close()


def pictures_in(page: str) -> list[ET.Element]:
    """The pictures of *page*, each read as XML, which is stricter than any browser."""
    return [ET.fromstring(found) for found in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]


def kinds_in(page: str, element: str) -> Counter[str]:
    return Counter(each.get("class", "") for svg in pictures_in(page) for each in svg.iter(element))


def test_the_flowchart_marks_what_was_done_what_was_not_and_what_failed(tmp_path: Path) -> None:
    page = page_of(failed_run(tmp_path), tmp_path)
    circles = kinds_in(page, "circle")
    assert (circles["mark done"], circles["mark skipped"], circles["mark failed"]) == (3, 1, 1)
    assert kinds_in(page, "rect")["box block failed"] == 1
    assert "×3" in page
    assert "evaluated to no" in page


def test_the_time_line_shows_failures_above_all_else(tmp_path: Path) -> None:
    picture = timeline(failed_run(tmp_path).events)
    bars = [each for svg in pictures_in(picture) for each in svg.iter("g")]
    assert "Division by zero" in ET.tostring(bars[-1], encoding="unicode")
    assert kinds_in(picture, "path")["failure"] == 1


def test_the_time_in_which_nobody_carried_a_run_out_takes_no_room(tmp_path: Path) -> None:
    events = play("- $a = 1\n- $b = 2\n", tmp_path).events
    day = 86_400_000_000_000
    at = next(place for place, event in enumerate(events) if event.name == "step.exited") + 1
    later = tuple(replace(event, at_ns=event.at_ns + day, mono_ns=event.mono_ns + day) for event in events[at:])
    taken_up = replace(later[0], payload=RunResumed())
    assert " h " not in timeline((*events[:at], taken_up, *later))


def test_the_conversation_says_who_was_asked_what(tmp_path: Path) -> None:
    page = page_of(failed_run(tmp_path), tmp_path)
    talk = page[page.index('class="talk"') : page.index("Who did what")]
    assert talk.index("Ask user for $name") < talk.index("name = Ann⟨U+202E⟩")
    assert talk.count("Division by zero") == 1


def test_nothing_that_the_playbook_says_becomes_markup_or_stays_unseen(tmp_path: Path) -> None:
    page = page_of(failed_run(tmp_path), tmp_path)
    assert not {"\u202e", "\x1b"} & set(page)
    assert "<b>" not in page
    assert not re.search(r"<(script|link|img|iframe|object)|http", page)


def test_the_page_of_a_run_whose_text_is_lost_has_no_flowchart(tmp_path: Path) -> None:
    played = failed_run(tmp_path)
    journal = Journal(tmp_path / "runs.sqlite")
    journal._connection.execute("DELETE FROM blob")
    journal.close()
    page = page_of(played, tmp_path)
    assert "Flowchart" not in page
    assert "Timeline" in page


def test_the_page_is_in_the_chosen_language(tmp_path: Path) -> None:
    played = failed_run(tmp_path)
    use_language("de")
    try:
        page = page_of(played, tmp_path)
    finally:
        use_language("en")
    assert '<html lang="de">' in page
    assert "Gespräch" in page


FILES = sorted([*SAMPLES.glob("*.md"), *(DATA / "ordinary").glob("*.md"), *(DATA / "steplists").glob("*.yaml")])


@pytest.mark.parametrize("path", FILES[::4], ids=lambda path: path.name)
def test_every_playbook_can_be_drawn(path: Path) -> None:
    snapshot = derive(SourceText.decode(path.read_bytes()))
    picture = flowchart([Ran(snapshot, "", {})])
    drawn = len(pictures_in(picture))
    assert drawn == len(snapshot.program.playbooks)
