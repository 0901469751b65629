"""Starts the window."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QProcess, Qt, QTranslator
from PySide6.QtWidgets import QApplication

from workbench.disk.files import absolute
from workbench.disk.places import places
from workbench.errors import CannotSave
from workbench.gui.banners.startup_offers import StartupOffers
from workbench.gui.control.background import finish_background_work
from workbench.gui.control.context import WindowContext, window_context
from workbench.gui.look.theme_controller import ThemeChoice
from workbench.gui.shell.crash_handler import CrashHandler
from workbench.gui.shell.garbage import GuiGarbageCollector
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.shell.panes.layout_memory import forget_layouts
from workbench.gui.shell.qt_log import log_qt_messages
from workbench.i18n import _, language
from workbench.logs import log_to_file, log_to_terminal

log = logging.getLogger(__name__)


def main(argv: Sequence[str]) -> int:
    """Show the window until it is closed; *argv*: the arguments without the program's name."""
    # Qt's loop would not let Python see Ctrl+C; nothing is lost by ending at once, edits and runs are journaled
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    log_to_terminal()
    log_qt_messages()
    application = application_for_window()
    GuiGarbageCollector(application)
    log_to_file(places().log_dir)
    window = main_window(argv)
    CrashHandler(window.context.notices, window.context.places.state_dir, window).install()
    application.aboutToQuit.connect(window.context.runs.leave)
    StartupOffers(window.context, window.banners).show_soon()
    code = application.exec()
    finish(window.context)
    if window.session.is_restarting:
        begin_again(sys.orig_argv, argv)
    return code


def begin_again(command: Sequence[str], arguments: Sequence[str]) -> None:
    """Let the program be another one with the same *command*, without its *arguments*: the session has what is open."""
    again = [sys.executable, *command[1 : len(command) - len(arguments)]]
    logging.shutdown()
    if sys.platform == "win32":  # there a program cannot become another one
        QProcess.startDetached(again[0], again[1:])
    else:
        os.execv(again[0], again)  # noqa: S606 - the program itself, as it was called


def finish(context: WindowContext) -> None:
    """Let nothing be lost that is still worked on."""
    finish_background_work()
    try:
        context.settings.finish()
    except CannotSave as error:
        log.warning("%s", error)


def main_window(argv: Sequence[str]) -> MainWindow:
    """The window as *argv* asks for it, already showing."""
    options = _parser().parse_args(argv)
    context = window_context(places(), application_for_window())
    if options.reset:
        _forget_layouts(context)
    if options.theme:
        context.theme.choose(ThemeChoice(options.theme))
    window = MainWindow(context)
    window.restore()
    window.show()
    _show_first(window, absolute(options.file) if options.file is not None else None)
    return window


def _forget_layouts(context: WindowContext) -> None:
    try:
        context.settings.change(forget_layouts)
    except CannotSave as error:
        log.warning("%s", error)


def _show_first(window: MainWindow, path: Path | None) -> None:
    """Show the files of the last session, and *path* in front; the window stays whatever is wrong, and says it."""
    try:
        window.show_session(is_in_front=path is None)
        if path is not None:
            window.files.open_path(path)
    except Exception as error:  # noqa: BLE001 - this border is for everything
        context = window.context
        CrashHandler(context.notices, context.places.state_dir, window).take(type(error), error, error.__traceback__)


def application_for_window() -> QApplication:
    """The application with its name, made where there is none yet."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    QApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    application = QApplication(sys.argv[:1])
    application.setStyle("Fusion")
    application.setApplicationName("playbook-workbench")
    application.setApplicationDisplayName(_("Playbook Workbench"))
    application.setDesktopFileName("org.playbookworkbench.Workbench")
    _translate_qt(application)
    return application


def _translate_qt(application: QApplication) -> None:
    """Let Qt's own buttons and dialogs speak the same language; English needs no catalogue."""
    translator = QTranslator(application)
    if translator.load(f"qtbase_{language()}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(translator)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="workbench", description=_("Open the window."))
    parser.add_argument("file", nargs="?", type=Path, help=_("playbook or folder to open"))
    parser.add_argument("--reset", action="store_true", help=_("reset the pane layout"))
    parser.add_argument("--theme", choices=[choice.value for choice in ThemeChoice], help=_("for this start only"))
    return parser
