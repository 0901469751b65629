"""How often each way was taken follows from how often its steps were carried out."""

from __future__ import annotations

import pytest

from workbench.model.layout.program import layout_program
from workbench.model.layout.shapes import Route
from workbench.model.layout.ways_taken import Tally, WaysTaken
from workbench.model.meaning import RouteKind
from workbench.model.program import StepId
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

TEXT = """# Agent
## Main
### Steps
- Begin
- While $n < 3
  - If $n > 1
    - Large
  - Else if $n > 0
    - Medium
    - Return 4
  - Tell it
- End it
"""
ONCE, NEVER = Tally(1, 1), Tally()


def counts(tallies: dict[str, Tally], text: str = TEXT) -> dict[tuple[str, str, str], int]:
    """How often each way was taken, by the words of the steps it leads from and to, and its kind."""
    snapshot = derive(SourceText(text))
    layout = layout_program(snapshot)
    words = {step.id: step.text for root in snapshot.roots if root for step in root.walk()}
    by_id = {step: tallies.get(text, NEVER) for step, text in words.items()}
    taken = WaysTaken(snapshot, lambda step: by_id.get(step, NEVER))
    routes = [route for book in layout.playbooks for each in book.placed for route in each.fragment.routes]

    def name(step: StepId | None) -> str:
        return words.get(step, "") if step is not None else ""

    found: dict[tuple[str, str, str], int] = {}
    for route in [*routes, *(route for book in layout.playbooks for route in book.routes)]:
        key = name(route.source), route.kind.name, name(route.target)
        found[key] = max(found.get(key, 0), taken.times(route))
    return found


def test_rounds_branches_and_what_follows_are_counted() -> None:
    found = counts(
        {
            "Begin": ONCE,
            "While $n < 3": Tally(1, 1, 0, 3, 3),
            "If $n > 1": Tally(3, 3, 1),
            "Large": Tally(2, 2),
            "Else if $n > 0": Tally(1, 1, 1),
            "Tell it": Tally(3, 3),
            "End it": ONCE,
        }
    )
    assert found["", "NEXT", "Begin"] == 1
    assert found["While $n < 3", "YES", "If $n > 1"] == 3
    assert found["If $n > 1", "YES", "Large"] == 2
    assert found["If $n > 1", "NO", "Else if $n > 0"] == 1
    assert found["Else if $n > 0", "YES", "Medium"] == 0
    assert found["Else if $n > 0", "NO", ""] == 1
    assert found["Large", "NEXT", ""] == 2
    assert found["Else if $n > 0", "NEXT", "Tell it"] == 3
    assert found["Tell it", "REPEAT", "While $n < 3"] == 3
    assert found["While $n < 3", "NEXT", ""] == 1


def test_what_comes_out_of_a_decision_is_what_its_arms_let_out() -> None:
    text = "# A\n## Main\n### Steps\n- If $x\n  - Return 1\n- Otherwise\n  - Go on\n- Last\n"
    left = counts({"If $x": Tally(1, 1), "Return 1": ONCE}, text)
    assert (left["If $x", "YES", "Return 1"], left["Otherwise", "NEXT", ""]) == (1, 0)
    passed = counts({"If $x": Tally(1, 1, 1), "Otherwise": ONCE, "Go on": ONCE, "Last": ONCE}, text)
    assert (passed["If $x", "YES", "Return 1"], passed["Otherwise", "NEXT", ""]) == (0, 1)


@pytest.mark.parametrize(("times", "words"), [(0, ""), (1, ""), (2, "×2"), (12, "×12")])
def test_a_count_is_written_where_it_says_more_than_the_line(times: int, words: str) -> None:
    snapshot = derive(SourceText("# A\n## Main\n### Steps\n- If $x\n  - Do it\n"))
    step = snapshot.program.playbooks[0].steps[0].id
    taken = WaysTaken(snapshot, lambda _step: Tally(times, times))
    assert taken.words(Route(RouteKind.YES, ((0, 0), (0, 9)), step)) == words
