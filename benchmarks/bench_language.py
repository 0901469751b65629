"""The language: text to assembly, checks while typing, and expressions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from benchmarks.documents import playbook_text
from benchmarks.measure import Figure, at_least, at_most, cpu_ms
from workbench.engine.expressions.evaluation import evaluate
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.incremental.advancing import advance
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.expressions import parse_expression
from workbench.syntax.text import SourceText, Span

_LIMITS_MS = {1_000: 100.0, 10_000: 1_500.0}
_EVALUATIONS = 20_000


def figures() -> Iterator[Figure]:
    """All figures of this part."""
    times: dict[int, float] = {}
    for size, limit in _LIMITS_MS.items():
        times[size] = _compiled_ms(size)
        yield at_most(f"parse, lower and compile, {size:,} steps of unseen text", times[size], limit)
    growth = times[10_000] / times[1_000]
    yield at_most("growth of that from 1,000 to 10,000 steps", growth, 20, "x")
    for size in _LIMITS_MS:
        name = f"one key: check, {size:,} steps"
        yield at_most(name, _checked_ms(clean_text(size)), 12)
        yield Figure(f"{name}, every fifth with a finding", _checked_ms(playbook_text(size)))
    yield at_least("evaluations of $total > 100", _evaluations_per_second(), 1_000_000, "1/s")


def _compiled_ms(size: int) -> float:
    unseen = count(1)
    writing = cpu_ms(lambda: playbook_text(size, 7))
    return cpu_ms(lambda: compile_assembly(derive(SourceText(playbook_text(size, next(unseen) * 1_000_000))))) - writing


def clean_text(size: int) -> str:
    """A playbook of *size* steps in which hardly anything is found."""
    text = playbook_text(size)
    return text.replace("- Otherwise write", "- Write").replace("- Ask user for $name", "- Ask the user about part ")


def _checked_ms(text: str) -> float:
    """One key: the text after it, and everything that is found in it."""
    state: list[Snapshot] = [derive(SourceText(text))]
    at = text.index("$limit * ", len(text) // 2)
    found = [state[0].diagnostics]

    def press() -> None:
        state[0] = advance(state[0], TextChange((TextEdit(Span(at, at), "1"),)))
        found[0] = state[0].diagnostics

    return cpu_ms(press, 15)


def _evaluations_per_second() -> float:
    expression = parse_expression("$total > 100")
    known: dict[str, object] = {"total": 120}

    def scope(name: str, is_state: bool) -> object:  # noqa: FBT001 - a scope is called like this
        return known[name]

    def many() -> None:
        for _number in range(_EVALUATIONS):
            evaluate(expression, scope)

    return _EVALUATIONS / cpu_ms(many) * 1000
