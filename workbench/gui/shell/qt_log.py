"""Qt's own messages go where ours go."""

from __future__ import annotations

import logging

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

log = logging.getLogger(__name__)

# what Qt warns of is seldom anything that a person could act on
_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.DEBUG,
    QtMsgType.QtWarningMsg: logging.INFO,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def log_qt_messages() -> None:
    """Hand every message of Qt to the log from now on."""
    qInstallMessageHandler(_take)


def _take(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    log.log(_LEVELS.get(kind, logging.INFO), "Qt: %s", message)
