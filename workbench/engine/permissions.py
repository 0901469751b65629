"""What was said about calls of tools: by a person, kept by file and folder on this machine, and by a project."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.disk.atomic import replace_private_file
from workbench.disk.files import is_there, read_file, real_path, why
from workbench.disk.private import make_private_folder
from workbench.errors import CannotRead, CannotSave
from workbench.i18n import _
from workbench.project_file import ProjectFile
from workbench.tools.permissions import Permissions, Rule
from workbench.tools.values import Asking

_ASKINGS = {each.value: each for each in Asking}


@dataclass(frozen=True, slots=True)
class Said:
    """What was said for one file, or for all in one folder. *environment*: the variables that commands see."""

    rules: tuple[Rule, ...] = ()
    environment: tuple[str, ...] = ()


def policy_of_person(store: Path, file: Path | None) -> Permissions:
    """What holds for *file*: what was said for the folders around it, the outermost first, then for itself.

    Raises CannotRead where the *store* is damaged: what it forbids must not be overlooked.
    """
    said = _all(store)
    if file is None:
        return Permissions()
    path = real_path(file)
    found = [said[str(each)] for each in (*reversed(path.parents), path) if str(each) in said]
    rules = tuple(rule for each in found for rule in each.rules)
    return Permissions(rules, environment=tuple(dict.fromkeys(name for each in found for name in each.environment)))


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


@dataclass(frozen=True, slots=True)
class StandingRule:
    """A *rule* that holds until somebody says otherwise. *place*: the file or folder that it was said for.

    *source*: the file that it stands in. *is_own*: the person has said it, and can take it back; else a project has.
    *stricter*: what the project of *place* wants where that is more than the person's own word.
    """

    rule: Rule
    place: Path
    source: Path
    is_own: bool = True
    stricter: Asking | None = None

    @property
    def name(self) -> str:
        """As it is written on a command line: the tool, and which of its calls."""
        return f"{self.rule.tool}={self.rule.pattern}" if self.rule.pattern else self.rule.tool


def standing_rules(store: Path, project: ProjectFile) -> tuple[StandingRule, ...]:
    """All that the person has said, by place, and then what *project* says. Raises CannotRead."""
    of_project = rules_of_project(project)
    return (
        *_own_rules(store, project),
        *(StandingRule(rule, project.path.parent, project.path, False) for rule in of_project),
    )


def _own_rules(store: Path, project: ProjectFile) -> Iterator[StandingRule]:
    wanted = {rule.tool: rule.asking for rule in rules_of_project(project)}  # what it forbids comes last
    folder = real_path(project.path.parent)
    for name, said in sorted(_all(store).items()):
        place = Path(name)
        for rule in said.rules:
            more = wanted.get(rule.tool) if place.is_relative_to(folder) else None
            is_stricter = more is not None and more.strictness > rule.asking.strictness
            yield StandingRule(rule, place, store, stricter=more if is_stricter else None)


def rules_of_project(project: ProjectFile) -> tuple[Rule, ...]:
    """What the project wants to be asked about, and what it forbids."""
    asked = [Rule(name, Asking.ALWAYS) for name in names_in(project.tools, "ask")]
    return (*asked, *(Rule(name, Asking.FORBIDDEN) for name in names_in(project.tools, "forbid")))


def limit_of_project(project: ProjectFile) -> frozenset[str] | None:
    """The tools that alone may be used in the project; None where it does not say so."""
    return frozenset(names_in(project.tools, "only")) if "only" in project.tools else None


def names_in(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The list of names under *key*; none where there is something else."""
    found = table.get(key, ())
    return tuple(each for each in found if isinstance(each, str)) if isinstance(found, tuple | list) else ()


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
