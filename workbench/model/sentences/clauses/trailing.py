"""Conditions that stand behind what they are about: ``Return 3 if $n > 5``, ``break unless $ok``.

That is the branch with these words the other way round, where what is done is exact. *Ask the user if they agree* and
*Check if $n is right* are questions, and have no such condition; *Tell user the price if $n > 3* says what is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from workbench.model.meaning import Action, Ask, Branch, BranchForm, Judge, Return, Several, Tell
from workbench.model.sentences.clauses.several import judged_whole
from workbench.model.sentences.clauses.telling import PERSON
from workbench.model.sentences.conditions import condition_of
from workbench.model.sentences.outputs import NO_VERB
from workbench.regex import regex
from workbench.syntax.masking import top_level

_MARK = regex(r"(?<=\S)\s*,?\s+(?P<word>if|unless)\s+(?=\S)", re.IGNORECASE)
_THING = regex(
    rf"(?:tell|show|inform|notify|remind)\s+{PERSON}\s+"
    r"(?:the|an?|their|his|her|its|your|our|my)(?P<rest>(?:\s+\$?[\w.]+){1,5})",
    re.IGNORECASE,
)
_SAYS_MORE = regex(r"[,;:]|\.\s|\b(?:else|otherwise|then|and\s+then|if|unless|as\s+\$|into\s+\$)", re.IGNORECASE)
_SAYS_BOTH = regex(r"\b(?:and|or|but)\b", re.IGNORECASE)


def is_perhaps_trailing(text: str) -> bool:
    """Whether *text* has such a condition at all, seen at one glance."""
    return " if " in text or " unless " in text


def with_trailing_condition(
    text: str, read: Callable[[str], Action], unless: Callable[[Branch], Branch]
) -> Branch | Judge | None:
    """The branch that *text* is, whose condition stands at its end; *unless* makes one for the opposite.

    A judgement where an exact text is told on a condition that says more.
    """
    masked = top_level(text)
    mark = _MARK.search(masked)
    action = read(text[: mark.start()]) if mark is not None else None
    if mark is None or action is None:
        return None
    condition = condition_of(text[mark.end() :].rstrip(" ."))
    if not _is_exact(action) and (condition.test is None or not _tells_a_thing(action)):
        return None
    is_plain = condition.test is not None or not _SAYS_BOTH.search(masked, mark.end())
    if not is_plain or _SAYS_MORE.search(masked, mark.end()):
        return judged_whole(text, read) if isinstance(action, Tell) else None
    branch = Branch(BranchForm.IF, condition, action)
    return unless(branch) if mark["word"].lower() == "unless" else branch


def _tells_a_thing(action: Action) -> bool:
    """Whether *action* tells a person one thing, about which nothing is left to be said: ``Tell user the price``."""
    thing = _THING.fullmatch(action.text) if isinstance(action, Tell) else None
    return thing is not None and all(word == "of" or word not in NO_VERB for word in thing["rest"].lower().split())


def _is_exact(action: Action) -> bool:
    match action:
        case Judge():
            return False
        case Ask(variables=variables):
            return bool(variables)
        case Tell(template=template):
            return template is not None
        case Return(value=value, text=text):
            return value is not None or not text
        case Several(parts=parts):
            return all(map(_is_exact, parts))
    return True
