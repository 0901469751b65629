"""What a line of playbook assembly means, in the same values as a sentence of the source language."""

from __future__ import annotations

import re

from workbench.model.meaning import (
    Ask,
    Branch,
    BranchForm,
    Call,
    End,
    Judge,
    Jump,
    JumpForm,
    Loop,
    Meaning,
    Return,
    Tell,
    Yield,
)
from workbench.model.sentences.actions import template_of
from workbench.model.sentences.classify import classify
from workbench.syntax.assembly_lines import AssemblyLine, parse_assembly_line

_YIELD = re.compile(
    r"(?:;[ \t]*)?YLD[ \t]+(?:for[ \t]+)?(?P<target>call|user|agent\b[^;]*|meeting\b[^;]*|return|exit)\b"
)
_SAY = re.compile(r"Say\((?P<target>\"[^\"]*\"|[^,()\"]+),[ \t]*(?P<message>.*)\)\s*$", re.DOTALL)
_USER = frozenset({"user", "human"})
_CLAUSE = re.compile(r";[ \t]*(?:done\b|YLD\b).*$", re.DOTALL)


def classify_assembly(text: str, has_children: bool) -> Meaning | None:  # noqa: FBT001 - as classify
    """The meaning of a line such as ``03:QUE F($a); YLD for call``; None for any other text."""
    if not text[:1].isdigit():
        return None
    line = parse_assembly_line(text)
    if line is None:
        return None
    return _BY_CODE.get(line.code, _judged)(line, has_children)


def _judged(line: AssemblyLine, _has_children: bool) -> Meaning:
    return Judge(line.content)


def _executed(line: AssemblyLine, has_children: bool) -> Meaning:
    return classify(line.content, has_children)


def _queued(line: AssemblyLine, has_children: bool) -> Meaning:
    """A call, or something said: with ``YLD for user`` behind it, something asked."""
    content = _CLAUSE.sub("", line.content).strip()
    clause = line.content[len(content) :]
    said = _SAY.fullmatch(content)
    if said is None:
        meaning = classify(content, has_children)
        return meaning if isinstance(meaning, Call) else Judge(content)
    message, target = said["message"].strip(), said["target"].strip(" \t\"'")
    found = _YIELD.search(clause)
    is_to_user = target.lower() in _USER
    if found is not None and found["target"] == "user":
        asked = classify(message, has_children)
        return Ask(message, asked.variables if isinstance(asked, Ask) else (), "" if is_to_user else target)
    if not is_to_user:
        meaning = classify(content, has_children)
        return meaning if isinstance(meaning, Call) else Judge(content)
    return Tell(message, template_of(message))


def _yielded(line: AssemblyLine, _has_children: bool) -> Meaning:
    target = line.content.removeprefix("for ").strip()
    if target == "exit":
        return End()
    return Return() if target == "return" else Yield(target)


def _conditional(line: AssemblyLine, has_children: bool) -> Meaning:
    meaning = classify(line.content, has_children)
    return meaning if isinstance(meaning, Branch | Loop) else Judge(line.content)


def _jumped(line: AssemblyLine, _has_children: bool) -> Meaning:
    return Jump(JumpForm.GO_TO, line.content)


def _returned(line: AssemblyLine, has_children: bool) -> Meaning:
    meaning = classify(f"Return {line.content}".strip(), has_children)
    return meaning if isinstance(meaning, Return) else Return(None, line.content)


def _checked(line: AssemblyLine, _has_children: bool) -> Meaning:
    return Judge(f"Apply {line.content}")


def _otherwise(_line: AssemblyLine, _has_children: bool) -> Meaning:
    return Branch(BranchForm.OTHERWISE, None)


_BY_CODE = {
    "EXE": _executed,
    "QUE": _queued,
    "YLD": _yielded,
    "CND": _conditional,
    "JMP": _jumped,
    "RET": _returned,
    "CHK": _checked,
    "TNK": _judged,
    "LOP": _conditional,
    "ELS": _otherwise,
}
