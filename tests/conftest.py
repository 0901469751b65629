"""What every test gets: a home of its own, no silent warnings, and property tests without a stop-watch."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from workbench.resources import sample_playbooks
from workbench.settings import HOME_VARIABLE, Places, places

DATA = Path(__file__).resolve().parent / "data"

# shared, slow machines: time limits per example would fail for reasons that are not ours
hypothesis.settings.register_profile("workbench", deadline=None, max_examples=60, print_blob=True)
hypothesis.settings.load_profile("workbench")


class _Records(logging.Handler):
    """Keeps the records of warnings and worse."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker by which a test says that it means to cause warnings."""
    config.addinivalue_line("markers", "expects_warnings: the test means to cause logged warnings")


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh home: settings, runs and patterns of one test never reach another, nor the person's own."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv(HOME_VARIABLE, str(folder))
    return folder


@pytest.fixture
def own_places(home: Path) -> Places:
    """The folders of this test."""
    return places()


@pytest.fixture(autouse=True)
def logged_warnings(request: pytest.FixtureRequest) -> Iterator[list[logging.LogRecord]]:
    """The warnings that were logged; any fails the test that is not marked ``expects_warnings``."""
    handler = _Records()
    logger = logging.getLogger("workbench")
    logger.addHandler(handler)
    yield handler.records
    logger.removeHandler(handler)
    if handler.records and not request.node.get_closest_marker("expects_warnings"):
        pytest.fail("logged: " + "; ".join(record.getMessage() for record in handler.records))


@pytest.fixture(params=sample_playbooks(), ids=lambda path: path.stem)
def sample(request: pytest.FixtureRequest) -> Path:
    """Each sample playbook in turn."""
    return Path(request.param)


@pytest.fixture(params=sorted((DATA / "markdown").iterdir()), ids=lambda path: path.name)
def markdown_file(request: pytest.FixtureRequest) -> Path:
    """Each markdown file with constructs that break naive parsers, in turn."""
    return Path(request.param)
