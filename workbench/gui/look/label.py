"""A label that shows its text as text, with an ellipsis where there is no room for all of it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from workbench.gui.look.inline_look import markup_of
from workbench.gui.look.theming import current_theme
from workbench.gui.words.directions import closed, ordered
from workbench.gui.words.values import drawable, tip
from workbench.syntax.inline import stretches_of_lines


class Label(QLabel):
    """Never takes its text for markup, and shows a sign for what nobody would see. The only label of this program.

    *role*: how the style sheet shows it. *wraps*: onto further lines.
    """

    def __init__(
        self, text: str = "", parent: QWidget | None = None, *, role: str | None = None, wraps: bool = False
    ) -> None:
        super().__init__(ordered(drawable(text)), parent, wordWrap=wraps)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)

    def setText(self, text: str) -> None:
        """Show *text* from now on."""
        super().setText(ordered(drawable(text)))


class WordsLabel(Label):
    """Shows bold, code and links of its text as people read them; everything else in it is text.

    ``words`` are those without marks, which is also what is read aloud.
    """

    def __init__(self, text: str, parent: QWidget, *, role: str | None = None) -> None:
        super().__init__("", parent, role=role, wraps=True)
        self.words = ""
        self._text = ""
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show *text* from now on."""
        self._text = text
        stretches = stretches_of_lines(text)
        self.words = drawable("".join([each.text for each in stretches]))
        self.setAccessibleName(self.words)
        if all(each.is_plain for each in stretches):
            self.setTextFormat(Qt.TextFormat.PlainText)
            super().setText(self.words)
            return
        self.setTextFormat(Qt.TextFormat.RichText)
        QLabel.setText(self, markup_of(stretches, current_theme()))
        targets = dict.fromkeys(f"{each.text} → {each.link}" for each in stretches if each.link not in ("", each.text))
        self.setToolTip(tip("\n".join(targets)))

    def take_theme(self) -> None:
        """Code and links have colours of their own."""
        self.setText(self._text)


class ProblemLabel(Label):
    """Says what is wrong, and takes no room while nothing is."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent=parent, role="problem", wraps=True)
        self.hide()

    def setText(self, text: str) -> None:
        """Say *text* from now on."""
        super().setText(text)
        self.setVisible(bool(text))


class ElidedLabel(Label):
    """Takes whatever width there is; ``text`` stays whole, for tools that read it aloud."""

    def __init__(self, text: str, parent: QWidget, *, role: str | None = None) -> None:
        super().__init__(text, parent, role=role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def shown(self) -> str:
        """As much of the words as there is room for."""
        room, text = self.contentsRect().width(), self.text()
        shown = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
        return shown if shown == text else closed(shown)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what is shown of the words."""
        del event  # it is one line: all of it
        painter, place = QPainter(self), self.contentsRect()
        role, align = self.foregroundRole(), int(self.alignment())
        self.style().drawItemText(painter, place, align, self.palette(), self.isEnabled(), self.shown, role)
