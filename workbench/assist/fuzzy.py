"""How well a few typed letters fit a name."""

from __future__ import annotations

_START_OF_WORD = 8
_NEXT_LETTER = 9
_ANY_LETTER = 1


def match_score(query: str, name: str) -> int | None:
    """Higher is better; None where the letters of *query* do not all appear in *name* in order.

    Letters that follow each other, and letters at the beginning of words, count most; blanks
    and case do not matter. Shorter names win among equals.
    """
    text = name.casefold()
    best = {-1: 0}
    for letter in "".join(query.casefold().split()):
        best = _extended(best, text, letter)
    return max(best.values()) * 100 - len(text) if best else None


def _extended(best: dict[int, int], text: str, letter: str) -> dict[int, int]:
    """The best score for each place of *letter*, from the best for each place of the letter before it."""
    places = [index for index, each in enumerate(text) if each == letter]
    found: dict[int, int] = {}
    for before, score in best.items():
        for index in places:
            if index > before:
                found[index] = max(found.get(index, 0), score + _weight(text, index, before))
    return found


def _weight(text: str, index: int, before: int) -> int:
    if index == 0 or not text[index - 1].isalnum():
        return _START_OF_WORD
    return _NEXT_LETTER if index == before + 1 else _ANY_LETTER
