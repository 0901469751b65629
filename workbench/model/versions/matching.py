"""Which step of one text is which of another: the same words in the same place, else similar words, else moved.

A step is sought among the steps of the step that its own parent has become, in their order. Where its words are only
similar it was changed; an entry of a step list is known by its id. What has moved elsewhere is found by its words,
where no other step has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from workbench.model.meaning import StepKind, StepListEntry
from workbench.model.program import Playbook, Step
from workbench.model.snapshot import Snapshot
from workbench.syntax.comparing.aligning import aligned, by_key, by_words
from workbench.syntax.data.nodes import DataNode, ExpansionRefused, plain_value
from workbench.syntax.steplists.elements import children_of


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A step; where *step* is None, a playbook. Compared by identity.

    *section*: of what kind that is; *text*: all that is carried out of it; *inside*: the steps below it. *name*: the id
    of an entry of a step list, and *fields* all that it says.
    """

    step: Step | None
    section: str
    text: str
    inside: tuple[Row, ...]
    name: str = ""
    fields: Mapping[str, object] = field(default_factory=dict)

    def walk(self) -> Iterator[Row]:
        """This row and all below it, in the order of the text."""
        left = [self]
        while left:
            row = left.pop()
            yield row
            left += reversed(row.inside)


@dataclass(frozen=True, slots=True)
class Pairs:
    """What things of the old text are in the new one (*to*), and the other way round (*back*)."""

    to: dict[Row, Row] = field(default_factory=dict)
    back: dict[Row, Row] = field(default_factory=dict)

    def add(self, old: Row, new: Row) -> None:
        """*old* is *new*; what stands below both in the same order, and is in no pair yet, belongs together as well."""
        due = [(old, new)]
        while due:
            old, new = due.pop()
            self.to[old], self.back[new] = new, old
            left = [row for row in old.inside if row not in self.to]
            free = [row for row in new.inside if row not in self.back]
            for was, now in aligned(left, free, _RULES):
                if was is not None and now is not None:
                    due.append((left[was], free[now]))

    def add_moved(self, olds: Iterable[Row], news: Iterable[Row]) -> None:
        """The steps below *olds* that stand elsewhere below *news*, and nobody else has their words."""
        left = [row for root in olds for row in root.walk() if row.step is not None and row not in self.to]
        free = [row for root in news for row in root.walk() if row.step is not None and row not in self.back]
        had, has = Counter(map(_mark, left)), Counter(map(_mark, free))
        by_mark = {_mark(row): row for row in free if has[_mark(row)] == 1}
        moved = [(row, by_mark[_mark(row)]) for row in left if _mark(row) in by_mark and had[_mark(row)] == 1]
        # all of them before what is in them: that has words of its own to be known by
        self.to.update(moved)
        self.back.update((now, was) for was, now in moved)
        for was, now in moved:
            self.add(was, now)


@dataclass(frozen=True, slots=True)
class Matched:
    """The steps of the *old* text by address, with their words; and by the same addresses what they are in the new one.

    *found*: the address and the line there, of those that are there. *changed*: those with other words.
    *playbooks*: the names of those that are in both, by agent. *new*: the addresses that are steps of the old text.
    """

    old: dict[str, str]
    found: dict[str, tuple[str, int]]
    changed: frozenset[str]
    playbooks: frozenset[tuple[str, str]]
    new: frozenset[str]

    def to(self, address: str) -> str | None:
        """The address that the step at *address* has now; None: it is gone.

        What is no step of the text (a linked procedure, a playbook that the run has written) stays what it is.
        """
        if address not in self.old:
            return address
        found = self.found.get(address)
        return None if found is None else found[0]


def matched(old: Snapshot, new: Snapshot) -> Matched:
    """The steps of *old* in *new*, by their addresses."""
    olds, news = playbooks_by_name(old), playbooks_by_name(new)
    known: dict[str, str] = {}
    found: dict[str, tuple[str, int]] = {}
    changed: set[str] = set()
    for key, playbook in reversed(olds.items()):  # where two agents have one name, the first of them is meant
        before, after = row_of(playbook), row_of(news[key]) if key in news else None
        addresses = {row: _address(old, playbook, row) for row in before.walk()}
        known.update((address, row.text) for row, address in addresses.items())
        for was, now in paired(before, after).to.items() if after is not None else ():
            address = addresses[was]
            line = new.line(now.step.id) if now.step is not None else 0
            found[address] = (_address(new, news[key], now), line)
            changed = changed - {address} if was.text == now.text else changed | {address}
    both = frozenset(olds.keys() & news.keys())
    return Matched(known, found, frozenset(changed), both, frozenset(now for now, _line in found.values()))


def _address(snapshot: Snapshot, playbook: Playbook, row: Row) -> str:
    return snapshot.address(row.step.id) if row.step is not None else playbook.address


def playbooks_by_name(snapshot: Snapshot) -> dict[tuple[str, str], Playbook]:
    """The playbooks by the name of their agent and their own; the last one where several have both."""
    return {(agent.name, each.name): each for agent in snapshot.program.agents for each in agent.playbooks}


def row_of(playbook: Playbook) -> Row:
    """The playbook itself, with all its steps below it."""
    steps = [_row_of_step(step, section.kind.value) for section in playbook.sections for step in section.steps]
    text = f"{playbook.mode.value} {playbook.description}"
    return Row(None, "", text, tuple(row for row in steps if row is not None))


def _row_of_step(step: Step, section: str, node: DataNode | None = None) -> Row | None:
    """*step* with those below it; None for text among steps. What stands in different sections is never the same.

    *node*: the element of a step list, where it stands in that of another.
    """
    if step.kind is StepKind.RAW:
        return None
    if isinstance(step.meaning, StepListEntry):
        return _row_of_entry(step, step.meaning, node)
    text = "\n".join((step.shown_text, *step.details))
    inside = (_row_of_step(child, section) for child in step.children)
    return Row(step, section, text, tuple(row for row in inside if row is not None))


def _row_of_entry(step: Step, entry: StepListEntry, node: DataNode | None) -> Row:
    """An entry of a step list: its words are all that it says, without the entries in it."""
    element = step.block.element
    own = node if node is not None else element.node if element is not None else None
    below = [each.node for each in children_of(step.block.text, own)] if own is not None and step.children else []
    fields = _fields_of(own, step.block.text, below)
    inside = (_row_of_step(child, "", each) for child, each in zip(step.children, below, strict=True))
    text = " ".join((step.text, *(f"{key}: {value}" for key, value in fields.items())))
    return Row(step, "", text, tuple(row for row in inside if row is not None), entry.id, fields)


def _fields_of(node: DataNode | None, text: str, below: list[DataNode]) -> dict[str, object]:
    """The fields of an element, without those that hold the elements *below*; as written where they cannot be read."""
    if node is None:
        return {}
    held = {id(each) for each in below}
    try:
        return {
            key.text: plain_value(value)
            for key, value in node.resolved.entries
            if not held & {id(each) for each in value.items}
        }
    except ExpansionRefused:
        return {"": node.span.of(text)}


def paired(old: Row, new: Row) -> Pairs:
    """*old* as *new*; and of each step below *old* that is below *new*, what it is there."""
    pairs = Pairs()
    pairs.add(old, new)
    pairs.add_moved([old], [new])
    return pairs


def _mark(row: Row) -> Hashable:
    """What a step is known by wherever it stands: the id of an entry, else the words."""
    return (row.name, None) if row.name else (None, row.text)


def _words(row: Row) -> Hashable:
    return row.section, row.text


def _name(row: Row) -> Hashable:
    return row.name or row


def _text(row: Row) -> str:
    return row.text


_RULES = (by_key(_words), by_key(_name), by_words(_text, ahead=3))
