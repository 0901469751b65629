"""The table of the panes around the document: what each is called, where it stands, and the panel in it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt

from workbench.i18n import N_, LazyText

_LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


@dataclass(frozen=True, slots=True)
class PaneSpec:
    """One pane. Panes with the same *stack* share their place as tabs, the first of them in front.

    *show*: the command that brings it forward; it has the id ``pane.<id>``. *panel*: module and class below
    ``workbench.gui``. They are named, not imported: a panel that stands behind another one is loaded when somebody
    wants to see it, and all of them together take as long to load as a seventh of the whole start.
    """

    id: str
    title: LazyText
    show: LazyText
    icon: str
    area: Qt.DockWidgetArea
    stack: str
    panel: str


PANES: tuple[PaneSpec, ...] = (
    PaneSpec(
        *("outline", N_("Outline"), N_("Show outline"), "outline", _LEFT, "tree"), "outline.outline_panel:OutlinePanel"
    ),
    PaneSpec(
        *("project", N_("Project"), N_("Show project"), "project", _LEFT, "tree"), "files.project_panel:ProjectPanel"
    ),
    PaneSpec(
        *("patterns", N_("Patterns"), N_("Show patterns"), "pattern", _LEFT, "tree"),
        "patterns.patterns_panel:PatternsPanel",
    ),
    PaneSpec(
        *("palette", N_("Palette"), N_("Show palette"), "plus", _LEFT, "palette"), "canvas.palette_panel:PalettePanel"
    ),
    PaneSpec(
        *("inspector", N_("Inspector"), N_("Show inspector"), "inspector", _RIGHT, "inspector"),
        "inspector.inspector_panel:InspectorPanel",
    ),
    PaneSpec(
        *("assembly", N_("Assembly"), N_("Show assembly"), "assembly", _RIGHT, "inspector"),
        "assembly.assembly_panel:AssemblyPanel",
    ),
    PaneSpec(*("goal", N_("Goal"), N_("Show goal"), "goal", _RIGHT, "inspector"), "planning.goal_panel:GoalPanel"),
    PaneSpec(*("help", N_("Help"), N_("Show help"), "help", _RIGHT, "inspector"), "help.help_panel:HelpPanel"),
    PaneSpec(*("run", N_("Run"), N_("Show run"), "chat", _BOTTOM, "bottom"), "runs.run_panel:RunPanel"),
    PaneSpec(
        *("timeline", N_("Timeline"), N_("Show timeline"), "timeline", _BOTTOM, "bottom"),
        "timeline.timeline_panel:TimelinePanel",
    ),
    PaneSpec(
        *("variables", N_("Variables"), N_("Show variables"), "variables", _BOTTOM, "bottom"),
        "variables.variables_panel:VariablesPanel",
    ),
    PaneSpec(*("plan", N_("Plan"), N_("Show plan"), "shield", _BOTTOM, "bottom"), "plan.plan_panel:PlanPanel"),
    PaneSpec(*("tools", N_("Tools"), N_("Show tools"), "tool", _BOTTOM, "bottom"), "tools.tools_panel:ToolsPanel"),
    PaneSpec(*("shelf", N_("Shelf"), N_("Show shelf"), "shelf", _BOTTOM, "bottom"), "shelf.shelf_panel:ShelfPanel"),
    PaneSpec(
        *("search", N_("Search"), N_("Show search"), "search", _BOTTOM, "bottom"), "search.search_panel:SearchPanel"
    ),
    PaneSpec(
        *("problems", N_("Problems"), N_("Show problems"), "problems", _BOTTOM, "bottom"),
        "problems.problems_panel:ProblemsPanel",
    ),
)
