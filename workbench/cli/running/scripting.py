"""``workbench runs script RUN``: the script that plays a run back."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.running.store import add_store, journal_in
from workbench.cli.terminal import FINE, Commands, add_command, complain, show_exactly
from workbench.disk.atomic import replace_private_file
from workbench.disk.outputs import write_output
from workbench.engine.replaying.scripting import script_of
from workbench.i18n import _
from workbench.secrets import holds_mark


def register_script(verbs: Commands) -> None:
    """Add the verb to *verbs* of ``runs``."""
    script = add_command(
        verbs,
        "script",
        _("write the script that plays a run back, for run --script"),
        "runs script 0193 -o refund.script.yaml",
        _("It answers as was answered, and gives what tools gave; Python of the file is carried out again."),
    )
    script.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
    script.add_argument("-o", "--output", type=Path, metavar="FILE", help=_("where to write it (default: print it)"))
    add_store(script)
    script.set_defaults(execute=write_script)


def write_script(options: argparse.Namespace) -> int:
    """Print or write the script of a run."""
    journal = journal_in(options.store)
    try:
        text = script_of(journal.check(journal.find(options.run)))
    finally:
        journal.close()
    if options.output is None:
        show_exactly(text)
    else:
        write_output(options.output, text.encode("utf-8", "surrogatepass"), replace_private_file)
    if holds_mark(text):
        complain(_("Some answers were secret, and the journal has only marks for them: put them in by hand."))
    return FINE
