"""The open files of all windows as they are kept over their end: what a start shows again, each as it was looked at."""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from workbench.disk.atomic import replace_private_file
from workbench.disk.files import is_there, read_file
from workbench.disk.private import make_private_folder
from workbench.editing.document import hand_over
from workbench.errors import CannotRead
from workbench.gui.control.document_controller import DocumentController
from workbench.gui.control.tabs.open_tabs import OpenTabs

log = logging.getLogger(__name__)
_KEPT_VIEWS = frozenset({"canvas", "source"})
SESSION_NAME = "session.json"


@dataclass(frozen=True, slots=True)
class KeptTab:
    """One file of a session. *views*: how it was looked at, as values that JSON holds.

    *is_unsaved*: what is unsaved of it is to be there again, unasked. *is_new*: it has no file; *path* is its journal.
    """

    path: Path
    views: Mapping[str, object]
    is_shown: bool = False
    is_unsaved: bool = False
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class KeptWindow:
    """One window: the tabs of its one or two *sides*, which of them was in *front*, their *widths* in pixels.

    *geometry*: where the window was, in Qt's own words.
    """

    sides: tuple[tuple[KeptTab, ...], ...]
    front: int = 0
    widths: tuple[int, ...] = ()
    geometry: bytes = b""

    @property
    def paths(self) -> tuple[Path, ...]:
        """All of its files."""
        return tuple(tab.path for side in self.sides for tab in side)


def kept_tabs(tabs: OpenTabs, _documents: DocumentController | None = None) -> tuple[KeptTab, ...]:
    """What is kept of *tabs*; a document that was never saved has a journal of its own."""
    placed = ((tab, tab.path, tabs.views_of(tab)) for tab in tabs.tabs if tab.path is not None)
    return tuple(
        KeptTab(path, {name: view for name, view in views.items() if name in _KEPT_VIEWS}, tab is tabs.shown)
        for tab, path, views in placed
    )


def handed_over(tabs: OpenTabs, documents: DocumentController) -> tuple[KeptTab, ...]:
    """The same, with all that is unsaved, which is left to the next program: nothing may be edited afterwards.

    Raises OSError where something of it is not on the disk; then it is only here.
    """
    found: list[KeptTab] = []
    for tab in tabs.tabs:
        views = {name: view for name, view in tabs.views_of(tab).items() if name in _KEPT_VIEWS}
        document = documents.document if tab is tabs.shown else tab.kept.document if tab.kept is not None else None
        left = hand_over(document) if document is not None and tab.state.is_dirty else None
        path = tab.path or left
        if path is not None:
            is_new = tab.path is None
            found.append(KeptTab(path, views, tab is tabs.shown, is_unsaved=left is not None, is_new=is_new))
    return tuple(found)


def load_session(file: Path) -> tuple[KeptWindow, ...]:
    """The windows that *file* has, the first one first; what cannot be read is left out."""
    try:
        found = json.loads(read_file(file)) if is_there(file) else {}
    except (CannotRead, ValueError, RecursionError) as error:
        log.info("Could not read the session: %s", error)
        return ()
    if not isinstance(found, dict):
        return ()
    # before there were several windows in it, the file had the tabs of one
    windows = found.get("windows", [{"sides": [found.get("tabs")]}])
    read = (_window(each) for each in windows if isinstance(each, dict)) if isinstance(windows, list) else ()
    return tuple(window for window in read if window.paths)


def _window(found: dict[str, object]) -> KeptWindow:
    sides, widths, geometry = found.get("sides"), found.get("widths"), found.get("geometry")
    read = [tuple(_tabs(side)) for side in sides if isinstance(side, list)] if isinstance(sides, list) else []
    kept = tuple(side for side in read[:2] if side)
    return KeptWindow(
        sides=kept,
        front=int(found.get("front") == 1 and len(kept) > 1),
        widths=tuple(each for each in widths if isinstance(each, int)) if isinstance(widths, list) else (),
        geometry=_bytes(geometry) if isinstance(geometry, str) else b"",
    )


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""


def _tabs(tabs: list[object]) -> Iterator[KeptTab]:
    for tab in tabs:
        path = tab.get("path") if isinstance(tab, dict) else None
        if isinstance(tab, dict) and isinstance(path, str) and path:
            views = tab.get("views")
            said = {name: tab.get(name) is True for name in ("is_shown", "is_unsaved", "is_new")}
            yield KeptTab(Path(path), views if isinstance(views, dict) else {}, **said)


def save_session(file: Path, windows: tuple[KeptWindow, ...]) -> None:
    """Keep *windows* in *file*. It is a comfort: what cannot be written is left."""
    rows = [
        {
            "sides": [
                [{**asdict(tab), "path": str(tab.path), "views": dict(tab.views)} for tab in side]
                for side in window.sides
            ],
            "front": window.front,
            "widths": window.widths,
            "geometry": base64.b64encode(window.geometry).decode(),
        }
        for window in windows
    ]
    data = json.dumps({"windows": rows}, ensure_ascii=False).encode("utf-8", "surrogatepass")
    try:
        make_private_folder(file.parent)
        replace_private_file(file, data)
    except OSError as error:
        log.info("Could not keep the session: %s", error)
