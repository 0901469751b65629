"""Tells, without a dialog, that the open file changed or vanished outside, and offers what to do."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from workbench.editing.keeping.storage import DiskState
from workbench.gui.banners.banner_stack import BannerStack, Choice
from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import FileState
from workbench.gui.control.notices import Notice, NoticeKind
from workbench.i18n import _

_TOPIC = "disk"


class DiskBanner(QObject):
    """Shows while document and file went different ways."""

    def __init__(self, context: WindowContext, banners: BannerStack) -> None:
        super().__init__(banners)
        self._context = context
        self._banners = banners
        self._shown = DiskState.SAME
        context.documents.file_state_changed.connect(self._on_file_state_changed)

    @Slot(object)
    def _on_file_state_changed(self, state: FileState) -> None:
        if state.disk is self._shown:
            return
        self._shown = state.disk
        name = state.path.name if state.path else ""
        if state.disk is DiskState.CHANGED:
            text = _("“{name}” was changed by another program, and you have unsaved changes here.")
            choices = (Choice(_("Merge"), self._merge),)
        elif state.disk is DiskState.MISSING:
            text = _("“{name}” is no longer on disk. Your text is kept; save it to create the file again.")
            choices = (Choice(_("Save"), self._context.actions.action("file.save").trigger),)
        else:
            self._banners.close_banner(_TOPIC)
            return
        self._banners.show_banner(_TOPIC, Notice(NoticeKind.WARNING, text.format(name=name)), choices)

    def _merge(self) -> None:
        """Take both sides, and say where they could not be joined."""
        self._context.documents.take_from_disk()
        self._tell_conflicts()

    def _tell_conflicts(self) -> None:
        count = len(self._context.documents.document.conflicts)
        if not count:
            return
        where = _("One place was") if count == 1 else _("{count:,} places were").format(count=count)
        text = _("{where} changed here and on disk. Both versions are in the text; keep one.")
        self._banners.show_banner("conflicts", Notice(NoticeKind.WARNING, text.format(where=where)))
