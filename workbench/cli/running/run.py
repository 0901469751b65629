"""``workbench run FILE``: a playbook or a step list is carried out, as the command line says.

What a procedure leaves open is taken from the command line, or asked for at the prompt before the run begins.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from workbench.cli.reading import add_import_option, add_kind_option, files_named, whole_program
from workbench.cli.running.debugging import add_stopping, breakpoints_in
from workbench.cli.running.following import begin, is_at_terminal
from workbench.cli.running.given import OptionsParser, add_flag, arguments_of, flags_of, help_of, setting
from workbench.cli.running.judging import add_judging, judged_options
from workbench.cli.running.leave import allowed
from workbench.cli.running.pinning import add_pinning, pins_for
from workbench.cli.running.servers import ready, tell_problems
from workbench.cli.running.store import add_store, patterns_file_in
from workbench.cli.terminal import FINE, Commands, add_command, read_line, show, show_exactly
from workbench.disk.files import real_path
from workbench.disk.places import places
from workbench.engine.backends.person import NobodyBackend, PersonBackend
from workbench.engine.backends.script import scripted
from workbench.engine.forking.beginning import begin_at
from workbench.engine.journal.journal import Journal
from workbench.engine.judges import JudgeKind, Judges, Subject
from workbench.engine.language.procedures.start import (
    as_parameters,
    chapters_of,
    is_procedure,
    left_open,
    title_of,
    why_unusable,
)
from workbench.engine.options import RunOptions
from workbench.engine.ports import JudgementBackend
from workbench.engine.running.run import Run
from workbench.engine.scripts import read_script
from workbench.engine.starting import resume_run, start_run
from workbench.errors import CannotRead, InputNeeded, RunFailed
from workbench.i18n import _
from workbench.model.format import TextFormat
from workbench.model.loader.loading import load_text
from workbench.model.procedures.placeholder_forms import canonical
from workbench.model.procedures.placeholders import Placeholder, is_usable
from workbench.model.snapshot import Snapshot
from workbench.planning.lessons import KnownPatterns, skills_of
from workbench.settings import load_settings
from workbench.tools.permissions import Permissions


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "run",
        _("run a playbook"),
        "run playbooks/refund.md --script playbooks/refund.script.yaml --trust",
        _(
            "Exit code: 0 completed, 1 failed, 2 the file, its store or a value cannot be used, or its Python is "
            "not allowed, 3 input required but not available, 130 interrupted."
        ),
        conflict_handler="resolve",  # for a --help of its own
    )
    parser.allow_abbrev = False
    parser.add_argument("-h", "--help", action=_Help, nargs=0, help=_("show this message, or after FILE, its options"))
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help=_("several files, or a pattern, form one program")
    )
    _add_start(parser)
    add_stopping(parser)
    add_pinning(parser)
    add_answering(parser)
    add_judging(parser)
    add_import_option(parser)
    add_kind_option(parser)
    parser.add_argument("--record-only", action="store_true", help=_("step lists: record violations without blocking"))
    parser.set_defaults(execute=execute, takes_flags=True, wants_help=False)


def _add_start(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--playbook", default="", metavar="NAME", help=_("playbook to start (default: start trigger)"))
    parser.add_argument(
        "--chapter",
        action="append",
        default=[],
        metavar="TITLE",
        dest="chapters",
        help=_("procedures: go through this chapter only; may be given several times"),
    )
    parser.add_argument(
        "--tick", action="store_true", help=_("checklists: tick the boxes in FILE for the steps that were done")
    )
    parser.add_argument(
        "--arg",
        "--set",
        action="append",
        default=[],
        type=setting,
        metavar="NAME=VALUE",
        dest="settings",
        help=_("a parameter of the playbook; each is also an option --NAME VALUE after FILE, or after FILE --"),
    )
    parser.add_argument(
        "--message", default="", metavar="TEXT", help=_("the first message to the program, also its $startup_message")
    )
    _add_from_step(parser)


def _add_from_step(parser: argparse.ArgumentParser) -> None:
    words = _("begin before this step (Main:04), with the values of --set for what the steps above it would give")
    parser.add_argument("--from-step", default="", metavar="ADDRESS", help=words)


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
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help=_("print events as JSON lines"))
    output.add_argument("--quiet", action="store_true", help=_("print only what is said to the user"))
    add_store(parser)


class _Help(argparse.Action):
    """Shows the options of the command, or after a file those of its program."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, *_given: Any) -> None:
        """Note the wish where a file is named, else show our own help and end."""
        if not namespace.files:
            parser.print_help()
            parser.exit()
        namespace.wants_help = True


def execute(options: argparse.Namespace) -> int:
    """Carry out the file of *options*: a playbook, or a step list where that is what the file holds."""
    options.files = files_named(options.files)
    snapshot = whole_program(options.files, options.import_from, options.kind).snapshot
    options.file = options.files[0]
    if options.wants_help:
        is_chapters = is_procedure(snapshot.program)
        own = help_of_procedure if is_chapters else partial(help_of, chosen=options.playbook)
        show_exactly(own(snapshot, file=options.file))
        return FINE
    beginning = beginning_of(options, snapshot)
    stops = breakpoints_in(options, snapshot)

    def start(journal: Journal) -> Run:
        judged = beginning.judged(journal)
        judged = replace(judged, breakpoints=stops, start_paused=options.step, mocks=tuple(options.mocks))
        judged = replace(judged, pins=pins_for(options, snapshot, journal))
        backend = backend_for(beginning.script, snapshot.program.format, judged.judges, person_here())
        return beginning.start(journal, judged, backend)

    code = begin(start, options)
    tell_problems(beginning.chosen.toolboxes)
    return code


@dataclass(frozen=True, slots=True)
class Beginning:
    """A run of *snapshot* that can begin as *options* say. *script*: the text that answers, None where there is none.

    *chosen*: how it is carried out, before it is known who judges.
    """

    options: argparse.Namespace
    snapshot: Snapshot
    script: str | None
    chosen: RunOptions

    def judged(self, journal: Journal) -> RunOptions:
        """How it is carried out, and who judges. Raises CannotRead and StoreFailed."""
        return judged_options(self.options, self.chosen, journal)

    def start(self, journal: Journal, judged: RunOptions, backend: JudgementBackend) -> Run:
        """The run, already going. Raises what ``start_run`` raises."""
        recall = KnownPatterns(patterns_file_in(self.options.store))
        if not self.options.from_step:
            return start_run(self.snapshot, journal, backend, judged, recall)
        run = begin_at(self.snapshot, journal, judged, self.options.from_step)
        return resume_run(run, journal, backend, judged, recall)


def beginning_of(options: argparse.Namespace, snapshot: Snapshot) -> Beginning:
    """How the run of *snapshot* begins, whose file the *options* name first. Raises CannotRead, PlaybookLoadError."""
    if snapshot.program.format.is_steplist:
        _check_steplist(options.files, snapshot)
    _choose_step(options, snapshot)
    script = read_script(options.script) if options.script is not None else None
    chosen = ready(options, _chosen(options, snapshot, script or ""), snapshot.program)
    return Beginning(options, snapshot, script, chosen)


def _choose_step(options: argparse.Namespace, snapshot: Snapshot) -> None:
    """Let *options* say of the playbook of the step, from which the run is to go on, that it begins with that."""
    name = options.from_step.rpartition(":")[0]
    if name and is_procedure(snapshot.program):
        known = [each.name for each in chapters_of(snapshot.program)]
        options.chapters = known[known.index(name) :] if name in known else [name]
    elif name:
        options.playbook = name


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
            policy=Permissions(tuple(options.allow), environment=tuple(options.env)),
        )
    settings = load_settings(places())
    given = values_of_procedure if is_procedure(snapshot.program) else arguments_of
    arguments = given(snapshot, options)
    return RunOptions(
        policy=Permissions(tuple(options.allow), environment=tuple(options.env)),
        playbook=options.playbook,
        chapters=tuple(options.chapters),
        ticks=options.tick,
        arguments=arguments,
        message=options.message,
        python_timeout_s=settings.python_timeout_s,
        python_memory_mb=settings.python_memory_mb,
        path=path,
        script=script,
        once=options.once,
    )


def backend_for(
    script: str | None, format_: TextFormat, judges: Judges, person: PersonBackend | None
) -> JudgementBackend:
    """Who answers what none of *judges* does: the *script*, else the *person*, else nobody.

    Raises CannotRead where the script is not made for a file of *format_*, InputNeeded where nobody walks a step list.
    """
    if script is not None:
        return scripted(script, format_, person)
    if person is not None:
        return person
    if format_.is_steplist and judges.of(Subject.TURNS) not in {JudgeKind.MODEL, JudgeKind.REPLAY}:
        message = _("A step list needs a list of calls. Give it with --script: a file with a list named calls.")
        raise InputNeeded(message)
    return NobodyBackend()


def person_here() -> PersonBackend | None:
    """The person at the terminal; None where nobody is."""
    return PersonBackend() if is_at_terminal() else None


def values_of_procedure(snapshot: Snapshot, options: argparse.Namespace) -> dict[str, Any]:
    """What is put in where a procedure leaves something open; a person at the terminal is asked for what is not said.

    Raises CannotRead where what must have a value has none, and nobody can be asked.
    """
    asked = _left_open(snapshot, options)
    given = {canonical(each.name): each.written for each in options.settings}
    given |= flags_of(as_parameters(asked), options.flags)
    can_ask = is_at_terminal() and options.script is None and not options.json
    for each in asked if can_ask else ():
        if each.name not in given:
            given[each.name] = _asked(each)
    missing = next((each for each in asked if each.is_required and not each.default and each.name not in given), None)
    if missing is not None:
        message = _("{playbook} needs a value for {name}: --{name} VALUE. See workbench run FILE --help.")
        raise CannotRead(message.format(playbook=title_of(snapshot.program), name=missing.name))
    return given


def _left_open(snapshot: Snapshot, options: argparse.Namespace) -> tuple[Placeholder, ...]:
    try:
        return left_open(snapshot, options.chapters or list(filter(None, [options.playbook])))
    except RunFailed as error:
        raise CannotRead(str(error)) from error


def _asked(placeholder: Placeholder) -> str:
    """What a person says for *placeholder*; nothing leaves it as it is written, or takes the default."""
    words = f"{placeholder.title}: {placeholder.description}" if placeholder.description else placeholder.title
    label = _("{words} (Enter: {empty}): ").format(words=words, empty=placeholder.default or _("leave it open"))
    while True:
        said = read_line(label).strip() or placeholder.default
        if is_usable(said):
            return said
        show(why_unusable(placeholder.name))


def help_of_procedure(snapshot: Snapshot, file: Path) -> str:
    """What a procedure is about, and what can be put in."""
    parser = OptionsParser(
        prog=f"workbench run {file}",
        description=title_of(snapshot.program),
        epilog=_("Options of workbench itself, which go before or after FILE: workbench run --help"),
        add_help=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options = parser.add_argument_group(_("options of {playbook}").format(playbook=title_of(snapshot.program)))
    asked = left_open(snapshot)
    for each, parameter in zip(asked, as_parameters(asked), strict=True):
        default = _("(default: {value})").format(value=each.default) if each.default else ""
        words = " ".join(filter(None, (each.description, default)))
        extra: dict[str, Any] = {"required": parameter.default is None, "metavar": each.name.upper()}
        add_flag(options, parameter, help=words.replace("%", "%%"), **extra)
    return parser.format_help()
