"""Where a link in a file leads: to which file of its project, and never out of it."""

from __future__ import annotations

from pathlib import Path

from workbench.disk.files import is_file, project_folder, read_file, real_path
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.model.links import is_plain_path
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText
from workbench.tools.confinement import is_protected
from workbench.visible import visible


def project_of(file: Path, opened: str = "") -> Path:
    """The folder that links in *file* stay in: its repository, else the *opened* folder that it is in, else its own."""
    found = project_folder(file)
    own = real_path(file).parent
    if found == own and opened:
        folder = real_path(Path(opened))
        return folder if own.is_relative_to(folder) else own
    return found


def place_of(project: Path, file: Path, written: str) -> Path | None:
    """What the path *written* in *file* names, links followed; None where that is not in the folder *project*.

    A path that begins with ``/`` counts from the project, any other from the folder of the file.
    """
    if not is_plain_path(written):
        return None
    root = real_path(project)
    place = real_path(root / written.lstrip("/") if written.startswith("/") else file.parent / written)
    if not place.is_relative_to(root) or is_protected(place.relative_to(root).parts):
        return None
    return place


def linked_file(project: Path, file: Path, written: str) -> Path:
    """The file of the folder *project* that the link to *written* in *file* leads to. Raises CannotRead."""
    place = place_of(project, file, written)
    if place is None:
        message = _("“{name}” leads out of the folder of the project, so it is not read.")
        raise CannotRead(message.format(name=visible(written)))
    if not is_file(place):
        raise CannotRead(_("There is no file “{name}”, which a link leads to.").format(name=visible(written)))
    return place


def linked_snapshot(project: Path, file: Path, written: str) -> Snapshot:
    """What the file means that the link to *written* in *file* leads to, to be run as a call. Raises CannotRead."""
    place = linked_file(project, file, written)
    return derive(SourceText.decode(read_file(place)))
