"""When is a step done? Evidence, not claims: what was really asked for, and what it gave.

A word that a step must have said counts as part of other words, or as a word that is not denied.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from workbench.engine.enforcement.records import StepExecution
from workbench.i18n import _, numeral
from workbench.model.loader.steplist import Playbook, PlaybookStep, RequiredProbe
from workbench.regex import regex


@dataclass(frozen=True, slots=True)
class Lack:
    """Something that a step still lacks. *blocks*: it cannot be completed without."""

    code: str
    message: str
    blocks: bool = True


def lacks_of(
    playbook: Playbook, step: PlaybookStep, execution: StepExecution | None, words: Any = None
) -> tuple[Lack, ...]:
    """What *step* lacks besides its expected tools: calls, keywords, evidence.

    *words*: by which it is said to be done; they count where it needs no tool.
    """
    record = execution or StepExecution(step.id)
    found: list[Lack] = []
    least = int(step.validation.get("min_tool_calls") or 0)
    if record.success_count < least:
        found.append(Lack("validation_failed", _too_few(step, record, least)))
    missing = missing_keywords(step, record, words)
    if missing:
        message = _("The results of step {step} do not contain: {words}.")
        found.append(Lack("validation_failed", message.format(step=step.id, words=", ".join(missing))))
    effort = step.min_tool_calls or 0
    if record.success_count < effort:
        found.append(Lack("insufficient_effort", _too_few(step, record, effort), playbook.blocking_evidence))
    probes = [probe.name for probe in step.required_probes if probe.name not in record.matched_probes]
    if probes:
        message = _("Step {step} lacks evidence: {probes}.").format(step=step.id, probes=", ".join(probes))
        found.append(Lack("evidence_incomplete", message, playbook.blocking_evidence))
    return tuple(found)


def _too_few(step: PlaybookStep, record: StepExecution, needed: int) -> str:
    message = _("Step {step} needs more successful calls; it has {made} of {needed}.")
    return message.format(step=step.id, made=numeral(record.success_count), needed=numeral(needed))


def missing_keywords(step: PlaybookStep, execution: StepExecution, words: Any = None) -> tuple[str, ...]:
    """The required keywords that neither the results say nor, where no tool is expected, *words*."""
    if not step.result_keywords:
        return ()
    said = [] if step.expected_tools else [text_of(words), text_of(execution.result)]
    return missing_words(step.result_keywords, [*execution.results, *said], is_whole=step.matches_words)


def is_by_words(step: PlaybookStep) -> bool:
    """Whether *step* needs no call at all: words are what it asks for."""
    return not step.expected_tools and not step.least_calls


def has_seen_all(step: PlaybookStep, execution: StepExecution) -> bool:
    """True when every expected tool was really done once; steps without any need a word that they are done."""
    if step.expected_tools:
        return step.tools <= execution.successes
    return step.least_calls > 0 and execution.success_count >= step.least_calls


def calls_missing(playbook: Playbook, step: PlaybookStep, execution: StepExecution | None) -> bool:
    """Whether *step* cannot be done by words yet, since calls that it must have were not made."""
    record = execution or StepExecution(step.id)
    least = step.least_calls if playbook.blocking_evidence else int(step.validation.get("min_tool_calls") or 0)
    return not step.tools <= record.successes or record.success_count < least


def is_satisfied(playbook: Playbook, step: PlaybookStep, execution: StepExecution) -> bool:
    """True when the step is done by what was called, and nobody has to say so."""
    return execution.success_count >= step.least_calls and may_be_closed(playbook, step, execution)


def may_be_closed(playbook: Playbook, step: PlaybookStep, execution: StepExecution | None) -> bool:
    """Whether *step* can be left behind as done: more calls were wished for, but nothing that it must have is missing.

    Its floor of calls keeps a step open for them, and is only noted when whoever walks the list goes on.
    """
    if execution is None or not has_seen_all(step, execution):
        return False
    return not any(lack.blocks for lack in lacks_of(playbook, step, execution))


def matching_probes(
    probes: tuple[RequiredProbe, ...], tool: str, arguments: Mapping[str, Any] | None
) -> tuple[str, ...]:
    """The probes that a call satisfies: their text occurs in its name or arguments. What comes back is partly luck."""
    if not probes:
        return ()
    asked = f"{tool}\n{text_of(arguments or {})}".casefold()
    return tuple(probe.name for probe in probes if probe.match.casefold() in asked)


def text_of(value: Any) -> str:
    """*value* as it is searched: text as it is, data as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str, sort_keys=True)


_REACH = 60
"""How far before a word, in characters, another may stand that denies it."""
_CLAUSE = regex(r"[.;:!?,\n{}\[\]]|\bbut\b|\baber\b|\bsondern\b")
"""What ends the reach of a word that denies."""
_DENIES = regex(
    r"\b(?:not|no|never|nobody|nothing|none|neither|nor|cannot|without|non|hardly|\w+n['’]t"
    r"|nicht|nie|niemals|nirgends|kaum|ohne|weder|kein(?:e[mnrs]?)?)\b"
)
_IS_DENIED_AFTER = regex(
    r"[\"'`]?\s*(?:[:=]|\bis\b|\bist\b|\bwas\b)\s*[\"'`]?(?:not|nicht|false|no|nein|none|null|0)\b"
)
"""``{"approved": false}``, ``approved = no``, "approved is false"."""


def missing_words(words: Iterable[str], texts: Iterable[str], *, is_whole: bool) -> tuple[str, ...]:
    """Those of *words* that none of *texts* says, in any letter case.

    *is_whole*: a word counts where it stands by itself and nothing near it denies it; else wherever its letters occur.
    """
    said = "\n".join(texts).casefold()
    if not is_whole:
        return tuple(word for word in words if word.casefold() not in said)
    return tuple(word for word in words if not _says(said, word.casefold()))


def _says(text: str, word: str) -> bool:
    return any(not _is_denied(text, found) for found in _pattern(word).finditer(text))


@lru_cache(maxsize=256)
def _pattern(word: str) -> re.Pattern[str]:
    """*word* with nothing before and after it that would make another word of it; blanks are any blanks."""
    written = r"\s+".join(map(re.escape, word.split()))
    return re.compile(rf"(?<![\w-]){written}(?![\w-])")


def _is_denied(text: str, found: re.Match[str]) -> bool:
    before = _CLAUSE.split(text[max(0, found.start() - _REACH) : found.start()])[-1]
    return bool(_DENIES.search(before) or _IS_DENIED_AFTER.match(text, found.end()))
