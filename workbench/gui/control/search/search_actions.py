"""The actions that find, replace, and go somewhere."""

from __future__ import annotations

from workbench.gui.control.action_spec import ActionSpec, Menu, Need
from workbench.i18n import N_

_DOCUMENT = frozenset({Need.DOCUMENT})

FIND_ACTIONS = (
    ActionSpec(
        *("edit.find", N_("&Find…"), N_("Find text in the source and the flowchart"), Menu.EDIT, 3, "search"),
        shortcuts=("Ctrl+F",),
        toolbar=5,
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("edit.replace", N_("R&eplace…"), N_("Find text, and put other text in its place"), Menu.EDIT, 3),
        shortcuts=("Ctrl+H",),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("edit.find-next", N_("Find &next"), N_("Go to the next match"), Menu.EDIT, 3, "", ("F3",)),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("edit.find-previous", N_("Find pre&vious"), N_("Go to the match before"), Menu.EDIT, 3),
        shortcuts=("Shift+F3",),
        needs=_DOCUMENT,
    ),
)
