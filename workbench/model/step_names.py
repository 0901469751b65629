"""Which variables one step reads and which it writes, where they come from, and how its words say it otherwise.

The one answer for whoever shows it: from the meaning of the step, and from what its words mention besides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.model.meaning import Ask, Judge, StepKind, Variable
from workbench.model.program import Agent, Playbook, Step
from workbench.model.queries import Queries
from workbench.model.sentences.classify import classify
from workbench.model.sentences.outputs import TYPE
from workbench.model.step_facts import facts_of_run, own_facts, runs_of, step_runs, variable_key
from workbench.syntax.masking import without_quotes

if TYPE_CHECKING:
    from workbench.model.number_types import Needed


@dataclass(frozen=True, slots=True)
class StepName:
    """A variable of a step. *name*: as a step writes it, ``$total``. *type*: as written somewhere, or as it is needed.

    *needed*: why it is a number, where no step says so. *set_by*: the step that sets it, None where it is a parameter,
    or where nothing sets it.
    """

    name: str
    type: str = ""
    needed: Needed | None = None
    set_by: Step | None = None


@dataclass(frozen=True, slots=True)
class StepNames:
    """What a step *reads* and *writes*, each in the order of its words."""

    reads: tuple[StepName, ...] = ()
    writes: tuple[StepName, ...] = ()


def names_of(document: Queries, step: Step) -> StepNames:
    """What *step* reads and writes."""
    if step.kind in (StepKind.RAW, StepKind.NOTE):
        return StepNames()
    facts = own_facts(step)
    placed = document.placed_playbook(step.id).playbook if document.has(step.id) else None
    agent = next((one for one in document.program.agents if placed in one.playbooks), None)
    if placed is None or agent is None or not (facts.sets or facts.uses or facts.read_names):
        return StepNames()
    place = _Place(document, agent, placed, step)
    return StepNames(
        tuple(map(place.named, _in_order(step, facts.read_names | facts.uses))),
        tuple(map(place.named, _in_order(step, facts.sets))),
    )


def _in_order(step: Step, names: frozenset[str]) -> list[str]:
    """*names* as they stand in the words of *step*; what does not stand there comes last."""
    at = {name: _place_of(step.text, name) for name in names}
    return sorted(names, key=lambda name: (at[name] < 0, at[name], name))


def _place_of(text: str, name: str) -> int:
    match = _mention(name).search(text)
    return match.start() if match is not None else -1


def _mention(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w$.]){re.escape(name)}(?![\w(])")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a step stands whose names are looked up."""

    document: Queries
    agent: Agent
    playbook: Playbook
    step: Step

    def named(self, name: str) -> StepName:
        """What is known of *name*."""
        variable = Variable(name.removeprefix("$"), name[0] == "$")
        setters = list(self._setters(name))
        types = [found for each in setters for found in types_written(each.meaning, name)]
        types += [one.type for one in self.playbook.parameters if one.name == variable.name]
        written = next((each for each in types if each), "")
        from workbench.model.number_types import number_types  # noqa: PLC0415 - the window does not start with it

        found = number_types(self.document.program)
        needed = None if written else found.reason(self.agent.name, self.playbook.name, variable)
        if needed is not None:
            written = found.typed(self.agent.name, self.playbook.name, variable).type
        other = next((each for each in setters if each is not self.step), None)
        return StepName(name, written, needed, other)

    def _setters(self, name: str) -> Iterator[Step]:
        """The steps that set *name*: this one, those of its playbook, and of state those of the others of its agent."""
        others = [one for one in self.agent.playbooks if one is not self.playbook] if name[0] == "$" else []
        if name in own_facts(self.step).sets:
            yield self.step
        for playbook in (self.playbook, *others):
            for run in (*runs_of(playbook.triggers), *step_runs(playbook)):
                if name in facts_of_run(run).sets:
                    yield from (one for root in run for one in root.walk() if name in own_facts(one).sets)


def types_written(part: object, name: str) -> Iterator[str]:
    """The types that *part* of a meaning writes at *name*."""
    match part:
        case Variable(name=own, is_state=is_state, type=written):
            if variable_key(own, is_state) == name:
                yield written
        case tuple():
            for each in part:
                yield from types_written(each, name)
        case _ if hasattr(part, "__slots__"):
            for slot in part.__slots__:
                yield from types_written(getattr(part, slot), name)


def with_type(step: Step, name: str, type_: str) -> str | None:
    """The words of *step* in which *name*, which it writes, has the type *type_* (empty: none).

    None: that cannot be said.
    """
    for match in _mention(name).finditer(without_quotes(step.text)):
        end = match.end()
        old = re.match(rf"\s?:\s?{TYPE}(?:\s*\|\s*{TYPE})*", step.text[end:])
        rest = step.text[end + old.end() :] if old is not None else step.text[end:]
        words = step.text[:end] + (f":{type_}" if type_ else "") + rest
        meaning = classify(words, bool(step.children))
        if words != step.text and type(meaning) is type(step.meaning) and type_ in set(types_written(meaning, name)):
            return words
    return None


def only_read(step: Step, name: str) -> str | None:
    """The words of *step* in which *name*, which it fills in, is only read; None where that cannot be said."""
    if not isinstance(step.meaning, Judge | Ask):
        return None
    for match in _mention(name).finditer(without_quotes(step.text)):
        end = match.end()
        typed = re.match(rf":{TYPE}", step.text[end:])
        rest = step.text[end + (typed.end() if typed is not None else 0) :]
        words = f"{step.text[: match.start()]}{{{name}}}{rest}"
        if _is_still(step, words) and name not in _names_set(classify(words, bool(step.children))):
            return words
    return None


def filled_in(step: Step, name: str) -> str | None:
    """The words of *step* in which *name*, which it only reads, is filled in; None where that cannot be said."""
    if not isinstance(step.meaning, Judge | Ask):
        return None
    for match in _mention(name).finditer(without_quotes(step.text)):
        start, end = match.span()
        is_braced = step.text[start - 1 : start] == "{" and step.text[end : end + 1] == "}"
        before, after = (
            (step.text[: start - 1], step.text[end + 1 :]) if is_braced else (step.text[:start], step.text[end:])
        )
        for mention in (name, f"{name}:str"):
            words = before + mention + after
            if _is_still(step, words) and name in _names_set(classify(words, bool(step.children))):
                return words
    return None


def _is_still(step: Step, words: str) -> bool:
    """Whether *words* mean the same kind of thing as those of *step*, and are others."""
    return words != step.text and type(classify(words, bool(step.children))) is type(step.meaning)


def _names_set(part: object) -> set[str]:
    """The names that *part* of a meaning sets."""
    match part:
        case Variable(name=name, is_state=is_state):
            return {variable_key(name, is_state)}
        case tuple():
            return set[str]().union(*map(_names_set, part))
        case _ if hasattr(part, "__slots__"):
            return set[str]().union(*(_names_set(getattr(part, slot)) for slot in part.__slots__))
    return set()
