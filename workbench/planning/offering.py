"""What a plan may call: the tools that are built in, those of a project, and the playbooks of files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from workbench.disk.files import is_file, read_file
from workbench.disk.places import Places
from workbench.engine.backends.functions import spec_of
from workbench.engine.backends.modules import module_texts
from workbench.engine.backends.toolboxes import MODULES
from workbench.engine.permissions import names_in
from workbench.engine.schemas import schema_of_parameters
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.model.plans.policies import policies_in
from workbench.model.program import Agent, Program
from workbench.model.snapshot import derive
from workbench.planning.request import Offer, PlanRequest
from workbench.project_file import project_file
from workbench.syntax.python_functions import python_functions
from workbench.syntax.text import SourceText
from workbench.tools.builtin.rules import BuiltinRules
from workbench.tools.builtin.toolbox import BuiltinTools
from workbench.tools.values import ToolSpec


def usual_offers(folder: Path | None) -> tuple[Offer, ...]:
    """What every run in *folder* can call: built-in tools, and the Python that its project names.

    Raises RunFailed where that cannot be read.
    """
    specs = list(BuiltinTools(BuiltinRules(folder)).specs())
    if folder is not None:
        texts = module_texts(folder, names_in(project_file(folder).tools, MODULES))
        specs += [spec_of(each, each.name, name) for name, text in texts.items() for each in python_functions(text)]
    return tuple(map(offer_of, specs))


def server_offers(folder: Path, where: Places) -> tuple[Offer, ...]:
    """The tools that the servers of the project in *folder* had when they were started last; nothing is started."""
    from workbench.engine.servers import seen_tools_of, servers_named  # noqa: PLC0415 - where there may be a server

    return tuple(map(offer_of, seen_tools_of(servers_named(folder), where)))


def named_offers(
    written: Sequence[str], folder: Path | None, more: Sequence[Offer] = ()
) -> tuple[tuple[Offer, ...], tuple[str, ...]]:
    """What *written* names, names of tools and files with playbooks; and the files that have to be imported for it.

    *more*: tools of servers, ``server.tool``; the name of a server alone means all of its tools. Raises CannotRead for
    what is neither, RunFailed as ``usual_offers``.
    """
    usual = {each.name: each for each in (*usual_offers(folder), *more)}
    servers: dict[str, list[Offer]] = {}
    for offer in more:
        servers.setdefault(offer.name.rpartition(".")[0], []).append(offer)
    offers: dict[str, Offer] = {}
    imports: list[str] = []
    for each in written:
        if each in usual:
            offers.setdefault(each, usual[each])
            continue
        if each in servers:
            offers.update({one.name: one for one in servers[each] if one.name not in offers})
            continue
        if not is_file(Path(each)):
            message = _("“{name}” is neither a tool nor a file. Tools: {known}.")
            raise CannotRead(message.format(name=each, known=", ".join(usual)))
        found = tuple(_in_file(Path(each)))
        if not found:
            raise CannotRead(_("“{name}” has no playbook or function that could be called.").format(name=each))
        offers.update({one.name: one for one in found if one.name not in offers})
        imports.append(each)
    return tuple(offers.values()), tuple(imports)


def with_project(request: PlanRequest, folder: Path | None) -> PlanRequest:
    """*request*, which knows what the project in *folder* says about deviations."""
    said = project_file(folder).deviation if folder is not None else {}
    return replace(request, project_policies=policies_in(said))


def _in_file(path: Path) -> Iterator[Offer]:
    """The playbooks and functions of the file *path*, as a playbook calls them that imports it."""
    text = SourceText.decode(read_file(path)).text
    if path.suffix == ".py":
        yield from (offer_of(spec_of(each, each.name, path.name)) for each in python_functions(text))
    else:
        yield from offers_in_text(text, path.name)


def offers_in_text(text: str, source: str) -> tuple[Offer, ...]:
    """What the playbooks in *text*, of the file *source*, offer to one that imports it."""
    program: Program = derive(SourceText(text)).program
    return tuple(offer for agent in program.agents for offer in _of_agent(agent, source))


def _of_agent(agent: Agent, source: str) -> Iterator[Offer]:
    """What *agent* offers; of an agent with a name only what it has made public, by both names."""
    lead = f"{agent.name}." if agent.heading is not None else ""
    for playbook in agent.playbooks:
        if not lead or agent.is_public(playbook.name):
            description = " ".join(playbook.description.split())[:300]
            yield Offer(f"{lead}{playbook.name}", description, schema_of_parameters(playbook.parameters), source=source)
    for function in agent.functions:
        if not lead or agent.is_public(function.name):
            yield offer_of(spec_of(function, f"{lead}{function.name}", source))


def offer_of(spec: ToolSpec) -> Offer:
    """*spec* as what a plan may call."""
    return Offer(spec.name, spec.description, spec.schema, spec.safety, spec.source)
