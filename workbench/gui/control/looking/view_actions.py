"""The actions that only change how one looks: zoom, folds, what is left out, the map; theme, language, text, panes."""

from __future__ import annotations

from workbench.gui.control.action_spec import ActionSpec, Menu, Need, ShortcutScope, Spot
from workbench.i18n import N_

_GROUND = frozenset({Spot.GROUND})
_EVERYWHERE = frozenset(Spot)
_DOCUMENT = frozenset({Need.DOCUMENT})
_STEP = frozenset({Need.DOCUMENT, Need.STEP})
_ONE_STEP = frozenset({Need.DOCUMENT, Need.ONE_STEP})

VIEW_ACTIONS = (
    ActionSpec(
        *("view.zoom-in", N_("Zoom &in"), N_("Zoom in"), Menu.VIEW, 1, "zoom-in", ("Ctrl++", "Ctrl+="), 4),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("view.zoom-out", N_("Zoom &out"), N_("Zoom out"), Menu.VIEW, 1, "zoom-out", ("Ctrl+-",), 4),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("view.fit", N_("&Fit to window"), N_("Show the whole flowchart"), Menu.VIEW, 1, "fit", ("Ctrl+0",), 4),
        needs=_DOCUMENT,
        spots=_GROUND,
    ),
    ActionSpec(
        *("view.actual-size", N_("&Actual size"), N_("Show the flowchart at 100%"), Menu.VIEW, 1),
        shortcuts=("Ctrl+1",),
        needs=_DOCUMENT,
        spots=_GROUND,
    ),
    ActionSpec(
        *("view.zoom-selection", N_("Zoom to selec&tion"), N_("Show the selected steps as large as they fit")),
        *(Menu.VIEW, 1),
        shortcuts=("Shift+2",),
        needs=_STEP,
        scope=ShortcutScope.STEPS,
    ),
    ActionSpec(
        *(
            "view.only-path",
            N_("Only t&his path"),
            N_("Show only the steps on the ways to the selected step and from it"),
        ),
        *(Menu.VIEW, 2),
        icon="filter",
        shortcuts=("Ctrl+Alt+F",),
        needs=_ONE_STEP,
        scope=ShortcutScope.STEPS,
    ),
    ActionSpec(
        *("view.only-branch", N_("Only this &branch"), N_("Show only the branch or loop of the selected step")),
        *(Menu.VIEW, 2),
        shortcuts=("Ctrl+Alt+B",),
        needs=_ONE_STEP,
        scope=ShortcutScope.STEPS,
    ),
    ActionSpec(
        *("view.only-playbook", N_("Only this playboo&k"), N_("Show only one playbook of the file")),
        *(Menu.VIEW, 2),
        shortcuts=("Ctrl+Alt+P",),
        needs=_DOCUMENT,
        scope=ShortcutScope.STEPS,
        spots=_EVERYWHERE,
    ),
    ActionSpec(
        *("view.show-all", N_("Show e&verything"), N_("Show all that is left out of the flowchart")),
        *(Menu.VIEW, 2),
        shortcuts=("Ctrl+Alt+A",),
        needs=_DOCUMENT,
        scope=ShortcutScope.STEPS,
        spots=_GROUND,
    ),
    ActionSpec(
        *("view.leave-call", N_("Back out of the call"), N_("Go back to the step whose call or link was opened")),
        *(Menu.VIEW, 2, "left"),
        shortcuts=("Ctrl+Shift+Return",),
        needs=_DOCUMENT,
        scope=ShortcutScope.STEPS,
    ),
    ActionSpec(
        *("view.fold", N_("Fo&ld or unfold"), N_("Fold or unfold the selected step"), Menu.VIEW, 2, "fold"),
        shortcuts=("Ctrl+Shift+.",),
        needs=_ONE_STEP,
    ),
    ActionSpec("view.fold-all", N_("Fold all"), N_("Fold every step"), Menu.VIEW, 2, needs=_DOCUMENT, spots=_GROUND),
    ActionSpec(
        "view.unfold-all", N_("&Unfold all"), N_("Unfold every step"), Menu.VIEW, 2, needs=_DOCUMENT, spots=_GROUND
    ),
    ActionSpec(
        *("view.minimap", N_("&Minimap"), N_("Show or hide the small map of the flowchart"), Menu.VIEW, 2),
        needs=_DOCUMENT,
        spots=_GROUND,
        is_switch=True,
    ),
    ActionSpec(
        *("view.go-to-map", N_("Go to minimap"), N_("Move the flowchart with the keys, on the map of it")),
        *(Menu.NONE, 0),
        shortcuts=("Ctrl+Alt+O",),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("view.run-ways", N_("Ways of the run"), N_("Draw the ways thicker that the shown run has taken")),
        *(Menu.VIEW, 2),
        needs=_DOCUMENT,
        spots=_GROUND,
        is_switch=True,
    ),
    ActionSpec(
        *("view.heat-count", N_("Heat: how often"), N_("Show on each step how often the shown run carried it out")),
        *(Menu.VIEW, 2),
        needs=_DOCUMENT,
        spots=_GROUND,
        is_switch=True,
    ),
    ActionSpec(
        *("view.heat-time", N_("Heat: how long"), N_("Show on each step how long the shown run took for it")),
        *(Menu.VIEW, 2),
        needs=_DOCUMENT,
        spots=_GROUND,
        is_switch=True,
    ),
    ActionSpec(
        *("view.theme-system", N_("Use &system theme"), N_("Use the system's light or dark theme"), Menu.VIEW, 4),
        is_switch=True,
    ),
    ActionSpec("view.theme-light", N_("Li&ght theme"), N_("Use the light theme"), Menu.VIEW, 4, "sun", is_switch=True),
    ActionSpec("view.theme-dark", N_("&Dark theme"), N_("Use the dark theme"), Menu.VIEW, 4, "moon", is_switch=True),
    ActionSpec(
        *("view.theme-contrast", N_("High-&contrast theme"), N_("Use white on black, with every edge visible")),
        *(Menu.VIEW, 4),
        is_switch=True,
    ),
    ActionSpec(
        *("view.language-system", N_("System language"), N_("Use the language of the system"), Menu.VIEW, 6),
        is_switch=True,
    ),
    ActionSpec("view.language-en", N_("English"), N_("Use English"), Menu.VIEW, 6, is_switch=True),
    ActionSpec("view.language-de", N_("German (Deutsch)"), N_("Use German"), Menu.VIEW, 6, is_switch=True),
    ActionSpec(
        "view.text-larger", N_("La&rger text"), N_("Make all text larger"), Menu.VIEW, 5, shortcuts=("Ctrl+Alt++",)
    ),
    ActionSpec(
        "view.text-smaller", N_("Small&er text"), N_("Make all text smaller"), Menu.VIEW, 5, shortcuts=("Ctrl+Alt+-",)
    ),
    ActionSpec("view.next-pane", N_("&Next pane"), N_("Go to the next pane"), Menu.VIEW, 6, shortcuts=("Ctrl+F6",)),
    ActionSpec(
        *("view.previous-pane", N_("Previous pane"), N_("Go to the previous pane"), Menu.VIEW, 6),
        shortcuts=("Ctrl+Shift+F6",),
    ),
    ActionSpec(
        *("view.enlarge-pane", N_("Enlarge pane"), N_("Give the pane with the focus much room, or the usual again")),
        *(Menu.VIEW, 6, "maximise"),
        shortcuts=("Ctrl+Alt+M",),
    ),
    ActionSpec(
        *("view.float-pane", N_("Float or dock pane"), N_("Make the pane with the focus a window, or put it back")),
        *(Menu.NONE, 0, "window"),
    ),
    ActionSpec(
        *("view.move-pane", N_("Move pane"), N_("Move the pane with the focus: left, below, right"), Menu.NONE),
    ),
    ActionSpec("view.close-pane", N_("Close pane"), N_("Close the pane with the focus"), Menu.NONE, 0, "cross"),
    ActionSpec("view.reset-layout", N_("Reset la&yout"), N_("Put every pane back in its place"), Menu.VIEW, 6),
)
