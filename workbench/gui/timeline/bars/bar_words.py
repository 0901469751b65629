"""The words of bars: on them, and in the tooltip. They come from the text that the run executes."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping
from functools import cached_property

from workbench.gui.timeline.bars.bars import Bar, BarKind, BarStatus
from workbench.gui.timeline.bars.columns import Costs
from workbench.gui.words.run_words import RunWords, number_of
from workbench.gui.words.values import drawable
from workbench.i18n import N_, _, duration_text, ngettext, numeral
from workbench.model.showing.words import plain_text
from workbench.model.snapshot import Snapshot
from workbench.vocabulary import Status

_MARKS = {
    BarStatus.FAILED: "✕ ",
    BarStatus.WAITING: "? ",
    BarStatus.BLOCKED: "! ",
    BarStatus.STOPPED: "■ ",
    BarStatus.SKIPPED: "– ",
    BarStatus.NO: "– ",
}
_KIND_WORDS = {
    BarKind.PLAYBOOK: N_("Playbook {name}"),
    BarKind.CALL: N_("Call to {name}"),
    BarKind.QUESTION: N_("Question"),
    BarKind.JUDGEMENT: N_("Question"),
    BarKind.WAIT: N_("Wait"),
    BarKind.MODEL: N_("Model {name}"),
    BarKind.ATTEMPT: N_("Attempt {name}"),
}


class PlannedSteps:
    """The steps of the text with which a run began: they are its plan. Arguments as at ``RunWords``."""

    def __init__(self, ran: Snapshot | None, earlier: Iterable[tuple[int, Snapshot | None]] = ()) -> None:
        texts = tuple(earlier)
        self._first = texts[0][1] if texts else ran
        self._words = RunWords(ran, texts)

    @cached_property
    def steps(self) -> Mapping[str, str]:
        """The addresses of all steps, by their words, in their order."""
        first = self._first
        if first is None:
            return {}
        roots = (step for playbook in first.program.playbooks for root in playbook.steps for step in root.walk())
        return {plain_text(step): first.address(step.id) for step in roots}

    def words_at(self, address: str, seq: int) -> str:
        """The words of the step at *address* when the event with the number *seq* happened."""
        return self._words.step_text(address, seq)


class BarWords(RunWords):
    """Words for the bars of one run, and for the steps that they stand for."""

    def label(self, bar: Bar) -> str:
        """What stands on the bar; status is told by a sign too, never by colour alone."""
        return _MARKS.get(bar.status, "") + self._name(bar)

    def tooltip(self, bar: Bar, now_ns: int, costs: Costs | None = None) -> str:
        """Step, duration, status, error, and what of the *costs* arose in it, as rich text."""
        end_ns = now_ns if bar.is_open else bar.end_ns
        lines = [
            f"<b>{_marked_up(self._title(bar))}</b>",
            _marked_up(self.step_text(bar.step, bar.seq)) if bar.tint.kind is not BarKind.PLAYBOOK else "",
            html.escape(f"{Status[bar.status.name]} · {duration_text(end_ns - bar.start_ns)}"),
            html.escape(cost_text(costs, bar.start_ns, end_ns)) if costs is not None else "",
            _marked_up(bar.note),
        ]
        return "<br>".join(line for line in lines if line)

    def line(self, bar: Bar, now_ns: int) -> str:
        """The same on one line."""
        lasted = duration_text((now_ns if bar.is_open else bar.end_ns) - bar.start_ns)
        words = [self._title(bar), str(Status[bar.status.name]), lasted]
        if bar.tint.kind is not BarKind.PLAYBOOK:
            words.insert(1, self.step_text(bar.step, bar.seq))
        return " · ".join(word for word in words if word)

    def _name(self, bar: Bar) -> str:
        if bar.tint.kind is BarKind.STEP:
            return f"{number_of(bar.step)} {self.step_text(bar.step, bar.seq)}".strip()
        if bar.tint.kind in (BarKind.QUESTION, BarKind.JUDGEMENT, BarKind.WAIT):
            return bar.note or self.step_text(bar.step, bar.seq)
        if bar.tint.kind is BarKind.ATTEMPT:
            return self._title(bar)
        return bar.name

    def _title(self, bar: Bar) -> str:
        if bar.tint.kind is BarKind.STEP:
            return _("Step {address}").format(address=bar.step)
        return _KIND_WORDS[bar.tint.kind].format(name=bar.name)


def cost_text(costs: Costs, start_ns: float = -1, end_ns: float = math.inf) -> str:
    """What models have cost meanwhile; empty for nothing."""
    cost = costs.between(start_ns, end_ns)
    if not cost:
        return ""
    return f"${numeral(cost, '.4f')}" if costs.is_money else ngettext("{count} token", "{count} tokens", int(cost))


def _marked_up(text: str) -> str:
    return html.escape(drawable(text))
