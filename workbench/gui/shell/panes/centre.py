"""The middle of the window: the welcome page, or flowchart and source side by side."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, Qt, Slot
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from workbench.gui.canvas.canvas_panel import CanvasPanel
from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import FileState
from workbench.gui.files.welcome_page import WelcomePage
from workbench.gui.shell.panes.pane_title import TitledPane
from workbench.gui.source.breadcrumbs import Breadcrumbs
from workbench.gui.source.source_panel import SourcePanel
from workbench.gui.words.run_words import chapter_words
from workbench.gui.words.values import tip
from workbench.i18n import _
from workbench.model.snapshot import Snapshot


class CentreView(QStackedWidget):
    """Shows the document while there is one, else the welcome page."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._documents = context.documents
        self.welcome = WelcomePage(context, self)
        self._splitter = QSplitter(Qt.Orientation.Horizontal, self, childrenCollapsible=False)
        left = TitledPane("flowchart", _("Flowchart"), self._splitter)
        right = TitledPane("source", _("Source"), self._splitter)
        self.canvas = CanvasPanel(context, left)
        self.source = SourcePanel(context, right)
        left.hold(self.canvas)
        right.hold(self.source, Breadcrumbs(context, right))
        self._panes = left, right
        for pane in self._panes:
            pane.maximise_requested.connect(self._on_maximise_requested)
            self._splitter.addWidget(pane)
        self.addWidget(self.welcome)
        self.addWidget(self._splitter)
        self.share_equally()
        self.welcome.back_requested.connect(self.show_document)
        context.documents.file_state_changed.connect(self._on_file_state_changed)
        context.documents.document_opened.connect(self._on_document_opened)
        context.documents.views.add("focus", FocusOfTab(self))
        context.documents.document_opened.connect(self._on_chapters_changed)
        context.documents.document_changed.connect(self._on_chapters_changed)

    def show_welcome(self) -> None:
        """Show the welcome page, whatever is open."""
        self.setCurrentWidget(self.welcome)

    def show_document(self) -> None:
        """Show flowchart and source."""
        self.setCurrentWidget(self._splitter)

    def share_equally(self) -> None:
        """Show both panes, the flowchart a little wider."""
        for pane in self._panes:
            pane.show()
            pane.show_shared()
        self._splitter.setSizes([560, 440])

    def maximise(self, pane: TitledPane) -> None:
        """Give *pane* all the room."""
        for each in self._panes:
            each.setVisible(each is pane)
        pane.show_maximised()
        pane.content.setFocus()

    def maximise_canvas(self) -> None:
        """Give the flowchart all the room."""
        self.maximise(self._panes[0])

    def maximise_source(self) -> None:
        """Give the source all the room."""
        self.maximise(self._panes[1])

    @property
    def flowchart_detail(self) -> str:
        """What is said beside the name of the flowchart."""
        return self._panes[0].title.detail.text()

    @Slot(object)
    def _on_chapters_changed(self, _cause: object) -> None:
        """Say beside the name of the flowchart what of it a run goes through."""
        words = chapter_words(self._documents.snapshot.program)
        detail = self._panes[0].title.detail
        if words != detail.text():
            detail.setText(words)
            detail.setToolTip(tip(words))

    def layout_state(self) -> bytes:
        """Where the border between the panes is."""
        return bytes(self._splitter.saveState().data())

    def restore_layout(self, state: bytes) -> None:
        """Put the border where it was."""
        self._splitter.restoreState(QByteArray(state))

    @Slot(object)
    def _on_maximise_requested(self, pane: TitledPane) -> None:
        if all(each.isVisible() for each in self._panes):
            self.maximise(pane)
        else:
            self._give_back()

    def _give_back(self) -> None:
        """Show both panes where their border was before one took all."""
        for each in self._panes:
            each.show()
            each.show_shared()

    @Slot(object)
    def _on_document_opened(self, snapshot: Snapshot) -> None:
        """Show it, with the focus where one can begin."""
        if self._documents.file_state.is_open:
            self.show_document()
            (self.source if snapshot.program.foreign else self.canvas).setFocus()

    @Slot(object)
    def _on_file_state_changed(self, state: FileState) -> None:
        """Nothing is open any more."""
        if not state.is_open:
            self.show_welcome()


class FocusOfTab:
    """Which half of a document has the focus, while another one is shown."""

    def __init__(self, centre: CentreView) -> None:
        self._centre = centre

    def put_away(self) -> bool:
        """Whether the source has it."""
        return self._centre.source.editor.hasFocus()

    def bring_back(self, view: bool) -> None:  # noqa: FBT001 - it is what was put away
        """Give it to what had it when the document was shown last."""
        (self._centre.source if view else self._centre.canvas).setFocus()
