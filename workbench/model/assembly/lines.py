"""The steps of one playbook as lines of assembly: numbers and codes, and the actions behind them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from workbench.model.meaning import (
    GOES_ON,
    Argument,
    Ask,
    Assign,
    Branch,
    BranchForm,
    Call,
    Condition,
    End,
    Group,
    Judge,
    Jump,
    JumpForm,
    Loop,
    LoopForm,
    Meaning,
    Raw,
    Return,
    StepListEntry,
    Tell,
    Variable,
    Wait,
    Yield,
    parts_of,
)
from workbench.model.program import Playbook, Step
from workbench.model.queries import Queries
from workbench.model.sentences.blocks import UNLESS
from workbench.model.sentences.calls import PLAN_AND_DO, is_implied
from workbench.regex import regex
from workbench.syntax.expressions import Expression, Template, parse_template
from workbench.syntax.masking import QUOTED
from workbench.syntax.signatures import normalise_name


@dataclass
class StepPrinter:
    """Prints a playbook's steps."""

    document: Queries
    playbook: Playbook
    _actions: ActionPrinter = field(init=False)

    def lines(self) -> Iterator[tuple[str, Step]]:
        """Lines such as ``  - 02.01:EXE $x:int = 3``, each with the step it comes from."""
        self._actions = ActionPrinter({parameter.name for parameter in self.playbook.parameters})
        steps = [step for step in self.playbook.steps if not isinstance(step.meaning, Raw)]
        yield from self._block(steps, "", 0, _Around())

    def _block(self, steps: list[Step], above: str, depth: int, around: _Around) -> Iterator[tuple[str, Step]]:
        for ordinal, step in enumerate(steps, 1):
            number = f"{above}{ordinal:02d}"
            follow = f"{above}{ordinal + 1:02d}" if ordinal < len(steps) else around.follow
            yield from self._step(step, number, depth, _Around(follow, around.loop, around.after))

    def _step(self, step: Step, number: str, depth: int, around: _Around) -> Iterator[tuple[str, Step]]:
        indent = "  " * depth
        meaning = step.meaning
        yield f"{indent}- {number}:{self._head(step, meaning, around)}", step
        inner = around
        if isinstance(meaning, Loop):
            inner = _Around(number, number, around.follow)
        elif isinstance(meaning, Branch):
            inner = _Around(around.follow, around.loop, around.after)
        below = 0
        action = meaning.action if isinstance(meaning, Branch | Loop) else None
        if action is not None:
            below = 1
            yield f"{indent}  - {number}.01:{self._action(action, inner)}", step
        children = [child for child in step.children if not isinstance(child.meaning, Raw)]
        yield from self._children(children, number, depth + 1, inner, below)
        if isinstance(meaning, Loop):
            last = below + len(children) + 1
            yield f"{indent}  - {number}.{last:02d}:JMP {number}", step

    def _children(
        self, children: list[Step], number: str, depth: int, inner: _Around, below: int
    ) -> Iterator[tuple[str, Step]]:
        for ordinal, child in enumerate(children, below + 1):
            is_last = ordinal == below + len(children)
            follow = inner.follow if is_last else f"{number}.{ordinal + 1:02d}"
            yield from self._step(child, f"{number}.{ordinal:02d}", depth, _Around(follow, inner.loop, inner.after))

    def _head(self, step: Step, meaning: Meaning, around: _Around) -> str:
        if isinstance(meaning, Branch):
            return f"CND {_branch(meaning)}"
        if isinstance(meaning, Loop):
            return f"CND {self._actions.loop(meaning)}"
        if isinstance(meaning, Judge | StepListEntry | Group):
            return self._actions.prose(_with_details(step))
        assert not isinstance(meaning, Raw)
        return self._action(meaning, around)

    def _action(self, action: Meaning, around: _Around) -> str:
        parts = parts_of(action)
        return "; ".join(_jump(one, around) if isinstance(one, Jump) else self._actions.action(one) for one in parts)


@dataclass(frozen=True, slots=True)
class _Around:
    """Where control goes: to what follows, back to the head of the loop, and to what follows the loop."""

    follow: str = ""
    loop: str = ""
    after: str = ""


def _branch(branch: Branch) -> str:
    if branch.form is BranchForm.OTHERWISE or branch.condition is None:
        return "Otherwise"
    text = one_line(branch.condition.text)
    if branch.form is BranchForm.IF and text.startswith(UNLESS):
        return f"Unless {text.removeprefix(UNLESS)}"
    word = {BranchForm.IF: "If", BranchForm.ELSE_IF: "Else if", BranchForm.WHEN: "When"}[branch.form]
    return f"{word} {text}"


def _jump(jump: Jump, around: _Around) -> str:
    if jump.form is JumpForm.GO_TO:
        return f"JMP {'.'.join(part.zfill(2) for part in jump.number.split('.'))}"
    target = around.loop if jump.form is JumpForm.CONTINUE else around.after
    return f"JMP {target}" if target else "RET"


def _with_details(step: Step) -> str:
    """The words of a step with the code that stands inside it."""
    words = step.meaning.text if isinstance(step.meaning, Judge) and step.is_judged_whole else step.text
    return " ".join([words, *step.details])


_THINK = regex(r"think\b", re.IGNORECASE)
_WORD = regex(r"(?<!\$)\b[^\W\d][\w-]*")
_EACH = regex(r"(?:each|every|all)\b", re.IGNORECASE)
_BLANKS = regex(rf"{QUOTED.pattern}|\s+", re.DOTALL)
_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", "\t": r"\t", "\r": " "})
_TYPES = {str: "str", bool: "bool", int: "int", float: "float"}
_DISPLAYS: dict[type[ast.expr], str] = {ast.List: "list", ast.Dict: "dict"}


class ActionPrinter:
    """Prints actions; a variable carries its type where it is mentioned first."""

    def __init__(self, mentioned: set[str]) -> None:
        self._mentioned = mentioned

    def action(self, action: Any) -> str:
        """The line for *action*, code first."""
        return _PRINTERS[type(action)](self, action)

    def assign(self, action: Assign) -> str:
        """``EXE $x:int = 3``."""
        if action.words:
            return self.prose(action.words)
        if action.place is not None:
            return f"EXE {action.place.source} = {action.value.source}"
        return f"EXE {self.target(action.target, _type_of(action.value))} = {action.value.source}"

    def judge(self, action: Judge) -> str:
        """``EXE`` with the words as they are, ``TNK`` for thinking."""
        return self.prose(action.text)

    def wait(self, action: Wait) -> str:
        """The words as they are, which say how long."""
        return self.prose(action.text)

    def prose(self, text: str) -> str:
        """``TNK`` for what begins with thinking, else ``EXE``."""
        return f"{'TNK' if _THINK.match(text) else 'EXE'} {one_line(text)}"

    def ask(self, action: Ask) -> str:
        """``QUE Say(user, …); YLD for user``; the words as they are where somebody else is asked."""
        if action.target:
            return self.prose(action.text)
        return f"QUE Say(user, {one_line(action.text)}); YLD for user"

    def tell(self, action: Tell) -> str:
        """``QUE Say(user, "…")``, or the words of whoever finds the wording, or of who tells somebody else."""
        if action.target:
            return self.prose(action.text)
        if action.template is None:
            return f"QUE Say(user, {one_line(action.text)})"
        return f"QUE Say(user, {_told(action.template)})"

    def call(self, action: Call) -> str:
        """``QUE $r = F(a=1); YLD for call``; the sentence itself where only a run can tell what it leaves open."""
        if action.text and action.target == PLAN_AND_DO:
            return f"QUE {one_line(action.text)}; YLD for call"
        if action.text and (action.asked or any(is_implied(action, each) for each in action.arguments)):
            return f"QUE {_normally_named(action)}; YLD for call"
        arguments = ", ".join(_argument(argument) for argument in action.arguments)
        result = f"{self.target(action.result, '')} = " if action.result else ""
        return f"QUE {result}{action.target}({arguments}); YLD for call"

    def give_back(self, action: Return) -> str:
        """``RET`` with an expression, with words, or alone."""
        return f"RET {action.value.source if action.value else one_line(action.text)}".rstrip()

    def end(self, _action: End) -> str:
        """The end of the program."""
        return "YLD for exit"

    def give_control(self, action: Yield) -> str:
        """As written."""
        return f"YLD for {action.target}"

    def loop(self, loop: Loop) -> str:
        """The head of a loop, behind its code."""
        if loop.form in (LoopForm.WHILE, LoopForm.UNTIL) and loop.condition is not None:
            return f"{loop.form.value.capitalize()} {_asked(loop.condition)}"
        if loop.form is LoopForm.FOR_EACH and loop.variable is not None and loop.items is not None:
            return f"For each {self.target(loop.variable, '')} in {loop.items.source}"
        if loop.form is LoopForm.REPEAT and loop.items is not None:
            return f"Repeat {_count(loop.items)} times{_ending(loop.condition)}"
        words = one_line(loop.text)
        if _EACH.match(words):
            return f"For {words}"
        return (
            words if words.lower().startswith(loop.form.value.split()[0]) else f"{loop.form.value.capitalize()} {words}"
        )

    def target(self, variable: Variable, known: str) -> str:
        """A variable, with its type where it is mentioned for the first time."""
        name = ("$" if variable.is_state else "") + variable.name
        is_first = variable.name not in self._mentioned
        self._mentioned.add(variable.name)
        written = variable.type or known
        return f"{name}:{written}" if is_first and written else name


_PRINTERS: dict[type, Callable[[ActionPrinter, Any], str]] = {
    Assign: ActionPrinter.assign,
    Judge: ActionPrinter.judge,
    Ask: ActionPrinter.ask,
    Tell: ActionPrinter.tell,
    Call: ActionPrinter.call,
    Return: ActionPrinter.give_back,
    End: ActionPrinter.end,
    Yield: ActionPrinter.give_control,
    Wait: ActionPrinter.wait,
}


def _argument(argument: Argument) -> str:
    return f"{argument.name}={argument.value.source}" if argument.name else argument.value.source


def _normally_named(call: Call) -> str:
    """The sentence of *call*; what it calls by name is called as the headings of assembly are written."""
    name = call.target.rpartition(".")[2]
    words = one_line(call.text)
    if call.is_by_words or name in words:
        return words
    return _WORD.sub(lambda match: name if normalise_name(match[0]).name == name else match[0], words)


def _asked(condition: Condition) -> str:
    """The condition of a loop; one that never ends may be said without any ("Repeat")."""
    is_endless = condition.test is not None and condition.test.source == "true"
    return "true" if is_endless else one_line(condition.text)


def _count(rounds: Expression) -> str:
    """How many rounds, in digits: behind "twice" there can be no "times"."""
    is_number = isinstance(rounds.tree, ast.Constant) and type(rounds.tree.value) is int
    return ast.unparse(rounds.tree) if is_number else rounds.source


def _ending(condition: Condition | None) -> str:
    """What ends a counted loop early, as it is written behind the count."""
    if condition is None:
        return ""
    text = one_line(condition.text)
    goes_on = text.removeprefix(GOES_ON)
    return f" until {text}" if goes_on == text else f" while {goes_on}"


def one_line(text: str) -> str:
    """*text* on one line; what stands in quotes keeps its blanks."""
    return _BLANKS.sub(_one_blank, text).strip()


def _one_blank(match: re.Match[str]) -> str:
    """One blank for blanks; quoted text as it is, unless it has lines of its own."""
    text = match.group()
    return text if text.strip() and len(text.splitlines()) == 1 else " ".join(text.split()) or " "


def _told(template: Template) -> str:
    """The text as one quotes it, so that it is read again as the same; an expression stands for itself."""
    source = template.source
    match template.pieces:
        case (Expression(source=said),) if said == source and len(parse_template(said).pieces) > 1:
            return said
    quote = "'" if '"' in source and "'" not in source else '"'
    return f"{quote}{source.translate(_ESCAPES).replace(quote, chr(92) + quote)}{quote}"


def _type_of(value: Expression) -> str:
    """The type of a literal; empty where it takes a run to know."""
    tree = value.tree
    if isinstance(tree, ast.Constant):
        return _TYPES.get(type(tree.value), "")
    return _DISPLAYS.get(type(tree), "")
