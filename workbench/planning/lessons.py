"""What a run teaches the library, and what that tells the next one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from workbench.disk.files import is_there
from workbench.disk.places import Places
from workbench.disk.sqlite_file import WINDOW_WAIT_S
from workbench.engine.audit.report import Came, report_of
from workbench.engine.backends.modules import module_texts
from workbench.engine.backends.toolboxes import MODULES
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.payload import EventPayload
from workbench.engine.journal.run_events import CallResolved, ToolCalled, ToolError, ToolResult
from workbench.engine.permissions import names_in
from workbench.engine.ports import InDoubtChoice
from workbench.engine.state.run_state import RunState
from workbench.errors import RunFailed, StoreFailed
from workbench.i18n import _
from workbench.library.entries import PatternEntry, sequence_text, worked
from workbench.library.relevance.relevance import advice, advice_context, proven_context
from workbench.library.run_recording import CallRecord, RunRecord, record_run
from workbench.library.skills.nearby import skills_near
from workbench.library.store import PatternStore
from workbench.library.task_types import FILE_NAME, load_words
from workbench.model.loader.steplist import Playbook
from workbench.model.program import Program, StepId
from workbench.model.snapshot import MISSING, Snapshot
from workbench.model.steplists.skill_checks import unknown_skills, uses_skills
from workbench.project.imported import findings_with_imports
from workbench.project_file import project_file
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.python_functions import python_functions

_SAYING = frozenset({RunStatus.COMPLETED, RunStatus.FAILED})
_DESCRIPTION_LIMIT = 300
_TOKENS_FOR_TASK = 150


@dataclass(frozen=True, slots=True)
class KnownPatterns:
    """The proven patterns in the library *file*."""

    file: Path

    def __call__(self, task: Playbook | str) -> str:
        """What has worked before for *task*, as text for a model's context; empty where nothing is known.

        It is short for a task in words: it goes with every request of a run.

        Raises StoreFailed where the library cannot be used.
        """
        if not is_there(self.file):
            return ""
        patterns = PatternStore(self.file)
        try:
            if isinstance(task, str):
                return advice_context(patterns, task, _TOKENS_FOR_TASK)
            return proven_context(patterns, f"{task.name} {task.description}")
        finally:
            patterns.close()


def skills_of(snapshot: Snapshot, path: str) -> dict[str, tuple[str, ...]]:
    """The skills that the step list in *snapshot*, a file at *path*, can use; none where it names none."""
    is_asked = path and snapshot.program.format.is_steplist and uses_skills(snapshot.text)
    return skills_near(Path(path)) if is_asked else {}


def findings_beside(snapshot: Snapshot, path: str, *, is_joined: bool = False) -> tuple[Diagnostic, ...]:
    """The findings in *snapshot*, a file at *path*, as the files around it have them; its own without a path.

    A step list may name skills that are not there; what a program calls may be offered by Python of its project, or
    by files that it imports. *is_joined*: the text holds these already.
    """
    if not path or not snapshot.asks_beside:
        return snapshot.diagnostics
    if snapshot.program.format.is_steplist:
        unknown = unknown_skills(snapshot.text, skills_near(Path(path))) if uses_skills(snapshot.text) else ()
        return (*snapshot.diagnostics, *unknown)
    found = snapshot.diagnostics if is_joined else findings_with_imports(snapshot, Path(path))
    names, text = _tools_in(Path(path).parent), snapshot.text
    return tuple(each for each in found if each.code not in MISSING or each.span.of(text) not in names)


def _tools_in(folder: Path) -> frozenset[str]:
    """What the Python files of the project in *folder* offer; nothing where they cannot be read, which a run says."""
    try:
        texts = module_texts(folder, names_in(project_file(folder).tools, MODULES)).values()
    except RunFailed:
        return frozenset()
    return frozenset(function.name for text in texts for function in python_functions(text))


def boxes_done(events: tuple[RunEvent, ...], ran: Snapshot, now: Snapshot) -> tuple[StepId, ...]:
    """The steps of *now* with an empty box that were done in the run of *events*, which carried out *ran*.

    A step that has other words by now is another one.
    """
    report = report_of(events, ran.program)
    visits = (step for chapter in report.chapters for step in chapter.steps if step.came is Came.DONE)
    found: dict[StepId, None] = {}
    for address in dict.fromkeys(visit.address for visit in visits):
        before, step = ran.at_address(address), now.at_address(address)
        if step is not None and before is not None and step.is_ticked is False and step.text == before.text:
            found[step.id] = None
    return tuple(found)


def learn(store: PatternStore, events: tuple[RunEvent, ...], state: RunState, program: Program) -> PatternEntry | None:
    """The pattern that the run of *events* counts for, recorded in *store*; None when the run says nothing.

    *state*, *program* as in ``run_record``. Raises StoreFailed.
    """
    record = run_record(events, state, program)
    return record_run(store, record) if record is not None else None


def run_record(events: tuple[RunEvent, ...], state: RunState, program: Program) -> RunRecord | None:
    """What the run of *events* showed; None when it called no tools, only seemed to call one, or was ended.

    *state*: the fold of *events*. *program*: what the run executed.
    """
    calls = calls_of(events)
    if not calls or state.status not in _SAYING or any(is_made_up(event.payload) for event in events):
        return None
    ended = datetime.fromtimestamp(events[-1].at_ns / 1e9, UTC)
    return RunRecord(
        run=events[0].run,
        calls=tuple(CallRecord(call.name, call.is_ok) for call in calls),
        status=state.status.value,
        description=description_of(state, program),
        playbook=identity_of(state),
        reason=state.error,
        finished_at=ended.isoformat(timespec="microseconds"),
        duration_ms=(events[-1].at_ns - events[0].at_ns) // 1_000_000,
    )


def is_made_up(payload: EventPayload) -> bool:
    """Whether *payload* is a result that a person has put in the place of that of a tool."""
    return isinstance(payload, ToolResult | ToolError) and payload.instead is not None


def identity_of(state: RunState) -> str:
    """What was run: a playbook named *Main* of one file is not that of another."""
    path, playbook = state.origin.path, state.origin.playbook
    return f"{Path(path).name}:{playbook}" if path else playbook


def description_of(state: RunState, program: Program) -> str:
    """What the playbook that was run is for, in one line."""
    name = state.origin.playbook
    found = program.playbook(name)
    if found is None:
        return name
    described = next((line.strip() for line in found.description.splitlines() if line.strip()), "")
    return (described or found.title)[:_DESCRIPTION_LIMIT]


def advice_lines(state: RunState, program: Program, places: Places) -> tuple[str, ...]:
    """Advice for the run of *program* in *state*, the best first.

    Raises CannotRead where the person's table of words is damaged. A library that cannot be read
    gives no advice; the pattern pane says why.
    """
    store = PatternStore(places.patterns_file, WINDOW_WAIT_S)
    try:
        task = description_of(state, program)
        table = load_words(places.config_dir / FILE_NAME)
        entries = advice(store, identity_of(state), task, table=table)
    except StoreFailed:
        return ()
    finally:
        store.close()
    return tuple(_advice_line(entry) for entry in entries)


def _advice_line(entry: PatternEntry) -> str:
    """*Worked 5 of 6 times: find_order → delivery_day (Tells a customer …)*."""
    tried = worked(entry.success_count, entry.attempts)
    return _("{tried}: {tools}  ({title})").format(
        tried=f"{tried[:1].upper()}{tried[1:]}", tools=sequence_text(entry.tool_sequence), title=entry.title
    )


@dataclass(frozen=True, slots=True)
class ToolCallRecord:
    """One tool call. *is_ok*: it gave a result. *ended_ns*: 0 where it never ended. *error*: why it failed."""

    name: str
    is_ok: bool
    step: str
    started_ns: int
    ended_ns: int = 0
    error: str = ""


def calls_of(events: Iterable[RunEvent]) -> tuple[ToolCallRecord, ...]:
    """The tool calls in *events*, in the order in which they were begun."""
    begun: dict[str, tuple[RunEvent, ToolCalled]] = {}
    ended: dict[str, RunEvent] = {}
    for event in events:
        if isinstance(event.payload, ToolCalled):
            begun[event.span] = event, event.payload
        elif is_end_of_call(event.payload):
            ended[event.span] = event
    return tuple(_record(*call, ended.get(span)) for span, call in begun.items())


def is_end_of_call(payload: EventPayload) -> bool:
    """Whether *payload* ends a call: it will not be made again."""
    if isinstance(payload, CallResolved):
        return payload.how is not InDoubtChoice.AGAIN
    return isinstance(payload, ToolResult | ToolError)


def _record(begun: RunEvent, call: ToolCalled, end: RunEvent | None) -> ToolCallRecord:
    if end is None:
        return ToolCallRecord(call.tool, False, begun.step, begun.at_ns)
    is_ok, error = True, ""
    if isinstance(end.payload, CallResolved):
        is_ok, error = end.payload.how is InDoubtChoice.DONE, end.payload.message or ""
    elif isinstance(end.payload, ToolError):
        is_ok, error = False, end.payload.message
    return ToolCallRecord(call.tool, is_ok, begun.step, begun.at_ns, end.at_ns, error)
