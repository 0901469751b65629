"""What the window knows beside the text, for whoever completes: tools, imported playbooks, values of the last run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from workbench.assist.tools import tools_of
from workbench.assist.values import Around
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.context import WindowContext
from workbench.gui.words.values import value_text

if TYPE_CHECKING:
    from workbench.engine.state.run_state import RunState
    from workbench.model.program import Playbook
    from workbench.tools.values import ToolSpec


class Knowledge(QObject):
    """Knows it of the document that is open. Tools are looked for when somebody first asks, and nothing is started."""

    learned = Signal()  # there is more now

    def __init__(self, context: WindowContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._tools: tuple[ToolSpec, ...] = ()
        self._imported: tuple[Playbook, ...] = ()
        self._path: Path | None = None
        self._imports: tuple[str, ...] = ()
        self._is_known = False
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_found)
        self._reading = BackgroundWork(self)
        self._reading.done.connect(self._on_read)
        context.documents.document_opened.connect(self._on_opened)
        context.documents.document_changed.connect(self._on_changed)

    @property
    def around(self) -> Around:
        """What is known now."""
        path = self._context.documents.file_state.path
        if not self._is_known or path != self._path:
            self._is_known, self._path = True, path
            program = self._context.documents.snapshot.program
            self._work.ask(partial(tools_of, path, program, self._context.places))
        return Around(self._tools, LastValues(self._context.shown.state), self._imported)

    def _read_imports(self) -> None:
        """Look into the files that are imported, where these are others than before."""
        path, text = self._context.documents.file_state.path, self._context.documents.snapshot.text
        if path is None or ("!import" not in text and not self._imports):
            return
        from workbench.project.imported import import_lines, imported_playbooks  # noqa: PLC0415 - few files have any

        lines = import_lines(text)
        if lines != self._imports:
            self._imports, self._imported = lines, ()
            self._reading.ask(partial(imported_playbooks, path, text))

    @Slot(object)
    def _on_opened(self, _snapshot: object) -> None:
        self._is_known = False
        self._imports, self._imported = (), ()
        self._read_imports()

    @Slot(object)
    def _on_changed(self, _change: object) -> None:
        self._read_imports()

    @Slot(object)
    def _on_read(self, playbooks: tuple[Playbook, ...]) -> None:
        self._imported = playbooks
        self.learned.emit()

    @Slot(object)
    def _on_found(self, tools: tuple[ToolSpec, ...]) -> None:
        self._tools = tools
        self.learned.emit()


class LastValues(Mapping[str, str]):
    """What each variable was in a state of a run, as text; looked up when it is asked for."""

    def __init__(self, state: RunState | None) -> None:
        self._state = state

    def __getitem__(self, name: str) -> str:
        for kept in self._places():
            if name in kept:
                return value_text(kept[name])
            if name[:1] == "$" and name[1:] in kept:
                return value_text(kept[name[1:]])
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter({name for kept in self._places() for name in kept})

    def __len__(self) -> int:
        return len(set(iter(self)))

    def _places(self) -> Iterator[Mapping[str, object]]:
        """Where variables are kept: the frames, the innermost first, then the agents."""
        if self._state is not None:
            yield from (frame.locals for frame in reversed(self._state.frames))
            yield from (frame.parameters for frame in reversed(self._state.frames))
            yield from self._state.agents.values()
