"""Patterns that worked, in what a model is sent about a playbook in markdown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.engine_driver import book, finished
from tests.core.model_driver import FakeModel, options, said
from workbench.engine.backends.person import NobodyBackend
from workbench.engine.journal.journal import Journal
from workbench.engine.starting import start_run
from workbench.library.relevance.content_words import count_tokens
from workbench.library.store import PatternStore
from workbench.planning.lessons import KnownPatterns

_TEXT = "# Book\n## Main\nFree the disk of a server\n### Steps\n- Look around\n- Tidy up\n"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Where patterns are kept; none yet."""
    return tmp_path / "patterns.sqlite"


def known(library: Path, description: str, *hints: str) -> None:
    """Patterns of that *description*, one for each hint, that have worked."""
    store = PatternStore(library)
    for hint in hints or ("",):
        for _time in range(3):
            store.record("shell", description, (f"du{hint[:9].strip()}", "rm"), hint)
    store.close()


def systems(library: Path) -> list[str]:
    """The stable parts of the requests of a run."""
    model = FakeModel([said("Done."), said("Done.")])
    journal = Journal(library.parent / "runs.sqlite")
    run = start_run(book("", _TEXT), journal, NobodyBackend(), options(model), KnownPatterns(library))
    finished(run, journal)
    journal.close()
    return [request.system for request in model.sent]


def test_a_pattern_that_fits_the_playbook_is_told(library: Path) -> None:
    known(library, "Free the disk")
    first, second = systems(library)
    assert "## Worked before\n[playbook] Free the disk (succeeded in 3 of 3 runs): du -> rm" in first
    assert first == second


def test_a_pattern_for_something_else_is_not_told(library: Path) -> None:
    known(library, "Answer a complaint about parcels")
    assert "Worked before" not in systems(library)[0]


def test_without_patterns_nothing_is_told(library: Path) -> None:
    assert "Worked before" not in systems(library)[0]
    assert not library.exists()


def test_a_library_that_cannot_be_read_holds_up_no_run(library: Path) -> None:
    library.write_text("this is no library " * 500, "utf-8")
    assert len(systems(library)) == 2


def test_what_is_told_is_short(library: Path) -> None:
    known(library, "Free the disk", *(f"{number} hint " + "word " * 40 for number in range(6)))
    told = systems(library)[0].partition("## Worked before\n")[2]
    assert 0 < count_tokens(told) <= 150
