"""The forms in which a playbook can be exported, and what belongs to each: its name, its ending, who draws it."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from workbench.i18n import N_, LazyText
from workbench.pages.parts import Part


class Form(enum.Enum):
    """How a playbook is exported; the value is the word for it in the terminal."""

    SVG = "svg"
    PNG = "png"
    PDF = "pdf"
    MERMAID = "mermaid"
    BPMN = "bpmn"
    HTML = "html"

    @property
    def is_drawn(self) -> bool:
        """Whether Qt draws it; all others are texts."""
        return self in (Form.PNG, Form.PDF)

    @property
    def ending(self) -> str:
        """What the name of a file of this form ends with."""
        return ENDINGS[self][0]

    def __str__(self) -> str:
        """What a person calls the form."""
        return str(_WORDS[self])


ENDINGS = {
    Form.SVG: (".svg",),
    Form.PNG: (".png",),
    Form.PDF: (".pdf",),
    Form.MERMAID: (".mmd", ".mermaid"),
    Form.BPMN: (".bpmn",),
    Form.HTML: (".html", ".htm"),
}
"""What the names of files end with, the usual one first."""
_WORDS: dict[Form, LazyText] = {
    Form.SVG: N_("SVG picture"),
    Form.PNG: N_("PNG picture"),
    Form.PDF: N_("PDF document"),
    Form.MERMAID: N_("Mermaid flowchart"),
    Form.BPMN: N_("BPMN 2.0 process"),
    Form.HTML: N_("HTML page"),
}


class Paper(enum.Enum):
    """The sheet of a PDF; AS_LARGE: one sheet that is as large as the picture."""

    A4 = "a4"
    A3 = "a3"
    LETTER = "letter"
    AS_LARGE = "fit"


@dataclass(frozen=True, slots=True)
class Wish:
    """How a part is exported. *scale*: pixels of a PNG for each of the flowchart."""

    form: Form
    is_dark: bool = False
    paper: Paper = Paper.A4
    is_upright: bool = True
    scale: float = 2.0


Draw = Callable[[Part, Wish], bytes]
"""What draws a form for which Qt is needed. Raises CannotSave where the picture would be too large."""


def form_of(path: Path) -> Form | None:
    """The form that the ending of *path* names, None for any other."""
    return next((form for form, endings in ENDINGS.items() if path.suffix.lower() in endings), None)


def exported(part: Part, wish: Wish, draw: Draw) -> bytes:
    """*part* as it stands in a file; the same bytes each time. Raises CannotSave as *draw* does."""
    return draw(part, wish) if wish.form.is_drawn else exported_text(part, wish).encode("utf-8", "backslashreplace")


def exported_text(part: Part, wish: Wish) -> str:
    """*part* in a form that is a text; each is loaded when it is wanted."""
    if wish.form is Form.MERMAID:
        from workbench.pages.diagrams.mermaid import mermaid_text  # noqa: PLC0415

        return mermaid_text(part)
    if wish.form is Form.SVG:
        from workbench.pages.diagrams.picture import svg_text  # noqa: PLC0415

        return svg_text(part, is_dark=wish.is_dark)
    if wish.form is Form.BPMN:
        from workbench.pages.bpmn.processes import processes_of  # noqa: PLC0415
        from workbench.pages.bpmn.writing import bpmn_text  # noqa: PLC0415

        return bpmn_text(processes_of(part), part.title)
    from workbench.pages.diagrams.playbook_page import playbook_page  # noqa: PLC0415

    return playbook_page(part)
