"""Whole programs of ``tests/data/programs``: what each says, what a script answers, and what is to come of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.conftest import DATA
from tests.core.engine_driver import Played, finished, scripted
from workbench.cli.reading import ReadProgram, whole_program
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.scripts import script_beside
from workbench.engine.starting import start_run
from workbench.model.snapshot import Snapshot

FOLDER = DATA / "programs"
PROGRAMS = sorted(FOLDER.glob("*.md"))


@dataclass(frozen=True, slots=True)
class Expected:
    """What is to come of a program. *happened*: one line for each call, question, told text, trigger, meeting.

    *findings*: code and text of what ``check`` says. *arguments*: what the program is started with.
    """

    result: Any
    happened: list[str]
    findings: list[str]
    arguments: dict[str, Any]
    error: str


@cache
def expected(file: Path) -> Expected:
    """What stands beside the program *file*."""
    found = yaml.safe_load(file.with_suffix(".expected.yaml").read_text("utf-8"))
    listed = [found.get(name) or [] for name in ("happened", "findings")]
    return Expected(found.get("result"), *listed, found.get("arguments") or {}, found.get("error", ""))


@cache
def read(file: Path) -> ReadProgram:
    """The program *file* with what it imports; nobody changes these files, nor what is read of them."""
    return whole_program([file])


def run(file: Path, snapshot: Snapshot, folder: Path, arguments: dict[str, Any]) -> Played:
    """The run of *snapshot*, which *file* holds or was made of, with its script."""
    script = script_beside(file)
    answers = script.read_text("utf-8") if script is not None else ""
    journal = Journal(folder / "runs.sqlite")
    options = RunOptions(is_trusted=True, path=str(folder / file.name), arguments=arguments)
    played = finished(start_run(snapshot, journal, scripted(answers), options), journal)
    journal.close()
    return played


def told_findings(program: ReadProgram) -> list[str]:
    """Each finding: its code, and what it is about."""
    text = program.snapshot.text
    return [f"{one.code}: {' '.join(one.span.of(text).split())}" for one in program.diagnostics]


def happened(events: tuple[RunEvent, ...]) -> list[str]:
    """What *events* tell, a line each; those that only count steps and keep values are left out."""
    return [line for event in events if (line := _line(event.name, dict(encoded(event.payload))))]


_LINES = {
    "playbook.entered": "> {agent}.{playbook}",
    "tool.call": "tool {tool}",
    "trigger.fired": "fired {trigger}",
    "message.sent": "message {from} to {to}: {text}",
    "message.heard": "heard: {text}",
    "react.chosen": "chose {action}",
    "agent.created": "created {agent}",
    "artifact.saved": "saved {name}",
    "artifact.loaded": "loaded {name}",
    "playbook.written": "written {name}",
    "meeting.opened": "meeting of {host}",
    "meeting.invited": "invited {agent}",
    "meeting.ended": "end of the meeting",
    "effect.error": "a call failed",
    "wait.begun": "waits",
    "timer.due": "a timer is due",
    "conversation.ended": "end of the conversation",
}


def _line(name: str, body: dict[str, Any]) -> str:
    """One event in words; empty for those that are left out."""
    if name == "input.asked":
        return _question(body)
    if name == "say.told":
        return " ".join(filter(None, ["told", body.get("target")])) + f": {body['text']}"
    if name == "message.sent":
        body = {**body, "to": ", ".join(body["to"])}
    return _LINES.get(name, "").format(**body)


def _question(body: dict[str, Any]) -> str:
    """Who is asked what, and for which values; of triggers only which of them."""
    fields = ", ".join(field["name"] + (f":{field['type']}" if field["type"] else "") for field in body["fields"])
    if body.get("purpose") in ("triggers", "message"):
        return f"judged {body['purpose']}: {fields}"
    who = " ".join(filter(None, ["asked" if body["kind"] == "ask" else "judged", body.get("target")]))
    given = f" [{fields}]" if fields and body.get("purpose") != "react" else ""
    return f"{who}: {' '.join(body['text'].split())}{given}"
