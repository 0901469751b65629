"""Which Python trees are expressions of ours, and which names they read.

Allowed is what is listed; everything else is refused, so that a new Python version cannot
bring in a form that nobody thought about.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from workbench.i18n import N_, _

STATE_PREFIX = "ẟ"
OF_RUN = frozenset({"agent", "call", "current_meeting", "meeting", "self"})
"""Names whose parts a run gives: ``meeting.state``."""
MAX_DEPTH = 60
MAX_NODES = 500

FUNCTIONS = frozenset("len str int float bool list dict set min max sum abs round sorted any all range".split())
TEXT_METHODS = frozenset(
    "capitalize casefold center count endswith find index isalnum isalpha isdecimal isdigit islower isnumeric"
    " isspace istitle isupper join ljust lower lstrip partition removeprefix removesuffix replace rfind rindex"
    " rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title upper zfill".split()
)
MODULE_FUNCTIONS = frozenset({"json.dumps", "date.today", "datetime.now"})
"""Functions as Python writes them, of which nothing but the value is wanted."""
LIST_METHODS = frozenset({"copy", "count", "index"})
RECORD_METHODS = frozenset({"copy", "get", "items", "keys", "values"})
METHODS = TEXT_METHODS | LIST_METHODS | RECORD_METHODS
"""What can be asked of a value; none of them changes it."""
AVAILABLE = "is available"
"""What asks whether a value is there and not empty; no source can name it so, only English says it."""
_KEYWORDS = {
    "sorted": {"reverse"},
    "min": {"default"},
    "max": {"default"},
    "sum": {"start"},
    "round": {"ndigits"},
    "int": {"base"},
    "split": {"sep", "maxsplit"},
    "rsplit": {"sep", "maxsplit"},
    "splitlines": {"keepends"},
}
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_UNARY = (ast.Not, ast.USub, ast.UAdd)


@dataclass(slots=True)
class Finding:
    """What a check found: the first *problem* (None: there is none) at byte *offset*, and the *names* read.

    *calls*: of playbooks and tools, inner ones first. *source*: the text, in UTF-8.
    """

    source: bytes
    calls: list[ast.Call] = field(default_factory=list)
    names: dict[str, None] = field(default_factory=dict)
    problem: str | None = None
    offset: int = 0
    nodes: int = 0
    bound: list[str] = field(default_factory=list)


def check_tree(tree: ast.expr, source: str) -> Finding:
    """The finding for *tree*, which was made of *source*."""
    finding = Finding(source.encode("utf-8", "surrogatepass"))
    _check(tree, finding, 0)
    return finding


def _refuse(finding: Finding, node: ast.AST, message: str) -> bool:
    if finding.problem is None:
        finding.problem = message
        finding.offset = getattr(node, "col_offset", 0)
    return False


def _check(node: ast.AST, finding: Finding, depth: int) -> bool:
    """True when *node* and all below it are allowed."""
    finding.nodes += 1
    if depth > MAX_DEPTH or finding.nodes > MAX_NODES:
        return _refuse(finding, node, _("This expression is too large; split it into several steps."))
    check = _CHECKS.get(type(node))
    if check is None:
        return _refuse(finding, node, _("This form is not part of the expression language."))
    return check(node, finding, depth + 1)


def _all(nodes: list[ast.expr], finding: Finding, depth: int) -> bool:
    return all(_check(node, finding, depth) for node in nodes)


def _constant(node: ast.Constant, finding: Finding, depth: int) -> bool:
    if node.value is None or type(node.value) in (str, int, float, bool):
        return True
    return _refuse(finding, node, _("This kind of value is not part of the expression language."))


def _name(node: ast.Name, finding: Finding, depth: int) -> bool:
    if node.id.startswith("__"):
        return _refuse(finding, node, _("Names cannot start with two underscores."))
    if node.id not in finding.bound:
        finding.names[node.id] = None
    return True


def _attribute(node: ast.Attribute, finding: Finding, depth: int) -> bool:
    if node.attr.startswith("_") or STATE_PREFIX in node.attr:
        return _refuse(finding, node, _("Parts of a value cannot start with an underscore."))
    return _check(node.value, finding, depth)


def _subscript(node: ast.Subscript, finding: Finding, depth: int) -> bool:
    return _check(node.value, finding, depth) and _check(node.slice, finding, depth)


def _slice(node: ast.Slice, finding: Finding, depth: int) -> bool:
    return _all([part for part in (node.lower, node.upper, node.step) if part is not None], finding, depth)


def _binary(node: ast.BinOp, finding: Finding, depth: int) -> bool:
    if not isinstance(node.op, _OPERATORS):
        return _refuse(finding, node, _("This operator is not part of the expression language."))
    return _check(node.left, finding, depth) and _check(node.right, finding, depth)


def _unary(node: ast.UnaryOp, finding: Finding, depth: int) -> bool:
    if not isinstance(node.op, _UNARY):
        return _refuse(finding, node, _("This operator is not part of the expression language."))
    return _check(node.operand, finding, depth)


def _boolean(node: ast.BoolOp, finding: Finding, depth: int) -> bool:
    return _all(node.values, finding, depth)


def _compare(node: ast.Compare, finding: Finding, depth: int) -> bool:
    return _check(node.left, finding, depth) and _all(node.comparators, finding, depth)


def _conditional(node: ast.IfExp, finding: Finding, depth: int) -> bool:
    return _all([node.test, node.body, node.orelse], finding, depth)


def _sequence(node: ast.List | ast.Tuple | ast.Set, finding: Finding, depth: int) -> bool:
    return _all(node.elts, finding, depth)


def _dictionary(node: ast.Dict, finding: Finding, depth: int) -> bool:
    # None: two stars stand before the value
    return _all([key for key in node.keys if key is not None], finding, depth) and _all(node.values, finding, depth)


def _comprehension(node: ast.ListComp | ast.SetComp | ast.GeneratorExp, finding: Finding, depth: int) -> bool:
    return _with_generators(node.generators, [node.elt], finding, depth)


def _dictionary_comprehension(node: ast.DictComp, finding: Finding, depth: int) -> bool:
    return _with_generators(node.generators, [node.key, node.value], finding, depth)


def _with_generators(
    generators: list[ast.comprehension], results: list[ast.expr], finding: Finding, depth: int
) -> bool:
    """True when the *generators* and what they produce are allowed; binds their names meanwhile."""
    outer = len(finding.bound)
    for generator in generators:
        targets = _targets(generator.target)
        if targets is None or generator.is_async:
            return _refuse(finding, generator.target, _("Only plain names are allowed after “for”."))
        if not _check(generator.iter, finding, depth):
            return False
        finding.bound += targets
        if not _all(generator.ifs, finding, depth):
            return False
    allowed = _all(results, finding, depth)
    del finding.bound[outer:]
    return allowed


def names_bound_in(tree: ast.expr) -> set[str]:
    """The names that comprehensions in *tree* bind."""
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.comprehension))
    return {name for node in nodes for name in _targets(node.target) or ()}


def _targets(node: ast.expr) -> list[str] | None:
    """The names that a comprehension binds, or None where it binds anything else."""
    if isinstance(node, ast.Name):
        return None if node.id.startswith("__") else [node.id]
    if isinstance(node, ast.Tuple) and all(isinstance(part, ast.Name) for part in node.elts):
        return [part.id for part in node.elts if isinstance(part, ast.Name)]
    return None


def _joined(node: ast.JoinedStr, finding: Finding, depth: int) -> bool:
    return _all(node.values, finding, depth)


def _formatted(node: ast.FormattedValue, finding: Finding, depth: int) -> bool:
    return _check(node.value, finding, depth)


def _call(node: ast.Call, finding: Finding, depth: int) -> bool:
    """The expression calls listed functions and methods itself, the run playbooks and tools; nothing calls a value."""
    target = called_target(node)
    if target:
        return _outer_call(node, target, finding, depth)
    function = node.func
    if isinstance(function, ast.Name) and function.id in FUNCTIONS:
        name = function.id
    elif dotted_name(node) in MODULE_FUNCTIONS:
        name = dotted_name(node)
        if name != "json.dumps":
            finding.names["timestamp"] = None
    elif isinstance(function, ast.Attribute) and function.attr in METHODS:
        name = function.attr
        if not _check(function.value, finding, depth):
            return False
    else:
        names = f"{_CALLABLE} {_METHODS}"
        message = _("Only playbooks, tools, {names} can be called in an expression.")
        return _refuse(finding, node, message.format(names=names))
    for keyword in node.keywords:
        if (name != "dict" and keyword.arg not in _KEYWORDS.get(name, ())) or keyword.arg is None:
            return _refuse(finding, keyword, _("This argument is unknown."))
    return _arguments(node, finding, depth)


def _outer_call(node: ast.Call, target: str, finding: Finding, depth: int) -> bool:
    """A call that the run makes; not ``item(s)``, nor ``word (remark)``."""
    end = node.func.end_col_offset  # None: of a placeholder, which was checked by itself
    words = [each.id for each in node.args if isinstance(each, ast.Name)]
    is_apart = end is not None and finding.source[end : end + 1] != b"("
    if words in _PLURALS or is_apart or target.startswith("__"):
        return _refuse(finding, node, _("This is not written as a call."))
    if target[0] == "$":
        finding.names[STATE_PREFIX + target[1:].partition(".")[0]] = None
    if any(keyword.arg is None for keyword in node.keywords):
        return _refuse(finding, node, _("Stars are not part of the expression language."))
    if not _arguments(node, finding, depth):
        return False
    if end is not None:
        finding.calls.append(node)
    return True


def _arguments(node: ast.Call, finding: Finding, depth: int) -> bool:
    return _all(node.args, finding, depth) and _all([keyword.value for keyword in node.keywords], finding, depth)


_PLURALS = (["s"], ["es"], ["ies"])


def dotted_name(node: ast.Call) -> str:
    """``json.dumps``, where *node* calls something of that form; else empty."""
    function = node.func
    is_dotted = isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name)
    return f"{function.value.id}.{function.attr}" if is_dotted else ""  # type: ignore[attr-defined]


def called_target(node: ast.Call) -> str:
    """What *node* calls that is no part of the expression: ``Check``, ``Tax.Check``, ``$helper.Check``; else empty."""
    function, names = node.func, list[str]()
    while isinstance(function, ast.Attribute):
        names.insert(0, function.attr)
        function = function.value
    if not isinstance(function, ast.Name):
        return ""
    head = function.id
    if head == AVAILABLE:
        return ""
    if head[0] == STATE_PREFIX:
        return f"${head[1:]}.{names[0]}" if len(names) == 1 and names[0][0].isupper() else ""
    if dotted_name(node) in MODULE_FUNCTIONS:
        return ""
    is_own = names[-1] in METHODS and head[0].islower() if names else head in FUNCTIONS
    return "" if is_own else ".".join([head, *names])


_CALLABLE = ", ".join(sorted(FUNCTIONS))
_METHODS = N_("and methods that change nothing")

_CHECKS: dict[type, Callable[..., bool]] = {
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


def is_spelled_as_name(name: str) -> bool:
    """True for ``$x``, and for bare words that no sentence would hold."""
    return name[0] == STATE_PREFIX or "_" in name or name[-1].isdigit()
