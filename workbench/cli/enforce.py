"""``workbench enforce FILE --calls CALLS.yaml``: what a step list would say to a list of calls, without making any."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from workbench.cli.reading import add_import_option, read_snapshot
from workbench.cli.terminal import FINDINGS, FINE, Commands, add_command, show, show_json
from workbench.disk.files import real_path
from workbench.engine.enforcement.plan_json import plan_to_json
from workbench.engine.enforcement.playbook_plan import PlaybookPlan
from workbench.engine.rehearsing import Judged, rehearse
from workbench.engine.scripts import parse_calls, read_script
from workbench.i18n import _, ngettext, numeral
from workbench.model.loader.loading import load_text
from workbench.model.loader.steplist import with_skills
from workbench.planning.lessons import skills_of


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "enforce",
        _("check a list of calls against a step list"),
        "enforce checks.yaml --calls calls.yaml",
        _(
            "Prints one line per call, allowed or blocked and why, then the plan. No call is made. Required keywords "
            "are found inside other words and after “not” too, unless “match: word” stands beside them."
        ),
    )
    parser.add_argument("file", type=Path, metavar="FILE", help=_("a step list (YAML or JSON)"))
    parser.add_argument(
        "--calls", type=Path, required=True, metavar="CALLS.yaml", help=_("a file with a list called calls")
    )
    parser.add_argument("--record-only", action="store_true", help=_("record violations without blocking"))
    parser.add_argument("--json", action="store_true", help=_("one JSON object per line"))
    add_import_option(parser)
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Judge all calls; findings where one was blocked or the plan is not complete at the end."""
    snapshot = read_snapshot(options.file, options.import_from)
    playbook = with_skills(load_text(snapshot.text, options.file), skills_of(snapshot, str(real_path(options.file))))
    calls = parse_calls(read_script(options.calls))
    found = rehearse(playbook, snapshot, calls, blocks=not options.record_only)
    for judged in found.judged:
        if options.json:
            show_json(_as_json(judged), indent=None)
        else:
            show(_as_line(judged))
    if options.json:
        show_json({"plan": plan_to_json(found.plan)}, indent=None)
    else:
        show(_plan_line(found.plan))
    is_kept = all(judged.allowed for judged in found.judged)
    return FINE if is_kept and found.plan.completed else FINDINGS


def _as_json(judged: Judged) -> dict[str, Any]:
    call = judged.call
    wanted: dict[str, Any] = {"tool": call.tool} if call.tool else {"text": call.text}
    return {
        **wanted,
        "allowed": judged.allowed,
        "blocked": not judged.allowed,
        "violation": judged.violation or None,
        "message": judged.message,
        "step": judged.step or None,
        "hints": list(judged.hints),
    }


def _as_line(judged: Judged) -> str:
    word = _("allowed") if judged.allowed else _("blocked")
    what = judged.call.tool or _("answer")
    place = f" [{judged.step}]" if judged.step else ""
    reason = f"  {judged.violation}: {judged.message}" if judged.violation else ""
    return f"{word:<8} {what}{place}{reason}"


def _plan_line(plan: PlaybookPlan) -> str:
    summary = plan.summary()
    state = _("complete") if plan.completed else _("failed") if plan.failed else _("not complete")
    open_steps = ", ".join(plan.unresolved_required_steps)
    steps = ngettext("{done} of {count} step done", "{done} of {count} steps done", summary["total_steps"])
    calls = ngettext("{count} call", "{count} calls", plan.total_tool_calls)
    text = _("plan: {words}").format(words=", ".join((state, steps.format(done=numeral(summary["completed"])), calls)))
    return text + (_("; still open: {steps}").format(steps=open_steps) if open_steps else "")
