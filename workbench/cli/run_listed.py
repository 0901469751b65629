"""``workbench run LIST.yaml``: a step list, walked by the calls of a script under enforcement."""

from __future__ import annotations

import argparse
from pathlib import Path

import yaml

from workbench.cli.exit_codes import FINDINGS, FINE, INPUT_NEEDED
from workbench.cli.run_lines import show_as_json, show_as_text
from workbench.cli.run_store import journal_in
from workbench.cli.terminal import complain
from workbench.engine.enforcement.scripted_calls import ScriptedCall, parse_calls
from workbench.engine.listed.loop import ListedOptions, run_step_list
from workbench.engine.listed.scripted import ScriptedModel
from workbench.errors import CannotRead, InputNeeded
from workbench.i18n import _
from workbench.model.steplists.loading import ENDINGS, load_playbook


def is_listed(path: Path) -> bool:
    """True for files that hold step lists."""
    return path.suffix.lower() in ENDINGS


def execute_listed(options: argparse.Namespace) -> int:
    """Carry out the step list of *options* by its script."""
    playbook = load_playbook(options.file)
    if options.script is None:
        complain(_("A step list is walked by a model. Give its calls with --script: a file with a list called calls."))
        return INPUT_NEEDED
    calls = _calls_in(options.script)
    model = ScriptedModel(calls)
    tools = model.tools(*(tool for step in playbook.steps for tool in step.expected_tools))
    journal = journal_in(options.store)
    try:
        listed = ListedOptions(
            path=str(options.file.resolve()), on_event=show_as_json if options.json else show_as_text
        )
        result = run_step_list(playbook, model, tools, journal, listed)
    except InputNeeded as error:
        complain(str(error))
        return INPUT_NEEDED
    finally:
        journal.close()
    return FINE if result.is_complete else FINDINGS


def _calls_in(path: Path) -> tuple[ScriptedCall, ...]:
    try:
        return parse_calls(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        message = _("Could not read the calls in {path}: {reason}")
        raise CannotRead(message.format(path=path, reason=error)) from error
