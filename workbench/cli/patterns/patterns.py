"""``workbench patterns``: look into the library of learned patterns, and decide on them."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.describing import Commands, add_command
from workbench.cli.patterns import promotion as promotion_verbs
from workbench.cli.patterns import verbs as pattern_verbs
from workbench.i18n import _
from workbench.library.entries import Outcome, PromotionState
from workbench.library.listing import Sort
from workbench.library.relevance.synthesizer import DEFAULT_BUDGET
from workbench.library.skills.promotion import PromotionKind

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
    promotable.set_defaults(execute=promotion_verbs.list_promotable)
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
    promote.set_defaults(execute=promotion_verbs.promote_patterns)
    _add_taking_back(verbs)


def _add_taking_back(verbs: Commands) -> None:
    reject = _verb(verbs, "reject", _("stop suggesting a pattern for promotion"), "patterns reject 3f2a")
    reject.add_argument("id", metavar="ID")
    reject.add_argument("--note", default="", metavar="TEXT")
    reject.set_defaults(execute=promotion_verbs.reject_pattern)
    supersede = _verb(verbs, "supersede", _("replace a pattern with another one"), "patterns supersede 3f2a 8c1d")
    supersede.add_argument("id", metavar="ID", help=_("the pattern to replace"))
    supersede.add_argument("by", metavar="OTHER", help=_("the replacement"))
    supersede.set_defaults(execute=promotion_verbs.supersede_pattern)
    undo = _verb(verbs, "undo", _("undo a promotion or rejection; written files stay"), "patterns undo 3f2a")
    undo.add_argument("id", metavar="ID")
    undo.set_defaults(execute=promotion_verbs.undo_decision)


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
