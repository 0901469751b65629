"""What belongs to the step of a procedure that is asked about, with the values of the run in its places."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import replace
from posixpath import dirname, join, normpath
from urllib.parse import quote

from workbench.engine.expressions.data import canonical
from workbench.engine.language.program.book import Book, type_of
from workbench.engine.language.turn import Turn
from workbench.engine.ports import Purpose, Request, RequestKind
from workbench.engine.state.live_run import LiveRun
from workbench.i18n import _, numeral
from workbench.model.procedures.matter import StepLink, StepMatter, Table, matter_of
from workbench.model.procedures.placeholders import filled_in
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot
from workbench.syntax.links import is_web_target

_ABOUT_STEPS = frozenset({Purpose.STEP, Purpose.WORK})
_SHELL = "sh"
_MOST_SHOWN = 80


def is_in_chapter(run: LiveRun, book: Book) -> bool:
    """Whether the frame at work is of a chapter of a procedure."""
    if not run.frames:
        return False
    target = book.playbook(type_of(run.top.agent), run.top.playbook)
    return target is not None and target.playbook.is_chapter


def values_of(run: LiveRun) -> Mapping[str, str]:
    """What the run was given for the places that its procedure leaves open."""
    return {name: str(value) for name, value in run.origin.arguments.items()}


def filled_words(turn: Turn, text: str) -> str:
    """*text* of a procedure with the values of the run in its places."""
    return filled_in(text, values_of(turn.state))


def with_matter(turn: Turn, request: Request) -> Request:
    """*request* with all that belongs to its step, where that is one of a procedure."""
    is_about_step = request.purpose in _ABOUT_STEPS and request.kind is not RequestKind.IN_DOUBT
    if not is_about_step or not is_in_chapter(turn.state, turn.book):
        return request
    found = matter_at(turn.state, turn.book, turn.at.address)
    if found is None:
        return request
    is_condition = request.kind is RequestKind.DECIDE
    return replace(request, matter=found if is_condition else replace(found, if_yes=(), if_no=()))


def matter_at(run: LiveRun, book: Book, address: str) -> StepMatter | None:
    """What belongs to the step of a chapter at *address*, filled in."""
    placed = _placed(book, address)
    if placed is None:
        return None
    path, snapshot, step = placed
    values, found = values_of(run), matter_of(snapshot, step.id)

    def filled(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(filled_in(text, values) for text in texts)

    return StepMatter(
        (*filled(found.above), *_rounds(run)),
        filled_in(found.prose, values),
        filled(found.rules),
        tuple(filled_in(command, values, _SHELL) for command in found.commands),
        tuple(Table(filled(table.head), tuple(map(filled, table.rows))) for table in found.tables),
        filled(found.if_yes),
        filled(found.if_no),
        tuple(replace(each, path=each.path if each.path in book.linked else "") for each in _links(found, path)),
    )


def _rounds(run: LiveRun) -> Iterator[str]:
    """In which round each loop around the step at work is, and what that is about."""
    for step in run.top.open:
        if step.rounds and isinstance(step.items, list):
            item = step.items[step.rounds - 1]
            about = item if isinstance(item, str) else canonical(item)
            message = _("{item} ({round} of {count})")
            yield message.format(
                item=textwrap.shorten(about, _MOST_SHOWN, placeholder="…"),
                round=numeral(step.rounds),
                count=numeral(len(step.items)),
            )
        elif step.rounds and isinstance(step.items, int):
            yield _("round {round} of {count}").format(round=numeral(step.rounds), count=numeral(step.items))


def _links(matter: StepMatter, path: str) -> Iterator[StepLink]:
    """The links of a step, counted from the folder of the file that is run; *path*: of the linked file they are in."""
    for link in matter.links:
        is_whole = not path or link.target.startswith("/") or is_web_target(link.target)
        base = quote(path if link.target.startswith("#") else path[: path.rfind("/") + 1])
        joined = normpath(join(dirname(path), link.path)) if link.path else ""
        yield replace(link, target=link.target if is_whole else base + link.target, path=joined)


def _placed(book: Book, address: str) -> tuple[str, Snapshot, Step] | None:
    """The step at *address*, the text that it stands in, and the path of that where it is a linked procedure."""
    path = next((path for path in book.linked if address.startswith(f"{path}/")), "")
    snapshot = book.linked[path] if path else book.snapshot
    step = snapshot.at_address(address.removeprefix(f"{path}/") if path else address)
    return None if step is None else (path, snapshot, step)


def as_details(matter: StepMatter) -> tuple[str, ...]:
    """*matter* as text for whoever judges without seeing a form."""
    rules = "\n".join(f"- {rule}" for rule in matter.rules)
    commands = [f"```sh\n{command}\n```" for command in matter.commands]
    tables = ["\n".join("| " + " | ".join(row) + " |" for row in (one.head, *one.rows)) for one in matter.tables]
    place = " › ".join(matter.above[1:])
    return tuple(filter(None, (place, matter.prose, rules, *commands, *tables)))
