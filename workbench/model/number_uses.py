"""What shows in each step that a variable is a number, or a text.

What a step says by itself is looked for once, and kept as long as the step is the same object;
``number_types`` puts together what follows from all of them.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from workbench.model.meaning import Ask, Assign, Call, Judge, Loop, LoopForm, Return, Variable
from workbench.model.program import Step
from workbench.model.step_facts import variable_key
from workbench.syntax.expressions import Expression, template_in
from workbench.syntax.expressions_grammar import FUNCTIONS, STATE_PREFIX

NUMBER_TYPES = frozenset({"int", "integer", "float", "number"})
TEXT_TYPES = frozenset({"str", "string", "text"})
RESULT = "return"


class UseKind(enum.Enum):
    """What shows of which kind a value is.

    NUMBER: the step needs a number; WHOLE: a whole one; PRODUCT: one, or a text that is repeated. GIVEN: the value
    becomes another variable. OTHER: the step needs something else; TEXT: a text for sure. EMPTY: it asks whether there
    is anything. VALUE: the step sets it to a number, or says that it is one.
    """

    NUMBER = enum.auto()
    WHOLE = enum.auto()
    PRODUCT = enum.auto()
    GIVEN = enum.auto()
    OTHER = enum.auto()
    TEXT = enum.auto()
    EMPTY = enum.auto()
    VALUE = enum.auto()


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """One thing that *step* does with the variable *name* (a key: ``$total``, ``total``).

    *needs*: keys of which one must be a number for this to count; empty: it counts. *words*: what it is compared with,
    or the whole of what is computed, where *is_computed*. *other*: for GIVEN the variable that takes the value; of
    *call*, where that is given, the parameter, by name or by its place (RESULT: *name* takes what the call gives).
    """

    name: str
    kind: UseKind
    step: Step
    needs: tuple[str, ...] = ()
    words: str = ""
    is_computed: bool = False
    other: str = ""
    call: str = ""


@lru_cache(maxsize=8_192)
def uses_of_run(run: tuple[Step, ...]) -> tuple[Use, ...]:
    """What the steps of *run*, and everything below them, do with variables as numbers or as text."""
    return tuple([use for root in run for use in _uses_of_root(root)])


@lru_cache(maxsize=65_536)
def _uses_of_root(root: Step) -> tuple[Use, ...]:
    return tuple([use for step in root.walk() for use in _in_step(step)])


def _in_step(step: Step) -> Iterator[Use]:
    """The uses in *step*; most steps are judged or ask, and say at most the types of what they fill in."""
    match step.meaning:
        case Judge(outputs=variables) | Ask(variables=variables):
            for variable in variables:
                if variable.type:
                    yield from _declared(step, variable, variable.type.lower())
        case meaning:
            yield from _in_part(step, meaning)


def _in_part(step: Step, part: object) -> Iterator[Use]:
    """The uses in *part* of the meaning of *step*."""
    match part:
        case tuple():
            for each in part:
                yield from _in_part(step, each)
        case Variable(type=written):
            yield from _declared(step, part, written.lower())
        case Expression(tree=tree):
            yield from _Tree(step).uses(tree)
        case _ if hasattr(part, "__slots__"):
            yield from _in_meaning(step, part)
            for name in part.__slots__:
                yield from _in_part(step, getattr(part, name))


def _in_meaning(step: Step, meaning: object) -> Iterator[Use]:
    """What *meaning* says as a whole."""
    match meaning:
        case Assign(target, value, None):
            yield from _assigned(step, variable_key(target.name, target.is_state), value.tree)
        case Call():
            yield from _called(step, meaning)
        case Loop(form=form, items=Expression(tree=ast.Name(id=name))):
            is_counted = form is LoopForm.REPEAT
            yield Use(_key(name), UseKind.WHOLE if is_counted else UseKind.OTHER, step)
        case Return(value=Expression(tree=ast.Name(id=name))):
            yield Use(_key(name), UseKind.GIVEN, step, other=RESULT)


def _declared(step: Step, variable: Variable, written: str) -> Iterator[Use]:
    key = variable_key(variable.name, variable.is_state)
    if written in NUMBER_TYPES:
        yield Use(key, UseKind.VALUE, step)
    elif written:
        yield Use(key, UseKind.TEXT if written in TEXT_TYPES else UseKind.OTHER, step)


def _assigned(step: Step, target: str, value: ast.expr) -> Iterator[Use]:
    if isinstance(value, ast.Name):
        yield Use(_key(value.id), UseKind.GIVEN, step, other=target)
    needs = _needs(value)
    if needs is not None:
        yield Use(target, UseKind.VALUE, step, needs)
    elif _is_text(value):
        yield Use(target, UseKind.TEXT, step)


def _called(step: Step, call: Call) -> Iterator[Use]:
    for place, argument in enumerate(call.arguments):
        if isinstance(argument.value.tree, ast.Name):
            name = _key(argument.value.tree.id)
            yield Use(name, UseKind.GIVEN, step, other=argument.name or str(place), call=call.target)
    if call.result is not None:
        result = variable_key(call.result.name, call.result.is_state)
        yield Use(result, UseKind.GIVEN, step, other=RESULT, call=call.target)


def _key(identifier: str) -> str:
    return f"${identifier[1:]}" if identifier[0] == STATE_PREFIX else identifier


_GIVES_NUMBER = frozenset({"len", "int", "float", "abs", "round", "sum"})
_OF_ALL = frozenset({"min", "max"})
_SIGNS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.Is, ast.IsNot)


def _needs(node: ast.expr) -> tuple[str, ...] | None:
    """The keys of which one must be a number for *node* to be one; empty: it is one, None: it is something else."""
    match node:
        case ast.Constant(value=value):
            return () if isinstance(value, int | float) and not isinstance(value, bool) else None
        case ast.Name(id=name):
            return (_key(name),)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
            return ()
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _any_of(left, right)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return None if _is_other(left) or _is_other(right) else ()
        case ast.BinOp():
            return ()
        case ast.IfExp(body=body, orelse=orelse):
            return _any_of(body, orelse)
        case ast.Call(func=ast.Name(id=name), args=args) if name in _OF_ALL and len(args) > 1:
            return _any_of(*args)
        case ast.Call(func=ast.Name(id=name)):
            return () if name in _GIVES_NUMBER else None
    return None


def _any_of(*nodes: ast.expr) -> tuple[str, ...] | None:
    found = [needs for needs in map(_needs, nodes) if needs is not None]
    if not found or any(map(_is_other, nodes)):
        return None
    return () if () in found else tuple(dict.fromkeys(name for needs in found for name in needs))


def _is_other(node: ast.expr) -> bool:
    """Whether *node* is surely a text, a list or a record."""
    match node:
        case ast.Constant(value=value):
            return isinstance(value, str)
        case ast.Call(func=ast.Name(id=name)):
            return name in ("str", "list", "dict", "set", "sorted", "range")
    return isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict | ast.JoinedStr | ast.ListComp)


def _is_text(node: ast.expr) -> bool:
    """Whether *node* is surely a text, which is not empty."""
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != ""
    )


@dataclass(frozen=True, slots=True)
class _Tree:
    """Goes through one expression of *step*."""

    step: Step

    def uses(self, node: ast.AST) -> Iterator[Use]:
        """What *node*, and everything in it, does with names."""
        rule = _RULES.get(type(node))
        if rule is not None:
            yield from rule(self, node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, _WITH_PARTS):
                yield from self.uses(child)

    def binary(self, node: ast.BinOp) -> Iterator[Use]:
        """A calculation: of texts too, where it is a sum, or where something is repeated."""
        for operand, other in ((node.left, node.right), (node.right, node.left)):
            if not isinstance(operand, ast.Name):
                continue
            needs = _needs(other)
            if isinstance(node.op, ast.Add) and _is_other(other):
                yield self.use(operand, UseKind.TEXT if _is_text(other) else UseKind.OTHER)
            elif not isinstance(node.op, ast.Add):
                kind = UseKind.PRODUCT if isinstance(node.op, ast.Mult) else UseKind.NUMBER
                yield self.use(operand, kind, words=_source(node), is_computed=True)
            elif needs is not None:
                yield self.use(operand, UseKind.NUMBER, needs, _source(node), is_computed=True)

    def unary(self, node: ast.UnaryOp) -> Iterator[Use]:
        """A sign before a value."""
        if isinstance(node.operand, ast.Name) and not isinstance(node.op, ast.Not):
            yield self.use(node.operand, UseKind.NUMBER, words=_source(node), is_computed=True)

    def compare(self, node: ast.Compare) -> Iterator[Use]:
        """Each pair that is compared."""
        operands = [node.left, *node.comparators]
        for sign, left, right in zip(node.ops, operands, operands[1:], strict=False):
            if isinstance(sign, _SIGNS):
                yield from self._compared(left, right)
                yield from self._compared(right, left)
            elif isinstance(sign, ast.In | ast.NotIn):
                yield from self._searched(left, right)

    def _compared(self, operand: ast.expr, other: ast.expr) -> Iterator[Use]:
        if not isinstance(operand, ast.Name):
            return
        needs = _needs(other)
        if isinstance(other, ast.Constant) and other.value in ("", None):
            yield self.use(operand, UseKind.EMPTY)
        elif _is_other(other):
            yield self.use(operand, UseKind.TEXT if _is_text(other) else UseKind.OTHER, words=_source(other))
        elif needs is not None:
            yield self.use(operand, UseKind.NUMBER, needs, _source(other))

    def _searched(self, left: ast.expr, right: ast.expr) -> Iterator[Use]:
        if isinstance(right, ast.Name):
            yield self.use(right, UseKind.OTHER)
        if not isinstance(left, ast.Name) or not isinstance(right, ast.List | ast.Tuple | ast.Set):
            return
        values = [each.value if isinstance(each, ast.Constant) else each for each in right.elts]
        if "" in values and None in values:  # how "is empty" is written
            yield self.use(left, UseKind.EMPTY)
        elif right.elts and all(_needs(each) == () for each in right.elts):
            yield self.use(left, UseKind.NUMBER, words=_source(right))
        elif any(map(_is_other, right.elts)):
            yield self.use(left, UseKind.OTHER, words=_source(right))

    def call(self, node: ast.Call) -> Iterator[Use]:
        """Functions, and methods of a text."""
        target = _target(node.func)
        if target:
            yield from self._given(target, node)
        names = [each for each in node.args if isinstance(each, ast.Name)]
        function = node.func.id if isinstance(node.func, ast.Name) else ""
        if function == "len" or (function in _OF_ALL and len(node.args) == 1):
            yield from (self.use(each, UseKind.OTHER) for each in names)
        elif function in ("abs", "round"):
            yield from (self.use(each, UseKind.NUMBER, words=_source(node), is_computed=True) for each in names)
        elif function == "range":
            yield from (self.use(each, UseKind.WHOLE, words=_source(node), is_computed=True) for each in names)
        elif function in _OF_ALL and (needs := _any_of(*node.args)) is not None:
            yield from (self.use(each, UseKind.NUMBER, needs, _source(node), is_computed=True) for each in names)

    def _given(self, target: str, node: ast.Call) -> Iterator[Use]:
        """The values that a call inside of the expression is given."""
        named = [(each.arg or "", each.value) for each in node.keywords]
        for place, value in [*((str(index), each) for index, each in enumerate(node.args)), *named]:
            if isinstance(value, ast.Name):
                yield Use(_key(value.id), UseKind.GIVEN, self.step, other=place, call=target)

    def text(self, node: ast.Constant) -> Iterator[Use]:
        """What the placeholders of a text do."""
        template = template_in(node, is_whole=False)
        for piece in template.pieces if template is not None else ():
            if isinstance(piece, Expression):
                yield from self.uses(piece.tree)

    def part(self, node: ast.Attribute | ast.Subscript) -> Iterator[Use]:
        """What has parts is no number."""
        if isinstance(node.value, ast.Name):
            yield self.use(node.value, UseKind.OTHER)

    def gone_through(self, node: ast.comprehension) -> Iterator[Use]:
        """What is gone through is no number."""
        if isinstance(node.iter, ast.Name):
            yield self.use(node.iter, UseKind.OTHER)

    def use(
        self, name: ast.Name, kind: UseKind, needs: tuple[str, ...] = (), words: str = "", *, is_computed: bool = False
    ) -> Use:
        """The use of *name*."""
        return Use(_key(name.id), kind, self.step, needs, words, is_computed)


_WITH_PARTS = (ast.expr, ast.comprehension, ast.keyword)


def _target(function: ast.expr) -> str:
    """The playbook that a call names; empty for what expressions have themselves."""
    match function:
        case ast.Name(id=name):
            return "" if name in FUNCTIONS or name[0] == STATE_PREFIX else name
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if name[0].isupper() and owner[0] != STATE_PREFIX:
            return f"{owner}.{name}"
    return ""


def _source(node: ast.expr) -> str:
    """*node* as it could be written in a step."""
    return ast.unparse(node).replace(STATE_PREFIX, "$")


_RULES: dict[type, Callable[..., Iterator[Use]]] = {
    ast.BinOp: _Tree.binary,
    ast.UnaryOp: _Tree.unary,
    ast.Compare: _Tree.compare,
    ast.Call: _Tree.call,
    ast.Constant: _Tree.text,
    ast.Attribute: _Tree.part,
    ast.Subscript: _Tree.part,
    ast.comprehension: _Tree.gone_through,
}
