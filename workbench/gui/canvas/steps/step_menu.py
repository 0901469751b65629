"""The context menu of the canvas: the actions of the window that concern steps, and the kinds a step can become."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from PySide6.QtCore import QObject, QPoint, QPointF, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu

from workbench.editing.commands import ChangeKind
from workbench.gui.canvas.content.canvas_state import Hit, HitPart, findings_on
from workbench.gui.canvas.steps.step_fixes import findings_menu
from workbench.gui.canvas.steps.step_links import StepLinks
from workbench.gui.canvas.steps.verbs import Verbs
from workbench.gui.canvas.view.camera import scene_point
from workbench.gui.canvas.view.canvas_view import CanvasView
from workbench.gui.control.action_spec import ActionSpec, Menu, Need, Spot
from workbench.gui.control.action_table import ACTIONS
from workbench.gui.control.context import WindowContext
from workbench.gui.fixes.fix_offers import add_fixes
from workbench.gui.fixes.operations import operations_menu
from workbench.gui.look.icons import icon
from workbench.gui.words.kinds import choices_in, icon_of, word_of
from workbench.gui.words.values import menu_text, tip
from workbench.i18n import _, ngettext
from workbench.model.meaning import StepKind
from workbench.model.program import Playbook, StepId
from workbench.model.showing.texts import code_of
from workbench.syntax.inline import plain_words

_MENUS = (Menu.STEP, Menu.EDIT, Menu.VIEW)
"""The menus of the window whose actions stand here, too: in this order, what concerns the step first."""


def groups_on(spot: Spot) -> Iterator[tuple[ActionSpec, ...]]:
    """The actions that the menu offers on *spot*, in the groups that they have in the menus of the window."""
    shown = [spec for menu in _MENUS for spec in ACTIONS if spec.menu is menu and spec.is_on(spot)]
    for _group, members in groupby(shown, lambda spec: (spec.menu, spec.group)):
        yield tuple(members)


class StepMenu(QObject):
    """Opens the menu where it is asked for."""

    def __init__(self, view: CanvasView, verbs: Verbs, links: StepLinks, context: WindowContext) -> None:
        super().__init__(view)
        self._view = view
        self._links = links
        self._verbs = verbs
        self._context = context
        self._actions = context.actions
        self._kinds: dict[QAction, StepKind] = {}
        self._chapter: Playbook | None = None

    @Slot(object)
    def open_at(self, at: QPoint) -> None:
        """Show the menu at *at* of the screen."""
        point = scene_point(self._view, QPointF(self._view.viewport().mapFromGlobal(at)))
        menu = self.menu(self._view.state.hit(point.x(), point.y()))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def menu(self, hit: Hit | None = None) -> QMenu:
        """A fresh menu for what is selected now, and for the title that *hit* is on."""
        menu = QMenu(self._view)
        self._add_chapter(menu, hit)
        steps = self._verbs.steps
        if len(steps) == 1:
            self._add_findings(menu, steps[0])
            self._add_code(menu, steps[0])
            self._links.add_to(menu, steps[0])
        for group in groups_on(Spot.STEP if steps else Spot.GROUND):
            for spec in group:
                action = self._actions.action(spec.id)
                if Need.BOX not in spec.needs or action.isEnabled():
                    menu.addAction(action)
            menu.addSeparator()
        if steps:
            menu.addMenu(operations_menu(menu, self._context, steps))
        if len(steps) == 1:
            menu.addMenu(self._kind_menu(menu, steps[0]))
        return menu

    def _add_findings(self, menu: QMenu, step: StepId) -> None:
        """The fixes of *step*, and what is wrong in the steps that it hides."""
        state = self._view.state
        found = findings_on(state.snapshot, step, state.folded)
        add_fixes(menu, self._context, [each.finding for each in found if each.step == step])
        inside = [each for each in found if each.step != step]
        if inside:
            menu.addMenu(findings_menu(menu, self._context, inside))
        menu.addSeparator()

    def _add_chapter(self, menu: QMenu, hit: Hit | None) -> None:
        """Whether the chapter is carried out whose title was hit, or in which the selected step stands."""
        snapshot, steps = self._verbs.documents.snapshot, self._verbs.steps
        is_title = hit is not None and hit.part is HitPart.TITLE
        chapter = snapshot.program.playbook(hit.playbook) if hit is not None and is_title else None
        if chapter is None and steps and not is_title:
            chapter = snapshot.playbook_of(steps[0])
        if chapter is None or not chapter.is_chapter or chapter.is_implied:
            return
        self._chapter = chapter
        words = _("Carry out the chapter “{title}”").format(title=plain_words(chapter.title))
        action = menu.addAction(menu_text(words), self._on_chapter_chosen)
        action.setCheckable(True)
        action.setChecked(chapter.is_carried_out)
        menu.addSeparator()

    @Slot()
    def _on_chapter_chosen(self) -> None:
        if self._chapter is not None:
            self._context.kinds.say_of_chapter(self._chapter.title, is_done=not self._chapter.is_carried_out)

    def _add_code(self, menu: QMenu, step: StepId) -> None:
        """Copying the code that stands in *step*."""
        if code_of(self._verbs.documents.snapshot.step(step)):
            menu.addAction(icon("copy"), _("Copy code"), self._on_code_wanted)
            menu.addSeparator()

    @Slot()
    def _on_code_wanted(self) -> None:
        if steps := self._verbs.steps:
            self.copy_code(code_of(self._verbs.documents.snapshot.step(steps[0])))

    @Slot(object)
    def copy_code(self, code: str) -> None:
        """Put *code* on the clipboard, and say so."""
        QGuiApplication.clipboard().setText(code)
        lines = len(code.splitlines())
        self._context.notices.tell(ngettext("Copied {count} line of code.", "Copied {count} lines of code.", lines))

    def _kind_menu(self, menu: QMenu, step: StepId) -> QMenu:
        """The kinds that the step can become; those it cannot are greyed and say why."""
        kinds = QMenu(_("Change kind"), menu, toolTipsVisible=True)
        kinds.triggered.connect(self._on_kind_chosen)
        snapshot = self._verbs.documents.snapshot
        current = snapshot.step(step).kind
        self._kinds = {}
        for kind in choices_in(snapshot.program):
            action = kinds.addAction(icon(icon_of(kind), kind), word_of(kind))
            self._kinds[action] = kind
            refusal = self._verbs.can(ChangeKind(step, kind)) if kind is not current else None
            action.setEnabled(kind is not current and refusal is None)
            if refusal is not None:
                action.setToolTip(tip(refusal.message))
        return kinds

    @Slot(QAction)
    def _on_kind_chosen(self, action: QAction) -> None:
        kind = self._kinds.get(action)
        if kind is not None:
            self._verbs.change_kind(kind)
