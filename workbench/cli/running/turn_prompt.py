"""The person who walks a step list at the terminal: what was done by hand is entered, call by call."""

from __future__ import annotations

import json
from typing import Any

from workbench.cli.terminal import show
from workbench.engine.ports import Answer, Request
from workbench.engine.steplists.ports import DONE, FINISH, SKIP
from workbench.i18n import _

_SAYINGS = {
    DONE: _("done: this step is done"),
    SKIP: _("skip: leave this step out"),
    FINISH: _("finish: everything is done"),
}
_HEADS = {"refused": _("Not done: {text}"), "hints": _("Hint: {text}"), "left": _("Still to come: {text}")}


def ask_for_turn(request: Request) -> Answer:
    """What the person did, or says of the step. Raises EOFError when the person ends the input."""
    for name, entries in request.context:
        for entry in entries if name in _HEADS else ():
            show("  " + _HEADS[name].format(text=entry))
    tools = [choice for choice in request.choices if choice not in _SAYINGS]
    sayings = [_SAYINGS[choice] for choice in request.choices if choice in _SAYINGS]
    if tools:
        show("  " + _("Tools of this step: {tools}").format(tools=", ".join(tools)))
    show("  " + "; ".join(sayings))
    while not (action := input("  " + _("the tool you used, or one of these words: ")).strip()):
        show("  " + _("A name is needed."))
    if action in _SAYINGS and action in request.choices:
        return Answer((("action", action), ("result", input("  " + _("note, or Enter: ")))))
    arguments = _arguments()
    failure = input("  " + _("did it fail? why, or Enter: ")).strip()
    result = "" if failure else input("  " + _("what it gave: "))
    return Answer((("action", action), ("arguments", arguments), ("result", result), ("failure", failure)))


def _arguments() -> dict[str, Any]:
    """The arguments: one line of JSON, or lines with a name and a value, until an empty one."""
    found: dict[str, Any] = {}
    while line := input("  " + _("arguments (name = value, or JSON; Enter ends): ")).strip():
        if line.startswith("{"):
            whole = _plain(line)
            if isinstance(whole, dict):
                return {**found, **whole}
            show("  " + _('JSON is needed here, such as {"name": "Ada"}.'))
            continue
        name, sign, value = line.partition("=")
        if sign and name.strip():
            found[name.strip()] = _plain(value.strip())
        else:
            show("  " + _("Each line must be a name and a value, such as city = Oslo."))
    return found


def _plain(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
