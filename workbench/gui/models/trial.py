"""Trying an endpoint: what it can do is found out in the background, and shown as it comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from workbench.errors import Cancelled, ModelFailed
from workbench.gui.control.background import Job
from workbench.gui.look.icons import Picture, icon
from workbench.gui.look.label import Label
from workbench.gui.look.theming import Ink
from workbench.i18n import _, numeral
from workbench.providers.endpoints import Endpoint

if TYPE_CHECKING:
    from workbench.providers.probing import Tried  # it loads what talks to the network


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
