"""What the strictest published rules say of a skill's metadata; only where a file is a skill by its keys.

Agents, instructions and prompts have keys of their own, and names with capitals: nobody loads them as skills.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from workbench.i18n import _, numeral
from workbench.model.checks.context import Context, warning
from workbench.model.kinds import FileKind
from workbench.regex import regex
from workbench.syntax.blocks import BlockKind
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.text import Span

_LONGEST_NAME = 64
_LONGEST_DESCRIPTION = 1024
_OF_SKILLS = frozenset({"license", "compatibility", "allowed-tools"})
_KEYS = frozenset({"name", "description", "metadata"}) | _OF_SKILLS
_NAME = regex(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_RESERVED = ("anthropic", "claude")
_TAG = regex(r"</?[A-Za-z][^<>]*>")


def check_skill(context: Context) -> Iterator[Diagnostic]:
    """Names and descriptions with which a skill is refused where it is installed."""
    fields = dict(context.program.front_matter)
    if context.program.kind is not FileKind.SKILL or not is_skill(fields):
        return
    for message in _of_name(str(fields["name"] or "").strip()):
        yield warning("skill-name", message, _span(context, "name"))
    for message in _of_description(str(fields["description"] or "").strip()):
        yield warning("skill-description", message, _span(context, "description"))
    message = complaint_about_tools(fields.get("allowed-tools"))
    if message:
        yield warning("skill-tools", message, _span(context, "allowed-tools"))


def is_skill(fields: Mapping[str, object]) -> bool:
    """True for the keys of a skill, and not of an agent, of instructions or of a prompt."""
    if not {"name", "description"} <= fields.keys() <= _KEYS:
        return False
    name = str(fields["name"])
    return not _OF_SKILLS.isdisjoint(fields) or (name == name.lower() and " " not in name)


def _of_name(name: str) -> Iterator[str]:
    if not _NAME.fullmatch(name):
        yield _("The name of a skill has only small letters a–z, digits, and single hyphens between them.")
    if len(name) > _LONGEST_NAME:
        yield _("The name of a skill has at most {limit} characters.").format(limit=_LONGEST_NAME)
    for word in _RESERVED:
        if word in name:
            yield _("The name of a skill must not contain “{word}”.").format(word=word)


def _of_description(words: str) -> Iterator[str]:
    if not words:
        yield _("A skill needs a description: by it a model decides when to use the skill.")
    if len(words) > _LONGEST_DESCRIPTION:
        message = _("The description of a skill has at most {limit} characters; this one has {count}.")
        yield message.format(limit=numeral(_LONGEST_DESCRIPTION), count=numeral(len(words)))
    found = _TAG.search(words)
    if found is not None:
        yield _("The description of a skill must not contain tags such as {tag}.").format(tag=found[0][:_LONGEST_NAME])


def complaint_about_tools(tools: object) -> str:
    """Why *tools*, the value of ``allowed-tools``, names no tools to whoever reads the skill; empty where it does."""
    is_list = isinstance(tools, list | tuple) and all(isinstance(each, str) for each in tools)
    if tools is None or isinstance(tools, str) or is_list:
        return ""
    return _("“allowed-tools” is a list of names, or text with blanks between the names.")


def _span(context: Context, key: str) -> Span:
    """The line of *key* in the front matter."""
    document = context.document
    at = next(index for index, block in context.special if block.kind is BlockKind.FRONT_MATTER)
    start, text = document.block_starts[at], document.blocks[at].text
    found = re.search(rf"(?:(?<=\n)|(?<=\r)){re.escape(key)}[ \t]*:[^\r\n]*", text)
    return Span(start + found.start(), start + found.end()) if found else Span(start, start + 3)
