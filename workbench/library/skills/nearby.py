"""The skills that a playbook can use: those beside it, in its project, and the person's own."""

from __future__ import annotations

from pathlib import Path

from workbench.disk.files import home_folder, is_folder, project_folder
from workbench.errors import CannotRead
from workbench.library.skills.importing import find_skills, read_skill

PROMOTED = Path(".agents", "skills")
"""Where skills are kept in a project, and in the folder of a person."""
_FOLDERS = (PROMOTED, Path("skills"))


def skills_near(playbook: Path) -> dict[str, tuple[str, ...]]:
    """The tools that each skill allows, by its name; the nearest one where several have it.

    A skill that cannot be read is none.
    """
    found: dict[str, tuple[str, ...]] = {}
    for root in _roots(playbook):
        for path in find_skills(root) if is_folder(root) else ():
            try:
                skill = read_skill(path)
            except CannotRead:
                continue
            found.setdefault(skill.name, skill.allowed)
    return found


def _roots(playbook: Path) -> tuple[Path, ...]:
    near = dict.fromkeys((playbook.parent, project_folder(playbook)))
    return (*(folder / each for folder in near for each in _FOLDERS), home_folder() / PROMOTED)
