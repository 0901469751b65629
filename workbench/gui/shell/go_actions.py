"""Goes to a line, a step, a playbook, a file, or to where something is defined; and lists where it is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QInputDialog, QTreeWidgetItem, QWidget

from workbench.assist.fuzzy import match_score
from workbench.editing.change import DocumentChange, renamed_playbook
from workbench.gui.control.context import WindowContext
from workbench.gui.look.icons import icon
from workbench.gui.look.layouts import open_on_screen
from workbench.gui.look.theming import Ink, current_theme
from workbench.gui.shell.menus import Palette
from workbench.gui.shell.panes.panes import Panes
from workbench.gui.words.kinds import KINDS
from workbench.gui.words.values import drawable_line, tip
from workbench.i18n import _, numeral
from workbench.model.showing.words import plain_text
from workbench.model.snapshot import Snapshot
from workbench.syntax.text import Span

if TYPE_CHECKING:  # no start needs it
    from workbench.gui.control.search.names import PlannedRenaming
    from workbench.search.symbols import Symbol

_MOST_SHOWN = 60
_LEAST_PX = 240
_LINE, _STEP = ":", "@"


@dataclass(frozen=True, slots=True)
class Goal:
    """Somewhere to go to. *detail*: what it is. *path*: of another file than the open one. *span*: in its text."""

    words: str
    detail: str
    icon: str
    span: Span
    path: Path | None = None


class GoActions(QObject):
    """Handles the actions of the Go menu."""

    def __init__(
        self,
        context: WindowContext,
        window: QWidget,
        show_source: Callable[[], object],
        panes: Panes,
    ) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._show_source = show_source
        self._panes = panes
        self._wanted: Symbol | None = None
        self._is_looking = False
        words = _("A file, a playbook or a step; “:” and a line, “@” and a step of this file")
        self.palette = Palette(window, words, _("Nothing is called so"), GoalOffer(context, self.go))
        handlers: dict[str, Callable[[], object]] = {
            "go.back": context.trail.back,
            "go.forward": context.trail.forward,
            "go.anything": self.palette.open,
            "go.step": self._open_steps,
            "go.line": self._open_lines,
            "go.definition": self._go_to_definition,
            "go.usages": self._list_usages,
            "edit.find-files": self._find_in_files,
            "edit.rename-symbol": self._rename,
        }
        for action_id, handler in handlers.items():
            context.actions.register(action_id, handler)
        context.documents.document_changed.connect(self._on_document_changed)

    def _open_steps(self) -> None:
        self.palette.open(_STEP)

    def _open_lines(self) -> None:
        self.palette.open(_LINE)

    def _find_in_files(self) -> None:
        """Show the pane that searches the project, with what is selected in the source."""
        from workbench.gui.search.search_panel import SearchPanel  # noqa: PLC0415 - no start needs it

        panel = self._show_pane()
        chosen = self._context.selection.caret.of(self._context.documents.snapshot.text)
        assert isinstance(panel, SearchPanel)
        panel.begin(chosen if "\n" not in chosen else "")

    def _go_to_definition(self) -> None:
        self._context.names.go_to_definition()

    def _list_usages(self) -> None:
        if self._context.names.symbol is not None:
            self._show_pane()
        self._context.names.list_usages()

    def _show_pane(self) -> QWidget:
        """The pane that lists places, in front."""
        panel = self._panes.panel("search")
        self._panes.bring_forward("search")
        if self._panes.dock("search").height() < current_theme().px(_LEAST_PX):
            self._panes.give_room("search")
        return panel

    def _rename(self) -> None:
        """Ask for the new name of what is named here, and show what changes with it."""
        symbol = self._context.names.symbol
        if symbol is None:
            self._context.names.list_usages()  # tells why
            return
        dialog = QInputDialog(self._window)
        dialog.setWindowTitle(_("Rename everywhere"))
        dialog.setLabelText(_("New name of {name}").format(name=symbol.written))
        dialog.setTextValue(symbol.written)
        dialog.textValueSelected.connect(self._on_named)
        dialog.finished.connect(dialog.deleteLater)
        self._wanted = symbol
        open_on_screen(dialog)

    @Slot(str)
    def _on_named(self, new: str) -> None:
        if self._wanted is not None:
            self._show_pane()
            self._context.names.plan_renaming(self._wanted, new)

    @Slot(object)
    def _on_document_changed(self, change: DocumentChange) -> None:
        """Where a playbook was renamed on the flowchart, other files may still call it by its old name."""
        renamed = renamed_playbook(change)
        if renamed is None:
            return
        if not self._is_looking:
            self._is_looking = True
            self._context.names.left_behind.connect(self._on_left_behind)
        from workbench.search.symbols import Symbol, SymbolKind  # noqa: PLC0415 - no start needs it

        owner, old, new = renamed
        self._context.names.look_elsewhere(change.before, Symbol(SymbolKind.PLAYBOOK, old, owner), new)

    @Slot(object)
    def _on_left_behind(self, planned: PlannedRenaming) -> None:
        """Show what would change there; nothing is changed unasked."""
        focus = self._window.focusWidget()
        self._show_pane()
        self._context.names.renaming_planned.emit(planned)
        if focus is not None:
            focus.setFocus()

    def go(self, goal: Goal) -> None:
        """Go to *goal*; a line is wanted by who writes in the source."""
        self._context.trail.go_to(goal.span, goal.path)
        if goal.icon == "source":
            self._show_source()


class GoalOffer:
    """What a palette offers to go to."""

    def __init__(self, context: WindowContext, go: Callable[[Goal], None]) -> None:
        self._context = context
        self._go = go
        self._goals: list[Goal] = []

    def items(self, query: str) -> Iterable[QTreeWidgetItem]:
        """The places that fit *query*, best first."""
        self._goals = list(self._found(query))
        return [_item(at, goal) for at, goal in enumerate(self._goals)]

    def choose(self, item: QTreeWidgetItem) -> None:
        """Go there."""
        self._go(self._goals[int(item.data(0, Qt.ItemDataRole.UserRole))])

    def _found(self, query: str) -> Iterable[Goal]:
        snapshot, is_open = self._context.documents.snapshot, self._context.documents.file_state.is_open
        if query.startswith(_LINE):
            return line_goals(snapshot, query[1:]) if is_open else ()
        here = list(step_goals(snapshot)) if is_open else []
        if query.startswith(_STEP):
            return best(query[1:], here)
        return best(query, [*self._files(), *here])

    def _files(self) -> Iterator[Goal]:
        index = self._context.project.index
        for path, entry in index.entries.items():
            if entry.is_ours:
                yield Goal(path, entry.title, "file", Span(0, 0), index.root / path)


def line_goals(snapshot: Snapshot, written: str) -> Iterator[Goal]:
    """The place that ``12`` or ``12:5`` names: a line, and a character in it, the last one where there are fewer."""
    line, _colon, column = (part.strip() for part in written.partition(":"))
    if not line.isdecimal() or int(line) < 1:
        return
    starts = snapshot.lines.starts
    at = min(int(line), len(starts)) - 1
    end = starts[at + 1] if at + 1 < len(starts) else len(snapshot.text)
    words = snapshot.text[starts[at] : end].rstrip("\r\n")
    offset = starts[at] + min(int(column) - 1 if column.isdecimal() and int(column) else 0, len(words))
    yield Goal(_("Line {number}").format(number=numeral(at + 1)), words.strip(), "source", Span(offset, offset))


def step_goals(snapshot: Snapshot) -> Iterator[Goal]:
    """All playbooks and steps of the document, in the order of the text."""
    for playbook in snapshot.program.playbooks:
        if playbook.heading is not None:
            start = snapshot.playbook_span(playbook.address).start
            yield Goal(playbook.title, _("Playbook"), "playbook", Span(start, start))
        for section in playbook.sections:
            for step in (one for top in section.steps for one in top.walk()):
                head = snapshot.head_span(step.id)
                address = snapshot.address(step.id) or playbook.address
                yield Goal(plain_text(step), address, KINDS[step.kind].icon, Span(head.start, head.start))


def best(query: str, goals: list[Goal]) -> Iterable[Goal]:
    """Those of *goals* that fit *query*, the best first; the first ones where nothing was typed."""
    letters = "".join(query.casefold().split())
    if not letters:
        return goals[:_MOST_SHOWN]
    told = ((goal, f"{goal.words} {goal.detail}") for goal in goals)
    fitting = [(match_score(letters, words), goal) for goal, words in told if _has(letters, words.casefold())]
    scored = sorted((each for each in fitting if each[0] is not None), key=_score)
    return [goal for _score_of, goal in scored[:_MOST_SHOWN]]


def _has(letters: str, words: str) -> bool:
    """Whether *letters* appear in *words* in their order: quick, where most do not fit."""
    rest = iter(words)
    return all(letter in rest for letter in letters)


def _score(found: tuple[int | None, Goal]) -> int:
    return -(found[0] or 0)


def _item(at: int, goal: Goal) -> QTreeWidgetItem:
    item = QTreeWidgetItem([drawable_line(goal.words), drawable_line(goal.detail)[:60]])
    item.setToolTip(0, tip(goal.words))
    item.setData(0, Qt.ItemDataRole.UserRole, at)
    item.setIcon(0, icon(goal.icon, Ink.MUTED))
    item.setForeground(1, QColor(current_theme().muted))
    return item
