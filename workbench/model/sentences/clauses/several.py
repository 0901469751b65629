"""Sentences that say several things: *Greet the user and ask for their $name*.

A sentence is cut at *and*, *then*, commas and full stops, outside quotes and brackets, where what follows begins like a
sentence of its own. Where every part is exact or is plainly asked or told, the parts are carried out in their order.
Everywhere else the whole is judged: what any part sets is filled in, and what leaves playbook or loop is offered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from workbench.model.meaning import (
    Action,
    Ask,
    Assign,
    Call,
    End,
    Judge,
    Jump,
    Return,
    Several,
    Tell,
    Variable,
    Wait,
)
from workbench.model.sentences.outputs import NO_VERB, begins_with_verb, first_word, outputs_of, says_where
from workbench.regex import regex
from workbench.syntax.expressions import NAME
from workbench.syntax.masking import top_level

Read = Callable[[str], Action]
"""What reads one part by itself."""

_HINTS = (" and ", " then ", " or ", " but ", ", ", "; ", ". ", "! ", "? ")
_MOST = 20
_ADVERBS = r"(?:(?:also|then|finally|just|please|next|afterwards|now|else|otherwise|[a-z]{3,12}ly),?\s+)*"
_JOINT = regex(
    rf"(?:[,;.!?]\s+(?:and\s+|(?P<or>or|but)\s+)?|(?<=\s)(?:and|(?P<else>or|but))\s+|(?<=\s)(?=then\s))"
    rf"(?P<adverbs>{_ADVERBS})(?=\S)",
    re.IGNORECASE,
)
_CONDITIONAL = regex(
    r"(?:if|unless|when|whenever|once|until|while|except|depending|in\s+(?:that|this|which)?\s*case)\b", re.IGNORECASE
)
_CODE = regex(rf"\$?{NAME}\s*(?::\s*\w[^=]{{0,40}})?[-+*]?=(?!=)|\$?{NAME}(?:\.{NAME})*\(|`")
_ROW = regex(rf"(?:(?:set|let)\s+)?\${NAME}(?:\s*,\s*\${NAME})+\s*=(?!=)", re.IGNORECASE)
"""What is set together, in ``$a, $b = 1, 2``: its commas cut no sentence."""
_NOUNS = frozenset({"print", "display"})
_BEFORE_NOUN = regex(r"\b(?:start|begin|beginning|front|entry|pause|the|an?)\s+(?:and|or)\s+$", re.IGNORECASE)
_RETURN_NOUN = regex(
    r"return\s+(?:policy|policies|address|label|labels|date|dates|value|type|flight|ticket|trip|shipping|request|requests"
    r"|form|window|process)\b",
    re.IGNORECASE,
)
_QUALIFIER = regex(
    r"(?:,|\s+(?:if|when|unless|once|until|because|as\s+soon|in\s+case|otherwise|or|and|but)\b).*",
    re.IGNORECASE | re.DOTALL,
)
_LEAVES = frozenset("return end exit stop quit terminate leave break continue skip go goto jump repeat".split())
_FIRST = frozenset("then now next finally first afterwards also".split())
_KEEPS_IT = regex(
    r"(?:store|save|put|keep|record|note|remember)\s+(?:it|that|this|them|as|in|(?:the|their|his|her)\s+\w+)\b",
    re.IGNORECASE,
)
_LEFT = ("program", "loop", "step", "playbook", "run")
_ANYWHERE = regex(
    r"\b(?:(?:end|exit|stop|quit|terminate)\s+(?:the\s+|this\s+)?(?:program|run|playbook)"
    r"|(?:break|exit|leave|end|stop)\s+(?:out\s+)?(?:(?:of|from)\s+)?(?:the\s+|this\s+)?loop"
    r"|(?:go|jump|return)\s+(?:back\s+)?to\s+(?:the\s+)?step\s+\d+(?:\.\d+)*)\b",
    re.IGNORECASE,
)
_LEAVING = Return | End | Jump


def with_parts(text: str, whole: Action, read: Read) -> Action:
    """*whole*, which *text* means as one sentence, or what its parts mean."""
    if _is_exact(whole):
        return whole
    if not any(hint in text for hint in _HINTS):
        return _judged(whole, [], read) if isinstance(whole, Judge) else whole
    pieces, are_in_order = _pieces(text, read)
    if not pieces or (isinstance(whole, Ask) and all(map(_KEEPS_IT.match, pieces[1:]))):
        return _judged(whole, [], read) if isinstance(whole, Judge) else whole
    parts = [part for piece in pieces for part in _each(read(piece))]
    if isinstance(whole, Return) and not any(isinstance(part, _LEAVING) for part in parts[1:]):
        return whole  # what stands behind is about what is returned
    if are_in_order and all(map(_can_be_part, parts)) and not any(isinstance(part, _LEAVING) for part in parts[:-1]):
        return Several(tuple(parts))
    return _judged(Judge(text, _set_by(whole)), pieces, read)


def judged_whole(text: str, read: Read, start: int = 0) -> Judge:
    """*text* as one judgement, with all that its parts from *start* on set, and all ways in which they leave."""
    rest = text[start:]
    pieces = _pieces(rest, read)[0] or ([rest] if start else [])
    return _judged(Judge(text, outputs_of(text)), pieces, read)


def _is_exact(action: Action) -> bool:
    """True for what is carried out word by word, so that no part of it can have been overlooked."""
    match action:
        case Judge() | Ask():
            return False
        case Tell(template=template):
            return template is not None
        case Return(value=value, text=text):
            return value is not None or not text
    return True


def _each(action: Action) -> tuple[Action, ...]:
    return action.parts if isinstance(action, Several) else (action,)


def _can_be_part(action: Action) -> bool:
    return isinstance(action, Ask | Tell | Assign | Call | Wait) or (isinstance(action, _LEAVING) and _is_exact(action))


def _judged(whole: Judge, pieces: Sequence[str], read: Read) -> Judge:
    """*whole* with what its *pieces* set, and with what they lead to."""
    outcomes = dict.fromkeys(_leaving(whole.text, pieces, read))
    if not pieces and not outcomes:
        return whole
    following = [*pieces[1:], ""]
    own = [
        _set_by(read(piece)) for piece, after in zip(pieces, following, strict=False) if _counts(piece, after, whole)
    ]
    found = {one.name: one for row in own for one in row}
    outputs = {one.name: one for one in whole.outputs}
    both = outputs if outputs.keys() >= found.keys() else found | outputs
    return Judge(whole.text, tuple(both.values()), tuple(outcomes))


def _counts(piece: str, after: str, whole: Judge) -> bool:
    """Whether what *piece* sets is set: not where *after*, the piece behind it, says what is meant instead."""
    return piece != whole.text and not says_where(after)


def _set_by(action: Action) -> tuple[Variable, ...]:
    match action:
        case Judge(outputs=variables) | Ask(variables=variables):
            return variables
        case Assign(target=target):
            return (target,)
        case Call(result=Variable() as result):
            return (result,)
        case Several(parts=parts):
            return tuple(one for part in parts for one in _set_by(part))
    return ()


def _leaving(text: str, pieces: Sequence[str], read: Read) -> Iterator[Action]:
    """What leads elsewhere in *text*: parts that do, whatever they are bound to, and words that always mean it."""
    for piece in pieces or (text,):
        if first_word(piece) not in _LEAVES:
            continue
        action = read(piece)
        if not isinstance(action, _LEAVING) or not _is_exact(action):
            action = read(_QUALIFIER.sub("", piece))
        if isinstance(action, _LEAVING):
            yield action
    ways = _ANYWHERE.finditer(top_level(text)) if any(word in text for word in _LEFT) else ()
    for match in ways:
        action = read(match.group())
        if isinstance(action, _LEAVING):
            yield action


def _pieces(text: str, read: Read) -> tuple[list[str], bool]:
    """The parts of *text*, none where it is one; and whether they simply follow each other. A long list is one."""
    masked = top_level(text)
    joints = list(islice(_JOINT.finditer(masked), _MOST))
    if len(joints) == _MOST:
        return [text], False
    if "=" in masked and (rows := _rows(masked, {0, *(joint.end() for joint in joints)})):
        joints = [joint for joint in joints if not any(start < joint.start() < end for start, end in rows)]
    ends = [*(joint.start() for joint in joints[1:]), len(text)]
    cuts, are_in_order = [(0, 0)], True
    for joint, end in zip(joints, ends, strict=False):
        start = joint.end()
        if len(cuts) == 1 and text[: joint.start()].lower() in _FIRST:
            continue
        if _CONDITIONAL.match(masked, start):
            are_in_order = False
        elif _begins_part(text[start:end].rstrip(), text[:start], read):
            cuts.append((joint.start() + (text[joint.start()] in "!?"), start))
            adverbs = joint["adverbs"].lower()
            are_in_order &= not (joint["or"] or joint["else"] or "else" in adverbs or "otherwise" in adverbs)
    if len(cuts) == 1:
        return [], True
    stops = [*(end for end, _start in cuts[1:]), len(text)]
    return [text[start:stop].strip() for (_end, start), stop in zip(cuts, stops, strict=True)], are_in_order


def _rows(masked: str, starts: set[int]) -> list[tuple[int, int]]:
    """The places of variables that are set together, at the *starts* of what may be parts."""
    return [row.span() for row in _ROW.finditer(masked) if row.start() in starts]


def begins_with_code(words: str, at: int = 0) -> bool:
    """True where *words* from *at* on are an assignment or a call, or are marked as code."""
    return _CODE.match(words, at) is not None


def _begins_part(piece: str, before: str, read: Read) -> bool:
    """True where *piece*, after a joint, begins like a sentence: with a verb that has an object, or with code."""
    if "=" in piece and _ROW.match(piece):
        return True
    if begins_with_code(piece):
        return not isinstance(read(piece), Judge)
    if begins_with_verb(piece):
        return True
    verb = first_word(piece)
    if not verb or verb in NO_VERB or verb in _NOUNS or _RETURN_NOUN.match(piece):
        return False
    action = read(_QUALIFIER.sub("", piece))
    if isinstance(action, _LEAVING):
        return not _BEFORE_NOUN.search(before)
    return not isinstance(action, Judge)
