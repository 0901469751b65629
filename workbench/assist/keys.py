"""The fields of step lists and the settings of agents and playbooks: what each is for, and which values it takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from workbench.i18n import N_, LazyText
from workbench.model.checks.metadata import (
    AGENT_KEYS,
    AGENT_VALUES,
    HUMAN_VALUES,
    PLAYBOOK_KEYS,
    PLAYBOOK_VALUES,
    YES_OR_NO,
)
from workbench.model.loader.reading import TOP_FIELDS
from workbench.model.loader.step_reading import FAILURE_POLICIES, MATCHES, STEP_FIELDS
from workbench.model.plans.policies import (
    APPROVAL_WORDS,
    DEVIATION,
    DEVIATION_RULES,
    PLAN_RULES,
    PLANS,
    POLICY_WORDS,
)
from workbench.model.steplists.graph_checks import GRAPH_STEP, GRAPH_TOP

STEP_RULES: Mapping[str, LazyText] = {
    "id": N_("The name of the step. It is used once in the list."),
    "description": N_("What is to be done, in words."),
    "title": N_("What people call it."),
    "goal": N_("What is to be reached, in words."),
    "expected_tools": N_("The tools that belong to the step. A call of another one is not allowed, or an extra."),
    "allowed_tools": N_("The tools that may be called in the step."),
    "hints": N_("Sentences that help whoever carries out the step."),
    "required": N_("Whether the list can be completed without the step. It is true where nothing is said."),
    "validation": N_("What must be there before the step counts as done."),
    "max_tool_calls": N_("How many calls the step may take. 0 allows none."),
    "min_tool_calls": N_("How many successful calls the step should have."),
    "timeout_seconds": N_("How long the step may take, from when it becomes the current one."),
    "metadata": N_("Further facts, as names and values. Nothing here reads them."),
    "uses": N_("Names of skills whose tools the step may use."),
    "required_probes": N_("Evidence that the step must leave: what occurs in the name or the arguments of a call."),
    "any_tool": N_("Without expected tools, the step lets every tool through."),
    "count_failures": N_("Calls that failed count as well."),
    "retry_limit": N_("How often a call that failed may be made again."),
    "on_failure": N_("What happens when the step fails: stop, skip it, or ask."),
    "after": N_("The ids of the steps that come before."),
    "kind": N_("Who carries it out: task and human_task are for a person."),
    "branches": N_("Where it goes on, each with a label and the id of the next step."),
    "approval": N_("A person must agree before it goes on."),
    "parallel_group": N_("Steps of one group are carried out side by side."),
    "joins": N_("The groups that must be complete before."),
}
TOP_RULES: Mapping[str, LazyText] = {
    "id": N_("The name by which the list is called."),
    "name": N_("What people call the list."),
    "title": N_("What people call it."),
    "description": N_("What the list is for, in words."),
    "version": N_("The version of the list; playbook.v2 makes it a graph."),
    "steps": N_("The steps, in their order."),
    "strict_sequence": N_("The steps are done in their order. It is true where nothing is said."),
    "allow_extra_tools": N_("Tools that no step expects may be called too."),
    "max_iterations": N_("How many turns a model may take."),
    "metadata": N_("Further facts, as names and values. Only deviation is read here."),
    "tags": N_("Words to find the list by."),
    "step_groups": N_("Phases, each with steps of its own."),
    "extras_may_run_ahead": N_("Tools of later steps count as extras, and may be called early."),
    "blocking_evidence": N_("Too little evidence keeps a step from being completed."),
    "locus_compat": N_("A step without expected tools lets every tool through."),
}
INNER_RULES: Mapping[str, Mapping[str, LazyText]] = {
    "validation": {
        "min_tool_calls": STEP_RULES["min_tool_calls"],
        "required_result_keywords": N_("Words that must occur in the results of the calls."),
        "match": N_("How the words are looked for: as text, or as whole words that nothing denies."),
    },
    "required_probes": {
        "name": N_("What the evidence is called."),
        "match": N_("What must occur in the name or the arguments of a call."),
        "description": N_("What the evidence is for, in words."),
    },
}
SETTING_RULES: Mapping[str, LazyText] = {
    "execution_mode": N_(
        "How it is carried out: step by step, by choosing one call after the other, or as one request."
    ),
    "public": N_("Other agents may call it."),
    "export": N_("Other agents may read and call it."),
    "hidden": N_("A model that chooses what to call is not told of it. Steps can call it all the same."),
    "meeting": N_("It is a meeting, and its attendees take turns."),
    "required_attendees": N_("Who must be there before the meeting begins."),
    "optional_attendees": N_("Who may be there."),
    "cli_entry": N_("It begins where the program is called as a command."),
    "model": N_("The model that judges."),
    "author": N_("Who wrote it."),
    "description": N_("What it is for, in words."),
    "name": N_("What it is called."),
    DEVIATION: N_("What is done where a run of it is not as planned, by kind of deviation."),
    "startup_mode": N_("Kept for other programs; it has no effect here. Every agent is there from the start."),
    "remote": N_("The server that offers its tools: type, url and transport."),
    "delivery_channel": N_("Kept for other programs; it has no effect here. A message is shown as soon as it is said."),
    "meeting_notifications": N_("Kept for other programs; it has no effect here. All messages of meetings are shown."),
}
FILE_RULES: Mapping[str, LazyText] = {
    "judge": N_("Who judges, among those that a run has: person, model, script."),
    "tools": N_("The tools that alone may be used."),
    DEVIATION: SETTING_RULES[DEVIATION],
    PLANS: N_("What playbooks a run may make, and who allows them."),
}
"""What the front matter of a file can say; it may say anything else as well."""
_TABLES: Mapping[str, Mapping[str, LazyText]] = {DEVIATION: DEVIATION_RULES, PLANS: PLAN_RULES}
_YES_NO_FIELDS = frozenset(
    "required any_tool count_failures strict_sequence allow_extra_tools extras_may_run_ahead blocking_evidence"
    " locus_compat".split()
)
_VALUES: Mapping[str, tuple[str, ...]] = {
    "on_failure": FAILURE_POLICIES,
    "kind": ("task", "human_task"),
    **AGENT_VALUES,
    **HUMAN_VALUES,
    **PLAYBOOK_VALUES,
}
TOOL_FIELDS = frozenset({"expected_tools", "allowed_tools"})
"""The fields of a step whose values are names of tools."""
ID_FIELDS = frozenset({"after", "next_step_id"})
"""The fields of a step whose values are ids of others."""


def list_rules(above: tuple[str, ...], *, is_graph: bool) -> Mapping[str, LazyText]:
    """The fields that a step list has below the keys *above* (the nearest first), with their rules."""
    if not above:
        return _known(TOP_RULES, GRAPH_TOP if is_graph else TOP_FIELDS)
    if above == ("metadata",):
        return {DEVIATION: SETTING_RULES[DEVIATION]}
    if above == (DEVIATION, "metadata"):
        return DEVIATION_RULES
    if above[0] in INNER_RULES:
        return INNER_RULES[above[0]]
    if above[0] in ("steps", "step_groups"):
        return _known(STEP_RULES, GRAPH_STEP if is_graph else (*STEP_FIELDS, "title"))
    return {}


def _known(rules: Mapping[str, LazyText], fields: Iterable[str]) -> Mapping[str, LazyText]:
    wanted = frozenset(fields)
    return {name: rule for name, rule in rules.items() if name in wanted}


def setting_rules(*, is_agent: bool) -> Mapping[str, LazyText | None]:
    """The settings of an agent, or of a playbook, with their rules; None where there is nothing to say."""
    return {name: SETTING_RULES.get(name) for name in sorted(AGENT_KEYS if is_agent else PLAYBOOK_KEYS)}


def file_rules(above: tuple[str, ...]) -> Mapping[str, LazyText]:
    """What can stand in front matter below the keys *above*, with its rules; and below ``deviation`` of a playbook."""
    return FILE_RULES if not above else _TABLES.get(above[0], {})


def values_of(field: str, above: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The values that *field*, below the keys *above*, takes; empty where it takes any."""
    if above[:1] == (DEVIATION,):
        return POLICY_WORDS
    if above[:1] == (PLANS,):
        return APPROVAL_WORDS if field == "approve" else ()
    if field == "match" and "validation" in above:
        return MATCHES
    if field in _YES_NO_FIELDS or field in YES_OR_NO:
        return ("true", "false")
    return _VALUES.get(field, ())
