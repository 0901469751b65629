"""The engine: steps per second with a journal on disk and without one, and how fast an expression is evaluated."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.attacks import ATTACKS, attempt
from benchmarks.measure import Figure, at_least, at_most, cpu_ms
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.expressions.evaluation import evaluate
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.scripts import Script
from workbench.engine.starting import start_run
from workbench.model.snapshot import derive
from workbench.syntax.expressions import parse_expression
from workbench.syntax.text import SourceText

_LOOP = "# A\n\n## Main\n### Steps\n- $n = 0\n- While $n < {rounds}\n  - $n = $n + 1\n  - $m = $n * 2\n- Return $n\n"
_ROUNDS = 3_000
_STEPS = 3 * _ROUNDS + 3


def figures() -> Iterator[Figure]:
    """All figures of this part."""
    yield at_least("steps per second, journaled on disk", journaled_steps_per_second(), 2_000, "/s")
    with tempfile.TemporaryDirectory() as folder:
        forgetful = _Forgetful(Path(folder) / "none.sqlite")
        yield Figure("steps per second, nothing journaled", _steps_per_second(forgetful), "/s")
    yield at_most("the worst of the expressions made to hurt", max(map(_attack_ms, ATTACKS)), 10)
    yield at_least("evaluations per second of $total > 100", _evaluations_per_second(), 100_000, "/s")


def journaled_steps_per_second() -> float:
    """How many steps a run with a journal on disk carries out in a second."""
    with tempfile.TemporaryDirectory() as folder:
        return _steps_per_second(Journal(Path(folder) / "runs.sqlite"))


class _Forgetful(Journal):
    """A journal that keeps no event."""

    def append(self, events: Sequence[RunEvent]) -> Sequence[RunEvent]:
        """Nothing is kept."""
        return events

    append_synced = append


def _steps_per_second(journal: Journal) -> float:
    snapshot = derive(SourceText(_LOOP.format(rounds=_ROUNDS)))
    start = time.perf_counter()
    run = start_run(snapshot, journal, ScriptBackend(Script((), {})), RunOptions())
    run.wait()
    seconds = time.perf_counter() - start
    journal.close()
    if run.result != _ROUNDS:
        raise RuntimeError(f"the run ended with {run.result!r}")
    return _STEPS / seconds


def _attack_ms(source: str) -> float:
    return cpu_ms(lambda: attempt(source), 3)


def _evaluations_per_second() -> float:
    expression = parse_expression("$total > 100")
    values = {"total": 250}

    def scope(name: str, is_state: bool) -> object:  # noqa: FBT001 - the evaluator's own signature
        return values[name]

    count = 100_000
    start = time.process_time()
    for _round in range(count):
        evaluate(expression, scope)
    return count / (time.process_time() - start)
