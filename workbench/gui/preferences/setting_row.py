"""One setting of the dialog: what it is called and does, the field for its value, and the way back to the default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFrame,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.errors import CannotSave
from workbench.gui.control.context import WindowContext
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import _
from workbench.preferences import Setting
from workbench.providers.known import known_endpoints
from workbench.setting_kinds import Form
from workbench.settings import Settings

_FIELD_PX = 260
_LEAST_LETTERS = 8
_PERCENT = 100
_MOST = 1000
_FONTS = frozenset({"font", "source_font"})


class SettingRow(QFrame):
    """Shows one setting as it is, and changes it at once."""

    said = Signal(str)  # what has been done, for whoever cannot see it

    def __init__(self, context: WindowContext, setting: Setting, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.setting = setting
        self._settings = context.settings.current
        self.setObjectName("setting-row")
        self.title = Label(str(setting.title), self, role="card-title", wraps=True)
        self.mark = Label(parent=self, role="mark")
        self.reset_button = QToolButton(self)
        self.reset_button.setIcon(icon("undo", Ink.MUTED))
        self.reset_button.clicked.connect(self.reset)
        self.problem = ProblemLabel(self)
        self.note = Label(parent=self, role="caution", wraps=True)
        self.field = self._made()
        self._lay_out()
        self.refresh(self._settings)

    def _made(self) -> SettingField:
        form = self.setting.kind.form
        if self.setting.opens:
            field: SettingField = _Opener(self._context, self.setting, self)
        elif form is Form.SWITCH:
            field = _Switch(self.setting, self)
        elif self.setting.key in _FONTS or self.setting.key == "default_endpoint":
            field = _Names(self._context, self.setting, self)
        elif form is Form.CHOICE:
            field = _Choice(self.setting, self)
        elif form in (Form.WHOLE, Form.NUMBER):
            field = _Number(self.setting, self)
        elif form is Form.TEXT:
            field = _Words(self.setting, self)
        else:
            field = _Kept(self.setting, self)
        field.chosen.connect(self._on_chosen)
        return field

    def _lay_out(self) -> None:
        key = Label(f"{self.setting.key} · {self.setting.where}", self, role="secondary", wraps=True)
        head = in_row(None, self.title, self.mark, 1, self.reset_button, spacing=6)
        words = Label(str(self.setting.description), self, wraps=True)
        grows = isinstance(self.field.widget, QComboBox | QLineEdit)
        field = in_row(None, (self.field.widget, _MOST if grows else 0), 1)
        in_column(self, head, words, field, self.problem, self.note, key, margins=(10, 8, 10, 8), spacing=3)

    def refresh(self, settings: Settings) -> None:
        """Show what *settings* says."""
        self._settings = settings
        self.field.show_value(self.setting.value(settings), settings)
        is_changed = self.setting.is_changed(settings)
        self.setProperty("changed", is_changed)
        self.style().unpolish(self)
        self.style().polish(self)
        self.mark.setText(_("changed") if is_changed else "")
        self.reset_button.setEnabled(is_changed)
        self._tell_of_project()
        # what is set elsewhere is taken back there, one by one
        self.reset_button.setVisible(not self.setting.opens)
        default = self.setting.told(self.setting.default)
        self.reset_button.setToolTip(tip(_("Reset to the default: {value}").format(value=default)))
        self.reset_button.setAccessibleName(_("Reset “{title}”").format(title=self.setting.title))

    def _tell_of_project(self) -> None:
        project = self._context.settings.project
        is_told = project is not None and self.setting.key in project.values
        self.note.setVisible(is_told)
        if project is not None and is_told:
            words = _("The project says otherwise for its files, in {file}: {value}")
            value = self.setting.told(project.values[self.setting.key])
            self.note.setText(words.format(file=project.path.name, value=value))

    @Slot()
    def reset(self) -> None:
        """Take the default."""
        self._change(self.setting.reset)

    @Slot(object)
    def _on_chosen(self, value: object) -> None:
        self._change(partial(self.setting.changed, value=value))

    def _change(self, change: Callable[[Settings], Settings]) -> None:
        self.problem.setText("")
        try:
            self._context.settings.change(change)
        except (CannotSave, ValueError) as error:
            self.problem.setText(str(error))
            self.refresh(self._context.settings.current)


def set_growing(field: QComboBox | QLineEdit) -> None:
    """Let *field* be as wide as is usual where there is room, and narrower in a narrow window."""
    if isinstance(field, QComboBox):
        field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        field.setMinimumContentsLength(_LEAST_LETTERS)
    field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    field.setMaximumWidth(current_theme().px(_FIELD_PX))


class SettingField(QObject):
    """Where the value is given. *widget*: what stands in the row."""

    chosen = Signal(object)  # the value, as it stands in the file

    def __init__(self, setting: Setting, row: QWidget) -> None:
        super().__init__(row)
        self.setting = setting
        self.widget = self.make(row)
        for each in (self.widget, *self.widget.findChildren(QWidget)):
            if each.focusPolicy() is not Qt.FocusPolicy.NoFocus and not each.accessibleName():
                each.setAccessibleName(str(setting.title))
        if self.widget.focusPolicy() is not Qt.FocusPolicy.NoFocus:
            self.widget.setAccessibleDescription(str(setting.description))
        self.widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The wheel scrolls the list, and changes nothing that only stands under the pointer."""
        if event.type() is QEvent.Type.Wheel and isinstance(watched, QComboBox | QAbstractSpinBox):
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    def make(self, row: QWidget) -> QWidget:
        """The widget, with what it is connected to."""
        raise NotImplementedError

    def show_value(self, value: object, settings: Settings) -> None:
        """Show *value*."""
        raise NotImplementedError


class _Switch(SettingField):
    def make(self, row: QWidget) -> QWidget:
        """A box to tick; the description stands above it, where it can be wrapped."""
        self._box = QCheckBox(_("on"), row)
        self._box.clicked.connect(self._on_clicked)
        return self._box

    def show_value(self, value: object, _settings: Settings) -> None:
        """Tick it, or not."""
        self._box.setChecked(bool(value))

    @Slot()
    def _on_clicked(self) -> None:
        self.chosen.emit(self._box.isChecked())


class _Choice(SettingField):
    def make(self, row: QWidget) -> QWidget:
        """A list that opens."""
        self._box = QComboBox(row)
        set_growing(self._box)
        self._box.activated.connect(self._on_activated)
        for choice in self.setting.kind.choices:
            self._box.addItem(self.setting.told(choice), choice)
        return self._box

    def show_value(self, value: object, _settings: Settings) -> None:
        """Show the word for it."""
        self._box.setCurrentIndex(self._box.findData(value))

    @Slot()
    def _on_activated(self) -> None:
        self.chosen.emit(self._box.currentData())


class _Names(SettingField):
    """Names that the machine or the person knows; another one can be written."""

    def __init__(self, context: WindowContext, setting: Setting, row: QWidget) -> None:
        self._context = context
        self._is_filled = False
        super().__init__(setting, row)

    def make(self, row: QWidget) -> QWidget:
        """A list that opens and can be written in; what is in it is asked for when somebody comes to it."""
        self._box = QComboBox(row, editable=True)
        self._box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        set_growing(self._box)
        line = QLineEdit(self._box, placeholderText=str(self.setting.nothing or ""))
        line.editingFinished.connect(self._on_given)
        self._box.setLineEdit(line)
        self._box.activated.connect(self._on_given)
        return self._box

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fill the list before it is needed."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.Enter) and not self._is_filled:
            self._is_filled = True
            written = self._box.currentText()
            with QSignalBlocker(self._box):
                self._box.addItems(["", *map(drawable_line, self._names())])
                self._box.setEditText(written)
        return super().eventFilter(watched, event)

    def _names(self) -> list[str]:
        match self.setting.key:
            case "font":
                return QFontDatabase.families()
            case "source_font":
                return [each for each in QFontDatabase.families() if QFontDatabase.isFixedPitch(each)]
            case _:
                return [each.name for each in known_endpoints(self._context.settings.current).known]

    def show_value(self, value: object, _settings: Settings) -> None:
        """Show the name."""
        if str(value) != self._box.currentText():
            self._box.setEditText(str(value))

    @Slot()
    def _on_given(self) -> None:
        self.chosen.emit(self._box.currentText().strip())


class _Number(SettingField):
    def make(self, row: QWidget) -> QWidget:
        """A number with its unit; that of text is in percent."""
        kind, scale = self.setting.kind, _PERCENT if self._is_percent else 1
        is_whole = kind.form is Form.WHOLE or self._is_percent
        self._box: QSpinBox | QDoubleSpinBox = QSpinBox(row) if is_whole else QDoubleSpinBox(row, decimals=3)
        self._box.setRange(round(kind.least * scale), round(kind.most * scale))
        if isinstance(self._box, QDoubleSpinBox):
            self._box.setMinimum(kind.least)
        self._box.setSingleStep(10 if self._is_percent else 1)
        self._box.setSuffix(_("%") if self._is_percent else f" {self.setting.unit}" if self.setting.unit else "")
        self._box.setKeyboardTracking(False)
        self._box.setMinimumWidth(current_theme().px(_FIELD_PX // 2))
        if self.setting.nothing is not None and kind.least == 0:
            self._box.setSpecialValueText(str(self.setting.nothing))
        self._box.valueChanged.connect(self._on_value_changed)
        return self._box

    @property
    def _is_percent(self) -> bool:
        return self.setting.key == "text_scale"

    def show_value(self, value: object, _settings: Settings) -> None:
        """Show the number."""
        assert isinstance(value, int | float)
        with QSignalBlocker(self._box):
            self._box.setValue(round(value * _PERCENT) if self._is_percent else value)  # type: ignore[arg-type]

    @Slot()
    def _on_value_changed(self) -> None:
        value = self._box.value()
        self.chosen.emit(value / _PERCENT if self._is_percent else value)


class _Words(SettingField):
    def make(self, row: QWidget) -> QWidget:
        """A field to write in."""
        self._line = QLineEdit(row, placeholderText=str(self.setting.nothing or ""))
        set_growing(self._line)
        self._line.editingFinished.connect(self._on_finished)
        return self._line

    def show_value(self, value: object, _settings: Settings) -> None:
        """Show the words."""
        if str(value) != self._line.text():
            self._line.setText(str(value))

    @Slot()
    def _on_finished(self) -> None:
        self.chosen.emit(self._line.text())


class _Opener(SettingField):
    """What is set elsewhere: a button that leads there."""

    def __init__(self, context: WindowContext, setting: Setting, row: QWidget) -> None:
        self._action = context.actions.action(setting.opens)
        super().__init__(setting, row)

    def make(self, row: QWidget) -> QWidget:
        """The button; it does what the menu does."""
        self._button = QPushButton(self._action.text().replace("&", ""), row)
        self._button.clicked.connect(self._action.trigger)
        return self._button

    def show_value(self, value: object, _settings: Settings) -> None:
        """Whether it makes sense now."""
        self._button.setEnabled(self._action.isEnabled())


class _Kept(SettingField):
    """Texts that the program keeps for the person: each can be taken away."""

    def make(self, row: QWidget) -> QWidget:
        """A list of them, or how many there are where nobody could read them."""
        self._whole = QWidget(row)
        self._column = QVBoxLayout(self._whole)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._shown: list[str] | None = None
        self._said: Mapping[str, object] = {}
        return self._whole

    def show_value(self, value: object, _settings: Settings) -> None:
        """Show them."""
        known: Mapping[str, object] = value if isinstance(value, Mapping) else {}
        kept = sorted(map(str, value)) if isinstance(value, frozenset | Mapping) else []
        if kept == self._shown and known == self._said:
            return
        self._shown, self._said = kept, known
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        if self.setting.key == "trusted" or not kept:
            self._column.addWidget(Label(self.setting.told(value) if kept else _("none"), self._whole))
            return
        for each in kept:
            self._column.addWidget(self._entry(each))

    def _entry(self, text: str) -> QWidget:
        entry = QWidget(self._whole)
        button = QToolButton(entry)
        button.setIcon(icon("trash", Ink.MUTED))
        button.setToolTip(_("Remove"))
        button.setAccessibleName(_("Remove {name}").format(name=drawable_line(text)))
        button.clicked.connect(partial(self.remove, text))
        words = f"{text}: {self.setting.told(self._said[text])}" if text in self._said else text
        in_row(entry, button, (Label(words, entry, wraps=True), 1), margins=0)
        return entry

    def remove(self, text: str) -> None:
        """Keep *text* no longer."""
        left = [each for each in self._shown or () if each != text]
        self.chosen.emit({each: self._said[each] for each in left} if self._said else left)
