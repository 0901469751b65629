"""What the window does for the actions about saved runs: a run becomes a test, and tests are run beside the window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause, Notice, NoticeKind
from workbench.i18n import _

if TYPE_CHECKING:
    from workbench.gui.recorded.saved_tests import ReplayProgram, SavedTest
    from workbench.gui.recorded.tests_dialog import SavedTestsDialog


class SavedTestActions(QObject):
    """Handles *Save run as test* and *Run the tests of this playbook*.

    Life cycle: ``give_up`` when the window closes.
    """

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._tester: ReplayProgram | None = None
        self._dialog: SavedTestsDialog | None = None
        self._playbook: Path | None = None
        self._is_saving = False
        context.actions.register("run.save-test", self.save)
        context.actions.register("run.test", self.test)

    def give_up(self) -> None:
        """Nobody waits for what is tested: the window closes."""
        if self._tester is not None:
            self._tester.give_up()

    def save(self) -> None:
        """Save the run that is shown as a test beside its playbook, and say whether that does the same today."""
        view = self._context.shown.view
        if view is None:
            return
        if not view.origin.path:
            self._context.notices.tell(_("A test is kept beside its playbook, and this one was never saved."))
            return
        self._is_saving, self._playbook = True, Path(view.origin.path)
        self._context.notices.tell(_("Saving the run as a test…"))
        self._begun().save(view.id)

    def test(self) -> None:
        """Test all saved runs of the document, as its file is."""
        from workbench.gui.recorded.saved_tests import saved_tests_of  # noqa: PLC0415 - it loads the engine

        path = self._context.documents.document.path
        if path is None or not saved_tests_of(path):
            self._context.notices.tell(_("This playbook has no tests yet. Save a run as a test first."))
            return
        self._is_saving, self._playbook = False, path
        tester = self._begun()
        self._shown(path)
        tester.test(path)

    def _begun(self) -> ReplayProgram:
        from workbench.gui.recorded.saved_tests import ReplayProgram  # noqa: PLC0415 - likewise

        if self._tester is None:
            self._tester = ReplayProgram(self._context.places, self)
            self._tester.told.connect(self._on_told)
            self._tester.over.connect(self._on_over)
        self._tester.give_up()
        return self._tester

    def _shown(self, playbook: Path) -> SavedTestsDialog:
        """The dialog about the tests of *playbook*, empty."""
        from workbench.gui.recorded.tests_dialog import SavedTestsDialog  # noqa: PLC0415 - likewise

        if self._dialog is not None:
            self._dialog.close()
            self._dialog.deleteLater()
        self._dialog = SavedTestsDialog(self._context, playbook, self._window)
        self._dialog.again_wanted.connect(self._on_again)
        self._dialog.finished.connect(self._on_closed)
        self._dialog.begin(is_changed=self._context.documents.file_state.is_dirty)
        self._dialog.show()
        return self._dialog

    @Slot()
    def _on_again(self) -> None:
        if self._dialog is not None and self._playbook is not None:
            self._is_saving = False
            self._dialog.begin(is_changed=self._context.documents.file_state.is_dirty)
            self._begun().test(self._playbook)

    @Slot()
    def _on_closed(self) -> None:
        """Whoever closes the dialog waits for nothing more."""
        if not self._is_saving:
            self.give_up()

    @Slot(object)
    def _on_told(self, test: SavedTest) -> None:
        if not self._is_saving:
            if self._dialog is not None:
                self._dialog.take(test)
            return
        self._context.notices.settle(Cause.OTHER_FILE)
        self._context.notices.tell(_("Saved as {name}.").format(name=f"{test.file.parent.name}/{test.file.name}"))
        if test.lines:
            dialog = self._shown(test.playbook)
            dialog.take(test)
            dialog.note.setText(_("The playbook as it is now does something else than this run did:"))
            dialog.note.show()

    @Slot(str)
    def _on_over(self, problem: str) -> None:
        if self._is_saving and problem:
            self._context.notices.noticed.emit(Notice(NoticeKind.ERROR, problem, Cause.OTHER_FILE))
        elif self._dialog is not None:
            self._dialog.end(problem)
        self._is_saving = False
