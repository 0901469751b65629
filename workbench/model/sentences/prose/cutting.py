"""Where a condition ends that people write, and what hangs on it begins: *If the disk is full, delete old logs*.

A comma can also stand between the things that a condition lists. So a cut counts most where words follow that tell
somebody to do something, and only within the first sentence; where that is not plain, nothing is cut.
"""

from __future__ import annotations

import re

from workbench.regex import regex
from workbench.syntax.heading_words import CLAUSE_VERBS, begins_with_verb

_CODE = regex(r"`[^`]*`|\[[^\]]*\]\([^)]*\)|\([^()]*\)|\"[^\"]*\"|“[^”]*”")
_TURNS = regex(
    r"(?:(?:^|[.;,—–-])[ \t]*(?:and[ \t]+|but[ \t]+|or[ \t]+)?)(?:otherwise|else|if (?:not|so|yes|no))\b"
    r"|[.!?][ \t]+if\b",
    re.IGNORECASE,
)
_SENTENCE_END = regex(r"(?<!e\.g)(?<!i\.e)(?<!etc)(?<!\bvs)(?<!\bcf)[.!?][*_]{0,3}[ \t]+(?=[^\sa-z])")
_THEN = regex(r"(?P<comma>,)?[ \t]+then[,:]?[ \t]+", re.IGNORECASE)
_LAST_THEN = regex(r"[ \t,;]+then[ \t]*\Z", re.IGNORECASE)
_AND = regex(r"\b(?:and|or|but|and[ \t]+only)\Z", re.IGNORECASE)
_CUT = regex(r"(?P<comma>,)[ \t]+|(?P<strong>[ \t]?(?<=[^:]):[ \t]+|[ \t]+(?:->|→|=>)[ \t]+)|[ \t]+(?:—|–|--?)[ \t]+")
_GOES_ON = regex(
    r"(?:or|and|but|nor|such as|including|e\.g\.?|i\.e\.?|which|who|whose|where|like|especially|even|as well as)\b"
    r"|\.{3}|…",
    re.IGNORECASE,
)
_SUBJECT = regex(r"(?:the|this|these|that|it|they|you|we|there|your|their|its|no|only|nothing|nobody)\b", re.IGNORECASE)
_ADVERBS = regex(
    r"(?:[*_`]{0,3}(?:\w{3,}ly|first|just|also|only|instead|next|now|either)[*_`]{0,3}[ \t]+){1,2}",
    re.IGNORECASE,
)
_MODAL = regex(
    r"[*_`]{0,3}(?:always|never|please|do not|don['’]t|let|(?:be|make) sure"
    r"|you (?:should|must|may|can|could|might|will|need to|have to|want to))[*_`]{0,3}[ \t]",
    re.IGNORECASE,
)
_SHORT_SUBJECT = 3
_BELOW = regex(
    r"(?:please[ \t]+)?(?:(?:do|perform|execute|take|follow|try|run|check|proceed|use)[ \t]+)?"
    r"(?:the following|these|this|as follows|the steps below)"
    r"(?:[ \t]+(?:steps?|actions?|things?|checks?|commands?))?",
    re.IGNORECASE,
)
_FIRST = regex(r"[^\w]{0,4}([^\W\d_]+(?:-[^\W\d_]+)?)")


def has_turn(words: str) -> bool:
    """True where *words* also say what is done otherwise, or have a second condition: then it takes a person."""
    return _TURNS.search(masked(words)) is not None


def masked(words: str) -> str:
    """*words* with what stands in quotes, brackets and code made unreadable, at the same length."""
    return _CODE.sub(lambda found: "x" * len(found[0]), words)


def tells(words: str) -> bool:
    """True where *words* begin by telling somebody to do something, as far as it can be seen."""
    if _MODAL.match(words):
        return True
    adverbs = _ADVERBS.match(words)
    rest = words[adverbs.end() :] if adverbs else words
    first = _FIRST.match(rest)
    return begins_with_verb(rest) or (first is not None and first[1].lower() in CLAUSE_VERBS)


def parts(rest: str, *, has_children: bool) -> tuple[str, str] | None:
    """The condition in *rest* and what is done then; the second is empty where steps below say it.

    None where nothing hangs on the condition, or it is not plain where it ends.
    """
    head = without_end(rest)
    last = _LAST_THEN.search(head)
    if last is not None:
        return (head[: last.start()], "") if has_children and last.start() else None
    hidden = masked(head)
    end = _SENTENCE_END.search(hidden)
    cut = _cut(head, hidden, len(hidden) if end is None else end.start(), has_children=has_children)
    if cut is not None:
        done = head[cut.end() :].strip()
        return head[: cut.start()], "" if has_children and _BELOW.fullmatch(done) else done
    return (head, "") if has_children and end is None else None


def without_end(words: str) -> str:
    """*words* without the mark that ends their sentence, or leads to what stands below."""
    stripped = words.strip()
    for mark in ("**", "__"):
        if stripped.endswith(f":{mark}") and stripped.count(mark) % 2:
            stripped = stripped.removesuffix(f":{mark}") + ":"
    return stripped[:-1].rstrip() if stripped.endswith((".", ":")) and not stripped.endswith("..") else stripped


def _cut(head: str, hidden: str, stop: int, *, has_children: bool) -> re.Match[str] | None:
    """Where the condition in *head* ends, before *stop*."""
    cuts = [
        cut
        for cut in _CUT.finditer(hidden, 1, stop)
        if head[cut.end() :].strip() and not _GOES_ON.match(hidden, cut.end())
    ]
    then = next((each for each in _THEN.finditer(hidden, 1, stop) if not _AND.search(hidden, 0, each.start())), None)
    is_sure = then is None
    told = next((cut for cut in cuts if (cut["strong"] and is_sure) or tells(head[cut.end() :])), None)
    if then is not None and (told is None or then.start() <= told.start()):
        return _before_then(hidden, cuts, then)
    if told is not None:
        is_aside = not (told["comma"] or told["strong"]) and _is_said(head, cuts[0])
        return cuts[0] if is_aside else told
    if has_children:
        return cuts[0] if len(cuts) == 1 and len(head[: cuts[0].start()].split()) > 2 else None
    if len(cuts) == 1:
        return cuts[0]
    return next((cut for cut in cuts if _is_said(head, cut)), None)


def _is_said(head: str, cut: re.Match[str]) -> bool:
    """True where behind *cut* stands a sentence: *the server waits*."""
    return _SUBJECT.match(head, cut.end()) is not None


def _before_then(hidden: str, cuts: list[re.Match[str]], then: re.Match[str]) -> re.Match[str]:
    """*then*; or the cut before it where it stands inside the words that follow: *If …, the server then looks*."""
    above = next((cut for cut in reversed(cuts) if cut.end() <= then.start()), None)
    if above is None or then["comma"] or not _SUBJECT.match(hidden, above.end()):
        return then
    return above if len(hidden[above.end() : then.start()].split()) <= _SHORT_SUBJECT else then
