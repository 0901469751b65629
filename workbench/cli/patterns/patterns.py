"""``workbench patterns``: look into the library of learned patterns, and decide on them."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.patterns import verbs as pattern_verbs
from workbench.cli.patterns.verbs import not_found, show_entries, store_of
from workbench.cli.terminal import FINDINGS, FINE, Commands, add_command, complain, show, show_json
from workbench.disk.places import places
from workbench.i18n import _, numeral
from workbench.library import curation
from workbench.library.entries import Outcome, PromotionState
from workbench.library.listing import Sort
from workbench.library.relevance.synthesizer import DEFAULT_BUDGET
from workbench.library.rows import UnknownPattern
from workbench.library.skills.promotion import Draft, PromotionKind, draft_promotion, promote, why_not_promotable
from workbench.library.store import PatternStore
from workbench.settings import load_settings

_SORTS = {sort.name.lower().replace("_", "-"): sort for sort in Sort}


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "patterns",
        _("list, record, promote and exchange learned patterns"),
        "patterns list",
        _("Exit code: 0 success, 1 not found or refused, 2 the library or a file cannot be used."),
    )
    verbs = parser.add_subparsers(title=_("verbs"), metavar="VERB", required=True)
    _add_looking(verbs)
    _add_recording(verbs)
    _add_deciding(verbs)
    _add_exchanging(verbs)


def _verb(verbs: Commands, name: str, summary: str, example: str) -> argparse.ArgumentParser:
    parser = add_command(verbs, name, summary, example)
    parser.add_argument("--store", type=Path, metavar="PATH", help=_("library or run store (default: yours)"))
    parser.add_argument("--json", action="store_true", help=_("print JSON"))
    return parser


def _add_looking(verbs: Commands) -> None:
    listed = _verb(verbs, "list", _("list patterns"), "patterns list --type research")
    listed.add_argument("words", nargs="*", metavar="WORD", help=_("only patterns that contain every word"))
    listed.add_argument("--type", default="", help=_("only this task type"))
    listed.add_argument("--tool", default="", help=_("only patterns that use this tool"))
    listed.add_argument("--state", choices=[state.value for state in PromotionState])
    listed.add_argument("--sort", choices=sorted(_SORTS), default="recent")
    listed.add_argument("--limit", type=_count, default=-1, metavar="N")
    listed.set_defaults(execute=_list)
    show = _verb(verbs, "show", _("show one pattern with its variants, records and history"), "patterns show 3f2a")
    show.add_argument("id", metavar="ID")
    show.set_defaults(execute=pattern_verbs.show_pattern)
    relevant = _verb(
        verbs, "relevant", _("list proven patterns for a task"), 'patterns relevant "restart the web server"'
    )
    relevant.add_argument("task", nargs="?", default="", metavar="TASK", help=_("the task in words"))
    relevant.add_argument("--type", default="", help=_("the task type; required without TASK"))
    relevant.add_argument("--top", type=_count, default=3, metavar="N")
    relevant.set_defaults(execute=pattern_verbs.list_relevant)
    context = _verb(
        verbs,
        "context",
        _("print what worked for a task, as text for a model's context"),
        'patterns context "restart the web server"',
    )
    context.add_argument("task", metavar="TASK", help=_("the task in words"))
    context.add_argument("--budget", type=_count, default=DEFAULT_BUDGET, metavar="TOKENS", help=_("maximum length"))
    context.set_defaults(execute=pattern_verbs.show_context)


def _list(options: argparse.Namespace) -> int:
    options.sort = _SORTS[options.sort]
    return pattern_verbs.list_patterns(options)


def _add_recording(verbs: Commands) -> None:
    record = _verb(
        verbs, "record", _("record one use of a tool sequence"), "patterns record --type shell read_log restart"
    )
    record.add_argument("--type", required=True, help=_("the task type"))
    record.add_argument("--description", default="", metavar="TEXT")
    record.add_argument("--hint", default="", metavar="TEXT", help=_("how the task was requested; secrets are removed"))
    record.add_argument("--run", default="", metavar="ID", help=_("run id; each run counts once"))
    record.add_argument("--outcome", choices=[outcome.value for outcome in Outcome], default=Outcome.SUCCESS.value)
    record.add_argument("--reason", default="", metavar="TEXT", help=_("why it failed"))
    record.add_argument("tools", nargs="*", metavar="TOOL", help=_("the tools in order"))
    record.set_defaults(execute=pattern_verbs.record)


def _add_deciding(verbs: Commands) -> None:
    promotable = _verb(verbs, "promotable", _("list patterns ready for promotion"), "patterns promotable")
    _add_threshold(promotable)
    promotable.set_defaults(execute=list_promotable)
    promote = _verb(
        verbs,
        "promote",
        _("save a pattern as a skill or playbook, or all that are ready"),
        "patterns promote 3f2a --to skills",
    )
    promote.add_argument("id", nargs="?", metavar="ID")
    promote.add_argument("--to", type=Path, required=True, metavar="DIR", help=_("target folder"))
    promote.add_argument("--kind", choices=[kind.value for kind in PromotionKind], default=PromotionKind.SKILL.value)
    promote.add_argument("--dry-run", action="store_true", help=_("print the result without writing it"))
    _add_threshold(promote)
    promote.set_defaults(execute=promote_patterns)
    _add_taking_back(verbs)


def _add_taking_back(verbs: Commands) -> None:
    reject = _verb(verbs, "reject", _("stop suggesting a pattern for promotion"), "patterns reject 3f2a")
    reject.add_argument("id", metavar="ID")
    reject.add_argument("--note", default="", metavar="TEXT")
    reject.set_defaults(execute=reject_pattern)
    supersede = _verb(verbs, "supersede", _("replace a pattern with another one"), "patterns supersede 3f2a 8c1d")
    supersede.add_argument("id", metavar="ID", help=_("the pattern to replace"))
    supersede.add_argument("by", metavar="OTHER", help=_("the replacement"))
    supersede.set_defaults(execute=supersede_pattern)
    undo = _verb(verbs, "undo", _("undo a promotion or rejection; written files stay"), "patterns undo 3f2a")
    undo.add_argument("id", metavar="ID")
    undo.set_defaults(execute=undo_decision)


def _add_threshold(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--threshold",
        type=_threshold,
        metavar="N",
        help=_("required number of successes (default: as set for the project, else 3)"),
    )


def _add_exchanging(verbs: Commands) -> None:
    take_in = _verb(
        verbs,
        "import",
        _("import a published playbook.json, or the skills in a folder"),
        "patterns import playbook.json",
    )
    take_in.add_argument("file", type=Path, metavar="FILE")
    take_in.set_defaults(execute=pattern_verbs.take_in)
    give_out = _verb(
        verbs, "export", _("export patterns as a published playbook.json"), "patterns export playbook.json"
    )
    give_out.add_argument("ids", nargs="*", metavar="ID", help=_("patterns to export (default: all)"))
    give_out.add_argument("-o", "--output", type=Path, metavar="FILE", help=_("output file (default: standard output)"))
    give_out.set_defaults(execute=pattern_verbs.give_out)
    _add_tidying(verbs)


def _add_tidying(verbs: Commands) -> None:
    delete = _verb(verbs, "delete", _("delete patterns and all their records"), "patterns delete 3f2a")
    delete.add_argument("ids", nargs="+", metavar="ID")
    delete.set_defaults(execute=pattern_verbs.delete_patterns)
    rename = _verb(
        verbs,
        "rename",
        _("rename a pattern; later records keep the name"),
        'patterns rename 3f2a "Restart the web server"',
    )
    rename.add_argument("id", metavar="ID")
    rename.add_argument("name", metavar="NAME")
    rename.set_defaults(execute=pattern_verbs.rename_pattern)
    merge = _verb(verbs, "merge", _("merge one pattern into another"), "patterns merge 3f2a 8c1d")
    merge.add_argument("id", metavar="ID", help=_("the pattern to keep"))
    merge.add_argument("merged", metavar="OTHER", help=_("the pattern to merge and delete"))
    merge.set_defaults(execute=pattern_verbs.merge_patterns)


def _count(text: str) -> int:
    count = int(text)
    if count < 0:
        raise argparse.ArgumentTypeError(_("must not be negative"))
    return count


def _threshold(text: str) -> int:
    threshold = int(text)
    if threshold < 1:
        raise argparse.ArgumentTypeError(_("must be at least 1"))
    return threshold


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
    return _("No pattern with {threshold} or more successes awaits promotion.").format(threshold=numeral(threshold))


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
