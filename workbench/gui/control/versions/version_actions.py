"""The actions about versions of the open document."""

from __future__ import annotations

from workbench.gui.control.action_spec import ActionSpec, Menu, Need
from workbench.i18n import N_

_DOCUMENT = frozenset({Need.DOCUMENT})
_FILE = frozenset({Need.DOCUMENT, Need.FILE})

VERSION_ACTIONS = (
    ActionSpec(
        *("version.saved", N_("Compare with &saved"), N_("Show what differs from the saved file"), Menu.VERSIONS, 1),
        icon="compare",
        needs=_FILE,
    ),
    ActionSpec(
        *("version.head", N_("Compare with last &commit"), N_("Show what differs from the last commit in git")),
        *(Menu.VERSIONS, 1),
        needs=_FILE,
    ),
    ActionSpec(
        *("version.revision", N_("Compare with git &revision…"), N_("Choose a commit, and show what differs from it")),
        *(Menu.VERSIONS, 1),
        needs=_FILE,
    ),
    ActionSpec(
        *("version.file", N_("Compare with other &file…"), N_("Choose another file, and show what differs from it")),
        *(Menu.VERSIONS, 1),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("version.line", N_("Show change of the &line"), N_("Show what stood on this line in the last commit")),
        *(Menu.VERSIONS, 1),
        shortcuts=("Alt+F3",),
        needs=_FILE,
    ),
    ActionSpec(
        *("version.history", N_("Local &history…"), N_("Show what the file was, and restore it"), Menu.VERSIONS, 2),
        icon="history",
        needs=_FILE,
    ),
    ActionSpec(
        *("version.name", N_("&Name this state…"), N_("Keep the text as it is now under a name"), Menu.VERSIONS, 2),
        needs=_FILE,
    ),
)
