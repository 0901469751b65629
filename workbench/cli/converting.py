"""``workbench convert FILE --to markdown|steplist``: the other form, and what it keeps only as notes."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.reading import add_import_option, read_snapshot
from workbench.cli.terminal import FINE, Commands, add_command, complain, show_exactly
from workbench.disk.atomic import write_new_file
from workbench.disk.outputs import write_file
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.model.converting import Converted, comments_of, to_markdown, to_steplist
from workbench.model.loader.loading import load_text
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import SourceText


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "convert",
        _("convert between markdown and step lists"),
        "convert checks.yaml --to markdown -o checks.md",
        _("Anything the target format cannot express is kept in notes or metadata, and reported on standard error."),
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--to", required=True, choices=("markdown", "steplist"))
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help=_("write to OUT, which must not exist"))
    parser.add_argument(
        "--playbook", default="", metavar="NAME", help=_("which playbook of a file with several (default: the first)")
    )
    add_import_option(parser)
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Print or write the other form."""
    snapshot = read_snapshot(options.file, options.import_from)
    converted = _converted(options, snapshot)
    for sentence in converted.kept:
        complain(sentence)
    if options.output is None:
        show_exactly(converted.text)
    else:
        write_file(options.output, SourceText(converted.text).encode(), write_new_file)
    return FINE


def _converted(options: argparse.Namespace, snapshot: Snapshot) -> Converted:
    form = snapshot.program.format
    if form.is_graph:
        raise CannotRead(_("This is a graph (playbook.v2). Converting it would lose the conditions on its steps."))
    if form.is_steplist is (options.to == "steplist"):
        raise CannotRead(_("“{name}” is already a {form}.").format(name=options.file.name, form=options.to))
    if form.is_steplist:
        comments = () if form.is_json else comments_of(snapshot.text)
        return to_markdown(load_text(snapshot.text, options.file), comments)
    found = to_steplist(snapshot, options.playbook)
    if found is None:
        raise CannotRead(_("“{name}” has no playbook with that name.").format(name=options.file.name))
    return found
