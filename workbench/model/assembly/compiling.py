"""Playbooks → assembly: pure, deterministic, offline, with a line map in both directions.

Every step of the source becomes one line with the same number, so that logs, breakpoints
and the canvas speak of the same ``02.01``; what the language says without a step of its own
(going back to the head of a loop, an action on the line of its condition) follows below it.
Triggers become ``T1:EVT When asked``, also inside Python code.
At the end of an agent stands, as JSON, which of its playbooks others may call or begin by themselves.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any

from workbench.model.assembly.lines import StepPrinter, one_line
from workbench.model.markdown.metadata import Metadata
from workbench.model.meaning import Judge, Meaning, Raw, Return, TriggerEvent, actions_of
from workbench.model.program import Agent, Playbook, PlaybookMode, PythonFunction, Step, StepId
from workbench.model.queries import Queries
from workbench.model.sentences.classify import classify_trigger
from workbench.regex import regex
from workbench.syntax.assembly_lines import parse_assembly_line, parse_trigger_line
from workbench.syntax.blocks import BlockKind
from workbench.syntax.data.yaml_writing import dump_yaml
from workbench.syntax.python_functions import is_playbook_decorator, python_tree
from workbench.syntax.signatures import Parameter, normalise_name
from workbench.syntax.text import split_lines

HEADER = "<!-- Playbooks Assembly Language v0.4 -->"

_HEADER_START = "<!-- Playbooks Assembly Language "
_MARKS = regex(r"(?m)^[ \t]*(`{3,})")
_NOTE_NUMBER = regex(r"N\d{1,9}[ \t]+")


@dataclass(frozen=True, slots=True)
class AssemblyOrigin:
    """Where one line of assembly comes from: a 1-based line of the source, an address, a playbook (or empty).

    *file*: empty for the first file of a program.
    """

    source_line: int
    step: str = ""
    playbook: str = ""
    file: str = ""


@dataclass(frozen=True)
class Assembly:
    """Compiled text, and for each of its lines where it comes from."""

    text: str
    origins: tuple[AssemblyOrigin, ...]

    @cached_property
    def _by_source(self) -> dict[int, int]:
        found: dict[int, int] = {}
        for number, origin in enumerate(self.origins, 1):
            found.setdefault(origin.source_line, number)
        return found

    def line_for_source(self, source_line: int) -> int:
        """The first line of assembly for *source_line*, or for the nearest line above it; 1-based."""
        while source_line > 0 and source_line not in self._by_source:
            source_line -= 1
        return self._by_source.get(source_line, 1)


def compile_assembly(document: Queries) -> Assembly:
    """The assembly of *document*. What is assembly already stays as it is, line for line."""
    if is_assembly(document):
        return _unchanged(document)
    return _Compiler(document).assembly()


def is_assembly(document: Queries) -> bool:
    """True when the steps of *document* are written in assembly; without steps, when its first line says so."""
    steps = [step for playbook in document.program.playbooks for step in playbook.steps]
    if not steps:
        return document.text.startswith(_HEADER_START)
    return all(parse_assembly_line(step.text) for step in steps)


def _unchanged(document: Queries) -> Assembly:
    addresses: dict[int, tuple[str, str]] = {}
    for playbook in document.program.playbooks:
        numbers = _numbers(playbook)
        for root in playbook.triggers + playbook.steps:
            for step in root.walk():
                address = f"{playbook.address}:{numbers.get(step.id, '')}"
                addresses[_line_of_step(document, step)] = (address, playbook.address)
    count = len(split_lines(document.text))
    origins = [AssemblyOrigin(line, *addresses.get(line, ("", ""))) for line in range(1, count + 1)]
    return Assembly(document.text, tuple(origins))


@dataclass
class _Compiler:
    document: Queries
    lines: list[str] = field(default_factory=list)
    origins: list[AssemblyOrigin] = field(default_factory=list)
    _headings: dict[int, int] = field(default_factory=dict)
    _starts: dict[int, int] = field(default_factory=dict)
    _numbers: dict[StepId, str] = field(default_factory=dict)

    def assembly(self) -> Assembly:
        """Everything, agent by agent."""
        # looked up once: asking the document for each heading and step would walk through it each time
        starts = self.document.block_starts
        self._headings = {
            id(block): starts[at] for at, block in enumerate(self.document.blocks) if block.kind is BlockKind.HEADING
        }
        self._starts = {id(placed.playbook): starts[placed.start] for placed in self.document.structure.placed}
        self._add(HEADER, AssemblyOrigin(1))
        for agent in self.document.program.agents:
            self._agent(agent)
        return Assembly("\n".join(self.lines) + "\n", tuple(self.origins))

    def _add(self, text: str, origin: AssemblyOrigin) -> None:
        for line in text.split("\n"):
            self.lines.append(line)
            self.origins.append(origin)

    def _agent(self, agent: Agent) -> None:
        line = self._line_of(agent.heading)
        origin = AssemblyOrigin(line)
        separator = "\n" if len(self.lines) > 1 else ""
        self._add(f"{separator}# {agent.name}" + ("" if agent.kind == "AI" else f":{agent.kind}"), origin)
        self._head(agent.metadata, agent.description, origin)
        if agent.python:
            code = "\n\n".join(part.rstrip("\r\n").replace("\r\n", "\n").replace("\r", "\n") for part in agent.python)
            # a fence of more marks than any line of the code begins with
            marks = "`" * max([3, *(len(run) + 1 for run in _MARKS.findall(code))])
            self._add(f"\n{marks}python\n{_with_codes(code)}\n{marks}", origin)
        for playbook in agent.playbooks:
            self._playbook(playbook)
        self._add("\n```public.json", origin)
        self._add(public_interface(agent), origin)
        self._add("```", origin)

    def _line_of(self, heading: object) -> int:
        return self.document.lines.line(self._headings.get(id(heading), 0)) + 1

    def _head(self, metadata: Metadata, description: str, origin: AssemblyOrigin) -> None:
        if metadata:
            written = dump_yaml(dict(metadata), width=10_000)
            indented = "\n".join(f"  {line}" for line in written.rstrip("\n").split("\n"))
            self._add(f"metadata:\n{indented}\n---", origin)
        if description:
            self._add(description, origin)

    def _playbook(self, playbook: Playbook) -> None:
        start = self.document.lines.line(self._starts[id(playbook)]) + 1
        self._numbers = _numbers(playbook)
        origin = AssemblyOrigin(start, "", playbook.address)
        self._add(f"\n## {_signature(playbook)}", origin)
        self._head(playbook.metadata, playbook.description, origin)
        if playbook.triggers:
            self._add("### Triggers", origin)
            lines = _trigger_lines([trigger.text for trigger in playbook.triggers])
            for line, trigger in zip(lines, playbook.triggers, strict=True):
                self._add(f"- {line}", self._origin(trigger, playbook))
        if playbook.mode is PlaybookMode.STEPS or playbook.steps:
            self._add("### Steps", origin)
            printer = StepPrinter(self.document, playbook)
            for text, step in printer.lines():
                self._add(text, self._origin(step, playbook))
        if playbook.notes:
            self._add("### Notes", origin)
            for number, note in enumerate(playbook.notes, 1):
                self._add(f"- N{number} {_NOTE_NUMBER.sub('', note.text, count=1)}", self._origin(note, playbook))

    def _origin(self, step: Step, playbook: Playbook) -> AssemblyOrigin:
        address = f"{playbook.address}:{self._numbers[step.id]}"
        return AssemblyOrigin(_line_of_step(self.document, step), address, playbook.address)


def _line_of_step(document: Queries, step: Step) -> int:
    """The 1-based line that the words of *step* begin on; without looking for the step in its block."""
    start = document.block_start(step.id) + (step.item.head.start if step.item else 0)
    return document.lines.line(start) + 1


def _numbers(playbook: Playbook) -> dict[StepId, str]:
    """The numbers of all steps, triggers and notes of *playbook*, in one pass; as the document counts them."""
    found: dict[StepId, str] = {}
    open_steps = [
        *((step, f"T{at}") for at, step in enumerate(playbook.triggers, 1)),
        *((step, f"N{at}") for at, step in enumerate(playbook.notes, 1)),
        *((step, f"{at:02d}") for at, step in enumerate(_counted(playbook.steps), 1)),
    ]
    while open_steps:
        step, number = open_steps.pop()
        found[step.id] = number
        open_steps += [(child, f"{number}.{at:02d}") for at, child in enumerate(step.numbered, 1)]
    return found


def _counted(steps: Sequence[Step]) -> Iterator[Step]:
    return (step for step in steps if not isinstance(step.meaning, Raw))


def _signature(playbook: Playbook) -> str:
    parameters = ", ".join(_parameter(parameter) for parameter in playbook.parameters)
    returns = playbook.returns or ("" if _returns_something(playbook) else "None")
    # the id of a step list can be written in letters that a heading cannot keep
    name = playbook.name if playbook.written else normalise_name(playbook.name).name
    return f"{name}({parameters})" + (f" -> {returns}" if returns else "")


def _parameter(parameter: Parameter) -> str:
    text = ("$" if parameter.is_state else "") + parameter.name
    if parameter.type:
        text += f":{parameter.type}"
    return text if parameter.default is None else f"{text}={parameter.default}"


def _returns_something(playbook: Playbook) -> bool:
    if playbook.mode is not PlaybookMode.STEPS:
        return True
    meanings = (step.meaning for root in playbook.steps for step in root.walk())
    actions = (action for meaning in meanings for action in _done(meaning))
    return any(isinstance(one, Return) and (one.value is not None or one.text) for one in actions)


def _done(meaning: Meaning) -> Iterator[Meaning]:
    """What is done on the line of a step, and what may follow a judgement of it."""
    for action in actions_of(meaning):
        yield action
        yield from action.outcomes if isinstance(action, Judge) else ()


_JSON_TYPES = {
    "str": "string", "int": "integer", "float": "number", "bool": "boolean", "list": "array", "dict": "object",
}  # fmt: skip


def public_interface(agent: Agent) -> str:
    """What *agent* offers, as JSON on one line."""
    entries = [_of_playbook(one) for one in agent.playbooks if _is_public(one.metadata, _texts(one))]
    entries += [_of_function(one) for one in agent.functions if one.is_public or begins(one.triggers)]
    return json.dumps(entries, ensure_ascii=False)


def _is_public(metadata: Metadata, triggers: tuple[str, ...]) -> bool:
    return bool(dict(metadata).get("public")) or begins(triggers)


def _texts(playbook: Playbook) -> tuple[str, ...]:
    return tuple(one.text for one in playbook.triggers)


def _of_playbook(playbook: Playbook) -> dict[str, Any]:
    entry = _entry(playbook.parameters, _texts(playbook), playbook.metadata)
    return {"name": playbook.name, "description": playbook.description, **entry}


def _of_function(function: PythonFunction) -> dict[str, Any]:
    entry = _entry(function.parameters, function.triggers, function.metadata)
    described = dict(function.metadata).get("description")
    return {"name": function.name, "description": str(described or function.description), **entry}


def _entry(parameters: tuple[Parameter, ...], triggers: tuple[str, ...], metadata: Metadata) -> dict[str, Any]:
    required = [parameter.name for parameter in parameters if parameter.default is None]
    properties = {parameter.name: _schema(parameter.type) for parameter in parameters}
    return {
        "parameters": {"type": "object", "properties": properties, "required": required},
        "triggers": _trigger_lines(triggers),
        "is_bgn": begins(triggers),
        "cli_entry": bool(dict(metadata).get("cli_entry")),
    }


def _schema(written: str) -> dict[str, str]:
    name = written.partition("[")[0].strip().lower()
    return {"type": _JSON_TYPES[name]} if name in _JSON_TYPES else {}


_COMPILED = regex(r"T\d+:[A-Z]{3} ")
_QUOTE = regex(r"[rRuU]?(?:\"\"\"|'''|\"|')")


def _trigger_lines(texts: Iterable[str]) -> list[str]:
    """The triggers *texts* of one playbook, each with its number and its code."""
    return [f"T{number}:{_coded(text)}" for number, text in enumerate(texts, 1)]


def _coded(text: str) -> str:
    written = parse_trigger_line(text)
    if written is not None and written.content:
        return f"{written.code} {written.content}"
    return f"{_code(classify_trigger(text))} {one_line(text)}"


def _code(meaning: TriggerEvent) -> str:
    if meaning.is_start:
        return "BGN"
    return "CND" if meaning.condition is not None and meaning.condition.test is not None else "EVT"


def begins(texts: Iterable[str]) -> bool:
    """True when one of the triggers *texts* is the start of the program."""
    return any(classify_trigger(text).is_start for text in texts)


def _with_codes(code: str) -> str:
    """The Python *code*, whose lines end with a line feed, with number and code before the triggers in it."""
    tree = python_tree(code)
    if tree is None:
        return code
    places = _Places(code)
    edits = [edit for node in tree.body for edit in _edits(node, places)]
    for place, insert in sorted(edits, reverse=True):
        code = code[:place] + insert + code[place:]
    return code


class _Places:
    """Where the nodes of a text stand in it: ``ast`` counts bytes in its lines."""

    def __init__(self, code: str) -> None:
        self.code = code
        self._lines = code.split("\n")
        self._starts = list(accumulate((len(line) + 1 for line in self._lines), initial=0))

    def start(self, node: ast.expr) -> int:
        """The offset of the first character of *node*."""
        return self._offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr) -> int:
        """The offset behind *node*."""
        return self._offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)

    def _offset(self, line: int, column: int) -> int:
        encoded = self._lines[line - 1].encode("utf-8", "surrogatepass")
        return self._starts[line - 1] + len(encoded[:column].decode("utf-8", "surrogatepass"))


def _edits(node: ast.stmt, places: _Places) -> Iterator[tuple[int, str]]:
    """What is put in where in the triggers of the function *node*."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and is_playbook_decorator(decorator):
            for keyword in decorator.keywords:
                if keyword.arg == "triggers":
                    yield from _listed(keyword.value, places)


def _listed(value: ast.expr, places: _Places) -> Iterator[tuple[int, str]]:
    """A single text becomes a list, for it would be read letter by letter."""
    if isinstance(value, ast.List | ast.Tuple):
        for number, each in enumerate(value.elts, 1):
            yield from _prefix(each, number, places)
    elif isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield places.start(value), "["
        yield from _prefix(value, 1, places)
        yield places.end(value), "]"


def _prefix(value: ast.expr, number: int, places: _Places) -> Iterator[tuple[int, str]]:
    if not isinstance(value, ast.Constant) or not isinstance(value.value, str) or _COMPILED.match(value.value):
        return
    at = places.start(value)
    quote = _QUOTE.match(places.code, at)
    if quote is not None:
        yield quote.end(), f"T{number}:{_code(classify_trigger(value.value))} "
