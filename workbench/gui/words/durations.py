"""How long something took, as people read it."""

from __future__ import annotations

from workbench.i18n import _

NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000
# what would be rounded to a thousand is told in the next unit
_NEARLY = 0.9995


def duration_text(ns: float) -> str:
    """A duration as people read it: ``350 µs``, ``12 ms``, ``1.2 s``, ``3 min 05 s``, ``2 h 04 min``."""
    if ns < NS_PER_MS * _NEARLY:
        return _("{n} µs").format(n=round(ns / 1000))
    if ns < NS_PER_S * _NEARLY:
        return _("{n} ms").format(n=round(ns / NS_PER_MS))
    seconds = ns / NS_PER_S
    if seconds < 59.95:
        return _("{n} s").format(n=f"{seconds:.1f}")
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return _("{minutes} min {seconds} s").format(minutes=minutes, seconds=f"{rest:02d}")
    hours, minutes = divmod(minutes, 60)
    return _("{hours} h {minutes} min").format(hours=hours, minutes=f"{minutes:02d}")


def duration_words(elapsed_ms: int) -> str:
    """The same from a clock that counts whole milliseconds, so nothing finer is told: ``0 ms``, ``40 ms``."""
    return duration_text(elapsed_ms * NS_PER_MS) if elapsed_ms else _("{n} ms").format(n=0)
