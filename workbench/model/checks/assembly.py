"""Findings about compiled text: numbers, codes and jumps of its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from workbench.i18n import _
from workbench.model.checks.context import Context, error, replacement, warning
from workbench.model.meaning import StepKind
from workbench.model.program import Playbook, Step
from workbench.regex import regex
from workbench.syntax.assembly_lines import CODES, NUMBER, AssemblyLine, number_key, parent_number, parse_assembly_line
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.text import Span

_LOOSE = regex(r"(?P<number>\d+(?:\.\d+)*)\s*[:. ]\s*(?P<code>[A-Za-z]{3})\b")


def check_assembly(context: Context) -> Iterator[Diagnostic]:
    """All findings of this kind."""
    if context.is_assembly:
        for playbook in context.program.playbooks:
            yield from _Lines(context, playbook).check()


class _Lines:
    """The lines of one playbook."""

    def __init__(self, context: Context, playbook: Playbook) -> None:
        self._context = context
        self._steps = [
            (step, above)
            for root in playbook.steps
            if root.kind is not StepKind.RAW
            for step, above in _with_parents(root, None)
        ]
        self._read = {step.id: parse_assembly_line(step.text) for step, _above in self._steps}
        self._numbers = {number_key(line.number) for line in self._read.values() if line}

    def check(self) -> Iterator[Diagnostic]:
        """The findings."""
        seen: set[tuple[int, ...]] = set()
        for step, above in self._steps:
            line = self._read[step.id]
            if line is None:
                yield self._damaged(step)
                continue
            yield from self._line(step, line)
            yield from self._number(step, line, above)
            key = number_key(line.number)
            if key in seen:
                message = _(
                    "There is already a line {number}. Other tools keep only the last line with the same number."
                )
                span = self._context.words(step, line.number)
                yield error("assembly-number-twice", message.format(number=line.number), span)
            seen.add(key)

    def _damaged(self, step: Step) -> Diagnostic:
        message = _("This is not a line of assembly such as 02:EXE …. Other tools drop it and everything below it.")
        span = self._context.head(step)
        loose = _LOOSE.match(step.text)
        if loose is None or loose["code"].upper() not in CODES:
            return error("assembly-line", message, span)
        wanted = f"{loose['number']}:{loose['code'].upper()}"
        where = Span(span.start, span.start + loose.end())
        return error(
            "assembly-line", message, span, replacement(_("Change to {line}").format(line=wanted), where, wanted)
        )

    def _line(self, step: Step, line: AssemblyLine) -> Iterator[Diagnostic]:
        if line.code not in CODES:
            span = self._context.words(step, line.code)
            near = get_close_matches(line.code, sorted(CODES), 1, 0.5)
            message = _("{code} is not an assembly code. A person or model must decide this line.")
            fixes = (replacement(_("Change to {code}").format(code=near[0]), span, near[0]),) if near else ()
            yield warning("assembly-code", message.format(code=line.code), span, *fixes)
        if line.code == "JMP":
            target = line.content.split()[0] if line.content else ""
            if not re.fullmatch(NUMBER, target) or number_key(target) not in self._numbers:
                message = _("There is no line {number} to jump to.").format(number=target or "…")
                yield error("assembly-jump", message, self._context.head(step))

    def _number(self, step: Step, line: AssemblyLine, above: Step | None) -> Iterator[Diagnostic]:
        parent = self._read[above.id] if above is not None else None
        wanted = number_key(parent.number) if parent else ()
        written = parent_number(line.number)
        if (above is None or parent is not None) and (number_key(written) if written else ()) != wanted:
            message = _("This number does not belong here: the line is below {above}.")
            text = message.format(above=parent.number if parent else _("no other line"))
            yield warning("assembly-number-place", text, self._context.words(step, line.number))


def _with_parents(step: Step, above: Step | None) -> Iterator[tuple[Step, Step | None]]:
    yield step, above
    for child in step.children:
        yield from _with_parents(child, step)
