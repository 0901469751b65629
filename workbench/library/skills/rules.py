"""What makes a SKILL.md valid for every reader there is: the union of their rules.

The published specification, its reference validator, the quick check of the skill creator
and the upload rules of the platforms disagree in places; what passes here passes in all.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from workbench.i18n import _, numeral
from workbench.model.checks.ordinary.skills import complaint_about_tools
from workbench.regex import regex

NAME_LIMIT = 64
DESCRIPTION_LIMIT = 1024
COMPATIBILITY_LIMIT = 500
LINES_LIMIT = 500
ALLOWED_KEYS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
RESERVED_WORDS = ("anthropic", "claude")
FILE_NAME = "SKILL.md"

_NAME = regex(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class SkillProblem:
    """One broken rule. *line*: 1-based, 0 where it is not about a line."""

    code: str
    message: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class SkillParts:
    """A SKILL.md taken apart: *front* without its dashes, and the text after it."""

    front: str
    body: str


def check_skill_text(text: str, folder_name: str) -> tuple[SkillProblem, ...]:
    """What is wrong with *text* as the SKILL.md of a folder named *folder_name*."""
    parts = split_skill(text)
    if isinstance(parts, SkillProblem):
        return (parts,)
    fields = load_front(parts.front)
    if isinstance(fields, SkillProblem):
        return (fields,)
    return (
        *_check_bytes(text),
        *_check_style(parts.front),
        *_check_keys(parts.front, fields),
        *_check_name(fields.get("name"), folder_name),
        *_check_description(fields.get("description")),
        *_check_optional(fields),
        *_check_body(text),
    )


def split_skill(text: str) -> SkillParts | SkillProblem:
    """Front matter and body of *text*; the problem where there is no front matter."""
    if text.startswith("\ufeff"):
        return SkillProblem("bom", _("The file starts with a byte-order mark; it must start with “---”."), 1)
    lines = text.split("\n")
    if lines[0].rstrip("\r") != "---":
        return SkillProblem("front-matter", _("The first line must be “---”."), 1)
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip("\r") == "---":
            return SkillParts("\n".join(lines[1:number]) + "\n", "\n".join(lines[number + 1 :]))
    return SkillProblem("front-matter", _("The front matter has no closing “---”."), 1)


def load_front(front: str) -> dict[str, object] | SkillProblem:
    """The fields of *front*; the problem where it is no mapping."""
    try:
        loaded = yaml.load(front, Loader=_TextLoader)  # noqa: S506  # a safe loader
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 2 if mark is not None else 0
        detail = getattr(error, "problem", None) or str(error).partition("\n")[0]
        return SkillProblem("yaml", _("The front matter is not YAML: {detail}.").format(detail=detail), line)
    if not isinstance(loaded, dict):
        return SkillProblem("yaml", _("The front matter must contain fields such as “name: …”."), 2)
    return {str(key): value for key, value in loaded.items()}


class _TextLoader(yaml.SafeLoader):
    """Reads every plain scalar as text, as the strict readers do; a tag that makes something else is an error."""


_TextLoader.yaml_implicit_resolvers = {}
_PLAIN_TAGS = (*(f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map")), None)
_TextLoader.yaml_constructors = {tag: yaml.SafeLoader.yaml_constructors[tag] for tag in _PLAIN_TAGS}


def _check_bytes(text: str) -> Iterator[SkillProblem]:
    if "\r" in text:
        yield SkillProblem("line-ends", _("Lines must end with a line feed alone."))


def _check_style(front: str) -> Iterator[SkillProblem]:
    """What strict YAML forbids: flow style, anchors, tags; and dashes that a plain split would cut at."""
    for event in yaml.parse(front, Loader=yaml.SafeLoader):
        line = event.start_mark.line + 2 if event.start_mark is not None else 0
        is_flow = isinstance(event, yaml.CollectionStartEvent) and event.flow_style
        if is_flow:
            yield SkillProblem("flow-style", _("Lists and maps must have one item per line."), line)
        if getattr(event, "anchor", None):
            yield SkillProblem("anchor", _("Anchors and aliases are not supported everywhere."), line)
        if getattr(event, "tag", None):
            yield SkillProblem("tag", _("Tags are not supported everywhere."), line)
    if "---" in front:
        yield SkillProblem("dashes", _("Some readers treat “---” inside the front matter as its end."))


def _check_keys(front: str, fields: dict[str, object]) -> Iterator[SkillProblem]:
    yield from keys_given_twice(front)
    for key in fields:
        if key not in ALLOWED_KEYS:
            known = ", ".join(ALLOWED_KEYS)
            yield SkillProblem("unknown-key", _("“{key}” is not one of: {known}.").format(key=key, known=known))


def keys_given_twice(front: str) -> Iterator[SkillProblem]:
    """What a map in *front* holds twice; YAML readers silently take the last one, as we do, or refuse."""
    return _duplicate_keys(yaml.compose(front, Loader=yaml.SafeLoader))


def _duplicate_keys(node: yaml.Node | None) -> Iterator[SkillProblem]:
    if not isinstance(node, yaml.MappingNode):
        return
    seen: set[str] = set()
    for key, value in node.value:
        if str(key.value) in seen:
            text = _("“{key}” is given twice; the last one counts.").format(key=key.value)
            yield SkillProblem("duplicate-key", text, key.start_mark.line + 2)
        seen.add(str(key.value))
        yield from _duplicate_keys(value)


def _check_name(name: object, folder_name: str) -> Iterator[SkillProblem]:
    if not isinstance(name, str) or not name.strip():
        yield SkillProblem("name", _("A skill needs a name."))
        return
    if len(unicodedata.normalize("NFKC", name)) > NAME_LIMIT:
        yield SkillProblem("name", _("The name has more than {limit} characters.").format(limit=NAME_LIMIT))
    if not _NAME.fullmatch(name):
        yield SkillProblem("name", _("The name may contain only a–z, 0–9 and single hyphens between them."))
    if name != folder_name:
        text = _("The name “{name}” must match its folder, “{folder}”.")
        yield SkillProblem("name", text.format(name=name, folder=folder_name))
    for word in RESERVED_WORDS:
        if word in name:
            yield SkillProblem("name", _("The name must not contain the reserved word “{word}”.").format(word=word))


def _check_description(description: object) -> Iterator[SkillProblem]:
    if not isinstance(description, str) or not description.strip():
        yield SkillProblem("description", _("A skill needs a description that says what it does and when to use it."))
        return
    if len(description) > DESCRIPTION_LIMIT:
        text = _("The description has more than {limit} characters.")
        yield SkillProblem("description", text.format(limit=numeral(DESCRIPTION_LIMIT)))
    if "<" in description or ">" in description:
        yield SkillProblem("description", _("The description must not contain “<” or “>”."))


def _check_optional(fields: dict[str, object]) -> Iterator[SkillProblem]:
    message = complaint_about_tools(fields.get("allowed-tools", ""))
    if message:
        yield SkillProblem("allowed-tools", message)
    for key in ("license", "compatibility"):
        if key in fields and not isinstance(fields[key], str):
            yield SkillProblem(key, _("“{key}” must be text.").format(key=key))
    compatibility = fields.get("compatibility")
    if isinstance(compatibility, str) and not 0 < len(compatibility) <= COMPATIBILITY_LIMIT:
        text = _("“compatibility” must have 1 to {limit} characters.")
        yield SkillProblem("compatibility", text.format(limit=COMPATIBILITY_LIMIT))
    metadata = fields.get("metadata", {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        yield SkillProblem("metadata", _("“metadata” must be a map from text to text."))


def _check_body(text: str) -> Iterator[SkillProblem]:
    if text.count("\n") >= LINES_LIMIT:
        yield SkillProblem("length", _("The file should have fewer than {limit} lines.").format(limit=LINES_LIMIT))
