"""What a run is given on the command line: ``--arg``, the flags of a playbook made for it, and standard input."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from workbench.cli.reading import add_import_option, files_named, whole_program
from workbench.cli.running.following import begin, is_at_terminal
from workbench.cli.running.judging import add_judging, judged_options
from workbench.cli.running.leave import allowed
from workbench.cli.running.servers import ready, tell_problems
from workbench.cli.running.store import add_store, patterns_file_in
from workbench.cli.terminal import Commands, add_command
from workbench.disk.files import real_path
from workbench.disk.places import places
from workbench.engine.backends.person import NobodyBackend, PersonBackend
from workbench.engine.backends.script import scripted
from workbench.engine.fields import NotThatType, field_type, value_of
from workbench.engine.journal.journal import Journal
from workbench.engine.judges import JudgeKind, Judges, Subject
from workbench.engine.language.book import Book
from workbench.engine.language.calling import entry_of
from workbench.engine.options import RunOptions
from workbench.engine.ports import JudgementBackend
from workbench.engine.running.run import Run
from workbench.engine.scripts import read_script
from workbench.engine.starting import start_run
from workbench.errors import CannotRead, InputNeeded
from workbench.i18n import _
from workbench.model.format import TextFormat
from workbench.model.loader.loading import load_text
from workbench.model.meaning import Variable
from workbench.model.program import Parameter, Playbook
from workbench.model.snapshot import Snapshot
from workbench.planning import KnownPatterns, skills_of
from workbench.settings import load_settings
from workbench.tools.permissions import Policy

_STARTUP = "startup_message"


def setting(text: str) -> tuple[str, Any]:
    """``name=value``; what is JSON is read as JSON, so that numbers are numbers, and everything else is text."""
    name, equals, value = text.partition("=")
    name = name.strip().removeprefix("$")
    if not equals or not name:
        raise argparse.ArgumentTypeError(_("“{text}” is not NAME=VALUE").format(text=text))
    return name, json_or_text(value)[0]


def json_or_text(text: str) -> tuple[Any]:
    """What *text* says as JSON, so that numbers are numbers; everything else is text. Always as the only item."""
    try:
        return (json.loads(text),)
    except (ValueError, RecursionError):
        return (text,)


def arguments_of(
    snapshot: Snapshot, chosen: str, settings: Sequence[tuple[str, Any]], rest: Sequence[str]
) -> dict[str, Any]:
    """The arguments of a run: *settings*, *rest* as flags, and what stands in the input where it is used.

    *chosen*: the playbook to begin with, empty for the entry. Raises CannotRead for flags that do not fit.
    """
    target = entry_of(Book(snapshot), chosen)
    playbook = target.playbook if target is not None else None
    arguments = {**dict(settings), **_flags(playbook, rest)}
    if playbook is not None and _STARTUP not in arguments and _uses_input(snapshot, playbook):
        arguments[_STARTUP] = sys.stdin.read().rstrip("\r\n")
    return arguments


def _uses_input(snapshot: Snapshot, playbook: Playbook) -> bool:
    """Whether *playbook* mentions the input, and the input is not a person's keyboard."""
    is_used = _STARTUP in _text_of(snapshot, playbook)
    return is_used and sys.stdin is not None and not sys.stdin.isatty()


def _text_of(snapshot: Snapshot, playbook: Playbook) -> str:
    """What is written of *playbook*; all of the file for one that stands for Python."""
    if playbook not in snapshot.program.playbooks:
        return snapshot.text
    span = snapshot.playbook_span(playbook.name)
    return snapshot.text[span.start : span.end]


def _flags(playbook: Playbook | None, rest: Sequence[str]) -> dict[str, Any]:
    """*rest* as values of the parameters of *playbook*, where it is made for the command line."""
    if not rest:
        return {}
    parameters = playbook.parameters if playbook and dict(playbook.metadata).get("cli_entry") is True else ()
    parser = _Parser(prog="workbench run FILE", add_help=False, allow_abbrev=False)
    for parameter in parameters:
        _add_flag(parser, parameter)
    found, unknown = parser.parse_known_args(list(rest))
    if unknown:
        known = ", ".join(f"--{parameter.name}" for parameter in parameters) or _("none")
        message = _("Unknown option “{word}”. Options of the playbook: {known}.")
        raise CannotRead(message.format(word=unknown[0], known=known))
    return vars(found)


class _Parser(argparse.ArgumentParser):
    """A parser that says what is wrong by an exception of ours."""

    def error(self, message: str) -> Any:
        """Raise CannotRead."""
        raise CannotRead(message)


def _add_flag(parser: argparse.ArgumentParser, parameter: Parameter) -> None:
    """Let *parser* take ``--name VALUE``; without a value, a truth is true."""
    names = dict.fromkeys((f"--{parameter.name}", f"--{parameter.name.replace('_', '-')}"))
    is_truth = parameter.type.strip().lower() in ("bool", "boolean")

    def read(text: str) -> Any:
        try:
            return value_of(text, field_type(Variable(parameter.name, type=parameter.type)))
        except NotThatType as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    extra: dict[str, Any] = {"nargs": "?", "const": True} if is_truth else {}
    parser.add_argument(*names, dest=parameter.name, type=read, default=argparse.SUPPRESS, **extra)


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "run",
        _("run a playbook"),
        "run playbooks/refund.md --script playbooks/refund.script.yaml --trust",
        _(
            "Exit code: 0 completed, 1 failed, 2 the file or store cannot be used, or its Python is "
            "not allowed, 3 input required but not available, 130 interrupted."
        ),
    )
    parser.allow_abbrev = False
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help=_("several files, or a pattern, form one program")
    )
    _add_start(parser)
    add_answering(parser)
    add_judging(parser)
    add_import_option(parser)
    parser.add_argument("--record-only", action="store_true", help=_("step lists: record violations without blocking"))
    parser.set_defaults(execute=execute, takes_flags=True)


def _add_start(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--playbook", default="", metavar="NAME", help=_("playbook to start (default: start trigger)"))
    parser.add_argument(
        "--arg",
        "--set",
        action="append",
        default=[],
        type=setting,
        metavar="NAME=VALUE",
        dest="settings",
        help=_("a parameter of the playbook; with “cli_entry: true” each is also an option --NAME VALUE after FILE"),
    )


def add_answering(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take who answers, what may run, where runs are kept, and how events are printed."""
    parser.add_argument("--script", type=Path, metavar="FILE", help=_("a YAML file with answers and tool results"))
    parser.add_argument("--trust", action="store_true", help=_("allow Python of file and project, and servers, to run"))
    parser.add_argument(
        "--allow",
        action="append",
        default=[],
        type=allowed,
        metavar="TOOL[=PATTERN]",
        help=_('do not ask before these calls in this run, such as shell="git status" or write_file="notes/*"'),
    )
    parser.add_argument(
        "--env",
        action="append",
        default=[],
        metavar="NAME",
        help=_("a variable of yours that the commands of this run see; they see none otherwise"),
    )
    parser.add_argument(
        "--once", action="store_true", help=_("end where the run would wait for a message or for its timers")
    )
    parser.add_argument("--json", action="store_true", help=_("print events as JSON lines"))
    add_store(parser)


def execute(options: argparse.Namespace) -> int:
    """Carry out the file of *options*: a playbook, or a step list where that is what the file holds."""
    files = files_named(options.files)
    snapshot = whole_program(files, options.import_from).snapshot
    options.file = files[0]
    if snapshot.program.format.is_steplist:
        _check_steplist(files, snapshot)
    script = read_script(options.script) if options.script is not None else None
    chosen = ready(options, _chosen(options, snapshot, script or ""), snapshot.program)
    recall = KnownPatterns(patterns_file_in(options.store))

    def start(journal: Journal) -> Run:
        judged = judged_options(options, chosen, journal)
        backend = backend_for(script, snapshot.program.format, judged.judges)
        return start_run(snapshot, journal, backend, judged, recall)

    code = begin(start, options)
    tell_problems(chosen.toolboxes)
    return code


def _check_steplist(files: Sequence[Path], snapshot: Snapshot) -> None:
    """Raises CannotRead where there is more than the list, PlaybookLoadError with file and line where it is damaged."""
    if len(files) > 1:
        raise CannotRead(_("A step list runs by itself, not together with other files."))
    load_text(snapshot.text, files[0])


def _chosen(options: argparse.Namespace, snapshot: Snapshot, script: str) -> RunOptions:
    """What *options* say of a run of *snapshot*."""
    path = str(real_path(options.file))
    if snapshot.program.format.is_steplist:
        return RunOptions(
            path=path,
            script=script,
            is_recording_only=options.record_only,
            skills=skills_of(snapshot, path),
            policy=Policy(tuple(options.allow), environment=tuple(options.env)),
        )
    settings = load_settings(places())
    return RunOptions(
        policy=Policy(tuple(options.allow), environment=tuple(options.env)),
        playbook=options.playbook,
        arguments=arguments_of(snapshot, options.playbook, options.settings, options.flags),
        python_timeout_s=settings.python_timeout_s,
        python_memory_mb=settings.python_memory_mb,
        path=path,
        script=script,
        once=options.once,
    )


def backend_for(script: str | None, format_: TextFormat, judges: Judges) -> JudgementBackend:
    """Who answers what none of *judges* does: the *script*, else the person at the terminal, else nobody.

    Raises CannotRead where the script is not made for a file of *format_*, InputNeeded where nobody walks a step list.
    """
    if script is not None:
        return scripted(script, format_, PersonBackend() if is_at_terminal() else None)
    if is_at_terminal():
        return PersonBackend()
    if format_.is_steplist and judges.of(Subject.TURNS) not in {JudgeKind.MODEL, JudgeKind.REPLAY}:
        message = _("A step list needs a list of calls. Give it with --script: a file with a list named calls.")
        raise InputNeeded(message)
    return NobodyBackend()
