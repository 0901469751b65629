"""``python -m tests.soak.as_machine NAME SHARED …``: the command line, as on a machine of this name.

What another machine has noted about calls it sees only where SHARED is ``yes``. Leases of other machines expire soon.
"""

from __future__ import annotations

import socket
import sys
from dataclasses import replace
from typing import Any

from workbench.__main__ import main
from workbench.engine import starting
from workbench.engine.backends.file_python import PythonRules
from workbench.engine.journal import lease

EXPIRY_S = 0.6


def _pose_as(name: str, *, is_shared: bool) -> None:
    def rules(*given: Any) -> PythonRules:
        made = PythonRules(*given)
        return made if is_shared else replace(made, ledgers=made.ledgers.with_name(f"calls-{name}"))

    socket.gethostname = lambda: name
    lease.EXPIRY_S, lease.HEARTBEAT_S = EXPIRY_S, EXPIRY_S / 6
    starting.PythonRules = rules  # type: ignore[assignment, attr-defined]


if __name__ == "__main__":
    _pose_as(sys.argv[1], is_shared=sys.argv[2] == "yes")
    sys.argv[1:3] = []
    sys.exit(main())
