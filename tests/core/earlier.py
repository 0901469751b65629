"""What an earlier version has written, copied to where a test may change it, and told as JSON values.

The same functions told what ``expected.json`` holds, with the earlier version behind them. Whatever
of the program has no command for it is imported here and nowhere else.
"""

from __future__ import annotations

import hashlib
import html.parser
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.core.cli_driver import Terminal
from workbench.editing.document import Document
from workbench.editing.keeping.unsaved_journal import unsaved_left
from workbench.engine.enforcement.records import StepStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.state.fold import fold
from workbench.vocabulary import status_in_plan

DATA = Path(__file__).resolve().parents[1] / "data" / "earlier"
RUNS: dict[str, dict[str, Any]] = json.loads((DATA / "runs.json").read_text("utf-8"))
"""By what a run is an example of: its store, its id, what its calls had done, and the ways to resume it."""

PLAN_COLUMNS = 8
"""How many columns the table of a plan has on the page of an audit; no other table has as many."""

_STATUS = {str(status_in_plan(each)): each.value for each in StepStatus}
"""The page says in words what the earlier one had as it is written down."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """A copy of everything in *folder*, and the command line to look at it with."""

    folder: Path
    terminal: Terminal

    @classmethod
    def copied_to(cls, folder: Path, terminal: Terminal) -> Earlier:
        """A copy that a test may change."""
        shutil.copytree(DATA, folder)
        return cls(folder, terminal)

    def store_of(self, name: str) -> Path:
        """The store in which the run *name* is kept."""
        return self.folder / RUNS[name]["store"]

    def listed(self, store: Path) -> list[dict[str, Any]]:
        """The runs of *store*, as the command line lists them."""
        found: list[dict[str, Any]] = self.terminal.run("runs", "--json", "--store", store).json
        return found

    def verified(self, name: str) -> dict[str, Any]:
        """What is said of the chain of the run *name*."""
        found: dict[str, Any] = self.terminal.run(
            "audit", "verify", RUNS[name]["run"], "--json", "--store", self.store_of(name)
        ).json
        return found

    def exported(self, name: str, form: str = "jsonl") -> str:
        """The audit of the run *name*."""
        return self.terminal.run("export", RUNS[name]["run"], "--format", form, "--store", self.store_of(name)).out

    def export_digest(self, name: str) -> str:
        """The digest of every byte of the audit of the run *name*."""
        return hashlib.sha256(self.exported(name).encode()).hexdigest()

    def plan(self, name: str) -> list[list[str]]:
        """Id, status, number of calls, of successes and of failures of each step of a step list; else nothing."""
        page = _Rows()
        page.feed(self.exported(name, "html"))
        rows = [[row[at] for at in (0, 2, 4, 6, 7)] for row in page.rows if len(row) == PLAN_COLUMNS]
        return [[step, _STATUS.get(status, status), *counts] for step, status, *counts in rows]

    def state(self, name: str) -> dict[str, Any]:
        """Where the run *name* stands."""
        return state_in(self.store_of(name), RUNS[name]["run"])

    def resumed(self, name: str, way: str) -> dict[str, Any]:
        """What became of the run *name*, resumed in this *way* with the copy as the working folder.

        Of messages only whether there are any: their words may become better.
        """
        Path("deeds.txt").write_text(RUNS[name]["deeds"], encoding="utf-8")
        run, store = RUNS[name]["run"], self.store_of(name)
        done = self.terminal.run("resume", run, "--json", "--store", store, *RUNS[name]["resume"][way])
        events = [json.loads(line) for line in done.out.splitlines()]
        state = state_in(store, run)
        return {
            "code": done.code,
            "events": [[event["type"], event["step"]] for event in events],
            "deeds": Path("deeds.txt").read_text("utf-8").splitlines(),
            "state": {**state, "error": bool(state["error"])},
            "plan": self.plan(name),
        }


class _Rows(html.parser.HTMLParser):
    """The texts of all cells of a page, row by row."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._is_in_cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag == "td":
            self.rows[-1].append("")
            self._is_in_cell = True

    def handle_endtag(self, tag: str) -> None:
        self._is_in_cell = self._is_in_cell and tag != "td"

    def handle_data(self, data: str) -> None:
        if self._is_in_cell:
            self.rows[-1][-1] += data


def state_in(store: Path, run: str) -> dict[str, Any]:
    """Where *run* in *store* stands, as JSON values."""
    journal = Journal(store / "runs.sqlite")
    try:
        state = fold(journal.read(journal.find(run)))
    finally:
        journal.close()
    told: dict[str, Any] = json.loads(json.dumps(_told(state)))
    return told


def _told(state: Any) -> dict[str, Any]:
    world = state.world
    return {
        "status": state.status.value,
        "result": state.result,
        "error": state.error,
        "agents": {name: dict(values) for name, values in state.agents.items()},
        "frames": [[frame.playbook, frame.agent, frame.step, dict(frame.locals)] for frame in state.frames],
        "steps": {address: status.value for address, status in state.step_statuses.items()},
        "asked": None if state.pending is None else [state.pending.step, state.pending.kind.value],
        "artifacts": {name: artifact.value for name, artifact in world.artifacts.items()},
        "written": sorted(world.written.values()),
        "meetings": [
            [meeting.topic, meeting.is_open, dict(meeting.state), [[each.sender, each.text] for each in meeting.log]]
            for meeting in world.meetings.values()
        ],
    }


def document_of(folder: Path, name: str) -> Document:
    """The document *name* of the copy in *folder*, opened with what earlier sessions kept of it.

    The name of a journal begins with a digest of where its file lies, and the file lies elsewhere now.
    """
    journals, path = folder / "edits" / "journals", folder / "edits" / "files" / name
    for journal in journals.glob(f"{_digest(Path('/srv/playbooks/edits/files') / name)}*"):
        journal.rename(journal.with_name(journal.name.replace(journal.name[:24], _digest(path))))
    return Document.open(path, journals)


def _digest(path: Path) -> str:
    return hashlib.sha256(str(path).encode()).hexdigest()[:24]


def edits_of(document: Document) -> dict[str, Any]:
    """What *document* holds, and what it holds after each undo to its beginning; it has what was recovered."""
    opened = document.snapshot.text
    is_offered = document.recovery is not None
    document.recover()
    texts = [document.snapshot.text]
    while document.undo():
        texts.append(document.snapshot.text)
    document.close()
    return {"opened": opened, "is_offered": is_offered, "texts": texts}


def unsaved_texts(folder: Path) -> list[list[str]]:
    """What each document that never had a file holds, and what it holds after each undo to its beginning."""
    files = sorted(left.file for left in unsaved_left(folder / "edits" / "journals"))
    return [edits_of(Document.restore(file))["texts"] for file in files]


LIBRARY = (
    *(("list", "--sort", sort) for sort in ("recent", "successes", "reliable", "name", "task-type", "created")),
    *(("list", word) for word in ("careful", "größer", "gone")),
    *(("list", "--type", kind) for kind in ("shell", "web")),
    *(("list", "--state", state) for state in ("accepted", "rejected", "superseded", "none")),
    ("list", "--tool", "deploy"),
    ("relevant", "deploy the shop"),
    ("relevant", "rake the garden and ship it"),
    ("relevant", "--type", "shell"),
    ("promotable",),
    ("promotable", "--threshold", "1"),
    ("export",),
    *(("show", pattern) for pattern in json.loads((DATA / "library" / "ids.json").read_text("utf-8")).values()),
)
"""The questions that the library is asked."""


def library_said(terminal: Terminal, store: Path, question: Sequence[str]) -> list[Any]:
    """Exit code and answer of the library in the file *store* to *question*."""
    done = terminal.run("patterns", *question, "--json", "--store", store)
    return [done.code, json.loads(done.out)]
