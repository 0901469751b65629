"""A kept playbook as one file, to be given to others: with what it imports, the tools it names, and its provenance.

Marks stand in the place of secrets. Whoever takes such a file in checks it like any foreign file: its form, its digest,
and the playbook itself.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.library.entries import now_text
from workbench.planning.checking import Problem, problems_in
from workbench.planning.offering import offers_in_text
from workbench.planning.plan import PlanRefused, plan_from_json
from workbench.planning.request import Offer, PlanRequest, PlaybookFormat, offer_from_json
from workbench.planning.shelf.entries import Entry, Kept, Origin
from workbench.secrets import Redactor, known_secrets

KIND = "playbook-workbench/playbook"
VERSION = 1
LARGEST = 4 * 1024 * 1024
_LONGEST_TEXT = 400_000
"""Of a playbook, and of each file that it imports: so many letters are checked in seconds."""
_TEXTS = {"title": 300, "goal": 4_000, "description": 4_000, "by": 300, "patterns": 20_000, "context": 20_000}


def bundle_of(entry: Entry, kept: Kept) -> bytes:
    """*kept*, the newest of *entry*, as a file."""
    origin = kept.origin
    told: dict[str, Any] = {
        "kind": KIND,
        "version": VERSION,
        "title": kept.title,
        "goal": origin.goal,
        "description": kept.description,
        "tags": list(kept.tags),
        "format": kept.format,
        "text": kept.text,
        "plan": dict(kept.plan),
        "imports": dict(kept.imports),
        "tools": list(map(dict, kept.tools)),
        "provenance": {
            "by": origin.by,
            "patterns": origin.patterns,
            "context": origin.context,
            "made_at": entry.made_at,
            "exported_at": now_text(),
            "successes": entry.successes,
            "failures": entry.failures,
        },
    }
    # marks with a salt of their own: nobody can try out what they stand for
    told = Redactor(os.urandom(16), known_secrets()).redacted(told)
    return json.dumps({**told, "digest": digest_of(told)}, ensure_ascii=False, indent=2).encode("utf-8") + b"\n"


def digest_of(told: Mapping[str, Any]) -> str:
    """The digest of all that a bundle tells but that itself."""
    rest = {name: value for name, value in told.items() if name != "digest"}
    written = json.dumps(rest, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a file for others holds. *problems*: all that is wrong or doubtful in the playbook. *digest*: of it all."""

    kept: Kept
    problems: tuple[Problem, ...]
    digest: str

    @property
    def errors(self) -> tuple[Problem, ...]:
        """What keeps it from being taken in."""
        return tuple(each for each in self.problems if each.is_error)


def look_into(data: bytes, name: str) -> Bundle:
    """What *data*, of the file *name*, holds, whether it is right or not.

    Raises CannotRead for what is no such file, or was changed since.
    """
    told = _told(data, name)
    try:
        kept = _kept(told)
    except (AttributeError, KeyError, TypeError, ValueError, PlanRefused) as error:
        raise _no_bundle(name, _("a field is missing or does not fit ({reason})").format(reason=error)) from error
    return Bundle(kept, problems_of(kept), told["digest"])


def read_bundle(data: bytes, name: str) -> tuple[Kept, tuple[Problem, ...]]:
    """The playbook in *data*, of the file *name*, and what is doubtful about it.

    Raises CannotRead for what is no such file, was changed since, or holds a playbook that is not right.
    """
    found = look_into(data, name)
    if found.errors:
        message = _("The playbook in “{name}” is not right, so it was not taken in: {problem}")
        raise CannotRead(message.format(name=name, problem=found.errors[0].words))
    return found.kept, found.problems


def problems_of(kept: Kept) -> tuple[Problem, ...]:
    """All that is wrong or doubtful in *kept*, with the tools that it declares and what its own imports offer."""
    declared = {each.name: each for each in map(offer_from_json, kept.tools)}
    for name, text in kept.imports.items():
        declared.update({each.name: each for each in offers_in_text(text, name)})
    offers: tuple[Offer, ...] = tuple(declared.values())
    format_ = PlaybookFormat(kept.format)
    return problems_in(
        kept.text, PlanRequest(kept.origin.goal, format=format_, offers=offers, imports=tuple(kept.imports))
    )


def _told(data: bytes, name: str) -> dict[str, Any]:
    if len(data) > LARGEST:
        raise _no_bundle(name, _("it is too large"))
    try:
        told = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise _no_bundle(name, _("it is not JSON")) from error
    if not isinstance(told, dict) or told.get("kind") != KIND:
        raise _no_bundle(name, _("it does not say that it is one"))
    if told.get("version") != VERSION:
        raise _no_bundle(name, _("it was written by another version of this program"))
    if told.get("digest") != digest_of(told):
        raise CannotRead(_("“{name}” was changed after it was exported, so it was not taken in.").format(name=name))
    return told


def _kept(told: Mapping[str, Any]) -> Kept:
    provenance = told["provenance"]
    given = {"title": told["title"], "goal": told["goal"], "description": told["description"]}
    given |= {key: provenance[key] for key in ("by", "patterns", "context")}
    for key, value in given.items():
        if not isinstance(value, str) or len(value) > _TEXTS[key]:
            raise ValueError(key)
    json.dumps(told, ensure_ascii=False).encode("utf-8")  # half a character cannot be kept
    imports, tags, tools, plan = told["imports"], told["tags"], told["tools"], told["plan"]
    if not all(isinstance(each, str) for each in (told["text"], *tags)) or len(told["text"]) > _LONGEST_TEXT:
        raise ValueError("text")
    for path, text in imports.items():
        if not _is_inside(path) or not isinstance(text, str) or len(text) > _LONGEST_TEXT:
            raise ValueError("imports")
    PlaybookFormat(told["format"])
    if not isinstance(plan, dict) or not isinstance(tags, list):
        raise TypeError("plan")
    if plan:
        plan_from_json(plan)
    for each in tools:
        offer_from_json(each)
    by = _("imported ({by})").format(by=given["by"])
    origin = Origin(given["goal"], by, "", given["patterns"], (), given["context"])
    rest = (given["description"], plan, imports, tuple(tools), tuple(tags))
    return Kept(given["title"], told["text"], told["format"], origin, *rest)


def _is_inside(path: str) -> bool:
    """Whether *path* names a file in the folder of the playbook, and nothing outside of it."""
    parts = PurePosixPath(path)
    return (
        not parts.is_absolute()
        and ".." not in parts.parts
        and "\\" not in path
        and ":" not in path
        and bool(parts.name)
    )


def _no_bundle(name: str, reason: str) -> CannotRead:
    return CannotRead(_("“{name}” is no exported playbook: {reason}.").format(name=name, reason=reason))
