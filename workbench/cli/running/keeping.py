"""``workbench runs pin|unpin|prune|compact``: which runs are kept, and how much room they take."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from workbench.cli.running.choosing import is_of
from workbench.cli.running.store import add_store, journal_in
from workbench.cli.terminal import FINE, Commands, add_command, show, show_json
from workbench.disk.files import PROJECT_FILE
from workbench.disk.places import places
from workbench.engine.journal.storage.room import Retention, compact, leave_out, set_pin, sizes, surplus
from workbench.errors import CannotRead
from workbench.i18n import _, ngettext, numeral
from workbench.project_file import project_file
from workbench.settings import load_settings

_MIB = 1024 * 1024
_LIMITS = {"keep_days": "days", "keep_runs": "runs", "max_mib": "bytes"}
"""By the key in the project file: the limit that it sets."""


def register_keeping(verbs: Commands) -> None:
    """Add the verbs to *verbs* of ``runs``."""
    for name, what in (("pin", _("keep a run, however old it is")), ("unpin", _("keep it only by its age"))):
        verb = add_command(verbs, name, what, f"runs {name} 0193")
        verb.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
        add_store(verb)
        verb.set_defaults(execute=_pin, is_pinned=name == "pin")
    _register_prune(verbs)
    packed = add_command(verbs, "compact", _("make the store as small as it can be"), "runs compact")
    packed.add_argument("--json", action="store_true", help=_("print JSON"))
    add_store(packed)
    packed.set_defaults(execute=_compact)


def _register_prune(verbs: Commands) -> None:
    notes = _(
        "Only runs of files in the folder of the project are removed, never pinned or running ones. What is not "
        "given here stands under [runs] in workbench.toml, or in the settings: keep_days, keep_runs, max_mib."
    )
    prune = add_command(verbs, "prune", _("remove old runs"), "runs prune --keep-runs 100 --dry-run", notes)
    folder = _("folder of the project (default: here)")
    prune.add_argument("--project", type=Path, metavar="DIR", default=Path(), help=folder)
    prune.add_argument("--all", action="store_true", help=_("look at all runs, of whatever project"))
    prune.add_argument("--keep-days", type=_amount, metavar="N", help=_("remove what ended more than N days ago"))
    prune.add_argument("--keep-runs", type=_amount, metavar="N", help=_("keep only the N newest runs"))
    prune.add_argument("--max-mib", type=_amount, metavar="N", help=_("keep only what fits into N MiB, newest first"))
    prune.add_argument("--dry-run", action="store_true", help=_("only say what would be removed"))
    prune.add_argument("--json", action="store_true", help=_("print JSON"))
    add_store(prune)
    prune.set_defaults(execute=_prune)


def _amount(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(_("“{text}” is not a number above 0").format(text=text))
    return int(text)


def _pin(options: argparse.Namespace) -> int:
    journal = journal_in(options.store)
    try:
        run = journal.find(options.run)
        set_pin(journal, run, is_pinned=options.is_pinned)
    finally:
        journal.close()
    words = _("Run {run} is kept.") if options.is_pinned else _("Run {run} is kept only by its age.")
    show(words.format(run=run))
    return FINE


def _prune(options: argparse.Namespace) -> int:
    rule = _rule(options)
    journal = journal_in(options.store)
    try:
        sized = sizes(journal)
        mine = [one for one in journal.runs() if options.all or is_of(one, options.project)]
        gone = surplus(mine, sized, rule, time.time_ns())
        if not options.dry_run:
            leave_out(journal, [one.id for one in gone])
    finally:
        journal.close()
    freed = sum(sized.get(one.id, 0) for one in gone)
    if options.json:
        show_json({"runs": [one.id for one in gone], "bytes": freed, "is_removed": not options.dry_run})
        return FINE
    for one in gone:
        show(f"{one.id}  {one.title}  {size_words(sized.get(one.id, 0))}  {one.path}")
    words = (
        ngettext("{count} run would be removed ({size}).", "{count} runs would be removed ({size}).", len(gone))
        if options.dry_run
        else ngettext("{count} run was removed ({size}).", "{count} runs were removed ({size}).", len(gone))
    )
    show(words.format(count=numeral(len(gone)), size=size_words(freed)))
    return FINE


def _rule(options: argparse.Namespace) -> Retention:
    """What is to be kept: as given, else as the project says, else the person. Raises CannotRead where nobody does."""
    project, settings = project_file(options.project), load_settings(places())
    limits: dict[str, int] = {}
    for key, name in _LIMITS.items():
        given, written = getattr(options, key), project.runs.get(key, 0)
        if type(written) is not int or written < 0:
            message = _("“{key}” under [runs] in {file} is not a number.")
            raise CannotRead(message.format(key=key, file=project.path))
        limits[name] = given or written or getattr(settings, key)
    rule = Retention(limits["days"], limits["runs"], limits["bytes"] * _MIB)
    if not rule.has_limit:
        message = _("Nothing says which runs to keep: give --keep-days, --keep-runs or --max-mib, or [runs] in {file}.")
        raise CannotRead(message.format(file=PROJECT_FILE))
    return rule


def _compact(options: argparse.Namespace) -> int:
    journal = journal_in(options.store)
    try:
        done = compact(journal, [one.id for one in journal.runs() if not one.is_live])
    finally:
        journal.close()
    if options.json:
        show_json({"before": done.before, "after": done.after})
    else:
        words = _("Size of the store: {before} → {after}")
        show(words.format(before=size_words(done.before), after=size_words(done.after)))
    return FINE


def size_words(count: int) -> str:
    """*count* bytes, for people."""
    if count < _MIB:
        return _("{n} KiB").format(n=numeral(-(-count // 1024)))
    return _("{n} MiB").format(n=numeral(count / _MIB, ".1f"))
