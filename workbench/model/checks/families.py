"""Everything that is doubtful or wrong in a document, with the edits that would mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from workbench.model.checks.calls import Around, Caller, Known
from workbench.model.checks.characters import check_characters
from workbench.model.checks.code import check_assembly, check_python
from workbench.model.checks.context import Context, in_order
from workbench.model.checks.empty import check_empty
from workbench.model.checks.flow import check_endless, check_flow
from workbench.model.checks.headings import check_anchors, check_headings, check_sections
from workbench.model.checks.judged.check import check_judged
from workbench.model.checks.metadata import check_metadata, check_metadata_ends
from workbench.model.checks.names import check_names
from workbench.model.checks.paths import check_paths
from workbench.model.checks.slips import check_damage, check_slips
from workbench.model.checks.triggers import check_triggers
from workbench.model.checks.variables import check_mixed, check_placeholders, check_variables
from workbench.model.program import Agent
from workbench.model.queries import Queries
from workbench.model.step_facts import facts_of_run, runs_of, step_runs
from workbench.syntax.diagnostics import Diagnostic

_OF_DOCUMENT: tuple[Callable[[Context], Iterator[Diagnostic]], ...] = (
    check_damage,
    check_headings,
    check_names,
    check_sections,
    check_metadata,
    check_metadata_ends,
    check_python,
    check_assembly,
    check_mixed,
    check_anchors,
)


def check_markdown(document: Queries, around: Around | None = None) -> tuple[Diagnostic, ...]:
    """All findings in *document*, in the order of the text; *around*: what it is a part of."""
    context = Context.of(document)
    found = [*check_characters(document), *(finding for check_one in _OF_DOCUMENT for finding in check_one(context))]
    known = Known(document, around or Around())
    for agent in document.program.agents:
        found += _agent(context, agent, known)
    return in_order(found)


def _agent(context: Context, agent: Agent, known: Known) -> Iterator[Diagnostic]:
    """What steps do: variables, calls, the way through them."""
    by_playbook = {
        id(one): [facts_of_run(run) for run in runs_of(one.triggers) + step_runs(one)] for one in agent.playbooks
    }
    facts = [fact for one in agent.playbooks for fact in by_playbook[id(one)]]
    yield from check_variables(context, agent, by_playbook)
    yield from check_placeholders(context, agent, facts)
    yield from check_triggers(context, agent, facts, known)
    yield from check_paths(context, agent, by_playbook)
    yield from check_endless(context, agent, by_playbook)
    caller = Caller.of(agent, facts)
    for fact in facts:
        if fact.calls or fact.judges:
            yield from known.check(context, caller, fact)
    for playbook in agent.playbooks:
        yield from known.of_meeting(context, playbook)
        yield from check_flow(context, playbook, by_playbook[id(playbook)])
        yield from check_empty(context, playbook)
        yield from check_slips(context, playbook)
        yield from check_judged(context, playbook, known)
