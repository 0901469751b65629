"""Exporting in the window: what is asked before, progress that can be given up, and copies for other programs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from types import MappingProxyType

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QWidget,
)

from workbench.disk.outputs import write_file
from workbench.errors import WorkbenchError
from workbench.gui.control.background import BackgroundWork
from workbench.gui.control.context import WindowContext
from workbench.gui.control.notices import Cause
from workbench.gui.files.pictures import Picture, Slices, drawing
from workbench.gui.look.frames import BusyBar
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column
from workbench.gui.look.theming import current_theme
from workbench.gui.words.values import drawable_line
from workbench.i18n import N_, LazyText, _
from workbench.model.snapshot import Snapshot
from workbench.pages.diagrams.forms import ENDINGS, Form, Paper, Wish, exported_text, form_of
from workbench.pages.parts import Part, date_of, notes_about, part_of

_PATIENCE_MS = 400
_SLICE_S = 0.006
_WIDTH_PX = 380
_SELECTION = "\0"  # no name of a playbook
_SAYS: Mapping[Form, LazyText] = {
    Form.SVG: N_("A picture that stays sharp, with text that can be searched and read aloud."),
    Form.PNG: N_("A picture for anything that shows pictures."),
    Form.PDF: N_("An overview, and pages that can be read and printed, cut between the steps."),
    Form.MERMAID: N_("A text that wikis and READMEs draw as a flowchart."),
    Form.BPMN: N_("For process tools: tasks, gateways, events and the diagram."),
    Form.HTML: N_("A page with flowchart, outline, findings and text that needs nothing else."),
}
_PAPERS: Mapping[str, LazyText] = {
    "a4": N_("A4 upright"),
    "a4-level": N_("A4 landscape"),
    "a3": N_("A3 upright"),
    "a3-level": N_("A3 landscape"),
    "letter": N_("Letter upright"),
    "letter-level": N_("Letter landscape"),
    "fit": N_("One page as large as the flowchart"),
}
_LEVEL = "-level"


class ExportDialog(QDialog):
    """Asks in what form, what of it, and how it is to look. *last*: what was chosen before, by the names of fields."""

    wanted = Signal(object)  # dict[str, str]: what was chosen

    def __init__(self, snapshot: Snapshot, has_selection: bool, last: Mapping[str, str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Export"))
        self.form = _box(self, {form.value: str(form) for form in Form}, last.get("form", Form.PNG.value))
        self.what = _box(self, dict(_parts_of(snapshot, has_selection=has_selection)), "")
        self.theme = _box(self, {"light": _("Light"), "dark": _("Dark")}, last.get("theme", "light"))
        self.paper = _box(self, {key: str(words) for key, words in _PAPERS.items()}, last.get("paper", "a4"))
        self.scale = QDoubleSpinBox(self)
        self.scale.setRange(0.1, 8.0)
        self.scale.setDecimals(1)
        self.scale.setSingleStep(0.5)
        self.scale.setValue(float(last.get("scale", "2")))
        self.says = Label(parent=self, wraps=True, role="muted")
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self._arrange()
        self.form.activated.connect(self._on_form_chosen)
        self._on_form_chosen()

    def _arrange(self) -> None:
        rows = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        rows.addRow(_("&Format"), self.form)
        rows.addRow(_("&What"), self.what)
        rows.addRow(_("&Colours"), self.theme)
        rows.addRow(_("&Page"), self.paper)
        rows.addRow(_("&Pixels per point"), self.scale)
        self.go_on = self._buttons.addButton(_("&Export…"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.go_on.setDefault(True)
        in_column(self, rows, self.says, 1, self._buttons)
        self.setMinimumWidth(current_theme().px(_WIDTH_PX))
        self._buttons.accepted.connect(self._on_accepted)
        self._buttons.rejected.connect(self.reject)

    @property
    def chosen(self) -> dict[str, str]:
        """What the fields say, by their names; ``what`` is the name of a playbook or an agent."""
        boxes = {"form": self.form, "what": self.what, "theme": self.theme, "paper": self.paper}
        return {name: str(box.currentData()) for name, box in boxes.items()} | {
            "scale": str(round(self.scale.value(), 1))
        }

    @Slot()
    def _on_form_chosen(self) -> None:
        form = Form(self.form.currentData())
        self.says.setText(str(_SAYS[form]))
        self.theme.setEnabled(form in (Form.SVG, Form.PNG, Form.PDF))
        self.paper.setEnabled(form is Form.PDF)
        self.scale.setEnabled(form is Form.PNG)

    @Slot()
    def _on_accepted(self) -> None:
        self.accept()
        self.wanted.emit(self.chosen)


def _box(parent: QWidget, choices: Mapping[str, str], chosen: str) -> QComboBox:
    box = QComboBox(parent)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(20)
    for value, words in choices.items():
        box.addItem(words, value)
    box.setCurrentIndex(max(0, box.findData(chosen)))
    return box


def _parts_of(snapshot: Snapshot, *, has_selection: bool) -> Iterator[tuple[str, str]]:
    """What can be exported: all, what is selected, each agent where there are several, each playbook."""
    yield "", _("The whole file")
    if has_selection:
        yield _SELECTION, _("The selected steps")
    agents = [agent for agent in snapshot.program.agents if agent.playbooks]
    for agent in agents if len(agents) > 1 else ():
        yield agent.name, _("Agent: {name}").format(name=drawable_line(agent.title or agent.name))
    for playbook in snapshot.program.playbooks:
        title = playbook.own_address or playbook.title or playbook.name
        yield playbook.address, _("Playbook: {name}").format(name=drawable_line(title))


def wish_of(chosen: Mapping[str, str]) -> Wish:
    """How what was *chosen* is to be exported."""
    paper = chosen.get("paper", "a4")
    return Wish(
        Form(chosen["form"]),
        chosen.get("theme") == "dark",
        Paper(paper.removesuffix(_LEVEL)),
        not paper.endswith(_LEVEL),
        float(chosen.get("scale", "2")),
    )


class ExportProgress(QDialog):
    """Shown only when the wait is long; the window behind it stays usable."""

    cancelled = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Export"))
        self.setMinimumWidth(current_theme().px(_WIDTH_PX))
        self.bar = BusyBar(_("Exporting"), self)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        buttons.rejected.connect(self.reject)
        in_column(self, Label(_("The flowchart is being exported."), self), self.bar, buttons)
        self._wait = QTimer(self, interval=_PATIENCE_MS, singleShot=True)
        self._wait.timeout.connect(self.show)

    def begin(self) -> None:
        """Appear in a moment, unless all is done by then."""
        self._wait.start()

    def show_done(self, done: float) -> None:
        """Tell how much is done, from 0 to 1."""
        self.bar.setRange(0, 100)
        self.bar.setValue(round(done * 100))

    def finish(self) -> None:
        """All is done, or was given up."""
        self._wait.stop()
        self.hide()

    @Slot()
    def reject(self) -> None:
        """Cancel, Esc, or the window's own sign to close."""
        self.finish()
        self.cancelled.emit()


class Exporting(QObject):
    """Asks, exports in slices or beside the window, and says what came of it. One export at a time."""

    exported = Signal(object)  # Path | None: where to, None for the clipboard

    def __init__(self, context: WindowContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self.dialog: ExportDialog | None = None
        self.progress = ExportProgress(window)
        self.progress.cancelled.connect(self._give_up)
        self._part: Part | None = None
        self._wish = Wish(Form.PNG)
        self._path: Path | None = None
        self._slices: Slices | None = None
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._on_turn)
        self._background = BackgroundWork(self)
        self._background.done.connect(self._on_made)

    def ask(self) -> None:
        """Ask what is to be exported; the last choice is offered again."""
        has_selection = bool(self._context.selection.selected)
        last = self._context.settings.current.exporting
        self.dialog = ExportDialog(self._context.documents.snapshot, has_selection, last, self._window)
        self.dialog.wanted.connect(self._on_wanted)
        self.dialog.finished.connect(self.dialog.deleteLater)
        self.dialog.open()

    def copy_picture(self) -> None:
        """Put the flowchart, or the selected steps, on the clipboard as a picture."""
        self._begin(self._part_of(_SELECTION), Wish(Form.PNG, current_theme().is_dark), None)

    def copy_mermaid(self) -> None:
        """Put the flowchart, or the selected steps, on the clipboard as Mermaid."""
        self._begin(self._part_of(_SELECTION), Wish(Form.MERMAID), None)

    @Slot(object)
    def _on_wanted(self, chosen: dict[str, str]) -> None:
        kept = MappingProxyType({name: value for name, value in chosen.items() if name != "what"})
        self._context.settings.change(partial(replace, exporting=kept))
        part, wish = self._part_of(chosen["what"]), wish_of(chosen)
        path = ask_file(self._window, self._suggestion(part, wish.form), wish.form)
        if path is not None:
            self._begin(part, wish, path)

    def _part_of(self, what: str) -> Part:
        documents = self._context.documents
        steps = self._context.selection.selected if what == _SELECTION else ()
        path = documents.document.path
        name = path.name if path is not None else _("the new playbook")
        part = part_of(documents.snapshot, name, what.removeprefix(_SELECTION), steps)
        return replace(part, date=date_of(path)) if path is not None else part

    def _suggestion(self, part: Part, form: Form) -> Path:
        """Beside the file: its name, or that of the part, with the ending of *form*."""
        path = self._context.documents.document.path
        title = "-".join(re.findall(r"[^\W_]+", part.title.lower()))[:60] or _("playbook")
        stem = path.stem if path is not None and part.snapshot is part.whole else title
        folder = path.parent if path is not None else Path(self._context.settings.current.project_folder or ".")
        return folder / f"{stem}{form.ending}"

    def _begin(self, part: Part, wish: Wish, path: Path | None) -> None:
        """Export *part* to *path*, or to the clipboard."""
        self._give_up()
        self._part, self._wish, self._path = part, wish, path
        self.progress.begin()
        self._background.ask(partial(Picture if wish.form.is_drawn else exported_text, part, wish))

    @Slot()
    def _on_turn(self) -> None:
        """Paint for as long as the window can spare."""
        until = monotonic() + _SLICE_S
        try:
            while self._slices is not None and monotonic() < until:
                self.progress.show_done(next(self._slices))
        except StopIteration as end:
            self._turn.stop()
            self._slices = None
            self._background.ask(end.value)
        except WorkbenchError as error:
            self._give_up()
            self._context.notices.report(error, Cause.OTHER_FILE)

    @Slot(object)
    def _on_made(self, made: object) -> None:
        """What can be done beside the window is done: the layout of a picture, or all of it."""
        if isinstance(made, Picture):
            self._slices = drawing(made, self._wish)
            self._turn.start()
        else:
            self._finish(made if isinstance(made, bytes) else str(made).encode("utf-8", "backslashreplace"))

    def _finish(self, data: bytes) -> None:
        """Put *data* where it was wanted, and say so."""
        self.progress.finish()
        path, part = self._path, self._part
        if path is not None:
            try:
                write_file(path, data)
            except WorkbenchError as error:
                self._context.notices.report(error, Cause.OTHER_FILE)
                return
            told = _("Exported to “{name}”.").format(name=drawable_line(path.name))
        elif self._wish.form is Form.PNG:
            QGuiApplication.clipboard().setImage(QImage.fromData(data))
            told = _("Copied as a picture.")
        else:
            QGuiApplication.clipboard().setText(data.decode("utf-8"))
            told = _("Copied as Mermaid.")
        notes = notes_about(part) if part is not None else ()
        self._context.notices.tell(" ".join((told, *notes)))
        self.exported.emit(path)

    @Slot()
    def _give_up(self) -> None:
        """Stop what is being exported; nothing has been written."""
        self._turn.stop()
        self._background.forget()
        if self._slices is not None:
            self._slices.close()
            self._slices = None
        self.progress.finish()


def ask_file(parent: QWidget, suggestion: Path, form: Form) -> Path | None:
    """The file to write, or None; with the ending of *form* where none was typed that it has."""
    patterns = " ".join(f"*{ending}" for ending in ENDINGS[form])
    name, _filter = QFileDialog.getSaveFileName(parent, _("Export"), str(suggestion), f"{form} ({patterns})")
    if not name:
        return None
    return Path(name) if form_of(Path(name)) is form else Path(f"{name}{form.ending}")
