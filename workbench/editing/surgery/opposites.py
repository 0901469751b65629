"""The opposite of a condition, as it would have been written: ``$x <= 3`` for ``$x > 3``, ``is empty`` and its kin.

Which words and signs may be exchanged is a short table, and it may be sloppy: of an exact condition, what comes of it
is parsed and held against the opposite of what was there, and counts only if it is the same. A judgement is turned
round where one little word decides it; *Unless* says the opposite of anything.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from workbench.model.meaning import Branch, BranchForm, Condition
from workbench.model.program import Step
from workbench.model.sentences.classify import classify
from workbench.model.sentences.conditions import exact_condition
from workbench.regex import regex
from workbench.syntax.expressions import Expression
from workbench.syntax.masking import top_level

_BE = r"\b(?P<be>is|are|was|were)"
_MORE = r"(?:greater|more|larger|higher|bigger)"
_LESS = r"(?:less|lower|smaller|fewer)"
_PAIRS = (
    (r"(?<![<>=!])==", "!="),
    (r"!=", "=="),
    (r">=|≥", "<"),
    (r"<=|≤", ">"),
    (r"(?<![<>=-])>(?!=)", "<="),
    (r"<(?![=-])", ">="),
    (r"≠", "=="),
    (r"(?<![<>=!])=(?!=)", "≠"),
    (r"\bnot\s+in\b", "in"),
    (r"(?<!not )\bin\b", "not in"),
    (rf"{_BE}\s+(?:not\s+less|no\s+less)\s+than\b", r"\g<be> less than"),
    (rf"{_BE}\s+(?:not\s+more|no\s+more)\s+than\b", r"\g<be> more than"),
    (rf"{_BE}\s+{_MORE}\s+than\s+or\s+equal(?:\s+to)?\b", r"\g<be> less than"),
    (rf"{_BE}\s+{_LESS}\s+than\s+or\s+equal(?:\s+to)?\b", r"\g<be> more than"),
    (rf"{_BE}\s+at\s+least\b", r"\g<be> less than"),
    (rf"{_BE}\s+at\s+most\b", r"\g<be> more than"),
    (rf"{_BE}\s+{_MORE}\s+than\b", r"\g<be> at most"),
    (rf"{_BE}\s+{_LESS}\s+than\b", r"\g<be> at least"),
    (rf"{_BE}\s+(?:above|over)\b", r"\g<be> at most"),
    (rf"{_BE}\s+(?:below|under)\b", r"\g<be> at least"),
    (r"\bat\s+least\b", "is less than"),
    (r"\bat\s+most\b", "is more than"),
    (r"\bexceeds?\b", "is at most"),
    (rf"{_BE}\s+different\s+from\b", r"\g<be> the same as"),
    (r"\bdiffers\s+from\b", "is the same as"),
    (r"\b(?:does\s+not|doesn['’]t)\s+(?P<verb>contain|include|equal|exceed)\b", r"\g<verb>s"),
    (r"\b(?:does\s+not|doesn['’]t)\s+(?P<verb>start|begin|end)\s+with\b", r"\g<verb>s with"),
    (r"\b(?:do\s+not|don['’]t)\s+(?P<verb>contain|include|equal)\b", r"\g<verb>"),
    (r"\b(?P<verb>contain|include|equal)s\b", r"does not \g<verb>"),
    (r"\b(?P<verb>start|begin|end)s\s+with\b", r"does not \g<verb> with"),
    (r"\b(?P<verb>contain|include|equal)\b", r"do not \g<verb>"),
    (rf"{_BE}(?:\s+not\b|n['’]t\b)", r"\g<be>"),
    (rf"{_BE}\b", r"\g<be> not"),
    (r"\bfalse\b", "true"),
    (r"\btrue\b", "false"),
)
_EXCHANGED = tuple((regex(pattern, re.IGNORECASE), insert) for pattern, insert in _PAIRS)
_NOT = regex(r"not\s+", re.IGNORECASE)
_AUXILIARY = regex(
    r"\b(?P<word>is|are|was|were|has|have|had|can|could|will|would|should|must|does|do|did)"
    r"(?P<not>\s+not\b|n['’]t\b|not\b)?(?![\w'’])",
    re.IGNORECASE,
)
_SEVERAL = regex(r"\b(?:and|or|but|unless|if|when|while|until|neither|nor)\b|[.;?!]\s", re.IGNORECASE)
_KEYWORD = regex(r"(?P<lead>\W*)(?P<word>if|unless)\b", re.IGNORECASE)


def inverted_words(step: Step) -> str | None:
    """The words of *step*, a branch, with the opposite condition; None where it cannot be said."""
    branch = step.meaning
    if not isinstance(branch, Branch) or branch.condition is None:
        return None
    for words in _branches(step.text, branch.form, branch.condition):
        if _is_opposite(branch, classify(words, bool(step.children))):
            return words
    return None


def opposite_of(condition: Condition) -> str | None:
    """The words of a condition that holds where *condition* does not; None where it cannot be said."""
    written = _without_unless(condition)
    if written is not None:
        return written
    return next(_opposites(condition.text, condition.test), None)


def _without_unless(condition: Condition) -> str | None:
    return condition.text[7:] if condition.text.lower().startswith("unless ") else None


def are_opposite(one: Condition, other: Condition) -> bool:
    """True where, for sure, exactly one of the two holds."""
    if one.test is not None and other.test is not None:
        return essence(one.test, is_negated=True) == essence(other.test)
    if one.test is not None or other.test is not None:
        return False
    unless = _without_unless(one), _without_unless(other)
    if unless != (None, None):
        return unless in ((other.text, None), (None, one.text))
    return other.text in _judged(one.text) or one.text in _judged(other.text)


def essence(test: Expression, *, is_negated: bool = False) -> object:
    """What *test*, or its opposite, asks, however it is written."""
    return _essence(test.tree, is_negated=is_negated)


def _essence(tree: ast.expr, *, is_negated: bool) -> object:
    match tree:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _essence(operand, is_negated=not is_negated)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _SIGNS:
            sign = _SIGNS[type(op)] if is_negated else type(op)
            return sign, ast.dump(left), ast.dump(right)
        case ast.Constant(value=bool() as value):
            return value is not is_negated
    return is_negated, ast.dump(tree)


_SIGNS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def _branches(text: str, form: BranchForm, condition: Condition) -> Iterator[str]:
    """*text* of a branch with conditions that may be the opposite, the best reading first."""
    keyword = _KEYWORD.match(text)
    written = _without_unless(condition)
    if keyword is not None and keyword["word"].lower() == "unless":
        yield _with_keyword(text, keyword, "If")
        return
    shown = written or condition.text
    at = text.find(shown, keyword.end() if keyword else 0)
    if at < 0:
        return
    unless = _with_keyword(text, keyword, "Unless") if form is BranchForm.IF and keyword is not None else None
    is_many = condition.test is None or isinstance(condition.test.tree, ast.BoolOp)
    if unless is not None and is_many:
        yield unless
    for opposite in _opposites(shown, condition.test):
        yield text[:at] + opposite + text[at + len(shown) :]
    if unless is not None:
        yield unless


def _with_keyword(text: str, keyword: re.Match[str], word: str) -> str:
    shown = word if keyword["word"][0].isupper() else word.lower()
    return text[: keyword.start("word")] + shown + text[keyword.end("word") :]


def _is_opposite(before: Branch, after: object) -> bool:
    if not isinstance(after, Branch) or after.form is not before.form or type(after.action) is not type(before.action):
        return False
    first, second = before.condition, after.condition
    if first is None or second is None:
        return False
    if first.test is None or second.test is None:
        return first.test is second.test
    return essence(first.test, is_negated=True) == essence(second.test)


def _opposites(text: str, test: Expression | None) -> Iterator[str]:
    """What says the opposite of *text*; where it is exact, for sure."""
    if test is None:
        yield from _judged(text)
        return
    wanted = essence(test, is_negated=True)
    for candidate in _candidates(text):
        found = exact_condition(candidate)
        if found is not None and essence(found) == wanted:
            yield candidate


def _candidates(text: str) -> Iterator[str]:
    if text[:1] == "`" == text[-1:]:
        yield from (f"`{inner}`" for inner in _candidates(text[1:-1]))
        return
    masked = top_level(text)
    negation = _NOT.match(text)
    if negation is not None:
        rest = text[negation.end() :]
        if rest[:1] == "(" and rest[-1:] == ")":
            yield rest[1:-1]
        yield rest
    for pattern, insert in _EXCHANGED:
        match = pattern.search(masked)
        if match is not None:
            yield text[: match.start()] + match.expand(insert) + text[match.end() :]
    yield f"not {text}"
    yield f"not ({text})"


def _judged(text: str) -> tuple[str, ...]:
    """*text*, which somebody judges, turned round by its one little word; nothing where it has several clauses."""
    masked = top_level(text)
    match = _AUXILIARY.search(masked)
    if match is None or _SEVERAL.search(masked):
        return ()
    insert = match["word"] if match["not"] else f"{match['word']} not"
    return (text[: match.start()] + insert + text[match.end() :],)
