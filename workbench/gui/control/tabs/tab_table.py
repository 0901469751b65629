"""The actions on the tabs of open files."""

from __future__ import annotations

from workbench.gui.control.action_spec import ActionSpec, Menu, Need
from workbench.i18n import N_

_DOCUMENT = frozenset({Need.DOCUMENT})

SAVE_ALL = ActionSpec(
    *("file.save-all", N_("Save all"), N_("Save every open file"), Menu.FILE, 2),
    shortcuts=("Ctrl+Alt+S",),
    needs=_DOCUMENT,
)

NEW_WINDOW = ActionSpec(
    *("window.new", N_("New &window"), N_("Open another window"), Menu.FILE, 1, "window", ("Ctrl+Shift+N",)),
)

CLOSE_ACTIONS = (
    ActionSpec(
        *("file.close", N_("&Close"), N_("Close the file that is shown"), Menu.FILE, 4, "cross", ("Ctrl+W",)),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("file.close-others", N_("Close others"), N_("Close every file but the one that is shown"), Menu.NONE),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("file.close-saved", N_("Close saved files"), N_("Close every file without unsaved changes"), Menu.NONE),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("file.reopen", N_("Reopen closed file"), N_("Open the file again that was closed last"), Menu.FILE, 4),
        shortcuts=("Ctrl+Shift+T",),
    ),
    ActionSpec(
        *("file.copy-path", N_("Copy path"), N_("Copy the path of the file"), Menu.NONE, 0, "copy"),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("file.reveal", N_("Show in folder"), N_("Open the folder of the file in the file manager"), Menu.NONE),
        icon="folder",
        needs=_DOCUMENT,
    ),
)

TAB_ACTIONS = (
    ActionSpec(
        *("tab.next", N_("Next tab"), N_("Show the file in the next tab"), Menu.GO, 4, "", ("Ctrl+PgDown",)),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("tab.previous", N_("Previous tab"), N_("Show the file in the tab before"), Menu.GO, 4, "", ("Ctrl+PgUp",)),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("tab.recent", N_("File shown before"), N_("Go through the open files, the last one shown first")),
        *(Menu.GO, 4),
        shortcuts=("Ctrl+Tab",),
    ),
    ActionSpec(
        *("tab.recent-back", N_("File shown longest ago"), N_("Go through the open files the other way round")),
        *(Menu.GO, 4),
        shortcuts=("Ctrl+Shift+Tab",),
    ),
    ActionSpec(
        *("tab.move-left", N_("Move tab left"), N_("Move the tab one place to the left"), Menu.GO, 4),
        shortcuts=("Ctrl+Shift+PgUp",),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("tab.move-right", N_("Move tab right"), N_("Move the tab one place to the right"), Menu.GO, 4),
        shortcuts=("Ctrl+Shift+PgDown",),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("tab.beside", N_("Show beside"), N_("Show the file on the other side, beside the others"), Menu.GO, 5),
        shortcuts=("Ctrl+\\",),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("tab.other-side", N_("Other side"), N_("Go to the other side of the window"), Menu.GO, 5),
        shortcuts=("Ctrl+Shift+\\",),
    ),
    ActionSpec(
        *("tab.new-window", N_("Show in new window"), N_("Show the file in a window of its own"), Menu.NONE),
        icon="window",
        needs=_DOCUMENT,
    ),
)
