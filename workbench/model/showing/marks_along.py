"""Marks along something long, gathered into as many as can be told apart: for the scroll bars of flowchart and text."""

from __future__ import annotations

import enum
from collections.abc import Hashable, Iterable
from typing import NamedTuple

LEAST_PX = 5.0
MOST_NAMED = 8


class MarkKind(enum.IntEnum):
    """What a mark stands for; of two at one place, the later one is drawn over the other."""

    MATCH = 0
    SELECTED = 1
    INFO = 2
    WARNING = 3
    ERROR = 4
    BREAKPOINT = 5
    BLOCKED = 6
    FAILED = 7
    WAITING = 8
    RUNNING = 9


class Mark(NamedTuple):
    """A mark of something at *at*, a share of the whole length (0 … 1). *target*: what it leads to."""

    kind: MarkKind
    at: float
    target: Hashable


class Cluster(NamedTuple):
    """Marks of one kind so near to each other that they look like one. *at_px*: where the first of them is.

    *targets*: what the first of them lead to; *size*: how many they are.
    """

    kind: MarkKind
    at_px: float
    targets: tuple[Hashable, ...]
    size: int


def gathered(marks: Iterable[Mark], length_px: float) -> tuple[Cluster, ...]:
    """*marks* as they are drawn along *length_px*: what is drawn first comes first."""
    firsts: dict[tuple[MarkKind, int], float] = {}
    targets: dict[tuple[MarkKind, int], list[Hashable]] = {}
    counts: dict[tuple[MarkKind, int], int] = {}
    for kind, at, target in marks:
        at_px = min(max(at, 0.0), 1.0) * length_px
        key = kind, int(at_px // LEAST_PX)
        count = counts.get(key, 0)
        counts[key] = count + 1
        firsts[key] = min(firsts.get(key, at_px), at_px)
        if count < MOST_NAMED:
            targets.setdefault(key, []).append(target)
    return tuple([Cluster(key[0], firsts[key], tuple(targets[key]), counts[key]) for key in sorted(counts)])


def nearest(clusters: Iterable[Cluster], at_px: float, reach_px: float = LEAST_PX) -> Cluster | None:
    """The cluster that is meant at *at_px*: of those within reach the nearest, of several there the most urgent."""
    near = [each for each in clusters if abs(each.at_px - at_px) <= reach_px]
    return min(near, key=lambda each: (round(abs(each.at_px - at_px)), -each.kind), default=None)


def around(clusters: Iterable[Cluster], at_px: float, reach_px: float = LEAST_PX) -> tuple[Cluster, ...]:
    """All clusters within reach of *at_px*, the most urgent first."""
    return tuple(sorted((each for each in clusters if abs(each.at_px - at_px) <= reach_px), key=lambda one: -one.kind))
