"""Random edits, over generated programs and over every file we have: the laws of text and of editing.

``make fuzz`` makes more than ten thousand of them, the same each time; ``make thorough`` makes others each time.
The tests that take longest come first and in parts, so that two processes share them.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from benchmarks.shapes import TOKENS
from tests.conftest import MORE, examples, is_thorough
from tests.core.check import try_laws
from tests.core.editing_cases import commands_on, places_of, steps_of
from tests.core.strategies import programs
from tests.core.test_scan import FILES
from tests.core.test_snapshot import meaning_of
from workbench.editing.change import DocumentChange
from workbench.editing.commands import Command, MoveSteps
from workbench.model.assembly.compiling import compile_assembly
from workbench.model.incremental.advancing import advance
from workbench.model.layout.program import LayoutCache, layout_program
from workbench.model.meaning import StepKind
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.text import SourceText, Span, split_lines

EDITS_IN_A_CHAIN = 50
CHAINS = 30 if is_thorough() else 20
EDITS_OF_A_FILE = 20 if is_thorough() else 10
"""In a chain, of which each file has one: the files are many, and their laws of editing have tests of their own."""
COMMANDS_IN_A_CHAIN = 10
CHAINS_OF_COMMANDS = 25
LONG = 8_000
PIECES = [
    *TOKENS,
    "### Steps\n",
    "- If $x > 1\n",
    "  - $x = 2\n",
    "# Desk\n",
    "## Main($a)\n",
    "$x",
    "{$a}",
    "!import a\n",
    "# ",
]
# a chain that fails is named by its seed; to shrink what it began with would take minutes
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
PARTS = 5
MARKDOWN = [path for path in FILES if path.suffix in {".md", ".pb", ".pbasm"}]


def random_edit(text: str, source: random.Random) -> TextChange:
    """One to three edits such as people and programs make: typed, pasted, deleted, replaced, moved."""
    if len(text) > LONG:
        return TextChange((TextEdit(Span(LONG // 2, len(text)), ""),))
    first, second = sorted(source.choices(range(len(text) + 1), k=2))
    kind = source.randrange(5)
    if kind == 0:
        return TextChange((TextEdit(Span(first, first), source.choice(PIECES)),))
    if kind == 1:
        return TextChange((TextEdit(Span(first, min(second, first + 30)), ""),))
    if kind == 2:
        return TextChange((TextEdit(Span(first, min(second, first + 10)), source.choice(PIECES)),))
    end = min(second, first + 80)
    moved = text[first:end]
    if kind == 3:
        return TextChange((TextEdit(Span(second, second), moved),))
    return TextChange((TextEdit(Span(first, end), ""), TextEdit(Span(max(second, end), max(second, end)), moved)))


def run_chain(text: str, source: random.Random, edits: int) -> None:
    """Make a chain of *edits*; after each of them the cheap laws hold, after every tenth all of them."""
    snapshot = derive(SourceText(text))
    cache = LayoutCache()
    for number in range(1, edits + 1):
        change = random_edit(snapshot.text, source)
        after = advance(snapshot, change)
        assert after.text == change.apply(snapshot.text)
        assert change.invert(snapshot.text).apply(after.text) == snapshot.text
        assert len("".join([block.text for block in after.blocks])) == len(after.text)
        if number % 10 == 0:
            check_anew(after)
            layout_program(after, frozenset(), cache)
        snapshot = after


def check_anew(snapshot: Snapshot) -> None:
    """*snapshot*, which many edits led to, is what its text says when it is read from nothing."""
    anew = derive(snapshot.source)
    assert [block.text for block in snapshot.blocks] == [block.text for block in anew.blocks]
    assert "".join(block.text for block in anew.blocks) == snapshot.text
    assert meaning_of(snapshot) == meaning_of(anew)
    assert snapshot.diagnostics == anew.diagnostics
    ids = [step_id for names in snapshot.block_ids for step_id in names]
    assert len(ids) == len(set(ids))
    for root in snapshot.roots:
        for step in root.walk() if root is not None else ():
            if step.kind is not StepKind.RAW and snapshot.head_span(step.id):
                assert snapshot.step_at(snapshot.head_span(step.id).start) == step.id
    assembly = compile_assembly(anew)
    assert len(assembly.origins) == len(split_lines(assembly.text))


def try_part(part: int, usual: int, test: Callable[[str, random.Random], None]) -> None:
    """Try *test* on one of the parts of *usual* generated programs, which are others in each part."""

    @given(programs(), st.integers(0, 2**32))
    @settings(max_examples=examples(usual) // PARTS, phases=PHASES, suppress_health_check=list(HealthCheck))
    def one(text: str, number: int) -> None:
        test(text, random.Random(number))

    (one if is_thorough() else seed(part)(one))()


@pytest.mark.parametrize("part", range(PARTS))
def test_texts_and_snapshots_stay_exact_along_chains_of_edits_of_generated_programs(part: int) -> None:
    try_part(part, CHAINS, lambda text, source: run_chain(text, source, EDITS_IN_A_CHAIN))


def test_there_are_ten_thousand_edits_where_more_is_tried() -> None:
    edits = EDITS_IN_A_CHAIN * CHAINS + EDITS_OF_A_FILE * len(MARKDOWN)
    assert MORE * (edits + COMMANDS_IN_A_CHAIN * CHAINS_OF_COMMANDS) >= 10_000


def random_command(snapshot: Snapshot, source: random.Random) -> Command | None:
    """A command on some step, or None where there is no step."""
    steps = steps_of(snapshot)
    if not steps:
        return None
    step = source.choice(steps).id
    if source.random() < 0.4:
        return MoveSteps((step,), source.choice(places_of(snapshot)))
    return source.choice(list(commands_on(snapshot, step)))


def chain_of_commands(text: str, source: random.Random) -> None:
    snapshot = derive(SourceText(text))
    for _number in range(COMMANDS_IN_A_CHAIN):
        command = random_command(snapshot, source)
        change = try_laws(snapshot, command) if command is not None else None
        if isinstance(change, DocumentChange):
            snapshot = derive(change.after.source)


@pytest.mark.parametrize("part", range(PARTS))
def test_commands_can_be_undone_and_keep_ids_along_chains_of_them(part: int) -> None:
    try_part(part, CHAINS_OF_COMMANDS, chain_of_commands)


def some_prefixes(text: str, source: random.Random) -> None:
    for cut in source.choices(range(len(text) + 1), k=5):
        snapshot = derive(SourceText(text[:cut]))
        layout = layout_program(snapshot)
        for playbook in snapshot.program.playbooks:
            assert all(layout.place_of(step.id) is not None for step in playbook.steps)


@pytest.mark.parametrize("part", range(PARTS))
def test_every_prefix_is_read_and_drawn(part: int) -> None:
    try_part(part, 60 if is_thorough() else 35, some_prefixes)


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: path.name)
@given(st.integers(0, 2**32))
@settings(max_examples=examples(1), phases=PHASES, suppress_health_check=list(HealthCheck))
def test_texts_and_snapshots_stay_exact_along_chains_of_edits_of_every_file(path: Path, number: int) -> None:
    run_chain(SourceText.decode(path.read_bytes()).text, random.Random(number), EDITS_OF_A_FILE)
