"""Findings about slips of the pen: misspelt keywords, brackets and quotes that never close, items without a space.

What a step says by itself is looked for once, so that after an edit only what is new is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

from workbench.i18n import _
from workbench.model.checks.context import Context, replacement, warning
from workbench.model.meaning import Branch, Judge, Loop, Meaning, Tell, TriggerEvent, actions_of
from workbench.model.program import Playbook, Step
from workbench.model.sentences.actions import action_of
from workbench.model.sentences.classify import classify, classify_trigger, code_in
from workbench.model.sentences.slips import Slip, is_uneven, marked, misspelt, too_many, unclosed
from workbench.model.step_facts import runs_of, step_runs
from workbench.regex import regex
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.expressions import NAME
from workbench.syntax.lines import column
from workbench.syntax.text import Span, split_lines

_PLACEHOLDER = regex(rf"\{{\s*\${NAME}(?:\.{NAME}|\[[^\[\]{{}}]*\])*(?![^{{}}]*\}})")
_GLUED = regex(r"(?P<indent>[ \t]*)(?P<marker>[-+]|\d{1,9}[.)])(?=[^\W\d_]|[$`\"“])")
_OPTION = regex(r"[-+][^\W\d_]{1,3}(?![\w-])\s*")
_NESTED = 2


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
