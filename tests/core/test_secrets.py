"""Secrets are not written into the journal; a mark says that one was there, and which ones were the same."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.core.cli_driver import Terminal
from tests.core.engine_driver import play
from workbench.secrets import Redactor, holds_mark, known_secrets

REDACTOR = Redactor(b"salt", ("hunter2hunter2",))
SECRET = "sk-TESTSECRET1234567890abcdef"
PLAYBOOK = f"""\
# S
```python
@playbook
def token() -> str:
    return "Authorization: Bearer {SECRET}"

@playbook
def use(text: str) -> int:
    return len(text)
```
## Main
### Steps
- $e = token()
- $n = use($e)
- Ask user for $go
- $m = use($e)
- Return $n
"""


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"Authorization: Bearer {SECRET}", SECRET),
        ("GET https://x/y?api_key=abc123def&x=1 failed", "abc123def"),
        ("postgres://me:pw1234@host/db", "pw1234"),
        ("password: hunter22", "hunter22"),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.abc", "eyJzdWIiOiIx"),
        ("the value hunter2hunter2 as such", "hunter2hunter2"),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "abc"),
        ({"api_key": "verysecret"}, "verysecret"),
        ({"n": [{"password": "xyz12345"}]}, "xyz12345"),
    ],
)
def test_a_secret_becomes_a_mark(text: object, secret: str) -> None:
    shown = REDACTOR.redacted(text)
    assert secret not in str(shown)
    assert holds_mark(shown)
    assert REDACTOR.suspects(str(text))


@pytest.mark.parametrize(
    "text",
    [
        "The token is expired.",
        "Token: expired",
        "max_tokens: 4096000",
        "see https://example.org/page?x=1",
        "basic maintenance work",
        "keep the key=value pairs",
        "commit 3f786850e387550fdaab836ed7e6dc881de23001",
        {"tokens": 12, "secret": None},
    ],
)
def test_ordinary_text_stays_as_it_is(text: object) -> None:
    assert REDACTOR.redacted(text) == text


def test_equal_secrets_have_equal_marks_and_other_salts_other_ones() -> None:
    one, other = REDACTOR.redacted(SECRET), REDACTOR.redacted(f"again {SECRET}")
    assert one in other
    assert Redactor(b"pepper").redacted(SECRET) != one


def test_values_of_variables_with_secret_names_are_known() -> None:
    found = known_secrets({"DB_PASSWORD": "correct horse", "HOME": "/home/somebody", "API_TOKEN": "short"})
    assert found == ("correct horse",)


@pytest.fixture
def run(tmp_path: Path, terminal: Terminal) -> Path:
    """The store of a run that was given a secret, used it, and waits."""
    (tmp_path / "s.md").write_text(PLAYBOOK, encoding="utf-8")
    (tmp_path / "none.yaml").write_text("answers: []\n", encoding="utf-8")
    store = tmp_path / "store"
    terminal.run("run", tmp_path / "s.md", "--trust", "--store", store, "--script", tmp_path / "none.yaml")
    return store


def text_of(store: Path) -> str:
    with sqlite3.connect(next(store.glob("*.sqlite"))) as connection:
        return "\n".join(str(row) for row in connection.execute("SELECT body FROM event"))


def test_a_run_can_use_a_secret_that_its_journal_does_not_hold(run: Path) -> None:
    told = text_of(run)
    assert SECRET not in told
    assert "\\u2039secret" in told
    assert f'"new":{len(f"Authorization: Bearer {SECRET}")}' in told


def test_no_export_holds_the_secret(run: Path, terminal: Terminal) -> None:
    run_id = terminal.run("runs", "--store", run, "--json").json[0]["run"]
    for form in ("jsonl", "html"):
        assert SECRET not in terminal.run("export", run_id, "--store", run, "--format", form).out


def test_a_call_that_needs_a_secret_after_an_interruption_fails_in_words(
    run: Path, tmp_path: Path, terminal: Terminal
) -> None:
    run_id = terminal.run("runs", "--store", run, "--json").json[0]["run"]
    (tmp_path / "go.yaml").write_text("answers: [{values: {go: x}}]\n", encoding="utf-8")
    done = terminal.run("resume", run_id, "--store", run, "--script", tmp_path / "go.yaml")
    assert "needs a secret that the journal does not keep" in done.out + done.err


def test_a_variable_whose_name_says_that_it_is_secret_is_kept_as_a_mark(tmp_path: Path) -> None:
    played = play('- $password = "Blue-Lamp"\n- $color = "Blue-Lamp"\n', tmp_path)
    assert [body["new"][:7] for body in played.bodies("var.set")] == ["‹secret", "Blue-La"]
