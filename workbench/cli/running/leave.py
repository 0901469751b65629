"""Leave for a call, asked for at the prompt: exactly what would happen, and what can be said to that."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import Any

from workbench.cli.terminal import TERMINAL, Console
from workbench.engine.fields import FieldKind, FieldType, NotThatType, value_of
from workbench.engine.ports import Answer, CallToAllow, Leave, LeaveScope
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.tools.permissions import Rule, rule_of
from workbench.tools.schemas import check_arguments

_MOST_LINES = 200


def ask_leave(call: CallToAllow, console: Console = TERMINAL) -> Answer:
    """The person's word about *call*, asked for at *console*. Raises EOFError when the person ends the input."""
    lines = call.preview.detail.splitlines()
    console.show(f"  {call.tool} ({call.source}): {call.preview.summary}")
    for line in lines[:_MOST_LINES]:
        console.show(f"  | {line}")
    if len(lines) > _MOST_LINES:
        console.show("  " + _("(more lines follow: {count})").format(count=len(lines) - _MOST_LINES))
    while True:
        label = _("y = allow, n = refuse, e = edit, a = allow the same in this run: ")
        said = console.read_line(f"  {label}").strip().lower()
        if said in {"y", "a"}:
            return Answer(leave=Leave(True, call.digest, scope=LeaveScope.RUN if said == "a" else LeaveScope.CALL))
        if said == "n":
            reason = console.read_line("  " + _("reason, or press Enter: ")).strip()
            return Answer(text=reason, leave=Leave(False, call.digest))
        if said == "e":
            return Answer(leave=Leave(True, call.digest, _edited(console, call)))


def _edited(console: Console, call: CallToAllow) -> Mapping[str, Any]:
    """The arguments as the person wants them, asked for until they fit."""
    console.show("  " + json.dumps(dict(call.arguments), ensure_ascii=False))
    while True:
        try:
            line = console.read_line("  " + _("arguments as JSON: "))
            arguments = value_of(line, FieldType(FieldKind.OBJECT))
            check_arguments(call.schema, arguments)
        except (NotThatType, RunFailed) as problem:
            console.show(f"  {problem}")
        else:
            return dict(arguments)


def allowed(text: str) -> Rule:
    """``TOOL`` or ``TOOL=PATTERN``, for argparse."""
    try:
        return rule_of(text)
    except RunFailed as error:
        raise argparse.ArgumentTypeError(str(error)) from error
