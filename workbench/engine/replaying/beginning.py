"""What a replay begins with: the text, what the first event says of it, and who decides."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain

from workbench.engine.decider import Decider
from workbench.engine.journal.journal import Keeps
from workbench.engine.journal.run_events import RunCreated, ToolCalled
from workbench.engine.judges import JudgeKind, Judges, Limits, Subject
from workbench.engine.language import decider as language
from workbench.engine.language.program.book import Book, name_for
from workbench.engine.language.program.linked import linked_from
from workbench.engine.language.turn import Rules
from workbench.engine.replaying.recording import NotKept, Reading, Recording, Today
from workbench.engine.replaying.worlds import (
    KnownNames,
    RecordedDecider,
    RecordedPlan,
    RecordedTools,
    RecordedWalker,
    scripted_tools,
)
from workbench.engine.starting import options_of, read_as_begun
from workbench.engine.state.run_state import RunState
from workbench.engine.steplists import origin as steplists
from workbench.engine.steplists.decider import StepListDecider
from workbench.engine.steplists.turns import Turns
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.loader.steplist import Playbook, playbook_from_json, with_skills
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import SourceText
from workbench.tools.names import BUILT_IN_TOOLS

MakeDecider = Callable[[Reading, RunCreated], RecordedDecider]


@dataclass(frozen=True, slots=True)
class Beginning:
    """What is replayed. *origin*: what the first event says. *decider*: made anew where another process goes on.

    *is_own_text*: it is the text that the run was begun with. *knows*: what it takes for a tool.
    """

    snapshot: Snapshot
    origin: RunCreated
    decider: MakeDecider
    is_own_text: bool
    knows: KnownNames


def beginning_of(recording: Recording, today: Today | None, besides: frozenset[str] = frozenset()) -> Beginning:
    """What the replay of *recording* begins with. *besides*: what is taken for tools as well.

    Raises RunFailed where *today* cannot be run as the recorded text was; StoreFailed where a text is lost.
    """
    origin = recording.origin
    is_own = today is None
    if origin.is_cycle:
        raise RunFailed(
            _("A run that makes a playbook from a goal cannot be replayed. Replay the run of the playbook.")
        )
    source = SourceText.decode(recording.texts.kept(origin.pb_hash)) if today is None else today.source
    snapshot = read_as_begun(source, origin)
    scripted, calls = scripted_tools(origin), (each.payload for each in recording.events)
    called = {call.tool for call in calls if isinstance(call, ToolCalled)}
    knows = KnownNames(frozenset(chain(BUILT_IN_TOOLS, called - scripted, besides)))
    if origin.steplist is not None:
        playbook = _list_of(recording, snapshot, today)
        created = origin if today is None else _created_of_list(playbook, snapshot, origin, today)
        return Beginning(snapshot, created, _of_list(playbook, snapshot, is_own_text=is_own), is_own, knows)
    if snapshot.program.format.is_steplist:
        steplists.runnable(snapshot, "" if today is None else today.path)
    texts = recording.texts if today is None else NotKept()
    created = origin if today is None else _created(snapshot, origin, today, texts)
    book = Book(snapshot, knows, linked_from(created.linked, texts))
    return Beginning(snapshot, created, _of_program(book, scripted), is_own, knows)


def _of_program(book: Book, scripted: frozenset[str]) -> MakeDecider:
    def decider(reading: Reading, origin: RunCreated) -> RecordedDecider:
        tools, start = RecordedTools(reading, book, scripted), origin.program
        rules = Rules(tools.safety)
        if start is not None:
            rules = Rules(tools.safety, start.max_depth, start.max_steps, start.artifact_threshold)
        return _judged(language.LanguageDecider(book, rules, tools), reading, origin)

    return decider


def _of_list(playbook: Playbook, snapshot: Snapshot, *, is_own_text: bool) -> MakeDecider:
    def decider(reading: Reading, origin: RunCreated) -> RecordedDecider:
        assert origin.steplist is not None
        tools = RecordedTools(reading, None, frozenset())
        plan = RecordedPlan(playbook, reading, blocks=origin.steplist.blocks)
        judges, name = origin.judges or Judges(), reading.who_walks
        walker = None if name in {"person", ""} else RecordedWalker(reading, name, origin, is_own_text=is_own_text)
        by_model = judges.of(Subject.TURNS) is JudgeKind.MODEL
        turns = Turns(plan, snapshot, tools if by_model else walker, "")
        return _judged(StepListDecider(plan, snapshot, turns, tools), reading, origin)

    return decider


def _judged(inner: Decider, reading: Reading, origin: RunCreated) -> RecordedDecider:
    return RecordedDecider(inner, reading, origin.judges or Judges(), origin.limits or Limits())


def _list_of(recording: Recording, snapshot: Snapshot, today: Today | None) -> Playbook:
    """The step list that is replayed. Raises RunFailed where *today* holds none that can be run."""
    if today is not None:
        return with_skills(steplists.runnable(snapshot, today.path), today.skills)
    assert recording.origin.steplist is not None
    return playbook_from_json(json.loads(recording.texts.kept(recording.origin.steplist.plan_hash)))


def _created_of_list(playbook: Playbook, snapshot: Snapshot, origin: RunCreated, today: Today) -> RunCreated:
    options = replace(options_of(RunState(origin=origin)), path=today.path)
    created = steplists.origin_of(playbook, snapshot, NotKept(), options)
    return _as_begun(created, origin)


def _created(snapshot: Snapshot, origin: RunCreated, today: Today, texts: Keeps) -> RunCreated:
    """What the first event would say of the text of *today*, where it is started as the recorded run was."""
    options = replace(options_of(RunState(origin=origin)), path=today.path, message=origin.message)
    start = origin.program
    if start is not None and not start.is_alone:
        options = replace(options, playbook="")
    elif start is not None and origin.read_as:
        options = replace(options, playbook="", chapters=tuple(name for _agent, name in start.starts))
    else:
        options = replace(options, playbook=_name_in(snapshot, origin.playbook))
    created = language.origin_of(snapshot, texts, options)
    return _as_begun(created, origin)


def _name_in(snapshot: Snapshot, playbook: str) -> str:
    """How *playbook* is called by whoever starts it: it may stand for a function."""
    if snapshot.program.playbook(playbook) is not None:
        return playbook
    functions = (each for agent in snapshot.program.agents for each in agent.functions)
    return next((each.name for each in functions if name_for(each) == playbook), playbook)


def _as_begun(created: RunCreated, origin: RunCreated) -> RunCreated:
    """*created*, with what the text has no say in taken from *origin*."""
    return replace(
        created,
        script=origin.script,
        judges=origin.judges,
        limits=origin.limits,
        person=origin.person,
        ticks=origin.ticks,
        read_as=origin.read_as,
        chapters=origin.chapters,
        message=origin.message,
    )
