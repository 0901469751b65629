"""The tools of the open playbook: those that are built in, of its project, and of servers.

They are listed as a tree by who offers them; those of a server stand below it, once it was asked. Beside the list: the
page of what is selected, a call that waits for leave, or what to do first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QLineEdit,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QTreeWidgetItemIterator,
    QWidget,
)

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
from workbench.gui.look.row_filter import add_clear_button
from workbench.gui.look.theming import GRID_PX, Ink
from workbench.gui.tools.tool_desk import Listing, ServerReport, ServerRow, ToolDesk, ToolRow, safely
from workbench.gui.tools.tool_pages import MockRow, ServerPage, ToolPage
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import _
from workbench.settings import Settings
from workbench.tools.permissions import Rule
from workbench.tools.values import Asking
from workbench.vocabulary import asking_words

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
        add_clear_button(self.search)
        self.search.addAction(icon("search", Ink.MUTED), QLineEdit.ActionPosition.LeadingPosition)
        self.tree = ToolTree(self)
        self.pages = ToolPages(self)
        self.problem = ElidedLabel("", self, role="problem")
        self._work = BackgroundWork(self)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self._stack = QStackedWidget(self)
        self._splitter = QSplitter(Qt.Orientation.Horizontal, self._stack, childrenCollapsible=False)
        left = QWidget(self._splitter)
        self.refresh_button = QToolButton(left)
        self.refresh_button.setIcon(icon("refresh"))
        self.refresh_button.setToolTip(_("Look again"))
        self.refresh_button.setAccessibleName(_("Look again"))
        self.refresh_button.clicked.connect(self.refresh)
        top = in_row(None, (self.search, 1), self.refresh_button, spacing=GRID_PX // 2)
        in_column(left, top, self.problem, (self.tree, 1), margins=GRID_PX, spacing=GRID_PX // 2)
        words = _("Open a playbook: the tools that it can call are listed here.")
        self._nothing = EmptyState("tool", _("No tools yet"), words, self._stack)
        self._splitter.addWidget(left)
        self._splitter.addWidget(self.pages)
        self._splitter.setSizes([_LIST_PX, _PAGE_PX])
        self._stack.addWidget(self._nothing)
        self._stack.addWidget(self._splitter)
        in_column(self, self._stack, margins=0)

    def _connect(self) -> None:
        documents, settings = self._context.documents, self._context.settings
        self._work.done.connect(self._on_listed)
        self.search.textChanged.connect(self._show_list)
        self.tree.chosen.connect(self._on_chosen)
        self.pages.said.connect(self._on_said)
        self.pages.reported.connect(self._on_reported)
        self.pages.allowed.connect(self._on_allowed)
        documents.document_opened.connect(self._on_opened)
        documents.file_state_changed.connect(self._on_changed)
        settings.permissions_changed.connect(self._look_anew)
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
        self._look_anew()

    @Slot(object)
    def _on_changed(self, state: FileState) -> None:
        """Under another name, other permissions hold."""
        if state.path != self._path:
            self._path = state.path
            self._look_anew()

    @Slot(object)
    def _on_listed(self, found: object) -> None:
        self._listing = found if isinstance(found, Listing) else Listing((), (), ())
        self._reports = {each.name: each for each in self._listing.reports}
        problem = " · ".join(self._listing.problems) if isinstance(found, Listing) else str(found or "")
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
            self.pages.show_tool(found, self._desk(), MockRow(found.spec.name, self._context.runs))

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
        rule = Rule(self.pages.page.row.spec.name, asking or Asking.ALWAYS)
        try:
            say(self._context.places.permissions_file, path, rule, is_usual=asking is None)
        except WorkbenchError as error:
            self._context.notices.report(error, Cause.SETTINGS)
            return
        self._context.settings.permissions_changed.emit()

    @Slot()
    def _look_anew(self) -> None:
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

    def show_tool(self, row: ToolRow, desk: ToolDesk, mocking: QWidget) -> None:
        """Show the page of a tool; *desk* is for it alone. *mocking*: as at ``ToolPage``."""
        page = ToolPage(row, desk, self, mocking)
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


_INDENT_PX = 14
_KEY = Qt.ItemDataRole.UserRole


class ToolTree(QTreeWidget):
    """*chosen* carries the name of the tool, or of the server with a ``/`` in front of it, that is selected."""

    chosen = Signal(object)  # str

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setColumnCount(2)
        self.setHeaderHidden(True)  # noqa: FBT003 - Qt's own form
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setAccessibleName(_("Tools"))
        self.setIndentation(_INDENT_PX)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.header().setStretchLastSection(False)
        self.currentItemChanged.connect(self._on_current_changed)
        self.itemActivated.connect(self._on_activated)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Names and permissions share the room: each is cut where there is too little, and none is pushed out."""
        super().resizeEvent(event)
        self.setColumnWidth(0, self.viewport().width() // 2)

    def show_tools(self, listing: Listing, reports: dict[str, ServerReport], words: str) -> None:
        """Show those of *listing* and *reports* in which *words* occur; what is selected stays so."""
        chosen = self.key
        with QSignalBlocker(self):
            self.clear()
            groups: dict[str, list[ToolRow]] = {}
            for row in listing.tools:
                groups.setdefault(row.spec.source, []).append(row)
            for source, rows in groups.items():
                self._add_group(source, "", _fitting(rows, words), "", is_kept=not words)
            for server in listing.servers:
                report = reports.get(server.spec.name)
                rows = list(report.tools) if report is not None else []
                is_kept = words.casefold() in server.spec.name.casefold()
                self._add_group(
                    server.spec.name,
                    f"/{server.spec.name}",
                    _fitting(rows, words),
                    _state(server, report),
                    is_kept=is_kept,
                )
            self.choose(chosen)  # which is shown already

    @property
    def key(self) -> str:
        """What is selected; empty for nothing."""
        item = self.currentItem()
        return str(item.data(0, _KEY) or "") if item is not None else ""

    def choose(self, key: str) -> None:
        """Select what is called *key*, where it is there."""
        items = QTreeWidgetItemIterator(self)
        while key and (item := items.value()) is not None:
            if item.data(0, _KEY) == key:
                self.setCurrentItem(item)
                return
            items += 1

    def _add_group(self, title: str, key: str, rows: Iterable[ToolRow], state: str, *, is_kept: bool) -> None:
        found = list(rows)
        if not found and not is_kept:
            return
        group = QTreeWidgetItem(self, [drawable_line(title), state])
        group.setData(0, _KEY, key)
        group.setIcon(0, icon("link" if key else "workbench", Ink.MUTED))
        group.setToolTip(0, tip(title))
        group.setFirstColumnSpanned(not state)
        for row in found:
            item = QTreeWidgetItem(group, [drawable_line(row.spec.name), asking_words(row.asking)])
            item.setData(0, _KEY, row.spec.name)
            item.setIcon(0, icon("tool", Ink.MUTED))
            item.setToolTip(0, tip(row.spec.description))
            item.setToolTip(1, tip(asking_words(row.asking)))
        group.setExpanded(True)

    @Slot()
    def _on_current_changed(self) -> None:
        self.chosen.emit(self.key)

    @Slot()
    def _on_activated(self) -> None:
        self.chosen.emit(self.key)


def _fitting(rows: Iterable[ToolRow], words: str) -> Iterable[ToolRow]:
    wanted = words.casefold().split()
    texts = ((row, f"{row.spec.name} {row.spec.description} {row.spec.source}".casefold()) for row in rows)
    return (row for row, text in texts if all(word in text for word in wanted))


def _state(server: ServerRow, report: ServerReport | None) -> str:
    """How the server is, in a word or two."""
    if report is None:
        return _("not started") if server.is_allowed else _("not allowed yet")
    if report.difference:
        return _("tools have changed")
    return _("does not work") if report.problem else _("works")
