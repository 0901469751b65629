"""The files that come with the program: icons, themes, templates, sample playbooks.

They stand beside the package in a checkout, and inside it in a wheel or a frozen build.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


@cache
def _folder(name: str) -> Path:
    """The folder *name* that belongs to this copy of the program."""
    packed = _PACKAGE / f"_{name}"
    return packed if packed.is_dir() else _PACKAGE.parent / name


def resource_path(name: str) -> Path:
    """The file called *name* (``icons/run.svg``).

    Raises FileNotFoundError: a missing resource is a mistake of ours, not of the world.
    """
    path = _folder("resources") / name
    if not path.exists():
        raise FileNotFoundError(path)
    return path


def resource_text(name: str) -> str:
    """The text of the resource *name*."""
    return resource_path(name).read_text(encoding="utf-8")


def resource_bytes(name: str) -> bytes:
    """The content of the resource *name*."""
    return resource_path(name).read_bytes()


def resource_stems(folder: str, ending: str) -> tuple[str, ...]:
    """The names, without the *ending*, of the resources in *folder* that have it."""
    return tuple(sorted(path.stem for path in resource_path(folder).glob(f"*{ending}")))


def sample_playbooks() -> tuple[Path, ...]:
    """The sample playbooks, by name."""
    return tuple(sorted(_folder("playbooks").glob("*.md")))


def use_case_playbooks() -> tuple[Path, ...]:
    """The samples that show whole tasks of agents and people, by name."""
    return tuple(sorted(_folder("playbooks/use-cases").glob("*.md")))
