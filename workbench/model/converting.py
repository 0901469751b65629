"""Step lists ⇄ markdown: what the other form cannot say is kept in its notes or metadata, and told.

A note that begins with ``Step list:`` or ``Step 02:`` holds, as JSON, the fields that markdown
has no words for; turning the markdown into a step list again takes them from there.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.i18n import _
from workbench.model.kinds import FileKind
from workbench.model.loader import steplist
from workbench.model.loader.free_names import FreeNames
from workbench.model.meaning import Branch, Call, Loop, StepKind, actions_of
from workbench.model.program import Playbook, SectionKind, Step
from workbench.model.snapshot import Snapshot, derive
from workbench.regex import regex
from workbench.syntax.data.nodes import DataNode, NodeKind
from workbench.syntax.data.yaml_reading import read_yaml
from workbench.syntax.data.yaml_writing import dump_yaml
from workbench.syntax.signatures import normalise_name
from workbench.syntax.text import LINE_START, SourceText, Span

_COMMENT = regex(r"(?:(?<=\s)|\A)#([^\r\n]*)")
_SPACES = regex(r"\s+")
_ABOUT_LIST = regex(r"Step list: (?P<fields>\{.*\})")
_ABOUT_STEP = regex(r"Step (?P<number>\d{1,9}): (?P<fields>\{.*\})")
_SPECIAL = regex(LINE_START + r"\s*(?:[#>|`~<*+-]|\d+[.)]|\S+:(?:\s|\Z))")


@dataclass(frozen=True, slots=True)
class Converted:
    """*text*: in the other form. *kept*: a sentence for each thing that it holds only as notes or metadata."""

    text: str
    kept: tuple[str, ...]


def to_markdown(playbook: steplist.Playbook, comments: Sequence[str] = ()) -> Converted:
    """*playbook* as a markdown playbook; *comments*: of its file."""
    kept: list[str] = []
    words = [_sentence(step, kept) for step in playbook.steps]
    title = _SPACES.sub(" ", playbook.name).strip()
    lines = [f"# {title}", ""]
    description = playbook.description.strip()
    is_plain = bool(description) and not _SPECIAL.search(description)
    lines += [description, ""] if is_plain else []
    lines += [f"## {normalise_name(playbook.name).name}()", "", "### Steps", ""]
    lines += [f"- {each}" for each in words]
    notes = [
        _note("Step list", _whole_fields(playbook, has_description=is_plain and description == playbook.description))
    ]
    notes += _step_notes(playbook, words, kept)
    if comments:
        notes += [f"- Comment: {_SPACES.sub(' ', comment.replace('<!--', '<!-')).strip()}" for comment in comments]
        kept.append(_("The comments of the file are kept as notes."))
    kept.append(_("The fields of the list itself are kept in the first note."))
    lines += ["", "### Notes", "", *notes, ""]
    return Converted("\n".join(lines), tuple(kept))


def _sentence(step: steplist.PlaybookStep, kept: list[str]) -> str:
    """What *step* says, as one step of the language; its id where its words would be read as something else."""
    text = _SPACES.sub(" ", step.description).strip()
    snapshot = derive(SourceText(f"# A\n\n## B()\n\n### Steps\n\n- {text}\n"), wanted=FileKind.PROGRAM)
    steps = [one for found in snapshot.program.playbooks for one in found.steps]
    if text and len(steps) == 1 and steps[0].text == text and not steps[0].children and steps[0].item is not None:
        return text
    kept.append(_("Step {id}: its description is kept in a note.").format(id=step.id))
    return f"Carry out {_SPACES.sub(' ', step.id)}"


def _whole_fields(playbook: steplist.Playbook, *, has_description: bool) -> dict[str, Any]:
    fields = steplist.playbook_to_json(playbook)
    plain = steplist.playbook_to_json(steplist.Playbook(playbook.id, playbook.name))
    names = [name for name in fields if name != "steps" and (name in ("id", "name") or fields[name] != plain[name])]
    return {name: fields[name] for name in names if not (name == "description" and has_description)}


def _step_notes(playbook: steplist.Playbook, words: list[str], kept: list[str]) -> list[str]:
    notes: list[str] = []
    all_fields = steplist.playbook_to_json(playbook)["steps"]
    plain = steplist.playbook_to_json(steplist.Playbook("a", "b", steps=(steplist.PlaybookStep("a", ""),)))["steps"][0]
    for number, (step, own, shown) in enumerate(zip(playbook.steps, all_fields, words, strict=True), 1):
        names = [name for name in own if name == "id" or own[name] != plain[name]]
        fields = {name: own[name] for name in names if name != "description" or own[name] != shown}
        notes.append(_note(f"Step {number:02d}", fields))
        others = ", ".join(name for name in fields if name not in ("id", "description"))
        if others:
            kept.append(_("Step {id}: {fields} are kept in a note.").format(id=step.id, fields=others))
    return notes


def comments_of(text: str) -> tuple[str, ...]:
    """The comments in the YAML *text*, in order, without their signs."""
    root = read_yaml(text).root
    covered = sorted((node.span.start, node.span.end) for node in _scalars(root)) if root is not None else []
    starts = [start for start, _end in covered]
    found: list[str] = []
    for match in _COMMENT.finditer(text):
        at = bisect_right(starts, match.start()) - 1
        if at < 0 or covered[at][1] <= match.start():
            found.append(match[1].strip())
    return tuple(comment for comment in found if comment)


def _scalars(root: DataNode) -> Iterator[DataNode]:
    todo = [root]
    while todo:
        node = todo.pop()
        if node.kind is NodeKind.SCALAR:
            yield node
        todo += node.items
        for key, value in node.entries:
            todo += (key, value)


def _note(about: str, fields: Mapping[str, Any]) -> str:
    text = json.dumps(fields, ensure_ascii=False).replace("<!--", "<\\u0021--")
    return f"- {about}: {text}"


def to_steplist(snapshot: Snapshot, name: str = "") -> Converted | None:
    """The playbook *name* (empty: the first) of a markdown file as a step list; None where it is not there."""
    playbooks = snapshot.program.playbooks
    chosen = next((one for one in playbooks if one.name == name or not name), None)
    if chosen is None:
        return None
    kept: list[str] = []
    about_whole, about_steps, notes = _noted(chosen)
    steps = [step for step in chosen.steps if step.kind is not StepKind.RAW and step.text.strip()]
    entries = [_entry(snapshot, step, number, about_steps, kept) for number, step in enumerate(steps, 1)]
    top: dict[str, Any] = {"id": _slug(chosen.name), "name": _title(snapshot, chosen)}
    description = _description(snapshot, chosen)
    if description:
        top["description"] = description
    top |= {key: value for key, value in about_whole.items() if key != "groups"}
    metadata = dict(top.pop("metadata", {})) | _metadata(snapshot, chosen, notes, kept)
    if about_whole.get("groups"):
        metadata["groups"] = about_whole["groups"]
    if metadata:
        top["metadata"] = metadata
    top["steps"] = _unique(entries)
    return Converted(dump_yaml(top, width=110), tuple(kept))


def _noted(playbook: Playbook) -> tuple[dict[str, Any], dict[int, dict[str, Any]], list[str]]:
    """What notes say about the list and its steps, and the other notes."""
    about_whole: dict[str, Any] = {}
    about_steps: dict[int, dict[str, Any]] = {}
    rest: list[str] = []
    for note in playbook.notes:
        whole, single = _ABOUT_LIST.fullmatch(note.text), _ABOUT_STEP.fullmatch(note.text)
        fields = _fields((whole or single or {"fields": ""})["fields"])
        if fields is None:
            rest.append(note.text)
        elif single is not None:
            about_steps[int(single["number"])] = fields
        else:
            about_whole = fields
    return about_whole, about_steps, rest


def _fields(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _entry(
    snapshot: Snapshot, step: Step, number: int, known: Mapping[int, dict[str, Any]], kept: list[str]
) -> dict[str, Any]:
    """One step with what notes say about it; what is nested in it is kept as source."""
    own: dict[str, Any] = {"id": _slug(step.text), "description": step.text}
    tools = sorted({call.target for call in _calls(step) if snapshot.program.playbook(call.target) is None})
    if tools:
        own["expected_tools"] = tools
    own |= known.get(number, {})
    if step.children or step.details or step.is_judged_whole or isinstance(step.meaning, Branch | Loop):
        span = snapshot.owned_span(step.id)
        own["metadata"] = {**own.get("metadata", {}), "markdown": span.of(snapshot.text)}
        address = snapshot.address(step.id)
        kept.append(_("{address}: what stands inside it is kept as metadata.").format(address=address))
    return own


def _calls(step: Step) -> list[Call]:
    return [action for one in step.walk() for action in actions_of(one.meaning) if isinstance(action, Call)]


def _metadata(snapshot: Snapshot, playbook: Playbook, notes: list[str], kept: list[str]) -> dict[str, Any]:
    """What a step list has no fields for."""
    found: dict[str, Any] = {}
    others = [one for one in snapshot.program.playbooks if one is not playbook]
    parts: tuple[tuple[str, Any, str], ...] = (
        ("parameters", [one.name for one in playbook.parameters], _("The parameters are kept as metadata.")),
        ("triggers", [one.text for one in playbook.triggers], _("The triggers are kept as metadata.")),
        ("notes", notes, _("The notes are kept as metadata.")),
        (
            "python",
            [code for agent in snapshot.program.agents for code in agent.python],
            _("Python is kept as metadata."),
        ),
        (
            "playbooks",
            {one.name: _source(snapshot, one) for one in others},
            _("The other playbooks of the file are kept as metadata."),
        ),
    )
    for key, value, sentence in parts:
        if value:
            found[key] = value
            kept.append(sentence)
    if _says_more(snapshot, playbook):
        found["markdown"] = snapshot.text
        kept.append(_("Comments, text between steps and metadata are kept as metadata, with the whole source."))
    return found


def _says_more(snapshot: Snapshot, playbook: Playbook) -> bool:
    """True where the source holds what neither steps nor the other metadata keep."""
    program = snapshot.program
    sections = [section for one in program.playbooks for section in one.sections]
    return (
        "<!--" in snapshot.text
        or bool(program.front_matter)
        or len(program.agents) > 1
        or any(agent.metadata for agent in program.agents)
        or any(one.metadata or one.returns for one in program.playbooks)
        or any(section.kind is SectionKind.OTHER for section in sections)
        or any(step.kind is StepKind.RAW for step in playbook.steps)
    )


def _source(snapshot: Snapshot, playbook: Playbook) -> str:
    placed = next(one for one in snapshot.structure.placed if one.playbook is playbook)
    return Span(snapshot.block_starts[placed.start], snapshot.block_starts[placed.stop]).of(snapshot.text)


def _title(snapshot: Snapshot, playbook: Playbook) -> str:
    agent = snapshot.program.agent_of(playbook)
    only = agent is not None and len(agent.playbooks) == 1
    is_main = only or playbook.name == "Main"
    return agent.title if agent is not None and is_main and agent.title else playbook.name


def _description(snapshot: Snapshot, playbook: Playbook) -> str:
    agent = snapshot.program.agent_of(playbook)
    texts = [agent.description if agent is not None else "", playbook.description]
    return "\n\n".join(text.strip() for text in texts if text.strip())


def _slug(text: str) -> str:
    words = re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).lower())[:5]
    return "_".join(words) or "step"


def _unique(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    names = FreeNames()
    return [{**step, "id": names.take(step["id"], joint="_")} for step in steps]
