"""What OTLP/JSON must look like, checked by hand against the messages of the protocol."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_SPAN = {
    "traceId", "spanId", "traceState", "parentSpanId", "flags", "name", "kind", "startTimeUnixNano", "endTimeUnixNano",
    "attributes", "droppedAttributesCount", "events", "droppedEventsCount", "links", "droppedLinksCount", "status",
}  # fmt: skip
_VALUES = {
    "stringValue": str,
    "boolValue": bool,
    "intValue": str,
    "doubleValue": float,
    "arrayValue": dict,
    "kvlistValue": dict,
    "bytesValue": str,
}


def spans_in(request: Mapping[str, Any]) -> list[dict[str, Any]]:
    """All spans of *request*, each of which is as the protocol wants it."""
    assert set(request) == {"resourceSpans"}
    found: list[dict[str, Any]] = []
    for resource in request["resourceSpans"]:
        assert set(resource) <= {"resource", "scopeSpans", "schemaUrl"}
        check_attributes(resource["resource"]["attributes"])
        assert "service.name" in named(resource["resource"]["attributes"])
        for scope in resource["scopeSpans"]:
            assert set(scope) <= {"scope", "spans", "schemaUrl"}
            assert set(scope["scope"]) <= {"name", "version", "attributes", "droppedAttributesCount"}
            check_attributes(scope["scope"].get("attributes", []))
            found += scope["spans"]
    for span in found:
        check_span(span)
    ids = [span["spanId"] for span in found]
    assert len(set(ids)) == len(ids)
    return found


def check_span(span: Mapping[str, Any]) -> None:
    """Fail where *span* is no span of the protocol."""
    assert set(span) <= _SPAN
    check_id(span["traceId"], 32)
    check_id(span["spanId"], 16)
    if "parentSpanId" in span:
        check_id(span["parentSpanId"], 16)
    assert isinstance(span["name"], str)
    assert span["name"]
    assert span["kind"] in range(6)
    assert _time(span["startTimeUnixNano"]) <= _time(span["endTimeUnixNano"])
    check_attributes(span["attributes"])
    for event in span.get("events", []):
        assert set(event) <= {"name", "timeUnixNano", "attributes", "droppedAttributesCount"}
        _time(event["timeUnixNano"])
        check_attributes(event["attributes"])
    for link in span.get("links", []):
        check_id(link["traceId"], 32)
        check_id(link["spanId"], 16)
    assert span.get("status", {}).get("code", 0) in range(3)


def check_id(text: str, length: int) -> None:
    """Fail where *text* is no id of so many hexadecimal digits, or all zero."""
    assert re.fullmatch(rf"[0-9a-f]{{{length}}}", text)
    assert set(text) != {"0"}


def _time(text: str) -> int:
    assert re.fullmatch(r"\d{1,20}", text)
    return int(text)


def check_attributes(attributes: list[dict[str, Any]]) -> None:
    """Fail where one has no name or no value of a type that the protocol has, or where there are two of one name."""
    names = [each["key"] for each in attributes]
    assert len(set(names)) == len(names)
    for each in attributes:
        assert set(each) == {"key", "value"}
        _check_value(each["value"])


def _check_value(value: Mapping[str, Any]) -> None:
    ((kind, inner),) = value.items()
    assert isinstance(inner, _VALUES[kind])
    if kind == "intValue":
        assert re.fullmatch(r"-?\d{1,19}", inner)
    for one in inner["values"] if kind == "arrayValue" else ():
        _check_value(one)


def named(attributes: list[dict[str, Any]]) -> dict[str, Any]:
    """*attributes* by name, as plain values."""
    return {each["key"]: next(iter(each["value"].values())) for each in attributes}
