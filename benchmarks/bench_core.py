"""Text to picture without a window: scan, lower, lay out, check, and one keystroke."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from benchmarks.documents import numbered_text, playbook_text
from benchmarks.measure import Figure, at_most, cpu_ms
from workbench.assist.completing import completions
from workbench.assist.hovering import hover
from workbench.editing.commands import DeleteSteps, MoveSteps, Place
from workbench.editing.document import Document
from workbench.model.incremental.advancing import advance
from workbench.model.layout.program import LayoutCache, layout_program
from workbench.model.layout.shapes import Rect
from workbench.model.snapshot import Snapshot, derive
from workbench.model.versions.comparing import compare_versions
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.scan import scan
from workbench.syntax.text import SourceText, Span

SIZES = (10, 100, 1_000, 10_000)
FAR_DROPS_MS = {1_000: 16.0, 10_000: 50.0}
"""How long a far drop in one numbered list may take, by its steps."""
_EVERYWHERE = Rect(-1e9, -1e9, 2e9, 2e9)


def figures() -> Iterator[Figure]:
    """All figures of this part."""
    for size in SIZES:
        yield from _cold(size)
    for size in SIZES:
        yield from _keystroke(size)
    for size, limit_ms in FAR_DROPS_MS.items():
        yield from _far_drop(size, limit_ms)
    yield from _assistance(SIZES[-1])
    yield from _versions(1_000)


def scan_ms(steps: int) -> float:
    """Scanning alone, for comparison with other parsers."""
    text = playbook_text(steps)
    return cpu_ms(lambda: scan(text))


def reading_ms(steps: int) -> float:
    """Scanning, and reading what is nested in every item."""
    text = playbook_text(steps)
    return cpu_ms(lambda: [block.item for block in scan(text)])


def layout_ms(steps: int) -> float:
    """Laying out alone, every box and edge made, for comparison with other layouts."""
    snapshot = derive(SourceText(playbook_text(steps)))
    return cpu_ms(lambda: _draw_all(snapshot))


def measured_layout_ms(steps: int) -> float:
    """Laying out as the window does: everything measured and placed, boxes made when somebody looks."""
    snapshot = derive(SourceText(playbook_text(steps)))
    return cpu_ms(lambda: layout_program(snapshot))


def _draw_all(snapshot: Snapshot) -> int:
    placed = layout_program(snapshot).visible(_EVERYWHERE)
    return sum(len(one.fragment.boxes) + len(one.fragment.routes) for one in placed)


def _cold(size: int) -> Iterator[Figure]:
    source = SourceText(playbook_text(size))
    snapshot = derive(source)
    unseen = count(1)

    def derive_unseen() -> Snapshot:
        return derive(SourceText(playbook_text(size, next(unseen) * 1_000_000)))

    writing = cpu_ms(lambda: playbook_text(size, 7))
    parse = cpu_ms(lambda: scan(source.text))
    both = cpu_ms(derive_unseen) - writing
    layout = cpu_ms(lambda: layout_program(snapshot))
    check = cpu_ms(lambda: derive_unseen().diagnostics) - writing - both
    yield Figure(f"scan, {size:,} steps", parse)
    yield Figure(f"scan and read every item, {size:,} steps", reading_ms(size))
    yield Figure(f"scan and lower, {size:,} steps of unseen text", both)
    yield Figure(f"lay out, {size:,} steps", layout)
    yield Figure(f"check, {size:,} steps", max(check, 0.0))
    total = both + layout + max(check, 0.0)
    name = f"scan, lower, lay out and check, {size:,} steps"
    yield at_most(name, total, 50) if size == 1_000 else Figure(name, total)


def _assistance(size: int) -> Iterator[Figure]:
    """What is offered and told after each letter, once the document has been checked."""
    snapshot = derive(SourceText(playbook_text(size)))
    at = snapshot.text.index("$limit * ", len(snapshot.text) // 2)
    assert snapshot.diagnostics, "what is known of the steps is kept from here on"
    hover(snapshot, at)
    states = [snapshot]

    def press() -> None:
        states[0] = advance(states[0], TextChange((TextEdit(Span(at - 3, at - 3), "x"),)))

    pressing = cpu_ms(press)
    for name, ask in (("complete a variable", _complete), ("tell of a variable", hover)):

        def ask_anew(ask: Callable[[Snapshot, int], object] = ask) -> None:
            press()
            ask(states[0], states[0].text.index("$limit * ", at) + 1)

        taken, title = cpu_ms(ask_anew) - pressing, f"{name} after a letter, {size:,} steps"
        yield at_most(title, taken, 20) if ask is _complete else Figure(title, taken)


def _complete(snapshot: Snapshot, offset: int) -> object:
    return completions(snapshot, offset)


def _keystroke(size: int) -> Iterator[Figure]:
    snapshot = derive(SourceText(playbook_text(size)))
    middle = len(snapshot.text) // 2 if size > SIZES[0] else 0
    at = snapshot.text.index("$limit * ", middle)
    cache = LayoutCache()
    layout_program(snapshot, frozenset(), cache)
    state = [snapshot]

    def press() -> None:
        state[0] = advance(state[0], TextChange((TextEdit(Span(at, at), "1"),)))
        layout_program(state[0], frozenset(), cache)

    yield at_most(f"one key: text to next picture, {size:,} steps", cpu_ms(press, 15), 16)


def _far_drop(size: int, limit_ms: float) -> Iterator[Figure]:
    """A step moves through all of one numbered list, so that every line between gets another number; and the way back.

    The same where a step goes. All of it is done by whoever edits, in the window on the GUI thread: planned, proved,
    applied, and undone.
    """
    document = Document.from_text(numbered_text(size))
    turns = count(20)

    def drop() -> None:
        steps = document.snapshot.program.playbooks[0].steps
        document.execute(MoveSteps((steps[next(turns)].id,), Place("Main", None, steps[-5].id)))

    name = f"in one numbered list of {size:,} steps, text to next snapshot"
    yield at_most(f"drop far away {name}", cpu_ms(drop, 9), limit_ms)
    yield at_most(f"undo of a drop far away {name}", cpu_ms(document.undo, 9), limit_ms)

    def delete() -> None:
        document.execute(DeleteSteps((document.snapshot.program.playbooks[0].steps[next(turns)].id,)))

    taken, title = cpu_ms(delete, 9), f"delete a step {name}"
    yield at_most(title, taken, limit_ms) if size == 1_000 else Figure(title, taken)


def _versions(size: int) -> Iterator[Figure]:
    """Two versions of a file with other words in every third step, and a third of them elsewhere."""
    text = playbook_text(size)
    lines = text.replace("Part ", "Piece ").replace("$limit", "$most").splitlines(keepends=True)
    third = len(lines) // 3
    new = "".join((*lines[:third], *lines[2 * third : -9], *lines[third : 2 * third], *lines[-9:]))
    versions = derive(SourceText(text)), derive(SourceText(new))
    yield at_most(f"differences of two versions of {size} steps", cpu_ms(lambda: compare_versions(*versions)), 200)
