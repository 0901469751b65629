"""What a picture of the window is to show."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


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
