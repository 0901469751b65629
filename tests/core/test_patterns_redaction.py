"""What is taken out of hints and reasons before they are stored."""

from __future__ import annotations

import pytest

from workbench.library.run_recording import MASK, redacted


@pytest.mark.parametrize(
    "secret",
    [
        "password: hunter2",
        "my passphrase is tr0ub4dor",
        'api_key="abc def"',
        "API-KEY=12345",
        "access_token = xyz",
        "Authorization: Bearer abcdefghij",
        "sk-abcdefghijklmnop",
        "ghp_abcdefghijklmnopqrst",
        "AKIAIOSFODNN7EXAMPLE",
        "postgres://user:pa55@host/db",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----",
    ],
)
def test_likely_secrets_are_removed(secret: str) -> None:
    shown = redacted(f"before {secret} after")
    assert MASK in shown
    assert shown.startswith("before ")
    assert not any(part in shown for part in ("hunter2", "tr0ub4dor", "abc def", "12345", "pa55", "MIIE", "IOSFODNN7"))


@pytest.mark.parametrize(
    "harmless",
    [
        "Free the disk of server web1",
        "deploy /srv/app1/releases/2026-01-01-a-very-long-path-name/current",
        "order A-1001 for Ada",
        "run 01a21f43-4d96-7e2b-b876-ca76b3232e3e",
        "the tokenizer counts words",
    ],
)
def test_harmless_words_stay(harmless: str) -> None:
    assert redacted(harmless) == harmless
