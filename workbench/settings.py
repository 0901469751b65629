"""What a person has chosen.

Choices live in one JSON file that people can read and edit; what the program remembers by itself lives in another, so
that it never writes to theirs unasked. Damage never keeps the program from starting: what can be read is used, the
rest falls back to its default, and stays in the file until somebody chooses something else there.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, TypeVar, get_type_hints

from workbench.disk.atomic import rename, replace_private_file
from workbench.disk.files import absolute, is_there, read_file, real_path, why
from workbench.disk.lock import in_turn
from workbench.disk.places import Places
from workbench.disk.private import make_private_folder
from workbench.errors import CannotRead, CannotSave
from workbench.i18n import LANGUAGES, SYSTEM, _
from workbench.setting_kinds import (
    ADDRESS,
    COUNTS,
    DIGESTS,
    FOLDER,
    LAST_WORDS,
    LAYOUTS,
    LISTS,
    SWITCH,
    TABLES,
    TEXT,
    WORDS,
    Kind,
    choice,
    newest,
    number,
    whole,
)

log = logging.getLogger(__name__)

RECENT_LIMIT = 12
PROMOTION_THRESHOLD = 3
_PATIENCE_S = 1.0
_Value = TypeVar("_Value")
THEMES = ("system", "light", "dark", "contrast")
KEY_SCHEMES = ("own", "vscode")
TIMELINE_LANES = ("depth", "agent", "worker", "tool", "plan")


def _no_names() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person has chosen, and what the window remembers.

    A field is all that there is to a setting: its name in the file, its kind with its limits, its default.
    A value that is missing or not of its kind falls back to the default.

    *recent_files*: newest first, absolute. *trusted*: digests of what may run Python, see
    ``content_digest``. *trusted_folders*: in these every playbook may. *layouts*: window states by name.
    *text_scale*: 1.0 = as the system has it. *promotion_thresholds*: by project folder, empty for none: after
    how many successes a pattern may be promoted. *is_following*: whether flowchart and source keep the step that
    a run is at in view. *endpoints*: where models are reached, by name, with the fields of ``Endpoint``, and
    *default_endpoint* the one that is used where none is named. *judging*: who judges the runs of a file, by its
    path. *is_notified*: whether the desktop tells when a run waits. *otlp_endpoint*: where the spans of runs are posted
    to, empty for nowhere. *kinds*: what a file is where the person has said so, by its path.
    *chapters*: which chapters of it are carried out, likewise. *wraps_source*, *shows_invisible*: whether long
    lines of the source are broken, and whether spaces and hidden characters are shown.
    *timeline_lanes*: what the lanes of the timeline are. *exporting*: what was chosen last for an export.
    *font*, *source_font*: families of letters, empty for those
    of the system. *tab_width*: in columns. *autosave*: when the window saves by itself. *keep_days*, *keep_runs*,
    *max_mib*: which runs are kept, 0 for no limit. *history_days*, *history_states*: how long, and
    how many, earlier states of a file are kept. *checks_project*: whether all files of the open folder are checked.
    *uses_notes*: whether what is noted about the person is woven into playbooks that are generated or reused.
    *key_scheme*, *keys*: which keys do what, and where the person has other ones, by the id of the action.
    *unknown*: fields of a newer version, written back as they were. *wrong*: what stands in the file and is not of its
    kind, likewise. *damage*: why nothing of the file could be read, empty where it could.
    """

    theme: Annotated[str, choice(*THEMES)] = "system"
    font: Annotated[str, TEXT] = ""
    source_font: Annotated[str, TEXT] = ""
    recent_files: Annotated[tuple[str, ...], newest(RECENT_LIMIT)] = ()
    trusted: Annotated[frozenset[str], DIGESTS] = frozenset()
    trusted_folders: Annotated[frozenset[str], DIGESTS] = frozenset()
    layouts: Annotated[Mapping[str, bytes], LAYOUTS] = field(default_factory=_no_names)
    project_folder: Annotated[str, FOLDER] = ""
    python_timeout_s: Annotated[float, number(0.001, 86_400)] = 30.0
    python_memory_mb: Annotated[int, whole(16, 1_048_576)] = 2048
    text_scale: Annotated[float, number(0.5, 4)] = 1.0
    promotion_thresholds: Annotated[Mapping[str, int], COUNTS] = field(default_factory=_no_names)
    language: Annotated[str, choice(SYSTEM, *LANGUAGES)] = SYSTEM
    is_following: Annotated[bool, SWITCH] = True
    endpoints: Annotated[Mapping[str, Mapping[str, object]], TABLES] = field(default_factory=_no_names)
    default_endpoint: Annotated[str, TEXT] = ""
    judging: Annotated[Mapping[str, Mapping[str, object]], TABLES] = field(default_factory=_no_names)
    is_notified: Annotated[bool, SWITCH] = True
    wraps_source: Annotated[bool, SWITCH] = True
    shows_invisible: Annotated[bool, SWITCH] = False
    tab_width: Annotated[int, whole(1, 16)] = 4
    otlp_endpoint: Annotated[str, ADDRESS] = ""
    kinds: Annotated[Mapping[str, str], WORDS] = field(default_factory=_no_names)
    chapters: Annotated[Mapping[str, Mapping[str, object]], TABLES] = field(default_factory=_no_names)
    timeline_lanes: Annotated[str, choice(*TIMELINE_LANES)] = "depth"
    exporting: Annotated[Mapping[str, str], LAST_WORDS] = field(default_factory=_no_names)
    motion: Annotated[str, choice("system", "full", "less")] = "system"
    autosave: Annotated[str, choice("off", "pause", "focus")] = "off"
    autosave_pause_s: Annotated[float, number(0.2, 600)] = 2.0
    keep_days: Annotated[int, whole(0, 36_500)] = 0
    keep_runs: Annotated[int, whole(0, 10_000_000)] = 0
    max_mib: Annotated[int, whole(0, 10_000_000)] = 0
    history_days: Annotated[int, whole(1, 365)] = 365
    history_states: Annotated[int, whole(1, 200)] = 200
    checks_project: Annotated[bool, SWITCH] = True
    uses_notes: Annotated[bool, SWITCH] = True
    key_scheme: Annotated[str, choice(*KEY_SCHEMES)] = "own"
    keys: Annotated[Mapping[str, tuple[str, ...]], LISTS] = field(default_factory=_no_names)
    unknown: Mapping[str, object] = field(default_factory=_no_names)
    wrong: Mapping[str, object] = field(default_factory=_no_names, compare=False)
    damage: str = field(default="", compare=False)

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
        name = str(absolute(path))
        others = tuple(recent for recent in self.recent_files if recent != name)
        return replace(self, recent_files=(name, *others)[:RECENT_LIMIT])

    def without_recent(self, path: Path) -> Settings:
        """The same without *path* among the recent files."""
        name = str(absolute(path))
        return replace(self, recent_files=tuple(recent for recent in self.recent_files if recent != name))

    def with_trust(self, digest: str) -> Settings:
        """The same with content of *digest* allowed to run."""
        return replace(self, trusted=self.trusted | {digest})

    def with_trusted_folder(self, folder: Path) -> Settings:
        """The same with every playbook in *folder* allowed to run."""
        return replace(self, trusted_folders=self.trusted_folders | {str(real_path(folder))})

    def is_trusted(self, digest: str, file: Path | None = None) -> bool:
        """True when somebody has allowed content of *digest* to run, or all that is in a folder around *file*."""
        if digest in self.trusted or file is None:
            return digest in self.trusted
        return any(str(folder) in self.trusted_folders for folder in real_path(file).parents)

    def kind_of(self, file: Path) -> str:
        """The word for what *file* is, as the person has said; empty where nothing was said."""
        return self.kinds.get(str(real_path(file)), "") if self.kinds else ""

    def chapters_of(self, file: Path) -> Mapping[str, bool]:
        """Which chapters of *file* are carried out, by their titles, as far as the person has said so."""
        said = self.chapters.get(str(real_path(file)), {}) if self.chapters else {}
        return {title: is_done for title, is_done in said.items() if isinstance(is_done, bool)}

    def with_chapters(self, file: Path, chapters: Mapping[str, bool]) -> Settings:
        """The same with *chapters* said of *file*; empty: as its text says."""
        others = {name: said for name, said in self.chapters.items() if name != str(real_path(file))}
        said = {**others, str(real_path(file)): dict(chapters)} if chapters else others
        return replace(self, chapters=MappingProxyType(said))

    def with_kind(self, file: Path, kind: str) -> Settings:
        """The same with *file* read as *kind*; empty: as its content says."""
        others = {name: word for name, word in self.kinds.items() if name != str(real_path(file))}
        return replace(self, kinds=MappingProxyType({**others, str(real_path(file)): kind} if kind else others))

    def with_collector(self, address: str) -> Settings:
        """The same with spans posted to *address*; raises ValueError where it is none."""
        return replace(self, otlp_endpoint=ADDRESS.read(address))

    def with_layout(self, name: str, state: bytes) -> Settings:
        """The same with *state* remembered as the layout *name*."""
        return replace(self, layouts=MappingProxyType({**self.layouts, name: state}))

    def without_layouts(self) -> Settings:
        """The same with every layout forgotten."""
        return replace(self, layouts=MappingProxyType({}))


def with_renamed(settings: Settings, old: Path, new: Path) -> Settings:
    """*settings* in which all that was said of the file *old* is said of *new*."""

    names = {str(absolute(old)): str(absolute(new)), str(real_path(old)): str(real_path(new))}
    recent = dict.fromkeys(names.get(name, name) for name in settings.recent_files)
    return replace(
        settings,
        recent_files=tuple(recent),
        judging=_renamed(settings.judging, names),
        kinds=_renamed(settings.kinds, names),
        chapters=_renamed(settings.chapters, names),
    )


def _renamed(said: Mapping[str, _Value], names: Mapping[str, str]) -> Mapping[str, _Value]:
    """*said* by the new *names*; what was said of an earlier file of such a name is gone."""
    found = {names[name]: value for name, value in said.items() if name in names}
    others = {name: value for name, value in said.items() if name not in names}
    return MappingProxyType({**others, **found}) if found else said


def content_digest(data: bytes) -> str:
    """The name under which content is trusted: it changes with every byte of *data*."""
    import hashlib  # noqa: PLC0415 - loads OpenSSL, and only a run asks for trust

    return hashlib.sha256(data).hexdigest()


def load_settings(where: Places) -> Settings:
    """The saved settings; defaults for what is missing, damaged or of a wrong type."""
    chosen, damage = _load(where.settings_file)
    # earlier versions wrote everything into one file
    is_earlier = not is_there(where.remembered_file)
    settings = _from_json(chosen, chosen if is_earlier else _load(where.remembered_file)[0])
    return replace(settings, damage=damage) if damage else settings


def _load(path: Path) -> tuple[Mapping[str, object], str]:
    """What stands in the file *path*, and why nothing could be read of it."""
    if not is_there(path):
        return {}, ""
    try:
        loaded = json.loads(read_file(path))
    except (CannotRead, ValueError, RecursionError) as error:
        log.info("Used defaults, %s could not be read: %s", path.name, error)
        return {}, str(error)
    return (loaded, "") if isinstance(loaded, dict) else ({}, _("it is not a table of settings in JSON"))


def change_settings(where: Places, changed: Callable[[Settings], Settings]) -> tuple[Settings, Settings]:
    """The saved settings before and after *changed*, saved again where that made a difference.

    Whoever else changes them meanwhile waits, so that nobody's change is lost. Raises CannotSave, and what *changed*
    raises.
    """
    with ExitStack() as turn:
        if not _is_alone(turn, where, _PATIENCE_S):
            # whoever is inside has been stopped: rather their change is lost than this one
            log.info("Changed the settings without a lock")
        return _changed(where, changed)


def change_settings_now(where: Places, changed: Callable[[Settings], Settings]) -> tuple[Settings, Settings] | None:
    """The same without a wait: None, and nothing changed, while somebody else changes them. Raises CannotSave."""
    with ExitStack() as turn:
        return _changed(where, changed) if _is_alone(turn, where, 0) else None


def _is_alone(turn: ExitStack, where: Places, patience_s: float) -> bool:
    """Whether nobody else changes the settings until the end of *turn*. Raises CannotSave."""
    with _told():
        return turn.enter_context(in_turn(where.settings_file.with_suffix(".lock"), patience_s))


def _changed(where: Places, changed: Callable[[Settings], Settings]) -> tuple[Settings, Settings]:
    before = load_settings(where)
    after = _without_mended(before, changed(before))
    if after != before or after.wrong != before.wrong:
        save_settings(where, after, before)
    return before, after


def _without_mended(before: Settings, after: Settings) -> Settings:
    """*after* without what was wrong where something else has been chosen."""
    wrong = {name: each for name, each in after.wrong.items() if getattr(before, name) == getattr(after, name)}
    return after if len(wrong) == len(after.wrong) else replace(after, wrong=MappingProxyType(wrong))


def save_settings(where: Places, settings: Settings, before: Settings | None = None) -> None:
    """Write *settings* so that a crash leaves either the old file or the new one.

    *before*: what the files hold; only what differs from it is written. Raises CannotSave.
    """
    files = ((where.settings_file, chosen_json), (where.remembered_file, _remembered_json))
    with _told():
        for path, of in files:
            if before is None or of(settings) != of(before):
                make_private_folder(path.parent)
                if path == where.settings_file and _load(path)[1]:
                    _keep_aside(path)
                text = json.dumps(of(settings), indent=2, ensure_ascii=False, sort_keys=True) + "\n"
                replace_private_file(path, text.encode("utf-8", "surrogatepass"))


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise CannotSave(_("The settings could not be saved: {reason}.").format(reason=why(error))) from error


def _keep_aside(path: Path) -> None:
    """Rename a damaged settings file, so that the next save does not destroy what is in it."""
    try:
        rename(path, path.with_suffix(".damaged.json"))
    except OSError as error:
        log.info("Left the damaged %s where it was: %s", path.name, error)


@cache
def kinds() -> Mapping[str, Kind]:
    """The kind of every field of the files."""
    hints = get_type_hints(Settings, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")}


def chosen_json(settings: Settings) -> dict[str, object]:
    """What was chosen; a default is not written, so that a better one of a later version counts."""
    return {**settings.unknown, **settings.wrong, **_written(settings, is_remembered=False)}


def _remembered_json(settings: Settings) -> dict[str, object]:
    return _written(settings, is_remembered=True)


def _written(settings: Settings, *, is_remembered: bool) -> dict[str, object]:
    names = [name for name, kind in kinds().items() if kind.is_remembered is is_remembered]
    chosen = {name: value for name in names if (value := getattr(settings, name)) != getattr(Settings(), name)}
    return {name: kinds()[name].write(value) for name, value in chosen.items()}


def _from_json(chosen: Mapping[str, object], remembered: Mapping[str, object]) -> Settings:
    known: dict[str, Any] = {}
    wrong: dict[str, object] = {}
    for name, kind in kinds().items():
        loaded = remembered if kind.is_remembered else chosen
        if name not in loaded:
            continue
        try:
            known[name] = kind.read(loaded[name])
        except (ValueError, TypeError):
            if not kind.is_remembered:
                wrong[name] = loaded[name]
    unknown = {name: value for name, value in chosen.items() if name not in kinds()}
    return Settings(**known, unknown=MappingProxyType(unknown), wrong=MappingProxyType(wrong))
