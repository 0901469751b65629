"""Takes secrets out of a hint before it is stored."""

from __future__ import annotations

import re

MASK = "[removed]"

_PATTERNS = (
    re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL),
    re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"),
    re.compile(r"\b(?:sk|pk|rk|ghp|gho|ghs|ghu|github_pat|glpat|xox[abprs]|AKIA|ASIA|AIza)[-_]?[\w-]{12,}"),
    re.compile(r"(?<=://)[^\s/:@]+:[^\s/@]+(?=@)"),
    re.compile(r"\b(?:bearer|basic)\s+[\w+/=.~-]{8,}", re.IGNORECASE),
)
_NAMED = re.compile(
    r"""(?P<name>\b[\w-]*(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|credential)s?\b["']?)"""
    r"""(?P<link>\s*(?:is|[:=])\s*)(?P<value>"[^"]*"|'[^']*'|\S+)""",
    re.IGNORECASE,
)
_LONG = re.compile(r"\b(?=\w*\d)(?=\w*[A-Za-z])[A-Za-z0-9+]{32,}={0,2}")


def redacted(text: str) -> str:
    """*text* with keys, tokens, passwords and other likely secrets replaced by a mark."""
    for pattern in _PATTERNS:
        text = pattern.sub(MASK, text)
    text = _NAMED.sub(rf"\g<name>\g<link>{MASK}", text)
    return _LONG.sub(MASK, text)
