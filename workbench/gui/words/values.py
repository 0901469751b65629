"""Values, durations and text with bytes that are not characters, as people read them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from html import escape, unescape
from typing import Any

from workbench.gui.words.directions import ordered
from workbench.i18n import _, duration_text, ngettext
from workbench.syntax.text import SURROGATES
from workbench.visible import visible

LONGEST_VALUE = 300
NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000
_TIP = '<p style="white-space: pre-wrap">'
_WIDEST_TIP = 100


def value_text(value: Any) -> str:
    """*value* as JSON on one line, the end left out where it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


def written_form(value: Any) -> str:
    """*value* as it is typed: a text as it is, unless it would be read as something else; else JSON."""
    if isinstance(value, str) and read_form(value) == value:
        return value
    return json.dumps(value, ensure_ascii=False)


def read_form(text: str) -> Any:
    """What *text* says as JSON, so that numbers are numbers; everything else is text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def duration_words(elapsed_ms: int) -> str:
    """The same from a clock that counts whole milliseconds, so nothing finer is told: ``0 ms``, ``40 ms``."""
    return duration_text(elapsed_ms * NS_PER_MS) if elapsed_ms else _("{n} ms").format(n=0)


def moment_text(time_s: float) -> str:
    """A time, in seconds since 1970, on the clock of the person; empty where there is no such time."""
    try:
        return datetime.fromtimestamp(time_s, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return ""


def drawable(text: str) -> str:
    """*text* with a stand-in for bytes that are not characters, and a sign for each character that nobody would see."""
    # such bytes are lone surrogates, which Qt cannot draw
    return SURROGATES.sub("\ufffd", visible(text))


def drawable_line(text: str) -> str:
    """The same on one line."""
    return drawable(" ".join(text.splitlines()))


def tip(text: str) -> str:
    """*text* for a tooltip. Qt takes one for markup that looks like it, and wraps no other: so what it could take for
    markup, or what is too long for a line, becomes markup that says just that text.
    """
    shown = ordered(drawable(text))
    if "<" not in shown and "&" not in shown and all(len(line) <= _WIDEST_TIP for line in shown.splitlines()):
        return shown
    return f"{_TIP}{escape(shown)}</p>"


def told_in(tip_: str) -> str:
    """The text of a tooltip, which ``tip`` may have made markup."""
    return unescape(tip_.removeprefix(_TIP).removesuffix("</p>")) if tip_.startswith(_TIP) else tip_


def menu_text(text: str) -> str:
    """*text* for a menu or a button, where “&” marks a key."""
    return drawable_line(text).replace("&", "&&")


def problem_words(errors: int, warnings: int, infos: int = 0) -> str:
    """How many findings there are, of each kind that there is."""
    parts = (
        ngettext("{count} error", "{count} errors", errors) if errors else "",
        ngettext("{count} warning", "{count} warnings", warnings) if warnings else "",
        ngettext("{count} info", "{count} infos", infos) if infos else "",
    )
    return ", ".join(filter(None, parts)) or _("No problems")
