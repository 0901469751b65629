"""``workbench generate --run``: what was made is carried out at once, watched, and gone on with where it deviates."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from workbench.cli.reading import read_source
from workbench.cli.running.following import go_along, shown_events
from workbench.cli.running.run import backend_for, person_here
from workbench.cli.running.store import patterns_file_in
from workbench.disk.files import real_path
from workbench.engine.backends.script import ScriptBackend, ScriptedWalker
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.ports import JudgementBackend
from workbench.engine.running.run import Run
from workbench.i18n import _
from workbench.model.format import TextFormat
from workbench.model.snapshot import Snapshot, derive
from workbench.planning.deviation.carrying import Attend, RunHands
from workbench.planning.lessons import KnownPatterns
from workbench.planning.request import DeviationKind, PlaybookFormat, Policy
from workbench.planning.stages import Hands
from workbench.syntax.imports import has_imports, join_program
from workbench.syntax.text import SourceText
from workbench.tools.permissions import Policy as Permissions

_NAME = "generated.md"


def add_run_wishes(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take whether the playbook is run, and what is done where the run is not as planned."""
    group = parser.add_argument_group(_("running it"))
    group.add_argument("--run", action="store_true", help=_("carry it out once it is accepted"))
    group.add_argument(
        "--on-deviation",
        action="append",
        default=[],
        type=_policy,
        metavar="KIND=HOW",
        help=_("KIND: {kinds}; HOW: {ways}").format(
            kinds=", ".join(each.value for each in DeviationKind), ways=", ".join(each.value for each in Policy)
        ),
    )
    group.add_argument("--accept", action="store_true", help=_("take another text without asking where it can go on"))


def _policy(text: str) -> tuple[str, str]:
    """``failed=retry``."""
    kind, _equals, how = text.partition("=")
    if kind not in {each.value for each in DeviationKind} or how not in {each.value for each in Policy}:
        raise argparse.ArgumentTypeError(_("“{text}” is not written like failed=retry").format(text=text))
    return kind, how


def run_hands(
    options: argparse.Namespace, journal: Journal, judged: RunOptions, keeper: Hands, folder: Path
) -> RunHands:
    """Who carries out what a cycle makes, in *folder*, and has *keeper* keep it."""
    is_list = options.format == PlaybookFormat.STEPLIST.value
    format_ = TextFormat.STEPLIST if is_list else TextFormat.MARKDOWN

    def backend(events: tuple[RunEvent, ...]) -> JudgementBackend:
        made = backend_for(judged.script or None, format_, judged.judges, person_here())
        if isinstance(made, ScriptBackend | ScriptedWalker):
            made.catch_up(events)
        return made

    carried = replace(
        judged,
        path=str(real_path(folder / _NAME)),
        is_trusted=options.trust,
        policy=Permissions(tuple(options.allow), environment=tuple(options.env)),
        once=True,
    )
    recall = KnownPatterns(patterns_file_in(options.store))
    return RunHands(journal, backend, keeper, carried, _attending(options), partial(_read, folder), recall)


def _attending(options: argparse.Namespace) -> Attend:
    """Prints what happens as *options* say, and asks the person."""
    show_event = shown_events(options)

    def attend(run: Run, take: Callable[[RunEvent], None]) -> None:
        def both(event: RunEvent) -> None:
            take(event)
            show_event(event)

        go_along(run, both)

    return attend


def _read(folder: Path, text: str) -> Snapshot:
    """What *text* means, with what it imports from *folder*."""
    if not has_imports(text):
        return derive(SourceText(text))
    joined = join_program([(folder / _NAME, text)], lambda path: read_source(path).text, ())
    return derive(SourceText(joined.text))
