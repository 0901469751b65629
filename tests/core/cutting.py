"""Cuts runs off between any two events, as a loss of power would, and goes on with what is left on the disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.core.engine_driver import Played, finished, scripted
from workbench.cli.reading import whole_program
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.forking.forking import fork_run, plan_fork
from workbench.engine.forking.plan import ForkWish
from workbench.engine.journal.approval_events import ApprovalGranted
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import CallResolved, ToolCalled
from workbench.engine.options import RunOptions
from workbench.engine.ports import InDoubtChoice
from workbench.engine.starting import resume_run, start_run
from workbench.engine.state.fold import RunFold, fold
from workbench.engine.state.run_state import RunState
from workbench.errors import InputNeeded
from workbench.model.snapshot import Snapshot

_EFFECTS = "effects"
_PASSED_OVER = frozenset({"run.forked", "run.resumed", "run.paused", "tool.output", "wait.begun"})
_OF_LEAVE = frozenset({"approval.asked", "approval.granted", "approval.expired"})

Files = dict[str, bytes]


@dataclass
class WatchedJournal(Journal):
    """A journal that remembers what lay in the folder of the run directly before and after each write."""

    folder: Path
    before: list[Files] = field(default_factory=list)
    after: list[Files] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(self.folder / "runs.sqlite")

    def _write(self, events: Sequence[RunEvent], source: RunId | None = None) -> Sequence[RunEvent]:
        self.before += [_files(self.folder)] * len(events)
        written = super()._write(events, source)
        self.after += [_files(self.folder)] * len(events)
        return written


def _files(folder: Path) -> Files:
    """The ledgers, and then what the calls have left: never more in a ledger than has happened."""
    names = [*sorted(folder.glob("calls/*")), folder / _EFFECTS]
    return {str(name.relative_to(folder)): name.read_bytes() for name in names if name.exists()}


@dataclass(frozen=True, slots=True)
class Whole:
    """A run that nobody has cut off. *before*, *after*: its folder before and after each of its events was written.

    *linked*: the texts that its steps link to.
    """

    snapshot: Snapshot
    script: str
    played: Played
    before: list[Files]
    after: list[Files]
    effects: Counter[str]
    linked: tuple[bytes, ...] = ()

    @property
    def events(self) -> tuple[RunEvent, ...]:
        """All that happened."""
        return self.played.events


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a run is cut off, and how it goes on.

    *count*: how many events are left. *is_late*: all has happened that the last of them led to. *choice*: what is
    said of each call in doubt. *is_moved*: another machine goes on, which has the journal and no ledgers.
    """

    count: int
    is_late: bool
    choice: InDoubtChoice
    is_moved: bool = False


def run_whole(file: Path, folder: Path) -> Whole:
    """The run of *file*, with its script where it has one, in *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    script = file.with_suffix(".script.yaml")
    answers = script.read_text("utf-8") if script.exists() else ""
    snapshot = whole_program([file]).snapshot
    journal = WatchedJournal(folder)
    played = finished(start_run(snapshot, journal, scripted(answers), _options(folder)), journal)
    journal.close()
    linked = tuple(path.read_bytes() for path in sorted(folder.glob("*.md")))
    return Whole(snapshot, answers, played, journal.before, journal.after, _effects_in(folder), linked)


def _options(folder: Path, in_doubt: InDoubtChoice | None = None) -> RunOptions:
    return RunOptions(is_trusted=True, path=str(folder / "book.md"), in_doubt=in_doubt, gave=(None,))


def _effects_in(folder: Path) -> Counter[str]:
    path = folder / _EFFECTS
    return Counter(path.read_text("utf-8").splitlines() if path.exists() else ())


def all_cuts(whole: Whole) -> list[Cut]:
    """Every place, with each moment, machine and answer that makes a difference there."""
    calling = _calling(whole.events)
    return [
        Cut(count, is_late, choice, is_moved)
        for count in range(1, len(whole.events))
        for is_late in (False, True)[: 1 + (whole.before[count] != whole.after[count - 1])]
        for is_moved in (False, True)[: 1 + any(name != _EFFECTS for name in whole.before[count])]
        for choice in tuple(InDoubtChoice)[: 3 if calling[count] else 1]
    ]


def _calling(events: Sequence[RunEvent]) -> list[bool]:
    """Of each number of *events*, from none on: whether a call is under way after them."""
    folding, calling = RunFold(RunState()), [False]
    for event in events:
        folding.apply(event)
        calling.append(any(frame.intents for frame in folding.frames))
    return calling


def some_cuts(whole: Whole, count: int) -> list[Cut]:
    """About *count* of all cuts, spread over the whole run, with every kind among them."""
    cuts = all_cuts(whole)
    return cuts[:: max(1, len(cuts) // count) | 1]


def resumed(whole: Whole, cut: Cut, folder: Path) -> Played:
    """The run *whole*, gone on with in *folder* after *cut*."""
    files = whole.before[cut.count] if cut.is_late else whole.after[cut.count - 1]
    for name, content in files.items():
        if name == _EFFECTS or not cut.is_moved:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
    folder.mkdir(parents=True, exist_ok=True)
    journal = Journal(folder / "runs.sqlite")
    _keep(whole, whole.events[: cut.count], journal)
    again = _gone_on(whole, whole.played.run.id, journal, _options(folder, cut.choice))
    journal.close()
    return again


def forked(whole: Whole, cut: Cut, folder: Path) -> Played:
    """A fork of the run *whole* from the event before *cut*, gone on with in *folder*.

    What has happened outside up to there has happened; what the run has done afterwards is not looked at.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = whole.before[cut.count] if cut.is_late else whole.after[cut.count - 1]
    if _EFFECTS in files:
        (folder / _EFFECTS).write_bytes(files[_EFFECTS])
    journal = Journal(folder / "runs.sqlite")
    _keep(whole, whole.events, journal)
    run = fork_run(journal, plan_fork(journal, ForkWish(whole.played.run.id, cut.count - 1)))
    played = _gone_on(whole, run, journal, _options(folder, cut.choice))
    journal.close()
    return played


def whole_fork(whole: Whole, count: int, folder: Path) -> Whole:
    """The fork of *whole* after *count* events, in *folder*: a run that can be cut off itself."""
    folder.mkdir(parents=True, exist_ok=True)
    journal = WatchedJournal(folder)
    _keep(whole, whole.events, journal)
    begun = len(journal.before)
    run = fork_run(journal, plan_fork(journal, ForkWish(whole.played.run.id, count - 1)))
    played = _gone_on(whole, run, journal, _options(folder))
    journal.close()
    return replace(
        whole,
        played=played,
        before=journal.before[begun:],
        after=journal.after[begun:],
        effects=_effects_in(folder),
    )


def _keep(whole: Whole, events: Sequence[RunEvent], journal: Journal) -> None:
    """Put *events* into *journal*, with the texts that they need."""
    journal.append(events)
    for text in (whole.snapshot.source.encode(), *whole.linked):
        journal.keep(text)


def _gone_on(whole: Whole, run: RunId, journal: Journal, options: RunOptions) -> Played:
    """*run*, at its end."""
    backend: ScriptBackend = scripted(whole.script)
    backend.catch_up(journal.read(run))
    return finished(resume_run(run, journal, backend, options), journal)


GoOn = Callable[[Whole, Cut, Path], Played]


def check_cut(whole: Whole, cut: Cut, folder: Path, go_on: GoOn = resumed) -> None:
    """Go on after *cut*: the run ends, and outside nothing has happened twice or not at all but what was so decided."""
    again = go_on(whole, cut, folder)
    decided = _decided(whole, again.events)
    is_otherwise = bool(decided[InDoubtChoice.DONE] or decided[InDoubtChoice.SKIP])
    # what goes on otherwise may ask what no script answers
    assert again.state.is_over or (is_otherwise and isinstance(again.run.halt, InputNeeded)), (cut, again.run.halt)
    assert (cut, faults_of(whole, again.events, folder)) == (cut, [])
    if not any(decided.values()):
        # leave that a run was given is not given to a fork, which asks again
        passed = _PASSED_OVER | (_OF_LEAVE if go_on is forked else frozenset())
        assert _told(again.events, passed) == _told(whole.events, passed), cut


def faults_of(whole: Whole, events: Sequence[RunEvent], folder: Path) -> list[str]:
    """What a run in *folder* that was cut off, and ended with *events*, did otherwise than *whole*, and undecided."""
    decided, found = _decided(whole, events), _effects_in(folder)
    faults = [f"{effect} was not to happen" for effect in found.keys() - whole.effects.keys()]
    for effect, usual in whole.effects.items():
        label = effect.rpartition(" ")[0]
        most = usual + decided[InDoubtChoice.AGAIN][label]
        least = usual - decided[InDoubtChoice.DONE][label] - decided[InDoubtChoice.SKIP][label]
        if not least <= found[effect] <= most:
            faults.append(f"{effect}: {found[effect]} times, not {least} to {most}")
    if not decided[InDoubtChoice.DONE] and not decided[InDoubtChoice.SKIP]:
        state, usually = fold(events), whole.played.state
        ended, usual_end = [(each.status, each.result, each.error) for each in (state, usually)]
        faults += [] if ended == usual_end else [f"it ended with {ended}, not with {usual_end}"]
    return faults


def _told(events: Sequence[RunEvent], passed: frozenset[str]) -> list[tuple[str, str]]:
    """What happened, without *passed*: how often the run was cut off and what was printed while nobody listened."""
    return [(event.name, event.step) for event in events if event.name not in passed]


def _decided(whole: Whole, events: Sequence[RunEvent]) -> dict[InDoubtChoice, Counter[str]]:
    """Of each answer: how often it was given about a call, for that and for all calls that lie in it."""
    found: dict[InDoubtChoice, Counter[str]] = {choice: Counter() for choice in InDoubtChoice}
    within, calls = _within(whole.events), _calls(events)
    for event in events:
        if isinstance(event.payload, CallResolved):
            label = calls[event.span]
            found[event.payload.how].update({label, *within.get(label, ())})
    return found


def _within(events: Sequence[RunEvent]) -> dict[str, set[str]]:
    """The calls that lie in each call."""
    calls, parents = _calls(events), {event.span: event.parent for event in reversed(events) if event.parent}
    found: dict[str, set[str]] = {}
    for span, label in calls.items():
        around = parents.get(span, "")
        while around:
            if around in calls:
                found.setdefault(calls[around], set()).add(label)
            around = parents.get(around, "")
    return found


def _calls(events: Sequence[RunEvent]) -> dict[str, str]:
    """The calls by their spans, as their effects tell them: the name of the tool and its first value, or the last word
    of that; of a call that was changed, the changed one.
    """
    payloads: list[tuple[str, Any]] = [(event.span, event.payload) for event in events]
    given = {
        span: (call.tool, (*call.positional, *call.named.values())[:1])
        for span, call in payloads
        if isinstance(call, ToolCalled)
    }
    for span, edited in payloads:
        if isinstance(edited, ApprovalGranted) and edited.arguments is not None:
            given[span] = (given[span][0], tuple(edited.arguments.values())[:1])
    return {
        span: " ".join([tool, *(str(each).split(" ")[-1] for each in first)]) for span, (tool, first) in given.items()
    }
