"""Which pattern is which: the published identity of a set of tools, and ours of their order."""

from __future__ import annotations

import enum
import hashlib
import json
import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType

from workbench.i18n import _, ngettext, numeral
from workbench.settings import PROMOTION_THRESHOLD

ID_LENGTH = 16
_Z_95 = 1.959963984540054
DEFAULT_THRESHOLD = PROMOTION_THRESHOLD
"""Successes after which a pattern may be promoted, where a workspace says nothing else."""


def pattern_id(task_type: str, tools: Sequence[str]) -> str:
    """The published id: the same for every order of *tools*, different for another number of the same tool."""
    named = task_type + ":" + ",".join(sorted(tools))
    return hashlib.sha256(named.encode("utf-8")).hexdigest()[:ID_LENGTH]


def variant_id(task_type: str, tools: Sequence[str]) -> str:
    """The id of one order of *tools*: told apart by what the published id runs together, such as a comma in a name.

    Two spellings of the same characters (composed or not) are one variant.
    """
    canonical = json.dumps([task_type, list(tools)], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(unicodedata.normalize("NFC", canonical).encode("utf-8")).hexdigest()[:ID_LENGTH]


def checked_tools(tools: Sequence[str]) -> tuple[str, ...]:
    """*tools* as a tuple of its own.

    Raises ValueError for one string instead of a list, for names that are not text, that are
    blank, or that hold half of a surrogate pair (they cannot be written to any file).
    """
    if isinstance(tools, str | bytes):
        raise ValueError(f"tools must be a list of names, not the one text {tools!r}")  # noqa: TRY004  # as promised
    for tool in tools:
        checked_text(tool, "a tool name")
        if not tool.strip():
            raise ValueError("a tool name must not be blank")
    return tuple(tools)


def checked_text(text: str, what: str) -> str:
    """*text* itself; raises ValueError naming *what* when it is not text or cannot be encoded."""
    if not isinstance(text, str):
        raise ValueError(f"{what} must be text, not {type(text).__name__}")  # noqa: TRY004  # as promised
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"{what} holds half of a surrogate pair: {text!r}") from error
    return text


def wilson_bounds(successes: int, attempts: int) -> tuple[float, float]:
    """Lower and upper end of the 95 % interval of the true success rate (Wilson's score interval).

    No attempts: anything from 0 to 1 is possible.
    """
    if attempts <= 0:
        return 0.0, 1.0
    rate = successes / attempts
    square = _Z_95 * _Z_95
    middle = rate + square / (2 * attempts)
    spread = _Z_95 * math.sqrt(rate * (1 - rate) / attempts + square / (4 * attempts * attempts))
    scale = 1 + square / attempts
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def lower_bound(successes: int, attempts: int) -> float:
    """The success rate that can be counted on: two of two rank below nineteen of twenty."""
    return wilson_bounds(successes, attempts)[0]


def worked(successes: int, attempts: int) -> str:
    """The record in words: *worked 5 of 6 times*."""
    if attempts == 0:
        return _("never tried")
    if attempts == 1:
        return _("succeeded once") if successes else _("failed once")
    words = ngettext("succeeded in {successes} of {count} run", "succeeded in {successes} of {count} runs", attempts)
    return words.format(successes=numeral(successes))


class Outcome(enum.Enum):
    """How a run ended, seen from what it was for."""

    SUCCESS = "success"
    FAILURE = "failure"
    PARTIAL = "partial"


class PromotionState(enum.Enum):
    """How far a pattern has come on its way to a skill or a playbook."""

    NONE = "none"
    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where one record comes from.

    *run*: its id, empty when nobody knows; a run counts once, its newest record. *at*: ISO
    8601, UTC; empty: now. *repeats*: how often each tool of the sequence was called in a row.
    *playbook*: what was run.
    """

    run: str = ""
    at: str = ""
    duration_ms: int | None = None
    outcome: Outcome = Outcome.SUCCESS
    reason: str = ""
    repeats: tuple[int, ...] = ()
    playbook: str = ""


@dataclass(frozen=True, slots=True)
class PatternEntry:
    """One pattern: the published fields first, then what this library adds.

    *description*, *prompt_template*: of the newest record. *tool_sequence*: the first order
    that was recorded. *failure_count*: failures and half successes. *label*: the name that a
    person gave, empty for none. *extra*: published fields of other programs that this one
    does not know, kept for the export. *recent*: how its last runs ended, oldest first.
    """

    pattern_id: str
    task_type: str
    description: str
    tool_sequence: tuple[str, ...]
    prompt_template: str
    success_count: int
    created_at: str
    promoted: bool
    failure_count: int = 0
    last_seen: str = ""
    state: PromotionState = PromotionState.NONE
    label: str = ""
    playbook: str = ""
    extra: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    recent: tuple[Outcome, ...] = ()

    @property
    def title(self) -> str:
        """The name that a person gave, else the description, else the tools."""
        return self.label or self.description or sequence_text(self.tool_sequence) or self.task_type

    @property
    def attempts(self) -> int:
        """How often it was tried."""
        return self.success_count + self.failure_count

    @property
    def success_rate(self) -> float | None:
        """Successes by attempts, None when it was never tried."""
        return self.success_count / self.attempts if self.attempts else None

    @property
    def success_bounds(self) -> tuple[float, float]:
        """The 95 % interval of the true success rate."""
        return wilson_bounds(self.success_count, self.attempts)


@dataclass(frozen=True, slots=True)
class Variant:
    """One order in which the tools of a pattern were called, with its own record."""

    variant_id: str
    tools: tuple[str, ...]
    success_count: int
    failure_count: int
    first_seen: str
    last_seen: str
    repeats: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """*lookup → send ×3*."""
        return sequence_text(self.tools, self.repeats)


@dataclass(frozen=True, slots=True)
class Observation:
    """One record of a pattern. *at*: ISO 8601, UTC."""

    run: str
    at: str
    outcome: Outcome
    tools: tuple[str, ...]
    duration_ms: int | None = None
    reason: str = ""
    playbook: str = ""


@dataclass(frozen=True, slots=True)
class PromotionEvent:
    """One step in the history of a pattern. *path*, *digest*: of what was written, empty where nothing was."""

    at: str
    state: PromotionState
    path: str = ""
    digest: str = ""
    note: str = ""


def sequence_text(tools: tuple[str, ...], repeats: tuple[int, ...] = ()) -> str:
    """*tools* in one line, with the number of calls where it is more than one."""
    counts = repeats if len(repeats) == len(tools) else (1,) * len(tools)
    return " → ".join(tool if count == 1 else f"{tool} ×{count}" for tool, count in zip(tools, counts, strict=True))


def utc_text(at: str) -> str:
    """The ISO 8601 time *at* as ``now_text`` writes it; a time without a zone is one of UTC.

    Raises ValueError for what is no time.
    """
    moment = datetime.fromisoformat(at)
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat(timespec="microseconds")


def now_text() -> str:
    """This moment, ISO 8601 in UTC, always of the same length so that texts sort as times."""
    return datetime.now(UTC).isoformat(timespec="microseconds")
