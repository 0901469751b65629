"""What is to be seen in a part of the canvas: one value per box, found from the layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from workbench.gui.canvas.content.box_content import BoxContent, content_of, drawn_height, title_content
from workbench.model.layout.program import Layout
from workbench.model.layout.shapes import Box, Placed, Rect, Shape
from workbench.model.program import Playbook, StepId
from workbench.syntax.diagnostics import Severity

BoxKey = tuple[str, str, int]
_KNOWN_LIMIT = 4000
Findings = Callable[[StepId], tuple[Severity, ...]]


@dataclass(frozen=True, slots=True)
class ShownBox:
    """A box that is to be shown: where, and what is drawn. *step* is None for titles and implied boxes."""

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
        self._known: dict[int, tuple[Box, str, tuple[Severity, ...], BoxContent]] = {}

    def content_of(self, box: Box, number: str, severities: tuple[Severity, ...]) -> BoxContent:
        """What is drawn for *box*."""
        known = self._known.get(id(box))
        if known is not None and known[1] == number and known[2] == severities:
            return known[3]
        if len(self._known) > _KNOWN_LIMIT:
            self._known.clear()
        content = content_of(box, number, severities)
        # with the box itself: as long as it is held, no other can get its identity
        self._known[id(box)] = (box, number, severities, content)
        return content


def shown_boxes_in(
    layout: Layout, region: Rect, findings: Findings, store: ContentStore | None = None
) -> dict[BoxKey, ShownBox]:
    """Everything that is to be shown in *region*, by a key that survives edits."""
    store = store or ContentStore()
    found: dict[BoxKey, ShownBox] = {}
    for playbook in layout.playbooks:
        for box in playbook.boxes:
            if box.rect.meets(region):
                _add(found, box.shape.name, playbook.playbook.name, own_box(box, playbook.playbook))
        for placed in playbook.visible(region):
            for box in boxes_in(placed, region):
                shown = shown_box(box, placed, findings, store)
                _add(found, box.shape.name, shown.step or "", shown)
    return found


def own_box(box: Box, playbook: Playbook) -> ShownBox:
    """A box of the playbook itself: its title, or its implied end."""
    content = title_content(box, playbook) if box.shape is Shape.TITLE else content_of(box, "")
    return ShownBox(box.rect.x, box.rect.y, content)


def boxes_in(placed: Placed, region: Rect) -> Iterator[Box]:
    """The boxes of *placed* whose drawn part meets *region*."""
    left, top = region.x - placed.x, region.y - placed.y
    right, bottom = left + region.width, top + region.height
    for box in placed.fragment.boxes:
        rect = box.rect
        if rect.y <= bottom and rect.y + drawn_height(box) >= top and rect.x <= right and rect.x + rect.width >= left:
            yield box


def words_rect(box: Box, placed: Placed) -> Rect:
    """The part of *box* that carries words, on the canvas."""
    return Rect(placed.x + box.rect.x, placed.y + box.rect.y, box.rect.width, drawn_height(box))


def shown_box(box: Box, placed: Placed, findings: Findings, store: ContentStore) -> ShownBox:
    """*box* of *placed* as it is to be shown."""
    step = box.step
    severities = findings(step.id) if step is not None else ()
    content = store.content_of(box, placed.number(box), severities)
    return ShownBox(placed.x + box.rect.x, placed.y + box.rect.y, content, step.id if step is not None else None)


def _add(found: dict[BoxKey, ShownBox], shape: str, name: str, shown: ShownBox) -> None:
    """Put *shown* under the first free key: one step may be drawn as several boxes."""
    ordinal = 0
    while (shape, name, ordinal) in found:
        ordinal += 1
    found[(shape, name, ordinal)] = shown
