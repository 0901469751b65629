"""The ways from a text to what it means: markdown, step lists, and what is neither.

Which one a text takes is decided by its content alone (``deriver_of``), again at every
change: whoever types the first ``steps:`` into an empty file has a step list from then on.
What reads step lists or procedures is loaded with the first one: a file is of one kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.i18n import _
from workbench.model.format import TextFormat, detect_format, format_for, why_foreign
from workbench.model.kinds import FileKind, kind_of_markdown, mark_of_language
from workbench.model.markdown.structure import assemble_markdown
from workbench.model.program import Program, Step, StepId, Structure
from workbench.model.queries import Queries
from workbench.model.sentences.resolving import Callables
from workbench.syntax.blocks import Block
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.scan import Scanner

Chapters = tuple[tuple[str, bool], ...]
Before = tuple[Sequence[Block], tuple[tuple[StepId, ...], ...], Structure]
"""Blocks, their ids, and what they mean."""


@dataclass(frozen=True, slots=True)
class Deriver:
    """One way from a text to what it means: text → blocks → structure → findings.

    *kind*: what the file is. *form*: the format of the texts that go this way. *foreign*: why a text is shown as plain
    text, where it is neither markdown nor a step list; it is cut into blocks as markdown, and nothing in it is a step.
    *wanted*: the kind that the person has chosen, whatever the text says. *chapters*: what the person says of chapters
    of a procedure, by their titles: whether they are carried out. Two derivers that are equal give the same for
    the same text; so steps that one lowered may be used again by the other.
    """

    kind: FileKind = FileKind.PROGRAM
    form: TextFormat = TextFormat.MARKDOWN
    foreign: str = ""
    wanted: FileKind | None = None
    chapters: Chapters = ()

    @property
    def is_procedure(self) -> bool:
        """True for markdown that is no program: its headings can be steps."""
        return self.kind in (FileKind.PROCEDURE, FileKind.SKILL)

    @property
    def is_markdown(self) -> bool:
        """True for headings, list items and prose."""
        return not self.foreign and not self.form.is_steplist

    def scan(self, text: str) -> tuple[Block, ...]:
        """The blocks of *text*, which cover it exactly."""
        if not self.form.is_steplist:
            return tuple(self.scanner(text).blocks_from(0))
        from workbench.syntax.steplists.scan import scan_steplist  # noqa: PLC0415 - see the module

        return scan_steplist(text, is_json=self.form.is_json)

    def scanner(self, text: str) -> Scanner:
        """What cuts markdown into blocks."""
        return Scanner(text, is_procedure=self.is_procedure)

    def assemble(
        self,
        blocks: Sequence[Block],
        ids: Sequence[tuple[StepId, ...]],
        known: Sequence[Step | None],
        callables: Callables,
        before: Before | None = None,
    ) -> Structure:
        """What *blocks* mean, whose steps have *ids* (per block, in the order of ``ItemNode.walk``).

        *known*: per block the step that an equal deriver lowered from it with *callables* and
        these ids, or None; all None gives the same, only later. Nothing in a step list is a sentence that calls.
        *before*: what an equal deriver made last, with its blocks and ids.
        """
        if self.foreign:
            return Structure(Program((), foreign=self.foreign, kind=self.kind), (), (None,) * len(blocks))
        if self.is_procedure and not blocks:  # as in a new window, for which nothing more is loaded
            return self._said(Structure(Program(()), (), (), is_generous=True))
        if self.is_procedure:
            from workbench.model.procedures.assembling import assemble_procedure  # noqa: PLC0415 - see the module
            from workbench.model.procedures.earlier import earlier_of  # noqa: PLC0415 - see the module

            earlier = earlier_of(*before) if before is not None else None
            return self._said(assemble_procedure(blocks, ids, known, dict(self.chapters), earlier))
        if not self.form.is_steplist:
            return self._said(assemble_markdown(blocks, ids, known, callables))
        from workbench.model.steplists.program import assemble_steplist  # noqa: PLC0415 - see the module

        return self._said(assemble_steplist(blocks, ids, known, self.form))

    def _said(self, structure: Structure) -> Structure:
        return replace(structure, program=replace(structure.program, kind=self.kind))

    def check(self, document: Queries) -> tuple[Diagnostic, ...]:
        """What is doubtful or wrong in *document*, in the order of the text."""
        if self.foreign:
            return ()
        if not self.form.is_steplist:
            return self._check_markdown(document)
        from workbench.model.steplists.checks import check_steplist  # noqa: PLC0415 - see the module

        return check_steplist(document)

    def _check_markdown(self, document: Queries) -> tuple[Diagnostic, ...]:
        if self.is_procedure:
            from workbench.model.checks.ordinary.families import check_procedure  # noqa: PLC0415 - see the module

            return check_procedure(document)
        from workbench.model.checks.families import check_markdown  # noqa: PLC0415 - no procedure needs it

        return check_markdown(document)


def deriver_of(text: str, wanted: FileKind | None = None, chapters: Chapters = ()) -> Deriver:
    """The way that *text* takes: by its content, or as the person *wanted* it; see ``Deriver`` for *chapters*."""
    if wanted is not None:
        reason = _("It was chosen that this file is shown as plain text.") if wanted is FileKind.FOREIGN else ""
        return Deriver(wanted, format_for(text, wanted), reason, wanted, chapters)
    form = detect_format(text)
    if form.is_steplist:
        return Deriver(FileKind.GRAPH if form.is_graph else FileKind.STEPLIST, form)
    reason = why_foreign(text)
    return (
        Deriver(FileKind.FOREIGN, form, reason) if reason else Deriver(kind_of_markdown(text), form, chapters=chapters)
    )


def why(deriver: Deriver, text: str) -> str:
    """A sentence on why *text* is read by *deriver*."""
    if deriver.wanted is not None:
        message = _("You have chosen to read this file so. By its content it is: {kind}.")
        return message.format(kind=deriver_of(text).kind)
    match deriver.kind:
        case FileKind.FOREIGN:
            return deriver.foreign
        case FileKind.PROGRAM:
            return _("“{mark}” is only written in the playbook language.").format(mark=mark_of_language(text))
        case FileKind.SKILL:
            return _("It begins with metadata as skills, agents, instructions and prompts have it.")
        case FileKind.PROCEDURE:
            return _("It is markdown without anything that is only written in the playbook language.")
        case FileKind.GRAPH:
            return _("Its version is playbook.v2.")
    return _("It has the fields of a step list.")
