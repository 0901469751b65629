"""Where things are kept on this machine, and what a person has chosen.

Settings live in one JSON file. A damaged file never keeps the program from starting: what
can be read is used, the rest falls back to its default, and the damaged file is kept aside.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

import appdirs

from workbench.disk.atomic import replace_private_file
from workbench.errors import CannotSave
from workbench.i18n import _

log = logging.getLogger(__name__)

HOME_VARIABLE = "WORKBENCH_HOME"
RECENT_LIMIT = 12
PROMOTION_THRESHOLD = 3
THEMES = ("system", "light", "dark")

_APPLICATION = "playbook-workbench"


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of this person on this machine; they need not exist yet.

    *config_dir*: settings. *data_dir*: what a person would miss (runs, patterns). *state_dir*:
    logs, edit journals, what can be lost.
    """

    config_dir: Path
    data_dir: Path
    state_dir: Path

    @property
    def settings_file(self) -> Path:
        """The file of the settings."""
        return self.config_dir / "settings.json"

    @property
    def runs_file(self) -> Path:
        """The journal of runs."""
        return self.data_dir / "runs.sqlite"

    @property
    def patterns_file(self) -> Path:
        """The store of learned patterns."""
        return self.data_dir / "patterns.sqlite"

    @property
    def edits_dir(self) -> Path:
        """The folder of the crash journals of edits."""
        return self.state_dir / "edits"

    @property
    def log_dir(self) -> Path:
        """The folder of the log files."""
        return self.state_dir / "log"


def places() -> Places:
    """The folders of this person, or all under ``$WORKBENCH_HOME`` where that is set."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return places_under(Path(home))
    return Places(
        Path(appdirs.user_config_dir(_APPLICATION)),
        Path(appdirs.user_data_dir(_APPLICATION)),
        Path(appdirs.user_state_dir(_APPLICATION)),
    )


def places_under(home: Path) -> Places:
    """All folders inside *home*."""
    return Places(home / "config", home / "data", home / "state")


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person has chosen, and what the window remembers.

    *recent_files*: newest first, absolute. *trusted*: digests of what may run Python, see
    ``content_digest``. *layouts*: window states by name.
    *text_scale*: 1.0 = as the system has it. *promotion_thresholds*: by project folder, empty
    for none: after how many successes a pattern may be promoted. *unknown*: fields of a newer version, written back
    as they were.
    """

    theme: str = "system"
    recent_files: tuple[str, ...] = ()
    trusted: frozenset[str] = frozenset()
    layouts: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))
    project_folder: str = ""
    python_timeout_s: float = 30.0
    text_scale: float = 1.0
    promotion_thresholds: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    unknown: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def promotion_threshold(self) -> int:
        """After how many successes a pattern may be promoted, in the project that is open."""
        return self.promotion_thresholds.get(self.project_folder, PROMOTION_THRESHOLD)

    def with_promotion_threshold(self, threshold: int) -> Settings:
        """The same with patterns promoted after *threshold* successes in the project that is open."""
        changed = {**self.promotion_thresholds, self.project_folder: threshold}
        return replace(self, promotion_thresholds=MappingProxyType(changed))

    def with_recent(self, path: Path) -> Settings:
        """The same with *path* as the newest recent file."""
        name = str(path.absolute())
        others = tuple(recent for recent in self.recent_files if recent != name)
        return replace(self, recent_files=(name, *others)[:RECENT_LIMIT])

    def without_recent(self, path: Path) -> Settings:
        """The same without *path* among the recent files."""
        name = str(path.absolute())
        return replace(self, recent_files=tuple(recent for recent in self.recent_files if recent != name))

    def with_trust(self, digest: str) -> Settings:
        """The same with content of *digest* allowed to run."""
        return replace(self, trusted=self.trusted | {digest})

    def is_trusted(self, digest: str) -> bool:
        """True when somebody has allowed content of *digest* to run."""
        return digest in self.trusted

    def with_layout(self, name: str, state: bytes) -> Settings:
        """The same with *state* remembered as the layout *name*."""
        return replace(self, layouts=MappingProxyType({**self.layouts, name: state}))

    def without_layouts(self) -> Settings:
        """The same with every layout forgotten."""
        return replace(self, layouts=MappingProxyType({}))


def content_digest(data: bytes) -> str:
    """The name under which content is trusted: it changes with every byte of *data*."""
    return hashlib.sha256(data).hexdigest()


def load_settings(where: Places) -> Settings:
    """The saved settings; defaults for what is missing, damaged or of a wrong type."""
    path = where.settings_file
    try:
        loaded = json.loads(path.read_bytes())
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError, RecursionError) as error:
        log.info("Used default settings, %s could not be read: %s", path.name, error)
        _keep_aside(path)
        return Settings()
    return _from_json(loaded) if isinstance(loaded, dict) else Settings()


def save_settings(where: Places, settings: Settings) -> None:
    """Write *settings* so that a crash leaves either the old file or the new one.

    Raises CannotSave.
    """
    text = json.dumps(_to_json(settings), indent=2, ensure_ascii=False, sort_keys=True) + "\n"
    try:
        where.config_dir.mkdir(parents=True, exist_ok=True)
        replace_private_file(where.settings_file, text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotSave(_("The settings could not be saved: {reason}.").format(reason=reason)) from error


def _keep_aside(path: Path) -> None:
    """Rename a damaged settings file, so that the next save does not destroy what is in it."""
    try:
        path.replace(path.with_suffix(".damaged.json"))
    except OSError as error:
        log.info("Left the damaged %s where it was: %s", path.name, error)


def _to_json(settings: Settings) -> dict[str, object]:
    layouts = {name: base64.b64encode(state).decode("ascii") for name, state in settings.layouts.items()}
    return {
        **settings.unknown,
        "theme": settings.theme,
        "recent_files": list(settings.recent_files),
        "trusted": sorted(settings.trusted),
        "layouts": layouts,
        "project_folder": settings.project_folder,
        "python_timeout_s": settings.python_timeout_s,
        "promotion_thresholds": dict(settings.promotion_thresholds),
        "text_scale": settings.text_scale,
    }


def _from_json(loaded: Mapping[str, object]) -> Settings:
    default = Settings()
    theme = loaded.get("theme")
    folder = loaded.get("project_folder")
    return Settings(
        theme=str(theme) if theme in THEMES else default.theme,
        recent_files=_texts(loaded.get("recent_files"))[:RECENT_LIMIT],
        trusted=frozenset(_texts(loaded.get("trusted"))),
        layouts=MappingProxyType(_layouts(loaded.get("layouts"))),
        project_folder=folder if isinstance(folder, str) else default.project_folder,
        python_timeout_s=_number(loaded.get("python_timeout_s"), (0.001, 86_400), default.python_timeout_s),
        text_scale=_number(loaded.get("text_scale"), (0.5, 4), default.text_scale),
        promotion_thresholds=MappingProxyType(_counts(loaded.get("promotion_thresholds"))),
        unknown=MappingProxyType({name: value for name, value in loaded.items() if name not in _KNOWN}),
    )


_KNOWN = frozenset(_to_json(Settings()))


def _texts(value: object) -> tuple[str, ...]:
    return tuple(text for text in value if isinstance(text, str)) if isinstance(value, list) else ()


def _number(value: object, limits: tuple[float, float], default: float) -> float:
    """*value* where it is a number within *limits*, else *default*."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return default
    return float(value) if limits[0] <= value <= limits[1] else default


def _counts(value: object) -> dict[str, int]:
    """Whole numbers from 1 on, by name."""
    found = value.items() if isinstance(value, dict) else ()
    return {str(name): count for name, count in found if type(count) is int and count >= 1}


def _layouts(value: object) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for name, state in (value if isinstance(value, dict) else {}).items():
        try:
            found[str(name)] = base64.b64decode(state, validate=True)
        except (binascii.Error, TypeError, ValueError):
            log.info("Forgot the layout %s, it was damaged", name)
    return found
