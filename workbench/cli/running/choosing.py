"""Which runs ``workbench runs`` lists: by file, playbook, state, time, text and pin."""

from __future__ import annotations

import argparse
import datetime as dt
from pathlib import Path

from workbench.disk.files import absolute
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_list import RunSummary
from workbench.engine.journal.storage.words import runs_with
from workbench.i18n import _
from workbench.regex import regex

_AGO = regex(r"(\d{1,6})([dhm])")
_UNITS = {"d": "days", "h": "hours", "m": "minutes"}
_LIVE = "live"


def add_choosing(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take what runs are chosen by."""
    states = (_LIVE, *(status.value for status in RunStatus))
    parser.add_argument("--file", type=Path, metavar="PATH", help=_("only runs of this file or folder"))
    parser.add_argument("--playbook", metavar="NAME", help=_("only runs that began with this playbook"))
    parser.add_argument("--state", choices=states, help=_("only runs in this state; live: that go on now"))
    since = _("only runs that began then or later: 2026-01-31, 2026-01-31T12:00 (UTC), or 7d, 12h, 30m ago")
    parser.add_argument(
        "--since",
        type=moment_ns,
        metavar="TIME",
        help=since,
    )
    parser.add_argument("--until", type=moment_ns, metavar="TIME", help=_("only runs that began before that"))
    parser.add_argument("--text", metavar="WORDS", help=_("only runs with an event that holds all these words"))
    parser.add_argument("--pinned", action="store_true", help=_("only runs that are pinned"))


def chosen(journal: Journal, options: argparse.Namespace) -> tuple[RunSummary, ...]:
    """The runs of *journal* that *options* want, newest first."""
    fitting = tuple(one for one in journal.runs() if _fits(one, options))
    if options.text is None:
        return fitting
    found = runs_with(journal, options.text)
    return tuple(one for one in fitting if one.id in found)


def _fits(one: RunSummary, options: argparse.Namespace) -> bool:
    return (
        (options.file is None or is_of(one, options.file))
        and options.playbook in {None, one.playbook}
        and options.state in {None, one.status.value, _LIVE if one.is_live else None}
        and (options.since is None or one.started_ns >= options.since)
        and (options.until is None or one.started_ns < options.until)
        and (one.is_pinned or not options.pinned)
    )


def is_of(one: RunSummary, path: Path) -> bool:
    """Whether *one* is a run of the file *path*, or of a file in that folder."""
    return bool(one.path) and absolute(Path(one.path)).is_relative_to(absolute(path))


def moment_ns(text: str) -> int:
    """The time that *text* means, ns since 1970: as written, in UTC, or so long ago."""
    ago = _AGO.fullmatch(text)
    try:
        if ago is not None:
            moment = dt.datetime.now(dt.UTC) - dt.timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        else:
            moment = dt.datetime.fromisoformat(text)
    except (ValueError, OverflowError) as error:
        message = _("“{text}” is no time: write 2026-01-31, 2026-01-31T12:00 or 7d")
        raise argparse.ArgumentTypeError(message.format(text=text)) from error
    return round((moment if moment.tzinfo is not None else moment.replace(tzinfo=dt.UTC)).timestamp() * 1e9)
