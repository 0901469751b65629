"""Python functions that start by themselves, as playbooks of one step: so that all the rest need not know of them."""

from __future__ import annotations

from workbench.model.program import Agent, Parameter, Playbook, PythonFunction
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.signatures import normalise_name
from workbench.syntax.text import SourceText


def name_for(function: PythonFunction) -> str:
    """The name of the playbook that stands for *function*."""
    return normalise_name(f"Python {function.name}").name


def is_entry(function: PythonFunction) -> bool:
    """Whether *function* starts by itself, or is made for the command line."""
    return bool(function.triggers) or dict(function.metadata).get("cli_entry") is True


def entries_of(agent: Agent) -> dict[str, tuple[Playbook, Snapshot]]:
    """The playbooks that stand for functions of *agent*, by name, each with the text that it comes from."""
    taken = {playbook.name for playbook in agent.playbooks}
    found = {}
    for function in filter(is_entry, agent.functions):
        if name_for(function) not in taken:
            snapshot = derive(SourceText(_source(agent, function)))
            found[name_for(function)] = (snapshot.program.playbooks[0], snapshot)
    return found


def _source(agent: Agent, function: PythonFunction) -> str:
    parameters = ", ".join(_written(parameter) for parameter in function.parameters)
    values = ", ".join(f"{parameter.name}=${parameter.name}" for parameter in function.parameters)
    metadata = "cli_entry: true\n" if dict(function.metadata).get("cli_entry") is True else ""
    triggers = "".join(f"- {text}\n" for text in function.triggers)
    section = f"### Triggers\n{triggers}" if triggers else ""
    head = f"# {agent.title or 'Agent'}\n## {name_for(function)}({parameters})\n{metadata}"
    return f"{head}{section}### Steps\n- Return {function.name}({values})\n"


def _written(parameter: Parameter) -> str:
    kind = f":{parameter.type}" if parameter.type.isidentifier() else ""
    default = f" = {parameter.default}" if parameter.default is not None else ""
    return f"${parameter.name}{kind}{default}"
