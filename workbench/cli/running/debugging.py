"""A run that is stopped at the terminal: what may be typed there, and what it does.

``workbench breakpoints FILE``: where runs of a file stop, in the window and with ``workbench run --breakpoints``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.cli.reading import add_kind_option, of_ours, read_program
from workbench.cli.running.given import json_or_text
from workbench.cli.terminal import FINE, Commands, add_command, read_line, show, show_json
from workbench.disk.places import places
from workbench.engine.answers import AnswerRefused, checked, written_answer
from workbench.engine.debugging.breakpoints import AT_STEPS, Breakpoint, Breakpoints, NoBreakpoint, parse_breakpoint
from workbench.engine.debugging.goals import Goal, Going
from workbench.engine.debugging.kept import breakpoints_of, found_again, kept_at, load_kept, save_kept
from workbench.engine.debugging.mocks import Mock, NoMock, parse_mock, parse_outcome
from workbench.engine.expressions.evaluation import EvaluationFailed, evaluate
from workbench.engine.journal.choices import Scope
from workbench.engine.journal.debug_events import AnswerHeld, ResultHeld, StateEdited
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.instead import How, Instead, said_in
from workbench.engine.journal.run_events import RunPaused, RunResumed
from workbench.engine.running.controls import EditAnswer, EditResult, EditVariable, SkipStep
from workbench.engine.running.run import Run
from workbench.engine.state.answering import answer_at_hand
from workbench.errors import CannotRead
from workbench.i18n import N_, _
from workbench.model.snapshot import Snapshot
from workbench.syntax.expressions import ExpressionRefused, parse_expression
from workbench.syntax.text import split_lines

_AROUND = 4
"""So many lines are shown above and below the line at hand."""


def breakpoint_option(text: str) -> Breakpoint:
    """The breakpoint that is written on the command line."""
    try:
        return parse_breakpoint(text)
    except NoBreakpoint as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def mock_option(text: str) -> Mock:
    """The mock that is written on the command line."""
    try:
        return parse_mock(text)
    except NoMock as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def add_stopping(parser: argparse.ArgumentParser) -> None:
    """Let *parser* take where the run stops, and which tools it does not call."""
    parser.add_argument(
        "--break",
        action="append",
        default=[],
        type=breakpoint_option,
        metavar="PLACE",
        dest="stops",
        help=_(
            "stop before a step (Main:04), a call (tool:NAME), the use of its result (result:NAME) or of an answer "
            "(answer:Main:04), an error, a violation, or at a cost (cost:0.5); behind "
            'it may stand "if $n > 3", "from 2" (the second time) or "log TEXT" (tell, do not stop); may be repeated'
        ),
    )
    parser.add_argument(
        "--mock",
        action="append",
        default=[],
        type=mock_option,
        metavar="TOOL=VALUE",
        dest="mocks",
        help=_("do not call TOOL: it gives VALUE (JSON, or text), or fails with TOOL=!MESSAGE; may be repeated"),
    )
    parser.add_argument("--breakpoints", action="store_true", help=_("stop where runs of FILE stop in the window"))
    parser.add_argument("--step", action="store_true", help=_("stop before the first step"))


def breakpoints_in(options: argparse.Namespace, snapshot: Snapshot) -> Breakpoints:
    """Where *options* want a run of *snapshot* to stop. Raises CannotRead where there is no such step."""
    stops = [placed(each, snapshot) for each in options.stops]
    kept = load_kept(places().breakpoints_file, options.file) if options.breakpoints else ()
    return tuple(dict.fromkeys((*stops, *breakpoints_of(found_again(kept, snapshot)))))


def placed(breakpoint_: Breakpoint, snapshot: Snapshot) -> Breakpoint:
    """*breakpoint_* with its address as runs tell it: ``Main:1`` is ``Main:01``. Raises CannotRead for no such step."""
    step = snapshot.at_address(breakpoint_.at) if breakpoint_.kind in AT_STEPS else None
    if breakpoint_.kind in AT_STEPS and step is None:
        message = _("There is no step {address} in this file. “workbench compile FILE” shows the number of each step.")
        raise CannotRead(message.format(address=breakpoint_.at))
    return breakpoint_ if step is None else replace(breakpoint_, at=snapshot.address(step.id))


class LetGo(EOFError):
    """The person lets go of the run, which stays where it is."""


class Stops:
    """Whoever sits at the terminal while *run* is stopped there. *show_event*: prints what happens."""

    def __init__(self, run: Run, show_event: Callable[[RunEvent], None]) -> None:
        self.run = run
        self._show_event = show_event
        self._is_stopped = False
        self._is_changing = False
        self._at: RunEvent | None = None

    @property
    def is_stopped(self) -> bool:
        """Whether the run waits for a word of the person about how to go on."""
        return self._is_stopped

    def take(self, event: RunEvent) -> None:
        """Hear of *event*, and print it."""
        self._show_event(event)
        match event.payload:
            case RunPaused(reason=""):
                self._is_stopped, self._at = True, event
                self._show_next()
            case StateEdited():
                self._is_stopped = True
            case ResultHeld(instead=Instead(how=How.EDIT)) | AnswerHeld(instead=Instead(how=How.EDIT)) if (
                self._is_changing
            ):
                self._is_stopped, self._is_changing = True, False
            case RunPaused() | RunResumed():
                self._is_stopped = False

    def ask(self) -> None:
        """Do what the person types next. Raises LetGo, also at the end of the input, and KeyboardInterrupt."""
        at = self._at
        try:
            line = read_line(f"({at.step or _('paused')}) " if at is not None else "").strip()
        except EOFError as error:
            show("")
            raise LetGo from error
        word, _blank, rest = line.partition(" ")
        verb = _BY_WORD.get(word or "next")
        if verb is None:
            show(_("There is no verb “{word}” here. “help” lists them.").format(word=word))
            return
        verb.does(self, rest.strip())

    def _show_next(self) -> None:
        """Show the line that comes next."""
        lines, at = split_lines(self.run.snapshot.text), self._at.line if self._at is not None else 0
        if 0 < at <= len(lines):
            show(f"→ {lines[at - 1].strip()}")

    def go(self, going: Going, address: str = "") -> None:
        """Let the run go on."""
        self._is_stopped = False
        self.run.controls.go_on(Goal(going, address))

    def until(self, address: str) -> None:
        """Go on up to a step."""
        step = self.run.snapshot.at_address(address)
        if step is not None:
            self.go(Going.TO, self.run.snapshot.address(step.id))
            return
        show(_("There is no step {address} in what is carried out.").format(address=address or "—"))

    def skip(self, _rest: str) -> None:
        """Leave out the step that comes next."""
        self._is_stopped = False
        self.run.controls.order(SkipStep())

    def set(self, text: str) -> None:
        """``$name = value`` in the playbook at work."""
        name, equals, value = text.partition("=")
        name = name.strip()
        plain = name.removeprefix("$")
        if not equals or not plain.isidentifier():
            show(_("Write “set $name = value”; the value is JSON, or text."))
            return
        frames = self.run.state.frames
        if not frames:
            show(_("No playbook is at work here."))
            return
        scope = Scope.STATE if name.startswith("$") else Scope.LOCAL
        self._is_stopped = False  # until it is done: what is typed next sees the new value
        edit = EditVariable(plain, scope, frames[-1].agent, frames[-1].span, json_or_text(value.strip())[0])
        self.run.controls.order(edit)

    def change_result(self, text: str) -> None:
        """``= value``: what the call at hand gives instead; nothing: show what it has given."""
        frames = self.run.state.frames
        held = frames[-1].intents[-1].held if frames and frames[-1].intents else None
        if held is None:
            show(_("The run has not stopped at the result of a call."))
        elif not text.startswith("="):
            show(_as_text(held.value) if held.failure is None else f"!{held.failure}")
        else:
            self._is_stopped, self._is_changing = False, True
            self.run.controls.order(EditResult(*parse_outcome(text[1:])))

    def change_answer(self, text: str) -> None:
        """``= value`` or ``NAME = value``: what the answer at hand is instead; nothing: show it."""
        at = answer_at_hand(self.run.state)
        if at is None:
            show(_("The run has not stopped at an answer, nor directly behind the step that it was for."))
        elif not text:
            show(f"{at.request.text} → {_as_text(said_in(at.answer))}")
        else:
            try:
                other = written_answer(at.request, at.answer, text.removeprefix("=").strip())
                checked(at.request, other)
            except AnswerRefused as error:
                show(str(error))
                return
            self._is_stopped, self._is_changing = False, not at.is_used
            self.run.controls.order(EditAnswer(other))

    def lines(self, _rest: str) -> None:
        """Show the text around the step that comes next."""
        at = self._at.line if self._at is not None else 0
        lines = split_lines(self.run.snapshot.text)
        for number in range(max(1, at - _AROUND), min(len(lines), at + _AROUND) + 1):
            show(f"{'→' if number == at else ' '} {number:4}  {lines[number - 1].rstrip()}")

    def add(self, text: str) -> None:
        """Set a breakpoint, or show all."""
        controls = self.run.controls
        if text:
            try:
                added = placed(parse_breakpoint(text), self.run.snapshot)
            except (NoBreakpoint, CannotRead) as error:
                show(str(error))
                return
            controls.breakpoints = (*controls.breakpoints, added)
        for each in controls.breakpoints:
            show(f"  {each}")

    def clear(self, text: str) -> None:
        """Take the breakpoints at a place away; without a place, all."""
        controls = self.run.controls
        left = (each for each in controls.breakpoints if text and text not in {each.place, str(each)})
        controls.breakpoints = tuple(left)
        self.add("")


def _mock(at: Stops, text: str) -> None:
    """Let no call of a tool be made, or show which are not."""
    mocking = at.run.controls.mocking
    if text:
        try:
            mocking.set(parse_mock(text))
        except NoMock as error:
            show(str(error))
            return
    for each in mocking.mocks:
        show(f"  {each}")
    if not mocking.mocks:
        show("  " + _("No tool is mocked."))


def _unmock(at: Stops, text: str) -> None:
    """Let calls of a tool be made again; without a name, of all."""
    mocking = at.run.controls.mocking
    for tool in [text] if text else [each.tool for each in mocking.mocks]:
        if not mocking.remove(tool):
            show(_("The tool {tool} is not mocked.").format(tool=tool))
    _mock(at, "")


def _show_value(at: Stops, text: str) -> None:
    """Show the value of an expression."""
    try:
        show(_as_text(evaluate(parse_expression(text), at.run.standing.names)))
    except (ExpressionRefused, EvaluationFailed) as error:
        show(str(error))


def _show_variables(at: Stops, _rest: str) -> None:
    """Show what the playbook at work knows."""
    state = at.run.state
    known = {f"${name}": value for name, value in state.variables.items()}
    if state.frames:
        known |= dict(state.frames[-1].locals)
    for name, value in known.items():
        show(f"  {name} = {_as_text(value)}")
    if not known:
        show("  " + _("No variable has a value yet."))


def _show_stack(at: Stops, _rest: str) -> None:
    """Show the playbooks that are at work, the innermost first."""
    frames = at.run.state.frames
    for frame in reversed(frames):
        show(f"  {frame.agent}.{frame.playbook}  {frame.step}".rstrip())
    if not frames:
        show("  " + _("No playbook is at work here."))


def _let_go(at: Stops, _rest: str) -> None:
    """Let go of the run, which can be resumed."""
    raise LetGo


def _end(at: Stops, _rest: str) -> None:
    """End the run."""
    raise KeyboardInterrupt


def _show_help(at: Stops, _rest: str) -> None:
    """List what may be typed."""
    for each in VERBS:
        show(f"  {', '.join(each.words):<22} {each.what}")


@dataclass(frozen=True, slots=True)
class Verb:
    """A word that may be typed. *words*: its spellings; *what*: what it does, in words."""

    words: tuple[str, ...]
    what: object
    does: Callable[[Stops, str], None]


VERBS = (
    Verb(("next", "n"), N_("carry out the next step and what it calls (also Enter)"), lambda at, _r: at.go(Going.OVER)),
    Verb(("step", "s"), N_("carry out one step, also in a playbook that it calls"), lambda at, _r: at.go(Going.INTO)),
    Verb(("out", "o"), N_("go on until this playbook is left"), lambda at, _r: at.go(Going.OUT)),
    Verb(("until", "u"), N_("ADDRESS: go on up to a step"), Stops.until),
    Verb(("continue", "c"), N_("go on"), lambda at, _r: at.go(Going.FREELY)),
    Verb(("skip",), N_("leave the next step out"), Stops.skip),
    Verb(("set",), N_("$NAME = VALUE: give a variable another value"), Stops.set),
    Verb(("result",), N_("= VALUE, or = !MESSAGE: what the call at hand gives; alone: show it"), Stops.change_result),
    Verb(
        ("answer",),
        N_("= VALUE, or NAME = VALUE: what the step is answered, also directly behind it; alone: show it"),
        Stops.change_answer,
    ),
    Verb(("print", "p"), N_("EXPRESSION: show its value"), _show_value),
    Verb(("vars", "v"), N_("show the variables"), _show_variables),
    Verb(("where", "w"), N_("show the playbooks at work"), _show_stack),
    Verb(("list", "l"), N_("show the text around the next step"), Stops.lines),
    Verb(("break", "b"), N_("PLACE: set a breakpoint; without PLACE, show all"), Stops.add),
    Verb(("clear",), N_("PLACE: take a breakpoint away; without PLACE, all"), Stops.clear),
    Verb(("mock",), N_("TOOL = VALUE, or TOOL = !MESSAGE: do not call it; without TOOL, show all"), _mock),
    Verb(("unmock",), N_("TOOL: call it again; without TOOL, all"), _unmock),
    Verb(("stop",), N_("end the run"), _end),
    Verb(("quit", "q"), N_("let go of the run; it can be resumed"), _let_go),
    Verb(("help", "h", "?"), N_("show this list"), _show_help),
)
_BY_WORD = {word: each for each in VERBS for word in each.words}


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "breakpoints",
        _("show and change where runs of a file stop"),
        'breakpoints playbooks/refund.md --add "Main:03 if $total > 100"',
        _("They are kept on this machine, follow their steps when the file is edited, and are those of the window."),
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    many: dict[str, Any] = {"action": "append", "default": [], "metavar": "PLACE"}
    parser.add_argument("--add", type=breakpoint_option, help=_("set one"), **many)
    parser.add_argument("--remove", help=_("take one away"), **many)
    parser.add_argument("--clear", action="store_true", help=_("take all away"))
    parser.add_argument("--json", action="store_true", help=_("print a JSON list"))
    add_kind_option(parser)
    parser.set_defaults(execute=change)


def change(options: argparse.Namespace) -> int:
    """Change the breakpoints of a file as *options* say, and show them."""
    store, snapshot = places().breakpoints_file, of_ours(read_program([options.file], (), options.kind)).snapshot
    wanted = [placed(each, snapshot) for each in options.add]
    before = load_kept(store, options.file)
    left = () if options.clear else found_again(before, snapshot)
    kept = tuple(each for each in left if not {each.breakpoint.place, str(each.breakpoint)} & set(options.remove))
    added = (kept_at(each, snapshot) for each in wanted)
    kept = tuple({each.breakpoint: each for each in (*kept, *added)}.values())
    if kept != before:
        save_kept(store, options.file, kept)
    if options.json:
        show_json([{"at": str(each.breakpoint), "is_on": each.breakpoint.is_on, "line": each.line} for each in kept])
    elif not kept:
        show(_("No breakpoints in this file."))
    for each in () if options.json else kept:
        off = "" if each.breakpoint.is_on else f"  ({_('off')})"
        where = f"  {options.file}:{each.line}  {each.text}" if each.line else ""
        show(f"{each.breakpoint}{off}{where}")
    return FINE
