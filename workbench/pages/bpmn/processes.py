"""Each playbook becomes a process, and so does each function in Python; a procedure is one that calls its chapters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from workbench.i18n import _
from workbench.model.layout.functions import FunctionLayout
from workbench.model.layout.program import Layout, layout_program
from workbench.model.layout.shapes import Rect, Shape
from workbench.model.meaning import (
    RouteKind,
    StepKind,
    TriggerEvent,
)
from workbench.model.program import Agent, Playbook
from workbench.model.steplists.edges import edges_of
from workbench.pages.bpmn.elements import (
    ALL,
    CONVERGING,
    DIVERGING,
    END,
    GATEWAY,
    JOIN_PX,
    START,
    Called,
    Exit,
    Flow,
    Kind,
    Node,
    Process,
    around,
    condition_of,
    expression,
    kind_of_step,
    kind_of_trigger,
    when,
)
from workbench.pages.bpmn.places import STRETCH, Places, Sheet, bounds, line
from workbench.pages.bpmn.walking import Walk
from workbench.pages.page import safe
from workbench.pages.parts import Part, playbook_title, step_names, step_words, steps_of, words


def processes_of(part: Part) -> tuple[Process, ...]:
    """A process for each playbook and each function of *part*; for a procedure, one that goes through its chapters."""
    layout = layout_program(part.snapshot)
    names = step_names(part)
    own = {id(playbook): name for name, playbook in part.playbooks}
    functions = {id(function): name for name, function in part.functions}
    ids = {id(each): name for name, each in (*part.playbooks, *part.functions)}
    agents = [agent for agent in part.snapshot.program.agents if agent.playbooks or agent.functions]
    owners = {id(playbook): agent for agent in agents for playbook in agent.playbooks}
    found = []
    for each in layout.playbooks:
        playbook = each.playbook
        owner = owners[id(playbook)]
        lane = words(owner.title or owner.name) if len(agents) > 1 else ""
        process = Process(own[id(playbook)], playbook_title(playbook), lane, playbook.description.strip())
        found.append(_filled(Sheet(part, process, names, Places(each)), playbook, _called(part, owner, ids)))
    top = 100.0
    for one in layout.functions:
        found.append(_of_function(one, functions[id(one.function)], top))
        top += 300.0 + 70.0 * len(one.boxes)
    return (*found, *_of_chapters(part, layout, own))


def _called(part: Part, owner: Agent, ids: Mapping[int, str]) -> Called:
    """What calls of *owner* mean in *part*, as *ids* name it."""

    def process_of(target: str) -> str:
        found = part.snapshot.program.called(target, owner.name)
        return ids.get(id(found[1]), "") if found is not None else ""

    return process_of


def _filled(sheet: Sheet, playbook: Playbook, called: Called) -> Process:
    """The process of *playbook* on *sheet*."""
    if playbook.is_chapter and not playbook.is_carried_out:
        for step in steps_of(playbook):
            sheet.remark(step)
        return sheet.process
    if not playbook.is_ordered:
        _in_any_order(sheet, playbook, called)
    else:
        walk = Walk(sheet, called, playbook.steps)
        exits = _prompt(sheet, playbook, _beginning(sheet, playbook))
        exits = walk.sequence(playbook.steps, exits)
        walk.finish_jumps()
        _end(sheet, exits)
    for note in playbook.notes:
        for step in note.walk():
            sheet.remark(step)
    return sheet.process


def _beginning(sheet: Sheet, playbook: Playbook) -> list[Exit]:
    """The start events: one for each trigger, and one for calls where none is that of the program."""
    process, ways = sheet.process, list[Exit]()
    if not playbook.is_start:
        ways.append(Exit(sheet.node(f"{process.id}_start", Kind(START), "", sheet.places.start)))
    for trigger in playbook.triggers:
        message = f"{sheet.name(trigger)}_message"
        if isinstance(trigger.meaning, TriggerEvent) and trigger.meaning.hearing is not None:
            process.messages[message] = " / ".join(trigger.meaning.hearing.words) or step_words(trigger)
        ways.append(Exit(sheet.step(trigger, kind_of_trigger(trigger, message))))
        for below in [*trigger.walk()][1:]:
            sheet.remark(below)
    if len(ways) < 2:
        return ways
    low = max(sheet.rects[way.node].y + sheet.rects[way.node].height for way in ways)
    spine = sheet.places.start.x + sheet.places.start.width / 2
    aside = [way._replace(lane=spine - 60.0) for way in ways[:-1]]
    return sheet.joined([*aside, ways[-1]], f"{process.id}_in", spine, low + 24.0)


def _prompt(sheet: Sheet, playbook: Playbook, exits: list[Exit]) -> list[Exit]:
    """The one task of a playbook that is carried out by its text."""
    place = sheet.places.own(Shape.BLOCK)
    if place is None:
        return exits
    name = sheet.node(f"{sheet.process.id}_prompt", Kind("task"), playbook_title(playbook), place)
    sheet.connect(exits, name)
    return [Exit(name)]


def _end(sheet: Sheet, exits: list[Exit]) -> None:
    """The end event, where anything leads to it."""
    if exits:
        last = max((sheet.rects[each.node] for each in exits), key=lambda rect: (rect.y + rect.height, rect.x))
        sheet.connect(exits, sheet.node(f"{sheet.process.id}_end", Kind(END), "", sheet.places.end(last)))


def _in_any_order(sheet: Sheet, playbook: Playbook, called: Called) -> None:
    """The tasks of a list without an order, in one place; those of a graph with the ways that it names."""
    steps = [step for root in playbook.steps for step in root.walk()]
    nodes = []
    for step in steps:
        if step.children or step.kind in (StepKind.RAW, StepKind.NOTE):
            sheet.remark(step, is_frame=bool(step.children))
        else:
            nodes.append(sheet.step(step, kind_of_step(step, called, is_by_people=False)))
    begin = _beginning(sheet, playbook)
    if not nodes:
        _end(sheet, begin)
    elif sheet.part.whole.program.format.is_graph:
        _graph(sheet, playbook, nodes, begin)
    else:
        process = sheet.process
        process.loose, process.any_order = frozenset(nodes), f"{process.id}_any"
        around_all = bounds([*(sheet.rects[node] for node in nodes), *(one.rect for one in process.remarks)])
        inside = expression("completionCondition", _("every step that is required is done"), is_exact=False)
        kind = Kind("adHocSubProcess", inside, (("ordering", "Parallel"),))
        sheet.connect(begin, sheet.node(process.any_order, kind, process.name, around_all))
        _end(sheet, [Exit(process.any_order)])


def _graph(sheet: Sheet, playbook: Playbook, nodes: Sequence[str], begin: list[Exit]) -> None:
    """The ways of a graph: all that a step waits for is joined; of its branches, one is taken."""
    edges = [edge for edge in edges_of(playbook) if edge.source != edge.target]
    name = {step.id: sheet.name(step) for step in steps_of(playbook)}
    waits: dict[str, list[Exit]] = {}
    branches: dict[str, list[tuple[str, str]]] = {}
    for edge in edges:
        if edge.kind is RouteKind.NEXT:
            waits.setdefault(name[edge.target], []).append(Exit(name[edge.source]))
        else:
            branches.setdefault(name[edge.source], []).append((name[edge.target], words(edge.label)))
    for node, ways in branches.items():
        out = _at_side(sheet, node, "out", Kind(GATEWAY, "", DIVERGING)) if len(ways) > 1 else node
        sheet.connect([Exit(node)] if out != node else [], out)
        for target, label in ways:
            sheet.connect([Exit(out, label, condition_of(None, label))], target)
    for node, sources in waits.items():
        goal = _at_side(sheet, node, "all", Kind(ALL, "", CONVERGING)) if len(sources) > 1 else node
        sheet.connect(sources, goal)
        sheet.connect([Exit(goal)] if goal != node else [], node)
    reached, left = {name[edge.target] for edge in edges}, {name[edge.source] for edge in edges}
    for node in nodes:
        sheet.connect(begin if node not in reached else [], node)
    _end(sheet, [Exit(node) for node in nodes if node not in left])


def _at_side(sheet: Sheet, node: str, end: str, kind: Kind) -> str:
    """A gateway directly below *node*, or above it where what it waits for comes together."""
    rect = sheet.rects[node]
    y = rect.y - 24.0 if kind.tag == ALL else rect.y + rect.height + 24.0
    return sheet.node(f"{node}_{end}", kind, "", around(rect.x + rect.width / 2, y, JOIN_PX))


def _of_function(layout: FunctionLayout, name: str, top: float) -> Process:
    """The process of a playbook in Python below *top*: one task behind its triggers, or behind a call."""
    process = Process(name, words(layout.function.name))
    *triggers, last = layout.boxes
    spine = layout.rect.x + layout.rect.width / 2
    starts = [around(spine, top + 70.0 * at, 32.0) for at in range(max(1, len(triggers)))]
    task = Rect(spine - 110.0, starts[-1].y + 70.0, 220.0, 60.0)
    for place, rect in enumerate(starts, 1):
        told = words(triggers[place - 1].text) if triggers else ""
        process.nodes.append(Node(f"{name}_T{place}", when(told) if told else Kind(START), told, rect))
        points = line(rect, task, None if place == len(starts) else spine + 140.0)
        process.flows.append(Flow(f"{name}_flow{place}", f"{name}_T{place}", f"{name}_do", points))
    python = Kind("scriptTask", f"<script>{safe(last.text)}</script>", (("scriptFormat", "text/x-python"),))
    end = around(spine, task.y + task.height + 60.0, 32.0)
    process.nodes += [
        Node(f"{name}_do", python, words(last.text), task),
        Node(f"{name}_end", Kind(END), "", end),
    ]
    process.flows.append(Flow(f"{name}_flow0", f"{name}_do", f"{name}_end", line(task, end)))
    return process


def _of_chapters(part: Part, layout: Layout, own: Mapping[int, str]) -> Iterator[Process]:
    """The process that calls the chapters of a procedure one after the other, where there are several."""
    chapters = [each for _name, each in part.playbooks if each.is_chapter and each.is_carried_out]
    if len(chapters) < 2:
        return
    process, top = Process("all", part.title), layout.height * STRETCH + 120.0
    rects = [
        around(80.0, top, 32.0),
        *(Rect(140.0 + 280.0 * at, top - 30.0, 220.0, 60.0) for at in range(len(chapters))),
    ]
    rects.append(around(180.0 + 280.0 * len(chapters), top, 32.0))
    calls = [Kind("callActivity", "", (("calledElement", own[id(each)]),)) for each in chapters]
    kinds = [Kind(START), *calls, Kind(END)]
    titles = ["", *map(playbook_title, chapters), ""]
    for place, (kind, title, rect) in enumerate(zip(kinds, titles, rects, strict=True)):
        process.nodes.append(Node(f"all_{place}", kind, title, rect))
        if place:
            points = line(rects[place - 1], rect)
            process.flows.append(Flow(f"all_flow{place}", f"all_{place - 1}", f"all_{place}", points))
    yield process
