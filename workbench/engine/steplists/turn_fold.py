"""The turn that was taken last, as far as its calls have come: a part of the fold of a run of a step list."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from workbench.engine.enforcement.conclusion import Conclusion
from workbench.engine.journal.steplist_events import CallWish, Foreseen, TurnTaken
from workbench.engine.steplists.walking import CallOutcomeText


@dataclass(slots=True)
class TurnFold:
    """What was asked for, what of it has begun, and what came of it.

    *entry*: what a person has entered, and no turn was taken by yet. *wishes*: calls that nothing was decided about
    yet; *foreseen*: what they give, where that is known. *is_under_way*: a call has begun, and not ended; *at_hand*:
    what it gives, where that is known. *outcomes*: shown in the next turn. *concluded*: what became of an answer in
    words. *unset*: what a call gave, and no variable holds yet, with the name that it gets.
    """

    entry: Mapping[str, Any] | None = None
    wishes: deque[CallWish] = field(default_factory=deque)
    foreseen: deque[Foreseen | None] = field(default_factory=deque)
    at_hand: Foreseen | None = None
    is_under_way: bool = False
    outcomes: list[CallOutcomeText] = field(default_factory=list)
    concluded: Conclusion | None = None
    last_words: str = ""
    unset: tuple[str, Any] | None = None

    @property
    def is_foreseen(self) -> bool:
        """Whether it is known beforehand what the call under way gives, else the next wanted call."""
        if self.is_under_way:
            return self.at_hand is not None
        return bool(self.foreseen) and self.foreseen[0] is not None

    @property
    def is_broken(self) -> bool:
        """Whether a call of the turn was not done, so that the others are not made."""
        return any(outcome.is_error for outcome in self.outcomes)

    @property
    def reminder(self) -> str:
        """Why the run may not stop yet."""
        return self.concluded.message if self.concluded is not None else ""

    def take(self, taken: TurnTaken) -> None:
        """The next turn was *taken*; what the one before it left is over."""
        foreseen = taken.foreseen
        if not foreseen and self.entry is not None and not self.entry.get("make"):
            # earlier versions have it in the entry alone
            foreseen = (foreseen_in(self.entry),)
        self.entry, self.concluded, self.at_hand = None, None, None
        self.outcomes = []
        self.wishes = deque(taken.calls)
        pairs = zip_longest(taken.calls, foreseen[: len(taken.calls)])
        self.foreseen = deque(each for _call, each in pairs)
        self.last_words = taken.text

    def settle(self, tool: str) -> Foreseen | None:
        """Something was decided about the first wish that is left; what it gives, where that is known."""
        if not self.wishes or self.wishes[0].tool != tool:
            return None
        self.wishes.popleft()
        return self.foreseen.popleft()


def foreseen_in(entry: Mapping[str, Any]) -> Foreseen:
    """What the call of a person's *entry* gave."""
    failure = str(entry.get("failure") or "").strip()
    return Foreseen(None, failure) if failure else Foreseen(entry.get("result"), None)
