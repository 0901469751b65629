"""Two versions of a playbook in words: what became of each step and part, for the terminal and for pages."""

from __future__ import annotations

import enum
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from workbench.i18n import N_, _, ngettext, numeral
from workbench.model.program import Agent, Playbook
from workbench.model.versions.differences import (
    About,
    Differences,
    Fate,
    Fates,
    FieldChange,
    HunkKind,
    Part,
    PartChange,
    StepChange,
)

FATES = {
    Fate.ADDED: N_("added"),
    Fate.REMOVED: N_("removed"),
    Fate.CHANGED: N_("changed"),
    Fate.MOVED: N_("moved"),
    Fate.REORDERED: N_("in another order"),
}
SIGNS = {Fate.ADDED: "+", Fate.REMOVED: "−", Fate.MOVED: "→", Fate.REORDERED: "⇅", Fate.CHANGED: "≠"}
"""One for each, the first that fits: where a step has gone says more than that its words changed as well."""
_ABOUT = {
    About.TITLE: N_("heading"),
    About.DESCRIPTION: N_("description"),
    About.METADATA: N_("setting"),
    About.MODE: N_("way to carry it out"),
    About.ORDER: N_("done in order"),
    About.CARRIED_OUT: N_("carried out"),
    About.KIND: N_("kind of agent"),
    About.PYTHON: N_("Python code"),
    About.TICKED: N_("ticked"),
    About.FIELD: N_("field"),
}


@dataclass(frozen=True, slots=True)
class ToldField:
    """What differs, and what it *was* and is *now*."""

    what: str
    was: str
    now: str


def told_field(change: FieldChange) -> ToldField:
    """*change* in words."""
    what = str(_ABOUT[change.about])
    return ToldField(f"{what} {change.name}" if change.name else what, _value(change.was), _value(change.now))


def _value(value: object) -> str:
    if value is None or value in ("", ()):
        return _("nothing")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, tuple) and all(isinstance(each, str) for each in value):
        return "\n".join(value)
    return value if isinstance(value, str) else json.dumps(plain(value), ensure_ascii=False)


def plain(value: object) -> object:
    """*value* as JSON can hold it."""
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, enum.Enum):
        return plain(value.value)
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def sign_of(fates: Fates) -> str:
    """The sign of what became of something."""
    return next(sign for fate, sign in SIGNS.items() if fate in fates)


def fate_words(fates: Fates) -> str:
    """What became of something."""
    return ", ".join(str(words) for fate, words in FATES.items() if fate in fates)


def place_words(change: StepChange) -> str:
    """Where a step is; where it was as well, where that is elsewhere."""
    if change.old is None or change.new is None or change.fates == {Fate.CHANGED}:
        return change.standing.address
    return f"{change.old.address} → {change.new.address}"


def part_words(part: Part) -> str:
    """What a part is called."""
    if isinstance(part, Playbook):
        return _("playbook {name}").format(name=part.title or part.name)
    if isinstance(part, Agent):
        return _("agent {name}").format(name=part.title or part.name)
    return _("the whole file")


def own_steps(differences: Differences) -> tuple[StepChange, ...]:
    """The changes of steps, without those that came or went with their playbook."""
    whole = {
        id(each)
        for change in differences.parts
        if isinstance(change.part, Playbook) and not change.fates.isdisjoint({Fate.ADDED, Fate.REMOVED})
        for section in change.part.sections
        for step in section.steps
        for each in step.walk()
    }
    together = frozenset({Fate.ADDED, Fate.REMOVED})
    return tuple(each for each in differences.steps if not (each.fates <= together and id(each.standing.step) in whole))


def summary_of(differences: Differences) -> tuple[str, ...]:
    """What differs, in sentences; the first says the most."""
    if differences.is_same:
        is_written_alike = differences.old.source.encode() == differences.new.source.encode()
        if is_written_alike:
            return (_("Both versions are the same."),)
        return (_("Both versions have the same text, in another encoding."),)
    if differences.is_only_layout:
        return (_("Nothing differs but layout: blanks, line ends and numbering."),)
    return tuple(_sentences(differences))


def _sentences(differences: Differences) -> Iterator[str]:
    counts = ", ".join(_step_counts(Counter(fate for each in differences.steps for fate in each.fates)))
    yield f"{counts}." if counts else _("All steps are the same.")
    for change in differences.parts:
        yield f"{part_line(change)}."
    kinds = Counter(hunk.kind for hunk in differences.hunks)
    if kinds[HunkKind.TEXT]:
        words = ngettext(
            "Text around the steps differs in {count} place.",
            "Text around the steps differs in {count} places.",
            kinds[HunkKind.TEXT],
        )
        yield words.format(count=numeral(kinds[HunkKind.TEXT]))
    if kinds[HunkKind.LAYOUT]:
        words = ngettext(
            "Only the layout differs in {count} place.",
            "Only the layout differs in {count} places.",
            kinds[HunkKind.LAYOUT],
        )
        yield words.format(count=numeral(kinds[HunkKind.LAYOUT]))


def _step_counts(counts: Counter[Fate]) -> Iterator[str]:
    words = {
        Fate.ADDED: ngettext("{count} step added", "{count} steps added", counts[Fate.ADDED]),
        Fate.REMOVED: ngettext("{count} step removed", "{count} steps removed", counts[Fate.REMOVED]),
        Fate.CHANGED: ngettext("{count} step changed", "{count} steps changed", counts[Fate.CHANGED]),
        Fate.MOVED: ngettext("{count} step moved", "{count} steps moved", counts[Fate.MOVED]),
        Fate.REORDERED: ngettext(
            "{count} step in another order", "{count} steps in another order", counts[Fate.REORDERED]
        ),
    }
    yield from (text.format(count=numeral(counts[fate])) for fate, text in words.items() if counts[fate])


def part_line(change: PartChange) -> str:
    """What became of a part, in a line."""
    fields = ", ".join(told_field(each).what for each in change.fields)
    words = f"{part_words(change.part)}: {fate_words(change.fates)}"
    line = f"{words} ({fields})" if fields else words
    return f"{line[:1].upper()}{line[1:]}"
