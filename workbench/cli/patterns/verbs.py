"""What ``workbench patterns`` does, apart from promotions."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.exit_codes import FINDINGS, FINE
from workbench.cli.patterns.output import (
    entry_json,
    entry_line,
    history_json,
    observation_json,
    show_details,
    variant_json,
)
from workbench.cli.running.store import patterns_file_in
from workbench.cli.terminal import complain, show, show_json
from workbench.errors import WorkbenchError
from workbench.i18n import _
from workbench.library import curation, exchange
from workbench.library.backup import back_up_when_due
from workbench.library.entries import Evidence, Outcome, PatternEntry, PromotionState
from workbench.library.history import UnknownPattern
from workbench.library.listing import PatternQuery
from workbench.library.redaction import redacted
from workbench.library.relevance.relevance import proven_context, relevant_to
from workbench.library.relevance.tokens import count_tokens
from workbench.library.skills.importing import import_skills
from workbench.library.store import PatternStore
from workbench.library.task_words import FILE_NAME, load_words
from workbench.settings import places


def store_of(options: argparse.Namespace) -> PatternStore:
    """The library that the command is about: a file, the one that runs keep in a folder, or the person's own."""
    chosen: Path | None = options.store
    is_file = chosen is not None and (chosen.is_file() or (bool(chosen.suffix) and not chosen.is_dir()))
    path = chosen if chosen is not None and is_file else patterns_file_in(chosen)
    return PatternStore(path)


def list_patterns(options: argparse.Namespace) -> int:
    """Print the patterns that are asked for."""
    states = frozenset({PromotionState(options.state)} if options.state else ())
    query = PatternQuery(
        text=" ".join(options.words), task_type=options.type, tool=options.tool, states=states, sort=options.sort
    )
    store = store_of(options)
    entries = store.patterns(query, options.limit)
    show_entries(entries, options, nothing=_nothing(store))
    return FINE


def _nothing(store: PatternStore) -> str:
    if store.count():
        return _("No pattern fits.")
    return _("There are no patterns yet. A run that calls tools and succeeds records one.")


def show_entries(entries: tuple[PatternEntry, ...], options: argparse.Namespace, nothing: str) -> None:
    """Print *entries*, one a line or as JSON; *nothing* where there are none."""
    if options.json:
        show_json([entry_json(entry) for entry in entries])
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
                **entry_json(entry),
                "variants": [variant_json(each) for each in variants],
                "observations": [observation_json(each) for each in records],
                "history": [history_json(each) for each in history],
            }
        )
        return FINE
    show_details(entry, variants, records, history)
    return FINE


def not_found(error: UnknownPattern) -> int:
    """Say that there is no such pattern."""
    text = _("There is no pattern with the id “{id}”. See them all with: workbench patterns list.")
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
        complain(_("Say what the task is, or give its type with --type."))
        return FINDINGS
    show_entries(found, options, nothing=_("No proven pattern fits."))
    return FINE


def show_context(options: argparse.Namespace) -> int:
    """Print the proven patterns that fit a task, for a model."""
    text = proven_context(store_of(options), options.task, options.budget)
    if options.json:
        show_json({"text": text, "tokens": count_tokens(text)})
    else:
        show(text or _("No proven pattern fits."))
    return FINE


def record(options: argparse.Namespace) -> int:
    """Count one use."""
    evidence = Evidence(run=options.run, outcome=Outcome(options.outcome), reason=redacted(options.reason))
    try:
        store = store_of(options)
        entry = store.record(options.type, options.description, options.tools, redacted(options.hint), evidence)
    except ValueError as error:
        complain(_("It was not recorded: {reason}.").format(reason=error))
        return FINDINGS
    back_up_when_due(store)
    if options.json:
        show_json(entry_json(entry))
    else:
        show(entry_line(entry))
    return FINE


def take_in(options: argparse.Namespace) -> int:
    """Import a published file, or the skills in a folder; entries that are wrong are listed."""
    source: Path = options.file
    store = store_of(options)
    report = import_skills(store, source) if source.is_dir() else exchange.import_patterns(store, source)
    if options.json:
        skipped = [{"entry": number, "reason": reason} for number, reason in report.skipped]
        show_json({"added": report.added, "merged": report.merged, "skipped": skipped})
    else:
        show(_("{added} added, {merged} known before.").format(added=report.added, merged=report.merged))
    for number, reason in report.skipped:
        complain(_("Entry {number} was left out: {reason}.").format(number=number, reason=reason.rstrip(".")))
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
        show(text.removesuffix("\n"))
        return FINE
    exchange.save_export(options.output, text)
    show(_("Wrote {count} patterns to “{path}”.").format(count=len(entries), path=options.output))
    return FINE


def delete_patterns(options: argparse.Namespace) -> int:
    """Delete patterns; says which were not there."""
    store = store_of(options)
    try:
        for each in options.ids:
            store.entry(each)
    except UnknownPattern as error:
        return not_found(error)
    show(_("Deleted {count}.").format(count=curation.delete(store, options.ids)))
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
        raise WorkbenchError(_("They were not merged: {reason}.").format(reason=error)) from error
    return FINE
