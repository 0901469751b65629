"""``workbench export``: a playbook as a diagram, or what a run did; ``workbench audit verify``: nobody changed that."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from workbench.cli.reading import add_import_option, add_kind_option, read_program
from workbench.cli.running.store import add_store, journal_in
from workbench.cli.terminal import (
    FINDINGS,
    FINE,
    UNUSABLE,
    Commands,
    add_command,
    complain,
    show,
    show_bytes,
    show_exactly,
    show_json,
)
from workbench.disk.atomic import replace_private_file
from workbench.disk.files import is_there
from workbench.disk.outputs import write_output
from workbench.engine.audit.chain import ChainReport, check_chain
from workbench.engine.audit.reporting import report_text
from workbench.engine.journal.events import RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.signing import Signature, key_file, make_key, read_key
from workbench.i18n import _, ngettext
from workbench.pages.diagrams.forms import Form, Paper, Wish, exported, form_of
from workbench.pages.exporting import AuditForm, audit_bytes, audit_text
from workbench.pages.exporting import form_of as audit_form_of
from workbench.pages.parts import date_of, notes_about, part_of

_OF_RUNS = tuple(form.value for form in AuditForm)
_OF_PLAYBOOKS = tuple(form.value for form in Form)


def register(commands: Commands) -> None:
    """Add the commands to *commands*."""
    export = add_command(
        commands,
        "export",
        _("export a playbook as a diagram, or a run for audit"),
        "export playbooks/refund.md -o refund.bpmn",
        _(
            "Of a playbook FILE: its flowchart as SVG, PNG or PDF, as Mermaid, as BPMN 2.0, or as a self-contained "
            "HTML page. Of a RUN: every event with its hash, as JSON lines or as a self-contained HTML page; or "
            "spans for OpenTelemetry (OTLP/JSON)."
        ),
    )
    export.add_argument("what", metavar="FILE|RUN", help=_("a playbook file, or a run id or unique prefix"))
    forms = tuple(dict.fromkeys((*_OF_PLAYBOOKS, *_OF_RUNS)))
    export.add_argument("--format", choices=forms, dest="form", help=_("default: by the extension of OUT"))
    export.add_argument("-o", "--output", type=Path, metavar="OUT", help=_("output file (default: standard output)"))
    _add_options_of_playbooks(export)
    export.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help=_("write the report of a procedure as markdown: who did what, what was found, and whether it is over"),
    )
    export.add_argument(
        "--contents", action="store_true", help=_("otlp: include arguments, results and messages (secrets stay out)")
    )
    add_store(export)
    export.set_defaults(execute=export_what)
    _add_audit(commands)


def _add_options_of_playbooks(export: argparse.ArgumentParser) -> None:
    """Add what counts for diagrams alone."""
    export.add_argument("--playbook", metavar="NAME", default="", help=_("only this playbook, or this agent"))
    export.add_argument("--theme", choices=("light", "dark"), default="light", help=_("svg, png, pdf: the colours"))
    export.add_argument("--scale", type=_scale, default=2.0, metavar="N", help=_("png: pixels per point, 0.1 to 8"))
    papers = tuple(paper.value for paper in Paper)
    export.add_argument("--page", choices=papers, default=Paper.A4.value, help=_("pdf: the sheets; fit: one as large"))
    export.add_argument("--landscape", action="store_true", help=_("pdf: sheets that are wider than high"))
    add_import_option(export)
    add_kind_option(export)


def _scale(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.1 <= value <= 8:
        raise argparse.ArgumentTypeError(_("the scale must be between 0.1 and 8"))
    return value


def _add_audit(commands: Commands) -> None:
    """Add the commands about what an audit proves."""
    audit = add_command(commands, "audit", _("verify a run's record"), "audit verify 0193")
    verbs = audit.add_subparsers(title=_("commands"), metavar="COMMAND", required=True)
    verify = add_command(
        verbs,
        "verify",
        _("verify the record of a run"),
        "audit verify 0193",
        _(
            "Finds events that were changed, removed, added or moved, a changed entry in the list of runs, and a "
            "changed text. Somebody who can write to the store can make the whole record anew: only a signature shows "
            "that. "
            "Exit code: 0 intact, 1 altered (prints what), 2 no such run."
        ),
    )
    verify.add_argument("--key", type=Path, metavar="FILE", help=_("key to check the signature with (default: yours)"))
    verify.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
    verify.add_argument("--json", action="store_true", help=_("print a JSON object"))
    add_store(verify)
    verify.set_defaults(execute=verify_run)
    _add_new_key(verbs)


def _add_new_key(verbs: Commands) -> None:
    """Add the command that makes a key."""
    new_key = add_command(
        verbs,
        "new-key",
        _("make a key that signs your runs"),
        "audit new-key",
        _(
            "From then on each run is signed. Keep a copy of the key where nobody who can write to the store can "
            "read it."
        ),
    )
    new_key.add_argument("file", nargs="?", type=Path, metavar="FILE", help=_("default: where your runs look for it"))
    new_key.set_defaults(execute=make_new_key)


def export_what(options: argparse.Namespace) -> int:
    """Write what *options* name: the diagram of a file, or the audit of a run."""
    form = Form(options.form) if options.form in _OF_PLAYBOOKS else None
    output: Path | None = options.output
    if form is None and options.form is None and output is not None:
        form = form_of(output)
    is_of_both = form is None or form.value in _OF_RUNS
    if is_of_both and not is_there(Path(options.what)):
        return export_run(options)
    if form is None:
        words = {"forms": ", ".join(_OF_PLAYBOOKS), "name": options.what}
        complain(_("“{name}” is a playbook: say with --format what it is to become, one of {forms}.").format(**words))
        return UNUSABLE
    return export_playbook(options, form)


def export_playbook(options: argparse.Namespace, form: Form) -> int:
    """Write the diagram of the file of *options*, and tell what it cannot say."""
    if options.output is None and form.is_drawn and sys.stdout.isatty():
        complain(_("A picture cannot be shown in a terminal: give a file with -o."))
        return UNUSABLE
    program = read_program([Path(options.what)], options.import_from, options.kind)
    part = part_of(program.snapshot, program.path.name, options.playbook)
    part = replace(part, date=date_of(program.path))
    wish = Wish(form, options.theme == "dark", Paper(options.page), not options.landscape, options.scale)
    data = exported(part, wish, options.draw)
    for note in notes_about(part):
        complain(note)
    if options.output is not None:
        write_output(options.output, data)
    elif form.is_drawn:
        show_bytes(data)
    else:
        show_exactly(data.decode("utf-8"))
    return FINE


def export_run(options: argparse.Namespace) -> int:
    """Write the audit of the run of *options*."""
    output: Path | None = options.output
    form = AuditForm(options.form) if options.form else audit_form_of(output or Path("audit.jsonl"))
    journal = journal_in(options.store)
    try:
        run = journal.find(options.what)
        if options.report is not None:
            _export_report(journal, run, options.report)
        elif output is None:
            show_exactly(audit_text(journal, run, form, contents=options.contents).rstrip("\n") + "\n")
        else:
            write_output(output, audit_bytes(journal, run, form, contents=options.contents), replace_private_file)
    finally:
        journal.close()
    return FINE


def _export_report(journal: Journal, run: RunId, path: Path) -> None:
    """Write the report of *run*. Raises CannotRead where it is no run of a procedure."""
    text = report_text(journal, run)
    if str(path) == "-":
        show_exactly(text)
    else:
        write_output(path, text.encode("utf-8", "surrogateescape"), replace_private_file)


def verify_run(options: argparse.Namespace) -> int:
    """Say whether the record of the run of *options* is as it was written."""
    journal = journal_in(options.store)
    try:
        key = read_key(options.key) if options.key is not None else b""
        report = check_chain(journal, journal.find(options.run), key)
    finally:
        journal.close()
    if options.json:
        show_json(_as_json(report))
    elif report.is_sound:
        message = _("Run {run} is intact: {events}, head {head}.")
        events = ngettext("{count} event", "{count} events", report.written)
        show(message.format(run=report.run, events=events, head=report.head))
        if report.signature is Signature.NO_KEY:
            show(_("It is not signed, so this does not show whether somebody made the whole record anew."))
    else:
        message = _("Run {run} was altered: {faults}.")
        complain(message.format(run=report.run, faults="; ".join(report.faults)))
    return FINE if report.is_sound else FINDINGS


def make_new_key(options: argparse.Namespace) -> int:
    """Make a key for signing."""
    path: Path = options.file or key_file()
    make_key(path)
    show(_("Saved the key “{path}”.").format(path=path))
    return FINE


def _as_json(report: ChainReport) -> dict[str, object]:
    return {
        "run": report.run,
        "is_sound": report.is_sound,
        "first_broken": report.first_broken,
        "sound": report.sound,
        "written": report.written,
        "head": report.head,
        "faults": list(report.faults),
        "signature": report.signature.value,
    }
