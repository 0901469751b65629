"""The commands under a judged step, as whoever is asked about it can have them run."""

from __future__ import annotations

from dataclasses import replace

from workbench.engine.decider import Tools
from workbench.engine.expressions.evaluation import EvaluationFailed, Filling
from workbench.engine.language.program.book import type_of
from workbench.engine.language.turn import Turn
from workbench.engine.ports import Purpose, Request, RequestKind, StepCommand
from workbench.engine.state.frames import Intent
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.shell_blocks import shell_blocks
from workbench.syntax.expressions import parse_template
from workbench.tools.command_lines import why_needs_shell
from workbench.tools.permissions import SHELL_SCRIPT
from workbench.tools.values import Asking, CallSafety

_JUDGED = frozenset({RequestKind.JUDGE, RequestKind.DECIDE})
_SHELL = "shell"


def with_commands(turn: Turn, tools: Tools, request: Request) -> Request:
    """*request* with the commands that stand under its step, placeholders filled in."""
    step = turn.book.snapshot.at_address(turn.at.address)
    if request.matter is not None:
        return replace(request, commands=tuple(_command(turn, tools, text) for text in request.matter.commands))
    if step is None or request.kind not in _JUDGED or request.purpose is not Purpose.STEP:
        return request
    written = (_filled(turn, text) for text in shell_blocks(step))
    return replace(request, commands=tuple(_command(turn, tools, text) for text in written))


def _command(turn: Turn, tools: Tools, text: str) -> StepCommand:
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    line, *more = lines or [""]
    needs_shell = _("It has more than one line.") if more else why_needs_shell(line)
    if not needs_shell:
        problem = _problem(turn, tools, _SHELL, line)
        return StepCommand(text, "" if problem else _SHELL, {"command": line}, problem)
    if not _problem(turn, tools, SHELL_SCRIPT, text):
        return StepCommand(text, SHELL_SCRIPT, {"script": text})
    message = _("Only a shell can run this, and the tool sh is not allowed here. {reason}")
    return StepCommand(text, problem=message.format(reason=needs_shell))


def _problem(turn: Turn, tools: Tools, tool: str, line: str) -> str:
    """Why *tool* cannot run *line*; empty where it can."""
    agent = type_of(turn.frame.agent)
    if turn.book.resolve(agent, tool) is not None:
        return _("In this file, {tool} means something else than the tool.").format(tool=tool)
    try:
        safety = turn.rules.tool_safety(agent, tool)
    except RunFailed as error:
        return str(error)
    if safety is None:
        return _("There is no tool called {name}.").format(name=tool)
    intent = Intent("", tool, agent, CallSafety.UNSAFE, "", (line,))
    permission = tools.permission(intent, turn.frame.playbook)
    return permission.reason if permission.asking is Asking.FORBIDDEN else ""


def _filled(turn: Turn, text: str) -> str:
    """*text* with the placeholders that have a value filled in; all other braces are those of the shell."""
    filling, filled = Filling(turn.lookup), ""
    for piece in parse_template(text).pieces:
        if isinstance(piece, str):
            filled += piece
            continue
        written = f"{{{piece.source}}}"
        try:
            filled += written if filled.endswith("$") or not piece.names else filling.text_of(piece)
        except EvaluationFailed:
            filled += written
    return filled
