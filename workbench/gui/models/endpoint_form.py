"""The fields of one model endpoint: how it is reached, where its key is, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QFileDialog, QFormLayout, QLineEdit, QPushButton, QWidget

from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_row
from workbench.gui.words.widget_text import rewritten, shown
from workbench.i18n import N_, _
from workbench.providers.endpoints import Endpoint, ModelFacts, WireProtocol, read_endpoint
from workbench.providers.keys import checked_key

_LEAST_LETTERS = 14
_PROTOCOLS = (
    (WireProtocol.OPENAI, N_("Chat completions (OpenAI and compatible)")),
    (WireProtocol.ANTHROPIC, N_("Messages (Anthropic)")),
    (WireProtocol.LOCAL, N_("A GGUF file on this computer")),
)
_NONE, _ENVIRONMENT, _KEYRING, _ASK = "", "env", "keyring", "ask"
_PLACES = (
    (_NONE, N_("It needs no key")),
    (_ENVIRONMENT, N_("In an environment variable")),
    (_KEYRING, N_("In the system keyring")),
    (_ASK, N_("Entered each time")),
)


@dataclass(frozen=True, slots=True)
class Described:
    """What the form says. *key*: that was typed now, empty for none."""

    endpoint: Endpoint
    key: str


class EndpointForm(QWidget):
    """Shows an endpoint, and says what its fields describe."""

    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name, self.url, self.model = QLineEdit(self), QLineEdit(self), QLineEdit(self)
        self.protocol, self.place = QComboBox(self), QComboBox(self)
        for choice in (self.protocol, self.place):
            choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            choice.setMinimumContentsLength(_LEAST_LETTERS)
        self.file, self.browse = QLineEdit(self), QPushButton(_("Browse…"), self)
        self.variable, self.key = QLineEdit(self), QLineEdit(self, echoMode=QLineEdit.EchoMode.Password)
        self.input_usd, self.output_usd = QLineEdit(self), QLineEdit(self)
        self.context, self.per_minute = QLineEdit(self), QLineEdit(self)
        self._shown = Endpoint("", WireProtocol.OPENAI)
        self._form = QFormLayout(self, fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._fill()
        self._arrange()
        self._connect()

    def _fill(self) -> None:
        for protocol, words in _PROTOCOLS:
            self.protocol.addItem(str(words), protocol)
        for place, words in _PLACES:
            self.place.addItem(str(words), place)
        self.url.setPlaceholderText("https://models.example.org/v1")
        self.variable.setPlaceholderText("MODEL_KEY")
        self.key.setPlaceholderText(_("unchanged"))
        self.context.setPlaceholderText(_("unknown"))
        self.per_minute.setPlaceholderText(_("no limit"))

    def _arrange(self) -> None:
        self.file_row = QWidget(self)
        in_row(self.file_row, (self.file, 1), self.browse, margins=0)
        prices = QWidget(self)
        written, read = Label(_("written"), self), Label(_("read,"), self)
        in_row(prices, (self.input_usd, 1), read, (self.output_usd, 1), written, margins=0)
        rows: tuple[tuple[str, QWidget], ...] = (
            (_("&Name"), self.name),
            (_("&Kind"), self.protocol),
            (_("&Address"), self.url),
            (_("&File"), self.file_row),
            (_("K&ey"), self.place),
            (_("&Variable"), self.variable),
            (_("Ne&w key"), self.key),
            (_("&Model"), self.model),
            (_("&Dollars per million tokens"), prices),
            (_("&Tokens it can read"), self.context),
            (_("&Requests per minute"), self.per_minute),
        )
        for label, field in rows:
            self._form.addRow(label, field)
        self.input_usd.setAccessibleName(_("Dollars per million tokens read"))
        self.output_usd.setAccessibleName(_("Dollars per million tokens written"))
        self._show_rows()

    def _connect(self) -> None:
        for line in self.findChildren(QLineEdit):
            line.textEdited.connect(self._on_edited)
        for choice in (self.protocol, self.place):
            choice.activated.connect(self._on_edited)
        self.browse.clicked.connect(self._on_browse)

    def show_endpoint(self, endpoint: Endpoint) -> None:
        """Show *endpoint*; that of a project can be read and not changed."""
        self._shown = endpoint
        facts = endpoint.facts(endpoint.model)
        place, _colon, name = endpoint.key.partition(":")
        for line, text in (
            (self.name, endpoint.name),
            (self.url, endpoint.url),
            (self.file, endpoint.file),
            (self.model, endpoint.model),
            (self.variable, name if place == _ENVIRONMENT else ""),
            (self.key, ""),
            (self.input_usd, _price(facts.input_usd)),
            (self.output_usd, _price(facts.output_usd)),
            (self.context, str(endpoint.context_tokens or "")),
            (self.per_minute, str(endpoint.requests_per_minute or "")),
        ):
            line.setText(shown(text))
        self.protocol.setCurrentIndex(self.protocol.findData(endpoint.protocol))
        self.place.setCurrentIndex(self.place.findData(place))
        self.setEnabled(not endpoint.origin)
        self._show_rows()

    def described(self) -> Described:
        """What the fields say. Raises ValueError with what is wrong."""
        name, place = self.name.text().strip(), self.place.currentData()
        reference = {_ENVIRONMENT: f"env:{self.variable.text().strip()}", _KEYRING: self._keyring_name(name)}
        model, is_local = self.model.text().strip(), self._is_local
        table: dict[str, Any] = {
            "protocol": self.protocol.currentData().value,
            "url": "" if is_local else rewritten(self._shown.url, self.url.text()),
            "file": rewritten(self._shown.file, self.file.text()) if is_local else "",
            "key": "" if is_local else reference.get(place, place),
            "model": model,
            "models": self._models(model),
            "context_tokens": _whole(self.context.text()),
            "requests_per_minute": _whole(self.per_minute.text()),
        }
        key = self.key.text() if place in {_KEYRING, _ASK} else ""
        return Described(read_endpoint(name, table), checked_key(key) if key else "")

    def _keyring_name(self, name: str) -> str:
        """The entry that was there stays the one that is used, also under a new name of the endpoint."""
        return self._shown.key if self._shown.key.startswith(f"{_KEYRING}:") else f"{_KEYRING}:{name}"

    def _models(self, model: str) -> dict[str, dict[str, float | int]]:
        kept = {each.name: _facts(each) for each in self._shown.models}
        prices = {"input_usd": self.input_usd.text().strip(), "output_usd": self.output_usd.text().strip()}
        given = {field: _number(text) for field, text in prices.items() if text}
        if given and not model:
            raise ValueError(_("Prices are those of a model: enter its name."))
        rest = {field: value for field, value in kept.get(model, {}).items() if field not in prices}
        return {**kept, **({model: {**rest, **given}} if given or rest else {})}

    @property
    def _is_local(self) -> bool:
        return self.protocol.currentData() is WireProtocol.LOCAL

    def _show_rows(self) -> None:
        place = self.place.currentData()
        for field, is_wanted in (
            (self.url, not self._is_local),
            (self.file_row, self._is_local),
            (self.place, not self._is_local),
            (self.variable, not self._is_local and place == _ENVIRONMENT),
            (self.key, not self._is_local and place in {_KEYRING, _ASK}),
        ):
            self._form.setRowVisible(field, is_wanted)

    @Slot()
    def _on_edited(self) -> None:
        self._show_rows()
        self.edited.emit()

    @Slot()
    def _on_browse(self) -> None:
        path, _filter = QFileDialog.getOpenFileName(self, _("Choose a model"), "", _("Models (*.gguf)"))
        if path:
            self.file.setText(path)
            self._on_edited()


def _price(usd: float | None) -> str:
    return "" if usd is None else str(usd).removesuffix(".0")  # it is read back


def _facts(facts: ModelFacts) -> dict[str, float | int]:
    values = {name: getattr(facts, name) for name in ModelFacts.__dataclass_fields__ if name != "name"}
    return {name: value for name, value in values.items() if value is not None}


def _number(text: str) -> float:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise ValueError(_("“{text}” is not a price in dollars, such as 2.5.").format(text=text)) from None


def _whole(text: str) -> int:
    if text.strip() and not text.strip().isdecimal():
        raise ValueError(_("“{value}” is not a whole number, such as 42.").format(value=text))
    return int(text.strip() or 0)
