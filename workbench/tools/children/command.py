"""Becomes the command behind the guard's own arguments, so that ``guard`` can stand above any program."""

from __future__ import annotations

import os
import signal
import sys

_FIRST_WORD = 4
_CANNOT_START = 127

for name in ("SIGPIPE", "SIGXFSZ"):  # Python ignores these, and whom we become would do so too
    if hasattr(signal, name):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
words = sys.argv[_FIRST_WORD:]
try:
    os.execvp(words[0], words)  # noqa: S606 - the words are not read by a shell
except OSError as error:
    os.write(2, f"{words[0]}: {error.strerror}\n".encode("utf-8", "surrogateescape"))
    os._exit(_CANNOT_START)
