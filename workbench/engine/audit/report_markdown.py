"""The report of a run as markdown: to be read at the terminal, kept beside a ticket, or pasted into one."""

from __future__ import annotations

import datetime as dt
import textwrap
from collections.abc import Iterator

from workbench.engine.audit.report import Came, ChapterReport, RanCommand, Report, StepReport
from workbench.engine.journal.choices import RunStatus
from workbench.i18n import N_, _, ngettext, numeral
from workbench.visible import visible

_STATUS = {
    RunStatus.COMPLETED: N_("Completed"),
    RunStatus.FAILED: N_("Not completed"),
    RunStatus.CANCELLED: N_("Stopped"),
}
_CAME = {
    Came.DONE: N_("done"),
    Came.SKIPPED: N_("skipped"),
    Came.FAILED: N_("did not work"),
    Came.OPEN: N_("not answered"),
}
_UNFINISHED = N_("Not finished")
_DAY, _TIME = "%Y-%m-%d", "%H:%M:%S"


def as_markdown(report: Report, zone: dt.tzinfo | None = None) -> str:
    """*report* as a document; times are those of *zone*, None: of this machine."""
    parts = ["\n".join(_head(report, zone))]
    parts += ["\n".join(_chapter(chapter, report, zone)) for chapter in report.chapters if chapter.steps]
    return "\n\n".join(parts) + "\n"


def _clock(at_ns: int, form: str, zone: dt.tzinfo | None) -> str:
    return dt.datetime.fromtimestamp(at_ns / 1e9, zone).strftime(form)


def _head(report: Report, zone: dt.tzinfo | None) -> Iterator[str]:
    yield f"# {_('Report: {title}').format(title=_line(report.title))}"
    yield ""
    status = str(_STATUS.get(report.status, _UNFINISHED))
    begun, ended = (_clock(at, f"{_DAY} {_TIME}", zone) for at in (report.started_ns, report.ended_ns))
    yield f"- {_('{status} ({begun} – {ended})').format(status=status, begun=begun, ended=ended)}"
    if report.error:
        yield f"- {_line(report.error)}"
    yield f"- {', '.join(_counts(report))}"
    if who := _who(report, ""):
        yield f"- {_('Carried out by {who}').format(who=who)}"
    if report.path:
        yield f"- {_('File: {path}').format(path=_line(report.path))}"
    for name, value in report.values.items():
        yield f"- {_line(name)} = {_line(str(value))}"


def _counts(report: Report) -> Iterator[str]:
    yield from counted(*(report.count(came) for came in (Came.DONE, Came.SKIPPED, Came.FAILED)))


def counted(done: int, skipped: int, failed: int) -> Iterator[str]:
    """How many steps came to what, in words."""
    yield ngettext("{count} step done", "{count} steps done", done).format(count=numeral(done))
    yield ngettext("{count} step skipped", "{count} steps skipped", skipped).format(count=numeral(skipped))
    yield ngettext("{count} step did not work", "{count} steps did not work", failed).format(count=numeral(failed))


def _who(report: Report, model: str) -> str:
    if model:
        return _line(model)
    if report.is_scripted:
        return _("{person}, with a script").format(person=_line(report.person)).strip()
    return _line(report.person)


def _chapter(chapter: ChapterReport, report: Report, zone: dt.tzinfo | None) -> Iterator[str]:
    yield f"## {_line(chapter.title)}"
    yield ""
    for step in chapter.steps:
        yield from _step(step, report, zone)


def _step(step: StepReport, report: Report, zone: dt.tzinfo | None) -> Iterator[str]:
    margin = "  " * step.depth
    number = step.address.rpartition(":")[2].rpartition(".")[2]
    came = "" if step.came is Came.HELD else str(_CAME[step.came])
    answer = "" if step.holds is None else (_("yes") if step.holds else _("no"))
    time = _clock(step.at_ns, _TIME, zone)
    tried = ngettext("tried {count} time", "tried {count} times", step.tries).format(count=numeral(step.tries))
    tries = tried if step.tries > 1 else ""
    by = _who(report, step.by) if step.by else ""
    yield f"{margin}- **{number}** {_line(step.text)} ({' · '.join(filter(None, (answer, came, tries, time, by)))})"
    for note in step.notes:
        yield textwrap.indent(visible(note), f"{margin}  > ", lambda _line: True)
    for command in step.commands:
        yield textwrap.indent("\n".join(_command(command)), f"{margin}  ")


def _command(command: RanCommand) -> Iterator[str]:
    failed = f" {_('failed')}" if command.is_error else ""
    text = "\n".join((*(f"$ {line}" for line in command.command.splitlines()), command.output.rstrip("\n")))
    fence = "```"
    while fence in text:
        fence += "`"
    yield f"{fence}console{failed}"
    yield visible(text)
    yield fence


def _line(text: str) -> str:
    return visible(" ".join(text.split()))
