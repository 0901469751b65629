"""How wide words are, by a table of average widths: the same on every machine, whatever its fonts."""

from __future__ import annotations

_EM = {
    **dict.fromkeys("ijlI'|", 0.29),
    **dict.fromkeys(' .,:;!()[]{}-/\\tfr"', 0.37),
    **dict.fromkeys("mwMW@%", 0.92),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ0123456789$_+=<>~#&", 0.65),
}
_USUAL_EM = 0.59
_WIDE_EM = 1.05
_WIDE = "\u2e80"


def width_of(text: str, size_px: float) -> float:
    """About how wide *text* is in letters of *size_px*, in pixels; rather too wide than too narrow."""
    return size_px * sum([_EM.get(one, _WIDE_EM if one >= _WIDE else _USUAL_EM) for one in text])
