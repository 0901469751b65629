"""Signs the heads of hash chains with a key, so that a chain which somebody made anew is seen.

The key is a file of 64 hexadecimal digits that only its owner may read. Who can read it can sign: keep a copy where
those who can write to the store cannot reach it, and check with that.
"""

from __future__ import annotations

import enum
import hashlib
import hmac
import os
import sqlite3
from pathlib import Path

from workbench.disk.atomic import make_folder, write_new_private_file
from workbench.disk.files import is_there, read_file
from workbench.disk.places import places
from workbench.errors import CannotSave, WorkbenchError
from workbench.i18n import _

_BYTES = 32


class Signature(enum.Enum):
    """What the key says of a run."""

    NO_KEY = "no-key"
    RIGHT = "right"
    MISSING = "missing"
    WRONG = "wrong"


def key_file() -> Path:
    """Where the person's own key is, if there is one."""
    return places().config_dir / "audit.key"


def own_key() -> bytes:
    """The person's own key, empty where there is none. Raises WorkbenchError where it cannot be used."""
    return read_key(key_file()) if is_there(key_file()) else b""


def read_key(path: Path) -> bytes:
    """The key in *path*. Raises WorkbenchError where it is not one."""
    try:
        key = bytes.fromhex(read_file(path, 1024).decode("ascii"))
    except ValueError:
        key = b""
    if len(key) != _BYTES:
        message = _("“{path}” is not a key for signing. Make one with: workbench audit new-key")
        raise WorkbenchError(message.format(path=path))
    return key


def make_key(path: Path) -> None:
    """Write a new key to *path*. Raises CannotSave where there is something already, for a key is in nothing else."""
    if is_there(path):
        message = _("“{path}” exists already. Runs that it signed can only be checked with it.")
        raise CannotSave(message.format(path=path))
    make_folder(path.parent)
    write_new_private_file(path, os.urandom(_BYTES).hex().encode("ascii") + b"\n")


def sign(connection: sqlite3.Connection, key: bytes, run: str, count: int, head: bytes) -> None:
    """Keep the signature of *run* as it is now, with *count* events that end with *head*."""
    connection.execute("CREATE TABLE IF NOT EXISTS signature (run TEXT PRIMARY KEY, mac BLOB)")
    connection.execute("INSERT OR REPLACE INTO signature VALUES (?,?)", (run, _mac(key, run, count, head)))


def checked(connection: sqlite3.Connection, key: bytes, run: str, count: int, head: bytes) -> Signature:
    """What *key* says of *run*, which has *count* events that end with *head*."""
    if not key:
        return Signature.NO_KEY
    try:
        row = connection.execute("SELECT mac FROM signature WHERE run=?", (run,)).fetchone()
    except sqlite3.OperationalError:  # nothing was ever signed here
        row = None
    if row is None:
        return Signature.MISSING
    is_right = isinstance(row[0], bytes) and hmac.compare_digest(row[0], _mac(key, run, count, head))
    return Signature.RIGHT if is_right else Signature.WRONG


def _mac(key: bytes, run: str, count: int, head: bytes) -> bytes:
    return hmac.new(key, f"{run} {count} ".encode() + head, hashlib.sha256).digest()
