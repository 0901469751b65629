"""Which keys do what: those of a scheme, and what the person has changed; and where two would meet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType

from PySide6.QtGui import QKeySequence

from workbench.gui.control.action_spec import ActionSpec, Menu, Need, ShortcutScope
from workbench.gui.control.action_table import ACTIONS
from workbench.i18n import N_, _
from workbench.regex import regex
from workbench.settings import Settings

Keys = tuple[str, ...]
"""Key sequences of one action as ``QKeySequence`` writes them on every system: ``Ctrl+S``, ``Ctrl+K, Ctrl+O``."""

VSCODE: Mapping[str, Keys] = {
    "edit.keys": ("Ctrl+K, Ctrl+S",),
    "edit.rename-symbol": ("F2", "Shift+F2"),
    "file.close": ("Ctrl+W", "Ctrl+F4"),
    "file.open-folder": ("Ctrl+K, Ctrl+O",),
    "go.back": ("Alt+Left", "Ctrl+Alt+Left"),
    "go.forward": ("Alt+Right", "Ctrl+Alt+Right"),
    "go.step": ("Ctrl+Shift+O", "Ctrl+T"),
    "help.tell": ("Ctrl+K, Ctrl+I",),
    "pane.problems": ("Ctrl+Shift+M",),
    "pane.project": ("Ctrl+Shift+E",),
    "pane.run": ("Ctrl+Shift+D",),
    "source.fold": ("Ctrl+Shift+[",),
    "source.unfold": ("Ctrl+Shift+]",),
    "step.delete": ("Delete", "Backspace", "Ctrl+Shift+K"),
    "step.duplicate": ("Ctrl+D", "Shift+Alt+Down"),
    "step.edit": (),  # F2 gives other names there; Enter still edits
    "step.move-in": ("Ctrl+]",),
    "step.move-out": ("Ctrl+[",),
    "view.theme-system": ("Ctrl+K, Ctrl+T",),
}
"""Where VS Code has other keys than we have. What it has none for keeps ours."""

SCHEMES: Mapping[str, Mapping[str, Keys]] = {"own": {}, "vscode": VSCODE}
"""By the name in the settings: the keys that differ from those of the table of actions."""

PLACES = {
    ShortcutScope.WINDOW: N_("everywhere"),
    ShortcutScope.STEPS: N_("in the flowchart"),
    ShortcutScope.SOURCE: N_("in the source"),
    ShortcutScope.DOCUMENT: N_("in the flowchart and the source"),
}
"""Where keys count, in words."""

_IS_FREE = regex(r"(?:^|\+)(?:Ctrl|Alt|Meta)\+|(?:^|\+)(?:F\d+|Help)$")
"""What nobody needs for writing."""


def scheme_keys(scheme: str, spec: ActionSpec) -> Keys:
    """The keys of *spec* in *scheme*."""
    return SCHEMES[scheme].get(spec.id, spec.shortcuts)


def keymap(settings: Settings) -> dict[str, Keys]:
    """The keys of every action, by its id."""
    scheme = settings.key_scheme
    return {spec.id: settings.keys.get(spec.id, scheme_keys(scheme, spec)) for spec in ACTIONS}


def with_keys(settings: Settings, action_id: str, keys: Keys) -> Settings:
    """*settings* with *keys* for an action; those of the scheme are not written down."""
    spec = next(each for each in ACTIONS if each.id == action_id)
    others = {each: kept for each, kept in settings.keys.items() if each != action_id}
    if keys != scheme_keys(settings.key_scheme, spec):
        others[action_id] = keys
    return replace(settings, keys=MappingProxyType(others))


def taken_over(settings: Settings, action_id: str, keys: str) -> Settings:
    """*settings* with *keys* for an action as well, and for none that would meet it."""
    known = keymap(settings)
    for other in meeting(known, action_id, keys):
        settings = with_keys(settings, other.id, tuple(each for each in known[other.id] if not _meet(each, keys)))
    return with_keys(settings, action_id, tuple(dict.fromkeys((*known[action_id], keys))))


def meeting(known: Mapping[str, Keys], action_id: str, keys: str) -> Iterator[ActionSpec]:
    """The other actions that *keys* would reach as well where they reach this one."""
    spec = next(each for each in ACTIONS if each.id == action_id)
    for other in ACTIONS:
        # most have other keys, or none, which is seen sooner than whether they can meet
        if other is not spec and any(_meet(each, keys) for each in known[other.id]) and can_meet(spec, other):
            yield other


def key_problems(settings: Settings) -> tuple[str, ...]:
    """What is wrong with the keys that somebody wrote into the settings by hand, in sentences.

    The dialog refuses such keys. Keys that reach two actions reach neither of them.
    """
    known, specs = keymap(settings), {spec.id: spec for spec in ACTIONS}
    found: dict[str, None] = {}
    for action_id, keys in settings.keys.items():
        spec = specs.get(action_id)
        if spec is None:
            found[_("There is no action “{id}”, so its keys are not used.").format(id=action_id)] = None
            continue
        for each in keys:
            refused = why_not(spec, each)
            if refused:
                words = _("“{keys}” for “{action}”: {reason}")
                found[words.format(keys=each, action=name_of(spec), reason=refused)] = None
        for each, others in conflicts(known, spec).items():
            names = sorted(name_of(other) for other in (spec, *others))
            words = _("Keys that would do several things do none of them ({keys}): {actions}.")
            found[words.format(keys=native_keys((each,)), actions=", ".join(names))] = None
    return tuple(found)


def conflicts(known: Mapping[str, Keys], spec: ActionSpec) -> dict[str, tuple[ActionSpec, ...]]:
    """By the keys of *spec*, the other actions that they reach as well."""
    met = {each: tuple(meeting(known, spec.id, each)) for each in known[spec.id]}
    return {keys: others for keys, others in met.items() if others}


def name_of(spec: ActionSpec) -> str:
    """The action's text without the mark of its access key and without dots."""
    return str(spec.text).replace("&", "").rstrip("…")


def key_rows(keys_of: Callable[[str], Keys]) -> list[list[tuple[str, str, str]]]:
    """The actions that have keys, menu by menu: what each is called, its keys as the system writes them, and where."""
    found: dict[Menu, list[tuple[str, str, str]]] = {menu: [] for menu in Menu}
    for spec in ACTIONS:
        keys = ", ".join(native_each(keys_of(spec.id)))
        if keys:
            found[spec.menu].append((name_of(spec), keys, str(PLACES[spec.scope])))
    return [each for each in found.values() if each]


def native_each(keys: Keys) -> list[str]:
    """Each of *keys* as the system writes it."""
    return [QKeySequence(each).toString(QKeySequence.SequenceFormat.NativeText) for each in keys]


def can_meet(one: ActionSpec, other: ActionSpec) -> bool:
    """Whether both can be done at the same place at the same time.

    One can not where it is done only while a run goes on, and the other only while none does. The source takes its keys
    before the window does.
    """
    is_of_source = (one.scope is ShortcutScope.SOURCE) is not (other.scope is ShortcutScope.SOURCE)
    return not (is_of_source or {Need.RUN, Need.NO_RUN} <= one.needs ^ other.needs)


def _meet(one: str, other: str) -> bool:
    """Whether the sequences are the same, or one begins with the other."""
    first, second = pressed(one), pressed(other)
    return bool(first and second) and all(mine == theirs for mine, theirs in zip(first, second, strict=False))


@cache  # each of two hundred actions is held against all others
def pressed(keys: str) -> tuple[str, ...]:
    """What is pressed one after the other, written in one way."""
    told = QKeySequence(keys).toString()
    return tuple(told.split(", ")) if told else ()


def why_not(spec: ActionSpec, keys: str) -> str:
    """Why *keys* cannot be those of *spec*; empty where they can."""
    sequence = pressed(keys)
    if not sequence:
        return _("These keys cannot be used.")
    if spec.scope is ShortcutScope.SOURCE and len(sequence) > 1:
        return _("In the source, only one key at a time can be used.")
    if spec.scope is not ShortcutScope.STEPS and not _IS_FREE.search(sequence[0]):
        return _("This key is needed for writing. Hold Ctrl or Alt as well, or use a function key.")
    return ""


def native_keys(keys: Keys) -> str:
    """All of *keys* as the system writes them."""
    return "; ".join(native_each(keys))
