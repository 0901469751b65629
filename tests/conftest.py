"""What every test gets: a home of its own, no silent warnings, and property tests without a stop-watch."""

from __future__ import annotations

import contextlib
import gc
import importlib
import logging
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from workbench.disk.places import HOME_VARIABLE, Places, places
from workbench.resources import sample_playbooks

DATA = Path(__file__).resolve().parent / "data"

PATIENCE_S = 60
"""How long anything is waited for: only what hangs takes so long, however busy the machine is."""

RAM_DISK = Path("/dev/shm")
TMP_VARIABLE = "PYTEST_DEBUG_TEMPROOT"
ROOM = 1024**3
"""What must be free on the RAM disk for tests to put their files there: many times what they need."""

_FEW = pytest.StashKey[bool]()
"""Set where only the reports that say something are sent."""

PROFILE_VARIABLE = "HYPOTHESIS_PROFILE"
MORE = 10
"""How many times as many examples the profiles ``more`` and ``thorough`` try."""
SHARE = 0.6
"""How much of the usual the required run tries: all of it together is to take less than eight minutes."""
USUAL = round(60 * SHARE)

FIXED = hypothesis.settings(
    max_examples=USUAL,
    derandomize=True,
    database=None,
    print_blob=True,
    # shared, slow machines: time limits would fail for reasons that are not ours
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
_KEPT = DirectoryBasedExampleDatabase(".hypothesis/examples")
hypothesis.settings.register_profile("workbench", FIXED)
hypothesis.settings.register_profile("more", FIXED, max_examples=USUAL * MORE)
hypothesis.settings.register_profile("thorough", FIXED, max_examples=USUAL * MORE, derandomize=False, database=_KEPT)
hypothesis.settings.load_profile(os.environ.get(PROFILE_VARIABLE, "workbench"))


def _no_constants() -> Constants:
    """No numbers or words to try besides those that Hypothesis knows."""
    return Constants()


if hypothesis.settings.default.derandomize:
    # it also draws from the constants of what has been imported: the order of tests would choose the examples
    providers._get_local_constants = _no_constants  # type: ignore[attr-defined]


def examples(usual: int, rather: int = 0) -> int:
    """How many examples a test tries that usually tries *usual*: a part of them, or more where the profile says so.

    *rather*: what more is reckoned from, where only the time is short for as many.
    """
    times = hypothesis.settings.default.max_examples // FIXED.max_examples
    return max(1, round(usual * SHARE)) if times == 1 else (rather or usual) * times


def is_thorough() -> bool:
    """True when there is time to try everything."""
    return hypothesis.settings.get_current_profile_name() == "thorough"


class _Records(logging.Handler):
    """Keeps the records of warnings and worse."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def _has_room(folder: Path) -> bool:
    """True when the files of all tests can lie in *folder*."""
    return os.access(folder, os.W_OK | os.X_OK) and shutil.disk_usage(folder).free > ROOM


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker of tests that mean to cause warnings, speak English, and start processes as quickly as usual."""
    config.addinivalue_line("markers", "expects_warnings: the test means to cause logged warnings")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # what a shell starts in the background ignores interrupts, and so would the programs that tests interrupt
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if TMP_VARIABLE not in os.environ and _has_room(RAM_DISK):
        # thousands of small folders, made and removed, and databases that wait for the disk
        os.environ[TMP_VARIABLE] = str(RAM_DISK)
    # whatever the person who runs the tests speaks; child processes take it over
    os.environ["LANGUAGE"] = "en"
    if sys.dont_write_bytecode:
        # where bytecode is not to lie beside the sources, a hundred child processes would each compile them anew
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(config.rootpath / ".pytest_cache" / "bytecode")
    _tell_less(config)


def _says_nothing(report: pytest.TestReport) -> bool:
    """True of the report of a set-up or of an end that went well: only the times and the text in it are ever shown."""
    return report.passed and (report.when == "setup" or (report.when == "teardown" and not report.sections))


@pytest.hookimpl(tryfirst=True)
def pytest_report_to_serializable(config: pytest.Config, report: object) -> dict[str, object] | None:
    """What a process that shares in the tests tells of one; nothing of what says nothing."""
    is_untold = _FEW in config.stash and isinstance(report, pytest.TestReport) and _says_nothing(report)
    return {} if is_untold else None


def _tell_less(config: pytest.Config) -> None:
    """Let a process that shares in the tests send one report of each that passes, and not three: most are short."""
    shown = (config.getoption("durations"), config.getoption("xmlpath"), config.getoption("verbose") > 0)
    telling = [each for each in config.pluginmanager.get_plugins() if type(each).__name__ == "WorkerInteractor"]
    if any(shown) or not telling:
        return
    (worker,) = telling
    send = worker.sendevent

    def tell(name: str, **given: Any) -> None:
        if name != "testreport" or "outcome" in given["data"]:
            send(name, **given)

    worker.sendevent = tell
    config.stash[_FEW] = True


def _import_own_share(config: pytest.Config) -> None:
    """Where several processes share in the tests, import a share of the files before all of them are collected.

    Where nothing is compiled yet, each process would compile all of it, as all begin with the same file. So each
    finds most of it compiled by another. What cannot be imported is told when it is collected.
    """
    shared: dict[str, Any] = getattr(config, "workerinput", {"workercount": 1})
    if shared["workercount"] == 1:
        return
    given = (config.invocation_params.dir / argument.partition("::")[0] for argument in config.args)
    left_out = {Path(path).resolve() for path in config.getoption("ignore") or ()}
    files = sorted({file for path in given for file in (path.rglob("test_*.py") if path.is_dir() else [path])})
    number = int(shared["workerid"].removeprefix("gw"))
    for file in files[number :: shared["workercount"]]:
        if file not in left_out and file.is_relative_to(config.rootpath):
            with contextlib.suppress(Exception, pytest.skip.Exception):
                importlib.import_module(".".join(file.relative_to(config.rootpath).with_suffix("").parts))


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Let the garbage collector pass over what thousands of collected tests are made of, each time it looks."""
    gc.disable()
    _import_own_share(session.config)
    yield
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def quick_disk() -> Iterator[None]:
    """Nobody cuts the power here, so nothing waits until it is on the disk; what cannot be flushed fails as ever."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", os.fstat)
        yield


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders that do not exist yet, one after another."""
    base = tmp_path_factory.mktemp("homes")
    return (base / str(number) for number in count())


@pytest.fixture(autouse=True)
def home(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh home: settings, runs and patterns of one test never reach another, nor the person's own.

    As at the first start of a program, the folder is not there until something is kept in it.
    """
    folder = next(homes)
    monkeypatch.setenv(HOME_VARIABLE, str(folder))
    return folder


@pytest.fixture
def own_places(home: Path) -> Places:
    """The folders of this test."""
    return places()


@pytest.fixture(autouse=True)
def logged_warnings(request: pytest.FixtureRequest) -> Iterator[list[logging.LogRecord]]:
    """The warnings that were logged; any fails the test that is not marked ``expects_warnings``.

    What a command of the test logs to is taken away again: it would be a stream that is closed by the next warning.
    """
    handler = _Records()
    logger = logging.getLogger("workbench")
    before = [*logger.handlers]
    logger.addHandler(handler)
    yield handler.records
    logger.handlers[:] = before
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
