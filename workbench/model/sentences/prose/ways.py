"""Where a sentence leads that people write: *Go back to step 3*, *Repeat steps 3–5*, *Weiter mit Schritt 4*."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.model.meaning import Action, Jump, JumpForm
from workbench.regex import regex

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
