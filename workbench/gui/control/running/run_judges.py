"""Who judges the runs of a file, and what models may use in them: as the person has chosen, remembered by file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from workbench.disk.files import absolute
from workbench.engine.judges import JudgeKind, Judges, Limits
from workbench.i18n import _
from workbench.settings import Settings

if TYPE_CHECKING:
    from workbench.engine.journal.run_events import JudgesChosen

# ruff: noqa: PLC0415 - events are loaded with the first run, or where a person has chosen a judge


def judges_of(settings: Settings, file: Path | None) -> Judges:
    """Who judges in runs of *file*: what was chosen for it, a person where nothing was."""
    return chosen_judges(settings, file).judges if _key(file) in settings.judging else Judges()


def chosen_judges(settings: Settings, file: Path | None) -> JudgesChosen:
    """What was chosen for *file*; for playbooks without one: what was chosen last for such. A person, where nothing."""
    from workbench.engine.journal.codec import decoded, name_of
    from workbench.engine.journal.run_events import JudgesChosen

    usual = JudgesChosen(Judges(), Limits())
    table = settings.judging.get(_key(file))
    chosen = usual if table is None else decoded(name_of(usual), table)
    return chosen if isinstance(chosen, JudgesChosen) else usual


def with_judges(settings: Settings, file: Path | None, chosen: JudgesChosen) -> Settings:
    """*settings* in which *chosen* holds for *file*."""
    from workbench.engine.journal.codec import encoded

    others = {name: table for name, table in settings.judging.items() if name != _key(file)}
    is_usual = (chosen.judges, chosen.limits) == (Judges(), Limits())
    new = {} if is_usual else {_key(file): dict(encoded(chosen))}
    return replace(settings, judging=MappingProxyType({**others, **new}))


def judge_words(kind: JudgeKind, judges: Judges) -> str:
    """Who a judge of *kind* is, in a few words."""
    if kind is JudgeKind.PERSON:
        return _("you")
    if kind is not JudgeKind.MODEL:
        return _("an earlier run, once more")
    together = _("a model proposes, you accept or change") if judges.is_proposing else _("a model")
    name = " / ".join(filter(None, (judges.endpoint, judges.model)))
    return f"{together} ({name})" if name else together


def _key(file: Path | None) -> str:
    return "" if file is None else str(absolute(file))
