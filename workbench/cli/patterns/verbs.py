"""What ``workbench patterns`` does and prints, apart from promotions: lines for people, JSON for programs."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.running.store import patterns_file_in
from workbench.cli.terminal import FINDINGS, FINE, complain, show, show_exactly, show_json
from workbench.disk.atomic import replace_private_file
from workbench.disk.files import is_file, is_folder
from workbench.disk.outputs import write_output
from workbench.disk.places import places
from workbench.errors import WorkbenchError
from workbench.i18n import _, ngettext
from workbench.library import curation, exchange
from workbench.library.entries import (
    Evidence,
    Observation,
    Outcome,
    PatternEntry,
    PromotionEvent,
    PromotionState,
    Variant,
    sequence_text,
    worked,
)
from workbench.library.exchange import published
from workbench.library.listing import PatternQuery, Sort
from workbench.library.relevance.content_words import count_tokens
from workbench.library.relevance.relevance import proven_context, relevant_to
from workbench.library.rows import UnknownPattern, folded
from workbench.library.run_recording import redacted
from workbench.library.skills.importing import import_skills
from workbench.library.skills.skill_text import one_line
from workbench.library.store import PatternStore, back_up_when_due
from workbench.library.task_types import FILE_NAME, load_words

_SHOWN_RECORDS = 20


def store_of(options: argparse.Namespace) -> PatternStore:
    """The library that the command is about: a file, the one that runs keep in a folder, or the person's own."""
    chosen: Path | None = options.store
    if chosen is not None and (is_file(chosen) or (chosen.suffix and not is_folder(chosen))):
        return PatternStore(chosen)
    return PatternStore(patterns_file_in(chosen))


def list_patterns(options: argparse.Namespace) -> int:
    """Print the patterns that are asked for."""
    states = frozenset({PromotionState(options.state)} if options.state else ())
    query = PatternQuery(
        text=" ".join(options.words), task_type=options.type, tool=options.tool, states=states, sort=options.sort
    )
    store = store_of(options)
    words = folded(query.text).split()
    entries = store.patterns(query, -1 if words else options.limit)
    if words and query.sort is Sort.RECENT:
        entries = tuple(sorted(entries, key=lambda entry: not _is_named(entry, words)))
    show_entries(entries[: options.limit] if options.limit >= 0 else entries, options, nothing=_nothing(store))
    return FINE


def _is_named(entry: PatternEntry, words: list[str]) -> bool:
    """Whether all *words* are in what *entry* is called."""
    name = folded(f"{entry.label} {entry.task_type}")
    return all(word in name for word in words)


def _nothing(store: PatternStore) -> str:
    if store.count():
        return _("No matching patterns.")
    return _("There are no patterns yet. Each successful run that calls tools records one.")


def show_entries(entries: tuple[PatternEntry, ...], options: argparse.Namespace, nothing: str) -> None:
    """Print *entries*, one a line or as JSON; *nothing* where there are none."""
    if options.json:
        show_json([_entry_json(entry) for entry in entries])
        return
    for entry in entries:
        show(entry_line(entry))
    if not entries:
        show(nothing)


def show_pattern(options: argparse.Namespace) -> int:
    """Print everything about one pattern."""
    store = store_of(options)
    try:
        entry = store.entry(options.id)
    except UnknownPattern as error:
        return not_found(error)
    variants, records = store.variants(options.id), store.observations(options.id)
    history = store.history(options.id)
    if options.json:
        show_json(
            {
                **_entry_json(entry),
                "variants": [_variant_json(each) for each in variants],
                "observations": [_observation_json(each) for each in records],
                "history": [_history_json(each) for each in history],
            }
        )
        return FINE
    _show_details(entry, variants, records, history)
    return FINE


def not_found(error: UnknownPattern) -> int:
    """Say that there is no such pattern."""
    text = _("There is no pattern with the id “{id}”. List all with: workbench patterns list.")
    complain(text.format(id=error.args[0]))
    return FINDINGS


def list_relevant(options: argparse.Namespace) -> int:
    """Print the proven patterns that fit a task or a task type."""
    store = store_of(options)
    if options.task:
        table = load_words(places().config_dir / FILE_NAME)
        found = tuple(each.entry for each in relevant_to(store, options.task, options.top, options.type, table))
    elif options.type:
        found = store.get_relevant(options.type, options.top)
    else:
        complain(_("Give the task in words, or its type with --type."))
        return FINDINGS
    show_entries(found, options, nothing=_("No matching proven patterns."))
    return FINE


def show_context(options: argparse.Namespace) -> int:
    """Print the proven patterns that fit a task, for a model."""
    text = proven_context(store_of(options), options.task, options.budget)
    if options.json:
        show_json({"text": text, "tokens": count_tokens(text)})
    elif text:
        show(text)
    else:
        # nothing but what is meant for the model goes where a program takes it from
        complain(_("No matching proven patterns."))
    return FINE


def record(options: argparse.Namespace) -> int:
    """Count one use."""
    evidence = Evidence(run=options.run, outcome=Outcome(options.outcome), reason=redacted(options.reason))
    try:
        store = store_of(options)
        entry = store.record(options.type, options.description, options.tools, redacted(options.hint), evidence)
    except ValueError as error:
        complain(_("Not recorded: {reason}.").format(reason=error))
        return FINDINGS
    back_up_when_due(store)
    if options.json:
        show_json(_entry_json(entry))
    else:
        show(entry_line(entry))
    return FINE


def take_in(options: argparse.Namespace) -> int:
    """Import a published file, or the skills in a folder; entries that are wrong are listed."""
    source: Path = options.file
    store = store_of(options)
    report = import_skills(store, source) if is_folder(source) else exchange.import_patterns(store, source)
    if options.json:
        skipped = [{"entry": number, "reason": reason} for number, reason in report.skipped]
        noticed = list(report.noticed)
        show_json({"added": report.added, "merged": report.merged, "skipped": skipped, "noticed": noticed})
    else:
        show(report.words)
    for number, reason in report.skipped:
        complain(_("Entry {number} was skipped: {reason}.").format(number=number, reason=reason.rstrip(".")))
    for text in report.noticed:
        complain(text)
    return FINDINGS if report.skipped else FINE


def give_out(options: argparse.Namespace) -> int:
    """Export patterns in the published form."""
    store = store_of(options)
    try:
        entries = tuple(store.entry(each) for each in options.ids) or store.patterns()
    except UnknownPattern as error:
        return not_found(error)
    text = exchange.export_patterns(entries)
    if options.output is None:
        show_exactly(text.removesuffix("\n") + "\n")
        return FINE
    write_output(options.output, exchange.export_bytes(text), replace_private_file)
    wrote = ngettext("Wrote {count} pattern to “{path}”.", "Wrote {count} patterns to “{path}”.", len(entries))
    show(wrote.format(path=options.output))
    return FINE


def delete_patterns(options: argparse.Namespace) -> int:
    """Delete patterns; says which were not there."""
    store = store_of(options)
    try:
        for each in options.ids:
            store.entry(each)
    except UnknownPattern as error:
        return not_found(error)
    show(ngettext("Deleted {count} pattern.", "Deleted {count} patterns.", curation.delete(store, options.ids)))
    return FINE


def rename_pattern(options: argparse.Namespace) -> int:
    """Give a pattern a name."""
    try:
        show(entry_line(curation.rename(store_of(options), options.id, options.name)))
    except UnknownPattern as error:
        return not_found(error)
    return FINE


def merge_patterns(options: argparse.Namespace) -> int:
    """Add the records of one pattern to another."""
    try:
        show(entry_line(curation.merge(store_of(options), options.id, options.merged)))
    except UnknownPattern as error:
        return not_found(error)
    except ValueError as error:
        raise WorkbenchError(_("The patterns were not merged: {reason}.").format(reason=error)) from error
    return FINE


def _entry_json(entry: PatternEntry) -> dict[str, object]:
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


def _variant_json(variant: Variant) -> dict[str, object]:
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


def _observation_json(record: Observation) -> dict[str, object]:
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


def _history_json(event: PromotionEvent) -> dict[str, object]:
    """One decision."""
    return {
        "at": event.at,
        "state": event.state.value,
        "path": event.path,
        "digest": event.digest,
        "note": event.note,
    }


def _show_details(
    entry: PatternEntry,
    variants: tuple[Variant, ...],
    records: tuple[Observation, ...],
    history: tuple[PromotionEvent, ...],
) -> None:
    """Print everything about one pattern, for people."""
    show(entry_line(entry))
    show(_("first seen {first}, last seen {last}").format(first=entry.created_at, last=entry.last_seen))
    show(_("Tool orders:"))
    for variant in variants:
        tried = worked(variant.success_count, variant.success_count + variant.failure_count)
        show(f"  {one_line(variant.text)}  ({tried})")
    if records:
        show(_("Records:"))
    for record in records[:_SHOWN_RECORDS]:
        reason = f": {one_line(record.reason)}" if record.reason else ""
        show(f"  {record.at}  {record.outcome.value}  {record.run}{reason}")
    if len(records) > _SHOWN_RECORDS:
        left = len(records) - _SHOWN_RECORDS
        show("  " + ngettext("and {count} earlier record", "and {count} earlier records", left))
    if history:
        show(_("History:"))
    for event in history:
        show(f"  {event.at}  {event.state.value}  {event.path or event.note}")
