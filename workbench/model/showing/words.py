"""The words of a step as people read them: prose without the marks of markdown, and what is exact as its source."""

from __future__ import annotations

from workbench.model.meaning import (
    Assign,
    Branch,
    Call,
    Condition,
    Loop,
    Meaning,
    Raw,
    Return,
    Several,
    StepListEntry,
    Tell,
    TriggerEvent,
    Yield,
)
from workbench.model.program import Playbook, Step
from workbench.syntax.inline import Stretch, plain_words, stretches_of


def words_of(step: Step) -> tuple[Stretch, ...]:
    """All that *step* carries out, as it is shown."""
    if is_source(step.meaning):
        text = " ".join(step.shown_text.splitlines())
        return (Stretch(text),) if text else ()
    return stretches_of(step.shown_text)


def plain_text(step: Step) -> str:
    """The same on one line, without looks: for rows, and for what reads aloud."""
    return " ".join(step.shown_text.splitlines()) if is_source(step.meaning) else plain_words(step.shown_text)


def title_of(playbook: Playbook) -> str:
    """What stands above *playbook*: what calls use; the title of a step list, which nothing calls."""
    if playbook.is_chapter:
        return plain_words(playbook.title)
    return playbook.title if playbook.heading is None and playbook.title != "Main" else playbook.name or playbook.title


def is_source(meaning: Meaning) -> bool:
    """True where the words are exact, so that a star may be a product: they are shown as they are written."""
    match meaning:
        case Assign() | Yield() | Raw() | StepListEntry():
            return True
        case Call():
            return not meaning.is_resolved
        case Tell():
            return meaning.template is not None
        case Return():
            return meaning.value is not None
        case Branch():
            return _is_exact(meaning.condition) or (meaning.action is not None and is_source(meaning.action))
        case Loop():
            is_counted = meaning.items is not None or _is_exact(meaning.condition)
            return is_counted or (meaning.action is not None and is_source(meaning.action))
        case TriggerEvent():
            return _is_exact(meaning.condition)
        case Several():
            return any(is_source(part) for part in meaning.parts)
    return False


def _is_exact(condition: Condition | None) -> bool:
    return condition is not None and condition.test is not None
