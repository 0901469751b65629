"""Buttons that open a file: a card with what the file says of itself, and a plain line."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

_PEEK_BYTES = 4096


def peek(path: Path) -> tuple[str, str]:
    """The first heading of *path* and the first paragraph below it, without parsing the file."""
    with path.open("rb") as file:
        lines = file.read(_PEEK_BYTES).decode("utf-8", "replace").splitlines()
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
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self.setToolTip(str(path))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(14, 12, 14, 12)
        self._column.setSpacing(4)
        self._add_words(title, "card-title")
        self._add_words(text, "secondary")
        self._column.addStretch(1)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.clicked.connect(self._on_clicked)

    def _add_words(self, text: str, role: str) -> None:
        label = QLabel(text, self)
        label.setProperty("role", role)
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
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
        super().__init__(f"{path.name}   {path.parent}", parent)
        self._path = path
        self.setProperty("role", "link")
        self.setToolTip(str(path))
        self.clicked.connect(self._on_clicked)

    @Slot()
    def _on_clicked(self) -> None:
        self.opened.emit(self._path)
