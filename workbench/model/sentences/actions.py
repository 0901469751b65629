"""What a step without a body does: the meanings that can also stand behind ``If …,``.

One look at the first word decides which reading is tried, asking and telling a person among them; whatever does not
fit exactly is a judgement. What all in a meeting see is set by ``meeting.state.n = 5`` and its kin.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace

from workbench.model.meaning import (
    Action,
    Argument,
    Ask,
    Assign,
    Call,
    End,
    Judge,
    Jump,
    JumpForm,
    Return,
    Tell,
    Variable,
    Wait,
)
from workbench.model.sentences.calls import CALL, back_ticked, call_of
from workbench.model.sentences.clauses.asking import fields_of, mentioned_fields
from workbench.model.sentences.clauses.changing import NUMBER_WORDS, changed, plain_value, stated
from workbench.model.sentences.clauses.several import judged_whole, with_parts
from workbench.model.sentences.clauses.telling import PERSON, WHO, give, reply, say, send, tell
from workbench.model.sentences.clauses.unpacking import chained, set_one_by_one, unpacked
from workbench.model.sentences.outputs import MENTION, SOMEBODY, TYPE, outputs_of
from workbench.model.sentences.timing import wait_of
from workbench.model.sentences.values import combined, names_in_word, place_in, value_in
from workbench.regex import regex
from workbench.syntax.expressions import NAME, Template, parse_expression, parse_template, try_expression

_FROM = regex(rf"\bfrom\s+{PERSON}(?!['’\w])", re.IGNORECASE)
_QUESTION = regex(r"for|what|which|whether|if|how|when|where|who|why|again", re.IGNORECASE)
_COMPUTED = regex(
    rf"(?:the\s+)?\$(?P<name>{NAME})(?::(?P<type>{TYPE}))?\s*(?:\bas\b|\bto\s+be\b|=)\s*(?P<value>.+)",
    re.DOTALL,
)
_SAY = regex(
    r"say\((?:(?:user|human|\"user\"|'user')\s*,\s*(?P<words>[^()\"]+)|(?P<alone>[^(),\"]+))\)[.;]?", re.IGNORECASE
)


def _ask(text: str, rest: str) -> Action | None:
    """``Ask user for $name and $email``; a judgement where somebody else is asked, or somebody in a variable."""
    somebody = SOMEBODY.match(rest)
    if somebody is not None:
        return Judge(text, mentioned_fields(rest[somebody.end() :]))
    if WHO.match(rest) or _QUESTION.match(rest) or rest[:1] in ('"', "$"):
        return Ask(text, fields_of(text))
    return Judge(text, mentioned_fields(text))


def _ask_from(text: str) -> Action | None:
    """``Get $name from the user``; None where it is got from anywhere else."""
    if _FROM.search(text) is None and text[:6].lower() != "prompt":
        return None
    return Ask(text, fields_of(text))


_FIRST = regex(r"([^\W\d_]+)(?![\w(])")
_ASSIGNMENT = regex(
    rf"(?P<state>\$?)(?P<name>{NAME})(?:\s?:\s?(?P<type>{TYPE}))?\s*(?P<sign>[-+*/%]?)=(?!=)\s*(?P<value>.*)", re.DOTALL
)
_PART = rf"(?P<place>\$(?P<name>{NAME})(?:\.{NAME}|\[[^\]]*\])+)"
_PART_IS = regex(rf"{_PART}\s*(?P<sign>[-+*/%]?)=(?!=)\s*(?P<value>.*)", re.DOTALL)
_PART_TO = regex(rf"{_PART}\s+(?P<sign>)(?:to|be)\s+(?P<value>.*)", re.DOTALL)
MAX_LENGTH = 2_000


def action_of(text: str) -> Action:
    """What *text* tells to do; total."""
    return Judge(text) if len(text) > MAX_LENGTH else with_parts(text, _one(text), _one)


def judgement_of(text: str, start: int = 0) -> Judge:
    """*text* as something to judge, whatever it begins with; *start*: where it begins to say what is to be done."""
    return judged_whole(text, _one, start)


def _one(text: str) -> Action:
    """What *text* means as one sentence."""
    first = text[:1]
    if first == "$":
        exact = _assignment(text) or _call_through(text) or stated(text) or _of_part(text)
        return exact or Judge(text, outputs_of(text))
    if first == "`":
        return _ticked(text) or Judge(text, outputs_of(text))
    word = _FIRST.match(text)
    read = _READERS.get(word.group(1).lower()) if word else None
    action = read(text, text[word.end() :].strip()) if read and word else None
    return action or _written(text) or Judge(text, outputs_of(text))


def _written(text: str) -> Action | None:
    """An assignment to a local name, or a call."""
    if "=" in text:
        assignment = _assignment(text)
        if assignment is not None:
            return assignment
    if " is " in text and (said := stated(text)) is not None:
        return said
    if text.endswith((")", ").", ");")) or "with" in text:
        return _call(text) or _said_in_words(text)
    return None


def _said_in_words(text: str) -> Action | None:
    """``Say(user, Output the greeting)``: the wording is a judgement."""
    match = _SAY.fullmatch(text)
    return Tell((match["words"] or match["alone"]).strip()) if match else None


def _call_through(text: str) -> Action | None:
    """A call of another agent that a variable holds: ``$helper.Check($x)``."""
    return _call(text) if text.endswith((")", ").", ");")) and "." in text.partition("(")[0] else None


def _call(text: str) -> Action | None:
    call = call_of(text.rstrip(".;") if text.endswith((").", ");")) else text)
    return _built_in(call) if call is not None else None


def _built_in(call: Call) -> Action:
    """A call of ``Say`` with a plain text, or of ``EndProgram``, as what it does; any other call as it is."""
    if call.target == "EndProgram" and not call.arguments:
        return End()
    if call.target == "Say" and call.arguments and call.arguments[-1].name in ("", "message"):
        said = call.arguments[-1].value
        target = call.arguments[0].value.source.strip("\"'").lower()
        is_to_user = len(call.arguments) == 1 or target in ("user", "human")
        if is_to_user and isinstance(said.tree, ast.Constant) and isinstance(said.tree.value, str):
            return Tell(said.source, parse_template(said.tree.value))
        if is_to_user:
            return Tell(said.source, Template(said.source, (said,)) if value_in(said.source) else None)
    return call


def _assignment(text: str) -> Action | None:
    several = unpacked(text)
    match = _ASSIGNMENT.fullmatch(text) if several is None else None
    if match is None:
        return several
    target = Variable(match["name"], bool(match["state"]), match["type"] or "")
    return _value_for(text, target, match["sign"], match["value"].strip())


def _value_for(text: str, target: Variable, sign: str, value: str) -> Action | None:
    """*target* set to *value*: a call, an expression, or a judgement."""
    inside = back_ticked(value)
    value, words = inside or value, f"`{inside}`" if inside else value
    if sign:
        shown = f"${target.name}" if target.is_state else target.name
        expression = combined(shown, sign, value)
        return Assign(target, expression) if expression else Judge(text, (target,))
    call = call_of(value, target) if value.endswith(")") or "with" in value else None
    if call is not None:
        return call
    expression = value_in(words)
    return Judge(text, (target, *chained(value))) if expression is None else Assign(target, expression)


def _of_part(text: str, form: re.Pattern[str] = _PART_IS) -> Action | None:
    """``$order.status = "paid"`` sets a part of a variable; a judgement where the value is one."""
    match = form.fullmatch(text)
    if match is None:
        return None
    target, words, sign = Variable(match["name"]), match["value"].strip(), match["sign"]
    place = place_in(match["place"])
    value = combined(match["place"], sign, words) if sign else value_in(words)
    return Judge(text, (target,)) if place is None or value is None else Assign(target, value, place)


def _ticked(text: str) -> Action | None:
    inside = back_ticked(text)
    if not inside:
        return None
    return (_assignment(inside) or _of_part(inside)) if "=" in inside.partition("(")[0] else _call(inside)


_SET = regex(rf"(?P<state>\$?)(?P<name>{NAME})(?::(?P<type>{TYPE}))?\s+(?:to|be|=)\s+(?P<value>.+)", re.DOTALL)


def _set(text: str, rest: str) -> Action | None:
    """``Set $x to 5``, ``Let $x be 5``; a word without a dollar sign may be a thing, unless it is a single letter."""
    several = set_one_by_one(text, rest, _set)
    if several is not None:
        return several
    match = _SET.fullmatch(rest)
    if match is None and (part := _of_part(rest, _PART_TO)) is not None:
        return None if isinstance(part, Judge) else _said(text, part)
    if match is None and rest[:8] in ("meeting.", "self.cur", "current_"):
        return shared_of(rest)
    is_variable = match is not None and (match["state"] or "_" in match["name"] or len(match["name"]) == 1)
    if match is None or not is_variable:
        assigned = _assignment(rest) if "=" in rest else None
        return replace(assigned, text=text) if isinstance(assigned, Judge) else assigned
    target = Variable(match["name"], bool(match["state"]), match["type"] or "")
    value = match["value"]
    exact = value[:-1] if value.endswith((").", '".', "].")) else value
    return _said(text, _value_for(text, target, "", plain_value(exact)))


_MEANS_MORE = frozenset("today now tomorrow yesterday yes no on off it this that nothing empty".split())
"""Words that are no values of themselves, but say which."""


def _said(text: str, action: Action | None) -> Action | None:
    """*action*, which the sentence *text* says: a word in it may be a variable, or is itself, or is judged."""
    if not isinstance(action, Assign) or not names_in_word(action.value):
        return action
    word = action.value.source.lower()
    if word in _MEANS_MORE:
        return Judge(text, (action.target,))
    number = NUMBER_WORDS.get(word) if action.target.type != "str" else None
    return replace(action, words=text) if number is None else replace(action, value=parse_expression(number))


def _change(text: str, _rest: str) -> Action | None:
    """``Increment $n``, ``Append 3 to $xs``; None where it is not exact."""
    verb, _blank, rest = text.partition(" ")
    return changed(verb.lower(), rest.strip())


_KEPT = regex(
    rf"(?P<value>.+?)(?:,?\s+and\s+(?:store|save|put|keep)\s+(?:it|this|that|the\s+(?:result|value)))?"
    rf"\s+(?:as|in|into)\s+\$(?P<name>{NAME})(?::(?P<type>{TYPE}))?\.?",
    re.DOTALL,
)


def _kept(rest: str) -> Action | None:
    """What ``Calculate $a + $b as $total`` does; None where no calculation stands there."""
    match = _KEPT.fullmatch(rest)
    value = value_in(match["value"]) if match is not None else None
    if match is None or value is None or not isinstance(value.tree, ast.BinOp):
        return None
    return Assign(Variable(match["name"], True, match["type"] or ""), value)


def _compute(text: str, rest: str) -> Action | None:
    """``Compute $total as $price * $quantity``; None where it is not said exactly how."""
    match = _COMPUTED.fullmatch(rest)
    if match is None:
        return _kept(rest)
    value = match["value"].removesuffix(".")
    action = _value_for(text, Variable(match["name"], True, match["type"] or ""), "", value)
    return None if isinstance(action, Judge) else action


def _run(text: str, rest: str) -> Action | None:
    """``Call F($a)``, ``Run `F($a)```."""
    if back_ticked(text):
        return _ticked(text)
    target, _blank, stored = rest.partition(") as ")
    match = MENTION.fullmatch(stored.strip(" ."))
    if match:
        return call_of(target + ")", Variable(match["name"], True, match["type"] or ""))
    return _call(rest) if CALL.match(rest) else _call(text)


def _return(text: str, rest: str) -> Action | None:
    if _BACK.fullmatch(rest):
        return _jump(JumpForm.GO_TO, _BACK, rest)
    plain = rest.rstrip(".") if rest.endswith(".") and not rest.endswith("..") else rest
    if plain.lower() in _NOTHING:
        return Return()
    expression = value_in(plain)
    return Return(expression) if expression is not None else Return(None, rest)


_NOTHING = frozenset(
    {"", "nothing", "none", "early", "here", "to the caller", "from the playbook", "from this playbook"}
)
_PROGRAM = regex(r"(?:(?:the|this)\s+)?(?:program|run)?[.]?", re.IGNORECASE)
_PLAYBOOK = regex(r"(?:(?:the|this)\s+)playbook[.]?", re.IGNORECASE)
_LOOP = regex(r"(?:(?:out\s+)?(?:of|from)\s+)?(?:(?:the|this)\s+)?(?:loop|looping)[.]?", re.IGNORECASE)
_BREAK = regex(r"(?:out)?[.]?", re.IGNORECASE)
_NEXT = regex(
    r"(?:with|to)?\s*(?:(?:the\s+)?next(?:\s+(?:one|round|iteration|item|element|turn))?|the\s+loop)[.]?", re.IGNORECASE
)
_NUMBER = r"(?:(?:the\s+)?step\s+|line\s+)?(?P<number>\d+(?:\.\d+)*)[.]?"
_BACK = regex(r"(?:to|with|at|from)?\s*(?:the\s+)?step\s+(?P<number>\d+(?:\.\d+)*)[.]?", re.IGNORECASE)
_GO = regex(rf"(?:back\s+)?(?:to\s+)?{_NUMBER}", re.IGNORECASE)


def _end(text: str, rest: str) -> Action | None:
    if _LOOP.fullmatch(rest):
        return Jump(JumpForm.BREAK)
    if _PLAYBOOK.fullmatch(rest):
        return Return()
    return End() if _PROGRAM.fullmatch(rest) and text[:5].lower() != "leave" else None


def _break(text: str, rest: str) -> Action | None:
    return Jump(JumpForm.BREAK) if _BREAK.fullmatch(rest) or _LOOP.fullmatch(rest) else None


def _continue(text: str, rest: str) -> Action | None:
    if rest in ("", ".") or _NEXT.fullmatch(rest):
        return Jump(JumpForm.CONTINUE)
    return _jump(JumpForm.GO_TO, _BACK, rest)


def _skip(text: str, rest: str) -> Action | None:
    return Jump(JumpForm.CONTINUE) if _NEXT.fullmatch(rest) else _jump(JumpForm.GO_TO, _BACK, rest)


def _go(text: str, rest: str) -> Action | None:
    return _jump(JumpForm.GO_TO, _GO, rest)


def _repeat_from(text: str, rest: str) -> Action | None:
    return _jump(JumpForm.GO_TO, _BACK, rest) if rest.lower().startswith("from") else None


def _jump(form: JumpForm, pattern: re.Pattern[str], rest: str) -> Jump | None:
    match = pattern.fullmatch(rest)
    return Jump(form, match["number"]) if match else None


def _after(text: str, rest: str) -> Action | None:
    """What comes after *then*, *next* or *finally*; None where that is a judgement too."""
    action = action_of(rest.lstrip(",: ")) if rest else None
    return None if isinstance(action, Judge) else action


def _get(text: str, rest: str) -> Action | None:
    return _ask_from(text)


def _wait(text: str, rest: str) -> Action | None:
    timing = wait_of(rest)
    return None if timing is None else Wait(text, timing)


def _share(text: str, rest: str) -> Action | None:
    return shared_of(text) if "state." in text else None


_Reader = Callable[[str, str], Action | None]
_READERS: dict[str, _Reader] = {
    **dict.fromkeys(("then", "now", "next", "finally", "first", "afterwards", "also"), _after),
    **dict.fromkeys(("set", "let"), _set),
    **dict.fromkeys(("compute", "calculate", "determine"), _compute),
    **dict.fromkeys(("increment", "decrement", "increase", "decrease", "raise", "reduce", "multiply"), _change),
    **dict.fromkeys(("divide", "add", "subtract", "append", "initialize", "initialise", "reset"), _change),
    "give": give,
    "send": send,
    "reply": reply,
    **dict.fromkeys(("call", "run", "invoke", "execute"), _run),
    **dict.fromkeys(("end", "exit", "stop", "quit", "terminate", "leave"), _end),
    **dict.fromkeys(("inform", "notify", "show", "greet", "welcome", "thank", "remind", "tell"), tell),
    **dict.fromkeys(("say", "print", "display"), say),
    **dict.fromkeys(("go", "goto", "jump"), _go),
    **dict.fromkeys(("get", "collect", "request", "obtain", "prompt"), _get),
    **dict.fromkeys(("wait", "pause", "sleep"), _wait),
    **dict.fromkeys(("meeting", "self", "agent", "current"), _share),
    "ask": _ask,
    "return": _return,
    "break": _break,
    "continue": _continue,
    "skip": _skip,
    "repeat": _repeat_from,
}
FIRST_WORDS = frozenset(_READERS)


_SHARED = regex(
    rf"(?P<place>(?:(?:self|agent)\.)?(?:current_)?meeting\.(?:shared_)?state)\.(?P<name>{NAME})\s*+"
    r"(?P<sign>(?:\*\*|//|[-+*/%])?=(?!=)|to\b)\s*+(?P<value>\S.*)",
    re.DOTALL,
)


def shared_of(text: str) -> Call | None:
    """The call that *text* stands for; None where it sets no part of what a meeting shares, or not exactly."""
    match = _SHARED.fullmatch(text)
    if match is None:
        return None
    written, sign = match["value"].strip(), match["sign"].removesuffix("=").removesuffix("to")
    value = value_in(written)
    if value is not None and sign:
        value = try_expression(f"{match['place']}.{match['name']} {sign} ({written})")
    return None if value is None else Call("SetMeetingState", (Argument(match["name"], value),))
