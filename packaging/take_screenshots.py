"""Take every picture in ``packaging/screenshots``: each view, light and dark, and the window at twice the density."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "packaging" / "screenshots"
THEMES = ("light", "dark")
# each view with the sample that has the most to show in it
SAMPLES = {
    "window": "disk-full.md",
    "canvas": "incident-triage.md",
    "source": "order-status.md",
    "timeline": "incident-triage.md",
    "patterns": "order-status.md",
}


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture to take."""

    view: str
    theme: str
    scale: int = 1

    @property
    def path(self) -> Path:
        """Where it is written."""
        density = "" if self.scale == 1 else f"-{self.scale}x"
        return PICTURES / f"{self.view}-{self.theme}{density}.png"


def pictures() -> tuple[Picture, ...]:
    """All that are taken."""
    usual = [Picture(view, theme) for view in SAMPLES for theme in THEMES]
    return (*usual, *(Picture("window", theme, scale=2) for theme in THEMES))


def take(picture: Picture) -> int:
    """The exit code of taking one picture."""
    sample = ROOT / "playbooks" / SAMPLES[picture.view]
    options = ["-o", str(picture.path), "--view", picture.view, "--theme", picture.theme]
    options += ["--scale", str(picture.scale), "--size", "1600x1000", "--trust"]
    command = [sys.executable, "-m", "workbench", "screenshot", str(sample), *options]
    code = subprocess.run(command, check=False, cwd=ROOT).returncode
    print(f"{picture.path.relative_to(ROOT)}: {'taken' if code == 0 else f'failed with {code}'}", flush=True)
    return code


def main() -> int:
    """0 when every picture was taken."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    return max(take(picture) for picture in pictures())


if __name__ == "__main__":
    sys.exit(main())
