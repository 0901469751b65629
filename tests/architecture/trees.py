"""The sources of the program, taken apart once for all tests that look into them."""

from __future__ import annotations

import ast
import gc
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "workbench"


@cache
def trees() -> dict[Path, ast.Module]:
    """Each file of the program: to read all of them takes long."""
    gc.disable()  # all of it is kept, and would be gone through again and again
    try:
        return {path: ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
    finally:
        gc.freeze()
        gc.enable()
