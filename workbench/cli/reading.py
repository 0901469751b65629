"""Files as the commands read them: a snapshot, or a reason why there is none."""

from __future__ import annotations

from pathlib import Path

from workbench.editing.storage import load
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot, derive


def read_snapshot(path: Path) -> Snapshot:
    """What the file *path* means.

    Raises CannotRead for what is missing, a folder, too large, or not text.
    """
    loaded = load(path)
    if loaded.is_binary:
        raise CannotRead(_("“{name}” is not a text file, so there is no playbook in it.").format(name=path.name))
    return derive(loaded.source)


def step_at(snapshot: Snapshot, address: str) -> Step:
    """The step with *address* (``Main:02.01``).

    Raises CannotRead, naming the addresses that come nearest, where there is none.
    """
    step = snapshot.at_address(address)
    if step is not None:
        return step
    names = ", ".join(playbook.name for playbook in snapshot.program.playbooks)
    if not names:
        raise CannotRead(_("There is no step “{address}”: the file has no playbook.").format(address=address))
    message = _("There is no step “{address}”. Steps are written like Main:02.01; playbooks here: {names}.")
    raise CannotRead(message.format(address=address, names=names))
