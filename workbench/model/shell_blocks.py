"""The commands under a step: what stands there in a fence of a shell."""

from __future__ import annotations

from workbench.model.meaning import Branch, Judge, Raw
from workbench.model.program import Program, Step
from workbench.regex import regex

_OPENING = regex(r"(?P<margin>[ \t]*)(?P<mark>`{3,}|~{3,})[ \t]*(?P<language>\w*)")
_LANGUAGES = frozenset({"sh", "bash", "shell", "console"})
_PROMPT = "$ "


def shell_blocks(step: Step) -> tuple[str, ...]:
    """The text of each fence of a shell under *step*, without its margin; of a session only what was typed."""
    return tuple(filter(None, map(command_in, step.details)))


def has_shell_blocks(program: Program) -> bool:
    """Whether a step of *program* that is judged has some."""
    steps = (step for playbook in program.playbooks for each in playbook.steps for step in each.walk())
    return any(_is_judged(step) and shell_blocks(step) for step in steps) or any(
        "```" in step.text or "~~~" in step.text
        for playbook in program.playbooks
        if playbook.is_chapter and playbook.is_carried_out
        for each in playbook.steps
        for step in each.walk()
        if isinstance(step.meaning, Raw)
    )


def _is_judged(step: Step) -> bool:
    return isinstance(step.meaning, Judge | Branch)


def command_in(detail: str) -> str:
    """What a shell can run of the fence *detail*, of a session what was typed; empty where it is none of a shell."""
    first, *lines = detail.splitlines()
    opening = _OPENING.match(first)
    if opening is None or opening["language"].lower() not in _LANGUAGES:
        return ""
    if lines and lines[-1].strip().startswith(opening["mark"]):
        lines.pop()
    margin = len(opening["margin"])
    lines = [line[min(margin, len(line) - len(line.lstrip(" \t"))) :] for line in lines]
    typed = [line.removeprefix(_PROMPT) for line in lines if line.startswith(_PROMPT)]
    return "\n".join(typed or lines).strip()
