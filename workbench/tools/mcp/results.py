"""What a tool of a server gave, as JSON data: what it means where the server says so, else what there is to read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.i18n import ngettext, numeral

_LONGEST_TEXT = 1_000_000
_WRAPPED = "result"


def data_of(result: Mapping[str, Any], output_schema: Mapping[str, Any] | None) -> Any:
    """The value in *result*, which is as it came over the wire.

    One text is that text, several are a list. Pictures and sounds are told with their size and not kept.
    """
    structured = result.get("structuredContent")
    if structured is None:
        parts = [_part(block) for block in result.get("content") or ()]
        return parts[0] if len(parts) == 1 else parts or None
    only = _only_value(structured, output_schema)
    return only[1] if only is not None and (only[0] == _WRAPPED or only[1] == text_of(result)) else structured


def text_of(result: Mapping[str, Any]) -> str:
    """What there is to read in *result*."""
    texts = [str(block.get("text", "")) for block in result.get("content") or () if block.get("type") == "text"]
    return _cut("\n".join(texts))


def _only_value(structured: object, schema: Mapping[str, Any] | None) -> tuple[str, Any] | None:
    """The one field of *structured*, where it is the only one that there can be.

    Servers have to give an object, so some put any other value into one with a single field.
    """
    declared = (schema or {}).get("properties")
    if not isinstance(structured, Mapping) or not isinstance(declared, Mapping) or len(structured) != 1:
        return None
    return next(iter(structured.items())) if set(structured) == set(declared) else None


def _part(block: Mapping[str, Any]) -> Any:
    kind = block.get("type")
    if kind == "text":
        return _cut(str(block.get("text", "")))
    if kind == "resource":
        return _resource(block.get("resource") or {})
    if kind == "resource_link":
        named = {key: block[key] for key in ("name", "description", "mimeType") if block.get(key)}
        return {"resource": block.get("uri", ""), **named}
    return {str(kind): block.get("mimeType", ""), "bytes": _size(block.get("data"))}


def _resource(resource: Mapping[str, Any]) -> dict[str, Any]:
    found = {"resource": resource.get("uri", "")}
    if "text" in resource:
        return {**found, "text": _cut(str(resource["text"]))}
    return {**found, "mimeType": resource.get("mimeType", ""), "bytes": _size(resource.get("blob"))}


def _size(encoded: object) -> int:
    """How many bytes *encoded* stands for, in base 64."""
    return len(encoded.rstrip("=")) * 3 // 4 if isinstance(encoded, str) else 0


def _cut(text: str) -> str:
    if len(text) <= _LONGEST_TEXT:
        return text
    left = len(text) - _LONGEST_TEXT
    note = ngettext("(cut here: {count} more character)", "(cut here: {count} more characters)", left)
    note = note.format(count=numeral(left))
    return f"{text[:_LONGEST_TEXT]}\n{note}"
