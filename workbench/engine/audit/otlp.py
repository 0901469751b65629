"""Spans as OTLP/JSON, as collectors of OpenTelemetry take them in. Which there are: see ``span_mapping``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from workbench import __version__
from workbench.engine.audit.span_mapping import CONVENTIONS, MAPPING
from workbench.engine.audit.spans import Span, span_id, spans_of, trace_id
from workbench.engine.journal.events import RunEvent

_FAILED = 2
_SAMPLED = 1


def otlp_text(events: tuple[RunEvent, ...], *, contents: bool = False) -> str:
    """The spans of the run of *events*. *contents*: with what was said, given and came back."""
    return json.dumps(request_of(events[0].run, spans_of(events, contents=contents)), ensure_ascii=True) + "\n"


def request_of(run: str, spans: Iterable[Span]) -> dict[str, Any]:
    """What a collector is sent: *spans* of *run*."""
    resource = {"service.name": "playbook-workbench", "service.version": __version__}
    scope = {
        "name": "workbench.engine.audit",
        "version": str(MAPPING),
        "attributes": _attributes({"playbook.conventions": CONVENTIONS}),
    }
    found = [_span(run, span) for span in spans]
    return {
        "resourceSpans": [
            {"resource": {"attributes": _attributes(resource)}, "scopeSpans": [{"scope": scope, "spans": found}]}
        ]
    }


def _span(run: str, span: Span) -> dict[str, Any]:
    written: dict[str, Any] = {
        "traceId": trace_id(run),
        "spanId": span_id(run, span.key),
        "name": span.name,
        "kind": span.kind,
        "startTimeUnixNano": str(span.start_ns),
        "endTimeUnixNano": str(span.end_ns),
        "attributes": _attributes(span.attributes),
        "flags": _SAMPLED,
    }
    if span.parent is not None:
        written["parentSpanId"] = span_id(run, span.parent)
    if span.events:
        written["events"] = [
            {"name": one.name, "timeUnixNano": str(one.at_ns), "attributes": _attributes(one.attributes)}
            for one in span.events
        ]
    if span.links:
        written["links"] = [{"traceId": trace_id(one), "spanId": span_id(one, "")} for one in span.links]
    if span.has_failed:
        written["status"] = {"code": _FAILED, **({"message": span.message} if span.message else {})}
    return written


def _attributes(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"key": name, "value": _value(value)} for name, value in values.items()]


def _value(value: object) -> dict[str, Any]:
    """*value* with its type; whole numbers are texts, since JSON has none of 64 bits."""
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case list() | tuple():
            return {"arrayValue": {"values": [_value(each) for each in value]}}
        case _:
            return {"stringValue": str(value).encode("utf-8", "backslashreplace").decode()}
