"""Who may import whom: the rules hold, and each of them can fail."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.conftest import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "workbench"

ORDER = "The parts of the flowchart stand in one order"

# one violation per rule: the name of the rule, the file it is planted in, the line
VIOLATIONS = [
    ("A lower layer never imports a higher one", "syntax/text.py", "import workbench.model.meaning"),
    ("A lower layer never imports a higher one", "errors.py", "import workbench.i18n"),
    ("A lower layer never imports a higher one", "editing/commands.py", "import workbench.engine.journal.events"),
    ("A lower layer never imports a higher one", "library/__init__.py", "import workbench.editing.commands"),
    ("A lower layer never imports a higher one", "cli/check.py", "import workbench.gui.look.theming"),
    ("A lower layer never imports a higher one", "settings.py", "import workbench.logs"),
    ("A lower layer never imports a higher one", "disk/atomic.py", "import workbench.settings"),
    ("What makes the next snapshot has one door", "editing/undoable.py", "import workbench.model.incremental.draft"),
    ("Only the window knows Qt", "model/program.py", "import PySide6.QtCore"),
    ("Only the window knows Qt", "cli/graph.py", "import shiboken6"),
    ("Only the window knows Qt", "disk/lock.py", "import PySide6.QtCore"),
    ("Only the window knows Qt", "__main__.py", "from PySide6 import QtWidgets"),
    ("A pane knows only what lies below the panes", "gui/look/theming.py", "import workbench.gui.control.selection"),
    ("A pane knows only what lies below the panes", "gui/control/context.py", "import workbench.gui.fixes.fix_preview"),
    ("A pane knows only what lies below the panes", "gui/inspector/step_rows.py", "import workbench.gui.runs.cards"),
    ("A pane knows only what lies below the panes", "gui/plan/plan_panel.py", "import workbench.gui.shell.menus"),
    ("A pane knows only what lies below the panes", "gui/lost.py", "import workbench.errors"),
    (ORDER, "gui/canvas/gestures/hover.py", "import workbench.gui.canvas.writing.writing"),
    (ORDER, "gui/canvas/steps/verbs.py", "import workbench.gui.canvas.gestures.drops"),
    (ORDER, "gui/canvas/painting/overlay.py", "import workbench.gui.canvas.view.camera"),
    (ORDER, "gui/canvas/palette_panel.py", "import workbench.gui.canvas.canvas_panel"),
    (ORDER, "gui/canvas/stray.py", "import workbench.errors"),
    ("What the flowchart shows is known without Qt", "gui/canvas/content/links.py", "import PySide6.QtGui"),
    ("Panels do not know each other", "gui/timeline/timeline_panel.py", "import workbench.gui.runs.run_panel"),
    ("Panels do not know each other", "gui/outline/outline_panel.py", "import workbench.gui.canvas.canvas_panel"),
    ("No package is part of a circle", "i18n.py", "import workbench.model.program"),
]
# how the linter tells what it does not name by the two modules
TOLD = {
    "gui/lost.py": "- workbench.gui.lost\n",
    "gui/canvas/stray.py": "- workbench.gui.canvas.stray\n",
    "i18n.py": ".i18n -> .model ",
}


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """The linter's verdict over the package in *folder*."""
    program = shutil.which("lint-imports", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    assert program is not None
    command = [program, "--no-cache", "--no-logo"]
    environment = {**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "200"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the linter tells of a copy of the package with all violations in it, by the name of the rule."""
    folder = tmp_path_factory.mktemp("planted")
    shutil.copytree(PACKAGE, folder / "workbench", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    for _rule, file, line in VIOLATIONS:
        with (folder / "workbench" / file).open("a", encoding="utf-8") as planted:
            planted.write(f"\n{line}\n")
    verdict = lint(folder)
    assert verdict.returncode == 1, verdict.stdout
    parts = re.split(r"^(.+)\n-{5,}\n", verdict.stdout, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def told(file: str, line: str) -> str:
    """How the linter names the import in *line* of *file*."""
    importer = ".".join(("workbench", *Path(file).with_suffix("").parts)).removesuffix(".__init__")
    imported = line.split()[1]
    return TOLD.get(file, f"{importer} -> {imported if imported.startswith('workbench') else imported.split('.')[0]} ")


def test_the_rules_hold() -> None:
    verdict = lint(ROOT)
    assert verdict.returncode == 0, verdict.stdout


@pytest.mark.parametrize(("rule", "file", "line"), VIOLATIONS, ids=lambda value: str(value).split()[0])
def test_a_planted_violation_is_found(broken: dict[str, str], rule: str, file: str, line: str) -> None:
    assert told(file, line) in broken[rule]


def test_every_panel_is_under_the_rule_for_panels() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    modules = next(contract["modules"] for contract in contracts if contract["id"] == "panels")
    panels = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in PACKAGE.rglob("*_panel.py")]
    assert sorted(modules) == sorted(panels)


def test_every_pane_of_the_window_is_under_the_rules() -> None:
    rules = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    held_apart = next(each["modules"] for each in rules["contracts"] if each["id"] == "panels")
    panels = re.findall(r'"([\w.]+):\w+Panel"', (PACKAGE / "gui/control/pane_table.py").read_text(encoding="utf-8"))
    assert len(panels) > 10
    assert {f"workbench.gui.{module}" for module in panels} <= set(held_apart)


def test_only_the_codec_of_the_journal_looks_into_the_body_of_an_event() -> None:
    looking = [path for path in sorted(PACKAGE.rglob("*.py")) if "body[" in path.read_text(encoding="utf-8")]
    assert looking == [PACKAGE / "engine/journal/codec.py"]
