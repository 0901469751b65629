"""A folder of 2,000 runbooks, searched: how soon the first match is there, and how soon all are.

All times are those that the processor worked, here and in the child that tries expressions, so that another program on
the machine does not count.
"""

from __future__ import annotations

import resource
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from benchmarks.bench_project import FILES, write_project
from benchmarks.measure import Figure, at_most
from workbench.search.across import Project
from workbench.search.files import search_files, texts_below
from workbench.search.matching import Finder, Query
from workbench.search.symbols import Symbol, SymbolKind

_QUERIES = {
    "a word in every file": Query("woken by it"),
    "a word in one file": Query("shop 1999 is closed"),
    "an expression": Query(r"alarm-\d+7\.md", is_regex=True),
}


def figures() -> Iterator[Figure]:
    """All figures of this part."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_project(root)
        for name, query in _QUERIES.items():
            first_ms, all_ms = _times_ms(root, query)
            if "every" in name:
                yield at_most(f"first match in {FILES:,} files: {name}", first_ms, 100)
            yield at_most(f"all matches in {FILES:,} files: {name}", all_ms, 1_000)
        begun = _worked_ms()
        Project(root).usages("team-00/alarm-0000.md", Symbol(SymbolKind.TOOL, "refund"))
        yield at_most(f"usages of a tool in {FILES:,} files", _worked_ms() - begun, 1_000)


def _times_ms(root: Path, query: Query) -> tuple[float, float]:
    """How long the first match takes, and all of them."""
    begun, first_ms = _worked_ms(), 0.0
    with closing(Finder()) as finder:
        for _found in search_files(finder, query, texts_below(root)):
            first_ms = first_ms or max(_worked_ms() - begun, 0.001)
    return first_ms, _worked_ms() - begun


def _worked_ms() -> float:
    """What this process has worked, and the children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used) * 1_000
