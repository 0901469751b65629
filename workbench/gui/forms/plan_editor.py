"""The steps of a plan as a tree, and the chosen step as a form beside or below it. No model is needed for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from workbench.gui.control.planning.plan_rows import (
    OTHERWISE,
    STEPS,
    Path,
    Steps,
    after,
    argument_names,
    inserted,
    inside,
    moved,
    removed,
    replaced,
    step_at,
    value_of,
    written_of,
)
from workbench.gui.look.icons import icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import current_theme
from workbench.gui.look.written_words import read_as_written
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import _
from workbench.model.plans.writing import sentence_of
from workbench.planning.plan import PlanStep
from workbench.planning.request import Offer

_ROLE = Qt.ItemDataRole.UserRole
_CHECKS_PX = 56
_LEAST_LETTERS = 12


class PlanEditor(QWidget):
    """*changed*: there are other steps. ``steps`` are those that stand there now."""

    changed = Signal()

    def __init__(self, parent: QWidget, way: Qt.Orientation = Qt.Orientation.Horizontal) -> None:
        super().__init__(parent)
        self._way = way
        self.steps: Steps = ()
        self.tree = QTreeWidget(self)
        read_as_written(self.tree)
        self.fields = StepFields(self)
        self.add_button = QPushButton(icon("plus"), _("&Step"), self)
        self.inside_button = QPushButton(icon("plus"), _("I&nside"), self)
        self.otherwise_button = QPushButton(icon("plus"), _("&Otherwise"), self)
        self.remove_button = self._tool("trash", _("Remove the step and what is in it (Delete)"), self.remove)
        moves = (
            ("up", "up", _("Move up (Alt+Up)")),
            ("down", "down", _("Move down (Alt+Down)")),
            ("left", "out", _("Move out of the step around it (Alt+Left)")),
            ("right", "in", _("Move into the step above (Alt+Right)")),
        )
        self.move_buttons = {way: self._tool(name, words, partial(self.move_step, way)) for name, way, words in moves}
        self._lay_out()
        self._connect()
        self.show_steps(())

    def _tool(self, name: str, words: str, act: Callable[[], None]) -> QToolButton:
        button = QToolButton(self)
        button.setIcon(icon(name))
        button.setToolTip(words)
        button.setAccessibleName(words.partition(" (")[0])
        button.clicked.connect(act)
        return button

    def _lay_out(self) -> None:
        self.tree.setHeaderHidden(True)
        self.tree.setAccessibleName(_("Steps of the plan"))
        self.tree.setMinimumWidth(current_theme().px(180))
        for button, words in (
            (self.add_button, _("Add a step behind the one that is chosen")),
            (self.inside_button, _("Add a step inside the one that is chosen")),
            (self.otherwise_button, _("Add a step for when the condition of the chosen one does not hold")),
        ):
            button.setAutoDefault(False)
            button.setToolTip(words)
            button.setAccessibleName(words)
        left = QWidget(self)
        tools = (*self.move_buttons.values(), self.remove_button)
        row = in_row(None, self.add_button, self.inside_button, self.otherwise_button, 1, spacing=6)
        in_column(left, row, (self.tree, 1), in_row(None, *tools, 1, spacing=2), margins=0, spacing=6)
        self._splitter = QSplitter(self._way, self, childrenCollapsible=False)
        self._splitter.addWidget(left)
        self._splitter.addWidget(self.fields)
        self._splitter.setSizes([460, 420])
        in_column(self, self._splitter, margins=0)

    def _connect(self) -> None:
        self.add_button.clicked.connect(self.add)
        self.inside_button.clicked.connect(partial(self.add_inside, STEPS))
        self.otherwise_button.clicked.connect(partial(self.add_inside, OTHERWISE))
        self.tree.currentItemChanged.connect(self._on_current_changed)
        self.fields.changed.connect(self._on_edited)
        keys: tuple[tuple[str, Callable[[], None]], ...] = (
            ("Delete", self.remove),
            *((f"Alt+{key}", partial(self.move_step, way)) for key, way in _KEYS),
        )
        for key, act in keys:
            shortcut = QShortcut(QKeySequence(key), self.tree, context=Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(act)

    @property
    def path(self) -> Path:
        """The path of the step that is chosen; empty where none is."""
        item = self.tree.currentItem()
        found: Path = item.data(0, _ROLE) if item is not None else ()
        return found

    def show_steps(self, steps: Sequence[PlanStep], chosen: Path = ()) -> None:
        """Show *steps*, with the one at *chosen* in the form."""
        self.steps = tuple(steps)
        with QSignalBlocker(self.tree):
            self.tree.clear()
            _fill(self.tree.invisibleRootItem(), self.steps, (), STEPS)
            self.tree.expandAll()
            items = list(_items(self.tree.invisibleRootItem()))
            first = items[0] if items else None  # a row of “Otherwise” is no step, and has no path
            found = next((each for each in items if chosen and each.data(0, _ROLE) == chosen), first)
            if found is not None:
                self.tree.setCurrentItem(found)
        self._on_current_changed()

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """Let steps call *offers*."""
        self.fields.show_offers(offers)
        self._on_current_changed()

    @Slot()
    def add(self) -> None:
        """Add a step behind the one that is chosen, and write it."""
        path = self.path
        self._put(after(path) if step_at(self.steps, path) is not None else ((STEPS, len(self.steps)),))

    def add_inside(self, name: str, _checked: object = None) -> None:
        """Add one at the end of what is in the step that is chosen; *name*: in which of its lists."""
        if step_at(self.steps, self.path) is not None:
            self._put(inside(self.steps, self.path, name))

    def _put(self, path: Path) -> None:
        self._take(inserted(self.steps, path, PlanStep("")), path)
        self.fields.intent.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def remove(self) -> None:
        """Take the step that is chosen away."""
        path = self.path
        if step_at(self.steps, path) is not None:
            *above, (name, at) = path
            self._take(removed(self.steps, path), (*above, (name, max(0, at - 1))))

    def move_step(self, way: str, _checked: object = None) -> None:
        """Move the step that is chosen: up, down, in or out."""
        if self.path:
            self._take(*moved(self.steps, self.path, way))

    def _take(self, steps: Steps, chosen: Path) -> None:
        self.show_steps(steps, chosen)
        self.changed.emit()

    @Slot()
    def _on_current_changed(self) -> None:
        step = step_at(self.steps, self.path) if self.path else None
        self.fields.show_step(step)
        for button in (self.inside_button, self.remove_button, *self.move_buttons.values()):
            button.setEnabled(step is not None)
        self.otherwise_button.setEnabled(step is not None and bool(step.condition))

    @Slot()
    def _on_edited(self) -> None:
        """The form says something else: the tree follows, and stays where it is."""
        path, item = self.path, self.tree.currentItem()
        step = step_at(self.steps, path) if path else None
        if step is not None and item is not None:
            new = self.fields.written(step)
            self.steps = replaced(self.steps, path, new)
            _describe(item, new)
            self.otherwise_button.setEnabled(bool(new.condition))
            self.changed.emit()


_KEYS = (("Up", "up"), ("Down", "down"), ("Left", "out"), ("Right", "in"))


def _items(above: QTreeWidgetItem) -> Iterator[QTreeWidgetItem]:
    for child in filter(None, map(above.child, range(above.childCount()))):
        yield child
        yield from _items(child)


def _fill(parent: QTreeWidgetItem, steps: Steps, above: Path, name: str) -> None:
    for index, step in enumerate(steps):
        path = (*above, (name, index))
        item = QTreeWidgetItem(parent)
        item.setData(0, _ROLE, path)
        _describe(item, step)
        _fill(item, step.steps, path, STEPS)
        if step.otherwise:
            other = QTreeWidgetItem(item, [_("Otherwise")])
            other.setIcon(0, icon("decision"))
            other.setData(0, _ROLE, ())
            _fill(other, step.otherwise, path, OTHERWISE)


def _describe(item: QTreeWidgetItem, step: PlanStep) -> None:
    heads = [_("If {condition}:").format(condition=step.condition)] if step.condition else []
    heads += [f"{step.loop}:"] if step.loop else []
    own = sentence_of(step) if step.intent or step.call else _("(nothing said yet)")
    words = " ".join([*heads, own])
    item.setText(0, drawable_line(words))
    item.setToolTip(0, tip(words))
    item.setIcon(0, icon("call" if step.call else "decision" if step.condition else "step"))


class StepFields(QScrollArea):
    """One step of a plan as a form. What is not shown in it stays what it is."""

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._offers: dict[str, Offer] = {}
        self._given: dict[str, Any] = {}
        page = QWidget(self)
        self.intent, self.result, self.condition, self.loop, self.expected = (QLineEdit(page) for _each in range(5))
        self.call = QComboBox(page)
        self.checks = QPlainTextEdit(page, tabChangesFocus=True)
        self.arguments: dict[str, QLineEdit] = {}
        self._argument_page = QWidget(page)
        self._argument_form = QFormLayout(self._argument_page)
        self._form = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)  # large letters in a small window
        in_column(page, self._form, 1)
        self.call.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.call.setMinimumContentsLength(_LEAST_LETTERS)
        self._lay_out(page)
        self._connect()
        self.show_offers(())

    def _lay_out(self, page: QWidget) -> None:
        self.checks.setFixedHeight(current_theme().px(_CHECKS_PX))
        self._argument_page.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._argument_form.setContentsMargins(0, 0, 0, 0)
        self._argument_form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self.result.setPlaceholderText(_("a name, like order"))
        self.condition.setPlaceholderText(_("always; or like $amount > 100"))
        self.loop.setPlaceholderText(_("once; or like For each $order in $orders"))
        self.checks.setPlaceholderText(_("one a line, like $amount > 0"))
        for text, field in (
            (_("&What is done"), self.intent),
            (_("&Call"), self.call),
            ("", self._argument_page),
            (_("&Result goes to"), self.result),
            (_("Only &if"), self.condition),
            (_("How o&ften"), self.loop),
            (_("E&xpected"), self.expected),
            (_("&Must hold then"), self.checks),
        ):
            self._form.addRow(text, field)
            field.setAccessibleName(text.replace("&", ""))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(page)
        self.setMinimumWidth(page.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width())

    def _connect(self) -> None:
        order = (self.intent, self.call, self.result, self.condition, self.loop, self.expected, self.checks)
        for before, behind in pairwise(order):
            QWidget.setTabOrder(before, behind)
        for line in (self.intent, self.result, self.condition, self.loop, self.expected):
            line.textEdited.connect(self.changed)
        self.checks.textChanged.connect(self.changed)
        self.call.currentIndexChanged.connect(self._on_call_chosen)

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """Let the step call *offers*; what it calls now stays."""
        self._offers = {each.name: each for each in offers}
        called = self.call.currentData()
        with QSignalBlocker(self.call):
            self.call.clear()
            self.call.addItem(_("Nothing: it is done in words"), "")
            for each in offers:
                self.call.addItem(drawable_line(each.name), each.name)
                self.call.setItemData(self.call.count() - 1, tip(each.line), Qt.ItemDataRole.ToolTipRole)
            self._choose_call(called or "")

    def _choose_call(self, name: str) -> None:
        if self.call.findData(name) < 0:
            self.call.addItem(_("{name} (not on offer)").format(name=drawable_line(name)), name)
        self.call.setCurrentIndex(self.call.findData(name))

    def show_step(self, step: PlanStep | None) -> None:
        """Show *step*; None: nothing can be written."""
        self.setEnabled(step is not None)
        chosen = step or PlanStep("")
        texts = (chosen.intent, chosen.result, chosen.condition, chosen.loop, chosen.expected)
        lines = (self.intent, self.result, self.condition, self.loop, self.expected)
        for line, text in zip(lines, texts, strict=True):
            line.setText(text)
        with QSignalBlocker(self.checks), QSignalBlocker(self.call):
            self.checks.setPlainText("\n".join(chosen.checks))
            self._choose_call(chosen.call)
        self._show_arguments(dict(chosen.arguments))

    def _show_arguments(self, given: dict[str, Any]) -> None:
        """A line for each argument of what is called."""
        self._given = given
        while self._argument_form.rowCount():
            self._argument_form.removeRow(0)
        offer = self._offers.get(str(self.call.currentData()))
        names = argument_names(offer.schema if offer is not None else {}, given) if self.call.currentData() else ()
        self.arguments = {}
        for name in names:
            line = self.arguments[name] = QLineEdit(self._argument_page)
            line.setText(written_of(given[name]) if name in given else "")
            line.setAccessibleName(_("Argument {name}").format(name=name))
            is_needed = offer is not None and name in offer.needed
            line.setPlaceholderText(_("needed") if is_needed else _("optional"))
            line.textEdited.connect(self.changed)
            label = Label(name, self._argument_page, role="secondary")
            label.setBuddy(line)
            self._argument_form.addRow(label, line)
            line.show()  # else only the next event shows it, and a quick Tab passes it over
        self._form.setRowVisible(self._argument_page, bool(names))
        before: QWidget = self.call
        for line in self.arguments.values():
            QWidget.setTabOrder(before, line)
            before = line
        QWidget.setTabOrder(before, self.result)

    @Slot()
    def _on_call_chosen(self) -> None:
        """What was given under the same names is given again."""
        offer = self._offers.get(str(self.call.currentData()))
        known = argument_names(offer.schema, {}) if offer is not None else ()
        self._show_arguments({name: value for name, value in self._given.items() if name in known})
        self.changed.emit()

    def written(self, step: PlanStep) -> PlanStep:
        """*step* as the form has it."""
        arguments = {name: value_of(line.text()) for name, line in self.arguments.items() if line.text().strip()}
        self._given = {**self._given, **arguments}
        checks = tuple(filter(None, map(str.strip, self.checks.toPlainText().split("\n"))))
        return replace(
            step,
            intent=self.intent.text().strip(),
            call=str(self.call.currentData() or ""),
            arguments=arguments if self.call.currentData() else {},
            result=self.result.text().strip().removeprefix("$"),
            condition=self.condition.text().strip(),
            loop=self.loop.text().strip(),
            expected=self.expected.text().strip(),
            checks=checks,
        )
