"""What is to be seen in a part of the canvas: one value per box, found from the layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from workbench.gui.canvas.content.box_content import BoxContent, content_of, drawn_height, prompt_content, title_content
from workbench.gui.canvas.content.file_nodes import LabelOf, file_content, nothing_known
from workbench.model.inner_calls import waits_for_call
from workbench.model.layout.program import Layout
from workbench.model.layout.shapes import Box, Placed, Rect, Shape
from workbench.model.meaning import StepKind
from workbench.model.program import Playbook, StepId, prompt_id
from workbench.model.sentences.naming import Names
from workbench.syntax.diagnostics import Severity

BoxKey = tuple[str, str, int]
_KNOWN_LIMIT = 4000
Findings = Callable[[StepId], tuple[Severity, ...]]


@dataclass(frozen=True, slots=True)
class ShownBox:
    """A box that is to be shown: where, and what is drawn. *step* is None for titles and implied boxes,
    the ``prompt_id`` for the text of a prompt.
    """

    x: float
    y: float
    content: BoxContent
    step: StepId | None = None

    @property
    def rect(self) -> Rect:
        """The part of the canvas that the picture covers."""
        return Rect(self.x, self.y, self.content.width, self.content.height)


class ContentStore:
    """What is drawn for boxes, by the identity of the box: boxes that an edit did not touch are the same objects."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Box, tuple[object, ...], BoxContent]] = {}

    def content_of(self, box: Box, number: str, severities: tuple[Severity, ...], names: Names) -> BoxContent:
        """What is drawn for *box* in a document with these *names*."""
        waits = box.kind is StepKind.TRIGGER and box.step is not None and waits_for_call(box.step.meaning, names)
        known, cause = self._known.get(id(box)), (number, severities, waits)
        if known is not None and known[1] == cause:
            return known[2]
        if len(self._known) > _KNOWN_LIMIT:
            self._known.clear()
        content = content_of(box, number, severities, waits_for_call=waits)
        # with the box itself: as long as it is held, no other can get its identity
        self._known[id(box)] = (box, cause, content)
        return content


@dataclass(frozen=True, slots=True)
class Look:
    """What the contents of boxes depend on besides themselves. *names*: of all that the document can call."""

    findings: Findings
    store: ContentStore
    names: Names


def shown_boxes_in(
    layout: Layout,
    region: Rect,
    findings: Findings,
    store: ContentStore | None = None,
    label_of: LabelOf = nothing_known,
) -> dict[BoxKey, ShownBox]:
    """Everything that is to be shown in *region*, by a key that survives edits; *label_of*: of the files linked to."""
    look = Look(findings, store or ContentStore(), layout.document.structure.callables.names)
    found: dict[BoxKey, ShownBox] = {}
    for playbook in layout.playbooks:
        for box in playbook.boxes:
            if box.rect.meets(region):
                _add(found, box.shape.name, playbook.playbook.address, own_box(box, playbook.playbook, label_of))
        for placed in playbook.visible(region):
            for box in boxes_in(placed, region):
                shown = shown_box(box, placed, look)
                _add(found, box.shape.name, shown.step or "", shown)
    for number, function in enumerate(layout.functions):
        for box in function.boxes:
            if box.rect.meets(region):
                shown = ShownBox(box.rect.x, box.rect.y, content_of(box, ""))
                _add(found, box.shape.name, f"def {number} {function.function.name}", shown)
    if layout.stub is not None and layout.stub.rect.meets(region):
        box = layout.stub
        _add(found, box.shape.name, "", ShownBox(box.rect.x, box.rect.y, content_of(box, "")))
    return found


def own_box(box: Box, playbook: Playbook, label_of: LabelOf) -> ShownBox:
    """A box of the playbook itself: its title, the text of a prompt, its implied end, or a file that it links to."""
    if box.shape is Shape.FILE:
        return ShownBox(box.rect.x, box.rect.y, file_content(box, label_of(box.text)))
    if box.shape is Shape.TITLE:
        return ShownBox(box.rect.x, box.rect.y, title_content(box, playbook))
    content = content_of(box, "")
    if box.shape is Shape.PILL:
        return ShownBox(box.rect.x, box.rect.y, content)
    return ShownBox(box.rect.x, box.rect.y, prompt_content(content, box.text), prompt_id(playbook))


def boxes_in(placed: Placed, region: Rect) -> Iterator[Box]:
    """The boxes of *placed* whose drawn part meets *region*."""
    left, top = region.x - placed.x, region.y - placed.y
    right, bottom = left + region.width, top + region.height
    for box in placed.fragment.boxes:
        rect = box.rect
        if rect.y <= bottom and rect.y + drawn_height(box) >= top and rect.x <= right and rect.x + rect.width >= left:
            yield box


def shown_box(box: Box, placed: Placed, look: Look) -> ShownBox:
    """*box* of *placed* as it is to be shown."""
    step = box.step
    severities = look.findings(step.id) if step is not None else ()
    content = look.store.content_of(box, placed.number(box), severities, look.names)
    return ShownBox(placed.x + box.rect.x, placed.y + box.rect.y, content, step.id if step is not None else None)


def _add(found: dict[BoxKey, ShownBox], shape: str, name: str, shown: ShownBox) -> None:
    """Put *shown* under the first free key: one step may be drawn as several boxes."""
    ordinal = 0
    while (shape, name, ordinal) in found:
        ordinal += 1
    found[(shape, name, ordinal)] = shown
