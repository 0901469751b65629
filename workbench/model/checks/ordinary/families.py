"""The findings of procedures and skills: a module of its own, which no program loads."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from workbench.model.checks.characters import check_characters
from workbench.model.checks.context import Context, in_order
from workbench.model.checks.damage import check_damage
from workbench.model.checks.headings import check_anchors, check_empty_file
from workbench.model.checks.ordinary.counting import check_counting
from workbench.model.checks.ordinary.skills import check_skill
from workbench.model.queries import Queries
from workbench.syntax.diagnostics import Diagnostic

_CHECKS: tuple[Callable[[Context], Iterator[Diagnostic]], ...] = (
    check_empty_file,
    check_damage,
    check_anchors,
    check_counting,
    check_skill,
)


def check_procedure(document: Queries) -> tuple[Diagnostic, ...]:
    """What the author of a procedure or a skill would agree is wrong, in the order of the text."""
    context = Context.of(document)
    return in_order([*check_characters(document), *(each for check_one in _CHECKS for each in check_one(context))])
