"""Calls as they are written: ``F($a, k=1)``, ``Agent.F(…)``, in back-ticks, and ``tool with: k=1``."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass

from workbench.model.meaning import Argument, Call, Variable
from workbench.model.sentences.outputs import MENTION, TYPE
from workbench.regex import regex
from workbench.syntax.expressions import NAME, Expression, try_expression, verbatim
from workbench.syntax.expressions_grammar import FUNCTIONS, METHODS
from workbench.syntax.masking import split_top_level, top_level
from workbench.syntax.signatures import normalise_name

CALL = regex(rf"(?P<target>\$?{NAME}(?::\w+)?(?:\.{NAME})*)\((?P<inside>.*)\)", re.DOTALL)
PLAN_AND_DO = "PlanAndDo"
"""What a sentence calls that says that a plan is needed: *Plan how to …, then do it*."""
_WRITING = "CreatePlaybook"
"""The text that this is given has placeholders of its own, which are filled in when it is carried out."""
_KEYWORD = regex(rf"\s*({NAME})\s*=(?!=)")
_WITH = regex(
    rf"(?:(?:call|use|run|invoke)\s+)?(?:(?:the\s+)?(?P<agent>[^\W\d][\w ]*?)['’]s\s+)?(?:the\s+)?"
    rf"(?P<tool>{NAME}(?:\.{NAME})*)(?:\s+tool)?\s+with\s*:\s*(?P<inside>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_PAIR = regex(rf"(?:^|[\s,;])({NAME})\s*=(?!=)\s*")


def call_of(text: str, result: Variable | None = None) -> Call | None:
    """The call that *text* is, or None. Calls that expressions may hold are not calls of ours."""
    match = CALL.fullmatch(text)
    if match is None:
        return _call_with(text, result) if "with" in text else None
    target = match["target"]
    if _is_expression_call(target):
        return None
    arguments = _arguments(match["inside"])
    if arguments is not None and target == _WRITING:
        arguments = tuple(Argument(each.name, verbatim(each.value)) for each in arguments)
    return None if arguments is None else Call(target, arguments, result)


def _is_expression_call(target: str) -> bool:
    """True for ``len`` and for a text's method behind a name in small letters."""
    head, _dot, method = target.rpartition(".")
    if target[0] == "$":
        return not head or method in METHODS or not method[0].isupper()
    return target in FUNCTIONS if not head else method in METHODS and head[0].islower()


def _arguments(inside: str) -> tuple[Argument, ...] | None:
    """The arguments, or None where a bracket or a value does not fit."""
    masked = top_level(inside)
    if any(bracket in masked for bracket in "()[]{}"):
        return None
    if not inside.strip():
        return ()
    arguments = [_argument(part) for part in split_top_level(inside, ",")]
    found = [argument for argument in arguments if argument is not None]
    return tuple(found) if len(found) == len(arguments) else None


def _argument(written: str) -> Argument | None:
    keyword = _KEYWORD.match(written)
    value = try_expression(written[keyword.end() :] if keyword else written)
    if value is None:
        return None
    return Argument(keyword.group(1) if keyword else "", value)


def _call_with(text: str, result: Variable | None) -> Call | None:
    """``Agent's tool with:`` and ``name=value`` pairs, on lines of their own or not."""
    match = _WITH.fullmatch(text)
    if match is None:
        return None
    arguments = _pairs(match["inside"])
    if arguments is None:
        return None
    agent = f"{normalise_name(match['agent']).name}." if match["agent"] else ""
    return Call(agent + match["tool"], arguments, result)


def _pairs(inside: str) -> tuple[Argument, ...] | None:
    pairs = list(_PAIR.finditer(top_level(inside)))
    if not pairs or pairs[0].start() != 0:
        return None
    ends = [*(pair.start() for pair in pairs[1:]), len(inside)]
    stretches = [inside[pair.end() : end].strip(" \t\r\n,;") for pair, end in zip(pairs, ends, strict=True)]
    values = [try_expression(stretch) for stretch in stretches]
    found = [value for value in values if isinstance(value, Expression)]
    if len(found) < len(pairs):
        return None
    return tuple(Argument(pair.group(1), value) for pair, value in zip(pairs, found, strict=True))


def is_implied(call: Call, argument: Argument) -> bool:
    """Whether the sentence of *call* leaves *argument* unsaid, so that the variable of its name is meant."""
    return call.is_resolved and bool(argument.name) and argument.value.source == f"${argument.name}"


@dataclass(frozen=True, slots=True)
class NamedCall:
    """A sentence that names what is called, as ``Run F with $n to check it`` does.

    *is_form*: a verb, back-ticks or brackets say that it is a call; a name alone does not. *is_all*: the sentence says
    nothing else.
    """

    name: str
    arguments: tuple[Argument, ...] = ()
    is_form: bool = True
    is_all: bool = True


def kept(text: str) -> tuple[str, Variable | None]:
    """*text* without the words that say where its result goes (``$r = …``, ``… as $r``), and that variable."""
    text = _LEAD.sub("", text.strip().removesuffix("."), count=1).strip()
    head = _KEPT_HEAD.match(text) or _GET_FROM.match(text)
    if head is not None:
        is_state = bool(head.groupdict().get("state", True))
        return text[head.end() :].strip(), Variable(head["name"], is_state, head["type"] or "")
    at = text.rfind("$")
    mention = MENTION.fullmatch(text, at) if at > 0 else None
    tail = _KEPT_TAIL.search(text, max(0, at - _NEAR), at) if mention else None
    if mention is None or tail is None:
        return text, None
    return text[: tail.start()].strip(), Variable(mention["name"], True, mention["type"] or "")


def named_call(text: str) -> NamedCall | None:
    """What *text* names to be called, where it is such a sentence; whether there is such a name is not known here."""
    form = _FORM.match(text)
    if form is None:
        return None
    is_form = bool(form["verb"] or form["tick"])
    name, rest = form["name"], form["rest"].strip().removeprefix("`").strip()
    if rest.startswith("("):
        call = call_of(name + rest.removesuffix("`"))
        return None if call is None else NamedCall(name, call.arguments)
    noun = _NOUN.match(rest)
    rest = rest[noun.end() :].strip() if noun else rest
    if not rest:
        return NamedCall(name, (), is_form)
    if not is_form and noun is None and form["with"] is None:
        return None
    arguments, more = _said(rest)
    return None if _SAYS_WHEN.search(more) else NamedCall(name, arguments, is_form, not more)


def _said(rest: str) -> tuple[tuple[Argument, ...], str]:
    """The arguments that stand behind a name, and what is said besides: all of it where they cannot be read."""
    lead = _GIVING.match(rest)
    values = rest[lead.end() :] if lead else ""
    purpose = _PURPOSE.search(top_level(values if lead else rest))
    aim = (values if lead else rest)[purpose.end() :] if purpose else ""
    more = aim if _SAYS_MORE.search(aim) else ""
    if lead is None:
        return (), more if purpose is not None and purpose.start() == 0 else rest
    given = [_given(part) for part in _parts(values[: purpose.start()] if purpose else values)]
    found = tuple(one for one in given if one is not None)
    return (found, more) if len(found) == len(given) else ((), rest)


def _parts(values: str) -> list[str]:
    """*values* cut at its commas and at *and*."""
    masked = _AND.sub(lambda match: "," + " " * (len(match[0]) - 1), top_level(values))
    parts, start = [], 0
    while (end := masked.find(",", start)) >= 0:
        parts.append(values[start:end])
        start = end + 1
    return [_AND_BEFORE.sub("", part).strip() for part in (*parts, values[start:])]


def _given(part: str) -> Argument | None:
    """The argument that *part* is: named, a literal, or something of a ``$`` variable; a bare word may be prose."""
    argument = _argument(part) if part else None
    if argument is None or argument.name:
        return argument
    names = argument.value.names
    is_value = all(is_state for _name, is_state in names) if names else isinstance(argument.value.tree, ast.Constant)
    return argument if is_value else None


_NEAR = 60
_LEAD = regex(r"(?:(?:then|now|next|finally|first|afterwards|also|please)[,:]?\s++)*+", re.IGNORECASE)
_KEPT_HEAD = regex(rf"(?P<state>\$?)(?P<name>{NAME})(?:\s?:\s?(?P<type>{TYPE}))?\s*=(?!=)\s*")
_GET_FROM = regex(
    rf"(?:get|obtain|fetch|receive|retrieve|take|read)\s++(?:the\s++)?\$(?P<name>{NAME})(?::(?P<type>{TYPE}))?"
    r"\s++from\s++(?:the\s++)?(?=[^\W\d])",
    re.IGNORECASE,
)
_KEPT_TAIL = regex(
    r"(?:(?:,\s*|\s)(?:and\s+)?(?:store|save|keep|put|remember)\s+(?:the\s+|its\s+)?(?:result|answer|output|value|it)"
    r"\s+(?:in|into|as|to)\s+|\s(?:as|into)\s+|\s*(?:->|→)\s*)$",
    re.IGNORECASE,
)
_PLANNED = regex(
    r"(?:(?:make|write|create|work\s+out)\s++(?:a|the)\s++plan\s++(?:for\s++)?(?:how\s++)?(?:to\s++)?|plan\s++how\s++to\s++)"
    r"(?P<goal>\S.*?)(?:\s*+[,;]\s*+(?:and\s++)?(?:then\s++)?|\s++(?:and\s++)?then\s++|\s++and\s++)"
    r"(?:do|execute|follow|run|carry\s++out)\s++(?:it|that|this|the\s++plan)(?:\s++out)?",
    re.IGNORECASE | re.DOTALL,
)
_CARRY = regex(r"carry\s++(?P<what>it|that|this|the\s++plan)\s++out\s*$", re.IGNORECASE)
_BARE = regex(rf"(?<![\w{{$])\$({NAME})(?![\w.\[])")


def plan_call(text: str) -> Call | None:
    """``Plan how to refund $order, then do it``: the goal is planned, and that is done; None: it is none."""
    if "plan" not in text[:_NEAR].lower():
        return None
    body, result = kept(text)
    match = _PLANNED.fullmatch(_CARRY.sub(lambda found: f"carry out {found['what']}", body))
    if match is None:
        return None
    goal = try_expression(json.dumps(_BARE.sub(r"{$\1}", match["goal"]), ensure_ascii=False))
    return None if goal is None else Call(PLAN_AND_DO, (Argument("goal", goal),), result, is_resolved=True, text=text)


CALLING = frozenset("call run use invoke execute perform await start launch trigger do".split())
"""The verbs that say of a name that it is called."""
_FORM = regex(
    rf"(?:(?P<verb>{'|'.join(sorted(CALLING))})\s++)?(?:the\s++)?(?P<tick>`)?"
    r"(?P<name>[^\W\d][\w-]*+(?:\.\w[\w-]*+)*+)(?P<with>(?=\s++with\b))?(?P<rest>(?![\w-]).*)",
    re.IGNORECASE | re.DOTALL,
)
_NOUN = regex(r"(?:playbook|tool|function|procedure|workflow)\b", re.IGNORECASE)
_GIVING = regex(r"(?:with|using|on|for|passing)\s+", re.IGNORECASE)
_PURPOSE = regex(r"(?:^|(?<=\s))to\s+", re.IGNORECASE)
_SAYS_WHEN = regex(
    r"[;:]|\b(?:and|or|then|if|when|unless|until|while|except|without|not|never|only|once|twice|times|again|but)\b",
    re.IGNORECASE,
)
_SAYS_MORE = regex(rf"[$\d\"“`{{,]|{_SAYS_WHEN.pattern}", re.IGNORECASE)
_AND = regex(r"\sand\s", re.IGNORECASE)
_AND_BEFORE = regex(r"^\s*and\s+", re.IGNORECASE)


def back_ticked(text: str) -> str:
    """What stands in back-ticks, where all of *text* does (but for a verb before and a full stop); else empty."""
    match = _TICKED.fullmatch(text)
    return match.group(1).strip() if match else ""


_TICKED = regex(r"(?:(?:call|run|invoke|execute|do|use)\s+)?`([^`]+)`[.;]?", re.IGNORECASE)
