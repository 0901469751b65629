"""Conditions: exact where they are an expression or one of the English comparison forms.

A condition is never made exact by guessing: a bare word counts as a name only where arithmetic or a comparison sign
shows that it is one, or where it is spelled like one (``is_large``, ``x2``). Everything else is left to judgement.

In English (``$x is at least 3 and $name is not empty``) the text is cut at *and* and *or*; each clause is a value, a
phrase of the table, and (for most phrases) another value. If any part does not fit, the whole is not exact.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass

from workbench.model.meaning import Condition
from workbench.regex import regex
from workbench.syntax.expressions import Expression, joined_expression, rebased, try_expression
from workbench.syntax.expressions_grammar import AVAILABLE, OF_RUN, is_spelled_as_name
from workbench.syntax.masking import FILL, top_level, without_quotes

_LITTLE = r"(?!(?:and|or|not|in|is|if|else|for)\b)"
_PROSE = regex(
    rf"(?<!\w){_LITTLE}[^\W\d]\w*\s+{_LITTLE}[^\W\d$]|\b(?:and|or|is|not|in)\s+(?:a|an|the)\b|\?\s*$|[^\W\d]-[^\W\d]"
)
_SYMBOLIC = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_VALUES = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict)


def condition_of(text: str) -> Condition:
    """The condition that *text* states."""
    return Condition(text, exact_condition(text))


def exact_condition(text: str) -> Expression | None:
    """The expression that *text* means exactly, or None where it is a judgement."""
    if text[:1] == "`" == text[-1:] and text.count("`") == 2:
        return try_expression(text[1:-1])
    if not could_be_expression(text):
        return english_condition(text)
    expression = try_expression(text)
    if expression is not None and _is_condition(expression.tree):
        return expression
    return english_condition(text)


def could_be_expression(text: str) -> bool:
    """False for text that reads like prose: two words in a row, or an article after a little word."""
    return _PROSE.search(without_quotes(text)) is None


def _is_condition(tree: ast.expr) -> bool:
    """True when *tree* asks something, and every name in it is surely one."""
    if isinstance(tree, ast.Constant):
        return isinstance(tree.value, bool)
    return not isinstance(tree, _VALUES) and names_are_certain(tree)


def names_are_certain(node: ast.AST) -> bool:
    """False where a bare word in *node* may as well be prose, or a value stands where a claim is needed."""
    match node:
        case ast.Name(id=name):
            return is_spelled_as_name(name)
        case ast.Attribute(value=ast.Name(id=name)) if name in OF_RUN:
            return True
        case ast.BoolOp(op=ast.And(), values=values):
            return all(map(_is_condition, values))
        case ast.BoolOp(values=values):
            return all(map(_is_condition, values)) and not any(map(_may_be_choice, values, values[1:]))
        case ast.Compare(ops=ops) if all(isinstance(op, _SYMBOLIC) for op in ops):
            return True
        case ast.Call() | ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp():
            return True
    return all(names_are_certain(child) for child in ast.iter_child_nodes(node))


def _may_be_choice(before: ast.expr, value: ast.expr) -> bool:
    """True for ``$x is 5 or $y``, which can be read in two ways."""
    return isinstance(value, ast.Name) and isinstance(before, ast.Compare) and not isinstance(before.ops[-1], _SYMBOLIC)


def is_certain(name: str, expression: Expression) -> bool:
    """True for a bare word in *expression* that is spelled as a name, and for what a run gives."""
    return is_spelled_as_name(name) or (name in OF_RUN and f"{name}." in expression.source)


_BE = r"(?:is|are|was|were|becomes?|became)"
_NOT = r"(?:\s+not|n['’]t)"
_MORE = r"(?:greater|more|larger|higher|bigger)"
_LESS = r"(?:less|lower|smaller|fewer)"
_OR_EQUAL = r"\s+or\s+equal(?:\s+to)?"
_STATE = r"(?:negative|positive|zero|true|false|even|odd)"
_HAVE_NOT = r"(?:does|do)(?:\s+not|n['’]t)"

_TABLE = (
    ("not_between", rf"{_BE}{_NOT}\s+between"),
    ("between", rf"{_BE}\s+between"),
    ("at_least", rf"{_BE}\s+{_MORE}\s+than{_OR_EQUAL}|(?:{_BE}\s+)?at\s+least|≥"),
    ("at_least", rf"{_BE}\s+no\s+{_LESS}\s+than|{_BE}{_NOT}\s+(?:{_LESS}\s+than|below|under)"),
    ("at_most", rf"{_BE}\s+{_LESS}\s+than{_OR_EQUAL}|(?:{_BE}\s+)?at\s+most|≤"),
    ("at_most", rf"{_BE}\s+no\s+{_MORE}\s+than|{_HAVE_NOT}\s+exceed"),
    ("at_most", rf"{_BE}{_NOT}\s+(?:{_MORE}\s+than|above|over)"),
    ("above", rf"{_BE}\s+(?:{_MORE}\s+than|above|over)|exceeds?"),
    ("below", rf"{_BE}\s+(?:{_LESS}\s+than|below|under)"),
    ("not_available", rf"{_BE}{_NOT}\s+(?:available|provided|defined)(?!\w)"),
    ("available", rf"{_BE}\s+(?:available|provided|defined)(?!\w)"),
    ("not_empty", rf"{_BE}{_NOT}\s+(?:empty|blank)(?!\w)"),
    ("empty", rf"{_BE}\s+(?:empty|blank)(?!\w)"),
    ("not_state", rf"{_BE}{_NOT}(?=\s+{_STATE}\s*$)"),
    ("state", rf"{_BE}(?=\s+{_STATE}\s*$)"),
    ("not_one_of", rf"{_BE}{_NOT}\s+(?:(?:one|any)\s+of|in)|{_BE}\s+none\s+of"),
    ("one_of", rf"{_BE}\s+(?:(?:one|any)\s+of|in|either)"),
    ("not_contains", rf"{_HAVE_NOT}\s+(?:contain|include)"),
    ("contains", r"contains?|includes?"),
    ("not_starts", rf"{_HAVE_NOT}\s+(?:start|begin)\s+with"),
    ("starts", r"(?:starts?|begins?)\s+with"),
    ("not_ends", rf"{_HAVE_NOT}\s+end\s+with"),
    ("ends", r"ends?\s+with"),
    ("different", rf"{_BE}{_NOT}\s+(?:equal\s+to|the\s+same\s+as)|{_BE}\s+different\s+from"),
    ("different", rf"differs\s+from|{_HAVE_NOT}\s+equal|≠"),
    ("equal", rf"{_BE}\s+(?:equal\s+to|the\s+same\s+as|exactly)|equals?|(?<![<>=!])=(?!=)"),
    ("different", rf"{_BE}{_NOT}"),
    ("equal", _BE),
)
_PHRASES = "|".join(rf"(?P<p{index}>{pattern})" for index, (_name, pattern) in enumerate(_TABLE))
_PHRASE = regex(rf"(?<!\S)(?:{_PHRASES})(?=[\s{FILL}]|$)", re.IGNORECASE)
_MAX_LENGTH = 500
_JOINT = regex(r"(?:\s*,)?\s+(and|or)\s+(?!equal\b)", re.IGNORECASE)
_HINT = regex(
    r"\b(?:is|are|was|were|becomes?|became|equals?|exceeds?|contains?|includes?|starts?|begins?|ends?|at|not|does|do|differs"
    r"|and|or)\b|[=≥≤≠]|n['’]t\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Clause:
    """A stretch of the text between two joints. *joint*: the word before it, ``and``, ``or`` or empty."""

    joint: str
    start: int
    end: int


class _NotExact(Exception):
    """A part of the text does not fit; the whole is a judgement."""


def english_condition(text: str) -> Expression | None:
    """The expression that *text* states in English, or None."""
    if "$" not in text and "_" not in text and "(" not in text and "." not in text:
        return None
    if len(text) > _MAX_LENGTH or _HINT.search(text) is None:
        return None
    return _English(text).expression()


class _English:
    """One condition being read. Positions are kept, so that a failure later can be shown in the words."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._masked = top_level(text)
        self._parts: list[Expression] = []

    def expression(self) -> Expression | None:
        """The whole as one expression, or None."""
        try:
            clauses = [(clause.joint, self._clause(clause.start, clause.end)) for clause in self._clauses()]
        except _NotExact:
            return None
        return joined_expression(self._text, _joined(clauses), tuple(self._parts))

    def _clauses(self) -> list[_Clause]:
        """The clauses; *and* in ``between 1 and 5`` and *or* before another choice do not begin one."""
        found: list[_Clause] = []
        joint, start = "", 0
        for match in [*_JOINT.finditer(self._masked), None]:
            end = match.start() if match else len(self._masked)
            clause = _Clause(joint, start, end)
            if found and self._goes_on(found[-1], clause):
                found[-1] = _Clause(found[-1].joint, found[-1].start, end)
            else:
                found.append(clause)
            if match:
                joint, start = match.group(1).lower(), match.end()
        return found

    def _goes_on(self, before: _Clause, clause: _Clause) -> bool:
        """True when *clause* is only the rest of the one before it. Raises _NotExact where that is open."""
        earlier = self._masked[before.start : before.end]
        if clause.joint == "and":
            return re.search(r"\bbetween\s+[^,]*$", earlier, re.IGNORECASE) is not None and " and " not in earlier
        phrase = _PHRASE.search(earlier) if _HINT.search(earlier) is not None else None
        if clause.joint != "or" or phrase is None or _PHRASE.search(self._masked, clause.start, clause.end):
            return False
        if _phrase_name(phrase) not in _CHOICES:
            return False
        choice = try_expression(self._text[clause.start : clause.end])
        if choice is not None and isinstance(choice.tree, ast.Name):
            raise _NotExact  # "$x is 5 or $y" can be read in two ways
        return choice is not None and not choice.names

    def _clause(self, start: int, end: int) -> ast.expr:
        """The tree of one clause. Raises _NotExact."""
        start, end = self._trimmed(start, end)
        word = self._masked[start:end].lower()
        if word.startswith("not "):
            return ast.UnaryOp(ast.Not(), self._clause(start + 4, end))
        if word.startswith(("either ", "both ")):
            start += word.index(" ") + 1
        phrase = _PHRASE.search(self._masked, start, end)
        if phrase is None:
            return self._claim(start, end)
        left = self._operand(start, phrase.start())
        name = _phrase_name(phrase)
        is_negated = name.startswith("not_")
        tree = _BUILDERS[name.removeprefix("not_")](self, left, phrase.end(), end)
        return ast.UnaryOp(ast.Not(), tree) if is_negated else tree

    def _trimmed(self, start: int, end: int) -> tuple[int, int]:
        part = self._masked[start:end]
        return start + len(part) - len(part.lstrip()), start + len(part.rstrip(" \t,"))

    def _claim(self, start: int, end: int) -> ast.expr:
        """A clause that is an expression by itself: a comparison by sign, or a variable that is true or not.

        Raises _NotExact where it is a value, which claims nothing.
        """
        tree = self._value(start, end)
        if isinstance(tree, ast.Tuple) or (isinstance(tree, ast.Constant) and not isinstance(tree.value, bool)):
            raise _NotExact
        return tree

    def _value(self, start: int, end: int) -> ast.expr:
        """The tree of a value. Raises _NotExact where it is none, or where its names are not certain."""
        start, end = self._trimmed(start, end)
        if self._text[start : start + 1] == "`" == self._text[end - 1 : end]:
            start, end = start + 1, end - 1
        expression = try_expression(self._text[start:end])
        if expression is None or not all(state or is_certain(name, expression) for name, state in expression.names):
            raise _NotExact
        self._parts.append(expression)
        is_whole = start == 0 or isinstance(expression.tree, ast.Constant)
        return expression.tree if is_whole else rebased(expression, self._text[:start])

    def _operand(self, start: int, end: int) -> ast.expr:
        """The tree of a value that is compared: not itself a claim. Raises _NotExact."""
        tree = self._value(start, end)
        match tree:
            case ast.UnaryOp(op=ast.USub()):  # a number with a minus sign
                return tree
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp() | ast.IfExp() | ast.Tuple():
                raise _NotExact
        return tree

    def choices(self, start: int, end: int) -> ast.expr:
        """``["a", "b"]``, a variable, or values set off by commas and *or*, as one tree."""
        masked = self._masked[start:end]
        cuts = [(cut.start() + start, cut.end() + start) for cut in re.finditer(r",(?:\s*or\b)?|\s+or\s+", masked)]
        if not cuts:
            return self._operand(start, end)
        starts, ends = [start, *(after for _before, after in cuts)], [*(before for before, _after in cuts), end]
        found = [self._operand(*stretch) for stretch in zip(starts, ends, strict=True)]
        if any(part.calls for part in self._parts[-len(found) :]):  # "is 3, Page($n)" goes on with what is to be done
            raise _NotExact
        return ast.List(found, ast.Load())

    def bounds(self, start: int, end: int) -> tuple[ast.expr, ast.expr]:
        """The two values of ``1 and 5``. Raises _NotExact where there are not two."""
        joint = _JOINT.search(self._masked, start, end)
        if joint is None:
            raise _NotExact
        return self._operand(start, joint.start()), self._operand(joint.end(), end)

    def nothing(self, start: int, end: int) -> None:
        """Make sure that the clause ends here. Raises _NotExact."""
        if self._masked[start:end].strip():
            raise _NotExact

    def word(self, start: int, end: int) -> str:
        """What stands in the stretch, in small letters."""
        return self._text[start:end].strip().lower()


def _phrase_name(match: re.Match[str]) -> str:
    return _TABLE[int((match.lastgroup or "p0")[1:])][0]


def _joined(clauses: list[tuple[str, ast.expr]]) -> ast.expr:
    """The clauses as one tree; *and* binds more tightly than *or*."""
    groups: list[list[ast.expr]] = [[]]
    for joint, tree in clauses:
        if joint == "or":
            groups.append([])
        groups[-1].append(tree)
    terms = [group[0] if len(group) == 1 else ast.BoolOp(ast.And(), group) for group in groups]
    return terms[0] if len(terms) == 1 else ast.BoolOp(ast.Or(), terms)


_Builder = Callable[[_English, ast.expr, int, int], ast.expr]


def _sign(operator: type[ast.cmpop]) -> _Builder:
    def build(english: _English, left: ast.expr, start: int, end: int) -> ast.expr:
        return _compare(left, operator(), english.choices(start, end), at=left)

    return build


def _compare(left: ast.expr, operator: ast.cmpop, right: ast.expr, at: ast.expr) -> ast.expr:
    """A comparison that stands where *at* stands."""
    tree = ast.Compare(left, [operator], [right])
    return ast.copy_location(tree, at)


def _equal(english: _English, left: ast.expr, start: int, end: int) -> ast.expr:
    """Equal to one value, or to one of several."""
    choices = english.choices(start, end)
    if isinstance(choices, ast.List) and not english.word(start, end).startswith("["):
        return _compare(left, ast.In(), choices, at=left)
    return _compare(left, ast.Eq(), choices, at=left)


def _different(english: _English, left: ast.expr, start: int, end: int) -> ast.expr:
    return ast.copy_location(ast.UnaryOp(ast.Not(), _equal(english, left, start, end)), left)


def _one_of(english: _English, left: ast.expr, start: int, end: int) -> ast.expr:
    return _compare(left, ast.In(), english.choices(start, end), at=left)


def _contains(english: _English, left: ast.expr, start: int, end: int) -> ast.expr:
    return _compare(english.choices(start, end), ast.In(), left, at=left)


def _between(english: _English, left: ast.expr, start: int, end: int) -> ast.expr:
    lower, upper = english.bounds(start, end)
    return ast.copy_location(ast.Compare(lower, [ast.LtE(), ast.LtE()], [left, upper]), left)


def _method(name: str) -> _Builder:
    def build(english: _English, left: ast.expr, start: int, end: int) -> ast.expr:
        function = ast.copy_location(ast.Attribute(left, name, ast.Load()), left)
        return ast.copy_location(ast.Call(function, [english.choices(start, end)], []), left)

    return build


def _empty(english: _English, left: ast.expr, start: int, end: int) -> ast.expr:
    """Nothing, an empty text, an empty list or an empty record; zero is not empty."""
    english.nothing(start, end)
    nothing = [ast.Constant(None), ast.Constant(""), ast.List([], ast.Load()), ast.Dict([], [])]
    return _compare(left, ast.In(), ast.List(list(nothing), ast.Load()), at=left)


def _available(english: _English, left: ast.expr, start: int, end: int) -> ast.expr:
    """Set, and not empty."""
    english.nothing(start, end)
    return ast.copy_location(ast.Call(ast.Name(AVAILABLE, ast.Load()), [left], []), left)


def _state(english: _English, left: ast.expr, start: int, end: int) -> ast.expr:
    """``is negative``, ``is true`` and their like."""
    word = english.word(start, end)
    if word in ("even", "odd"):
        rest = ast.copy_location(ast.BinOp(left, ast.Mod(), ast.Constant(2)), left)
        return _compare(rest, ast.Eq(), ast.Constant(int(word == "odd")), at=left)
    operator, value = _STATES[word]
    return _compare(left, operator(), ast.Constant(value), at=left)


_STATES: dict[str, tuple[type[ast.cmpop], int | bool]] = {
    "negative": (ast.Lt, 0),
    "positive": (ast.Gt, 0),
    "zero": (ast.Eq, 0),
    "true": (ast.Eq, True),
    "false": (ast.Eq, False),
}
_CHOICES = frozenset({"equal", "different", "one_of", "not_one_of"})
_BUILDERS: dict[str, _Builder] = {
    "between": _between,
    "at_least": _sign(ast.GtE),
    "at_most": _sign(ast.LtE),
    "above": _sign(ast.Gt),
    "below": _sign(ast.Lt),
    "available": _available,
    "empty": _empty,
    "state": _state,
    "one_of": _one_of,
    "contains": _contains,
    "starts": _method("startswith"),
    "ends": _method("endswith"),
    "different": _different,
    "equal": _equal,
}
