"""Who will judge a step in the next run."""

from __future__ import annotations

from workbench.engine.judging.choosing import who_judges
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_judges import judge_words, judges_of
from workbench.gui.inspector.step_rows import BY_JUDGEMENT, Row
from workbench.model.program import Step


def with_judge(rows: tuple[Row, ...], step: Step, context: WindowContext) -> tuple[Row, ...]:
    """*rows* about *step*, in which the one that says who decides it says who that is."""
    judges = judges_of(context.settings.current, context.documents.file_state.path)
    kind = who_judges(context.documents.snapshot, step, judges)
    if kind is None:
        return rows
    label, words = str(BY_JUDGEMENT[0]), judge_words(kind, judges)
    return tuple((name, words if name == label else value) for name, value in rows)
