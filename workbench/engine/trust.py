"""Under which name the decision to let a file's Python run is kept."""

from __future__ import annotations

from workbench.model.program import Program
from workbench.settings import content_digest


def python_digest(program: Program) -> str:
    """A name for all the Python of *program*, other for every change of it; empty where there is none."""
    fences = [code for agent in program.agents for code in agent.python]
    return content_digest("\0".join(fences).encode("utf-8", "surrogatepass")) if fences else ""
