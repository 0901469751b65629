"""A run over time as a picture in a page: a bar for each playbook, step, call, question and request to a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.engine.audit.spans import Span, spans_of
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_clock import RunClock
from workbench.i18n import N_, LazyText, _, duration_text
from workbench.pages.page import heading, px, safe

STYLE = """
.timeline { display: block; width: 100%; height: auto }
.grid { stroke: var(--line) }
.bar { fill-opacity: .36; stroke: var(--ground) } .bar.playbook { fill: var(--edge) } .bar.step { fill: var(--accent) }
.bar.question, .bar.wait { fill: var(--asks) } .bar.call { fill: var(--held) } .bar.model { fill: var(--good) }
.bar.failed { fill: var(--bad); fill-opacity: 1 } svg text.on-failed { fill: var(--ground) }
.failure { stroke: var(--bad); stroke-width: 1.5; fill: none }
svg text.on { font-size: 11px }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; color: var(--muted); font-size: 13px; margin: .3rem 0 }
.legend svg { width: 12px; height: 12px; margin-right: .35rem; vertical-align: -1px }
@media print { .whole { break-inside: avoid } }
"""
_WIDTH = 1160.0
_RULER = 22.0
_LANE = 22.0
_BAR = 18.0
_LANES = 14
_LETTER = 6.2
_NARROW = 34.0
_LEAST = 1.0
_LEAST_FAILED = 3.0
_TICKS = 8
_NS_PER_S = 1_000_000_000
_STEPS_NS = (
    *(unit * 10**power for power in range(3, 10) for unit in (1, 2, 5)),
    *(seconds * _NS_PER_S for seconds in (10, 20, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400, 43_200, 86_400)),
)
_KINDS: dict[str, LazyText] = {
    "playbook": N_("playbook"),
    "step": N_("step"),
    "question": N_("question"),
    "call": N_("call"),
    "model": N_("request to a model"),
    "wait": N_("waiting"),
    "failed": N_("failed"),
}


@dataclass(frozen=True, slots=True)
class _Bar:
    """*kind*: how it looks. Times are those of the picture, in ns from its left edge."""

    lane: int
    kind: str
    label: str
    start_ns: int
    end_ns: int
    message: str = ""


def timeline(events: Sequence[RunEvent]) -> str:
    """The picture of the run of *events*; empty where nothing took place in it."""
    axis = _Axis(events)
    bars = list(_bars(events, axis))
    if not bars or not axis.length_ns:
        return ""
    lanes = max(bar.lane for bar in bars) + 1
    height = _RULER + lanes * _LANE + 4
    scale = _WIDTH / axis.length_ns
    shown = [*_drawn([bar for bar in bars if bar.kind != "failed"], scale)]
    shown += _drawn([bar for bar in bars if bar.kind == "failed"], scale)  # last, so that nothing covers them
    legend = "".join(_legend(kind) for kind in _KINDS if any(bar.kind == kind for bar in bars))
    return (
        f'<div class="whole">{heading(_("Timeline"))}<div class="legend">{legend}</div>'
        f'<svg class="timeline" viewBox="0 0 {px(_WIDTH)} {px(height)}" role="img" aria-label="{safe(_("Timeline"))}">'
        f"{''.join((*_ruler(axis.length_ns, scale, height), *shown))}</svg></div>"
    )


def _legend(kind: str) -> str:
    square = f'<svg viewBox="0 0 12 12"><rect class="bar {kind}" width="12" height="12" rx="2"/></svg>'
    return f"<span>{square}{safe(str(_KINDS[kind]))}</span>"


class _Axis:
    """The time line of a run, which takes no room where nobody carried it out."""

    def __init__(self, events: Sequence[RunEvent]) -> None:
        clock = RunClock()
        self._places = {event.at_ns: clock.move_to(event) for event in events}
        self.length_ns = clock.position_ns

    def place(self, at_ns: int) -> int:
        """Where an event at *at_ns* lies, from the beginning of the run."""
        return self._places.get(at_ns, self.length_ns)


def _bars(events: Sequence[RunEvent], axis: _Axis) -> Iterator[_Bar]:
    """A bar for each span but that of the run, in the lane below what it is part of."""
    spans = {span.key: span for span in spans_of(events, contents=True)}
    lanes: dict[str, int] = {"": -1}
    for span in sorted(spans.values(), key=lambda one: (one.start_ns, -one.end_ns)):
        if span.key:
            lane = lanes[span.key] = lanes.get(span.parent or "", -1) + 1
            kind, label = _kind(span)
            is_failed = span.has_failed and kind != "playbook"
            start, end = axis.place(span.start_ns), axis.place(span.end_ns)
            yield _Bar(min(lane, _LANES - 1), "failed" if is_failed else kind, label, start, end, span.message)


def _kind(span: Span) -> tuple[str, str]:
    """What *span* is, and what stands on its bar."""
    told = span.attributes
    match span.name.partition(" ")[0]:
        case "invoke_agent":
            return "playbook", str(told.get("playbook.name", ""))
        case "execute_tool":
            return "call", str(told.get("gen_ai.tool.name", ""))
        case "chat":
            return "model", str(told.get("gen_ai.request.model", ""))
        case "playbook.step":
            return "step", f"{told.get('playbook.step', '')} {told.get('playbook.text', '')}".strip()
        case "playbook.wait":
            return "wait", str(_KINDS["wait"])
        case _:
            words = told.get("playbook.text", "") or told.get("gen_ai.tool.name", "")
            return "question", str(words or _KINDS["question"])


def _drawn(bars: Sequence[_Bar], scale: float) -> Iterator[str]:
    """*bars* as they are drawn; those that would lie within the last pixel of the one before are left out."""
    reached: dict[int, float] = {}
    for bar in bars:
        x = bar.start_ns * scale
        width = max((bar.end_ns - bar.start_ns) * scale, _LEAST_FAILED if bar.kind == "failed" else _LEAST)
        if x + width > reached.get(bar.lane, -1.0) + 0.5:
            reached[bar.lane] = x + width
            yield _drawn_bar(bar, min(x, _WIDTH - width), width)


def _drawn_bar(bar: _Bar, x: float, width: float) -> str:
    y = _RULER + bar.lane * _LANE
    label = " ".join(bar.label.split())
    told = " · ".join(filter(None, (label, duration_text(bar.end_ns - bar.start_ns), bar.message)))
    words = ""
    if width >= _NARROW:
        letters = max(1, int((width - 8) / _LETTER))
        shown = label if len(label) <= letters else f"{label[: letters - 1]}…"
        look = "on on-failed" if bar.kind == "failed" else "on"
        words = f'<text class="{look}" x="{px(x + 4)}" y="{px(y + 13)}">{safe(shown)}</text>'
    rect = f'<rect class="bar {bar.kind}" x="{px(x)}" y="{px(y)}" width="{px(width)}" height="{_BAR}" rx="2"/>'
    sign = _failure(x + width / 2, y) if bar.kind == "failed" else ""
    return f"<g><title>{safe(told)}</title>{rect}{sign}{words}</g>"


def _failure(x: float, y: float) -> str:
    """A cross on the ruler, and a line down to the bar: a failure may be too short to be seen."""
    at = min(max(x, 5.0), _WIDTH - 5.0)
    return f'<path class="failure" d="M{px(at - 4)} 4l8 8m0 -8l-8 8M{px(at)} 12V{px(y)}"/>'


def _ruler(length_ns: int, scale: float, height: float) -> Iterator[str]:
    """Lines at round times, with those times."""
    step = next((each for each in _STEPS_NS if length_ns / each <= _TICKS), _STEPS_NS[-1])
    step *= max(1, round(length_ns / step / _TICKS))
    for at in range(0, length_ns + 1, step):
        x = at * scale
        yield f'<line class="grid" x1="{px(x)}" x2="{px(x)}" y1="0" y2="{px(height)}"/>'
        if x < _WIDTH - 50:
            yield f'<text class="small" x="{px(x + 4)}" y="13">{safe(duration_text(at) if at else "0")}</text>'
