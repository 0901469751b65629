"""Where a run can stop: from lines of files to the addresses of steps, and back."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from workbench.cli.reading import ReadProgram
from workbench.disk.files import real_path
from workbench.editing.keeping.storage import load
from workbench.engine.language.leaving import behind_all
from workbench.engine.language.program.book import Book, ToolTarget, type_of, written_source
from workbench.engine.language.program.code import Op
from workbench.engine.language.program.linked import linked_code, linked_snapshots
from workbench.errors import CannotRead
from workbench.model.kinds import FileKind
from workbench.model.meaning import StepListEntry
from workbench.model.snapshot import Snapshot, derive
from workbench.project.targets import linked_file, project_of
from workbench.syntax.text import SourceText


@dataclass(frozen=True, slots=True)
class Spot:
    """A step before which a run can stop. *line*, *end*: the first and the last line of its words, from 1."""

    path: Path
    line: int
    end: int
    address: str


@dataclass(frozen=True, slots=True)
class Generated:
    """A playbook that the run has made itself. *text*: as it is carried out."""

    name: str
    text: str


class Places:
    """The steps of a program, file by file; it stays as it was when it was read.

    *texts*: of each file, as far as it is known. *book*: of a program; None for a step list.
    """

    def __init__(self, program: ReadProgram) -> None:
        self._program = program
        self._main = real_path(program.path)
        snapshot = program.snapshot
        is_list = snapshot.program.format.is_steplist
        linked = {} if is_list or program.origins else linked_snapshots(snapshot, str(self._main))
        self._linked = {written: (self._file_of(written), each) for written, each in linked.items()}
        self.book = None if is_list else Book(snapshot, linked=linked)
        self.texts: Mapping[Path, str] = {path: each.text for path, each in self._linked.values()}
        if not program.origins:
            self.texts = {self._main: snapshot.text, **self.texts}
        found = {spot.address: spot for spot in self._spots()}
        self._spots_by_address = found
        self._by_file: dict[Path, list[Spot]] = {}
        for spot in sorted(found.values(), key=lambda spot: (spot.line, spot.end)):
            self._by_file.setdefault(spot.path, []).append(spot)

    def _file_of(self, written: str) -> Path:
        return real_path(linked_file(project_of(self._main), self._main, written))

    def _spots(self) -> Iterator[Spot]:
        if self.book is None:
            yield from self._of_list()
            return
        for agent in self._program.snapshot.program.agents:
            for playbook in agent.playbooks:
                if playbook.is_carried_out or not playbook.is_chapter:
                    code = self.book.code(agent.name, playbook.name)
                    begun = (each for each in code.instructions if each.op is Op.ENTER)
                    yield from (self._spot(each.address, each.line) for each in begun)
        for written, (path, snapshot) in self._linked.items():
            for each in linked_code(written, snapshot).instructions:
                if each.op is Op.ENTER:
                    yield Spot(path, *_lines(snapshot, each.address.removeprefix(f"{written}/")), each.address)

    def _of_list(self) -> Iterator[Spot]:
        snapshot = self._program.snapshot
        roots = [root for each in snapshot.program.playbooks for part in each.sections for root in part.steps]
        for step in (step for root in roots for step in root.walk()):
            if isinstance(step.meaning, StepListEntry) and step.meaning.step is not None:
                yield self._spot(snapshot.address(step.id), snapshot.line(step.id))

    def _spot(self, address: str, line: int) -> Spot:
        path, first = self.place(line)
        begin, end = _lines(self._program.snapshot, address)
        return Spot(path, first, first + max(0, end - begin), address)

    def place(self, line: int) -> tuple[Path, int]:
        """The file and the line in it that *line* of the whole program is."""
        origins = self._program.origins
        if not 0 < line <= len(origins):
            return self._main, line
        return real_path(origins[line - 1].file), origins[line - 1].line

    @property
    def files(self) -> tuple[Path, ...]:
        """All files that the program is read from."""
        imported = (real_path(each.file) for each in self._program.origins)
        return tuple(dict.fromkeys((self._main, *imported, *self.texts)))

    def at(self, path: Path, line: int) -> Spot | None:
        """The step at *line* of a file, or the next one below; None where there is none, or the file is another."""
        spots = self._by_file.get(real_path(path), [])
        index = bisect_left(spots, line, key=lambda spot: spot.line)
        if index < len(spots) and spots[index].line == line:
            return spots[index]
        around = next((spot for spot in reversed(spots[:index]) if spot.end >= line), None)
        return around or (spots[index] if index < len(spots) else None)

    def between(self, path: Path, first: int, last: int) -> list[int]:
        """The lines from *first* to *last* at which a run can stop."""
        spots = self._by_file.get(real_path(path), [])
        return sorted({spot.line for spot in spots if first <= spot.line <= last})

    def spot(self, address: str) -> Spot | None:
        """The step at *address*."""
        return self._spots_by_address.get(address)

    def first_of(self, playbook: str) -> Spot | None:
        """The first step of a playbook, by its name or its heading."""
        named = {each.name for each in self._program.snapshot.program.playbooks if playbook in (each.name, each.title)}
        names = (playbook, *sorted(named - {playbook}))
        return next((spot for name in names for spot in self._all if spot.address.rpartition(":")[0] == name), None)

    @property
    def _all(self) -> Iterator[Spot]:
        yield from self._spots_by_address.values()

    def is_python(self, name: str) -> bool:
        """Whether *name* is a function in the Python of the file."""
        return self.book is not None and isinstance(self.book.resolve("", name), ToolTarget)

    def has_changed(self, path: Path) -> bool:
        """Whether the file at *path* is another by now."""
        known = self.texts.get(real_path(path))
        try:
            return known is not None and load(path).source.text != known
        except CannotRead:
            return True

    def linked(self, agent: str) -> tuple[Path, Snapshot] | None:
        """The procedure that *agent* stands for, where a step links to it."""
        return self._linked.get(agent)


Written = Mapping[tuple[str, str], str]
"""The texts of the playbooks that a run has made, by agent and name."""


def generated(agent: str, playbook: str, written: Written) -> Generated | None:
    """The playbook of *agent* where the run has *written* it."""
    text = written.get((type_of(agent), playbook))
    return None if text is None else Generated(playbook, written_source(type_of(agent), playbook, text))


def line_in(made: Generated, address: str) -> int:
    """The line of the step at *address* in what was made."""
    return _lines(derive(SourceText(made.text), wanted=FileKind.PROGRAM), address)[0]


def _lines(snapshot: Snapshot, address: str) -> tuple[int, int]:
    """The first and the last line of the words of the step at *address*; 0 where it has none of its own."""
    step = snapshot.at_address(address)
    if step is None:
        return 0, 0
    span = snapshot.text_span(step.id)
    return snapshot.line(step.id), snapshot.lines.line(max(span.start, span.end - 1)) + 1


def ahead(places: Places, agent: str, playbook: str, pc: int) -> list[str]:
    """The steps that a run can come to from the instruction *pc* by only leaving out steps, the next one first."""
    if places.book is None or places.book.resolve(type_of(agent), playbook) is None:
        return []
    code, found, seen = places.book.code(agent, playbook), list[str](), set[int]()
    while 0 <= pc < len(code.instructions) and pc not in seen:
        seen.add(pc)
        at = code.instructions[pc]
        if at.op is Op.ENTER:
            found.append(at.address)
            pc = behind_all(code, pc)
        elif at.op is Op.LEAVE:
            pc = at.next
        else:
            break
    return found
