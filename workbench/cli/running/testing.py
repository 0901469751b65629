"""Recorded runs as tests of their playbooks, and as scripts that play them back.

``workbench test``, ``workbench runs save-test RUN`` and ``workbench runs script RUN``.
"""

from __future__ import annotations

import argparse
import enum
import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from workbench.cli.reading import add_import_option, whole_program
from workbench.cli.running.replaying import as_json as divergence_as_json
from workbench.cli.running.replaying import clock_of, divergence_lines, in_its_language, today_of
from workbench.cli.running.store import add_store, journal_in
from workbench.cli.terminal import FINDINGS, FINE, UNUSABLE, Commands, add_command, complain, show, show_exactly
from workbench.disk.atomic import replace_private_file
from workbench.disk.files import fitting, is_folder, is_there
from workbench.disk.outputs import write_output
from workbench.engine.replaying.recording import recorded
from workbench.engine.replaying.replay import replay_recording
from workbench.engine.replaying.saved import ENDING, folder_of, read_saved, replay_saved, save_test
from workbench.engine.replaying.scripting import script_of
from workbench.errors import CannotRead, WorkbenchError
from workbench.i18n import N_, _, ngettext, numeral
from workbench.regex import regex
from workbench.secrets import holds_mark
from workbench.visible import visible

_NOT_IN_XML = regex("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "test",
        _("replay saved runs on their playbooks as they are now"),
        "test playbooks --junit results.xml",
        _(
            "Saved runs are made by “workbench runs save-test”. Exit code: 0 all come out as they were recorded, 1 one "
            "does not, 2 there is none, or one cannot be used."
        ),
    )
    parser.add_argument(
        "places",
        nargs="*",
        type=Path,
        default=[Path()],
        metavar="PATH",
        help=_("saved runs, playbooks that have some, or folders (default: this one)"),
    )
    parser.add_argument("--json", action="store_true", help=_("print a JSON object for each saved run"))
    parser.add_argument("--junit", type=Path, metavar="OUT.xml", help=_("also write the results as JUnit XML"))
    add_import_option(parser)
    parser.set_defaults(execute=execute)


def register_saving(verbs: Commands) -> None:
    """Add the verb to *verbs* of ``runs``."""
    saving = add_command(
        verbs,
        "save-test",
        _("save a run as a test beside its playbook"),
        "runs save-test 0193",
        _("“workbench test” replays it on the playbook as it is then. Secrets are not in it."),
    )
    saving.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
    saving.add_argument("-o", "--output", type=Path, metavar="FILE", help=_("default: NAME.runs beside the playbook"))
    saving.add_argument(
        "--playbook",
        nargs="+",
        default=[],
        type=Path,
        metavar="FILE",
        help=_("the playbook that is tested, and files that form one program with it (default: the one that was run)"),
    )
    saving.add_argument("--json", action="store_true", help=_("print a JSON object"))
    add_store(saving)
    saving.set_defaults(execute=save)


def save(options: argparse.Namespace) -> int:
    """Save the run of *options*, and say whether it comes out the same on the playbook as it is now."""
    journal = journal_in(options.store)
    try:
        run = journal.find(options.run)
        recording = recorded(journal, run)
        playbooks = options.playbook or [Path(recording.origin.path)]
        if playbooks == [Path()] or not all(map(is_there, playbooks)):
            raise CannotRead(_("The playbook of this run is not there any more. Say which one with --playbook."))
        spoken = in_its_language(lambda: replay_recording(recording)).language
        file = save_test(journal, run, playbooks, _with_ending(options.output), spoken)
    finally:
        journal.close()
    result = tested(file, ())
    if options.json:
        show(json.dumps(as_json(result)))
        return FINE if result.verdict is Verdict.SAME else FINDINGS
    show(str(file))
    if result.verdict is Verdict.SAME:
        return FINE
    complain(_("The playbook as it is now does something else than this run did:"))
    for line in result.lines:
        show(line)
    return FINDINGS


def _with_ending(output: Path | None) -> Path | None:
    if output is None or output.name.endswith(ENDING):
        return output
    return output.with_name(output.name.removesuffix(".jsonl") + ENDING)


class Verdict(enum.Enum):
    """What became of a test."""

    SAME = "same"
    OTHERWISE = "otherwise"
    UNUSABLE = "unusable"


@dataclass(frozen=True, slots=True)
class Tested:
    """A saved run, replayed. *lines*: what came out otherwise, or why it cannot be used. *events*: how many it has.

    *divergence*: where and how it came out otherwise, as JSON data; None where it did not.
    """

    file: Path
    playbook: Path
    verdict: Verdict
    seconds: float
    events: int = 0
    lines: tuple[str, ...] = ()
    divergence: Mapping[str, Any] | None = None


def as_json(result: Tested) -> dict[str, Any]:
    """*result* as JSON data."""
    return {
        "file": str(result.file),
        "playbook": str(result.playbook),
        "verdict": result.verdict.value,
        "seconds": round(result.seconds, 3),
        "events": result.events,
        "lines": list(result.lines),
        "divergence": result.divergence,
    }


def execute(options: argparse.Namespace) -> int:
    """Replay all saved runs of *options*."""
    files = _found(options.places)
    if not files:
        raise CannotRead(_("There is no saved run here. Save one: workbench runs save-test RUN."))
    results = []
    for file in files:
        results.append(tested(file, options.import_from))
        if options.json:
            show(json.dumps(as_json(results[-1])))
        else:
            _tell(results[-1])
    if not options.json:
        show(_together(results))
    if options.junit is not None:
        write_output(options.junit, junit(results))
    if any(each.verdict is Verdict.OTHERWISE for each in results):
        return FINDINGS
    return UNUSABLE if any(each.verdict is Verdict.UNUSABLE for each in results) else FINE


def _found(places: Sequence[Path]) -> list[Path]:
    """The saved runs in and below *places*, each once. Raises CannotRead for one that is not there."""
    found: list[Path] = []
    for place in places:
        if not is_there(place):
            raise CannotRead(_("“{name}” does not exist.").format(name=place))
        if is_folder(place):
            found += fitting(place, f"**/*{ENDING}")
        elif place.name.endswith(ENDING):
            found.append(place)
        else:
            found += fitting(folder_of(place), f"*{ENDING}") if is_folder(folder_of(place)) else ()
    return list(dict.fromkeys(found))


def tested(file: Path, outside: Sequence[Path]) -> Tested:
    """What the saved run in *file* comes to on its playbook as it is now. *outside*: see ``whole_program``."""
    began, playbook = time.monotonic(), file
    try:
        saved = read_saved(file)
        playbook = saved.playbooks[0]
        program = whole_program(saved.playbooks, outside)
        today = today_of(program, saved.recording)
        with clock_of(saved.zone):
            found = in_its_language(lambda: replay_saved(saved, today), saved.language).replay
    except WorkbenchError as error:
        return Tested(file, playbook, Verdict.UNUSABLE, time.monotonic() - began, lines=(str(error),))
    seconds = time.monotonic() - began
    if found.divergence is None:
        return Tested(file, playbook, Verdict.SAME, seconds, found.count)
    lines = tuple(divergence_lines(found, found.divergence, playbook, program))
    return Tested(file, playbook, Verdict.OTHERWISE, seconds, found.count, lines, divergence_as_json(found, program))


_WORDS = {
    Verdict.SAME: N_("same"),
    Verdict.OTHERWISE: N_("otherwise"),
    Verdict.UNUSABLE: N_("unusable"),
}


def _tell(result: Tested) -> None:
    events = ngettext("{count} event", "{count} events", result.events)
    count = f"  ({events})" if result.verdict is not Verdict.UNUSABLE else ""
    show(f"{_WORDS[result.verdict]!s:<12}{result.file}{count}")
    for line in result.lines:
        show(f"    {line}")


def _together(results: Sequence[Tested]) -> str:
    counts = Counter(each.verdict for each in results)
    runs = ngettext("{count} saved run", "{count} saved runs", len(results))
    others = [f"{numeral(counts[each])} {_WORDS[each]}" for each in Verdict if counts[each]]
    return f"{runs}: {', '.join(others)}"


_PARTS = {Verdict.OTHERWISE: ("failures", "failure"), Verdict.UNUSABLE: ("errors", "error")}


def junit(results: Sequence[Tested]) -> bytes:
    """*results* as JUnit XML: a case for each saved run, under the name of its playbook."""
    counts = Counter(each.verdict for each in results)
    totals = {name: str(counts[verdict]) for verdict, (name, _part) in _PARTS.items()}
    head = {"name": "workbench test", "tests": str(len(results)), **totals}
    head["time"] = str(round(sum(each.seconds for each in results), 3))
    suites = ET.Element("testsuites", head)
    suite = ET.SubElement(suites, "testsuite", head)
    for each in results:
        name = {"name": _writable(each.file.name.removesuffix(ENDING)), "classname": _writable(str(each.playbook))}
        case = ET.SubElement(suite, "testcase", {**name, "time": str(round(each.seconds, 3))})
        if each.verdict in _PARTS:
            message = {"message": _writable(each.lines[0]), "type": each.verdict.value}
            part = ET.SubElement(case, _PARTS[each.verdict][1], message)
            part.text = _writable("\n".join(each.lines))
    return bytes(ET.tostring(suites, encoding="utf-8", xml_declaration=True))


def _writable(text: str) -> str:
    """*text* with a sign for each character that XML does not have."""
    return _NOT_IN_XML.sub("\ufffd", visible(text))


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
