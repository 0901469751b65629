"""What all pages share: one style for the screen, light and dark, and for paper; and text as it can stand in a page."""

from __future__ import annotations

import datetime as dt
import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from workbench.i18n import _, language, ngettext, numeral
from workbench.pages.kind_looks import LOOKS
from workbench.visible import visible

FONTS = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"
"""What words are written in, on every page and in every picture."""
LIGHT = {
    "ground": "#fff",
    "raised": "#f6f7f9",
    "line": "#d5d8de",
    "text": "#1b2430",
    "muted": "#5b6270",
    "good": "#1d6b37",
    "bad": "#a3261d",
    "held": "#8a4a00",
    "asks": "#7145c9",
    "accent": "#2563d9",
    "edge": "#8b94a3",
    "was": "#fdf1dc",
    "now": "#e5eefd",
    **{f"k-{kind.value}": look.light for kind, look in LOOKS.items()},
}
"""The colours of pages and pictures by what they are for, on a light ground."""
DARK = {
    "ground": "#15181d",
    "raised": "#1c2027",
    "line": "#3a404b",
    "text": "#e6eaf0",
    "muted": "#a3abb8",
    "good": "#74d38f",
    "bad": "#ff8d84",
    "held": "#f2a061",
    "asks": "#b99bf7",
    "accent": "#79a8ff",
    "edge": "#737d8c",
    "was": "#3a2c14",
    "now": "#1c2c4a",
    **{f"k-{kind.value}": look.dark for kind, look in LOOKS.items()},
}
_PAPER = {**LIGHT, "line": "#c4c8d0", "text": "#000", "muted": "#4a505c"}


def _variables(palette: Mapping[str, str]) -> str:
    return "; ".join(f"--{name}: {color}" for name, color in palette.items())


_STYLE = (
    f":root {{ color-scheme: light dark; {_variables(LIGHT)} }}\n"
    f"@media (prefers-color-scheme: dark) {{ :root {{ {_variables(DARK)} }} }}\n"
    f"@media print {{ :root {{ color-scheme: light; {_variables(_PAPER)} }} }}"
    f"\nbody {{ font: 15px/1.5 {FONTS} }}"
    """
body { margin: 2rem auto; max-width: 76rem; padding: 0 1rem;
  background: var(--ground); color: var(--text) }
h1 { font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 2rem }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .6rem; text-align: left; vertical-align: top }
th { color: var(--muted); font-weight: 600 }
td { overflow-wrap: anywhere; min-width: 6.5em }
code, .digest { font: 12px/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
.digest, .muted { color: var(--muted) }
.failed { color: var(--bad) } .blocked { color: var(--held) } .done { color: var(--good) }
.value { font: 12px/1.5 ui-monospace, monospace; white-space: pre-wrap }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem }
dt { color: var(--muted) } dd { margin: 0; overflow-wrap: anywhere }
ul.summary { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; margin: 1rem 0;
  padding: .8rem 1rem .8rem 2.2rem }
ul.summary li { overflow-wrap: anywhere }
ul.summary li:first-child { font-weight: 600 }
@media print {
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact }
  body { font-size: 10pt; margin: 0; max-width: none; padding: 0 }
  h2 { break-after: avoid } tr, dl > *, li { break-inside: avoid }
}
"""
)
_NO_CHARACTERS = {0xFFFE: "\ufffd", 0xFFFF: "\ufffd"}
"""What no page and no picture may hold."""

_MOST = 5_000
Thing = TypeVar("Thing")


def page(title: str, parts: Iterable[str], style: str = "") -> str:
    """A page of *parts*, which needs nothing else; *style*: what is its own."""
    return (
        f'<!doctype html>\n<html lang="{language()}"><head><meta charset="utf-8"><title>{safe(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}{style}</style></head><body>\n'
        f"<h1>{safe(title)}</h1>\n" + "\n".join(parts) + "\n</body></html>\n"
    )


def safe(text: str) -> str:
    """*text* as it can stand in a page, whatever is in it; with a sign for each character that nobody would see."""
    return html.escape(visible(text.encode("utf-8", "backslashreplace").decode()).translate(_NO_CHARACTERS))


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """Names and what they stand for."""
    return f"<dl>{''.join(f'<dt>{safe(name)}</dt><dd>{safe(value)}</dd>' for name, value in rows)}</dl>"


def table(title: str, names: Sequence[str], things: Sequence[Thing], cells: Callable[[Thing], Sequence[str]]) -> str:
    """A table under *title* with a row for each of *things*, whose *cells* are safe already."""
    if not things:
        return f"{heading(title)}<p>{safe(_('Nothing.'))}</p>"
    head = "".join(f"<th>{safe(name)}</th>" for name in names)
    rows = shown_rows(things, lambda one: f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells(one))}</tr>", len(names))
    return f"{heading(title)}<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def shown_rows(things: Sequence[Thing], row: Callable[[Thing], str], columns: int) -> str:
    """A *row* for each of *things*, see ``shown``."""
    return shown(things, row, lambda words: f'<tr><td class="muted" colspan="{columns}">{words}</td></tr>')


def shown(things: Sequence[Thing], show: Callable[[Thing], str], gap: Callable[[str], str]) -> str:
    """All of *things*; of very many the first and the last, since no browser can show all, and a *gap* between."""
    left_out = len(things) - _MOST
    if left_out <= 0:
        return "".join(map(show, things))
    words = ngettext("… {count} more row", "… {count} more rows", left_out).format(count=numeral(left_out))
    half = _MOST // 2
    return "".join((*map(show, things[:half]), gap(safe(words)), *map(show, things[-half:])))


def heading(title: str) -> str:
    """The heading *title*; nothing where it is empty."""
    return f"<h2>{safe(title)}</h2>" if title else ""


def moment(at_ns: int) -> str:
    """A time to read, UTC, to the millisecond."""
    return dt.datetime.fromtimestamp(at_ns / 1e9, dt.UTC).isoformat(sep=" ", timespec="milliseconds")


def px(number: float) -> str:
    """A place or a length in a picture, as pictures write numbers, whatever the language."""
    return str(round(number, 2))
