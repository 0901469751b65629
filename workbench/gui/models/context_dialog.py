"""What models were sent in a run: each request word for word, and how large its parts are."""

from __future__ import annotations

import json
from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListWidget, QPlainTextEdit, QWidget

from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.model_events import ModelAsked
from workbench.engine.judging.sent import kept_request
from workbench.errors import StoreFailed
from workbench.gui.control.running.run_host import RunHost
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row, resize_on_screen
from workbench.gui.look.theming import current_theme
from workbench.gui.words.run_words import number_of
from workbench.gui.words.values import drawable, drawable_line
from workbench.i18n import _, ngettext, numeral
from workbench.providers.values import Message, ModelRequest


class ContextDialog(QDialog):
    """Lists the requests of the run of *events*, and shows the chosen one."""

    def __init__(self, host: RunHost, events: Sequence[RunEvent], parent: QWidget) -> None:
        super().__init__(parent)
        self._host = host
        self._asked = [(event.step, event.payload) for event in events if isinstance(event.payload, ModelAsked)]
        self.setWindowTitle(_("What models were sent"))
        self.list = QListWidget(self)
        self.list.setAccessibleName(_("Requests"))
        self.parts = Label(parent=self, role="secondary", wraps=True)
        self.text = QPlainTextEdit(self, readOnly=True, tabChangesFocus=True)
        self.text.setProperty("role", "mono")
        self.text.setAccessibleName(_("The request"))
        self._arrange()
        self.list.currentRowChanged.connect(self._on_chosen)
        self.list.addItems([_row(number, *each) for number, each in enumerate(self._asked, start=1)])
        self.list.setCurrentRow(len(self._asked) - 1)
        if not self._asked:
            self.parts.setText(_("No model has been asked in this run."))
        resize_on_screen(self, 900, 640)

    def _arrange(self) -> None:
        self.list.setFixedWidth(current_theme().px(230))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        right = in_column(None, self.parts, (self.text, 1), spacing=8)
        in_column(self, (in_row(None, self.list, (right, 1), spacing=12), 1), buttons, margins=16, spacing=10)

    @Slot(int)
    def _on_chosen(self, row: int) -> None:
        if row < 0:
            return
        asked = self._asked[row][1]
        sizes = [f"{part}: {numeral(tokens)}" for part, tokens in asked.tokens.items()]
        about = _("Tokens, estimated: {total} ({parts})")
        self.parts.setText(about.format(total=numeral(_total(asked)), parts=", ".join(sizes)))
        try:
            self.text.setPlainText(drawable(request_text(kept_request(self._host.journal, asked.context))))
        except StoreFailed as error:
            self.text.setPlainText(str(error))


def _row(number: int, step: str, asked: ModelAsked) -> str:
    tokens = ngettext("{count} token", "{count} tokens", _total(asked))
    return drawable_line(f"{number} · {number_of(step) or step} · {tokens}")


def _total(asked: ModelAsked) -> int:
    return sum(asked.tokens.values())


def request_text(request: ModelRequest) -> str:
    """*request* as one text, part after part."""
    parts = [f"── system\n{request.system}", *map(_message_text, request.messages)]
    parts += [f"── tool {tool.name}\n{tool.description}\n{_as_json(tool.schema)}" for tool in request.tools]
    if request.schema is not None:
        parts.append(f"── schema\n{_as_json(request.schema)}")
    return "\n\n".join(parts)


def _message_text(message: Message) -> str:
    wishes = [f"{wish.name}({wish.written or _as_json(dict(wish.arguments or {}))})" for wish in message.wishes]
    return "\n".join((f"── {message.role.value}", message.text, *wishes))


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
