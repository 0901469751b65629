"""Findings about metadata: values that mean nothing, keys that are misspelt, blocks that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from workbench.i18n import _
from workbench.model.checks.context import Context, error, note, replacement, safe_replacement, warning
from workbench.model.markdown.metadata import Metadata, front_matter
from workbench.model.meaning import Call, actions_of
from workbench.model.plans.policies import DEVIATION, PLANS, Approval, PlanRules, plan_rules, problems_of_policies
from workbench.model.program import Agent, Playbook
from workbench.model.sentences.calls import PLAN_AND_DO
from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.text import Span, line_end, split_lines

AGENT_VALUES = {"startup_mode": ("default", "standby")}
HUMAN_VALUES = {
    "delivery_channel": ("streaming", "buffered", "custom"),
    "meeting_notifications": ("all", "targeted", "none"),
}
PLAYBOOK_VALUES = {"execution_mode": ("playbook", "react", "raw")}
_TRANSPORTS = ("sse", "stdio", "websocket", "streamable-http", "memory")
_SCHEMES = {
    "sse": ("http", "https"),
    "streamable-http": ("http", "https"),
    "websocket": ("ws", "wss"),
    "stdio": ("", "stdio"),
    "memory": ("memory",),
}
"""What an address begins with, by transport."""
_NOT_HERE = frozenset({"websocket", "memory"})
_CREDENTIALS = {
    "api_key": ("key",),
    "bearer": ("token",),
    "basic": ("username", "password"),
    "mtls": ("cert", "key"),
}
_SECRET = frozenset({"token", "password", "key"})
AGENT_KEYS = frozenset(
    "author buffer_messages buffer_timeout delivery_channel delivery_handler description meeting_notifications model"
    " name remote startup_mode streaming_chunk_size streaming_enabled".split()
)
PLAYBOOK_KEYS = frozenset(
    "author cli_entry description deviation execution_mode export hidden meeting model optional_attendees public"
    " required_attendees".split()
)
YES_OR_NO = frozenset("cli_entry export hidden meeting public buffer_messages streaming_enabled".split())
_MAKERS = frozenset({"CreatePlaybook", PLAN_AND_DO})
_NUMBERS = {"streaming_chunk_size": 1, "buffer_timeout": 0}


def check_metadata(context: Context) -> Iterator[Diagnostic]:
    """All findings of this kind."""
    yield from _front_matter(context)
    yield from _policies(context)
    for agent in context.program.agents:
        if agent.metadata:
            yield from _agent(context, agent)
        elif agent.heading is not None and "metadata:" in agent.description:
            yield from _unread(context, agent.heading)
        for playbook in agent.playbooks:
            if playbook.metadata:
                yield from _playbook(context, playbook)
            elif playbook.heading is not None and "metadata:" in playbook.description:
                yield from _unread(context, playbook.heading)


def _below_text(
    context: Context, heading: Block | None, metadata: Metadata, description: str, known: frozenset[str]
) -> Iterator[Diagnostic]:
    """Free settings that stand below text: they are taken out of what is read to whoever carries it out."""
    if heading is None or not description:
        return
    start = context.document.text.find(description.split("\n", 1)[0], context.start_of(heading) + len(heading.text))
    for key, _value in metadata:
        span = context.key_span(heading, key) if key not in known else Span(0, 0)
        if 0 <= start < span.start:
            message = _("“{key}” is read as a setting and not as part of the description, because of its form.")
            yield note("setting-below-text", message.format(key=key), span)
            return


def _front_matter(context: Context) -> Iterator[Diagnostic]:
    """Front matter that is no mapping of names to values."""
    for index, block in enumerate(context.document.blocks[:2]):
        if block.kind is BlockKind.FRONT_MATTER and not front_matter(block.text):
            lines = split_lines(block.text)
            if any(line.strip() and not line.lstrip().startswith("#") for line in lines[1:-1]):
                start = context.document.block_starts[index]
                message = _("This front matter cannot be read. Each line must have the form name: value.")
                yield warning("front-matter-unreadable", message, Span(start, start + len(lines[0].rstrip())))


def _policies(context: Context) -> Iterator[Diagnostic]:
    """What the file says of its plans and deviations, and a playbook of its deviations, that means nothing."""
    of_file = dict(context.program.front_matter)
    for key in (DEVIATION, PLANS):
        for word, message, near in problems_of_policies(of_file[key], key) if key in of_file else ():
            yield _no_policy(_in_front_matter(context, key, word), word, message, near)
    yield from _nothing_made(context, plan_rules(of_file.get(PLANS)))
    for playbook in context.program.playbooks:
        said = dict(playbook.metadata)
        for word, message, near in problems_of_policies(said[DEVIATION], DEVIATION) if DEVIATION in said else ():
            if playbook.heading is not None:
                yield _no_policy(context.value_span(playbook.heading, DEVIATION, word), word, message, near)


def _nothing_made(context: Context, rules: PlanRules) -> Iterator[Diagnostic]:
    """Steps that have playbooks made where the file says that its runs make none."""
    if rules.approve is not Approval.NEVER and rules.number:
        return
    for playbook in context.program.playbooks:
        for step in (step for each in playbook.steps for step in each.walk()):
            if any(isinstance(each, Call) and each.target in _MAKERS for each in actions_of(step.meaning)):
                message = _("This has a playbook made, and the file says that its runs make none. The step fails here.")
                yield error("nothing-made", message, context.head(step))


def _no_policy(span: Span, word: str, message: str, near: str) -> Diagnostic:
    is_found = len(word) == len(span)
    fixes = (replacement(_("Change to {value}").format(value=near), span, near),) if near and is_found else ()
    return error("metadata-value", message, span, *fixes)


def _in_front_matter(context: Context, key: str, word: str) -> Span:
    """Where *word* stands in the front matter, at *key* or below it; else where the front matter begins."""
    for at, block in zip(context.document.block_starts, context.document.blocks[:2], strict=False):
        if block.kind is BlockKind.FRONT_MATTER:
            found = re.search(rf"^{re.escape(key)}\b", block.text, re.MULTILINE)
            start = found.start() if found is not None else 0
            where = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])").search(block.text, start)
            span = Span(*where.span()) if where is not None else Span(0, len(block.text.partition("\n")[0].rstrip()))
            return span.shifted(at)
    return Span(0, 0)


def _agent(context: Context, agent: Agent) -> Iterator[Diagnostic]:
    values: dict[str, tuple[str, ...]] = dict(AGENT_VALUES)
    if agent.kind == "Human":
        values |= HUMAN_VALUES
        if dict(agent.metadata).get("delivery_channel") == "custom" and not dict(agent.metadata).get(
            "delivery_handler"
        ):
            message = _("A custom delivery_channel needs a delivery_handler, which is missing.")
            yield error("metadata-value", message, context.key_span(agent.heading, "delivery_channel"))
    yield from _values(context, agent.heading, agent.metadata, values)
    yield from _keys(context, agent.heading, agent.metadata, AGENT_KEYS)
    yield from _below_text(context, agent.heading, agent.metadata, agent.description, AGENT_KEYS)
    remote = dict(agent.metadata).get("remote")
    if remote is not None:
        yield from _remote(context, agent, remote)


def _playbook(context: Context, playbook: Playbook) -> Iterator[Diagnostic]:
    yield from _values(context, playbook.heading, playbook.metadata, PLAYBOOK_VALUES)
    yield from _keys(context, playbook.heading, playbook.metadata, PLAYBOOK_KEYS)
    yield from _below_text(context, playbook.heading, playbook.metadata, playbook.description, PLAYBOOK_KEYS)


def _values(
    context: Context, heading: Block | None, metadata: Metadata, allowed: Mapping[str, tuple[str, ...]]
) -> Iterator[Diagnostic]:
    for key, value in metadata:
        if key in allowed and value not in allowed[key]:
            yield _no_such_value(context, heading, key, value, allowed[key])
        elif key in YES_OR_NO and not isinstance(value, bool):
            message = _("{key} must be true or false, not “{value}”.").format(key=key, value=value)
            yield warning("metadata-value", message, context.key_span(heading, key))
        elif key in _NUMBERS and not (isinstance(value, int | float) and value >= _NUMBERS[key]):
            message = _("{key} must be a number, {least} or more.").format(key=key, least=_NUMBERS[key])
            yield error("metadata-value", message, context.key_span(heading, key))


def _no_such_value(
    context: Context, heading: Block | None, key: str, value: object, allowed: tuple[str, ...]
) -> Diagnostic:
    span = context.key_span(heading, key)
    message = _("{key} cannot be “{value}”. Use {allowed}.")
    text = message.format(key=key, value=value, allowed=", ".join(allowed))
    near = get_close_matches(str(value).lower(), allowed, 1, 0.7)
    at = span.of(context.document.text).rfind(str(value))
    if not near or at < 0:
        return error("metadata-value", text, span)
    where = Span(span.start + at, span.start + at + len(str(value)))
    return error(
        "metadata-value", text, span, replacement(_("Change to {value}").format(value=near[0]), where, near[0])
    )


def _keys(context: Context, heading: Block | None, metadata: Metadata, known: frozenset[str]) -> Iterator[Diagnostic]:
    """Keys that nothing reads and that look like one that is read. Other keys are free."""
    written = dict.fromkeys(key for key, _value in metadata)
    left = sorted(known - written.keys())
    for key in (each for each in written if each not in known):
        near = get_close_matches(key.lower().replace("-", "_"), left, 1, 0.85)
        if near:
            span = context.key_span(heading, key)
            at = span.of(context.document.text).find(key)
            where = Span(span.start + at, span.start + at + len(key)) if at >= 0 else span
            message = _("“{key}” is not used. Did you mean {near}?").format(key=key, near=near[0])
            fixes = (replacement(_("Change to {near}").format(near=near[0]), where, near[0]),) if at >= 0 else ()
            yield warning("metadata-key", message, where, *fixes)


def _remote(context: Context, agent: Agent, remote: object) -> Iterator[Diagnostic]:
    """What an agent on another server needs in order to be reached."""
    span = context.key_span(agent.heading, "remote")
    if not isinstance(remote, dict):
        yield error("remote-settings", _("remote needs a type and a url, each on its own line below it."), span)
        return
    kind, url = remote.get("type"), remote.get("url")
    if kind != "mcp":
        message = _("An agent can only be remote as mcp; “{kind}” is unknown.").format(kind=kind)
        yield error("remote-settings", message, _below(context, agent, "remote", "type"))
    if not url or not isinstance(url, str):
        yield error("remote-settings", _("remote needs a url: the address of the agent."), span)
    else:
        yield from _address(context, agent, url, remote.get("transport"))
    timeout = remote.get("timeout", 1)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or timeout <= 0:
        message = _("timeout must be a number of seconds, more than 0.")
        yield error("remote-settings", message, _below(context, agent, "remote", "timeout"))
    if "auth" in remote:
        yield from _auth(context, agent, remote["auth"])


def _below(context: Context, agent: Agent, *keys: str) -> Span:
    """Where the last of *keys* stands, each below the one before; as far as they can be found."""
    found, left = context.key_span(agent.heading, keys[0]), list(keys[1:])
    for at, line in context.prose_below(agent.heading) if agent.heading is not None else ():
        word, colon, _value = line.strip().partition(":")
        if left and colon and at > found.start and word.strip("\"'") == left[0]:
            found = Span(at + len(line) - len(line.lstrip()), at + len(line.rstrip()))
            del left[0]
    return found


def _address(context: Context, agent: Agent, url: str, transport: object) -> Iterator[Diagnostic]:
    """A transport that is unknown, and an address that it cannot lead to."""
    place = _below(context, agent, "remote", "transport")
    if transport is not None and transport not in _TRANSPORTS:
        message = _("transport cannot be “{transport}”. Use {allowed}.")
        yield error("remote-settings", message.format(transport=transport, allowed=", ".join(_TRANSPORTS)), place)
        return
    scheme = url.partition("://")[0].lower() if "://" in url else ""
    meant = str(transport or {"stdio": "stdio", "memory": "memory"}.get(scheme, "sse"))
    schemes = _SCHEMES[meant]
    if scheme not in schemes:
        message = _("With the transport {transport}, url must begin with {schemes}.")
        words = ", ".join(f"{each}://" for each in schemes if each)
        if meant == "stdio":
            message = _("With the transport {transport}, url must be a command, and no address.")
        where = _below(context, agent, "remote", "url")
        yield error("remote-settings", message.format(transport=meant, schemes=words), where)
    elif meant in _NOT_HERE:
        message = _("This transport cannot be used here, so no tool of this agent can be called.")
        where = place if transport is not None else _below(context, agent, "remote", "url")
        yield warning("remote-settings", message, where)


def _auth(context: Context, agent: Agent, auth: object) -> Iterator[Diagnostic]:
    """How the agent is told who we are: a known type, with the keys that it needs, each by its name."""
    kind = auth.get("type") if isinstance(auth, dict) else None
    if not isinstance(auth, dict) or kind not in _CREDENTIALS:
        message = _("auth needs a type: {allowed}.").format(allowed=", ".join(_CREDENTIALS))
        keys = ("type",) if isinstance(auth, dict) and "type" in auth else ()
        yield error("remote-settings", message, _below(context, agent, "remote", "auth", *keys))
        return
    # few files have such settings, and no others need what reads projects
    from workbench.project_file import is_reference  # noqa: PLC0415

    for name in _CREDENTIALS[kind]:
        if not isinstance(auth.get(name), str) or not auth[name]:
            message = _("auth of the type {type} needs a {name}.").format(type=kind, name=name)
            yield error("remote-settings", message, _below(context, agent, "remote", "auth"))
        elif name in _SECRET and not is_reference(auth[name]):
            message = _("Keys never stand in a playbook, and this one is not sent. Write {name}: env:NAME.")
            where = _below(context, agent, "remote", "auth", name)
            yield error("remote-settings", message.format(name=name), where)
    if kind == "mtls":
        message = _("Certificates cannot be used here, so no tool of this agent can be called.")
        yield warning("remote-settings", message, _below(context, agent, "remote", "auth", "type"))


def _unread(context: Context, heading: Block) -> Iterator[Diagnostic]:
    """A ``metadata:`` block that is indented, or whose lines are no mapping, so that it stays text."""
    for at, line in context.prose_below(heading):
        if not line.strip():
            continue
        if not line.lstrip().startswith("metadata:"):
            return
        lead = len(line) - len(line.lstrip())
        span = Span(at + lead, at + len(line.rstrip()))
        if lead:
            message = _(
                "This block is indented, so it is read as text. Metadata must start at the beginning of the line."
            )
            fix = replacement(_("Remove the spaces"), Span(at, at + lead), "")
            yield warning("metadata-unreadable", message, span, fix)
        else:
            message = _("This block cannot be read. Below metadata:, use indented lines of the form name: value.")
            yield warning("metadata-unreadable", message, span)
        return


def check_metadata_ends(context: Context) -> Iterator[Diagnostic]:
    """``metadata:`` blocks in compiled form that no ``---`` closes, which other tools cannot read."""
    headings = [agent.heading for agent in context.program.agents if agent.metadata]
    headings += [playbook.heading for playbook in context.program.playbooks if playbook.metadata]
    for heading in headings:
        if heading is not None:
            yield from _unclosed(context, heading)


_COMPILED = regex(r"metadata:[ \t]*(?:\{.*\}[ \t]*)?$")


def _unclosed(context: Context, heading: Block) -> Iterator[Diagnostic]:
    opened: Span | None = None
    for at, line in context.prose_below(heading):
        if opened is None:
            if not line.strip() or line.lstrip().startswith("<!--"):
                continue
            if not _COMPILED.match(line.rstrip("\r\n")):
                return
            opened = Span(at, at + len(line.rstrip()))
        elif line[:1] not in " \t\r\n":
            if line.rstrip() != "---":
                message = _("Other tools need a line --- below this block; they refuse the file without it.")
                insert = f"---{line_end(context.document.text)}"
                yield note("metadata-not-closed", message, opened, safe_replacement(_("Add ---"), Span(at, at), insert))
            return
