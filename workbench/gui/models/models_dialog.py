"""Where models are set up: the endpoints that there are, the fields of one, and trying what it can do."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QWidget

from workbench.errors import CannotSave
from workbench.gui.control.context import WindowContext
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column, in_row
from workbench.gui.look.theming import current_theme
from workbench.gui.models.endpoint_form import Described, EndpointForm
from workbench.gui.models.endpoint_keeper import EndpointKeeper
from workbench.gui.models.endpoint_list import EndpointList
from workbench.gui.models.trial import TrialView
from workbench.i18n import _
from workbench.providers.endpoints import Endpoint, WireProtocol
from workbench.providers.keys import checked_key, session_keys

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
        self.said = Label(parent=self, role="problem", wraps=True)
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
        self.trial.failed.connect(self._say)
        self.default_button.clicked.connect(self.make_default)
        self.save_button.clicked.connect(self.save)
        self.revert_button.clicked.connect(self._on_revert)
        self.keeper.said.connect(self._say)

    def add(self) -> None:
        """Show an empty form for another endpoint."""
        self.list.setCurrentRow(-1)
        self._show(_NEW)
        self.form.name.setFocus()

    def save(self) -> bool:
        """Keep what the form says. False where it cannot be kept; then it says why."""
        described = self._described()
        if described is None:
            return False
        endpoint = described.endpoint
        is_saved = self._is_done(partial(self.keeper.save, endpoint, self._shown.name, described.key))
        if is_saved:
            self._read_again(endpoint.name)
        return is_saved

    def remove(self) -> None:
        """Forget the endpoint that is shown, and its key."""
        if self._is_done(partial(self.keeper.remove, self._shown)):
            self._read_again("")

    def make_default(self) -> None:
        """Use the endpoint that is shown where no other is named."""
        if self._is_done(partial(self.keeper.make_default, self._shown)):
            self._read_again(self._shown.name)

    def test(self) -> None:
        """Find out what the endpoint can do, as the form describes it now."""
        described = self._described()
        if described is None:
            return
        if described.key:
            session_keys().remember(described.endpoint.url, described.key)
        self.trial.begin(described.endpoint)

    def done(self, result: int) -> None:
        """Close, unless there is something that was neither saved nor given up."""
        if self.save_button.isEnabled():
            self._say(_("Save your changes or revert them first."))
            return
        self.trial.clear()
        super().done(result)

    def _described(self) -> Described | None:
        try:
            described = self.form.described()
            if described.key:
                checked_key(described.key)
        except ValueError as problem:
            self._say(str(problem))
            return None
        if any(each.name == described.endpoint.name != self._shown.name for each in self._known.known):
            self._say(_("There is another endpoint with this name."))
            return None
        self._say("")
        return described

    def _is_done(self, change: partial[None]) -> bool:
        try:
            change()
        except CannotSave as error:
            self._say(str(error))
            return False
        return True

    def _read_again(self, name: str) -> None:
        """Show the endpoints as they are now, and of them the one called *name*."""
        self._known = self.keeper.known
        if not self.list.show_endpoints(self._known, name):
            self._show(_NEW)

    @Slot(object)
    def _show(self, endpoint: Endpoint) -> None:
        self.trial.clear()
        self._shown = endpoint
        self.form.show_endpoint(endpoint)
        self._say("")
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

    @Slot(str)
    def _say(self, words: str) -> None:
        self.said.setText(words)
        self.said.setVisible(bool(words))

    @Slot()
    def _on_edited(self) -> None:
        self._say("")
        self._mark_edited(is_edited=True)

    @Slot()
    def _on_revert(self) -> None:
        self._show(self._shown)
        if not self._shown.name:
            self._read_again("")
