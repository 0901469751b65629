"""The panels that stand behind others at the start: each loads what it needs only when it is made."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.gui.control.context import WindowContext

# ruff: noqa: PLC0415 - together they take as long to load as a seventh of the whole start


def project_panel(context: WindowContext, parent: QWidget) -> QWidget:
    """The tree of the open folder."""
    from workbench.gui.files.project_panel import ProjectPanel

    return ProjectPanel(context, parent)


def patterns_panel(context: WindowContext, parent: QWidget) -> QWidget:
    """The library of patterns."""
    from workbench.gui.patterns.patterns_panel import PatternsPanel

    return PatternsPanel(context, parent)


def assembly_panel(context: WindowContext, parent: QWidget) -> QWidget:
    """What the document compiles to."""
    from workbench.gui.assembly.assembly_panel import AssemblyPanel

    return AssemblyPanel(context, parent)


def timeline_panel(context: WindowContext, parent: QWidget) -> QWidget:
    """What a run did, and when."""
    from workbench.gui.timeline.timeline_panel import TimelinePanel

    return TimelinePanel(context, parent)


def variables_panel(context: WindowContext, parent: QWidget) -> QWidget:
    """What the variables of a run are."""
    from workbench.gui.variables.variables_panel import VariablesPanel

    return VariablesPanel(context, parent)


def plan_panel(context: WindowContext, parent: QWidget) -> QWidget:
    """How the run of a step list keeps to its plan."""
    from workbench.gui.plan.plan_panel import PlanPanel

    return PlanPanel(context, parent)


def problems_panel(context: WindowContext, parent: QWidget) -> QWidget:
    """What is doubtful in the document."""
    from workbench.gui.problems.problems_panel import ProblemsPanel

    return ProblemsPanel(context, parent)
