"""What the first runtime of the language demands of compiled files, read line by line and not as we read them."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

STEP = re.compile(r"(?P<indent> *)- (?P<number>\d+(?:\.\d+)*):(?P<code>[A-Z]{3}) ?(?P<content>.*)")
CODES = {"EXE", "QUE", "YLD", "CND", "JMP", "RET", "CHK", "TNK"}
AGENT = re.compile(r"[A-Z][A-Za-z0-9]*(?::(?:AI|Human|MCP))?")
PLAYBOOK = re.compile(r"[A-Za-z][A-Za-z0-9]*\((?P<parameters>.*)\)(?: -> .+)?")
TRIGGER = re.compile(r"T\d+:(?:BGN|CND|EVT) \S")
MODES = {"playbook", "react", "raw"}


@dataclass
class Part:
    """The lines below one heading, without those of fences; *fences*: info string and code of each."""

    level: int
    title: str
    lines: list[str] = field(default_factory=list)
    fences: list[tuple[str, str]] = field(default_factory=list)


def refusals(text: str) -> list[str]:
    """Why the compiled *text* would not be loaded, or would lose something; empty where all is well."""
    parts = list(parts_of(text))
    if not any(part.level == 1 for part in parts):
        return ["no agent"]
    return [reason for part in parts for reason in (*_of_heading(part), *_metadata(part), *_body(part))]


def parts_of(text: str) -> Iterator[Part]:
    """The headings of level 1 to 3 with what stands below."""
    part = Part(0, "")
    lines = iter(text.split("\n"))
    for line in lines:
        heading = re.match(r"(#{1,3}) (.*)", line)
        fence = re.match(r" {0,3}(`{3,}|~{3,})(.*)", line)
        if heading is not None:
            yield part
            part = Part(len(heading[1]), heading[2])
        elif fence is not None:
            closing = re.compile(rf" {{0,3}}{fence[1][0]}{{{len(fence[1])},}}\s*")
            code = []
            for inner in lines:
                if closing.fullmatch(inner):
                    break
                code.append(inner)
            part.fences.append((fence[2].strip(), "\n".join(code)))
        else:
            part.lines.append(line)
    yield part


def _of_heading(part: Part) -> Iterator[str]:
    if part.level == 1 and not AGENT.fullmatch(part.title):
        yield f"agent {part.title!r}"
    if part.level == 2:
        match = PLAYBOOK.fullmatch(part.title)
        if match is None:
            yield f"playbook {part.title!r}"
        elif not _is_parameters(match["parameters"]):
            yield f"parameters of {part.title!r}"


def _is_parameters(written: str) -> bool:
    try:
        ast.parse(f"def f({re.sub(r'[$](?=[A-Za-z_])', '', written)}): pass")
    except SyntaxError:
        return False
    return True


def _metadata(part: Part) -> Iterator[str]:
    lines = part.lines
    if part.level not in (1, 2) or not lines or not lines[0].startswith("metadata:"):
        return
    if "---" not in lines:
        yield f"metadata of {part.title!r} without an end"
        return
    read = yaml.safe_load("\n".join(lines[: lines.index("---")]))
    found = read["metadata"]
    if not isinstance(found, dict):
        yield f"metadata of {part.title!r}"
    elif part.level == 2 and found.get("execution_mode", "react") not in MODES:
        yield f"mode {found['execution_mode']!r}"


def _body(part: Part) -> Iterator[str]:
    if part.level == 1:
        yield from _python(part)
    elif part.level == 3 and part.title.lower() == "triggers":
        for line in part.lines:
            if line.strip() and not (line.startswith("- ") and TRIGGER.match(line[2:])):
                yield f"trigger {line!r}"
    elif part.level == 3 and part.title.lower() == "steps":
        yield from _steps(part)
    for info, code in part.fences:
        if info == "public.json":
            entries = json.loads(code)
            needed = {"name", "description", "parameters", "triggers", "is_bgn"}
            yield from (f"entry {each}" for each in entries if not needed <= set(each))


def _python(part: Part) -> Iterator[str]:
    fences = [code for info, code in part.fences if info == "python"]
    if len(fences) > 1:
        yield "two fences of Python"
    for code in fences:
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.keyword) and node.arg == "triggers":
                texts = ast.literal_eval(node.value)
                if not isinstance(texts, list | tuple) or not all(re.match(r"T\d+:[A-Z]{3} ", each) for each in texts):
                    yield f"triggers {texts!r}"


def _steps(part: Part) -> Iterator[str]:
    lines = [line for line in part.lines if line.strip()]
    fences = [info for info, _code in part.fences if info != "public.json"]
    yield from (f"fence {info!r} among the steps" for info in fences)
    numbers: list[str] = []
    for line in lines:
        match = STEP.fullmatch(line)
        if match is None or match["code"] not in CODES:
            yield f"step {line!r}"
            continue
        if len(match["indent"]) != 2 * match["number"].count("."):
            yield f"depth of {line!r}"
        numbers.append(match["number"])
    yield from (f"number {one} twice" for one in {one for one in numbers if numbers.count(one) > 1})
    for one in numbers:
        above = one.rpartition(".")[0]
        if above and above not in numbers:
            yield f"number {one} without {above}"
    for target in re.findall(r":JMP (\S+)", "\n".join(lines)):
        if target not in numbers:
            yield f"jump to {target}"
