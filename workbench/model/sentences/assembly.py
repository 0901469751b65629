"""What a line of playbook assembly means, in the same values as a sentence of the source language."""

from __future__ import annotations

import re
from dataclasses import replace

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
    Several,
    Tell,
    Yield,
    parts_of,
)
from workbench.model.sentences.actions import judgement_of
from workbench.model.sentences.classify import classify
from workbench.model.sentences.clauses.telling import template_of
from workbench.regex import regex
from workbench.syntax.assembly_lines import AssemblyLine, parse_assembly_line
from workbench.syntax.masking import top_level

_YIELD = regex(r"(?:;[ \t]*)?YLD[ \t]+(?:for[ \t]+)?(?P<target>call|user|agent\b[^;]*|meeting\b[^;]*|return|exit)\b")
_SAY = regex(r"Say\((?P<target>\"[^\"]*\"|[^,()\"]+),[ \t]*(?P<message>.*)\)\s*$", re.DOTALL)
_USER = frozenset({"user", "human"})
_PART = regex(r";[ \t]*(?=(?:EXE|QUE|TNK|JMP|RET)\b|YLD[ \t]+(?:for[ \t]+)?(?:return|exit)\b)")
_CLAUSE = regex(r";[ \t]*(?:done\b|YLD\b).*$", re.DOTALL)


def classify_assembly(text: str, has_children: bool) -> Meaning | None:  # noqa: FBT001 - as classify
    """The meaning of a line such as ``03:QUE F($a); YLD for call``; None for any other text."""
    if not text[:1].isdigit():
        return None
    line = parse_assembly_line(text)
    if line is None:
        return None
    cuts = list(_PART.finditer(top_level(line.content))) if ";" in line.content else []
    return _several(line, [cut.span() for cut in cuts]) if cuts else _one(line, has_children)


def _one(line: AssemblyLine, has_children: bool) -> Meaning:
    return _BY_CODE.get(line.code, _judged)(line, has_children)


def _several(line: AssemblyLine, cuts: list[tuple[int, int]]) -> Meaning:
    """A step that has several parts on its line: ``QUE Say(user, no); RET``."""
    starts, ends = [0, *(end for _start, end in cuts)], [*(start for start, _end in cuts), len(line.content)]
    pieces = [line.content[start:end] for start, end in zip(starts, ends, strict=True)]
    others = [parse_assembly_line(f"{line.number}:{piece}") for piece in pieces[1:]]
    lines = [replace(line, content=pieces[0]), *(each for each in others if each is not None)]
    parts = [part for each in lines for part in parts_of(_one(each, has_children=False))]
    return Judge(line.content) if any(isinstance(part, Branch | Loop) for part in parts) else Several(tuple(parts))  # type: ignore[arg-type]  # all others are actions


def _judged(line: AssemblyLine, _has_children: bool) -> Meaning:
    return Judge(line.content)


def _thought(line: AssemblyLine, _has_children: bool) -> Meaning:
    return judgement_of(line.content)


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
    "TNK": _thought,
    "LOP": _conditional,
    "ELS": _otherwise,
}
