"""Work on threads of the pool, and what carries its outcome to the window."""

from __future__ import annotations

import threading

from PySide6.QtCore import QObject, Qt, Signal
from pytestqt.qtbot import QtBot

from workbench.gui.control.background import Job, LaterTurns


class _Listener(QObject):
    heard = Signal(object)


def test_what_carries_an_outcome_is_deleted_where_those_who_listen_are(qtbot: QtBot) -> None:
    listener, deleted_on, heard = _Listener(), list[int](), list[object]()
    job = Job(lambda: 7)
    job.outcome.done.connect(listener.heard)
    listener.heard.connect(heard.append)
    job.outcome.destroyed.connect(lambda: deleted_on.append(threading.get_ident()), Qt.ConnectionType.DirectConnection)
    job.start()
    del job
    qtbot.waitUntil(lambda: bool(deleted_on))
    assert deleted_on == [threading.get_ident()]
    assert heard == [7]


def test_what_fails_in_a_turn_of_its_own_keeps_nothing_else_from_being_done(qtbot: QtBot) -> None:
    owner, done = QObject(), list[int]()
    turns = LaterTurns(owner)

    def fail() -> None:
        raise ValueError("not today")

    with qtbot.capture_exceptions() as told:
        turns.ask(fail, lambda: done.append(1))
        qtbot.waitUntil(lambda: turns.are_over)
    assert done == [1]
    assert [str(each[1]) for each in told] == ["not today"]
    owner.deleteLater()
