"""Source as Python's parser reads it, and the tree that comes of it, with offsets that count in the source."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from dataclasses import dataclass

from workbench.i18n import N_, _
from workbench.regex import regex
from workbench.syntax.expressions_grammar import STATE_PREFIX

_MARKS = (
    r"\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0dff\u0e31-\u0e4e\u3099\u309a\ufe0f"
)
NAME = rf"[^\W\d](?:\w|[{_MARKS}])*"
"""A pattern for one name, in any script; combining marks may follow its first letter."""


class ExpressionRefused(ValueError):
    """Text that is not an expression of ours; *position* is a 0-based offset into it."""

    def __init__(self, message: str, position: int = 0) -> None:
        super().__init__(message)
        self.position = position


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a text is no expression, and where."""

    message: str
    position: int


def characters(text: str, offset: int) -> int:
    """How many characters of *text* its first *offset* UTF-8 bytes are."""
    if text.isascii():
        return min(offset, len(text))
    return len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore"))


_DATE = r"(?<![\w.$-])\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\w.-])"
"""``2024-11-15``: nobody means the number 1998."""
_LEXEME = regex(
    r"""(?P<text>(?:(?<![\w$])[fF])?(?:"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'))"""
    rf"""|\$(?P<name>{NAME})?"""
    r"""|(?<![\w.$])(?P<word>true|false|null|none)(?!\w)(?!\s*=(?!=))"""
    rf"""|(?P<date>{_DATE})"""
    r"""|(?P<number>(?<![\w.])(?:0[xXoObB][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?))(?P<glued>\w)?"""
    rf"""|(?P<space>[^\S ])|(?P<odd>[#\\`"';\0{STATE_PREFIX}])"""
)
_WORDS = {"true": "True", "false": "False", "null": "None", "none": "None"}
_ESCAPE = regex(r"\\(?:\\|['\"abfnrtv]|0(?!\d)|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U000[\da-fA-F]{5}|U0010[\da-fA-F]{4})")


def prepared_text(text: str) -> str | Refused:
    """*text* as Python reads it, of the same length."""
    try:
        return _LEXEME.sub(_python_lexeme, text)
    except ExpressionRefused as error:
        return Refused(str(error), error.position)


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
    if kind == "date":
        return f"'{text.replace('-', '')}'"  # of the same length; ``with_dates`` puts the signs back
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


def with_dates(tree: ast.expr, text: str) -> ast.expr:
    """*tree*, of *text*, in which dates stand as they are written."""
    if _WRITTEN_DATE.search(text) is None:
        return tree
    source = text.encode("utf-8", "surrogatepass")
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.end_col_offset is not None:
            written = source[node.col_offset : node.end_col_offset].decode("utf-8", "replace")
            node.value = written if _WRITTEN_DATE.fullmatch(written) else node.value
    return tree


_WRITTEN_DATE = regex(_DATE)


def python_tree(prepared: str) -> ast.expr | Refused:
    """What Python's parser makes of *prepared*. The parser may fail in several ways; all are one refusal."""
    try:
        tree = ast.parse(prepared, mode="eval").body
        return _in_source(tree, prepared) if STATE_PREFIX in prepared else tree
    except SyntaxError as error:
        position = min(error.offset - 1, len(prepared)) if error.offset else len(prepared)
        if error.msg.startswith("positional argument follows"):
            problem = _("A value without a name stands behind one with a name. Write it first, or give it a name.")
            return Refused(problem, position)
        if position >= len(prepared.rstrip()):
            return Refused(_("This expression is incomplete."), position)
        return Refused(_("The expression has a syntax error here."), position)
    except (ValueError, MemoryError, RecursionError, OverflowError):
        return Refused(_("This is not a valid expression."), 0)


_PREFIX = regex(STATE_PREFIX.encode("utf-8"))
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
