"""Keys, tokens and passwords in text, and marks in their place.

Nobody can find every secret. What is found: keys in the forms of well-known services, passwords in addresses, what
stands behind a name such as ``token=``, and the values of the environment's variables with such names.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

from workbench.regex import regex

SHAPES = (
    regex(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL),
    regex(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"),
    regex(r"\b(?:(?:sk|pk|rk)[-_]|(?:ghp|gho|ghs|ghu|github_pat|glpat|xox[abprs]|AKIA|ASIA|AIza)[-_]?)[\w-]{12,}"),
    regex(r"(?<=://)[^\s/:@]+:[^\s/@]+(?=@)"),
    regex(r"\b(?:bearer|basic)\s+(?=[\w+/=.~-]*\d)[\w+/=.~-]{8,}", re.IGNORECASE),
)
"""What is a secret by its form."""
_NAMES = r"passw(?:or)?d|passphrase|secret|token|api[_-]?key|credential"
_BEHIND_NAME = regex(
    rf"""(?P<name>\b[\w-]*(?:{_NAMES})s?\b["']?\s*[:=]\s*["']?)(?P<value>(?=[^\s"'&;,]*\d)(?=[^\s"'&;,]*[^\W\d])[^\s"'&;,]{{6,}})""",
    re.IGNORECASE,
)
_NAMED = regex(rf"(?:{_NAMES})s?\Z", re.IGNORECASE)
_HINTS = tuple(
    "private key|eyj|sk-|sk_|pk-|pk_|rk-|rk_|ghp|gho|ghs|ghu|github_pat|glpat|xox|akia|asia|aiza|://|bearer|basic"
    "|passw|passphrase|secret|token|api_key|api-key|apikey|credential".split("|")
)
_MARK = regex(r"‹secret [0-9a-f]{12}›")
_SHORTEST = 8


def holds_mark(value: Any) -> bool:
    """True when *value* is or holds a text in which a mark stands in the place of a secret."""
    if isinstance(value, str):
        return _MARK.search(value) is not None
    if isinstance(value, Mapping):
        return any(map(holds_mark, value.values()))
    return isinstance(value, list | tuple) and any(map(holds_mark, value))


def marks_in(text: str) -> tuple[str, ...]:
    """The marks that stand in the place of secrets in *text*, each once."""
    return tuple(dict.fromkeys(_MARK.findall(text)))


def may_have_been(written: str, text: str) -> bool:
    """Whether *text* can be what *written* was before marks were put in the place of its secrets."""
    between = map(re.escape, _MARK.split(written))
    return re.fullmatch(".+".join(between), text, re.DOTALL) is not None


def is_mark(value: Any) -> bool:
    """True when *value* is a mark and nothing else."""
    return isinstance(value, str) and _MARK.fullmatch(value) is not None


def without_marks(value: Any, secrets: Mapping[str, str]) -> Any:
    """*value*, with what *secrets* says in the place of the marks that it names."""
    if isinstance(value, str):
        return _MARK.sub(lambda found: secrets.get(found.group(), found.group()), value)
    if isinstance(value, Mapping):
        return {key: without_marks(each, secrets) for key, each in value.items()}
    return [without_marks(each, secrets) for each in value] if isinstance(value, list | tuple) else value


def is_secret_name(name: str) -> bool:
    """True when *name*, of a field or a variable, says that what it holds is secret."""
    return _NAMED.search(name) is not None


def known_secrets(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """The values of variables whose names say that they are secret, longest first."""
    found = {value for name, value in environment.items() if is_secret_name(name) and len(value) >= _SHORTEST}
    return tuple(sorted(found, key=len, reverse=True))


class Redactor:
    """Puts ``‹secret 1f0c…›`` in the place of secrets; with one *salt*, equal secrets have equal marks.

    *known*: values that are secret whatever their form. Without the salt nobody can try out what a mark stands for.
    """

    def __init__(self, salt: bytes, known: Iterable[str] = ()) -> None:
        self._salt = salt
        self._known = tuple(known)

    def suspects(self, text: str) -> bool:
        """False where *text*, which may be JSON in ASCII, surely holds no secret; costs little."""
        lower = text.lower()
        return any(hint in lower for hint in _HINTS) or any(each in text for each in self._known)

    def redacted(self, value: Any, name: str = "") -> Any:
        """*value* with marks; *name*: of the field it stands in."""
        if isinstance(value, str):
            is_named = is_secret_name(name) and len(value) >= _SHORTEST
            return self._mark(value) if is_named and not _MARK.fullmatch(value) else self._text(value)
        if isinstance(value, Mapping):
            return {key: self.redacted(each, str(key)) for key, each in value.items()}
        return [self.redacted(each, name) for each in value] if isinstance(value, list) else value

    def _text(self, text: str) -> str:
        for secret in self._known:
            text = text.replace(secret, self._mark(secret))
        for shape in SHAPES:
            text = shape.sub(lambda found: self._mark(found.group()), text)
        return _BEHIND_NAME.sub(lambda found: found["name"] + self._mark(found["value"]), text)

    def _mark(self, secret: str) -> str:
        digest = hmac.new(self._salt, secret.encode("utf-8", "surrogatepass"), hashlib.sha256)
        return f"‹secret {digest.hexdigest()[:12]}›"
