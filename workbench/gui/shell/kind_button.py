"""The word for what the open file is; its menu says something else of it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.words.values import menu_text, tip
from workbench.i18n import _
from workbench.model.derivers import deriver_of, why
from workbench.model.format import foreign_format
from workbench.model.kinds import FileKind
from workbench.model.snapshot import Snapshot


class KindButton(QToolButton):
    """Says ``Procedure``; by the menu the person chooses how the file is read."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._shown: tuple[FileKind, FileKind | None, str] | None = None
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setMenu(QMenu(self))
        self.menu().aboutToShow.connect(self._fill)
        context.documents.document_opened.connect(self._on_changed)
        context.documents.document_changed.connect(self._on_changed)
        context.actions.register("file.kind", self.open_menu)
        self._on_changed(None)

    def open_menu(self) -> None:
        """Show the menu above the word."""
        menu = self.menu()
        self._fill()
        menu.popup(self.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    @Slot(object)
    def _on_changed(self, _cause: object) -> None:
        """Asked at every key: text is laid out only where it differs."""
        program, deriver = self._context.documents.snapshot.program, self._context.documents.snapshot.deriver
        shown = (program.kind, deriver.wanted, program.foreign)
        if shown != self._shown:
            self._shown = shown
            self.setText(kind_words(self._context.documents.snapshot))
            self._explain()

    def _explain(self) -> None:
        snapshot = self._context.documents.snapshot
        words = why(snapshot.deriver, snapshot.text)
        hint = _("Click to read the file as something else.")
        self.setToolTip(tip(f"{words}\n{hint}"))
        self.setAccessibleName(_("What the file is: {kind}").format(kind=self.text()))
        self.setAccessibleDescription(words)

    def event(self, event: QEvent) -> bool:
        """The reason may be another since the word was shown."""
        if event.type() is QEvent.Type.ToolTip:
            self._explain()
        return super().event(event)

    @Slot()
    def _fill(self) -> None:
        """What the file can be read as, with a mark at how it is read now."""
        menu, wanted = self.menu(), self._context.documents.snapshot.deriver.wanted
        menu.clear()
        group = QActionGroup(menu)
        group.triggered.connect(self._on_chosen)
        found = deriver_of(self._context.documents.snapshot.text).kind
        menu.addAction(_choice(group, _("As its content says: {kind}").format(kind=found), None, wanted))
        menu.addSeparator()
        menu.addActions([_choice(group, capital(str(kind)), kind, wanted) for kind in FileKind])

    @Slot(QAction)
    def _on_chosen(self, action: QAction) -> None:
        kind = action.data()
        if kind is not self._context.documents.snapshot.deriver.wanted:
            self._context.kinds.choose(kind)


def _choice(group: QActionGroup, text: str, kind: FileKind | None, wanted: FileKind | None) -> QAction:
    action = QAction(menu_text(text), group)
    action.setData(kind)
    action.setCheckable(True)
    action.setChecked(kind is wanted)
    return action


def kind_words(snapshot: Snapshot) -> str:
    """What the file of *snapshot* is called: by its format where it is one of another program."""
    kind = snapshot.program.kind
    known = foreign_format(snapshot.text) if kind is FileKind.FOREIGN and snapshot.deriver.wanted is None else None
    return capital(str(known.what) if known else str(kind))


def capital(words: str) -> str:
    """*words* as they begin a line."""
    return words[:1].upper() + words[1:]
