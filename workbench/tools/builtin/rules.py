"""What the built-in tools of one run may do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class BuiltinRules:
    """*folder*: of the project, None where the playbook is not saved. *environment*: variables that commands see."""

    folder: Path | None
    environment: tuple[str, ...] = ()
    time_limit_s: float = 60.0
    memory_mb: int = 2048
    output_limit: int = 1_000_000
    download_limit: int = 1 << 20
