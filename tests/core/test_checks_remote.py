"""Settings of agents on other servers: each that cannot work is told where it stands."""

from __future__ import annotations

import pytest

from workbench.model.snapshot import derive
from workbench.syntax.diagnostics import Severity
from workbench.syntax.text import SourceText

FINE = [
    "url: https://example.org/mcp",
    "url: http://localhost:8000/sse\n  transport: sse\n  timeout: 2.5",
    "url: https://example.org/mcp\n  transport: streamable-http",
    "url: stdio://almanac --quiet",
    "url: server.py\n  transport: stdio",
    "url: https://example.org/mcp\n  auth:\n    type: bearer\n    token: env:KEY",
    "url: https://example.org/mcp\n  auth: {type: basic, username: me, password: env:KEY}",
    "url: https://example.org/mcp\n  auth:\n    type: api_key\n    key: ${KEY}",
]
WRONG = [
    ("transport: sse", "remote:", "remote needs a url"),
    ("url: [1]", "remote:", "remote needs a url"),
    ("url: http://example.org\n  transport: websocket", "url: http://example.org", "must begin with ws://, wss://"),
    ("url: ws://example.org\n  transport: sse", "url: ws://example.org", "must begin with http://, https://"),
    ("url: example.org", "url: example.org", "must begin with http://, https://"),
    ("url: http://example.org\n  transport: stdio", "url: http://example.org", "must be a command, and no address"),
    ("url: http://example.org\n  transport: memory", "url: http://example.org", "must begin with memory://"),
    ("url: http://example.org\n  transport: http", "transport: http", "transport cannot be “http”"),
    ("url: https://example.org\n  timeout: abc", "timeout: abc", "timeout must be a number"),
    ("url: https://example.org\n  timeout: 0", "timeout: 0", "timeout must be a number"),
    ("url: https://example.org\n  timeout: true", "timeout: true", "timeout must be a number"),
    ("url: https://example.org\n  auth: yes please", "auth: yes please", "auth needs a type: api_key, bearer"),
    ("url: https://example.org\n  auth:\n    type: magic", "type: magic", "auth needs a type"),
    ("url: https://example.org\n  auth:\n    type: api_key", "auth:", "auth of the type api_key needs a key"),
    ("url: https://example.org\n  auth:\n    type: bearer", "auth:", "auth of the type bearer needs a token"),
    (
        "url: https://example.org\n  auth:\n    type: basic\n    username: me",
        "auth:",
        "auth of the type basic needs a password",
    ),
    (
        "url: https://example.org\n  auth:\n    type: bearer\n    token: abc",
        "token: abc",
        "Keys never stand in a playbook",
    ),
]
NOT_HERE = [
    ("url: wss://example.org\n  transport: websocket", "transport: websocket"),
    ("url: memory://server.py?var=mcp", "url: memory://server.py?var=mcp"),
    ("url: https://example.org\n  auth:\n    type: mtls\n    cert: a\n    key: env:B", "type: mtls"),
]


def found(settings: str) -> list[tuple[Severity, str, str]]:
    """How bad, where, and what is found in *settings* of an agent."""
    text = f"# Sky\nremote:\n  type: mcp\n  {settings}\n---\n\n# A\n## M\n### Steps\n- Return 1\n"
    diagnostics = derive(SourceText(text)).diagnostics
    assert {one.code for one in diagnostics} <= {"remote-settings"}
    return [(one.severity, one.span.of(text), one.message) for one in diagnostics]


@pytest.mark.parametrize("settings", FINE)
def test_settings_that_work_are_fine(settings: str) -> None:
    assert found(settings) == []


@pytest.mark.parametrize(("settings", "place", "message"), WRONG)
def test_a_setting_that_cannot_work_is_an_error_where_it_stands(settings: str, place: str, message: str) -> None:
    ((severity, where, said),) = found(settings)
    assert (severity, where) == (Severity.ERROR, place)
    assert message in said


@pytest.mark.parametrize(("settings", "place"), NOT_HERE)
def test_what_only_others_can_use_is_a_warning(settings: str, place: str) -> None:
    ((severity, where, said),) = found(settings)
    assert (severity, where) == (Severity.WARNING, place)
    assert "cannot be used here" in said


def test_a_key_that_is_written_out_is_not_repeated() -> None:
    assert "abc123" not in str(found("url: https://x\n  auth:\n    type: bearer\n    token: abc123")[0][2])
