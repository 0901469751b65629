"""A playbook as a page that needs nothing else: its flowchart, its outline, what is doubtful, and its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from workbench.i18n import N_, _, numeral
from workbench.model.program import Playbook, Step, StepId
from workbench.pages import flowchart as flowcharts
from workbench.pages.diagrams.picture import about_steps
from workbench.pages.flowchart import flowchart
from workbench.pages.kind_looks import LOOKS
from workbench.pages.marks import About, Ran
from workbench.pages.page import facts, heading, page, safe, shown_rows
from workbench.pages.parts import Part, notes_about, playbook_title, step_words
from workbench.syntax.diagnostics import Diagnostic, Severity
from workbench.syntax.text import Span, split_lines

_STYLE = (
    flowcharts.STYLE
    + """
.charts a { text-decoration: none } .charts a:focus-visible .box, .charts a:hover .box { stroke: var(--accent) }
nav ul { list-style: none; margin: 0; padding-left: 1.4rem } nav > ul { padding-left: 0 }
nav li { overflow-wrap: anywhere } nav .kind { color: var(--muted); font-size: .8rem }
nav a, td a { color: var(--accent) } nav .number { color: var(--muted); font-variant-numeric: tabular-nums }
details { margin: 1rem 0 2rem } summary { cursor: pointer; font-size: 1.15rem; font-weight: 700; margin: .5rem 0 }
.text { border: 1px solid var(--line); border-radius: 8px; counter-reset: line; overflow-x: auto; padding: .6rem 0 }
.text code { display: block; min-height: 1.5em; padding: 0 .8rem 0 4.6rem; position: relative; white-space: pre-wrap }
.text code::before { color: var(--muted); content: attr(data-line); left: 0; padding-right: 1rem; position: absolute;
  text-align: right; width: 3.6rem; box-sizing: border-box }
.text code:target { background: var(--now) }
.error td:first-child { color: var(--bad) } .warning td:first-child { color: var(--held) }
@media print { .charts a { color: inherit } .text { border: 0 } .text code { break-inside: avoid } }
"""
)
_LINE_ENDS = "\r\n"
_SEVERITIES = {Severity.ERROR: N_("Error"), Severity.WARNING: N_("Warning"), Severity.INFO: N_("Remark")}


def playbook_page(part: Part) -> str:
    """The page about *part*; of a part of a file, only its lines."""
    about = about_steps(part, is_linked=True)
    chart = flowchart([Ran(part.snapshot, "", {}, about)])
    notes = "".join(f"<li>{safe(note)}</li>" for note in notes_about(part))
    sections = (
        f'<ul class="summary">{notes}</ul>' if notes else "",
        _facts(part, len(about)),
        chart,
        _outline(part, about),
        _findings(part),
        _source(part),
    )
    return page(part.title, filter(None, sections), _STYLE)


def _facts(part: Part, count: int) -> str:
    rows = [
        (_("File"), part.name),
        (_("Kind"), str(part.whole.program.kind)),
        (_("Playbooks"), numeral(len(part.playbooks))),
        (_("Steps"), numeral(count)),
    ]
    return facts(rows)


def _outline(part: Part, about: Mapping[StepId, About]) -> str:
    """Every playbook with its steps, each of which leads to its block and to its line."""
    items = "".join(_playbook(playbook, about) for _name, playbook in part.playbooks)
    return (
        f"<details open><summary>{safe(_('Outline'))}</summary><nav><ul>{items}</ul></nav></details>" if items else ""
    )


def _playbook(playbook: Playbook, about: Mapping[StepId, About]) -> str:
    steps = _list((*playbook.triggers, *playbook.steps, *playbook.notes), about)
    return f"<li><strong>{safe(playbook_title(playbook))}</strong>{steps}</li>"


def _list(steps: Sequence[Step], about: Mapping[StepId, About]) -> str:
    return f"<ul>{''.join(_item(step, about) for step in steps)}</ul>" if steps else ""


def _item(step: Step, about: Mapping[StepId, About]) -> str:
    own = about[step.id]
    number = f'<span class="number">{safe(own.number)}</span> ' if own.number else ""
    kind = f'<span class="kind">{safe(str(LOOKS[step.kind].word))}</span>'
    words = f'{number}<a href="#{own.name}">{safe(step_words(step)) or "–"}</a> {kind}'
    return f'<li>{words} <a class="muted" href="{own.href}">{safe(own.href[1:])}</a>{_list(step.children, about)}</li>'


def _findings(part: Part) -> str:
    """What is doubtful in the lines that the page shows."""
    first, last = _lines_of(part)
    lines = part.whole.lines
    found = [one for one in part.whole.diagnostics if first <= lines.line(one.span.start) < last]
    if not found:
        return ""
    rows = shown_rows(found, lambda one: _finding(part, one), 4)
    names = "".join(f"<th>{safe(name)}</th>" for name in (_("Severity"), _("Line"), _("Finding"), _("Rule")))
    return f"{heading(_('Findings'))}<table><thead><tr>{names}</tr></thead><tbody>{rows}</tbody></table>"


def _finding(part: Part, finding: Diagnostic) -> str:
    line = part.whole.lines.line(finding.span.start) + 1
    cells = (
        safe(str(_SEVERITIES[finding.severity])),
        f'<a href="#L{line}">{safe(numeral(line))}</a>',
        safe(finding.message),
        f"<code>{safe(finding.code)}</code>",
    )
    return f'<tr class="{finding.severity.value}">{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


def _source(part: Part) -> str:
    """The text, line by line, as far as it belongs to the part."""
    first, last = _lines_of(part)
    lines = list(enumerate(split_lines(part.whole.text), 1))[first:last]
    rows = "".join(f'<code id="L{at}" data-line="{at}">{safe(line.rstrip(_LINE_ENDS))}</code>' for at, line in lines)
    return f'<details open><summary>{safe(_("Text"))}</summary><pre class="text">{rows}</pre></details>' if rows else ""


def _lines_of(part: Part) -> tuple[int, int]:
    """The lines, from 0 and half-open, that hold the part: from its first to its last playbook or step."""
    whole, everything = part.whole, (0, len(part.whole.lines.starts))
    if part.snapshot is whole:
        return everything
    spans = list(_spans(part))
    if not spans:
        return everything
    lines = whole.lines
    first, last = min(one.start for one in spans), max(one.end for one in spans)
    return lines.line(first), lines.line(max(first, last - 1)) + 1


def _spans(part: Part) -> Iterator[Span]:
    known = {id(each) for each in part.whole.program.playbooks}
    for _name, playbook in part.playbooks:
        if id(playbook) in known:
            yield part.whole.playbook_span(playbook.address)
        else:
            roots = (*playbook.triggers, *playbook.steps, *playbook.notes)
            yield from (part.whole.owned_span(step.id) for step in roots)
