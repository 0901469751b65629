"""Whatever is done to a document, ids are unique, and undo leads back to the beginning.

``python -m tests.soak chains`` runs a thousand of these chains.
"""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.chains import run_chain


@given(st.integers(0, 2**32))
# a chain that fails is named by its seed; there is nothing to shrink
@settings(max_examples=examples(12), phases=(Phase.reuse, Phase.generate), suppress_health_check=list(HealthCheck))
def test_ids_stay_unique_and_undo_leads_back_along_a_long_chain(tmp_path: Path, seed: int) -> None:
    run_chain(tmp_path, seed)
