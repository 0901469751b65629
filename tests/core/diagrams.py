"""Reads exported diagrams back, and says what has to be in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

from hypothesis import assume

from workbench.model.snapshot import Snapshot, derive
from workbench.pages.diagrams.forms import Form, Wish, exported
from workbench.pages.parts import Part, part_of, step_names
from workbench.syntax.text import SourceText

SVG = "{http://www.w3.org/2000/svg}"
_NODE = re.compile(r'\s*(\w+)(?:\[\[|\[\(|\(\[|\[/|\[\\|\{\{|\[|\{|>)"(.*)"(?:\]\]|\)\]|\]\)|/\]|\\\]|\}\}|\]|\})')
_FRAME = re.compile(r'\s*subgraph (\w+)\["(.*)"\]')
_WAY = re.compile(r'\s*(\w+) (-->|-\.->)(?:\|"(.*)"\|)? (\w+)')
_NUMBER = re.compile(r"#(\d+|quot);")
TEXTS = (Form.MERMAID, Form.BPMN, Form.SVG, Form.HTML)


def snapshot_of(text: str) -> Snapshot:
    """What *text* means."""
    return derive(SourceText(text))


def part(text: str, playbook: str = "") -> Part:
    """All of *text*, or its *playbook*, to be exported."""
    return part_of(snapshot_of(text), "a.md", playbook)


def part_or_nothing(text: str) -> Part:
    """The same; the example does not count where the text is that of another program."""
    assume(not snapshot_of(text).program.foreign)
    return part(text)


def text_of(of: Part, form: Form) -> str:
    """*of* in a *form* that is a text."""
    return exported(of, Wish(form), _no_qt).decode("utf-8")


def _no_qt(_part: Part, _wish: Wish) -> bytes:
    raise AssertionError("a text needs no Qt")


def mermaid_nodes(text: str) -> list[tuple[str, str]]:
    """Name and words of every node and every frame."""
    found = [match for line in text.splitlines() if (match := _FRAME.fullmatch(line) or _NODE.fullmatch(line))]
    return [(match[1], _NUMBER.sub(_letter, match[2])) for match in found]


def mermaid_ways(text: str) -> list[tuple[str, str, str]]:
    """Where every way begins, what stands on it, and where it ends."""
    found = [match for line in text.splitlines() if (match := _WAY.fullmatch(line))]
    return [(match[1], match[3] or "", match[4]) for match in found]


def _letter(found: re.Match[str]) -> str:
    return '"' if found[1] == "quot" else chr(int(found[1]))


def svg_blocks(text: str) -> dict[str, str]:
    """The words in the title of every block that has a name, by that name. Fails where two have one name."""
    root = ET.fromstring(text)
    blocks = [each for each in root.iter(f"{SVG}g") if each.get("id")]
    found = {str(each.get("id")): str(each.findtext(f"{SVG}title")) for each in blocks}
    assert len(found) == len(blocks)
    return found


class Page(HTMLParser):
    """What a page holds: names, links, tags that never end, and all of its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: Counter[str] = Counter()
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.open: list[str] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in {"meta", "br", "rect", "polygon", "polyline", "path", "circle"}:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.names[value or ""] += 1
            if name in {"href", "src"}:
                self.links.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


MODEL = "{http://www.omg.org/spec/BPMN/20100524/MODEL}"
_DI = "{http://www.omg.org/spec/BPMN/20100524/DI}"
_POINT = "{http://www.omg.org/spec/DD/20100524/DI}waypoint"
_BOUNDS = "{http://www.omg.org/spec/DD/20100524/DC}Bounds"
_NOT_DRAWN = frozenset("definitions message category categoryValue collaboration process laneSet sequenceFlow".split())
_ORDER = (
    *("documentation", "laneSet", "incoming", "outgoing", "flow", "artifact"),
    *("script", "definition", "conditionExpression", "completionCondition", "text", "flowNodeRef"),
)
_ARTIFACTS = frozenset({"textAnnotation", "group"})


class Bpmn:
    """A file of BPMN, read by the standard library, with what the schema and common sense want of it.

    *elements*: the tag of every element by its id; *flows*: source and target of every flow.
    """

    def __init__(self, text: str) -> None:
        self.root = ET.fromstring(text)
        named = [(str(each.get("id")), each) for each in self.root.iter() if each.get("id")]
        assert len({name for name, _each in named}) == len(named)
        self.by_id = dict(named)
        own = {name: each for name, each in named if each.tag.startswith(MODEL)}
        self.elements = {name: each.tag.removeprefix(MODEL) for name, each in own.items()}
        found = self.root.iter(f"{MODEL}sequenceFlow")
        self.flows = {str(each.get("id")): (str(each.get("sourceRef")), str(each.get("targetRef"))) for each in found}

    def check(self) -> None:
        """Every flow has both ends, every end names its flow, every element is drawn once, gateways are balanced."""
        self._check_ends()
        self._check_drawn()
        self._check_gateways()
        for each in self.root.iter():
            if each.tag.startswith(MODEL) and each is not self.root:
                places = [_ORDER.index(kind) for child in each if (kind := _sort(child)) in _ORDER]
                assert places == sorted(places), each.get("id")

    def _check_ends(self) -> None:
        for tag, at in (("outgoing", 0), ("incoming", 1)):
            told = sorted(
                (str(each.get("id")), str(child.text))
                for each in self.by_id.values()
                for child in each.findall(f"{MODEL}{tag}")
            )
            assert told == sorted((ends[at], flow) for flow, ends in self.flows.items())
        process_of = {
            name: process.get("id") for process in self.root.iter(f"{MODEL}process") for name in _ids(process)
        }
        assert all(process_of[source] == process_of[target] for source, target in self.flows.values())

    def _check_drawn(self) -> None:
        shapes = [str(each.get("bpmnElement")) for each in self.root.iter(f"{_DI}BPMNShape")]
        edges = [str(each.get("bpmnElement")) for each in self.root.iter(f"{_DI}BPMNEdge")]
        assert sorted(shapes) == sorted(name for name, tag in self.elements.items() if tag not in _NOT_DRAWN)
        assert sorted(edges) == sorted(self.flows)
        for each in self.root.iter(f"{_DI}BPMNShape"):
            bounds = each.find(_BOUNDS)
            assert bounds is not None
            assert float(bounds.get("width", 0)) > 0 < float(bounds.get("height", 0))
        for each in self.root.iter(f"{_DI}BPMNEdge"):
            assert len(each.findall(_POINT)) >= 2

    def _check_gateways(self) -> None:
        for name, tag in self.elements.items():
            into = [flow for flow, ends in self.flows.items() if ends[1] == name]
            out = [flow for flow, ends in self.flows.items() if ends[0] == name]
            if tag.endswith("Gateway"):
                is_join = self.by_id[name].get("gatewayDirection") == "Converging"
                assert (len(out) == 1 and len(into) >= 1) if is_join else len(out) >= 2, name
                default = self.by_id[name].get("default")
                assert default is None or default in out
            if tag == "startEvent":
                assert not into
            if tag == "endEvent":
                assert not out


def _ids(element: ET.Element) -> Iterator[str]:
    return (str(each.get("id")) for each in element.iter() if each.get("id"))


def _sort(child: ET.Element) -> str:
    """Which part of its parent an element is, as the schema orders them."""
    tag = child.tag.removeprefix(MODEL)
    if tag.endswith(("Task", "Event", "Gateway", "Process", "Activity")) or tag in {"task", "sequenceFlow"}:
        return "flow"
    if tag.endswith("EventDefinition"):
        return "definition"
    return "artifact" if tag in _ARTIFACTS else tag


def names_in(of: Part, form: Form) -> Counter[str]:
    """How often each name of a step is that of something in the *form*."""
    text = text_of(of, form)
    if form is Form.MERMAID:
        return Counter(name for name, _words in mermaid_nodes(text))
    if form is Form.BPMN:
        return Counter(list(Bpmn(text).elements))
    return Counter(list(svg_blocks(text))) if form is Form.SVG else Page(text).names


def check_all_steps_once(of: Part, forms: tuple[Form, ...] = TEXTS) -> None:
    """Every step has exactly one block in every form, and writing it again gives the same bytes."""
    names = set(step_names(of).values())
    for form in forms:
        found = names_in(of, form)
        assert {name: found[name] for name in names} == dict.fromkeys(names, 1), form
        assert text_of(of, form) == text_of(of, form)
    if Form.BPMN in forms:
        Bpmn(text_of(of, Form.BPMN)).check()


def all_names(of: Part) -> Iterator[str]:
    """The names of all steps."""
    yield from step_names(of).values()
