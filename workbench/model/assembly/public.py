"""The playbooks that others may call or that begin by themselves, as the JSON that stands at the end of an agent."""

from __future__ import annotations

import json
from typing import Any

from workbench.model.assembly.triggers import begins, trigger_lines
from workbench.model.markdown.metadata import Metadata
from workbench.model.program import Agent, Parameter, Playbook, PythonFunction

_JSON_TYPES = {
    "str": "string", "int": "integer", "float": "number", "bool": "boolean", "list": "array", "dict": "object",
}  # fmt: skip


def public_interface(agent: Agent) -> str:
    """What *agent* offers, as JSON on one line."""
    entries = [_of_playbook(one) for one in agent.playbooks if _is_public(one.metadata, _texts(one))]
    entries += [_of_function(one) for one in agent.functions if one.is_public or begins(one.triggers)]
    return json.dumps(entries, ensure_ascii=False)


def _is_public(metadata: Metadata, triggers: tuple[str, ...]) -> bool:
    return bool(dict(metadata).get("public")) or begins(triggers)


def _texts(playbook: Playbook) -> tuple[str, ...]:
    return tuple(one.text for one in playbook.triggers)


def _of_playbook(playbook: Playbook) -> dict[str, Any]:
    entry = _entry(playbook.parameters, _texts(playbook), playbook.metadata)
    return {"name": playbook.name, "description": playbook.description, **entry}


def _of_function(function: PythonFunction) -> dict[str, Any]:
    entry = _entry(function.parameters, function.triggers, function.metadata)
    described = dict(function.metadata).get("description")
    return {"name": function.name, "description": str(described or function.description), **entry}


def _entry(parameters: tuple[Parameter, ...], triggers: tuple[str, ...], metadata: Metadata) -> dict[str, Any]:
    required = [parameter.name for parameter in parameters if parameter.default is None]
    properties = {parameter.name: _schema(parameter.type) for parameter in parameters}
    return {
        "parameters": {"type": "object", "properties": properties, "required": required},
        "triggers": trigger_lines(triggers),
        "is_bgn": begins(triggers),
        "cli_entry": bool(dict(metadata).get("cli_entry")),
    }


def _schema(written: str) -> dict[str, str]:
    name = written.partition("[")[0].strip().lower()
    return {"type": _JSON_TYPES[name]} if name in _JSON_TYPES else {}
