"""Events without the secrets that were in them."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import replace

from workbench.engine.journal.codec import decoded, encoded
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import VariableSet
from workbench.secrets import Redactor, known_secrets


def store_redactor(connection: sqlite3.Connection) -> Redactor:
    """What takes secrets out; its salt stays in the store, so that nobody can try out the marks in an export."""
    connection.execute("CREATE TABLE IF NOT EXISTS salt (salt BLOB)")
    row = connection.execute("SELECT salt FROM salt").fetchone()
    salt = bytes(row[0]) if row is not None else os.urandom(16)
    if row is None:
        connection.execute("INSERT INTO salt VALUES (?)", (salt,))
    return Redactor(salt, known_secrets())


def redacted(event: RunEvent, redactor: Redactor) -> RunEvent:
    """*event* with marks in the place of secrets; as that of a field, the name of a variable says what it holds."""
    body = redactor.redacted(encoded(event.payload))
    if isinstance(event.payload, VariableSet):
        body["new"] = redactor.redacted(event.payload.new, event.payload.name)
    return replace(event, payload=decoded(event.name, body))
