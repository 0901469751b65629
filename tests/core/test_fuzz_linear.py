"""Whatever is in 100 kB of text: nothing raises, and reading it takes linear time."""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.strategies import BETWEEN, HEADS, STEPS
from tests.core.test_scan import TOKENS
from workbench.model.assembly import compile_assembly
from workbench.model.layout_program import layout_program
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

SIZE = 24_000
TIMES_LARGER = 4
WORST_RATIO = 3.0 * TIMES_LARGER
"""Quadratic time would give a ratio of 16; what is linear gives about 4, on a busy machine sometimes more."""
TOO_SHORT_MS = 25.0
"""What takes less, for the large text, cannot be measured well and is fast enough."""

HEAD = "# A\n\n## M\n### Steps\n"
GRAMMAR = [
    *TOKENS, "### Triggers\n", "### Notes\n", "- If $x > 1\n", "- Otherwise\n", "- While $x < 3\n", "- $x = F($y)\n",
    "- For each $i in $xs\n", "{$x}", "!import a\n", "- Ask user for $a\n", '- Tell user "{$x}"\n', "`F($x)`",
    "- 01:EXE x\n", "- T1:BGN x\n", "(", "[", "{", '"', "'", "$", "step 9 and 10", "| a | b |\n",
    "> q\n", " and ", " is ",
    "metadata:\n", "```python\n@playbook\ndef f(): pass\n```\n",
]  # fmt: skip
MARKS = "ab -#`<>!{}[]()$\"'\n\t1.:=é"


def repeated(piece: str, lead: str = "") -> Callable[[int], str]:
    """A text of a wanted size, made of *piece*."""
    return lambda size: lead + piece * (size // len(piece))


def numbered(make: Callable[[int], str], lead: str = HEAD) -> Callable[[int], str]:
    """A text of a wanted size, made of pieces that are all different."""
    return lambda size: lead + "".join(_pieces(make, size))


def _pieces(make: Callable[[int], str], size: int) -> Iterator[str]:
    number = 0
    while size > 0:
        piece = make(number)
        size -= len(piece)
        number += 1
        yield piece


def mixed(size: int) -> str:
    """Pieces of the grammar in random order."""
    return numbered(lambda number: random.Random(number).choice(GRAMMAR), "")(size)


def characters(size: int) -> str:
    """Marks of the grammar in random order."""
    return "".join(random.Random(3).choices(MARKS, k=size))


SHAPES: dict[str, Callable[[int], str]] = {
    "pieces of the grammar": mixed,
    "marks": characters,
    "openings of comments": repeated("<!--"),
    "openings of comments in a step": repeated("<!--", f"{HEAD}- "),
    "openings of comments in a heading": repeated("<!--", "# "),
    "openings of fences": repeated("```sh\n"),
    "indented fences": numbered(lambda number: " " * (number % 90) + "```sh\n"),
    "blanks before a comment": lambda size: f"{HEAD}- a{' ' * size}b <!-- c -->\n",
    "one deep list": numbered(lambda number: "\t" * min(number, 300) + "- a\n"),
    "children of one step": repeated("  - a\n", f"{HEAD}- a\n"),
    "breaks in one loop": repeated("  - break\n", f"{HEAD}- While $x\n"),
    "branches in one loop": repeated("  - If $x == 1\n    - $y = 2\n", f"{HEAD}- While $x > 1\n"),
    "agents": numbered(lambda number: f"# B{number}\n## M\n### Steps\n- a\n", ""),
    "playbooks that call each other": numbered(
        lambda number: f"## B{number}()\n### Steps\n- B{number + 1}()\n", "# A\n"
    ),
    "loops that call each other": numbered(
        lambda number: f"## B{number}()\n### Steps\n- While $x > 1\n  - B{number + 1}()\n", "# A\n"
    ),
    "variables that nothing sets": numbered(lambda number: f"- $v{number} = $w{number}\n"),
    "calls of nothing": numbered(lambda number: f"- Call{number}()\n"),
    "sentences that fit two playbooks": numbered(
        lambda number: f"- Send the summary {number}\n",
        f"# A\n## SendSummaryUp\n{HEAD[7:]}- a\n## SendSummaryDown\n### Steps\n",
    ),
    "triggers": numbered(lambda number: f"- When $v{number} > 3\n", "# A\n## M\n### Triggers\n"),
    "mentions of steps": numbered(lambda number: f"- see step {number + 9999}\n"),
    "assembly": numbered(lambda number: f"- {number:02d}:JMP {number + 5:02d}\n"),
    "functions of one name": repeated("@playbook\ndef f(): pass\n", "# A\n```python\n"),
    "fences of Python": repeated("```python\n@playbook\ndef f(): pass\n```\n", "# A\n"),
    "placeholders": numbered(lambda number: f"x {{$v{number}}} y\n", "# A\n## M\n"),
    "metadata": numbered(lambda number: f"key{number}: {number}\n", "# A\n## M\n"),
    "parameters": repeated("$a, ", "# A\n## F("),
    "brackets": repeated("(", f"{HEAD}- $x = F"),
    "quotes": repeated("\"'", f"{HEAD}- Tell user "),
    "imports": repeated("!import a\n"),
}


def work(text: str) -> None:
    """Everything that the window does with a text when it is opened, and compiling it."""
    snapshot = derive(SourceText(text))
    layout_program(snapshot)
    assert len(snapshot.diagnostics) >= 0
    assert compile_assembly(snapshot).text


def cpu_ms(text: str, times: int) -> float:
    """Median CPU time; garbage is collected between, not during."""
    found: list[float] = []
    for number in range(times):
        unseen = text + f"<!-- {number} -->"
        gc.collect()
        gc.disable()
        start = time.process_time_ns()
        work(unseen)
        found.append((time.process_time_ns() - start) / 1e6)
        gc.enable()
    return statistics.median(found)


@pytest.mark.parametrize("shape", SHAPES)
def test_four_times_the_text_takes_about_four_times_as_long(shape: str) -> None:
    make = SHAPES[shape]
    for _attempt in range(3):  # another program may have had the processor's memory meanwhile
        large = cpu_ms(make(SIZE * TIMES_LARGER), 1)
        if large < TOO_SHORT_MS or large < WORST_RATIO * cpu_ms(make(SIZE), 3):
            return
    pytest.fail(f"{shape}: {large:.0f} ms is more than linear")


@given(st.text(max_size=400), st.integers(1, 250))
@settings(max_examples=60)
def test_no_random_text_raises(text: str, times: int) -> None:
    work(text * min(times, 100_000 // max(len(text), 1)))


@given(st.lists(st.one_of(st.sampled_from(GRAMMAR), HEADS, STEPS, BETWEEN.map("\n".join)), max_size=120))
@settings(max_examples=150)
def test_no_recombination_of_the_grammar_raises(pieces: list[str]) -> None:
    work("".join(pieces))
    work("\n- ".join(pieces))
