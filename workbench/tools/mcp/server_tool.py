"""A tool as a server describes it, and the names under which such tools are called here."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.i18n import _
from workbench.tools.values import CallSafety
from workbench.visible import visible

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
# letters of other scripts, and digits, that look like a Latin letter
_ALIKE = dict(zip("асԁеһіјӏорԛѕѵԝхуαγιονρυ01|", "acdehijlopqsvwxyayiovpuoll", strict=True))


@dataclass(frozen=True, slots=True)
class ServerTool:
    """One tool, word for word. *hinted*: what the server says about calling it again, which is only its word."""

    name: str
    description: str
    schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None = None
    hinted: CallSafety = CallSafety.UNSAFE

    @property
    def text(self) -> str:
        """All that is said about it, as a person reads it who is to approve it."""
        schemas = {"arguments": self.schema, "gives": self.output_schema, "calling it again": self.hinted.value}
        told = json.dumps(schemas, indent=1, ensure_ascii=False, sort_keys=True)
        return visible(f"{self.name}\n{self.description}\n{told}\n")


def safe_names(names: Iterable[str]) -> dict[str, str]:
    """A name for each of *names* that can be called: letters, digits and ``_``, no two alike.

    One that is safe as it is stays so, whatever others there are.
    """
    given = tuple(dict.fromkeys(names))
    safe = {name: name for name in given if _safe(name) == name}
    for name in sorted(set(given) - set(safe)):
        wanted = _safe(name)
        taken = set(safe.values())
        tries = (wanted, *(f"{wanted}_{number}" for number in range(2, len(given) + 2)))
        safe[name] = next(each for each in tries if each not in taken)
    return safe


def _safe(name: str) -> str:
    letters = (each if each in _LETTERS else "_" if each.isascii() else f"u{ord(each):04X}" for each in name)
    found = "".join(letters) or "_"
    return f"_{found}" if found[0].isdigit() else found


def name_warnings(names: Iterable[str]) -> Iterator[str]:
    """What a person should know about *names*: that they hide something, or look like each other."""
    seen: dict[str, str] = {}
    for name in names:
        if visible(name) != name:
            yield _("The name “{name}” has characters that nobody sees.").format(name=visible(name))
        elif not name.isascii() and _skeleton(name).isascii():
            yield _("The name “{name}” looks like “{other}”, but is written with other letters.").format(
                name=name, other=_skeleton(name)
            )
        first = seen.setdefault(_skeleton(name), name)
        if first != name:
            yield _("The names “{one}” and “{other}” look alike.").format(one=visible(first), other=visible(name))


def _skeleton(name: str) -> str:
    """*name* as it looks: equal for names that a person may take for one another."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    letters = (_ALIKE.get(each, each) for each in plain if not unicodedata.combining(each))
    return "".join("_" if each in "-. /" else each for each in letters)
