"""Random programs whose runs deviate, and that go on with another text: nothing that is done is done again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from tests.core.deviating import check_going_on


def failures(number: int, _folder: Path) -> Iterator[str]:
    """What is wrong where *number* random programs with a random step that fails go on with another text."""
    count = seed = 0
    while count < number:
        found = check_going_on(random.Random(seed))
        seed += 1
        count += found is not None
        yield from found or ()
