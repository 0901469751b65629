"""Findings about slips of the pen: misspelt keywords, what is never closed or closed too early, items without a space.

What a step says by itself is looked for once, so that after an edit only what is new is looked at. What the scanner
met, such as a fence without an end, concerns the whole document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

from workbench.i18n import _
from workbench.model.checks.context import Context, error, replacement, safe_replacement, warning
from workbench.model.meaning import Branch, Judge, Loop, Meaning, Tell, TriggerEvent, actions_of
from workbench.model.program import Playbook, Step
from workbench.model.sentences.actions import action_of
from workbench.model.sentences.classify import classify, classify_trigger, code_in
from workbench.model.sentences.slips import Slip, is_uneven, marked, misspelt, too_many, unclosed
from workbench.model.step_facts import runs_of, step_runs
from workbench.regex import regex
from workbench.syntax.blocks import Block, Problem
from workbench.syntax.change import TextEdit
from workbench.syntax.diagnostics import Diagnostic, Fix
from workbench.syntax.expressions import NAME
from workbench.syntax.items import DEEPEST
from workbench.syntax.lines import column
from workbench.syntax.text import LINE_START, LINE_STOP, Span, line_end, split_lines

_PLACEHOLDER = regex(rf"\{{\s*\${NAME}(?:\.{NAME}|\[[^\[\]{{}}]*\])*(?![^{{}}]*\}})")
_GLUED = regex(r"(?P<indent>[ \t]*)(?P<marker>[-+]|\d{1,9}[.)])(?=[^\W\d_]|[$`\"“])")
_OPTION = regex(r"[-+][^\W\d_]{1,3}(?![\w-])\s*")
_NESTED = 2
_FENCE = regex(r"[ \t]*(?P<mark>`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class _Found:
    """A slip in *step*, which counts from *start* in its block."""

    code: str
    step: Step
    start: int
    slip: Slip


def check_slips(context: Context, playbook: Playbook) -> Iterator[Diagnostic]:
    """All findings of this kind in *playbook*."""
    is_program = context.is_language and "$" in context.document.text
    for run in runs_of(playbook.triggers) + step_runs(playbook):
        for found in _in_run(run):
            if found.slip.is_exact or is_program:
                yield _told(context, found)


def _told(context: Context, found: _Found) -> Diagnostic:
    start, slip = context.start_of_step(found.step) + found.start, found.slip
    span = Span(slip.start + start, slip.end + start)
    word = span.of(context.document.text)
    message, title = _words(found.code)
    place = Span(slip.at + start, slip.until + start)
    fix = replacement(title.format(near=slip.insert), place, slip.insert)
    return warning(found.code, message.format(word=word, near=slip.insert), span, fix)


def _words(code: str) -> tuple[str, str]:
    """The message of a finding and the title of its fix."""
    if code == "misspelt-keyword":
        return _("“{word}” is not a keyword. Did you mean {near}?"), _("Change to {near}")
    if code == "missing-space":
        message = _("This line is read as part of the step above, because there is no space after “{word}”.")
        return message, _("Make it a step of its own")
    if code == "marks-in-code":
        message = _("The marks “{word}” stand inside of an expression, so it is left to judgement.")
        return message, _("Remove the marks")
    if code == "bracket-too-many":
        return _("This “{word}” closes nothing, so the step is not read as it is meant."), _("Remove the bracket")
    return _("This “{word}” is never closed, so the step is not read as it is meant."), _("Close it with {near}")


@lru_cache(maxsize=8_192)
def _in_run(run: tuple[Step, ...]) -> tuple[_Found, ...]:
    return tuple([found for root in run for found in _in_root(root)])


@lru_cache(maxsize=65_536)
def _in_root(root: Step) -> tuple[_Found, ...]:
    return tuple([found for step in root.walk() if step.item is not None for found in _in_step(step)])


def _in_step(step: Step) -> Iterator[_Found]:
    assert step.item is not None
    words = step.item.text
    source = words.of(step.block.text)
    # what goes on further down may have been meant as something else
    text = source if source == step.text else step.item.head.of(step.block.text)
    start = words.start
    read = partial(_read, step)
    yield from _misspelt(step, text, start)
    slip = marked(text, read)
    if slip is not None:
        yield _Found("marks-in-code", step, start, slip)
    if is_uneven(text):
        for code, slip in (("never-closed", unclosed(text, read)), ("bracket-too-many", too_many(text, read))):
            if slip is not None:
                yield _Found(code, step, start, slip)
    yield from _open_placeholder(step, text, start)
    if text is not source and ("\n" in source or "\r" in source):
        yield from _glued(step, source, start)


def _read(step: Step, text: str) -> Meaning:
    if isinstance(step.meaning, TriggerEvent):
        return classify_trigger(text)
    return classify(text, bool(step.children))


def _misspelt(step: Step, text: str, start: int) -> Iterator[_Found]:
    """A keyword at the beginning of the step, or of what it does behind its condition."""
    meaning = step.meaning
    slip = misspelt(text, partial(_read, step)) if isinstance(meaning, Judge) else None
    if isinstance(meaning, Branch | Loop) and isinstance(meaning.action, Judge):
        at = text.rfind(meaning.action.text)
        slip = misspelt(meaning.action.text, action_of) if at >= 0 else None
        start += at
    if slip is not None:
        yield _Found("misspelt-keyword", step, start, slip)


def _open_placeholder(step: Step, text: str, start: int) -> Iterator[_Found]:
    """``{$name`` without an end in a text that is told."""
    told = [one.template.source for one in actions_of(step.meaning) if isinstance(one, Tell) and one.template]
    if any("{" in source for source in told):
        match = _PLACEHOLDER.search(text)
        if match is not None:
            opened, end = match.span()
            yield _Found("never-closed", step, start, Slip(opened, opened + 1, end, end, "}"))


def _glued(step: Step, source: str, start: int) -> Iterator[_Found]:
    """Lines that go on with the step and look like an item whose marker sticks to its words."""
    assert step.item is not None
    own = column(step.item.indent)
    at, before = 0, ""
    for line in split_lines(source):
        match = _GLUED.match(line) if before and not before.rstrip().endswith("\\") else None
        if match is not None:
            option = _OPTION.match(line, match.start("marker"))
            is_exact = any(map(_has_code, (line[match.end() :], line[option.end() :] if option else "")))
            if is_exact or (option is None and column(match["indent"]) < own + _NESTED):
                place = at + match.end()
                slip = Slip(at + match.start("marker"), place, place, place, " ", is_exact)
                yield _Found("missing-space", step, start, slip)
        at, before = at + len(line), line


def _has_code(words: str) -> bool:
    meaning = classify(words.strip(), has_children=False)
    return not isinstance(meaning, Judge) and any(code_in(meaning))


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
