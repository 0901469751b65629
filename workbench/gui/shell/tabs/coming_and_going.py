"""What a window shows at its start, and what it asks about before it closes, side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QByteArray, QObject, QTimer, Slot

from workbench.disk.files import is_there, why
from workbench.errors import CannotSave
from workbench.gui.banners.banner_stack import BannerStack, Choice
from workbench.gui.banners.document_banners import RECOVERY
from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import DocumentController
from workbench.gui.control.notices import Cause, Notice, NoticeKind
from workbench.gui.control.tabs.open_tabs import OpenTabs, Tab
from workbench.gui.control.tabs.session import (
    KeptTab,
    KeptWindow,
    handed_over,
    kept_tabs,
    load_session,
    save_session,
)
from workbench.gui.files.tab_actions import TabActions
from workbench.gui.shell.tabs.side_by_side import SideBySide, SideWindow
from workbench.gui.words.values import drawable_line
from workbench.i18n import LANGUAGES, _, language, ngettext, spoken
from workbench.settings import Settings

if TYPE_CHECKING:
    from workbench.gui.shell.windows import NewWindows

_MOST_NAMED = 4
_REST_MS = 2000
_LANGUAGE = "language"
TabsOf = Callable[[OpenTabs, DocumentController], tuple[KeptTab, ...]]


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
    is left out; the last one is kept, and with *Quit* all of them are. *is_restarting*: the program is to begin again.
    """

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file
        self._is_kept = False
        self._waiting: list[KeptWindow] = []
        self.is_restarting = False
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
        SettingsNews(window.context, window.banners, self)

    def restore(self, *, is_in_front: bool) -> None:
        """Have a tab for each file that was open when the program ended, and from now on keep which are open.

        *is_in_front*: show the one that was shown then. On each side only that one is read. Further windows come once
        the first one has been painted.
        """
        self._is_kept = True
        first, *self._waiting = load_session(self._file) or (KeptWindow(()),)
        _fill(self.windows[0], first, is_in_front=is_in_front)
        self._next.start()
        tell_of_keys(self.windows[0].context)

    @Slot()
    def _open_next(self) -> None:
        if self._waiting:
            kept, *self._waiting = self._waiting
            self.windows[0].windows.open()
            self.windows[-1].restoreGeometry(kept.geometry)
            _fill(self.windows[-1], kept, is_in_front=True)
            self._next.start()

    @Slot()
    def save(self) -> None:
        """Keep what is open now."""
        self._rest.stop()
        if self._is_kept:
            save_session(self._file, (*(_kept(window, kept_tabs) for window in self.windows), *self._waiting))

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

    def restart(self) -> None:
        """End the program and start it again, with all that is open, unsaved changes included; runs are left first."""
        self._leave_runs(self._sides())

    def _leave_runs(self, sides: Sequence[SideWindow]) -> None:
        busy = next((side for side in sides if len(side.context.runs.going) > 1), None)
        if busy is None:
            self._begin_again()
        else:
            others = [side for side in sides if side is not busy]
            busy.run_actions.ask_to_leave(partial(self._leave_runs, others))

    def _begin_again(self) -> None:
        for side in self._sides():
            side.context.documents.fields.settle()
        unsafe = next((tab for side in self._sides() for tab in side.context.tabs.dirty if tab.state.trouble), None)
        try:
            if unsafe is not None:
                raise OSError(unsafe.state.trouble)
            kept = [_kept(window, handed_over) for window in self.windows]
        except OSError as error:
            message = _("The program was not restarted: unsaved changes could not be kept ({reason}). Save them first.")
            self.windows[0].context.notices.report(CannotSave(message.format(reason=why(error))), Cause.OTHER_FILE)
            return
        save_session(self._file, (*kept, *self._waiting))
        self.is_restarting = True
        self._end()

    def _sides(self) -> list[SideWindow]:
        return [side for window in self.windows for side in window.sides.all]

    def _close_all(self) -> None:
        self.save()
        self._end()

    def _end(self) -> None:
        self._is_kept = False
        self._rest.stop()
        for window in reversed(self.windows):
            window.leaving.is_decided = True
            window.close()


def _kept(window: SessionWindow, tabs_of: TabsOf) -> KeptWindow:
    sides, splitter = window.sides.all, window.sides.splitter
    return KeptWindow(
        sides=tuple(tabs_of(side.context.tabs, side.context.documents) for side in sides),
        front=sides.index(window.sides.front),
        widths=tuple(splitter.sizes()) if splitter is not None else (),
        geometry=bytes(window.saveGeometry().data()),
    )


def _fill(window: SessionWindow, kept: KeptWindow, *, is_in_front: bool) -> None:
    """Show in *window* what was *kept* of one; the first side shows something where *is_in_front*."""
    for place, tabs in enumerate(kept.sides):
        side = window.sides.begin() if place else window.sides.all[0]
        made = [(tab, each) for each in tabs if (tab := _opened(side, each)) is not None]
        shown = next((tab for tab, each in made if each.is_shown), made[-1][0] if made else None)
        if shown is not None and (place or is_in_front):
            side.tab_actions.show(shown)
    if window.sides.splitter is not None and len(kept.sides) > 1:
        if len(kept.widths) == len(kept.sides):
            window.sides.splitter.setSizes(kept.widths)
        window.sides.give_focus(kept.front if is_in_front else 0)
    missing = [tab.path for side in kept.sides for tab in side if not (tab.is_new or is_there(tab.path))]
    if missing:
        words = ngettext(
            "A file that was open is not there now: {names}. Its tab stays until you close it.",
            "{count} files that were open are not there now: {names}. Their tabs stay until you close them.",
            len(missing),
        )
        names = ", ".join(drawable_line(str(path)) for path in missing[:_MOST_NAMED])
        words = words.format(names=names)
        window.banners.show_banner("session", Notice(NoticeKind.WARNING, words, Cause.OFFER))


def _opened(side: SideWindow, kept: KeptTab) -> Tab | None:
    """The tab of *kept*: read only where something of it was unsaved; None where a new document is there no more."""
    context = side.context
    if kept.is_new:
        before = list(context.tabs.tabs)
        context.documents.restore_requested.emit(kept.path)
        return next((tab for tab in context.tabs.tabs if tab not in before), None)
    tab = context.tabs.add(kept.path, kept.views)
    if kept.is_unsaved:
        side.tab_actions.show(tab)
        if context.tabs.shown is tab:
            context.documents.tell(context.documents.document.recover())
            side.banners.close_banner(RECOVERY)
    return tab


class SettingsNews(QObject):
    """Says what a change of the settings needs: a restart for another language, which it does; other keys."""

    def __init__(self, context: WindowContext, banners: BannerStack, session: Session) -> None:
        super().__init__(banners)
        self._context = context
        self._banners = banners
        self._session = session
        self._keys = context.settings.current.keys
        context.settings.settings_changed.connect(self._on_settings_changed)

    @Slot(object)
    def _on_settings_changed(self, settings: Settings) -> None:
        self._banners.close_banner(_LANGUAGE)
        if settings.keys != self._keys:
            self._keys = settings.keys
            tell_of_keys(self._context)
        wanted = spoken(settings.language)
        if wanted != language():
            text = _("To speak {language}, the program must start again. What is open stays, with all unsaved changes.")
            notice = Notice(NoticeKind.INFO, text.format(language=LANGUAGES[wanted]), Cause.SETTINGS)
            choices = (Choice(_("Restart now"), self._session.restart), Choice(_("Later"), _nothing))
            self._banners.show_banner(_LANGUAGE, notice, choices)


def tell_of_keys(context: WindowContext) -> None:
    """Say in the status bar when keys in the settings file cannot work; the dialog has all of it."""
    settings = context.settings.current
    if settings.keys:
        from workbench.gui.control.keys.keymap import key_problems  # noqa: PLC0415 - only where somebody has own keys

        problems = key_problems(settings)
        if problems:
            more = ngettext("{count} problem with your keys", "{count} problems with your keys", len(problems))
            words = _("{problems}: see Preferences › Keys. {first}")
            context.notices.tell(words.format(problems=more, first=problems[0]))


def _nothing() -> None:
    """Only close the banner."""
