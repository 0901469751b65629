"""Which boxes of tools a run has, and under which permissions: from its options, and from its project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from workbench.disk.files import is_folder, real_path
from workbench.engine.backends.modules import ModuleRules, ModuleTools
from workbench.engine.backends.registry import Registry
from workbench.engine.debugging.mocks import Mocking
from workbench.engine.options import RunOptions
from workbench.engine.permissions import limit_of_project, names_in, rules_of_project
from workbench.project_file import ProjectFile, project_file
from workbench.tools.builtin.rules import BuiltinRules
from workbench.tools.builtin.toolbox import BuiltinTools
from workbench.tools.permissions import Origin, Permissions
from workbench.tools.values import Toolbox

MODULES = "modules"


def project_folder(options: RunOptions) -> Path | None:
    """The folder of the file that is run; None where it is not saved."""
    folder = real_path(Path(options.path)).parent if options.path else None
    return folder if folder is not None and is_folder(folder) else None


def policy_for(options: RunOptions, project: ProjectFile) -> Permissions:
    """What the person has said, and what *project* makes stricter."""
    folder = project_folder(options)
    stricter = replace(options.policy, project=(*options.policy.project, *rules_of_project(project)), folder=folder)
    return stricter.limited_to(limit_of_project(project))


def registry_for(options: RunOptions, ledger: Path) -> Registry:
    """The tools of a run with *options* that do not stand in its file. *ledger*: of the Python of its project."""
    folder = project_folder(options)
    project = project_file(folder) if folder is not None else ProjectFile(Path())
    policy = policy_for(options, project)
    rules = BuiltinRules(folder, policy.environment, options.python_timeout_s, options.python_memory_mb)
    boxes: list[tuple[Origin, Toolbox]] = [(Origin.BUILT_IN, BuiltinTools(rules))]
    modules = names_in(project.tools, MODULES)
    if folder is not None and modules:
        limits = (options.python_timeout_s, options.python_memory_mb)
        boxes.append((Origin.PYTHON, ModuleTools(ModuleRules(folder, modules, ledger, *limits))))
    boxes += [(Origin.SERVER, box) for box in options.toolboxes]
    return Registry(boxes, policy, Mocking(options.mocks), is_trusted=options.is_trusted)
