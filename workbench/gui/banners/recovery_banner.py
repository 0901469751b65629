"""After a crash: offers the unsaved changes of the session that was cut off."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from workbench.gui.banners.banner_stack import BannerStack, Choice
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Notice, NoticeKind
from workbench.i18n import _

_TOPIC = "recovery"


class RecoveryBanner(QObject):
    """Shows while the open document has unsaved changes of an earlier session."""

    def __init__(self, context: WindowContext, banners: BannerStack) -> None:
        super().__init__(banners)
        self._documents = context.documents
        self._banners = banners
        context.documents.document_opened.connect(self._on_document_opened)

    @Slot(object)
    def _on_document_opened(self, _snapshot: object) -> None:
        self._banners.close_banner(_TOPIC)
        recovery = self._documents.document.recovery
        if recovery is None:
            return
        count = len(recovery.pending)
        text = _("Playbook Workbench closed unexpectedly. {count:,} unsaved changes can be restored.")
        choices = (Choice(_("Restore"), self._recover), Choice(_("Discard"), self._discard))
        self._banners.show_banner(_TOPIC, Notice(NoticeKind.WARNING, text.format(count=count)), choices)

    def _recover(self) -> None:
        self._documents.tell(self._documents.document.recover())

    def _discard(self) -> None:
        self._documents.document.discard_recovery()
