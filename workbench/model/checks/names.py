"""Findings about the names and kinds of agents and playbooks."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.i18n import _
from workbench.model.checks.context import Context, error, note, replacement, safe_replacement, warning
from workbench.model.program import Agent, Playbook
from workbench.regex import regex
from workbench.syntax.blocks import Block
from workbench.syntax.diagnostics import Diagnostic, Fix
from workbench.syntax.signatures import normalise_name, parse_signature
from workbench.syntax.text import Span

AGENT_KINDS = ("AI", "Human", "MCP")
BUILT_IN = frozenset(
    "Say CreateAgent SaveArtifact LoadArtifact InviteToMeeting LoadFile Loadfile EndProgram SendMessage "
    "WaitForMessage CreatePlaybook PlanAndDo SetMeetingState".split()
)
"""Playbooks that every agent has without declaring them."""

_TAKEN = frozenset("Any Dict List Optional Type Union AIAgent Agent HumanAgent LocalAIAgent MCPAgent".split())
"""Names that the first implementation of the language uses itself."""

_PORTABLE = regex(r"[A-Z][A-Za-z0-9]*")
_KIND = regex(r"^(?P<name>[^:]+?)(?P<colon>[ \t]*:[ \t]*)(?P<kind>\S.*)$")
_DEFINITION = regex(r"\bdef[ \t]++(\w++)")
_MARKERS = regex(r"(?<=[(,])\s*(?:/|\*+\w*)\s*(?=[,)])")


def check_names(context: Context) -> Iterator[Diagnostic]:
    """All findings of this kind."""
    seen: set[str] = set()
    for agent in context.program.agents:
        if agent.heading is not None:
            yield from _agent(context, agent, agent.heading)
            if agent.name in seen:
                message = _("There is already an agent called {name}. Calls go to the first one.")
                span = context.heading_span(agent.heading)
                yield error("duplicate-agent", message.format(name=agent.name), span)
            seen.add(agent.name)
        yield from _playbooks(context, agent)
    yield from _entries(context)


def _entries(context: Context) -> Iterator[Diagnostic]:
    """More than one entry for the command line: a run begins with the first."""
    agents = context.program.agents
    playbooks = [one for agent in agents for one in agent.playbooks if dict(one.metadata).get("cli_entry") is True]
    functions = [one for agent in agents for one in agent.functions if dict(one.metadata).get("cli_entry") is True]
    names = [*(one.name for one in playbooks), *(one.name for one in functions)]
    message = _("“cli_entry: true” is set for both {name} and {other}. A run begins with {name}. Remove one of them.")
    for playbook in playbooks[1:]:
        if playbook.heading is not None:
            text = message.format(name=names[0], other=playbook.name)
            yield error("second-entry", text, context.key_span(playbook.heading, "cli_entry"))
    for function in functions if playbooks else functions[1:]:
        place = _place_of(context, function.name)
        yield error("second-entry", message.format(name=names[0], other=function.name), place)


def _place_of(context: Context, function: str) -> Span:
    """Where *function* is defined in Python; the beginning of the text where that is not found."""
    matches = (match for match in _DEFINITION.finditer(context.document.text) if match[1] == function)
    return next((Span(*match.span(1)) for match in matches), Span(0, 0))


def _agent(context: Context, agent: Agent, heading: Block) -> Iterator[Diagnostic]:
    span = context.heading_span(heading)
    problem = normalise_name(agent.title).problem
    if problem:
        yield note(problem, _name_message(problem, agent.name), span)
    elif context.is_language and not _PORTABLE.fullmatch(agent.name):
        yield _not_portable(agent.name, span)
    if context.is_language and agent.name in _TAKEN:
        message = _("Other tools use the name {name} themselves and refuse an agent with that name.")
        yield note("reserved-name", message.format(name=agent.name), span)
    if context.is_language:
        yield from _kind(context, agent, heading)


def _not_portable(name: str, span: Span) -> Diagnostic:
    message = _("Other tools accept only plain letters (A–Z) and digits in names. Here {name} works.")
    return note("name-not-portable", message.format(name=name), span)


def _kind(context: Context, agent: Agent, heading: Block) -> Iterator[Diagnostic]:
    """``# Note: this``: what stands after the colon is no kind of agent."""
    match, start = _KIND.match(agent.title), context.title_start(heading)
    if match is None or start is None:
        return
    written = match["kind"]
    span = Span(start + match.start("kind"), start + match.end("kind"))
    colon = Span(start + match.start("colon"), start + match.end("colon"))
    wanted = next((kind for kind in AGENT_KINDS if kind.lower() == written.lower()), "")
    fixes: list[Fix] = []
    if wanted:
        fixes.append(replacement(_("Change to {kind}").format(kind=wanted), span, wanted))
    fixes.append(replacement(_("Use a dash instead of the colon"), colon, " – "))
    message = _("“{kind}” is not a kind of agent, so the whole heading is read as the name. The kinds are {kinds}.")
    yield warning("agent-kind", message.format(kind=written, kinds=", ".join(AGENT_KINDS)), span, *fixes)


def _name_message(problem: str, name: str) -> str:
    return {
        "name-empty": _("This heading has no letters to make a name from. Calls use {name}."),
        "name-characters": _("Heading contains characters not allowed in a name. Calls use {name}."),
        "name-starts-with-digit": _("In other tools a name cannot start with a digit. Calls use {name}."),
        "parameters-damaged": _("The text in the brackets cannot be read as parameters, so {name} takes none."),
        "parameter-twice": _("Two parameters of {name} have the same name. A call can only set the first one."),
    }.get(problem, _("Calls use the name {name}.")).format(name=name)


def _playbooks(context: Context, agent: Agent) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for playbook in agent.playbooks:
        if playbook.heading is None or playbook.is_implied:
            continue
        span = context.heading_span(playbook.heading)
        for problem in parse_signature(playbook.title).problems:
            finding = warning if problem.startswith("parameter") else note
            yield finding(problem, _name_message(problem, playbook.name), span)
        if playbook.name != parse_signature(playbook.title).name:
            message = _("“{other}” is called the same but for its spelling. Calls of this one must be written {name}.")
            other = normalise_name(playbook.name).name
            yield warning("duplicate-playbook", message.format(name=playbook.name, other=other), span)
        if playbook.name in seen:
            message = _("There is already a playbook called {name} here. Calls and runs use the first one.")
            yield error("duplicate-playbook", message.format(name=playbook.name), span)
        seen.add(playbook.name)
        if context.is_language:
            yield from _playbook_name(context, playbook, playbook.heading)
    yield from _functions(context, agent, seen)


def _playbook_name(context: Context, playbook: Playbook, heading: Block) -> Iterator[Diagnostic]:
    span = context.heading_span(heading)
    if playbook.name in BUILT_IN:
        message = _(
            "{name} is built in. Other tools use the built-in one instead of this playbook. Choose another name."
        )
        yield warning("built-in-name", message.format(name=playbook.name), span)
    start = context.title_start(heading)
    if start is None:
        return
    written, bracket, _rest = playbook.title.partition("(")
    if bracket and written.strip() != playbook.name and not normalise_name(written).problem:
        message = _(
            "Other tools use only the first word as the name. Here calls use {name}. Change the heading to match."
        )
        where = Span(start, start + len(written))
        fix = safe_replacement(_("Change to {name}").format(name=playbook.name), where, playbook.name)
        yield note("name-is-phrase", message.format(name=playbook.name), span, fix)
    elif not _PORTABLE.fullmatch(playbook.name) and not normalise_name(written).problem:
        yield _not_portable(playbook.name, span)
    marker = _MARKERS.search(playbook.title)
    if marker is not None:
        message = _("Other tools lose the parameters around “{marker}”. Here each can be given by position or name.")
        where = Span(start + marker.start(), start + marker.end())
        yield note("parameter-marker", message.format(marker=marker[0].strip()), where)


def _functions(context: Context, agent: Agent, playbooks: set[str]) -> Iterator[Diagnostic]:
    """Python functions that hide behind something of the same name."""
    seen: set[str] = set()
    twice: set[str] = set()
    for function in agent.functions:
        if function.name in playbooks or function.name in seen:
            twice.add(function.name)
        seen.add(function.name)
    for name in sorted(twice):
        message = _("Something else is already called {name} here, so calls may reach the wrong one.")
        yield error("duplicate-function", message.format(name=name), _place_of(context, name))
