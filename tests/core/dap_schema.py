"""What the published schema of the Debug Adapter Protocol says of the messages that our adapter sends, as a table.

A field with ``*`` must be there. A type is a word of the schema, ``[type]`` for a list of it, the name of another row,
or words with ``|`` between them, one of which it must be; ``int+`` is no less than 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_TRUTHS = (
    "supportsConfigurationDoneRequest supportsFunctionBreakpoints supportsConditionalBreakpoints "
    "supportsHitConditionalBreakpoints supportsEvaluateForHovers supportsStepBack supportsSetVariable "
    "supportsRestartFrame supportsGotoTargetsRequest supportsStepInTargetsRequest supportsCompletionsRequest "
    "supportsModulesRequest supportsRestartRequest supportsExceptionOptions supportsValueFormattingOptions "
    "supportsExceptionInfoRequest supportTerminateDebuggee supportSuspendDebuggee supportsDelayedStackTraceLoading "
    "supportsLoadedSourcesRequest supportsLogPoints supportsTerminateThreadsRequest supportsSetExpression "
    "supportsTerminateRequest supportsDataBreakpoints supportsReadMemoryRequest supportsWriteMemoryRequest "
    "supportsDisassembleRequest supportsCancelRequest supportsBreakpointLocationsRequest supportsClipboardContext "
    "supportsSteppingGranularity supportsInstructionBreakpoints supportsExceptionFilterOptions "
    "supportsSingleThreadExecutionRequests supportsDataBreakpointBytes supportsANSIStyling"
)
TYPES: dict[str, dict[str, str]] = {
    "Capabilities": {
        **dict.fromkeys(_TRUTHS.split(), "bool"),
        "exceptionBreakpointFilters": "[Filter]",
        "completionTriggerCharacters": "[str]",
        "additionalModuleColumns": "[any]",
        "supportedChecksumAlgorithms": "[str]",
        "breakpointModes": "[any]",
    },
    "Filter": {
        "filter*": "str",
        "label*": "str",
        "description": "str",
        "default": "bool",
        "supportsCondition": "bool",
        "conditionDescription": "str",
    },
    "Source": {
        "name": "str",
        "path": "str",
        "sourceReference": "int+",
        "presentationHint": "normal|emphasize|deemphasize",
        "origin": "str",
        "sources": "[Source]",
        "adapterData": "any",
        "checksums": "[any]",
    },
    "Breakpoint": {
        "id": "int",
        "verified*": "bool",
        "message": "str",
        "source": "Source",
        "line": "int+",
        "column": "int+",
        "endLine": "int+",
        "endColumn": "int+",
        "instructionReference": "str",
        "offset": "int",
        "reason": "pending|failed",
    },
    "Thread": {"id*": "int", "name*": "str"},
    "StackFrame": {
        "id*": "int",
        "name*": "str",
        "source": "Source",
        "line*": "int+",
        "column*": "int+",
        "endLine": "int+",
        "endColumn": "int+",
        "canRestart": "bool",
        "instructionPointerReference": "str",
        "moduleId": "any",
        "presentationHint": "normal|label|subtle",
    },
    "Scope": {
        "name*": "str",
        "presentationHint": "str",
        "variablesReference*": "int+",
        "namedVariables": "int+",
        "indexedVariables": "int+",
        "expensive*": "bool",
        "source": "Source",
        "line": "int+",
        "column": "int+",
        "endLine": "int+",
        "endColumn": "int+",
    },
    "Hint": {"kind": "str", "attributes": "[str]", "visibility": "str", "lazy": "bool"},
    "Variable": {
        "name*": "str",
        "value*": "str",
        "type": "str",
        "presentationHint": "Hint",
        "evaluateName": "str",
        "variablesReference*": "int+",
        "namedVariables": "int+",
        "indexedVariables": "int+",
        "memoryReference": "str",
        "declarationLocationReference": "int",
        "valueLocationReference": "int",
    },
    "Place": {"line*": "int+", "column": "int+", "endLine": "int+", "endColumn": "int+"},
    "Target": {
        "id*": "int",
        "label*": "str",
        "line*": "int+",
        "column": "int+",
        "endLine": "int+",
        "endColumn": "int+",
        "instructionPointerReference": "str",
    },
    "Completion": {
        "label*": "str",
        "text": "str",
        "sortText": "str",
        "detail": "str",
        "type": "str",
        "start": "int+",
        "length": "int+",
        "selectionStart": "int+",
        "selectionLength": "int+",
    },
    "Message": {
        "id*": "int",
        "format*": "str",
        "variables": "any",
        "sendTelemetry": "bool",
        "showUser": "bool",
        "url": "str",
        "urlLabel": "str",
    },
    "Failure": {"error": "Message"},
    "response": {
        "seq*": "int",
        "type*": "str",
        "request_seq*": "int",
        "success*": "bool",
        "command*": "str",
        "message": "str",
        "body": "any",
    },
    "event": {"seq*": "int", "type*": "str", "event*": "str", "body": "any"},
}
_BREAKPOINTS = {"breakpoints*": "[Breakpoint]"}
_RESULT = {
    "type": "str",
    "presentationHint": "Hint",
    "namedVariables": "int+",
    "indexedVariables": "int+",
    "memoryReference": "str",
    "valueLocationReference": "int",
}
RESPONSES: dict[str, dict[str, str] | None] = {
    "initialize": TYPES["Capabilities"],
    "launch": None,
    "setBreakpoints": _BREAKPOINTS,
    "setFunctionBreakpoints": _BREAKPOINTS,
    "setExceptionBreakpoints": {"breakpoints": "[Breakpoint]"},
    "breakpointLocations": {"breakpoints*": "[Place]"},
    "configurationDone": None,
    "threads": {"threads*": "[Thread]"},
    "stackTrace": {"stackFrames*": "[StackFrame]", "totalFrames": "int+"},
    "scopes": {"scopes*": "[Scope]"},
    "variables": {"variables*": "[Variable]"},
    "setVariable": {"value*": "str", "variablesReference": "int+", **_RESULT},
    "exceptionInfo": {
        "exceptionId*": "str",
        "description": "str",
        "breakMode*": "never|always|unhandled|userUnhandled",
        "details": "any",
    },
    "loadedSources": {"sources*": "[Source]"},
    "source": {"content*": "str", "mimeType": "str"},
    "evaluate": {"result*": "str", "variablesReference*": "int+", **_RESULT},
    "completions": {"targets*": "[Completion]"},
    "restart": None,
    "gotoTargets": {"targets*": "[Target]"},
    "goto": None,
    "stepBack": None,
    "reverseContinue": None,
    "continue": {"allThreadsContinued": "bool"},
    "next": None,
    "stepIn": None,
    "stepOut": None,
    "pause": None,
    "terminate": None,
    "disconnect": None,
}
"""The body of each response; None: it has none."""
EVENTS: dict[str, dict[str, str] | None] = {
    "initialized": None,
    "stopped": {
        "reason*": "step|breakpoint|exception|pause|entry|goto|function breakpoint",
        "description": "str",
        "threadId": "int",
        "preserveFocusHint": "bool",
        "text": "str",
        "allThreadsStopped": "bool",
        "hitBreakpointIds": "[int]",
    },
    "continued": {"threadId*": "int", "allThreadsContinued": "bool"},
    "exited": {"exitCode*": "int"},
    "terminated": {"restart": "any"},
    "thread": {"reason*": "started|exited", "threadId*": "int"},
    "output": {
        "category": "console|important|stdout|stderr|telemetry",
        "output*": "str",
        "group": "start|startCollapsed|end",
        "variablesReference": "int+",
        "source": "Source",
        "line": "int+",
        "column": "int+",
        "data": "any",
        "locationReference": "int",
    },
    "breakpoint": {"reason*": "changed|new|removed", "breakpoint*": "Breakpoint"},
    "process": {
        "name*": "str",
        "systemProcessId": "int",
        "isLocalProcess": "bool",
        "startMethod": "launch|attach|attachForSuspendedLaunch",
        "pointerSize": "int",
    },
}
"""The body of each event that we send; None: it has none."""
_WORDS = {"str": str, "bool": bool}


def problems_of(message: Mapping[str, Any]) -> list[str]:
    """What the schema says against *message*; empty where it is right."""
    kind = message.get("type")
    if kind not in ("response", "event"):
        return [f"type {kind}"]
    name = message.get("command" if kind == "response" else "event", "")
    found = list(_of_fields(TYPES[kind], message, kind))
    body = message.get("body")
    if kind == "response" and not message.get("success"):
        return found + list(_of_fields(TYPES["Failure"], body, "body"))
    row = (RESPONSES if kind == "response" else EVENTS).get(name, {})
    if row is None or (body is None and not any(each.endswith("*") for each in row)):
        return found + ([f"{name} has a body"] if body is not None else [])
    return found + list(_of_fields(row, body, name))


def _of_fields(row: Mapping[str, str], value: Any, at: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{at} is no object: {value!r}"
        return
    known = {name.rstrip("*"): kind for name, kind in row.items()}
    yield from (f"{at}.{name} is unknown" for name in value if name not in known)
    yield from (f"{at}.{name[:-1]} is missing" for name in row if name.endswith("*") and name[:-1] not in value)
    for name, kind in known.items():
        if name in value:
            yield from _of_type(kind, value[name], f"{at}.{name}")


def _of_type(kind: str, value: Any, at: str) -> Iterator[str]:
    if kind == "any":
        return
    if kind.startswith("["):
        if not isinstance(value, list):
            yield f"{at} is no list: {value!r}"
            return
        for index, each in enumerate(value):
            yield from _of_type(kind[1:-1], each, f"{at}[{index}]")
    elif kind in TYPES:
        yield from _of_fields(TYPES[kind], value, at)
    elif kind in ("int", "int+"):
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not is_whole or (kind == "int+" and value < 0) or abs(value) >= 2**31:
            yield f"{at} is no {kind}: {value!r}"
    elif not (isinstance(value, _WORDS[kind]) if kind in _WORDS else value in kind.split("|")):
        yield f"{at} is no {kind}: {value!r}"
