"""What stands in the place of the world in a replay: it says what was recorded, and does nothing.

Tools, models, an earlier run, whoever walks a step list, and the clock of a plan. All of them read where the replay has
come to.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any

from workbench.engine.backends.file_python import FILE_READERS
from workbench.engine.backends.script import ScriptedWalker
from workbench.engine.decider import Decider, Drafts, Tools, draft_at
from workbench.engine.journal.model_events import JudgementHandedOver, ModelAnswered, ModelAsked, WishAnswered
from workbench.engine.journal.run_events import InputGiven, RunCreated
from workbench.engine.journal.steplist_events import PlanAdopted, PlanViolated, TurnTaken
from workbench.engine.judges import Judges, Limits
from workbench.engine.judging.asking import Asking, Bench
from workbench.engine.judging.decider import JudgingDecider
from workbench.engine.judging.replaying import ReplayJudge
from workbench.engine.judging.telling import as_answer
from workbench.engine.judging.wanted import LOAD
from workbench.engine.language.built_in import BUILT_IN
from workbench.engine.language.program.book import Book
from workbench.engine.ports import Answer, Request
from workbench.engine.replaying.recording import NotKept, Reading
from workbench.engine.scripts import parse_calls, parse_script
from workbench.engine.state.fold import RunFold
from workbench.engine.state.judging import Judging
from workbench.engine.steplists.plan_fold import PlanFold
from workbench.engine.steplists.walking import Tool, Turn, TurnAnswer
from workbench.errors import CannotRead, InputNeeded, ModelFailed, RunFailed
from workbench.i18n import _
from workbench.model.loader.steplist import Playbook
from workbench.tools.builtin.toolbox import builtin_specs
from workbench.tools.values import CallSafety, ToolSpec

_ANYTHING = {"type": "object"}


def scripted_tools(origin: RunCreated) -> frozenset[str]:
    """The tools for which the script of a run answered."""
    try:
        return frozenset(parse_script(origin.script).tools) if origin.script else frozenset()
    except CannotRead:  # another version could read it
        return frozenset()


class RecordedTools(Tools):
    """The tools that a run had, as far as it has called them, and those that come with the program. None is called.

    *book*: the program, None for step lists. *scripted*: the tools for which a script answered.
    """

    def __init__(self, reading: Reading, book: Book | None, scripted: frozenset[str]) -> None:
        self._reading = reading
        self._book = book
        self._scripted = scripted
        self._built_in = {spec.name: spec.safety for spec in builtin_specs()}

    def safety(self, agent: str, name: str) -> CallSafety | None:
        """Whether the tool *name* may be called again; None where the run had none, as far as is known."""
        call = self._reading.call_of(name)
        if call is not None:
            return call.safety
        if name in self._scripted or name in FILE_READERS:
            return CallSafety.READ
        if self.is_python(agent, name):
            return CallSafety.UNSAFE
        return self._built_in.get(name) if name not in BUILT_IN else None

    def is_python(self, agent: str, name: str) -> bool:
        """Whether *name* is Python of the file, which may call back."""
        return self._book is not None and self._book.function(agent, name) is not None


class KnownNames:
    """Which names are those of tools of the run. *asked*: those of which that is not known.

    Nothing in a journal says which tools a server or a module had that were never called.
    """

    def __init__(self, known: frozenset[str]) -> None:
        self.known = known
        self.asked: set[str] = set()

    def __call__(self, name: str) -> bool:
        """Whether *name* is one of them."""
        if name not in self.known:
            self.asked.add(name)
        return name in self.known


class RecordedAsking(Asking):
    """Asks no model: it says what the models of the run have said."""

    def __init__(self, inner: Decider, reading: Reading, judges: Judges, limits: Limits) -> None:
        super().__init__(inner, NotKept(), Bench(judges, limits))
        self._reading = reading

    def offered(self, fold: RunFold, _request: Request) -> tuple[ToolSpec, ...]:
        """The tool that the model wants called, unless that could not be called."""
        loop, next_one = fold.top.judging, self._reading.payload
        if loop is None or loop.wish is None or loop.wish.tool == LOAD:
            return ()
        is_refused = isinstance(next_one, WishAnswered) and next_one.is_error
        return () if is_refused else (ToolSpec(loop.wish.tool, "", _ANYTHING, CallSafety.UNSAFE, ""),)

    def asked(self, _fold: RunFold, request: Request, loop: Judging | None, problem: str) -> Drafts:
        """The event that a model is asked. Raises RunFailed where it was not, because tools could not be used."""
        match self._reading.payload:
            case ModelAsked(context=context, tokens=tokens):
                turn = len(loop.turns) + 1 if loop is not None else 1
                sent = (self.judges.endpoint, self.judges.model, context, tokens)
                asked = ModelAsked(request.id, turn, *sent, problem)
                return (draft_at(self.place(request, loop, turn), asked),)
        raise RunFailed(_("A model is asked: {text}").format(text=request.text))

    def answer(self, _loop: Judging, _tell: Callable[[str], None]) -> ModelAnswered:
        """What the model has said. Raises ModelFailed where it could not."""
        match self._reading.payload:
            case ModelAnswered() as answered:
                return answered
            case JudgementHandedOver(reason=reason):
                raise ModelFailed(reason)
        raise ModelFailed(_("The run waits for the answer of a model."))


class RecordedJudge(ReplayJudge):
    """Judges as the run did when it repeated an earlier one."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(())
        self._reading = reading

    def answer_to(self, request: Request) -> Answer | None:
        """The recorded answer to *request*."""
        match self._reading.payload:
            case InputGiven(answer=answer, judge="replay"):
                return as_answer(request, answer)
            case InputGiven():
                return None
        raise RunFailed(request.text)


class RecordedDecider(JudgingDecider):
    """A decider around another one, with the models and the earlier run of the record."""

    def __init__(self, inner: Decider, reading: Reading, judges: Judges, limits: Limits) -> None:
        self._recorded = RecordedAsking(inner, reading, judges, limits)
        super().__init__(inner, self._recorded, RecordedJudge(reading))

    def judged_by(self, judges: Judges, limits: Limits) -> None:
        """From now on others judge."""
        self._recorded.judges, self._recorded.limits = judges, limits


class RecordedWalker:
    """Takes the turns of a step list as whoever is called *name* did. *is_own_text*: the tools are those of then."""

    def __init__(self, reading: Reading, name: str, origin: RunCreated, *, is_own_text: bool) -> None:
        self.name = name
        self._reading = reading
        self._script = origin.script
        self._is_own_text = is_own_text

    def take(self, _turn: Turn) -> TurnAnswer:
        """The turn as it was taken. Raises InputNeeded where it was not."""
        match self._reading.payload:
            case TurnTaken(calls, text, foreseen=foreseen):
                return TurnAnswer(calls, text, foreseen)
        raise InputNeeded(_("The run waits for the next turn of “{name}”.").format(name=self.name))

    def tools_for(self, playbook: Playbook) -> Mapping[str, Tool]:
        """The tools that there were, and would be for *playbook*."""
        adopted = (each.payload for each in self._reading.events)
        names = next((each.tools for each in adopted if isinstance(each, PlanAdopted)), ())
        if not self._is_own_text and self._script and self.name == ScriptedWalker.name:
            names = tuple(ScriptedWalker(parse_calls(self._script)).tools_for(playbook))
        elif not self._is_own_text:
            names = (*names, *playbook.steps_by_tool)
        return dict.fromkeys(names, _not_made)


def _not_made(_arguments: Mapping[str, Any]) -> Any:
    raise RunFailed(_("In a replay no call is made."))


class RecordedPlan(PlanFold):
    """A plan whose clock shows the time of what was recorded."""

    def __init__(self, playbook: Playbook, reading: Reading, *, blocks: bool) -> None:
        self._reading = reading
        super().__init__(playbook, reading.events[0].run, blocks=blocks)

    def _now(self) -> dt.datetime:
        """When the next event happened where it says that time has run out, else when the last did."""
        reading = self._reading
        if self._at_ns is not None:
            return super()._now()
        is_late = isinstance(reading.payload, PlanViolated)
        event = reading.events[max(0, reading.at if is_late else reading.at - 1)]
        return dt.datetime.fromtimestamp(event.at_ns / 1e9, dt.UTC)
