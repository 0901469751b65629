"""When the person is asked about calls of tools: all that was said, found by words, changed and taken back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import QComboBox, QHeaderView, QLineEdit, QPushButton, QTreeWidget, QTreeWidgetItem, QWidget

from workbench.disk.files import home_folder
from workbench.errors import WorkbenchError
from workbench.gui.control.context import WindowContext
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.preferences.setting_row import set_growing
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import _
from workbench.project_file import project_file
from workbench.tools.values import Asking
from workbench.vocabulary import asking_words

if TYPE_CHECKING:
    from workbench.engine.permissions import StandingRule

_TOOL, _ASKED, _PLACE, _SOURCE = range(4)
_COLUMN_PX = 80


class RuleTable(QTreeWidget):
    """What was said, a row each. *rules*: in the order of the rows."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rules: tuple[StandingRule, ...] = ()
        self.setAccessibleName(_("Permissions of tools"))
        self.setHeaderLabels([_("Tool"), _("When you are asked"), _("For"), _("Stands in")])
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setMinimumHeight(1)
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(current_theme().px(_COLUMN_PX))  # the place gets what the others leave
        for column in (_TOOL, _ASKED, _SOURCE):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_PLACE, QHeaderView.ResizeMode.Stretch)

    def show_rules(self, rules: tuple[StandingRule, ...]) -> None:
        """Show *rules*; what was chosen stays so."""
        if rules == self.rules:
            return
        before, self.rules = self.chosen, rules
        with QSignalBlocker(self):
            self.clear()
            for rule in rules:
                _item(self, rule)
            known = [(each.name, each.place, each.is_own) for each in rules]
            wanted = (before.name, before.place, before.is_own) if before is not None else None
            if wanted in known and (item := self.topLevelItem(known.index(wanted))) is not None:
                self.setCurrentItem(item)

    @property
    def chosen(self) -> StandingRule | None:
        """The one that is chosen and can be seen."""
        item = self.currentItem()
        return None if item is None or item.isHidden() else self.rules[self.indexOfTopLevelItem(item)]

    def show_found(self, words: list[str]) -> int:
        """Show those that have all of *words*; how many they are."""
        count = 0
        for row in range(self.topLevelItemCount()):
            item = self.topLevelItem(row)
            assert item is not None
            text = " ".join(item.text(column) for column in range(4)).casefold()
            is_shown = all(word in text for word in words)
            item.setHidden(not is_shown)
            count += is_shown
        return count


class PermissionsPage(QWidget):
    """The rules of the person and of the project of the open file. Those of the project are only shown."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._query = ""
        self.table = RuleTable(self)
        self.told = Label(parent=self, role="secondary", wraps=True)
        self.problem = ProblemLabel(self)
        self.tool = QLineEdit(self, placeholderText=_("tool, or tool=pattern"))
        self.tool.setAccessibleName(_("Tool, or tool=pattern for some of its calls"))
        self.tool.setToolTip(tip(_("Such as shell, or shell=git status for only these calls")))
        self.asking, self.place = QComboBox(self), QComboBox(self)
        self.asking.setAccessibleName(_("When you are asked"))
        self.place.setAccessibleName(_("For which files"))
        self.keep_button = QPushButton(_("&Keep"), self)
        self.remove_button = QPushButton(_("Remo&ve"), self)
        self.remove_button.setToolTip(tip(_("Say nothing about these calls any more: the usual holds")))
        for asking in Asking:
            self.asking.addItem(asking_words(asking), asking.value)
        self.asking.setCurrentIndex(self.asking.findData(Asking.ALWAYS.value))
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        for field in (self.tool, self.asking, self.place):
            set_growing(field)
        for button in (self.keep_button, self.remove_button):
            button.setAutoDefault(False)
        said = in_row(None, (self.tool, 1), (self.asking, 1), spacing=6)
        buttons = in_row(None, (self.place, 1), self.keep_button, self.remove_button, spacing=6)
        title = Label(_("Permissions of single tools"), self, role="card-title")
        in_column(self, title, (self.table, 1), self.told, said, self.problem, buttons, margins=0, spacing=6)

    def _connect(self) -> None:
        self.table.currentItemChanged.connect(self._on_chosen)
        self.keep_button.clicked.connect(self.keep)
        self.remove_button.clicked.connect(self.remove)
        self.tool.returnPressed.connect(self.keep)
        self.tool.textChanged.connect(self._offer)
        self._context.settings.permissions_changed.connect(self.refresh)

    @Slot()
    def refresh(self) -> None:
        """Read again what was said."""
        from workbench.engine.permissions import standing_rules  # noqa: PLC0415 - no start needs it

        self.problem.setText("")
        folder = self._folder
        try:
            self.table.show_rules(standing_rules(self._store, project_file(folder)))
        except WorkbenchError as error:
            self.table.show_rules(())
            self.problem.setText(str(error))
        self._fill_places(folder)
        self.show_found(self._query)

    @property
    def _store(self) -> Path:
        return self._context.places.permissions_file

    @property
    def _folder(self) -> Path:
        """Whose project file counts: that beside the open file, or else of the open folder."""
        path, opened = self._context.documents.document.path, self._context.settings.current.project_folder
        return path.parent if path is not None else Path(opened) if opened else home_folder()

    def _fill_places(self, folder: Path) -> None:
        path = self._context.documents.document.path
        with QSignalBlocker(self.place):
            chosen = self.place.currentData()
            self.place.clear()
            if path is not None:
                self.place.addItem(_("“{name}” only").format(name=drawable_line(path.name)), str(path))
            self.place.addItem(_("all in {folder}").format(folder=drawable_line(str(folder))), str(folder))
            self.place.setCurrentIndex(max(0, self.place.findData(chosen)))

    def show_found(self, query: str) -> int:
        """Show the permissions that have the words of *query*; how many they are."""
        self._query = query
        count = self.table.show_found(query.casefold().split())
        self._on_chosen()
        return count

    @Slot()
    def _on_chosen(self) -> None:
        """Show what is chosen in the fields, so that it can be changed there."""
        chosen = self.table.chosen
        if chosen is not None and chosen.is_own:
            self.tool.setText(chosen.name)
            self.asking.setCurrentIndex(self.asking.findData(chosen.rule.asking.value))
            self._choose_place(chosen.place)
        self.told.setText(self._words(chosen))
        self._offer()

    def _words(self, chosen: StandingRule | None) -> str:
        if chosen is None:
            return "" if self.table.rules else _("Nothing was said about single tools yet: the usual holds for all.")
        if not chosen.is_own:
            return _("The project says this, for all who work with it. It can be changed in {file}.").format(
                file=chosen.source.name
            )
        if chosen.stricter is not None:
            return _stricter_words(chosen.stricter)
        return ""

    def _choose_place(self, place: Path) -> None:
        if self.place.findData(str(place)) < 0:
            self.place.addItem(drawable_line(str(place)), str(place))
        self.place.setCurrentIndex(self.place.findData(str(place)))

    @Slot()
    def _offer(self) -> None:
        chosen = self.table.chosen
        self.remove_button.setEnabled(chosen is not None and chosen.is_own)
        self.keep_button.setEnabled(bool(self.tool.text().strip()))

    @Slot()
    def keep(self) -> None:
        """Keep what the fields say."""
        if self.tool.text().strip():
            self._say(self.tool.text().strip(), Path(self.place.currentData()), Asking(self.asking.currentData()))

    @Slot()
    def remove(self) -> None:
        """Say nothing any more about the calls that are chosen."""
        chosen = self.table.chosen
        if chosen is not None and chosen.is_own:
            self._say(chosen.name, chosen.place, None)

    def _say(self, name: str, place: Path, asking: Asking | None) -> None:
        from workbench.engine.permissions import say  # noqa: PLC0415 - as above
        from workbench.tools.permissions import rule_of  # noqa: PLC0415

        self.problem.setText("")
        try:
            say(self._store, place, rule_of(name, asking or Asking.ALWAYS), is_usual=asking is None)
        except WorkbenchError as error:
            self.problem.setText(str(error))
            return
        self._context.settings.permissions_changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes the chosen one back."""
        if event.key() == Qt.Key.Key_Delete and self.table.hasFocus():
            self.remove()
        else:
            super().keyPressEvent(event)


def _stricter_words(asking: Asking) -> str:
    return _("The project is stricter: {asking}.").format(asking=asking_words(asking))


def _item(table: RuleTable, rule: StandingRule) -> None:
    asked = asking_words(rule.rule.asking)
    file = rule.source.name
    place = rule.place.name if rule.is_own else str(rule.place)
    item = QTreeWidgetItem(table, [*map(drawable_line, (rule.name, asked, place, file))])
    item.setIcon(_ASKED, icon("warning", Ink.BLOCKED) if rule.stricter is not None else QIcon())
    if rule.stricter is not None:
        item.setData(_ASKED, Qt.ItemDataRole.AccessibleTextRole, f"{asked}. {_stricter_words(rule.stricter)}")
        item.setToolTip(_ASKED, _stricter_words(rule.stricter))
    for column, text in ((_TOOL, rule.name), (_PLACE, str(rule.place)), (_SOURCE, str(rule.source))):
        item.setToolTip(column, tip(text))
