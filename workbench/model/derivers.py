"""The ways from a text to what it means: markdown, step lists, and what is neither.

Which one a text takes is decided by its content alone (``deriver_of``), again at every
change: whoever types the first ``steps:`` into an empty file has a step list from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Deriver:
    """One way from a text to what it means: text → blocks → structure → findings.

    *form*: the format of the texts that go this way. *foreign*: why a text is shown as plain text, where it is neither
    markdown nor a step list; it is cut into blocks as markdown is, and nothing in it is a step. Two derivers that are
    equal give the same for the same text; so steps that one lowered may be used again by the other.
    """

    form: TextFormat = TextFormat.MARKDOWN
    foreign: str = ""

    @property
    def is_markdown(self) -> bool:
        """True for headings, list items and prose."""
        return not self.foreign and not self.form.is_steplist

    def scan(self, text: str) -> tuple[Block, ...]:
        """The blocks of *text*, which cover it exactly."""
        return scan_steplist(text, is_json=self.form.is_json) if self.form.is_steplist else scan(text)

    def assemble(
        self,
        blocks: Sequence[Block],
        ids: Sequence[tuple[StepId, ...]],
        known: Sequence[Step | None],
        callables: Callables,
    ) -> Structure:
        """What *blocks* mean, whose steps have *ids* (per block, in the order of ``ItemNode.walk``).

        *known*: per block the step that an equal deriver lowered from it with *callables* and
        these ids, or None; all None gives the same, only later. Nothing in a step list is a sentence that calls.
        """
        if self.foreign:
            return Structure(Program((), foreign=self.foreign), (), (None,) * len(blocks))
        if self.form.is_steplist:
            return assemble_steplist(blocks, ids, known, self.form)
        return assemble_markdown(blocks, ids, known, callables)

    def check(self, document: Queries) -> tuple[Diagnostic, ...]:
        """What is doubtful or wrong in *document*, in the order of the text."""
        if self.foreign:
            return ()
        return check_steplist(document) if self.form.is_steplist else check_markdown(document)


def deriver_of(text: str) -> Deriver:
    """The way that *text* takes, by its content."""
    form = detect_format(text)
    return Deriver(form) if form.is_steplist else Deriver(foreign=why_foreign(text) or "")
