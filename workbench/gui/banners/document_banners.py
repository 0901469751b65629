"""What is told of the open file without a dialog: changed outside, recovered after a crash, stale numbers."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QGuiApplication

from workbench.editing.change import DocumentChange
from workbench.editing.commands import EditText
from workbench.editing.keeping.storage import DiskState
from workbench.editing.references import lost_mentions
from workbench.gui.banners.banner_stack import BannerStack, Choice
from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import FileState
from workbench.gui.control.notices import Cause, Notice, NoticeKind
from workbench.gui.control.tabs.open_marks import OpenMarks
from workbench.i18n import _, ngettext

_DISK = "disk"
RECOVERY = "recovery"
_UNKEPT = "unkept"
_ELSEWHERE = "elsewhere"
_REFERENCES = "references"
_LEFT_OVER = "left-over"

AGAIN_MS = 5000
"""How long to wait before the disk is asked again for what it refused."""


class DiskBanner(QObject):
    """Shows while document and file went different ways."""

    def __init__(self, context: WindowContext, banners: BannerStack) -> None:
        super().__init__(banners)
        self._context = context
        self._banners = banners
        self._shown: tuple[DiskState, Path | None] = DiskState.SAME, None
        context.documents.file_state_changed.connect(self._on_file_state_changed)

    @Slot(object)
    def _on_file_state_changed(self, state: FileState) -> None:
        if (state.disk, state.path) == self._shown:
            return
        self._shown = state.disk, state.path
        name = state.path.name if state.path else ""
        if state.disk is DiskState.CHANGED:
            text = _("“{name}” was changed by another program, and you have unsaved changes here.")
            choices = (Choice(_("Merge"), self._merge),)
        elif state.disk is DiskState.MISSING:
            text = _("“{name}” is no longer on disk. Your text is kept; save it to create the file again.")
            choices = (Choice(_("Save"), self._context.actions.action("file.save").trigger),)
        elif state.disk is DiskState.UNREADABLE:
            text = _("“{name}” cannot be read at the moment. Your text is kept here.")
            choices = (Choice(_("Save as…"), self._context.actions.action("file.save-as").trigger),)
        else:
            self._banners.close_banner(_DISK)
            return
        self._banners.show_banner(_DISK, Notice(NoticeKind.WARNING, text.format(name=name), Cause.FILE), choices)

    def _merge(self) -> None:
        """Take both sides, and say where they could not be joined."""
        self._context.documents.take_from_disk()
        self._tell_conflicts()

    def _tell_conflicts(self) -> None:
        count = len(self._context.documents.document.conflicts)
        if not count:
            return
        text = ngettext(
            "One place was changed here and on disk. Both versions are in the text; keep one.",
            "{count} places were changed here and on disk. Both versions are in the text; keep one.",
            count,
        )
        self._banners.show_banner("conflicts", Notice(NoticeKind.WARNING, text, Cause.CONFLICTS))


class RecoveryBanner(QObject):
    """Shows while the open document has unsaved changes of an earlier session."""

    def __init__(self, context: WindowContext, banners: BannerStack) -> None:
        super().__init__(banners)
        self._documents = context.documents
        self._banners = banners
        context.documents.document_opened.connect(self._on_document_opened)

    @Slot(object)
    def _on_document_opened(self, _snapshot: object) -> None:
        recovery = self._documents.document.recovery
        if recovery is None:
            return
        text = ngettext(
            "Playbook Workbench closed unexpectedly. {count} unsaved change can be restored.",
            "Playbook Workbench closed unexpectedly. {count} unsaved changes can be restored.",
            len(recovery.pending),
        )
        choices = (Choice(_("Restore"), self._recover), Choice(_("Discard"), self._discard))
        self._banners.show_banner(RECOVERY, Notice(NoticeKind.WARNING, text, Cause.DOCUMENT), choices)

    def _recover(self) -> None:
        self._documents.tell(self._documents.document.recover())

    def _discard(self) -> None:
        self._documents.document.discard_recovery()


class ElsewhereBanner(QObject):
    """Shows above a document whose file is open in another window as well, and leads there."""

    def __init__(self, context: WindowContext, marks: OpenMarks, banners: BannerStack) -> None:
        super().__init__(banners)
        self._tabs = context.tabs
        self._marks = marks
        self._banners = banners
        self._told: Path | None = None
        context.documents.document_opened.connect(self._on_document_opened)
        context.documents.file_state_changed.connect(self._on_file_state_changed)

    @Slot(object)
    def _on_document_opened(self, _snapshot: object) -> None:
        self._told = None

    @Slot(object)
    def _on_file_state_changed(self, state: FileState) -> None:
        """Also a new document that is saved under such a name."""
        tab = self._tabs.shown
        if state.path == self._told or tab is None or state.path is None:
            return
        self._told = state.path
        others = self._marks.elsewhere(tab)
        if not others:
            return
        text = _(
            "“{name}” is also open in another window. What is saved there is taken over here, and asked about where "
            "you have unsaved changes."
        )
        notice = Notice(NoticeKind.WARNING, text.format(name=state.path.name), Cause.DOCUMENT)
        self._banners.show_banner(
            _ELSEWHERE, notice, (Choice(_("Go there"), partial(self._marks.go_there, others[0])),)
        )


class UnkeptBanner(QObject):
    """Shows while the text would not survive a crash, and has that tried again."""

    def __init__(self, context: WindowContext, banners: BannerStack) -> None:
        super().__init__(banners)
        self._context = context
        self._banners = banners
        self._trouble = ""
        self._again = QTimer(self)
        self._again.setInterval(AGAIN_MS)
        self._again.timeout.connect(self._try_again)
        context.documents.file_state_changed.connect(self._on_file_state_changed)

    @Slot(object)
    def _on_file_state_changed(self, state: FileState) -> None:
        if state.trouble == self._trouble:
            return
        self._trouble = state.trouble
        if not state.trouble:
            self._again.stop()
            self._banners.close_banner(_UNKEPT)
            return
        self._again.start()
        text = _("Unsaved changes would not survive a crash: no recovery file can be written ({reason}). Save soon.")
        choices = (Choice(_("Save"), self._context.actions.action("file.save").trigger),)
        notice = Notice(NoticeKind.WARNING, text.format(reason=state.trouble), Cause.FILE)
        self._banners.show_banner(_UNKEPT, notice, choices)

    @Slot()
    def _try_again(self) -> None:
        documents = self._context.documents
        documents.document.try_again()
        documents.refresh_state()


class ReferencesBanner(QObject):
    """Shows directly after such an edit, until the next change. Mentions of steps that are gone are only told."""

    def __init__(self, context: WindowContext, banners: BannerStack) -> None:
        super().__init__(banners)
        self._context = context
        self._banners = banners
        context.documents.document_changed.connect(self._on_document_changed)

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        if not change.reference_fixes and not change.lost_references:
            return
        update = Choice(_("Update step numbers"), partial(self._update, change))
        choices = (update,) if change.reference_fixes else ()
        self._banners.show_banner(_REFERENCES, Notice(NoticeKind.INFO, _told(change), Cause.TEXT), choices)

    def _update(self, offered: DocumentChange) -> None:
        """Make the edits as a change of its own; they fit only the text that the edit left."""
        if offered.after is self._context.documents.snapshot:
            label = _("Update step numbers in the text")
            self._context.documents.execute(EditText(offered.reference_fixes, label=label), offered.selection)


def _told(change: DocumentChange) -> str:
    """What is wrong now: first what can be put right, then what cannot."""
    stale, lost = len(change.reference_fixes), change.lost_references
    words = ngettext(
        "One reference points to a step number that has changed.",
        "{count} references point to step numbers that have changed.",
        stale,
    )
    return " ".join([words] * bool(stale) + [lost_mentions(lost)] * bool(lost))


class LeftOverBanner(QObject):
    """Stays until the words were copied or dismissed, also over another document: they are nowhere else."""

    def __init__(self, context: WindowContext, banners: BannerStack) -> None:
        super().__init__(banners)
        self._banners = banners
        context.documents.fields.left_over.connect(self._on_left_over)

    @Slot(str)
    def _on_left_over(self, words: str) -> None:
        told = _("The step you were writing in could not take your text, or is gone. Your text: {text}")
        copy = Choice(_("Copy text"), partial(QGuiApplication.clipboard().setText, words))
        notice = Notice(NoticeKind.WARNING, told.format(text=words), Cause.PERSON)
        self._banners.show_banner(_LEFT_OVER, notice, (copy,))
