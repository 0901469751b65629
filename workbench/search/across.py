"""Where something with a name is defined and used in all files of a project that can mean it.

Files that import each other are one program, and the scripts beside them answer for it. A tool that no file of it
defines may be called by every playbook, and is defined in a Python file.
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from workbench.disk.files import PROJECT_FILE
from workbench.model.links import RUNBOOK_ENDINGS, SCRIPT_ENDING, STEPLIST_ENDINGS, is_named_as_ours
from workbench.model.program import Agent
from workbench.model.snapshot import Snapshot, derive
from workbench.regex import regex
from workbench.search.files import NONE_OPEN, FileText, settings_below, texts_below
from workbench.search.symbols import Symbol, SymbolKind, Usage, symbol_named, usages_of
from workbench.syntax.data.nodes import DataNode, NodeKind
from workbench.syntax.data.yaml_reading import read_yaml
from workbench.syntax.text import LineIndex, SourceText, Span

_IMPORT = regex(r"^[ \t]*!import[ \t]+(?P<path>[^#\r\n]*?)[ \t]*(?:#.*)?\r?$", 8)  # re.MULTILINE
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


class Project:
    """The files of a folder as they are now, read when they are first needed."""

    def __init__(self, root: Path, opened: Mapping[str, SourceText] = NONE_OPEN) -> None:
        self._root = root
        self._opened = opened
        self._snapshots: dict[str, Snapshot] = {}

    @classmethod
    def alone(cls, source: SourceText) -> Project:
        """A document that was never saved: one file with an empty path."""
        project = cls(Path())
        project.__dict__["files"] = {"": FileText("", b"", source, is_open=True)}
        return project

    @cached_property
    def files(self) -> Mapping[str, FileText]:
        """By path, the files that may be playbooks or Python, and those in which a project limits its tools."""
        texts = texts_below(self._root, self._opened)
        found = {each.path: each for each in texts if is_named_as_ours(each.path) or _is_beside(each.path)}
        return {**found, **{each.path: each for each in settings_below(self._root)}}

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
            program = self._joined(path)
            others = [self._in_other(each, path, symbol) for each in program if each != path]
            twin = replace(symbol, playbook="")
            if symbol.playbook and usages_of(self.snapshot(path), twin):
                program = ()  # a script says no more than the name, and that is the other one
            scripts = dict.fromkeys(filter(self.files.__contains__, map(_script_of, program)))
            limits = filter(_is_limiting, self.files) if symbol.kind is SymbolKind.TOOL else ()
            beside = (self._in_file(each, symbol) for each in (*scripts, *limits))
            found = [self._in_file(path, symbol), *others, *beside]
        return tuple(each for each in found if each.usages)

    def meant(self, path: str, symbol: Symbol) -> tuple[str, Symbol]:
        """The file and the symbol that *symbol* in the file *path* is, where another part of the program defines it."""
        if symbol.kind is SymbolKind.TOOL and not symbol.agent:
            for other in self._joined(path):
                found = symbol_named(self.snapshot(other), symbol.name)
                if found.agent and found.kind is not SymbolKind.VARIABLE:
                    return other, found
        return path, symbol

    def _in_file(self, path: str, symbol: Symbol) -> FileUsages:
        if path.endswith(_PYTHON):
            return FileUsages(self.files[path], tuple(python_usages(self.files[path].text, symbol.name)))
        if _is_limiting(path):
            return FileUsages(self.files[path], tuple(map(Usage, limits_of(self.files[path].text, symbol.name))))
        if path.endswith(SCRIPT_ENDING):
            is_loose = symbol.kind is SymbolKind.TOOL and not symbol.agent
            is_meant = not is_loose or not any(map(partial(self._has_own, symbol.name), self._answered_by(path)))
            usages = script_usages(self.files[path].text, symbol) if is_meant else ()
            return FileUsages(self.files[path], tuple(sorted(usages, key=lambda each: each.span)))
        snapshot = self.snapshot(path)
        if symbol.kind is SymbolKind.TOOL and not symbol.agent and _is_own(snapshot, symbol.name):
            return FileUsages(self.files[path], (), snapshot)
        return FileUsages(self.files[path], usages_of(snapshot, symbol), snapshot)

    def _in_other(self, path: str, home: str, symbol: Symbol) -> FileUsages:
        """Where *symbol* of the file *home* stands in *path*, which is a part of the same program."""
        snapshot = self.snapshot(path)
        agents = snapshot.program.agents
        own = [agent for agent in agents if agent.name == symbol.agent]
        is_loose = any(agent.heading is None for agent in (*agents, *self._agents_named(home, symbol.agent)))
        found: set[Usage] = set()
        for agent in own or (agents if is_loose else ()):
            moved = replace(symbol, agent=agent.name)
            is_here = agent.playbook(symbol.name) is not None
            kind = SymbolKind.TOOL if symbol.kind is SymbolKind.PLAYBOOK and not is_here else symbol.kind
            found |= set(usages_of(snapshot, replace(moved, kind=kind)))
        return FileUsages(self.files[path], tuple(sorted(found, key=lambda each: each.span)), snapshot)

    def _answered_by(self, script: str) -> Iterator[str]:
        """The playbooks that *script* stands beside."""
        stem = script.removesuffix(SCRIPT_ENDING)
        return (stem + each for each in (*RUNBOOK_ENDINGS, *STEPLIST_ENDINGS) if stem + each in self.files)

    def _has_own(self, name: str, path: str) -> bool:
        return _is_own(self.snapshot(path), name)

    def _agents_named(self, path: str, name: str) -> Sequence[Agent]:
        return [agent for agent in self.snapshot(path).program.agents if agent.name == name]

    def _joined(self, path: str) -> tuple[str, ...]:
        """The files that *path* imports or that import it, and so on."""
        found, waiting = {path}, [path]
        while waiting:
            for near in self._beside.get(waiting.pop(), ()):
                if near not in found:
                    found.add(near)
                    waiting.append(near)
        return tuple(sorted(found))

    @cached_property
    def _beside(self) -> Mapping[str, set[str]]:
        """By path, the files that it imports, and those that import it."""
        from workbench.project.index import joined_path  # noqa: PLC0415 - a window starts without it

        found: dict[str, set[str]] = {}
        for path, file in self.files.items():
            for match in _IMPORT.finditer(file.text) if "!import" in file.text else ():
                target = joined_path(path, match["path"].strip("\"'"))
                if target in self.files:
                    found.setdefault(path, set()).add(target)
                    found.setdefault(target, set()).add(path)
        return found


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


def script_usages(text: str, symbol: Symbol) -> Iterator[Usage]:
    """Where the script *text* answers for *symbol*, or speaks of it by the address of a step; nowhere if damaged."""
    root = read_yaml(text).root
    if root is None or root.kind is not NodeKind.MAPPING:
        return
    for node in _NAMING[symbol.kind](root):
        at = text.find(symbol.name, node.span.start, node.span.end)
        is_meant = node.text.partition(":")[0] == symbol.name if symbol.kind is SymbolKind.PLAYBOOK else True
        if at >= 0 and is_meant and (symbol.kind is SymbolKind.PLAYBOOK or node.text == symbol.name):
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


def _variables_of_script(root: DataNode) -> Iterator[DataNode]:
    values = (each.get("values") for each in _entries_of(root, "answers"))
    yield from (name for each in values if each is not None for name, _value in each.entries)


def _addresses_of_script(root: DataNode) -> Iterator[DataNode]:
    steps = (each.get("step") for each in _entries_of(root, "answers"))
    yield from (each for each in steps if each is not None)
    for entry in _entries_of(root, "messages"):
        triggers = entry.get("triggers")
        if triggers is not None:
            yield from triggers.items or (triggers,)


_NAMING: Mapping[SymbolKind, Callable[[DataNode], Iterator[DataNode]]] = {
    SymbolKind.TOOL: _tools_of_script,
    SymbolKind.VARIABLE: _variables_of_script,
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
