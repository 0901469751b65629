"""``workbench screenshot``: a picture of the real window, with or without a display."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from workbench.errors import WorkbenchError
from workbench.gui.screenshot.options import ScreenshotOptions
from workbench.i18n import _
from workbench.visible import visible

VIEWS = ("window", "canvas", "source", "timeline", "patterns")
DEFAULT_SIZE = "1600x1000"


def main(argv: Sequence[str]) -> int:
    """Write the picture; 0 when it is written, 2 when the file cannot be read or the picture not be written."""
    options = _options(argv)
    _prepare_screen(options.scale)
    from workbench.gui.screenshot.photographer import take_picture  # noqa: PLC0415 - Qt reads the environment when it loads

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
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
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
