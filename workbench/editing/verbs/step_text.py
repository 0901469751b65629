"""The words of a step, and edits of the source as somebody typed them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workbench.editing.commands import EditText, Refusal, SetStepText
from workbench.editing.edit_plan import Draft, EditPlan
from workbench.editing.geometry.heading_steps import title_like
from workbench.editing.geometry.headings import is_title, retitle
from workbench.editing.geometry.siblings import line_end_of
from workbench.editing.geometry.style import ItemStyle, style_of
from workbench.editing.refusals import no_words, refuse_steps
from workbench.i18n import _
from workbench.model.meaning import StepKind
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.syntax.blocks import BlockKind
from workbench.syntax.change import TextChange, smallest_change
from workbench.syntax.lines import COMMENT, LINE, title_span
from workbench.syntax.text import Span, split_lines

_SPACE = " \t\r\n"
_AROUND_COMMENT = regex(r"[ \t]*<!--.*?-->[ \t]*", re.DOTALL)
_LINE_BREAKS = regex(r"[ \t]*(?:(?:\r\n|\r|\n)[ \t]*)+")


def refuse_text(snapshot: Snapshot, command: SetStepText) -> Refusal | None:
    """Why the words cannot be changed."""
    refusal = refuse_steps(snapshot, (command.step,))
    if refusal:
        return refusal
    if not command.text.strip():
        return no_words()
    step = snapshot.step(command.step)
    if step.item is not None:
        return refuse_words(command.text)
    return _refuse_title(step, command.text.strip()) if _is_titled(step) else None


def _is_titled(step: Step) -> bool:
    """True for a heading that is a step: its words are its title."""
    return step.block.kind is BlockKind.HEADING and step.kind is not StepKind.RAW


def _refuse_title(step: Step, title: str) -> Refusal | None:
    if title_span(step.block) is None:
        return Refusal("title-with-comment", _("There is a comment inside this heading. Change it in the source."))
    return None if is_title(step.block, title) else Refusal("no-title", _("This text cannot be a heading."))


def refuse_words(text: str) -> Refusal | None:
    """Why *text* cannot be the words of one step."""
    if "<!--" in COMMENT.sub("", text):
        return Refusal("open-comment", _("A comment starts here and is never closed."))
    lines = [LINE.match(line) for line in split_lines(text.strip(_SPACE))[1:]]
    if any(line and line.lastgroup != "indent" for line in lines):
        message = _(
            "A continuation line of a step cannot be empty, nor start like a list item, heading, fence or comment."
        )
        return Refusal("splits-step", message)
    return None


def plan_text(snapshot: Snapshot, command: SetStepText) -> EditPlan:
    """The smallest edits that make the words of the step read as asked."""
    step = snapshot.step(command.step)
    draft = Draft(snapshot.text)
    if step.item is None:
        _rewrite_raw(draft, snapshot, step, command.text)
    else:
        rewrite_words(draft, snapshot, step, command.text)
    return draft.finish(_("Edit step"))


def _rewrite_raw(draft: Draft, snapshot: Snapshot, step: Step, text: str) -> None:
    title = title_span(step.block) if _is_titled(step) else None
    if title is not None:
        # without its number it could be a step no more
        retitle(draft, step.block, snapshot.block_start(step.id), title, title_like(step.block, text.strip()))
        return
    span = snapshot.text_span(step.id)
    if step.kind is not StepKind.RAW:
        source = span.of(snapshot.text)
        lead = len(source) - len(source.lstrip())
        place = Span(span.start + lead, span.start + len(source.rstrip()))
        _rewrite(
            draft,
            place,
            title_like(step.block, text.strip()),
            (line_end_of(snapshot, span.start), None),
        )
        return
    body = span.of(snapshot.text).rstrip()
    lead = len(body) - len(body.lstrip())
    wanted = _with_line_ends(text, line_end_of(snapshot, span.start), "")
    draft.replace(Span(span.start + lead, span.start + len(body)), wanted)


def rewrite_words(draft: Draft, snapshot: Snapshot, step: Step, text: str) -> None:
    """Add to *draft* what turns the words of *step* into *text*, around its comments."""
    item = step.item
    assert item is not None
    style = style_of(snapshot, step)
    place = item.text.shifted(snapshot.block_start(step.id))
    end = line_end_of(snapshot, place.start)
    if any(fence.start == item.text.end for fence in item.fences):
        draft.replace(place, f"{_with_line_ends(text, end, style.continuation)}{end}{style.continuation}")
    else:
        _rewrite(draft, place, text, (end, style))


def _rewrite(draft: Draft, place: Span, text: str, look: tuple[str, ItemStyle | None]) -> None:
    """Add to *draft* what turns the words at *place* into *text*; *look*: the line end, and the style of an item."""
    (end, style), base = look, place.start
    words = _Words.of(place.of(draft.text))
    wanted = _with_line_ends(text, end, style.continuation if style else "")
    for edit in smallest_change(words.text, wanted).edits:
        sources = [index for place in range(edit.span.start, edit.span.end) for index in words.letters[place].sources]
        at = sources[0] if sources else words.offset(edit.span.start)
        spacing = style.spacing if style and not words.text and not draft.text[base - 1].isspace() else ""
        runs = _runs(sources) or [Span(at, at)]
        draft.replace(runs[0].shifted(base), spacing + edit.insert)
        for run in runs[1:]:
            draft.replace(run.shifted(base), "")


def _with_line_ends(text: str, end: str, indent: str) -> str:
    first, *more = [line.rstrip("\r\n") for line in split_lines(text.strip(_SPACE))] or [""]
    return end.join([first.rstrip(_SPACE), *(indent + line.strip(_SPACE) if indent else line for line in more)])


def _runs(indices: list[int]) -> list[Span]:
    """*indices* as stretches without holes."""
    runs: list[Span] = []
    for index in indices:
        if runs and runs[-1].end == index:
            runs[-1] = Span(runs[-1].start, index + 1)
        else:
            runs.append(Span(index, index + 1))
    return runs


@dataclass(frozen=True, slots=True)
class _Letter:
    """A character that a person reads. *sources*: where it comes from; *end*: where its stretch of source ends."""

    text: str
    sources: tuple[int, ...]
    end: int


@dataclass(frozen=True, slots=True)
class _Words:
    """What a person reads of a stretch of source, character by character."""

    letters: tuple[_Letter, ...]

    @classmethod
    def of(cls, source: str) -> _Words:
        """The words of *source*: a comment or a line break, with the blanks around it, is read as one blank."""
        letters = [_Letter(char, (index,), index + 1) for index, char in enumerate(source)]
        if "<!--" in source:
            letters = _stripped(_folded(letters, _AROUND_COMMENT, COMMENT))
        return cls(tuple(_folded(letters, _LINE_BREAKS, None)))

    @property
    def text(self) -> str:
        """The words."""
        return "".join(letter.text for letter in self.letters)

    def offset(self, place: int) -> int:
        """Where in the source to insert before the character *place*: right after the one before it."""
        if place:
            return self.letters[place - 1].end
        return self.letters[0].sources[0] if self.letters and self.letters[0].sources else 0


def _folded(letters: list[_Letter], pattern: re.Pattern[str], kept: re.Pattern[str] | None) -> list[_Letter]:
    """*letters* with each match of *pattern* as one blank; what *kept* matches in it is not part of the blank."""
    text = "".join(letter.text for letter in letters)
    result: list[_Letter] = []
    done = 0
    for match in pattern.finditer(text):
        result += letters[done : match.start()]
        hidden = kept.search(text, match.start()) if kept else None
        inside = [
            index
            for at in range(*match.span())
            if hidden is None or not hidden.start() <= at < hidden.end()
            for index in letters[at].sources
        ]
        result.append(_Letter(" ", tuple(inside), letters[match.end() - 1].end))
        done = match.end()
    return result + letters[done:]


def _stripped(letters: list[_Letter]) -> list[_Letter]:
    """*letters* without blanks at both ends."""
    text = "".join(letter.text for letter in letters)
    start = len(text) - len(text.lstrip())
    return letters[start : max(start, len(text.rstrip()))]


def refuse_typing(snapshot: Snapshot, command: EditText) -> Refusal | None:
    """Why the edits do not fit the text."""
    ordered = sorted(command.edits, key=lambda edit: (edit.span.start, edit.span.end))
    ends = [0, *(edit.span.end for edit in ordered)]
    if any(edit.span.start < end for edit, end in zip(ordered, ends, strict=False)) or ends[-1] > len(snapshot.text):
        return Refusal("other-text", _("The text has changed in the meantime."))
    return None


def plan_typing(snapshot: Snapshot, command: EditText) -> EditPlan:
    """The edits, without those that change nothing."""
    edits = tuple(edit for edit in command.edits if edit.insert != edit.span.of(snapshot.text))
    return EditPlan(TextChange(edits), command.label or _("Typing"))
