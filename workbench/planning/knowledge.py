"""What the library knows about a step list, in words for whoever walks it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.library.relevance.relevance import proven_context
from workbench.library.store import PatternStore
from workbench.model.loader.steplist import Playbook


@dataclass(frozen=True, slots=True)
class KnownPatterns:
    """The proven patterns in the library *file*."""

    file: Path

    def __call__(self, playbook: Playbook) -> str:
        """What has worked before for *playbook*, as text for a model's context; empty where nothing is known.

        Raises StoreFailed where the library cannot be used.
        """
        if not self.file.exists():
            return ""
        patterns = PatternStore(self.file)
        try:
            return proven_context(patterns, f"{playbook.name} {playbook.description}")
        finally:
            patterns.close()
