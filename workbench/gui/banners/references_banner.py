"""Offers, after an edit, to put right prose that calls steps by numbers they no longer have."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from workbench.editing.change import DocumentChange
from workbench.editing.commands import EditText
from workbench.editing.references import lost_mentions
from workbench.gui.banners.banner_stack import BannerStack, Choice
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Notice, NoticeKind
from workbench.i18n import _

_TOPIC = "references"


class ReferencesBanner(QObject):
    """Shows directly after such an edit, until the next change. Mentions of steps that are gone are only told."""

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
        if not change.reference_fixes and not change.lost_references:
            return
        self._offered = change
        choices = (Choice(_("Update step numbers"), self._update),) if change.reference_fixes else ()
        self._banners.show_banner(_TOPIC, Notice(NoticeKind.INFO, _told(change)), choices)

    @Slot()
    def _withdraw(self) -> None:
        if self._offered is not None:
            self._offered = None
            self._banners.close_banner(_TOPIC)

    def _update(self) -> None:
        """Make the edits as a change of its own; they fit only the text that the edit left."""
        offered = self._offered
        if offered is not None and offered.after.revision == self._context.documents.snapshot.revision:
            label = _("Update step numbers in the text")
            self._context.documents.execute(EditText(offered.reference_fixes, label=label), offered.selection)


def _told(change: DocumentChange) -> str:
    """What is wrong now: first what can be put right, then what cannot."""
    sentences = []
    count = len(change.reference_fixes)
    if count == 1:
        sentences.append(_("One reference points to a step number that has changed."))
    elif count:
        words = _("{count:,} references point to step numbers that have changed.")
        sentences.append(words.format(count=count))
    if change.lost_references:
        sentences.append(lost_mentions(change.lost_references))
    return " ".join(sentences)
