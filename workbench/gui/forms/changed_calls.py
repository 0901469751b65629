"""Works out beside the window what a call would do with other arguments: that may ask a server or read files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Slot

from workbench.engine.ports import CallToAllow
from workbench.errors import Cancelled, WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.forms.approval_form import ApprovalForm
from workbench.i18n import _

Describe = Callable[[Mapping[str, Any]], CallToAllow]
"""The call with other arguments; called in the background. Raises WorkbenchError, and Cancelled."""


class ChangedCalls(QObject):
    """Answers *form* when it wants to show a changed call; goes with it."""

    def __init__(self, form: ApprovalForm, describe: Describe) -> None:
        super().__init__(form)
        self._form = form
        self._describe = describe
        self._work = BackgroundWork(self)
        self._work.done.connect(self._on_done)
        form.preview_wanted.connect(self._on_preview_wanted)

    @Slot(object)
    def _on_preview_wanted(self, arguments: Mapping[str, Any]) -> None:
        self._work.ask(partial(_described, self._describe, arguments))

    @Slot(object)
    def _on_done(self, call: CallToAllow | str) -> None:
        if isinstance(call, str):
            self._form.show_no_preview(call)
        else:
            self._form.show_changed(call)


def _described(describe: Describe, arguments: Mapping[str, Any]) -> CallToAllow | str:
    try:
        return describe(arguments)
    except Cancelled:
        return _("The run is no longer waiting for this answer.")
    except WorkbenchError as error:
        return str(error)
