"""Themes, language, text size and layout: what the View menu does to the window itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject

from workbench.gui.control.actions import Mark
from workbench.gui.control.context import WindowContext
from workbench.gui.look.theming import ThemeChoice
from workbench.gui.shell.panes.layout_memory import LayoutMemory
from workbench.i18n import LANGUAGES, SYSTEM, _, numeral

_LANGUAGES = (SYSTEM, *LANGUAGES)
TEXT_SCALES = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)


class ViewActions(QObject):
    """Handles the actions of the View menu that concern no single pane."""

    def __init__(self, context: WindowContext, layout: LayoutMemory, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        handlers: dict[str, Callable[[], object]] = {
            "view.theme-system": self.follow_system,
            "view.theme-light": self.use_light,
            "view.theme-dark": self.use_dark,
            "view.text-larger": self.make_text_larger,
            "view.text-smaller": self.make_text_smaller,
            "view.reset-layout": layout.reset,
        }
        for choice in _LANGUAGES:
            handlers[f"view.language-{choice}"] = partial(self.speak, choice)
        for action_id, handler in handlers.items():
            context.actions.register(action_id, handler)
        self._mark_choice()
        self._mark_language()

    def follow_system(self) -> None:
        """Light or dark as the system is."""
        self._choose(ThemeChoice.SYSTEM)

    def use_light(self) -> None:
        """Always light."""
        self._choose(ThemeChoice.LIGHT)

    def use_dark(self) -> None:
        """Always dark."""
        self._choose(ThemeChoice.DARK)

    def make_text_larger(self) -> None:
        """The next larger text size."""
        current = self._context.settings.current.text_scale
        self._scale(min((scale for scale in TEXT_SCALES if scale > current), default=TEXT_SCALES[-1]))

    def make_text_smaller(self) -> None:
        """The next smaller text size."""
        current = self._context.settings.current.text_scale
        self._scale(max((scale for scale in TEXT_SCALES if scale < current), default=TEXT_SCALES[0]))

    def speak(self, choice: str) -> None:
        """Speak the language *choice* from the next start on: what is on the screen now has been said already."""
        self._context.settings.change(partial(replace, language=choice))
        self._mark_language()
        self._context.notices.tell(_("The language changes at the next start."))

    def _choose(self, choice: ThemeChoice) -> None:
        self._context.theme.choose(choice)
        self._mark_choice()
        self._context.settings.change(partial(replace, theme=choice.value))

    def _scale(self, scale: float) -> None:
        self._context.theme.set_scale(scale)
        self._context.notices.tell(_("Text size {percent}%").format(percent=numeral(round(scale * 100))))
        self._context.settings.change(partial(replace, text_scale=scale))

    def _mark_choice(self) -> None:
        for choice in ThemeChoice:
            mark = Mark.ON if choice is self._context.theme.choice else Mark.OFF
            self._context.actions.set_mark(f"view.theme-{choice.value}", mark)

    def _mark_language(self) -> None:
        for choice in _LANGUAGES:
            mark = Mark.ON if choice == self._context.settings.current.language else Mark.OFF
            self._context.actions.set_mark(f"view.language-{choice}", mark)
