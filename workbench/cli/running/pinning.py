"""``workbench runs pin-answer RUN STEP``: an answer counts for later runs of the file, with ``run FILE --pinned``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from workbench.cli.running.store import add_store, journal_in
from workbench.cli.terminal import FINE, Commands, add_command, show, show_json
from workbench.disk.places import places
from workbench.engine.debugging.pins import Pin, Pins, answers_of, keep_pin, load_pins, pin_of, pins_at, save_pins
from workbench.engine.journal.journal import Journal
from workbench.engine.language.procedures.start import who
from workbench.engine.starting import snapshot_of
from workbench.engine.state.fold import fold
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.model.snapshot import Snapshot


def add_pinning(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take which answers of runs before are given."""
    parser.add_argument("--pinned", action="store_true", help=_("give the answers that were pinned for FILE"))
    parser.add_argument(
        "--answers-of",
        metavar="RUN",
        help=_("give the answers of that run where they fit, each once; what is left is asked"),
    )


def pins_for(options: argparse.Namespace, snapshot: Snapshot, journal: Journal) -> Pins:
    """The answers that the run of *snapshot* is given as *options* say. Raises StoreFailed and CannotRead."""
    pinned = pins_at(load_pins(places().answers_file, options.file), snapshot) if options.pinned else ()
    if options.answers_of is None:
        return pinned
    events = journal.check(journal.find(options.answers_of))
    return (*pinned, *answers_of(events, snapshot_of(fold(events[:1]), journal), snapshot, who()))


def register_pinning(verbs: Commands) -> None:
    """Add the verbs to *verbs* of ``runs``."""
    pin = add_command(
        verbs,
        "pin-answer",
        _("keep the answer of a step for later runs of the file"),
        "runs pin-answer 0193 Main:03",
        _("It is kept on this machine, not in the file; run --pinned gives it as long as the step says the same."),
    )
    pin.add_argument("run", metavar="RUN", help=_("run id or unique prefix"))
    pin.add_argument("step", metavar="STEP")
    add_store(pin)
    pin.set_defaults(execute=pin_answer)
    pinned = add_command(verbs, "pinned", _("show the answers that are pinned for a file"), "runs pinned refund.md")
    pinned.add_argument("file", type=Path, metavar="FILE")
    pinned.add_argument("--remove", action="append", default=[], metavar="STEP", help=_("take one away"))
    pinned.add_argument("--clear", action="store_true", help=_("take all away"))
    pinned.add_argument("--json", action="store_true", help=_("print a JSON list"))
    pinned.set_defaults(execute=show_pinned)


def pin_answer(options: argparse.Namespace) -> int:
    """Keep the last answer to a step of a run."""
    journal = journal_in(options.store)
    try:
        events = journal.check(journal.find(options.run))
        state = fold(events[:1])
        pin = pin_of(events, snapshot_of(state, journal), options.step, who())
    finally:
        journal.close()
    if not state.origin.path:
        raise CannotRead(_("This run had no file."))
    keep_pin(places().answers_file, Path(state.origin.path), pin)
    show(_words(pin))
    return FINE


def show_pinned(options: argparse.Namespace) -> int:
    """Show the answers that are pinned for a file, without those that are taken away."""
    store = places().answers_file
    before = load_pins(store, options.file)
    left = () if options.clear else tuple(each for each in before if each.step not in options.remove)
    if left != before:
        save_pins(store, options.file, left)
    if options.json:
        show_json([{"step": one.step, "answer": dict(one.answer), "run": one.run, "by": one.by} for one in left])
    elif not left:
        show(_("No answer is pinned for this file."))
    for each in () if options.json else left:
        show(_words(each))
    return FINE


def _words(pin: Pin) -> str:
    answer = pin.answer.get("values", pin.answer)
    return f"{pin.step}  {json.dumps(answer, ensure_ascii=False)}  {pin.text}".rstrip()
