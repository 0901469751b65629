"""Times in words: how long, how often, at which hour. What is not exactly one of these forms is a judgement."""

from __future__ import annotations

import re
from functools import lru_cache

from workbench.model.meaning import Timing
from workbench.regex import regex

_SECONDS = {
    "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1,
    "m": 60, "min": 60, "mins": 60, "minute": 60, "minutes": 60,
    "h": 3600, "hr": 3600, "hrs": 3600, "hour": 3600, "hours": 3600,
    "d": 86400, "day": 86400, "days": 86400,
    "week": 604800, "weeks": 604800,
}  # fmt: skip
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "sixty": 60, "half a": 0.5,
    "half an": 0.5, "half": 0.5,
}  # fmt: skip
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY_SETS = {
    "day": frozenset(range(7)),
    "weekday": frozenset(range(5)),
    "weekend": frozenset((5, 6)),
    **{day: frozenset((number,)) for number, day in enumerate(_DAYS)},
}
_ADVERBS = {"hourly": 3600, "daily": 86400, "weekly": 604800}
_MOST_S = 10 * 366 * 86400

_NUMBER = rf"\d{{1,9}}(?:\.\d{{1,3}})?|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))}"
_UNIT = "|".join(sorted(_SECONDS, key=len, reverse=True))
_LENGTH = rf"(?P<number>{_NUMBER})\s*(?P<unit>{_UNIT})"
_HOUR = (
    r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2}))?\s*(?P<half>am|pm|a\.m\.|p\.m\.)?(?:\s*o['’]clock)?"
    r"|(?P<word>noon|midnight)"
)
_DAY = rf"(?P<day>{'|'.join(_DAY_SETS)})s?"
_PASSED = r"(?:have|has)\s+(?:passed|elapsed|gone\s+by)"
_SINCE = r"(?:(?:after|from|since)\s+(?:the\s+)?(?:program\s+starts|start|beginning|program\s+has\s+started))"
_END = r"\s*[.:]?"
_LATER = regex(rf"(?:after|in)\s+{_LENGTH}(?:\s+{_PASSED})?(?:\s+{_SINCE})?{_END}", re.IGNORECASE)
_PASSING = regex(
    rf"(?:(?:when|once|if|after|as\s+soon\s+as)\s+)?{_LENGTH}\s+(?:{_PASSED}(?:\s+{_SINCE})?|{_SINCE}){_END}",
    re.IGNORECASE,
)
_EVERY = regex(rf"(?:every|each)\s+(?:(?P<number>{_NUMBER})\s*)?(?P<unit>{_UNIT}){_END}", re.IGNORECASE)
_ONCE_A = regex(rf"once\s+(?:an?|every|each)\s+(?P<unit>{_UNIT}){_END}", re.IGNORECASE)
_ADVERB = regex(rf"(?P<adverb>{'|'.join(_ADVERBS)}){_END}", re.IGNORECASE)
_DAILY = regex(rf"(?:(?:every|each|on)\s+{_DAY}|daily)(?:\s*,)?\s+at\s+(?:{_HOUR}){_END}", re.IGNORECASE)
_AT = regex(rf"(?:at|when\s+it\s+is)\s+(?:{_HOUR}){_END}", re.IGNORECASE)
_AWAIT = regex(rf"(?:for\s+)?{_LENGTH}{_END}", re.IGNORECASE)
_UNTIL = regex(rf"until\s+(?:{_HOUR}){_END}", re.IGNORECASE)
_LONGEST = 100


@lru_cache(1024)
def timing_of(words: str) -> Timing | None:
    """When a trigger goes off that says ``After 5 minutes``, ``Every hour``, ``At 9:00``; None where *words* do not."""
    words = words.strip()
    if not words or len(words) > _LONGEST:
        return None
    if match := _LATER.fullmatch(words) or _PASSING.fullmatch(words):
        return _lasting(match)
    if match := _EVERY.fullmatch(words) or _ONCE_A.fullmatch(words):
        return _repeated(_length(match.groupdict().get("number") or "one", match["unit"]))
    if match := _ADVERB.fullmatch(words):
        return _repeated(_ADVERBS[match["adverb"].lower()])
    if match := _DAILY.fullmatch(words):
        return _at(match, _DAY_SETS[(match["day"] or "day").lower()])
    match = _AT.fullmatch(words)
    return _at(match, frozenset()) if match else None


def wait_of(words: str) -> Timing | None:
    """How long a step waits that says *words* behind its first one: ``for 10 minutes``, ``until 9:00``."""
    words = words.strip()
    if not words or len(words) > _LONGEST:
        return None
    if match := _AWAIT.fullmatch(words):
        return _lasting(match)
    match = _UNTIL.fullmatch(words)
    return _at(match, frozenset()) if match else None


def _lasting(match: re.Match[str]) -> Timing | None:
    seconds = _length(match["number"], match["unit"])
    return Timing(seconds) if 0 < seconds <= _MOST_S else None


def _repeated(seconds: float) -> Timing | None:
    return Timing(seconds, is_repeated=True) if 1 <= seconds <= _MOST_S else None


def _length(number: str, unit: str) -> float:
    """The length in seconds."""
    known = _NUMBERS.get(" ".join(number.lower().split()))
    return (float(number) if known is None else known) * _SECONDS[unit.lower()]


def _at(match: re.Match[str], days: frozenset[int]) -> Timing | None:
    """An hour of the day; None where the clock has no such hour."""
    if match["word"]:
        minute = 720 if match["word"].lower() == "noon" else 0
        return Timing(minute_of_day=minute, days=days, is_repeated=bool(days))
    hour, minute, half = int(match["hour"]), int(match["minute"] or 0), (match["half"] or "").lower().replace(".", "")
    if match["minute"] is None and not half and "clock" not in match.group().lower():
        return None  # "At 9" may be anything
    if minute > 59 or hour > 23 or (half and not 1 <= hour <= 12):
        return None
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    return Timing(minute_of_day=hour * 60 + minute, days=days, is_repeated=bool(days))
