"""A run that goes on with another text: what of it stays valid, and the event that says how it goes over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from workbench.engine.forking.moving import NotMovable, Texts, moved_pc
from workbench.engine.forking.plan import FINISHED, Changeover, ForkWish, Lost, LostStep, another_kind
from workbench.engine.journal.choices import EntryCause
from workbench.engine.journal.envelope import pack
from workbench.engine.journal.fork_events import MovedFrame, OtherText
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import RunCreated
from workbench.engine.language.decider import starts_of_text
from workbench.engine.language.program.book import Book, type_of
from workbench.engine.language.program.linked import linked_from, linked_snapshots
from workbench.engine.ports import ABOUT_TRIGGERS
from workbench.engine.starting import read_as_begun, snapshot_of
from workbench.engine.state.fold import RunFold
from workbench.engine.state.frames import LiveFrame
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.snapshot import Snapshot
from workbench.model.versions.matching import Matched, matched

Trail = Mapping[str, int]
"""For each playbook under way, by its span, the instruction that led to the one at hand."""


def changeover(journal: Journal, fold: RunFold, wish: ForkWish, trail: Trail) -> Changeover:
    """What comes of going on from where *fold* stands with the text of *wish*, a playbook in markdown."""
    assert wish.text is not None
    origin = _read_as(fold.origin, wish.text)
    old, new = snapshot_of(fold.state(), journal), read_as_begun(wish.text.source, origin)
    contents = [new.source.encode()]
    if new.program.kind is not old.program.kind or new.program.format is not old.program.format:
        return Changeover(None, (), (another_kind(),), tuple(contents))
    known = linked_from(origin.linked, journal)
    texts = Texts(_book(old, fold, known), _book(new, fold, known), matched(old, new))
    path = wish.path or origin.path
    linked = _linked(new, path, contents) if origin.read_as else {}
    keys = dict(_trigger_keys(fold, texts))
    moved, refusals = _moved(fold, texts, trail)
    text = OtherText(
        path,
        origin.read_as,
        origin.chapters,
        {**linked, **(origin.linked or {})} or None,
        _starts(fold, texts.new),
        goes_on=not origin.read_as and not _is_alone(origin) and texts.new.watches.go_on,
        steps=dict(_addresses(fold, texts.steps)) or None,
        triggers=keys or None,
        moved=moved,
    )
    refusals = (*refusals, *_of_triggers(fold, texts, keys))
    return Changeover(text, tuple(_lost(fold, texts.steps)), refusals, tuple(contents))


def _read_as(origin: RunCreated, text: Snapshot) -> RunCreated:
    """*origin* where the run is of *text*, as far as that says how it is read."""
    if not origin.read_as:
        return origin
    return replace(origin, read_as=text.program.kind.value, chapters=dict(text.deriver.chapters) or None)


def _book(snapshot: Snapshot, fold: RunFold, linked: Mapping[str, Snapshot]) -> Book:
    book = Book(snapshot, linked=linked)
    book.learn(fold.world.written)
    return book


def _linked(new: Snapshot, path: str, contents: list[bytes]) -> dict[str, Any]:
    """The procedures that *new* links to, as they are kept with a run; what is to be kept is added to *contents*."""
    found: dict[str, Any] = {}
    for written, each in linked_snapshots(new, path).items():
        contents.append(each.source.encode())
        found[written] = [pack(contents[-1])[0], each.program.kind.value]
    return found


def _moved(fold: RunFold, texts: Texts, trail: Trail) -> tuple[tuple[MovedFrame, ...], tuple[str, ...]]:
    """Where the playbooks that are under way go on, and why some cannot."""
    moved: list[MovedFrame] = []
    refusals: list[str] = []
    for frames in _stacks(fold):
        for frame, above in zip_longest(frames, frames[1:]):
            # what has led to a question or a call leads nowhere else while that goes on
            is_free = fold.pending is None if above is None else above.cause is EntryCause.INTERRUPT
            try:
                moved.append(MovedFrame(frame.span, moved_pc(texts, frame, trail.get(frame.span) if is_free else None)))
            except NotMovable as error:
                refusals.append(str(error))
    return tuple(moved), tuple(dict.fromkeys(refusals))


def _stacks(fold: RunFold) -> tuple[list[LiveFrame], ...]:
    return (fold.frames, *fold.world.parked.values())


def _frames(fold: RunFold) -> Iterator[LiveFrame]:
    return (frame for frames in _stacks(fold) for frame in frames)


def _is_alone(origin: RunCreated) -> bool:
    return origin.program is not None and origin.program.is_alone


def _starts(fold: RunFold, new: Book) -> tuple[tuple[str, str], ...]:
    """What begins by itself: what has begun, and then what stands behind the last of these in the *new* text."""
    origin = fold.origin
    old = origin.program.starts if origin.program is not None else ()
    try:
        wanted = starts_of_text(new, origin.playbook if _is_alone(origin) and not origin.read_as else "")
    except RunFailed:
        wanted = ()
    if _is_alone(origin) and origin.read_as:
        wanted = tuple(each for each in old if each in wanted)
    begun = old[: fold.roots]
    if fold.roots > len(old):  # messages and timers have begun others since, and nothing begins by itself any more
        return old
    behind = wanted[wanted.index(begun[-1]) + 1 :] if begun and begun[-1] in wanted else wanted
    return (*begun, *(each for each in behind if each not in begun))


def _addresses(fold: RunFold, steps: Matched) -> Iterator[tuple[str, list[Any] | None]]:
    """The steps that the run knows of and that stand elsewhere now: address and line; None for those that are gone."""
    requests = [frame.judging.request for frame in _frames(fold) if frame.judging is not None]
    asking = {each.step for each in (fold.pending, *requests) if each is not None}
    is_open = _open_steps(fold)
    for address in dict.fromkeys((*fold.step_statuses, *is_open, *asking)):
        if address in steps.old:
            found = steps.found.get(address)
            if found is None or found[0] != address or address in is_open:
                yield address, None if found is None else list(found)


def _open_steps(fold: RunFold) -> frozenset[str]:
    return frozenset(step.step for frame in _frames(fold) for step in frame.open)


def _lost(fold: RunFold, steps: Matched) -> Iterator[LostStep]:
    """The steps that are done or under way and are not what they were."""
    is_open = _open_steps(fold)
    for address in dict.fromkeys((*fold.step_statuses, *is_open)):
        why = Lost.GONE if steps.to(address) is None else Lost.CHANGED if address in steps.changed else None
        if why is not None and (address in is_open or fold.step_statuses[address] in FINISHED):
            yield LostStep(address, steps.old[address], why, address in is_open)


def _trigger_keys(fold: RunFold, texts: Texts) -> Iterator[tuple[str, str | None]]:
    """The triggers that the run knows of and that are others now, by their keys; None for those that are gone."""
    watching, waiting, entering = fold.watching, fold.waiting, fold.watching.entering
    heard = waiting.heard.fire if waiting.heard is not None else ()
    begun = [*(frame.trigger for frame in _frames(fold)), entering.trigger if entering is not None else ""]
    there = set(_keys(texts.new))
    for key in dict.fromkeys((*watching.truths, *watching.firing, *waiting.timers, *fold.closing, *heard, *begun)):
        own, at, made = key.partition("@")
        agent, _dot, address = own.partition(".")
        now = f"{agent}.{texts.steps.to(address) or address}"
        if key and (now != own or now not in there):
            yield key, f"{now}{at}{made}" if now in there else None


def _keys(book: Book) -> Iterator[str]:
    """The keys of all triggers of *book*."""
    watches = book.watches
    groups = (watches.exact, watches.judged, watches.calls, watches.timed, watches.heard, watches.moments)
    yield from (each.key for group in groups for each in group)


def _of_triggers(fold: RunFold, texts: Texts, keys: Mapping[str, str | None]) -> Iterator[str]:
    """Why what triggers are doing cannot go on."""
    entering = fold.watching.entering
    if entering is not None:
        is_gone = texts.new.playbook(type_of(entering.agent), entering.playbook) is None
        if is_gone or (entering.trigger and keys.get(entering.trigger, entering.trigger) is None):
            message = _("The playbook {name} is about to begin at this event and is not in the other text.")
            yield message.format(name=entering.playbook)
    is_asked = fold.pending is not None and fold.pending.purpose in ABOUT_TRIGGERS
    if (is_asked or fold.watching.answer is not None) and set(_keys(texts.old)) != set(_keys(texts.new)):
        yield _("At this event it is asked which triggers apply, and the other text has others. Fork it elsewhere.")
