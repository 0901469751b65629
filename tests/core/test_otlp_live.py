"""Spans that are posted to a collector while runs go on, whatever becomes of the collector."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from tests.collector import Collector
from tests.conftest import PATIENCE_S
from tests.core.cli_driver import Terminal
from tests.core.engine_driver import play
from tests.otlp_checks import spans_in
from workbench.disk.places import Places
from workbench.engine.audit.otlp import otlp_text
from workbench.engine.audit.otlp_live import SpanExporter, traces_url
from workbench.engine.journal.events import RunEvent
from workbench.settings import Settings, load_settings, save_settings

_STEPS = "- Say('a')\n- $r = Look(3)\n- Return $r\n"
_SCRIPT = "tools: {Look: found}"


@pytest.fixture
def events(tmp_path: Path) -> tuple[RunEvent, ...]:
    """Those of a run."""
    return play(_STEPS, tmp_path, _SCRIPT).events


def _sent(collector: Collector) -> list[dict[str, Any]]:
    return [span for _path, request in collector.requests for span in spans_in(request)]


def _ids(spans: list[dict[str, Any]]) -> set[str]:
    return {span["spanId"] for span in spans}


def _exported(events: tuple[RunEvent, ...], collector: Collector, earlier: int = 0) -> list[str]:
    """What was complained of when *events* were taken, of which *earlier* had happened before."""
    troubles: list[str] = []
    exporter = SpanExporter(collector.url, troubles.append)
    exporter.take(events[:earlier], is_earlier=True)
    exporter.take(events[earlier:])
    exporter.close()
    return troubles


def test_a_collector_gets_what_an_export_has(events: tuple[RunEvent, ...]) -> None:
    with Collector() as collector:
        assert _exported(events, collector) == []
    whole = spans_in(json.loads(otlp_text(events)))
    assert {path for path, _request in collector.requests} == {"/v1/traces"}
    assert sorted(map(str, _sent(collector))) == sorted(map(str, whole))


def test_what_ended_in_an_earlier_process_is_not_sent_again(events: tuple[RunEvent, ...]) -> None:
    with Collector() as first, Collector() as second:
        _exported(events[:6], first)
        _exported(events, second, earlier=6)
    assert _ids(_sent(first)) & _ids(_sent(second)) == set()
    assert _ids(_sent(first)) | _ids(_sent(second)) == _ids(spans_in(json.loads(otlp_text(events))))


def test_a_collector_that_is_busy_is_asked_again(events: tuple[RunEvent, ...]) -> None:
    with Collector(503) as collector:
        troubles: list[str] = []
        exporter = SpanExporter(collector.url, troubles.append)
        exporter.take(events)
        assert all(collector.arrived.acquire(timeout=PATIENCE_S) for _request in range(2))
        exporter.close()
    assert (troubles, len(collector.requests)) == ([], 2)


def test_a_collector_that_refuses_is_told_of_once(events: tuple[RunEvent, ...]) -> None:
    with Collector(400, 400) as collector:
        troubles = _exported(events, collector)
        assert len(troubles) == 1
        assert "HTTP 400" in troubles[0]


def test_a_collector_that_is_not_there_is_told_of(events: tuple[RunEvent, ...]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, and nobody listens
        troubles: list[str] = []
        exporter = SpanExporter(f"http://user:word@127.0.0.1:{taken.getsockname()[1]}", troubles.append)
        exporter.take(events)
        exporter.close()
    assert len(troubles) == 1
    assert "word" not in troubles[0]


@pytest.mark.parametrize(
    ("endpoint", "url"),
    [
        ("http://localhost:4318", "http://localhost:4318/v1/traces"),
        ("http://localhost:4318/", "http://localhost:4318/v1/traces"),
        ("https://example.org/otlp/v1/traces", "https://example.org/otlp/v1/traces"),
    ],
)
def test_an_address_without_a_path_is_that_of_a_collector(endpoint: str, url: str) -> None:
    assert traces_url(endpoint) == url


def test_a_run_in_the_terminal_is_sent_where_the_settings_say(
    tmp_path: Path, terminal: Terminal, own_places: Places
) -> None:
    book = tmp_path / "book.md"
    book.write_text("# Book\n## Main\n### Steps\n- Say('a')\n- Return 1\n", encoding="utf-8")
    with Collector() as collector:
        save_settings(own_places, Settings(otlp_endpoint=collector.url))
        assert terminal.run("run", book, "--store", tmp_path).code == 0
    assert len(_sent(collector)) == 4


def test_a_run_is_as_it_is_without_a_collector(tmp_path: Path, terminal: Terminal, own_places: Places) -> None:
    book = tmp_path / "book.md"
    book.write_text("# Book\n## Main\n### Steps\n- Return 1\n", encoding="utf-8")
    save_settings(own_places, Settings(otlp_endpoint="http://127.0.0.1:1"))
    done = terminal.run("run", book, "--store", tmp_path)
    assert (done.code, "Spans could not be sent to 127.0.0.1:1" in done.err) == (0, True)


@pytest.mark.parametrize("value", ["localhost", "file:///tmp/spans", 7])
def test_what_is_no_address_is_no_setting(value: object, own_places: Places) -> None:
    save_settings(own_places, Settings())
    file = own_places.settings_file
    file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), "otlp_endpoint": value}), encoding="utf-8")
    assert load_settings(own_places).otlp_endpoint == ""
