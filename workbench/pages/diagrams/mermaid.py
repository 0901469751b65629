"""A playbook as a Mermaid flowchart: a subgraph for each playbook, a node for each step, ways with their words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from workbench.i18n import _
from workbench.model.flow import flow_parts, title_id
from workbench.model.inner_calls import called_in
from workbench.model.links import file_links
from workbench.model.meaning import RouteKind, StepKind
from workbench.model.program import Playbook, PythonFunction, Step, StepId, prompt_id
from workbench.pages.kind_looks import LOOKS
from workbench.pages.parts import Part, playbook_title, step_names, step_words, steps_of, words
from workbench.regex import regex

MOST_EDGES = 500
"""How many ways Mermaid draws unless whoever shows the diagram allows more."""
_LONGEST = 400
_SHAPES = {
    StepKind.TRIGGER: ("([", "])"),
    StepKind.ASK: ("[/", "/]"),
    StepKind.TELL: ("[\\", "\\]"),
    StepKind.CALL: ("[[", "]]"),
    StepKind.DECISION: ("{", "}"),
    StepKind.LOOP: ("{{", "}}"),
    StepKind.RETURN: ("([", "])"),
    StepKind.END: ("([", "])"),
    StepKind.NOTE: (">", "]"),
}
_BOX = ("[", "]")
_ARROWS = {RouteKind.JUMP: "-.->", RouteKind.CALL: "-.->", RouteKind.LINK: "-.->"}
# what Mermaid reads something into, even between quotes; the colon only in words that it would take for styles or icons
_MARK = r"[\"#<&`\\]|%(?=[%{])|\$(?=\$)|(?<=\$)\$"
_MARKS = regex(_MARK)
_MARKS_OF_STYLES = regex(rf"{_MARK}|:")
_STYLES = regex(r"style|classDef|:fa-")
_LIST_MARK = regex(r"^(\d+)([.)])(?= )|^()([-*+])(?= )")


def mermaid_text(part: Part) -> str:
    """*part* as the text of a flowchart that runs from the top down."""
    return "".join(f"{line}\n" for line in _Chart(part).lines())


def escaped(text: str) -> str:
    """*text* as it can stand between quotes in Mermaid; what would mean something there is written as its number."""
    cut = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    marks = _MARKS_OF_STYLES if _STYLES.search(cut) else _MARKS
    numbered = marks.sub(lambda found: "#quot;" if found[0] == '"' else f"#{ord(found[0])};", cut)
    return _LIST_MARK.sub(lambda found: f"{found[1] or ''}#{ord(found[2] or found[4])};", numbered)


class _Chart:
    def __init__(self, part: Part) -> None:
        self._part = part
        self._names = step_names(part)
        self._ways: list[str] = []
        self._by_kind: dict[StepKind, list[str]] = {}
        self._playbooks = {id(playbook): name for name, playbook in part.playbooks}
        self._functions = {id(function): name for name, function in part.functions}

    def lines(self) -> Iterator[str]:
        """The whole text, line by line."""
        yield from ("---", f"title: {json.dumps(words(self._part.title), ensure_ascii=False)}", "---", "flowchart TD")
        agents = [agent for agent in self._part.snapshot.program.agents if agent.playbooks or agent.functions]
        for place, agent in enumerate(agents, 1):
            inside = [line for each in agent.playbooks for line in self._playbook(each, self._playbooks[id(each)])]
            inside += [line for each in agent.functions for line in self._function(each)]
            if len(agents) > 1:
                yield from _subgraph(f"a{place}", words(agent.title or agent.name), inside)
            else:
                yield from (f"  {line}" for line in inside)
        yield from (f"  {line}" for line in (*self._files(), *self._ways, *self._looks()))

    def _playbook(self, playbook: Playbook, name: str) -> Iterator[str]:
        """A playbook and everything in it; its ways are kept for the end."""
        parts = flow_parts(self._part.snapshot, playbook)
        steps = {step.id: step for step in steps_of(playbook)}
        title = playbook_title(playbook)
        own = {title_id(playbook): f"{name}_start", prompt_id(playbook): f"{name}_prompt"}
        own |= {f"end:{playbook.address}": f"{name}_end"} | {str(step): self._names[step] for step in steps}
        lines = [self._node(f"{name}_start", StepKind.TRIGGER, title)]
        lines += [self._node(own[one.id], one.kind, words(one.label)) for one in parts.nodes[1:] if one.id not in steps]
        lines += self._steps(playbook, {node.id for node in parts.nodes})
        for edge in parts.edges:
            if edge.source in own and edge.target in own:  # of a part, a jump may lead out
                self._way(own[edge.source], own[edge.target], edge.kind, edge.label)
        self._calls(steps)
        yield from _subgraph(name, title, lines)

    def _steps(self, playbook: Playbook, drawn: set[str]) -> Iterator[str]:
        """A node for each step; a step that only stands above others in a list without an order is a frame."""
        for roots in (playbook.triggers, playbook.steps, playbook.notes):
            for root in roots:
                yield from self._step(root, None, drawn)

    def _step(self, step: Step, above: Step | None, drawn: set[str]) -> Iterator[str]:
        name = self._names[step.id]
        inside = (line for child in step.children for line in self._step(child, step, drawn))
        label = f"{self._part.whole.number(step.id)} {step_words(step)}".strip()
        if step.children and step.id not in drawn:
            yield from _subgraph(name, label, inside)
            return
        yield self._node(name, step.kind, label)
        yield from inside
        if above is not None and above.id in drawn and step.id not in drawn:
            self._way(self._names[above.id], name, RouteKind.NEXT, "")

    def _node(self, name: str, kind: StepKind, label: str) -> str:
        opening, closing = _SHAPES.get(kind, _BOX)
        self._by_kind.setdefault(kind, []).append(name)
        return f'{name}{opening}"{escaped(label) or " "}"{closing}'

    def _way(self, source: str, target: str, kind: RouteKind, label: str) -> None:
        told = {
            RouteKind.YES: _("yes"),
            RouteKind.NO: _("no"),
            RouteKind.REPEAT: _("again"),
            RouteKind.CALL: _("calls"),
        }
        word = words(label) or told.get(kind, "")
        self._ways.append(f"{source} {_ARROWS.get(kind, '-->')}{_label(word)} {target}")

    def _calls(self, steps: Mapping[StepId, Step]) -> None:
        """The ways from steps to the playbooks and the functions of this file that they call."""
        for step in steps.values():
            for target in called_in(self._part.snapshot, step):
                goal = self._functions.get(id(target)) or f"{self._playbooks[id(target)]}_start"
                self._way(self._names[step.id], goal, RouteKind.CALL, "")

    def _function(self, function: PythonFunction) -> Iterator[str]:
        name = self._functions[id(function)]
        parameters = ", ".join([one.name for one in function.parameters])
        yield self._node(name, StepKind.CALL, words(f"{function.name}({parameters})"))
        for place, text in enumerate(function.triggers, 1):
            yield self._node(f"{name}_T{place}", StepKind.TRIGGER, words(text))
            self._way(f"{name}_T{place}", name, RouteKind.NEXT, "")

    def _files(self) -> Iterator[str]:
        """The files that steps link to, and the ways there."""
        known: dict[str, str] = {}
        for _block, link in file_links(self._part.snapshot):
            if link.step not in self._names:
                continue
            if link.path not in known:
                known[link.path] = f"file{len(known) + 1}"
                yield f'{known[link.path]}[("{escaped(words(link.path))}")]'
            self._way(self._names[link.step], known[link.path], RouteKind.LINK, "")

    def _looks(self) -> Iterator[str]:
        """What kinds of steps look like, besides their shapes."""
        for kind, names in self._by_kind.items():
            dash = ",stroke-dasharray:4 3" if kind in (StepKind.NOTE, StepKind.RAW) else ""
            yield f"classDef k_{kind.value} stroke:{LOOKS[kind].light}{dash}"
            yield f"class {','.join(names)} k_{kind.value}"


def _label(word: str) -> str:
    return f'|"{escaped(word)}"|' if word else ""


def _subgraph(name: str, title: str, inside: Iterable[str]) -> Iterator[str]:
    yield f'subgraph {name}["{escaped(title)}"]'
    yield from (f"  {line}" for line in inside)
    yield "end"
