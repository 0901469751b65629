"""Everything that the window says and shows of a kind of step, in one table.

What a kind *means* is said where it is carried out (``model/meaning.py`` and the engine); how it looks and what it
is called is asked here by the flowchart, the insert box, menus, inspector, outline, source and timeline alike.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.assist.openings import PLAIN, SAMPLES, Sample
from workbench.editing.verbs.change_kind import KINDS_TO_BECOME
from workbench.i18n import LazyText, _
from workbench.model.kinds import FileKind
from workbench.model.meaning import Group, StepKind
from workbench.model.program import Program, Step
from workbench.pages.kind_looks import LOOKS


@dataclass(frozen=True, slots=True)
class KindSpec:
    """A kind of step as a person sees it, see ``KindLook``. *samples*: what can be inserted."""

    word: LazyText
    icon: str
    light: str
    dark: str
    contrast: str
    samples: tuple[Sample, ...] = ()


KINDS = {kind: KindSpec(*look, SAMPLES.get(kind, ())) for kind, look in LOOKS.items()}
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
