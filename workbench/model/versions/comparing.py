"""Finds what differs between two versions of a playbook: ``compare_versions`` is the door."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from workbench.model.program import Agent, Playbook, Program, StepId
from workbench.model.snapshot import Snapshot
from workbench.model.versions.differences import (
    About,
    Differences,
    Fate,
    FieldChange,
    Hunk,
    HunkKind,
    Part,
    PartChange,
    Standing,
    StepChange,
)
from workbench.model.versions.matching import Pairs, Row, row_of
from workbench.regex import regex
from workbench.syntax.blocks import BlockKind
from workbench.syntax.comparing.aligning import aligned, by_key
from workbench.syntax.comparing.lines import line_differences
from workbench.syntax.data.nodes import ExpansionRefused, plain_value
from workbench.syntax.steplists.scan import read_data
from workbench.syntax.text import Span, split_lines

_MARKER = regex(r"[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)?")
_EXACT = frozenset({BlockKind.FENCE, BlockKind.CODE, BlockKind.FRONT_MATTER})
"""Blocks in which blanks say something."""
_BY_LINE = frozenset({BlockKind.HEADING, BlockKind.TABLE, BlockKind.SHEBANG})
"""Those that end with their line."""
_FEW = 30
"""So many playbooks that are gone are compared with those that are new."""
_ALIKE = 0.5
_FIELDS: tuple[tuple[About, str], ...] = (
    (About.TITLE, "title"),
    (About.DESCRIPTION, "description"),
    (About.KIND, "kind"),
    (About.MODE, "mode"),
    (About.ORDER, "is_ordered"),
    (About.CARRIED_OUT, "is_carried_out"),
    (About.PYTHON, "python"),
)


def compare_versions(old: Snapshot, new: Snapshot) -> Differences:
    """What differs from *old* to *new*."""
    before, after = _Side.of(old), _Side.of(new)
    books = _paired_playbooks(before, after)
    pairs = Pairs()
    for was, now in books.items():
        pairs.add(before.roots[was], after.roots[now])
        pairs.add_moved([before.roots[was]], [after.roots[now]])
    pairs.add_moved(before.roots.values(), after.roots.values())
    _pair_lone(pairs)
    hunks = _hunks(old.text, new.text)
    bare = Differences(old, new, (), (), hunks)
    steps = tuple(sorted(_steps(before, after, pairs), key=_place_in(bare)))
    return replace(bare, parts=tuple(_parts(before, after, books)), steps=steps, hunks=_connected(bare, steps))


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the texts. *roots*: its playbooks as rows; *agents*: whose they are; *above*: what each row stands in.

    *names*: of the rows that are playbooks; *blocks*: the places of the blocks, by their identity.
    """

    snapshot: Snapshot
    roots: Mapping[Playbook, Row]
    agents: Mapping[Playbook, Agent]
    above: Mapping[Row, Row]
    names: Mapping[Row, str]
    blocks: Mapping[int, int]

    @classmethod
    def of(cls, snapshot: Snapshot) -> _Side:
        agents = {each: agent for agent in snapshot.program.agents for each in agent.playbooks}
        roots = {each: row_of(each) for each in agents}
        above = {below: row for root in roots.values() for row in root.walk() for below in row.inside}
        names = {row: each.address for each, row in roots.items()}
        return cls(snapshot, roots, agents, above, names, {id(each): at for at, each in enumerate(snapshot.blocks)})

    def standing(self, row: Row) -> Standing:
        """Where the step *row* stands."""
        assert row.step is not None
        step, parent = row.step, self.above[row]
        inside = self.names.get(parent) or (self.snapshot.address(parent.step.id) if parent.step is not None else "")
        text = step.text if row.fields else row.text
        return Standing(step, self.snapshot.address(step.id), self.snapshot.line(step.id), inside, text)


def _paired_playbooks(old: _Side, new: _Side) -> dict[Playbook, Playbook]:
    """What the playbooks of *old* are in *new*: those with the same name, else those with the same steps."""
    found: dict[Playbook, Playbook] = {}

    def pair(key: Callable[[_Side, Playbook], Hashable]) -> None:
        free: defaultdict[Hashable, list[Playbook]] = defaultdict(list)
        taken = set(found.values())
        for each in new.roots:
            if each not in taken:
                free[key(new, each)].append(each)
        for each in old.roots:
            if each not in found and free[key(old, each)]:
                found[each] = free[key(old, each)].pop(0)

    pair(lambda side, playbook: (side.agents[playbook].name, playbook.name))
    pair(lambda _side, playbook: playbook.name)
    _pair_alike(old, new, found)
    return found


def _pair_alike(old: _Side, new: _Side, found: dict[Playbook, Playbook]) -> None:
    """Add to *found* the playbooks that have another name now, and most of their steps."""
    taken = set(found.values())
    left = [each for each in old.roots if each not in found][:_FEW]
    free = {each: _texts(new.roots[each]) for each in new.roots if each not in taken}
    for each in left:
        texts = _texts(old.roots[each])
        shares = [(_share(texts, others), other) for other, others in list(free.items())[:_FEW]]
        share, best = max(shares, key=lambda one: one[0], default=(0.0, each))
        if share >= _ALIKE:
            found[each] = best
            del free[best]


def _pair_lone(pairs: Pairs) -> None:
    """Add to *pairs* the steps that stand alone where another one of their kind stood: they were written anew."""
    due = list(pairs.to.items())
    while due:
        was, now = due.pop()
        if all(row in pairs.to for row in was.inside):
            continue
        here, there = set(was.inside), set(now.inside)
        left = [row for row in was.inside if row not in pairs.to or pairs.to[row] in there]
        free = [row for row in now.inside if row not in pairs.back or pairs.back[row] in here]
        for one, other in aligned(left, free, (by_key(lambda row: pairs.to.get(row, row)), _lone)):
            if one is not None and other is not None and left[one] not in pairs.to:
                pairs.add(left[one], free[other])
                due.append((left[one], free[other]))


def _lone(old: Sequence[Row], new: Sequence[Row]) -> list[tuple[int, int]]:
    if len(old) > 1 or len(new) > 1:
        return []
    was, now = old[0], new[0]
    is_same_kind = was.step is not None and now.step is not None and was.step.kind is now.step.kind
    return [(0, 0)] if is_same_kind and was.section == now.section else []


def _texts(root: Row) -> Counter[str]:
    return Counter(row.text for row in root.walk() if row.step is not None or not root.inside)


def _share(first: Counter[str], second: Counter[str]) -> float:
    return (first & second).total() / max(first.total(), second.total(), 1)


def _parts(old: _Side, new: _Side, books: Mapping[Playbook, Playbook]) -> Iterator[PartChange]:
    """What differs of the file as a whole, of agents and of playbooks."""
    yield from _part((old, old.snapshot.program), (new, new.snapshot.program), set())
    yield from _agent_changes(old, new, books)
    back = {now: was for was, now in books.items()}
    kept = [each for each in new.roots if each in back]
    in_order = _in_order([books[each] for each in old.roots if each in books], kept)
    for now in new.roots:
        was = back.get(now)
        fates = {Fate.ADDED} if was is None else {Fate.REORDERED} if now not in in_order else set()
        if was is not None and not _is_same_agent(old.agents[was], new.agents[now], back):
            fates = {Fate.MOVED}
        yield from _part((old, was), (new, now), fates)
    for was in old.roots:
        if was not in books:
            yield from _part((old, was), (new, None), {Fate.REMOVED})


def _is_same_agent(was: Agent, now: Agent, back: Mapping[Playbook, Playbook]) -> bool:
    """Whether *now* is *was*: by its name, or since it has one of its playbooks and another name."""
    return was.name == now.name or any(back.get(each) in was.playbooks for each in now.playbooks[:1])


def _agent_changes(old: _Side, new: _Side, books: Mapping[Playbook, Playbook]) -> Iterator[PartChange]:
    left = list(old.snapshot.program.agents)
    back = {now: was for was, now in books.items()}
    pairs: list[tuple[Agent | None, Agent]] = []
    names = {each.name for each in new.snapshot.program.agents}
    for now in new.snapshot.program.agents:
        was = next((each for each in left if each.name == now.name), None)
        if was is None:
            first = back.get(now.playbooks[0]) if now.playbooks else None
            was = next((each for each in left if first in each.playbooks and each.name not in names), None)
        if was is not None:
            left.remove(was)
        pairs.append((was, now))
    for one, other in pairs:
        yield from _part((old, one), (new, other), {Fate.ADDED} if one is None else set())
    for each in left:
        yield from _part((old, each), (new, None), {Fate.REMOVED})


def _part(old: tuple[_Side, Part | None], new: tuple[_Side, Part | None], fates: set[Fate]) -> Iterator[PartChange]:
    """The change of one part; nothing where it is what it was."""
    was, now = old[1], new[1]
    fields: list[FieldChange] = []
    if was is not None and now is not None:
        for about, name in _FIELDS:
            before, after = getattr(was, name, None), getattr(now, name, None)
            fields += [] if before == after else [FieldChange(about, "", before, after)]
        fields += _mappings(_metadata(was), _metadata(now), About.METADATA)
    fates = fates | ({Fate.CHANGED} if fields else set())
    if fates:
        yield PartChange(frozenset(fates), was, now, tuple(fields), (_heading_line(*old), _heading_line(*new)))


def _metadata(part: Part) -> Mapping[str, object]:
    return dict(part.front_matter if isinstance(part, Program) else part.metadata)


def _heading_line(side: _Side, part: Part | None) -> int:
    """The line of the heading of *part*, from 1; 0 where it has none."""
    heading = getattr(part, "heading", None)
    if heading is None:
        return 0
    at = side.blocks.get(id(heading))
    return 0 if at is None else side.snapshot.lines.line(side.snapshot.block_starts[at]) + 1


def _mappings(was: Mapping[str, object], now: Mapping[str, object], about: About) -> Iterator[FieldChange]:
    """What differs between two mappings; what is only in one of them is None in the other."""
    for key in dict.fromkeys((*was, *now)):
        if was.get(key) != now.get(key) or (key in was) != (key in now):
            yield FieldChange(about, key, was.get(key), now.get(key))


def _steps(old: _Side, new: _Side, pairs: Pairs) -> Iterator[StepChange]:
    """The steps that are not what they were, or not where they were."""
    out_of_order = _out_of_order(pairs)
    for row in old.above:
        now = pairs.to.get(row)
        if now is None:
            yield StepChange(frozenset({Fate.REMOVED}), old.standing(row), None)
            continue
        fates = (
            {Fate.MOVED} if pairs.to.get(old.above[row]) is not new.above[now] or row.section != now.section else set()
        )
        fates |= {Fate.REORDERED} if row in out_of_order and not fates else set()
        fields = tuple(_field_changes(row, now))
        fates |= {Fate.CHANGED} if row.text != now.text or fields else set()
        if fates:
            yield StepChange(frozenset(fates), old.standing(row), new.standing(now), fields)
    for row in new.above:
        if row not in pairs.back:
            yield StepChange(frozenset({Fate.ADDED}), None, new.standing(row))


def _out_of_order(pairs: Pairs) -> set[Row]:
    """Those steps that stand in the same one as before, and elsewhere in it: as few as can be."""
    found: set[Row] = set()
    for was, now in pairs.to.items():
        inside = set(now.inside)
        kept = [row for row in was.inside if pairs.to.get(row) in inside]
        partners = [pairs.to[row] for row in kept]
        there = set(partners)
        in_order = _in_order(partners, [row for row in now.inside if row in there])
        found.update(row for row in kept if pairs.to[row] not in in_order)
    return found


def _in_order(old: Sequence[Hashable], new: Sequence[Hashable]) -> set[Hashable]:
    """Those of the same things in two orders that need not be moved."""
    if list(old) == list(new):
        return set(old)
    return {old[was] for was, _now in by_key(_itself)(old, new)}


def _itself(thing: Hashable) -> Hashable:
    return thing


def _field_changes(was: Row, now: Row) -> Iterator[FieldChange]:
    yield from _mappings(was.fields, now.fields, About.FIELD)
    before, after = (row.step.is_ticked if row.step is not None else None for row in (was, now))
    if before != after:
        yield FieldChange(About.TICKED, "", before, after)


def _hunks(old: str, new: str) -> tuple[Hunk, ...]:
    """The lines in which the texts differ."""
    if old == new:
        return ()
    olds, news = split_lines(old), split_lines(new)
    was, now = (list(accumulate(map(len, lines), initial=0)) for lines in (olds, news))
    return tuple(
        Hunk(
            Span(was[first], was[last]),
            Span(now[low], now[high]),
            old[was[first] : was[last]],
            new[now[low] : now[high]],
            (first + 1, low + 1),
            HunkKind.TEXT,
        )
        for first, last, low, high in line_differences(olds, news)
    )


def _place_in(bare: Differences) -> Callable[[StepChange], tuple[int, bool]]:
    """The order of changes of steps: by where they stand in the new text, those that are gone by where they stood."""

    def place(change: StepChange) -> tuple[int, bool]:
        if change.new is not None:
            return bare.new.head_span(change.new.step.id).start, True
        assert change.old is not None
        return bare.change.map_position(bare.old.head_span(change.old.step.id).start), False

    return place


def _connected(bare: Differences, steps: Sequence[StepChange]) -> tuple[Hunk, ...]:
    """The hunks of *bare* with the changes of steps that are in them, and with what they are about.

    A change without lines of its own, as that of a step below a heading that came, belongs to what comes before it.
    """
    old = {change.old.step.id: place for place, change in enumerate(steps) if change.old is not None}
    new = {change.new.step.id: place for place, change in enumerate(steps) if change.new is not None}
    touched = [_touched(bare.old, hunk.old, old) | _touched(bare.new, hunk.new, new) for hunk in bare.hunks]
    missing = set(range(len(steps))).difference(*touched)
    starts = [hunk.new.start for hunk in bare.hunks]
    place_of = _place_in(bare)
    for place in missing:
        at = bisect_left(starts, place_of(steps[place])[0])
        touched[max(0, at - 1)].add(place)
    is_same_data = not steps and _is_same_data(bare.old, bare.new)
    return tuple(
        replace(hunk, steps=tuple(sorted(places)), kind=_kind(bare, hunk, is_same_data=is_same_data, steps=places))
        for hunk, places in zip(bare.hunks, touched, strict=True)
    )


def _touched(snapshot: Snapshot, span: Span, places: Mapping[StepId, int]) -> set[int]:
    """Which of the steps with *places* have lines in *span*."""
    found: set[int] = set()
    at = span.start
    for line in split_lines(span.of(snapshot.text)):
        step = snapshot.step_at(at) if line.strip() else None
        at += len(line)
        if step is not None and step in places:
            found.add(places[step])
    return found


def _kind(bare: Differences, hunk: Hunk, *, is_same_data: bool, steps: Iterable[int]) -> HunkKind:
    if any(True for _each in steps):
        return HunkKind.STEPS
    if bare.new.program.format.is_steplist:
        is_layout = is_same_data and "".join(hunk.was.split()) == "".join(hunk.now.split())
    else:
        is_layout = _is_same_but_layout(hunk, _kinds_in(bare.old, hunk.old) | _kinds_in(bare.new, hunk.new))
    return HunkKind.LAYOUT if is_layout else HunkKind.TEXT


def _is_same_but_layout(hunk: Hunk, kinds: set[BlockKind]) -> bool:
    """Whether a hunk with blocks of *kinds* has the same words before and now, without the markers of its lists."""
    if kinds & _EXACT:
        return False
    was, now = ([line[_end_of_marker(line) :].split() for line in split_lines(text)] for text in (hunk.was, hunk.now))
    if kinds & _BY_LINE:
        return [line for line in was if line] == [line for line in now if line]
    return [word for line in was for word in line] == [word for line in now for word in line]


def _end_of_marker(line: str) -> int:
    found = _MARKER.match(line)
    return found.end() if found is not None else 0


def _kinds_in(snapshot: Snapshot, span: Span) -> set[BlockKind]:
    """The kinds of the blocks that have a part in *span*."""
    if not len(span):
        return set()
    first, last = snapshot.block_index_at(span.start), snapshot.block_index_at(span.end - 1)
    return {each.kind for each in snapshot.blocks[first : last + 1]}


def _is_same_data(old: Snapshot, new: Snapshot) -> bool:
    """Whether two step lists say the same."""
    if not (old.program.format.is_steplist and old.program.format is new.program.format):
        return False
    roots = [read_data(each.text, is_json=each.program.format.is_json).root for each in (old, new)]
    try:
        first, second = (plain_value(root) if root is not None else None for root in roots)
    except ExpansionRefused:
        return False
    return first == second
