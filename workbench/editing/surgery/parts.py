"""One step of several, several of one, and several in another order: splitting a step, joining steps, sorting them.

Splitting and joining are tried on what the words mean before anything is written. What is carried out exactly still is,
part for part; what is judged stays judged, and sets what it set. Steps are sorted by their words; numbers, gaps and
what each step owns stay right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace

from workbench.editing.commands import JoinSteps, Refusal, SortSteps, SplitStep
from workbench.editing.edit_plan import Draft, EditPlan
from workbench.editing.geometry.between import has_text
from workbench.editing.geometry.placing import NewItem, edit_list
from workbench.editing.geometry.reorder import rearrange
from workbench.editing.geometry.siblings import Siblings, children_of, grouped, siblings_of, topmost, walk_ids
from workbench.editing.geometry.style import nested_style, style_at
from workbench.editing.refusals import refuse_damage, refuse_steps, shortened
from workbench.editing.verbs.step_text import rewrite_words
from workbench.i18n import _, ngettext
from workbench.model.decisions import continues_chain
from workbench.model.meaning import Branch, Judge, Loop, Meaning, StepKind, parts_of
from workbench.model.program import Step
from workbench.model.sentences.classify import classify
from workbench.model.sentences.clauses.several import begins_with_code
from workbench.model.sentences.outputs import begins_with_verb
from workbench.model.snapshot import Snapshot
from workbench.model.step_facts import facts_of
from workbench.regex import regex
from workbench.syntax.expressions import Expression, Template
from workbench.syntax.inline import plain_words
from workbench.syntax.masking import top_level

_CUTS = tuple(
    map(regex, (r";\s+", r"(?<=[.!?])\s+", r",?\s+(?:and\s+)?then,?\s+", r"[;,]\s+and\s+", r"\s+and\s+", r",\s+"))
)
"""Where a sentence can be cut, the surest places first."""
_ENDS = regex(r"[\s,;:]*(?:\b(?:and|then)\s*)*$")
_BEGINS = regex(r"[\s,;:.]*(?:\b(?:and|then)\b[\s,]*)*")
_BODY = regex(r"\s*(?:[,:]\s*(?:then\s+)?|then\s+|(?:->|→|–|—)\s*)?")
_JOINTS = ((", then ", True), (" and ", True), ("; ", True), (". ", False))
"""What stands between joined words, and whether the second goes on in small letters."""
_NUMBER = regex(r"(\d+)")


def said_in(part: object) -> object:
    """What *part* of a meaning says, to be held against what other words say."""
    match part:
        case Expression(source=source) | Template(source=source):
            return source
        case str():
            return part.strip(" .,;").casefold()
        case tuple():
            return tuple(map(said_in, part))
    if is_dataclass(part) and not isinstance(part, type):
        return type(part), tuple(said_in(getattr(part, field.name)) for field in fields(part))
    return part


def _refuse_plain(snapshot: Snapshot, steps: tuple[Step, ...]) -> Refusal | None:
    """Why *steps* are not steps whose words are all that they are."""
    if any(step.item is None or step.kind in (StepKind.TRIGGER, StepKind.NOTE) for step in steps):
        return Refusal("not-a-step", _("Only steps of a list can be split and joined."))
    for step in steps:
        assert step.item is not None
        if step.item.children or step.item.fences or step.item.tails:
            message = _("“{text}” holds steps, code or text, which belong to all of it. Move them first.")
            return Refusal("holds-steps", message.format(text=step.text))
    return refuse_damage(snapshot, (step.id for step in steps))


def refuse_split(snapshot: Snapshot, command: SplitStep) -> Refusal | None:
    """Why the step cannot be split."""
    refusal = refuse_steps(snapshot, (command.step,))
    if refusal is None:
        step = snapshot.step(command.step)
        refusal = _refuse_plain(snapshot, (step,))
        if refusal is None and _split(step, command.at) is None:
            refusal = _one_thing() if command.at is None else _no_cut()
    return refusal


def _one_thing() -> Refusal:
    return Refusal("one-thing", _("This step says one thing only, as far as its words show."))


def _no_cut() -> Refusal:
    return Refusal("no-cut", _("Cut here, the step would no longer say what it says."))


def plan_split(snapshot: Snapshot, command: SplitStep) -> EditPlan | Refusal:
    """The edits that shorten the step, and write the rest of its words into a new one."""
    step = snapshot.step(command.step)
    found = _split(step, command.at)
    if found is None:
        return _one_thing()
    first, second = found
    draft = Draft(snapshot.text)
    rewrite_words(draft, snapshot, step, first)
    siblings = _new_list(snapshot, step)
    slot = 0 if siblings.parent is step else siblings.index(step.id) + 1
    style = nested_style(siblings) if siblings.parent is step else style_at(siblings, slot)
    edit_list(draft, siblings, slot, [NewItem(f"-{style.spacing}{style.box}{second}", "", "-")])
    planned = draft.finish(_("Split step"))
    return replace(planned, reworded=frozenset({step.id}))


def _new_list(snapshot: Snapshot, step: Step) -> Siblings:
    """The list that the second part goes into: what a branch or a loop does stands below it."""
    inside = children_of(snapshot, step.id) if isinstance(step.meaning, Branch | Loop) else None
    return inside or siblings_of(snapshot, step.id)


def _split(step: Step, at: int | None) -> tuple[str, str] | None:
    """The words of the two steps that say what *step* says; None where they cannot be told apart."""
    if isinstance(step.meaning, Branch | Loop):
        return _head_and_body(step)
    found = _cuts(step.text) if at is None else _cut_at(step.text, at)
    return next((pair for pair in found if _says_the_same(step.meaning, *pair, is_told=at is not None)), None)


def _cuts(text: str) -> Iterator[tuple[str, str]]:
    masked = top_level(text)
    for pattern in _CUTS:
        for match in pattern.finditer(masked):
            first, second = text[: match.start()].rstrip(" ,;"), text[match.end() :]
            if first and second.strip(" .!?"):
                yield first, _capital(second, text)


def _cut_at(text: str, at: int) -> Iterator[tuple[str, str]]:
    if 0 < at < len(text):
        end, start = _ENDS.search(text[:at]), _BEGINS.match(text, at)
        first, second = text[: end.start() if end else at], text[start.end() if start else at :]
        if first.strip() and second.strip():
            yield first, _capital(second, text)


def _capital(second: str, text: str) -> str:
    """*second* with a capital, where *text* begins with one and it is no code."""
    if not text[:1].isupper() or begins_with_code(second):
        return second
    return second[:1].upper() + second[1:]


def _says_the_same(meaning: Meaning, first: str, second: str, *, is_told: bool) -> bool:
    """True where *first* and then *second* say what *meaning* says. *is_told*: a person said where to cut."""
    parts = [part for words in (first, second) for part in parts_of(classify(words, has_children=False))]
    if not isinstance(meaning, Judge):
        return [said_in(part) for part in parts] == [said_in(part) for part in parts_of(meaning)]
    if is_told:
        return True
    is_said = len(second.split()) > 1 and begins_with_verb(second[:1].lower() + second[1:])
    return (is_said or begins_with_code(second)) and _set_by(parts) == {one.name for one in meaning.outputs}


def _set_by(parts: list[Meaning]) -> set[str]:
    found: set[str] = set()
    for part in parts:
        variables = getattr(part, "outputs", None) or getattr(part, "variables", None) or ()
        single = getattr(part, "target", None) or getattr(part, "result", None)
        found |= {one.name for one in (*variables, single) if hasattr(one, "name")}
    return found


def _head_and_body(step: Step) -> tuple[str, str] | None:
    """The head of a branch or loop, and what it does in the same line."""
    meaning = step.meaning
    if not isinstance(meaning, Branch | Loop) or meaning.action is None:
        return None
    wanted = said_in(meaning.action)
    for at in (match.end() for match in regex(r"[\s,:]+").finditer(top_level(step.text))):
        head, start = step.text[:at].rstrip(" ,:"), _BODY.match(step.text, at)
        rest = step.text[start.end() if start is not None else at :]
        if rest and said_in(classify(rest, has_children=False)) == wanted:
            head = head[:-5] if head.lower().endswith(" then") else head
            outer = classify(head, has_children=True)
            if type(outer) is type(meaning) and _same_head(outer, meaning):
                return head, rest[:1].upper() + rest[1:] if not begins_with_code(rest) else rest
    return None


def _same_head(one: Meaning, other: Meaning) -> bool:
    """True where both ask the same, whatever they do."""
    names = ("form", "condition", "variable", "items")
    return all(said_in(getattr(one, name, None)) == said_in(getattr(other, name, None)) for name in names)


def refuse_join(snapshot: Snapshot, command: JoinSteps) -> Refusal | None:
    """Why the steps cannot become one."""
    refusal = refuse_steps(snapshot, command.steps)
    if refusal is not None:
        return refusal
    steps = topmost(snapshot, command.steps)
    if len(steps) < 2:
        return Refusal("one-step", _("Select two steps or more to join them."))
    refusal = _refuse_plain(snapshot, steps) or refuse_scattered(snapshot, steps)
    if refusal is not None:
        return refusal
    if any(isinstance(step.meaning, Branch | Loop) for step in steps):
        return Refusal("not-a-step", _("Branches and loops cannot be joined with other steps."))
    if any("<!--" in snapshot.owned_span(step.id).of(snapshot.text) for step in steps[1:]):
        return Refusal("has-comment", _("A comment stands at one of the steps, and would be lost. Move it first."))
    return None if _joined(steps) is not None else _judged_then()


def _judged_then() -> Refusal:
    return Refusal("would-be-judged", _("In one step these would no longer be carried out as they are now."))


def refuse_scattered(snapshot: Snapshot, steps: tuple[Step, ...]) -> Refusal | None:
    """Why *steps* do not stand directly one below the other."""
    groups = grouped(snapshot, steps)
    indices = groups[0].indices
    siblings = groups[0].siblings
    if len(groups) > 1 or max(indices) - min(indices) + 1 != len(indices):
        return Refusal("not-neighbours", _("Only adjacent steps can be taken together."))
    gaps = (siblings.gap(index).of(snapshot.text) for index in sorted(indices)[:-1])
    if any(gap.strip() for gap in gaps):
        return Refusal("text-between", _("Text stands between these steps. Move it first."))
    return None


def plan_join(snapshot: Snapshot, command: JoinSteps) -> EditPlan | Refusal:
    """The edits that write all words into the first step, and take the others out."""
    steps = topmost(snapshot, command.steps)
    words = _joined(steps)
    if words is None:
        return _judged_then()
    group = grouped(snapshot, steps)[0]
    draft = Draft(snapshot.text)
    rewrite_words(draft, snapshot, steps[0], words)
    first, *others = sorted(group.indices)
    edit_list(draft, group.siblings, first + 1, leaving=frozenset(others))
    removed = frozenset(step.id for step in steps[1:])
    planned = draft.finish(ngettext("Join {count} step", "Join {count} steps", len(steps)), removed)
    return replace(planned, reworded=frozenset({steps[0].id}))


def _joined(steps: tuple[Step, ...]) -> str | None:
    """The words of one step that says what *steps* say; None where none does."""
    wanted = [part for step in steps for part in parts_of(step.meaning)]
    are_judged = all(isinstance(part, Judge) for part in wanted)
    for joint, is_small in reversed(_JOINTS) if are_judged else _JOINTS:
        words = _with_joint([step.text for step in steps], joint, is_small=is_small)
        meaning = classify(words, has_children=False)
        if are_judged:
            outcomes = [outcome for part in wanted if isinstance(part, Judge) for outcome in part.outcomes]
            is_same = isinstance(meaning, Judge) and _set_by([meaning]) == _set_by(wanted)
            if is_same and isinstance(meaning, Judge) and said_in(meaning.outcomes) == said_in(tuple(outcomes)):
                return words
        elif [said_in(part) for part in parts_of(meaning)] == [said_in(part) for part in wanted]:
            return words
    return None


def _with_joint(texts: list[str], joint: str, *, is_small: bool) -> str:
    first, *rest = texts
    words = first
    for text in rest:
        shown = text[:1].lower() + text[1:] if is_small and text[1:2].islower() and not begins_with_code(text) else text
        words = words.rstrip(" .;," if is_small or joint == ". " else " ") + joint + shown
    return words


def refuse_sort(snapshot: Snapshot, command: SortSteps) -> Refusal | None:
    """Why the steps cannot be sorted."""
    refusal = refuse_steps(snapshot, command.steps)
    if refusal is not None:
        return refusal
    steps = _meant(snapshot, command)
    if len(steps) < 2:
        return Refusal("one-step", _("Select several steps, or one with steps in it, to sort them."))
    refusal = refuse_damage(snapshot, (step.id for step in steps)) or refuse_scattered(snapshot, steps)
    if refusal is not None:
        return refusal
    group = grouped(snapshot, steps)[0]
    first, last = min(group.indices), max(group.indices)
    if any(step.item is None for step in steps) or has_text(group.siblings, first, last):
        return Refusal("text-between", _("Text stands between these steps. Move it first."))
    around = group.siblings.steps[max(0, first - 1) : last + 2]
    if any(continues_chain(above, below) for above, below in zip(around, around[1:], strict=False)):
        return Refusal("branches", _("Branches of one decision must stay together, so these cannot be sorted."))
    ordered = sorted(steps, key=sort_key)
    if ordered == list(steps):
        return Refusal("sorted", _("These steps are in this order already."))
    return _refuse_order(steps, ordered)


def _refuse_order(steps: Sequence[Step], ordered: Sequence[Step]) -> Refusal | None:
    """Why *steps* need the order that they have: one reads what another sets, or leaves."""
    place = {step.id: at for at, step in enumerate(ordered)}
    for at, above in enumerate(steps):
        one = facts_of(above)
        for below in steps[at + 1 :]:
            other = facts_of(below)
            reads = other.read_names | other.uses, one.read_names | one.uses
            is_bound = one.may_leave or other.may_leave or one.sets & (reads[0] | other.sets) or other.sets & reads[1]
            if is_bound and place[below.id] < place[above.id]:
                message = _("“{below}” must stay below “{above}”, which it depends on, so these cannot be sorted.")
                return Refusal("order", message.format(below=shortened(below.text), above=shortened(above.text)))
    return None


def _meant(snapshot: Snapshot, command: SortSteps) -> tuple[Step, ...]:
    """The steps to sort: those chosen, or those inside the only one."""
    steps = topmost(snapshot, command.steps)
    return steps[0].children if len(steps) == 1 else steps


def sort_key(step: Step) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """By which steps are sorted: their words as they are read, numbers by their value, small and capital alike."""
    words = plain_words(step.text).casefold()
    parts = (part for part in _NUMBER.split(words) if part)
    return tuple([_by_value(part) if part.isdecimal() else (1, 0, part) for part in parts]), step.text


def _by_value(digits: str) -> tuple[int, int, str]:
    """*digits* by the number that they are, which may be longer than any that is counted with."""
    digits = digits.lstrip("0")
    return 0, len(digits), digits


def plan_sort(snapshot: Snapshot, command: SortSteps) -> EditPlan:
    """The edits that bring the steps into order."""
    steps = _meant(snapshot, command)
    siblings = _siblings(snapshot, command, steps)
    first = siblings.index(steps[0].id)
    inside = sorted(range(first, first + len(steps)), key=lambda index: sort_key(siblings.steps[index]))
    order = [*range(first), *inside, *range(first + len(steps), len(siblings.steps))]
    draft = Draft(snapshot.text)
    rearrange(draft, siblings, order)
    moved = frozenset(inner for step in steps for inner in walk_ids(snapshot, step))
    return replace(draft.finish(_("Sort steps")), moved=moved)


def _siblings(snapshot: Snapshot, command: SortSteps, steps: tuple[Step, ...]) -> Siblings:
    chosen = topmost(snapshot, command.steps)
    inner = children_of(snapshot, chosen[0].id) if len(chosen) == 1 else None
    return inner or grouped(snapshot, steps)[0].siblings
