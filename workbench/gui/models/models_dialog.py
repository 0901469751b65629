"""Where models are set up: the list of endpoints, the fields of one, and trying what it can do.

That is found out in the background, and shown as it comes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QListWidget, QPushButton, QWidget

from workbench.errors import Cancelled, CannotSave, ModelFailed
from workbench.gui.control.background import Job
from workbench.gui.control.context import WindowContext
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label, ProblemLabel
from workbench.gui.look.layouts import in_column, in_row, resize_on_screen, scrolled
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.models.endpoint_form import EndpointForm
from workbench.gui.models.endpoint_keeper import EndpointKeeper
from workbench.gui.words.values import drawable_line
from workbench.i18n import _, numeral
from workbench.providers.endpoints import Endpoint, WireProtocol
from workbench.providers.keys import session_keys
from workbench.providers.known import Endpoints

if TYPE_CHECKING:
    from workbench.providers.probing import Tried  # it loads what talks to the network

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
        resize_on_screen(self, 820, 560)
        self._read_again("")

    def _arrange(self) -> None:
        intro = _(
            "A model can decide the steps that need judgement. Your playbooks, their values and what tools give are "
            "sent to the address that you enter here, and nowhere else."
        )
        left = QWidget(self)
        below = in_row(None, self.add_button, self.remove_button)
        in_column(left, (self.list, 1), self.default_button, below, margins=0)
        left.setFixedWidth(current_theme().px(200))
        page = QWidget(self)
        in_column(
            page,
            self.form,
            self.said,
            self.notes,
            in_row(None, self.trial.button, 1, self.revert_button, self.save_button),
            self.trial,
            1,
            margins=0,
        )
        right = scrolled(page, self)  # large letters in a small window
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
        with QSignalBlocker(self):  # rows come and go; the one to show is chosen below
            self.clear()
            self.addItems([self._row(each) for each in known.known])
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


class Trial(QObject):
    """Tries one endpoint. ``found`` comes for each ability, then ``over``; after ``cancel`` neither does."""

    found = Signal(object)  # Tried
    over = Signal(str)  # what went wrong, empty for nothing

    def __init__(self, endpoint: Endpoint, parent: QObject) -> None:
        super().__init__(parent)
        self._endpoint = endpoint
        self._cancel: Callable[[], None] | None = None
        self._is_given_up = False
        self._job = Job(self._try)
        self._job.outcome.done.connect(self._on_done)
        self._job.outcome.failed.connect(self._on_failed)

    def start(self) -> None:
        """Begin."""
        self._job.start()

    def cancel(self) -> None:
        """Give it up."""
        self._is_given_up = True
        if self._cancel is not None:
            self._cancel()

    def _try(self) -> str:
        """On a thread of the pool: what talks to the network is loaded there too."""
        from workbench.providers.client import EndpointClient  # noqa: PLC0415
        from workbench.providers.known import Endpoints  # noqa: PLC0415
        from workbench.providers.probing import probe  # noqa: PLC0415

        client = EndpointClient(lambda: Endpoints((self._endpoint,), self._endpoint.name))
        self._cancel = client.cancel
        try:
            for tried in probe(client, self._endpoint):
                if self._is_given_up:
                    break
                self.found.emit(tried)
        except Cancelled:
            pass
        except ModelFailed as error:
            return str(error)
        return ""

    @Slot(object)
    def _on_done(self, problem: str) -> None:
        if not self._is_given_up:
            self.over.emit(problem)

    @Slot(object)
    def _on_failed(self, mistake: Exception) -> None:
        raise mistake


class TrialView(QWidget):
    """The button that tries an endpoint, which stands elsewhere, and what was found out so far."""

    failed = Signal(str)  # why nothing could be tried

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.button = QPushButton(_("&Test"), parent)
        self.lines: list[str] = []
        self._trial: Trial | None = None
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(3, 1)

    def begin(self, endpoint: Endpoint) -> None:
        """Try *endpoint*."""
        self.clear()
        self.button.setEnabled(False)
        self.button.setText(_("Testing…"))
        self._trial = Trial(endpoint, self)
        self._trial.found.connect(self._on_found)
        self._trial.over.connect(self._on_over)
        self._trial.start()

    def clear(self) -> None:
        """Nothing is known, and nothing is tried."""
        self._end()
        self.lines = []
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()

    def _end(self) -> None:
        trial, self._trial = self._trial, None
        if trial is not None:
            trial.cancel()
        self.button.setText(_("&Test"))
        self.button.setEnabled(True)

    @Slot(object)
    def _on_found(self, tried: Tried) -> None:
        from workbench.providers.probing import ABILITIES  # noqa: PLC0415 - loaded by the trial already

        row, name = len(self.lines), str(ABILITIES[tried.name])
        picture = icon("done", Ink.DONE) if tried.is_fine else icon("failed", Ink.FAILED)
        took = _("{seconds} s").format(seconds=numeral(tried.seconds, ".1f")) if tried.seconds else ""
        answer = _("yes") if tried.is_fine else _("no")
        self.lines.append(" – ".join(filter(None, (f"{name}: {answer}", tried.why, took))))
        self._grid.addWidget(Picture(picture, self), row, 0)
        self._grid.addWidget(Label(name, self), row, 1)
        self._grid.addWidget(Label(took, self, role="secondary"), row, 2)
        self._grid.addWidget(Label(tried.why, self, role="secondary", wraps=True), row, 3)

    @Slot(str)
    def _on_over(self, problem: str) -> None:
        self._end()
        if problem:
            self.failed.emit(problem)
