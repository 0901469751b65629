"""Metadata at the head of an agent, a playbook or a file: YAML read, never executed."""

from __future__ import annotations

import re
from functools import lru_cache

from workbench.syntax.data.nodes import ExpansionRefused, NodeKind, plain_value
from workbench.syntax.data.yaml_reading import read_yaml
from workbench.syntax.text import split_lines

Metadata = tuple[tuple[str, object], ...]

_KEY = re.compile(r"[a-z_][\w-]*:(?:[ \t]|$)")
_SIZE_LIMIT = 65_536


@lru_cache(maxsize=512)
def split_metadata(paragraph: str) -> tuple[Metadata, str]:
    """The metadata that *paragraph* begins with, and the rest of it.

    Both forms are read: free ``key: value`` lines, and the compiled ``metadata:`` block. Text
    that only looks like metadata stays text.
    """
    lines = split_lines(paragraph)
    count = 0
    while count < len(lines) and _goes_on(lines[count], is_first=count == 0):
        count += 1
    if count == 0:
        return (), paragraph
    loaded = _load("".join(lines[:count]))
    if loaded is None:
        return (), paragraph
    inner = (loaded["metadata"] or {}) if set(loaded) == {"metadata"} else None
    mapping = inner if isinstance(inner, dict) else loaded
    return tuple(mapping.items()), "".join(lines[count:])


@lru_cache(maxsize=64)
def front_matter(text: str) -> Metadata:
    """The mapping in a front matter block with its ``---`` lines; empty where it is none."""
    lines = split_lines(text)
    loaded = _load("".join(lines[1:-1]))
    return tuple(loaded.items()) if loaded else ()


def _goes_on(line: str, *, is_first: bool) -> bool:
    bare = line.rstrip("\r\n")
    if _KEY.match(bare):
        return True
    return not is_first and bare[:1] in (" ", "\t", "-")


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
