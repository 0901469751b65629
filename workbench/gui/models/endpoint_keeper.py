"""Keeps endpoints in the settings, and their keys where they belong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from workbench.errors import ModelFailed
from workbench.gui.control.background import Job
from workbench.gui.control.settings_controller import SettingsController
from workbench.gui.models.endpoint_form import Described
from workbench.i18n import _
from workbench.providers.endpoints import Endpoint
from workbench.providers.keys import session_keys
from workbench.providers.known import Endpoints, known_endpoints, with_endpoint, without_endpoint
from workbench.settings import Settings


class EndpointKeeper(QObject):
    """Changes which endpoints there are. A locked keyring waits for its person, so keys are kept in the background."""

    said = Signal(str)  # what a person should know of a key

    def __init__(self, settings: SettingsController, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings

    @property
    def known(self) -> Endpoints:
        """The endpoints of the person and of the project that is open."""
        folder = self._settings.current.project_folder
        return known_endpoints(self._settings.current, Path(folder) if folder else None)

    def save(self, described: Described, shown: Endpoint) -> str:
        """Keep what was *described* in the place of *shown*; its name. Raises CannotSave, and ValueError."""
        endpoint, key = described.endpoint, described.key
        if any(each.name == endpoint.name != shown.name for each in self.known.known):
            raise ValueError(_("There is another endpoint with this name."))
        self._settings.change(partial(_saved, endpoint=endpoint, old=shown.name))
        if key:
            session_keys().remember(endpoint.url, key)
            self._work(partial(session_keys().save, endpoint, key))
        return endpoint.name

    def remove(self, endpoint: Endpoint) -> str:
        """Forget *endpoint*, and its key if no other has it; which to show instead. Raises CannotSave."""
        self._settings.change(partial(without_endpoint, name=endpoint.name))
        if endpoint.key and not any(each.key == endpoint.key for each in self.known.known):
            self._work(partial(session_keys().forget, endpoint))
        return ""

    def make_default(self, endpoint: Endpoint) -> str:
        """Use *endpoint* where none is named; its name. Raises CannotSave."""
        self._settings.change(partial(replace, default_endpoint=endpoint.name))
        return endpoint.name

    def _work(self, work: Callable[[], object]) -> None:
        job = Job(work)
        job.outcome.done.connect(self._on_done)
        job.outcome.failed.connect(self._on_failed)
        job.start()

    @Slot(object)
    def _on_done(self, is_kept: object) -> None:
        if is_kept is False:
            self.said.emit(
                _(
                    "The key is used until the program ends, and is then asked for again: it is not kept in a keyring, "
                    "or there is none here that protects keys."
                )
            )

    @Slot(object)
    def _on_failed(self, mistake: Exception) -> None:
        if not isinstance(mistake, ModelFailed):
            raise mistake
        self.said.emit(str(mistake))


def _saved(settings: Settings, endpoint: Endpoint, old: str) -> Settings:
    is_default = bool(old) and settings.default_endpoint == old
    kept = without_endpoint(settings, old) if old and old != endpoint.name else settings
    saved = with_endpoint(kept, endpoint)
    return replace(saved, default_endpoint=endpoint.name) if is_default else saved
