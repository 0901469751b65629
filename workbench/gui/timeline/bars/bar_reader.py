"""Reads the bars of a long run beside the window: what is there so far is shown while the rest is being read.

Events are folded into bars as they stand in packs, without making the events: a million of them take seconds.
What comes often is taken from the columns, and from the text of the event where one word of it is needed. Everything
else becomes an event and goes the usual way (``BarFold.take``), so both ways lead to the same bars.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from workbench.engine.journal.codec import type_of
from workbench.engine.journal.envelope import event_of
from workbench.engine.journal.events import RunId
from workbench.engine.journal.storage.packs import Opened
from workbench.engine.journal.storage.rows import glance
from workbench.errors import WorkbenchError
from workbench.gui.control.background import Job
from workbench.gui.control.running.run_folds import first_line
from workbench.gui.timeline.bars.bar_fold import BarFold, matters
from workbench.gui.timeline.bars.bars import BarKind, BarStatus, BarTable, Planned, Tint, copied, paint_code
from workbench.gui.timeline.bars.lane_groups import Lanes, laid_out
from workbench.model.meaning import StepKind
from workbench.regex import regex

if TYPE_CHECKING:
    from workbench.gui.control.running.run_host import RunHost


class _Look(NamedTuple):
    """How bars of one kind begin. *prefix*: of the key that names an open one; *code*: what paints it."""

    prefix: str
    code: int


_NOW = sys.maxsize  # among so many events, those before a fork are drawn as its own


def _look(kind: BarKind, step_kind: StepKind = StepKind.STEP) -> _Look:
    status = BarStatus.WAITING if kind is BarKind.QUESTION else BarStatus.RUNNING
    return _Look(f"{kind}:", paint_code(Tint(kind, status, step_kind)))


_PLAYBOOK, _STEP, _CALL, _QUESTION, _MODEL = map(
    _look, (BarKind.PLAYBOOK, BarKind.STEP, BarKind.CALL, BarKind.QUESTION, BarKind.MODEL)
)


class _Place(NamedTuple):
    """Where something happened: what both ends of a bar have in common, step, number of the event, clock."""

    about: str
    step: str
    seq: int
    mono_ns: int


_ANSWERED = regex(
    r'^\{(?:"cached":\d+,)?(?:"cost_usd":(?P<dollars>[-+.0-9eE]+),)?"finish":"\w+","input":(?P<input>\d+),'
    r'"model":"[^"\\]*","output":(?P<output>\d+),'
)


class ColumnFold:
    """Takes packs into *fold*. *positions*: of every event that was taken, on the run's own time line."""

    def __init__(self, fold: BarFold, run: RunId) -> None:
        self.fold = fold
        self.positions = array("q")
        self.run = run
        self._acts: Mapping[str, Callable[[_Place, str], bool]] = {
            "playbook.entered": self._enter_playbook,
            "playbook.exited": self._exit_playbook,
            "step.entered": self._enter_step,
            "step.exited": self._exit_step,
            "tool.call": self._call,
            "effect.result": self._result,
            "input.asked": self._ask,
            "input.given": self._answer,
            "model.asked": self._ask_model,
            "model.answered": self._answered,
        }
        self._is_followed = cache(lambda name: matters(type_of(name)))
        self._step_look = cache(lambda step: _look(BarKind.STEP, fold.step_kind(step, _NOW)))

    @property
    def count(self) -> int:
        """How many events were taken."""
        return len(self.positions)

    def take(self, one: Opened) -> None:
        """Add what *one* tells, as far as it has not been taken."""
        fold, acts = self.fold, self._acts
        skipped = bisect_left(one.columns.seqs, self.count)
        columns = one.columns if not skipped else [column[skipped:] for column in one.columns]
        add, pass_by = self.positions.append, fold.clock.pass_by
        for (seq, at, mono, kind, span, parent, step, *rest), text in zip(
            zip(*columns, strict=True), one.texts[skipped:], strict=True
        ):
            act = acts.get(kind)
            if act is None and not self._is_followed(kind):
                add(pass_by(mono))
                continue
            if act is None or not act(_Place(span or step, step, seq, mono), text):
                fold.take(event_of((self.run, seq, at, mono, kind, span, parent, step, *rest), text))
            add(fold.clock.position_ns)
        fold.table.reach(fold.clock.position_ns)

    def _enter_playbook(self, place: _Place, text: str) -> bool:
        name = _last(text, '"playbook":"')
        agent = _first(text, '{"agent":"')
        is_plain = bool(name) and '"reads"' not in text and bool(agent)
        return is_plain and self._begin(place, _PLAYBOOK, name, agent=agent)

    def _exit_playbook(self, place: _Place, text: str) -> bool:
        return '"is_failed":true' not in text and self._end(place, _PLAYBOOK)

    def _enter_step(self, place: _Place, _text: str) -> bool:
        return self._begin(place, self._step_look(place.step), place.step)

    def _exit_step(self, place: _Place, text: str) -> bool:
        return '"status":"done"' in text and '"error":' not in text and self._end(place, _STEP)

    def _call(self, place: _Place, text: str) -> bool:
        name = _last(text, '"tool":"')
        return bool(name) and self._begin(place, _CALL, name)

    def _result(self, place: _Place, _text: str) -> bool:
        return self._end(place, _CALL)

    def _ask(self, place: _Place, text: str) -> bool:
        note = _last(text, '"text":"')
        return bool(note) and self._begin(place, _QUESTION, place.step, note)

    def _answer(self, place: _Place, _text: str) -> bool:
        return self._end(place, _QUESTION)

    def _ask_model(self, place: _Place, text: str) -> bool:
        name = _first(text, '"model":"') or _first(text, '"endpoint":"')
        key, fold = f"{_MODEL.prefix}{place.about}", self.fold
        if not name or key in fold.open_keys:
            return False
        fold.mark_innermost(BarStatus.RUNNING, judge=BarKind.JUDGEMENT)
        return self._begin(place, _MODEL, name)

    def _answered(self, place: _Place, text: str) -> bool:
        told = _ANSWERED.search(text)
        if told is None or "{" in text[1:] or not self._end(place, _MODEL):  # other keys of these names may be within
            return False
        dollars = float(told["dollars"]) if told["dollars"] else None
        tokens = int(told["input"]) + int(told["output"])
        self.fold.table.costs.add(self.fold.clock.position_ns, tokens, dollars)
        return True

    def _begin(self, place: _Place, look: _Look, name: str, note: str = "", agent: str = "") -> bool:
        """Whether a bar could simply begin, inside of the innermost."""
        fold, key = self.fold, look.prefix + place.about
        if key in fold.open_keys:
            return False
        at_ns = fold.clock.pass_by(place.mono_ns)
        fold.table.begin(key, len(fold.open_keys), (at_ns, look.code, name, place.step, place.seq), agent)
        fold.open_keys.append(key)
        if note:
            fold.table.mark(key, BarStatus.WAITING, first_line(note))
        return True

    def _end(self, place: _Place, look: _Look) -> bool:
        """Whether it was the innermost bar that ended, and went well."""
        fold, key = self.fold, look.prefix + place.about
        if not fold.open_keys or fold.open_keys[-1] != key:
            return False
        fold.open_keys.pop()
        fold.table.finish(key, fold.clock.pass_by(place.mono_ns), BarStatus.DONE)
        return True


def _first(text: str, key: str) -> str:
    """The value behind the first *key* of *text*, where it is a plain word."""
    word = text.partition(key)[2].partition('"')[0]
    return word if "\\" not in word else ""


def _last(text: str, key: str) -> str:
    """The value behind the last *key* of *text*, where it is a plain word; keys are sorted, so none inside is meant."""
    _before, _key, value = text.rpartition(key)
    word = value.partition('"')[0]
    return word if _key and "\\" not in word else ""


LONG = 20_000
"""A run of so many events is read by its columns; a shorter one is told event by event before one has looked."""
_FIRST = 8_000
_MORE = 5
"""Each part that is read before all of it is shown is so many times as long as the one before."""


@dataclass(frozen=True, slots=True)
class BarsRead:
    """The bars of the first events of a run, by depth, and *shown* in the lanes that were wanted.

    *is_all*: there are no more, and *fold* can go on with what follows.
    """

    table: BarTable
    shown: BarTable
    fold: ColumnFold
    is_all: bool


class BarReader(QObject):
    """Reads one run at a time; of several that were asked for, only the last. *lanes*: those that are wanted."""

    shown = Signal(object)  # BarsRead
    over = Signal()  # all of them were shown

    def __init__(self, host: RunHost, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._host = host
        self._fold: ColumnFold | None = None
        self.lanes = Lanes.DEPTH

    def read(self, run: RunId, step_kind: Callable[[str, int], StepKind], planned: Planned | None = None) -> None:
        """Read *run* from its beginning; *planned*: as at ``BarFold``."""
        self._fold = ColumnFold(BarFold(step_kind, planned), run)
        self._begin(self._fold, _FIRST)

    def forget(self) -> None:
        """Read nothing more."""
        self._fold = None

    def _begin(self, fold: ColumnFold, until: int) -> None:
        job = Job(partial(_read, self._host, fold, until, self.lanes))
        job.outcome.done.connect(self._on_read)
        job.outcome.failed.connect(self._on_mistake)
        job.start()

    @Slot(object)
    def _on_read(self, read: BarsRead) -> None:
        if read.fold is not self._fold:
            return
        if read.is_all:
            self._fold = None
        else:
            self._begin(read.fold, read.fold.count * _MORE)
        self.shown.emit(read)
        if read.is_all:
            self.over.emit()

    @Slot(object)
    def _on_mistake(self, mistake: Exception) -> None:
        """A mistake of ours: it is to be told on the window's thread."""
        raise mistake


def _read(host: RunHost, fold: ColumnFold, until: int, lanes: Lanes) -> BarsRead:
    """Take some more events into *fold*. A store that cannot be read ends it; whoever tells the run says why."""
    is_all = False
    while fold.count < until and not is_all:
        try:
            parts = glance(host.journal, fold.run, fold.count)
        except WorkbenchError:
            parts = ()
        before = fold.count
        for part in parts:
            fold.take(part)
        is_all = fold.count == before
    table = copied(fold.fold.table)
    return BarsRead(table, laid_out(lanes, table), fold, is_all)
