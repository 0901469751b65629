"""Steps of procedures: what a sentence means that was written for people, and not in the language.

Prose is text. *Return the key*, *Print the label* and *Stop* are things to do, and nothing follows from them for the
order of steps. Control is only what plainly is: conditions with something that hangs on them, loops around steps, and
ways to a step (*go back to step 3*, *repeat steps 3–5*, *weiter mit Schritt 4*). What is lost would be lost for whoever
carries it out, so a condition and what hangs on it hold all words of the sentence but those that join them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from workbench.model.meaning import (
    Action,
    Branch,
    BranchForm,
    Condition,
    Judge,
    Jump,
    JumpForm,
    Loop,
    LoopForm,
    Meaning,
)
from workbench.model.sentences.blocks import UNLESS
from workbench.model.sentences.classify import classify, without_marks
from workbench.model.sentences.prose.cutting import has_turn, parts, without_end
from workbench.regex import regex
from workbench.syntax.heading_words import begins_with_verb

_NUMBER = r"\#?(?P<number>\d{1,3}(?:\.\d{1,3}){0,3})(?!\.?\d|[-–]?[^\W\d_])"
_STEP = rf"(?:the[ \t]+)?[*_]{{0,2}}step[ \t]+{_NUMBER}[*_]{{0,2}}"
_LEAD = (
    r"(?:go|return|jump|skip|proceed|continue|move|loop|start|begin|resume|advance|restart)"
    r"(?:[ \t]+(?:back|ahead|forward|directly|straight|on|over|again|immediately)){0,2}[ \t]+(?:to|with|at|from)[ \t]+"
)
_FIRST = r"(?:please|then|now|and|simply|skip this(?: step)?,?[ \t]+(?:and|then))[ \t]+"
# behind the number nothing else is to be done: there stands the title of the step, or what it is for
_BEHIND = r"(?:[ \t]*\([^()]*\)|:[ \t].*|[ \t]+[–—-][ \t].*|[ \t]+(?:below|above|again|to[ \t]+(?!step\b|\d).*))?"
_GO_TO = regex(rf"(?:{_FIRST})?{_LEAD}{_STEP}{_BEHIND}[ \t]*[.!]?", re.IGNORECASE)
_NAMED = regex(rf"{_STEP}[ \t]*[.!]?", re.IGNORECASE)
_GOES = regex(
    rf"\b{_LEAD}{_STEP}(?![ \t]+(?:of|in|from|under|above|and step|through|to \d)\b|[ \t]*[–-][ \t]*\d)", re.IGNORECASE
)
_GO_TO_IF = regex(rf"(?P<go>{_LEAD}{_STEP})[ \t]*,?[ \t]+(?P<word>if|when|unless)[ \t]+(?P<held>\S.*)", re.IGNORECASE)
_LAST = (
    r"(?:[ \t]*(?:-|–|—|to|through|and|&|bis|und)[ \t]*(?:step[ \t]+)?"
    r"(?P<last>\d{1,3}(?:\.\d{1,3}){0,3})(?!\.?\d))?(?![ \t]+(?:times|of)\b)"
)
_AGAIN = regex(
    rf"(?:repeat|redo|re-?run|retry|re-?do)[ \t]+(?P<onward>from[ \t]+)?(?:the[ \t]+)?steps?[ \t]+{_NUMBER}{_LAST}"
    rf"|(?:wiederhole|wiederholen Sie)[ \t]+(?:die[ \t]+)?Schritte?[ \t]+"
    + (_NUMBER + _LAST).replace("number", "german").replace("last", "until"),
    re.IGNORECASE,
)
_ALL_AGAIN = regex(
    r"(?:please[ \t]+)?(?:repeat|iterate|start over|start again|begin again|"
    r"(?:go|return) (?:back )?to the (?:beginning|start|top|first step))"
    r"(?:[ \t]+(?:(?:this|the)[ \t]+(?:process|procedure)"
    r"|from the (?:beginning|start|top)|the (?:above )?steps|all steps))?"
    r"(?:[ \t]*,?[ \t]+(?:as (?:needed|necessary|required|often)|if|when|until|while|for|up to|at most|once|twice"
    r"|(?:\d+|two|three|four|five)(?:[ \t]+more)? times?)\b.*)?[.!:]?",
    re.IGNORECASE,
)
_NOT = regex(r"\b(?:not|never|don['’]t|cannot|can['’]t)[ \t]+\Z", re.IGNORECASE)
_ABROAD = regex(
    r"(?:(?:zurück|weiter|geh(?:en|e)?(?:[ \t]+Sie)?(?:[ \t]+(?:zurück|weiter))?|spring(?:en|e)?(?:[ \t]+Sie)?"
    r"(?:[ \t]+zurück)?|fahren[ \t]+Sie|fahre)[ \t]+(?:zu|zum|mit|bei)[ \t]+Schritt"
    r"|(?:revenez|retournez|passez|allez|revenir|retourner|passer|aller)[ \t]+à[ \t]+l['’]étape"
    r"|(?:vuelva|volver|vaya|ir|pase|continúe)[ \t]+(?:al|con el|a el)[ \t]+paso"
    r"|(?:volte|voltar|vá|ir|siga|passe)[ \t]+(?:ao|para o)[ \t]+passo)"
    rf"[ \t]+{_NUMBER}(?:[ \t]+(?:fort|weiter|zurück))?[ \t]*[.!]?",
    re.IGNORECASE,
)
FIRST = "1"
"""The step that whoever starts over goes to."""
WORDS = frozenset(
    """go return jump skip proceed continue move loop resume advance restart please then zurück weiter geh gehe gehen
    spring springe springen fahre fahren revenez retournez passez allez revenir retourner passer aller vuelva volver
    vaya ir pase continúe volte voltar vá siga passe now simply""".split()
)
"""With which words a sentence begins that leads elsewhere."""


def way_of(words: str) -> Jump | None:
    """Where *words* lead that say nothing else."""
    gone = _GO_TO.fullmatch(words) or _ABROAD.fullmatch(words)
    return Jump(JumpForm.GO_TO, gone["number"]) if gone else None


def way_behind_condition(words: str) -> Jump | None:
    """Where *words* lead that hang on a condition: *If it rains → step 3*."""
    named = _NAMED.fullmatch(words)
    return Jump(JumpForm.GO_TO, named["number"]) if named else way_of(words)


def conditional_way(words: str) -> tuple[Jump, str, str] | None:
    """*Go back to step 3 if it rains*: where it leads, the word for the condition, and the condition."""
    held = _GO_TO_IF.fullmatch(words)
    if held is None:
        return None
    return Jump(JumpForm.GO_TO, held["number"]), held["word"].lower(), held["held"].rstrip(".!").strip()


def ways_in(text: str, *, has_children: bool = False) -> tuple[Action, ...]:
    """Where *text* says that one may go from it; a person decides whether."""
    if not has_children and _ALL_AGAIN.fullmatch(text):
        return (Jump(JumpForm.GO_TO, FIRST),)
    found = [Jump(JumpForm.GO_TO, each["number"]) for each in _said(_GOES, text)]
    again = [_repetition(each) for each in _said(_AGAIN, text)]
    return tuple(dict.fromkeys(found + again))


def _said(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    return (each for each in pattern.finditer(text) if not _NOT.search(text, 0, each.start()))


def _repetition(found: re.Match[str]) -> Jump:
    """What is done again: some steps, or all from one on."""
    number, last = found["number"] or found["german"], found["last"] or found["until"]
    return Jump(JumpForm.GO_TO, number, "" if found["onward"] else last or number)


def is_again(text: str) -> bool:
    """True for *Repeat steps 3–5*: nothing below it is repeated."""
    return _AGAIN.match(text) is not None


_LONGEST = 1_000
_WORD = regex(r"[^\w]{0,4}([^\W\d_]+)")
_IF = regex(
    r"[*_]{0,3}(?P<word>if(?:/when|/once)?|when|whenever|unless|in case(?: of)?|in the event (?:that|of)"
    r"|should(?=[ \t]+(?:the|you|it|this|that|there|any|a|an|these|your|no)\b))[*_]{0,3}[,:]?[ \t]+(?=\S)",
    re.IGNORECASE,
)
_IS_NO_CONDITION = regex(
    r"(?:when|whenever)\b[*_]{0,3}[ \t]+(?:(?:not[ \t]+)?to\b"
    r"|(?:did|do|does|is|are|was|were|has|have|will|can|should|would)\b)",
    re.IGNORECASE,
)
_ELSE_IF = regex(r"[*_]{0,3}(?:else|otherwise,?)[ \t]+if[*_]{0,3}[ \t]+(?=\S)", re.IGNORECASE)
_OTHERWISE = regex(
    r"[*_]{0,3}(?:otherwise|else)[*_]{0,3}(?:(?P<mark>[ \t]*(?:->|=>|[,:–—→-])[ \t]*|[ \t]*\Z)|[ \t]+)[*_]{0,3}",
    re.IGNORECASE,
)
_QUESTION = regex(
    r"(?P<asked>(?:is|are|was|were|do|does|did|has|have|can|could|will)\b[^?.!]{3,200})\?[ \t]+"
    r"if (?:yes|so)[ \t]*[,:–—-][ \t]*(?P<done>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_WHILE = regex(
    r"(?:while|until)[ \t]+(?!(?:you|we|then|now|in|on|at|logged|still)\b|\w+ing\b)"
    r"[^,]*\b(?:is|are|has|have|remains?|exists?|fails?|does|do|there|not|can|cannot)\b",
    re.IGNORECASE,
)
_THE_FOLLOWING = regex(
    r"(?<=^repeat)[ \t]+(?:the following|these|this|the)(?:[ \t]+(?:steps|process))?(?:[ \t]+below)?"
    r"(?=[ \t]+(?:until|while)\b)",
    re.IGNORECASE,
)
_AND_DO = regex(r",[ \t]+")
_EACH_OF = regex(r"for[ \t]*((?:each|every)\b[^:,.;()\r\n]{2,80})", re.IGNORECASE)
_EACH = regex(r"for[ \t]*(?:each|every)\b|foreach\b", re.IGNORECASE)


@lru_cache(maxsize=32_768)
def classify_prose(text: str, has_children: bool) -> Meaning:
    """What *text* means in a procedure. *has_children*: steps stand below it."""
    if len(text) > _LONGEST:
        return Judge(text)
    bare = without_marks(text).strip()
    first = _WORD.match(bare)
    read = _READERS.get(first[1].lower()) if first else None
    meaning = read(bare, has_children) if read else None
    return meaning or Judge(text, outcomes=ways_in(bare, has_children=has_children))


def each_in(text: str) -> str:
    """What a sentence goes through, as in *For each affected host, …*: ``each affected host``; empty for any other."""
    found = _EACH_OF.match(without_marks(text).strip())
    return found[1].strip() if found else ""


def _action(words: str) -> Action:
    """What hangs on a condition."""
    return way_behind_condition(words) or Judge(words, outcomes=ways_in(words))


def _read_if(text: str, has_children: bool) -> Meaning | None:
    head = _IF.match(text)
    if head is None or _IS_NO_CONDITION.match(text):
        return None
    return _branch(BranchForm.IF, text[head.end() :], has_children, UNLESS if head["word"].lower() == "unless" else "")


def _read_otherwise(text: str, has_children: bool) -> Meaning | None:
    head = _ELSE_IF.match(text)
    if head is not None:
        return _branch(BranchForm.ELSE_IF, text[head.end() :], has_children, "")
    head = _OTHERWISE.match(text)
    if head is None:
        return None
    rest = without_end(text[head.end() :])
    if not rest:
        return Branch(BranchForm.OTHERWISE, None) if has_children else None
    if head["mark"] is None and not begins_with_verb(rest):
        return None  # “otherwise known as”
    return Branch(BranchForm.OTHERWISE, None, _action(rest))


def _branch(form: BranchForm, rest: str, has_children: bool, before: str) -> Branch | None:
    """The branch whose words are *rest*; None where nothing hangs on it, or it is not plain what does."""
    found = None if has_turn(rest) else parts(rest, has_children=has_children)
    if found is None:
        return None
    held, done = found
    return Branch(form, Condition(f"{before}{held.strip()}"), _action(done) if done else None)


def _read_question(text: str, has_children: bool) -> Meaning | None:
    """*Is the disk full? If yes, delete old logs.*"""
    found = _QUESTION.fullmatch(text)
    if found is None or has_children or has_turn(found["done"]):
        return None
    return Branch(BranchForm.IF, Condition(f"{found['asked']}?"), _action(without_end(found["done"])))


def _read_loop(text: str, has_children: bool) -> Meaning | None:
    """A loop around the steps below; what stands alone is something to do."""
    found = classify(text, True) if has_children else None
    if not isinstance(found, Loop) or found.action is not None:
        return None
    condition = None if found.condition is None else Condition(found.condition.text)
    # names in back-ticks are words here: nothing in a procedure has a value
    items = found.items if found.form is LoopForm.REPEAT else None
    return replace(found, condition=condition, variable=None, items=items)


def _read_for(text: str, has_children: bool) -> Meaning | None:
    loop = _read_loop(text, has_children) if _EACH.match(text) else None
    if not isinstance(loop, Loop):
        return None
    for cut in _AND_DO.finditer(loop.text):
        done = without_end(loop.text[cut.end() :])
        if begins_with_verb(done):
            return replace(loop, text=loop.text[: cut.start()].rstrip(), action=_action(done))
    return loop


def _read_while(text: str, has_children: bool) -> Meaning | None:
    """*While the pump is loud:*; but not what is done meanwhile: *While you wait, read the log*."""
    is_plain = _WHILE.match(text) is not None and "," not in text
    return _read_loop(text, has_children) if is_plain else None


def _read_repeat(text: str, has_children: bool) -> Meaning | None:
    if has_children and text.rstrip(":").lower() == "repeat":
        return Loop(LoopForm.WHILE, "repeat", Condition("repeat"))
    loop = None if is_again(text) else _read_loop(_THE_FOLLOWING.sub("", text), has_children)
    if not isinstance(loop, Loop):
        return None
    return loop if loop.form is LoopForm.REPEAT or loop.condition is not None else None


def _read_go(text: str, has_children: bool) -> Meaning | None:
    if has_children:
        return None
    held = conditional_way(text)
    if held is None or has_turn(held[2]):
        return way_of(text)
    way, word, condition = held
    return Branch(BranchForm.IF, Condition((UNLESS if word == "unless" else "") + condition), way)


_READERS = {
    **dict.fromkeys(("if", "when", "whenever", "unless", "in", "should"), _read_if),
    **dict.fromkeys(("otherwise", "else"), _read_otherwise),
    **dict.fromkeys(
        ("is", "are", "was", "were", "do", "does", "did", "has", "have", "can", "could", "will"), _read_question
    ),
    **dict.fromkeys(("for", "foreach"), _read_for),
    **dict.fromkeys(("while", "until"), _read_while),
    "repeat": _read_repeat,
    **dict.fromkeys(("start", "begin", *WORDS), _read_go),
}
