"""The tools of the open playbook: those that are built in, of its project, and of servers.

Beside the list: the page of what is selected, a call that waits for leave, or what to do first.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QScrollArea, QSplitter, QStackedWidget, QToolButton, QWidget

from workbench.engine.permissions import say
from workbench.engine.ports import Answer
from workbench.errors import WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import FileState
from workbench.gui.control.notices import Cause
from workbench.gui.forms.approval_form import ApprovalForm
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.look.icons import icon
from workbench.gui.look.label import ElidedLabel
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import GRID_PX, Ink
from workbench.gui.tools.server_page import ServerPage
from workbench.gui.tools.tool_desk import Listing, ServerReport, ServerRow, ToolDesk, ToolRow, safely
from workbench.gui.tools.tool_page import ToolPage
from workbench.gui.tools.tool_tree import ToolTree
from workbench.gui.words.values import tip
from workbench.i18n import _
from workbench.settings import Settings
from workbench.tools.permissions import Rule
from workbench.tools.values import Asking

_LIST_PX, _PAGE_PX = 300, 500


class ToolsPanel(QWidget):
    """The list at the left, what is selected beside it. Nothing is looked for while nobody looks."""

    listed = Signal()  # what there is has been found out

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._listing = Listing((), (), ())
        self._reports: dict[str, ServerReport] = {}
        self._path = context.documents.document.path
        self.search = QLineEdit(self, placeholderText=_("Search tools"))
        self.search.setAccessibleName(_("Search tools"))
        self.search.setClearButtonEnabled(True)
        self.search.addAction(icon("search", Ink.MUTED), QLineEdit.ActionPosition.LeadingPosition)
        self.tree = ToolTree(self)
        self.pages = ToolPages(self)
        self.problem = ElidedLabel("", self, role="problem")
        self._work = BackgroundWork(self)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        left = QWidget(self)
        self.refresh_button = QToolButton(left)
        self.refresh_button.setIcon(icon("refresh"))
        self.refresh_button.setToolTip(_("Look again"))
        self.refresh_button.setAccessibleName(_("Look again"))
        self.refresh_button.clicked.connect(self.refresh)
        top = in_row(None, (self.search, 1), self.refresh_button, spacing=GRID_PX // 2)
        in_column(left, top, self.problem, (self.tree, 1), margins=GRID_PX, spacing=GRID_PX // 2)
        words = _("Open a playbook: the tools that it can call are listed here.")
        self._nothing = EmptyState("tool", _("No tools yet"), words, self)
        self._splitter = QSplitter(Qt.Orientation.Horizontal, self, childrenCollapsible=False)
        self._splitter.addWidget(left)
        self._splitter.addWidget(self.pages)
        self._splitter.setSizes([_LIST_PX, _PAGE_PX])
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._nothing)
        self._stack.addWidget(self._splitter)
        in_column(self, self._stack, margins=0)

    def _connect(self) -> None:
        documents = self._context.documents
        self._work.done.connect(self._on_listed)
        self.search.textChanged.connect(self._show_list)
        self.tree.chosen.connect(self._on_chosen)
        self.pages.said.connect(self._on_said)
        self.pages.reported.connect(self._on_reported)
        self.pages.allowed.connect(self._on_allowed)
        documents.document_opened.connect(self._on_opened)
        documents.file_state_changed.connect(self._on_changed)
        application = QCoreApplication.instance()
        assert application is not None
        application.aboutToQuit.connect(self.pages.give_up)

    def showEvent(self, event: QShowEvent) -> None:
        """Somebody looks: find out what there is."""
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Find out again what there is, as soon as somebody looks."""
        is_open = self._context.documents.file_state.is_open
        self._stack.setCurrentWidget(self._splitter if is_open else self._nothing)
        if is_open and self.isVisible():
            self._work.ask(partial(safely, partial(self._desk().listing, tuple(self._reports.values()))))

    def _desk(self) -> ToolDesk:
        """The tools of the document as it is now; each page has its own, which it can give up."""
        documents, context = self._context.documents, self._context
        program = documents.snapshot.program
        return ToolDesk(program, documents.document.path, context.settings.current, context.places)

    @Slot(object)
    def _on_opened(self, _snapshot: object) -> None:
        self._path = self._context.documents.document.path
        self._reports.clear()
        self.pages.leave()
        self.refresh()

    @Slot(object)
    def _on_changed(self, state: FileState) -> None:
        """Under another name, other permissions hold."""
        if state.path != self._path:
            self._path = state.path
            self.pages.leave()
            self.refresh()

    @Slot(object)
    def _on_listed(self, found: object) -> None:
        is_known = isinstance(found, Listing)
        self._listing = found if isinstance(found, Listing) else Listing((), (), ())
        self._reports = {each.name: each for each in self._listing.reports}
        problem = " · ".join(self._listing.problems) if is_known else str(found or "")
        self.problem.setText(problem)
        self.problem.setToolTip(tip(problem))
        self.problem.setVisible(bool(problem))
        self._show_list()
        if self.pages.page is None:
            self._on_chosen(self.tree.key)
        self.listed.emit()

    @Slot()
    def _show_list(self) -> None:
        self.tree.show_tools(self._listing, self._reports, self.search.text())

    @Slot(object)
    def _on_chosen(self, key: str) -> None:
        """Show the page of what is called *key*; what stands on it already stays."""
        found = self._found(key)
        if found is None:
            return
        if isinstance(found, ServerRow):
            self.pages.show_server(found, self._reports.get(found.spec.name), self._desk())
        else:
            self.pages.show_tool(found, self._desk())

    def _found(self, key: str) -> ToolRow | ServerRow | None:
        tools = (*self._listing.tools, *(row for each in self._reports.values() for row in each.tools))
        servers = self._listing.servers
        row = next((each for each in tools if each.spec.name == key), None)
        return row or next((each for each in servers if f"/{each.spec.name}" == key), None)

    @Slot(object)
    def _on_reported(self, report: ServerReport) -> None:
        self._reports[report.name] = report
        self._show_list()

    @Slot(object)
    def _on_allowed(self, row: ServerRow) -> None:
        """Remember that just this server may start, and start it."""
        self._context.settings.change(partial(Settings.with_trust, digest=row.spec.digest))
        self._listing = replace(
            self._listing,
            servers=tuple(replace(each, is_allowed=each.is_allowed or each is row) for each in self._listing.servers),
        )
        self._on_chosen(f"/{row.spec.name}")
        if isinstance(self.pages.page, ServerPage):
            self.pages.page.start()

    @Slot(object)
    def _on_said(self, asking: Asking | None) -> None:
        path = self._context.documents.document.path
        if path is None or not isinstance(self.pages.page, ToolPage):
            return
        name = self.pages.page.row.spec.name
        rule = Rule(name, asking or Asking.ALWAYS)
        try:
            say(self._context.places.permissions_file, path, rule, is_usual=asking is None)
        except WorkbenchError as error:
            self._context.notices.report(error, Cause.SETTINGS)
            return
        self.pages.leave()
        self.refresh()


_EXAMPLE = '{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}}'


class ToolPages(QStackedWidget):
    """One page at a time; whatever goes on for it is given up with it."""

    said = Signal(object)  # Asking | None: as of ``ToolPage``
    reported = Signal(object)  # ServerReport
    allowed = Signal(object)  # ServerRow

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.page: ToolPage | ServerPage | None = None
        words = _(
            "Select a tool to see what it takes, and try it. To add tools of servers, name them beside the "
            "playbook in .mcp.json, for example {example}, or in workbench.toml under [mcp.NAME]."
        )
        self._about = EmptyState("tool", _("Tools"), words.format(example=_EXAMPLE), self)
        self._area = QScrollArea(self)
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.addWidget(self._about)
        self.addWidget(self._area)

    def show_tool(self, row: ToolRow, desk: ToolDesk) -> None:
        """Show the page of a tool; *desk* is for it alone."""
        page = ToolPage(row, desk, self)
        page.said.connect(self.said)
        page.trial.asked.connect(self._on_asked)
        page.trial.came.connect(self._on_came, Qt.ConnectionType.QueuedConnection)
        self._show(page)

    def show_server(self, row: ServerRow, report: ServerReport | None, desk: ToolDesk) -> None:
        """Show the page of a server, with what is known of it; *desk* is for it alone."""
        page = ServerPage(row, report, desk, self)
        page.reported.connect(self.reported)
        page.allowed.connect(self.allowed)
        self._show(page)

    def leave(self) -> None:
        """Show no page, and end what goes on for the one that was shown."""
        self.give_up()
        self.page = None
        page = self._area.takeWidget()
        if page is not None:
            page.deleteLater()
        self.setCurrentWidget(self._about)

    @Slot()
    def give_up(self) -> None:
        """End what goes on for the page."""
        if isinstance(self.page, ToolPage):
            self.page.trial.cancel()
        elif self.page is not None:
            self.page.cancel()

    def _show(self, page: ToolPage | ServerPage) -> None:
        self.leave()
        self.page = page
        self._area.setWidget(page)
        self.setCurrentWidget(self._area)

    @Slot(object)
    def _on_came(self, part: QWidget) -> None:
        """Show what has come into the page, once it has its place."""
        if self.page is not None and self.page.isAncestorOf(part):
            self._area.ensureWidgetVisible(part)
            self._area.horizontalScrollBar().setValue(0)

    @Slot(object)
    def _on_asked(self, form: ApprovalForm) -> None:
        """In the place of the page, with what answers it always in view."""
        self.addWidget(form)
        self.setCurrentWidget(form)
        form.answered.connect(self._on_answered)
        form.take_focus()

    @Slot(object)
    def _on_answered(self, _answer: Answer) -> None:
        self.setCurrentWidget(self._area)
