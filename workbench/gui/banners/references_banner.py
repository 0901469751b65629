"""Offers, after a move, to put right prose that calls steps by numbers they no longer have."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from workbench.editing.change import DocumentChange
from workbench.editing.commands import EditText
from workbench.gui.banners.banner_stack import BannerStack, Choice
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Notice, NoticeKind
from workbench.i18n import _

_TOPIC = "references"


class ReferencesBanner(QObject):
    """Shows directly after such a move, until the next change."""

    def __init__(self, context: WindowContext, banners: BannerStack) -> None:
        super().__init__(banners)
        self._context = context
        self._banners = banners
        self._offered: DocumentChange | None = None
        context.documents.document_changed.connect(self._on_document_changed)
        context.documents.document_opened.connect(self._withdraw)

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        self._withdraw()
        count = len(change.reference_fixes)
        if not count:
            return
        self._offered = change
        if count == 1:
            text = _("One place calls a step by a number that the move made wrong.")
        else:
            text = _("{count:,} places call steps by numbers that the move made wrong.").format(count=count)
        choices = (Choice(_("Update the numbers"), self._update),)
        self._banners.show_banner(_TOPIC, Notice(NoticeKind.INFO, text), choices)

    @Slot()
    def _withdraw(self) -> None:
        if self._offered is not None:
            self._offered = None
            self._banners.close_banner(_TOPIC)

    def _update(self) -> None:
        """Make the edits as a change of its own; they fit only the text that the move left."""
        offered = self._offered
        if offered is not None and offered.after.revision == self._context.documents.snapshot.revision:
            label = _("Update step numbers in text")
            self._context.documents.execute(EditText(offered.reference_fixes, label=label), offered.selection)
