"""Who judges the runs of a file, and what models may use in them: as the person has chosen, remembered by file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from workbench.disk.files import absolute
from workbench.engine.journal.codec import decoded, encoded, name_of
from workbench.engine.journal.run_events import JudgesChosen
from workbench.engine.judges import Judges, Limits
from workbench.settings import Settings

USUAL = JudgesChosen(Judges(), Limits())
_NAME = name_of(USUAL)


def chosen_judges(settings: Settings, file: Path | None) -> JudgesChosen:
    """What was chosen for *file*; for playbooks without one: what was chosen last for such. A person, where nothing."""
    table = settings.judging.get(_key(file))
    chosen = USUAL if table is None else decoded(_NAME, table)
    return chosen if isinstance(chosen, JudgesChosen) else USUAL


def with_judges(settings: Settings, file: Path | None, chosen: JudgesChosen) -> Settings:
    """*settings* in which *chosen* holds for *file*."""
    others = {name: table for name, table in settings.judging.items() if name != _key(file)}
    new = {} if chosen == USUAL else {_key(file): dict(encoded(chosen))}
    return replace(settings, judging=MappingProxyType({**others, **new}))


def _key(file: Path | None) -> str:
    return "" if file is None else str(absolute(file))
