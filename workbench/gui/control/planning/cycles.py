"""What the window asks of cycles: begin one, go on with one, do a stage once more. On any thread but the window's.

Loaded with the first goal: it needs the engine, which no start waits for.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from workbench.disk.files import is_there, read_file
from workbench.engine.backends.person import PersonBackend
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.fork_events import RunForked
from workbench.engine.judges import JudgeKind, Judges, Limits, Subject
from workbench.engine.language.procedures.start import who
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer, JudgementBackend, Request
from workbench.engine.running.run import Run
from workbench.engine.scripts import Script, parse_script
from workbench.engine.starting import options_of
from workbench.engine.state.fold import fold
from workbench.errors import InputNeeded, StoreFailed
from workbench.gui.control.running.retelling import EarlierText, earlier_texts
from workbench.gui.control.running.run_host import RunHost
from workbench.model.program import Program
from workbench.model.snapshot import Snapshot, derive
from workbench.planning.cycle import Means, Seed, begin, resume, seed_from, text_of
from workbench.planning.deviation.carrying import RunHands
from workbench.planning.lessons import KnownPatterns
from workbench.planning.offering import with_project
from workbench.planning.plan import Plan
from workbench.planning.request import KnownPlaybook, PlanRequest
from workbench.planning.shelf.keeping import ShelfHands, known_for
from workbench.planning.shelf.notes import Notes, told
from workbench.planning.shelf.store import Shelf
from workbench.planning.stages import CycleFold, Stage
from workbench.settings import load_settings
from workbench.syntax.imports import has_imports, join_program
from workbench.syntax.text import SourceText

Launched = tuple[Run, tuple[RunEvent, ...], tuple[EarlierText, ...]]
_NAME = "generated.md"
_LOOKS_S = 0.02
_PAGE = 2_000


@dataclass(frozen=True, slots=True)
class GoalWish:
    """What a person wants, as the form says it. *plan*: None where whoever judges plans.

    *script*: the text of a script that answers; what it does not answer comes to the person. *judges*: who judges.
    *folder*: whose tools and files are meant, empty for none. *again*: the cycle whose plan was changed to this one.
    *is_new*: no kept playbook is offered first.
    """

    request: PlanRequest
    plan: Plan | None = None
    script: str = ""
    judges: Judges = field(default_factory=Judges)
    limits: Limits = field(default_factory=Limits)
    folder: str = ""
    again: str = ""
    is_new: bool = False


class CycleHost:
    """Cycles in this process. *begun*: is told of each run that carries out what a cycle has made, on its thread."""

    def __init__(self, host: RunHost, begun: Callable[[Launched], None]) -> None:
        self._host = host
        self._begun = begun

    def begin(self, wish: GoalWish) -> Launched:
        """A new cycle, already going. Raises StoreFailed, RunFailed."""
        path = str(Path(wish.folder) / _NAME) if wish.folder else ""
        options = RunOptions(path=path, script=wish.script, judges=wish.judges, limits=wish.limits)
        seed = Seed(wish.plan)
        if wish.again:
            seed = Seed(wish.plan, by="person", source=wish.again, before=self._text_of(wish.again))
        return self._launched(self._knowing(wish), options, seed)

    def again(self, run: RunId, stage: Stage) -> Launched:
        """A cycle that does *stage* of the cycle *run* once more, and all that follows. Raises StoreFailed, RunFailed.

        Until then nothing is found out anew: plan and text are what they were.
        """
        state = fold(self._host.undamaged(run))
        request, seed = seed_from(self._host.journal, run, stage)
        return self._launched(request, options_of(state), seed)

    def _launched(self, request: PlanRequest, options: RunOptions, seed: Seed) -> Launched:
        means = replace(self._means(options), seed=seed)
        return begin(request, self._host.journal, _desk(options.script), means), (), ()

    def resume(self, run: RunId, limits: Limits | None = None) -> Launched:
        """The cycle *run*, going on where it was; with other *limits* for models. Raises StoreFailed, RunFailed."""
        events = self._host.undamaged(run)
        options = options_of(fold(events))
        means = self._means(options if limits is None else replace(options, limits=limits))
        return resume(run, self._host.journal, _desk(options.script, events), means), events, ()

    def carried_out(self, path: str, text: str) -> tuple[Path | None, Program]:
        """As which file, and as what *text* is carried out in a cycle at *path*. Raises CannotRead."""
        file = Path(path) if path else None
        return file, _read(file.parent if file is not None else Path(), text).program

    def _means(self, options: RunOptions) -> Means:
        """How a cycle is carried out that is carried out with *options*."""
        host, folder = self._host, Path(options.path).parent if options.path else Path()
        known = host.with_world(options, derive(SourceText("")))
        handing = _Handing(host, options.script, self._begun)
        keeper, recall = ShelfHands(host.places.shelf_file, who(), folder), KnownPatterns(host.places.patterns_file)
        carried = replace(options, once=True, judges=_of_run(options.judges))
        reading = partial(_read, folder)
        hands = RunHands(host.journal, handing.backend, keeper, carried, handing.attend, reading, recall)
        hands.equip = host.with_world
        # whether something may go on is a person's to say, whoever plans
        judges = options.judges
        if JudgeKind.MODEL in judges.kinds:
            judges = judges.with_judge(Subject.CONDITIONS, JudgeKind.PERSON)
        return Means(hands, replace(known, judges=judges))

    def _knowing(self, wish: GoalWish) -> PlanRequest:
        """The request of *wish* with what worked before, what is known of the person, and what may do already."""
        places = self._host.places
        request = with_project(wish.request, Path(wish.folder) if wish.folder else None)
        with suppress(StoreFailed):  # a library that cannot be read holds up no goal: its pane says why
            request = replace(request, patterns=KnownPatterns(places.patterns_file)(request.goal))
        if not is_there(places.shelf_file):
            return request
        shelf = Shelf(places.shelf_file, who())
        try:
            known: KnownPlaybook | None = None if wish.is_new or wish.again else known_for(shelf, request)
            notes = told(Notes(shelf).woven()) if load_settings(places).uses_notes else ()
            return replace(request, notes=notes, known=known)
        finally:
            shelf.close()

    def _text_of(self, run: str) -> str:
        return text_of(self._host.journal, RunId(run))


def _of_run(judges: Judges) -> Judges:
    """*judges* without what only a cycle says."""
    return replace(judges, others=tuple(each for each in judges.others if each.subject is not Subject.CONDITIONS))


def wish_of(host: RunHost, run: str, at: CycleFold) -> GoalWish:
    """What the cycle *run*, which stands *at*, was begun with, and its plan; for the form."""
    options = options_of(fold(host.events(RunId(run), 0, 1)))
    folder = str(Path(options.path).parent) if options.path else ""
    request = replace(at.request, known=None, notes=(), patterns="")
    judges = _of_run(options.judges)
    return GoalWish(request, at.plan, options.script, judges, options.limits, folder, again=run)


class _Handing:
    """Lends a cycle its hands: what it carries out is shown in the window, and answered there."""

    def __init__(self, host: RunHost, script: str, begun: Callable[[Launched], None]) -> None:
        self._host = host
        self._script = script
        self._begun = begun
        self._before: tuple[RunEvent, ...] = ()

    def backend(self, events: tuple[RunEvent, ...]) -> JudgementBackend:
        """Who answers a run; *events*: what has happened in it, and before that in those it goes on from."""
        self._before = events
        return _desk(self._script, events)

    def attend(self, run: Run, take: Callable[[RunEvent], None]) -> None:
        """Hand *run* to the window, which takes its events; those of the plan are read in the journal meanwhile."""
        journal, last = self._host.journal, self._before[-1].seq if self._before else -1
        earlier = journal.read(run.id, 0, last + 1) if self._before else ()
        forks = [each for each in earlier if isinstance(each.payload, RunForked)]
        texts = earlier_texts(self._host, earlier[0], forks) if forks else ()
        self._begun((run, earlier, texts))
        at, is_over = len(earlier), False
        while not is_over:
            is_over = run.wait(_LOOKS_S)
            while events := journal.read(run.id, at, _PAGE):
                at += len(events)
                for event in events:
                    take(event)


def _read(folder: Path, text: str) -> Snapshot:
    """What *text* means, with what it imports from *folder*."""
    if not has_imports(text):
        return derive(SourceText(text))
    joined = join_program([(folder / _NAME, text)], lambda path: SourceText.decode(read_file(path)).text, ())
    return derive(SourceText(joined.text))


def _desk(script: str, events: tuple[RunEvent, ...] = ()) -> JudgementBackend:
    """Who answers in the window: the person, after the *script* where there is one. Raises CannotRead."""
    if not script:
        return PersonBackend()
    made = _ScriptedDesk(parse_script(script), PersonBackend())
    made.catch_up(events)
    return made


class _ScriptedDesk(ScriptBackend):
    """Answers from a script; what that does not say comes to the person. *name*: of who has answered last."""

    def __init__(self, script: Script, person: PersonBackend) -> None:
        super().__init__(script, person)
        self._desk = person
        self._asking: Request | None = None

    def judge(self, request: Request) -> Answer:
        """The answer of the script, else of the person."""
        self.name = ScriptBackend.name
        try:
            return super().judge(request)
        except InputNeeded:
            self._asking, self.name = request, PersonBackend.name
            try:
                return self._desk.judge(request)
            finally:
                self._asking = None

    def asks(self, request: Request) -> bool:
        """Whether the person is to answer *request*."""
        return self._asking == request or super().asks(request)
