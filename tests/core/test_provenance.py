"""Where a value came from: back to the step that set it, what that took it from, and people and tools."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.core import programs
from tests.core.cli_driver import Terminal
from tests.core.engine_driver import Played, play
from workbench.engine.journal.choices import Scope
from workbench.engine.journal.debug_events import StateEdited
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.language_events import AgentCreated, ArtifactSaved
from workbench.engine.journal.run_events import PlaybookEntered, VariableSet
from workbench.engine.options import RunOptions
from workbench.engine.provenance.setters import Setters, of_agent, of_frame, setters_of
from workbench.engine.provenance.tracing import DEEPEST, History, Origin, home_of, reads_in, where_from
from workbench.engine.state.fold import RunFold
from workbench.engine.state.run_state import RunState
from workbench.event_words import made_words
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText

SHOP = """# Shop
## Main
### Steps
- Ask user for $id
- $order = Look($id)
- $rate = 5
- For each $x in [1, 2]
  - $total = $order + Double($x) * $rate
- Return $total

## Double($y)
### Steps
- $z = $y * 2
- Return $z

```python
@playbook
async def Look(id):
    return len(id)
```
"""
SCRIPT = "answers:\n  - {step: 'Main:01', values: {id: 'abc'}}\n"


def snapshot(text: str) -> Snapshot:
    return derive(SourceText(text))


def lines(origin: Origin | None, depth: int = 0) -> list[str]:
    """The way of a value as it is read."""
    if origin is None:
        return []
    cut = " …" if origin.is_cut else ""
    own = f"{'  ' * depth}{origin.event.step} {made_words(origin.event, origin.name)}{cut}"
    return [own, *(line for source in origin.sources for line in lines(source, depth + 1))]


def way(played: Played, ran: Snapshot, name: str, before: int | None = None) -> list[str]:
    """Where *name* had its value from at the end, or before an event."""
    events = played.events[:before]
    fold = RunFold(RunState())
    for event in events:
        fold.apply(event)
    setters = setters_of(events)
    home = home_of(fold.state(), name, setters)
    assert home is not None
    return lines(where_from(History(events, setters, reads_in(ran)), home, name, len(events)))


def test_a_value_goes_back_through_calls_to_answers_and_arguments(tmp_path: Path) -> None:
    ran = snapshot(SHOP)
    assert way(play(ran, tmp_path, SCRIPT), ran, "$total") == [
        "Main:04.01 $total = 23",
        "  Main:04.01 Double → 4",
        "    Double:01 $z = 4",
        "      Main:04.01 $y = 2, given to Double",
        "        Main:04 $x = 2 …",
        "  Main:02 $order = 3",
        "    Main:02 result: 3",
        "      Main:02 call: Look(abc)",
        "        Main:01 $id = abc",
        "          Main:01 answer: id = abc",
        "            Main:01 question: Ask user for $id",
        "  Main:03 $rate = 5",
        "  Main:04 $x = 2",
    ]


def test_the_value_at_an_earlier_moment_has_another_origin(tmp_path: Path) -> None:
    ran = snapshot(SHOP)
    played = play(ran, tmp_path, SCRIPT)
    first = next(event.seq for event in played.events if made_words(event) == "$total = 13")
    assert way(played, ran, "$total", first + 1)[0] == "Main:04.01 $total = 13"


def test_what_a_run_was_started_with_is_the_end_of_the_way(tmp_path: Path) -> None:
    ran = snapshot("# A\n## Main($n)\n### Steps\n- $m = $n + 1\n- Return $m\n")
    played = play(ran, tmp_path, options=RunOptions(is_trusted=True, arguments={"n": 3}))
    assert way(played, ran, "$m") == [
        "Main:01 $m = 4",
        "   $n = 3, given to Main",
        "     given when the run was started",
    ]


def test_a_loop_that_counts_does_not_go_back_for_ever(tmp_path: Path) -> None:
    ran = snapshot("# A\n## Main\n### Steps\n- $n = 0\n- While $n < 40\n  - $n = $n + 1\n- Return $n\n")
    found = way(play(ran, tmp_path), ran, "$n")
    assert len(found) == DEEPEST + 1
    assert found[-1].endswith("…")


def test_a_value_that_a_person_has_changed_comes_from_there() -> None:
    edited = StateEdited("n", Scope.STATE, "A", "", None, 7, "ada")
    assert made_words(RunEvent("r", 0, edited, 0, 0), "$n") == "$n = 7, changed by ada"  # type: ignore[arg-type]


def test_without_its_text_a_run_still_tells_calls_and_answers(tmp_path: Path) -> None:
    played = play(snapshot(SHOP), tmp_path, SCRIPT)
    setters = setters_of(played.events)
    origin = where_from(History(played.events, setters, reads_in(None)), of_agent("Shop"), "$order", len(played.events))
    assert lines(origin) == ["Main:02 $order = 3", "  Main:02 result: 3", "    Main:02 call: Look(abc)"]


def test_a_variable_that_nothing_has_set_has_no_origin(tmp_path: Path) -> None:
    played = play(snapshot(SHOP), tmp_path, SCRIPT)
    setters = setters_of(played.events)
    assert home_of(played.state, "$nothing", setters) is None
    assert where_from(History(played.events, setters, reads_in(None)), of_agent("Shop"), "$order", 5) is None


@pytest.mark.parametrize("file", programs.PROGRAMS, ids=lambda file: file.stem)
def test_every_value_of_every_program_is_found_where_it_was_made(file: Path, tmp_path: Path) -> None:
    ran = programs.read(file).snapshot
    played = programs.run(file, ran, tmp_path, programs.expected(file).arguments)
    setters, fold = Setters(), RunFold(RunState())
    history = History(played.events, setters, reads_in(ran))
    for event in played.events:
        setters.note(fold, event)
        fold.apply(event)
        if isinstance(event.payload, VariableSet | PlaybookEntered | AgentCreated | ArtifactSaved):
            for home, name, value in visible(fold):
                origin = where_from(history, home, name, event.seq + 1)
                assert origin is not None, (home, name)
                assert made(origin) == value


def visible(fold: RunFold) -> Iterator[tuple[str, str, Any]]:
    """Every variable that there is: its home, its name and its value."""
    for agent, values in fold.agents.items():
        yield from ((of_agent(agent), f"${name}", value) for name, value in values.items())
    for frame in fold.frames:
        yield from ((of_frame(frame.span), name, value) for name, value in frame.locals.items())
        yield from ((of_frame(frame.span), f"${name}", value) for name, value in frame.parameters.items())


def made(origin: Origin) -> Any:
    """The value that the event of *origin* gave."""
    payload, name = origin.event.payload, origin.name.removeprefix("$")
    match payload:
        case VariableSet(new=value) | ArtifactSaved(value=value):
            return value
        case PlaybookEntered(arguments=values) | AgentCreated(state=values):
            return values[name]
    raise AssertionError(payload)


# At the terminal


def test_the_terminal_shows_the_way_of_a_value(terminal: Terminal, tmp_path: Path) -> None:
    played = play(snapshot(SHOP), tmp_path, SCRIPT)
    done = terminal.run("runs", "where", played.run.id, "order", "--store", tmp_path)
    assert done.code == 0
    assert done.out.splitlines()[0].split()[1:] == ["Main:02", "$order", "=", "3"]
    assert len(done.out.splitlines()) == 6


def test_the_terminal_gives_the_way_as_json(terminal: Terminal, tmp_path: Path) -> None:
    played = play(snapshot(SHOP), tmp_path, SCRIPT)
    found = terminal.run("runs", "where", played.run.id, "$order", "--json", "--store", tmp_path).json
    assert found["name"] == "$order"
    assert found["sources"][0]["event"]["type"] == "effect.result"


def test_the_terminal_says_where_there_was_no_value(terminal: Terminal, tmp_path: Path) -> None:
    played = play(snapshot(SHOP), tmp_path, SCRIPT)
    done = terminal.run("runs", "where", played.run.id, "order", "--at", 3, "--store", tmp_path)
    assert (done.code, done.out) == (1, "order had no value there.\n")
