"""``workbench compare RUN [OTHER]``: what is different in one run than in another."""

from __future__ import annotations

import argparse
import datetime as dt
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from workbench.cli.running.store import add_store, journal_in
from workbench.cli.terminal import FINDINGS, FINE, Commands, add_command, show, show_json
from workbench.disk.atomic import replace_private_file
from workbench.disk.outputs import write_output
from workbench.engine.comparing.comparing import compare, last_good
from workbench.engine.comparing.comparison import Compared, Comparison, Row
from workbench.engine.comparing.differences import Difference
from workbench.engine.journal.events import RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.payload import NOTHING
from workbench.errors import CannotRead
from workbench.i18n import _, duration_text
from workbench.pages.comparison_page import comparison_page
from workbench.pages.comparison_words import only_words, place_words, run_words, summary_of, told


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "compare",
        _("compare a run with another one"),
        "compare 0193 -o difference.html",
        _(
            "Shows what changed: outcome, decisions, answers, calls and values, step by step. Without OTHER, RUN is "
            "compared with the last run of the same file that was completed before it. "
            "Exit code: 0 they did the same, whatever it took and cost, 1 something differs, 2 no such run."
        ),
    )
    parser.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
    parser.add_argument("other", metavar="OTHER", nargs="?", help=_("the run to compare with, likewise"))
    form = parser.add_mutually_exclusive_group()
    form.add_argument("-o", "--output", type=Path, metavar="OUT", help=_("write an HTML page"))
    form.add_argument("--json", action="store_true", help=_("print a JSON object"))
    add_store(parser)
    parser.set_defaults(execute=compare_runs)


def compare_runs(options: argparse.Namespace) -> int:
    """Show how the runs of *options* differ."""
    journal = journal_in(options.store)
    try:
        run = journal.find(options.run)
        other = journal.find(options.other) if options.other is not None else _last_good(journal, run)
        comparison = compare(journal, run, other)
    finally:
        journal.close()
    if options.output is not None:
        page = comparison_page(comparison).encode("utf-8", "backslashreplace")
        write_output(options.output, page, replace_private_file)
    elif options.json:
        show_json(_as_json(comparison))
    else:
        for line in _lines(comparison):
            show(line)
    return FINDINGS if comparison.matters else FINE


def _last_good(journal: Journal, run: RunId) -> RunId:
    found = last_good(journal, run)
    if found is None:
        message = _("No run of the same file was completed before run {run}. Name the run to compare with as well.")
        raise CannotRead(message.format(run=run))
    return found


def _lines(comparison: Comparison) -> Iterator[str]:
    yield _run_line(_("This run"), comparison.run)
    yield _run_line(_("Other run"), comparison.other)
    yield ""
    for sentence in summary_of(comparison):
        yield f"- {' '.join(sentence.split())}"
    yield from _titled(_("Runs as a whole"), [told(each).line for each in comparison.differences if each.matters])
    yield from _titled(_("Step by step"), [line for row in comparison.differing for line in _row_lines(row)])
    yield from _titled(_("Variables at the end"), [told(each).line for each in comparison.values])


def _titled(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield title
        yield from (f"  {line}" for line in lines)


def _run_line(title: str, run: Compared) -> str:
    started = dt.datetime.fromtimestamp(run.started_ns / 1e9, dt.UTC).strftime("%Y-%m-%d %H:%M:%S")
    facts = (title, run.run, started, run.playbook, run_words(run.status), duration_text(run.duration_ns), run.path)
    return "  ".join(" ".join(fact.split()) for fact in facts)


def _row_lines(row: Row) -> Iterator[str]:
    sign = "~" if row.is_in_both else "+" if row.other is None else "-"
    only = "" if row.is_in_both else f" ({only_words(row)})"
    yield f"{sign} {place_words(row)}  {' '.join(row.shown.text.split())}{only}".rstrip()
    for each in row.differences:
        if each.matters:
            yield f"    {told(each).line}"


def _as_json(comparison: Comparison) -> dict[str, object]:
    return {
        "run": _run_as_json(comparison.run),
        "other": _run_as_json(comparison.other),
        "differs": comparison.matters,
        "is_same_text": comparison.is_same_text,
        "summary": list(summary_of(comparison)),
        "runs": [_difference_as_json(each) for each in comparison.differences],
        "steps": [_row_as_json(row) for row in comparison.rows if row.differences or not row.is_in_both],
        "values": [_difference_as_json(each) for each in comparison.values],
    }


def _run_as_json(run: Compared) -> dict[str, object]:
    return {
        "run": run.run,
        "playbook": run.playbook,
        "path": run.path,
        "status": run.status.value,
        "error": run.error,
        "started_ns": run.started_ns,
        "duration_ns": run.duration_ns,
        "tokens": run.used.tokens,
        "cost_usd": run.used.cost_usd,
    }


def _row_as_json(row: Row) -> dict[str, object]:
    return {
        "step": row.shown.address,
        "text": row.shown.text,
        "round": row.shown.round,
        "visit": row.shown.visit,
        "in": "both" if row.is_in_both else "run" if row.other is None else "other",
        "differences": [_difference_as_json(each) for each in row.differences],
    }


def _difference_as_json(difference: Difference) -> dict[str, object]:
    sides: dict[str, Any] = {"other": difference.other, "run": difference.run}
    present = {side: value for side, value in sides.items() if value is not NOTHING}
    return {"about": difference.about.value, "name": difference.name, **present, "matters": difference.matters}
