"""The actions that find, replace, and go somewhere."""

from __future__ import annotations

from workbench.gui.control.action_spec import ActionSpec, Menu, Need, ShortcutScope
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
    ActionSpec(
        *(
            "edit.find-files",
            N_("Find &in files…"),
            N_("Find and replace text in all files of the project"),
            Menu.EDIT,
            3,
        ),
        shortcuts=("Ctrl+Shift+F",),
    ),
    ActionSpec(
        *("edit.rename-symbol", N_("Rena&me everywhere…"), N_("Give this variable, playbook or tool another name")),
        *(Menu.EDIT, 3),
        shortcuts=("Shift+F2",),
        needs=_DOCUMENT,
    ),
)

GO_ACTIONS = (
    ActionSpec(
        *("go.back", N_("&Back"), N_("Go back to where the last jump began"), Menu.GO, 1, "left", ("Ctrl+Alt+Left",)),
    ),
    ActionSpec(
        *("go.forward", N_("&Forward"), N_("Go forward again"), Menu.GO, 1, "right", ("Ctrl+Alt+Right",)),
    ),
    ActionSpec(
        *("go.anything", N_("Go to &anything…"), N_("Go to a file, a playbook or a step"), Menu.GO, 2, "search"),
        shortcuts=("Ctrl+P",),
    ),
    ActionSpec(
        *("go.step", N_("Go to &step or playbook…"), N_("Go to a step or a playbook of this file"), Menu.GO, 2),
        shortcuts=("Ctrl+T",),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("go.line", N_("Go to &line…"), N_("Go to a line of the source"), Menu.GO, 2, "", ("Ctrl+G",)),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("go.definition", N_("Go to &definition"), N_("Go to where this variable, playbook or tool is defined")),
        *(Menu.GO, 3),
        shortcuts=("F12",),
        needs=_DOCUMENT,
        scope=ShortcutScope.DOCUMENT,
    ),
    ActionSpec(
        *("go.usages", N_("Find &usages"), N_("List where this variable, playbook or tool is used"), Menu.GO, 3),
        shortcuts=("Shift+F12",),
        needs=_DOCUMENT,
        scope=ShortcutScope.DOCUMENT,
    ),
)
