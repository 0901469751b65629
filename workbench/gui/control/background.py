"""Work that nobody waits for: on a thread of the pool, or on the window's own one in later turns of its loop."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRunnable, QThreadPool, QTimer, Signal, Slot
from PySide6.QtGui import QDropEvent, QInputEvent, QInputMethodEvent

Work = Callable[[], object]


class Messenger(QObject):
    """Carries what a thread tells to the window's thread, on which it is deleted as well.

    It belongs to the application: what only the work held would go with the work, on the thread of the pool, and Qt
    may be taking away on the window's thread what listens to it.
    """

    def __init__(self) -> None:
        super().__init__(QCoreApplication.instance())


class Outcome(Messenger):
    """Carries what came of some work."""

    done = Signal(object)  # what the work gave
    failed = Signal(object)  # Exception


class Job(QRunnable):
    """One piece of work; owns its signals, so that it may outlive whoever asked."""

    def __init__(self, work: Work) -> None:
        super().__init__()
        self.outcome = Outcome()
        self._work = work

    def start(self) -> None:
        """Begin as soon as a thread is free."""
        QThreadPool.globalInstance().start(self)

    def run(self) -> None:
        """Do the work, on a thread of the pool."""
        try:
            result = self._work()
        except Exception as mistake:  # noqa: BLE001 - handed over, and told on the window's thread
            self.outcome.failed.emit(mistake)
        else:
            self.outcome.done.emit(result)
        self.outcome.deleteLater()


def finish_background_work() -> None:
    """Wait for all that is worked on: it tells objects that go with the window."""
    QThreadPool.globalInstance().waitForDone()


class BackgroundWork(QObject):
    """Does one thing at a time; of several that were asked for meanwhile, only the last."""

    done = Signal(object)  # what came of the work that was asked for last
    failed = Signal()  # a mistake of ours ended that work: it is told elsewhere

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._wanted: Work | None = None
        self._doing: Work | None = None

    def ask(self, work: Work) -> None:
        """Do *work*, and nothing that was asked for before."""
        self._wanted = work
        if self._doing is None:
            self._begin(work)

    def forget(self) -> None:
        """What is being done is not wanted any more."""
        self._wanted = None

    def _begin(self, work: Work) -> None:
        self._doing = work
        job = Job(work)
        job.outcome.done.connect(self._on_done)
        job.outcome.failed.connect(self._on_failed)
        job.start()

    @Slot(object)
    def _on_done(self, result: object) -> None:
        if self._is_last():
            self.done.emit(result)

    @Slot(object)
    def _on_failed(self, mistake: Exception) -> None:
        """A mistake of ours: it is to be told on the window's thread."""
        if self._is_last():
            self.failed.emit()
        raise mistake

    def _is_last(self) -> bool:
        """Whether what has just been done is still wanted; begins what is wanted instead."""
        done, self._doing = self._doing, None
        wanted = self._wanted
        if wanted is done:
            self._wanted = None
            return True
        if wanted is not None:
            self._begin(wanted)
        return False


_TURN_MS = 8
"""So long the window has for what is to be painted first."""


class LaterTurns(QObject):
    """Does things on the window's thread, in their order: each in a turn of the event loop, once the window is painted.

    All of them are done before a person does something, or as soon as somebody cannot wait (``finish``).
    """

    finished = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: deque[Work] = deque()
        self._is_doing = False
        self._turn = QTimer(self, singleShot=True)
        self._turn.timeout.connect(self._do_next)

    @property
    def are_over(self) -> bool:
        """Whether nothing is waiting."""
        return not self._waiting

    def ask(self, *works: Work) -> None:
        """Do *works* after all that was asked for before."""
        self._waiting += works
        self._turn.start(_TURN_MS)
        application = QCoreApplication.instance()
        if application is not None:
            application.installEventFilter(self)

    def finish(self) -> None:
        """Do all of it now; what is being done right now is not begun again."""
        while self._waiting and not self._is_doing:
            self._do_next()

    @Slot()
    def _do_next(self) -> None:
        if not self._waiting:
            return
        work, self._is_doing = self._waiting.popleft(), True
        try:
            work()
        finally:  # where one fails, that is told, and the others are done all the same
            self._is_doing = False
            self._go_on()

    def _go_on(self) -> None:
        if self._waiting:
            self._turn.start(0)
            return
        self._turn.stop()
        application = QCoreApplication.instance()
        if application is not None:
            application.removeEventFilter(self)
        self.finished.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What a person does meets a window that shows everything as it is."""
        if isinstance(event, QInputEvent | QInputMethodEvent | QDropEvent):  # who drags is told by a kind of drop
            self.finish()
        return super().eventFilter(watched, event)
