"""Which variables of a program are numbers, because its steps compare or compute with them: what an answer becomes.

It is decided from the whole program and never from the look of what is typed: a zip code that is only told stays
``007``. What is used as a text as well stays one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from workbench.i18n import _
from workbench.model.meaning import Variable
from workbench.model.number_uses import NUMBER_TYPES, RESULT, Use, UseKind, uses_of_run
from workbench.model.program import Agent, Parameter, Playbook, Program
from workbench.model.queries import Queries
from workbench.model.step_facts import facts_of_run, runs_of, step_runs, variable_key

Key = tuple[str, str, str]
"""(agent, playbook, name): the playbook is empty for agent state, the name has its dollar sign then."""
_NEEDING = frozenset({UseKind.NUMBER, UseKind.WHOLE, UseKind.PRODUCT})


@dataclass(frozen=True, slots=True)
class Needed:
    """Why a variable is a number: the *use* that needs one; for a parameter that says so, *parameter* of *call*."""

    use: Use
    call: str = ""


@dataclass(slots=True)
class NumberTypes:
    """*needed*: the variables that are numbers, with the reason. *others*: a step that needs something else of it.

    *whole*: those that are whole numbers. *maybe*: those that may be nothing. *known*: *needed*, and those that are set
    to numbers.
    """

    needed: dict[Key, Needed] = field(default_factory=dict)
    others: dict[Key, Use] = field(default_factory=dict)
    whole: set[Key] = field(default_factory=set)
    maybe: set[Key] = field(default_factory=set)
    known: set[Key] = field(default_factory=set)
    places: dict[str, _Place] = field(default_factory=dict)

    def reason(self, agent: str, playbook: str, variable: Variable) -> Needed | None:
        """Why *variable*, which has no type of its own, is asked for as a number; None where it is not."""
        place = self.places.get(f"{agent}.{playbook}")
        if place is None or variable.type or not (variable.is_state or variable.name in place.own):
            return None
        key = place.key(variable_key(variable.name, variable.is_state))
        return None if key in self.others else self.needed.get(key)

    def typed(self, agent: str, playbook: str, variable: Variable) -> Variable:
        """*variable*, with the type that it needs."""
        if self.reason(agent, playbook, variable) is None:
            return variable
        key = self.places[f"{agent}.{playbook}"].key(variable_key(variable.name, variable.is_state))
        written = "int" if key in self.whole else "number"
        return replace(variable, type=f"{written}|None" if key in self.maybe else written)


@dataclass(frozen=True, slots=True)
class _Place:
    """A playbook of an agent, with what its steps do. *own*: the names without a dollar sign that it has itself."""

    agent: Agent
    playbook: Playbook
    own: frozenset[str]
    uses: tuple[Use, ...]

    def key(self, name: str) -> Key:
        """Where the variable *name* is kept: a run finds it in either form."""
        if name[0] == "$" and name[1:] in self.own:
            name = name[1:]
        if name[0] != "$" and name in self.own:
            return self.agent.name, self.playbook.name, name
        return self.agent.name, "", name if name[0] == "$" else f"${name}"


@lru_cache(maxsize=4)
def number_types(program: Program) -> NumberTypes:
    """What the steps of *program* need of its variables; for whoever asks, to look at only."""
    places = [_place(agent, playbook) for agent in program.agents for playbook in agent.playbooks]
    types = NumberTypes(places={f"{each.agent.name}.{each.playbook.name}": each for each in reversed(places)})
    for place in places:
        _begin(types, place)
    known = -1
    while known < len(types.known) + len(types.needed):
        known = len(types.known) + len(types.needed)
        for place in places:
            _go_on(types, place, program)
    return types


def mixed_uses(program: Program) -> Iterator[tuple[Use, Use]]:
    """Each use that needs a number of a variable that is a text, with the use that shows the text."""
    types = number_types(program)
    texts: dict[Key, Use] = {}
    for place in types.places.values():
        for use in place.uses:
            if use.kind is UseKind.TEXT:
                texts.setdefault(place.key(use.name), use)
    for place in types.places.values() if texts else ():
        for use in place.uses:
            key = place.key(use.name)
            if use.kind in _NEEDING - {UseKind.PRODUCT} and not use.needs and key in texts and key not in types.known:
                yield use, texts[key]


def _place(agent: Agent, playbook: Playbook) -> _Place:
    runs = (*runs_of(playbook.triggers), *step_runs(playbook))
    names = set[str]().union(*[facts_of_run(run).sets for run in runs])
    own = {name for name in names if name[0] != "$"} | {one.name for one in playbook.parameters if not one.is_state}
    return _Place(agent, playbook, frozenset(own), tuple([use for run in runs for use in uses_of_run(run)]))


def _begin(types: NumberTypes, place: _Place) -> None:
    """Take in what is sure from the start."""
    for parameter in place.playbook.parameters:
        key = place.key(variable_key(parameter.name, parameter.is_state))
        if parameter.type.lower() in NUMBER_TYPES:
            types.known.add(key)
    for use in place.uses:
        key = place.key(use.name)
        if use.kind in (UseKind.OTHER, UseKind.TEXT):
            types.others.setdefault(key, use)
        elif use.kind is UseKind.EMPTY:
            types.maybe.add(key)
        elif use.kind is UseKind.WHOLE:
            types.whole.add(key)


def _go_on(types: NumberTypes, place: _Place, program: Program) -> None:
    """Take in what follows from what is known so far."""
    for use in place.uses:
        key = place.key(use.name)
        needs = {place.key(name) for name in use.needs} - {key}
        is_sure = not use.needs or not needs.isdisjoint(types.known)
        if use.kind is UseKind.VALUE and is_sure:
            types.known.add(key)
        elif use.kind in _NEEDING and is_sure:
            _need(types, key, Needed(use))
        elif use.kind is UseKind.GIVEN:
            _hand_on(types, place, use, program)


def _need(types: NumberTypes, key: Key, needed: Needed) -> None:
    if key not in types.others:
        types.needed.setdefault(key, needed)
        types.known.add(key)


def _hand_on(types: NumberTypes, place: _Place, use: Use, program: Program) -> None:
    """What becomes a number later has to be one now."""
    key = place.key(use.name)
    if not use.call:
        target = _result(place) if use.other == RESULT else place.key(use.other)
        _flow(types, key, target)
    elif use.other == RESULT:
        called = _called(types, place.agent, use.call)
        if called is not None:
            _flow(types, _result(called), key)
    else:
        _give(types, key, use, _called(types, place.agent, use.call) or _function(program, place.agent, use.call))


def _flow(types: NumberTypes, source: Key, target: Key) -> None:
    if target in types.needed:
        _need(types, source, types.needed[target])
        if target in types.whole:
            types.whole.add(source)


def _give(types: NumberTypes, key: Key, use: Use, called: _Place | tuple[Parameter, ...] | None) -> None:
    """The value of *key* becomes a parameter of what is called."""
    if called is None:
        return
    parameters = called.playbook.parameters if isinstance(called, _Place) else called
    parameter = _parameter(parameters, use.other)
    if parameter is None:
        return
    written = parameter.type.lower()
    if written in NUMBER_TYPES:
        _need(types, key, Needed(use, use.call))
        if written.startswith("int"):
            types.whole.add(key)
    elif isinstance(called, _Place) and not written:
        _flow(types, key, called.key(variable_key(parameter.name, parameter.is_state)))


def _parameter(parameters: Sequence[Parameter], place: str) -> Parameter | None:
    """The parameter with the name *place*, or in that place."""
    if place.isdecimal():
        return parameters[int(place)] if int(place) < len(parameters) else None
    return next((one for one in parameters if one.name == place), None)


def _result(place: _Place) -> Key:
    """What stands for the value that the playbook gives back."""
    return place.agent.name, place.playbook.name, f"{RESULT} "


def _called(types: NumberTypes, agent: Agent, target: str) -> _Place | None:
    """The playbook that *target* calls when *agent* says it, where the name alone says which."""
    owner, _dot, name = target.rpartition(".")
    return types.places.get(f"{owner or agent.name}.{name}")


def _function(program: Program, agent: Agent, target: str) -> tuple[Parameter, ...] | None:
    """The parameters of the Python function that *target* calls."""
    owner, _dot, name = target.rpartition(".")
    agents = [each for each in program.agents if each.name == (owner or agent.name)]
    return next((one.parameters for each in agents for one in each.functions if one.name == name), None)


def reason_words(needed: Needed, document: Queries) -> str:
    """Why a variable is a number, in a person's words: ``compared with 5 in Main:02``."""
    use = needed.use
    step = document.address(use.step.id) if document.has(use.step.id) else ""
    if needed.call:
        return _("given to {playbook} in {step}, which takes a number").format(playbook=needed.call, step=step)
    if use.kind is UseKind.WHOLE and not use.words:
        return _("the number of rounds in {step}").format(step=step)
    if use.is_computed:
        return _("part of {code} in {step}").format(code=use.words, step=step)
    return _("compared with {value} in {step}").format(value=use.words, step=step)
