"""What the window shows while nothing is open: how to begin, the samples as cards, and what was open lately."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from workbench.disk.files import is_file, read_beginning
from workbench.gui.control.context import WindowContext
from workbench.gui.control.document_controller import FileState
from workbench.gui.look.label import Label
from workbench.gui.look.layouts import in_column
from workbench.gui.look.theming import current_theme
from workbench.gui.words.values import drawable_line, menu_text, tip
from workbench.i18n import _
from workbench.resources import sample_playbooks, use_case_playbooks
from workbench.settings import Settings

_PEEK_BYTES = 4096
_RECENT_SHOWN = 6
_MOST_COLUMNS = 3
_CARD_PX = 230
_MARGIN_PX = 32
_NARROW_PX = 560


def peek(path: Path) -> tuple[str, str]:
    """The first heading of *path* and the first paragraph below it, without parsing the file."""
    lines = read_beginning(path, _PEEK_BYTES).decode("utf-8", "replace").splitlines()
    heading = next((index for index, line in enumerate(lines) if line.startswith("# ")), None)
    if heading is None:
        return path.stem.replace("-", " ").capitalize(), ""
    words: list[str] = []
    for line in lines[heading + 1 :]:
        is_prose = bool(line.strip()) and not line.startswith(("#", "-", "```", "<!--"))
        if not is_prose and (words or line.strip()):
            break
        if is_prose:
            words.append(line.strip())
    return lines[heading].removeprefix("# ").strip(), " ".join(words)


class FileCard(QPushButton):
    """A file with its title and a sentence; opens with a click or Enter."""

    opened = Signal(object)  # Path

    def __init__(self, path: Path, title: str, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._path = path
        self.setProperty("role", "card")
        self.setAccessibleName(drawable_line(title))
        self.setAccessibleDescription(drawable_line(text))
        self.setToolTip(tip(str(path)))
        self._column = in_column(self, margins=(14, 12, 14, 12), spacing=4)
        self._add_words(title, "card-title")
        self._add_words(text, "secondary")
        self._column.addStretch(1)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.clicked.connect(self._on_clicked)

    def _add_words(self, text: str, role: str) -> None:
        label = Label(text, self, role=role, wraps=True)
        label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._column.addWidget(label)

    def sizeHint(self) -> QSize:
        """As large as the words need; a push button would only count its own text."""
        return self._column.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """As small as the words allow."""
        return self._column.minimumSize()

    def hasHeightForWidth(self) -> bool:
        """The words wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """How tall the wrapped words are."""
        return self._column.heightForWidth(width)

    @Slot()
    def _on_clicked(self) -> None:
        self.opened.emit(self._path)


class FileLink(QPushButton):
    """A file as one line: its name and its folder."""

    opened = Signal(object)  # Path

    def __init__(self, path: Path, parent: QWidget) -> None:
        super().__init__(menu_text(f"{path.name}   {path.parent}"), parent)
        self._path = path
        self.setProperty("role", "link")
        self.setToolTip(tip(str(path)))
        self.clicked.connect(self._on_clicked)

    @Slot()
    def _on_clicked(self) -> None:
        self.opened.emit(self._path)


class WelcomePage(QScrollArea):
    """How to begin."""

    back_requested = Signal()

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.cards: tuple[FileCard, ...] = ()
        self._grid = QGridLayout()
        self._buttons = QHBoxLayout()
        self._columns = 0
        self._recent: list[QWidget] = []
        page = QWidget(self)
        self._column = in_column(page, margins=_MARGIN_PX, spacing=16)
        self._add_beginning()
        self._add_samples()
        self._recent_column = QVBoxLayout()
        self._recent_column.setSpacing(2)
        self._column.addLayout(self._recent_column)
        self._column.addStretch(1)
        self.setWidget(page)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        context.settings.settings_changed.connect(self._show_recent)
        context.documents.file_state_changed.connect(self._on_file_state_changed)
        self._on_file_state_changed(context.documents.file_state)
        self._show_recent(context.settings.current)

    def _add_beginning(self) -> None:
        title = self._words(_("Playbook Workbench"), "hero")
        words = self._words(
            _(
                "Write a procedure as text, see it as a flowchart, and run it step by step. Text and "
                "flowchart are the same file."
            ),
            "muted",
        )
        row = self._buttons
        for action_id, text in (
            ("file.new", _("New playbook")),
            ("file.new-goal", _("New from a goal…")),
            ("file.open", _("Open file…")),
            ("file.open-folder", _("Open folder…")),
        ):
            button = QPushButton(text, self)
            button.setProperty("primary", action_id == "file.new")
            button.clicked.connect(self._context.actions.action(action_id).trigger)
            row.addWidget(button)
        self.back_button = QPushButton(self, flat=True)
        self.back_button.clicked.connect(self.back_requested)
        row.addWidget(self.back_button)
        row.addStretch(1)
        self._column.addWidget(title)
        self._column.addWidget(words)
        self._column.addLayout(row)

    def _add_samples(self) -> None:
        self._column.addWidget(self._words(_("Samples you can run"), "title"))
        self._grid.setSpacing(12)
        samples = (*sample_playbooks(), *use_case_playbooks())
        self.cards = tuple(FileCard(path, *peek(path), self) for path in samples)
        for card in self.cards:
            card.opened.connect(self._context.documents.copy_requested)
        self._column.addLayout(self._grid)
        self._place_cards(_MOST_COLUMNS)

    def _place_cards(self, columns: int) -> None:
        """Put the cards in rows of *columns*."""
        self._columns = columns
        for column in range(_MOST_COLUMNS):
            self._grid.setColumnStretch(column, int(column < columns))
        for index, card in enumerate(self.cards):
            self._grid.addWidget(card, index // columns, index % columns)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many cards in a row as have room for their words; what begins in a row, too, if it has room."""
        super().resizeEvent(event)
        theme, width = current_theme(), self.viewport().width()
        is_narrow = width < theme.px(_NARROW_PX)
        margin = _MARGIN_PX // 2 if is_narrow else _MARGIN_PX
        self._column.setContentsMargins(margin, margin, margin, margin)
        self._buttons.setDirection(QBoxLayout.Direction.TopToBottom if is_narrow else QBoxLayout.Direction.LeftToRight)
        room = width // theme.px(_CARD_PX)
        columns = max(1, min(_MOST_COLUMNS, room))
        if columns != self._columns:
            self._place_cards(columns)

    def _words(self, text: str, role: str) -> Label:
        return Label(text, self, role=role, wraps=True)

    @Slot(object)
    def _on_file_state_changed(self, state: FileState) -> None:
        """Offer the way back while there is a document to go back to."""
        name = state.path.name if state.path is not None else _("the new playbook")
        self.back_button.setText(menu_text(_("Back to {name}").format(name=name)))
        self.back_button.setVisible(state.is_open)

    @Slot(object)
    def _show_recent(self, settings: Settings) -> None:
        """List what was open lately and is still there."""
        for widget in self._recent:
            widget.deleteLater()
        existing = [path for path in map(Path, settings.recent_files) if is_file(path)][:_RECENT_SHOWN]
        self._recent = [self._words(_("Recent files"), "title")] if existing else []
        for path in existing:
            link = FileLink(path, self)
            link.opened.connect(self._context.documents.open_requested)
            self._recent.append(link)
        for widget in self._recent:
            self._recent_column.addWidget(widget)
