"""The triggers of a program, as the runtime watches them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from workbench.model.meaning import BY_THEMSELVES, Hearing, Sender, Timing, TriggerEvent
from workbench.model.program import Agent, Playbook, Program, Step
from workbench.model.sentences.outputs import MENTION
from workbench.model.snapshot import Snapshot
from workbench.syntax.expressions import Expression

Knows = Callable[[str], bool]
"""Whether there is a tool of that name outside the program."""


@dataclass(frozen=True, slots=True)
class Watch:
    """One trigger. *key*: its name in a run; *address*: where it stands; *field*: its name in a judgement.

    *test*: where it is exact. *names*: the variables that it names. *moment*, *subject*: a call (``Agent.Name``) for
    which it waits, or an invitation of the agent *subject* to *meeting* (empty: to any). *hearing*: of messages,
    *timing*: of the clock.
    """

    key: str
    address: str
    line: int
    agent: str
    playbook: str
    text: str
    field: str
    test: Expression | None = None
    names: frozenset[str] = frozenset()
    moment: str = ""
    subject: str = ""
    hearing: Hearing | None = None
    timing: Timing | None = None
    meeting: str = ""

    def key_of(self, agent: str) -> str:
        """Its name in a run for *agent*, which may be one of several that were made."""
        return self.key if agent == self.agent else f"{self.key}@{agent}"

    @property
    def is_judged(self) -> bool:
        """Whether somebody has to say if it holds."""
        is_by_rule = self.hearing is not None and not self.hearing.is_judged
        return self.test is None and not self.moment and self.timing is None and not is_by_rule


@dataclass(frozen=True, slots=True)
class Watches:
    """The triggers of a program by the way in which they are looked at, in source order.

    *heard*: at messages. *moments*: at the start of an agent, an invitation, the end of the program.
    """

    exact: tuple[Watch, ...] = ()
    judged: tuple[Watch, ...] = ()
    calls: tuple[Watch, ...] = ()
    timed: tuple[Watch, ...] = ()
    heard: tuple[Watch, ...] = ()
    moments: tuple[Watch, ...] = ()

    def by_key(self, key: str) -> Watch:
        """The trigger *key*, whichever agent of its kind it is for."""
        known = (*self.exact, *self.judged, *self.calls, *self.timed, *self.heard, *self.moments)
        own = key.partition("@")[0]
        return next(each for each in known if each.key == own)

    def around(self, moment: str, subject: str) -> tuple[Watch, ...]:
        """Those that wait for *moment* of the call *subject*."""
        known = self.moments if moment in _OWN else self.calls
        return tuple(each for each in known if each.moment == moment and each.subject == subject)

    @property
    def ends(self) -> tuple[Watch, ...]:
        """Those that wait for the end of the program."""
        return tuple(each for each in self.moments if each.moment == "end")

    @property
    def are_any(self) -> bool:
        """Whether there is anything to look at."""
        return bool(self.exact or self.judged or self.calls or self.timed)

    @property
    def go_on(self) -> bool:
        """Whether any of them may fire when everything else is done."""
        return bool(self.heard or self.timed)

    @property
    def hear_user(self) -> bool:
        """Whether any of them listens to the user."""
        return any(each.hearing is not None and each.hearing.sender is not Sender.AGENT for each in self.heard)


def watches_of(
    snapshot: Snapshot, entries: Mapping[tuple[str, str], Playbook], knows: Knows, made: frozenset[str]
) -> Watches:
    """The triggers of *snapshot*; *entries*: playbooks by agent that stand for Python, or were made in the run."""
    found = [*_found(snapshot, entries, _Subjects(snapshot.program, knows, frozenset(entries), made))]
    return Watches(
        tuple(each for each in found if each.test is not None),
        tuple(each for each in found if each.is_judged),
        tuple(each for each in found if each.moment and each.moment not in _OWN),
        tuple(each for each in found if each.timing is not None),
        tuple(each for each in found if each.hearing is not None),
        tuple(each for each in found if each.moment in _OWN),
    )


def _found(snapshot: Snapshot, entries: Mapping[tuple[str, str], Playbook], subjects: _Subjects) -> Iterator[Watch]:
    """The triggers in source order, then those of Python, then the playbooks that need none."""
    yield from (
        _watch(snapshot, (agent, playbook, step), step.meaning, subjects)
        for agent in snapshot.program.agents
        for playbook in agent.playbooks
        for step in playbook.triggers
        if isinstance(step.meaning, TriggerEvent)
    )
    agents = {agent.name: agent for agent in snapshot.program.agents}
    yield from (
        _named(subjects, (agents[owner], playbook.name, f"{playbook.address}:T{number}", 0), step.meaning)
        for (owner, _name), playbook in entries.items()
        for number, step in enumerate(playbook.triggers, 1)
        if isinstance(step.meaning, TriggerEvent)
    )
    own = [(agent.name, playbook) for agent in snapshot.program.agents for playbook in agent.playbooks]
    yield from (
        Watch(f"{agent}.{_CATCH_ALL}", "", 0, agent, _CATCH_ALL, "", "", hearing=_REST)
        for agent, playbook in (*own, *((owner, playbook) for (owner, _name), playbook in entries.items()))
        if playbook.name == _CATCH_ALL and not playbook.triggers
    )


_OWN = ("start", *BY_THEMSELVES)
_CATCH_ALL = "ProcessMessages"
"""A playbook of this name takes what no trigger takes, without saying so."""
_REST = Hearing(Sender.ANYONE, is_rest=True)


@dataclass(frozen=True, slots=True)
class _Subjects:
    """The calls that triggers can wait for. *entries*: see ``watches_of``; *made*: names that may be made later."""

    program: Program
    knows: Knows
    entries: frozenset[tuple[str, str]]
    made: frozenset[str]

    def of(self, agent: Agent, written: str) -> str:
        """``Agent.Name`` of the call that is meant; empty where there is none: then it is a judgement."""
        owner, _dot, name = written.rpartition(".")
        agents = self.program.agents
        for candidate in [each for each in agents if each.name == owner] if owner else [agent, *agents]:
            playbook = candidate.playbook(name)
            if playbook is not None:
                return f"{candidate.name}.{playbook.name}"
            if (candidate.name, name) in self.entries or any(each.name == name for each in candidate.functions):
                return f"{candidate.name}.{name}"
        return f"{agent.name}.{written}" if written and (self.knows(written) or name in self.made) else ""


def _named_in(test: Expression | None, words: str) -> frozenset[str]:
    """The variables that a trigger names, and ``meeting`` where it reads what a meeting shares."""
    if test is None:
        mentioned = {match["name"] for match in MENTION.finditer(words)}
        return frozenset(mentioned | {"meeting"} if "meeting.state" in words else mentioned)
    return frozenset(name for name, is_state in test.names if is_state or name == "meeting")


def _watch(
    snapshot: Snapshot, place: tuple[Agent, Playbook, Step], trigger: TriggerEvent, subjects: _Subjects
) -> Watch:
    agent, playbook, step = place
    where = (agent, playbook.name, snapshot.address(step.id), snapshot.line(step.id))
    return _named(subjects, where, trigger)


def _named(subjects: _Subjects, place: tuple[Agent, str, str, int], trigger: TriggerEvent) -> Watch:
    agent, playbook, address, line = place
    test = trigger.condition.test if trigger.condition else None
    moment = "start" if trigger.is_start else trigger.moment
    is_own = moment in _OWN
    subject = agent.name if is_own else subjects.of(agent, trigger.subject)
    return Watch(
        key=f"{agent.name}.{address}",
        address=address,
        line=line,
        agent=agent.name,
        playbook=playbook,
        text=trigger.text,
        field=address.replace(":", "_"),
        test=test,
        names=_named_in(test, trigger.text),
        moment=moment if subject else "",
        subject=subject,
        hearing=trigger.hearing,
        timing=trigger.timing,
        meeting=trigger.subject if is_own else "",
    )
