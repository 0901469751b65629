"""What every pane of one window shares."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject

from workbench.disk.places import Places
from workbench.gui.control.actions import ActionRegistry
from workbench.gui.control.diagnosis import Diagnosis
from workbench.gui.control.document_controller import DocumentController
from workbench.gui.control.notices import Notices
from workbench.gui.control.pattern_recorder import PatternRecorder
from workbench.gui.control.running.run_controller import RunController
from workbench.gui.control.running.run_host import RunHost
from workbench.gui.control.selection import SelectionController
from workbench.gui.control.settings_controller import SettingsController
from workbench.gui.look.theming import ThemeChoice, ThemeController


@dataclass(frozen=True, slots=True)
class WindowContext:
    """The controllers of one window. Panes know these, and never each other."""

    documents: DocumentController
    diagnosis: Diagnosis
    selection: SelectionController
    runs: RunController
    theme: ThemeController
    settings: SettingsController
    places: Places
    actions: ActionRegistry
    notices: Notices
    recorder: PatternRecorder


def window_context(places: Places, parent: QObject | None = None) -> WindowContext:
    """A fresh set of controllers that keep their files in *places*; *parent* owns them."""
    settings = SettingsController(places, parent)
    kept = settings.current
    theme = ThemeController(ThemeChoice(kept.theme), parent, scale=kept.text_scale)
    notices = Notices(parent)
    documents = DocumentController(places.edits_dir, parent)
    runs = RunController(documents, settings, RunHost(places), parent)
    return WindowContext(
        documents=documents,
        diagnosis=Diagnosis(documents, parent),
        selection=SelectionController(parent),
        runs=runs,
        theme=theme,
        settings=settings,
        places=places,
        actions=ActionRegistry(notices, parent),
        notices=notices,
        recorder=PatternRecorder(runs, notices, places.patterns_file, parent),
    )
