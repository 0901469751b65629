"""Calls by sentence: *Load the user's account* means the one playbook that fits.

Words are compared by a crude stem, so that *loads* and *accounts* fit too. A sentence that
fits exactly one playbook or tool becomes a call, shown as resolved; where several fit it
stays a judgement and a diagnostic says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from workbench.model.meaning import Argument, Call, Judge, Meaning
from workbench.model.program import Parameter
from workbench.syntax.expressions import parse_expression

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+")
_STOP_WORDS = frozenset(
    "a an and as at by for from her his in into it its my of on or our the their them to up with your".split()
)
_CLOSE_ENOUGH = 0.6
"""Share of the words of both that must be common; below it a sentence is its own thing."""


@dataclass(frozen=True, slots=True)
class Target:
    """A playbook or tool that a sentence may mean."""

    name: str
    stems: frozenset[str]
    first: str
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class Callables:
    """All that can be called in a program; equal when nothing that matters here differs."""

    entries: tuple[Target, ...] = ()

    @classmethod
    def of(cls, signatures: Iterable[tuple[str, tuple[Parameter, ...]]]) -> Callables:
        """The callables with these names and parameters; one-word names are never meant by a sentence."""
        entries = []
        for name, parameters in signatures:
            words = [_stem(word.lower()) for word in _CAMEL.split(name) if word]
            stems = frozenset(word for word in words if word not in _STOP_WORDS)
            if len(stems) > 1:
                entries.append(Target(name, stems, words[0], parameters))
        return cls(tuple(entries))


def resolved(meaning: Meaning, callables: Callables) -> Meaning:
    """*meaning*, or the call that its sentence stands for."""
    if type(meaning) is not Judge or not callables.entries or len(meaning.outputs) > 1:
        return meaning
    fitting = fitting_callables(meaning.text, callables)
    if len(fitting) != 1:
        return meaning
    result = meaning.outputs[0] if meaning.outputs else None
    return Call(fitting[0].name, _arguments(fitting[0]), result, is_resolved=True)


@lru_cache(maxsize=4096)
def fitting_callables(sentence: str, callables: Callables) -> tuple[Target, ...]:
    """Every playbook or tool that *sentence* could mean."""
    words = [_stem(word.lower()) for word in _WORD.findall(sentence.split("$", 1)[0])]
    stems = frozenset(word for word in words if word not in _STOP_WORDS)
    if len(stems) < 2:
        return ()
    return tuple(entry for entry in callables.entries if words[0] == entry.first and _is_close(stems, entry.stems))


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
