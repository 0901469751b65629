"""Two versions of a playbook on a page: both flowcharts with marks, and what differs step by step and line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from workbench.i18n import _
from workbench.model.versions.differences import (
    Differences,
    Fate,
    Fates,
    FieldChange,
    Hunk,
    HunkKind,
    PartChange,
    Standing,
    StepChange,
)
from workbench.pages import flowchart as flowcharts
from workbench.pages.flowchart import flowchart
from workbench.pages.marks import Mark, Ran
from workbench.pages.page import heading, page, safe, shown, shown_rows
from workbench.pages.version_words import (
    FATES,
    fate_words,
    own_steps,
    part_line,
    place_words,
    sign_of,
    summary_of,
    told_field,
)

_STYLE = (
    flowcharts.STYLE
    + """
table { table-layout: fixed } th:first-child { width: 26% }
td:first-child { border-left: 3px solid transparent }
tr.added > td:first-child { border-left-color: var(--good) }
tr.removed > td:first-child { border-left-color: var(--bad) }
tr.changed > td:first-child { border-left-color: var(--asks) }
tr.moved > td:first-child, tr.reordered > td:first-child { border-left-color: var(--accent) }
tr.part > td { border-bottom-style: dotted; padding-top: .1rem; padding-bottom: .1rem }
tr.part > td:first-child { color: var(--muted); padding-left: 2em }
.fate { display: inline-block; font-weight: 700; width: 1.3em }
del { background: var(--was); color: inherit; text-decoration: line-through }
ins { background: var(--now); color: inherit; font-weight: 600; text-decoration: underline }
td.words { white-space: pre-wrap }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.5rem; list-style: none; padding: 0 }
.lines { border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0 1rem; overflow-x: auto }
.lines p { color: var(--muted); margin: 0; padding: .2rem .8rem } .lines pre { margin: 0 }
.lines pre { font: 12px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
.lines .was, .lines .now { padding: .2rem .8rem } .was { background: var(--was) } .now { background: var(--now) }
thead { display: table-header-group }
@media print { .lines { break-inside: avoid-page } .charts svg { max-height: 17cm } }
"""
)


def version_page(differences: Differences, names: tuple[str, str]) -> str:
    """The page about *differences* between the files called *names*."""
    sentences = "".join(f"<li>{safe(sentence)}</li>" for sentence in summary_of(differences))
    before, now = (f"<code>{safe(name)}</code>" for name in names)
    part_rows = (row for each in differences.parts for row in _part_rows(each))
    step_rows = (row for each in own_steps(differences) for row in _step_rows(each))
    parts = (
        f"<p>{safe(_('Before'))}: {before}<br>{safe(_('Now'))}: {now}</p>",
        f'<ul class="summary">{sentences}</ul>',
        _charts(differences),
        _table(_("Parts"), part_rows),
        _table(_("Steps"), step_rows),
        _lines(differences),
    )
    title = _("Two versions compared: {name}").format(name=names[1].replace("\\", "/").rpartition("/")[2])
    return page(title, filter(None, parts), _STYLE)


def _charts(differences: Differences) -> str:
    """The playbooks in which steps differ, as they are and as they were, each mark with its sign."""
    now = _marks((each.new, each.fates) for each in differences.steps)
    was = _marks((each.old, each.fates) for each in differences.steps)
    charts = (
        flowchart([Ran(differences.new, "", now)], _("Flowchart now"), is_only_marked=True),
        flowchart([Ran(differences.old, "", was)], _("Flowchart before"), is_only_marked=True),
    )
    if not any(charts):
        return ""
    found = {sign_of(each.fates): each.fates for each in differences.steps}
    items = "".join(
        f'<li><span class="fate">{sign}</span>{safe(str(words))}</li>'
        for fate, words in FATES.items()
        if (sign := sign_of(frozenset({fate}))) in found
    )
    return f'{charts[0]}<ul class="legend">{items}</ul>{charts[1]}'


def _marks(standings: Iterable[tuple[Standing | None, Fates]]) -> Mapping[str, Mark]:
    return {each.address: Mark(_look(fates), fate_words(fates), 1) for each, fates in standings if each is not None}


def _look(fates: Fates) -> str:
    """The class of what looks like *fates*: that of its sign."""
    sign = sign_of(fates)
    return next(fate.value for fate in Fate if sign_of(frozenset({fate})) == sign)


def _table(title: str, rows: Iterable[str]) -> str:
    """A table with a column for each version; nothing without rows."""
    found = list(rows)
    if not found:
        return ""
    names = "".join(f"<th>{safe(name)}</th>" for name in ("", _("Before"), _("Now")))
    body = shown_rows(found, str, 3)
    return f"{heading(title)}<table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>"


def _part_rows(change: PartChange) -> Iterator[str]:
    words = f'<span class="fate">{sign_of(change.fates)}</span>{safe(part_line(change))}'
    yield f'<tr class="{_look(change.fates)}"><td colspan="3">{words}</td></tr>'
    yield from _field_rows(change.fields)


def _field_rows(fields: Sequence[FieldChange]) -> Iterator[str]:
    for each in map(told_field, fields):
        cells = f'<td class="words was">{safe(each.was)}</td><td class="words now">{safe(each.now)}</td>'
        yield f'<tr class="part"><td>{safe(each.what)}</td>{cells}</tr>'


def _step_rows(change: StepChange) -> Iterator[str]:
    sign = f'<span class="fate" title="{safe(fate_words(change.fates))}">{sign_of(change.fates)}</span>'
    place = (
        f'{sign}<code>{safe(place_words(change))}</code> <span class="muted">{safe(fate_words(change.fates))}</span>'
    )
    was, now = _words(change)
    cells = f'<td class="words">{was}</td><td class="words">{now}</td>'
    yield f'<tr class="{_look(change.fates)}"><td>{place}</td>{cells}</tr>'
    yield from _field_rows(change.fields)


def _words(change: StepChange) -> tuple[str, str]:
    """The words of a step before and now, with what differs marked."""
    if change.old is None:
        return "–", safe(change.standing.text)
    if change.new is None:
        return safe(change.standing.text), "–"
    was = (safe(each.was) if each.is_shared else f"<del>{safe(each.was)}</del>" for each in change.words if each.was)
    now = (safe(each.now) if each.is_shared else f"<ins>{safe(each.now)}</ins>" for each in change.words if each.now)
    return "".join(was), "".join(now)


def _lines(differences: Differences) -> str:
    """All lines that differ, as they stand in the files."""
    if not differences.hunks:
        return ""
    blocks = shown(differences.hunks, _hunk, lambda words: f'<p class="muted">{words}</p>')
    return heading(_("Line by line")) + blocks


def _hunk(hunk: Hunk) -> str:
    words = _("line {old} → line {new}").format(old=hunk.lines[0], new=hunk.lines[1])
    if hunk.kind is HunkKind.LAYOUT:
        words = f"{words} · {_('only layout')}"
    sides = (("was", "−", hunk.was), ("now", "+", hunk.now))
    parts = (f'<pre class="{kind}">{_signed(sign, text)}</pre>' for kind, sign, text in sides if text)
    return f'<div class="lines"><p>{safe(words)}</p>{"".join(parts)}</div>'


def _signed(sign: str, text: str) -> str:
    return "\n".join(f"{sign} {safe(line)}" for line in text.splitlines())
