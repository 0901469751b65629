"""What can be called at all: playbooks and Python functions of the file, and tools; each with its signature."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from workbench.assist.values import Around, CompletionKind
from workbench.i18n import _
from workbench.model.program import Agent, Parameter, Playbook, Program
from workbench.syntax.text import Span
from workbench.tools.values import ToolSpec


@dataclass(frozen=True, slots=True)
class Callable:
    """What can be called by *name*. *owner*: who offers it, in words; *words*: what it does."""

    name: str
    kind: CompletionKind
    parameters: tuple[Parameter, ...]
    returns: str = ""
    words: str = ""
    owner: str = ""

    @property
    def signature(self) -> str:
        """``Name($a, b:int=1) -> str``."""
        return f"{self.name}({', '.join(map(parameter_text, self.parameters))})" + self._returned

    @property
    def _returned(self) -> str:
        return f" -> {self.returns}" if self.returns else ""

    def parameter_spans(self) -> tuple[Span, ...]:
        """Where each parameter stands in ``signature``."""
        at, spans = len(self.name) + 1, []
        for text in map(parameter_text, self.parameters):
            spans.append(Span(at, at + len(text)))
            at += len(text) + 2
        return tuple(spans)


def parameter_text(parameter: Parameter) -> str:
    """``$name:type=default``; of a default that is not known only the sign."""
    sign = "$" if parameter.is_state else ""
    written = f"{sign}{parameter.name}" + (f":{parameter.type}" if parameter.type else "")
    return written if parameter.default is None else f"{written}={parameter.default or '…'}"


def callables_of(program: Program, around: Around, caller: Agent | None) -> Iterator[Callable]:
    """The playbooks and Python functions of *program*, and the imported playbooks and tools *around* it.

    Each by the name that means it where *caller* says it.
    """
    for name, playbook in _said(program, caller):
        if playbook.name and not playbook.is_chapter and not program.format.is_steplist:
            yield _called(playbook, _("Playbook"), name)
    for playbook in around.imported:
        yield _called(playbook, _("Imported playbook"))
    for function in program.functions:
        owner = _("Python function")
        yield Callable(function.name, CompletionKind.FUNCTION, function.parameters, "", function.description, owner)
    for tool in around.tools:
        words = tool.description.strip()
        yield Callable(tool.name, CompletionKind.TOOL, tool_parameters(tool), "", words, tool.source or _("Tool"))


def _said(program: Program, caller: Agent | None) -> Iterator[tuple[str, Playbook]]:
    """The playbooks of *program* as *caller* says them: of those with one name, all but one with their agent."""
    counts = Counter(playbook.name for playbook in program.playbooks)
    for agent in program.agents:
        for playbook in agent.playbooks:
            name = playbook.name
            if counts[name] > 1 and agent is not caller:
                meant = program.called(name, caller.name if caller is not None else "")
                name = name if meant is not None and meant[1] is playbook else f"{agent.name}.{name}"
            yield name, playbook


def _called(playbook: Playbook, owner: str, name: str = "") -> Callable:
    words = playbook.description.strip()
    return Callable(name or playbook.name, CompletionKind.PLAYBOOK, playbook.parameters, playbook.returns, words, owner)


def callable_named(program: Program, around: Around, name: str, caller: Agent | None) -> Callable | None:
    """What *name* calls where *caller* says it, in any spelling of a heading, with an agent's name before it as well.

    None: nothing.
    """
    meant = program.called(name, caller.name if caller is not None else "")
    if meant is not None and isinstance(meant[1], Playbook) and not meant[1].is_chapter:
        return _called(meant[1], _("Playbook"))
    last = name.rpartition(".")[2]
    playbook = program.playbook(last)
    wanted = (name, playbook.name if playbook is not None else last)
    found = [each for each in callables_of(program, around, caller) if each.name in wanted]
    return max(found, key=lambda each: len(each.name), default=None)


def tool_parameters(tool: ToolSpec) -> tuple[Parameter, ...]:
    """The arguments that *tool* takes; those that can be left out have a default that is not known."""
    needed, properties = tool.schema.get("required", ()), tool.schema.get("properties", {})
    return tuple(
        Parameter(str(name), False, _type_of(schema), None if name in needed else "")
        for name, schema in sorted(properties.items(), key=lambda pair: pair[0] not in needed)
    )


_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "array": "list", "object": "dict"}


def _type_of(schema: object) -> str:
    found = schema.get("type") if isinstance(schema, Mapping) else None
    return _TYPES.get(found, "") if isinstance(found, str) else ""
