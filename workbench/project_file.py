"""What a project says about its models, tools, runs, plans and settings, in ``workbench.toml`` beside its playbooks.

Whoever gets a project from somebody else gets this file with it, so it can name things and never hold a key. A damaged
file keeps nobody from working: what can be used is used, and the rest is told as problems.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench.disk.files import PROJECT_FILE, Kind, look_at, read_file
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.regex import regex
from workbench.secrets import SHAPES, is_secret_name

TABLES = ("models", "mcp", "tools", "runs", "settings", "plans", "deviation")
_LIMIT = 1024 * 1024
_KEY_NAME = regex(r"(?:\A|[^A-Za-z])key\Z|\Aauthorization\Z|\Acookie\Z", re.IGNORECASE)
_REFERENCE = regex(r"\A(?:env|keyring):\S+\Z|\A[^$]*\$\{\w+\}[^$]*\Z")


def _no_names() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """The tables of one project file as written, deeply frozen: mappings and tuples.

    *problems*: what is wrong with it, in sentences; what they speak of is left out. All tables are empty where there
    is no such file.
    """

    path: Path
    models: Mapping[str, Any] = field(default_factory=_no_names)
    mcp: Mapping[str, Any] = field(default_factory=_no_names)
    tools: Mapping[str, Any] = field(default_factory=_no_names)
    runs: Mapping[str, Any] = field(default_factory=_no_names)
    settings: Mapping[str, Any] = field(default_factory=_no_names)
    plans: Mapping[str, Any] = field(default_factory=_no_names)
    deviation: Mapping[str, Any] = field(default_factory=_no_names)
    problems: tuple[str, ...] = ()


def project_file(folder: Path) -> ProjectFile:
    """What the project file in *folder* says; a file that cannot be read is a problem in it."""
    path = folder / PROJECT_FILE
    if look_at(path).kind is Kind.MISSING:
        return ProjectFile(path)
    try:
        return _read(path, tomllib.loads(read_file(path, _LIMIT).decode("utf-8-sig")))
    except CannotRead as error:
        return ProjectFile(path, problems=(str(error),))
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, tomllib.TOMLDecodeError) else _("it is not a text in TOML")
        message = _("“{name}” of the project cannot be read, so nothing of it is used: {reason}.")
        return ProjectFile(path, problems=(message.format(name=path.name, reason=reason),))


def is_reference(value: str) -> bool:
    """Whether *value* says where a key is (``env:NAME``, ``keyring:NAME``, ``Bearer ${NAME}``) and is none itself."""
    return _REFERENCE.match(value) is not None and not any(shape.search(value) for shape in SHAPES)


def is_key_name(name: str) -> bool:
    """Whether *name*, of a field or a variable, says that a key stands there."""
    return _KEY_NAME.search(name) is not None or is_secret_name(name)


def _read(path: Path, loaded: Mapping[str, Any]) -> ProjectFile:
    problems = list(_unknown(loaded))
    tables = {}
    for name in TABLES:
        table = loaded.get(name, {})
        if not isinstance(table, dict):
            problems.append(_("“{name}” in {file} is not a table.").format(name=name, file=path.name))
            continue
        tables[name] = _without_keys(table, name, problems)
    return ProjectFile(path, problems=tuple(problems), **tables)


def _unknown(loaded: Mapping[str, Any]) -> Iterator[str]:
    for name in (each for each in loaded if each not in TABLES):
        message = _("“{name}” in {file} is not used. Its tables are {tables}.")
        yield message.format(name=name, file=PROJECT_FILE, tables=", ".join(f"[{each}]" for each in TABLES))


def _without_keys(value: Any, where: str, problems: list[str]) -> Any:
    """*value*, frozen, without what looks like a key; *where* it stands is told in *problems*."""
    if isinstance(value, dict):
        kept = {}
        for name, each in value.items():
            place = f"{where}.{name}"
            if _is_key(name, each):
                message = _("Keys never stand in the project file; name one as env:NAME instead of {place}.")
                problems.append(message.format(place=place))
            else:
                kept[name] = _without_keys(each, place, problems)
        return MappingProxyType(kept)
    return tuple(_without_keys(each, where, problems) for each in value) if isinstance(value, list) else value


def _is_key(name: str, value: Any) -> bool:
    if isinstance(value, list):
        return any(_is_key(name, each) for each in value)
    if not isinstance(value, str) or not value or is_reference(value):
        return False
    return is_key_name(name) or any(shape.search(value) for shape in SHAPES)
