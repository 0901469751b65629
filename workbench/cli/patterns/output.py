"""Patterns as lines for people and as JSON for programs."""

from __future__ import annotations

from workbench.cli.terminal import show
from workbench.i18n import _
from workbench.library.entries import Observation, PatternEntry, PromotionEvent, PromotionState, Variant, sequence_text
from workbench.library.exchange import published
from workbench.library.skills.text import one_line
from workbench.library.statistics import worked

_SHOWN_RECORDS = 20


def entry_json(entry: PatternEntry) -> dict[str, object]:
    """The published fields, then what this library adds."""
    lower, upper = entry.success_bounds
    return {
        **published(entry),
        "failure_count": entry.failure_count,
        "success_rate": entry.success_rate,
        "success_rate_low": round(lower, 4),
        "success_rate_high": round(upper, 4),
        "last_seen": entry.last_seen,
        "state": entry.state.value,
        "name": entry.label,
        "playbook": entry.playbook,
    }


def entry_line(entry: PatternEntry) -> str:
    """One pattern in one line."""
    tried = worked(entry.success_count, entry.attempts)
    state = "" if entry.state is PromotionState.NONE else f"  [{entry.state.value}]"
    tools = one_line(sequence_text(entry.tool_sequence))
    return f"{entry.pattern_id}  {one_line(entry.task_type)}  {one_line(entry.title)}: {tools}  ({tried}){state}"


def variant_json(variant: Variant) -> dict[str, object]:
    """One order of the tools."""
    return {
        "variant_id": variant.variant_id,
        "tools": list(variant.tools),
        "repeats": list(variant.repeats),
        "success_count": variant.success_count,
        "failure_count": variant.failure_count,
        "first_seen": variant.first_seen,
        "last_seen": variant.last_seen,
    }


def observation_json(record: Observation) -> dict[str, object]:
    """One record."""
    return {
        "run": record.run,
        "at": record.at,
        "outcome": record.outcome.value,
        "tools": list(record.tools),
        "duration_ms": record.duration_ms,
        "reason": record.reason,
        "playbook": record.playbook,
    }


def history_json(event: PromotionEvent) -> dict[str, object]:
    """One decision."""
    return {
        "at": event.at,
        "state": event.state.value,
        "path": event.path,
        "digest": event.digest,
        "note": event.note,
    }


def show_details(
    entry: PatternEntry,
    variants: tuple[Variant, ...],
    records: tuple[Observation, ...],
    history: tuple[PromotionEvent, ...],
) -> None:
    """Print everything about one pattern, for people."""
    show(entry_line(entry))
    show(_("first seen {first}, last seen {last}").format(first=entry.created_at, last=entry.last_seen))
    show(_("Orders:"))
    for variant in variants:
        tried = worked(variant.success_count, variant.success_count + variant.failure_count)
        show(f"  {one_line(variant.text)}  ({tried})")
    if records:
        show(_("Records:"))
    for record in records[:_SHOWN_RECORDS]:
        reason = f": {one_line(record.reason)}" if record.reason else ""
        show(f"  {record.at}  {record.outcome.value}  {record.run}{reason}")
    if len(records) > _SHOWN_RECORDS:
        show(_("  and {count} earlier").format(count=len(records) - _SHOWN_RECORDS))
    if history:
        show(_("Decisions:"))
    for event in history:
        show(f"  {event.at}  {event.state.value}  {event.path or event.note}")
