"""The last border: what nobody caught is told in the window and kept in a report."""

from __future__ import annotations

import logging
import platform
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from types import TracebackType

import PySide6
from PySide6.QtCore import QObject

from workbench.disk.atomic import write_new_private_file
from workbench.disk.private import make_private_folder
from workbench.errors import WorkbenchError
from workbench.gui.control.notices import Cause, Notice, NoticeKind, Notices
from workbench.i18n import _

log = logging.getLogger(__name__)


class CrashHandler(QObject):
    """Receives every exception that rises out of a slot."""

    def __init__(self, notices: Notices, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._notices = notices
        self._folder = folder

    def install(self) -> None:
        """Be the one who is told of uncaught exceptions."""
        sys.excepthook = self.take

    def take(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """A failing world becomes a banner; a mistake of ours a report, and the work goes on."""
        if isinstance(error, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
        elif isinstance(error, WorkbenchError):
            self._notices.report(error, Cause.PERSON)
        else:
            # what is no text, such as bytes of a file's name, is written out: neither log nor report takes it as it is
            story = "".join(traceback.format_exception(kind, error, trace)).encode("utf-8", "backslashreplace").decode()
            log.error("Met a mistake of ours\n%s", story)
            self._notices.noticed.emit(Notice(NoticeKind.ERROR, self._words(story), Cause.PERSON))

    def _words(self, story: str) -> str:
        where = self._write(story)
        words = _("Internal error. Your document is safe; save it and continue.")
        return words if where is None else words + " " + _("A report was saved to {path}.").format(path=where)

    def _write(self, text: str) -> Path | None:
        """Where the report is, or None where it could not be written."""
        now = datetime.now(UTC)
        path = self._folder / f"crash-{now:%Y%m%d-%H%M%S}-{token_hex(4)}.txt"
        head = f"Python {platform.python_version()}, PySide6 {PySide6.__version__}, {platform.platform()}\n"
        try:
            make_private_folder(self._folder)
            write_new_private_file(path, f"{now.isoformat()}\n{head}\n{text}".encode("utf-8", "backslashreplace"))
        except OSError:
            return None
        return path
