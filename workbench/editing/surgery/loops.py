"""Loops of another form that do the same: *for each*, *while*, *until* and *repeat*.

*While* has no counter of its own, so one is written with it: set above, raised first thing in each round, so that a
*continue* further down raises it too. Where a loop has exactly such a counter, it goes again with *while*::

    - Repeat 3 times              - $round = 0
      - Tell user "Hello"         - While $round < 3
                             ⇄      - $round = $round + 1
                                    - Tell user "Hello"
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from workbench.editing.commands import ChangeLoop, Refusal
from workbench.editing.edit_plan import Draft, EditPlan
from workbench.editing.geometry.placing import NewItem, edit_list
from workbench.editing.geometry.siblings import Siblings, children_of, siblings_of
from workbench.editing.geometry.style import style_at
from workbench.editing.refusals import refuse_damage, refuse_steps
from workbench.editing.surgery.opposites import opposite_of
from workbench.editing.verbs.step_text import rewrite_words
from workbench.i18n import _
from workbench.model.kinds import FileKind
from workbench.model.meaning import Assign, Loop, LoopForm, Variable
from workbench.model.program import Step, StepId
from workbench.model.sentences.classify import classify
from workbench.model.snapshot import Snapshot
from workbench.model.step_facts import facts_of, own_facts
from workbench.regex import regex

_RANGE = regex(r"range\((?P<count>\d+|\$\w+)\)")
_COUNT = regex(r"\d+|\$\w+")
_BELOW = regex(r"(?P<name>\$\w+) < (?P<limit>\d+|\$\w+|len\((?P<list>\$\w+)\))")
_ELEMENT = regex(r"(?P<list>\$\w+)\[(?P<name>\$\w+)\]")


@dataclass(frozen=True, slots=True)
class _Shape:
    """What a loop is to become: its *words*, steps that come *above* it and *inside* it first, and steps that go."""

    words: str
    above: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    gone: tuple[Step, ...] = ()


def refuse(snapshot: Snapshot, command: ChangeLoop) -> Refusal | None:
    """Why the loop cannot have this form."""
    refusal = refuse_steps(snapshot, (command.step,)) or refuse_damage(snapshot, (command.step,))
    if refusal is not None:
        return refusal
    step = snapshot.step(command.step)
    if step.item is None or not isinstance(step.meaning, Loop):
        return Refusal("no-loop", _("This step is not a loop."))
    if step.meaning.action is not None or not step.children:
        return Refusal("one-line", _("What the loop does stands on the same line. Put it below first."))
    shape = _shape(snapshot, step, command.form)
    return shape if isinstance(shape, Refusal) else None


def plan(snapshot: Snapshot, command: ChangeLoop) -> EditPlan | Refusal:
    """The edits that write the loop in its other form, with the counter that it needs."""
    step = snapshot.step(command.step)
    shape = _shape(snapshot, step, command.form)
    if isinstance(shape, Refusal):
        return shape
    draft = Draft(snapshot.text)
    rewrite_words(draft, snapshot, step, shape.words)
    outer, inner = siblings_of(snapshot, step.id), children_of(snapshot, step.id)
    gone = {each.id for each in shape.gone}
    _edit(draft, outer, outer.index(step.id), shape.above, gone)
    if inner is not None:
        _edit(draft, inner, 0, shape.inside, gone)
    return replace(draft.finish(_("Change loop"), frozenset(gone)), reworded=frozenset({step.id}))


def _edit(draft: Draft, siblings: Siblings, slot: int, words: tuple[str, ...], gone: set[StepId]) -> None:
    style = style_at(siblings, slot)
    items = [NewItem(f"-{style.spacing}{style.box}{each}", "", "-") for each in words]
    leaving = frozenset(index for index, one in enumerate(siblings.steps) if one.id in gone)
    if items or leaving:
        edit_list(draft, siblings, slot, items, leaving)


def _shape(snapshot: Snapshot, step: Step, form: LoopForm) -> _Shape | Refusal:
    loop = step.meaning
    assert isinstance(loop, Loop)
    if loop.form is form:
        return Refusal("is-already", _("This loop is of this kind already."))
    make = _SHAPES.get((loop.form, form))
    shape = make(snapshot, step, loop) if make is not None else _other()
    if isinstance(shape, Refusal):
        return shape
    is_new = "$" in "".join((shape.words, *shape.above)) and "$" not in step.text
    if is_new and snapshot.program.kind is not FileKind.PROGRAM:
        return Refusal("no-program", _("Only a program counts with variables; in other files people count."))
    meaning = classify(shape.words, has_children=True)
    return shape if isinstance(meaning, Loop) and meaning.form is form else _other()


def _other() -> Refusal:
    return Refusal("other-loop", _("This loop cannot be written so and still do the same. Rewrite it by hand."))


def _opposite(word: str) -> Callable[[Snapshot, Step, Loop], _Shape | Refusal]:
    """What makes *while* of *until*, and the other way round."""

    def shape(_snapshot: Snapshot, _step: Step, loop: Loop) -> _Shape | Refusal:
        opposite = opposite_of(loop.condition) if loop.condition is not None else None
        return _Shape(f"{word} {opposite}") if opposite is not None else _other()

    return shape


def _count_of(loop: Loop) -> str | None:
    """How often a *repeat* goes round, where nothing else ends it: a number, or a variable."""
    if loop.condition is not None or loop.items is None:
        return None
    tree = loop.items.tree
    if isinstance(tree, ast.Constant) and isinstance(tree.value, int):
        return str(tree.value)
    return loop.items.source if _COUNT.fullmatch(loop.items.source) else None


def _repeat_to_while(snapshot: Snapshot, step: Step, loop: Loop) -> _Shape | Refusal:
    count = _count_of(loop)
    if count is None:
        return _other()
    if _may_set(step, count):
        return _changes()
    name = fresh_name(snapshot, "round")
    return _Shape(f"While {name} < {count}", (f"{name} = 0",), (f"{name} = {name} + 1",))


def _may_set(step: Step, name: str) -> bool:
    """True where what stands in *step*, or what it calls, may set the variable *name*."""
    facts = facts_of(step)
    return name.startswith("$") and (bool(facts.calls) or name in facts.sets)


def _changes() -> Refusal:
    message = _("The steps inside may change what the loop counts by, so another loop would go round differently.")
    return Refusal("changes-count", message)


def _repeat_to_each(snapshot: Snapshot, _step: Step, loop: Loop) -> _Shape | Refusal:
    count = _count_of(loop)
    return _Shape(f"For each {fresh_name(snapshot, 'round')} in range({count})") if count is not None else _other()


def _each_to_repeat(snapshot: Snapshot, step: Step, loop: Loop) -> _Shape | Refusal:
    found = _RANGE.fullmatch(loop.items.source) if loop.items is not None else None
    name = _written(loop.variable)
    if found is None or not name.startswith("$"):
        return _other()
    if _mentions(snapshot, name) > _mentions_in(step.text, name):
        return Refusal("is-read", _("{name} is used elsewhere, so the loop must go on setting it.").format(name=name))
    return _Shape(f"Repeat {found['count']} times")


def _each_to_while(snapshot: Snapshot, step: Step, loop: Loop) -> _Shape | Refusal:
    name, items = _written(loop.variable), loop.items
    if items is None or loop.condition is not None or not name.startswith("$"):
        return _other()
    index = fresh_name(snapshot, "index")
    is_own = _is_list(snapshot, items.source) and not _may_set(step, items.source)
    source = items.source if is_own else fresh_name(snapshot, "items")
    above = (f"{index} = 0",) if is_own else (f"{source} = {_as_list(items.source)}", f"{index} = 0")
    inside = (f"{name} = {source}[{index}]", f"{index} = {index} + 1")
    return _Shape(f"While {index} < len({source})", above, inside)


def _is_list(snapshot: Snapshot, name: str) -> bool:
    """True where all that the program sets the variable *name* to is a list as it is written."""
    roots = (root for root in snapshot.roots if root is not None)
    setters = [step for root in roots for step in root.walk() if name in own_facts(step).sets]
    values = [step.meaning.value.tree if isinstance(step.meaning, Assign) else None for step in setters]
    return bool(values) and all(isinstance(value, ast.List | ast.ListComp) for value in values)


def _as_list(source: str) -> str:
    """*source* as a value that has a length and elements by number, for which a range is no example."""
    return f"list({source})"


def _while_to_counted(form: LoopForm) -> Callable[[Snapshot, Step, Loop], _Shape | Refusal]:
    """What makes a *repeat* or a *for each* of a *while* with exactly the counter that it needs."""

    def shape(snapshot: Snapshot, step: Step, loop: Loop) -> _Shape | Refusal:
        below = _BELOW.fullmatch(loop.condition.text) if loop.condition is not None else None
        siblings = snapshot.siblings(step.id)
        at = siblings.index(step)
        above = siblings[at - 1] if at else None
        if below is None or above is None or not _assigns(above, below["name"], "0"):
            return _no_counter()
        inside = step.children[: 1 if below["list"] is None else 2]
        gone = (above, *inside)
        if not _assigns(inside[-1], below["name"], f"{below['name']} + 1") or not _can_go(snapshot, gone):
            return _no_counter()
        if _mentions(snapshot, below["name"]) != sum(_mentions_in(one.text, below["name"]) for one in (step, *gone)):
            return _no_counter()
        if below["list"] is None:
            words = f"Repeat {below['limit']} times"
        else:
            element = inside[0].meaning
            found = _ELEMENT.fullmatch(element.value.source) if isinstance(element, Assign) else None
            if found is None or found["list"] != below["list"] or found["name"] != below["name"]:
                return _no_counter()
            words = f"For each {_written(element.target)} in {below['list']}" if isinstance(element, Assign) else ""
        is_wanted = (form is LoopForm.FOR_EACH) == (below["list"] is not None)
        return _Shape(words, gone=gone) if is_wanted and len(step.children) > len(inside) else _no_counter()

    return shape


def _no_counter() -> Refusal:
    message = _(
        "Only a loop with a counter of its own, set to 0 above and raised by 1 first thing inside, can be counted."
    )
    return Refusal("no-counter", message)


def _assigns(step: Step, name: str, value: str) -> bool:
    meaning = step.meaning
    is_plain = isinstance(meaning, Assign) and meaning.place is None and meaning.value.source == value
    return is_plain and isinstance(meaning, Assign) and _written(meaning.target) == name


def _can_go(snapshot: Snapshot, steps: tuple[Step, ...]) -> bool:
    """True where *steps* are nothing but their words."""
    return all(
        one.item is not None
        and not (one.item.children or one.item.fences or one.item.tails)
        and "<!--" not in snapshot.owned_span(one.id).of(snapshot.text)
        for one in steps
    )


def _written(variable: Variable | None) -> str:
    if variable is None:
        return ""
    return f"${variable.name}" if variable.is_state else variable.name


def _mentions(snapshot: Snapshot, name: str) -> int:
    return _mentions_in(snapshot.text, name)


def _mentions_in(text: str, name: str) -> int:
    """How often *text* has the variable *name*, also as Python writes it."""
    bare = name.removeprefix("$")
    return len(re.findall(rf"(?:\$|\bstate\.|[\"']){bare}(?!\w)", text))


def fresh_name(snapshot: Snapshot, word: str) -> str:
    """A variable like *word* that nothing in the file mentions."""
    number = 1
    name = word
    while re.search(rf"(?<!\w){name}(?!\w)", snapshot.text):
        number += 1
        name = f"{word}_{number}"
    return f"${name}"


_SHAPES: dict[tuple[LoopForm, LoopForm], Callable[[Snapshot, Step, Loop], _Shape | Refusal]] = {
    (LoopForm.WHILE, LoopForm.UNTIL): _opposite("Until"),
    (LoopForm.UNTIL, LoopForm.WHILE): _opposite("While"),
    (LoopForm.REPEAT, LoopForm.WHILE): _repeat_to_while,
    (LoopForm.REPEAT, LoopForm.FOR_EACH): _repeat_to_each,
    (LoopForm.FOR_EACH, LoopForm.REPEAT): _each_to_repeat,
    (LoopForm.FOR_EACH, LoopForm.WHILE): _each_to_while,
    (LoopForm.WHILE, LoopForm.REPEAT): _while_to_counted(LoopForm.REPEAT),
    (LoopForm.WHILE, LoopForm.FOR_EACH): _while_to_counted(LoopForm.FOR_EACH),
}
