"""What a person allows who lets the Python of a playbook run, and under which name the decision is kept."""

from __future__ import annotations

import difflib
from pathlib import Path

from workbench.disk.atomic import make_folder, replace_private_file
from workbench.disk.files import is_there, read_file
from workbench.model.meaning import StepKind, kind_of, parts_of
from workbench.model.program import Program, Step
from workbench.settings import content_digest

# what these say reaches no function
_SAID_ONLY = frozenset({StepKind.TELL, StepKind.NOTE, StepKind.END})


def allowed_text(program: Program) -> str:
    """What is allowed to run: all Python of *program*, and the steps that decide what it is called with.

    The same functions do something else when other steps call them, so both belong to the decision.
    Empty where there is no Python.
    """
    fences = [code.strip("\n") for agent in program.agents for code in agent.python]
    if not fences:
        return ""
    lines = []
    for playbook in program.playbooks:
        lines.append(f"\n{playbook.name}({', '.join(each.name for each in playbook.parameters)})")
        steps = (step for section in playbook.sections for root in section.steps for step in root.walk())
        lines += [f"- {step.text}" for step in steps if not _is_said_only(step)]
    return "\n\n".join(fences) + "\n" + "\n".join(lines) + "\n"


def _is_said_only(step: Step) -> bool:
    return all(kind_of(part) in _SAID_ONLY for part in parts_of(step.meaning))


def python_digest(program: Program) -> str:
    """A name for that, other for every change of it; empty where there is no Python."""
    text = allowed_text(program)
    return content_digest(text.encode("utf-8", "surrogatepass")) if text else ""


def keep_allowed(folder: Path, file: Path, text: str) -> None:
    """Keep *text*, which was allowed for *file*, in *folder*: a later question shows what has changed since."""
    make_folder(folder)
    replace_private_file(_kept_in(folder, file), text.encode("utf-8", "surrogatepass"))


def changed_since(folder: Path, file: Path, text: str) -> str:
    """How *text* differs from what was last allowed for *file*, as a diff; empty where nothing was."""
    kept = _kept_in(folder, file)
    if not is_there(kept):
        return ""
    before = read_file(kept).decode("utf-8", "surrogatepass")
    lines = difflib.unified_diff(before.splitlines(), text.splitlines(), "allowed", "now", lineterm="")
    return "\n".join(lines)


def _kept_in(folder: Path, file: Path) -> Path:
    return folder / f"{content_digest(str(file).encode('utf-8', 'surrogatepass'))[:32]}.txt"
