"""Two runs compared, in words: what changed, and each difference in a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.engine.audit.deeds import Outcome
from workbench.engine.comparing.comparison import Comparison, Row
from workbench.engine.comparing.differences import About, Difference
from workbench.engine.journal.choices import RunStatus, StepStatus
from workbench.engine.journal.payload import NOTHING
from workbench.engine.work import Went
from workbench.i18n import N_, _, duration_text, ngettext, numeral
from workbench.syntax.differences import common_length
from workbench.vocabulary import Status, status_of_run

SHORT = 120
_HASH = 12
MEASURED = frozenset({About.TIME, About.TOKENS, About.COST})
_ABOUT = {
    About.OUTCOME: N_("outcome"),
    About.ERROR: N_("error"),
    About.SOURCE: N_("text of the playbook"),
    About.TEXT: N_("words"),
    About.BRANCH: N_("decision"),
    About.ANSWER: N_("answer"),
    About.ARGUMENTS: N_("arguments"),
    About.CALL: N_("call"),
    About.RESULT: N_("result"),
    About.VALUE: N_("value"),
    About.TOLD: N_("said"),
    About.ATTEMPTS: N_("attempts"),
    About.JUDGE: N_("judged by"),
    About.TIME: N_("time"),
    About.TOKENS: N_("tokens"),
    About.COST: N_("cost"),
}
_STEP = {
    StepStatus.DONE: Status.DONE,
    StepStatus.RUNNING: Status.INTERRUPTED,
    StepStatus.WAITING: Status.WAITING,
    StepStatus.SKIPPED: Status.SKIPPED,
    StepStatus.FAILED: Status.FAILED,
}
OUTCOMES = {
    Outcome.DONE: N_("done"),
    Outcome.FAILED: N_("failed"),
    Outcome.BLOCKED: N_("blocked"),
    Outcome.NOT_MADE: N_("not made"),
    Outcome.OPEN: N_("not over"),
}
_WENT = {Went.DONE.value: N_("done"), Went.SKIPPED.value: N_("skipped"), Went.FAILED.value: N_("did not work")}
_FIRST_OF_ALL = frozenset({About.TEXT, About.BRANCH, About.ANSWER, About.ARGUMENTS, About.JUDGE})
"""What differs before anything within a step has begun; the rest may follow from what happened in it."""


@dataclass(frozen=True, slots=True)
class Told:
    """A difference in words: what differs, and what it is in the other run and in the run."""

    what: str
    other: str
    run: str

    @property
    def line(self) -> str:
        """All of it in one line."""
        return f"{self.what}: {' '.join(self.other.split())} → {' '.join(self.run.split())}"


def run_words(status: RunStatus) -> str:
    """How far a run came that nobody carries out now."""
    return str(status_of_run(status, is_live=False))


def step_words(status: StepStatus) -> str:
    """How far a step came."""
    return str(_STEP[status])


def told(difference: Difference, length: int = SHORT) -> Told:
    """*difference* in words; from values longer than *length* what stands where they begin to differ."""
    what = str(_ABOUT[difference.about])
    if difference.name:
        what = f"{what} {difference.name}"
    was, now = _texts(difference)
    return Told(what, *_shortened(was, now, length))


def _texts(difference: Difference) -> tuple[str, str]:
    was, now = difference.other, difference.run
    is_text = all(each is NOTHING or isinstance(each, str) for each in (was, now))
    return _text(difference, was, is_text=is_text), _text(difference, now, is_text=is_text)


def _text(difference: Difference, value: Any, *, is_text: bool) -> str:
    if value is NOTHING or (is_text and value == ""):
        return _("nothing")
    match difference.about:
        case About.SOURCE:
            return str(value)[:_HASH]
        case About.OUTCOME:
            return _outcome_words(str(value))
        case About.TIME:
            return duration_text(value)
        case About.TOKENS | About.ATTEMPTS:
            return numeral(value)
        case About.COST:
            return f"${numeral(value, '.4f')}"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if is_text and difference.about is About.ANSWER and value in _WENT:
        return str(_WENT[value])
    return value if is_text else json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def _outcome_words(value: str) -> str:
    """A status of a run, of a step or of a call: the same value stands for the same word."""
    if value in {each.value for each in StepStatus}:
        return step_words(StepStatus(value))
    if value in {each.value for each in RunStatus}:
        return run_words(RunStatus(value))
    return str(OUTCOMES[Outcome(value)])


def _shortened(was: str, now: str, length: int) -> tuple[str, str]:
    """*was* and *now* where they begin to differ, as far as there is room."""
    if max(len(was), len(now)) <= length:
        return was, now
    begin = max(0, common_length(was, now) - length // 3)
    begin = begin if begin > 1 else 0
    return _cut(was, begin, length), _cut(now, begin, length)


def _cut(text: str, begin: int, length: int) -> str:
    before = "…" if begin and text else ""
    return f"{before}{text[begin : begin + length]}{'…' if len(text) > begin + length else ''}"


def place_words(row: Row) -> str:
    """Where *row* is: the address, with the round and how often the run came there."""
    shown = row.shown
    parts = [shown.address or _("outside of steps")]
    if shown.round:
        parts.append(_("round {number}").format(number=numeral(shown.round)))
    if shown.visit > 1:
        parts.append(_("visit {number}").format(number=numeral(shown.visit)))
    return ", ".join(parts)


def only_words(row: Row) -> str:
    """Which of the runs came to *row*, where only one did."""
    return _("only in this run") if row.other is None else _("only in the other run")


def summary_of(comparison: Comparison) -> tuple[str, ...]:
    """What is different, in sentences; the first says how the runs ended."""
    return tuple(_sentences(comparison))


def _sentences(comparison: Comparison) -> Iterator[str]:
    yield _ends(comparison)
    if comparison.run.source == comparison.other.run:
        number = numeral(comparison.run.source_seq)
        yield _("This run is a fork of the other one, from its event {number} on.").format(number=number)
    if comparison.run.error:
        yield _("Error: {error}").format(error=comparison.run.error)
    if not comparison.matters:
        yield _("Nothing differs in what they did.")
    if not comparison.is_same_text:
        yield _text_words(comparison.rows)
    names = [each.name for each in comparison.differences if each.about is About.ARGUMENTS]
    if names:
        yield _("It was started with other values: {names}.").format(names=", ".join(names))
    yield from (
        _("Others judged: {judges}.").format(judges=told(each).line.partition(": ")[2])
        for each in comparison.differences
        if each.about is About.JUDGE
    )
    first = first_difference(comparison)
    if first is not None:
        yield _first_words(first)
    counts = ", ".join(_counts(comparison))
    if counts:
        yield f"{counts}."
    yield from (told(each).line for each in comparison.differences if each.about in MEASURED)


def _ends(comparison: Comparison) -> str:
    now, was = run_words(comparison.run.status), run_words(comparison.other.status)
    if now == was:
        return _("How both runs ended: {status}.").format(status=now)
    return _("How this run ended: {status}; the other run: {other}.").format(status=now, other=was)


def _text_words(rows: Sequence[Row]) -> str:
    changed = {
        row.shown.address for row in rows if row.is_in_both and any(one.about is About.TEXT for one in row.differences)
    }
    if not changed:
        return _("The playbook was changed in between; the steps that both runs came to have the same words.")
    words = ngettext(
        "The playbook was changed in between: {count} step that both came to has other words.",
        "The playbook was changed in between: {count} steps that both came to have other words.",
        len(changed),
    )
    return words.format(count=numeral(len(changed)))


def first_difference(comparison: Comparison) -> Row | None:
    """Where the runs part: the first row that differs by itself, and not by what is in it."""
    rows = comparison.rows
    differing = [place for place, row in enumerate(rows) if row.matters]
    for index, place in enumerate(differing):
        row = rows[place]
        following = differing[index + 1] if index + 1 < len(differing) else None
        holds_next = following is not None and all(each.depth > row.depth for each in rows[place + 1 : following + 1])
        if not row.is_in_both or not holds_next or any(one.about in _FIRST_OF_ALL for one in row.differences):
            return row
    return None


def _first_words(row: Row) -> str:
    lines = [told(each).line for each in row.differences if each.matters]
    what = lines[0] if row.is_in_both else ", ".join((only_words(row), *lines[:1]))
    text = " ".join(row.shown.text.split())
    if not text:
        return _("They part at {place}: {what}").format(place=place_words(row), what=what)
    return _("They part at {place} “{text}”: {what}").format(
        place=place_words(row), text=_cut(text, 0, SHORT), what=what
    )


def _counts(comparison: Comparison) -> Iterator[str]:
    differing = comparison.differing
    in_both = sum(row.is_in_both for row in differing)
    here = sum(row.other is None for row in differing)
    there = len(differing) - in_both - here
    if in_both:
        yield ngettext("{count} step differs", "{count} steps differ", in_both).format(count=numeral(in_both))
    if here:
        words = ngettext("{count} step only in this run", "{count} steps only in this run", here)
        yield words.format(count=numeral(here))
    if there:
        words = ngettext("{count} step only in the other run", "{count} steps only in the other run", there)
        yield words.format(count=numeral(there))
    if comparison.values:
        count = len(comparison.values)
        words = ngettext("{count} variable differs at the end", "{count} variables differ at the end", count)
        yield words.format(count=numeral(count))
