"""Which endpoints there are: the person's own, and those that a project names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench.disk.files import PROJECT_FILE, absolute, real_path
from workbench.errors import ModelFailed
from workbench.i18n import _
from workbench.project_file import project_file
from workbench.providers.endpoints import Endpoint, WireProtocol, endpoint_table, read_endpoint
from workbench.settings import Settings

DEFAULT = "default"
"""The field of a project's table of models that names the one to use where nobody names any."""


@dataclass(frozen=True, slots=True)
class Endpoints:
    """All that are known, the person's own first. *default*: the name of the one that is used where none is named.

    *problems*: what is wrong with those that cannot be used, in sentences.
    """

    known: tuple[Endpoint, ...] = ()
    default: str = ""
    problems: tuple[str, ...] = ()

    def named(self, name: str) -> Endpoint:
        """The endpoint *name*, empty for the default one. Raises ModelFailed."""
        wanted, names = name or self.default, ", ".join(each.name for each in self.known)
        if not self.known:
            raise ModelFailed(_("No model is set up yet. Add one: workbench models add, or in the settings."))
        if not wanted:
            message = _("Several model endpoints are set up, and none is the default one: {names}. Choose one.")
            raise ModelFailed(message.format(names=names))
        found = next((each for each in self.known if each.name == wanted), None)
        if found is None:
            message = _("There is no model endpoint “{name}”. Known are: {names}.")
            raise ModelFailed(message.format(name=wanted, names=names))
        self._check_key(found)
        return found

    def _check_key(self, endpoint: Endpoint) -> None:
        """A project cannot have a key sent to an address that its person never gave that key to."""
        if not endpoint.origin or not endpoint.key.startswith("env:"):
            return
        own = {(each.key, each.url) for each in self.known if not each.origin}
        if (endpoint.key, endpoint.url) not in own:
            message = _(
                "The project wants the key “{key}” sent to {url}, which you have not allowed. "
                "If you trust that address, add it as an endpoint of your own with this key."
            )
            raise ModelFailed(message.format(key=endpoint.key, url=endpoint.url))


def known_endpoints(settings: Settings, folder: Path | None = None) -> Endpoints:
    """The endpoints of *settings*, and those that the project in *folder* names."""
    problems: list[str] = []
    own = [each for name, table in settings.endpoints.items() if (each := _read(name, table, "", problems))]
    default = settings.default_endpoint or (own[0].name if len(own) == 1 else "")
    if folder is None:
        return Endpoints(tuple(own), default, tuple(problems))
    project = project_file(folder)
    taken = {DEFAULT, *(each.name for each in own)}
    new = {name: table for name, table in project.models.items() if name not in taken}
    others = [each for name, table in new.items() if (each := _of_project(name, table, folder, problems))]
    named = project.models.get(DEFAULT)
    default = default or (named if isinstance(named, str) else "")
    return Endpoints((*own, *others), default, (*problems, *project.problems))


def with_endpoint(settings: Settings, endpoint: Endpoint) -> Settings:
    """*settings* with *endpoint*, which takes the place of one with the same name.

    The first one stays the default one when others follow.
    """
    first = next(iter(settings.endpoints), endpoint.name)
    default = settings.default_endpoint or (first if len(settings.endpoints) <= 1 else "")
    changed = {**settings.endpoints, endpoint.name: endpoint_table(endpoint)}
    return replace(settings, endpoints=MappingProxyType(changed), default_endpoint=default)


def without_endpoint(settings: Settings, name: str) -> Settings:
    """*settings* without the endpoint *name*, which is no longer the default one either."""
    left = {each: table for each, table in settings.endpoints.items() if each != name}
    default = "" if settings.default_endpoint == name else settings.default_endpoint
    return replace(settings, endpoints=MappingProxyType(left), default_endpoint=default)


def _read(name: str, table: Mapping[str, Any], origin: str, problems: list[str]) -> Endpoint | None:
    try:
        return read_endpoint(name, table, origin)
    except ValueError as error:
        message = _("The model endpoint “{name}” cannot be used. {reason}")
        problems.append(message.format(name=name, reason=error))
        return None


def _of_project(name: str, table: Mapping[str, Any], folder: Path, problems: list[str]) -> Endpoint | None:
    endpoint = _read(name, table, str(absolute(folder / PROJECT_FILE)), problems)
    if endpoint is None or endpoint.protocol is not WireProtocol.LOCAL:
        return endpoint
    inside = real_path(folder / endpoint.file)
    if not inside.is_relative_to(real_path(folder)):
        message = _("The model endpoint “{name}” cannot be used. Its file is outside of the project.")
        problems.append(message.format(name=name))
        return None
    return replace(endpoint, file=str(inside))
