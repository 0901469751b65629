"""What ``workbench patterns`` does about promotions."""

from __future__ import annotations

import argparse

from workbench.cli.exit_codes import FINDINGS, FINE
from workbench.cli.patterns.verbs import not_found, show_entries, store_of
from workbench.cli.terminal import complain, show, show_json
from workbench.disk.places import places
from workbench.i18n import _
from workbench.library import curation
from workbench.library.rows import UnknownPattern
from workbench.library.skills.promotion import Draft, PromotionKind, draft_promotion, promote, why_not_promotable
from workbench.library.store import PatternStore
from workbench.settings import load_settings


def list_promotable(options: argparse.Namespace) -> int:
    """Print what has worked often enough."""
    found = store_of(options).get_promotable(threshold_of(options))
    show_entries(found, options, nothing=_none_waits(threshold_of(options)))
    return FINE


def threshold_of(options: argparse.Namespace) -> int:
    """The threshold that was given, else that of the person's project."""
    given: int | None = options.threshold
    return load_settings(places()).promotion_threshold if given is None else given


def _none_waits(threshold: int) -> str:
    return _("No pattern with {threshold} or more successes awaits promotion.").format(threshold=threshold)


def promote_patterns(options: argparse.Namespace) -> int:
    """Promote one pattern, or all that may be."""
    store = store_of(options)
    ids = [options.id] if options.id else [entry.pattern_id for entry in store.get_promotable(threshold_of(options))]
    try:
        reasons = [_reason(store, each, threshold_of(options)) for each in ids]
    except UnknownPattern as error:
        return not_found(error)
    if any(reasons):
        for reason in filter(None, reasons):
            complain(reason)
        return FINDINGS
    drafts = [draft_promotion(store, each, options.to, PromotionKind(options.kind)) for each in ids]
    if not options.dry_run:
        for draft in drafts:
            promote(store, draft, threshold_of(options))
    _show_drafts(drafts, options)
    return FINE


def _reason(store: PatternStore, pattern_id: str, threshold: int) -> str:
    return why_not_promotable(store.entry(pattern_id), threshold)


def _show_drafts(drafts: list[Draft], options: argparse.Namespace) -> None:
    if options.json:
        show_json([_draft_json(draft, options) for draft in drafts])
        return
    for draft in drafts:
        if options.dry_run:
            show(_("Would write “{path}”:").format(path=draft.path))
            show(draft.diff or draft.text.removesuffix("\n"))
        else:
            show(_("Saved “{path}”.").format(path=draft.path))
        if draft.edited is not None:
            show(_("An earlier version was edited by hand. It is kept, and this one is saved next to it."))
    if not drafts:
        show(_none_waits(threshold_of(options)))


def _draft_json(draft: Draft, options: argparse.Namespace) -> dict[str, object]:
    return {
        "pattern_id": draft.pattern_id,
        "kind": draft.kind.value,
        "path": str(draft.path),
        "text": draft.text,
        "diff": draft.diff,
        "written": not options.dry_run,
    }


def reject_pattern(options: argparse.Namespace) -> int:
    """Stop offering a pattern."""
    try:
        curation.reject(store_of(options), options.id, options.note)
    except UnknownPattern as error:
        return not_found(error)
    show(_("It will not be suggested for promotion again."))
    return FINE


def supersede_pattern(options: argparse.Namespace) -> int:
    """Let another pattern take the place of one."""
    try:
        curation.supersede(store_of(options), options.id, options.by)
    except UnknownPattern as error:
        return not_found(error)
    show(_("It will not be suggested again; the other pattern replaces it."))
    return FINE


def undo_decision(options: argparse.Namespace) -> int:
    """Take a promotion or a rejection back."""
    try:
        curation.undo_promotion(store_of(options), options.id)
    except UnknownPattern as error:
        return not_found(error)
    show(_("It can be promoted again. Files already written stay."))
    return FINE
