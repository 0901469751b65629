"""Calls by sentence: *Load the user's account* means the playbook of these words, *Run F with $n* the one of this name.

Words are compared by a crude stem, so that *loads* and *accounts* fit too; the one whose words are just those of the
sentence comes before others. A sentence that says more than a call could is still one where whoever judges can be
asked for what the call needs; else it stays a judgement, and so does one that fits several. A playbook never means
itself by its own words: they tell what it is there to do, and doing it again would never end. All other prose stays
what it is: a step for whoever judges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from workbench.model.meaning import (
    Argument,
    Ask,
    Branch,
    Call,
    Judge,
    Loop,
    Meaning,
    Several,
    Tell,
    Variable,
    actions_of,
)
from workbench.model.sentences.calls import CALLING, NamedCall, call_of, kept, named_call, plan_call
from workbench.model.sentences.meetings import Party, party_call
from workbench.model.sentences.naming import Names
from workbench.model.sentences.outputs import MENTION
from workbench.model.sentences.people import addressed, answered, sent
from workbench.regex import regex
from workbench.syntax.expressions import parse_expression
from workbench.syntax.signatures import Parameter

_WORD = regex(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_CAMEL = regex(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\s_\-]+")
_TOKEN = regex(r"\w[\w-]*")
_STOP_WORDS = frozenset(
    "a all an and as at by for from her his in into it its my of on or our the their them to up with your".split()
)
_CLOSE_ENOUGH = 0.6
"""Share of the words of both that must be common; below it a sentence is its own thing."""
_QUALIFIERS = frozenset("except if not never only or unless until when while without".split())
"""Words with which a sentence says more than a call could."""
_CODE = regex(r"[()\[\]{}=+*/<>`|\\]")
_PLAIN = regex(r"[\s.,:;!'’-]*")
_LONGEST = 1_000


@dataclass(frozen=True, slots=True)
class Target:
    """A playbook or tool that a sentence may mean. *words*: in order, without the little ones."""

    name: str
    words: tuple[str, ...]
    stems: frozenset[str]
    first: str


@dataclass(frozen=True)
class Callables:
    """All that can be called in a program; equal when nothing that matters here differs.

    *signatures*: names with parameters; *parties*: the agents of the program, and its people.
    """

    signatures: tuple[tuple[str, tuple[Parameter, ...]], ...] = ()
    parties: tuple[Party, ...] = ()
    names: Names = field(default_factory=Names)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # worked out once: every sentence of the program is looked up by it
        return hash((self.signatures, self.parties, self.names))

    @cached_property
    def people(self) -> tuple[str, ...]:
        """The names of the people of the program."""
        return tuple(party.name for party in self.parties if party.is_person)

    @cached_property
    def parameters(self) -> Mapping[str, tuple[Parameter, ...]]:
        """The parameters by name; without those that agents have with different ones: they need to be given."""
        found: dict[str, tuple[Parameter, ...]] = {}
        unsure = {name for name, parameters in self.signatures if found.setdefault(name, parameters) != parameters}
        return {name: parameters for name, parameters in found.items() if name not in unsure}

    @cached_property
    def by_first_word(self) -> Mapping[str, tuple[Target, ...]]:
        """What the words of a sentence can mean, by the stem of the first; names of one word are never meant so."""
        spelling = {name: written for written, name in self.names.written}
        found: dict[str, tuple[Target, ...]] = {}
        for name in self.parameters:
            words = tuple(word.lower() for word in _CAMEL.split(spelling.get(name, name)) if word)
            stems = frozenset(map(_stem, words)) - _STOP_WORDS
            if len(stems) > 1:
                target = Target(name, tuple(word for word in words if word not in _STOP_WORDS), stems, _stem(words[0]))
                found[target.first] = (*found.get(target.first, ()), target)
        return found


def resolved(meaning: Meaning, callables: Callables, home: str = "") -> Meaning:
    """*meaning*, or the call that its sentence stands for in the playbook *home*.

    What is called goes by its name, however it is written; people of the program are asked and told like the user.
    """
    meaning = _to_people(meaning, callables.people)
    match meaning:
        case Call(target=target):
            named = callables.names.target(target)
            return meaning if named == target else replace(meaning, target=named)
        case Several(parts=parts):
            found = tuple(resolved(part, callables, home) for part in parts)
            return meaning if found == parts else Several(found)  # type: ignore[arg-type]  # actions stay actions
        case Branch(action=action) | Loop(action=action):
            called = action if action is None else resolved(action, callables, home)
            return meaning if called == action else replace(meaning, action=called)  # type: ignore[arg-type]
        case Judge(outputs=outputs) if len(outputs) < 2 and not meaning.outcomes:
            parties = callables.parties
            known = (
                plan_call(meaning.text)
                or party_call(meaning, parties)
                or sent(meaning, parties)
                or answered(meaning, parties)
            )
            return known or _called(meaning.text, outputs, callables, home) or meaning
        case Tell(template=None) | Ask(variables=()) if "$" not in meaning.text:
            said = _by_words(meaning.text, None, callables)
            is_it = said is not None and said.target != home and not said.asked
            return said if said is not None and is_it else meaning
    return meaning


def _to_people(meaning: Meaning, people: Sequence[str]) -> Meaning:
    """*meaning*, or what it asks or tells one of *people*; several things said at once wait for the run."""
    if not people or not isinstance(meaning, Judge | Ask | Tell):
        return meaning
    found = addressed(meaning, people)
    return meaning if isinstance(found, Several) else found


def resolved_in(home: str, meaning: Meaning, callables: Callables) -> tuple[Meaning, bool]:
    """``resolved``, and whether it may be another in another playbook than *home*."""
    found = resolved(meaning, callables)
    if found is meaning:
        return meaning, False
    targets = [one.target for one in actions_of(found) if isinstance(one, Call) and one.is_resolved]
    return (resolved(meaning, callables, home) if home in targets else found), bool(targets)


@lru_cache(maxsize=4096)
def _called(text: str, outputs: tuple[Variable, ...], callables: Callables, home: str) -> Call | None:
    """The call that the sentence *text* stands for, where all that it sets is what the call gives."""
    if len(text) > _LONGEST or not callables.signatures:
        return None
    body, result = kept(text)
    others = {output.name for output in outputs} - ({result.name} if result else set())
    found = _by_name(text, body, result, callables, home)
    if found is not None:  # in "with n=1 and m=2" the names are those of arguments
        return found if others <= {argument.name for argument in found.arguments} else None
    written = _written_as_heading(text, body, result, callables)
    if written is not None:
        return written if others <= {argument.name for argument in written.arguments} else None
    said = None if others else _by_words(body, result, callables)
    return None if said is None or said.target == home else replace(said, text=text)


def _written_as_heading(text: str, body: str, result: Variable | None, callables: Callables) -> Call | None:
    """The call that *body* is where a heading of several words stands before brackets: ``Judge password($word)``."""
    words, bracket, inside = body.partition("(")
    if not bracket or " " not in words.strip() or not body.endswith(")") or not words[:1].isalpha():
        return None
    verb, _blank, rest = words.strip().partition(" ")
    name = callables.names.named(words.strip()) or (callables.names.named(rest) if verb.lower() in CALLING else "")
    call = call_of(f"{name}({inside}", result) if name else None
    return None if call is None else replace(call, text=text)


def _by_name(text: str, body: str, result: Variable | None, callables: Callables, home: str) -> Call | None:
    """The call of what *body* names exactly."""
    if callables.names.spellings.isdisjoint(_TOKEN.findall(body)):
        return None
    named = named_call(body)
    if named is None:
        return None
    owner, dot, name = named.name.rpartition(".")
    name = callables.names.spelled(name)
    is_known = not owner or any(party.name == owner for party in callables.parties)
    if not name or not is_known or (name == home and not named.is_form and result is None):
        return None
    sentence = _Sentence(text, result, is_by_words=False)
    parameters = callables.parameters.get(name)
    return None if parameters is None else _offered(sentence, f"{owner}{dot}{name}", parameters, named)


def _by_words(body: str, result: Variable | None, callables: Callables) -> Call | None:
    """The call of the one playbook or tool whose words *body* says; what has signs of code says something else."""
    fitting = fitting_callables(body, callables) if len(body) <= _LONGEST else ()
    if len(fitting) != 1 or _CODE.search(body):
        return None
    target, stems = fitting[0], frozenset(map(_stem, _words(body, callables))) - _STOP_WORDS
    if not target.stems <= stems:
        return None
    parameters = callables.parameters[target.name]
    mentioned = dict.fromkeys(match["name"] for match in MENTION.finditer(body))
    given = tuple(Argument(name, parse_expression(f"${name}")) for name in mentioned)
    known = {parameter.name for parameter in parameters}
    is_all = stems == target.stems and known.issuperset(mentioned) and _is_plain(body)
    named = NamedCall(target.name, tuple(one for one in given if one.name in known), is_all=is_all)
    return _offered(_Sentence(body, result, is_by_words=True), target.name, parameters, named)


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    result: Variable | None
    is_by_words: bool


def _offered(sentence: _Sentence, target: str, parameters: Sequence[Parameter], named: NamedCall) -> Call | None:
    """The call of *target*; None where it cannot take what is said, nor can whoever judges be asked for it.

    What is left unsaid is the variable of its name. Where more is said than the call takes, it is asked for instead.
    """
    names = [parameter.name for parameter in parameters]
    by_place = [argument for argument in named.arguments if not argument.name]
    given = [*names[: len(by_place)], *(argument.name for argument in named.arguments if argument.name)]
    if len(by_place) > len(names) or len(set(given)) < len(given) or not set(names).issuperset(given):
        return None
    unsaid = [one for one in parameters if one.default is None and one.name not in given]
    if not named.is_all and not unsaid:
        return None
    implied = tuple(Argument(one.name, parse_expression(f"${one.name}")) for one in unsaid if named.is_all)
    asked = tuple(Variable(one.name, is_state=False, type=one.type) for one in unsaid if not named.is_all)
    return Call(
        target,
        named.arguments + implied,
        sentence.result,
        is_resolved=True,
        text=sentence.text,
        is_by_words=sentence.is_by_words,
        asked=asked,
    )


@lru_cache(maxsize=4096)
def fitting_callables(sentence: str, callables: Callables) -> tuple[Target, ...]:
    """Every playbook or tool that *sentence* could mean; only those with just its words where there are some."""
    words = _words(sentence, callables)
    entries = callables.by_first_word.get(_stem(words[0])) if words else None
    stems = frozenset(map(_stem, words)) - _STOP_WORDS
    if not entries or len(stems) < 2 or not stems.isdisjoint(_QUALIFIERS):
        return ()
    plain = tuple(word for word in words if word not in _STOP_WORDS)
    for exact in ([one for one in entries if one.words == plain], [one for one in entries if one.stems == stems]):
        if exact:
            return tuple(exact)
    return tuple(entry for entry in entries if _is_close(stems, entry.stems))


def _words(sentence: str, callables: Callables) -> list[str]:
    """The words of *sentence* besides variables, in order; without the verb that says that something is called."""
    words = [word.lower() for word in _WORD.findall(MENTION.sub(" ", sentence) if "$" in sentence else sentence)]
    return words[1:] if words and words[0] in CALLING and words[0] not in callables.by_first_word else words


def _is_plain(sentence: str) -> bool:
    """Whether *sentence* holds nothing but words and variables: no numbers, no quotes."""
    return _PLAIN.fullmatch(_WORD.sub("", MENTION.sub(" ", sentence))) is not None


def _is_close(stems: frozenset[str], other: frozenset[str]) -> bool:
    common = len(stems & other)
    return common > 1 and common / len(stems | other) >= _CLOSE_ENOUGH


def _stem(word: str) -> str:
    """*word* without possessive and plural ends: enough to compare names with sentences."""
    for ending in ("'s", "’s"):
        word = word.removesuffix(ending)
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word
