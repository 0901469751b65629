"""The words of bars: on them, and in the tooltip. They come from the text that the run executes."""

from __future__ import annotations

import html

from workbench.gui.timeline.bars import Bar, BarKind, BarStatus
from workbench.gui.timeline.time_window import duration_text
from workbench.i18n import _
from workbench.model.meaning import StepKind
from workbench.model.snapshot import Snapshot

STATUS_WORDS = {
    BarStatus.SKIPPED: _("skipped"),
    BarStatus.DONE: _("done"),
    BarStatus.STOPPED: _("stopped"),
    BarStatus.RUNNING: _("running"),
    BarStatus.WAITING: _("waiting for an answer"),
    BarStatus.BLOCKED: _("blocked or in doubt"),
    BarStatus.FAILED: _("failed"),
}
_MARKS = {
    BarStatus.FAILED: "✕ ",
    BarStatus.WAITING: "? ",
    BarStatus.BLOCKED: "! ",
    BarStatus.STOPPED: "■ ",
    BarStatus.SKIPPED: "– ",
}
_KIND_WORDS = {
    BarKind.PLAYBOOK: _("Playbook {name}"),
    BarKind.CALL: _("Call of {name}"),
    BarKind.QUESTION: _("Question"),
}


class BarWords:
    """Words for the bars of one run of *snapshot* (None: its text is not at hand)."""

    def __init__(self, snapshot: Snapshot | None = None) -> None:
        self._snapshot = snapshot
        self._known: dict[str, tuple[StepKind, str]] = {}

    def step_words(self, address: str) -> tuple[StepKind, str]:
        """How the step at *address* is drawn, and its words; asked for with every event, so it is kept."""
        if address not in self._known:
            step = self._snapshot.at_address(address) if self._snapshot and address else None
            self._known[address] = (step.kind, step.text) if step else (StepKind.STEP, "")
        return self._known[address]

    def step_kind(self, address: str) -> StepKind:
        """How the step at *address* is drawn."""
        return self.step_words(address)[0]

    def step_text(self, address: str) -> str:
        """The words of the step at *address*."""
        return self.step_words(address)[1]

    def label(self, bar: Bar) -> str:
        """What stands on the bar; status is told by a sign too, never by colour alone."""
        return _MARKS.get(bar.status, "") + self._name(bar)

    def tooltip(self, bar: Bar, now_ns: int) -> str:
        """Step, duration, status, error, as rich text."""
        end_ns = now_ns if bar.is_open else bar.end_ns
        lines = [
            f"<b>{html.escape(self._title(bar))}</b>",
            html.escape(self.step_text(bar.step)) if bar.tint.kind is not BarKind.PLAYBOOK else "",
            html.escape(f"{STATUS_WORDS[bar.status]} · {duration_text(end_ns - bar.start_ns)}"),
            html.escape(bar.note),
        ]
        return "<br>".join(line for line in lines if line)

    def line(self, bar: Bar, now_ns: int) -> str:
        """The same on one line."""
        lasted = duration_text((now_ns if bar.is_open else bar.end_ns) - bar.start_ns)
        words = [self._title(bar), STATUS_WORDS[bar.status], lasted]
        if bar.tint.kind is not BarKind.PLAYBOOK:
            words.insert(1, self.step_text(bar.step))
        return " · ".join(word for word in words if word)

    def _name(self, bar: Bar) -> str:
        if bar.tint.kind is BarKind.STEP:
            return f"{number_of(bar.step)} {self.step_text(bar.step)}".strip()
        if bar.tint.kind is BarKind.QUESTION:
            return bar.note or self.step_text(bar.step)
        return bar.name

    def _title(self, bar: Bar) -> str:
        if bar.tint.kind is BarKind.STEP:
            return _("Step {address}").format(address=bar.step)
        return _KIND_WORDS[bar.tint.kind].format(name=bar.name)


def number_of(address: str) -> str:
    """``02.01`` of ``Main:02.01``."""
    return address.rpartition(":")[2]
