"""What a window shows at its start, and what it asks about before it closes, side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QByteArray, QObject, QTimer, Slot

from workbench.disk.files import is_there
from workbench.gui.banners.banner_stack import BannerStack
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause, Notice, NoticeKind
from workbench.gui.control.tabs.session import KeptWindow, kept_tabs, load_session, save_session
from workbench.gui.files.tab_actions import TabActions
from workbench.gui.shell.tabs.side_by_side import SideBySide, SideWindow
from workbench.gui.words.values import drawable_line
from workbench.i18n import ngettext

if TYPE_CHECKING:
    from workbench.gui.shell.windows import NewWindows

_MOST_NAMED = 4
_REST_MS = 2000


class SessionWindow(Protocol):
    """A window of the program."""

    context: WindowContext
    tab_actions: TabActions
    banners: BannerStack
    sides: SideBySide
    windows: NewWindows
    leaving: Leaving

    def close(self) -> bool:
        """Whether it is closed now: else it asks something."""

    def saveGeometry(self) -> QByteArray:
        """Where it is."""

    def restoreGeometry(self, geometry: QByteArray | bytes) -> bool:
        """Put it there."""


class Leaving:
    """Asks, and closes once the person has decided about everything. *sides*: those that there are then."""

    def __init__(self, sides: Callable[[], Sequence[SideWindow]], close: Callable[[], object]) -> None:
        self._sides = sides
        self._close = close
        self.is_decided = False

    def is_free(self) -> bool:
        """Whether nothing is to be asked; else it is asked now, and the window closes after that."""
        sides = self._sides()
        if self.is_decided or not any(side.context.tabs.dirty or len(side.context.runs.going) > 1 for side in sides):
            return True
        self._ask(sides)
        return False

    def _ask(self, left: Sequence[SideWindow]) -> None:
        if left:
            then = partial(self._ask_about_runs, left)
            left[0].files.guard.leave(then, left[0].context.tabs.tabs)
        else:
            self.is_decided = True
            self._close()

    def _ask_about_runs(self, left: Sequence[SideWindow]) -> None:
        """Ask once where several runs go on: each is left where it stands."""
        if len(left[0].context.runs.going) > 1:
            left[0].run_actions.ask_to_leave(partial(self._ask, left[1:]))
        else:
            self._ask(left[1:])


class Session(QObject):
    """The windows of the program; once it was told to, it keeps what they show over their end.

    That is written a while after each change, so that a crash keeps it too. A window that is closed while others stay
    is left out; the last one is kept, and with *Quit* all of them are.
    """

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file
        self._is_kept = False
        self._waiting: list[KeptWindow] = []
        self.windows: list[SessionWindow] = []
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self.save)
        self._next = QTimer(self, interval=0, singleShot=True)
        self._next.timeout.connect(self._open_next)

    def add(self, window: SessionWindow) -> None:
        """Keep what *window* shows as well."""
        self.windows.append(window)
        window.context.tabs.changed.connect(self._rest.start)
        window.sides.changed.connect(self._rest.start)

    def restore(self, *, is_in_front: bool) -> None:
        """Have a tab for each file that was open when the program ended, and from now on keep which are open.

        *is_in_front*: show the one that was shown then. On each side only that one is read. Further windows come once
        the first one has been painted.
        """
        self._is_kept = True
        first, *self._waiting = load_session(self._file) or (KeptWindow(()),)
        _fill(self.windows[0], first, is_in_front=is_in_front)
        self._next.start()

    @Slot()
    def _open_next(self) -> None:
        if self._waiting:
            kept, *self._waiting = self._waiting
            self.windows[0].windows.open()
            _fill(self.windows[-1], kept, is_in_front=True)
            self._next.start()

    @Slot()
    def save(self) -> None:
        """Keep what is open now."""
        self._rest.stop()
        if self._is_kept:
            kept = (_kept(window, is_first=not place) for place, window in enumerate(self.windows))
            save_session(self._file, (*kept, *self._waiting))

    def leave(self, window: SessionWindow) -> None:
        """*window* closes: it is left out where others stay; what the last one shows is what is kept."""
        if window in self.windows and len(self.windows) > 1:
            self.windows.remove(window)
        self.save()
        if self.windows == [window]:
            self._is_kept = False

    def quit(self) -> None:
        """Close all windows, once the person has decided about everything that is unsaved in any."""
        leaving = Leaving(self._sides, self._close_all)
        if leaving.is_free():
            self._close_all()

    def _sides(self) -> list[SideWindow]:
        return [side for window in self.windows for side in window.sides.all]

    def _close_all(self) -> None:
        self.save()
        self._is_kept = False
        for window in reversed(self.windows):
            window.leaving.is_decided = True
            window.close()


def _kept(window: SessionWindow, *, is_first: bool) -> KeptWindow:
    sides, splitter = window.sides.all, window.sides.splitter
    return KeptWindow(
        sides=tuple(kept_tabs(side.context.tabs) for side in sides),
        front=sides.index(window.sides.front),
        widths=tuple(splitter.sizes()) if splitter is not None else (),
        geometry=b"" if is_first else bytes(window.saveGeometry().data()),
    )


def _fill(window: SessionWindow, kept: KeptWindow, *, is_in_front: bool) -> None:
    """Show in *window* what was *kept* of one; the first side shows something where *is_in_front*."""
    if kept.geometry:
        window.restoreGeometry(kept.geometry)
    for place, tabs in enumerate(kept.sides):
        side = window.sides.begin() if place else window
        made = [side.context.tabs.add(tab.path, tab.views) for tab in tabs]
        shown = next((tab for tab, each in zip(made, tabs, strict=True) if each.is_shown), made[-1])
        if place or is_in_front:
            side.tab_actions.show(shown)
    if window.sides.splitter is not None and len(kept.sides) > 1:
        if len(kept.widths) == len(kept.sides):
            window.sides.splitter.setSizes(kept.widths)
        window.sides.give_focus(kept.front if is_in_front else 0)
    missing = [path for path in kept.paths if not is_there(path)]
    if missing:
        words = ngettext(
            "A file that was open is not there now: {names}. Its tab stays until you close it.",
            "{count} files that were open are not there now: {names}. Their tabs stay until you close them.",
            len(missing),
        )
        names = ", ".join(drawable_line(str(path)) for path in missing[:_MOST_NAMED])
        words = words.format(names=names)
        window.banners.show_banner("session", Notice(NoticeKind.WARNING, words, Cause.OFFER))
