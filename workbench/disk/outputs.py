"""What a person wants to have written under a name of their choice."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from workbench.disk.atomic import replace_file
from workbench.disk.files import Kind, look_at, why
from workbench.errors import CannotSave
from workbench.i18n import _

Put = Callable[[Path, bytes], None]
"""How the data gets into a file."""


def write_file(path: Path, data: bytes, put: Put = replace_file) -> None:
    """Put *data* into the file *path*. Raises CannotSave."""
    with _told(path):
        put(path, data)


def write_output(path: Path, data: bytes, put: Put = replace_file) -> None:
    """The same; a pipe or a device gets *data* as it is. Raises CannotSave."""
    if look_at(path).kind is not Kind.OTHER:
        write_file(path, data, put)
        return
    with _told(path):
        # not waited for: nobody may ever read from it
        handle = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))
        os.set_blocking(handle, True)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise  # whoever read from it has had enough
    except (OSError, ValueError) as error:
        raise CannotSave(_("Could not write “{name}”: {reason}.").format(name=path.name, reason=why(error))) from error
