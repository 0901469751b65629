"""Checked trees become closures once; running a closure is what evaluating means.

Closures are some ten times as fast as walking the tree again, and nothing but the listed
node types can become one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from workbench.engine.expressions.functions import call_function, call_method
from workbench.engine.expressions.limits import (
    MAX_FILLED,
    EvaluationFailed,
    Frame,
    Trouble,
    UnknownName,
    VariableUnknown,
    too_long_text,
)
from workbench.engine.expressions.operations import ARITHMETIC, COMPARISONS, item_of, near, negative, part_of
from workbench.engine.expressions.rounds import Closure, Each, binder, collected, loop, once, record_of, weight
from workbench.engine.expressions.texts import as_json, written
from workbench.engine.expressions.unrolling import CallWanted
from workbench.i18n import N_, LazyText, _
from workbench.syntax.expressions import Expression, template_in
from workbench.syntax.expressions_grammar import FUNCTIONS, MODULE_FUNCTIONS, STATE_PREFIX, called_target, dotted_name

Place = Callable[[ast.AST], int]


class Builder:
    """Builds the closures of one expression; *place* tells where a node stands in its source. *whole*: its tree."""

    def __init__(self, place: Place, whole: ast.expr) -> None:
        self.place = place
        self.whole = whole

    def build(self, node: ast.expr) -> Closure:
        """The closure of *node*."""
        return _BUILDERS[type(node)](self, node)

    def guarded(self, node: ast.AST, work: Closure) -> Closure:
        """*work*, with its failures told at the place of *node*."""
        position = self.place(node)

        def run(frame: Frame) -> Any:
            try:
                return work(frame)
            except EvaluationFailed:
                raise
            except Exception as error:
                raise EvaluationFailed(explain(error), position) from error

        return run


def _constant(builder: Builder, node: ast.Constant) -> Closure:
    """A value that is always the same, or a text whose placeholders are filled in."""
    value = node.value
    template = template_in(node, is_whole=node is builder.whole)
    if template is None:
        return lambda frame: value
    parts = [_filled_in(piece, text) for piece, text in template.pairs]
    join = _joined_whole if node is builder.whole else _joined_text
    return builder.guarded(node, lambda frame: join(frame, parts))


def _filled_in(piece: str | Expression, text: str) -> Closure:
    """A piece of a text; a word in braces that is no variable, and what reads none, stays as it is written."""
    if isinstance(piece, str) or piece.is_constant:
        return lambda frame: text
    value = Builder(lambda node: 0, piece.tree).build(piece.tree)
    is_word = text[0] == "$" or not (piece.calls or any(is_state for _name, is_state in piece.names))

    def fill(frame: Frame) -> str:
        try:
            return written(frame, value(frame), "", "")
        except VariableUnknown:
            if is_word:
                return text
            raise

    return fill


def _joined_text(frame: Frame, parts: list[Closure]) -> str:
    texts = [part(frame) for part in parts]
    frame.make_text(sum(map(len, texts)))
    return "".join(texts)


def _joined_whole(frame: Frame, parts: list[Closure]) -> str:
    """As a text that is told: nothing more is done with it."""
    texts: list[str] = []
    left = MAX_FILLED
    for part in parts:
        texts.append(part(frame))
        left -= len(texts[-1])
        if left < 0:
            raise too_long_text(MAX_FILLED)
    return "".join(texts)


def _joined(builder: Builder, node: ast.JoinedStr) -> Closure:
    """An f-string, or a placeholder with a format."""
    parts = [builder.build(part) for part in node.values]
    return builder.guarded(node, lambda frame: _joined_text(frame, parts))


def _formatted(builder: Builder, node: ast.FormattedValue) -> Closure:
    """One placeholder of an f-string."""
    value, conversion = builder.build(node.value), chr(node.conversion) if node.conversion > 0 else ""
    spec = str(node.format_spec.value) if isinstance(node.format_spec, ast.Constant) else ""
    return builder.guarded(node, lambda frame: written(frame, value(frame), conversion, spec))


def _name(builder: Builder, node: ast.Name) -> Closure:
    """What a variable holds: one bound by a comprehension first, then the lookup's."""
    key, position = node.id, builder.place(node)
    is_state = key[0] == STATE_PREFIX
    name = key[1:] if is_state else key

    def read(frame: Frame) -> Any:
        if frame.bound and key in frame.bound:
            return frame.bound[key]
        try:
            return frame.lookup(name, is_state)
        except LookupError as error:
            known = error.known if isinstance(error, UnknownName) else ()
            shown = f"${name}" if is_state else name
            text = _("{name} has not been set.").format(name=shown) + near(name, known)
            raise VariableUnknown(text, position) from None

    return read


def _attribute(builder: Builder, node: ast.Attribute) -> Closure:
    """A part of a record."""
    value, name = builder.build(node.value), node.attr
    return builder.guarded(node, lambda frame: part_of(value(frame), name))


def _subscript(builder: Builder, node: ast.Subscript) -> Closure:
    """An item or a slice."""
    value, key = builder.build(node.value), builder.build(node.slice)
    return builder.guarded(node, lambda frame: item_of(frame, value(frame), key(frame)))


def _slice(builder: Builder, node: ast.Slice) -> Closure:
    """The bounds of a slice."""
    parts = [builder.build(part) if part else None for part in (node.lower, node.upper, node.step)]
    return lambda frame: slice(*(part(frame) if part else None for part in parts))


def _binary(builder: Builder, node: ast.BinOp) -> Closure:
    """Arithmetic."""
    left, right, work = builder.build(node.left), builder.build(node.right), ARITHMETIC[type(node.op)]
    return builder.guarded(node, lambda frame: work(frame, left(frame), right(frame)))


def _unary(builder: Builder, node: ast.UnaryOp) -> Closure:
    """``not``, plus and minus."""
    operand = builder.build(node.operand)
    if isinstance(node.op, ast.Not):
        return lambda frame: not operand(frame)
    if isinstance(node.op, ast.USub):
        return builder.guarded(node, lambda frame: negative(frame, operand(frame)))
    return builder.guarded(node, lambda frame: negative(frame, negative(frame, operand(frame))))


def _boolean(builder: Builder, node: ast.BoolOp) -> Closure:
    """``and``/``or`` of three values: an unknown side matters only where the others do not decide."""
    parts = [(builder.build(value), _calls_out(value)) for value in node.values]
    decides = isinstance(node.op, ast.Or)

    def run(frame: Frame) -> Any:
        unknown: VariableUnknown | None = None
        value: Any = not decides
        for part, calls_out in parts:
            if unknown is not None and calls_out:
                break  # nothing is called for a value that cannot be used
            try:
                value = part(frame)
            except VariableUnknown as error:
                unknown = unknown or error
                continue
            if bool(value) is decides:
                return value
        if unknown is not None:
            raise unknown
        return value

    return run


def _calls_out(node: ast.expr) -> bool:
    """Whether a playbook or a tool is called in *node*."""
    return any(isinstance(part, ast.Call) and called_target(part) for part in ast.walk(node))


def _compare(builder: Builder, node: ast.Compare) -> Closure:
    """A comparison, or a chain of them."""
    if len(node.ops) == 1:
        left, right = builder.build(node.left), builder.build(node.comparators[0])
        work = COMPARISONS[type(node.ops[0])]
        return builder.guarded(node, lambda frame: work(frame, left(frame), right(frame)))
    parts = [builder.build(part) for part in (node.left, *node.comparators)]
    works = [COMPARISONS[type(one)] for one in node.ops]

    def chain(frame: Frame) -> bool:
        before = parts[0](frame)
        for work, part in zip(works, parts[1:], strict=True):
            after = part(frame)
            if not work(frame, before, after):
                return False
            before = after
        return True

    return builder.guarded(node, chain)


def _conditional(builder: Builder, node: ast.IfExp) -> Closure:
    """``a if test else b``."""
    test, then, otherwise = builder.build(node.test), builder.build(node.body), builder.build(node.orelse)
    return lambda frame: then(frame) if test(frame) else otherwise(frame)


def _sequence(builder: Builder, node: ast.List | ast.Tuple | ast.Set) -> Closure:
    """A list, tuple or set that is written out."""
    parts = [builder.build(part) for part in node.elts]
    if isinstance(node, ast.List):
        return lambda frame: [part(frame) for part in parts]
    if isinstance(node, ast.Tuple):
        return lambda frame: tuple(part(frame) for part in parts)
    return builder.guarded(node, lambda frame: _set_of(frame, [part(frame) for part in parts]))


def _dictionary(builder: Builder, node: ast.Dict) -> Closure:
    """A record that is written out; ``**$other`` in it stands for all that the other one holds."""
    keys = [builder.build(key) if key is not None else None for key in node.keys]
    entries = list(zip(keys, map(builder.build, node.values), strict=True))
    return builder.guarded(node, lambda frame: record_of(frame, entries))


def _call(builder: Builder, node: ast.Call) -> Closure:
    """A listed function, a method of a value, or a call that the run makes."""
    target = called_target(node)
    if target:
        return _outer_call(builder, node, target)
    arguments = [builder.build(argument) for argument in node.args]
    keywords = [(keyword.arg or "", builder.build(keyword.value)) for keyword in node.keywords]
    if isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
        name = node.func.id
        return builder.guarded(node, lambda frame: call_function(frame, name, *_given(frame, arguments, keywords)))
    if isinstance(node.func, ast.Name):
        return _available(arguments[0])
    if dotted_name(node) in MODULE_FUNCTIONS:
        return _module_function(builder, node, arguments)
    assert isinstance(node.func, ast.Attribute), "the tree was checked"
    method, text = node.func.attr, builder.build(node.func.value)
    return builder.guarded(
        node, lambda frame: call_method(frame, text(frame), method, *_given(frame, arguments, keywords))
    )


def _available(value: Closure) -> Closure:
    """Whether there is a value, and one that is not empty; zero and false are values."""

    def is_there(frame: Frame) -> bool:
        try:
            found = value(frame)
        except CallWanted:
            raise
        except EvaluationFailed:
            return False
        return found is not None and found not in ("", [], {})

    return is_there


def _module_function(builder: Builder, node: ast.Call, arguments: list[Closure]) -> Closure:
    """``json.dumps($x)``, ``date.today()`` and ``datetime.now()``: the time is the one that the run knows."""
    name = dotted_name(node)
    if name == "json.dumps" and len(arguments) == 1:
        return builder.guarded(node, lambda frame: as_json(frame, arguments[0](frame)))
    if name == "json.dumps" or arguments:
        raise EvaluationFailed(_("This argument is unknown."), builder.place(node))
    length = len("2026-01-31") if name == "date.today" else None
    return builder.guarded(node, lambda frame: str(frame.lookup("timestamp", False))[:length])


def _outer_call(builder: Builder, node: ast.Call, target: str) -> Closure:
    """What the call of a playbook or a tool gives."""
    arguments = [builder.build(argument) for argument in node.args]
    keywords = [(keyword.arg or "", builder.build(keyword.value)) for keyword in node.keywords]

    def call(frame: Frame) -> Any:
        if frame.caller is None:
            raise Trouble(_("{name} cannot be called here.").format(name=target))
        return frame.caller(target, *_given(frame, arguments, keywords))

    return builder.guarded(node, call)


def _comprehension(builder: Builder, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Closure:
    """All elements, at once; a generator is a list here."""
    element = builder.build(node.elt)
    each = _each(builder, node, node.generators, weight(node.elt))
    if isinstance(node, ast.SetComp):
        return builder.guarded(node, lambda frame: _set_of(frame, collected(frame, each, element)))
    return builder.guarded(node, lambda frame: collected(frame, each, element))


def _dictionary_comprehension(builder: Builder, node: ast.DictComp) -> Closure:
    """A record with one entry for each round."""
    key, value = builder.build(node.key), builder.build(node.value)
    each = _each(builder, node, node.generators, weight(node.key) + weight(node.value))
    pair: Closure = lambda frame: (key(frame), value(frame))  # noqa: E731 - one of the closures
    return builder.guarded(node, lambda frame: _record_of(frame, collected(frame, each, pair)))


def _each(builder: Builder, node: ast.expr, generators: list[ast.comprehension], cost: int) -> Each:
    """What runs its second argument once for each combination of the generators' elements."""
    run: Each = once
    for generator in reversed(generators):
        tests = [builder.build(test) for test in generator.ifs]
        cost += sum(weight(test) for test in generator.ifs)
        bind = binder(generator.target)
        run = loop(builder.build(generator.iter), tests, bind, run, cost)
    return run


def _given(
    frame: Frame, arguments: list[Closure], keywords: list[tuple[str, Closure]]
) -> tuple[list[Any], dict[str, Any]]:
    """The values of the arguments of a call."""
    return [argument(frame) for argument in arguments], {name: value(frame) for name, value in keywords}


def _set_of(frame: Frame, values: list[Any]) -> set[Any]:
    frame.read_deeply(values)
    return set(values)


def _record_of(frame: Frame, pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    for key, _value in pairs:
        frame.read_deeply(key)
    return dict(pairs)


def explain(error: Exception) -> str:
    """Why an operation failed, in plain words."""
    if isinstance(error, Trouble):
        return str(error)
    for kind, text in _REASONS:
        if isinstance(error, kind):
            return str(text)
    return _("This has no value.")


_REASONS: tuple[tuple[type[Exception], LazyText], ...] = (
    (ZeroDivisionError, N_("Division by zero.")),
    (OverflowError, N_("This number becomes too large.")),
    (RecursionError, N_("This is nested too deeply.")),
    (UnicodeError, N_("This text cannot be converted.")),
    (ValueError, N_("This text or number does not fit here.")),
    (TypeError, N_("This operation does not work with values of these kinds.")),
    (LookupError, N_("There is nothing at this index.")),
)

_BUILDERS: dict[type, Callable[..., Closure]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Slice: _slice,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.IfExp: _conditional,
    ast.List: _sequence,
    ast.Tuple: _sequence,
    ast.Set: _sequence,
    ast.Dict: _dictionary,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _dictionary_comprehension,
    ast.Call: _call,
    ast.JoinedStr: _joined,
    ast.FormattedValue: _formatted,
}
