"""The ways from a text to what it means, all with one signature: markdown, step lists, and what is neither.

Which one a text takes is decided by its content alone (``deriver_of``), again at every
change: whoever types the first ``steps:`` into an empty file has a step list from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from workbench.model.checks.families import check_markdown
from workbench.model.format import TextFormat, detect_format, why_foreign
from workbench.model.markdown.structure import assemble_markdown
from workbench.model.program import Program, Step, StepId, Structure
from workbench.model.queries import Queries
from workbench.model.sentences.resolving import Callables
from workbench.model.steplists.checks import check_steplist
from workbench.model.steplists.program import assemble_steplist
from workbench.syntax.blocks import Block
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.scan import scan
from workbench.syntax.steplists.scan import scan_steplist


class Deriver(Protocol):
    """One way from a text to what it means: text → blocks → structure → findings.

    Two derivers that are equal give the same for the same text; so steps that one lowered
    may be used again by the other.
    """

    @property
    def form(self) -> TextFormat:
        """The format of the texts that go this way."""

    def scan(self, text: str) -> tuple[Block, ...]:
        """The blocks of *text*, which cover it exactly."""

    def assemble(
        self,
        blocks: Sequence[Block],
        ids: Sequence[tuple[StepId, ...]],
        known: Sequence[Step | None],
        callables: Callables,
    ) -> Structure:
        """What *blocks* mean, whose steps have *ids* (per block, in the order of ``ItemNode.walk``).

        *known*: per block the step that an equal deriver lowered from it with *callables* and
        these ids, or None; all None gives the same, only later.
        """

    def check(self, document: Queries) -> tuple[Diagnostic, ...]:
        """What is doubtful or wrong in *document*, in the order of the text."""


@dataclass(frozen=True, slots=True)
class MarkdownDeriver:
    """Headings, list items and prose."""

    form: TextFormat = TextFormat.MARKDOWN

    def scan(self, text: str) -> tuple[Block, ...]:
        """See ``Deriver``."""
        return scan(text)

    def assemble(
        self,
        blocks: Sequence[Block],
        ids: Sequence[tuple[StepId, ...]],
        known: Sequence[Step | None],
        callables: Callables,
    ) -> Structure:
        """See ``Deriver``."""
        return assemble_markdown(blocks, ids, known, callables)

    def check(self, document: Queries) -> tuple[Diagnostic, ...]:
        """See ``Deriver``."""
        return check_markdown(document)


@dataclass(frozen=True, slots=True)
class StepListDeriver:
    """YAML or JSON with one block for each step; a graph of steps too."""

    form: TextFormat

    def scan(self, text: str) -> tuple[Block, ...]:
        """See ``Deriver``."""
        return scan_steplist(text, is_json=self.form.is_json)

    def assemble(
        self,
        blocks: Sequence[Block],
        ids: Sequence[tuple[StepId, ...]],
        known: Sequence[Step | None],
        _callables: Callables,
    ) -> Structure:
        """See ``Deriver``; nothing in a step list is a sentence that calls."""
        return assemble_steplist(blocks, ids, known, self.form)

    def check(self, document: Queries) -> tuple[Diagnostic, ...]:
        """See ``Deriver``."""
        return check_steplist(document)


@dataclass(frozen=True, slots=True)
class ForeignDeriver:
    """Something else, shown as plain text: cut into blocks as markdown is, and nothing in it is a step."""

    reason: str
    form: TextFormat = TextFormat.MARKDOWN

    def scan(self, text: str) -> tuple[Block, ...]:
        """See ``Deriver``."""
        return scan(text)

    def assemble(
        self,
        blocks: Sequence[Block],
        _ids: Sequence[tuple[StepId, ...]],
        _known: Sequence[Step | None],
        _callables: Callables,
    ) -> Structure:
        """See ``Deriver``."""
        return Structure(Program((), foreign=self.reason), (), (None,) * len(blocks))

    def check(self, _document: Queries) -> tuple[Diagnostic, ...]:
        """See ``Deriver``."""
        return ()


def deriver_of(text: str) -> Deriver:
    """The way that *text* takes, by its content."""
    form = detect_format(text)
    if form.is_steplist:
        return StepListDeriver(form)
    reason = why_foreign(text)
    return ForeignDeriver(reason) if reason else MarkdownDeriver()
