"""Procedures that steps link to: a run can go through them in the place of such a step.

They are read when a run starts and kept with it, so that it goes on with the same text wherever it is resumed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from workbench.engine.journal.journal import Keeps
from workbench.engine.language.program.code import Code, Instruction, compile_playbook
from workbench.errors import CannotRead
from workbench.model.kinds import FileKind
from workbench.model.links import file_links
from workbench.model.program import Playbook, Program
from workbench.model.snapshot import Snapshot, derive
from workbench.project.targets import linked_snapshot, project_of
from workbench.syntax.text import SourceText

Kept = Mapping[str, Any]
"""By the path from the folder of the file that is run: the key of the text in the journal, and the kind of the file."""


def keep_linked(snapshot: Snapshot, path: str, journal: Keeps) -> Kept | None:
    """Keep the procedures that steps of *snapshot*, the file at *path*, link to; None where there are none.

    What cannot be read, or has no step, is left out: such a link can only be opened.
    """
    linked = linked_snapshots(snapshot, path)
    return {
        written: [journal.keep(each.source.encode()), each.program.kind.value] for written, each in linked.items()
    } or None


def linked_snapshots(snapshot: Snapshot, path: str) -> dict[str, Snapshot]:
    """The procedures that steps of *snapshot*, the file at *path*, link to, by the path that is written."""
    found: dict[str, Snapshot] = {}
    file = Path(path)
    for written in dict.fromkeys(link.path for _block, link in file_links(snapshot) if path):
        try:
            linked = linked_snapshot(project_of(file), file, written)
        except CannotRead:
            continue
        if _chapters(linked.program):
            found[written] = linked
    return found


def linked_from(kept: Kept | None, journal: Keeps) -> dict[str, Snapshot]:
    """The procedures that were *kept*. Raises StoreFailed where a text is lost."""
    return {
        path: derive(SourceText.decode(journal.kept(key)), wanted=FileKind(kind))
        for path, (key, kind) in (kept or {}).items()
    }


def linked_playbook(path: str, snapshot: Snapshot) -> Playbook:
    """The procedure of *snapshot*, at *path*, as one playbook: its chapters one after the other."""
    titles = (*(agent.title for agent in snapshot.program.agents), path)
    title = next(filter(None, titles))
    return Playbook(title, title, (), "", None, "", (), is_chapter=True, written=title)


def linked_code(path: str, snapshot: Snapshot) -> Code:
    """The code of all chapters of the procedure at *path*; the addresses of its steps begin with *path*."""
    instructions: list[Instruction] = []
    loops: set[str] = set()
    addresses: set[str] = set()
    for chapter in _chapters(snapshot.program):
        if instructions:
            instructions.pop()  # the end of the chapter before: the next one begins there
        code = compile_playbook(chapter, snapshot)
        base = len(instructions)
        instructions += [_moved(each, base, path) for each in code.instructions]
        loops |= {_address(path, each) for each in code.loops}
        addresses |= {_address(path, each) for each in code.lines}
    return Code(tuple(instructions), dict.fromkeys(addresses, 0), frozenset(loops))


def _chapters(program: Program) -> tuple[Playbook, ...]:
    return tuple(playbook for playbook in program.playbooks if playbook.is_chapter and playbook.is_carried_out)


def _moved(instruction: Instruction, base: int, path: str) -> Instruction:
    def at(index: int) -> int:
        return index + base if index >= 0 else index

    return replace(
        instruction,
        address=_address(path, instruction.address),
        line=0,
        next=at(instruction.next),
        otherwise=at(instruction.otherwise),
        ways=tuple(map(at, instruction.ways)),
        within=tuple(_address(path, each) for each in instruction.within),
    )


def _address(path: str, address: str) -> str:
    return f"{path}/{address}"
