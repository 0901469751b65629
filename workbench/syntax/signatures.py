"""Headings and Python definitions as signatures, and names as calls use them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from workbench.regex import regex
from workbench.syntax.change import TextEdit
from workbench.syntax.expressions import NAME
from workbench.syntax.masking import split_top_level, top_level, without_quotes
from workbench.syntax.text import Span


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a playbook. *default* is source text, None where there is none."""

    name: str
    is_state: bool = True
    type: str = ""
    default: str | None = None


@dataclass(frozen=True, slots=True)
class NormalName:
    """A name that calls can use. *problem*: a code where the title is no proper name, else empty."""

    name: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Signature:
    """A playbook's heading, read. *problems*: codes of what is doubtful; *written*: the name as it stands there."""

    name: str
    title: str
    parameters: tuple[Parameter, ...] = ()
    returns: str = ""
    problems: tuple[str, ...] = ()
    written: str = ""


_CAMEL = regex(r"[A-Z][A-Za-z0-9]*")
_WORD_BREAK = regex(r"[\s_\-]+")


def normalise_name(title: str) -> NormalName:
    """The CamelCase name of *title*; letters of any script stay.

    Problems: ``name-empty`` (nothing usable: the name is ``Unnamed``), ``name-characters``
    (something was left out), ``name-starts-with-digit``.
    """
    if _CAMEL.fullmatch(title):
        return NormalName(title)
    composed = unicodedata.normalize("NFKC", title.strip())
    words = [_letters(word) for word in _WORD_BREAK.split(composed)]
    if len(words) == 1 and _is_camel(words[0]):
        name = words[0]
    else:
        name = "".join(word[0].upper() + word[1:].lower() for word in words if word)
    if not name:
        return NormalName("Unnamed", "name-empty")
    if name[0].isdigit():
        return NormalName(name, "name-starts-with-digit")
    kept = sum(len(word) for word in words) + len("".join(_WORD_BREAK.findall(composed)))
    return NormalName(name, "" if kept == len(composed) else "name-characters")


def _is_camel(word: str) -> bool:
    """True for a word that begins with a capital, or with a letter that has no case."""
    return bool(word) and word[0].isalpha() and not word[0].islower()


def _letters(word: str) -> str:
    """The letters and digits of *word*, in pieces that count as parts of it."""
    return word if word.isalnum() else "".join(char for char in word if char.isalnum())


def parse_signature(heading: str) -> Signature:
    """The signature in a heading's text: ``Name``, ``Name($p:type=default) -> type``, or a phrase; total.

    Brackets are parameters where they stick to the name, hold a ``$``, or are empty;
    otherwise they are part of the phrase.
    """
    title = heading.strip()
    head, returns = _without_returns(title)
    inside = _parameter_text(head)
    if inside is None:
        written = title if not returns else head
        name = normalise_name(written)
        return Signature(name.name, title, (), returns, _problems(name.problem), written)
    parameters, damaged = _parameters(inside)
    written = head[: head.index("(")].strip()
    name = normalise_name(written)
    return Signature(name.name, title, parameters, returns, _problems(name.problem, damaged), written)


def _problems(*codes: str) -> tuple[str, ...]:
    return tuple(code for code in codes if code)


def _without_returns(title: str) -> tuple[str, str]:
    """*title* without ``-> type``, and the type."""
    at = top_level(title).rfind("->")
    if at < 0:
        return title, ""
    return title[:at].rstrip(), title[at + 2 :].strip()


def _parameter_text(head: str) -> str | None:
    """What stands in the brackets at the end of *head*, or None where there are no parameters."""
    if not head.endswith(")") or "(" not in head:
        return None
    start = head.index("(")
    inside = head[start + 1 : -1]
    is_stuck = start > 0 and not head[start - 1].isspace()
    return inside if start and (is_stuck or "$" in inside or not inside.strip()) else None


_PARAMETER = regex(rf"(?P<state>\$?)(?P<name>{NAME})\s*(?::\s*(?P<type>[^=]*?))?\s*(?:=\s*(?P<default>.+))?", re.DOTALL)


def _parameters(text: str) -> tuple[tuple[Parameter, ...], str]:
    """The parameters in *text*, and the code of a problem or an empty text; ``*args`` and markers are left out."""
    found: list[Parameter] = []
    for part in split_top_level(text, ","):
        written = part.strip()
        if written in ("", "/", "*") or written.startswith("*"):
            continue
        match = _PARAMETER.fullmatch(written)
        if match is None:
            return (), "parameters-damaged"
        found.append(_parameter(match))
    names = [parameter.name for parameter in found]
    return tuple(found), "parameter-twice" if len(set(names)) < len(names) else ""


def _parameter(match: re.Match[str]) -> Parameter:
    default = match["default"]
    if default is not None and re.fullmatch(rf"\$?{NAME}", default) and default not in _CONSTANTS:
        default = None
    return Parameter(match["name"], bool(match["state"]), (match["type"] or "").strip(), default)


_CONSTANTS = frozenset({"True", "False", "None", "true", "false", "null", "none"})


def rename_calls(text: str, old: str, new: str, agent: str = "", *, is_only: bool = False) -> tuple[TextEdit, ...]:
    """Edits of *text* that make every written call of *old* one of *new*; prose and quoted text stay.

    A call is ``old(…)``, in back-ticks or not, or ``old with: …``. One behind another
    agent's name is left alone; one behind *agent* is not. *is_only*: no other agent has something of this name, so that
    ``$helper.old(…)`` means it as well.
    """
    if old not in text:
        return ()
    masked = without_quotes(text.replace("`", " "))
    named = [*([rf"{re.escape(agent)}(?::\w+)?"] if agent else []), *([rf"\${NAME}"] if is_only else [])]
    owner = rf"(?:(?:{'|'.join(named)})\.)?" if named else ""
    pattern = re.compile(rf"(?<![\w$.'’]){owner}({re.escape(old)})(?=\(|\s+with\s*:\s*\S)")
    return tuple(TextEdit(Span(*match.span(1)), new) for match in pattern.finditer(masked))
