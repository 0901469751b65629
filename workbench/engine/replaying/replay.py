"""Carries a recorded run out once more: the real decider decides, and all that the world said comes from the record.

The first event that comes out otherwise is the divergence. No call is made, nobody is asked, and nothing is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from workbench.engine.decider import Draft
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.fork_events import RunForked
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import PlaybookExited, RunResumed
from workbench.engine.judges import Judges, Limits
from workbench.engine.replaying.answering import Answering, Unfit
from workbench.engine.replaying.beginning import Beginning, beginning_of
from workbench.engine.replaying.comparing import Comparison, Difference, with_secrets
from workbench.engine.replaying.recording import Reading, Recording, Today, begins_inside, recorded, with_secrets_known
from workbench.engine.replaying.worlds import RecordedDecider
from workbench.engine.state.fold import RunFold
from workbench.engine.state.run_state import RunState
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.snapshot import Snapshot
from workbench.secrets import holds_mark


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first event that comes out otherwise.

    *recorded*: what was written. *came*: what comes out in its place; None where that is no event, as *problem* says.
    *step*, *line*: where the replay stands, in the text that it is carried out on; line 0 where that is nowhere.
    *after_secret*: whether a secret was given before, in whose place the record has a mark.
    """

    recorded: RunEvent
    came: RunEvent | None
    differences: tuple[Difference, ...]
    problem: str = ""
    step: str = ""
    line: int = 0
    after_secret: bool = False


@dataclass(frozen=True, slots=True)
class Replay:
    """What a replay came to. *events*: those that came out as they were recorded, out of *count*.

    *snapshot*: the text that it was carried out on, None where that cannot be run. *is_own_text*: it is the one that
    the run was begun with. *divergence*: None where nothing came out otherwise.
    """

    run: RunId
    snapshot: Snapshot | None
    events: tuple[RunEvent, ...]
    count: int
    is_own_text: bool
    divergence: Divergence | None = None


def replay(journal: Journal, run: RunId, text: Today | None = None) -> Replay:
    """*run* of *journal*, carried out once more on *text*, or on the text that it was begun with.

    Raises StoreFailed where the run is unknown, damaged, or its text is lost.
    """
    return replay_recording(recorded(journal, run), text)


def replay_recording(recording: Recording, text: Today | None = None) -> Replay:
    """The same of a run that was read from anywhere."""
    if text is not None and not text.path:
        text = replace(text, path=recording.origin.path)
    best, found = _replayed(recording, text, Guess())
    guess = Guess()
    while best.divergence is not None and found != guess:
        guess = found
        further, found = _replayed(recording, text, guess)
        if len(further.events) <= len(best.events):
            break
        best = further
    return best


@dataclass(frozen=True, slots=True)
class Guess:
    """What a record does not say by itself, and a replay finds out on its way.

    *tools*: names that may be those of tools that were never called. *secrets*: what marks stand for.
    """

    tools: frozenset[str] = frozenset()
    secrets: tuple[tuple[str, str], ...] = ()


def _replayed(recording: Recording, text: Today | None, guess: Guess) -> tuple[Replay, Guess]:
    """The replay with *guess*, and what can be guessed after it."""
    recording = with_secrets_known(recording, dict(guess.secrets))
    run, count = recording.run, len(recording.events)
    try:
        if text is not None:
            check_beginning(recording)
        beginning = beginning_of(recording, text, guess.tools)
    except RunFailed as error:
        divergence = Divergence(recording.events[0], None, (), str(error))
        return Replay(run, None, (), count, is_own_text=False, divergence=divergence), guess
    follower = Follower(recording, beginning)
    divergence_found = follower.follow()
    secrets = {**dict(guess.secrets), **follower.comparison.secrets}
    events = tuple(follower.events)
    found = Replay(run, beginning.snapshot, events, count, beginning.is_own_text, divergence_found)
    return found, Guess(guess.tools | beginning.knows.asked, tuple(sorted(secrets.items())))


def check_beginning(recording: Recording) -> None:
    """Raise RunFailed where *recording* can only be replayed on its own text."""
    if any(map(begins_inside, recording.events)):
        raise RunFailed(_("This run began in the middle of its text, so it can only be replayed on that."))


class Follower:
    """Follows one recorded run from its first event. *events*: those that came out as they were recorded.

    Life cycle: ``follow`` is called once. What the record says that a person or the world did is taken as it is; for
    anything else the decider is asked, and what it decides is compared before it is taken. The fold is that of what
    came out, with the times of the record: so a text whose steps stand elsewhere finds its own instructions.
    """

    def __init__(self, recording: Recording, beginning: Beginning) -> None:
        self.events: list[RunEvent] = []
        self._recording = recording
        self._beginning = beginning
        self._reading = Reading(recording.events)
        self.comparison = Comparison(beginning.is_own_text)
        self._fold = RunFold(RunState(run=recording.run))
        self._decider = self._new_decider()

    def _new_decider(self) -> RecordedDecider:
        origin = self._fold.origin if self.events else self._beginning.origin
        return self._beginning.decider(self._reading, origin)

    def follow(self) -> Divergence | None:
        """The first event that comes out otherwise; None where none does."""
        divergence = self._begun()
        while divergence is None and (event := self._reading.event) is not None:
            if self._reading.is_decided:
                divergence = self._decided(event)
            else:
                self._tell(event)
        return divergence

    def _begun(self) -> Divergence | None:
        """Take the first event, unless the text would be started in another way."""
        event = self._reading.event
        assert event is not None
        came = Draft(self._beginning.origin, actor=event.actor)
        return self._taken(came, event)

    def _tell(self, event: RunEvent) -> None:
        """Take *event*, which nobody decides here."""
        if isinstance(event.payload, RunForked) and event.payload.text is not None:
            self._go_over(event, event.payload)
            return
        where = (event.step, event.line)
        if self._fold.intent is not None and not self.comparison.is_own_text:
            place = self._decider.place(self._fold)
            where = (place.step, place.line)
        self._take(replace(event, step=where[0], line=where[1]))
        if isinstance(event.payload, RunResumed):
            self._go_on()

    def _go_on(self) -> None:
        """Another process may go on with the run here, with other judges, and perhaps in the middle of a turn."""
        origin = self._fold.origin
        if origin.steplist is None:
            self._decider.judged_by(origin.judges or Judges(), origin.limits or Limits())
            return
        self._decide_anew()

    def _go_over(self, event: RunEvent, forked: RunForked) -> None:
        """Go on with the text of a fork, as that did; on a text of today, the replay is there already."""
        if not self.comparison.is_own_text:
            self._take(replace(event, payload=replace(forked, text=None)))
            return
        self._take(event)
        recording = self._recording
        created = replace(recording.events[0], payload=self._fold.origin)
        as_forked = replace(recording, events=(created, *recording.events[1:]))
        self._beginning = beginning_of(as_forked, None, self._beginning.knows.known)
        self._decide_anew()

    def _decide_anew(self) -> None:
        self._decider = self._new_decider()
        for event in self.events:
            self._decider.take(event)

    def _decided(self, event: RunEvent) -> Divergence | None:
        answering = Answering(self._decider, self._reading, self.comparison)
        try:
            drafts = answering.drafts(self._fold, event)
        except Unfit as error:
            return self._otherwise(event, None, (), str(error))
        if not drafts:
            return self._otherwise(event, None, (), _("The run waits here."))
        for draft in drafts:
            following = self._reading.event
            if following is None or not self._reading.is_decided:
                return None  # the run was cut off here, and what is left is decided once more
            divergence = self._taken(draft, following)
            if divergence is not None:
                return divergence
        return None

    def _taken(self, draft: Draft, event: RunEvent) -> Divergence | None:
        """Take what *draft* says, at the time of *event*, unless it is something else."""
        differences = self.comparison.differences(event, draft)
        if differences:
            return self._otherwise(event, _at(event, draft), differences)
        self._take(_at(event, with_secrets(draft, event.payload)))
        return None

    def _take(self, event: RunEvent) -> None:
        self._fold.apply(event)
        self._decider.take(event)
        self.events.append(event)
        self._reading.at += 1

    def _where(self, came: RunEvent | None) -> tuple[str, int]:
        """The step at which *came* happens, else that which is being carried out, or was last.

        A playbook that is left stands at the step that called it; what it gives comes from its last step.
        """
        opened = self._fold.top.open[-1:] if self._fold.frames else []
        first = () if came is None or isinstance(came.payload, PlaybookExited) else (came,)
        places = (*first, *opened, *reversed(self.events))
        return next(((one.step, one.line) for one in places if one.line), ("", 0))

    def _otherwise(
        self, event: RunEvent, came: RunEvent | None, differences: tuple[Difference, ...], problem: str = ""
    ) -> Divergence:
        step, line = self._where(came)
        secret = any(holds_mark(encoded(each.payload)) for each in self.events)
        return Divergence(event, came, differences, problem, step, line, secret)


def _at(event: RunEvent, draft: Draft) -> RunEvent:
    """*draft*, at the time of *event* and with its number."""
    return replace(
        event,
        payload=draft.payload,
        span=draft.span,
        parent=draft.parent,
        step=draft.step,
        line=draft.line,
        attempt=draft.attempt,
        actor=draft.actor,
    )
