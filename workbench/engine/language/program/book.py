"""The program that a run carries out: where it begins, what a name calls, and the code of each playbook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from workbench.engine.language.program.code import Code, compile_playbook
from workbench.engine.language.program.linked import linked_code, linked_playbook
from workbench.engine.language.program.watches import Knows, watches_of
from workbench.model.kinds import FileKind
from workbench.model.made_in_run import made_names
from workbench.model.number_types import NumberTypes, number_types
from workbench.model.program import Agent, Parameter, Playbook, Program, PythonFunction
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.signatures import normalise_name
from workbench.syntax.text import SourceText
from workbench.tools.names import BUILT_IN_TOOLS

FIRST_AGENT = 1000
_STANDS_IN = "Python"


@dataclass(frozen=True, slots=True)
class PlaybookTarget:
    """A playbook that a call leads to."""

    agent: str
    playbook: Playbook


@dataclass(frozen=True, slots=True)
class ToolTarget:
    """Something outside the program that a call leads to. *parameters*: empty where unknown."""

    agent: str
    name: str
    parameters: tuple[Parameter, ...] = ()


Target = PlaybookTarget | ToolTarget


def entry_playbook(program: Program) -> Playbook | None:
    """Where a run begins: the playbook for the command line, the first with a start trigger, ``Main``, the first."""
    for playbook in program.playbooks:
        if dict(playbook.metadata).get("cli_entry") is True:
            return playbook
    starting = next(iter(starting_playbooks(program)), None)
    return starting or program.playbook("Main") or next(iter(program.playbooks), None)


def starting_playbooks(program: Program) -> tuple[Playbook, ...]:
    """The playbooks with a start trigger, in source order."""
    return tuple(playbook for playbook in program.playbooks if playbook.is_start)


def type_of(agent: str) -> str:
    """The heading under which the playbooks of *agent* stand: an agent made in a run is called ``Tax:1003``.

    The path of a linked procedure stands for its heading, and may have a colon in it.
    """
    kind, _colon, number = agent.rpartition(":")
    return kind if number.isdecimal() else agent


class Book:
    """One snapshot, ready to be carried out; code is made when it is first needed.

    *knows*: whether a name that is not in the program is that of a tool of the run. *made*: the names of playbooks that
    the program says it makes; *written*: those that the run has made. *listens_since*: only they wait for messages or
    times. *linked*: procedures that steps link to, by their paths, which stand for the agents of their playbooks.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        knows: Knows = BUILT_IN_TOOLS.__contains__,
        linked: Mapping[str, Snapshot] = MappingProxyType({}),
    ) -> None:
        self.snapshot = snapshot
        self.linked = linked
        self._knows = knows
        self.program = snapshot.program
        self.people = tuple(agent.name for agent in self.program.agents if agent.kind == "Human")
        self._agents = {agent.name: agent for agent in reversed(self.program.agents)}
        self._codes: dict[tuple[str, str], Code] = {}
        self._written: dict[tuple[str, str], tuple[Playbook, Snapshot]] = {
            (agent.name, name): entry for agent in self.program.agents for name, entry in entries_of(agent).items()
        }
        self.written: dict[tuple[str, str], Playbook] = {}
        self.made = made_names(snapshot.text)
        self.watches = watches_of(snapshot, _playbooks(self._written), knows, self.made)
        self.listens_since = False

    @property
    def starts(self) -> tuple[PlaybookTarget, ...]:
        """What starts with the program, agent by agent: playbooks, and Python that says so."""
        found = []
        for agent in self.program.agents:
            found += [PlaybookTarget(agent.name, each) for each in agent.playbooks if each.is_start]
            entries = [each for (owner, _name), (each, _text) in self._written.items() if owner == agent.name]
            found += [PlaybookTarget(agent.name, each) for each in entries if each.is_start]
        return tuple(found)

    @property
    def command_line_entry(self) -> PlaybookTarget | None:
        """The Python that is made for the command line."""
        for (agent, _name), (playbook, _text) in self._written.items():
            if dict(playbook.metadata).get("cli_entry") is True:
                return PlaybookTarget(agent, playbook)
        return None

    @property
    def number_types(self) -> NumberTypes:
        """Which variables are numbers, because the program compares or computes with them."""
        return number_types(self.program)

    def learn(self, written: Mapping[tuple[str, str], str]) -> None:
        """Take in the playbooks that the run has written itself, and their triggers."""
        new = written.keys() - self._written.keys()
        for agent, name in sorted(new, key=list(written).index):
            snapshot = derive(SourceText(written_source(agent, name, written[agent, name])), wanted=FileKind.PROGRAM)
            self._written[agent, name] = (snapshot.program.playbooks[0], snapshot)
            self.written[agent, name] = self._written[agent, name][0]
        if new:
            went_on, entries = self.watches.go_on, _playbooks(self._written)
            self.watches = watches_of(self.snapshot, entries, self._knows, self.made)
            self.listens_since = self.listens_since or (self.watches.go_on and not went_on)

    def code(self, agent: str, playbook: str) -> Code:
        """The code of *playbook* of *agent*, which must exist."""
        known = self._codes.get((agent, playbook))
        if known is None:
            known = self._codes[agent, playbook] = self._compiled(agent, playbook)
        return known

    def _compiled(self, agent: str, playbook: str) -> Code:
        if agent in self.linked:
            return linked_code(agent, self.linked[agent])
        written = self._own(type_of(agent), playbook)
        if written is not None:
            return _without_lines(compile_playbook(*written, self.people))
        target = self.playbook(type_of(agent), playbook)
        assert target is not None, f"no playbook {playbook}"
        return compile_playbook(target.playbook, self.snapshot, self.people)

    def agent(self, name: str) -> Agent | None:
        """The agent under the heading *name*."""
        return self._agents.get(name)

    def number(self, agent: str) -> int:
        """The id of *agent*, which stands in the file."""
        return FIRST_AGENT + list(dict.fromkeys(agent.name for agent in self.program.agents)).index(agent)

    def is_public(self, agent: str, name: str) -> bool:
        """Whether other agents may call *name* of *agent*."""
        owner, written = self.agent(agent), self._written.get((agent, name))
        return (written is not None and written[0].is_offered) or (owner is not None and owner.is_public(name))

    def playbook(self, agent: str, name: str) -> PlaybookTarget | None:
        """The playbook *name*, sought in *agent* first and then in all others."""
        if agent in self.linked:
            return PlaybookTarget(agent, linked_playbook(agent, self.linked[agent]))
        written = self._own(agent, name)
        if written is not None:
            return PlaybookTarget(agent, written[0])
        for candidate in self._agents_from(agent):
            playbook = candidate.playbook(name)
            if playbook is not None:
                return PlaybookTarget(candidate.name, playbook)
        return None

    def _own(self, agent: str, name: str) -> tuple[Playbook, Snapshot] | None:
        """The playbook *name* of *agent* that does not stand in the file, with its text."""
        known, owner = self._written.get((agent, name)), self.agent(agent)
        if known is None and owner is not None and name.startswith(_STANDS_IN):
            function = next((each for each in owner.functions if name_for(each) == name), None)
            if function is not None and owner.playbook(name) is None:
                known = self._written[agent, name] = _entry(owner, function)
        return known

    def resolve(self, agent: str, target: str) -> Target | None:
        """What ``target`` (``Check`` or ``Tax.Check``) calls when *agent* says it; None: nothing in the file.

        A name alone is sought with *agent*, then among what others offer, then everywhere. A heading is meant in any
        spelling, unless a tool is called exactly so.
        """
        owner, _dot, name = target.rpartition(".")
        if owner and owner not in self._agents:
            owner = normalise_name(owner).name
        for spelling in dict.fromkeys((name, normalise_name(name).name)):
            written = self._written.get((owner or agent, spelling))
            if written is not None:
                return PlaybookTarget(owner or agent, written[0])
        found = self.program.called(target, agent)
        meant = _target(*found) if found is not None else None
        return None if meant is None or (not _is_exact(meant, name) and self._knows(name)) else meant

    def function(self, agent: str, name: str) -> PythonFunction | None:
        """The Python function *name* of *agent*."""
        for candidate in self.program.agents:
            if candidate.name == agent:
                return next((function for function in candidate.functions if function.name == name), None)
        return None

    def _agents_from(self, agent: str) -> Iterator[Agent]:
        """All agents, *agent* first."""
        yield from (each for each in self.program.agents if each.name == agent)
        yield from (each for each in self.program.agents if each.name != agent)


def _playbooks(written: Mapping[tuple[str, str], tuple[Playbook, Snapshot]]) -> dict[tuple[str, str], Playbook]:
    return {key: playbook for key, (playbook, _text) in written.items()}


def standing_for(book: Book, tool: ToolTarget) -> PlaybookTarget | None:
    """The playbook that carries out the function *tool* of the file and nothing else."""
    function = book.function(tool.agent, tool.name)
    return None if function is None else book.playbook(tool.agent, name_for(function))


def stands_for(book: Book, target: PlaybookTarget) -> PythonFunction | None:
    """The function that *target* carries out and nothing else; None for a playbook of the file."""
    owner = book.agent(target.agent)
    if owner is None or any(each is target.playbook for each in owner.playbooks):
        return None
    return next((each for each in owner.functions if name_for(each) == target.playbook.name), None)


def entry_of(book: Book, name: str) -> PlaybookTarget | None:
    """The playbook *name*, or where a run of *book* begins when *name* is empty; None: there is none."""
    if name:
        playbook = book.program.addressed(name)
        owner = book.program.agent_of(playbook) if playbook is not None else None
        if playbook is not None and owner is not None:
            return PlaybookTarget(owner.name, playbook)
        found = book.resolve("", name)
        return standing_for(book, found) if isinstance(found, ToolTarget) else found
    playbook = entry_playbook(book.program)
    is_said = playbook is not None and dict(playbook.metadata).get("cli_entry") is True
    by_itself = book.command_line_entry or next(iter(book.starts), None)
    if by_itself is not None and not is_said:
        return by_itself
    if playbook is None:
        return None
    agent = next(agent for agent in book.program.agents if playbook in agent.playbooks)
    return PlaybookTarget(agent.name, playbook)


def waits_at_once(book: Book, name: str) -> bool:
    """Whether a run of *book* begins with nothing: no *name* was given, and it only knows messages and times."""
    is_said = (
        book.command_line_entry
        or book.starts
        or any(each.name == "Main" or dict(each.metadata).get("cli_entry") is True for each in book.program.playbooks)
    )
    return not name and not is_said and book.watches.go_on


def name_of(target: Target) -> str:
    """The name of what *target* leads to, as its agent has it."""
    return target.playbook.name if isinstance(target, PlaybookTarget) else target.name


def _is_exact(target: Target, name: str) -> bool:
    return name_of(target) == name or (isinstance(target, PlaybookTarget) and target.playbook.written == name)


def _target(agent: Agent, called: Playbook | PythonFunction) -> Target:
    if isinstance(called, Playbook):
        return PlaybookTarget(agent.name, called)
    return ToolTarget(agent.name, called.name, called.parameters)


def _without_lines(code: Code) -> Code:
    """*code* of a playbook that does not stand in the file."""
    return Code(tuple(replace(each, line=0) for each in code.instructions), dict.fromkeys(code.lines, 0), code.loops)


def written_source(agent: str, name: str, text: str) -> str:
    """The source of a playbook *name* that a run has written: *text* is a whole one, or its steps."""
    if any(line.startswith("## ") for line in text.splitlines()):
        return f"# {agent}\n{text}\n"
    has_sections = any(line.startswith("### ") for line in text.splitlines())
    return f"# {agent}\n## {name}\n" + ("" if has_sections else "### Steps\n") + f"{text}\n"


def name_for(function: PythonFunction) -> str:
    """The name of the playbook that stands for *function*."""
    return normalise_name(f"{_STANDS_IN} {function.name}").name


def is_entry(function: PythonFunction) -> bool:
    """Whether *function* starts by itself, or is made for the command line."""
    return bool(function.triggers) or dict(function.metadata).get("cli_entry") is True


def entries_of(agent: Agent) -> dict[str, tuple[Playbook, Snapshot]]:
    """The playbooks that stand for functions of *agent*, by name, each with the text that it comes from."""
    taken = {playbook.name for playbook in agent.playbooks}
    found = {}
    for function in filter(is_entry, agent.functions):
        if name_for(function) not in taken:
            found[name_for(function)] = _entry(agent, function)
    return found


def _entry(agent: Agent, function: PythonFunction) -> tuple[Playbook, Snapshot]:
    snapshot = derive(SourceText(_source(agent, function)), wanted=FileKind.PROGRAM)
    return snapshot.program.playbooks[0], snapshot


def _source(agent: Agent, function: PythonFunction) -> str:
    parameters = ", ".join(_written(parameter) for parameter in function.parameters)
    values = ", ".join(f"{parameter.name}=${parameter.name}" for parameter in function.parameters)
    metadata = "cli_entry: true\n" if dict(function.metadata).get("cli_entry") is True else ""
    triggers = "".join(f"- {text}\n" for text in function.triggers)
    section = f"### Triggers\n{triggers}" if triggers else ""
    head = f"# {agent.title or 'Agent'}\n## {name_for(function)}({parameters})\n{metadata}"
    return f"{head}{section}### Steps\n- Return {function.name}({values})\n"


def _written(parameter: Parameter) -> str:
    kind = f":{parameter.type}" if parameter.type.isidentifier() else ""
    default = f" = {parameter.default}" if parameter.default is not None else ""
    return f"${parameter.name}{kind}{default}"
