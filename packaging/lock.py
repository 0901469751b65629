"""Write ``requirements.lock``: everything the program, its tests and its checks need, with hashes.

Needs pip-tools. No registry's address goes into the file: where packages come from is the
business of whoever installs them.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
OPTIONS = (
    "--generate-hashes --strip-extras --allow-unsafe --no-header --quiet --annotation-style line "
    "--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options"
).split()


def wanted() -> list[str]:
    """The requirements of the program and of its development."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]


def main() -> int:
    """The exit code of pip-compile."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "wanted.in")
        source.write_text("\n".join(wanted()) + "\n", encoding="utf-8")
        command = [sys.executable, "-m", "piptools", "compile", *OPTIONS, "--output-file", str(LOCK), str(source)]
        code = subprocess.run(command, check=False, cwd=ROOT).returncode
    text = LOCK.read_text(encoding="utf-8").replace(str(source), "pyproject.toml")
    head = "# Made by packaging/lock.py from pyproject.toml; install with pip --require-hashes.\n"
    LOCK.write_text(head + text, encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())
