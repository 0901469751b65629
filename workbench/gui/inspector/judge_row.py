"""Who will judge a step in the next run."""

from __future__ import annotations

from workbench.engine.judges import JudgeKind, Judges
from workbench.engine.judging.choosing import who_judges
from workbench.gui.control.context import WindowContext
from workbench.gui.inspector.step_rows import BY_JUDGEMENT, Row
from workbench.i18n import _
from workbench.model.program import Step


def with_judge(rows: tuple[Row, ...], step: Step, context: WindowContext) -> tuple[Row, ...]:
    """*rows* about *step*, in which the one that says who decides it says who that is."""
    label, words = str(BY_JUDGEMENT[0]), _judge_words(step, context)
    return tuple((label, words) if name == label and words else (name, value) for name, value in rows)


def _judge_words(step: Step, context: WindowContext) -> str:
    judges = _judges(context)
    match who_judges(context.documents.snapshot, step, judges):
        case None:
            return ""
        case JudgeKind.PERSON:
            return _("you")
        case JudgeKind.MODEL:
            together = _("a model proposes, you accept or change") if judges.is_proposing else _("a model")
            name = " / ".join(filter(None, (judges.endpoint, judges.model)))
            return f"{together} ({name})" if name else together
        case _:
            return _("an earlier run, once more")


def _judges(context: WindowContext) -> Judges:
    settings = context.settings.current
    if not settings.judging:  # what reads them loads much of the engine
        return Judges()
    from workbench.gui.control.running.run_judges import chosen_judges  # noqa: PLC0415 - see above

    return chosen_judges(settings, context.documents.file_state.path).judges
