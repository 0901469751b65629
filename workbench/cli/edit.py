"""``workbench edit FILE VERB …``: the editing commands of the window, for scripts.

Every verb becomes a command as data; what it does to the text, and whether it may, is
decided by the same code that serves the window.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from workbench.cli.describing import Commands, add_command
from workbench.cli.differences import show_difference
from workbench.cli.edit_verbs import add_dry_run, add_verbs
from workbench.cli.exit_codes import FINDINGS, FINE
from workbench.cli.terminal import complain
from workbench.editing.commands import Command, Refusal
from workbench.editing.document import Document
from workbench.editing.keeping.storage import load
from workbench.editing.references import lost_mentions
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.model.snapshot import Snapshot

BuildCommand = Callable[[argparse.Namespace, Snapshot], Command]


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "edit",
        _("edit the steps of a playbook file"),
        "edit playbooks/refund.md move Main:04 --before Main:03 --dry-run",
        _(
            "Steps are addressed as Playbook:02.01. Only the affected lines change. Exit code: 0 "
            "done, 1 refused (the reason is printed), 2 file or step not found."
        ),
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    add_dry_run(parser, default=False)
    add_verbs(parser.add_subparsers(title=_("verbs"), metavar="VERB", required=True))
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Plan the edit, and print its diff or save it."""
    document = _open(options.file)
    build: BuildCommand = options.build_command
    outcome = document.execute(build(options, document.snapshot))
    if isinstance(outcome, Refusal):
        complain(outcome.message)
        return FINDINGS
    if options.is_dry_run:
        show_difference(options.file, outcome.before.text, outcome.after.text)
    elif document.is_dirty:
        document.save()
    for count, words in ((len(outcome.reference_fixes), _outdated), (outcome.lost_references, lost_mentions)):
        if count:
            complain(words(count))
    return FINE


def _outdated(count: int) -> str:
    if count == 1:
        return _("One reference to a step number is now wrong; use --update-references to correct it.")
    words = _("{count:,} references to step numbers are now wrong; use --update-references to correct them.")
    return words.format(count=count)


def _open(path: Path) -> Document:
    """The document in *path*; raises CannotRead for what is no text, since an edit could only damage it."""
    if load(path).is_binary:
        raise CannotRead(_("“{name}” is not a text file, so it cannot be edited.").format(name=path.name))
    return Document.open(path)
