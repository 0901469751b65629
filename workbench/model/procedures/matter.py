"""What belongs to a step of a procedure besides its words: prose, rules, commands and tables around it.

Text between steps belongs to the step above it. What stands above the first step of a heading or a chapter belongs to
that step, unless the heading is a step itself.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from posixpath import normpath

from workbench.model.decisions import chains
from workbench.model.links import links_by_step, runbook_path
from workbench.model.meaning import Action, Branch, Group, Judge, Jump, JumpForm, Raw
from workbench.model.program import Step, StepId
from workbench.model.queries import Queries
from workbench.model.shell_blocks import command_in
from workbench.regex import regex
from workbench.syntax.blocks import Block, BlockKind
from workbench.syntax.heading_words import is_constraint
from workbench.syntax.lines import without_comments
from workbench.syntax.links import Link
from workbench.syntax.tables.reading import words_of_cells

_DIVIDER = regex(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_MARKER = regex(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_LEADS_TO = regex(r":[*_ \t]*\Z")


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the cells of its head, and of each row below."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class StepLink:
    """A link. *target*: as written. *path*: of the playbook that it leads to, from the folder of the file; or empty."""

    text: str
    target: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class StepMatter:
    """All that belongs to a step. *above*: the titles of its chapter and of the headings that it stands below.

    *rules*: how it must, should or may be done. *commands*: what a shell could run. *if_yes*, *if_no*: what follows
    where it is a condition.
    """

    above: tuple[str, ...] = ()
    prose: str = ""
    rules: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    if_yes: tuple[str, ...] = ()
    if_no: tuple[str, ...] = ()
    links: tuple[StepLink, ...] = ()


def is_asked(step: Step) -> bool:
    """Whether *step* of a chapter is something to do itself: a heading is not that only holds other steps."""
    if isinstance(step.meaning, Group):
        return False
    if not step.is_spread or isinstance(step.meaning, Branch):
        return True
    first = step.children[0] if step.children else None
    return first is None or _is_text(first) or not any(not _is_text(each) for each in step.children)


def _is_text(step: Step) -> bool:
    """Whether *step* is only read: nothing of it is carried out."""
    return isinstance(step.meaning, Raw) or step.meaning == Group(is_read=True)


def matter_of(document: Queries, step_id: StepId) -> StepMatter:
    """What belongs to the step *step_id* of a procedure."""
    lineage = document.lineage(step_id)
    step, found = lineage[-1], _Found()
    for block in _around(document, lineage):
        found.take(block)
    row = _row(step)
    for detail in step.details if row is None else ():  # a row says it all
        found.take_text(textwrap.dedent(detail.expandtabs(4)))
    for block in _blocks(document, _below(document, step)):
        found.take(block)
    if row is not None:
        found.tables.append(row)
    chapter = document.playbook_of(step_id).title
    beside = (step_id, *(each.id for each in _below(document, step)))
    return StepMatter(
        (chapter, *(each.text for each in lineage[:-1] if each.block.kind is not BlockKind.TABLE)),
        "\n\n".join(found.prose),
        tuple(found.rules),
        tuple(found.commands),
        tuple(found.tables),
        *_outcomes(document, step),
        _links(document, beside),
    )


def _row(step: Step) -> Table | None:
    """The row that *step* is in a table of steps, below the head of the table."""
    if step.block.kind is not BlockKind.TABLE or step.item is None or step.meaning == Group():
        return None
    head = step.block.text.strip().partition("\n")[0]
    return Table(words_of_cells(head), (words_of_cells(step.item.lines.of(step.block.text)),))


def _links(document: Queries, steps: Sequence[StepId]) -> tuple[StepLink, ...]:
    """The links in the words of *steps*, each target once."""
    by_step = links_by_step(document)
    links = (link for step in steps for link in by_step.get(step, ()) if not link.is_image)
    found = {link.target: StepLink(link.words, link.target, _path(link)) for link in links}
    return tuple(found.values())


def _path(link: Link) -> str:
    path = runbook_path(link)
    return normpath(path) if path else ""


def _around(document: Queries, lineage: Sequence[Step]) -> Iterator[Block]:
    """What stands above the step, as the first of its heading or chapter; the outermost first."""
    levels = []
    for step in reversed(lineage):
        siblings = document.siblings(step.id)
        before = siblings[: siblings.index(step)]
        parent = document.parent(step.id)
        if not all(map(_is_text, before)) or (parent is not None and is_asked(parent)):
            break
        levels.append(before)
    for before in reversed(levels):
        yield from _blocks(document, before)


def _below(document: Queries, step: Step) -> tuple[Step, ...]:
    """The text below *step*, up to the next one: inside a heading, or behind it in its list."""
    if step.is_spread:
        return _leading(step.children)
    siblings = document.siblings(step.id)
    return _leading(siblings[siblings.index(step) + 1 :])


def _leading(steps: Sequence[Step]) -> tuple[Step, ...]:
    count = next((at for at, each in enumerate(steps) if not _is_text(each)), len(steps))
    return tuple(steps[:count])


def _blocks(document: Queries, steps: Iterable[Step]) -> Iterator[Block]:
    for step in steps:
        first = document.where[step.id]
        yield from document.blocks[first : first + step.blocks]


@dataclass(slots=True)
class _Found:
    """Collects what belongs to a step."""

    prose: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)

    def take(self, block: Block) -> None:
        """Take one block of text in."""
        if block.kind is BlockKind.ITEM:
            self._take_item(block)
        elif block.kind is not BlockKind.COMMENT:
            self.take_text(block.text)

    def take_text(self, text: str) -> None:
        """Take a fence, a table or a paragraph in."""
        command, table = command_in(text), table_in(text)
        if command:
            self.commands.append(command)
        elif table is not None:
            self.tables.append(table)
        elif words := without_comments(text).strip():
            self.prose.append(words)

    def _take_item(self, block: Block) -> None:
        words = without_comments(block.text).strip()
        head = words.partition("\n")[0]
        marker = _MARKER.match(head)
        inside = textwrap.dedent(" " * marker.end() + words[marker.end() :]) if marker is not None else words
        if not is_constraint(inside):
            # items of one list stay together
            is_more = self.prose and _MARKER.match(self.prose[-1].rpartition("\n")[2])
            self.prose = [*self.prose[:-1], f"{self.prose[-1]}\n{words}"] if is_more else [*self.prose, words]
            return
        if not self.rules and self.prose and _LEADS_TO.search(self.prose[-1]):
            self.prose.pop()
        self.rules.append(inside)


def table_in(text: str) -> Table | None:
    """The table that *text* is, whose cells stand between ``|``; None where it is none."""
    lines = [line for line in text.strip().splitlines() if line.strip()]
    if len(lines) < 2 or "|" not in lines[0] or not _DIVIDER.fullmatch(lines[1]):
        return None
    rows = [words_of_cells(line) for line in lines if line is not lines[1]]
    return Table(rows[0], tuple(rows[1:]))


def _outcomes(document: Queries, step: Step) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What follows where *step* is a condition and holds, and where it does not."""
    if not isinstance(step.meaning, Branch):
        return (), ()
    action = _words(step.meaning.action) if step.meaning.action is not None else ()
    holds = (*action, *(each.text for each in step.numbered))
    siblings = [each for each in document.siblings(step.id) if not isinstance(each.meaning, Raw)]
    chain = next((group for group in chains(siblings) if step in group), ())
    others = chain[chain.index(step) + 1 :] if step in chain else ()
    return holds, tuple(each.text for each in others[:1])


def _words(action: Action) -> tuple[str, ...]:
    match action:
        case Judge(text):
            return (text,)
        case Jump(form=JumpForm.GO_TO, number=number):
            return (f"→ {number}",)
        case _:
            return ()
