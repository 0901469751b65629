"""A step of a procedure at the prompt: what belongs to it, how it went, and what follows where it did not work."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from workbench.cli.terminal import read_line, show
from workbench.engine.ports import Answer, Request
from workbench.engine.work import AFTERWARDS, HOW, Afterwards, Went
from workbench.i18n import N_, LazyText, _
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


def show_matter(matter: StepMatter) -> None:
    """Print what belongs to the step that is asked about, but its commands."""
    if len(matter.above) > 1:
        show("  " + " › ".join(matter.above))
    if matter.prose:
        show(textwrap.indent(matter.prose, "  "))
    for rule in matter.rules:
        show(textwrap.indent(rule, "    ").replace("    ", "  ! ", 1))
    for table in matter.tables:
        show(textwrap.indent(as_columns(table), "  "))
    for words, follows in ((_("If yes: {steps}"), matter.if_yes), (_("If no: {steps}"), matter.if_no)):
        if follows:
            show("  " + words.format(steps=" · ".join(follows)))


def as_columns(table: Table) -> str:
    """*table* with its columns below each other."""
    rows = [table.head, *table.rows]
    count = max(map(len, rows))
    filled = [(*row, *[""] * (count - len(row))) for row in rows]
    widths = [max(len(row[column]) for row in filled) for column in range(count)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in filled]
    return "\n".join((lines[0], "  ".join("-" * width for width in widths), *lines[1:]))


def linked_wanted(request: Request) -> Answer | None:
    """The wish to go through a playbook that the step links to; None where there is none."""
    links = request.matter.links if request.matter is not None else ()
    calls = [link.path for link in links if link.path]
    for link in links:
        show("  " + _("Link: {words} ({target})").format(words=link.text or link.target, target=link.target))
    for number, path in enumerate(calls, 1):
        show("  " + _("“go {number}” goes through {path} first").format(number=number, path=path))
    while calls and (said := read_line("  " + _("“go 1” for the first; Enter to answer: ")).strip().lower()):
        for number, path in enumerate(calls, 1):
            if said == f"go {number}":
                return Answer(call=path)
    return None


def ask_work() -> Answer:
    """How a step went, with a note."""
    how = _chosen(_WENT, _("{choices} (Enter: {first})"))
    return Answer(((HOW, how.value),), text=read_line("  " + _("note, or press Enter: ")).strip())


def ask_afterwards(_request: Request) -> Answer:
    """What follows a step that did not work."""
    return Answer(((AFTERWARDS, _chosen(_FOLLOWS, _("It did not work: {choices} (Enter: {first})")).value),))


def _chosen(choices: Mapping[Went, LazyText] | Mapping[Afterwards, LazyText], label: str) -> Went | Afterwards:
    """The choice that is typed: its word, its beginning, or its number."""
    words = {str(each): choice for choice, each in choices.items()}
    listed = ", ".join(f"{number} {word}" for number, word in enumerate(words, 1))
    while True:
        said = read_line(f"  {label.format(choices=listed, first=next(iter(words)))}: ").strip().lower()
        for number, (word, choice) in enumerate(words.items(), 1):
            if said == str(number) or word.startswith(said) or choice.value.startswith(said):
                return choice
        show("  " + _("One of: {choices}.").format(choices=", ".join(words)))
