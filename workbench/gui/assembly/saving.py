"""Writes the assembly of the open playbook to a file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from workbench.editing.commands import Refusal
from workbench.editing.keeping.storage import disk_digest, save
from workbench.gui.control.context import WindowContext
from workbench.i18n import _
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.snapshot import Snapshot

_ENDING = ".pbasm"


def has_assembly(snapshot: Snapshot) -> bool:
    """True for playbooks; step lists and foreign files do not compile."""
    program = snapshot.program
    return bool(program.playbooks) and not program.foreign and not program.format.is_steplist


class AssemblySaving(QObject):
    """Handles *Save assembly as…*."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._parent = parent
        context.actions.register("file.save-assembly", self.ask)

    def ask(self) -> None:
        """Ask for a name and write the assembly there; raises CannotSave."""
        if not has_assembly(self._context.documents.snapshot):
            self._context.notices.refuse(Refusal("no-assembly", _("This file has no playbook to compile.")))
            return
        path = ask_assembly_file(self._parent, self._suggestion())
        if path is not None:
            self.write(path)

    def write(self, path: Path) -> None:
        """Write the assembly to *path*; raises CannotSave."""
        text = compile_assembly(self._context.documents.snapshot).text
        save(path, text.encode("utf-8", "surrogateescape"), disk_digest(path))
        self._context.notices.tell(_("Saved the assembly as “{name}”.").format(name=path.name))

    def _suggestion(self) -> Path:
        current = self._context.documents.document.path
        return current.with_suffix(_ENDING) if current is not None else Path.home() / f"{_('playbook')}{_ENDING}"


def ask_assembly_file(parent: QWidget, suggestion: Path) -> Path | None:
    """The file to write, or None; ``.pbasm`` where no ending was typed."""
    name, _filter = QFileDialog.getSaveFileName(
        parent, _("Export assembly"), str(suggestion), _("Playbook assembly (*.pbasm);;All files (*)")
    )
    if not name:
        return None
    return Path(name) if Path(name).suffix else Path(f"{name}{_ENDING}")
