"""The expression language: parsed, bounded, and never handed to ``eval``.

Source may write ``$name`` (agent state) or ``name`` (local to the frame). The front end is
Python's ``ast``; what is not on the list of ``expressions_grammar`` is refused with a
position. The text given to ``ast`` has the same length as the source, so positions agree.

Behind the colon of a placeholder (``{$price:.2f}``) only formats whose work has a bound are
ours; whatever else follows a colon is no placeholder.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from workbench.i18n import _, numeral
from workbench.regex import regex
from workbench.syntax.expressions_grammar import STATE_PREFIX, called_target, check_tree, names_bound_in
from workbench.syntax.expressions_lexing import (
    NAME,
    ExpressionRefused,
    Refused,
    characters,
    prepared_text,
    python_tree,
    with_dates,
)
from workbench.syntax.masking import top_level

__all__ = [
    "NAME",
    "Expression",
    "ExpressionRefused",
    "InnerCall",
    "Template",
    "joined_expression",
    "parse_expression",
    "parse_template",
    "placeholder",
    "position_of",
    "rebased",
    "template_in",
    "try_expression",
    "verbatim",
    "with_source",
]

MAX_LENGTH = 2_000
_CACHE_SIZE = 8_192


@dataclass(frozen=True, slots=True)
class InnerCall:
    """A call of a playbook or a tool that an expression holds. *arguments*: name (or nothing) and source of each."""

    target: str
    arguments: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression. *source*: exactly as written. *names*: (name, is_state) that it reads.

    *calls*: what of it the run has to call.

    *tree* is a checked ``ast.expr`` in which ``$name`` stands as ``ast.Name`` whose ``id`` is
    ``STATE_PREFIX + name``; its offsets count UTF-8 bytes of *source*.
    """

    source: str
    tree: ast.expr
    names: tuple[tuple[str, bool], ...]
    calls: tuple[InnerCall, ...] = ()

    @property
    def is_constant(self) -> bool:
        """Whether it has the same value whatever is known."""
        return not self.names and not self.calls


@dataclass(frozen=True, slots=True)
class Template:
    """Text with placeholders: *pieces* are literal strings and expressions, in order.

    *written*: how each piece stands in *source*, braces included; empty where none stands in any.
    """

    source: str
    pieces: tuple[str | Expression, ...]
    written: tuple[str, ...] = ()

    @property
    def pairs(self) -> Iterator[tuple[str | Expression, str]]:
        """Each piece, and how it is written."""
        written = self.written or [one if isinstance(one, str) else one.source for one in self.pieces]
        return zip(self.pieces, written, strict=True)


def parse_expression(source: str) -> Expression:
    """The expression in *source*; blanks around it do not count.

    Raises ExpressionRefused for everything else, whatever *source* holds.
    """
    text = source.strip()
    result = _parse(text)
    if isinstance(result, Expression):
        return result
    lead = len(source) - len(source.lstrip())
    raise ExpressionRefused(result.message, result.position + lead)


def try_expression(source: str) -> Expression | None:
    """The expression in *source*, or None."""
    result = _parse(source.strip())
    return result if isinstance(result, Expression) else None


@lru_cache(_CACHE_SIZE)
def _parse(text: str) -> Expression | Refused:
    if not text:
        return Refused(_("An expression is missing here."), 0)
    if len(text) > MAX_LENGTH:
        message = _("This expression is longer than {limit} characters.").format(limit=numeral(MAX_LENGTH))
        return Refused(message, MAX_LENGTH)
    if _GROUPED.fullmatch(text):
        return Refused(_("This could be one number or several. Write it without commas, or in brackets."), 0)
    tree = _tree(text)
    if isinstance(tree, Refused):
        return tree
    formats = _Formats()
    if "{" in text:
        try:
            tree = formats.visit(tree)
        except ExpressionRefused as error:
            return Refused(str(error), characters(text, error.position))
    found = check_tree(tree, text)
    if found.problem is not None:
        return Refused(found.problem, characters(text, found.offset))
    names = dict.fromkeys(_plain_name(name) for name in found.names)
    calls = [_inner_call(text, node) for node in found.calls]
    in_texts = list(_parts_in_texts(tree)) if "{" in text or "$" in text else []
    if in_texts:
        own = {(name, False) for name in names_bound_in(tree)}
        names.update(dict.fromkeys(name for part in in_texts for name in part.names if name not in own))
    calls += [call for part in [*formats.parts, *in_texts] for call in part.calls]
    return Expression(text, tree, tuple(names), tuple(calls))


_GROUPED = regex(r"-?\d+(?:,\d+)+(?:\.\d+)?")
"""``1,000`` and ``1,5``: for Python these are two numbers."""


def _tree(text: str) -> ast.expr | Refused:
    """What *text* is made of, as it is written."""
    prepared = prepared_text(text)
    tree = prepared if isinstance(prepared, Refused) else python_tree(prepared)
    if not isinstance(tree, Refused) and "-" in text:
        tree = with_dates(tree, text)
    is_other = isinstance(tree, Refused) and text.count('"') > 2 and "\\" not in text and "{" in text
    match = _NESTED_QUOTES.fullmatch(text) if is_other else None
    if match is None:
        return tree
    end = len(text.encode("utf-8", "surrogatepass"))
    whole = ast.Constant(match["inside"], "u" if match["mark"] else None, col_offset=0, end_col_offset=end)
    return whole if match["mark"] or template_in(whole, is_whole=True) is not None else tree


# within braces, quotes belong to the placeholder; all is atomic, so that there is one way to read a text
_NESTED_QUOTES = regex(r'(?P<mark>[fF]?)"(?P<inside>(?>[^"\r\n{]+|\{[^{}]*\}|\{)*+)"')


def _inner_call(text: str, node: ast.Call) -> InnerCall:
    given = [("", value) for value in node.args] + [(each.arg or "", each.value) for each in node.keywords]
    return InnerCall(called_target(node), tuple((name, _source_of(text, value)) for name, value in given))


def _source_of(text: str, node: ast.expr) -> str:
    """What of *text* *node* was made of."""
    end = len(text) if node.end_col_offset is None else characters(text, node.end_col_offset)
    return text[characters(text, node.col_offset) : end]


def _parts_in_texts(tree: ast.expr) -> Iterator[Expression]:
    """The placeholders in the texts of *tree*."""
    for node in ast.walk(tree):
        template = template_in(node, is_whole=node is tree)
        yield from (piece for piece in template.pieces if isinstance(piece, Expression)) if template else ()


def template_in(node: ast.AST, *, is_whole: bool) -> Template | None:
    """What is filled in where *node* is a text as written with placeholders; *is_whole*: it is all of the expression.

    Within an expression ``$name`` needs braces: there, a text is more often a word to compare with.
    """
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or node.kind == LITERAL:
        return None
    if "{" not in node.value and not (is_whole and "$" in node.value):
        return None
    template = parse_template(node.value) if is_whole else _braced(node.value)
    return (
        template if any(isinstance(piece, Expression) and not piece.is_constant for piece in template.pieces) else None
    )


def verbatim(expression: Expression) -> Expression:
    """*expression*; where it is a text as written, nothing is filled in."""
    tree = expression.tree
    if not isinstance(tree, ast.Constant) or expression.is_constant:
        return expression
    return replace(expression, tree=ast.copy_location(ast.Constant(tree.value, kind=LITERAL), tree), names=(), calls=())


LITERAL = "f"
"""The ``kind`` of a text in which nothing is filled in: a part of an f-string, or one that says so itself."""
_IN_FORMAT = regex(r"(?P<twice>\{\{|\}\})|\{(?P<inside>(?:[^{}]|\{[^{}]*\})*)\}|[{}]")


class _Formats(ast.NodeTransformer):
    """Puts what ``f"…"`` stands for in the place of the text that the parser was given. *parts*: its placeholders.

    And what ``{$name}`` stands for without a text around it: who writes that means the value, and no set that has it.
    """

    def __init__(self) -> None:
        self.parts: list[Expression] = []

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if node.kind != "u" or not isinstance(node.value, str):
            return node
        text = node.value
        parts: list[ast.expr] = []
        done = 0
        for match in _IN_FORMAT.finditer(text):
            parts.append(ast.Constant(text[done : match.start()], kind=LITERAL))
            done = match.end()
            parts.append(self._part(node, match))
        parts.append(ast.Constant(text[done:], kind=LITERAL))
        return ast.copy_location(ast.JoinedStr(parts), node)

    def visit_Set(self, node: ast.Set) -> ast.expr:
        self.generic_visit(node)
        is_placeholder = len(node.elts) == 1 and not isinstance(node.elts[0], ast.Constant | ast.Starred)
        return node.elts[0] if is_placeholder else node

    def _part(self, node: ast.Constant, match: re.Match[str]) -> ast.expr:
        """What one placeholder, or one doubled brace, stands for. Raises ExpressionRefused."""
        if match["twice"]:
            return ast.Constant(match["twice"][0], kind=LITERAL)
        expression = placeholder(match["inside"]) if match["inside"] is not None else None
        if expression is None:
            raise ExpressionRefused(_("A placeholder in this text cannot be read."), node.col_offset)
        self.parts.append(expression)
        tree = copy.deepcopy(expression.tree)
        for part in ast.walk(tree):
            if isinstance(part, ast.expr):
                part.col_offset, part.end_col_offset = node.col_offset, None
        return tree if isinstance(tree, ast.JoinedStr) else ast.FormattedValue(tree, -1, None)


def placeholder(inside: str) -> Expression | None:
    """The expression between braces, with its format (``$price:.2f``) where it has one; None: it is none."""
    expression = try_expression(inside)
    cut = formatted(inside) if expression is None and (":" in inside or "!" in inside) else None
    value = try_expression(cut.value) if cut is not None else None
    if cut is None or value is None or value.is_constant:
        return expression
    spec = ast.Constant(cut.spec, kind=LITERAL) if cut.spec else None
    tree = ast.JoinedStr([ast.FormattedValue(value.tree, ord(cut.conversion or "s") if cut.conversion else -1, spec)])
    return replace(value, source=inside.strip(), tree=ast.copy_location(tree, value.tree))


def position_of(expression: Expression, node: ast.AST) -> int:
    """Where *node* of the expression's tree begins, in characters of its source."""
    return characters(expression.source, getattr(node, "col_offset", 0))


def _plain_name(name: str) -> tuple[str, bool]:
    return (name[1:], True) if name[0] == STATE_PREFIX else (name, False)


def rebased(expression: Expression, lead: str) -> ast.expr:
    """A copy of the expression's tree whose offsets count from *lead* characters further left."""
    tree = python_tree(str(prepared_text(expression.source)))
    assert isinstance(tree, ast.expr), "it was parsed before"
    by = len(lead.encode("utf-8", "surrogatepass"))
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            node.col_offset += by
    return tree


def joined_expression(source: str, tree: ast.expr, parts: tuple[Expression, ...]) -> Expression:
    """An expression written as *source* (in other words than ours) that was put together from *parts*."""
    names = dict.fromkeys(name for part in parts for name in part.names)
    return Expression(source, tree, tuple(names), tuple(call for part in parts for call in part.calls))


def with_source(expression: Expression, source: str) -> Expression:
    """The same expression, shown as *source*."""
    return replace(expression, source=source)


_PLACEHOLDER = regex(r"\{((?:[^{}]|\{[^{}]*\})*)\}")
_BARE = regex(rf"""(?<![\w$])\${NAME}(?:\.[^\W\d]\w*(?!\w*\()|\[(?:\d+|-\d+|"[^"\]]*"|'[^'\]]*'|\${NAME})\])*""")
_Pieces = list[tuple[str | Expression, str]]


def parse_template(source: str) -> Template:
    """*source* with its ``{expression}`` and bare ``$name`` placeholders.

    ``$5.99``, ``$100`` and ``$$`` are text, and so is a placeholder that cannot be parsed.
    """
    pieces: _Pieces = []
    for piece, written in _cut(source):
        pieces += [(piece, written)] if isinstance(piece, Expression) else _bare_pieces(piece)
    return _template(source, pieces)


def _braced(source: str) -> Template:
    """*source* with its ``{expression}`` placeholders alone."""
    return _template(source, _cut(source))


def _cut(source: str) -> _Pieces:
    """*source* cut at its ``{expression}`` placeholders."""
    pieces: _Pieces = []
    done = 0
    for match in _PLACEHOLDER.finditer(source):
        expression = placeholder(match.group(1))
        if expression is not None:
            before = source[done : match.start()]
            pieces += ((before, before), (expression, match.group()))
            done = match.end()
    return [*pieces, (source[done:], source[done:])]


def _bare_pieces(text: str) -> _Pieces:
    """*text* cut at its bare ``$name`` placeholders."""
    if "$" not in text:
        return [(text, text)]
    pieces: _Pieces = []
    done = 0
    for match in _BARE.finditer(text):
        expression = try_expression(match.group())
        if expression is not None:
            before = text[done : match.start()]
            pieces += ((before, before), (expression, match.group()))
            done = match.end()
    return [*pieces, (text[done:], text[done:])]


def _template(source: str, pieces: _Pieces) -> Template:
    """The template of *pieces*, without empty strings."""
    kept = [pair for pair in pieces if pair[0] != ""]
    return Template(source, tuple(piece for piece, _written in kept), tuple(written for _piece, written in kept))


MAX_WIDTH = 1_000
MAX_PRECISION = 100

_SPEC = regex(
    r"(?! )(?=.)(?:[^{}]?[<>^=])?[-+ ]?#?0?(?P<width>\d{1,4})?[,_]?(?:\.(?P<precision>\d{1,3}))?[bdeEfFgGosxX%]?"
)


class Formatted(NamedTuple):
    """A placeholder cut in three. *conversion*: ``r``, ``s`` or nothing."""

    value: str
    conversion: str
    spec: str


def formatted(inside: str) -> Formatted | None:
    """What stands between braces, where it says how its value is to be written; else None."""
    colon = top_level(inside).rfind(":") if ":" in inside else -1
    head, spec = (inside[:colon], inside[colon + 1 :]) if colon >= 0 else (inside, "")
    conversion = head[-1] if head[-2:] in ("!r", "!s") else ""
    if spec and not _is_bounded(spec):
        return None
    if not spec and not conversion:
        return None
    return Formatted(head[:-2] if conversion else head, conversion, spec)


def _is_bounded(spec: str) -> bool:
    match = _SPEC.fullmatch(spec)
    if match is None:
        return False
    return int(match["width"] or 0) <= MAX_WIDTH and int(match["precision"] or 0) <= MAX_PRECISION
