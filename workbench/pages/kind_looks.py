"""The word, the icon and the colours of each kind of step, for the window, pages and diagrams alike."""

from __future__ import annotations

from typing import NamedTuple

from workbench.i18n import N_, LazyText
from workbench.model.meaning import StepKind


class KindLook(NamedTuple):
    """A kind of step as a person sees it. *light*, *dark*, *contrast*: its colour in each theme; icon and word
    never depend on colour alone.
    """

    word: LazyText
    icon: str
    light: str
    dark: str
    contrast: str


LOOKS: dict[StepKind, KindLook] = {
    StepKind.TRIGGER: KindLook(N_("Trigger"), "trigger", "#8F5E00", "#E3B059", "#F2C878"),
    StepKind.STEP: KindLook(N_("Step"), "action", "#4A5A70", "#9AABC2", "#B9C8DC"),
    StepKind.ASK: KindLook(N_("Ask"), "ask", "#7145C9", "#B99BF7", "#D5C2FF"),
    StepKind.TELL: KindLook(N_("Tell"), "tell", "#0B7276", "#53C6C7", "#7FE0E1"),
    StepKind.ASSIGN: KindLook(N_("Assign"), "assign", "#2D669F", "#86B7E8", "#A9D0F7"),
    StepKind.CALL: KindLook(N_("Call"), "call", "#4653C7", "#98A4FF", "#BCC5FF"),
    StepKind.DECISION: KindLook(N_("Decision"), "decision", "#A84B06", "#F2A061", "#FFBE8A"),
    StepKind.LOOP: KindLook(N_("Loop"), "loop", "#26734A", "#74CB99", "#93E0B4"),
    StepKind.RETURN: KindLook(N_("Return"), "return", "#A32C43", "#F28D9F", "#FFAEBB"),
    StepKind.END: KindLook(N_("End"), "end", "#A32C43", "#F28D9F", "#FFAEBB"),
    StepKind.NOTE: KindLook(N_("Note"), "note", "#8F5E00", "#E3B059", "#F2C878"),
    StepKind.RAW: KindLook(N_("Kept as written"), "raw", "#5C6370", "#9CA3AF", "#C4C9D2"),
}
"""Every kind, in the order in which they are offered."""
