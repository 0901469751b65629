"""``workbench debug-adapter``: an editor debugs playbooks, over the input and output of this process."""

from __future__ import annotations

import argparse
import os
import queue
import threading

from workbench.cli.debug_adapter.adapter import Closed, Inbox, serve
from workbench.cli.debug_adapter.client import Client
from workbench.cli.debug_adapter.wire import Unframing
from workbench.cli.terminal import FINE, Commands, add_command, taken_wires
from workbench.i18n import _

_PIECE = 65_536


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "debug-adapter",
        _("let an editor debug playbooks"),
        "debug-adapter",
        _("Speaks the Debug Adapter Protocol over its input and output. The README says how editors start it."),
    )
    parser.set_defaults(execute=execute)


def execute(_options: argparse.Namespace) -> int:
    """Serve one client, until it goes."""
    wire_in, wire_out = taken_wires()
    inbox: Inbox = queue.SimpleQueue()
    threading.Thread(target=_read, args=(wire_in, inbox), name="wire", daemon=True).start()
    serve(Client(lambda data: _write(wire_out, data)), inbox)
    return FINE


def _write(wire: int, data: bytes) -> None:
    while data:
        data = data[os.write(wire, data) :]


def _read(wire: int, inbox: Inbox) -> None:
    """Put what the client sends into *inbox*, to its end."""
    unframing = Unframing()
    try:
        while piece := os.read(wire, _PIECE):
            for each in unframing.feed(piece):
                inbox.put(each)
    except OSError:  # the other end is gone
        pass
    inbox.put(Closed())
