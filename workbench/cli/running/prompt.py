"""The person at the terminal: every question of a run is asked at the prompt, steps of procedures among them.

Whoever has a console of another kind, such as an editor that debugs a playbook, asks there in the same way.
"""

from __future__ import annotations

import json
import select
import sys
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from workbench.cli.running.leave import ask_leave
from workbench.cli.terminal import TERMINAL, Console, read_line, show_exactly
from workbench.engine.fields import FieldKind, FieldType, NotThatType, field_type, shown_name, value_of
from workbench.engine.outcomes import GOES_ON, is_outcome
from workbench.engine.ports import Answer, InDoubtChoice, Purpose, Request, RequestKind
from workbench.engine.readings import is_reading
from workbench.engine.steplists.walking import DONE, FINISH, SKIP
from workbench.engine.work import AFTERWARDS, HOW, Afterwards, Went, is_work
from workbench.i18n import N_, LazyText, _
from workbench.model.meaning import Variable
from workbench.model.procedures.matter import StepMatter, Table

_WENT: Mapping[Went, LazyText] = {
    Went.DONE: N_("done"),
    Went.SKIPPED: N_("skip"),
    Went.FAILED: N_("did not work"),
}
_FOLLOWS: Mapping[Afterwards, LazyText] = {
    Afterwards.AGAIN: N_("try again"),
    Afterwards.GO_ON: N_("go on"),
    Afterwards.STOP: N_("stop the run"),
}


def show_matter(console: Console, matter: StepMatter) -> None:
    """Print what belongs to the step that is asked about, but its commands."""
    if len(matter.above) > 1:
        console.show("  " + " › ".join(matter.above))
    if matter.prose:
        console.show(textwrap.indent(matter.prose, "  "))
    for rule in matter.rules:
        console.show(textwrap.indent(rule, "    ").replace("    ", "  ! ", 1))
    for table in matter.tables:
        console.show(textwrap.indent(as_columns(table), "  "))
    for words, follows in ((_("If yes: {steps}"), matter.if_yes), (_("If no: {steps}"), matter.if_no)):
        if follows:
            console.show("  " + words.format(steps=" · ".join(follows)))


def as_columns(table: Table) -> str:
    """*table* with its columns below each other."""
    rows = [table.head, *table.rows]
    count = max(map(len, rows))
    filled = [(*row, *[""] * (count - len(row))) for row in rows]
    widths = [max(len(row[column]) for row in filled) for column in range(count)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in filled]
    return "\n".join((lines[0], "  ".join("-" * width for width in widths), *lines[1:]))


def linked_wanted(console: Console, request: Request) -> Answer | None:
    """The wish to go through a playbook that the step links to; None where there is none."""
    links = request.matter.links if request.matter is not None else ()
    calls = [link.path for link in links if link.path]
    for link in links:
        console.show("  " + _("Link: {words} ({target})").format(words=link.text or link.target, target=link.target))
    for number, path in enumerate(calls, 1):
        console.show("  " + _("“go {number}” goes through {path} first").format(number=number, path=path))
    while calls and (said := console.read_line("  " + _("“go 1” for the first; Enter to answer: ")).strip().lower()):
        for number, path in enumerate(calls, 1):
            if said == f"go {number}":
                return Answer(call=path)
    return None


def ask_work(console: Console) -> Answer:
    """How a step went, with a note."""
    how = _chosen(console, _WENT, _("{choices} (Enter: {first})"))
    return Answer(((HOW, how.value),), text=console.read_line("  " + _("note, or press Enter: ")).strip())


def ask_afterwards(console: Console, _request: Request) -> Answer:
    """What follows a step that did not work."""
    return Answer(((AFTERWARDS, _chosen(console, _FOLLOWS, _("It did not work: {choices} (Enter: {first})")).value),))


def _chosen(
    console: Console, choices: Mapping[Went, LazyText] | Mapping[Afterwards, LazyText], label: str
) -> Went | Afterwards:
    """The choice that is typed: its word, its beginning, or its number."""
    words = {str(each): choice for choice, each in choices.items()}
    listed = ", ".join(f"{number} {word}" for number, word in enumerate(words, 1))
    while True:
        said = console.read_line(f"  {label.format(choices=listed, first=next(iter(words)))}: ").strip().lower()
        for number, (word, choice) in enumerate(words.items(), 1):
            if said == str(number) or word.startswith(said) or choice.value.startswith(said):
                return choice
        console.show("  " + _("One of: {choices}.").format(choices=", ".join(words)))


_CALL = "call "
_RUN = "run"
_YES_NO = Variable("decision", type="bool")
_SAYINGS = {
    DONE: N_("done: this step is done"),
    SKIP: N_("skip: skip this step"),
    FINISH: N_("finish: everything is done"),
}
_HEADS = {"refused": N_("Not done: {text}"), "hints": N_("Hint: {text}"), "left": N_("Next: {text}")}


def ask(request: Request, console: Console = TERMINAL) -> Answer:
    """What the person answers to *request* at *console*. Raises EOFError when the person ends the input."""
    if request.purpose is Purpose.WAIT and not request.target:
        return Answer(text=console.read_line(_("Your message: ")))
    console.show("")
    console.show(f"{request.step}  {request.text}")
    if request.matter is not None:
        show_matter(console, request.matter)
    if request.target:
        console.show(_("This is for {name}.").format(name=request.target))
    if request.proposal is not None and _is_accepted(console, request.proposal):
        return request.proposal
    return _answer(console, request)


def _answer(console: Console, request: Request) -> Answer:
    """What the person answers, once it is known that nobody else does."""
    if request.reason:
        console.show("  " + request.reason)
    if request.said:
        console.show("  " + _("The model said: {text}").format(text=request.said))
    if (wanted := _command_wanted(console, request)) is not None:
        return wanted
    if request.purpose in _OF_PURPOSE:
        return _OF_PURPOSE[request.purpose](console, request)
    if request.kind is RequestKind.DECIDE:
        return Answer(decision=bool(_value(console, _YES_NO, _("yes or no"))))
    if request.kind is RequestKind.IN_DOUBT:
        return _choice(console, request)
    if request.call is not None:
        return ask_leave(request.call, console)
    if request.fields:
        return Answer(values=tuple((each.name, _field(console, each, request)) for each in request.fields))
    label = _("your answer") if request.kind is RequestKind.ASK else _("done; add a note, or press Enter")
    return Answer(text=_read(console, label))


def _command_wanted(console: Console, request: Request) -> Answer | None:
    """The wish that a command under the step is run before the answer; None where there is none."""
    for ran in request.ran:
        head = _("Failed: {command}") if ran.is_error else _("Output of {command}")
        console.show("  " + head.format(command=ran.text))
        console.show(_indented(ran.output or _("It printed nothing.")))
    runnable = [command.text for command in request.commands if command.tool]
    for command in request.commands:
        number = f"[{runnable.index(command.text) + 1}]" if command.tool and len(runnable) > 1 else ""
        console.show("  " + " ".join(filter(None, (_("Command:"), number, command.problem))))
        console.show(_indented(command.text))
    if not runnable:
        return None
    choices = {_RUN: runnable[0], **{f"{_RUN} {number}": text for number, text in enumerate(runnable, 1)}}
    label = _("“run” to have it run, “run 2” for the second; Enter to answer")
    while said := _read(console, label).strip().lower():
        if said in choices:
            return Answer(run=choices[said])
    return None


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


class MessagePrompt:
    """Where a person says something to a run that waits for a message; its timers go off while nobody types."""

    def __init__(self) -> None:
        self._is_shown = False

    def follow(self, *, is_open: bool) -> bool:
        """Whether there is something to read. *is_open*: the run waits for a message."""
        if is_open and not self._is_shown:
            show_exactly(_("Your message (end the input when you are done): "))
        self._is_shown = is_open
        return is_open and _is_typed()

    def read(self) -> str:
        """The line that was typed. Raises EOFError at the end of the input."""
        self._is_shown = False
        return read_line("")


def _is_typed() -> bool:
    """Whether a line can be read at once; where that cannot be told, it is waited for."""
    try:
        return bool(select.select([sys.stdin], [], [], 0)[0])
    except (OSError, ValueError):  # not a file, or a console of Windows
        return True


def _is_accepted(console: Console, proposal: Answer) -> bool:
    """Whether the person takes what the model answers, rather than answering in its place."""
    if proposal.decision is not None:
        console.show("  " + _("Proposed: {text}").format(text=_("yes") if proposal.decision else _("no")))
    for name, value in proposal.values:
        console.show("  " + _("Proposed: {text}").format(text=f"{name} = {json.dumps(value, ensure_ascii=False)}"))
    if proposal.text:
        console.show("  " + _("Proposed: {text}").format(text=proposal.text))
    return bool(_value(console, _YES_NO, _("accept it? Press Enter; no to change it"), "yes"))


def _act(console: Console, request: Request) -> Answer:
    """The next call and its arguments, or the result."""
    action, arguments, result = request.fields
    console.show(_("One of: {choices}.").format(choices=", ".join(request.choices)))
    while (chosen := _read(console, action.name).strip() or "done") not in request.choices:
        console.show(_("One of: {choices}.").format(choices=", ".join(request.choices)))
    if chosen == "done":
        return Answer(values=((action.name, chosen), (result.name, _value(console, result, _label(result)))))
    return Answer(values=((action.name, chosen), (arguments.name, _value(console, arguments, _label(arguments), "{}"))))


def _turn(console: Console, request: Request) -> Answer:
    """What the person did by hand, call by call, or says of the step of a list."""
    for name, entries in request.context:
        for entry in entries if name in _HEADS else ():
            console.show("  " + _HEADS[name].format(text=entry))
    tools = [choice for choice in request.choices if choice not in _SAYINGS]
    sayings = [str(_SAYINGS[choice]) for choice in request.choices if choice in _SAYINGS]
    if tools:
        console.show("  " + _("Tools of this step: {tools}").format(tools=", ".join(tools)))
    console.show("  " + "; ".join(sayings))
    label = _("the tool you used, “call TOOL” to have it called, or one of these words: ")
    while not (action := console.read_line(f"  {label}").strip()):
        console.show("  " + _("Enter a name."))
    is_to_call, action = action.startswith(_CALL), action.removeprefix(_CALL).strip()
    if action in _SAYINGS and action in request.choices and not is_to_call:
        return Answer((("action", action), ("result", console.read_line("  " + _("note, or press Enter: ")))))
    arguments = _arguments(console)
    if is_to_call:
        return Answer((("action", action), ("arguments", arguments), ("make", True)))
    failure = console.read_line("  " + _("did it fail? reason, or press Enter: ")).strip()
    result = "" if failure else console.read_line("  " + _("result: "))
    return Answer((("action", action), ("arguments", arguments), ("result", result), ("failure", failure)))


def _arguments(console: Console) -> dict[str, Any]:
    """The arguments: one line of JSON, or lines with a name and a value, until an empty one."""
    found: dict[str, Any] = {}
    while line := console.read_line("  " + _("arguments (name = value, or JSON; Enter to finish): ")).strip():
        try:
            found |= value_of(line, FieldType(FieldKind.OBJECT))
        except NotThatType as problem:
            console.show(f"  {problem}")
        else:
            if line.startswith("{"):
                return found
    return found


def _choice(console: Console, request: Request) -> Answer:
    while (choice := _read(console, "/".join(request.choices)).strip().lower()) not in request.choices:
        console.show(_("One of: {choices}.").format(choices=", ".join(request.choices)))
    chosen = InDoubtChoice(choice)
    if chosen is not InDoubtChoice.DONE or not request.fields:
        return Answer(choice=chosen)
    values = tuple((field.name, _value(console, field, _("result"))) for field in request.fields)
    return Answer(values=values, choice=chosen)


def _work(console: Console, request: Request) -> Answer:
    """How a step went; before that, a playbook that it links to, and what it is to find out."""
    linked = linked_wanted(console, request)
    if linked is not None:
        return linked
    others = tuple((each.name, _field(console, each, request)) for each in request.fields if not is_work(each))
    answer = ask_work(console)
    return replace(answer, values=(*others, *answer.values))


_OF_PURPOSE: Mapping[Purpose, Callable[[Console, Request], Answer]] = {
    Purpose.REACT: _act,
    Purpose.TURN: _turn,
    Purpose.WORK: _work,
    Purpose.AFTERWARDS: ask_afterwards,
}


def _label(field: Variable, reason: str = "", sentence: str = "") -> str:
    """What is typed for *field*, and why it has the type that it has."""
    name = shown_name(field, sentence)
    if reason:
        kind = _("a whole number") if field.type.startswith("int") else _("a number")
        return f"{name} ({kind}: {reason})"
    if is_reading(field):
        return "/".join(field_type(field).choices)
    return f"{name} ({field.type})" if field.type else name


def _field(console: Console, field: Variable, request: Request) -> object:
    """What is filled in for *field*; nothing said about what follows means to go on."""
    reason, sentence = dict(request.reasons).get(field.name, ""), request.text if request.matter is not None else ""
    return _value(console, field, _label(field, reason, sentence), GOES_ON if is_outcome(field) else "")


def _value(console: Console, field: Variable, label: str, empty: str = "") -> object:
    """What the person types for *field*, asked again until it fits its type; nothing stands for *empty*."""
    while True:
        try:
            return value_of(_read(console, label) or empty, field_type(field))
        except NotThatType as error:
            console.show(f"  {error}")


def _read(console: Console, label: str) -> str:
    return console.read_line(f"  {label}: ")
