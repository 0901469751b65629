"""Text for code that encodes it, which lone surrogates cannot be handed to.

Bytes that are not UTF-8 are lone surrogates in a text (see ``SourceText``), and an escape in JSON can write others.
libyaml encodes what it reads, and refuses them with an error that is none of YAML.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workbench.syntax.text import SURROGATES

_FIRST, _COUNT = 0xD800, 0x800
_PRIVATE = (0xF000, 0xE800, 0xE000, *range(0x10F000, 0xEFFFF, -_COUNT))
"""Where the stand-ins may begin: what is for private use, those first that YAML writes without escapes."""


@dataclass(frozen=True, slots=True)
class Encodable:
    """A *text* that can be encoded: each lone surrogate has a stand-in that the text did not hold before.

    It is as long as the original, so a place in one is a place in the other.
    """

    text: str
    _back: Mapping[int, int] | None = None

    @classmethod
    def of(cls, original: str) -> Encodable:
        """*original*, or its like where it cannot be encoded."""
        if original.isascii() or SURROGATES.search(original) is None:
            return cls(original)
        used = {ord(character) // _COUNT for character in set(original)}
        base = next((base for base in _PRIVATE if base // _COUNT not in used), _PRIVATE[0])
        there = {_FIRST + at: base + at for at in range(_COUNT)}
        return cls(original.translate(there), {stand_in: lone for lone, stand_in in there.items()})

    def original(self, part: str) -> str:
        """What *part* of the text was before."""
        return part if self._back is None else part.translate(self._back)
