"""Cuts runs off between any two events, as a loss of power would, and goes on with what is left on the disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.core.engine_driver import Played, finished, scripted
from workbench.cli.reading import whole_program
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.journal.approval_events import ApprovalGranted
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import CallResolved, ToolCalled
from workbench.engine.options import RunOptions
from workbench.engine.ports import InDoubtChoice
from workbench.engine.starting import resume_run, start_run
from workbench.engine.state.fold import fold
from workbench.errors import InputNeeded
from workbench.model.snapshot import Snapshot

_EFFECTS = "effects"
_PASSED_OVER = frozenset({"run.resumed", "run.paused", "tool.output", "wait.begun"})

Files = dict[str, bytes]


@dataclass
class WatchedJournal(Journal):
    """A journal that remembers what lay in the folder of the run directly before and after each write."""

    folder: Path
    before: list[Files] = field(default_factory=list)
    after: list[Files] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(self.folder / "runs.sqlite")

    def _write(self, events: Sequence[RunEvent]) -> Sequence[RunEvent]:
        self.before += [_files(self.folder)] * len(events)
        written = super()._write(events)
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
    return [
        Cut(count, is_late, choice, is_moved)
        for count in range(1, len(whole.events))
        for is_late in (False, True)[: 1 + (whole.before[count] != whole.after[count - 1])]
        for is_moved in (False, True)[: 1 + any(name != _EFFECTS for name in whole.before[count])]
        for choice in tuple(InDoubtChoice)[: 3 if fold(whole.events[:count]).intent is not None else 1]
    ]


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
    journal.append(whole.events[: cut.count])
    for text in (whole.snapshot.source.encode(), *whole.linked):
        journal.keep(text)
    backend: ScriptBackend = scripted(whole.script)
    backend.catch_up(whole.events[: cut.count])
    again = finished(resume_run(whole.played.run.id, journal, backend, _options(folder, cut.choice)), journal)
    journal.close()
    return again


def check_cut(whole: Whole, cut: Cut, folder: Path) -> None:
    """Go on after *cut*: the run ends, and outside nothing has happened twice or not at all but what was so decided."""
    again = resumed(whole, cut, folder)
    decided = _decided(whole, again.events)
    is_otherwise = bool(decided[InDoubtChoice.DONE] or decided[InDoubtChoice.SKIP])
    # what goes on otherwise may ask what no script answers
    assert again.state.is_over or (is_otherwise and isinstance(again.run.halt, InputNeeded)), (cut, again.run.halt)
    assert (cut, faults_of(whole, again.events, folder)) == (cut, [])
    if not any(decided.values()):
        assert _told(again.events) == _told(whole.events), cut


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


def _told(events: Sequence[RunEvent]) -> list[tuple[str, str]]:
    """What happened, without how often the run was cut off and what was printed while nobody listened."""
    return [(event.name, event.step) for event in events if event.name not in _PASSED_OVER]


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
