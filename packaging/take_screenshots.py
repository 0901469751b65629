"""Take every picture in ``packaging/screenshots``: each view, light and dark."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "packaging" / "screenshots"
SAMPLE = ROOT / "playbooks" / "incident-triage.md"
VIEWS = ("window", "canvas", "source", "timeline", "patterns")
THEMES = ("light", "dark")


def take(view: str, theme: str) -> int:
    """The exit code of taking one picture."""
    picture = PICTURES / f"{view}-{theme}.png"
    options = ["-o", str(picture), "--view", view, "--theme", theme, "--size", "1600x1000"]
    command = [sys.executable, "-m", "workbench", "screenshot", str(SAMPLE), *options]
    code = subprocess.run(command, check=False, cwd=ROOT).returncode
    print(f"{picture.relative_to(ROOT)}: {'taken' if code == 0 else f'failed with {code}'}", flush=True)
    return code


def main() -> int:
    """0 when every picture was taken."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    return max(take(view, theme) for view in VIEWS for theme in THEMES)


if __name__ == "__main__":
    sys.exit(main())
