"""What differs between two runs as wholes, or between two passes through one step, as values."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from workbench.engine.comparing.passes import GivenAnswer, MadeCall, Pass
from workbench.engine.journal.payload import NOTHING
from workbench.engine.state.judging import Used
from workbench.engine.state.run_state import RunState
from workbench.engine.work import HOW
from workbench.syntax.comparing.aligning import aligned, by_key


class About(enum.Enum):
    """What differs. SOURCE: the text of the playbook; TEXT: the words of a step."""

    OUTCOME = "outcome"
    ERROR = "error"
    SOURCE = "source"
    TEXT = "text"
    BRANCH = "branch"
    ANSWER = "answer"
    ARGUMENTS = "arguments"
    CALL = "call"
    RESULT = "result"
    VALUE = "value"
    TOLD = "told"
    ATTEMPTS = "attempts"
    JUDGE = "judge"
    TIME = "time"
    TOKENS = "tokens"
    COST = "cost"


ASIDE = frozenset({About.SOURCE, About.TIME, About.TOKENS, About.COST})
"""What does not matter by itself: what is measured is never the same twice, and a text may change around the steps."""


@dataclass(frozen=True, slots=True)
class Difference:
    """*name*: of a variable, a tool or a question, empty where none is meant. ``NOTHING``: that run has none."""

    about: About
    name: str
    other: Any
    run: Any

    @property
    def matters(self) -> bool:
        """Whether it is one in what the run did: more than another time, or another cost."""
        return self.about not in ASIDE


def of_runs(was: RunState, now: RunState) -> Iterator[Difference]:
    """What differs between two runs as wholes, but for what was known at their ends."""
    yield from _unlike(About.OUTCOME, "", was.status.value, now.status.value)
    yield from _unlike(About.ERROR, "", was.error, now.error)
    yield from _unlike(About.SOURCE, "", was.origin.pb_hash, now.origin.pb_hash)
    yield from _unlike(About.JUDGE, "", _judge_of(was), _judge_of(now))
    yield from _of_named(About.ARGUMENTS, was.origin.arguments, now.origin.arguments)
    yield from _unlike(About.RESULT, "", _or_nothing(was.result), _or_nothing(now.result))


def _judge_of(state: RunState) -> str:
    judges = state.origin.judges
    if judges is None:
        return ""
    return " ".join(filter(None, (judges.usual.value, "/".join(filter(None, (judges.endpoint, judges.model))))))


def of_values(was: RunState, now: RunState) -> Iterator[Difference]:
    """What differs in what was known at the ends of two runs."""
    yield from _of_named(About.VALUE, _known_at_end(was), _known_at_end(now))


def _known_at_end(state: RunState) -> dict[str, Any]:
    """The ``$`` variables of all agents, each with its agent before it where there are several."""
    agents = {agent: values for agent, values in state.agents.items() if values}
    is_one = len(agents) < 2
    return {
        f"${name}" if is_one else f"{agent} ${name}": value
        for agent, values in agents.items()
        for name, value in values.items()
    }


def _unlike(about: About, name: str, other: Any, run: Any) -> Iterator[Difference]:
    if not _is_same(other, run):
        yield Difference(about, name, other, run)


def _is_same(first: Any, second: Any) -> bool:
    """Whether two values are one; ``True`` and 1 are not."""
    if type(first) is not type(second) and not (_is_number(first) and _is_number(second)):
        return False
    if isinstance(first, Mapping):
        return first.keys() == second.keys() and all(_is_same(first[name], second[name]) for name in first)
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(map(_is_same, first, second))
    return bool(first == second)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _of_named(about: About, other: Mapping[str, Any], run: Mapping[str, Any]) -> Iterator[Difference]:
    for name in dict.fromkeys((*other, *run)):
        yield from _unlike(about, name, other.get(name, NOTHING), run.get(name, NOTHING))


def measured(was_ns: int, now_ns: int, was: Used, now: Used) -> Iterator[Difference]:
    """Times where one is clearly longer, and what models used."""
    if abs(now_ns - was_ns) >= _NOTABLE_NS and max(was_ns, now_ns) > _NOTABLE_RATIO * min(was_ns, now_ns):
        yield Difference(About.TIME, "", was_ns, now_ns)
    yield from _unlike(About.TOKENS, "", was.tokens, now.tokens)
    yield from _unlike(About.COST, "", was.cost_usd, now.cost_usd)


_NOTABLE_NS = 1_000_000_000
_NOTABLE_RATIO = 1.5


def of_passes(old: Pass, new: Pass) -> Iterator[Difference]:
    """What differs between two passes through one step."""
    yield from _unlike(About.TEXT, "", old.text, new.text)
    yield from _unlike(About.OUTCOME, "", old.status.value, new.status.value)
    yield from _unlike(About.ERROR, "", old.error or NOTHING, new.error or NOTHING)
    told: list[Difference] = [*_of_answers(old.answers, new.answers), *_of_calls(old.calls, new.calls)]
    yield from told
    follows = _unlike(About.BRANCH, "", _or_nothing(old.branch), _or_nothing(new.branch))
    for each in (*follows, *_of_named(About.VALUE, _told_values(old), _told_values(new))):
        if not any(_is_same((each.other, each.run), (one.other, one.run)) for one in told):
            yield each  # what an answer or a call gave has been told with it
    for was, now in zip_longest(old.told, new.told, fillvalue=NOTHING):
        yield from _unlike(About.TOLD, "", was, now)
    yield from _unlike(About.ATTEMPTS, "", old.attempts, new.attempts)
    yield from measured(old.end_ns - old.start_ns, new.end_ns - new.start_ns, old.used, new.used)


def of_lone(one: Pass, *, is_other: bool) -> Iterator[Difference]:
    """What was decided, answered, called, set and said in a pass that only the run, or only the *other*, has."""
    blank = replace(one, branch=None, values={}, answers=(), calls=(), told=(), error="")
    yield from of_passes(one, blank) if is_other else of_passes(blank, one)


def _or_nothing(value: Any) -> Any:
    return NOTHING if value is None else value


def _told_values(one: Pass) -> dict[str, Any]:
    """What each name was set to; a list where that was several values."""
    return {name: list(values) if len(values) > 1 else values[0] for name, values in one.values.items()}


def _of_answers(old: Sequence[GivenAnswer], new: Sequence[GivenAnswer]) -> Iterator[Difference]:
    """What was answered otherwise: field by field where the answer has fields."""
    nobody = GivenAnswer("", {})
    for was, now in zip_longest(old, new, fillvalue=nobody):
        for each in _of_named(About.ANSWER, _fields(was), _fields(now)):
            yield replace(each, name=each.name or now.question or was.question)
        if nobody not in (was, now):
            yield from _unlike(About.JUDGE, "", was.by, now.by)


def _fields(given: GivenAnswer) -> dict[str, Any]:
    """The values of an answer by name; what is no value stands under no name."""
    values = given.answer.get("values")
    found: dict[str, Any] = dict(values) if isinstance(values, Mapping) else {}
    if HOW in found:
        found[""] = found.pop(HOW)
    if "decision" in given.answer:
        found[""] = given.answer["decision"]
    elif "call" in given.answer:
        found[""] = given.answer["call"]
    elif given.answer.get("text"):
        found["text" if found else ""] = given.answer["text"]
    return found


def _of_calls(old: Sequence[MadeCall], new: Sequence[MadeCall]) -> Iterator[Difference]:
    """Calls that only one run made, and what is another in those that both made."""
    for was_at, now_at in aligned(old, new, (by_key(lambda call: call.name),)):
        if was_at is None and now_at is not None:
            yield Difference(About.CALL, new[now_at].name, NOTHING, new[now_at].arguments)
        elif was_at is not None and now_at is None:
            yield Difference(About.CALL, old[was_at].name, old[was_at].arguments, NOTHING)
        elif was_at is not None and now_at is not None:
            yield from _of_call(old[was_at], new[now_at])


def _of_call(was: MadeCall, now: MadeCall) -> Iterator[Difference]:
    yield from _unlike(About.ARGUMENTS, now.name, was.arguments, now.arguments)
    yield from _unlike(About.OUTCOME, now.name, was.outcome.value, now.outcome.value)
    yield from _unlike(About.RESULT, now.name, was.error or was.result, now.error or now.result)
