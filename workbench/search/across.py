"""Where something with a name is defined and used in all files of a project that can mean it.

Files that import each other are one program, and the scripts beside them answer for it. A tool that no file of it
defines may be called by every playbook, and is defined in a Python file.
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from workbench.disk.files import PROJECT_FILE
from workbench.model.links import RUNBOOK_ENDINGS, SCRIPT_ENDING, STEPLIST_ENDINGS, is_named_as_ours
from workbench.model.snapshot import Snapshot, derive
from workbench.regex import regex
from workbench.search.calls import agent_at
from workbench.search.files import NONE_OPEN, FileText, settings_below, texts_below
from workbench.search.programs import JoinedProgram, Programs
from workbench.search.symbols import Symbol, SymbolKind, Usage, symbol_named, usages_of
from workbench.syntax.data.nodes import DataNode, NodeKind
from workbench.syntax.data.yaml_reading import read_yaml
from workbench.syntax.text import LineIndex, SourceText, Span

_PYTHON = ".py"
_LIMITS = regex(
    r"^[ \t]*(?:\[+(?P<table>[^\]\r\n]*)\]|(?P<dotted>tools[ \t]*\.[ \t]*)?(?P<key>ask|forbid|only)[ \t]*=[ \t]*"
    r"\[(?P<names>(?:[^\]\"'#]|\"[^\"\r\n]*\"|'[^'\r\n]*'|#[^\r\n]*)*)\])",
    8,  # re.MULTILINE
)
_TEXT = regex(r"#[^\r\n]*|(?P<quote>[\"'])(?P<name>[^\"'\r\n]*)(?P=quote)")


@dataclass(frozen=True)
class FileUsages:
    """Where a symbol stands in one file. *snapshot*: what the file means, None for Python."""

    file: FileText
    usages: tuple[Usage, ...]
    snapshot: Snapshot | None = None


Meanings = Sequence[tuple[JoinedProgram, Symbol]]
"""What a symbol of a file is in the programs that the file is a part of."""


class Project:
    """The files of a folder as they are now, read when they are first needed."""

    def __init__(self, root: Path, opened: Mapping[str, SourceText] = NONE_OPEN) -> None:
        self.root = root
        self._opened = opened
        self._snapshots: dict[str, Snapshot] = {}

    @classmethod
    def alone(cls, source: SourceText) -> Project:
        """A document that was never saved: one file with an empty path."""
        project = cls(Path())
        project.__dict__["_all"] = {"": FileText("", b"", source, is_open=True)}
        return project

    @cached_property
    def _all(self) -> Mapping[str, FileText]:
        found = {each.path: each for each in texts_below(self.root, self._opened)}
        return {**found, **{each.path: each for each in settings_below(self.root)}}

    @cached_property
    def _programs(self) -> Programs:
        return Programs(self.root, {path: each.text for path, each in self._all.items()})

    @cached_property
    def files(self) -> Mapping[str, FileText]:
        """By path, the files that may be playbooks or Python, those that are imported, and project files."""
        return {path: each for path, each in self._all.items() if self._may_mean(path)}

    def _may_mean(self, path: str) -> bool:
        return (
            not path or is_named_as_ours(path) or _is_beside(path) or _is_limiting(path) or self._programs.is_part(path)
        )

    def snapshot(self, path: str) -> Snapshot:
        """What the file *path* means."""
        if path not in self._snapshots:
            self._snapshots[path] = derive(self.files[path].source)
        return self._snapshots[path]

    def usages(self, path: str, symbol: Symbol) -> tuple[FileUsages, ...]:
        """Where *symbol* of the file *path* stands: in that file, and in the others that can mean it."""
        path, symbol = self.meant(path, symbol)
        if symbol.kind is SymbolKind.TOOL and not symbol.agent:
            found = [self._in_file(each, symbol) for each in self.files if symbol.name in self.files[each].text]
        else:
            files = self._programs.parts(path)
            places: dict[str, set[Usage]] = {each: set() for each in files}
            places[path] |= set(usages_of(self.snapshot(path), symbol))
            for program, joined in self.meanings(path, symbol):
                for usage in usages_of(program.snapshot, joined):
                    origin = program.origin(usage.span)
                    if origin is not None:
                        places[origin[0]].add(Usage(origin[1], usage.is_definition))
            found = [self._at(each, places[each]) for each in dict.fromkeys((path, *files)) if places[each]]
            strangers = self._strangers(path, symbol)
            found += (self._in_file(each, symbol, strangers) for each in self._naming(path, symbol))
        return tuple(each for each in found if each.usages)

    def _at(self, path: str, usages: Collection[Usage]) -> FileUsages:
        by_span = {each.span: each for each in sorted(usages, key=lambda each: each.is_definition)}
        found = tuple(sorted(by_span.values(), key=lambda each: each.span))
        return FileUsages(self.files[path], found, self.snapshot(path))

    def _naming(self, path: str, symbol: Symbol) -> Iterator[str]:
        """The files that are no part of the program of *path* and name what is in it: scripts, and limits of tools."""
        twin = replace(symbol, playbook="")
        if not symbol.playbook or not usages_of(self.snapshot(path), twin):  # else a script means the other one
            yield from dict.fromkeys(filter(self.files.__contains__, map(_script_of, self._programs.parts(path))))
        if symbol.kind is SymbolKind.TOOL:
            yield from filter(_is_limiting, self.files)

    def meanings(self, path: str, symbol: Symbol) -> Meanings:
        """What *symbol* of the file *path* is in each program that imports join it to; in none where there are none.

        A part can belong to an agent of each file that imports it. Then its variables are those of all of these agents,
        and so on in the other parts of those.
        """
        found: dict[tuple[str, Symbol], JoinedProgram] = {}
        seen: set[tuple[str, int]] = set()
        waiting = [(path, each) for each in _anchors(self.snapshot(path), symbol)]
        while waiting:
            place = waiting.pop()
            if place in seen:
                continue
            seen.add(place)
            for program in self._programs.of(place[0], symbol.name):
                for offset in program.places(*place):
                    joined = _as_at(program.snapshot, offset, symbol)
                    if joined is None or (program.path, joined) in found:
                        continue
                    found[program.path, joined] = program
                    if symbol.kind is SymbolKind.VARIABLE and not symbol.playbook:
                        there = (Span(each, each + 1) for each in _anchors(program.snapshot, joined))
                        origins = (program.origin(each) for each in there)
                        waiting += [(each[0], each[1].start) for each in origins if each is not None]
        return tuple((program, joined) for (_path, joined), program in found.items())

    def meant(self, path: str, symbol: Symbol) -> tuple[str, Symbol]:
        """The file and the symbol that *symbol* in the file *path* is, where another part of the program defines it."""
        if symbol.kind is SymbolKind.TOOL and not symbol.agent:
            for other in self._programs.parts(path):
                found = symbol_named(self.snapshot(other), symbol.name)
                if found.agent and found.kind is not SymbolKind.VARIABLE:
                    return other, found
        return path, symbol

    def _strangers(self, path: str, symbol: Symbol) -> frozenset[str]:
        """The playbooks that do not know the variable *symbol*: what is answered to their steps is another one."""
        own, others = set[str](), set[str]()
        joined = [(program.snapshot, meant) for program, meant in self.meanings(path, symbol)]
        for snapshot, meant in joined or [(self.snapshot(path), symbol)]:
            for agent in snapshot.program.agents if symbol.kind is SymbolKind.VARIABLE else ():
                for name in (each.name for each in agent.playbooks):
                    is_own = agent.name == meant.agent and meant.playbook in ("", name)
                    (own if is_own else others).add(name)
        return frozenset(others - own)

    def _in_file(self, path: str, symbol: Symbol, strangers: Collection[str] = ()) -> FileUsages:
        if path.endswith(_PYTHON):
            return FileUsages(self.files[path], tuple(python_usages(self.files[path].text, symbol.name)))
        if _is_limiting(path):
            return FileUsages(self.files[path], tuple(map(Usage, limits_of(self.files[path].text, symbol.name))))
        if path.endswith(SCRIPT_ENDING):
            is_loose = symbol.kind is SymbolKind.TOOL and not symbol.agent
            beside = map(self.snapshot, self._answered_by(path)) if is_loose else ()
            is_meant = not any(_is_own(each, symbol.name) for each in beside)
            usages = script_usages(self.files[path].text, symbol, strangers) if is_meant else ()
            return FileUsages(self.files[path], tuple(sorted(usages, key=lambda each: each.span)))
        snapshot = self.snapshot(path)
        if symbol.kind is SymbolKind.TOOL and not symbol.agent and _is_own(snapshot, symbol.name):
            return FileUsages(self.files[path], (), snapshot)
        return FileUsages(self.files[path], usages_of(snapshot, symbol), snapshot)

    def _answered_by(self, script: str) -> Iterator[str]:
        """The playbooks that *script* stands beside."""
        stem = script.removesuffix(SCRIPT_ENDING)
        return (stem + each for each in (*RUNBOOK_ENDINGS, *STEPLIST_ENDINGS) if stem + each in self.files)


def _anchors(snapshot: Snapshot, symbol: Symbol) -> Iterator[int]:
    """Places at which it can be seen whose *symbol* is: where it is defined, or written with its sign."""
    if symbol.kind is SymbolKind.PLAYBOOK or symbol.playbook:
        name = symbol.playbook or symbol.name
        agent = next((each for each in snapshot.program.agents if each.name == symbol.agent), None)
        headings = [one.heading for one in agent.playbooks if one.name == name] if agent is not None else []
        starts = zip(snapshot.blocks, snapshot.block_starts, strict=False)
        yield from (start for block, start in starts if any(block is each for each in headings))
        return
    for usage in usages_of(snapshot, symbol):
        is_signed = snapshot.text[usage.span.start - 1 : usage.span.start] == "$"
        if is_signed if symbol.kind is SymbolKind.VARIABLE else usage.is_definition:
            yield usage.span.start


def _as_at(snapshot: Snapshot, offset: int, symbol: Symbol) -> Symbol | None:
    """What *symbol* is at *offset* of *snapshot*, whose agents can be others than in the file that it is from."""
    agent = agent_at(snapshot, offset)
    return replace(symbol, agent=agent.name) if agent is not None else None


def _is_beside(path: str) -> bool:
    """Whether *path* is no playbook, and may name what is in one."""
    return path.endswith((_PYTHON, SCRIPT_ENDING))


def _is_limiting(path: str) -> bool:
    return path.rpartition("/")[2] == PROJECT_FILE


def limits_of(text: str, name: str) -> Iterator[Span]:
    """Where the project file *text* limits the tool *name*: in ``ask``, ``forbid`` and ``only`` of its tools."""
    table = ""
    for match in _LIMITS.finditer(text):
        table = match["table"].strip() if match["table"] is not None else table
        is_meant = match["key"] is not None and (table == "tools" or (not table and match["dotted"]))
        for said in _TEXT.finditer(match["names"]) if is_meant else ():
            if said["name"] == name:
                start = match.start("names") + said.start("name")
                yield Span(start, start + len(name))


def _script_of(path: str) -> str:
    """The script that answers for the playbook *path*."""
    folder, _slash, name = path.rpartition("/")
    stem = name.rpartition(".")[0] or name
    return f"{folder}/{stem}{SCRIPT_ENDING}" if folder else f"{stem}{SCRIPT_ENDING}"


def script_usages(text: str, symbol: Symbol, strangers: Collection[str] = ()) -> Iterator[Usage]:
    """Where the script *text* answers for *symbol*, or speaks of it by the address of a step; nowhere if damaged.

    *strangers*: playbooks that have another variable of this name, or none.
    """
    root = read_yaml(text).root
    if root is None or root.kind is not NodeKind.MAPPING:
        return
    is_variable = symbol.kind is SymbolKind.VARIABLE
    nodes = _variables_of_script(root, strangers) if is_variable else _NAMING[symbol.kind](root)
    for node in nodes:
        at = text.find(symbol.name, node.span.start, node.span.end)
        written = node.text.partition(":")[0] if symbol.kind is SymbolKind.PLAYBOOK else node.text
        if at >= 0 and (written.removeprefix("$") if is_variable else written) == symbol.name:
            yield Usage(Span(at, at + len(symbol.name)))


def _entries_of(root: DataNode, *parts: str) -> Iterator[DataNode]:
    for part in parts:
        found = root.get(part)
        yield from (each.resolved for each in found.items) if found is not None else ()


def _tools_of_script(root: DataNode) -> Iterator[DataNode]:
    for part in ("tools", "failures"):
        found = root.get(part)
        yield from (name for name, _value in found.entries) if found is not None else ()
    called = (each.get("tool") for each in _entries_of(root, "calls", "approvals"))
    yield from (each for each in called if each is not None)


def _variables_of_script(root: DataNode, strangers: Collection[str]) -> Iterator[DataNode]:
    for each in _entries_of(root, "answers"):
        step, values = each.get("step"), each.get("values")
        is_meant = step is None or step.text.partition(":")[0] not in strangers
        yield from (name for name, _value in values.entries) if is_meant and values is not None else ()


def _addresses_of_script(root: DataNode) -> Iterator[DataNode]:
    steps = (each.get("step") for each in _entries_of(root, "answers"))
    yield from (each for each in steps if each is not None)
    for entry in _entries_of(root, "messages"):
        triggers = entry.get("triggers")
        if triggers is not None:
            yield from triggers.items or (triggers,)


_NAMING: Mapping[SymbolKind, Callable[[DataNode], Iterator[DataNode]]] = {
    SymbolKind.TOOL: _tools_of_script,
    SymbolKind.PLAYBOOK: _addresses_of_script,
}


def _is_own(snapshot: Snapshot, name: str) -> bool:
    """Whether *name* is that of a playbook or function of the file itself."""
    agents = snapshot.program.agents
    return any(agent.playbook(name) or any(one.name == name for one in agent.functions) for agent in agents)


def python_usages(text: str, name: str) -> Iterator[Usage]:
    """Where the function *name* stands in the Python file *text*, where that defines or imports it."""
    lines = LineIndex.of(text)
    found: list[Usage] = []
    is_meant, before = False, ""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
            if token.type == tokenize.NAME and token.string == name and before != ".":
                start = lines.starts[token.start[0] - 1] + token.start[1]
                found.append(Usage(Span(start, start + len(name)), before == "def"))
                is_meant |= before == "def" or "import" in token.line.split()
            before = token.string
    except (tokenize.TokenError, SyntaxError, IndexError):
        return
    if is_meant:
        yield from found
