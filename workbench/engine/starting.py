"""Starts and resumes runs. Which decider a run has follows from what its text holds, never from a file's name."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from workbench.disk.files import absolute, real_path
from workbench.engine.backends.file_python import FilePython, PythonRules
from workbench.engine.backends.registry import Registry, knows
from workbench.engine.backends.toolboxes import project_folder, registry_for
from workbench.engine.backends.tools import PlaybookTools, ToolRules, ToolSource
from workbench.engine.clock import Clock, FastClock
from workbench.engine.decider import Decider, Draft, Tools
from workbench.engine.enforcement.binding import check_tools
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal, Keeps
from workbench.engine.journal.lease import handing_over
from workbench.engine.journal.run_events import RunCreated
from workbench.engine.judges import JudgeKind, Subject
from workbench.engine.judging.pinned import with_pins
from workbench.engine.judging.replaying import ReplayWalker
from workbench.engine.judging.starting import as_judged, hearing, judged, judges_changed, with_judges
from workbench.engine.language import decider as language
from workbench.engine.language.program.book import Book
from workbench.engine.language.program.linked import linked_from
from workbench.engine.language.turn import Rules
from workbench.engine.options import RunOptions
from workbench.engine.ports import JudgementBackend, MessageSource
from workbench.engine.running.recorder import Recorder
from workbench.engine.running.run import Run
from workbench.engine.state.fold import fold
from workbench.engine.state.run_state import RunState
from workbench.engine.steplists import origin as steplists
from workbench.engine.steplists.decider import StepListDecider
from workbench.engine.steplists.plan_fold import PlanFold
from workbench.engine.steplists.turns import Turns
from workbench.engine.steplists.walking import Walker
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.kinds import FileKind
from workbench.model.loader.steplist import Playbook as StepList
from workbench.model.loader.steplist import with_skills
from workbench.model.snapshot import Snapshot, addressed_by_names, derive
from workbench.project_file import project_file
from workbench.syntax.text import SourceText

Recall = Callable[[StepList | str], str]
"""What has worked before, as text for the context of who walks a step list, or of models that judge a playbook which
is for a task, in one line; empty where nothing is known."""


def start_run(
    snapshot: Snapshot,
    journal: Journal,
    backend: JudgementBackend,
    options: RunOptions,
    recall: Recall | None = None,
) -> Run:
    """A new run of *snapshot*, already going.

    Raises RunFailed where there is nothing to run (a graph, a damaged list), an argument is missing or does not fit;
    ToolsMissing where a step expects a tool that is not there; StoreFailed where the journal cannot be used.
    """
    run = RunId(options.run_id) if options.run_id else new_run_id()
    decider: Decider
    if snapshot.program.format.is_steplist:
        playbook = with_skills(steplists.runnable(snapshot, options.path), options.skills)
        origin = steplists.origin_of(playbook, snapshot, journal, options)
        plan = PlanFold(playbook, run, blocks=not options.is_recording_only)
        decider = _of_list(plan, snapshot, recall, *_walked(run, journal, backend, options))
    else:
        origin = _with_plans(language.origin_of(snapshot, journal, options), options)
        decider = _of_program(run, (snapshot, linked_from(origin.linked, journal)), journal, backend, options)
    decider = judged(with_pins(decider, options.pins), journal, options, (), recall)
    with handing_over(journal.lease(run)) as lease:
        recorder = Recorder(run, journal, RunState(run=run), hearing(decider), _clock(options, backend))
        recorder.record_synced((Draft(with_judges(origin, options)),))
        started = Run(decider, recorder, backend, options)
        started.begin(lease)
        return started


def resume_run(
    run_id: RunId,
    journal: Journal,
    backend: JudgementBackend,
    options: RunOptions | None = None,
    recall: Recall | None = None,
) -> Run:
    """The run *run_id*, going on where it was, on the text it was begun with.

    *options* None: as it was started. Raises StoreFailed where the journal is damaged or the
    run is carried out elsewhere, RunFailed where it has ended.
    """
    with handing_over(journal.lease(run_id)) as lease:
        events = journal.check(run_id)
        state = _open_state(run_id, events)
        chosen, snapshot = options or options_of(state), snapshot_of(state, journal)
        plan = steplists.new_plan(events, journal)
        inner: Decider
        if plan is None:
            texts = (snapshot, linked_from(state.origin.linked, journal))
            inner = _of_program(run_id, texts, journal, backend, chosen)
        else:
            inner = _of_list(plan, snapshot, recall, *_walked(run_id, journal, backend, chosen))
        decider = judged(with_pins(inner, chosen.pins), journal, chosen, events, recall)
        recorder = Recorder(run_id, journal, state, hearing(decider, events), _clock(chosen, backend, state.at_ns))
        recorder.record(judges_changed(state, chosen))
        resumed = Run(decider, recorder, backend, chosen)
        resumed.begin(lease)
        return resumed


def _with_plans(origin: RunCreated, options: RunOptions) -> RunCreated:
    """*origin*, which says what the project says about playbooks that runs make."""
    folder = project_folder(options)
    said = project_file(folder).plans if folder is not None else {}
    plans = {name: value for name, value in said.items() if isinstance(value, str | int | float)}
    if not plans or origin.program is None:
        return origin
    return replace(origin, program=replace(origin.program, plans=plans))


def _clock(options: RunOptions, backend: JudgementBackend, since_ns: int = 0) -> Clock:
    """The clock of a run that *backend* answers; *since_ns*: of its last event."""
    return FastClock(since_ns) if isinstance(backend, MessageSource) and backend.skips_time else options.clock


def _open_state(run_id: RunId, events: tuple[RunEvent, ...]) -> RunState:
    """Where the run *run_id* stands after *events*. Raises RunFailed where it has ended."""
    state = fold(events)
    refuse_cycle(state)
    if state.status in {RunStatus.COMPLETED, RunStatus.FAILED}:
        message = _("Run {run} has ended ({status}) and cannot be resumed.")
        raise RunFailed(message.format(run=run_id, status=state.status.value))
    return state


def refuse_cycle(state: RunState) -> None:
    """Raise RunFailed where *state* is that of a run which makes a playbook: its text only names the stages."""
    if state.origin.is_cycle:
        message = _("Run {run} makes a playbook from a goal. Go on with it by: workbench generate --resume {run}")
        raise RunFailed(message.format(run=state.run))


def snapshot_of(state: RunState, journal: Keeps) -> Snapshot:
    """The text that a run was begun with. Raises StoreFailed where it is lost."""
    return read_as_begun(SourceText.decode(journal.kept(state.origin.pb_hash)), state.origin)


def read_as_begun(source: SourceText, origin: RunCreated) -> Snapshot:
    """*source*, read as the text of the run that began with *origin* was."""
    found = _read_as_kind(source, origin)
    return found if origin.program is not None and origin.program.tells_apart else addressed_by_names(found)


def _read_as_kind(source: SourceText, origin: RunCreated) -> Snapshot:
    if origin.read_as:
        chapters = tuple((title, is_done is True) for title, is_done in (origin.chapters or {}).items())
        return derive(source, wanted=FileKind(origin.read_as), chapters=chapters)
    found = derive(source)
    # earlier versions read all markdown as programs, and go on with it so
    return derive(source, wanted=FileKind.PROGRAM) if found.deriver.is_procedure else found


def options_of(state: RunState) -> RunOptions:
    """How a run was started."""
    origin, start = state.origin, state.origin.program
    if start is None:
        is_recording_only = origin.steplist is not None and not origin.steplist.blocks
        options = RunOptions(path=origin.path, script=origin.script, is_recording_only=is_recording_only)
        return as_judged(options, origin)
    options = RunOptions(
        playbook=origin.playbook,
        arguments=origin.arguments,
        is_trusted=start.is_trusted,
        python_timeout_s=start.python_timeout_s,
        python_memory_mb=origin.python_memory_mb,
        max_depth=start.max_depth,
        max_steps=start.max_steps,
        path=origin.path,
        script=origin.script,
        artifact_threshold=start.artifact_threshold,
    )
    return as_judged(options, origin)


def _of_list(
    plan: PlanFold, snapshot: Snapshot, recall: Recall | None, walker: Walker | Tools | None, others: Registry
) -> StepListDecider:
    """The decider of a step list; see ``Turns`` for *walker*."""
    playbook = plan.plan.playbook
    knowledge = recall(playbook) if recall is not None else ""
    turns = Turns(plan, snapshot, walker, knowledge)
    check_tools(playbook, (*turns.names, *(each.tool for each in others.mocking.mocks)))
    return StepListDecider(plan, snapshot, turns, others)


def _walked(
    run: RunId, journal: Journal, backend: JudgementBackend, options: RunOptions
) -> tuple[Walker | Tools | None, Registry]:
    """Who walks a list: a model with the tools of the run, an earlier run, *backend* or whom it asks; and the tools."""
    others, judge = _others(run, journal, options), options.judges.of(Subject.TURNS)
    if judge is JudgeKind.MODEL:
        return others, others
    if judge is JudgeKind.REPLAY:
        walker = ReplayWalker(journal.check(RunId(options.judges.replay)))
        walker.catch_up(journal.read(run))
        return walker, others
    return (backend if isinstance(backend, Walker) else None), others


def _others(run: RunId, journal: Journal, options: RunOptions) -> Registry:
    """The tools of *run* that do not stand in its file."""
    return registry_for(options, real_path(journal.path).parent / "calls" / f"{run}-modules.jsonl")


_Texts = tuple[Snapshot, Mapping[str, Snapshot]]
"""What is carried out, and the procedures that its steps link to."""


def _of_program(
    run: RunId, texts: _Texts, journal: Journal, backend: JudgementBackend, options: RunOptions
) -> language.LanguageDecider:
    """The decider of a playbook in markdown."""
    folder = project_folder(options)
    ledgers = real_path(journal.path).parent / "calls"
    limits = (options.python_timeout_s, options.python_memory_mb)
    others = _others(run, journal, options)
    book = Book(texts[0], partial(knows, others.boxes), texts[1])
    python = FilePython(book, PythonRules(run, ledgers, folder or absolute(Path()), *limits))
    rules = ToolRules(options.is_trusted, folder, options.artifact_threshold)
    tools = PlaybookTools(python, rules, backend if isinstance(backend, ToolSource) else None, others)
    rules_of_run = Rules(tools.safety, options.max_depth, options.max_steps, options.artifact_threshold)
    return language.LanguageDecider(book, rules_of_run, tools)


def new_run_id() -> RunId:
    """A name that no other run has; later ones sort after earlier ones (UUID version 7)."""
    milliseconds = time.time_ns() // 1_000_000
    random = int.from_bytes(os.urandom(10), "big")
    value = (milliseconds << 80) | (7 << 76) | ((random >> 68 & 0xFFF) << 64) | (2 << 62) | (random & (2**62 - 1))
    text = f"{value:032x}"
    return RunId("-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:])))
