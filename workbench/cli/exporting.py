"""``workbench export RUN`` and ``workbench audit verify RUN``: what a run did, and that nobody changed the record."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.running.store import add_store, journal_in
from workbench.cli.terminal import FINDINGS, FINE, Commands, add_command, complain, show, show_exactly, show_json
from workbench.disk.atomic import replace_private_file
from workbench.disk.outputs import write_output
from workbench.engine.audit.chain import ChainReport, check_chain
from workbench.engine.audit.reporting import report_text
from workbench.engine.journal.events import RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.signing import Signature, key_file, make_key, read_key
from workbench.i18n import _, ngettext
from workbench.pages.exporting import AuditForm, audit_bytes, audit_text, form_of

_FORMS = tuple(form.value for form in AuditForm)


def register(commands: Commands) -> None:
    """Add the commands to *commands*."""
    export = add_command(
        commands,
        "export",
        _("export a run for audit"),
        "export 0193 -o audit.html",
        _(
            "Writes every event with its hash, as JSON lines or as a self-contained HTML page; or the run as spans "
            "for OpenTelemetry (OTLP/JSON)."
        ),
    )
    export.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
    export.add_argument("--format", choices=_FORMS, dest="form", help=_("default: by the extension of OUT"))
    export.add_argument("-o", "--output", type=Path, metavar="OUT", help=_("output file (default: standard output)"))
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
    export.set_defaults(execute=export_run)
    _add_audit(commands)


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


def export_run(options: argparse.Namespace) -> int:
    """Write the audit of the run of *options*."""
    output: Path | None = options.output
    form = AuditForm(options.form) if options.form else form_of(output or Path("audit.jsonl"))
    journal = journal_in(options.store)
    try:
        run = journal.find(options.run)
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
