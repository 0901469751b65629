"""What every check needs: where headings and steps stand, without asking the document again and again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from workbench.model.program import Program, SectionKind, Step
from workbench.model.queries import Queries
from workbench.syntax.assembly_lines import parse_assembly_line
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.change import TextEdit
from workbench.syntax.diagnostics import Diagnostic, Fix, Severity
from workbench.syntax.lines import title_span
from workbench.syntax.text import Span, split_lines


@dataclass(frozen=True, slots=True)
class Context:
    """A document under check.

    *special*: the blocks that are neither a plain step nor blank, with their indices.
    *headings*: id of each heading's block → its index. *is_language*: it uses the headings of
    the language, so that what other tools of the language do with it matters. *is_assembly*:
    its steps are lines of assembly.
    """

    document: Queries
    special: tuple[tuple[int, Block], ...]
    headings: Mapping[int, int]
    is_language: bool
    is_assembly: bool

    @classmethod
    def of(cls, document: Queries) -> Context:
        """The context of *document*."""
        special = [
            (at, block)
            for at, block in enumerate(document.blocks)
            if block.problems or (block.kind is not BlockKind.ITEM and block.kind is not BlockKind.BLANK)
        ]
        headings = {id(block): at for at, block in special if block.kind is BlockKind.HEADING}
        return cls(document, tuple(special), headings, _is_language(document.program), _is_assembly(document.program))

    @property
    def program(self) -> Program:
        """What the document means."""
        return self.document.program

    def start_of(self, block: Block) -> int:
        """Where the heading *block* starts."""
        return self.document.block_starts[self.headings[id(block)]]

    def heading_span(self, block: Block) -> Span:
        """The line of the heading *block*."""
        return line_span(block, self.start_of(block))

    def title_start(self, heading: Block) -> int | None:
        """Where the title of *heading* stands; None where a comment splits it."""
        inner = title_span(heading)
        return inner.start + self.start_of(heading) if inner is not None else None

    def prose_below(self, heading: Block) -> Iterator[tuple[int, str]]:
        """Each line of what stands directly below *heading*, lists included, with its offset; fences left out."""
        document = self.document
        for index in range(self.headings[id(heading)] + 1, len(document.blocks)):
            block = document.blocks[index]
            if block.kind is BlockKind.HEADING and block.level <= 3:
                return
            at = document.block_starts[index]
            for line in split_lines(block.text) if block.kind is not BlockKind.FENCE else ():
                yield at, line
                at += len(line)

    def key_span(self, heading: Block | None, key: str) -> Span:
        """Where the metadata line of *key* stands below *heading*; the heading where it cannot be found."""
        if heading is None:
            return Span(0, len(split_lines(self.document.text)[0].rstrip()) if self.document.text else 0)
        wanted = re.compile(rf"[ \t]*(?:metadata:[ \t]*\{{.*?)?[\"']?{re.escape(key)}[\"']?[ \t]*:")
        for at, line in self.prose_below(heading):
            if wanted.match(line):
                lead = len(line) - len(line.lstrip())
                return Span(at + lead, at + len(line.rstrip()))
        return self.heading_span(heading)

    def value_span(self, heading: Block, key: str, word: str) -> Span:
        """Where *word* stands in the value of *key* below *heading*; the line of the key where it cannot be found."""
        line = self.key_span(heading, key)
        for at, text in self.prose_below(heading):
            found = text.find(word, max(0, line.start + len(key) - at)) if at + len(text) > line.start else -1
            if found >= 0:
                return Span(at + found, at + found + len(word))
        return line

    def start_of_step(self, step: Step) -> int:
        """Where the block starts that *step* stands in."""
        return self.document.block_starts[self.document.where[step.id]]

    def head(self, step: Step) -> Span:
        """The words on the first line of *step*."""
        inner = step.item.head if step.item else Span(0, len(step.block.text.rstrip()))
        return inner.shifted(self.start_of_step(step))

    def words(self, step: Step, words: str) -> Span:
        """Where *words* stand in the text of *step*; its first line where they do not stand literally."""
        at = _place_in(step, words)
        if at < 0:
            return self.head(step)
        start = self.start_of_step(step) + at
        return Span(start, start + len(words))


@lru_cache(maxsize=16_384)
def _place_in(step: Step, words: str) -> int:
    """Where *words* stand in the block of *step*, within its text, or -1."""
    inner = step.item.text if step.item else Span(0, len(step.block.text))
    at = _find(inner.of(step.block.text), words)
    return inner.start + at if at >= 0 else -1


def _find(text: str, words: str) -> int:
    """Where *words* stand in *text* as whole words, or -1."""
    at = text.find(words)
    while at >= 0:
        end = at + len(words)
        if not (text[end : end + 1].isalnum() or text[end : end + 1] == "_") and (
            at == 0 or not words[0].isalnum() or not (text[at - 1].isalnum() or text[at - 1] in "_$")
        ):
            return at
        at = text.find(words, at + 1)
    return text.find(words)


def _is_language(program: Program) -> bool:
    return any(
        section.heading is not None and section.kind is not SectionKind.OTHER
        for playbook in program.playbooks
        for section in playbook.sections
    )


def _is_assembly(program: Program) -> bool:
    """True when the first step there is is a line of assembly."""
    for playbook in program.playbooks:
        for step in playbook.steps:
            return parse_assembly_line(step.text) is not None
    return False


def line_span(block: Block, start: int) -> Span:
    """*block*, which begins at *start*, without what is blank at its end."""
    return Span(start, start + len(block.text.rstrip()))


def error(code: str, message: str, span: Span, *fixes: Fix) -> Diagnostic:
    """What keeps a playbook from running as written."""
    return Diagnostic(code, Severity.ERROR, message, span, fixes)


def warning(code: str, message: str, span: Span, *fixes: Fix) -> Diagnostic:
    """What probably is not meant."""
    return Diagnostic(code, Severity.WARNING, message, span, fixes)


def note(code: str, message: str, span: Span, *fixes: Fix) -> Diagnostic:
    """What is worth knowing."""
    return Diagnostic(code, Severity.INFO, message, span, fixes)


def replacement(title: str, span: Span, insert: str) -> Fix:
    """A fix that writes *insert* in place of *span*, to be looked at before it is made."""
    return Fix(title, (TextEdit(span, insert),))


def safe_replacement(title: str, span: Span, insert: str) -> Fix:
    """A fix that writes *insert* in place of *span*, and after which everything means the same."""
    return Fix(title, (TextEdit(span, insert),), is_safe=True)


def in_order(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """*found* in the order of the text, the same every time."""
    return tuple(sorted(found, key=lambda each: (each.span.start, each.span.end, each.code, each.message)))
