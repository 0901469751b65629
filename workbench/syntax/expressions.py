"""The expression language: parsed, bounded, and never handed to ``eval``.

Source may write ``$name`` (agent state) or ``name`` (local to the frame). The front end is
Python's ``ast``; what is not on the list of ``expressions_grammar`` is refused with a
position. The text given to ``ast`` has the same length as the source, so positions agree.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from functools import lru_cache

from workbench.i18n import N_, _, numeral
from workbench.syntax.expressions_grammar import STATE_PREFIX, check_tree

MAX_LENGTH = 2_000
_CACHE_SIZE = 8_192

_MARKS = (
    r"\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0dff\u0e31-\u0e4e\u3099\u309a\ufe0f"
)
NAME = rf"[^\W\d](?:\w|[{_MARKS}])*"
"""A pattern for one name, in any script; combining marks may follow its first letter."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression. *source*: exactly as written. *names*: (name, is_state) that it reads.

    *tree* is a checked ``ast.expr`` in which ``$name`` stands as ``ast.Name`` whose ``id`` is
    ``STATE_PREFIX + name``; its offsets count UTF-8 bytes of *source*.
    """

    source: str
    tree: ast.expr
    names: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Template:
    """Text with placeholders: *pieces* are literal strings and expressions, in order."""

    source: str
    pieces: tuple[str | Expression, ...]


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
    found = check_tree(tree)
    if found.problem is not None:
        return _Refused(found.problem, _characters(text, found.offset))
    return Expression(text, tree, tuple(_plain_name(name) for name in found.names))


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
    r"""(?P<text>"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*')"""
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
    return text


def _python_tree(prepared: str) -> ast.expr | _Refused:
    """What Python's parser makes of *prepared*. The parser may fail in several ways; all are one refusal."""
    try:
        return ast.parse(prepared, mode="eval").body
    except SyntaxError as error:
        position = min(error.offset - 1, len(prepared)) if error.offset else len(prepared)
        if position >= len(prepared.rstrip()):
            return _Refused(_("This expression is incomplete."), position)
        return _Refused(_("The expression has a syntax error here."), position)
    except (ValueError, MemoryError, RecursionError, OverflowError):
        return _Refused(_("This is not a valid expression."), 0)


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
    return Expression(source, tree, tuple(names))


def with_source(expression: Expression, source: str) -> Expression:
    """The same expression, shown as *source*."""
    return replace(expression, source=source)


_PLACEHOLDER = re.compile(r"\{((?:[^{}]|\{[^{}]*\})*)\}")
_BARE = re.compile(rf"""(?<![\w$])\${NAME}(?:\.[^\W\d]\w*(?!\w*\()|\[(?:\d+|-\d+|"[^"\]]*"|'[^'\]]*'|\${NAME})\])*""")


def parse_template(source: str) -> Template:
    """*source* with its ``{expression}`` and bare ``$name`` placeholders.

    ``$5.99``, ``$100`` and ``$$`` are text, and so is a placeholder that cannot be parsed.
    """
    pieces: list[str | Expression] = []
    done = 0
    for match in _PLACEHOLDER.finditer(source):
        expression = try_expression(match.group(1))
        if expression is None:
            continue
        pieces += _bare_pieces(source[done : match.start()])
        pieces.append(expression)
        done = match.end()
    pieces += _bare_pieces(source[done:])
    return Template(source, tuple(_merged(pieces)))


def _bare_pieces(text: str) -> list[str | Expression]:
    """*text* cut at its bare ``$name`` placeholders."""
    if "$" not in text:
        return [text] if text else []
    pieces: list[str | Expression] = []
    done = 0
    for match in _BARE.finditer(text):
        expression = try_expression(match.group())
        if expression is not None:
            pieces += (text[done : match.start()], expression)
            done = match.end()
    pieces.append(text[done:])
    return pieces


def _merged(pieces: list[str | Expression]) -> list[str | Expression]:
    """*pieces* without empty strings and with neighbouring strings joined."""
    merged: list[str | Expression] = []
    for piece in pieces:
        if isinstance(piece, str) and merged and isinstance(merged[-1], str):
            merged[-1] += piece
        elif piece != "":
            merged.append(piece)
    return merged
