"""Commands about the branches of a decision: the opposite condition, bodies that change places, *Otherwise*."""

from __future__ import annotations

from dataclasses import dataclass, replace

from workbench.editing.commands import (
    AddOtherwise,
    ConvertBranch,
    InsertLines,
    InvertCondition,
    Place,
    Refusal,
    SwapBranches,
)
from workbench.editing.edit_plan import Draft, EditPlan, Fragment
from workbench.editing.geometry.indentation import reindented
from workbench.editing.geometry.siblings import core_of, own_end, siblings_of, walk_ids
from workbench.editing.geometry.style import style_of
from workbench.editing.refusals import refuse_damage, refuse_steps
from workbench.editing.surgery.opposites import are_opposite, inverted_words, opposite_of
from workbench.editing.verbs.insert import plan_lines, refuse_lines
from workbench.editing.verbs.step_text import refuse_words, rewrite_words
from workbench.i18n import _
from workbench.model.decisions import chains
from workbench.model.meaning import Branch, BranchForm
from workbench.model.program import Step, StepId
from workbench.model.sentences.classify import classify
from workbench.model.snapshot import Snapshot
from workbench.model.step_facts import facts_of
from workbench.regex import regex
from workbench.syntax.text import Span

PLACEHOLDER = "Do something"
_OTHERWISE = {"else": "Else", "otherwise": "Otherwise"}
_KEYWORD = regex(r"(?:\*\*|__)?(?:else\s*if|elif|otherwise,?\s+if|if|else|otherwise)\b(?:\*\*|__)?")


@dataclass(frozen=True, slots=True)
class Decision:
    """The arms of the decision that a step belongs to. *index*: which of them the step is."""

    arms: tuple[Step, ...]
    index: int

    @property
    def arm(self) -> Step:
        """The step itself."""
        return self.arms[self.index]

    def form(self, index: int) -> BranchForm:
        """How the arm *index* begins."""
        return _branch(self.arms[index]).form

    @property
    def has_otherwise(self) -> bool:
        """True where its last arm has no condition."""
        return self.form(len(self.arms) - 1) is BranchForm.OTHERWISE


def decision_of(snapshot: Snapshot, step_id: StepId) -> Decision:
    """The decision that the branch *step_id* is an arm of."""
    step = snapshot.step(step_id)
    arms = next(chain for chain in chains(snapshot.siblings(step_id)) if step in chain)
    return Decision(arms, arms.index(step))


def _branch(step: Step) -> Branch:
    assert isinstance(step.meaning, Branch)
    return step.meaning


def _refuse_branch(snapshot: Snapshot, step_id: StepId) -> Refusal | None:
    """Why *step_id* is no branch that can be changed."""
    refusal = refuse_steps(snapshot, (step_id,)) or refuse_damage(snapshot, (step_id,))
    if refusal is not None:
        return refusal
    step = snapshot.step(step_id)
    if step.item is None or not isinstance(step.meaning, Branch):
        return Refusal("no-branch", _("This step is not a branch. Select a step that begins with If or Otherwise."))
    return None


def _no_branch_above() -> Refusal:
    return Refusal("first-branch", _("There is no branch above that this could be the alternative to."))


def _no_condition() -> Refusal:
    return Refusal("no-condition", _("“Otherwise” has no condition. Select the branch above it."))


def _no_opposite() -> Refusal:
    return Refusal("no-opposite", _("The opposite of this condition cannot be written surely. Rewrite it by hand."))


def refuse_invert(snapshot: Snapshot, command: InvertCondition) -> Refusal | None:
    """Why the condition cannot be turned round."""
    refusal = _refuse_branch(snapshot, command.step)
    if refusal is not None:
        return refusal
    step = snapshot.step(command.step)
    if _branch(step).condition is None:
        return _no_condition()
    return _no_opposite() if inverted_words(step) is None else None


def plan_invert(snapshot: Snapshot, command: InvertCondition) -> EditPlan | Refusal:
    """The edit that writes the opposite condition."""
    step = snapshot.step(command.step)
    draft = Draft(snapshot.text)
    words = inverted_words(step)
    if words is None:
        return _no_opposite()
    rewrite_words(draft, snapshot, step, words)
    return draft.finish(_("Invert condition"))


def refuse_swap(snapshot: Snapshot, command: SwapBranches) -> Refusal | None:
    """Why the branches cannot change their bodies."""
    refusal = _refuse_branch(snapshot, command.step)
    if refusal is not None:
        return refusal
    decision = decision_of(snapshot, command.step)
    if not decision.has_otherwise:
        return Refusal("no-otherwise", _("There is no “Otherwise” to swap with. Add one first."))
    if len(decision.arms) == 1:
        return _no_branch_above()
    if len(decision.arms) > 2:
        return Refusal("many-branches", _("This decision has more than two branches, so they cannot be swapped."))
    if any(_branch(arm).action is not None or not arm.children for arm in decision.arms):
        return Refusal("one-line", _("Both branches need steps on lines of their own. Put them there first."))
    if any(arm.item is not None and (arm.item.fences or arm.item.tails) for arm in decision.arms):
        return Refusal("holds-text", _("A branch has code or text of its own. Move it into a step first."))
    return _no_opposite() if inverted_words(decision.arms[0]) is None else None


def plan_swap(snapshot: Snapshot, command: SwapBranches) -> EditPlan | Refusal:
    """The edits that exchange what stands below the two branches, and turn the condition round."""
    first, second = decision_of(snapshot, command.step).arms
    words = inverted_words(first)
    if words is None or first.item is None or second.item is None:
        return _no_opposite()
    draft = Draft(snapshot.text)
    rewrite_words(draft, snapshot, first, words)
    bodies = [Span(own_end(snapshot, arm), core_of(snapshot, arm).end) for arm in (first, second)]
    indents = [first.item.indent, second.item.indent]
    for to, (arm, body) in zip((1, 0), zip((first, second), bodies, strict=True), strict=True):
        text = reindented(body.of(snapshot.text), indents[1 - to], indents[to])
        ids = tuple(inner for child in arm.children for inner in walk_ids(snapshot, child))
        draft.replace(bodies[to], Fragment(text, ((0, ids),)))
    moved = frozenset(inner.id for arm in (first, second) for child in arm.children for inner in child.walk())
    return replace(draft.finish(_("Swap branches")), moved=moved, reworded=frozenset({first.id}))


def refuse_convert(snapshot: Snapshot, command: ConvertBranch) -> Refusal | None:
    """Why the branch cannot begin otherwise."""
    refusal = _refuse_branch(snapshot, command.step)
    if refusal is not None:
        return refusal
    if command.form is BranchForm.WHEN:
        return Refusal("no-branch", _("A branch can become If, Else if or Otherwise."))
    words = _converted(snapshot, command)
    return words if isinstance(words, Refusal) else None


def plan_convert(snapshot: Snapshot, command: ConvertBranch) -> EditPlan | Refusal:
    """The edit that writes the branch with its other word."""
    words = _converted(snapshot, command)
    if isinstance(words, Refusal):
        return words
    draft = Draft(snapshot.text)
    rewrite_words(draft, snapshot, snapshot.step(command.step), words)
    return draft.finish(_("Change branch"))


def _converted(snapshot: Snapshot, command: ConvertBranch) -> str | Refusal:
    """The words of the branch in its other form."""
    step = snapshot.step(command.step)
    form = _branch(step).form
    if form is command.form:
        return Refusal("is-already", _("This branch begins with this word already."))
    if command.form is BranchForm.OTHERWISE:
        return _as_otherwise(snapshot, step)
    above = _arm_above(snapshot, step)
    if form is BranchForm.OTHERWISE:
        words = _with_condition(snapshot, step, command.form)
    elif command.form is BranchForm.ELSE_IF and (above is None or _branch(above).form is BranchForm.OTHERWISE):
        return _no_branch_above()
    else:
        words = _with_keyword(step, "If" if command.form is BranchForm.IF else "Else if")
    if isinstance(words, str) and not _is_branch(words, step, command.form):
        return Refusal("cannot-become", _("This branch cannot be written so. Rewrite it by hand."))
    return words


def _is_branch(words: str, step: Step, form: BranchForm) -> bool:
    meaning = classify(words, bool(step.children))
    return isinstance(meaning, Branch) and meaning.form is form and meaning.action == _branch(step).action


def _with_keyword(step: Step, word: str) -> str:
    """The words of *step* with another first word; *unless* stays, for it has no form that begins with *else*."""
    text = step.text
    match = _KEYWORD.match(text.lower())
    if match is None:
        return text
    marks = text[:2] if text[:2] in ("**", "__") else ""
    return f"{marks}{word}{marks}{text[match.end() :]}"


def _as_otherwise(snapshot: Snapshot, step: Step) -> str | Refusal:
    """*Otherwise*, where the condition is the opposite of that of the only branch above."""
    above = _arm_above(snapshot, step)
    condition, action = _branch(step).condition, _branch(step).action
    first = _branch(above).condition if above is not None else None
    if above is None or condition is None or first is None:
        return _no_branch_above()
    refusal = _refuse_two(snapshot, above, step)
    if refusal is not None:
        return refusal
    if not are_opposite(first, condition):
        message = _("Its condition is not the opposite of the one above, so it would be lost.")
        return Refusal("other-condition", message)
    if action is not None:
        return Refusal("one-line", _("What the branch does stands on the same line. Put it below first."))
    return _word_for_otherwise(snapshot)


def _with_condition(snapshot: Snapshot, step: Step, form: BranchForm) -> str | Refusal:
    """*If* with the opposite of the only condition above."""
    above = _arm_above(snapshot, step)
    if above is None:
        return _no_opposite()
    refusal = _refuse_two(snapshot, above, step) if form is BranchForm.IF else _refuse_many(snapshot, step)
    if refusal is not None:
        return refusal
    if _branch(step).action is not None:
        return Refusal("one-line", _("What the branch does stands on the same line. Put it below first."))
    inverted = inverted_words(above) if form is BranchForm.IF else None
    if inverted is not None and inverted.lower().startswith(("if ", "unless ")) and _branch(above).action is None:
        return inverted
    condition = _branch(above).condition
    opposite = opposite_of(condition) if condition is not None else None
    if opposite is None:
        return _no_opposite()
    return f"{'If' if form is BranchForm.IF else 'Else if'} {opposite}"


def _refuse_many(snapshot: Snapshot, step: Step) -> Refusal | None:
    decision = decision_of(snapshot, step.id)
    if len(decision.arms) == 2:
        return None
    return Refusal("many-branches", _("This decision has more than two branches, so no single condition is meant."))


def _refuse_two(snapshot: Snapshot, above: Step, step: Step) -> Refusal | None:
    """Why *step* below *above*, each with a condition of its own, is not the same as one decision of the two."""
    arms = decision_of(snapshot, above.id).arms
    if len(arms) > 2 or (len(arms) == 2 and arms[1] is not step):
        return Refusal("many-branches", _("This decision has more than two branches, so no single condition is meant."))
    condition = _branch(above).condition
    if condition is None:
        return _no_condition()
    read = {f"${name}" if is_state else name for name, is_state in condition.test.names} if condition.test else set()
    inside = facts_of(above)
    if read & inside.sets or inside.calls or (condition.test is None and (inside.sets or inside.judges)):
        message = _("The steps of the branch above may change what the condition asks, so the two would differ.")
        return Refusal("changes-condition", message)
    return None


def _arm_above(snapshot: Snapshot, step: Step) -> Step | None:
    """The branch directly above, which *step* is or could be the alternative to."""
    siblings = snapshot.siblings(step.id)
    index = siblings.index(step)
    above = siblings[index - 1] if index else None
    return above if above is not None and isinstance(above.meaning, Branch) else None


def _word_for_otherwise(snapshot: Snapshot) -> str:
    """*Otherwise*, or *Else* where this file says so."""
    roots = (root for root in snapshot.roots if root is not None and root.item is not None)
    for root in roots:
        for step in root.walk():
            word = step.text.strip("*_:.").lower()
            if word in _OTHERWISE:
                return _OTHERWISE[word]
    return "Otherwise"


def refuse_otherwise(snapshot: Snapshot, command: AddOtherwise) -> Refusal | None:
    """Why no *Otherwise* can be added."""
    refusal = _refuse_branch(snapshot, command.step) or refuse_words(command.text)
    if refusal is not None:
        return refusal
    decision = decision_of(snapshot, command.step)
    if decision.has_otherwise:
        return Refusal("has-otherwise", _("This decision has an “Otherwise” already."))
    return refuse_lines(snapshot, _lines(snapshot, command))


def plan_otherwise(snapshot: Snapshot, command: AddOtherwise) -> EditPlan | Refusal:
    """The edits that add the branch below the others of the decision."""
    planned = plan_lines(snapshot, _lines(snapshot, command))
    if isinstance(planned, Refusal):
        return planned
    heads = planned.heads
    if not command.text.strip():  # what is still to be written is selected
        heads = (planned.change.apply(snapshot.text).index(PLACEHOLDER, heads[0]),)
    return replace(planned, label=_("Add “Otherwise”"), heads=heads)


def _lines(snapshot: Snapshot, command: AddOtherwise) -> InsertLines:
    last = decision_of(snapshot, command.step).arms[-1]
    siblings = siblings_of(snapshot, last.id)
    parent = siblings.parent.id if siblings.parent else None
    assert last.item is not None
    below = next((child for child in last.children if child.item is not None), None)
    style = style_of(snapshot, below) if below is not None else None
    unit = style.indent[len(last.item.indent) :] if style and style.indent.startswith(last.item.indent) else "  "
    marker = style.marker if style is not None else "-"
    text = " ".join(command.text.split()) or PLACEHOLDER
    inner = "1." if marker[:1].isdigit() else marker
    source = f"{'1.' if last.item.is_ordered else '-'} {_word_for_otherwise(snapshot)}\n{unit or '  '}{inner} {text}\n"
    return InsertLines(Place(siblings.playbook.address, parent, last.id, siblings.kind), source)
