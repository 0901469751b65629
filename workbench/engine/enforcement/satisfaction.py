"""When is a step done? Evidence, not claims: what was really called, and what it gave."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.engine.enforcement.records import StepExecution
from workbench.i18n import _, numeral
from workbench.model.loader.steplist import Playbook, PlaybookStep, RequiredProbe


@dataclass(frozen=True, slots=True)
class Lack:
    """Something that a step still lacks. *blocks*: it cannot be completed without."""

    code: str
    message: str
    blocks: bool = True


def lacks_of(playbook: Playbook, step: PlaybookStep, execution: StepExecution | None) -> tuple[Lack, ...]:
    """What *step* lacks besides its expected tools: calls, keywords in the results, evidence."""
    record = execution or StepExecution(step.id)
    found: list[Lack] = []
    least = int(step.validation.get("min_tool_calls") or 0)
    if record.success_count < least:
        found.append(Lack("validation_failed", _too_few(step, record, least)))
    missing = missing_keywords(step, record)
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


def missing_keywords(step: PlaybookStep, execution: StepExecution) -> tuple[str, ...]:
    """The required keywords that occur nowhere in the results, in any letter case."""
    results = "\n".join(execution.results).casefold()
    return tuple(word for word in step.result_keywords if word.casefold() not in results)


def has_seen_all(step: PlaybookStep, execution: StepExecution) -> bool:
    """True when every expected tool was really done once; steps without any need a word that they are done."""
    if step.expected_tools:
        return step.tools <= execution.successes
    return step.least_calls > 0 and execution.success_count >= step.least_calls


def is_satisfied(playbook: Playbook, step: PlaybookStep, execution: StepExecution) -> bool:
    """True when the step is done by what was called, and nobody has to say so."""
    if not has_seen_all(step, execution) or execution.success_count < step.least_calls:
        return False
    return not any(lack.blocks for lack in lacks_of(playbook, step, execution))


def matching_probes(
    probes: tuple[RequiredProbe, ...], tool: str, arguments: Mapping[str, Any] | None, result: Any
) -> tuple[str, ...]:
    """The probes that a call satisfies: their text occurs in its name, arguments or result."""
    if not probes:
        return ()
    seen = "\n".join((tool, text_of(arguments or {}), text_of(result))).casefold()
    return tuple(probe.name for probe in probes if probe.match.casefold() in seen)


def text_of(value: Any) -> str:
    """*value* as it is searched: text as it is, data as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str, sort_keys=True)
