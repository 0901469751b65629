"""A recorded run is looked at once more: ``workbench replay``, ``workbench runs where`` and ``workbench runs log``.

The first carries it out again, without the world, and compares event by event; the second tells where the value of a
variable came from; the third what a breakpoint or a log point would have said.
"""

from __future__ import annotations

import argparse
import difflib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.cli.reading import ReadProgram, add_import_option, whole_program
from workbench.cli.running.debugging import breakpoint_option, placed
from workbench.cli.running.store import add_store, journal_in
from workbench.cli.terminal import FINDINGS, FINE, Commands, add_command, show, show_json
from workbench.disk.files import real_path
from workbench.engine.audit.chain import as_json as event_as_json
from workbench.engine.audit.deeds import plain
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.payload import NOTHING
from workbench.engine.provenance.setters import setters_of
from workbench.engine.provenance.tracing import History, Origin, home_of, reads_in, where_from
from workbench.engine.replaying.comparing import Difference
from workbench.engine.replaying.looking_back import CameBy, came_by
from workbench.engine.replaying.recording import Recording, Today, recorded
from workbench.engine.replaying.replay import Divergence, Replay, replay_recording
from workbench.engine.starting import snapshot_of
from workbench.engine.state.fold import fold
from workbench.errors import CannotRead, RunFailed, StoreFailed
from workbench.event_words import described, made_words
from workbench.i18n import LANGUAGES, _, language, ngettext, use_language
from workbench.model.snapshot import Snapshot
from workbench.planning.lessons import skills_of

_LONGEST = 200


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "replay",
        _("carry out a recorded run once more, without the world, and compare"),
        "replay 0193 --on refund.md",
        _(
            "Answers, results, times and messages come from the record; nothing is called and nobody is asked. Exit "
            "code: 0 everything comes out as it was recorded, 1 something does not, 2 the run or the file cannot be "
            "used."
        ),
    )
    parser.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
    parser.add_argument(
        "--on",
        nargs="+",
        default=[],
        type=Path,
        metavar="FILE",
        help=_("replay it on this playbook as it is now (default: on the text that the run was begun with)"),
    )
    parser.add_argument("--json", action="store_true", help=_("print a JSON object"))
    add_import_option(parser)
    add_store(parser)
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Replay the run of *options*, and tell the first event that comes out otherwise."""
    journal = journal_in(options.store)
    try:
        recording = recorded(journal, journal.find(options.run))
        program = whole_program(options.on, options.import_from) if options.on else None
        today = None if program is None else today_of(program, recording)
        found = in_its_language(lambda: replay_recording(recording, today)).replay
    finally:
        journal.close()
    file = program.path if program is not None else Path(recording.origin.path or recording.origin.playbook)
    if options.json:
        show_json({"run": found.run, "events": found.count, "divergence": as_json(found, program)})
        return FINE if found.divergence is None else FINDINGS
    if found.divergence is None:
        show(all_the_same(found))
        return FINE
    show(_so_far(found))
    for line in divergence_lines(found, found.divergence, file, program):
        show(line)
    return FINDINGS


def today_of(program: ReadProgram, recording: Recording) -> Today:
    """The text of *program*, for a replay of *recording*."""
    path, snapshot = str(real_path(program.path)), program.snapshot
    is_list = recording.origin.steplist is not None and snapshot.program.format.is_steplist
    return Today(snapshot.source, path, skills_of(snapshot, path) if is_list else {})


@dataclass(frozen=True, slots=True)
class Spoken:
    """A replay, and the language that it was carried out in."""

    replay: Replay
    language: str


def in_its_language(replayed: Callable[[], Replay], first: str = "") -> Spoken:
    """What *replayed* gives in the language of the run: *first*, else ours, else another in which it gets further.

    The words of questions and failures are those that the run was carried out in.
    """
    ours, found = language(), list[Spoken]()
    try:
        for spoken in dict.fromkeys((first or ours, ours, *LANGUAGES)):
            use_language(spoken)
            found.append(Spoken(replayed(), spoken))
            if found[-1].replay.divergence is None:
                return found[-1]
    finally:
        use_language(ours)
    return max(found, key=lambda each: len(each.replay.events))


@contextmanager
def clock_of(zone: str) -> Iterator[None]:
    """Lets the clocks of this process show the time of *zone*, ``+02:00``, where the system can do that."""
    before, set_zone = os.environ.get("TZ"), getattr(time, "tzset", None)
    sign = "-" if zone.startswith("+") else "+"
    if set_zone is None:
        yield
        return
    os.environ["TZ"] = f"RUN{sign}{zone[1:]}"
    set_zone()
    try:
        yield
    finally:
        if before is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = before
        set_zone()


def all_the_same(found: Replay) -> str:
    """That nothing came out otherwise."""
    return ngettext("{count} event comes out as it was recorded.", "{count} events come out as recorded.", found.count)


def _so_far(found: Replay) -> str:
    return ngettext(
        "{count} event comes out as it was recorded; then the run does something else.",
        "{count} events come out as recorded; then the run does something else.",
        len(found.events),
    )


def divergence_lines(found: Replay, divergence: Divergence, file: Path, program: ReadProgram | None) -> Sequence[str]:
    """*divergence* to read: where it is, the line of the text, what was recorded, and what came out."""
    at, number = _place(found, divergence, file, program)
    head = _("{place}  {step}  event {number}").format(place=at, step=divergence.step, number=divergence.recorded.seq)
    source = [f"{number:>6} | {_source(found, divergence.line)}"] if number else []
    recorded_line = f"  {_('recorded:'):<12}{_told(divergence.recorded)}"
    came = divergence.problem if divergence.came is None else _told(divergence.came)
    lines = [" ".join(head.split("   ")), *source, recorded_line, f"  {_('now:'):<12}{came}"]
    for each in divergence.differences:
        lines += [f"    {line}" for line in _difference_lines(each)]
    if divergence.after_secret:
        lines.append("  " + _("A secret was used before, which the journal does not keep: this may be why."))
    return lines


def _place(found: Replay, divergence: Divergence, file: Path, program: ReadProgram | None) -> tuple[str, int]:
    """File and line of *divergence*, and the line alone; 0 where there is none."""
    line = divergence.line
    if not line:
        return str(file), 0
    if program is not None and found.snapshot is not None:
        file, line, _column = program.place(found.snapshot.lines.offset(line - 1))
    return f"{file}:{line}", line


def _source(found: Replay, line: int) -> str:
    lines = found.snapshot.text.split("\n") if found.snapshot is not None else []
    return lines[line - 1].rstrip() if line <= len(lines) else ""


def _told(event: RunEvent) -> str:
    return _short("  ".join(filter(None, (event.name, described(event)))))


def _difference_lines(difference: Difference) -> list[str]:
    before, now = _value(difference.recorded), _value(difference.came)
    if "\n" not in before + now:
        return [f"{difference.name}: {_short(before)} → {_short(now)}"]
    lines = difflib.unified_diff(before.split("\n"), now.split("\n"), _("recorded"), _("now"), n=1, lineterm="")
    return [f"{difference.name}:", *map(_short, lines)]


def _value(value: Any) -> str:
    return "–" if value is NOTHING else plain(value) or "–"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def as_json(found: Replay, program: ReadProgram | None) -> dict[str, Any] | None:
    """The divergence of *found*; None where there is none."""
    divergence = found.divergence
    if divergence is None:
        return None
    _at, line = _place(found, divergence, Path(), program)
    came = divergence.came
    return {
        "event": divergence.recorded.seq,
        "step": divergence.step,
        "line": line,
        "recorded": {"type": divergence.recorded.name, "says": described(divergence.recorded)},
        "now": {"type": came.name, "says": described(came)} if came is not None else {"says": divergence.problem},
        "differences": [
            {"name": each.name, "recorded": _value(each.recorded), "now": _value(each.came)}
            for each in divergence.differences
        ],
    }


def register_where(verbs: Commands) -> None:
    """Add the verb to *verbs* of ``runs``."""
    where = add_command(
        verbs,
        "where",
        _("show where the value of a variable came from"),
        "runs where 0193 total --at 57",
        _("Each line is an event that the value goes back to; what it took its own value from stands below it."),
    )
    where.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
    where.add_argument("name", metavar="NAME", help=_("the variable, with or without its $"))
    where.add_argument("--at", type=int, metavar="SEQ", help=_("its value directly after the event with this number"))
    where.add_argument("--json", action="store_true", help=_("print JSON"))
    add_store(where)
    where.set_defaults(execute=show_where)


def show_where(options: argparse.Namespace) -> int:
    """Print the way of a value."""
    journal = journal_in(options.store)
    try:
        events = journal.read(journal.find(options.run))
        ran = _text_of(events, journal)
    finally:
        journal.close()
    origin = _origin(events, ran, options)
    if origin is None:
        show(_("{name} had no value there.").format(name=options.name))
        return FINDINGS
    if options.json:
        show_json(_origin_as_json(origin))
    else:
        for line in _lines(origin, 0):
            show(line)
    return FINE


def _text_of(events: tuple[RunEvent, ...], journal: Journal) -> Snapshot | None:
    try:
        return snapshot_of(fold(events[:1]), journal)
    except StoreFailed:
        return None


def _origin(events: tuple[RunEvent, ...], ran: Snapshot | None, options: argparse.Namespace) -> Origin | None:
    count = len(events) if options.at is None else max(0, min(options.at + 1, len(events)))
    state, setters = fold(events[:count]), setters_of(events[:count])
    for name in dict.fromkeys((options.name, f"${options.name.removeprefix('$')}")):
        home = home_of(state, name, setters)
        if home is not None:
            return where_from(History(events, setters, reads_in(ran)), home, name, count)
    return None


def _lines(origin: Origin, depth: int) -> Iterator[str]:
    event, cut = origin.event, " …" if origin.is_cut else ""
    yield f"{'  ' * depth}{event.seq}  {event.step}  {made_words(event, origin.name)}{cut}"
    for source in origin.sources:
        yield from _lines(source, depth + 1)


def _origin_as_json(origin: Origin) -> dict[str, Any]:
    return {
        "name": origin.name,
        "event": event_as_json(origin.event),
        "is_cut": origin.is_cut,
        "sources": [_origin_as_json(source) for source in origin.sources],
    }


def register_log(verbs: Commands) -> None:
    """Add the verb to *verbs* of ``runs``."""
    log = add_command(
        verbs,
        "log",
        _("tell what a log point would have told of a run that has been"),
        'runs log 0193 "Main:04 if $n > 3 log n is {$n}"',
        _("POINT is written as for run --break; without “log TEXT” the times are told at which the run came by."),
    )
    log.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
    log.add_argument("point", metavar="POINT", type=breakpoint_option, help=_("a place, and what is told there"))
    log.add_argument("--json", action="store_true", help=_("print a JSON list"))
    add_store(log)
    log.set_defaults(execute=show_log)


def show_log(options: argparse.Namespace) -> int:
    """Print each time that the run came by."""
    journal = journal_in(options.store)
    try:
        run = journal.find(options.run)
        point = placed(options.point, snapshot_of(fold(journal.read(run)[:1]), journal))
        found = tuple(came_by(journal, run, point))
    except RunFailed as error:
        raise CannotRead(str(error)) from error
    finally:
        journal.close()
    if options.json:
        show_json(list(map(_passing_as_json, found)))
    elif not found:
        show(_("The run never came by {place}.").format(place=options.point.place))
    for each in () if options.json else found:
        show(f"{each.event.seq:>6}  {each.event.step:<18} {each.text or each.problem}".rstrip())
    return FINE if found else FINDINGS


def _passing_as_json(found: CameBy) -> dict[str, Any]:
    event = found.event
    told = {"text": found.text, "problem": found.problem}
    return {"seq": event.seq, "at_ns": event.at_ns, "step": event.step, "line": event.line, "hit": found.hit, **told}
