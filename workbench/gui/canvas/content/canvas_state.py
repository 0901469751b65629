"""What is wrong with what one block stands for: the step itself, and while it is folded the steps that it hides."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from workbench.gui.canvas.content.box_content import content_of, copy_signs, fold_rect, problem_rect, tick_rect
from workbench.gui.canvas.content.file_nodes import LabelOf, nothing_known
from workbench.gui.canvas.content.shown_boxes import boxes_in
from workbench.i18n import ngettext
from workbench.model.layout.folds import EVERYTHING, Focus
from workbench.model.layout.program import Layout, LayoutCache, layout_program
from workbench.model.layout.shapes import Box, Rect, Shape
from workbench.model.layout.texts import shown_in_box
from workbench.model.meaning import StepKind
from workbench.model.program import Playbook, Program, Step, StepId
from workbench.model.showing.texts import text_of
from workbench.model.snapshot import Snapshot
from workbench.syntax.diagnostics import Diagnostic, Severity
from workbench.syntax.python_functions import line_of_function
from workbench.syntax.text import Span

Severities = Mapping[StepId, tuple[Severity, ...]]
MOST_SHOWN = 8


@dataclass(frozen=True, slots=True)
class BlockFinding:
    """*finding* lies in the words of *step*, which may be hidden."""

    step: StepId
    finding: Diagnostic


def findings_on(snapshot: Snapshot, step: StepId, folded: frozenset[StepId]) -> tuple[BlockFinding, ...]:
    """The findings that the block of *step* stands for, in the order of the text."""
    found = []
    for finding in snapshot.diagnostics:
        place = snapshot.step_at(finding.span.start)
        if place is not None and (place == step or (step in folded and is_inside(snapshot, place, step))):
            found.append(BlockFinding(place, finding))
    return tuple(found)


def severities_inside(snapshot: Snapshot, findings: Severities, folded: frozenset[StepId]) -> Severities:
    """How bad the findings are that each of *folded* hides."""
    found: dict[StepId, tuple[Severity, ...]] = {}
    for step, severities in findings.items() if folded else ():
        for outer in snapshot.lineage(step)[:-1] if snapshot.has(step) else ():
            if outer.id in folded:
                found[outer.id] = tuple(dict.fromkeys((*found.get(outer.id, ()), *severities)))
    return found


def is_inside(snapshot: Snapshot, step: StepId, outer: StepId) -> bool:
    """Whether *step* lies somewhere below *outer*."""
    return any(each.id == outer for each in snapshot.lineage(step)[:-1])


def finding_line(snapshot: Snapshot, found: BlockFinding) -> str:
    """*02.01  The message*: a hidden step is known by its number."""
    return f"{snapshot.number(found.step)}  {found.finding.message}".strip()


def findings_words(found: Iterable[BlockFinding], line: Callable[[BlockFinding], str]) -> str:
    """One *line* for each of the first, and how many more there are."""
    every = tuple(found)
    lines = [line(each) for each in every[:MOST_SHOWN]]
    if more := len(every) - len(lines):
        lines.append("… " + ngettext("and {count} more problem", "and {count} more problems", more))
    return "\n".join(lines)


class HitPart(enum.Enum):
    """Which part of a box a point is in. SOURCE: a prompt or a function, which is changed in its text.

    COPY: the sign that copies a piece of code. TICK: the box in front of the words of a checklist. FILE: another file
    that steps link to. STUB: what stands for all that is left out there.
    """

    BODY = enum.auto()
    FOLD = enum.auto()
    PROBLEM = enum.auto()
    COPY = enum.auto()
    TICK = enum.auto()
    TITLE = enum.auto()
    SOURCE = enum.auto()
    FILE = enum.auto()
    STUB = enum.auto()


_OWN_PARTS = {Shape.TITLE: HitPart.TITLE, Shape.FILE: HitPart.FILE}


@dataclass(frozen=True, slots=True)
class Hit:
    """What lies at a point of the canvas. *rect* is the part of the box that carries its words. *code*: see COPY.

    *file*: the path of the file, as links have it.
    """

    part: HitPart
    rect: Rect
    playbook: str
    step: StepId | None = None
    code: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class _Inside:
    """What is wrong inside folded steps. *cause*: what it was counted from."""

    cause: tuple[Snapshot, Severities, frozenset[StepId]]
    severities: Severities


class CanvasState:
    """The picture's side of a document: it changes with every snapshot and every fold.

    *folded*: what is shown the other way: steps whose inside is hidden, and texts of which many lines are shown.
    *focus*: what is left out besides. *cache*: what the next layout can use again.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.cache = LayoutCache()
        self.folded: frozenset[StepId] = frozenset()
        self.focus = EVERYTHING
        self.findings: dict[StepId, tuple[Severity, ...]] = {}
        self.label_of: LabelOf = nothing_known
        self._inside: _Inside | None = None
        self.snapshot = snapshot
        self.layout = self._laid_out()

    def show(self, snapshot: Snapshot) -> None:
        """Show *snapshot* from now on. Where the playbook in focus has another name now, it stays in focus."""
        if self.focus.playbook:
            now = address_now(self.focus.playbook, self.snapshot.program, snapshot.program)
            self.focus = replace(self.focus, playbook=now) if now else EVERYTHING
        self.snapshot = snapshot
        self.layout = self._laid_out()

    def reset(self, snapshot: Snapshot, layout: Layout | None = None, cache: LayoutCache | None = None) -> None:
        """Show another document, all of it unfolded.

        *layout*, *cache*: where it was laid out beside the window, and what the next layout can use of that.
        """
        self.cache = LayoutCache() if cache is None else cache
        self.folded = frozenset()
        self.focus = EVERYTHING
        self.findings = {}
        self.snapshot = snapshot
        self.layout = self._laid_out() if layout is None else layout

    def focus_on(self, focus: Focus) -> None:
        """Show only what *focus* says."""
        self.focus = focus
        self.layout = self._laid_out()

    def fold(self, folded: frozenset[StepId]) -> None:
        """Fold exactly *folded*."""
        self.folded = folded
        self.layout = self._laid_out()

    def toggled(self, step: StepId) -> frozenset[StepId]:
        """What is folded once *step* is folded or unfolded."""
        return self.folded ^ {step}

    def foldable(self) -> frozenset[StepId]:
        """Every step that has steps inside."""
        return frozenset(step.id for step in walk(self.snapshot) if step.children)

    def hides(self, step: StepId) -> frozenset[StepId]:
        """The folded steps that *step* lies in."""
        lineage = self.snapshot.lineage(step) if self.snapshot.has(step) else ()
        return self.folded & {outer.id for outer in lineage[:-1]}

    def severities_of(self, step: StepId) -> tuple[Severity, ...]:
        """How bad the findings are that the block of *step* stands for, as of the last check.

        They are those of the step itself, and of all that it hides while it is folded.
        """
        own = self.findings.get(step, ())
        return (*own, *self._severities_inside().get(step, ())) if step in self.folded else own

    def _severities_inside(self) -> Severities:
        """What each folded step hides, counted once for as long as nothing changes."""
        known = self._inside
        cause = (self.snapshot, self.findings, self.folded)
        if known is None or any(one is not other for one, other in zip(known.cause, cause, strict=True)):
            known = self._inside = _Inside(cause, severities_inside(*cause))
        return known.severities

    def hit(self, x: float, y: float) -> Hit | None:
        """What lies at a point, or None."""
        point = Rect(x, y, 0, 0)
        stub = self.layout.stub
        if stub is not None and stub.rect.meets(point):
            return Hit(HitPart.STUB, stub.rect, "")
        for part, box, name in self.named_boxes():
            if box.rect.meets(point):
                return Hit(part, box.rect, name, file=box.text if part is HitPart.FILE else "")
        for placed in self.layout.visible(point):
            for box in boxes_in(placed, point):
                if box.step is not None:
                    rect = placed.words_rect(box)
                    part, code = self._part(box, rect, x, y)
                    return Hit(part, rect, self.snapshot.playbook_of(box.step.id).address, box.step.id, code)
        return None

    def named_boxes(self) -> Iterator[tuple[HitPart, Box, str]]:
        """The boxes that stand for no step, with the address of the playbook; what is implied cannot be hit."""
        for playbook in self.layout.playbooks:
            for box in playbook.boxes:
                if box.shape is not Shape.PILL:
                    yield _OWN_PARTS.get(box.shape, HitPart.SOURCE), box, playbook.playbook.address
        for each in self.layout.functions:
            yield from ((HitPart.SOURCE, box, each.function.name) for box in each.boxes)

    def source_of(self, hit: Hit) -> Span:
        """Where the text of the prompt or the function stands that *hit* lies in."""
        placed = self.snapshot.placed_named(hit.playbook)
        text = self.snapshot.text
        if placed is None:
            return line_of_function(text, hit.playbook)
        start = self.snapshot.block_starts[placed.start]
        end = text.find("\n", start)
        return Span(start, end if end >= 0 else len(text))

    def _part(self, box: Box, rect: Rect, x: float, y: float) -> tuple[HitPart, str]:
        if box.shape is Shape.CHIP:
            return HitPart.STUB, ""
        content = content_of(box, "", self.severities_of(box.step.id) if box.step is not None else ())
        point = Rect(x - rect.x - 3, y - rect.y - 3, 6, 6)
        signs = (
            (HitPart.FOLD, fold_rect(content)),
            (HitPart.PROBLEM, problem_rect(content)),
            (HitPart.TICK, tick_rect(content)),
        )
        for part, area in signs:
            if area is not None and area.meets(point):
                return part, ""
        code = next((code for area, code in copy_signs(content) if area.meets(point)), None)
        return (HitPart.BODY, "") if code is None else (HitPart.COPY, code)

    def _laid_out(self) -> Layout:
        return layout_program(self.snapshot, self.folded, self.cache, self.focus)


def laid_out_whole(snapshot: Snapshot) -> tuple[Layout, LayoutCache]:
    """All of *snapshot*, unfolded, with what the next layout can use of that; on any thread."""
    cache = LayoutCache()
    return layout_program(snapshot, cache=cache), cache


def address_now(address: str, before: Program, after: Program) -> str:
    """The address in *after* of the playbook that had *address* in *before*; empty where it is gone.

    Where as many are there as before and not all addresses are the same, some were renamed and stand where they stood.
    """
    was, now = ([each.address for each in program.playbooks] for program in (before, after))
    if address in was and len(was) == len(now) and set(was) != set(now):
        return now[was.index(address)]
    return address if address in now else ""


def leaves_out(state: CanvasState, step: StepId) -> bool:
    """Whether *step* is not shown because of the focus of *state*."""
    focus, snapshot = state.focus, state.snapshot
    if focus.is_everything or not snapshot.has(step):
        return False
    if focus.playbook and snapshot.playbook_of(step).address != focus.playbook:
        return True
    if not any(each.id in focus.left_out for each in snapshot.lineage(step)):
        return False
    found = state.layout.box_of(step)  # of a decision that is shown, the arms are
    return found is None or found[1].shape is Shape.CHIP or found[1].step is None or found[1].step.id != step


def all_open(snapshot: Snapshot) -> frozenset[StepId]:
    """What is shown the other way where everything can be seen: the long texts."""
    return frozenset(step.id for step in walk(snapshot) if is_long_text(step))


def is_long_text(step: Step) -> bool:
    """True for a text of which a few lines are not all."""
    return step.kind is StepKind.RAW and shown_in_box(text_of(step), is_open=False).is_cut


def walk(snapshot: Snapshot) -> Iterator[Step]:
    """Every step of every playbook, as a person meets them on the canvas."""
    for playbook in snapshot.program.playbooks:
        for step in steps_of(playbook):
            yield from step.walk()


def steps_of(playbook: Playbook) -> tuple[Step, ...]:
    """The top-level triggers, steps and notes of *playbook*, in that order."""
    return (*playbook.triggers, *playbook.steps, *playbook.notes)


def findings_by_step(snapshot: Snapshot) -> dict[StepId, tuple[Severity, ...]]:
    """The severities of all findings, by the step in whose words they lie."""
    found: dict[StepId, tuple[Severity, ...]] = {}
    for diagnostic in snapshot.diagnostics:
        step = snapshot.step_at(diagnostic.span.start)
        if step is not None:
            found[step] = (*found.get(step, ()), diagnostic.severity)
    return found
