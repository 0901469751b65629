"""A log file that its owner alone can read, and that cannot grow without end."""

from __future__ import annotations

import os
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from workbench.disk.private import open_private_to_append


class RotatingLog(RotatingFileHandler):
    """As the standard library has it, but for how its files are opened."""

    def _open(self) -> TextIOWrapper:
        handle = open_private_to_append(Path(self.baseFilename))
        stream = os.fdopen(handle, "a", encoding=self.encoding, errors=self.errors)
        assert isinstance(stream, TextIOWrapper)
        return stream
