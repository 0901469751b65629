"""Processes as the XML of BPMN 2.0, with the diagram that shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from workbench.model.layout.shapes import Rect
from workbench.pages.bpmn.elements import GATEWAY, Node, Process, Remark
from workbench.pages.bpmn.places import bounds
from workbench.pages.page import px, safe

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"'
    ' xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC"'
    ' xmlns:di="http://www.omg.org/spec/DD/20100524/DI" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    ' id="definitions" targetNamespace="urn:playbook" expressionLanguage="urn:playbook:expression"'
    ' exporter="Playbook Workbench"'
)
_TITLE_PX = 30.0
_LABEL = (98.0, 40.0)


def bpmn_text(processes: Sequence[Process], title: str) -> str:
    """*processes*, called *title* together, as one file."""
    lines = [f'{_HEAD} name="{safe(title)}">', *_around(processes)]
    for process in processes:
        lines += _process(process)
    return "".join(f"{line}\n" for line in (*lines, *_diagram(processes), "</definitions>"))


def _around(processes: Sequence[Process]) -> Iterator[str]:
    """What stands beside the processes: who takes part, messages, and the names of frames."""
    for process in processes:
        for name, words in process.messages.items():
            yield f'<message id="{name}" name="{safe(words)}"/>'
    for process in processes:
        for remark in process.remarks:
            if remark.is_frame:
                value = f'<categoryValue id="{remark.id}_value" value="{safe(remark.text)}"/>'
                yield f'<category id="{remark.id}_category">{value}</category>'
    if processes:
        pools = [f'<participant id="{p.id}_pool" name="{safe(p.name)}" processRef="{p.id}"/>' for p in processes]
        yield f'<collaboration id="together">{"".join(pools)}</collaboration>'


def _process(process: Process) -> Iterator[str]:
    """One process: its lane, elements, flows, and what nothing is done for."""
    yield f'<process id="{process.id}" name="{safe(process.name)}" isExecutable="false">'
    yield from _documentation(process.documentation)
    outer = [node for node in process.nodes if node.id not in process.loose]
    if process.lane:
        refs = "".join(f"<flowNodeRef>{node.id}</flowNodeRef>" for node in outer)
        lane = f'<lane id="{process.id}_lane" name="{safe(process.lane)}">{refs}</lane>'
        yield f'<laneSet id="{process.id}_lanes">{lane}</laneSet>'
    ways = _Ways(process)
    inside = [line for node in process.nodes if node.id in process.loose for line in _node(node, ways, ())]
    for node in outer:
        yield from _node(node, ways, inside if node.id == process.any_order else ())
    for flow in process.flows:
        ends = f'sourceRef="{flow.source}" targetRef="{flow.target}"'
        name = f' name="{safe(flow.name)}"' if flow.name else ""
        yield f'<sequenceFlow id="{flow.id}"{name} {ends}>{flow.condition}</sequenceFlow>'
    yield from map(_remark, process.remarks)
    yield "</process>"


class _Ways:
    """The flows that lead to and from each node of a process, and the one that a gateway takes by default."""

    def __init__(self, process: Process) -> None:
        self.into: dict[str, list[str]] = {}
        self.out: dict[str, list[str]] = {}
        self.default: dict[str, str] = {}
        for flow in process.flows:
            self.into.setdefault(flow.target, []).append(flow.id)
            self.out.setdefault(flow.source, []).append(flow.id)
            if flow.is_default:
                self.default[flow.source] = flow.id


def _node(node: Node, ways: _Ways, inside: Iterable[str]) -> Iterator[str]:
    attributes = dict(node.kind.attributes)
    if node.kind.tag == GATEWAY and node.id in ways.default:
        attributes["default"] = ways.default[node.id]
    written = "".join(f' {name}="{safe(value)}"' for name, value in attributes.items())
    name = f' name="{safe(node.name)}"' if node.name else ""
    yield f'<{node.kind.tag} id="{node.id}"{name}{written}>'
    yield from _documentation(node.documentation)
    yield from (f"<incoming>{flow}</incoming>" for flow in ways.into.get(node.id, ()))
    yield from (f"<outgoing>{flow}</outgoing>" for flow in ways.out.get(node.id, ()))
    yield from inside
    if node.kind.inside:
        yield node.kind.inside
    yield f"</{node.kind.tag}>"


def _documentation(text: str) -> Iterator[str]:
    if text:
        yield f"<documentation>{safe(text)}</documentation>"


def _remark(remark: Remark) -> str:
    if remark.is_frame:
        return f'<group id="{remark.id}" categoryValueRef="{remark.id}_value"/>'
    return f'<textAnnotation id="{remark.id}"><text>{safe(remark.text)}</text></textAnnotation>'


def _diagram(processes: Sequence[Process]) -> Iterator[str]:
    """Where everything stands, pool by pool."""
    if not processes:
        return
    yield '<bpmndi:BPMNDiagram id="diagram"><bpmndi:BPMNPlane id="plane" bpmnElement="together">'
    for process in processes:
        rect = pool_of(process)
        yield _shape(f"{process.id}_pool", rect, ' isHorizontal="false"')
        if process.lane:
            inner = Rect(rect.x, rect.y + _TITLE_PX, rect.width, rect.height - _TITLE_PX)
            yield _shape(f"{process.id}_lane", inner, ' isHorizontal="false"')
        for node in sorted(process.nodes, key=lambda node: node.id != process.any_order):
            yield _shape(node.id, node.rect, _look(node, process), _label(node))
        for remark in process.remarks:
            yield _shape(remark.id, remark.rect, "")
        for flow in process.flows:
            points = "".join(f'<di:waypoint x="{px(x)}" y="{px(y)}"/>' for x, y in flow.points)
            yield f'<bpmndi:BPMNEdge id="{flow.id}_di" bpmnElement="{flow.id}">{points}</bpmndi:BPMNEdge>'
    yield "</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>"


def pool_of(process: Process) -> Rect:
    """The place of a whole process, with its title above."""
    rects = [node.rect for node in process.nodes] + [remark.rect for remark in process.remarks]
    points = [point for flow in process.flows for point in flow.points]
    inner = bounds(rects or [Rect(48.0, 48.0, 240.0, 80.0)], points)
    above = _TITLE_PX * (2 if process.lane else 1)
    return Rect(inner.x, inner.y - above, inner.width, inner.height + above)


def _look(node: Node, process: Process) -> str:
    if node.kind.tag == GATEWAY:
        return ' isMarkerVisible="true"'
    return ' isExpanded="true"' if node.id == process.any_order else ""


def _label(node: Node) -> str:
    """Where the name of what is round stands: left below a gateway, where its ways leave room, right of an event."""
    if not node.name or not node.is_round:
        return ""
    width, height = _LABEL
    rect = node.rect
    if node.kind.tag == GATEWAY:
        place = Rect(rect.x - width + 8.0, rect.y + rect.height / 2 + 6.0, width, height)
    else:
        place = Rect(rect.x + rect.width + 6.0, rect.y + rect.height / 2 - height / 2, width, height)
    return f"<bpmndi:BPMNLabel>{_bounds(place)}</bpmndi:BPMNLabel>"


def _shape(name: str, rect: Rect, look: str, label: str = "") -> str:
    inside = f"{_bounds(rect)}{label}"
    return f'<bpmndi:BPMNShape id="{name}_di" bpmnElement="{name}"{look}>{inside}</bpmndi:BPMNShape>'


def _bounds(rect: Rect) -> str:
    x, y, width, height = map(px, rect)
    return f'<dc:Bounds x="{x}" y="{y}" width="{width}" height="{height}"/>'
