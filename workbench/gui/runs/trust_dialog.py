"""What a run would start and where it may reach, told before anything of it does, for a person to allow or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QScrollArea, QWidget

from workbench.gui.control.running.run_questions import TrustQuestion
from workbench.gui.forms.call_view import CallView
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.words.values import menu_text
from workbench.i18n import _

_WIDTH_PX, _HEIGHT_PX, _MARGIN_PX = 680, 560, 16
_MOST_PX = 220


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a person has allowed. *is_folder*: with every playbook in its folder."""

    question: TrustQuestion
    is_folder: bool


@dataclass(frozen=True, slots=True)
class _Row:
    """One thing that would start or be reached, with its sign; *is_problem*: it is named and cannot be used."""

    icon: str
    words: str
    is_problem: bool = False


class TrustDialog(QDialog):
    """*trusted* carries what the person allows; closing it any other way allows nothing."""

    trusted = Signal(object)  # Allowed

    def __init__(self, question: TrustQuestion, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._question = question
        self._starts = question.starts
        self.setWindowTitle(_("Allow what this file starts") if self._has_servers else _("Allow Python from this file"))
        self.resize(current_theme().px(_WIDTH_PX), current_theme().px(_HEIGHT_PX))
        self.code = self._code_view()
        buttons = QDialogButtonBox(self)
        self.allow_button = buttons.addButton(_("&Allow and run"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.cancel_button = buttons.addButton(_("&Do not run"), QDialogButtonBox.ButtonRole.RejectRole)
        # whoever presses Enter without reading has allowed nothing
        self.cancel_button.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.folder = QCheckBox(self)
        file = question.file
        self.folder.setVisible(file is not None)
        if file is not None:
            self.folder.setText(menu_text(_("Allow every playbook in “{folder}”").format(folder=file.parent)))
        parts = (*self._words(), self._row_list(), (self.code, 1), self.folder, buttons)
        in_column(self, *parts, margins=_MARGIN_PX, spacing=10)
        self.cancel_button.setFocus()

    @property
    def _has_servers(self) -> bool:
        return self._starts is not None and bool(self._starts.servers)

    @property
    def rows(self) -> tuple[_Row, ...]:
        """What would start, and where it may reach."""
        return tuple(_rows(self._question))

    def _words(self) -> tuple[Label, Label]:
        if self._question.changes:
            asked = _("What this playbook starts has changed since you allowed it. Allow it to run?")
        elif self._has_servers:
            asked = _("This playbook starts programs or reaches servers. Allow it to run?")
        else:
            asked = _("This playbook contains Python. Allow it to run?")
        words = Label(
            _(
                "What is started can do anything you can do on this computer: read and change files, use the network, "
                "start programs. Allow it only if you know where it comes from. Your decision is remembered until "
                "something of it changes. Nothing has run yet."
            ),
            self,
            wraps=True,
        )
        return Label(asked, self, role="title", wraps=True), words

    def _row_list(self) -> _Rows:
        inside = QWidget(self)
        lines = []
        for row in self.rows:
            ink = Ink.BLOCKED if row.is_problem else Ink.MUTED
            label = Label(row.words, inside, role="caution" if row.is_problem else None, wraps=True)
            lines.append(in_row(None, Picture(icon(row.icon, ink), inside), (label, 1), spacing=8))
        in_column(inside, *lines, 1, margins=0, spacing=6)
        return _Rows(inside, self)

    def _code_view(self) -> CallView:
        question, code = self._question, CallView(self)
        code.show_text(question.changes or _python_of(question), is_difference=bool(question.changes))
        code.setAccessibleName(_("Changes") if question.changes else _("Python and steps of this file"))
        return code

    @Slot()
    def accept(self) -> None:
        """The person allows this."""
        super().accept()
        self.trusted.emit(Allowed(self._question, self.folder.isChecked()))


class _Rows(QScrollArea):
    """As high as what is in it, up to a limit: from there on it scrolls."""

    def __init__(self, inside: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._inside = inside
        self.setWidgetResizable(True)
        self.setWidget(inside)
        self.setAccessibleName(_("What would start"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrower, its lines are wrapped onto more."""
        super().resizeEvent(event)
        wanted = self._inside.heightForWidth(self.viewport().width())
        self.setFixedHeight(min(wanted, current_theme().px(_MOST_PX)))


def _python_of(question: TrustQuestion) -> str:
    """What is to be read; servers are told above it."""
    if question.starts is None:
        return question.code
    modules = (f"# {name}\n\n{text}" for name, text in question.starts.modules)
    return "\n".join(filter(None, (question.starts.python, *modules)))


def _rows(question: TrustQuestion) -> Iterator[_Row]:
    starts = question.starts
    if starts is None or starts.python:
        yield _Row("python", _("Python of this file runs when steps call it: read it below."))
    if starts is None:
        return
    if starts.modules:
        names = ", ".join(name for name, _text in starts.modules)
        yield _Row("python", _("Python of the project can be called: {files}").format(files=names))
    for sentence in starts.reaches:
        yield _Row("tool", sentence)
    yield _Row("shield", _("Commands, files and addresses on the web: you are asked before a call that may do harm."))
    for problem in starts.problems:
        yield _Row("warning", problem, is_problem=True)
