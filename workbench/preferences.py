"""The table of settings: what each is called, what it does, where it counts, and who may set it.

Kind, limits and default of a setting are those of its field in ``Settings``. The dialog, the menus and ``workbench
settings`` read and change settings through this table.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench.i18n import LANGUAGES, N_, SYSTEM, LazyText, _, numeral
from workbench.project_file import project_file
from workbench.setting_kinds import Kind, whole
from workbench.settings import TIMELINE_LANES, Settings, kinds

THRESHOLD = "promotion_threshold"
PERMISSIONS = "permissions"
_THRESHOLD_KIND = whole(1, 1_000)
_ELSEWHERE_KIND = Kind(str)


class Group(enum.Enum):
    """The groups of the table, in the order of the dialog."""

    APPEARANCE = N_("Appearance")
    SOURCE = N_("Source text")
    FILES = N_("Files")
    KEYS = N_("Keys")
    RUNS = N_("Runs")
    MODELS = N_("Models")
    TRUST = N_("Trust")

    def __str__(self) -> str:
        """The word for it."""
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Setting:
    """One row. *key*: the name in the file. *where*: in which part of the program it counts.

    *words*: of its choices. *unit*: behind a number. *nothing*: what an empty text, or a number that is no limit,
    stands for. *opens*: the action that sets it, where no field can. *in_project*: whether a project may say it for its
    files.
    """

    key: str
    group: Group
    title: LazyText
    description: LazyText
    where: LazyText
    words: Mapping[str, LazyText] = field(default_factory=dict)
    unit: LazyText | None = None
    nothing: LazyText | None = None
    opens: str = ""
    in_project: bool = False

    @property
    def kind(self) -> Kind:
        """What values it can have."""
        if self.key == PERMISSIONS:
            return _ELSEWHERE_KIND
        return _THRESHOLD_KIND if self.key == THRESHOLD else kinds()[self.key]

    @property
    def default(self) -> Any:
        """What holds where nobody has chosen anything."""
        return self.value(Settings())

    def value(self, settings: Settings) -> Any:
        """What *settings* says; nothing of what stands in a file of its own."""
        return getattr(settings, self.key) if self.key != PERMISSIONS else ""

    def is_changed(self, settings: Settings) -> bool:
        """Whether *settings* says something else than the default, or something that cannot be used."""
        return self.value(settings) != self.default or self.key in settings.wrong

    def changed(self, settings: Settings, value: object) -> Settings:
        """*settings* with *value*, as it stands in the file. Raises ValueError in words."""
        read = self.read(value)
        if self.key == THRESHOLD:
            return settings.with_promotion_threshold(read)
        return _without_wrong(replace(settings, **{self.key: read}), self.key)

    def reset(self, settings: Settings) -> Settings:
        """*settings* with the default."""
        if self.key == PERMISSIONS:
            return settings
        if self.key == THRESHOLD:
            others = {name: n for name, n in settings.promotion_thresholds.items() if name != settings.project_folder}
            return replace(settings, promotion_thresholds=MappingProxyType(others))
        return _without_wrong(replace(settings, **{self.key: self.default}), self.key)

    def read(self, value: object) -> Any:
        """*value* as a value of the setting. Raises ValueError in words."""
        try:
            return self.kind.read(value)
        except (ValueError, TypeError) as error:
            told = _("“{key}” can be {expected}, and not {value}.")
            raise ValueError(told.format(key=self.key, expected=self.kind.expected, value=shown(value))) from error

    def told(self, value: object) -> str:
        """*value* for people."""
        if isinstance(value, bool):
            return _("on") if value else _("off")
        if isinstance(value, int | float):
            if not value and self.nothing is not None:
                return str(self.nothing)
            is_percent = self.key == "text_scale"
            words = _("{percent}%").format(percent=numeral(round(value * 100))) if is_percent else _plain(value)
            return f"{words} {self.unit}" if self.unit is not None else words
        if isinstance(value, str):
            named = self.words.get(value) or (self.nothing if not value else None)
            return str(named) if named is not None else value
        return numeral(len(value)) if hasattr(value, "__len__") else str(value)


def shown(value: object) -> str:
    """*value* as it stands in the file, short."""
    import json  # noqa: PLC0415 - only for what somebody has mistyped

    words = json.dumps(value, ensure_ascii=False, default=str)
    return words if len(words) <= 60 else f"{words[:59]}…"


def _plain(value: float) -> str:
    return numeral(value) if float(value).is_integer() else numeral(value, ".3f").rstrip("0")


def _without_wrong(settings: Settings, key: str) -> Settings:
    wrong = {name: value for name, value in settings.wrong.items() if name != key}
    return replace(settings, wrong=MappingProxyType(wrong))


_WINDOW, _EVERYWHERE = N_("window"), N_("window and terminal")
_IN_SOURCE = N_("source pane")
_LANES = (N_("depth"), N_("agent"), N_("worker"), N_("tool"), N_("plan"))
_KIND_WORDS = (N_("playbook program"), N_("procedure"), N_("skill"), N_("step list"), N_("graph"), N_("other file"))
_KINDS = dict(zip(("program", "procedure", "skill", "steplist", "graph", "foreign"), _KIND_WORDS, strict=True))
_OF_SYSTEM, _NO_LIMIT = N_("as the system has it"), N_("no limit")

SETTINGS: tuple[Setting, ...] = (
    Setting(
        *("theme", Group.APPEARANCE, N_("Theme"), N_("The colours of the window"), _WINDOW),
        words={
            "system": N_("As the system"),
            "light": N_("Light"),
            "dark": N_("Dark"),
            "contrast": N_("High contrast"),
        },
    ),
    Setting(*("text_scale", Group.APPEARANCE, N_("Text size"), N_("How large all text is shown"), _WINDOW)),
    Setting(
        *("font", Group.APPEARANCE, N_("Font"), N_("The font of menus, panes and blocks"), _WINDOW),
        nothing=_OF_SYSTEM,
    ),
    Setting(
        *("source_font", Group.APPEARANCE, N_("Font of the source"), N_("The font of source, values and ids"), _WINDOW),
        nothing=_OF_SYSTEM,
    ),
    Setting(
        *("language", Group.APPEARANCE, N_("Language"), N_("What the program speaks, from the next start on")),
        _EVERYWHERE,
        words={SYSTEM: N_("As the system"), **{code: LazyText(name) for code, name in LANGUAGES.items()}},
    ),
    Setting(
        *("motion", Group.APPEARANCE, N_("Motion"), N_("Whether running steps, menus and panes move"), _WINDOW),
        words={"system": N_("As the system"), "full": N_("Full"), "less": N_("Reduced")},
    ),
    Setting(
        *("timeline_lanes", Group.APPEARANCE, N_("Lanes of the timeline")),
        N_("What the rows of the timeline stand for"),
        N_("timeline"),
        words=dict(zip(TIMELINE_LANES, _LANES, strict=True)),
    ),
    Setting(
        *("wraps_source", Group.SOURCE, N_("Wrap lines"), N_("Break long lines, instead of scrolling sideways")),
        _IN_SOURCE,
        in_project=True,
    ),
    Setting(
        *("tab_width", Group.SOURCE, N_("Tab width"), N_("How wide a tab is shown; the file stays as it is")),
        _IN_SOURCE,
        unit=N_("columns"),
        in_project=True,
    ),
    Setting(
        *("shows_invisible", Group.SOURCE, N_("Show invisible characters")),
        N_("Show spaces, tabs, and what nobody would see"),
        _IN_SOURCE,
        in_project=True,
    ),
    Setting(
        *("autosave", Group.FILES, N_("Save by itself"), N_("When changes are saved without you asking for it")),
        _WINDOW,
        words={
            "off": N_("Never"),
            "pause": N_("After a pause"),
            "focus": N_("When the keys go to another pane or window"),
        },
        in_project=True,
    ),
    Setting(
        *("autosave_pause_s", Group.FILES, N_("Pause before it is saved")),
        N_("How long nothing must have been changed before it is saved by itself"),
        _WINDOW,
        unit=N_("seconds"),
        in_project=True,
    ),
    Setting(
        *("history_days", Group.FILES, N_("Keep earlier states for")),
        N_("Older states of files in the local history are removed, except the newest of each and named ones"),
        N_("local history"),
        unit=N_("days"),
    ),
    Setting(
        *("history_states", Group.FILES, N_("Keep the newest states")),
        N_("When the local history of a file has more, the oldest are removed, except named ones"),
        N_("local history"),
        unit=N_("states"),
    ),
    Setting(
        *("checks_project", Group.FILES, N_("Check the whole project")),
        N_("Look for problems in all files of the open folder, not only in those that are open"),
        N_("project and problems panes"),
    ),
    Setting(
        *("kinds", Group.FILES, N_("What files are"), N_("Files that you read as another kind"), _EVERYWHERE),
        words=_KINDS,
    ),
    Setting(
        *("chapters", Group.FILES, N_("Chapters"), N_("Procedures for which you chose chapters, and how many")),
        _EVERYWHERE,
    ),
    Setting(
        *("key_scheme", Group.KEYS, N_("Keys"), N_("Which keys the window has, where you have not chosen others")),
        _WINDOW,
        words={"own": N_("Those of Playbook Workbench"), "vscode": N_("Those of VS Code")},
    ),
    Setting(
        *("keys", Group.KEYS, N_("Your keys"), N_("Actions that have other keys than those above"), _WINDOW),
        opens="edit.keys",
    ),
    Setting(
        *("is_following", Group.RUNS, N_("Follow the run"), N_("Keep the current step of the run in view"), _WINDOW),
    ),
    Setting(
        *("is_notified", Group.RUNS, N_("Notify me when a run waits")),
        N_("Show a notice of the desktop when a run waits for you and you are elsewhere"),
        _WINDOW,
    ),
    Setting(
        *("python_timeout_s", Group.RUNS, N_("Time limit of Python")),
        N_("How long a call of Python in a playbook may take"),
        _EVERYWHERE,
        unit=N_("seconds"),
    ),
    Setting(
        *("python_memory_mb", Group.RUNS, N_("Memory limit of Python")),
        N_("How much memory each process of Python in a playbook may have"),
        _EVERYWHERE,
        unit=N_("MB"),
    ),
    Setting(
        *("keep_days", Group.RUNS, N_("Keep runs for")),
        N_("Runs that ended longer ago are removed, except pinned ones"),
        _EVERYWHERE,
        unit=N_("days"),
        nothing=_NO_LIMIT,
    ),
    Setting(
        *("keep_runs", Group.RUNS, N_("Keep the newest runs")),
        N_("When there are more that have ended, the oldest are removed, except pinned ones"),
        _EVERYWHERE,
        unit=N_("runs"),
        nothing=_NO_LIMIT,
    ),
    Setting(
        *("max_mib", Group.RUNS, N_("Room for runs")),
        N_("When runs take more, the oldest that have ended are removed, except pinned ones"),
        _EVERYWHERE,
        unit=N_("MiB"),
        nothing=_NO_LIMIT,
    ),
    Setting(
        *("uses_notes", Group.RUNS, N_("Use your notes")),
        N_("Weave what is noted about your wishes into playbooks that are generated or reused"),
        _EVERYWHERE,
    ),
    Setting(
        *(THRESHOLD, Group.RUNS, N_("Promotion threshold")),
        N_("Successful runs needed before a pattern can be promoted, in the folder that is open"),
        N_("patterns"),
        unit=N_("runs"),
    ),
    Setting(
        *("otlp_endpoint", Group.RUNS, N_("Send spans to")),
        N_("Address of a collector of OpenTelemetry (OTLP over HTTP, JSON)"),
        _EVERYWHERE,
        nothing=N_("nowhere"),
    ),
    Setting(
        *("endpoints", Group.MODELS, N_("Models"), N_("Where models are reached that can decide steps"), _EVERYWHERE),
        opens="run.models",
    ),
    Setting(
        *("default_endpoint", Group.MODELS, N_("Default model")),
        N_("The endpoint that is used where none is named"),
        _EVERYWHERE,
        nothing=N_("the only one there is"),
    ),
    Setting(
        *("judging", Group.MODELS, N_("Who judges"), N_("Who decides the steps that need judgement, by file")),
        _EVERYWHERE,
        opens="run.judges",
    ),
    Setting(
        *(PERMISSIONS, Group.TRUST, N_("Permissions of tools")),
        N_("When you are asked before a call, by file and folder; kept in permissions.json"),
        _EVERYWHERE,
        nothing=N_("by file and folder"),
        opens="pane.tools",
    ),
    Setting(
        *("trusted_folders", Group.TRUST, N_("Trusted folders")),
        N_("Every playbook in these folders may run Python and start servers"),
        _EVERYWHERE,
    ),
    Setting(
        *("trusted", Group.TRUST, N_("Trusted playbooks")),
        N_("Playbooks whose Python and servers you have allowed, as they were then"),
        _EVERYWHERE,
    ),
)


def setting(key: str) -> Setting:
    """The row *key*; raises KeyError."""
    return _BY_KEY[key]


_BY_KEY = MappingProxyType({each.key: each for each in SETTINGS})


def found(query: str) -> Iterator[Setting]:
    """The rows that have each word of *query* in title, description, key, group or choices."""
    words = query.casefold().split()
    for each in SETTINGS:
        told = (each.key, each.title, each.description, each.where, each.group, *each.words.values())
        text = " ".join(map(str, told)).casefold()
        if all(word in text for word in words):
            yield each


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """What a project says under ``[settings]`` in its file *path*. *values*: those that count, by key.

    *problems*: what of it cannot be used, in sentences.
    """

    path: Path
    values: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def over(self, settings: Settings) -> Settings:
        """*settings* with what the project says in their place."""
        return replace(settings, **self.values) if self.values else settings


def project_settings(folder: Path) -> ProjectSettings:
    """What the project in *folder* says. It can say nothing of trust, keys of models, or what a person presses."""
    project = project_file(folder)
    values, problems = {}, []
    allowed = {each.key: each for each in SETTINGS if each.in_project}
    for key, value in project.settings.items():
        if key not in allowed:
            told = _("“{key}” under [settings] in {file} is not used. A project can only set: {keys}.")
            problems.append(told.format(key=key, file=project.path.name, keys=", ".join(allowed)))
            continue
        try:
            values[key] = allowed[key].read(value)
        except ValueError as error:
            problems.append(f"{project.path.name}: {error}")
    return ProjectSettings(project.path, MappingProxyType(values), tuple(problems))


def problems_of(settings: Settings) -> Iterator[str]:
    """What of the file cannot be used, in sentences."""
    if settings.damage:
        words = _("The settings file cannot be read, so the defaults are used: {reason}.")
        yield words.format(reason=settings.damage.rstrip("."))
    for key, value in settings.wrong.items():
        words = _("“{key}” in the settings file can be {expected}, and not {value}. The default is used.")
        yield words.format(key=key, expected=kinds()[key].expected, value=shown(value))
