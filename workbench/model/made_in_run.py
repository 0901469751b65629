"""The playbooks that a program may make while it runs: the names that stand in its calls of ``CreatePlaybook``."""

from __future__ import annotations

from workbench.regex import regex
from workbench.syntax.signatures import normalise_name

_MAKER = "CreatePlaybook"
_NAME = regex(r"\s*+\(\s*+(?:name\s*+=\s*+)?[\"'](?P<name>[^\"'\n]{1,100})[\"']")
_HEADING = regex(r"(?:\\n|[\"'])##[ \t]+(?P<name>[^\\\n\"'(#]{1,100})")


def makes_playbooks(text: str) -> bool:
    """Whether the program *text* may make playbooks while it runs."""
    return _MAKER in text


def made_names(text: str) -> frozenset[str]:
    """The names of playbooks that stand literally in calls which make them."""
    found = set[str]()
    for line in text.splitlines() if _MAKER in text else ():
        for part in line.split(_MAKER)[1:]:
            name = _NAME.match(part)
            found.update([normalise_name(name["name"]).name] if name else [])
            found.update(normalise_name(heading["name"]).name for heading in _HEADING.finditer(part))
    return frozenset(found)
