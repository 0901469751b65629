"""What a person has said about calls of tools, kept by file and folder on this machine and never in a project."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.disk.atomic import replace_private_file
from workbench.disk.files import is_there, read_file, real_path, why
from workbench.disk.private import make_private_folder
from workbench.errors import CannotRead, CannotSave
from workbench.i18n import _
from workbench.tools.permissions import Policy, Rule
from workbench.tools.values import Asking

_ASKINGS = {each.value: each for each in Asking}


@dataclass(frozen=True, slots=True)
class Said:
    """What was said for one file, or for all in one folder. *environment*: the variables that commands see."""

    rules: tuple[Rule, ...] = ()
    environment: tuple[str, ...] = ()


def policy_of_person(store: Path, file: Path | None) -> Policy:
    """What holds for *file*: what was said for the folders around it, the outermost first, then for itself.

    Raises CannotRead where the *store* is damaged: what it forbids must not be overlooked.
    """
    said = _all(store)
    if file is None:
        return Policy()
    path = real_path(file)
    found = [said[str(each)] for each in (*reversed(path.parents), path) if str(each) in said]
    rules = tuple(rule for each in found for rule in each.rules)
    return Policy(rules, environment=tuple(dict.fromkeys(name for each in found for name in each.environment)))


def said_for(store: Path, place: Path) -> Said:
    """What was said for the file or folder *place* itself. Raises CannotRead."""
    return _all(store).get(str(real_path(place)), Said())


def keep_said(store: Path, place: Path, said: Said) -> None:
    """Keep what was *said* for the file or folder *place*, in place of what was said before.

    Raises CannotRead and CannotSave.
    """
    _keep(store, {**_all(store), str(real_path(place)): said})


def move_said(store: Path, old: Path, new: Path) -> None:
    """Let what was said for the file *old* hold for *new*, its name from now on. Raises CannotRead and CannotSave.

    Nothing is left for *old*: another file that is called so later was never spoken of.
    """
    every = _all(store)
    said = every.pop(str(real_path(old)), None)
    if said is not None:
        _keep(store, {**every, str(real_path(new)): said})


def _keep(store: Path, every: Mapping[str, Said]) -> None:
    body = {name: _written(each) for name, each in every.items() if each != Said()}
    text = json.dumps(body, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
    try:
        make_private_folder(store.parent)
        replace_private_file(store, text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise CannotSave(_("The permissions could not be saved: {reason}.").format(reason=why(error))) from error


def say(store: Path, place: Path, rule: Rule, *, is_usual: bool = False) -> tuple[Rule, ...]:
    """Keep *rule* for the file or folder *place* instead of what was said about the same calls; all that holds now.

    *is_usual*: nothing is said about them any more. Raises CannotRead and CannotSave.
    """
    said = said_for(store, place)
    others = tuple(each for each in said.rules if (each.tool, each.pattern) != (rule.tool, rule.pattern))
    rules = others if is_usual else (*others, rule)
    keep_said(store, place, replace(said, rules=rules))
    return rules


def _all(store: Path) -> dict[str, Said]:
    if not is_there(store):
        return {}
    try:
        return {name: _read(each) for name, each in json.loads(read_file(store)).items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        message = _("Your permissions in “{name}” cannot be read, so nothing is run. Repair the file, or delete it.")
        raise CannotRead(message.format(name=store)) from error


def _read(kept: Mapping[str, Any]) -> Said:
    rules = (Rule(str(each["tool"]), _ASKINGS[each["ask"]], str(each.get("pattern", ""))) for each in kept["rules"])
    return Said(tuple(rules), tuple(map(str, kept.get("environment", ()))))


def _written(said: Said) -> dict[str, Any]:
    rules = [{"tool": each.tool, "ask": each.asking.value, "pattern": each.pattern} for each in said.rules]
    return {"rules": rules, "environment": list(said.environment)}
