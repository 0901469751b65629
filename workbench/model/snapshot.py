"""One revision of a document: text, blocks, program, positions, diagnostics. Frozen, usable on any thread.

``derive`` makes one from a text, and says in a few lines what a snapshot is.
``incremental.advancing.advance`` makes the next one after a change, which is equal except
that steps keep their ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count, islice

from workbench.model.derivers import Chapters, Deriver, deriver_of
from workbench.model.kinds import FileKind
from workbench.model.program import StepId, count_ids
from workbench.model.queries import Queries
from workbench.model.sentences.resolving import Callables
from workbench.regex import regex
from workbench.syntax.blocks import block_starts
from workbench.syntax.diagnostics import Diagnostic
from workbench.syntax.differences import Window
from workbench.syntax.text import LINE_START, SourceText

Buried = Mapping[str, tuple[tuple[StepId, ...], ...]]
"""Text of a block that vanished → the ids it had, so that it is itself again when it comes back."""


_DEFINED = regex(LINE_START + r"[ \t>*+\-\d.)]*\[(?:\\.|[^\]\\\r\n])++\]:")
MISSING = frozenset({"unknown-call", "trigger-never-fires"})
"""What is found of a name that nothing has: a file of the project may have it."""


@dataclass(frozen=True, slots=True)
class Names:
    """What naming the steps of the next revision needs: no id is given twice. *next_id*: the first free number."""

    next_id: int
    buried: Buried = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Snapshot(Queries):
    """One revision of a document: everything that follows from its text, and the ids of its steps.

    A snapshot never changes; an edit makes the next one. Blocks and steps do not know where
    they stand, so those that an edit left alone are the same objects in both, and whoever
    shows them sees by identity what is new. Where something stands is a sum over the blocks
    above it: ask the methods of ``Queries``.

    *deriver*: how the text was read. *names*: for naming what comes. *windows*: which blocks
    differ from the revision before; of the first, all of them. *numbered*: stretches of others, in which items have, if
    anything, another number before their words, and are the same otherwise. Findings take longer than all
    the rest, and are looked for when somebody asks.
    """

    deriver: Deriver
    names: Names
    windows: tuple[Window, ...]
    numbered: tuple[Window, ...] = ()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All findings, in the order of the text; looked for when they are first asked for."""
        # a ``cached_property`` holds one lock for the snapshots of all threads before Python 3.12
        found: tuple[Diagnostic, ...] | None = self.__dict__.get("_diagnostics")
        if found is None:
            found = self.deriver.check(self)
            self.__dict__["_diagnostics"] = found
        return found

    def look_beside(self, found: Iterable[Diagnostic]) -> None:
        """Take *found*, all findings as the files around this one have them, for the findings; only the first time."""
        if not self.is_looked_beside:
            self.__dict__["_diagnostics"] = tuple(sorted(found, key=_place))
            self.__dict__["_is_looked_beside"] = True

    def look_again(self, found: Iterable[Diagnostic]) -> None:
        """Take *found* instead, where the files around have changed meanwhile."""
        self.__dict__["_diagnostics"] = tuple(sorted(found, key=_place))

    @property
    def asks_beside(self) -> bool:
        """Whether the files around could say more, or other, than the findings do."""
        is_said = self.program.format.is_steplist or self.may_import
        return is_said or any(finding.code in MISSING for finding in self.diagnostics)

    @property
    def may_import(self) -> bool:
        """Whether lines of a program speak of imports; no procedure has any."""
        return "!import" in self.text and not self.program.format.is_steplist and not self.deriver.is_procedure

    @property
    def may_link_files(self) -> bool:
        """Whether links may lead to files around this one; false where it is certain that none does."""
        program, text = self.program, self.text
        has_links = "](" in text or "href=" in text or "src=" in text
        # "-> list[str]:" of Python defines no link
        has_links = has_links or ("]:" in text and _DEFINED.search(text) is not None)
        return has_links and not program.foreign and not program.format.is_steplist

    @property
    def is_looked_beside(self) -> bool:
        """Whether findings that follow from the files around are among the others."""
        return "_is_looked_beside" in self.__dict__

    @property
    def is_diagnosed(self) -> bool:
        """Whether the findings are there already."""
        return "_diagnostics" in self.__dict__


def _place(finding: Diagnostic) -> tuple[int, int, str, str]:
    return finding.span.start, finding.span.end, finding.code, finding.message


def addressed_by_names(snapshot: Snapshot) -> Snapshot:
    """*snapshot* where an address is the bare name of a playbook: of those with one name, it means the first."""
    structure, program = snapshot.structure, snapshot.program
    plain = {one: replace(one, own_address="") for one in program.playbooks if one.own_address}
    if not plain:
        return snapshot
    agents = [
        replace(each, playbooks=tuple([plain.get(one, one) for one in each.playbooks])) for each in program.agents
    ]
    placed = [replace(each, playbook=plain.get(each.playbook, each.playbook)) for each in structure.placed]
    program = replace(program, agents=tuple(agents))
    return replace(snapshot, structure=replace(structure, program=program, placed=tuple(placed)))


def derive(source: SourceText, first_id: int = 1, wanted: FileKind | None = None, chapters: Chapters = ()) -> Snapshot:
    """The first snapshot of *source*; ids are ``s1``, ``s2``, … in source order, numbered from *first_id* on.

    *wanted*: what the person says that the file is, whatever its text says; *chapters*: what of a procedure is
    carried out, as the person says. So are all that follow from it.
    """
    deriver = deriver_of(source.text, wanted, chapters)
    blocks = deriver.scan(source.text)
    numbers = count(first_id)
    ids = [tuple([StepId(f"s{number}") for number in islice(numbers, count_ids(block))]) for block in blocks]
    return Snapshot(
        revision=0,
        source=source,
        blocks=blocks,
        block_starts=block_starts(blocks),
        block_ids=tuple(ids),
        structure=deriver.assemble(blocks, ids, [None] * len(blocks), Callables()),
        where={step_id: index for index, names in enumerate(ids) for step_id in names},
        deriver=deriver,
        names=Names(next(numbers)),
        windows=(Window(range(0), range(len(blocks))),),
    )
