"""The breakpoints of the client, as those of a run: by line, by name, and for failures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.cli.debug_adapter.client import Body, Refused, all_of, may, need
from workbench.cli.debug_adapter.places import Places, Spot
from workbench.engine.debugging.breakpoints import (
    AT_STEPS,
    Breakpoint,
    Breakpoints,
    NoBreakpoint,
    StopKind,
    checked,
    parse_breakpoint,
)
from workbench.i18n import N_, _
from workbench.regex import regex

FILTERS = {
    "error": (StopKind.ERROR, N_("Failures"), N_("Stop before a step or the run fails.")),
    "violation": (StopKind.VIOLATION, N_("Violations"), N_("Step lists: stop before a rule is broken.")),
}
"""What may be stopped at by a mark in the list of breakpoints."""
_FUNCTIONS, _EXCEPTIONS = "functions", "exceptions"
_HITS = regex(r"\s*(?P<sign>>=|<=|==|=|>|<|%|)\s*(?P<count>\d{1,9})\s*")
_NAMED = regex(r"\w+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Kept:
    """A breakpoint of the client. *own*: of the run, None where it cannot be set. *told*: as it is shown."""

    id: int
    own: Breakpoint | None
    told: Mapping[str, Any]


class BreakpointTable:
    """All breakpoints of the client, in groups that are replaced as a whole: a file, the names, the filters."""

    def __init__(self) -> None:
        self._groups: dict[str, tuple[Kept, ...]] = {}
        self._wanted: dict[str, tuple[Path, Body]] = {}
        self._last_id = 0

    @property
    def own(self) -> Breakpoints:
        """Those of the run."""
        return tuple(dict.fromkeys(each.own for group in self._groups.values() for each in group if each.own))

    def ids_of(self, written: str) -> list[int]:
        """The numbers of those that are written so."""
        return [each.id for each in self._at(written)]

    def _at(self, written: str) -> list[Kept]:
        every = (each for group in self._groups.values() for each in group)
        return [each for each in every if each.own is not None and str(each.own) == written]

    def is_by_name(self, written: str) -> bool:
        """Whether the one that is written so was set by a name, and by no line."""
        groups = {name for name, group in self._groups.items() if any(str(each.own) == written for each in group)}
        return groups == {_FUNCTIONS}

    def complain(self, written: str, problem: str) -> Iterable[Mapping[str, Any]]:
        """Those that are written so, as they are shown with *problem*."""
        return [{**each.told, "message": problem} for each in self._at(written)]

    def set_lines(self, path: Path, arguments: Body, places: Places, first_line: int) -> list[Mapping[str, Any]]:
        """Replace the breakpoints of a file. *first_line*: how the client counts lines."""
        wanted = all_of(arguments, "breakpoints", dict)
        if "breakpoints" not in arguments:
            wanted = [{"line": line} for line in all_of(arguments, "lines", int)]
        source = need(arguments, "source", dict)
        self._wanted[str(path)] = path, arguments
        found = [self._at_line(path, each, places, first_line) for each in wanted]
        told = [replace(each, told={**each.told, "source": source} if each.own else each.told) for each in found]
        return self._keep(str(path), told)

    def again(self, places: Places, first_line: int) -> list[Mapping[str, Any]]:
        """Set those of lines anew, in a program that may be another by now; those of which something else is told."""
        changed: list[Mapping[str, Any]] = []
        for name, (path, arguments) in self._wanted.items():
            before = self._groups[name]
            self.set_lines(path, arguments, places, first_line)
            now = tuple(
                replace(each, id=old.id, told={**each.told, "id": old.id})
                for old, each in zip(before, self._groups[name], strict=True)
            )
            changed += [each.told for old, each in zip(before, now, strict=True) if old.told != each.told]
            self._groups[name] = now
        return changed

    def _at_line(self, path: Path, wanted: Body, places: Places, first_line: int) -> Kept:
        line = need(wanted, "line", int) + 1 - first_line
        spot = places.at(path, line)
        if spot is None:
            return self._unset(_nowhere(path, places))
        own, problem = _own(wanted, Breakpoint(StopKind.STEP, spot.address))
        if own is None:
            return self._unset(problem)
        return self._set(own, line=spot.line - 1 + first_line, message=_moved(spot, line, places.has_changed(path)))

    def set_names(self, arguments: Body, places: Places) -> list[Mapping[str, Any]]:
        """Replace those that stand for a playbook, ``tool:NAME``, or what else a breakpoint is written as."""
        return self._keep(_FUNCTIONS, [self._named(each, places) for each in all_of(arguments, "breakpoints", dict)])

    def _named(self, wanted: Body, places: Places) -> Kept:
        name = need(wanted, "name", str).strip()
        spot = places.first_of(name)
        if spot is not None:
            place = Breakpoint(StopKind.STEP, spot.address)
        elif places.is_python(name):
            place = Breakpoint(StopKind.TOOL, name)
        else:
            try:
                place = parse_breakpoint(name)
            except NoBreakpoint:
                return self._unset(_("There is no playbook “{name}”. For a tool write tool:NAME.").format(name=name))
            if place.kind in AT_STEPS and places.spot(place.at) is None:
                return self._unset(_("There is no step {address} in this program.").format(address=place.at))
        own, problem = _own(wanted, place)
        return self._unset(problem) if own is None else self._set(own)

    def set_filters(self, arguments: Body) -> list[Mapping[str, Any]]:
        """Replace those for failures and violations."""
        plain: list[Body] = [{"filterId": name} for name in all_of(arguments, "filters", str)]
        found = []
        for wanted in (*plain, *all_of(arguments, "filterOptions", dict)):
            row = FILTERS.get(need(wanted, "filterId", str))
            own, problem = (None, _("There is no such filter.")) if row is None else _own(wanted, Breakpoint(row[0]))
            found.append(self._unset(problem) if own is None else self._set(own))
        return self._keep(_EXCEPTIONS, found)

    def _keep(self, group: str, found: list[Kept]) -> list[Mapping[str, Any]]:
        self._groups[group] = tuple(found)
        return [each.told for each in found]

    def _set(self, own: Breakpoint, message: str = "", **where: int) -> Kept:
        self._last_id += 1
        said = {"message": message} if message else {}
        return Kept(self._last_id, own, {"id": self._last_id, "verified": True, **where, **said})

    def _unset(self, message: str) -> Kept:
        self._last_id += 1
        return Kept(self._last_id, None, {"id": self._last_id, "verified": False, "message": message})


def _own(wanted: Body, place: Breakpoint) -> tuple[Breakpoint | None, str]:
    """The breakpoint at *place* as it is *wanted*, or why it cannot be set."""
    hits = may(wanted, "hitCondition", str) or ""
    counted = _counted(place, hits) if hits.strip() else place
    if counted is None:
        message = _("“{text}” is no count: write 3 or >= 3 (from the third time on), > 3, == 3, < 3, <= 3 or % 3.")
        return None, message.format(text=hits)
    condition = (may(wanted, "condition", str) or "").strip() or place.condition
    log = " ".join((may(wanted, "logMessage", str) or "").split()) or place.log
    try:
        return checked(replace(counted, condition=condition, log=log)), ""
    except NoBreakpoint as error:
        return None, str(error)


def _counted(place: Breakpoint, hits: str) -> Breakpoint | None:
    """*place*, at the times that *hits* says; None where that says none at which a run could ever stop."""
    found = _HITS.fullmatch(hits)
    if found is None:
        return None
    count, sign = int(found["count"]), found["sign"]
    last = {"<": count - 1, "<=": count, "==": count, "=": count}.get(sign, 0)
    if (sign in {"<", "<=", "==", "="} and last < 1) or (sign == "%" and count < 1):
        return None
    if sign == "%":
        return replace(place, every=count)
    first = {"<": 1, "<=": 1, ">": count + 1}.get(sign, count)
    return replace(place, from_hit=max(1, first), to_hit=last)


def _nowhere(path: Path, places: Places) -> str:
    if places.between(path, 0, 2**31):
        return _("There is no step at this line or below.")
    return _("This file is no part of the program, or has no steps.")


def _moved(spot: Spot, line: int, has_changed: bool) -> str:
    if has_changed:
        return _("The file has changed since the run was prepared, which goes on with the text from before.")
    if spot.line == line:
        return ""
    return _("No step begins at line {line}: this is {address}.").format(line=line, address=spot.address)


def path_of(source: Body) -> Path:
    """The file of a *source*. Raises Refused."""
    path = may(source, "path", str)
    if not path:
        raise Refused(_("The source names no file."))
    return Path(path)
