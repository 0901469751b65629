"""Which stretches of a lane are covered, at every zoom: a pyramid of buckets over time.

A bucket holds the highest paint code of the bars that meet it, so that neither a short bar
nor a failure disappears, however far one zooms out. Reading a screen costs the screen's
width, not the number of bars. Idea: the mipmaps of trace viewers, max-pooled.
"""

from __future__ import annotations

from itertools import groupby

FINEST_NS = 1 << 16
MOST_BUCKETS = 1 << 18


class Coverage:
    """One lane. Times are ns since the run began; a code is 1…255, higher ones win; 0 is empty."""

    def __init__(self, most_buckets: int = MOST_BUCKETS, finest_ns: int = FINEST_NS) -> None:
        self._most = most_buckets
        self._finest_ns = finest_ns
        self._levels: list[bytearray] = [bytearray(1)]

    @property
    def finest_ns(self) -> int:
        """The width of the finest buckets; finer questions need the bars themselves."""
        return self._finest_ns

    def add(self, start_ns: int, end_ns: int, code: int) -> None:
        """Cover [*start_ns*, *end_ns*) with *code*; a bar without width covers one bucket.

        Bars of one lane do not overlap: whole buckets inside belong to this bar alone.
        """
        last_ns = max(start_ns, end_ns - 1)
        self._reach(last_ns)
        width_ns = self._finest_ns
        for level in self._levels:
            first, last = start_ns // width_ns, last_ns // width_ns
            if first == last and level[first] >= code:
                return  # every coarser bucket above is at least as high
            if last - first > 1:  # no other bar lies in between, so nothing needs comparing
                level[first + 1 : last] = bytes((code,)) * (last - first - 1)
            level[first] = max(level[first], code)
            level[last] = max(level[last], code)
            width_ns *= 2

    def stretches(self, start_ns: int, end_ns: int, width_ns: float) -> list[tuple[int, int, int]]:
        """Covered stretches (start, end, code) that meet [*start_ns*, *end_ns*), in buckets of at most *width_ns*."""
        bucket_ns, level = self._level_for(width_ns)
        first = max(0, start_ns // bucket_ns)
        window = bytes(level[first : end_ns // bucket_ns + 1])
        found, at = [], first
        for code, members in groupby(window):
            count = sum(1 for _member in members)
            if code:
                found.append((at * bucket_ns, (at + count) * bucket_ns, code))
            at += count
        return found

    def _level_for(self, width_ns: float) -> tuple[int, bytearray]:
        bucket_ns, chosen = self._finest_ns, self._levels[0]
        for level in self._levels[1:]:
            if bucket_ns * 2 > width_ns:
                break
            bucket_ns, chosen = bucket_ns * 2, level
        return bucket_ns, chosen

    def _reach(self, at_ns: int) -> None:
        """Make every level long enough for *at_ns*; the finest is given up where it would become too long."""
        # keeps memory bounded however long a run is; only a short run needs the finest detail
        while at_ns // self._finest_ns >= self._most:
            self._finest_ns *= 2
            if len(self._levels) > 1:  # a single bucket looks the same at twice the width
                self._levels.pop(0)
        needed = at_ns // self._finest_ns + 1
        if needed > len(self._levels[0]):
            self._lengthen(min(self._most, max(needed, 2 * len(self._levels[0]))))

    def _lengthen(self, count: int) -> None:
        """*count* buckets at the finest level, half as many at each next one, and one at the top."""
        for number, level in enumerate(self._levels):
            level.extend(bytes(max(0, -(-count // (1 << number)) - len(level))))
        while len(top := self._levels[-1]) > 1:
            top.extend(bytes(len(top) % 2))
            self._levels.append(bytearray(map(max, top[0::2], top[1::2])))
