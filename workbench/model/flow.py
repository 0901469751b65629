"""A playbook as a flow graph: what can come after what, as nodes and edges, and as a graph of ``networkx``.

``networkx`` takes a fifth of a second to import, so only what gives such a graph loads it. A graph of it has one edge
from one node to another; ``flow_parts`` keeps both where a decision without steps leads twice to what follows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from workbench.i18n import _
from workbench.model.decisions import chains, is_total
from workbench.model.inner_calls import called_in
from workbench.model.links import FileLink, file_links
from workbench.model.meaning import (
    Branch,
    End,
    Judge,
    Jump,
    JumpForm,
    Meaning,
    Return,
    RouteKind,
    StepKind,
    actions_of,
)
from workbench.model.procedures.numbers import jump_target
from workbench.model.program import Playbook, PythonFunction, Step, StepId, prompt_id
from workbench.model.queries import Queries
from workbench.model.steplists.edges import edges_of
from workbench.syntax.python_functions import place_of_function

if TYPE_CHECKING:
    import networkx as nx


class FlowNode(NamedTuple):
    """A node: a step by its id, a playbook, its prompt or its end. *label*: its words; *line*: from 1; *step*: its
    address, empty for what has none.
    """

    id: str
    kind: StepKind
    label: str
    line: int
    step: str = ""


class FlowEdge(NamedTuple):
    """A way from one node to another. *label*: when it is taken, where the graph says it."""

    source: str
    target: str
    kind: RouteKind
    label: str = ""


@dataclass(frozen=True, slots=True)
class FlowParts:
    """The nodes of one playbook, the playbook itself first, and the ways between them, none twice."""

    nodes: tuple[FlowNode, ...]
    edges: tuple[FlowEdge, ...]


def flow_of_program(document: Queries) -> nx.DiGraph[str]:
    """The graphs of all playbooks in one, with ``call`` edges from each call to the playbook it calls.

    A step that links to another file of the project has a ``link`` edge to the node of that file.
    """
    import networkx as nx  # noqa: PLC0415 - it takes a fifth of a second to load

    graph: nx.DiGraph[str] = nx.DiGraph()
    for playbook in document.program.playbooks:
        graph.update(flow_of(document, playbook))
    for function in document.program.functions:
        _add_function(graph, document, function)
    for playbook in document.program.playbooks:
        for root in playbook.steps:
            for step in root.walk():
                for target in called_in(document, step):
                    graph.add_edge(step.id, title_id(target), kind=RouteKind.CALL.value)
    for _block, link in file_links(document):
        if link.step in graph:
            _add_file(graph, link)
    return graph


def _add_file(graph: nx.DiGraph[str], link: FileLink) -> None:
    """A node for the file that *link* leads to, one for all links to it, and the way there."""
    node = f"file:{link.path}"
    graph.add_node(node, kind="file", label=link.path, line=0, step="", playbook="")
    graph.add_edge(link.step, node, kind=RouteKind.LINK.value)


def _add_function(graph: nx.DiGraph[str], document: Queries, function: PythonFunction) -> None:
    """A node for a playbook in Python, and one for each of its triggers."""
    name = function.name
    line = document.lines.line(place_of_function(document.text, name)) + 1
    about = {"line": line, "step": "", "playbook": name}
    graph.add_node(f"playbook:{name}", kind=StepKind.CALL.value, label=name, **about)
    for number, text in enumerate(function.triggers, 1):
        trigger = f"trigger:{name}:{number}"
        graph.add_node(trigger, kind=StepKind.TRIGGER.value, label=text, **about)
        graph.add_edge(trigger, f"playbook:{name}", kind=RouteKind.NEXT.value)


def title_id(playbook: Playbook | PythonFunction) -> str:
    """The id of the node that stands for the playbook itself."""
    return f"playbook:{playbook.address if isinstance(playbook, Playbook) else playbook.name}"


def flow_of(document: Queries, playbook: Playbook) -> nx.DiGraph[str]:
    """The graph of one playbook.

    Nodes are step ids, one node for the playbook itself, and one for the whole text of a prompt, with ``kind``,
    ``label``, ``line``, ``step`` (address) and ``playbook``; edges have a ``kind``: next, yes, no,
    repeat, jump.
    """
    import networkx as nx  # noqa: PLC0415 - as above

    parts = flow_parts(document, playbook)
    graph: nx.DiGraph[str] = nx.DiGraph()
    for node in parts.nodes:
        graph.add_node(
            node.id, kind=node.kind.value, label=node.label, line=node.line, step=node.step, playbook=playbook.address
        )
    for edge in parts.edges:
        words = {"label": edge.label} if edge.label else {}
        graph.add_edge(edge.source, edge.target, kind=edge.kind.value, **words)
    return graph


def flow_parts(document: Queries, playbook: Playbook) -> FlowParts:
    """The nodes and edges of one playbook, in the order of the text."""
    return _Flow(document, playbook).parts()


@dataclass(slots=True)
class _Exit:
    """An open end: an edge of *kind* from *node* to whatever comes next."""

    node: str
    kind: RouteKind = RouteKind.NEXT


@dataclass(slots=True)
class _Around:
    """The loop that steps stand in: where ``continue`` goes, and who leaves by ``break``."""

    header: StepId
    breaks: list[_Exit] = field(default_factory=list)


class _Flow:
    def __init__(self, document: Queries, playbook: Playbook) -> None:
        self._document = document
        self._playbook = playbook
        self._nodes: list[FlowNode] = []
        self._edges: dict[FlowEdge, None] = {}
        self._jumps: list[tuple[StepId, str]] = []
        self._ends: list[StepId] = []

    def parts(self) -> FlowParts:
        playbook = self._playbook
        title = title_id(playbook)
        self._nodes.append(FlowNode(title, StepKind.CALL, playbook.title, self._heading_line()))
        for trigger in playbook.triggers:
            self._node(trigger)
            self._edge(trigger.id, title)
        for note in playbook.notes:
            self._node(note)
        if playbook.is_ordered:
            self._in_order(title)
        else:
            self._loose(title)
        return FlowParts(tuple(self._nodes), tuple(self._edges))

    def _in_order(self, title: str) -> None:
        """The steps one after the other, the end where the flow reaches it, and the jumps."""
        playbook = self._playbook
        exits = self._prompt(title) if playbook.is_prompt else self._sequence(playbook.steps, [_Exit(title)], None)
        if self._ends or any(exit_.node != title for exit_ in exits):
            end = f"end:{playbook.address}"
            self._nodes.append(FlowNode(end, StepKind.END, _("End"), self._heading_line()))
            self._connect([*(_Exit(node, RouteKind.JUMP) for node in self._ends), *exits], end)
        for source, number in self._jumps:
            target = jump_target(self._document, source, number)
            if target is not None:
                self._edge(source, target.id, RouteKind.JUMP)

    def _prompt(self, title: str) -> list[_Exit]:
        """The one box of a prompt: its text, and the address that a run has while it is carried out."""
        playbook = self._playbook
        node = prompt_id(playbook)
        label = playbook.description.strip() or playbook.title
        self._nodes.append(FlowNode(node, StepKind.STEP, label, self._heading_line(), playbook.address))
        self._edge(title, node)
        return [_Exit(node)]

    def _loose(self, title: str) -> None:
        """Steps without an order, or with one that they name themselves."""
        steps = [step for root in self._playbook.steps for step in root.walk() if not step.children]
        for step in steps:
            self._node(step)
        edges = list(edges_of(self._playbook))
        reached = {edge.target for edge in edges}
        for step in steps:
            if step.id not in reached:
                self._edge(title, step.id)
        for edge in edges:
            self._edge(edge.source, edge.target, edge.kind, edge.label)

    def _heading_line(self) -> int:
        placed = self._document.placed_named(self._playbook.address)
        return self._document.lines.line(self._document.block_starts[placed.start]) + 1 if placed else 1

    def _node(self, step: Step) -> None:
        document = self._document
        self._nodes.append(FlowNode(step.id, step.kind, step.text, document.line(step.id), document.address(step.id)))

    def _edge(self, source: str, target: str, kind: RouteKind = RouteKind.NEXT, label: str = "") -> None:
        self._edges[FlowEdge(source, target, kind, label)] = None

    def _connect(self, exits: Iterable[_Exit], target: str) -> None:
        for exit_ in exits:
            self._edge(exit_.node, target, exit_.kind)

    def _sequence(self, steps: tuple[Step, ...], exits: list[_Exit], around: _Around | None) -> list[_Exit]:
        for chain in chains(steps):
            for step in chain:
                self._node(step)
            self._connect(exits, chain[0].id)
            exits = self._after(chain, around)
        return exits

    def _after(self, chain: tuple[Step, ...], around: _Around | None) -> list[_Exit]:
        """The open ends of one step or one decision."""
        step = chain[0]
        if step.kind is StepKind.DECISION:
            return self._decision(chain, around)
        if step.kind is StepKind.LOOP:
            inner = _Around(step.id)
            exits = self._acted(step, actions_of(step.meaning), _Exit(step.id, RouteKind.YES), inner)
            for exit_ in self._sequence(step.children, exits, inner):
                self._edge(exit_.node, step.id, RouteKind.REPEAT)
            return [_Exit(step.id, RouteKind.NO), *inner.breaks]
        exits = self._acted(step, actions_of(step.meaning), _Exit(step.id), around)
        return self._sequence(step.children, exits, around) if exits else []

    def _acted(self, step: Step, actions: tuple[Meaning, ...], on: _Exit, around: _Around | None) -> list[_Exit]:
        """The open ends behind what *step* does on its own line, which goes *on* unless it leads elsewhere."""
        last = actions[-1] if actions else None
        if isinstance(last, Jump):
            return self._jump(step, last, around)
        if isinstance(last, Return | End):
            return []
        outcomes = last.outcomes if isinstance(last, Judge) else ()
        exits = [on]
        for outcome in outcomes:
            if isinstance(outcome, Jump):
                exits += self._jump(step, outcome, around)
            else:
                self._ends.append(step.id)
        return exits

    def _decision(self, arms: tuple[Step, ...], around: _Around | None) -> list[_Exit]:
        exits: list[_Exit] = []
        before: Step | None = None
        for arm in arms:
            branch = arm.meaning
            assert isinstance(branch, Branch)
            if before is not None:
                self._edge(before.id, arm.id, RouteKind.NO)
            kind = RouteKind.NEXT if arm is arms[-1] and is_total(arms) else RouteKind.YES
            after = self._acted(arm, actions_of(branch), _Exit(arm.id, kind), around)
            exits += self._sequence(arm.children, after, around) if after else []
            before = arm
        if not is_total(arms):
            exits.append(_Exit(arms[-1].id, RouteKind.NO))
        return exits

    def _jump(self, step: Step, jump: Jump, around: _Around | None) -> list[_Exit]:
        if jump.form is JumpForm.GO_TO:
            self._jumps.append((step.id, jump.number))
        elif around is None:
            return [_Exit(step.id)]
        elif jump.form is JumpForm.CONTINUE:
            self._edge(step.id, around.header, RouteKind.REPEAT)
        else:
            around.breaks.append(_Exit(step.id, RouteKind.JUMP))
        return []
