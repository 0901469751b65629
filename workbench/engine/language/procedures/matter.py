"""What belongs to the step of a procedure that is asked about, with the values of the run in its places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from workbench.engine.language.program.book import Book, type_of
from workbench.engine.language.turn import Turn
from workbench.engine.ports import Purpose, Request, RequestKind
from workbench.engine.state.live_run import LiveRun
from workbench.model.procedures.matter import StepMatter, Table, matter_of
from workbench.model.procedures.placeholders import filled_in
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot

_ABOUT_STEPS = frozenset({Purpose.STEP, Purpose.WORK})
_SHELL = "sh"


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
    snapshot, step = placed
    values, found = values_of(run), matter_of(snapshot, step.id)

    def filled(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(filled_in(text, values) for text in texts)

    return StepMatter(
        filled(found.above),
        filled_in(found.prose, values),
        filled(found.rules),
        tuple(filled_in(command, values, _SHELL) for command in found.commands),
        tuple(Table(filled(table.head), tuple(map(filled, table.rows))) for table in found.tables),
        filled(found.if_yes),
        filled(found.if_no),
        tuple(replace(each, path=each.path if each.path in book.linked else "") for each in found.links),
    )


def _placed(book: Book, address: str) -> tuple[Snapshot, Step] | None:
    """The step at *address*, which may be one of a linked procedure, and the text that it stands in."""
    path = next((path for path in book.linked if address.startswith(f"{path}/")), None)
    snapshot = book.snapshot if path is None else book.linked[path]
    step = snapshot.at_address(address if path is None else address.removeprefix(f"{path}/"))
    return None if step is None else (snapshot, step)


def as_details(matter: StepMatter) -> tuple[str, ...]:
    """*matter* as text for whoever judges without seeing a form."""
    rules = "\n".join(f"- {rule}" for rule in matter.rules)
    commands = [f"```sh\n{command}\n```" for command in matter.commands]
    tables = ["\n".join("| " + " | ".join(row) + " |" for row in (one.head, *one.rows)) for one in matter.tables]
    return tuple(filter(None, (matter.prose, rules, *commands, *tables)))
