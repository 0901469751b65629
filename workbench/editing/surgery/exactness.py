"""The exact form of a sentence: what the program carries out by itself, where nobody has to judge what is meant.

What a sentence could mean exactly is tried, and counts only where the program then reads it as exact: *the total* as
``$total`` where the playbook has such a variable, *five* as ``5``, a call by its words as the call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.editing.commands import MakeExact, Refusal
from workbench.editing.edit_plan import Draft, EditPlan
from workbench.editing.refusals import refuse_damage, refuse_steps
from workbench.editing.surgery.parts import said_in
from workbench.editing.verbs.step_text import rewrite_words
from workbench.i18n import _
from workbench.model.checks.judged.sentences import reasons_in
from workbench.model.kinds import FileKind
from workbench.model.meaning import (
    Ask,
    Assign,
    Branch,
    Call,
    Judge,
    Loop,
    LoopForm,
    Meaning,
    Return,
    StepKind,
    Tell,
    Variable,
    actions_of,
    parts_of,
)
from workbench.model.program import Step
from workbench.model.sentences.classify import classify
from workbench.model.snapshot import Snapshot
from workbench.model.step_facts import facts_of, step_runs
from workbench.regex import regex
from workbench.syntax.masking import without_quotes

_ARTICLE = r"(?:(?:the|a|an|this|that|their|his|her|its|your|our)\s+)"
_ASKED = regex(
    r"(?P<lead>ask(?:\s+(?:the\s+)?user)?\s+(?:for|about)\s+)(?P<fields>[^.;:?!()\"$]+?)(?P<end>[.]?)", re.IGNORECASE
)
_LISTED = regex(r",\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_LEADING = regex(_ARTICLE, re.IGNORECASE)
_MOST_ROUNDS = 5


def refuse(snapshot: Snapshot, command: MakeExact) -> Refusal | None:
    """Why the step has no other, exact form."""
    refusal = refuse_steps(snapshot, (command.step,)) or refuse_damage(snapshot, (command.step,))
    if refusal is not None:
        return refusal
    step = snapshot.step(command.step)
    if step.item is None or step.kind in (StepKind.TRIGGER, StepKind.NOTE) or step.is_judged_whole:
        return Refusal("not-a-step", _("Only the words of a step can be written exactly."))
    if exact_words(snapshot, step) is not None:
        return None
    if is_exact(step.meaning):
        return Refusal("exact-already", _("This step is carried out exactly as it is written."))
    return Refusal("no-exact-form", _("No exact form of this sentence is known; it is left to judgement."))


def plan(snapshot: Snapshot, command: MakeExact) -> EditPlan:
    """The edit that writes the words anew."""
    step = snapshot.step(command.step)
    draft = Draft(snapshot.text)
    words = exact_words(snapshot, step)
    if words is not None:
        rewrite_words(draft, snapshot, step, words)
    return draft.finish(_("Write exactly"))


def exact_words(snapshot: Snapshot, step: Step) -> str | None:
    """The words of *step* in their exact form; None where they have no other, or where people read them."""
    if snapshot.program.kind is not FileKind.PROGRAM and "$" not in step.text:
        return None
    for words in _candidates(snapshot, step):
        meaning = classify(words, bool(step.children))
        if words != step.text and is_exact(meaning) and _fits(step.meaning, meaning):
            return words
    return None


def _fits(old: Meaning, new: Meaning) -> bool:
    """True where *new* can be what *old* meant: a branch stays one, and what is exact already stays what it is."""
    if isinstance(old, Branch | Loop) or isinstance(new, Branch | Loop):
        is_alike = type(old) is type(new) and getattr(old, "form", None) is getattr(new, "form", None)
        return is_alike and [type(one) for one in actions_of(old)] == [type(one) for one in actions_of(new)]
    if isinstance(old, Assign):
        return said_in(old) == said_in(new)
    if isinstance(old, Call):
        return isinstance(new, Call) and (old.target, said_in(old.result)) == (new.target, said_in(new.result))
    return isinstance(old, Judge) or [type(one) for one in parts_of(old)] == [type(one) for one in parts_of(new)]


def is_exact(meaning: Meaning) -> bool:
    """True where nothing in *meaning* is left to judgement."""
    match meaning:
        case Branch(condition=condition) if condition is not None and condition.test is None:
            return False
        case Loop(form=LoopForm.FOR_EACH | LoopForm.REPEAT, items=None):
            return False
        case Loop(condition=condition) if condition is not None and condition.test is None:
            return False
    return all(map(_is_exact_part, actions_of(meaning)))


def _is_exact_part(part: Meaning) -> bool:
    match part:
        case Judge():
            return False
        case Tell(template=template):
            return template is not None
        case Return(value=value, text=text):
            return value is not None or not text
        case Call(is_resolved=is_resolved):
            return not is_resolved
    return True


def _candidates(snapshot: Snapshot, step: Step) -> Iterator[str]:
    meaning = step.meaning
    if isinstance(meaning, Call) and meaning.is_resolved and not meaning.asked:
        yield _call(meaning)
    if isinstance(meaning, Ask):
        yield from _asked(step.text, meaning)
    if isinstance(meaning, Assign) and meaning.place is None and not meaning.words:
        typed = f":{meaning.target.type}" if meaning.target.type else ""
        yield f"{_key(meaning.target)}{typed} = {meaning.value.source}"
    if not is_exact(meaning):
        yield _corrected(step.text, meaning, step)
        named = _with_names(snapshot, step)
        yield named
        yield _corrected(named, classify(named, bool(step.children)), step)


def _key(variable: Variable) -> str:
    return f"${variable.name}" if variable.is_state else variable.name


def _call(call: Call) -> str:
    given = (f"{each.name}={each.value.source}" if each.name else each.value.source for each in call.arguments)
    result = f"{_key(call.result)} = " if call.result is not None else ""
    return f"{result}{call.target}({', '.join(given)})"


def _asked(text: str, ask: Ask) -> Iterator[str]:
    """``Ask user for $name`` of *Ask user for the name*, where nothing but names is asked for."""
    match = _ASKED.fullmatch(text)
    fields = _LISTED.split(match["fields"]) if match is not None else []
    names = [re.sub(r"\W+", "_", _LEADING.sub("", field.strip())).lower() for field in fields]
    if match is None or names != [one.name.lower() for one in ask.variables]:
        return
    shown = [_key(one) for one in ask.variables]
    said = ", ".join(shown[:-1]) + " and " + shown[-1] if len(shown) > 1 else shown[0]
    yield f"{match['lead']}{said}{match['end']}"


def _corrected(words: str, meaning: Meaning, step: Step) -> str:
    """*words* with all that a finding would have written otherwise written so."""
    for _round in range(_MOST_ROUNDS):
        reason = next((one for one in reasons_in(meaning, words) if one.insert is not None), None)
        if reason is None or reason.insert is None:
            break
        end = reason.end + (not reason.insert and words[reason.end : reason.end + 1] == " ")
        words = words[: reason.start] + reason.insert + words[end:]
        meaning = classify(words, bool(step.children))
    return words


def _with_names(snapshot: Snapshot, step: Step) -> str:
    """The words with *the total* as ``$total``, for each variable that the playbook knows."""
    words = step.text
    for name in sorted(_known(snapshot, step), key=len, reverse=True):
        spoken = r"\s+".join(map(re.escape, name.removeprefix("$").split("_")))
        pattern = regex(rf"(?<![\w$]){_ARTICLE}{spoken}(?![\w'’])", re.IGNORECASE)
        for match in reversed(list(pattern.finditer(without_quotes(words)))):
            words = words[: match.start()] + name + words[match.end() :]
    return words


def _known(snapshot: Snapshot, step: Step) -> set[str]:
    """The variables that steps of the playbook set or read, and its parameters."""
    playbook = snapshot.playbook_of(step.id)
    facts = [facts_of(root) for run in step_runs(playbook) for root in run]
    names = {name for each in facts for name in each.sets | each.read_names | each.uses if name.startswith("$")}
    return names | {f"${parameter.name}" for parameter in playbook.parameters}
