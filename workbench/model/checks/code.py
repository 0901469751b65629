"""Findings about code in a document: Python fences, read by ``ast`` and never run, and the lines of compiled text."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from workbench.i18n import _
from workbench.model.checks.context import Context, error, note, replacement, warning
from workbench.model.meaning import StepKind
from workbench.model.program import Playbook, SectionKind, Step
from workbench.regex import regex
from workbench.syntax.assembly_lines import CODES, NUMBER, AssemblyLine, number_key, parent_number, parse_assembly_line
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.python_functions import is_playbook_decorator, python_tree
from workbench.syntax.text import LineIndex, Span, line_start

_DOLLAR = regex(r"\$(?=[A-Za-z_])")
_ELIDED = regex(r"^[ \t]*(?:\#[ \t]*)?(?:\.{3}|…)[ \t]*$", re.MULTILINE)
"""A line of dots: what its author leaves out of an illustration."""
_COMPILED_TRIGGER = regex(r"T\d+:[A-Z]{3} ")
_LOOSE = regex(r"(?P<number>\d+(?:\.\d+)*)\s*[:. ]\s*(?P<code>[A-Za-z]{3})\b")


def check_python(context: Context) -> Iterator[Diagnostic]:
    """All findings of this kind."""
    for index, block in context.special:
        if block.kind is BlockKind.FENCE and block.title in ("python", "py"):
            yield from _fence(context, block, index)


def _fence(context: Context, block: Block, index: int) -> Iterator[Diagnostic]:
    start = context.document.block_starts[index]
    if block.title == "py":
        if "@playbook" in block.text:
            at = start + block.text.index("py")
            message = _("Only fences marked python are read as code, so these functions cannot be called.")
            fix = replacement(_("Mark as python"), Span(at, at + 2), "python")
            yield warning("python-fence-py", message, _first_line(block, start), fix)
        return
    if not _is_program(context, block, index):
        return
    yield from _place(context, block, index)
    code = _Code.of(block, start)
    tree = python_tree(code.text)
    if tree is None:
        if not _ELIDED.search(code.text):
            yield _syntax(code, block, start)
        return
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and is_playbook_decorator(decorator):
                    yield from _decorator(context, code, decorator)


def _is_program(context: Context, block: Block, index: int) -> bool:
    """False for a fence that is an example among steps, or in a prompt."""
    placed = context.document.placed_at_block(index)
    is_prompt = placed is not None and dict(placed.playbook.metadata).get("execution_mode") in ("react", "raw")
    return "@playbook" in block.text or (context.document.roots[index] is None and not is_prompt)


def _place(context: Context, block: Block, index: int) -> Iterator[Diagnostic]:
    """Code below a playbook's heading, which other tools take for its description."""
    placed = context.document.placed_at_block(index)
    if placed is None or placed.playbook.is_implied or "@playbook" not in block.text:
        return
    if placed.playbook.heading is not None and any(one.kind is SectionKind.STEPS for one in placed.playbook.sections):
        message = _("Other tools read Python only directly below an agent's heading. Here it is read as well.")
        yield note("python-below-playbook", message, _first_line(block, context.document.block_starts[index]))


def _first_line(block: Block, start: int) -> Span:
    return Span(start, start + len(block.text.splitlines()[0].rstrip()))


@dataclass(frozen=True, slots=True)
class _Code:
    """The code of a fence, and where it starts in the document."""

    text: str
    start: int
    lines: LineIndex

    @classmethod
    def of(cls, block: Block, start: int) -> _Code:
        """The code between the fences of *block*."""
        lines = LineIndex.of(block.text)
        first = lines.starts[1] if len(lines.starts) > 1 else len(block.text)
        last = len(block.text.rstrip())
        end = max(first, line_start(block.text, last))
        return cls(block.text[first:end], start + first, LineIndex.of(block.text[first:end]))

    def span(self, node: ast.expr | ast.keyword) -> Span:
        """Where *node* stands in the document; ``ast`` counts bytes in its lines."""
        first = self._offset(node.lineno, node.col_offset)
        return Span(first, self._offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset))

    def _offset(self, line: int, column: int) -> int:
        begin = self.lines.offset(line - 1)
        end = self.lines.offset(line)
        line_bytes = self.text[begin:end].encode("utf-8", "surrogatepass")
        return self.start + begin + len(line_bytes[:column].decode("utf-8", "ignore"))


def _syntax(code: _Code, block: Block, start: int) -> Diagnostic:
    dollar = _DOLLAR.search(code.text)
    if dollar is not None:
        span = Span(code.start + dollar.start(), code.start + dollar.end())
        message = _("Python has no $ sign: read state as self.state.name, and parameters by their names.")
        return error("python-dollar", message, span, replacement(_("Remove the dollar sign"), span, ""))
    message = _("This code cannot be read as Python, so none of its functions can be called.")
    line = _error_line(code.text)
    if line is None:
        return error("python-syntax", message, _first_line(block, start))
    begin, end = code.lines.offset(line), code.lines.offset(line + 1)
    text = code.text[begin:end]
    lead = len(text) - len(text.lstrip())
    span = Span(code.start + begin + lead, code.start + begin + max(len(text.rstrip()), lead))
    return error("python-syntax", message, span)


def _error_line(text: str) -> int | None:
    """The 0-based line where Python stops reading, or None where it cannot say."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as problem:
        return problem.lineno - 1 if problem.lineno else None
    except (ValueError, MemoryError, RecursionError):
        return None
    return None


def _decorator(context: Context, code: _Code, call: ast.Call) -> Iterator[Diagnostic]:
    if call.args:
        span = code.span(call.args[0])
        message = _("Values without a name are ignored here. Give triggers as triggers=[…].")
        fix = replacement(_("Add triggers="), Span(span.start, span.start), "triggers=")
        yield warning("python-unnamed-triggers", message, span, fix)
    for keyword in call.keywords:
        if keyword.arg == "triggers":
            yield from _triggers(context, code, keyword)
        elif keyword.arg == "metadata" and isinstance(keyword.value, ast.Dict):
            yield _nested_metadata(context, code, keyword, keyword.value)


def _triggers(context: Context, code: _Code, keyword: ast.keyword) -> Iterator[Diagnostic]:
    value = keyword.value
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        span = code.span(value)
        message = _("Triggers must be a list. Other tools read a single text letter by letter. Put it in brackets.")
        fix = replacement(_("Put it in brackets"), span, f"[{span.of(context.document.text)}]")
        yield error("python-triggers-text", message, span, fix)
    elif isinstance(value, ast.List) and context.is_assembly:
        for item in value.elts:
            written = item.value if isinstance(item, ast.Constant) else None
            if isinstance(written, str) and not _COMPILED_TRIGGER.match(written):
                message = _("In assembly, a trigger starts with its number and code: T1:CND, then a space.")
                yield error("python-trigger-code", message, code.span(item))


def _nested_metadata(context: Context, code: _Code, keyword: ast.keyword, value: ast.Dict) -> Diagnostic:
    span = code.span(keyword)
    message = _("Entries inside metadata={…} have no effect, including public. Write each entry as an argument.")
    names = [key.value for key in value.keys if isinstance(key, ast.Constant)]
    keys = [name for name in names if isinstance(name, str) and name.isidentifier()]
    if len(keys) < len(value.keys):
        return warning("python-nested-metadata", message, span)
    text = context.document.text
    pairs = [f"{key}={code.span(one).of(text)}" for key, one in zip(keys, value.values, strict=True)]
    fix = replacement(_("Write the entries as arguments"), span, ", ".join(pairs))
    return warning("python-nested-metadata", message, span, fix)


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
