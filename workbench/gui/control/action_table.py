"""The table of all actions: text, icon, keys, tooltip, menu, toolbar group, and what each needs."""

from __future__ import annotations

from workbench.gui.control.action_spec import ActionSpec, Menu, Need, ShortcutScope, Spot
from workbench.gui.control.editing.source_actions import SOURCE_ACTIONS
from workbench.gui.control.editing.step_operations import STEP_OPERATIONS
from workbench.gui.control.looking.view_actions import VIEW_ACTIONS
from workbench.gui.control.pane_table import PANES
from workbench.gui.control.search.search_actions import FIND_ACTIONS, GO_ACTIONS
from workbench.gui.control.step_actions import STEP_ACTIONS
from workbench.gui.control.tabs.tab_table import CLOSE_ACTIONS, NEW_WINDOW, SAVE_ALL, TAB_ACTIONS
from workbench.gui.control.versions.version_actions import VERSION_ACTIONS
from workbench.i18n import N_

_GROUND = frozenset({Spot.GROUND})
_EVERYWHERE = frozenset(Spot)
_DOCUMENT = frozenset({Need.DOCUMENT})
_STEP = frozenset({Need.DOCUMENT, Need.STEP})

_FILE = (
    ActionSpec("file.new", N_("&New"), N_("Create a new playbook"), Menu.FILE, 1, "new", ("Ctrl+N",), 1),
    ActionSpec(
        *("file.new-goal", N_("New from a &goal…"), N_("Say what is to be reached, and make a playbook of it")),
        *(Menu.FILE, 1, "goal"),
        shortcuts=("Ctrl+Alt+G",),
    ),
    ActionSpec("file.open", N_("&Open…"), N_("Open playbook"), Menu.FILE, 1, "open", ("Ctrl+O",), 1),
    ActionSpec("file.open-folder", N_("Open &folder…"), N_("Open a folder as a project"), Menu.FILE, 1, "folder"),
    NEW_WINDOW,
    ActionSpec("file.save", N_("&Save"), N_("Save playbook"), Menu.FILE, 2, "save", ("Ctrl+S",), 1, needs=_DOCUMENT),
    ActionSpec(
        *("file.save-as", N_("Save &as…"), N_("Save the playbook under a different name"), Menu.FILE, 2),
        shortcuts=("Ctrl+Shift+S",),
        needs=_DOCUMENT,
    ),
    SAVE_ALL,
    ActionSpec(
        *("file.kind", N_("What the file &is…"), N_("Read the file as something else"), Menu.FILE, 2),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("file.rename", N_("&Rename…"), N_("Give the file another name, and update the links to it"), Menu.FILE, 2),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("file.export", N_("&Export…"), N_("Save the flowchart as a picture, a PDF, Mermaid, BPMN or a page")),
        *(Menu.FILE, 3, "picture"),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("edit.copy-picture", N_("Copy as &picture"), N_("Copy the flowchart or the selected steps as a picture")),
        *(Menu.FILE, 3, "copy"),
        needs=_DOCUMENT,
        spots=_GROUND,
    ),
    ActionSpec(
        *("edit.copy-mermaid", N_("Copy as Mermai&d"), N_("Copy the flowchart or the selected steps as Mermaid")),
        *(Menu.FILE, 3, "copy"),
        needs=_DOCUMENT,
        spots=_GROUND,
    ),
    ActionSpec(
        *("file.save-assembly", N_("Export asse&mbly…"), N_("Save the compiled assembly to a file"), Menu.FILE, 3),
        icon="assembly",
        needs=_DOCUMENT,
    ),
    *CLOSE_ACTIONS,
    ActionSpec(
        *("window.close", N_("C&lose window"), N_("Close this window, with all of its files"), Menu.FILE, 5),
        shortcuts=("Ctrl+Shift+W",),
    ),
    ActionSpec("file.quit", N_("&Quit"), N_("Close all windows"), Menu.FILE, 5, shortcuts=("Ctrl+Q",)),
)

_EDIT = (
    ActionSpec(
        *("edit.undo", N_("&Undo"), N_("Undo the last change"), Menu.EDIT, 1, "undo", ("Ctrl+Z",), 2),
        needs=frozenset({Need.DOCUMENT, Need.UNDO}),
    ),
    ActionSpec(
        *("edit.redo", N_("&Redo"), N_("Redo the last undone change"), Menu.EDIT, 1, "redo"),
        shortcuts=("Ctrl+Y", "Ctrl+Shift+Z"),
        toolbar=2,
        needs=frozenset({Need.DOCUMENT, Need.REDO}),
    ),
    ActionSpec(
        *("edit.cut", N_("Cu&t"), N_("Cut the selected steps"), Menu.EDIT, 2, "cut", ("Ctrl+X",)),
        needs=_STEP,
        scope=ShortcutScope.STEPS,
    ),
    ActionSpec(
        *("edit.copy", N_("&Copy"), N_("Copy the selected steps as text"), Menu.EDIT, 2, "copy", ("Ctrl+C",)),
        needs=_STEP,
        scope=ShortcutScope.STEPS,
    ),
    ActionSpec(
        *("edit.paste", N_("&Paste"), N_("Paste the copied steps below the selected one"), Menu.EDIT, 2, "paste"),
        shortcuts=("Ctrl+V",),
        needs=_DOCUMENT,
        scope=ShortcutScope.STEPS,
        spots=_EVERYWHERE,
    ),
    ActionSpec(
        *("edit.select-all", N_("Select &all"), N_("Select all steps"), Menu.EDIT, 2),
        shortcuts=("Ctrl+A",),
        needs=_DOCUMENT,
        scope=ShortcutScope.STEPS,
        spots=_GROUND,
    ),
    *FIND_ACTIONS,
    ActionSpec(
        *("edit.palette", N_("Command pa&lette…"), N_("Find and run any command"), Menu.EDIT, 3, "palette"),
        shortcuts=("Ctrl+Shift+P",),
        toolbar=5,
    ),
    ActionSpec(
        *(
            "edit.quick-fix",
            N_("&Quick fix…"),
            N_("Show fixes for the line or the selected step"),
            Menu.EDIT,
            4,
            "bulb",
        ),
        shortcuts=("Ctrl+.",),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *(
            "edit.fix-all",
            N_("Apply all safe fi&xes…"),
            N_("Apply every fix that cannot change the meaning"),
            Menu.EDIT,
            4,
        ),
        icon="bulb",
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("edit.preferences", N_("Preferences…"), N_("Find and change any setting"), Menu.EDIT, 5, "settings"),
        shortcuts=("Ctrl+,",),
    ),
    ActionSpec(
        *("edit.keys", N_("Keys…"), N_("Choose which keys do what"), Menu.EDIT, 5, "keyboard"),
    ),
)

_RUN = (
    ActionSpec(
        *("run.start", N_("&Run"), N_("Run this playbook"), Menu.RUN, 1, "run", ("F5",), 3),
        needs=frozenset({Need.DOCUMENT, Need.NO_RUN}),
    ),
    ActionSpec(
        *("run.start-another", N_("Run another"), N_("Run this playbook beside the run that goes on"), Menu.RUN, 1),
        icon="run",
        shortcuts=("Ctrl+F5",),
        toolbar=3,
        needs=frozenset({Need.DOCUMENT, Need.ANY_RUN}),
    ),
    ActionSpec(
        *("run.pause", N_("&Pause"), N_("Pause after the current step"), Menu.RUN, 1, "pause"),
        shortcuts=("F6",),
        toolbar=3,
        needs=frozenset({Need.RUN, Need.GOING}),
    ),
    ActionSpec(
        *("run.go-on", N_("&Continue"), N_("Continue the paused run"), Menu.RUN, 1, "run", ("F5", "F8"), 3),
        needs=frozenset({Need.RUN, Need.PAUSED}),
    ),
    ActionSpec(
        *("run.step", N_("&Step"), N_("Run one step with all that it calls, then pause"), Menu.RUN, 1, "step"),
        shortcuts=("F10",),
        toolbar=3,
        needs=frozenset({Need.DOCUMENT, Need.NOT_WATCHED}),
    ),
    ActionSpec(
        *("run.step-into", N_("Step &into"), N_("Run one step, also in a playbook that it calls, then pause")),
        *(Menu.RUN, 1),
        shortcuts=("F11",),
        needs=frozenset({Need.DOCUMENT, Need.NOT_WATCHED}),
    ),
    ActionSpec(
        *("run.step-out", N_("Step o&ut"), N_("Continue until this playbook is left, then pause"), Menu.RUN, 1),
        shortcuts=("Shift+F11",),
        needs=frozenset({Need.RUN, Need.PAUSED}),
    ),
    ActionSpec(
        *("run.skip", N_("S&kip the step"), N_("Leave the next step out, and pause before the one that follows")),
        *(Menu.RUN, 1),
        needs=frozenset({Need.RUN, Need.PAUSED}),
    ),
    ActionSpec(
        *("run.change-result", N_("Change the result…"), N_("Let the call at hand have given something else")),
        *(Menu.RUN, 1, "edit"),
        needs=frozenset({Need.HELD_RESULT}),
    ),
    ActionSpec(
        *("run.change-answer", N_("Change the answer…"), N_("Let the step have been answered otherwise")),
        *(Menu.RUN, 1, "edit"),
        needs=frozenset({Need.HELD_ANSWER}),
    ),
    ActionSpec(
        *("run.stop", N_("S&top"), N_("Stop the run; you can resume it later"), Menu.RUN, 1, "stop", ("Shift+F5",), 3),
        needs=frozenset({Need.RUN}),
    ),
    ActionSpec(
        *("run.stop-all", N_("Stop all…"), N_("Stop every run of this window; you can resume them later")),
        *(Menu.RUN, 1),
        needs=frozenset({Need.SEVERAL_RUNS}),
    ),
    ActionSpec(
        *("run.resume", N_("Resu&me…"), N_("Resume the run that was stopped or interrupted"), Menu.RUN, 1, "resume"),
        needs=frozenset({Need.NO_RUN, Need.RESUMABLE}),
    ),
    ActionSpec(
        *("run.next-waiting", N_("Next run that waits"), N_("Show the next run that waits for you"), Menu.RUN, 2),
        icon="person",
        shortcuts=("Ctrl+Shift+F5",),
        needs=frozenset({Need.WAITING}),
    ),
    ActionSpec(
        *("run.breakpoints", N_("Breakpoints…"), N_("Show and change where runs of this file stop"), Menu.RUN, 2),
        icon="breakpoint",
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("run.follow", N_("&Follow the run"), N_("Keep the current step of the run in view"), Menu.RUN, 2, "follow"),
        shortcuts=("F7",),
        toolbar=3,
        is_switch=True,
    ),
    ActionSpec(
        *("run.notify", N_("&Notify me when it waits"), N_("Show a desktop notice when a run waits for you")),
        *(Menu.RUN, 2),
        is_switch=True,
    ),
    ActionSpec(
        *("run.record-only", N_("Audit &only (do not block)"), N_("Step lists: allow every call, record violations")),
        *(Menu.RUN, 2),
        is_switch=True,
    ),
    ActionSpec(
        *("run.back", N_("&Back one event"), N_("Show the run as it was one event earlier"), Menu.RUN, 5, "left"),
        shortcuts=("Ctrl+F7",),
        needs=frozenset({Need.RUN_KNOWN}),
    ),
    ActionSpec(
        *("run.forward", N_("Forward one event"), N_("Show the run as it was one event later"), Menu.RUN, 5, "right"),
        shortcuts=("Ctrl+F8",),
        needs=frozenset({Need.PAST}),
    ),
    ActionSpec(
        *("run.back-step", N_("Back one step"), N_("Show the run as it was when the step before began"), Menu.RUN, 5),
        icon="step-back",
        shortcuts=("Ctrl+Shift+F7",),
        needs=frozenset({Need.RUN_KNOWN}),
    ),
    ActionSpec(
        *("run.forward-step", N_("Forward one step"), N_("Show the run as it was when the next step began")),
        *(Menu.RUN, 5, "step-forward"),
        shortcuts=("Ctrl+Shift+F8",),
        needs=frozenset({Need.PAST}),
    ),
    ActionSpec(
        *("run.now", N_("Back to now"), N_("Show the run as it is now"), Menu.RUN, 5, "history", ("Shift+F7",)),
        needs=frozenset({Need.PAST}),
    ),
    ActionSpec(
        *("run.compare", N_("Compare wit&h…"), N_("Show how the run differs from another one of its file")),
        *(Menu.RUN, 6, "compare"),
        needs=frozenset({Need.RUN_KNOWN}),
    ),
    ActionSpec(
        *("run.fork", N_("Fork from here…"), N_("Go on from the moment that is shown, as a new run")),
        *(Menu.RUN, 6, "fork"),
        needs=frozenset({Need.NO_RUN, Need.RUN_KNOWN}),
    ),
    ActionSpec(
        *("run.save-test", N_("Save run as test"), N_("Keep the run beside its playbook, to be replayed on it later")),
        *(Menu.RUN, 6),
        needs=frozenset({Need.RUN_KNOWN}),
    ),
    ActionSpec(
        *("run.test", N_("Run the tests of this playbook"), N_("Replay the saved runs on the playbook as it is now")),
        *(Menu.RUN, 6),
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("run.judges", N_("Who &judges…"), N_("Choose who decides the steps that need judgement"), Menu.RUN, 4),
        icon="person",
        needs=_DOCUMENT,
    ),
    ActionSpec(
        *("run.context", N_("&What models were sent…"), N_("Show each request to a model word for word"), Menu.RUN, 4),
        needs=frozenset({Need.RUN_KNOWN}),
    ),
    ActionSpec("run.models", N_("Mode&ls…"), N_("Set up the models that can decide steps"), Menu.RUN, 4, "settings"),
    ActionSpec(
        *("run.spans", N_("Send sp&ans…"), N_("Send the spans of runs to a collector of OpenTelemetry"), Menu.RUN, 3),
    ),
    ActionSpec(
        *(
            "run.report",
            N_("Sa&ve report…"),
            N_("Save what the run of a procedure did and found"),
            Menu.RUN,
            3,
            "export",
        ),
        needs=frozenset({Need.REPORT}),
    ),
    ActionSpec(
        *("run.export-audit", N_("&Export audit…"), N_("Save who did what in the run, as an HTML page or JSON lines")),
        *(Menu.RUN, 3, "export"),
        needs=frozenset({Need.RUN_KNOWN}),
    ),
)

_HELP = (
    ActionSpec(
        *("help.here", N_("&Explain this"), N_("Explain what is selected, or has the keys"), Menu.HELP, 1, "help"),
        shortcuts=("F1",),
    ),
    ActionSpec(
        *("help.tell", N_("&Tell about this"), N_("Tell by a key what the pointer would be told"), Menu.HELP, 1),
        shortcuts=("Ctrl+I",),
    ),
    ActionSpec("help.contents", N_("&Guide"), N_("Show the chapters of the guide"), Menu.HELP, 1),
    ActionSpec("help.cheat-sheet", N_("&Cheat sheet"), N_("Show the language on one page"), Menu.HELP, 1),
    ActionSpec(
        *("help.shortcuts", N_("&Keyboard shortcuts"), N_("List all keyboard shortcuts"), Menu.HELP, 1, "keyboard"),
        shortcuts=("Ctrl+F1",),
    ),
    ActionSpec("help.welcome", N_("&Welcome page"), N_("Show the welcome page with samples"), Menu.HELP, 2),
    ActionSpec("help.whats-new", N_("What’s &new"), N_("Show what was added last"), Menu.HELP, 2),
    ActionSpec(
        *("help.report", N_("&Report a problem…"), N_("Copy the versions that a report needs"), Menu.HELP, 3),
    ),
    ActionSpec("help.about", N_("&About Playbook Workbench"), N_("Show version and licence"), Menu.HELP, 3, "info"),
)

_PANES = tuple(ActionSpec(f"pane.{pane.id}", pane.show, pane.show, Menu.NONE, icon=pane.icon) for pane in PANES)

ACTIONS: tuple[ActionSpec, ...] = (
    *_FILE,
    *VERSION_ACTIONS,
    *_EDIT,
    *SOURCE_ACTIONS,
    *STEP_ACTIONS,
    *STEP_OPERATIONS,
    *VIEW_ACTIONS,
    *GO_ACTIONS,
    *TAB_ACTIONS,
    *_RUN,
    *_HELP,
    *_PANES,
)
