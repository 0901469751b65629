"""Branches and loops: heads of blocks, and their forms with the action on the same line."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace

from workbench.model.meaning import (
    GOES_ON,
    Action,
    Branch,
    BranchForm,
    Condition,
    Judge,
    Jump,
    Loop,
    LoopForm,
    Meaning,
    Variable,
)
from workbench.model.sentences.actions import FIRST_WORDS, action_of, judgement_of
from workbench.model.sentences.clauses.several import begins_with_code
from workbench.model.sentences.conditions import condition_of, could_be_expression, exact_condition
from workbench.model.sentences.outputs import TYPE, begins_with_verb, first_word
from workbench.regex import regex
from workbench.syntax.expressions import (
    NAME,
    Expression,
    joined_expression,
    parse_expression,
    try_expression,
    with_source,
)
from workbench.syntax.expressions_grammar import is_spelled_as_name
from workbench.syntax.masking import top_level

_MAX_INLINE = 400
_HEAD_END = regex(
    r"[\s,:;]+(?:then\s+)?(?:then|do\s+(?:the\s+following|this|these|as\s+follows|so)(?:\s+(?:steps?|things?))?)$"
    r"|^(?:do\s+)?(?:the\s+following|this|these|as\s+follows)(?:\s+(?:steps?|things?))?$",
    re.IGNORECASE,
)
_CUT = regex(r"\s*,?\s+then\s+(?=\S)|\s*[,:]\s+(?:then\s+)?(?=\S)|\s+(?:->|→|–|—)\s+", re.IGNORECASE)
_GOES_ON = regex(r"(?:and|or|but|nor|unless|which|who|where|that|not)\b", re.IGNORECASE)
_SECOND = regex(r"[.;!?]\s+\S|\b(?:otherwise|else)\b", re.IGNORECASE)


def branch_reader(form: BranchForm) -> Callable[[str, str, bool], Meaning]:
    """What reads ``If …`` and its like into a branch of *form*."""

    def read(text: str, rest: str, has_children: bool) -> Meaning:
        if has_children:
            return Branch(form, condition_of(head_of(rest)))
        return _inline_branch(form, text, rest)

    return read


def head_of(rest: str) -> str:
    """The words of a block's head without what only ends it: a colon, *then*, *do the following*."""
    head = rest.rstrip(" \t\r\n:,.;")
    end = _HEAD_END.search(head, max(0, len(head) - 50))
    return head[: end.start()].rstrip(" \t\r\n:,.;") if end else head


def _inline_branch(form: BranchForm, text: str, rest: str) -> Meaning:
    """A branch whose action may stand on the same line; prose of several sentences is a judgement."""
    head = head_of(rest)
    masked = top_level(head)
    if len(text) > _MAX_INLINE:
        return judgement_of(text)
    cuts = _cuts(head, masked)
    if not cuts:
        condition = condition_of(head)
        judge = judgement_of(text) if condition.test is None else None
        return judge if judge is not None and judge.outcomes else Branch(form, condition)
    whole = exact_condition(head)
    if whole is not None:
        return Branch(form, Condition(head, whole))
    if _SECOND.search(masked):
        return judgement_of(text, text.find(head) + cuts[0][1])
    condition, action = _split(head, cuts)
    return Branch(form, condition, action)


def _cuts(head: str, masked: str) -> list[tuple[int, int]]:
    """Where the condition may end and the action begin."""
    found = [match.span() for match in _CUT.finditer(masked)][:8]
    return [(start, end) for start, end in found if start > 0 and not _GOES_ON.match(head, end)]


def _split(head: str, cuts: list[tuple[int, int]]) -> tuple[Condition, Action]:
    """Condition and action: at the longest exact condition, else where an action begins, else at the first cut."""
    for start, end in reversed(cuts):
        test = exact_condition(head[:start])
        if test is not None:
            return Condition(head[:start], test), action_of(head[end:])
    for start, end in cuts:
        action = action_of(head[end:])
        is_said = begins_with_verb(head, end) or begins_with_code(head, end) or first_word(head, end) in FIRST_WORDS
        if is_said or not isinstance(action, Judge):
            return Condition(head[:start]), action
    start, end = cuts[0]
    return Condition(head[:start]), action_of(head[end:])


_ALSO_IF = regex(r",?\s*(?:if|when)\b\s*", re.IGNORECASE)
_READ_ELSE_IF = branch_reader(BranchForm.ELSE_IF)


def read_otherwise(text: str, rest: str, has_children: bool) -> Meaning:
    """``Otherwise``, ``Else``, with a condition (``Else if``) or an action on the same line."""
    also = _ALSO_IF.match(rest)
    if also is not None:
        return _READ_ELSE_IF(text, rest[also.end() :], has_children)
    words = rest.lstrip(",:. \t")
    if has_children:
        words = head_of(words)
    return Branch(BranchForm.OTHERWISE, None, action_of(words) if words else None)


UNLESS = "unless "
"""What the condition of a branch begins with that is taken where the rest is not true."""


def read_unless(text: str, rest: str, has_children: bool) -> Meaning:
    """``Unless …``: the branch of the opposite; left as its own words where that is a judgement."""
    meaning = branch_reader(BranchForm.IF)(text, rest, has_children)
    return unless(meaning) if isinstance(meaning, Branch) else meaning


def unless(branch: Branch) -> Branch:
    """*branch*, taken where its condition is not true."""
    condition = branch.condition
    if condition is None:
        return branch
    test = None if condition.test is None else negated(condition.test)
    return replace(branch, condition=Condition(f"{UNLESS}{condition.text}", test))


def negated(test: Expression) -> Expression:
    """The opposite of *test*, written the same."""
    return joined_expression(test.source, ast.copy_location(ast.UnaryOp(ast.Not(), test.tree), test.tree), (test,))


def conditional_loop_reader(form: LoopForm) -> Callable[[str, str, bool], Meaning]:
    """What reads ``While …`` and ``Until …``."""

    def read(text: str, rest: str, has_children: bool) -> Meaning:
        head = head_of(rest)
        if has_children:
            return Loop(form, head, condition_of(head))
        cuts = _cuts(head, top_level(head))
        if not cuts or exact_condition(head):
            return Loop(form, head, condition_of(head))
        condition, action = _split(head, cuts)
        if condition.test is None or _SECOND.search(top_level(head)):
            return judgement_of(text, text.find(head) + cuts[0][1])
        return Loop(form, condition.text, condition, action=action)

    return read


_EACH = regex(
    rf"(?P<each>(?:each|every|all)\s+)?(?:(?:the|of\s+the)\s+)?(?:[^\W\d]\w*\s+(?=[$`]))?"
    rf"(?P<variable>\$?{NAME}|`\$?{NAME}`)(?:\s?:\s?(?P<type>{TYPE}))?\s+(?:in|of|from)\s+(?P<items>.+)",
    re.IGNORECASE | re.DOTALL,
)


_END_OF_RANGE = rf"(?:-?\d{{1,9}}|\${NAME}(?:\.{NAME})*)"
_RANGE = regex(
    rf"(?P<first>{_END_OF_RANGE})(?:\s*(?:\.\.\.?|…)\s*|\s+(?:(?:up\s+)?to|through)\s+)(?P<last>{_END_OF_RANGE})",
    re.IGNORECASE,
)
"""``1 to 3``, ``1..$n``: whole numbers, the last one included."""


def read_for(text: str, rest: str, has_children: bool) -> Meaning:
    """``For each $x in $xs``, ``for x in xs``, ``for $i from 1 to 3``; other sentences with *for* are judgements."""
    head = head_of(rest)
    match = _EACH.fullmatch(head)
    is_each = re.match(r"(?:each|every|all)\b", head, re.IGNORECASE) is not None
    if match is None:
        return _judged_each(text, head, has_children) if is_each else judgement_of(text)
    written = match["variable"].strip("`")
    variable = Variable(written.lstrip("$"), written.startswith("$"), match["type"] or "")
    is_marked = "`" in match["variable"] or "`" in match["items"]
    items, action = _items(match["items"], variable, has_children=has_children, is_marked=is_marked)
    if items is not None:
        return Loop(LoopForm.FOR_EACH, head, variable=variable, items=items, action=action)
    if is_each and (has_children or not _CUT.search(top_level(head))):
        return Loop(LoopForm.FOR_EACH, head, variable=variable)
    return judgement_of(text)


def _judged_each(text: str, head: str, has_children: bool) -> Meaning:
    """``For each unresolved ticket``: which ones there are is a judgement."""
    if has_children or not _CUT.search(top_level(head)):
        return Loop(LoopForm.FOR_EACH, head)
    return judgement_of(text)


def _items(
    words: str, variable: Variable, *, has_children: bool, is_marked: bool
) -> tuple[Expression | None, Action | None]:
    """The list of a loop, and the action on the same line. *is_marked*: back-ticks say that names are names."""
    whole = _list_of(words, variable, is_marked=is_marked)
    if whole is not None or has_children:
        return whole, None
    for start, end in _cuts(words, top_level(words)):
        items = _list_of(words[:start], variable, is_marked=is_marked)
        if items is not None:
            return items, action_of(words[end:])
    return None, None


def _list_of(words: str, variable: Variable, *, is_marked: bool) -> Expression | None:
    """The expression in *words*; a bare word only where it is surely a name (``items``, for ``item``)."""
    words = words.strip().strip("`")
    numbers = _RANGE.fullmatch(words)
    if numbers is not None:
        return with_source(parse_expression(f"range({numbers['first']}, {numbers['last']} + 1)"), words)
    expression = try_expression(words) if could_be_expression(words) else None
    if expression is None or isinstance(expression.tree, ast.Constant):
        return None
    tree = expression.tree
    if is_marked or not isinstance(tree, ast.Name) or is_spelled_as_name(tree.id):
        return expression
    is_plural = tree.id.endswith("s") and tree.id.startswith(variable.name.rstrip("y"))
    return expression if is_plural and not variable.is_state else None


NUMBERS = {
    word: number
    for number, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), start=1)
}
_ROUNDS = r"(?:times?|rounds?|turns?|iterations?|attempts?|tries)"
COUNT_WORDS = rf"(?:(?P<count>\d+|\$[^\s,:]+|{'|'.join(NUMBERS)})\s+{_ROUNDS}|(?P<word>once|twice))"
"""How often: what ``count_of`` reads from a match."""
_COUNT = regex(
    rf"(?:(?P<what>.+?)\s+)??(?:(?:for\s+)?(?:up\s+to|at\s+most|no\s+more\s+than|a\s+maximum\s+of)\s+)?"
    rf"{COUNT_WORDS}\b"
    r"(?:\s*,?\s*(?P<form>until|while|or\s+until)\s+(?P<condition>.+))?(?P<rest>\s*[,:]\s*.+)?",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = regex(r"(?P<form>until|while)\s+(?P<condition>.+)", re.IGNORECASE | re.DOTALL)
_FOREVER = parse_expression("true")


def read_repeat(text: str, rest: str, has_children: bool) -> Meaning:
    """``Repeat 3 times``, ``Repeat up to 5 times``, ``Repeat until …``, ``Repeat``."""
    head = head_of(rest)
    if not rest.strip(" :.") or head.lower() in ("forever", "this", "these", "the following"):
        return Loop(LoopForm.WHILE, text, Condition(text, _FOREVER))
    until = _CONDITION.fullmatch(head)
    if until is not None and "times" not in head:
        form = LoopForm.UNTIL if until["form"].lower() == "until" else LoopForm.WHILE
        return conditional_loop_reader(form)(text, until["condition"], has_children)
    action = action_of(text)
    if isinstance(action, Jump):
        return action
    return read_counted(text, rest, has_children)


def read_counted(text: str, rest: str, has_children: bool) -> Meaning:
    """``3 times`` in one of its forms; *what* is repeated may stand before it."""
    head = head_of(rest)
    match = _COUNT.fullmatch(head)
    count = count_of(match) if match else None
    if match is None or count is None:
        return judgement_of(text)
    what = match["what"] or (match["rest"] or "").lstrip(",: \t")
    is_plain = not what or what.lower() in ("this", "these", "the following", "these steps", "the following steps")
    if not (has_children or is_plain) and match["what"] and match["rest"]:
        return judgement_of(text)
    action = None if has_children or is_plain else action_of(what)
    return Loop(LoopForm.REPEAT, head, _until(match), items=count, action=action)


def read_only_with_children(text: str, rest: str, has_children: bool) -> Meaning | None:
    """``Up to 3 times``, ``Try at most twice``: loops where something stands below them."""
    return read_counted(text, text, has_children) if has_children else None


def count_of(match: re.Match[str]) -> Expression | None:
    """How many rounds."""
    written = match["count"] or match["word"]
    number = {"once": 1, "twice": 2, **NUMBERS}.get(written.lower())
    return try_expression(written) if number is None else with_source(parse_expression(str(number)), written)


def _until(match: re.Match[str]) -> Condition | None:
    """What ends a counted loop early."""
    if match["condition"] is None:
        return None
    condition = condition_of(match["condition"])
    if match["form"].lower() != "while":
        return condition
    return Condition(f"{GOES_ON}{condition.text}", negated(condition.test) if condition.test else None)
