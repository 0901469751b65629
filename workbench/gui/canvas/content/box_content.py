"""Which words of a step are left to the judgement of a model or a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from workbench.engine.outcomes import outcome_labels
from workbench.gui.words.run_words import comment_of
from workbench.gui.words.values import drawable_line
from workbench.i18n import _, ngettext, numeral
from workbench.model.layout.shapes import DETAILS_HEIGHT, LINE_HEIGHT, Box, Rect, Shape
from workbench.model.layout.texts import placed_parts, shown_in_box
from workbench.model.meaning import (
    BY_THEMSELVES,
    Branch,
    Call,
    Condition,
    Judge,
    Jump,
    Loop,
    LoopForm,
    Meaning,
    Return,
    Several,
    StepKind,
    StepListEntry,
    StepListForm,
    Tell,
    TriggerEvent,
    parts_of,
)
from workbench.model.program import Playbook, PlaybookMode, Step
from workbench.model.sentences.calls import PLAN_AND_DO
from workbench.model.showing.texts import PartKind, ShownText, codes_in, text_of
from workbench.model.showing.words import is_source, plain_text, title_of, words_of
from workbench.model.steplists.program import fields_of, has_details
from workbench.syntax.diagnostics import Severity
from workbench.syntax.inline import Stretch, plain_words, stretches_of

_TEXT_LIMIT = 400
_LINE_BREAK = "\u2028"
FOLD_PX = 14.0
HEXAGON_INSET_PX = 16.0
LOW_PX = 48.0
ICON_PX = 16
BADGE_PX = 14
COPY_PX = 14
# where the words of a block begin, right of its icon
TEXT_X = 38.0
_NARROW_PX = 120
_PROBLEM_ICONS = frozenset(severity.value for severity in Severity)


def judged_part(step: Step) -> tuple[int, int] | None:
    """The stretch of the words of *step*, as ``plain_text`` gives them, that is judged (code points, half-open).

    None where all is exact.
    """
    words = _judged_words(step.meaning)
    if words is None:
        return None
    shown = plain_text(step)
    plain = words if is_source(step.meaning) else plain_words(words)
    start = shown.find(plain) if plain else -1
    return (start, start + len(plain)) if start >= 0 else (0, len(shown))


def _judged_words(meaning: Meaning) -> str | None:
    """The judged words, empty for all of them, None for none."""
    if isinstance(meaning, Judge):
        return ""
    if isinstance(meaning, Several):
        return next((part.text for part in meaning.parts if isinstance(part, Tell) and part.template is None), None)
    if isinstance(meaning, Tell):
        return "" if meaning.template is None else None
    if isinstance(meaning, Return):
        return meaning.text if meaning.value is None and meaning.text else None
    if isinstance(meaning, Branch):
        return _of_condition(meaning.condition)
    if isinstance(meaning, TriggerEvent):
        hearing = meaning.hearing
        is_by_rule = meaning.is_start or meaning.timing is not None or (hearing is not None and not hearing.is_judged)
        is_by_rule = is_by_rule or meaning.moment in BY_THEMSELVES
        return None if is_by_rule else _of_condition(meaning.condition) or ""
    if isinstance(meaning, Loop):
        return _of_loop(meaning)
    return None


def _of_condition(condition: Condition | None) -> str | None:
    return condition.text if condition is not None and condition.test is None else None


def _of_loop(loop: Loop) -> str | None:
    if loop.form in {LoopForm.WHILE, LoopForm.UNTIL}:
        return _of_condition(loop.condition)
    return loop.text if loop.items is None else None


@dataclass(frozen=True, slots=True)
class Badge:
    """A small sign at the bottom right of a block. *color*: the name of a theme colour."""

    icon: str
    color: str = "muted"
    label: str = ""


@dataclass(frozen=True, slots=True)
class BoxContent:
    """Everything a picture of a box depends on, apart from theme and zoom. Sizes in pixels at 100 %.

    *words*: the stretches of *text*, empty where all of it looks alike. *judged*: the stretch of it with a dotted
    underline. *differing*: the stretches that another version does not have, and *is_former*: whether that is the
    newer one. *hidden*: steps that a folded box stands for. *markdown*: what is kept as written, drawn as what it is;
    *is_open*: many lines of it; *can_open*: there is more than a few lines show.
    *chips*: in a row at the foot, which takes *foot* pixels. *is_optional*: drawn with a dashed border. *is_ticked*:
    None where the step has no box to tick.
    """

    shape: Shape
    kind: StepKind
    text: str
    width: float
    height: float
    number: str = ""
    subtitle: str = ""
    words: tuple[Stretch, ...] = ()
    judged: tuple[int, int] | None = None
    badges: tuple[Badge, ...] = ()
    hidden: int = 0
    has_children: bool = False
    chips: tuple[str, ...] = ()
    foot: float = 0.0
    is_optional: bool = False
    markdown: str = ""
    is_open: bool = False
    can_open: bool = False
    is_ticked: bool | None = None
    differing: tuple[tuple[int, int], ...] = ()
    is_former: bool = False

    @property
    def shown_text(self) -> ShownText:
        """The parts of *markdown* that are drawn."""
        return shown_in_box(self.markdown, is_open=self.is_open)


def content_of(
    box: Box, number: str, severities: Iterable[Severity] = (), *, waits_for_call: bool = False
) -> BoxContent:
    """What is drawn for *box*; *severities*: of the findings in its words; *waits_for_call*: see ``waits_for_call``."""
    step = box.step
    if box.shape is Shape.CHIP:
        return BoxContent(box.shape, box.kind, stub_words(box), box.rect.width, box.rect.height, hidden=box.hidden)
    if step is not None and box.shape is Shape.RAW:
        return _text_content(box, step, severities)
    is_of_step = step is not None and box.text == step.shown_text
    words = drawable_words(words_of(step)) if step is not None and is_of_step else ()
    return BoxContent(
        shape=box.shape,
        kind=box.kind,
        text="".join([each.text for each in words]) if words else drawable_line(box.text)[:_TEXT_LIMIT],
        words=words if any(not each.is_plain for each in words) else (),
        width=box.rect.width,
        height=drawn_height(box),
        number=number,
        judged=judged_part(step) if step is not None and is_of_step and not waits_for_call else None,
        badges=badges_of(step, severities) if step is not None else (),
        hidden=box.hidden,
        has_children=step is not None and bool(step.children),
        chips=tuple(drawable_line(chip) for chip in chips_of(step)) if box.shape is Shape.BLOCK else (),
        foot=DETAILS_HEIGHT if step is not None and box.shape is Shape.BLOCK and has_details(step) else 0.0,
        is_optional=is_optional(step),
        is_ticked=step.is_ticked if step is not None else None,
    )


def stub_words(box: Box) -> str:
    """What a stub says: how many steps are left out there, or how many playbooks."""
    if box.step is not None:
        return ngettext("{count} step left out", "{count} steps left out", box.hidden)
    return ngettext("{count} more playbook", "{count} more playbooks", box.hidden)


def drawable_words(words: Iterable[Stretch]) -> tuple[Stretch, ...]:
    """*words* as they can be drawn, as many as could ever fit; a line break is one of Qt's."""
    found, room = [], _TEXT_LIMIT
    for each in words:
        text = _LINE_BREAK.join([drawable_line(line) for line in each.text.split("\n")] if each.text else [])
        if text and room > 0:
            found.append(each._replace(text=text[:room]))
            room -= len(text)
    return tuple(found)


def _text_content(box: Box, step: Step, severities: Iterable[Severity]) -> BoxContent:
    """What is drawn for a text among steps."""
    markdown = text_of(step)
    return BoxContent(
        shape=box.shape,
        kind=box.kind,
        text=drawable_line(step.text[:_TEXT_LIMIT]),
        width=box.rect.width,
        height=box.rect.height,
        badges=badges_of(step, severities),
        markdown=markdown,
        is_open=box.is_open,
        can_open=box.is_open or shown_in_box(markdown, is_open=False).is_cut,
    )


def prompt_content(content: BoxContent, text: str) -> BoxContent:
    """*content* of the one box of a prompt, whose *text* is judged as a whole."""
    words = drawable_words(stretches_of(text))
    shown = "".join([each.text for each in words])
    return replace(content, text=shown, words=words, judged=(0, len(shown)))


def title_content(box: Box, playbook: Playbook) -> BoxContent:
    """What is drawn above the start of *playbook*."""
    return BoxContent(
        shape=Shape.TITLE,
        kind=box.kind,
        text=drawable_line(title_of(playbook))[:_TEXT_LIMIT],
        width=box.rect.width,
        height=box.rect.height,
        number=numeral(box.path[0]) if box.path else "",
        subtitle=drawable_line(_subtitle(playbook))[:_TEXT_LIMIT],
    )


def drawn_height(box: Box) -> float:
    """The height of the part of *box* that carries words: all of it, or the header of a container."""
    return box.header_height or box.rect.height


def icon_left(content: BoxContent) -> float:
    """Where the icon starts."""
    return {Shape.DECISION: 24.0, Shape.CHIP: 10.0}.get(content.shape, 14.0)


def icon_rect(content: BoxContent) -> Rect:
    """Where the icon is, relative to the box: beside the first line, or in the middle of what has one line."""
    is_low = content.height < LOW_PX or content.shape is Shape.PILL
    top = (content.height - ICON_PX) / 2 if is_low else 10.0
    top = 6.0 if is_low and fold_rect(content) is not None else top
    return Rect(icon_left(content), top, ICON_PX, ICON_PX)


def tick_rect(content: BoxContent) -> Rect | None:
    """Where the box to tick is, which stands in the place of the icon; None where there is none."""
    return icon_rect(content) if content.is_ticked is not None else None


def fold_rect(content: BoxContent) -> Rect | None:
    """Where the sign that folds and unfolds is, relative to the box; None where there is none."""
    if content.shape is Shape.CHIP or not (content.has_children or content.hidden or content.can_open):
        return None
    left = 24.0 if content.shape is Shape.DECISION else 14.0
    return Rect(left + 1, content.height - FOLD_PX - 6, FOLD_PX, FOLD_PX)


def right_margin(content: BoxContent) -> float:
    """The room that stays free at the right of the words."""
    if content.width < _NARROW_PX:
        return 8.0
    return {Shape.DECISION: 20.0, Shape.NOTE: 18.0, Shape.CHIP: 10.0, Shape.PILL: 18.0}.get(content.shape, 12.0)


def copy_signs(content: BoxContent) -> Iterator[tuple[Rect, str]]:
    """Where each piece of code in a text can be copied, relative to the box, and all of that code."""
    if not content.markdown:
        return
    codes = iter(codes_in(content.markdown))
    for part, top, _height in placed_parts(content.shown_text):
        if part.kind is PartKind.CODE:
            left = content.width - right_margin(content) - COPY_PX
            yield Rect(left, top + (LINE_HEIGHT - COPY_PX) / 2, COPY_PX, COPY_PX), next(codes)


def problem_rect(content: BoxContent) -> Rect | None:
    """Where the sign of the worst finding is, relative to the box; None where there is none."""
    if problem_badge(content) is None:
        return None
    right = content.width - right_margin(content) + 4
    return Rect(right - BADGE_PX, content.height - BADGE_PX - 3, BADGE_PX, BADGE_PX)


def problem_badge(content: BoxContent) -> Badge | None:
    """The sign of the worst finding, which stands at the right of all others."""
    last = content.badges[-1] if content.badges else None
    return last if last is not None and last.icon in _PROBLEM_ICONS else None


def badges_of(step: Step, severities: Iterable[Severity] = ()) -> tuple[Badge, ...]:
    """The signs of *step*, most urgent last (they are drawn from the right)."""
    found: list[Badge] = []
    if step.details or step.is_judged_whole:
        found.append(Badge("source"))
    if comment_of(step):
        found.append(Badge("note"))
    found += signs_of(step)
    meaning = parts_of(step.meaning)[-1]
    if isinstance(meaning, Jump):
        found.append(Badge("jump", "muted", meaning.number or meaning.form.value))
    if isinstance(meaning, Judge):
        found += [Badge("jump", "muted", label) for label in outcome_labels(meaning.outcomes)]
    if isinstance(meaning, Call) and meaning.is_resolved and meaning.target != PLAN_AND_DO:
        found.append(Badge("call", "muted", meaning.target))
    worst = min(severities, key=_URGENCY.index, default=None)
    if worst is not None:
        found.append(Badge(worst.value, worst.value))
    return tuple(found)


def chips_of(step: Step | None) -> tuple[str, ...]:
    """The tools that *step* expects."""
    fields = fields_of(step) if step is not None else None
    return fields.expected_tools if fields is not None else ()


def is_optional(step: Step | None) -> bool:
    """True for a step in a step list that may be skipped."""
    fields = fields_of(step) if step is not None else None
    return fields is not None and not fields.required


def signs_of(step: Step) -> tuple[Badge, ...]:
    """The limits and conditions of *step*."""
    fields = fields_of(step)
    if fields is None:
        return ()
    found: list[Badge] = []
    if isinstance(step.meaning, StepListEntry) and step.meaning.form is StepListForm.APPROVAL:
        found.append(Badge("shield", label=_("approval")))
    if fields.result_keywords or fields.required_probes:
        found.append(Badge("tick"))
    calls = _calls(fields.least_calls, fields.max_tool_calls)
    if calls:
        found.append(Badge("tool", label=calls))
    if fields.timeout_seconds is not None:
        found.append(Badge("clock", label=_("{n} s").format(n=numeral(fields.timeout_seconds, "g"))))
    return tuple(found)


def _calls(least: int, most: int | None) -> str:
    """How many calls a step takes: ``1–3``, ``≥ 1``, ``≤ 3``."""
    if most is None:
        return f"≥ {least}" if least else ""
    if not least:
        return f"≤ {most}"
    return f"{most}" if least == most else f"{least}–{most}"


_URGENCY = (Severity.ERROR, Severity.WARNING, Severity.INFO)


def _subtitle(playbook: Playbook) -> str:
    """Parameters, result and mode of *playbook*, as they are written in a heading."""
    if playbook.is_chapter:
        return "" if playbook.is_carried_out else _("not carried out")
    parameters = ", ".join(("$" if each.is_state else "") + each.name for each in playbook.parameters)
    parts = [f"({parameters})" if parameters else ""]
    parts.append(f"→ {playbook.returns}" if playbook.returns else "")
    parts.append(_MODES[playbook.mode]() if playbook.mode in _MODES else "")
    return "  ".join(part for part in parts if part)


def _react_words() -> str:
    return _("chooses its own steps")


def _raw_words() -> str:
    return _("a single request")


_MODES = {PlaybookMode.REACT: _react_words, PlaybookMode.RAW: _raw_words}
