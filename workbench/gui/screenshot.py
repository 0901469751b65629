"""``workbench screenshot``: a real window set up as it is wanted, and its picture, with or without a display."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QObject, QTimer, Signal, Slot

from workbench.disk.files import absolute
from workbench.disk.outputs import write_output
from workbench.disk.places import Places, places_under
from workbench.engine.backends.script import scripted
from workbench.engine.ports import JudgementBackend
from workbench.engine.scripts import read_script, script_beside
from workbench.errors import CannotSave, WorkbenchError
from workbench.gui.app import application_for_window
from workbench.gui.control.background import finish_background_work
from workbench.gui.control.context import WindowContext, window_context
from workbench.gui.control.running.run_host import RunHost
from workbench.gui.control.running.run_questions import trust_question
from workbench.gui.look.theme_controller import ThemeChoice
from workbench.gui.shell.main_window import MainWindow
from workbench.gui.shell.qt_log import log_qt_messages
from workbench.i18n import _
from workbench.model.snapshot import Snapshot
from workbench.resources import sample_playbooks
from workbench.settings import Settings
from workbench.visible import visible

# counts and hints of the window wait for a pause in the typing; the picture waits for them
_REST_MS = 700
_LONGEST_RUN_MS = 20_000
# a long file has its findings only after seconds
_LONGEST_SEARCH_MS = 60_000
_RUNS_FOR_PATTERNS = 3
VIEWS = ("window", "canvas", "source", "timeline", "patterns")
DEFAULT_SIZE = "1600x1000"


@dataclass(frozen=True, slots=True)
class ScreenshotOptions:
    """What to show and where to write it. *width*, *height*: in pixels at 100 %; *is_trusted*: its Python may run."""

    file: Path
    output: Path
    view: str
    theme: str
    scale: float
    width: int
    height: int
    is_trusted: bool


def take_picture(options: ScreenshotOptions, home: Path) -> None:
    """Write the picture that *options* describe; settings, runs and patterns stay in *home*.

    Raises CannotRead and CannotSave.
    """
    log_qt_messages()
    application = application_for_window()
    context = window_context(places_under(home), application)
    context.theme.choose(ThemeChoice(options.theme))
    window = MainWindow(context)
    window.panes.fill()
    window.resize(options.width, options.height)
    photographer = Photographer(window, options, application)
    photographer.ready.connect(application.quit)
    window.restore()
    photographer.compose()
    window.show()
    context.documents.open(absolute(options.file))
    photographer.begin()
    application.exec()
    write_output(options.output, _picture_of(window, options.output))
    context.runs.leave()
    finish_background_work()


def _picture_of(window: MainWindow, path: Path) -> bytes:
    """What *window* looks like, in the form that the ending of *path* names. Raises CannotSave."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not window.grab().save(buffer, path.suffix.removeprefix(".").upper() or "PNG"):
        raise CannotSave(_("Could not save the picture “{name}”.").format(name=path.name))
    return bytes(buffer.data().data())


class Photographer(QObject):
    """Brings the wanted view forward, carries out the runs that it needs, and says when all is there."""

    ready = Signal()  # the window looks as it is to be shown

    def __init__(self, window: MainWindow, options: ScreenshotOptions, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self._context: WindowContext = window.context
        self._options = options
        self._runs_to_go = {"timeline": 1, "patterns": _RUNS_FOR_PATTERNS}.get(options.view, 0)
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self.ready)
        self._is_looking = False
        self._context.runs.run_finished.connect(self._go_on)
        self._context.diagnosis.ready.connect(self._on_diagnosed)

    def begin(self) -> None:
        """Start the first run, or rest at once where none is needed."""
        script = script_beside(self._options.file)
        if script is None or not self._may_run():
            self._runs_to_go = 0
        else:
            self._context.runs.host = ScriptedHost(self._context.places, script)
        self._go_on()

    def _may_run(self) -> bool:
        """Our own samples may; the Python of other files only when it was said so."""
        allowed = self._context.places.allowed_dir
        question = trust_question(self._context.documents.snapshot.program, None, allowed)
        is_ours = absolute(self._options.file) in sample_playbooks()
        if question is not None and (is_ours or self._options.is_trusted):
            self._context.settings.change(partial(Settings.with_trust, digest=question.digest))
        return question is None or is_ours or self._options.is_trusted

    def _go_on(self) -> None:
        if self._runs_to_go > 0:
            self._runs_to_go -= 1
            self._rest.start(_LONGEST_RUN_MS)
            self._context.runs.start()
        else:
            self._bring_forward()
            self._is_looking = not self._context.documents.snapshot.is_diagnosed
            self._rest.start(_LONGEST_SEARCH_MS if self._is_looking else _REST_MS)

    def compose(self) -> None:
        """Give the wanted view the room, before anything is measured."""
        window = self._window
        match self._options.view:
            case "canvas":
                window.centre.maximise_canvas()
                window.panes.hide_all()
            case "source":
                window.centre.maximise_source()
                window.panes.hide_all()
            case "patterns":
                window.panes.dock("palette").hide()

    def _bring_forward(self) -> None:
        """Show the pane that the picture is of, wide or tall."""
        match self._options.view:
            case "window":
                self._select_a_step()
            case "timeline":
                self._window.panes.give_room("timeline")
            case "patterns":
                self._window.panes.give_room("patterns")

    def _select_a_step(self) -> None:
        """Give the inspector something to show: the second step, or the only one."""
        playbooks = self._context.documents.snapshot.program.playbooks
        steps = playbooks[0].steps[:2] if playbooks else ()
        if steps:
            self._context.selection.select((steps[-1].id,))

    @Slot(object)
    def _on_diagnosed(self, _snapshot: object) -> None:
        """All that was still looked for is there."""
        if self._is_looking:
            self._is_looking = False
            self._rest.start(_REST_MS)


class ScriptedHost(RunHost):
    """As the window's own host, but nobody has to be at the desk."""

    def __init__(self, places: Places, script: Path) -> None:
        super().__init__(places)
        self._script = script

    def backend(self, snapshot: Snapshot) -> JudgementBackend:
        """The script, from its beginning."""
        return scripted(read_script(self._script), snapshot.program.format)


def main(argv: Sequence[str]) -> int:
    """Write the picture; 0 when it is written, 2 when the file cannot be read or the picture not be written."""
    options = _options(argv)
    _prepare_screen(options.scale)
    try:
        with tempfile.TemporaryDirectory(prefix="workbench-") as home:
            take_picture(options, Path(home))
    except WorkbenchError as error:
        print(visible(str(error)), file=sys.stderr)  # noqa: T201 - a command of the terminal
        return 2
    return 0


def _prepare_screen(scale: float) -> None:
    """Draw without a display where there is none, at *scale* pixels per point."""
    has_display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not has_display:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["QT_SCALE_FACTOR"] = str(scale)


def _options(argv: Sequence[str]) -> ScreenshotOptions:
    found = _parser().parse_args(argv)
    width, height = found.size
    return ScreenshotOptions(found.file, found.output, found.view, found.theme, found.scale, width, height, found.trust)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="workbench screenshot", description=_("Save a picture of the window."))
    parser.add_argument("file", type=Path, help=_("playbook to show"))
    parser.add_argument("-o", "--output", type=Path, required=True, help=_("picture file to write (PNG)"))
    parser.add_argument("--view", choices=VIEWS, default="window", help=_("pane to enlarge"))
    themes = [choice.value for choice in ThemeChoice if choice is not ThemeChoice.SYSTEM]
    parser.add_argument("--theme", choices=themes, default="light", help=_("contrast: high contrast"))
    parser.add_argument("--scale", type=_scale, default=1.0, help=_("pixels per point: 2 for high-density screens"))
    parser.add_argument("--size", type=_size, default=_size(DEFAULT_SIZE), help=_("window size before scaling"))
    parser.add_argument("--trust", action="store_true", help=_("allow the file's Python to run for the picture"))
    return parser


def _scale(text: str) -> float:
    value = float(text)
    if not 0.5 <= value <= 4:
        raise argparse.ArgumentTypeError(_("the scale must be between 0.5 and 4"))
    return value


def _size(text: str) -> tuple[int, int]:
    width, _cross, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal() and 200 <= int(width) <= 8000 and 200 <= int(height) <= 8000):
        raise argparse.ArgumentTypeError(_("give the size as WIDTHxHEIGHT, each between 200 and 8000"))
    return int(width), int(height)
