"""What has a name (variables, playbooks, functions and tools): where each is defined, and where it is used."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from workbench.model.inner_calls import calls_in
from workbench.model.markdown.heads import PUBLIC_INTERFACE
from workbench.model.program import Agent, PlacedPlaybook, Playbook
from workbench.model.snapshot import Snapshot
from workbench.model.step_facts import own_facts
from workbench.regex import regex
from workbench.search.calls import agent_at, awaited_in, calls_in_block, calls_of, offered, written_name
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.expressions import NAME
from workbench.syntax.lines import span_in_title
from workbench.syntax.text import Span

_WORD = regex(rf"\$?{NAME}")
_FENCE = regex(r"^[ \t]*(```+|~~~+)[^\n]*\n.*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_KEYWORD_END = regex(r"[\r\n]|\Z")
_TOOLS = regex(r"^[ \t]*tools[ \t]*:(?P<names>[^\r\n]*(?:(?:\r\n|\r|\n)[ \t]*-[ \t][^\r\n]*)*)", re.MULTILINE)
_QUOTED = regex(r"\"[^\"\r\n]*\"|'[^'\r\n]*'")
_BRACE = regex(r"\{[^{}\r\n]*\}")
_ARGUMENT = regex(r"[(,]\s*\Z")
_IS_NAMED = regex(r"\s*=(?!=)")
_SETTING = frozenset({BlockKind.FRONT_MATTER, BlockKind.PARAGRAPH})
_MEANT = frozenset({BlockKind.HEADING, BlockKind.ITEM, BlockKind.COMMENT, BlockKind.PARAGRAPH, BlockKind.TABLE})


class SymbolKind(enum.Enum):
    """What a name is for."""

    VARIABLE = "variable"
    PLAYBOOK = "playbook"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something with a name. *agent*: whose it is; empty for a tool that is defined elsewhere.

    *name*: of a variable without ``$``, of a playbook as calls have it. *playbook*: of a variable that is written
    without ``$``, the one that alone knows it.
    """

    kind: SymbolKind
    name: str
    agent: str = ""
    playbook: str = ""

    @property
    def written(self) -> str:
        """As people write it."""
        return f"${self.name}" if self.kind is SymbolKind.VARIABLE and not self.playbook else self.name


@dataclass(frozen=True, slots=True)
class Usage:
    """Where a symbol stands. *is_definition*: that is where it is set, or written down."""

    span: Span
    is_definition: bool = False


def symbol_at(snapshot: Snapshot, offset: int) -> Symbol | None:
    """What the word at *offset*, or the one that ends there, means; None where it is no name of anything."""
    word = word_at(snapshot.text, offset)
    agent = agent_at(snapshot, offset)
    if agent is None:
        return None
    if word.of(snapshot.text).startswith("$"):
        symbol = Symbol(SymbolKind.VARIABLE, word.of(snapshot.text)[1:], agent.name)
        return symbol if _covers(snapshot, symbol, word) else None
    own = _local_at(snapshot, agent, word)
    if own is not None:
        return own
    for one in (agent, *(other for other in snapshot.program.agents if other is not agent)):
        names = [*(Symbol(SymbolKind.PLAYBOOK, each.name, one.name) for each in one.playbooks if each.heading)]
        names += [Symbol(SymbolKind.TOOL, each.name, one.name) for each in one.functions]
        for symbol in names:
            if _covers(snapshot, symbol, word):
                return symbol
    return _tool_at(snapshot, word)


def symbol_named(snapshot: Snapshot, written: str) -> Symbol:
    """What is called so in the document: ``$total``, ``Check``, ``Desk.Check``; a tool, where nothing of it is.

    A variable without ``$`` that several playbooks know is called ``Check.total``.
    """
    owner, _dot, name = written.rpartition(".")
    agents = [agent for agent in snapshot.program.agents if not owner or agent.name == owner]
    if name.startswith("$"):
        named = [Symbol(SymbolKind.VARIABLE, name[1:], agent.name) for agent in agents]
        return next((each for each in named if usages_of(snapshot, each)), Symbol(SymbolKind.VARIABLE, name[1:]))
    for agent in agents:
        playbook = agent.playbook(name)
        if playbook is not None:
            return Symbol(SymbolKind.PLAYBOOK, playbook.name, agent.name)
        if any(each.name == name for each in agent.functions):
            return Symbol(SymbolKind.TOOL, name, agent.name)
    both = [(each, one) for each in snapshot.program.agents for one in each.playbooks]
    knowing = [(each, one) for each, one in both if not owner or owner in (each.name, one.name)]
    locals_ = [Symbol(SymbolKind.VARIABLE, name, each.name, one.name) for each, one in knowing]
    known = [each for each in locals_ if any(usage.is_definition for usage in usages_of(snapshot, each))]
    return known[0] if len(known) == 1 else Symbol(SymbolKind.TOOL, written)


def word_at(text: str, offset: int) -> Span:
    """The word at *offset* of *text*, with its ``$``; empty where there is none."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    for match in _WORD.finditer(text, start):
        if match.end() >= offset or match.start() > offset:
            break
    else:
        return Span(offset, offset)
    return Span(*match.span()) if match.start() <= offset <= match.end() else Span(offset, offset)


def _covers(snapshot: Snapshot, symbol: Symbol, word: Span) -> bool:
    usages = usages_of(snapshot, symbol)
    return any(usage.span.start < word.end and word.start < usage.span.end for usage in usages)


def _tool_at(snapshot: Snapshot, word: Span) -> Symbol | None:
    step = snapshot.step_at(word.start)
    name = word.of(snapshot.text)
    if step is None or not name:
        return None
    targets = {call.target.rpartition(".")[2]: call.target for call in calls_in(snapshot.step(step))}
    return Symbol(SymbolKind.TOOL, targets[name]) if name in targets else None


def usages_of(snapshot: Snapshot, symbol: Symbol) -> tuple[Usage, ...]:
    """Where *symbol* stands in the text, in order, its definitions among them."""
    found = sorted(set(_FINDERS[symbol.kind](snapshot, symbol)), key=lambda usage: usage.span)
    return tuple(found)


def _agent(snapshot: Snapshot, symbol: Symbol) -> Agent | None:
    return next((agent for agent in snapshot.program.agents if agent.name == symbol.agent), None)


def _local_at(snapshot: Snapshot, agent: Agent, word: Span) -> Symbol | None:
    """The variable without ``$`` that *word* is; looked for only where step, brace or heading can mean one."""
    placed = snapshot.placed_at_block(snapshot.block_index_at(word.start))
    name = word.of(snapshot.text)
    if placed is None or not name:
        return None
    at = snapshot.step_at(word.start)
    facts = own_facts(snapshot.step(at)) if at is not None else None
    is_step = facts is not None and name in facts.sets | facts.read_names
    if not is_step and not any(one.name == name for one in placed.playbook.parameters) and "{" not in snapshot.text:
        return None
    symbol = Symbol(SymbolKind.VARIABLE, name, agent.name, placed.playbook.name)
    return symbol if _covers(snapshot, symbol, word) else None


def _locals(snapshot: Snapshot, symbol: Symbol) -> Iterator[Usage]:
    """Where a variable without ``$`` stands: in its playbook, in the steps that set or read it and in braces."""
    agent = _agent(snapshot, symbol)
    playbook = next((each for each in agent.playbooks if each.name == symbol.playbook), None) if agent else None
    placed = next((each for each in snapshot.structure.placed if each.playbook is playbook), None)
    if agent is None or playbook is None or placed is None:
        return
    mention = re.compile(rf"(?<![\w$.]){re.escape(symbol.name)}(?!\w|\s*\()")
    is_parameter = any(each.name == symbol.name and not each.is_state for each in playbook.parameters)
    found = list(_in_steps(snapshot, playbook, symbol.name, mention))
    if is_parameter and playbook.heading is not None:
        start, text = snapshot.block_starts[placed.start], playbook.heading.text
        matches = mention.finditer(text, text.find("(") + 1) if "(" in text else ()
        yield from (Usage(Span(*match.span()).shifted(start), is_definition=True) for match in matches)
        yield from map(Usage, _keywords(snapshot, agent, playbook, symbol.name))
    if found or is_parameter:
        yield from found
        yield from (Usage(span) for span in _in_braces(snapshot, placed, mention))


def _in_steps(snapshot: Snapshot, playbook: Playbook, name: str, mention: re.Pattern[str]) -> Iterator[Usage]:
    """In the words of the steps that set or read it: not in texts, and not as the name of an argument."""
    steps = (step for section in playbook.sections for root in section.steps for step in root.walk())
    for step in steps:
        facts = own_facts(step)
        if name not in facts.sets and name not in facts.read_names:
            continue
        span = snapshot.text_span(step.id)
        text = _QUOTED.sub(lambda match: " " * len(match[0]), span.of(snapshot.text))
        is_first = name in facts.sets
        for match in mention.finditer(text):
            if not _is_argument(text, match):
                yield Usage(Span(*match.span()).shifted(span.start), is_definition=is_first)
                is_first = False


def _is_argument(text: str, match: re.Match[str]) -> bool:
    """Whether *match* is the name of an argument, which is known to whoever is called."""
    return _ARGUMENT.search(text[: match.start()]) is not None and _IS_NAMED.match(text, match.end()) is not None


def _in_braces(snapshot: Snapshot, placed: PlacedPlaybook, mention: re.Pattern[str]) -> Iterator[Span]:
    """In what is filled into texts and descriptions of the playbook."""
    blocks = snapshot.blocks[placed.start : placed.stop]
    for block, start in zip(blocks, snapshot.block_starts[placed.start :], strict=False):
        text = _readable(block) if block.kind in _MEANT else ""
        for brace in _BRACE.finditer(text):
            inside = mention.finditer(text, brace.start(), brace.end())
            yield from (Span(*match.span()).shifted(start) for match in inside if not _is_argument(text, match))


def _variables(snapshot: Snapshot, symbol: Symbol) -> Iterator[Usage]:
    if symbol.playbook:
        yield from _locals(snapshot, symbol)
        return
    agent = _agent(snapshot, symbol)
    if agent is None:
        return
    mention = re.compile(rf"(?<![\w$])\${re.escape(symbol.name)}(?!\w)")
    in_python = re.compile(rf"\.state(?:\.|\[[\"'])({re.escape(symbol.name)})(?!\w)")
    for block, start in _blocks_of(snapshot, agent):
        text = _readable(block)
        spans = [Span(match.start() + 1, match.end()) for match in mention.finditer(text)]
        if block.kind is BlockKind.FENCE:
            spans += [Span(*match.span(1)) for match in in_python.finditer(text)]
        for span in spans:
            place = span.shifted(start)
            yield Usage(place, _sets(snapshot, place.start, symbol.written) or block.kind is BlockKind.HEADING)
    for playbook in agent.playbooks:
        if any(each.name == symbol.name and each.is_state for each in playbook.parameters):
            yield from map(Usage, _keywords(snapshot, agent, playbook, symbol.name))


def _sets(snapshot: Snapshot, offset: int, name: str) -> bool:
    """Whether the step at *offset* sets the variable *name*, and does so there: where it stands first in the step."""
    at = snapshot.step_at(offset)
    if at is None or name not in own_facts(snapshot.step(at)).sets:
        return False
    return snapshot.text.find(name, snapshot.head_span(at).start) == offset - 1


def _keywords(snapshot: Snapshot, agent: Agent, playbook: Playbook, name: str) -> Iterator[Span]:
    """Where calls of *playbook* say the parameter *name*, in brackets or behind ``with:``, and where it is offered."""
    yield from offered(snapshot, agent, playbook.name, name)
    keyword = re.compile(rf"(?<![\w$.]){re.escape(name)}(?=\s*=(?!=))")
    text = snapshot.text
    for call in calls_of(snapshot, playbook, playbook.name):
        end = _closing(text, call.span.end)
        yield from (Span(*match.span()) for match in keyword.finditer(text, call.span.end, end))


def _closing(text: str, at: int) -> int:
    """Where the arguments end that begin at *at*: with their bracket, or the line."""
    match = _KEYWORD_END.search(text, at)
    stop = match.start() if match else len(text)
    if text[at : at + 1] != "(":
        return stop
    depth = 0
    for place in range(at, stop):
        depth += (text[place] == "(") - (text[place] == ")")
        if not depth:
            return place
    return stop


def _blocks_of(snapshot: Snapshot, agent: Agent) -> Iterator[tuple[Block, int]]:
    """The blocks of *agent* that can speak of its variables, each with where it begins."""
    for block, (start, _end) in zip(snapshot.blocks, pairwise(snapshot.block_starts), strict=True):
        is_code = block.kind is BlockKind.FENCE and block.title in ("python", PUBLIC_INTERFACE)
        if (block.kind in _MEANT or is_code) and agent_at(snapshot, start) is agent:
            yield block, start


def _readable(block: Block) -> str:
    """The text of *block* with blanks in place of code in other languages, which has variables of its own."""
    if block.kind is BlockKind.FENCE or ("```" not in block.text and "~~~" not in block.text):
        return block.text
    return _FENCE.sub(lambda match: " " * len(match[0]), block.text)


def _playbooks(snapshot: Snapshot, symbol: Symbol) -> Iterator[Usage]:
    agent = _agent(snapshot, symbol)
    if agent is None:
        return
    for playbook in agent.playbooks:
        if playbook.name == symbol.name:
            if playbook.heading is not None:
                start = next(at for at, one in _placed(snapshot) if one is playbook.heading)
                name = span_in_title(playbook.heading, written_name(playbook))
                if name is not None:
                    yield Usage(name.shifted(start), is_definition=True)
            yield from (Usage(call.span) for call in calls_of(snapshot, playbook, playbook.name))
            yield from map(Usage, offered(snapshot, agent, playbook.name))
            return


def _placed(snapshot: Snapshot) -> Iterator[tuple[int, Block]]:
    yield from zip(snapshot.block_starts, snapshot.blocks, strict=False)


def _tools(snapshot: Snapshot, symbol: Symbol) -> Iterator[Usage]:
    agent = _agent(snapshot, symbol) or next(iter(snapshot.program.agents), None)
    own = agent is not None and any(one.name == symbol.name for one in agent.functions)
    for (start, block), root in zip(_placed(snapshot), snapshot.roots, strict=True):
        awaited = awaited_in(block, root, (symbol.name,), agent.name) if agent is not None else ()
        yield from (Usage(span.shifted(start)) for span in awaited)
        for span in calls_in_block(block, symbol.name, agent) if agent is not None else ():
            is_definition = own and re.search(r"\bdef\s+\Z", block.text[: span.start]) is not None
            yield Usage(span.shifted(start), is_definition)
        if block.kind in _SETTING and "tools" in block.text and not snapshot.program.format.is_steplist:
            yield from (Usage(span.shifted(start)) for span in _in_setting(block.text, symbol.name))
        if block.kind is BlockKind.ITEM and snapshot.program.format.is_steplist:
            yield from (Usage(span.shifted(start)) for span in _in_entry(block.text, symbol.name))


def _in_setting(text: str, name: str) -> Iterator[Span]:
    """Where the setting ``tools:`` of a file, an agent or a playbook names a tool: on its line, or as entries below."""
    for said in _TOOLS.finditer(text):
        for match in re.finditer(rf"(?<![\w.$-]){re.escape(name)}(?![\w.(-])", said["names"]):
            yield Span(*match.span()).shifted(said.start("names"))


def _in_entry(text: str, name: str) -> Iterator[Span]:
    """Where an entry of a step list names a tool: as a whole value."""
    whole = rf"""(?<=[\s:\[,"'-]){re.escape(name)}(?=["']?[ \t]*(?:[,\]}}#\r\n]|\Z))"""
    yield from (Span(*match.span()) for match in re.finditer(whole, text))


_FINDERS: dict[SymbolKind, Callable[[Snapshot, Symbol], Iterator[Usage]]] = {
    SymbolKind.VARIABLE: _variables,
    SymbolKind.PLAYBOOK: _playbooks,
    SymbolKind.TOOL: _tools,
}
