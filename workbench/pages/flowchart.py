"""The flowchart of a playbook as a picture in a page, with what a run did at each step, or what became of it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from workbench.i18n import _, ngettext, numeral
from workbench.model.layout.lines import CHARACTERS_PER_LINE
from workbench.model.layout.program import PlaybookLayout, layout_program
from workbench.model.layout.shapes import LINE_HEIGHT, Box, Placed, Rect, Route, Shape
from workbench.model.layout.texts import placed_parts, shown_in_box
from workbench.model.meaning import RouteKind
from workbench.model.program import Playbook
from workbench.model.showing.texts import Part, PartKind, more_words, text_of
from workbench.model.showing.words import plain_text
from workbench.pages.kind_looks import LOOKS
from workbench.pages.marks import About, Mark, Ran
from workbench.pages.page import heading, px, safe

STYLE = (
    "".join(
        f".k-{kind.value} .bar, .k-{kind.value} .pill.never {{ stroke: var(--k-{kind.value}) }}\n" for kind in LOOKS
    )
    + """
.charts { display: flex; flex-wrap: wrap; gap: 1.5rem 2.5rem; align-items: flex-start }
.charts figure { margin: 0; max-width: 100%; overflow-x: auto } .charts svg { display: block }
svg text { font-size: 12px; fill: var(--text) }
svg .small { font-size: 10px; fill: var(--muted) } svg .name { font-size: 14px; font-weight: 600 }
svg .mono { font-family: ui-monospace, monospace; font-size: 11px }
.edge { fill: none; stroke: var(--edge); stroke-width: 1.5; stroke-linejoin: round }
.edge.link { stroke-dasharray: 4 3 }
.arrow { fill: var(--edge) }
.bar { fill: none; stroke: var(--edge); stroke-linecap: round; stroke-linejoin: round; stroke-width: 3 }
.frame { fill: var(--raised); fill-opacity: .5; stroke: var(--line) }
.box { fill: var(--raised); stroke: var(--edge) }
.box.never { stroke: var(--line) }
.box.note { fill: var(--was); stroke: var(--line) } .box.file { stroke-dasharray: 4 3 }
.box.done { stroke: var(--good); stroke-width: 2 } .box.failed { stroke: var(--bad); stroke-width: 3 }
.box.skipped { stroke-dasharray: 5 3 } .box.open { stroke: var(--held); stroke-width: 2.5 }
.box.added { stroke: var(--good); stroke-width: 2.5 } .box.removed { stroke: var(--bad); stroke-width: 2.5 }
.box.removed { stroke-dasharray: 6 3 } .box.changed { stroke: var(--asks); stroke-width: 2.5 }
.box.moved, .box.reordered { stroke: var(--accent); stroke-width: 2.5 }
.mark.added { fill: var(--good) } .mark.removed { fill: var(--bad) } .mark.changed { fill: var(--asks) }
.mark.moved, .mark.reordered { fill: var(--accent) }
.mark { fill: var(--edge) } .mark.done { fill: var(--good) } .mark.failed { fill: var(--bad) }
.mark.open { fill: var(--held) } .sign { fill: none; stroke: var(--ground); stroke-width: 1.8 }
@media print {
  .charts { display: block } .charts figure { display: inline-block; margin: 0 1.5rem 1rem 0; vertical-align: top }
  .charts svg { height: auto; max-height: 23cm; max-width: 100%; width: auto }
  .charts .long { display: block } .charts .long svg { max-height: none }
}
"""
)
_HIDDEN_KINDS = frozenset({RouteKind.CALL, RouteKind.JUMP})
_HEXAGON_PX = 16.0
_RADIUS_PX = 8.0
_TEXT_X = 44.0
_LETTER_PX = 6.4
_NAME_LETTER_PX = 8.0
_NARROW_PX = 120.0
_MARGIN_PX = 14.0
_COUNT_PX = 30.0
_LONG_PX = 1_900.0
"""A picture that is higher does not shrink to one sheet of paper, where nobody could read it."""
_NUMBER = 5
_WIDE = "\u2e80"
_BASELINE = 13.0


_SIGNS = {
    "done": "M-3.5 .3 l2.5 2.7 l4.5 -5.6",
    "failed": "M-3 -3 L3 3 M3 -3 L-3 3",
    "skipped": "M-3.5 0 H3.5",
    "open": "M-3.5 0 h.1 M0 0 h.1 M3.4 0 h.1",
    "added": "M-4 0 H4 M0 -4 V4",
    "removed": "M-4 0 H4",
    "changed": "M-4 -1.8 H4 M-4 1.8 H4 M2 -4.5 L-2 4.5",
    "moved": "M-4 0 H4 M1 -3 L4 0 L1 3",
    "reordered": "M-2 4 V-4 M-4 -2 L-2 -4 L0 -2 M2 -4 V4 M0 2 L2 4 L4 2",
}
_EM = {
    **dict.fromkeys("ijlI'|", 0.29),
    **dict.fromkeys(' .,:;!()[]{}-/\\tfr"', 0.37),
    **dict.fromkeys("mwMW@%", 0.92),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ0123456789$_+=<>~#&", 0.65),
}
_USUAL_EM = 0.59
_WIDE_EM = 1.05


def flowchart(texts: Iterable[Ran], title: str = "", *, is_only_marked: bool = False) -> str:
    """The playbooks of *texts*, each as a picture with its marks, under *title*; empty where there are none.

    *is_only_marked*: only those in which something is marked.
    """
    figures = [
        _figure(each, ran)
        for ran in texts
        for each in layout_program(ran.snapshot).playbooks
        if not is_only_marked or ran.has_marks(each.playbook)
    ]
    return f'{heading(title or _("Flowchart"))}<div class="charts">{"".join(figures)}</div>' if figures else ""


def _figure(layout: PlaybookLayout, ran: Ran) -> str:
    """One playbook as a picture of its own."""
    one = drawn(layout, ran)
    view = " ".join(map(px, one.area))
    size = f'width="{px(one.area.width)}" height="{px(one.area.height)}"'
    look = ' class="long"' if one.area.height > _LONG_PX else ""
    name = safe(layout.playbook.title or layout.playbook.name)
    return (
        f'<figure{look}><svg viewBox="{view}" {size} role="img" aria-label="{name}">'
        f"{one.picture}</svg>{_caption(layout.playbook, ran)}</figure>"
    )


class Drawn(NamedTuple):
    """A playbook as the elements of a picture, and the *area* that they take."""

    picture: str
    area: Rect


def drawn(layout: PlaybookLayout, ran: Ran) -> Drawn:
    """One playbook: edges and frames behind, boxes in front."""
    placed = list(layout.placed)
    behind: list[str] = []
    front = [_box(box, box.rect, "", _own_mark(box, layout, ran), None) for box in layout.boxes]
    routes = [(route, 0.0, 0.0) for route in layout.routes]
    for one in placed:
        behind += [_frame(_moved(box, one)) for box in one.fragment.boxes if 0 < box.header_height < box.rect.height]
        routes += [(route, one.x, one.y) for route in _routes(one)]
        for box in one.fragment.boxes:
            about = ran.about.get(box.step.id) if box.step is not None else None
            number = about.number if about is not None else one.number(box)
            front.append(_box(box, one.words_rect(box), number, ran.at(box.step), about))
    lines = [
        edge(route, dx, dy) for route, dx, dy in routes if route.kind not in _HIDDEN_KINDS and len(route.points) > 1
    ]
    return Drawn("".join((*behind, *lines, *front)), _area(layout, placed, routes))


def _caption(playbook: Playbook, ran: Ran) -> str:
    """Whose *playbook* is, where there are several agents, and the file that it stands in, where that is another."""
    agents = [agent for agent in ran.snapshot.program.agents if agent.playbooks]
    own = next((agent.title or agent.name for agent in agents if playbook in agent.playbooks and len(agents) > 1), "")
    words = " · ".join(filter(None, (own, ran.before.removesuffix("/"))))
    return f'<figcaption class="muted">{safe(words)}</figcaption>' if words else ""


def _routes(placed: Placed) -> Iterator[Route]:
    """The edges of a fragment; the way into the body of a loop needs no word."""
    loops = {box.step.id for box in placed.fragment.boxes if box.shape is Shape.LOOP and box.step is not None}
    for route in placed.fragment.routes:
        yield route._replace(kind=RouteKind.NEXT) if route.source in loops and not route.label else route


def _own_mark(box: Box, layout: PlaybookLayout, ran: Ran) -> Mark | None:
    """The mark of the one box of a playbook that is carried out by its text."""
    is_text = box.shape is Shape.BLOCK and box.step is None
    return ran.at_prompt(layout.playbook) if is_text else None


def _moved(box: Box, placed: Placed) -> Rect:
    return box.rect.moved(placed.x, placed.y)


def _area(layout: PlaybookLayout, placed: Sequence[Placed], routes: Sequence[tuple[Route, float, float]]) -> Rect:
    """All that is drawn, with a margin for marks."""
    rects = [*(box.rect for box in layout.boxes), *(_moved(box, one) for one in placed for box in one.fragment.boxes)]
    points = [(x + dx, y + dy) for route, dx, dy in routes for x, y in route.points]
    left = min([rect.x for rect in rects] + [x for x, _y in points]) - _MARGIN_PX
    top = min([rect.y for rect in rects] + [y for _x, y in points]) - _MARGIN_PX
    right = max([rect.x + rect.width for rect in rects] + [x for x, _y in points]) + _COUNT_PX
    bottom = max([rect.y + rect.height for rect in rects] + [y for _x, y in points]) + _MARGIN_PX
    return Rect(left, top, right - left, bottom - top)


def _frame(rect: Rect) -> str:
    return f'<rect class="frame" {_sides(rect)} rx="{_RADIUS_PX}"/>'


def _sides(rect: Rect) -> str:
    return f'x="{px(rect.x)}" y="{px(rect.y)}" width="{px(rect.width)}" height="{px(rect.height)}"'


def edge(route: Route, dx: float, dy: float) -> str:
    """The line of *route*, its arrow, and the word on it."""
    points = [(x + dx, y + dy) for x, y in route.points]
    kind = "edge link" if route.kind is RouteKind.LINK else "edge"
    path = " ".join(f"{px(x)},{px(y)}" for x, y in points)
    line = f'<polyline class="{kind}" points="{path}"/>'
    return line + (_arrow(points) if route.has_arrow else "") + _edge_word(route, points)


def _arrow(points: Sequence[tuple[float, float]]) -> str:
    """A small triangle at the end of an edge, which ends level or upright."""
    (x, y), before = points[-1], next((each for each in reversed(points) if each != points[-1]), points[-1])
    along = (x - before[0], y - before[1])
    length = (along[0] ** 2 + along[1] ** 2) ** 0.5 or 1.0
    ahead, aside = (along[0] / length * 7, along[1] / length * 7), (along[1] / length * 3.5, -along[0] / length * 3.5)
    corners = (
        (x, y),
        (x - ahead[0] + aside[0], y - ahead[1] + aside[1]),
        (x - ahead[0] - aside[0], y - ahead[1] - aside[1]),
    )
    return f'<polygon class="arrow" points="{" ".join(f"{px(a)},{px(b)}" for a, b in corners)}"/>'


def _edge_word(route: Route, points: Sequence[tuple[float, float]]) -> str:
    word = route.label or {RouteKind.YES: _("yes"), RouteKind.NO: _("no")}.get(route.kind, "")
    if not word:
        return ""
    (x, y), (next_x, next_y) = points[0], points[1]
    is_level = abs(next_x - x) > abs(next_y - y)
    return _text(x + 6, y - 4 if is_level else y + 14, word, "small")


def _box(box: Box, rect: Rect, number: str, mark: Mark | None, about: About | None) -> str:
    """*box* at *rect*: its outline, its words and its mark; what it is stands in its tooltip."""
    if box.shape is Shape.TITLE:
        lines = textwrap.wrap(box.text, _letters(box.text, rect.width, _NAME_LETTER_PX), max_lines=2, placeholder=" …")
        return "".join(_text(rect.x, rect.y + 18 * (index + 1), line, "name") for index, line in enumerate(lines))
    kind = " ".join(("box", box.shape.name.lower(), mark.kind if mark is not None else "never"))
    told = f"{number} {_words(box)}" + (f" · {mark.words}" if mark is not None else "")
    inside = _raw_words(box, rect) if box.shape is Shape.RAW else _plain_words(box, rect, number)
    outline = _outline(box.shape, rect, kind)
    name = f' id="{about.name}"' if about is not None else ""
    says = f"<desc>{safe(about.says)}</desc>" if about is not None and about.says else ""
    group = (
        f'<g class="k-{box.kind.value}"{name}><title>{safe(told.strip())}</title>{says}{outline}{inside}'
        f"{_mark(mark, rect)}</g>"
    )
    return f'<a href="{safe(about.href)}">{group}</a>' if about is not None and about.href else group


def plain_box(box: Box) -> str:
    """A box that stands for no step, where it is."""
    return _box(box, box.rect, "", None, None)


def _words(box: Box) -> str:
    is_own = box.step is not None and box.text == box.step.shown_text
    return plain_text(box.step) if box.step is not None and is_own else box.text


def _outline(shape: Shape, rect: Rect, kind: str) -> str:
    """The border of a box, with the bar in the colour of its kind."""
    x, y, right, bottom, middle = rect.x, rect.y, rect.x + rect.width, rect.y + rect.height, rect.y + rect.height / 2
    if shape is Shape.DECISION:
        corners = (
            *((x + _HEXAGON_PX, y), (right - _HEXAGON_PX, y), (right, middle)),
            *((right - _HEXAGON_PX, bottom), (x + _HEXAGON_PX, bottom), (x, middle)),
        )
        border = f'<polygon class="{kind}" points="{" ".join(f"{px(a)},{px(b)}" for a, b in corners)}"/>'
        return f"{border}{_bar((x + _HEXAGON_PX, y), (x, middle), (x + _HEXAGON_PX, bottom))}"
    radius = rect.height / 2 if shape in (Shape.PILL, Shape.CHIP) else 2.0 if shape is Shape.NOTE else _RADIUS_PX
    inner = Rect(x + 7, y + 4, rect.width - 11, rect.height - 8)
    double = f'<rect class="frame" {_sides(inner)} rx="5"/>' if shape is Shape.CALL else ""
    bar = "" if shape in (Shape.PILL, Shape.CHIP) else _bar((x + 2, y + _RADIUS_PX), (x + 2, bottom - _RADIUS_PX))
    return f'<rect class="{kind}" {_sides(rect)} rx="{px(radius)}"/>{double}{bar}'


def _bar(*points: tuple[float, float]) -> str:
    return f'<polyline class="bar" points="{" ".join(f"{px(x)},{px(y)}" for x, y in points)}"/>'


def _plain_words(box: Box, rect: Rect, number: str) -> str:
    """The words of a box in as many lines as it has room for, its number before them."""
    if rect.width < _NARROW_PX:
        at = f'x="{px(rect.x + rect.width / 2)}" y="{px(rect.y + rect.height / 2 + 4)}" text-anchor="middle"'
        return f"<text {at}>{safe(_cut(box.text, rect.width, _LETTER_PX))}</text>"
    is_bent = box.shape is Shape.DECISION
    left = _TEXT_X + (6.0 if is_bent else 0.0)
    room = rect.width - left - (20.0 if is_bent else 12.0)
    lines = _wrapped(_words(box), room, max(1, box.lines))
    top = rect.y + (rect.height - len(lines) * LINE_HEIGHT) / 2 + _BASELINE
    words = "".join(_fitted(rect.x + left, top + index * LINE_HEIGHT, line, room) for index, line in enumerate(lines))
    short = number if len(number) <= _NUMBER else f"…{number.rpartition('.')[2]}"
    return (_text(rect.x + (14.0 if is_bent else 10.0), top, short, "small") if number else "") + words


def _raw_words(box: Box, rect: Rect) -> str:
    """Text among steps, part by part."""
    if box.step is None:
        return _plain_words(box, rect, "")
    found: list[str] = []
    for part, top, _height in placed_parts(shown_in_box(text_of(box.step), is_open=box.is_open)):
        kind = "mono" if part.kind is PartKind.CODE else ""
        for index, line in enumerate(_part_lines(part, rect.width - 28.0)):
            found.append(_text(rect.x + 16.0, rect.y + top + index * LINE_HEIGHT + _BASELINE, line, kind))
    return "".join(found)


def _part_lines(part: Part, room_px: float) -> Iterator[str]:
    if part.kind is PartKind.MORE:
        yield more_words(part)
    elif part.rows:
        yield from (_cut(" | ".join(row), room_px, _LETTER_PX) for row in part.rows)
    else:
        words = f"{part.sign} {''.join([each.text for each in part.words])}".strip()
        yield from _wrapped(words, room_px, part.lines)


def _wrapped(text: str, room_px: float, most: int) -> list[str]:
    """*text* in at most so many lines, each as long as the layout has reckoned with."""
    letters = max(_letters(text, room_px, _LETTER_PX), _letters(text, CHARACTERS_PER_LINE, 1.0))
    return textwrap.wrap(text, letters, max_lines=most, placeholder=" …") or [""]


def _letters(text: str, room_px: float, letter_px: float) -> int:
    """How many letters there is room for; wide ones take two places."""
    wide = sum(character > _WIDE for character in text)
    return max(4, int(room_px / letter_px * len(text) / max(1, len(text) + wide)))


def _cut(text: str, room_px: float, letter_px: float) -> str:
    line = " ".join(text.split())
    letters = _letters(line, room_px, letter_px)
    return line if len(line) <= letters else f"{line[: letters - 1]}…"


def _text(x: float, y: float, words: str, kind: str = "") -> str:
    look = f' class="{kind}"' if kind else ""
    return f'<text x="{px(x)}" y="{px(y)}"{look}>{safe(words)}</text>'


def _fitted(x: float, y: float, words: str, room_px: float) -> str:
    """The same, drawn closer where it would be wider than *room_px*."""
    squeezed = f' textLength="{px(room_px)}" lengthAdjust="spacingAndGlyphs"' if width_of(words, 12.0) > room_px else ""
    return f'<text x="{px(x)}" y="{px(y)}"{squeezed}>{safe(words)}</text>'


def _mark(mark: Mark | None, rect: Rect) -> str:
    """The sign of *mark* on the top right corner, and how often the run came there, where that was more than once."""
    if mark is None:
        return ""
    x, y = rect.x + rect.width - 4, rect.y + 2
    sign = (
        f'<circle class="mark {mark.kind}" r="8"/><path class="sign" stroke-linecap="round" d="{_SIGNS[mark.kind]}"/>'
    )
    count = ngettext("{count} time", "{count} times", mark.visits) if mark.visits > 1 else ""
    told = f"<title>{safe(count)}</title>×{numeral(mark.visits)}"
    times = f'<text class="small" x="12" y="3">{told}</text>' if count else ""
    return f'<g transform="translate({px(x)} {px(y)})">{sign}{times}</g>'


def width_of(text: str, size_px: float) -> float:
    """About how wide *text* is in letters of *size_px*, in pixels; rather too wide than too narrow."""
    return size_px * sum([_EM.get(one, _WIDE_EM if one >= _WIDE else _USUAL_EM) for one in text])
