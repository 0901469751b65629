"""Where models are set up: the list of endpoints, the fields of one, and trying what it can do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListWidget, QPushButton, QWidget

from workbench.errors import CannotSave
from workbench.gui.control.context import WindowContext
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import current_theme
from workbench.gui.models.endpoint_form import EndpointForm
from workbench.gui.models.endpoint_keeper import EndpointKeeper
from workbench.gui.models.trial import TrialView
from workbench.gui.words.values import drawable_line
from workbench.i18n import _
from workbench.providers.endpoints import Endpoint, WireProtocol
from workbench.providers.keys import session_keys
from workbench.providers.known import Endpoints

T = TypeVar("T")
_NEW = Endpoint("", WireProtocol.OPENAI)


class ModelsDialog(QDialog):
    """Adds, changes, removes and tries endpoints. What is changed counts once it is saved."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self.keeper = EndpointKeeper(context.settings, self)
        self._known = self.keeper.known
        self._shown = _NEW
        self.setWindowTitle(_("Models"))
        self.list = EndpointList(self)
        self.form = EndpointForm(self)
        self.said = ProblemLabel(self)
        self.notes = Label(parent=self, role="secondary", wraps=True)
        self.trial = TrialView(self)
        self.add_button = QPushButton(_("A&dd"), self)
        self.remove_button = QPushButton(_("Remo&ve"), self)
        self.default_button = QPushButton(_("Use by &default"), self)
        self.save_button = QPushButton(_("&Save"), self)
        self.revert_button = QPushButton(_("Re&vert"), self)
        self._arrange()
        self._connect()
        self.resize(current_theme().px(820), current_theme().px(560))
        self._read_again("")

    def _arrange(self) -> None:
        intro = _(
            "A model can decide the steps that need judgement. Your playbooks, their values and what tools give are "
            "sent to the address that you enter here, and nowhere else."
        )
        left = QWidget(self)
        in_column(left, (self.list, 1), in_row(None, self.add_button, self.remove_button), margins=0)
        left.setFixedWidth(current_theme().px(230))
        right = in_column(
            None,
            self.form,
            self.said,
            self.notes,
            in_row(None, self.trial.button, self.default_button, 1, self.revert_button, self.save_button),
            self.trial,
            1,
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        middle = in_row(None, left, (right, 1), spacing=16)
        in_column(self, Label(intro, self, role="secondary", wraps=True), (middle, 1), buttons, margins=16, spacing=10)

    def _connect(self) -> None:
        self.list.chosen.connect(self._show)
        self.form.edited.connect(self._on_edited)
        self.add_button.clicked.connect(self.add)
        self.remove_button.clicked.connect(self.remove)
        self.trial.button.clicked.connect(self.test)
        self.trial.failed.connect(self.said.setText)
        self.default_button.clicked.connect(self.make_default)
        self.save_button.clicked.connect(self.save)
        self.revert_button.clicked.connect(self._on_revert)
        self.keeper.said.connect(self.said.setText)

    def add(self) -> None:
        """Show an empty form for another endpoint."""
        self.list.setCurrentRow(-1)
        self._show(_NEW)
        self.form.name.setFocus()

    def save(self) -> None:
        """Keep what the form says, or say why that cannot be kept."""
        described = self._tried(self.form.described)
        if described is not None:
            self._read_again(self._tried(partial(self.keeper.save, described, self._shown)))

    def remove(self) -> None:
        """Forget the endpoint that is shown, and its key."""
        self._read_again(self._tried(partial(self.keeper.remove, self._shown)))

    def make_default(self) -> None:
        """Use the endpoint that is shown where no other is named."""
        self._read_again(self._tried(partial(self.keeper.make_default, self._shown)))

    def test(self) -> None:
        """Find out what the endpoint can do, as the form describes it now."""
        described = self._tried(self.form.described)
        if described is None:
            return
        if described.key:
            session_keys().remember(described.endpoint.url, described.key)
        self.trial.begin(described.endpoint)

    def done(self, result: int) -> None:
        """Close, unless there is something that was neither saved nor given up."""
        if self.save_button.isEnabled():
            self.said.setText(_("Save your changes or revert them first."))
            return
        self.trial.clear()
        super().done(result)

    def _tried(self, work: Callable[[], T]) -> T | None:
        """What *work* gives; None where it cannot be done, and then it is said why."""
        self.said.setText("")
        try:
            return work()
        except (ValueError, CannotSave) as problem:
            self.said.setText(str(problem))
            return None

    def _read_again(self, name: str | None) -> None:
        """Show the endpoints as they are now, and of them the one called *name*; None: nothing has changed."""
        if name is None:
            return
        self._known = self.keeper.known
        if not self.list.show_endpoints(self._known, name):
            self._show(_NEW)

    @Slot(object)
    def _show(self, endpoint: Endpoint) -> None:
        self.trial.clear()
        self._shown = endpoint
        self.form.show_endpoint(endpoint)
        self.said.setText("")
        origin = _("From {path}. It can be changed there.").format(path=endpoint.origin) if endpoint.origin else ""
        self.notes.setText("\n".join(filter(None, (origin, endpoint.warning, *self._known.problems))))
        self._mark_edited(is_edited=False)

    def _mark_edited(self, *, is_edited: bool) -> None:
        self.save_button.setEnabled(is_edited)
        self.revert_button.setEnabled(is_edited)
        self.list.setEnabled(not is_edited)
        self.add_button.setEnabled(not is_edited)
        is_own = bool(self._shown.name) and not self._shown.origin
        self.remove_button.setEnabled(is_own and not is_edited)
        self.default_button.setEnabled(not is_edited and self._shown.name not in {"", self._known.default})
        self.trial.button.setEnabled(bool(self._shown.name) or is_edited)

    @Slot()
    def _on_edited(self) -> None:
        self.said.setText("")
        self._mark_edited(is_edited=True)

    @Slot()
    def _on_revert(self) -> None:
        self._read_again(self._shown.name)


class EndpointList(QListWidget):
    """Shows which endpoints there are, and says which is chosen."""

    chosen = Signal(object)  # Endpoint

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Model endpoints"))
        self._known = Endpoints()
        self.currentRowChanged.connect(self._on_row)

    def show_endpoints(self, known: Endpoints, name: str) -> bool:
        """Show *known*, and choose the one called *name*, or the first. False where there is none."""
        self._known = known
        self.blockSignals(True)  # rows come and go; the one to show is chosen below
        self.clear()
        self.addItems([self._row(each) for each in known.known])
        self.blockSignals(False)
        names = [each.name for each in known.known]
        self.setCurrentRow(names.index(name) if name in names else 0 if names else -1)
        return bool(names)

    def _row(self, endpoint: Endpoint) -> str:
        notes = [_("default")] if endpoint.name == self._known.default else []
        notes += [_("project")] if endpoint.origin else []
        return drawable_line(f"{endpoint.name} ({', '.join(notes)})" if notes else endpoint.name)

    @Slot(int)
    def _on_row(self, row: int) -> None:
        if row >= 0:
            self.chosen.emit(self._known.known[row])
