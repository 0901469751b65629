"""The actions of the source: what can be done to its text while it has the focus."""

from __future__ import annotations

from workbench.gui.control.action_spec import ActionSpec, Menu, Need, ShortcutScope
from workbench.i18n import N_

_DOCUMENT = frozenset({Need.DOCUMENT})

SOURCE_ACTIONS = (
    ActionSpec(
        *("source.complete", N_("&Complete…"), N_("List what can be written at the caret"), Menu.SOURCE, 1),
        shortcuts=("Ctrl+Space",),
        needs=_DOCUMENT,
        scope=ShortcutScope.SOURCE,
    ),
    ActionSpec(
        *("source.signature", N_("Show the si&gnature"), N_("Show the parameters of the call that is written")),
        *(Menu.SOURCE, 1),
        shortcuts=("Ctrl+Shift+Space",),
        needs=_DOCUMENT,
        scope=ShortcutScope.SOURCE,
    ),
    ActionSpec(
        *("source.line-up", N_("Move line &up"), N_("Move the selected lines up"), Menu.SOURCE, 2, "up", ("Alt+Up",)),
        needs=_DOCUMENT,
        scope=ShortcutScope.SOURCE,
    ),
    ActionSpec(
        *("source.line-down", N_("Move line d&own"), N_("Move the selected lines down"), Menu.SOURCE, 2, "down"),
        shortcuts=("Alt+Down",),
        needs=_DOCUMENT,
        scope=ShortcutScope.SOURCE,
    ),
    ActionSpec(
        *("source.copy-up", N_("Copy line u&pwards"), N_("Copy the selected lines above themselves"), Menu.SOURCE, 2),
        shortcuts=("Shift+Alt+Up",),
        needs=_DOCUMENT,
        scope=ShortcutScope.SOURCE,
    ),
    ActionSpec(
        *("source.copy-down", N_("Copy line dow&nwards"), N_("Copy the selected lines below themselves")),
        *(Menu.SOURCE, 2),
        shortcuts=("Shift+Alt+Down",),
        needs=_DOCUMENT,
        scope=ShortcutScope.SOURCE,
    ),
    ActionSpec(
        *("source.join", N_("&Join lines"), N_("Make one line of the selected ones, or of this and the next")),
        *(Menu.SOURCE, 2),
        shortcuts=("Ctrl+J",),
        needs=_DOCUMENT,
        scope=ShortcutScope.SOURCE,
    ),
    ActionSpec(
        *("source.sort", N_("&Sort lines"), N_("Sort the selected lines by their words"), Menu.SOURCE, 2, "sort"),
        needs=_DOCUMENT,
        scope=ShortcutScope.SOURCE,
    ),
    ActionSpec(
        *("source.next-occurrence", N_("Add ne&xt occurrence"), N_("Select the word, and then where it stands next")),
        *(Menu.SOURCE, 3),
        shortcuts=("Ctrl+D",),
        needs=_DOCUMENT,
        scope=ShortcutScope.SOURCE,
    ),
    ActionSpec(
        *("source.caret-above", N_("Add caret abo&ve"), N_("Write in the line above as well"), Menu.SOURCE, 3),
        shortcuts=("Ctrl+Alt+Up",),
        needs=_DOCUMENT,
        scope=ShortcutScope.SOURCE,
    ),
    ActionSpec(
        *("source.caret-below", N_("Add caret &below"), N_("Write in the line below as well"), Menu.SOURCE, 3),
        shortcuts=("Ctrl+Alt+Down",),
        needs=_DOCUMENT,
        scope=ShortcutScope.SOURCE,
    ),
    ActionSpec(
        *("source.fold", N_("&Fold"), N_("Hide what stands in the step or section of the caret"), Menu.SOURCE, 4),
        icon="fold",
        shortcuts=("Alt+Shift+Left",),
        needs=_DOCUMENT,
        scope=ShortcutScope.SOURCE,
    ),
    ActionSpec(
        *("source.unfold", N_("Unfol&d"), N_("Show what the line hides"), Menu.SOURCE, 4, "unfold"),
        shortcuts=("Alt+Shift+Right",),
        needs=_DOCUMENT,
        scope=ShortcutScope.SOURCE,
    ),
    ActionSpec(
        *("source.fold-all", N_("Fold &all"), N_("Hide what stands in every step and section"), Menu.SOURCE, 4),
        needs=_DOCUMENT,
        scope=ShortcutScope.SOURCE,
    ),
    ActionSpec(
        *("source.unfold-all", N_("Unfold a&ll"), N_("Show every line"), Menu.SOURCE, 4),
        needs=_DOCUMENT,
        scope=ShortcutScope.SOURCE,
    ),
    ActionSpec(
        *("source.wrap", N_("&Wrap lines"), N_("Break long lines, or scroll sideways"), Menu.SOURCE, 5),
        shortcuts=("Alt+Z",),
        needs=_DOCUMENT,
        scope=ShortcutScope.SOURCE,
        is_switch=True,
    ),
    ActionSpec(
        *("source.invisible", N_("Show &invisible characters"), N_("Show spaces, tabs, and what nobody would see")),
        *(Menu.SOURCE, 5),
        needs=_DOCUMENT,
        scope=ShortcutScope.SOURCE,
        is_switch=True,
    ),
)
