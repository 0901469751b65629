"""``workbench replay RUN``: a recorded run is carried out once more, without the world, and compared event by event."""

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
from workbench.cli.running.store import add_store, journal_in
from workbench.cli.terminal import FINDINGS, FINE, Commands, add_command, show, show_json
from workbench.disk.files import real_path
from workbench.engine.audit.deeds import plain
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.payload import NOTHING
from workbench.engine.replaying.comparing import Difference
from workbench.engine.replaying.recording import Recording, Today, recorded
from workbench.engine.replaying.replay import Divergence, Replay, replay_recording
from workbench.event_words import described
from workbench.i18n import LANGUAGES, _, language, ngettext, use_language
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
