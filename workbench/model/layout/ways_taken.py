"""How often each way of the picture was taken, which follows from how often each step was carried out.

A way has no event of its own: a run tells which steps it comes to, and which conditions did not hold.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from workbench.model.decisions import arm_leaves, chains, continues_chain, is_total, leaves_alone
from workbench.model.layout.shapes import Route
from workbench.model.meaning import RouteKind, StepKind
from workbench.model.program import Step, StepId
from workbench.model.queries import Queries


class Tally(NamedTuple):
    """How often a step was begun, ended without failing, and did not hold; rounds of a loop begun and ended."""

    begun: int = 0
    passed: int = 0
    refused: int = 0
    rounds: int = 0
    rounds_ended: int = 0


TallyOf = Callable[[StepId], Tally]
_WITH_COUNT = frozenset({RouteKind.YES, RouteKind.NO, RouteKind.REPEAT})


class WaysTaken:
    """What a run has done on the ways of *document*; it is asked for one way at a time, and keeps what it has found."""

    def __init__(self, document: Queries, tally_of: TallyOf) -> None:
        self._document = document
        self._tally_of = tally_of
        self._known: dict[Route, int] = {}

    def times(self, route: Route) -> int:
        """How often *route* was taken."""
        found = self._known.get(route)
        if found is None:
            found = self._known[route] = self._counted(route)
        return found

    def words(self, route: Route) -> str:
        """What is written on *route* besides its own words: how often it was taken, where it can be more than once."""
        times = self.times(route) if route.kind in _WITH_COUNT else 0
        return f"×{times}" if times > 1 else ""

    def _counted(self, route: Route) -> int:
        source = self._document.find(route.source) if route.source is not None else None
        target = self._tally_of(route.target) if route.target is not None else None
        if route.kind is RouteKind.REPEAT:
            return target.rounds_ended if target is not None else 0
        if source is None:
            return target.begun if target is not None else 0
        tally = self._tally_of(source.id)
        if route.kind is RouteKind.NO:
            return tally.refused
        if route.kind is RouteKind.YES:
            return tally.rounds if source.kind is StepKind.LOOP else tally.begun - tally.refused
        if source.kind is StepKind.TRIGGER:
            return min(tally.begun, target.begun) if target is not None else tally.begun
        return target.begun if target is not None else self._out_of(self._chain_of(source))

    def _chain_of(self, last: Step) -> tuple[Step, ...]:
        """The arms of the decision whose last one is *last*; any other step alone."""
        if last.kind is not StepKind.DECISION:
            return (last,)
        siblings = self._document.siblings(last.id)
        start = end = siblings.index(last)
        while start > 0 and continues_chain(siblings[start - 1], siblings[start]):
            start -= 1
        return siblings[start : end + 1]

    def _out_of(self, chain: tuple[Step, ...]) -> int:
        """How often one came out below *chain*."""
        if chain[0].kind is not StepKind.DECISION:
            return 0 if leaves_alone(chain[0]) else self._tally_of(chain[0].id).passed
        past = 0 if is_total(chain) else self._tally_of(chain[-1].id).refused
        return past + sum(self._out_of_arm(arm) for arm in chain)

    def _out_of_arm(self, arm: Step) -> int:
        tally = self._tally_of(arm.id)
        if not arm.children:
            return 0 if arm_leaves(arm) else tally.begun - tally.refused
        return self._out_of(tuple(chains(arm.children))[-1])
