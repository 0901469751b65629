"""Which step of one text is which of another: the same words in the same place, else similar words, else moved.

A step is sought among the steps of the step that its own parent has become, in their order. Where its words are only
similar it was changed. What has moved elsewhere is found by its words, where no other step has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from workbench.engine.comparing.aligning import aligned, by_key, by_words
from workbench.model.meaning import StepKind
from workbench.model.program import Playbook, Step
from workbench.model.snapshot import Snapshot


class _Row(NamedTuple):
    """A step. *section*: of what kind that is; *text*: all that is carried out of it; *inside*: the steps below it."""

    address: str
    text: str
    line: int
    section: str
    inside: tuple[_Row, ...]


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
    """The steps of *old* in *new*."""
    olds, news = _playbooks(old), _playbooks(new)
    known: dict[str, str] = {}
    found: dict[str, _Row] = {}
    for key, playbook in reversed(olds.items()):  # where two agents have one name, the first of them is meant
        before, after = _row_of(old, playbook), _row_of(new, news[key]) if key in news else None
        known.update((row.address, row.text) for row in _walked(before))
        if after is not None:
            found[before.address] = after
            found |= _pairs(before, after)
    changed = frozenset(was for was, now in found.items() if known[was] != now.text)
    places = {was: (now.address, now.line) for was, now in found.items()}
    both = frozenset(olds.keys() & news.keys())
    return Matched(known, places, changed, both, frozenset(now for now, _line in places.values()))


def _playbooks(snapshot: Snapshot) -> dict[tuple[str, str], Playbook]:
    return {(agent.name, each.name): each for agent in snapshot.program.agents for each in agent.playbooks}


def _row_of(snapshot: Snapshot, playbook: Playbook) -> _Row:
    """The playbook itself, with all its steps below it."""
    steps = [_step(snapshot, step, section.kind.value) for section in playbook.sections for step in section.steps]
    text = f"{playbook.mode.value} {playbook.description}"
    return _Row(playbook.name, text, 0, "", tuple(row for row in steps if row is not None))


def _step(snapshot: Snapshot, step: Step, section: str) -> _Row | None:
    """*step* with those below it; None for text among steps. What stands in different sections is never the same."""
    if step.kind is StepKind.RAW:
        return None
    text = "\n".join((step.shown_text, *step.details))
    inside = (_step(snapshot, child, section) for child in step.children)
    place = snapshot.address(step.id), text, snapshot.line(step.id), section
    return _Row(*place, tuple(row for row in inside if row is not None))


def _walked(row: _Row) -> Iterator[_Row]:
    left = [row]
    while left:
        row = left.pop()
        yield row
        left += reversed(row.inside)


def _pairs(old: _Row, new: _Row) -> dict[str, _Row]:
    """Of each step below *old* that is below *new*: what it is there, by its address."""
    found: dict[str, _Row] = {}
    due = [(old.inside, new.inside)]
    while due:
        olds, news = due.pop()
        for was, now in aligned(olds, news, (_SAME, _SIMILAR)):
            if was is not None and now is not None:
                found[olds[was].address] = news[now]
                due.append((olds[was].inside, news[now].inside))
    return found | _moved(old, new, found)


def _moved(old: _Row, new: _Row, found: Mapping[str, _Row]) -> dict[str, _Row]:
    """The steps below *old* that stand elsewhere below *new*, and nobody else has their words."""
    taken = {row.address for row in found.values()}
    left = [row for row in _walked(old) if row is not old and row.address not in found]
    free = [row for row in _walked(new) if row is not new and row.address not in taken]
    olds, news = (Counter(row.text for row in rows) for rows in (left, free))
    by_text = {row.text: row for row in free if news[row.text] == 1}
    return {row.address: by_text[row.text] for row in left if row.text in by_text and olds[row.text] == 1}


def _words(row: _Row) -> tuple[str, str]:
    return row.section, row.text


def _text(row: _Row) -> str:
    return row.text


_SAME, _SIMILAR = by_key(_words), by_words(_text)
