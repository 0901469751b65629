"""What a question asks for: the variables that its answer fills, named or not.

``Ask user for $name`` names one; ``Ask user for their email address`` does not, and means ``$email_address``.
"""

from __future__ import annotations

import re

from workbench.model.meaning import Variable
from workbench.model.sentences.outputs import MENTION, TYPE, how_many, in_row, unquoted
from workbench.regex import regex
from workbench.syntax.expressions import NAME

_NEAR = 200
_ARTICLES = r"(?:(?:the|an?|their|his|her|your|one\s+of|all\s+of|any\s+of)\s+)*"
_READ = regex(
    rf"\b(?:if|whether|about|that|because|regarding|of|in|near|with|than|between|by|at|on|before|after|from)\s+{_ARTICLES}$"
    r"|\bbetween\s+[^,.;]*\band\s+$",
    re.IGNORECASE,
)
_WANTED = regex(
    r"\b(?:(?:number|amount|value|name|names|kind|type|title|date|price|size|colou?r|quantity|total)\s+of\s+"
    r"(?:(?:the|an?|their|his|her|your)\s+)?|about\s+(?:their|his|her|your)\s+)$",
    re.IGNORECASE,
)
_CLAIM = regex(r"\b(?:if|whether|about|that|because|regarding|to\s+confirm)\b", re.IGNORECASE)
_QUESTION = regex(r"\b(?:what|which|how|when|where|who)\b", re.IGNORECASE)
_FOR = regex(rf"\bfor\s+{_ARTICLES}$", re.IGNORECASE)
_KEPT = regex(r"(?:\bas|\binto|\bin|->|→)\s+(?:an?\s+|the\s+)?$", re.IGNORECASE)
_STORE = regex(r"\b(?:store|save|put|keep|record|note|remember)\b|\bas\s+\$|->|→", re.IGNORECASE)


def fields_of(text: str) -> tuple[Variable, ...]:
    """The variables that the answer to the question *text* fills.

    Where the sentence says where to keep the answer (``… as $x``), that and what has a
    type; otherwise every mention outside quotes that is not part of what is asked about
    (``if $x is right``, ``which of $cities``); where nothing is mentioned, what is asked for in words.
    """
    masked = unquoted(text)
    if "$" not in masked:
        return _said_in_words(masked)
    found = mentioned_fields(text)
    return found if _STORE.search(masked) else _with_those_in_words(masked, found)


def mentioned_fields(text: str) -> tuple[Variable, ...]:
    """The same without what is only said in words."""
    masked = unquoted(text)
    mentions = list(MENTION.finditer(masked))
    is_kept = _STORE.search(masked) is not None
    kept = [each for each in mentions if _KEPT.search(masked, max(0, each.start() - _NEAR), each.start())]
    kept = in_row(masked, mentions, kept) if is_kept else []
    found: dict[str, Variable] = {}
    for match in mentions:
        before = masked[max(0, match.start() - _NEAR) : match.start()]
        is_field = match in kept if is_kept else _is_wanted(before, bool(found))
        if match["type"] or is_field:
            name = "" if is_kept else how_many(masked, match)  # of ``$n names`` the answer is the names
            name = name or match["name"]
            found.setdefault(name, Variable(name, True, match["type"] or ""))
    return tuple(found.values())


def _is_wanted(before: str, has_others: bool) -> bool:
    """True where the words *before* a mention ask for it, and do not only speak of it."""
    if _WANTED.search(before):
        return not has_others
    if _CLAIM.search(before) or _READ.search(before):
        return False
    return _FOR.search(before) is None or _QUESTION.search(before) is None


_NO_NOUN = (
    r"(?:and|or|that|which|who|what|how|why|when|where|whether|if|so|to|in|on|at|of|for|from|with|as|by|about|because|before"
    r"|after|until|till|while|using|via|again|please|first|then|they|he|she|it|you|we|i|is|are|be|more|another|something|anything|some|any"
    r"|each|every|this|these|those|them|him|her|me|us|help|confirmation|permission|clarification|feedback)"
)
_NOUN = rf"(?!{_NO_NOUN}\b)[^\W\d_]{{2,}}(?!['’\w])"
_OWN = r"(?:(?:their|his|her|your|the|an?|the\s+(?:user|customer|client|caller|guest|visitor)['’]s)\s+)"
_FIRST = rf"(?!(?:the|an|their|his|your)\b){_NOUN}"
_THING = rf"{_OWN}?(?P<thing>{_FIRST}(?:\s+{_NOUN}){{0,2}}(?:\s+of\s+(?:the\s+)?{_NOUN})?)"
_END = (
    r"(?=\s*(?:$|[,;:!?(]|\.(?!\w)|\b(?:again|please|first|and|or|so|to|in|on|at|by|using|via|if|because|before|for"
    r"|from|as|is|are|until|till|when|while|they|he|she|it|you|where|that|which)\b))"
)
_ASKED_FOR = regex(rf"\bfor\s+{_THING}{_END}", re.IGNORECASE)
_ASKED_WHAT = regex(
    rf"\bwhat\s+(?:is\s+{_THING}{_END}|{_THING.replace('thing', 'other')}\s+(?:is|are)\b)", re.IGNORECASE
)
_ONE_MORE = regex(rf"\s*(?:,\s*(?:and\s+)?|and\s+){_THING}{_END}", re.IGNORECASE)
_BEGINS = regex(r"\bfor\s+", re.IGNORECASE)
_JOINT = regex(r"\s*(?:,\s*(?:and\s+)?|and\s+)(?:for\s+)?", re.IGNORECASE)
_NAMED = regex(rf"{_THING}{_END}", re.IGNORECASE)
_OWNED = regex(rf"{_OWN}{_THING}{_END}", re.IGNORECASE)
_MENTIONED = regex(rf"{_OWN}?\$(?P<name>{NAME})(?::{TYPE})?", re.IGNORECASE)
_GOT = regex(rf"(?:get|collect|request|obtain)\s+{_THING}{_END}", re.IGNORECASE)


def _with_those_in_words(text: str, fields: tuple[Variable, ...]) -> tuple[Variable, ...]:
    """*fields*, and those that stand in one row with them, as in ``for their age and their $town``.

    A bare word behind a variable may say more of it (``$guests, adults and children``), unless the row goes on.
    """
    known = {field.name: field for field in fields}
    row: list[Variable] = []
    unsure: list[Variable] = []
    start = _BEGINS.search(text)
    at = start.end() if start else None
    while at is not None:
        certain = _MENTIONED.match(text, at) or _OWNED.match(text, at)
        match = certain or _NAMED.match(text, at)
        if match is None:
            break
        name = match.groupdict().get("name") or _name_of(match["thing"])
        is_unsure = certain is None and (unsure or (row and row[-1].name in known))
        unsure.append(known.get(name, Variable(name)))
        if not is_unsure:
            row, unsure = [*row, *unsure], []
        joint = _JOINT.match(text, match.end())
        at = joint.end() if joint else None
    if not any(one.name in known for one in row):
        return fields
    return tuple(dict.fromkeys((*row, *fields)))


def _name_of(thing: str) -> str:
    return "_".join(word for word in thing.lower().split() if word != "the")


def _said_in_words(text: str) -> tuple[Variable, ...]:
    """``for their email address and phone number``: each as a variable of that name."""
    match = _ASKED_FOR.search(text) or _ASKED_WHAT.search(text) or _GOT.match(text)
    names: list[str] = []
    while match is not None:
        thing = match["thing"] or match.groupdict().get("other") or ""
        names.append(_name_of(thing))
        match = _ONE_MORE.match(text, match.end())
    return tuple(Variable(name) for name in dict.fromkeys(names))
