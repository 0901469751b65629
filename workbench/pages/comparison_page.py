"""Two runs side by side on a page: only what differs is marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from workbench.engine.comparing.comparison import Compared, Comparison, Row
from workbench.engine.comparing.differences import About, Difference
from workbench.engine.comparing.passes import Pass
from workbench.engine.journal.choices import StepStatus
from workbench.i18n import _, duration_text, ngettext, numeral
from workbench.pages.comparison_words import only_words, place_words, run_words, step_words, summary_of, told
from workbench.pages.page import heading, moment, page, safe, shown_rows

_STYLE = """
table.runs, table.steps, table.values { table-layout: fixed }
.runs th:first-child { width: 9rem } .steps th:first-child, .values th:first-child { width: 44% }
tr.alike td { color: var(--muted) }
tr.differs > td:first-child { border-left: 3px solid var(--asks) }
tr.added > td:first-child { border-left: 3px solid var(--accent) }
tr.gone > td:first-child { border-left: 3px solid var(--held) }
tr.differs > td, tr.added > td, tr.gone > td { border-bottom-style: dotted }
tr.part > td { padding-top: .1rem; padding-bottom: .1rem; border-bottom-style: dotted }
.sign { display: inline-block; text-indent: 0; width: 1.1em; font-weight: 700 }
.was { background: var(--was) } .now { background: var(--now) }
.step { margin-left: calc(var(--depth) * 1.1rem); padding-left: 1.2em; text-indent: -1.2em }
.what { margin-left: calc(var(--depth) * 1.1rem + 1.5em); color: var(--muted) }
tr.alike.many td { text-align: center; font-style: italic }
thead { display: table-header-group }
@media print { tr.step-row:has(+ tr.part) { break-after: avoid } }
"""
_LONG = 2_000
_AROUND = 3
"""So many alike rows are shown before and behind what differs, where there are more than a page can hold."""
_MANY = 400


def comparison_page(comparison: Comparison) -> str:
    """The page about *comparison*."""
    title = _("Two runs compared: {playbook}").format(playbook=comparison.run.playbook)
    sentences = "".join(f"<li>{safe(sentence)}</li>" for sentence in summary_of(comparison))
    parts = [f'<ul class="summary">{sentences}</ul>', _runs(comparison), _steps(comparison.rows)]
    return page(title, [*parts, _values(comparison.values)], _STYLE)


_AS_FACTS = frozenset({About.OUTCOME, About.ERROR, About.SOURCE, About.TIME})
"""What differs between runs and stands among their facts."""


def _runs(comparison: Comparison) -> str:
    """The facts of both runs, and what else differs between them as wholes."""
    own, others = _own_facts(comparison.other), _own_facts(comparison.run)
    rows = [_cells(name, was, now) for (name, was), (_name, now) in zip(own, others, strict=True)]
    shared = zip(_facts(comparison.other), _facts(comparison.run), strict=True)
    rows += [_cells(name, was, now, is_marked=was != now) for (name, was), (_name, now) in shared if was or now]
    for each in comparison.differences:
        if each.about not in _AS_FACTS:
            words = told(each, _LONG)
            rows.append(
                _cells(f"{words.what[:1].upper()}{words.what[1:]}", words.other, words.run, is_marked=each.matters)
            )
    return _sides("runs", "", rows)


def _own_facts(run: Compared) -> tuple[tuple[str, str], ...]:
    """What is another in each run anyway."""
    began = moment(run.started_ns)
    return ((_("Run"), run.run), (_("Started"), began), (_("Duration"), duration_text(run.duration_ns)))


def _facts(run: Compared) -> tuple[tuple[str, str], ...]:
    return (
        (_("File"), run.path),
        (_("Digest of the text"), run.text_hash),
        (_("Status"), run_words(run.status)),
        (_("Error"), run.error),
    )


def _sides(kind: str, first: str, rows: Sequence[str]) -> str:
    """A table with a column for each run."""
    names = "".join(f"<th>{safe(name)}</th>" for name in (first, _("Other run"), _("This run")))
    return f'<table class="{kind}"><thead><tr>{names}</tr></thead><tbody>{shown_rows(rows, str, 3)}</tbody></table>'


def _cells(name: str, was: str, now: str, *, is_marked: bool = False) -> str:
    marks = (' class="was"', ' class="now"') if is_marked else ("", "")
    return f"<tr><td>{safe(name)}</td><td{marks[0]}>{safe(was or '–')}</td><td{marks[1]}>{safe(now or '–')}</td></tr>"


def _part(difference: Difference, depth: int, kind: str) -> str:
    """One difference of a row of *kind*: what, and what it is in either run."""
    words = told(difference, _LONG)
    marks = ("was value", "now value") if kind == "differs" and difference.matters else ("value", "value")
    what = f'<div class="what" style="--depth:{depth}">{safe(words.what)}</div>'
    cells = f'<td class="{marks[0]}">{safe(words.other)}</td><td class="{marks[1]}">{safe(words.run)}</td>'
    return f'<tr class="part {kind}"><td>{what}</td>{cells}</tr>'


def _steps(rows: Sequence[Row]) -> str:
    """All passes of both runs, in their order."""
    return heading(_("Step by step")) + _sides("steps", _("Step"), list(_step_rows(rows)))


def _step_rows(rows: Sequence[Row]) -> Iterator[str]:
    """The rows of the table; of long stretches that are alike only the ends, where all of them would be too much."""
    for is_alike, stretch in groupby(rows, lambda row: not row.differences and row.is_in_both):
        members = list(stretch)
        if is_alike and len(rows) > _MANY and len(members) > 3 * _AROUND:
            left_out = len(members) - 2 * _AROUND
            words = ngettext("{count} step is the same", "{count} steps are the same", left_out)
            yield from map(_step, members[:_AROUND])
            yield f'<tr class="alike many"><td colspan="3">{safe(words.format(count=numeral(left_out)))}</td></tr>'
            yield from map(_step, members[-_AROUND:])
        else:
            yield from map(_step, members)


_SIGNS = {"differs": "≠", "added": "+", "gone": "−", "alike": ""}


def _step(row: Row) -> str:
    kind = "added" if row.other is None else "gone" if row.run is None else "differs" if row.matters else "alike"
    words = f'<span class="sign">{_SIGNS[kind]}</span><code>{safe(place_words(row))}</code> {safe(row.shown.text)}'
    if not row.is_in_both:
        words += f' <span class="muted">({safe(only_words(row))})</span>'
    name = f'<div class="step" style="--depth:{row.depth}">{words}</div>'
    cells = f"<td>{_went(row.other)}</td><td>{_went(row.run)}</td>"
    parts = [_part(each, row.depth, kind) for each in row.differences]
    return f'<tr class="step-row {kind}"><td>{name}</td>{cells}</tr>{"".join(parts)}'


def _went(one: Pass | None) -> str:
    """How a pass ended, and how long it took."""
    if one is None:
        return "–"
    kind = "failed" if one.status is StepStatus.FAILED else "muted"
    lasted = duration_text(one.end_ns - one.start_ns)
    return f'<span class="{kind}">{safe(step_words(one.status))}</span> <span class="muted">{safe(lasted)}</span>'


def _values(values: Sequence[Difference]) -> str:
    if not values:
        return ""
    return heading(_("Variables at the end")) + _sides("values", _("Variable"), [_value(each) for each in values])


def _value(difference: Difference) -> str:
    words = told(difference, _LONG)
    cells = f'<td class="was value">{safe(words.other)}</td><td class="now value">{safe(words.run)}</td>'
    return f"<tr><td><code>{safe(difference.name)}</code></td>{cells}</tr>"
