"""Calls by sentence: *Load the user's account* means the one playbook that fits.

Words are compared by a crude stem, so that *loads* and *accounts* fit too. A sentence that fits
exactly one playbook or tool, and says every word of its name, becomes a call, shown as
resolved; where several fit it stays a judgement and a diagnostic says so. All other prose
stays what it is: a step for whoever judges.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from workbench.model.meaning import Argument, Branch, Call, Judge, Loop, Meaning, Several
from workbench.model.sentences.meetings import Party, party_call
from workbench.model.sentences.naming import Names
from workbench.syntax.expressions import parse_expression
from workbench.syntax.signatures import Parameter

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+")
_STOP_WORDS = frozenset(
    "a an and as at by for from her his in into it its my of on or our the their them to up with your".split()
)
_CLOSE_ENOUGH = 0.6
"""Share of the words of both that must be common; below it a sentence is its own thing."""
_QUALIFIERS = frozenset("except if not never only or unless until when while without".split())
"""Words with which a sentence says more than a call could."""


@dataclass(frozen=True, slots=True)
class Target:
    """A playbook or tool that a sentence may mean."""

    name: str
    stems: frozenset[str]
    first: str
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class Callables:
    """All that can be called in a program; equal when nothing that matters here differs.

    *parties*: the agents of the program, and its people.
    """

    entries: tuple[Target, ...] = ()
    parties: tuple[Party, ...] = ()
    names: Names = field(default_factory=Names)

    @classmethod
    def of(
        cls,
        signatures: Iterable[tuple[str, tuple[Parameter, ...]]],
        parties: tuple[Party, ...] = (),
        names: Names | None = None,
    ) -> Callables:
        """The callables with these names and parameters; one-word names are never meant by a sentence."""
        entries = []
        for name, parameters in signatures:
            words = [_stem(word.lower()) for word in _CAMEL.split(name) if word]
            stems = frozenset(word for word in words if word not in _STOP_WORDS)
            if len(stems) > 1:
                entries.append(Target(name, stems, words[0], parameters))
        return cls(tuple(entries), parties, names or Names())


def resolved(meaning: Meaning, callables: Callables) -> Meaning:
    """*meaning*, or the call that its sentence stands for; what is called goes by its name, however it is written."""
    match meaning:
        case Call(target=target):
            named = callables.names.target(target)
            return meaning if named == target else replace(meaning, target=named)
        case Several(parts=parts):
            found = tuple(resolved(part, callables) for part in parts)
            return meaning if found == parts else Several(found)  # type: ignore[arg-type]  # actions stay actions
        case Branch(action=Call() | Several() as action) | Loop(action=Call() | Several() as action):
            called = resolved(action, callables)
            return meaning if called == action else replace(meaning, action=called)  # type: ignore[arg-type]
        case Branch(action=Judge() as action) | Loop(action=Judge() as action):
            opened = party_call(action, callables.parties)
            return meaning if opened is None else replace(meaning, action=opened)
    if type(meaning) is not Judge or len(meaning.outputs) > 1 or meaning.outcomes:
        return meaning
    return party_call(meaning, callables.parties) or _called(meaning, callables)


def _called(meaning: Judge, callables: Callables) -> Meaning:
    """*meaning*, or the call of the one playbook or tool that it fits."""
    if not callables.entries:
        return meaning
    fitting = fitting_callables(meaning.text, callables)
    if len(fitting) != 1 or not fitting[0].stems <= _stems(meaning.text):
        return meaning
    result = meaning.outputs[0] if meaning.outputs else None
    return Call(fitting[0].name, _arguments(fitting[0]), result, is_resolved=True)


@lru_cache(maxsize=4096)
def fitting_callables(sentence: str, callables: Callables) -> tuple[Target, ...]:
    """Every playbook or tool that *sentence* could mean."""
    stems = _stems(sentence)
    if len(stems) < 2 or not stems.isdisjoint(_QUALIFIERS):
        return ()
    first = _words(sentence)[0]
    return tuple(entry for entry in callables.entries if first == entry.first and _is_close(stems, entry.stems))


def _words(sentence: str) -> list[str]:
    """The stems of the words before the first variable, in order."""
    return [_stem(word.lower()) for word in _WORD.findall(sentence.split("$", 1)[0])]


def _stems(sentence: str) -> frozenset[str]:
    return frozenset(word for word in _words(sentence) if word not in _STOP_WORDS)


def _is_close(stems: frozenset[str], other: frozenset[str]) -> bool:
    common = len(stems & other)
    return common > 1 and common / len(stems | other) >= _CLOSE_ENOUGH


def _arguments(target: Target) -> tuple[Argument, ...]:
    """What the sentence leaves unsaid: each required parameter takes the variable of its name."""
    required = [parameter for parameter in target.parameters if parameter.default is None]
    return tuple(Argument(parameter.name, parse_expression(f"${parameter.name}")) for parameter in required)


def _stem(word: str) -> str:
    """*word* without possessive and plural ends: enough to compare names with sentences."""
    for ending in ("'s", "’s"):
        word = word.removesuffix(ending)
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word
