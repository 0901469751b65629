"""Which words of a step are left to the judgement of a model or a person."""

from __future__ import annotations

from workbench.model.meaning import (
    Branch,
    Condition,
    Judge,
    Loop,
    LoopForm,
    Meaning,
    Return,
    Tell,
    TriggerEvent,
)
from workbench.model.program import Step


def judged_part(step: Step) -> tuple[int, int] | None:
    """The stretch of ``step.text`` (code points, half-open) that is judged; None where all is exact."""
    words = _judged_words(step.meaning)
    if words is None:
        return None
    start = step.text.find(words) if words else -1
    return (start, start + len(words)) if start >= 0 else (0, len(step.text))


def _judged_words(meaning: Meaning) -> str | None:
    """The judged words, empty for all of them, None for none."""
    if isinstance(meaning, Judge):
        return ""
    if isinstance(meaning, Tell):
        return "" if meaning.template is None else None
    if isinstance(meaning, Return):
        return meaning.text if meaning.value is None and meaning.text else None
    if isinstance(meaning, Branch):
        return _of_condition(meaning.condition)
    if isinstance(meaning, TriggerEvent):
        return None if meaning.is_start else _of_condition(meaning.condition) or ""
    if isinstance(meaning, Loop):
        return _of_loop(meaning)
    return None


def _of_condition(condition: Condition | None) -> str | None:
    return condition.text if condition is not None and condition.test is None else None


def _of_loop(loop: Loop) -> str | None:
    if loop.form in {LoopForm.WHILE, LoopForm.UNTIL}:
        return _of_condition(loop.condition)
    return loop.text if loop.items is None else None
