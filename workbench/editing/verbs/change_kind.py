"""Turning a step into another kind by rewriting the few words that make it one."""

from __future__ import annotations

import re
from collections.abc import Callable

from workbench.editing.commands import CONDITION, ChangeKind, Refusal
from workbench.editing.edit_plan import Draft, EditPlan
from workbench.editing.refusals import refuse_damage, refuse_steps
from workbench.editing.verbs.step_text import refuse_words, rewrite_words
from workbench.i18n import _
from workbench.model.meaning import StepKind, kind_of
from workbench.model.program import Step
from workbench.model.sentences.classify import classify
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.syntax.expressions import ExpressionRefused, parse_expression
from workbench.syntax.signatures import normalise_name

_OPENING = regex(
    r"(?:ask (?:the )?user(?: (?:for|to|about))?|tell (?:the )?user(?: that)?|say|else if|if|when|otherwise|else|while"
    r"|until|for each|repeat|return|call|end program|exit program)(?![\w$])[ \t:,]*",
    re.IGNORECASE,
)
_ASSIGNMENT = regex(r"(?P<name>\$?\w+)(?:[ \t]*:[ \t]*[\w\[\], ]+)?[ \t]*=[ \t]*(?P<value>[^=].*)")
_VARIABLE = regex(r"\$\w+")
_ITERATION = regex(r"\$?\w+ in ", re.IGNORECASE)


def refuse(snapshot: Snapshot, command: ChangeKind) -> Refusal | None:
    """Why the step cannot become this kind."""
    refusal = refuse_steps(snapshot, (command.step,)) or refuse_damage(snapshot, (command.step,))
    if refusal:
        return refusal
    step = snapshot.step(command.step)
    if step.item is None or step.kind in (StepKind.TRIGGER, StepKind.NOTE) or command.kind not in _WRITERS:
        return Refusal("cannot-become", _("Only steps can be changed to another kind."))
    return None


def plan(snapshot: Snapshot, command: ChangeKind) -> EditPlan | Refusal:
    """The edits that rewrite the step; none when it is of this kind already."""
    step = snapshot.step(command.step)
    draft = Draft(snapshot.text)
    if step.kind is not command.kind:
        text = words_as(command.kind, step)
        if refuse_words(text) or kind_of(classify(text, bool(step.children))) is not command.kind:
            return Refusal("cannot-become", _("This text cannot be changed to that kind. Rewrite it instead."))
        rewrite_words(draft, snapshot, step, text)
    return draft.finish(_("Change kind"))


def words_as(kind: StepKind, step: Step) -> str:
    """The words of *step* as a step of *kind* would say them."""
    return _WRITERS[kind](_core(step.text))


def _core(text: str) -> str:
    """*text* without the words that make it a kind."""
    opening = _OPENING.match(text)
    return (text[opening.end() :] if opening else text).strip().rstrip(":").rstrip()


def _value(core: str) -> str:
    match = _ASSIGNMENT.fullmatch(core)
    return match["value"] if match else core


def _name(core: str) -> str:
    match = _ASSIGNMENT.fullmatch(core)
    return match["name"] if match else core


def _as_step(core: str) -> str:
    plain = core.strip('"') if core.count('"') == 2 else core
    return plain[:1].upper() + plain[1:] if not _ASSIGNMENT.fullmatch(plain) else f"Work out {_name(plain)}"


def _as_ask(core: str) -> str:
    return f"Ask user for {_name(core).strip(chr(34)) or '$answer'}"


def _as_tell(core: str) -> str:
    shown = _name(core)
    if _VARIABLE.fullmatch(shown) or (shown.startswith('"') and shown.endswith('"') and len(shown) > 1):
        return f"Tell user {shown}"
    return 'Tell user "{}"'.format(shown.replace('"', "'"))


def _as_assignment(core: str) -> str:
    if _VARIABLE.fullmatch(core):
        return f'{core} = ""'
    return f"$result = {core if _is_expression(core) else _quoted(core)}"


def _is_expression(text: str) -> bool:
    try:
        parse_expression(text)
    except ExpressionRefused:
        return False
    return True


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _as_call(core: str) -> str:
    value = _value(core)
    return value if re.fullmatch(r"[\w.]+\(.*\)", value) else f"{normalise_name(value).name}()"


def _as_decision(core: str) -> str:
    return f"If {_value(core) or CONDITION}"


def _as_loop(core: str) -> str:
    if _ITERATION.match(core):
        return f"For each {core}"
    return f"While {_value(core) or CONDITION}"


def _as_return(core: str) -> str:
    return f"Return {_name(core)}".rstrip()


def _as_end(_core: str) -> str:
    return "End program"


_WRITERS: dict[StepKind, Callable[[str], str]] = {
    StepKind.STEP: _as_step,
    StepKind.ASK: _as_ask,
    StepKind.TELL: _as_tell,
    StepKind.ASSIGN: _as_assignment,
    StepKind.CALL: _as_call,
    StepKind.DECISION: _as_decision,
    StepKind.LOOP: _as_loop,
    StepKind.RETURN: _as_return,
    StepKind.END: _as_end,
}

KINDS_TO_BECOME = frozenset(_WRITERS)
"""The kinds that a step can be turned into."""
