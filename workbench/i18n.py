"""What a person reads, in their language: the door to the catalogues of the standard library's ``gettext``.

A text in a function is translated when the function runs: ``_("Save")``, or ``ngettext("{count} step", "{count} steps",
count)`` where a number decides; ``numeral`` writes numbers, ``duration_text`` durations. A text in a table that is made
at import is only marked, ``N_("Save")``, and translated when somebody reads it: the language is not known yet then, and
may change.
English is the language of the sources, so it has no catalogue; the others lie in ``resources/translations`` (``make
translations`` brings them up to date).
"""

from __future__ import annotations

import gettext
import locale
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workbench.resources import resource_path

DOMAIN = "workbench"
LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch"}
"""The languages that the program speaks, each by its own name."""

SYSTEM = "system"
"""Stands for the language of the system, in the settings."""

_SOURCE = "en"
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")

_NS_PER_MS = 1_000_000
_NS_PER_S = 1_000_000_000
# what would be rounded to a thousand is told in the next unit
_NEARLY = 0.9995

_catalogue = gettext.NullTranslations()
_language = _SOURCE


@dataclass(frozen=True, slots=True)
class LazyText:
    """A text that is translated when it is read. *message*: the English text.

    It is not a ``str``, so that the type checker finds every place that would show it untranslated.
    """

    message: str

    def __str__(self) -> str:
        return _(self.message)

    def format(self, **values: object) -> str:
        """The translated text with its placeholders filled in."""
        return str(self).format(**values)


def _(message: str) -> str:
    """*message* in the language of the person, or as written where there is no translation."""
    return _catalogue.gettext(message)


def N_(message: str) -> LazyText:  # noqa: N802 - the name that translators' tools look for
    """*message*, to be translated when it is read."""
    return LazyText(message)


def ngettext(one: str, many: str, count: int) -> str:
    """*one* or *many* as *count* wants it, with ``{count}`` filled in; other placeholders are still to be filled in."""
    return _catalogue.ngettext(one, many, count).replace("{count}", numeral(count))


def numeral(value: float, form: str = "") -> str:
    """*value* as the language in use writes it, grouped; *form* is that of ``format``, such as ``.1f``."""
    signs = _("1,234.5")
    return format(value, f",{form}").translate({ord(","): signs[1], ord("."): signs[-2]})


def duration_text(ns: float) -> str:
    """A duration as people read it: ``350 µs``, ``12 ms``, ``1.2 s``, ``3 min 05 s``, ``2 h 04 min``."""
    if ns < _NS_PER_MS * _NEARLY:
        return _("{n} µs").format(n=numeral(round(ns / 1000)))
    if ns < _NS_PER_S * _NEARLY:
        return _("{n} ms").format(n=numeral(round(ns / _NS_PER_MS)))
    seconds = ns / _NS_PER_S
    if seconds < 59.95:
        return _("{n} s").format(n=numeral(seconds, ".1f"))
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return _("{minutes} min {seconds} s").format(minutes=minutes, seconds=f"{rest:02d}")
    hours, minutes = divmod(minutes, 60)
    return _("{hours} h {minutes} min").format(hours=numeral(hours), minutes=f"{minutes:02d}")


def language() -> str:
    """The code of the language that is spoken now."""
    return _language


def spoken(chosen: str) -> str:
    """The code of the language that *chosen* stands for: one of ``LANGUAGES``, or ``SYSTEM``."""
    return chosen if chosen in LANGUAGES else system_language()


def use_language(chosen: str) -> None:
    """Speak *chosen* from now on: a code of ``LANGUAGES``, or ``SYSTEM``; English where there is no such catalogue."""
    global _catalogue, _language  # noqa: PLW0603 - one language for the whole process
    _language = spoken(chosen)
    if _language == _SOURCE:
        _catalogue = gettext.NullTranslations()
    else:
        _catalogue = gettext.translation(DOMAIN, catalogues(), [_language])


def catalogues() -> Path:
    """The folder of the catalogues, as ``gettext`` expects it: ``de/LC_MESSAGES/workbench.mo``."""
    return resource_path("translations")


def system_language() -> str:
    """The language of the system as far as the program speaks it, else English.

    Asks the same variables in the same order as ``gettext``; where none is set (Windows), the locale.
    """
    for variable in _VARIABLES:
        if wanted := os.environ.get(variable, ""):
            return next((code for name in wanted.split(":") if (code := _code(name)) in LANGUAGES), _SOURCE)
    code = _code(locale.getlocale()[0] or "")
    return code if code in LANGUAGES else _SOURCE


def _code(name: str) -> str:
    """The code of a language in a locale's name: ``de`` of ``de_DE.UTF-8`` and of ``German_Germany``."""
    return locale.normalize(name.partition("_")[0].partition(".")[0])[:2].lower()
