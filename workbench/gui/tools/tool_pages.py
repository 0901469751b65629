"""Beside the list: the page of what is selected, a call that waits for leave, or what to do first."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QWidget

from workbench.engine.ports import Answer
from workbench.gui.forms.approval_form import ApprovalForm
from workbench.gui.look.empty_state import EmptyState
from workbench.gui.tools.server_page import ServerPage
from workbench.gui.tools.tool_desk import ServerReport, ServerRow, ToolDesk, ToolRow
from workbench.gui.tools.tool_page import ToolPage
from workbench.i18n import _

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
