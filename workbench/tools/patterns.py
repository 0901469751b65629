"""Patterns of arguments for which a call needs no leave: they match the words of a call, never a text.

A star stands for one plain word, or a part of one; two stars, at the end, for all words that follow. A word with
anything in it that a shell, a terminal or a reader could take for something else is never plain, nor is an option.
So nothing can be put into a word that makes a pattern allow more than it says.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.regex import regex
from workbench.tools.command_lines import argv_of
from workbench.tools.confinement import words_in

_PLAIN = regex(r"(?!-)[\w@%+=:,./#~-]+")
_PART = regex(r"[\w@%+=:,.#~-]*")
_OF_PATHS = frozenset({"read_file", "write_file", "list_files"})
_ANY, _REST = "*", "**"


def check_pattern(tool: str, pattern: str) -> None:
    """Raise RunFailed where *pattern* is none for calls of *tool*."""
    words = _pattern_words(tool, pattern)
    if words is None and tool == "sh":
        raise RunFailed(_("What a shell is given cannot be matched by a pattern. Allow each call of sh by itself."))
    if words is not None and (not words or _REST in words[:-1]):
        raise RunFailed(_("“{pattern}” is not a pattern: two stars stand at its end only.").format(pattern=pattern))


def is_match(tool: str, arguments: Mapping[str, Any], pattern: str, folder: Path | None) -> bool:
    """Whether the call of *tool* with *arguments*, in *folder*, is one that *pattern* speaks of."""
    wanted = _pattern_words(tool, pattern)
    if wanted is None:
        return tool != "sh" and _is_object_match(pattern, arguments)
    words = words_of(tool, arguments, folder)
    return words is not None and _is_words_match(words, wanted, is_path=tool != "shell")


def words_of(tool: str, arguments: Mapping[str, Any], folder: Path | None) -> tuple[str, ...] | None:
    """The words that patterns of *tool* are held against; None where there are none, so that nothing matches."""
    if tool == "shell":
        try:
            return argv_of(arguments.get("command"))
        except RunFailed:
            return None
    if tool in _OF_PATHS:
        written = arguments.get("path", ".")
        return words_in(folder, written) if isinstance(written, str) else None
    return _words_of_address(arguments.get("url")) if tool == "http_get" else None


def _words_of_address(url: Any) -> tuple[str, ...] | None:
    """Scheme with host and port, then the parts of the path and what follows; None for what leads elsewhere."""
    try:
        parts = urlsplit(url) if isinstance(url, str) and url.isascii() and url.isprintable() else None
    except ValueError:
        return None
    if parts is None or "@" in parts.netloc or "\\" in url or "%" in parts.path:
        return None
    path = tuple(parts.path.removeprefix("/").split("/"))
    if any(part in {".", ".."} for part in path):
        return None
    behind = (f"?{parts.query}",) if parts.query else ()
    return (f"{parts.scheme.lower()}://{parts.netloc.lower()}", *path, *behind)


def _pattern_words(tool: str, pattern: str) -> tuple[str, ...] | None:
    """The words of *pattern*; None where calls of *tool* have arguments by name. Raises RunFailed."""
    if tool == "shell":
        try:
            return tuple(shlex.split(pattern))
        except ValueError as error:
            raise RunFailed(_("“{pattern}” is not a command line.").format(pattern=pattern)) from error
    if tool in _OF_PATHS:
        return tuple(pattern.removeprefix("./").split("/"))
    if tool == "http_get":
        words = _words_of_address(pattern)
        if words is None or not words[0].startswith(("http://", "https://")) or "*" in words[0]:
            raise RunFailed(_("“{pattern}” is not an address: https://host/path.").format(pattern=pattern))
        return words
    if tool != "sh":
        _object_in(pattern)
    return None


def _is_words_match(words: Sequence[str], wanted: Sequence[str], *, is_path: bool) -> bool:
    if wanted and wanted[-1] == _REST:
        fixed = len(wanted) - 1
        is_rest_plain = all(_is_plain(word, is_path=is_path) for word in words[fixed:])
        return len(words) >= fixed and is_rest_plain and _is_words_match(words[:fixed], wanted[:-1], is_path=is_path)
    pairs = zip(words, wanted, strict=False)
    return len(words) == len(wanted) and all(_is_word_match(*pair, is_path=is_path) for pair in pairs)


def _is_word_match(word: str, wanted: str, *, is_path: bool) -> bool:
    if wanted == _ANY:
        return _is_plain(word, is_path=is_path)
    if _ANY not in wanted:
        return word == wanted
    first, *rest = wanted.split(_ANY)
    pattern = re.escape(first) + "".join(f"({_PART.pattern})" + re.escape(each) for each in rest)
    found = re.fullmatch(pattern, word)
    return found is not None and ".." not in word


def _is_plain(word: str, *, is_path: bool) -> bool:
    """Whether a star may stand for *word*. In a path and an address it is one name, however it begins."""
    if is_path:
        return word.isprintable() and word not in {".", ".."} and not word.startswith("?")
    return _PLAIN.fullmatch(word) is not None


def _object_in(pattern: str) -> Mapping[str, Any]:
    try:
        found = json.loads(pattern)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        message = _("“{pattern}” is not a pattern for this tool. Write its arguments as JSON, “*” for any value.")
        raise RunFailed(message.format(pattern=pattern))
    return found


def _is_object_match(pattern: str, arguments: Mapping[str, Any]) -> bool:
    """Whether *arguments* are exactly those of *pattern*; a star stands for one plain text, number or truth."""
    wanted = _object_in(pattern)
    return wanted.keys() == arguments.keys() and all(
        _is_value_match(arguments[name], value) for name, value in wanted.items()
    )


def _is_value_match(value: Any, wanted: Any) -> bool:
    if wanted == _ANY:
        return value is None or isinstance(value, bool | int | float) or _is_plain_value(value)
    return type(value) is type(wanted) and bool(value == wanted)


def _is_plain_value(value: Any) -> bool:
    return isinstance(value, str) and _PLAIN.fullmatch(value) is not None
