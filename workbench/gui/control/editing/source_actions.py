"""The actions of the source: what can be done to its text while it has the focus."""

from __future__ import annotations

from workbench.gui.control.action_spec import ActionSpec, Menu, Need, Scope
from workbench.i18n import N_

_DOCUMENT = frozenset({Need.DOCUMENT})

SOURCE_ACTIONS = (
    ActionSpec(
        *("source.complete", N_("&Complete…"), N_("List what can be written at the caret"), Menu.SOURCE, 1),
        shortcuts=("Ctrl+Space",),
        needs=_DOCUMENT,
        scope=Scope.SOURCE,
    ),
    ActionSpec(
        *("source.signature", N_("Show the si&gnature"), N_("Show the parameters of the call that is written")),
        *(Menu.SOURCE, 1),
        shortcuts=("Ctrl+Shift+Space",),
        needs=_DOCUMENT,
        scope=Scope.SOURCE,
    ),
)
