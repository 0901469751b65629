"""What a window shows at its start, and what it asks about before it closes, side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from workbench.gui.banners.banner_stack import BannerStack
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause, Notice, NoticeKind
from workbench.gui.control.tabs.session import SESSION_NAME, Session
from workbench.gui.files.file_actions import FileActions
from workbench.gui.files.tab_actions import TabActions
from workbench.gui.shell.window_actions import RunActions
from workbench.gui.words.values import drawable_line
from workbench.i18n import ngettext

_MOST_NAMED = 4


class LeavingSide(Protocol):
    """What is asked about."""

    context: WindowContext
    files: FileActions
    run_actions: RunActions


class ShowsSession(Protocol):
    """A window at its start."""

    context: WindowContext
    tab_actions: TabActions
    banners: BannerStack


class Leaving:
    """Asks, and closes once the person has decided about everything. *sides*: those that there are then."""

    def __init__(self, sides: Callable[[], Sequence[LeavingSide]], close: Callable[[], object]) -> None:
        self._sides = sides
        self._close = close
        self._is_decided = False

    def is_free(self) -> bool:
        """Whether nothing is to be asked; else it is asked now, and the window closes after that."""
        sides = self._sides()
        if self._is_decided or not any(side.context.tabs.dirty or len(side.context.runs.going) > 1 for side in sides):
            return True
        self._ask(sides)
        return False

    def _ask(self, left: Sequence[LeavingSide]) -> None:
        if left:
            then = partial(self._ask_about_runs, left)
            left[0].files.guard.leave(then, left[0].context.tabs.tabs)
        else:
            self._is_decided = True
            self._close()

    def _ask_about_runs(self, left: Sequence[LeavingSide]) -> None:
        """Ask once where several runs go on: each is left where it stands."""
        if len(left[0].context.runs.going) > 1:
            left[0].run_actions.ask_to_leave(partial(self._ask, left[1:]))
        else:
            self._ask(left[1:])


def show_session(window: ShowsSession, *, is_in_front: bool) -> Session:
    """Have a tab for each file that was open when the window was closed last, and from now on keep which are open.

    *is_in_front*: show the one that was shown then. Only that one is read.
    """
    session = Session(window.context.tabs, window.context.places.windows_dir / SESSION_NAME)
    tab = session.restore()
    if tab is not None and is_in_front:
        window.tab_actions.show(tab)
    if session.missing:
        words = ngettext(
            "A file that was open is not there now: {names}. Its tab stays until you close it.",
            "{count} files that were open are not there now: {names}. Their tabs stay until you close them.",
            len(session.missing),
        )
        names = ", ".join(drawable_line(str(path)) for path in session.missing[:_MOST_NAMED])
        window.banners.show_banner("session", Notice(NoticeKind.WARNING, words.format(names=names), Cause.OFFER))
    return session
