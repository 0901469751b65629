"""Which step of the document an address of a run means, and the other way round; and so the marks of the document."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.disk.files import real_path
from workbench.engine.journal.events import RunEvent
from workbench.gui.control.running.keyframes import Keyframes
from workbench.gui.control.running.run_marks import RunMarks, StepMark
from workbench.i18n import N_
from workbench.model.incremental.advancing import advance
from workbench.model.program import StepId, prompt_id
from workbench.model.snapshot import Snapshot
from workbench.syntax.comparing.lines import line_change

if TYPE_CHECKING:
    from workbench.engine.journal.run_events import RunCreated
    from workbench.gui.control.running.run_folds import MarkFold


class TextMatch(enum.Enum):
    """What the text of a run is to the open document: CHANGED since, that of ANOTHER file, or LOST."""

    SAME = enum.auto()
    CHANGED = enum.auto()
    ANOTHER = enum.auto()
    LOST = enum.auto()

    @property
    def words(self) -> str:
        """What has to be known where it is not the same; else empty."""
        return str(_MATCHES.get(self, ""))

    @property
    def short_words(self) -> str:
        """The same where there is little room."""
        return self.words.partition(":")[0]


_MATCHES = {
    TextMatch.CHANGED: N_("the file has changed since: only steps that are still there are marked"),
    TextMatch.ANOTHER: N_("this run is of another file: nothing is marked here"),
    TextMatch.LOST: N_("the text of this run is lost: nothing is marked here"),
}


class RunSteps:
    """The steps of a run of the text *ran*; None: no step of the document is one of them.

    *then*: the text of the document with the ids of *ran*, *now*: with its own. Without them *ran* was the document
    itself, whose ids stay while it is edited. *earlier*: those of texts that were carried out before certain events.
    """

    def __init__(self, ran: Snapshot | None = None, then: Snapshot | None = None, now: Snapshot | None = None) -> None:
        self._ran = ran
        self._then = then
        self._now = now
        self.earlier: tuple[tuple[int, RunSteps], ...] = ()

    def at(self, seq: int | None) -> RunSteps:
        """Those of the text that was carried out at the event *seq*; None: now."""
        return self if seq is None else next((steps for end, steps in self.earlier if seq < end), self)

    def id_of(self, address: str) -> StepId | None:
        """The step at *address*."""
        step = self._ran.at_address(address) if self._ran is not None and address else None
        if step is None or self._then is None or self._now is None:
            return step.id if step is not None else None
        here = self._now.at_address(self._then.address(step.id)) if self._then.has(step.id) else None
        return here.id if here is not None else None

    def prompt_at(self, address: str) -> StepId | None:
        """The one box of the prompt that is carried out at *address*."""
        placed = (self._now or self._ran).placed_named(address) if self._ran is not None and address else None
        return prompt_id(placed.playbook) if placed is not None and placed.playbook.is_prompt else None

    def address_of(self, step: StepId) -> str:
        """The address of *step* in the run, empty where it had none."""
        if self._ran is None:
            return ""
        if self._then is not None and self._now is not None:
            there = self._then.at_address(self._now.address(step)) if self._now.has(step) else None
            if there is None:
                return ""
            step = there.id
        return self._ran.address(step) if self._ran.has(step) else ""


def steps_of_run(ran: Snapshot | None, document: Snapshot, *, is_of_file: bool) -> RunSteps:
    """The steps of a run of the text *ran*, as far as they can be told in *document*.

    Ids live as long as a document is open. Across that, equal texts have equal addresses, and what has become of a text
    is known by its lines, where it *is_of_file*: of another file a line that is alike says nothing.
    """
    if ran is None or not (is_of_file or ran.text == document.text):
        return RunSteps()
    then = ran if ran.text == document.text else advance(ran, line_change(ran.text, document.text))
    return RunSteps(ran, then, document)


class LinkedSteps(RunSteps):
    """The steps of a playbook that a run goes through because a step links to it, at *path* as the link has it."""

    def __init__(self, path: str, document: Snapshot) -> None:
        super().__init__(document)
        self._before = f"{path}/"

    def id_of(self, address: str) -> StepId | None:
        """The step at *address*, which begins with the path."""
        is_in = address.startswith(self._before)
        return super().id_of(address.removeprefix(self._before)) if is_in else None

    def prompt_at(self, address: str) -> StepId | None:
        """None: what is gone through has steps."""

    def address_of(self, step: StepId) -> str:
        """The address of *step* in the run, empty where it had none."""
        address = super().address_of(step)
        return f"{self._before}{address}" if address else ""


def linked_steps(origin: RunCreated, document: Snapshot, file: Path) -> RunSteps | None:
    """The steps of *document*, at *file*, in a run that goes through it because a step links to it; None where not.

    Only while its text is the one that is kept with the run: what changed since may stand at other addresses.
    """
    from workbench.engine.journal.envelope import pack  # noqa: PLC0415 - no start needs it
    from workbench.project.targets import place_of, project_of  # noqa: PLC0415 - likewise

    run_file = Path(origin.path)
    for path, (key, _kind) in (origin.linked or {}).items():
        is_it = place_of(project_of(run_file), run_file, path) == real_path(file)
        if is_it and pack(document.source.encode())[0] == key:
            return LinkedSteps(path, document)
    return None


class DocumentMarks:
    """The marks of a run, by the steps of the document that they belong to."""

    def __init__(self, steps: RunSteps) -> None:
        self.steps = steps
        self._ids: dict[str, StepId | None] = {}
        self._shown: dict[StepId, StepMark] = {}

    @cached_property
    def frames(self) -> Keyframes[MarkFold]:
        """What the events say, by address, now and at earlier moments."""
        from workbench.gui.control.running.run_folds import MarkFold  # noqa: PLC0415 - no start needs it

        return Keyframes(MarkFold())

    def take(self, events: Sequence[RunEvent]) -> RunMarks:
        """The marks after *events*."""
        parts = self.frames.take(events)
        return self._show(frozenset().union(*(part for part in parts if isinstance(part, frozenset))))

    def of(self, fold: MarkFold, seq: int | None = None) -> RunMarks:
        """The marks in *fold*, of an earlier moment, which is the event *seq*."""
        steps = self.steps.at(seq)
        placed = ((self._step_at(address, steps), mark) for address, mark in fold.marks.items())
        return RunMarks({step: mark for step, mark in placed if step is not None})

    def follow(self, steps: RunSteps) -> RunMarks:
        """The same marks in another document."""
        self.steps = steps
        self._ids, self._shown = {}, {}
        return self._show(self.frames.fold.marks)

    def _step_at(self, address: str, steps: RunSteps | None = None) -> StepId | None:
        if steps is not None and steps is not self.steps:
            return steps.id_of(address) or steps.prompt_at(address)
        if address not in self._ids:
            self._ids[address] = self.steps.id_of(address) or self.steps.prompt_at(address)
        return self._ids[address]

    def _show(self, addresses: Iterable[str]) -> RunMarks:
        changed = set()
        for address in addresses:
            step, mark = self._step_at(address), self.frames.fold.marks.get(address)
            if step is None:
                continue
            changed.add(step)
            if mark is None:
                self._shown.pop(step, None)
            else:
                self._shown[step] = mark
        return RunMarks(dict(self._shown), frozenset(changed))
