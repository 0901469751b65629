"""Steps of procedures: what a sentence means that was written for people, and not in the language.

Prose is text. *Return the key*, *Print the label* and *Stop* are things to do, and nothing follows from them for the
order of steps. Control is only what plainly is: conditions with something that hangs on them, loops around steps, and
*go back to step 3*.
"""

from __future__ import annotations

import re
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
from workbench.regex import regex
from workbench.syntax.heading_words import begins_with_verb

_LONGEST = 1_000
_WORD = regex(r"[^\w]{0,4}([^\W\d_]+)")
_IF = regex(r"[*_]{0,3}(?P<word>if|when|whenever|unless|in case(?! of))[*_]{0,3}[,:]?[ \t]+(?=\S)", re.IGNORECASE)
_ELSE_IF = regex(r"[*_]{0,3}(?:else|otherwise,?)[ \t]+if[*_]{0,3}[ \t]+(?=\S)", re.IGNORECASE)
_OTHERWISE = regex(r"[*_]{0,3}(?:otherwise|else)[*_]{0,3}(?:[ \t]*[,:–—-][ \t]*|[ \t]*\Z)[*_]{0,3}", re.IGNORECASE)
_THEN = regex(r",?[ \t]+then[,:]?[ \t]+", re.IGNORECASE)
_COMMA = regex(r",[ \t]+|(?<=[^\s:]):[ \t]+|[ \t]+(?:->|→|=>|—|–)[ \t]+")
_CODE = regex(r"`[^`]*`|\[[^\]]*\]\([^)]*\)|\([^()]*\)|\"[^\"]*\"|“[^”]*”")
_TURNS = regex(r"\b(?:otherwise|else|if not|if so)\b", re.IGNORECASE)
_STEP = r"(?:the[ \t]+)?[*_]{0,2}step[ \t]+\#?(?P<number>\d{1,3}(?:\.\d{1,3}){0,3})[*_]{0,2}"
_LEAD = (
    r"(?:go|return|jump|skip|proceed|continue|move|loop|start|resume|advance|restart)"
    r"(?:[ \t]+(?:back|ahead|forward|directly|straight|on|over|again|immediately)){0,2}[ \t]+(?:to|with|at|from)[ \t]+"
)
_GO_TO = regex(rf"(?:please[ \t]+|then[ \t]+)?{_LEAD}{_STEP}[ \t]*[.!]?", re.IGNORECASE)
_GOES = regex(rf"\b{_LEAD}{_STEP}(?![ \t]+(?:of|in|from|under|above)\b)", re.IGNORECASE)
_GO_TO_IF = regex(rf"(?P<go>{_LEAD}{_STEP})[ \t]*,?[ \t]+(?P<word>if|when|unless)[ \t]+(?P<held>\S.*)", re.IGNORECASE)
_AGAIN = regex(
    r"(?:repeat|redo|re-?run)[ \t]+(?:the[ \t]+)?steps?[ \t]+\#?(?P<number>\d{1,3}(?:\.\d{1,3}){0,3})\b",
    re.IGNORECASE,
)
_REPEAT = regex(
    r"(?:repeat|iterate|start over|start again)"
    r"(?:[ \t]+(?:as|if|when|until|while|the (?:process|steps|procedure|above))\b.*)?[.!:]?",
    re.IGNORECASE,
)
_NOT = regex(r"\b(?:not|never|don['’]t)[ \t]+\Z", re.IGNORECASE)
_FROM_THE_BEGINNING = "1"


@lru_cache(maxsize=32_768)
def classify_prose(text: str, has_children: bool) -> Meaning:
    """What *text* means in a procedure. *has_children*: steps stand below it."""
    if len(text) > _LONGEST:
        return Judge(text)
    bare = without_marks(text).strip()
    first = _WORD.match(bare)
    word = first[1].lower() if first else ""
    read = _READERS.get(word)
    meaning = read(bare, has_children) if read else None
    return meaning or Judge(text, outcomes=_outcomes(bare))


def _outcomes(text: str) -> tuple[Action, ...]:
    """Where *text* says that one may go from it."""
    if "step" not in text.lower():
        return ()
    found = [each for each in _GOES.finditer(text) if not _NOT.search(text, 0, each.start())]
    again = _AGAIN.search(text)
    numbers = [each["number"] for each in found] + ([again["number"]] if again else [])
    return tuple([Jump(JumpForm.GO_TO, number) for number in dict.fromkeys(numbers)])


def _action(words: str) -> Action:
    """What hangs on a condition."""
    gone = _GO_TO.fullmatch(words)
    return Jump(JumpForm.GO_TO, gone["number"]) if gone else Judge(words, outcomes=_outcomes(words))


def _read_if(text: str, has_children: bool) -> Meaning | None:
    head = _IF.match(text)
    if head is None:
        return None
    return _branch(BranchForm.IF, text[head.end() :], has_children, UNLESS if head["word"].lower() == "unless" else "")


def _read_otherwise(text: str, has_children: bool) -> Meaning | None:
    head = _ELSE_IF.match(text)
    if head is not None:
        return _branch(BranchForm.ELSE_IF, text[head.end() :], has_children, "")
    head = _OTHERWISE.match(text)
    if head is None:
        return None
    rest = text[head.end() :].strip()
    if not rest:
        return Branch(BranchForm.OTHERWISE, None) if has_children else None
    return Branch(BranchForm.OTHERWISE, None, _action(_without_end(rest)))


def _branch(form: BranchForm, rest: str, has_children: bool, before: str) -> Branch | None:
    """The branch whose words are *rest*; None where nothing hangs on it, or it is not plain what does."""
    masked = _CODE.sub(lambda found: "x" * len(found[0]), rest)
    if _TURNS.search(masked):
        return None
    parts = _parts(rest, masked, has_children)
    if parts is None:
        return None
    held, done = parts
    return Branch(form, Condition(f"{before}{held.strip()}"), _action(done) if done else None)


def _parts(rest: str, masked: str, has_children: bool) -> tuple[str, str] | None:
    """The condition and what is done then; nothing is done where steps below say what."""
    then = _THEN.search(masked)
    if then is not None and then.start():
        return rest[: then.start()], _without_end(rest[then.end() :])
    cuts = [cut for cut in _COMMA.finditer(masked) if masked[cut.end() :].strip()]
    cut = next((cut for cut in cuts if _tells(rest[cut.end() :])), None)
    if cut is None and len(cuts) == 1:
        cut = cuts[0]
    if cut is not None:
        return rest[: cut.start()], _without_end(rest[cut.end() :])
    return (_without_end(rest), "") if has_children and not cuts else None


def _tells(words: str) -> bool:
    return begins_with_verb(words) or _GO_TO.match(words) is not None


def _without_end(words: str) -> str:
    """*words* without the mark that ends their sentence, or leads to what stands below."""
    words = words.strip()
    return words[:-1].rstrip() if words.endswith((".", ":")) and not words.endswith("..") else words


def _read_loop(text: str, has_children: bool) -> Meaning | None:
    """A loop around the steps below; what stands alone is something to do."""
    found = classify(text, True) if has_children else None
    if not isinstance(found, Loop) or found.action is not None:
        return None
    condition = None if found.condition is None else Condition(found.condition.text)
    return replace(found, condition=condition)


def _read_repeat(text: str, has_children: bool) -> Meaning | None:
    if _AGAIN.match(text):
        return None
    loop = _read_loop(text, has_children)
    if (
        isinstance(loop, Loop)
        and (loop.form is LoopForm.REPEAT or loop.condition is not None)
        and loop.text.lower() != "repeat"
    ):
        return loop
    if has_children or not _REPEAT.fullmatch(text):
        return None
    return Judge(text, outcomes=(Jump(JumpForm.GO_TO, _FROM_THE_BEGINNING),))


def _read_go(text: str, has_children: bool) -> Meaning | None:
    gone = _GO_TO.fullmatch(text)
    if gone is not None:
        return None if has_children else Jump(JumpForm.GO_TO, gone["number"])
    held = _GO_TO_IF.fullmatch(text)
    if held is None or has_children:
        return None
    before = UNLESS if held["word"].lower() == "unless" else ""
    condition = Condition(before + held["held"].rstrip(".!").strip())
    return Branch(BranchForm.IF, condition, Jump(JumpForm.GO_TO, held["number"]))


_READERS = {
    **dict.fromkeys(("if", "when", "whenever", "unless", "in"), _read_if),
    **dict.fromkeys(("otherwise", "else"), _read_otherwise),
    **dict.fromkeys(("for", "foreach", "while", "until"), _read_loop),
    **dict.fromkeys(("repeat", "iterate", "start"), _read_repeat),
    **dict.fromkeys(
        ("go", "return", "jump", "skip", "proceed", "continue", "move", "loop", "resume", "advance", "restart"),
        _read_go,
    ),
}
