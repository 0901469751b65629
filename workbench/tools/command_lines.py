"""Command lines as the words they consist of: no shell reads them, so nothing in a word can become a command."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.regex import regex
from workbench.visible import visible

# what a shell would obey outside quotes: whoever writes it expects one
_OPERATORS = regex(r"[|&;<>()]+")
_EXPANSIONS = regex(r"\$[({\w]|`")
# what a shell would put something in for, in words without quotes
_PUT_IN = regex(r"[*?\[{~!#]|^\w+=")
_QUOTED = regex(r"'[^']*'|\"(?:\\.|[^\"\\])*\"|\\.", re.DOTALL)
_ALPHABETS = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "FULLWIDTH", "MATHEMATICAL"})


def argv_of(command: Any) -> tuple[str, ...]:
    """The words of *command*: a list of them, or a line that is split at blanks, quotes honoured.

    Raises RunFailed for what is neither, and for a line that only a shell would understand.
    """
    if isinstance(command, str):
        words = _split(command.strip())
    elif isinstance(command, list | tuple) and all(isinstance(word, str) for word in command):
        words = tuple(command)
    else:
        raise RunFailed(_("A command is a line of text, or a list of words."))
    if not words or not words[0]:
        raise RunFailed(_("The command is empty."))
    if any("\0" in word for word in words):
        raise RunFailed(_("A command cannot hold a character of value 0."))
    return words


def why_needs_shell(line: str) -> str:
    """Why *line* means something else, or nothing, where no shell reads it; empty where it means the same."""
    try:
        argv_of(line)
    except RunFailed as error:
        return str(error)
    found = _PUT_IN.search(_QUOTED.sub("", line))
    message = _("A shell would put something in for {sign}.")
    return "" if found is None else message.format(sign=visible(found.group()))


def _split(line: str) -> tuple[str, ...]:
    plain = _QUOTED.sub("", line)
    signs = [*_OPERATORS.findall(plain), *_EXPANSIONS.findall(re.sub(r"'[^']*'", "", line)), *re.findall(r"\n", line)]
    if signs:
        message = _("No shell reads this command, so {sign} has no meaning in it. Make one call for each command.")
        raise RunFailed(message.format(sign=visible(signs[0]) if signs[0] != "\n" else _("a line end")))
    try:
        return tuple(shlex.split(line))
    except ValueError as error:
        raise RunFailed(_("The command cannot be read: a quotation mark or an escape is not closed.")) from error


def shown(argv: Sequence[str]) -> str:
    """*argv* as one line to read, hidden characters with signs; a shell would read the same words from it."""
    return visible(shlex.join(argv))


def look_alikes(words: Iterable[str]) -> tuple[str, ...]:
    """Those of *words* that mix letters of several alphabets: one may stand where another is expected."""
    return tuple(word for word in words if not word.isascii() and len(_alphabets(word)) > 1)


def _alphabets(word: str) -> set[str]:
    names = (unicodedata.name(character, "").split(" ", 1)[0] for character in word if character.isalpha())
    return set(names) & _ALPHABETS
