"""What a file offers to others: the playbooks that are public, a procedure, or a step list, each as a tool."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.engine.language.procedures.start import as_parameters, is_procedure, left_open, title_of
from workbench.engine.schemas import object_schema, schema_of_parameters
from workbench.engine.steplists.origin import runnable
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.model.program import Playbook
from workbench.model.snapshot import Snapshot
from workbench.regex import regex

_NO_NAME = regex(r"[^A-Za-z0-9_.-]+")
_LONGEST = 100


@dataclass(frozen=True, slots=True)
class ServedTool:
    """A tool. *name*: what others call it; *schema*: of its arguments. *playbook*: which one of *snapshot* begins.

    *playbook* is empty where a file is carried out as a whole.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    path: Path
    snapshot: Snapshot
    playbook: str = ""


def offers_in(programs: Iterable[tuple[Path, Snapshot]]) -> tuple[ServedTool, ...]:
    """What the *programs* offer, with a name of its own each. Raises CannotRead where one of them offers nothing,
    RunFailed where a step list is damaged.
    """
    found: list[ServedTool] = []
    for path, snapshot in programs:
        offers = tuple(_offers_of(path, snapshot))
        if not offers:
            message = _(
                "“{file}” offers no playbook. Write “public: true” below the heading of one, or give it the trigger "
                "“At the beginning”."
            )
            raise CannotRead(message.format(file=path.name))
        found += offers
    taken = [each.name for each in found]
    named = (each if taken.count(each.name) == 1 else _with_file(each) for each in found)
    return tuple({each.name: each for each in named}.values())


def _offers_of(path: Path, snapshot: Snapshot) -> Iterator[ServedTool]:
    program = snapshot.program
    if program.format.is_steplist:
        whole = runnable(snapshot, path)
        yield ServedTool(_name(whole.name), whole.description, object_schema({}, ()), path, snapshot)
    elif is_procedure(program):
        schema = schema_of_parameters(as_parameters(left_open(snapshot, ())))
        yield ServedTool(_name(title_of(program)), _first_words(snapshot), schema, path, snapshot)
    else:
        for playbook in program.playbooks:
            if _is_offered(playbook):
                schema = schema_of_parameters(playbook.parameters)
                name = playbook.address
                yield ServedTool(_name(name), playbook.description, schema, path, snapshot, name)


def _is_offered(playbook: Playbook) -> bool:
    return bool(playbook.name) and (dict(playbook.metadata).get("public") is True or playbook.is_start)


def _first_words(snapshot: Snapshot) -> str:
    return next((each.description for each in snapshot.program.agents if each.description), "")


def _with_file(offer: ServedTool) -> ServedTool:
    return replace(offer, name=_name(f"{offer.path.stem}.{offer.name}"))


def _name(text: str) -> str:
    """*text* as the protocol wants names: letters, digits and a few signs."""
    return _NO_NAME.sub("_", text).strip("_")[:_LONGEST] or "playbook"
