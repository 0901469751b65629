"""Names that stand for what no program should wait for, or cannot be asked about."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from workbench.disk.files import LARGEST_FILE

LONGEST_NAME = 255


def fifo(folder: Path) -> Path:
    """A pipe that nobody writes to."""
    path = folder / "pipe.md"
    os.mkfifo(path)
    return path


def listening(folder: Path) -> Path:
    """A socket that somebody listened on."""
    path = folder / "socket.md"
    here = Path.cwd()
    os.chdir(folder)  # an address of a socket may have a hundred characters only
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
    finally:
        os.chdir(here)
    return path


def circle(folder: Path) -> Path:
    """A link to itself."""
    path = folder / "circle.md"
    path.symlink_to(path)
    return path


def device(_folder: Path) -> Path:
    """A device that gives bytes without end."""
    return Path("/dev/zero")


def linked_device(folder: Path) -> Path:
    """The same behind a link."""
    path = folder / "zero.md"
    path.symlink_to("/dev/zero")
    return path


def a_folder(folder: Path) -> Path:
    """A folder."""
    path = folder / "folder.md"
    path.mkdir()
    return path


def nul(folder: Path) -> Path:
    """A name that no file can have."""
    return folder / "a\0b.md"


def long_name(folder: Path) -> Path:
    """A name that is too long."""
    return folder / f"{'n' * 300}.md"


def long_path(folder: Path) -> Path:
    """A path that is too long."""
    return folder.joinpath(*(["n" * 200] * 30), "a.md")


def below_a_file(folder: Path) -> Path:
    """A name below a file."""
    (folder / "file").write_text("")
    return folder / "file" / "a.md"


def huge(folder: Path) -> Path:
    """A file that is larger than any that is opened."""
    path = folder / "huge.md"
    with path.open("wb") as stream:
        stream.truncate(LARGEST_FILE + 1)
    return path


Make = Callable[[Path], Path]
HOSTILE: tuple[Make, ...] = (
    fifo, listening, circle, device, linked_device, a_folder, nul, long_name, long_path, below_a_file, huge,
)  # fmt: skip

TROUBLES = ("EACCES", "ESTALE", "ENOTCONN", "EIO", "ELOOP", "ENAMETOOLONG", "EHOSTDOWN", "ETIMEDOUT")


@contextmanager
def unreachable(folder: Path, trouble: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is below *folder* cannot be looked at, opened or listed: say its server is gone, or it may not be entered.

    Tests may run as an administrator, to whom nothing is closed, so the system is asked in the name of a person.
    """
    number = getattr(errno, trouble)

    def refusing(real: Callable[..., object]) -> Callable[..., object]:
        def ask(path: object, *arguments: object, **more: object) -> object:
            is_below = isinstance(path, str | os.PathLike) and Path(path).is_relative_to(folder)
            if is_below and Path(path) != folder:
                raise OSError(number, os.strerror(number), str(path))
            return real(path, *arguments, **more)

        return ask

    with monkeypatch.context() as patch:
        for name in ("stat", "lstat", "open", "listdir", "scandir", "readlink", "access"):
            patch.setattr(os, name, refusing(getattr(os, name)))
        yield
