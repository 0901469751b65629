"""One program with everything: an import, triggers, two agents, a meeting, Python that calls a playbook
that calls Python, artifacts, a playbook without steps, one written in the run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import Played, finished, scripted
from workbench.cli.reading import whole_program
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.starting import start_run
from workbench.engine.state.fold import fold
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

_FILE = Path(__file__).parents[1] / "data" / "language" / "market-stall.md"


@pytest.fixture
def stall(tmp_path: Path) -> Played:
    """The program, carried out with its script."""
    journal = Journal(tmp_path / "runs.sqlite")
    backend = scripted(_FILE.with_suffix(".script.yaml").read_text(encoding="utf-8"))
    snapshot = whole_program([_FILE]).snapshot
    options = RunOptions(is_trusted=True, path=str(_FILE))
    return finished(start_run(snapshot, journal, backend, options), journal)


def _words(event: RunEvent) -> str:
    """What an event says, as one short line; empty for those that only count steps."""
    body = encoded(event.payload)
    match event.name:
        case "playbook.entered":
            return f"> {body['agent']}.{body['playbook']}"
        case "playbook.exited":
            return f"< {body['playbook']}"
        case "tool.call" | "artifact.loaded" | "artifact.saved" | "playbook.written":
            return f"{event.name} {body.get('tool') or body['name']}"
        case "say.told" | "message.sent":
            return f"{event.name} {body.get('target') or ','.join(body.get('to', ['user']))}"
        case "trigger.fired" | "agent.created" | "meeting.invited" | "meeting.turn" | "react.chosen":
            return f"{event.name} {body.get('trigger') or body.get('agent') or body['action']}"
    return event.name if event.name in _PLAIN else ""


_PLAIN = {"meeting.opened", "meeting.ended", "meeting.state", "message.received", "effect.error", "run.completed"}


_LOG = """
> Office.Open
< Open
> Stall.Main
tool.call quote
> Stall.PriceOf
tool.call lookup
trigger.fired Rescue:T1
> Stall.Rescue
say.told user
< Rescue
< PriceOf
> Stall.PriceOf
tool.call lookup
< PriceOf
> Stall.PriceOf
tool.call lookup
< PriceOf
say.told user
trigger.fired Dear:T1
> Stall.Dear
say.told user
< Dear
> Office.Tax
< Tax
trigger.fired Log:T1
> Stall.Log
say.told user
< Log
agent.created Office:1003
trigger.fired Open:T1
> Office:1003.Open
< Open
> Office:1003.Tax
< Tax
trigger.fired Log:T1
> Stall.Log
say.told user
< Log
meeting.opened
meeting.invited Office
meeting.invited Mara
> Stall.Review
meeting.state
message.sent Office,Mara
meeting.turn Office
> Office.Attend
message.received
message.sent Stall,Mara
< Attend
meeting.turn Stall
message.received
meeting.ended
< Review
say.told Mara
> Stall.Story
< Story
artifact.saved receipt
> Stall.Plan
react.chosen Office.Tax
> Office.Tax
< Tax
react.chosen lookup
tool.call lookup
effect.error
< Plan
trigger.fired Log:T1
> Stall.Log
say.told user
< Log
artifact.loaded receipt
playbook.written Farewell
> Stall.Farewell
say.told user
< Farewell
< Main
run.completed
"""


def test_it_runs_to_its_end_with_its_script(stall: Played) -> None:
    assert stall.state.status is RunStatus.COMPLETED, stall.state.error or stall.run.halt
    assert stall.run.result == "12 + 2.4, Are prices fine? too dear? No., buy a cart, 720, 4"


def test_its_events_tell_what_happened_in_order(stall: Played) -> None:
    assert [words for event in stall.events if (words := _words(event))] == _LOG.split("\n")[1:-1]


def test_compiled_to_assembly_it_does_the_same(stall: Played, tmp_path: Path) -> None:
    source = whole_program([_FILE]).snapshot
    compiled = derive(SourceText(compile_assembly(source).text))
    journal = Journal(tmp_path / "compiled.sqlite")
    backend = scripted(_FILE.with_suffix(".script.yaml").read_text(encoding="utf-8"))
    run = start_run(compiled, journal, backend, RunOptions(is_trusted=True, path=str(_FILE)))
    played = finished(run, journal)
    assert run.result == stall.run.result, run.state.error
    assert list(map(_words, played.events)) == list(map(_words, stall.events))


def test_its_journal_is_its_state(stall: Played) -> None:
    assert fold(stall.events) == stall.state


def test_every_agent_has_kept_its_own_variables(stall: Played) -> None:
    agents = stall.state.agents
    assert (agents["Office"]["rate"], agents["Office:1003"]["place"], "rate" in agents["Stall"]) == (20, "fair", False)


def test_long_results_and_what_was_saved_are_artifacts(stall: Played) -> None:
    artifacts = stall.state.world.artifacts
    assert {name: len(str(each.value)) for name, each in artifacts.items()} == {"story": 720, "receipt": 25}


def test_what_was_said(stall: Played) -> None:
    assert stall.told() == [
        "Sorry",
        "Quoted 3 items",
        "More than ten: 13",
        "Tax was worked out",
        "Tax was worked out",
        "It was Are prices fine? too dear? No.",
        "Tax was worked out",
        "Bye, Mara",
    ]
