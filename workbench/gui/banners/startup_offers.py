"""At the start: what was cut off the last time is offered: unsaved changes, playbooks that were never saved, a run."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QWidget

from workbench.disk.files import is_file
from workbench.editing.keeping.edit_journal import files_left
from workbench.editing.keeping.unsaved_journal import UnsavedLeft, discard_unsaved, unsaved_left
from workbench.engine.journal.choices import RunStatus
from workbench.errors import StoreBusy, WorkbenchError
from workbench.gui.banners.banner_stack import BannerStack, Choice
from workbench.gui.control.background import Job
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause, Notice, NoticeKind
from workbench.gui.words.run_words import file_name
from workbench.i18n import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.engine.journal.events import RunId
    from workbench.engine.journal.run_list import RunSummary
    from workbench.engine.running.run import Run

_CUT_OFF = frozenset({RunStatus.CREATED, RunStatus.RUNNING, RunStatus.PAUSED, RunStatus.LISTENING, RunStatus.TIMED})
_MOST_OFFERED = 3
_UNSAVED = "unsaved"
_LONGEST_BEGINNING = 60


class StartupOffers(QObject):
    """Looks into the journal once the window shows: opening it must not hold up the first picture."""

    def __init__(self, context: WindowContext, banners: BannerStack) -> None:
        super().__init__(banners)
        self._context = context
        self._banners = banners
        self._offered: Path | None = None
        context.documents.document_opened.connect(self._on_document_opened)
        context.documents.restored_from.connect(self._on_restored)
        context.runs.run_started.connect(self._on_run_started)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.show_offers)

    def show_soon(self) -> None:
        """Show the offers after what is waiting to be painted."""
        self._timer.start(0)

    @Slot()
    def show_offers(self) -> None:
        """Offer the newest unsaved changes, playbooks and run that were cut off, where there are any."""
        self._offer_unsaved()
        self._offer_never_saved()
        try:
            self._offer_one_of(self._context.runs.host.runs())
        except StoreBusy:
            self._look_later()
        except WorkbenchError as error:
            self._context.notices.report(error, Cause.JOURNAL)

    def _look_later(self) -> None:
        """Another program holds the journal: it is waited for where that keeps nobody from anything."""
        job = Job(self._context.runs.host.runs)
        job.outcome.done.connect(self._offer_one_of)
        job.outcome.failed.connect(self._on_not_read)
        job.start()

    @Slot(object)
    def _on_not_read(self, mistake: Exception) -> None:
        if not isinstance(mistake, WorkbenchError):
            raise mistake
        self._context.notices.report(mistake, Cause.JOURNAL)

    @Slot(object)
    def _offer_one_of(self, runs: tuple[RunSummary, ...]) -> None:
        """Offer the newest run that was cut off."""
        cut_off = [run for run in runs if run.is_resumable and run.status in _CUT_OFF]
        if cut_off:
            self._offer(_foremost(cut_off))

    def _offer_unsaved(self) -> None:
        """The file that is open already has a banner of its own."""
        left = files_left(self._context.places.edits_dir)
        path = next((path for path in left if is_file(path) and self._context.tabs.find(path) is None), None)
        if path is not None:
            text = _("“{name}” has unsaved changes from a session that was interrupted.")
            look = partial(self._context.documents.open_requested.emit, path)
            choices = (Choice(_("Open"), look), Choice(_("Later"), _nothing))
            self._offered = path
            notice = Notice(NoticeKind.WARNING, text.format(name=path.name), Cause.OFFER)
            self._banners.show_banner(_UNSAVED, notice, choices)

    def _offer_never_saved(self) -> None:
        """A line for each; whatever is not decided about is kept and offered again."""
        for each in unsaved_left(self._context.places.edits_dir)[:_MOST_OFFERED]:
            restore = partial(self._context.documents.restore_requested.emit, each.file)
            choices = (Choice(_("Restore"), restore), Choice(_("Discard"), partial(discard_unsaved, each.file)))
            notice = Notice(NoticeKind.WARNING, _words_of(each), Cause.OFFER)
            self._banners.show_banner(_topic_of_unsaved(each.file), notice, choices)

    def _offer(self, run: RunSummary) -> None:
        text = _("The run of “{playbook}” in “{name}” was interrupted. You can resume it.")
        goal = run.purpose.goal if run.purpose is not None and run.is_cycle else ""
        if goal:
            text = _("The goal “{goal}” was interrupted. You can resume it.")
        words = text.format(playbook=run.playbook, name=file_name(run.path), goal=goal)
        look = partial(resume, self._context, run, self._banners.window())
        choices = (Choice(_("Resume…"), look), Choice(_("Later"), _nothing))
        self._banners.show_banner(_topic_of(run.id), Notice(NoticeKind.INFO, words, Cause.OFFER), choices)

    @Slot(object)
    def _on_document_opened(self, _snapshot: object) -> None:
        """The file whose changes were offered is open now: it has a banner of its own."""
        if self._offered is not None and self._context.documents.document.path == self._offered:
            self._banners.close_banner(_UNSAVED)

    @Slot(object)
    def _on_restored(self, journal: Path) -> None:
        """What was offered is open, whoever opened it."""
        self._banners.close_banner(_topic_of_unsaved(journal))

    @Slot(object)
    def _on_run_started(self, run: Run) -> None:
        """The run that was offered goes on, whoever said so."""
        self._banners.close_banner(_topic_of(run.id))


def _foremost(runs: Sequence[RunSummary]) -> RunSummary:
    """Which of *runs*, the newest first, is gone on with.

    That is the newest; where a goal has it carried out, the goal: that goes on with it.
    """
    cycle = runs[0].purpose.cycle if runs[0].purpose is not None else ""
    return next((run for run in runs if run.id == cycle), runs[0])


def _topic_of_unsaved(journal: Path) -> str:
    return f"{_UNSAVED}-{journal.stem}"


def _topic_of(run: RunId) -> str:
    return f"resume-{run}"


def resume(context: WindowContext, run: RunSummary, window: QWidget) -> None:
    """Show where *run* stands, its file beside it where that still exists, and let it go on."""
    path = Path(run.path)
    if run.path and is_file(path):
        context.documents.open_now_requested.emit(path)
    from workbench.gui.resume.resume_dialog import offer_resume  # noqa: PLC0415 - no start needs it

    offer_resume(context, run.id, window)


def _beginning(text: str) -> str:
    """How *text* is called: its first heading, or else its first words; not what stands before it between dashes."""
    lines = [line for line in text.splitlines() if line.strip("#- ")]
    heading = next((line for line in lines if line.startswith("# ")), "")
    return (heading or next(iter(lines), "")).strip("# ")


def _words_of(left: UnsavedLeft) -> str:
    edited = datetime.fromtimestamp(left.edited_s, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    beginning = _beginning(left.text)
    if not beginning:
        return _("An unsaved playbook from {time} can be restored.").format(time=edited)
    text = _("An unsaved playbook from {time} can be restored: “{beginning}”.")
    return text.format(time=edited, beginning=shorten(beginning, _LONGEST_BEGINNING, placeholder="…"))


def _nothing() -> None:
    """Only close the banner."""
