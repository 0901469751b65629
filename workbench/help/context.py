"""What is explained where somebody asks for help: of a place in the text, and of a step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workbench.assist.data_places import data_place
from workbench.assist.keys import setting_rules
from workbench.assist.names import place_at
from workbench.assist.writing import setting_owner, word_at
from workbench.help.topics import Topic, topic_of, topic_on
from workbench.model.kinds import FileKind
from workbench.model.meaning import (
    Ask,
    Assign,
    Branch,
    BranchForm,
    Call,
    End,
    Group,
    Judge,
    Jump,
    JumpForm,
    Loop,
    LoopForm,
    Note,
    Raw,
    Return,
    Several,
    StepListEntry,
    Tell,
    TriggerEvent,
    Wait,
)
from workbench.model.program import Step
from workbench.model.queries import Queries
from workbench.model.snapshot import Snapshot
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.text import line_start
from workbench.tools.names import BUILT_IN_TOOLS

_OF_FILES = {
    FileKind.PROCEDURE: "procedures",
    FileKind.SKILL: "skills",
    FileKind.STEPLIST: "step-lists",
    FileKind.GRAPH: "graphs",
    FileKind.FOREIGN: "kinds",
}
_HEADINGS = {1: "agent-heading", 2: "playbook-heading"}
_LONGEST = 200
_OF_BOTH = frozenset({"id", "description", "metadata"})
"""Fields that a step list has, and its steps as well."""
_FRONT_MATTER = {"judge": "models", "tools": "tools-setting"}
_LOOPS = {LoopForm.FOR_EACH: "for-each", LoopForm.REPEAT: "repeat"}
_MOMENTS = {"invited": "end-trigger", "end": "end-trigger"}


def topic_at(document: Snapshot, offset: int) -> Topic:
    """The topic of what stands at *offset* of *document*: a finding, a field or setting, else a construct."""
    finding = _finding_at(document, offset)
    topic = topic_of(finding) if finding else None
    if topic is None and document.program.format.is_steplist:
        topic = _of_field(document, offset)
    elif topic is None and not document.program.foreign:
        topic = _of_block(document, offset)
    return topic or _topic(_of_file(document))


def topic_of_step(document: Queries, step: Step) -> Topic:
    """The topic of the construct that *step* is."""
    if document.program.kind in (FileKind.PROCEDURE, FileKind.SKILL):
        return _topic(_in_procedure(step))
    if isinstance(step.meaning, StepListEntry):
        return _topic("graphs" if document.program.format.is_graph else "step-fields")
    return _topic(_name_of(step))


def _topic(name: str) -> Topic:
    found = topic_of(name)
    assert found is not None, name
    return found


def _of_file(document: Queries) -> str:
    return _OF_FILES.get(document.program.kind, "files")


def _finding_at(document: Snapshot, offset: int) -> str:
    """The code of the smallest finding there, where findings have been looked for already; else empty."""
    if not document.is_diagnosed:
        return ""
    found = [each for each in document.diagnostics if each.span.start <= offset <= each.span.end]
    return min(found, key=lambda each: each.span.end - each.span.start).code if found else ""


def _of_field(document: Queries, offset: int) -> Topic | None:
    """The page of the field that is written at *offset*, or whose value is; of a field around it else."""
    pages = ("graphs", "step-lists") if document.program.format.is_graph else ("step-lists", "graphs")
    at = data_place(document, offset)
    if at is not None and at.word in _OF_BOTH and "steps" in at.above and not document.program.format.is_graph:
        return topic_of("step-fields")
    words = (at.word, at.key, *at.above) if at is not None else ()
    topics = (topic_on(pages, word) for word in words if word)
    return next((topic for topic in topics if topic is not None), None)


def _of_block(document: Queries, offset: int) -> Topic | None:
    index = document.block_index_at(offset)
    if index < 0:
        return None
    step = place_at(document, offset).step
    if step is not None:
        return topic_of_step(document, step)
    block, text = document.blocks[index], document.text
    line = text[line_start(text, offset) : line_start(text, offset) + _LONGEST].split("\n", 1)[0].strip()
    return _of_setting(document, offset, line) or topic_of(_of_plain(document, block, line))


def _of_setting(document: Queries, offset: int, line: str) -> Topic | None:
    """The section of the setting whose line it is; of those of an agent, or of a playbook."""
    key = word_at(document.text, line_start(document.text, offset)).of(document.text)
    owner = setting_owner(document, offset) if key and line.startswith(f"{key}:") else None
    if owner is None or key not in setting_rules(is_agent=owner):
        return None
    return topic_of("agent-settings" if owner else "playbook-settings")


def _of_plain(document: Queries, block: Block, line: str) -> str:
    """The name of what a line says that is no step."""
    is_program = document.program.kind is FileKind.PROGRAM
    if block.kind is BlockKind.HEADING:
        return _HEADINGS.get(block.level, "sections") if is_program else "chapters"
    if block.kind is BlockKind.FRONT_MATTER:
        return _FRONT_MATTER.get(line.partition(":")[0], "front-matter")
    if block.kind is BlockKind.FENCE:
        return "python" if block.title == "python" and is_program else "text-and-code"
    if block.kind is BlockKind.COMMENT:
        return "comments"
    return "imports" if line.startswith("!import") else _of_file(document)


def _in_procedure(step: Step) -> str:
    if step.item is not None and step.item.box is not None:
        return "boxes"
    return "procedure-control" if isinstance(step.meaning, Branch | Loop | Jump) else "chapters"


def _name_of(step: Step) -> str:
    """The name of the section about what *step* means."""
    meaning = step.meaning
    named = _NAMES.get(type(meaning))
    if named is None:
        return "steps"
    return named if isinstance(named, str) else named(meaning)


def _of_branch(branch: Branch) -> str:
    if branch.form is BranchForm.WHEN:
        return "when"
    is_if = branch.condition is None or not branch.condition.text.startswith("unless ")
    return "if" if is_if else "unless"


def _of_trigger(event: TriggerEvent) -> str:
    if event.is_start:
        return "start-trigger"
    if event.moment:
        return _MOMENTS.get(event.moment, "call-trigger")
    if event.timing is not None:
        return "time-trigger"
    if event.hearing is not None:
        return "message-trigger"
    is_exact = event.condition is not None and event.condition.test is not None
    return "condition-trigger" if is_exact else "judged-trigger"


def _of_call(call: Call) -> str:
    if call.target == "CreateAgent":
        return "create-agent"
    if call.target in ("CreatePlaybook", "PlanAndDo"):
        return "create-playbook" if call.target == "CreatePlaybook" else "plan-and-do"
    if call.target in BUILT_IN_TOOLS:
        return "tools"
    return "call-forms" if call.is_resolved else "calls"


_NAMES: dict[type, str | Callable[[Any], str]] = {
    Assign: "assign",
    Ask: "ask",
    Tell: "tell",
    Wait: "wait",
    Return: "return",
    End: "end",
    Several: "several",
    Judge: "judgement",
    Raw: "text-and-code",
    Note: "sections",
    Group: "chapters",
    Call: _of_call,
    Branch: _of_branch,
    Loop: lambda loop: _LOOPS.get(loop.form, "while"),
    Jump: lambda jump: "go-to" if jump.form is JumpForm.GO_TO else "break",
    TriggerEvent: _of_trigger,
}
