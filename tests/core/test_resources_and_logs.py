"""The files that come with the program, and the log it keeps."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.engine.scripts import script_beside
from workbench.logs import log_to_file
from workbench.resources import resource_path, sample_playbooks


@pytest.fixture
def ours() -> Iterator[logging.Logger]:
    """The logger above all of ours, as it was before."""
    logger = logging.getLogger("workbench")
    before, level = list(logger.handlers), logger.level
    yield logger
    for handler in [handler for handler in logger.handlers if handler not in before]:
        logger.removeHandler(handler)
        handler.close()
    logger.setLevel(level)


def test_there_are_six_samples_each_with_a_script() -> None:
    samples = sample_playbooks()
    assert len(samples) == 6
    assert all(script_beside(sample) for sample in samples)


def test_a_missing_resource_is_a_mistake_of_ours() -> None:
    with pytest.raises(FileNotFoundError):
        resource_path("icons/no-such-icon.svg")


def test_the_log_file_keeps_what_happened(tmp_path: Path, ours: logging.Logger) -> None:
    path = log_to_file(tmp_path / "log")
    ours.info("Saved %s", "a.md")
    assert path is not None
    assert "INFO workbench: Saved a.md" in path.read_text("utf-8")


@pytest.mark.expects_warnings
@pytest.mark.usefixtures("ours")
def test_a_folder_that_cannot_be_written_costs_the_log_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("", encoding="utf-8")
    assert log_to_file(tmp_path / "log") is None
