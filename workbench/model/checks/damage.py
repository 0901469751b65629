"""What the scanner met: things that open and never end, or end too early."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.i18n import _
from workbench.model.checks.context import Context, error, replacement, safe_replacement, warning
from workbench.regex import regex
from workbench.syntax.blocks import Block, Problem
from workbench.syntax.change import TextEdit
from workbench.syntax.diagnostics import Diagnostic, Fix
from workbench.syntax.items import DEEPEST
from workbench.syntax.text import LINE_START, LINE_STOP, Span, line_end

_FENCE = regex(r"[ \t]*(?P<mark>`{3,}|~{3,})")


def check_damage(context: Context) -> Iterator[Diagnostic]:
    """All findings of this kind."""
    document = context.document
    is_nested = False
    for index, block in context.special:
        for problem in block.problems:
            is_nested = is_nested or problem.code == "nested-fence"
            # behind a fence that ended too early, a line that was to end it begins another
            if problem.code and not (is_nested and problem.code == "unclosed-fence" and not block.title):
                yield _finding(context, block, problem, document.block_starts[index])


def _finding(context: Context, block: Block, problem: Problem, start: int) -> Diagnostic:
    span = problem.span.shifted(start)
    code = problem.code
    text = context.document.text
    if code == "nested-too-deep":
        message = _(
            "Steps are nested more than {limit} levels deep here. Deeper steps are read as if they were at this level."
        )
        return warning(code, message.format(limit=DEEPEST), span)
    if code == "nested-fence":
        return _nested(context, block, start, span)
    if code == "unclosed-comment":
        end = start + problem.span.start + len(problem.span.of(block.text).rstrip())
        message = _("This comment is never closed. Only this line is read as a comment. Add -->.")
        return error(code, message, span, safe_replacement(_("Close the comment on this line"), Span(end, end), " -->"))
    if code == "unclosed-fence":
        message = _("This code fence is never closed. Only its first line is read as code. Add a closing fence.")
        at, title = len(text), _("Close the fence at the end of the file")
    else:
        message = _("The file starts with --- like front matter, but no second --- closes it. It is read as a line.")
        at, title = span.end, _("Close the front matter here")
    before = "" if text[:at].endswith(("\n", "\r")) else line_end(text)
    return error(code, message, span, replacement(title, Span(at, at), before + _closing(text, span)))


def _nested(context: Context, block: Block, start: int, span: Span) -> Diagnostic:
    message = _(
        "A fence of the same length starts inside the one on line {outer}, so line {end} ends "
        "the outer fence early. Make the outer fence longer."
    )
    lines = context.document.lines
    outer, end = lines.line(start) + 1, lines.line(start + len(block.text.rstrip())) + 1
    fixes = _longer_fence(context.document.text, block, start)
    return warning("nested-fence", message.format(outer=outer, end=end), span, *fixes)


def _closing(text: str, span: Span) -> str:
    """The line that closes what opens at *span*."""
    opened = _FENCE.match(span.of(text))
    return (opened["mark"] if opened else "---") + line_end(text)


def _longer_fence(text: str, block: Block, start: int) -> tuple[Fix, ...]:
    """Make the outer fence one mark longer, up to the line that was meant to close it."""
    opened = _FENCE.match(block.text)
    if opened is None:
        return ()
    mark = opened["mark"]
    closing = re.compile(rf"{LINE_START}[ \t]*{re.escape(mark)}(?=[ \t]*{LINE_STOP})")
    later = closing.search(text, start + len(block.text))
    if later is None:
        return ()
    ends = (start + opened.end(), later.end())
    edits = tuple(TextEdit(Span(end, end), mark[0]) for end in ends)
    return (Fix(_("Make the outer fence longer"), edits),)
