"""The expression language: parsed, bounded, and never handed to ``eval``.

Source may write ``$name`` (agent state) or ``name`` (local to the frame). The front end is
Python's ``ast``; what is not on the list of ``expressions_grammar`` is refused with a
position. The text given to ``ast`` has the same length as the source, so positions agree.
"""

from __future__ import annotations

import ast
import copy
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from workbench.i18n import N_, _, numeral
from workbench.syntax.expressions_grammar import STATE_PREFIX, called_target, check_tree
from workbench.syntax.formats import formatted

MAX_LENGTH = 2_000
_CACHE_SIZE = 8_192

_MARKS = (
    r"\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0dff\u0e31-\u0e4e\u3099\u309a\ufe0f"
)
NAME = rf"[^\W\d](?:\w|[{_MARKS}])*"
"""A pattern for one name, in any script; combining marks may follow its first letter."""


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


class ExpressionRefused(ValueError):
    """Text that is not an expression of ours; *position* is a 0-based offset into it."""

    def __init__(self, message: str, position: int = 0) -> None:
        super().__init__(message)
        self.position = position


@dataclass(frozen=True, slots=True)
class _Refused:
    message: str
    position: int


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
def _parse(text: str) -> Expression | _Refused:
    if not text:
        return _Refused(_("An expression is missing here."), 0)
    if len(text) > MAX_LENGTH:
        message = _("This expression is longer than {limit} characters.").format(limit=numeral(MAX_LENGTH))
        return _Refused(message, MAX_LENGTH)
    prepared = _prepare(text)
    if isinstance(prepared, _Refused):
        return prepared
    tree = _python_tree(prepared)
    if isinstance(tree, _Refused):
        return tree
    formats = _Formats()
    if "{" in text:
        try:
            tree = formats.visit(tree)
        except ExpressionRefused as error:
            return _Refused(str(error), _characters(text, error.position))
    found = check_tree(tree, text)
    if found.problem is not None:
        return _Refused(found.problem, _characters(text, found.offset))
    names = dict.fromkeys(_plain_name(name) for name in found.names)
    calls = [_inner_call(text, node) for node in found.calls]
    for part in [*formats.parts, *(_parts_in_texts(tree) if "{" in text or "$" in text else ())]:
        names.update(dict.fromkeys(part.names))
        calls += part.calls
    return Expression(text, tree, tuple(names), tuple(calls))


def _inner_call(text: str, node: ast.Call) -> InnerCall:
    given = [("", value) for value in node.args] + [(each.arg or "", each.value) for each in node.keywords]
    return InnerCall(called_target(node), tuple((name, _source_of(text, value)) for name, value in given))


def _source_of(text: str, node: ast.expr) -> str:
    """What of *text* *node* was made of."""
    end = len(text) if node.end_col_offset is None else _characters(text, node.end_col_offset)
    return text[_characters(text, node.col_offset) : end]


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
    return template if any(isinstance(piece, Expression) and piece.names for piece in template.pieces) else None


def verbatim(expression: Expression) -> Expression:
    """*expression*; where it is a text as written, nothing is filled in."""
    tree = expression.tree
    if not isinstance(tree, ast.Constant) or not expression.names:
        return expression
    return replace(expression, tree=ast.copy_location(ast.Constant(tree.value, kind=LITERAL), tree), names=(), calls=())


LITERAL = "f"
"""The ``kind`` of a text in which nothing is filled in: a part of an f-string, or one that says so itself."""
_IN_FORMAT = re.compile(r"(?P<twice>\{\{|\}\})|\{(?P<inside>(?:[^{}]|\{[^{}]*\})*)\}|[{}]")


class _Formats(ast.NodeTransformer):
    """Puts what ``f"…"`` stands for in the place of the text that the parser was given. *parts*: its placeholders."""

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
    if cut is None or value is None or not (value.names or value.calls):
        return expression
    spec = ast.Constant(cut.spec, kind=LITERAL) if cut.spec else None
    tree = ast.JoinedStr([ast.FormattedValue(value.tree, ord(cut.conversion or "s") if cut.conversion else -1, spec)])
    return replace(value, source=inside.strip(), tree=ast.copy_location(tree, value.tree))


def _characters(text: str, offset: int) -> int:
    """How many characters of *text* its first *offset* UTF-8 bytes are."""
    if text.isascii():
        return min(offset, len(text))
    return len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore"))


def position_of(expression: Expression, node: ast.AST) -> int:
    """Where *node* of the expression's tree begins, in characters of its source."""
    return _characters(expression.source, getattr(node, "col_offset", 0))


def _plain_name(name: str) -> tuple[str, bool]:
    return (name[1:], True) if name[0] == STATE_PREFIX else (name, False)


_LEXEME = re.compile(
    r"""(?P<text>(?:(?<![\w$])[fF])?(?:"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'))"""
    rf"""|\$(?P<name>{NAME})?"""
    r"""|(?<![\w.$])(?P<word>true|false|null|none)(?!\w)(?!\s*=(?!=))"""
    r"""|(?P<number>(?<![\w.])(?:0[xXoObB][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?))(?P<glued>\w)?"""
    rf"""|(?P<space>[^\S ])|(?P<odd>[#\\`"';\0{STATE_PREFIX}])"""
)
_WORDS = {"true": "True", "false": "False", "null": "None", "none": "None"}
_ESCAPE = re.compile(
    r"\\(?:\\|['\"abfnrtv]|0(?!\d)|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U000[\da-fA-F]{5}|U0010[\da-fA-F]{4})"
)


def _prepare(text: str) -> str | _Refused:
    """*text* as Python reads it, of the same length."""
    try:
        return _LEXEME.sub(_python_lexeme, text)
    except ExpressionRefused as error:
        return _Refused(str(error), error.position)


def _python_lexeme(match: re.Match[str]) -> str:
    """What Python shall read in place of one lexeme.

    Raises ExpressionRefused.
    """
    kind = match.lastgroup
    text = match.group()
    if kind == "name":
        return STATE_PREFIX + _after_nothing(match, text[1:])
    if kind == "word":
        return _WORDS[text]
    if kind == "number":
        return text
    if kind == "text":
        return _checked_text(match, text)
    if kind == "space":
        return " "
    if kind is None:
        raise ExpressionRefused(_("A name must follow the dollar sign."), match.start())
    if kind == "glued":
        raise ExpressionRefused(_("A space or an operator is missing here."), match.end() - 1)
    raise ExpressionRefused(str(_ODD.get(text, _ODD_OTHER)), match.start())


_ODD_OTHER = N_("This character is not allowed in an expression.")
_ODD = {'"': N_("This text is missing its closing quote."), "'": N_("This text is missing its closing quote.")}


def _after_nothing(match: re.Match[str], text: str) -> str:
    """*text*, if the lexeme does not stick to a word before it. Raises ExpressionRefused."""
    start = match.start()
    before = match.string[start - 1] if start else " "
    if before.isalnum() or before in "_$":
        raise ExpressionRefused(_("A space or an operator is missing here."), start)
    return text


def _checked_text(match: re.Match[str], text: str) -> str:
    """*text*, if it is a plain literal with known escapes. Raises ExpressionRefused."""
    _after_nothing(match, text)
    if match.string[match.end() : match.end() + 1] in ('"', "'"):
        raise ExpressionRefused(_("A space or an operator is missing here."), match.end())
    if "\\" in text:
        odd = _ESCAPE.sub(lambda found: "." * len(found.group()), text).find("\\")
        if odd >= 0:
            raise ExpressionRefused(_("This backslash escapes nothing; use two."), match.start() + odd)
    # what Python's parser makes of an f-string has no positions; a text with another mark has
    return "u" + text[1:] if text[0] in "fF" else text


def _python_tree(prepared: str) -> ast.expr | _Refused:
    """What Python's parser makes of *prepared*. The parser may fail in several ways; all are one refusal."""
    try:
        tree = ast.parse(prepared, mode="eval").body
        return _in_source(tree, prepared) if STATE_PREFIX in prepared else tree
    except SyntaxError as error:
        position = min(error.offset - 1, len(prepared)) if error.offset else len(prepared)
        if position >= len(prepared.rstrip()):
            return _Refused(_("This expression is incomplete."), position)
        return _Refused(_("The expression has a syntax error here."), position)
    except (ValueError, MemoryError, RecursionError, OverflowError):
        return _Refused(_("This is not a valid expression."), 0)


_PREFIX = re.compile(STATE_PREFIX.encode("utf-8"))
_LONGER_BY = len(STATE_PREFIX.encode("utf-8")) - len("$")


def _in_source(tree: ast.expr, prepared: str) -> ast.expr:
    """*tree*, its offsets counted in the source, where a dollar sign is shorter."""
    marks = [match.start() for match in _PREFIX.finditer(prepared.encode("utf-8", "surrogatepass"))]
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            node.col_offset -= _LONGER_BY * bisect_left(marks, node.col_offset)
            if node.end_col_offset is not None:
                node.end_col_offset -= _LONGER_BY * bisect_left(marks, node.end_col_offset)
    return tree


def rebased(expression: Expression, lead: str) -> ast.expr:
    """A copy of the expression's tree whose offsets count from *lead* characters further left."""
    tree = _python_tree(str(_prepare(expression.source)))
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


_PLACEHOLDER = re.compile(r"\{((?:[^{}]|\{[^{}]*\})*)\}")
_BARE = re.compile(rf"""(?<![\w$])\${NAME}(?:\.[^\W\d]\w*(?!\w*\()|\[(?:\d+|-\d+|"[^"\]]*"|'[^'\]]*'|\${NAME})\])*""")
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
