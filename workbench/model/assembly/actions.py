"""The actions of steps as the contents of assembly lines."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

from workbench.model.meaning import (
    GOES_ON,
    Argument,
    Ask,
    Assign,
    Call,
    Condition,
    End,
    Judge,
    Loop,
    LoopForm,
    Return,
    Tell,
    Variable,
    Yield,
)
from workbench.syntax.expressions import Expression

_THINK = re.compile(r"think\b", re.IGNORECASE)
_EACH = re.compile(r"(?:each|every|all)\b", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")
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
        return f"EXE {self.target(action.target, _type_of(action.value))} = {action.value.source}"

    def judge(self, action: Judge) -> str:
        """``EXE`` with the words as they are, ``TNK`` for thinking."""
        return self.words(action.text)

    def words(self, text: str) -> str:
        """``TNK`` for what begins with thinking, else ``EXE``."""
        return f"{'TNK' if _THINK.match(text) else 'EXE'} {one_line(text)}"

    def ask(self, action: Ask) -> str:
        """``QUE Say(user, …); YLD for user``."""
        return f"QUE Say(user, {one_line(action.text)}); YLD for user"

    def tell(self, action: Tell) -> str:
        """``QUE Say(user, "…")``, or the words of whoever finds the wording."""
        if action.template is None:
            return f"QUE Say(user, {one_line(action.text)})"
        quote = '"' if '"' not in action.template.source else "'"
        return f"QUE Say(user, {quote}{one_line(action.template.source)}{quote})"

    def call(self, action: Call) -> str:
        """``QUE $r = F(a=1); YLD for call``."""
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
}


def _argument(argument: Argument) -> str:
    return f"{argument.name}={argument.value.source}" if argument.name else argument.value.source


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
    return _BLANKS.sub(" ", text).strip()


def _type_of(value: Expression) -> str:
    """The type of a literal; empty where it takes a run to know."""
    tree = value.tree
    if isinstance(tree, ast.Constant):
        return _TYPES.get(type(tree.value), "")
    return _DISPLAYS.get(type(tree), "")
