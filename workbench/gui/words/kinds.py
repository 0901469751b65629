"""Everything that the window says and shows of a kind of step, in one table.

What a kind *means* is said where it is carried out (``model/meaning.py`` and the engine); how it looks and what it
is called is asked here by the flowchart, the insert box, menus, inspector, outline, source and timeline alike.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.assist.openings import PLAIN, SAMPLES, Sample
from workbench.editing.verbs.change_kind import KINDS_TO_BECOME
from workbench.i18n import N_, LazyText, _
from workbench.model.kinds import FileKind
from workbench.model.meaning import Group, StepKind
from workbench.model.program import Program, Step


@dataclass(frozen=True, slots=True)
class KindSpec:
    """A kind of step as a person sees it. *light*, *dark*, *contrast*: its colour in each theme; icon and word
    never depend on colour alone. *samples*: what can be inserted."""

    word: LazyText
    icon: str
    light: str
    dark: str
    contrast: str
    samples: tuple[Sample, ...] = ()


KINDS: dict[StepKind, KindSpec] = {
    StepKind.TRIGGER: KindSpec(N_("Trigger"), "trigger", "#8F5E00", "#E3B059", "#F2C878"),
    StepKind.STEP: KindSpec(N_("Step"), "action", "#4A5A70", "#9AABC2", "#B9C8DC", SAMPLES[StepKind.STEP]),
    StepKind.ASK: KindSpec(N_("Ask"), "ask", "#7145C9", "#B99BF7", "#D5C2FF", SAMPLES[StepKind.ASK]),
    StepKind.TELL: KindSpec(N_("Tell"), "tell", "#0B7276", "#53C6C7", "#7FE0E1", SAMPLES[StepKind.TELL]),
    StepKind.ASSIGN: KindSpec(N_("Assign"), "assign", "#2D669F", "#86B7E8", "#A9D0F7", SAMPLES[StepKind.ASSIGN]),
    StepKind.CALL: KindSpec(N_("Call"), "call", "#4653C7", "#98A4FF", "#BCC5FF"),
    StepKind.DECISION: KindSpec(
        N_("Decision"), "decision", "#A84B06", "#F2A061", "#FFBE8A", SAMPLES[StepKind.DECISION]
    ),
    StepKind.LOOP: KindSpec(N_("Loop"), "loop", "#26734A", "#74CB99", "#93E0B4", SAMPLES[StepKind.LOOP]),
    StepKind.RETURN: KindSpec(N_("Return"), "return", "#A32C43", "#F28D9F", "#FFAEBB", SAMPLES[StepKind.RETURN]),
    StepKind.END: KindSpec(N_("End"), "end", "#A32C43", "#F28D9F", "#FFAEBB", SAMPLES[StepKind.END]),
    StepKind.NOTE: KindSpec(N_("Note"), "note", "#8F5E00", "#E3B059", "#F2C878"),
    StepKind.RAW: KindSpec(N_("Kept as written"), "raw", "#6B7280", "#9CA3AF", "#C4C9D2"),
}
"""Every kind, in the order in which they are offered."""

CHOICES = tuple(kind for kind in KINDS if kind in KINDS_TO_BECOME)
"""The kinds that a step can be turned into, in the order in which they are offered."""


def choices_in(program: Program) -> tuple[StepKind, ...]:
    """The kinds that a step of *program* can be turned into."""
    is_plain = program.kind in (FileKind.PROCEDURE, FileKind.SKILL)
    return tuple(kind for kind in CHOICES if kind in PLAIN) if is_plain else CHOICES


def icon_of(kind: StepKind) -> str:
    """The name of the icon of *kind*."""
    return KINDS[kind].icon


def word_of(kind: StepKind) -> str:
    """What a person calls a step of *kind*."""
    return str(KINDS[kind].word)


def word_for(step: Step) -> str:
    """What a person calls *step*: a heading that holds steps is no text that is kept, though it is done as little."""
    return _("Group") if isinstance(step.meaning, Group) else word_of(step.kind)
