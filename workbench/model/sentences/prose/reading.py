"""Steps of procedures: what a sentence means that was written for people, and not in the language.

Prose is text. *Return the key*, *Print the label* and *Stop* are things to do, and nothing follows from them for the
order of steps. Control is only what plainly is: conditions with something that hangs on them, loops around steps, and
*go back to step 3*. What is lost would be lost for whoever carries it out, so a condition and what hangs on it hold all
words of the sentence but those that join them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from workbench.model.meaning import Action, Branch, BranchForm, Condition, Judge, Loop, LoopForm, Meaning
from workbench.model.sentences.blocks import UNLESS
from workbench.model.sentences.classify import classify, without_marks
from workbench.model.sentences.prose.cutting import has_turn, parts, without_end
from workbench.model.sentences.prose.ways import WORDS, conditional_way, is_again, way_behind_condition, way_of, ways_in
from workbench.regex import regex
from workbench.syntax.heading_words import begins_with_verb

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
