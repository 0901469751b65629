"""Breakpoints, kept by file on this machine: they stay with their steps though the file is edited elsewhere meanwhile.

A step is found again by its address and its words: where the words have moved, the breakpoint moves with them; where
they are gone, it stays at the address as long as there is a step at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.disk.atomic import replace_private_file
from workbench.disk.files import is_there, read_file, real_path, why
from workbench.disk.private import make_private_folder
from workbench.engine.debugging.breakpoints import AT_STEPS, Breakpoint, Breakpoints, NoBreakpoint, parse_breakpoint
from workbench.errors import CannotRead, CannotSave
from workbench.i18n import _
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class KeptBreakpoint:
    """*text*, *line*: of its step when it was kept; empty and 0 where it has none, or that was not there."""

    breakpoint: Breakpoint
    text: str = ""
    line: int = 0


def kept_at(breakpoint_: Breakpoint, snapshot: Snapshot) -> KeptBreakpoint:
    """*breakpoint_* with what its step in *snapshot* says."""
    step = snapshot.at_address(breakpoint_.at) if breakpoint_.kind in AT_STEPS else None
    return KeptBreakpoint(breakpoint_) if step is None else _at(breakpoint_, step, snapshot)


def _at(breakpoint_: Breakpoint, step: Step, snapshot: Snapshot) -> KeptBreakpoint:
    return KeptBreakpoint(replace(breakpoint_, at=snapshot.address(step.id)), step.text, snapshot.line(step.id))


def found_again(kept: Sequence[KeptBreakpoint], snapshot: Snapshot) -> tuple[KeptBreakpoint, ...]:
    """*kept* as they stand in *snapshot*; those whose step is gone stay as they are."""
    if not any(each.text for each in kept):
        return tuple(kept)
    by_text: dict[str, list[Step]] = {}
    for step in steps_of(snapshot):
        by_text.setdefault(step.text, []).append(step)
    return tuple(_found(each, snapshot, by_text) for each in kept)


def steps_of(snapshot: Snapshot) -> Iterable[Step]:
    """Every step of *snapshot*."""
    parts = [part for playbook in snapshot.program.playbooks for part in playbook.sections]
    return (step for part in parts for root in part.steps for step in root.walk())


def _found(kept: KeptBreakpoint, snapshot: Snapshot, by_text: Mapping[str, list[Step]]) -> KeptBreakpoint:
    if kept.breakpoint.kind not in AT_STEPS or not kept.text:
        return kept
    step = snapshot.at_address(kept.breakpoint.at)
    if step is None or step.text != kept.text:
        others = by_text.get(kept.text, ())
        step = min(others, key=lambda each: abs(snapshot.line(each.id) - kept.line), default=step)
    return kept if step is None else _at(kept.breakpoint, step, snapshot)


def breakpoints_of(kept: Iterable[KeptBreakpoint]) -> Breakpoints:
    """The breakpoints of *kept*, each once."""
    return tuple(dict.fromkeys(each.breakpoint for each in kept))


def load_kept(store: Path, file: Path) -> tuple[KeptBreakpoint, ...]:
    """What is kept in *store* for *file*; what cannot be read there is left out. Raises CannotRead."""
    found = entries_in(store).get(str(real_path(file)), [])
    return tuple(each for entry in found if isinstance(entry, dict) and (each := _read(entry)) is not None)


def save_kept(store: Path, file: Path, kept: Sequence[KeptBreakpoint]) -> None:
    """Keep *kept* for *file*, in place of what was there. Raises CannotRead and CannotSave."""
    entries = entries_in(store)
    name = str(real_path(file))
    written = [_written(each) for each in kept]
    if entries.get(name, []) != written:
        keep_entries(store, {**entries, name: written})


def move_kept(store: Path, old: Path, new: Path) -> None:
    """What was kept for *old* is kept for *new*, its name from now on. Raises CannotRead and CannotSave."""
    entries = entries_in(store)
    found = entries.pop(str(real_path(old)), None)
    if found is not None:
        keep_entries(store, {**entries, str(real_path(new)): found})


def _read(entry: Mapping[str, Any]) -> KeptBreakpoint | None:
    written, text, line = (entry.get(name) for name in ("at", "text", "line"))
    try:
        found = parse_breakpoint(str(written))
    except NoBreakpoint:  # of another version
        return None
    found = replace(found, is_on=entry.get("is_on") is not False)
    return KeptBreakpoint(found, text if isinstance(text, str) else "", line if isinstance(line, int) else 0)


def _written(kept: KeptBreakpoint) -> dict[str, Any]:
    return {"at": str(kept.breakpoint), "is_on": kept.breakpoint.is_on, "text": kept.text, "line": kept.line}


def entries_in(store: Path) -> dict[str, list[Any]]:
    """What is kept in *store*, by file; what is no such file counts as empty. Raises CannotRead."""
    if not is_there(store):
        return {}
    try:
        found = json.loads(read_file(store))
    except (ValueError, RecursionError):
        return {}
    except OSError as error:
        message = _("What is kept in {file} cannot be read. {reason}")
        raise CannotRead(message.format(file=store, reason=why(error))) from error
    return {name: each for name, each in found.items() if isinstance(each, list)} if isinstance(found, dict) else {}


def keep_entries(store: Path, entries: Mapping[str, list[Any]]) -> None:
    """Keep *entries* in *store*, in place of what was there. Raises CannotSave."""
    data = json.dumps({name: each for name, each in sorted(entries.items()) if each}, indent=1).encode("ascii")
    try:
        make_private_folder(store.parent)
        replace_private_file(store, data)
    except OSError as error:
        message = _("{file} cannot be written. {reason}")
        raise CannotSave(message.format(file=store, reason=why(error))) from error
