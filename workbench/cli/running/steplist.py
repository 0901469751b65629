"""``workbench run LIST.yaml``: a step list, walked by the calls of a script or by the person at the terminal."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.exit_codes import INPUT_NEEDED
from workbench.cli.running.following import begin, is_at_terminal
from workbench.cli.running.store import patterns_file_in
from workbench.cli.terminal import complain
from workbench.engine.journal.events import RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.steplists.handle import ListedRun, WalkOptions, resume_listed, start_listed
from workbench.engine.steplists.scripted import scripted_walker
from workbench.errors import CannotRead, InputNeeded
from workbench.i18n import _
from workbench.model.loader.loading import ENDINGS, load_playbook
from workbench.model.snapshot import derive
from workbench.planning.knowledge import KnownPatterns
from workbench.syntax.text import SourceText


def is_listed(path: Path) -> bool:
    """True for files that hold step lists."""
    return path.suffix.lower() in ENDINGS


def execute_listed(options: argparse.Namespace) -> int:
    """Carry out the step list of *options*."""
    load_playbook(options.file)  # says what is wrong with file and line
    script = _script_in(options.script) if options.script is not None else ""
    chosen = WalkOptions(
        walker=scripted_walker(script) if options.script is not None else None,
        path=str(options.file.resolve()),
        script=script,
        is_recording_only=options.record_only,
        recall=KnownPatterns(patterns_file_in(options.store)),
    )
    if chosen.walker is None and not is_at_terminal():
        complain(_("A step list is walked by a model. Give its calls with --script: a file with a list called calls."))
        return INPUT_NEEDED
    snapshot = derive(SourceText.decode(options.file.read_bytes()))
    return begin(lambda journal: start_listed(snapshot, journal, chosen), options)


def resumed_list(options: argparse.Namespace, journal: Journal, run: RunId) -> ListedRun:
    """The run *run* of a step list, going on. Raises InputNeeded where nobody can say what comes next."""
    began = journal.read(run)[0].body
    script = _script_in(options.script) if options.script is not None else str(began.get("script", ""))
    in_doubt = "" if options.in_doubt == "ask" else options.in_doubt
    if not script and not is_at_terminal():
        raise InputNeeded(_("A step list is walked by a model. Give its calls with --script."))
    chosen = WalkOptions(
        walker=scripted_walker(script) if script else None,
        script=script,
        in_doubt=in_doubt,
        recall=KnownPatterns(patterns_file_in(options.store)),
    )
    return resume_listed(run, journal, chosen)


def _script_in(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = _("Could not read the calls in {path}: {reason}")
        raise CannotRead(message.format(path=path, reason=error)) from error
