"""The open files of a window, kept over its end: what a start shows again, each as it was looked at."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Slot

from workbench.disk.atomic import replace_private_file
from workbench.disk.files import is_there, read_file
from workbench.disk.private import make_private_folder
from workbench.errors import CannotRead
from workbench.gui.control.tabs.open_tabs import OpenTabs, Tab

log = logging.getLogger(__name__)
_KEPT_VIEWS = frozenset({"canvas", "source"})
_REST_MS = 2000
SESSION_NAME = "session.json"


@dataclass(frozen=True, slots=True)
class KeptTab:
    """One file of a session. *views*: how it was looked at, as values that JSON holds."""

    path: Path
    views: Mapping[str, object]
    is_shown: bool = False


def load_session(file: Path) -> tuple[KeptTab, ...]:
    """The tabs that *file* has, in their order; what cannot be read is left out."""
    try:
        found = json.loads(read_file(file)) if is_there(file) else {}
    except (CannotRead, ValueError, RecursionError) as error:
        log.info("Could not read the session: %s", error)
        return ()
    tabs = found.get("tabs") if isinstance(found, dict) else None
    return tuple(_read(tabs)) if isinstance(tabs, list) else ()


def _read(tabs: list[object]) -> Iterator[KeptTab]:
    for tab in tabs:
        path = tab.get("path") if isinstance(tab, dict) else None
        if isinstance(tab, dict) and isinstance(path, str) and path:
            views = tab.get("views")
            yield KeptTab(Path(path), views if isinstance(views, dict) else {}, tab.get("is_shown") is True)


def save_session(file: Path, tabs: tuple[KeptTab, ...]) -> None:
    """Keep *tabs* in *file*. It is a comfort: what cannot be written is left."""
    rows = [{"path": str(tab.path), "views": dict(tab.views), "is_shown": tab.is_shown} for tab in tabs]
    data = json.dumps({"tabs": rows}, ensure_ascii=False).encode("utf-8", "surrogatepass")
    try:
        make_private_folder(file.parent)
        replace_private_file(file, data)
    except OSError as error:
        log.info("Could not keep the session: %s", error)


class Session(QObject):
    """Keeps which files are open, a while after each change and when the window closes, so that a crash keeps it too.

    *missing*: the files of the last session that were not there at the start. They have their tabs all the same.
    *beside*: the tabs of the other side of the window.
    """

    def __init__(self, tabs: OpenTabs, file: Path) -> None:
        super().__init__(tabs)
        self._tabs = tabs
        self._file = file
        self.missing: tuple[Path, ...] = ()
        self.beside: OpenTabs | None = None
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self.save)

    def restore(self) -> Tab | None:
        """Make the tabs of the last session, without reading any file; the one that was shown last."""
        kept = load_session(self._file)
        made = [self._tabs.add(each.path, each.views) for each in kept]
        self.missing = tuple(each.path for each in kept if not is_there(each.path))
        self._tabs.changed.connect(self._rest.start)
        wanted = (tab for tab, each in zip(made, kept, strict=True) if each.is_shown)
        return next(wanted, made[-1] if made else None)

    @Slot()
    def save(self) -> None:
        """Keep what is open now."""
        self._rest.stop()
        sides = (self._tabs, self.beside) if self.beside is not None else (self._tabs,)
        save_session(self._file, tuple(kept for side in sides for kept in self._kept(side)))

    def _kept(self, side: OpenTabs) -> Iterator[KeptTab]:
        for tab in side.tabs:
            if tab.path is not None:
                views = {name: view for name, view in side.views_of(tab).items() if name in _KEPT_VIEWS}
                yield KeptTab(tab.path, views, tab is self._tabs.shown)
