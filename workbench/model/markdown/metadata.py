"""Metadata at the head of an agent, a playbook or a file: YAML read, never executed."""

from __future__ import annotations

from functools import lru_cache

from workbench.regex import regex
from workbench.syntax.data.nodes import ExpansionRefused, NodeKind, plain_value
from workbench.syntax.data.yaml_reading import read_yaml
from workbench.syntax.text import split_lines

Metadata = tuple[tuple[str, object], ...]

_KEY = regex(r"(?P<name>[a-z_][\w-]*):(?P<value>[ \t]|$)")
_RULE = regex(r"[ \t]*+(?:(?:-[ \t]*+){3,}+|(?:\*[ \t]*+){3,}+|(?:_[ \t]*+){3,}+)?$")
_FENCE = regex(r"[ \t]*+(```+|~~~+)")
_SIZE_LIMIT = 65_536
_WORDS_OF_A_NAME = 4
LIST_KEYS = frozenset({"required_attendees", "optional_attendees", "tags"})
"""The settings of a playbook whose value can be a list of lines with markers."""
_FLAGS = frozenset({"cli_entry", "export", "hidden", "meeting", "public"})
_MODES = ("playbook", "react", "raw")
_OF_AGENTS = frozenset({"author", "model", "remote", "startup_mode", "version"})


@lru_cache(maxsize=512)
def read_head(text: str, *, is_agent: bool) -> tuple[Metadata, str]:
    """The settings in the text below a heading, wherever they stand in it, and the rest of it: the description.

    Free ``key: value`` lines are read, and the compiled ``metadata:`` block. At the beginning every such line is a
    setting. Below other text lines are settings where one of them is known to be one (of an agent also: where its
    value is a list of names); what only looks like settings stays text, whatever stands in fences as well.
    """
    lines = split_lines(text)
    first = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    end = _end_of_run(lines, first, is_agent=is_agent)
    found = _load("".join(lines[first:end])) if end > first else None
    end = first if found is None else _behind_rule(lines, end)
    more, kept = _settings_below(lines[end:], is_agent=is_agent)
    return tuple({**more, **_inner(found or {})}.items()), _without_edges(kept)


def _settings_below(lines: list[str], *, is_agent: bool) -> tuple[dict[str, object], list[str]]:
    """The settings among *lines* of text, and the lines that are left."""
    found: dict[str, object] = {}
    kept: list[str] = []
    fence = ""
    at = 0
    while at < len(lines):
        mark = _FENCE.match(lines[at])
        if mark is not None and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        end = at if fence else _end_of_run(lines, at, is_agent=is_agent)
        loaded = _load("".join(lines[at:end])) if end > at else None
        if loaded is not None and _is_known(loaded, is_agent=is_agent):
            found = {**_inner(loaded), **found}
            at = _behind_rule(lines, end) if set(loaded) == {"metadata"} else end
        else:
            end = max(end, at + 1)
            kept += lines[at:end]
            at = end
    return found, kept


def _end_of_run(lines: list[str], at: int, *, is_agent: bool) -> int:
    """Where the lines of the form ``key: value`` that begin at *at* end, with what is indented below them."""
    while at < len(lines):
        key = _KEY.match(lines[at].rstrip("\n"))
        if key is None:
            return at
        end = at + 1
        if lines[at].rstrip().endswith(":") and end < len(lines) and lines[end].startswith("- "):
            end = _end_of_list(lines, end)
            items = [line[2:].strip() for line in lines[at + 1 : end]]
            if key["name"] not in LIST_KEYS and not (is_agent and _are_names(items)):
                return at
        while end < len(lines) and lines[end][:1] in (" ", "\t") and lines[end].strip():
            end += 1
        at = end
    return at


def _end_of_list(lines: list[str], at: int) -> int:
    while at < len(lines) and lines[at].startswith("- "):
        at += 1
    return at


def _are_names(values: list[str]) -> bool:
    return all(0 < len(value.split()) <= _WORDS_OF_A_NAME and value[-1] not in ".!?:" for value in values)


def _is_known(loaded: dict[str, object], *, is_agent: bool) -> bool:
    """True where one of the settings is one that is read, with a value that it can have."""
    if set(loaded) == {"metadata"}:
        return isinstance(loaded["metadata"], dict)
    if is_agent:
        return any(name in _OF_AGENTS or isinstance(value, list) for name, value in loaded.items())
    return any(
        (name in _FLAGS and isinstance(value, bool))
        or (name == "execution_mode" and value in _MODES)
        or (name in LIST_KEYS and isinstance(value, list))
        for name, value in loaded.items()
    )


def _inner(loaded: dict[str, object]) -> dict[str, object]:
    inner = loaded.get("metadata") or {}
    return inner if set(loaded) == {"metadata"} and isinstance(inner, dict) else loaded


def _behind_rule(lines: list[str], at: int) -> int:
    """*at*, or behind the line ``---`` that ends the settings there."""
    following = at
    while following < len(lines) and not lines[following].strip():
        following += 1
    return following + 1 if following < len(lines) and lines[following].rstrip() == "---" else at


def _without_edges(lines: list[str]) -> str:
    """*lines* as one text, without rules and blank lines around it."""
    first, last = 0, len(lines)
    while first < last and _RULE.match(lines[first].rstrip("\n")):
        first += 1
    while last > first and _RULE.match(lines[last - 1].rstrip("\n")):
        last -= 1
    text = "".join(lines[first:last]).rstrip()
    return text if text.startswith(("    ", "\t")) else text.lstrip()


@lru_cache(maxsize=64)
def front_matter(text: str) -> Metadata:
    """The mapping in a front matter block with its ``---`` lines; empty where it is none."""
    lines = split_lines(text)
    loaded = _load("".join(lines[1:-1]))
    return tuple(loaded.items()) if loaded else ()


def names_listed(value: object) -> list[str]:
    """The names in *value*, a list of them or one text with commas."""
    if isinstance(value, list):
        return [name for each in value for name in names_listed(each)]
    return [part.strip() for part in str(value).split(",") if part.strip()] if value is not None else []


def _load(source: str) -> dict[str, object] | None:
    """The mapping written in *source*, where a name is there twice its last value; None for anything else."""
    if len(source) > _SIZE_LIMIT:
        return None
    parse = read_yaml(source)
    if parse.root is None or parse.root.kind is not NodeKind.MAPPING:
        return None
    if any(one.code != "duplicate-key" for one in parse.diagnostics):
        return None
    try:
        loaded = plain_value(parse.root)
    except ExpansionRefused:
        return None
    return loaded if isinstance(loaded, dict) else None
