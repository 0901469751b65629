"""The flowchart as an SVG that needs nothing else: text as text, a title and a description for each block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from workbench.i18n import _, language, numeral
from workbench.model.layout.program import Layout, layout_program
from workbench.model.program import Step, StepId
from workbench.pages.flowchart import STYLE, drawn, edge, plain_box
from workbench.pages.kind_looks import LOOKS
from workbench.pages.marks import About, Ran
from workbench.pages.page import DARK, FONTS, LIGHT, px, safe
from workbench.pages.parts import Part, step_names, steps_of
from workbench.regex import regex

_VARIABLE = regex(r"var\(--([\w-]+)\)")
# what only a page needs: the figures around the pictures, and paper
_OF_PAGES = regex(r"(?m)^\.charts.*$|^@media print \{\n(?:  .*\n)*\}\n")


def svg_text(part: Part, *, is_dark: bool = False) -> str:
    """*part* as a picture at 100 %, in the colours of one theme."""
    layout = layout_program(part.snapshot)
    width, height = max(1, round(layout.width)), max(1, round(layout.height))
    title = safe(part.title)
    style = _VARIABLE.sub(lambda found: (DARK if is_dark else LIGHT)[found[1]], _OF_PAGES.sub("", STYLE))
    ground = (DARK if is_dark else LIGHT)["ground"]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' font-family="{safe(FONTS)}" role="img" aria-labelledby="title desc" xml:lang="{language()}">\n'
        f'<title id="title">{title}</title>\n<desc id="desc">{safe(_says(part))}</desc>\n'
        f"<style>{style}</style>\n"
        f'<rect width="100%" height="100%" fill="{ground}"/>\n'
        f"{''.join(f'{line}{chr(10)}' for line in _elements(part, layout))}</svg>\n"
    )


def about_steps(part: Part, *, is_linked: bool = False) -> Mapping[StepId, About]:
    """What a picture of *part* says of each step; *is_linked*: each leads to its line of the source."""
    names = step_names(part)
    found = {}
    for _name, playbook in part.playbooks:
        for step in steps_of(playbook):
            line = part.whole.line(step.id)
            href = f"#L{line}" if is_linked else ""
            found[step.id] = About(names[step.id], part.whole.number(step.id), _details(step, line), href)
    return found


def _details(step: Step, line: int) -> str:
    """What *step* is, where it stands, and what stands in it besides its words."""
    told = _("{kind}, line {line}").format(kind=LOOKS[step.kind].word, line=numeral(line))
    return "\n".join((told, *step.details))


def _says(part: Part) -> str:
    names = ", ".join([each.title or each.name for _name, each in part.playbooks])
    return _("Flowchart of “{name}”: {playbooks}").format(name=part.name, playbooks=names or "–")


def _elements(part: Part, layout: Layout) -> Iterator[str]:
    """Lanes behind, then each playbook, the ways between chapters, and functions in Python."""
    for lane in layout.lanes:
        x, y, width, height = map(px, lane.rect)
        yield (
            f'<g><rect class="frame" x="{x}" y="{y}" width="{width}" height="{height}" rx="12"/>'
            f'<text class="small" x="{px(lane.rect.x + 14)}" y="{px(lane.rect.y + 20)}">{safe(lane.name)}</text></g>'
        )
    ran = Ran(part.snapshot, "", {}, about_steps(part))
    for each in layout.playbooks:
        yield f'<g role="group" aria-label="{safe(each.playbook.title)}">{drawn(each, ran).picture}</g>'
    yield from (edge(way, 0.0, 0.0) for way in layout.ways)
    for function in layout.functions:
        yield from (edge(way, 0.0, 0.0) for way in function.routes)
        yield from (plain_box(box) for box in function.boxes)
