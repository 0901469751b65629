"""What the box of a linked file says: the title and the kind as far as the project knows them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workbench.gui.canvas.content.box_content import Badge, BoxContent
from workbench.gui.words.values import drawable_line
from workbench.model.layout.shapes import Box, Shape

_TEXT_LIMIT = 200
_LINE_BREAK = "\u2028"


@dataclass(frozen=True, slots=True)
class FileLabel:
    """What is known of a file. *icon*: of its kind. *is_missing*: it is certain that it is not there."""

    title: str = ""
    icon: str = ""
    is_missing: bool = False


LabelOf = Callable[[str], FileLabel]
"""What is known of the file that a path, as links have it, leads to."""

_NOTHING = FileLabel()


def nothing_known(_path: str) -> FileLabel:
    """For a picture without a project."""
    return _NOTHING


def file_content(box: Box, label: FileLabel) -> BoxContent:
    """What is drawn for *box*, whose text is the path of a file: its title above its name."""
    name = drawable_line(box.text.rpartition("/")[2])
    title = drawable_line(label.title)[:_TEXT_LIMIT]
    badges = [Badge(label.icon)] if label.icon else []
    if label.is_missing:
        badges.append(Badge("warning", "warning"))
    return BoxContent(
        shape=Shape.FILE,
        kind=box.kind,
        text=f"{title}{_LINE_BREAK}{name}" if title and title != name else name,
        width=box.rect.width,
        height=box.rect.height,
        badges=tuple(badges),
        is_optional=label.is_missing,
    )
