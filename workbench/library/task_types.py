"""What kind of task it was, and how it ended: from the tools that were used, or from words by a table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from workbench.disk.files import is_there, read_file
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.library.entries import Outcome
from workbench.regex import regex
from workbench.syntax.data.yaml_reading import load_yaml

FILE_NAME = "task-types.yaml"
"""Where the person's own table of words lies, beside the settings."""

OTHER = "chat"
"""The task type where neither tools nor words say one: the published name for it."""

DEFAULT_WORDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "shell": frozenset({"run", "execute", "shell", "command", "bash", "script"}),
        "web": frozenset({"fetch", "download", "url", "http", "https", "website", "webpage"}),
        "file": frozenset({"file", "files", "read", "write", "save", "edit"}),
    }
)
"""Whole words that speak for a task type; a workspace may have its own table."""

DEFAULT_TOOLS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "shell": frozenset({"shell_exec", "shell", "bash"}),
        "web": frozenset({"web_fetch", "http_get"}),
        "file": frozenset({"file_read", "file_write", "file_delete", "list_files", "read_file", "write_file"}),
    }
)

_WORD = regex(r"[^\W_]+", re.UNICODE)
_NEGATION = regex(r"\b(?:not|no|never|nothing|nobody|without|un(?:able|successful\w*)|\w+n['’]t|cannot)\b")
_SUCCESS = regex(r"\b(?:success(?:ful(?:ly)?)?|completed|done|finished|worked)\b")
_FAILURE = regex(r"\b(?:fail(?:ed|ure)?|errors?|unable|could\s*n['’o]t|cannot|can['’]t|unsuccessful(?:ly)?)\b")
_NEAR = 32
_SIZE_LIMIT = 1 << 20


def classify_task_type(text: str, words: Mapping[str, frozenset[str]] = DEFAULT_WORDS) -> str:
    """The task type that the words of a task speak for, *chat* where none does.

    Only whole words count: a *profile* is no file. Types are joined in the order of the table
    (*shell+file*), at most two.
    """
    found = {word.casefold() for word in _WORD.findall(unicodedata.normalize("NFC", text))}
    return joined(name for name, marks in words.items() if found & marks)


def extract_task_type(tools: Sequence[str], known: Mapping[str, frozenset[str]] = DEFAULT_TOOLS) -> str:
    """The task type of the tools that were used: those of the table, else where the tools come from.

    ``mcp__git__commit`` and ``git.commit`` are of type *git*; tools without a family are *tools*.
    """
    kinds = [name for name, members in known.items() if not members.isdisjoint(tools)]
    if kinds:
        return joined(iter(kinds))
    families = sorted({_family(tool) for tool in tools if _family(tool)})
    if families:
        return joined(iter(families))
    return "tools" if tools else OTHER


def joined(names: object) -> str:
    """At most two of *names* with a plus sign between them; *chat* for none."""
    found = list(names)[:2]  # type: ignore[call-overload]
    return "+".join(found) if found else OTHER


def _family(tool: str) -> str:
    """The server or agent that *tool* belongs to, empty where its name does not say."""
    parts = tool.split("__")
    if len(parts) >= 3 and parts[0] == "mcp":
        return parts[1].casefold()
    owner, dot, _name = tool.partition(".")
    return owner.casefold() if dot and owner.isidentifier() else ""


def outcome_of(status: str, is_valid: bool | None = None, text: str = "") -> Outcome | None:
    """How the run ended: its status first, then its validation, its words last.

    *status*: completed, failed, cancelled, or empty where nobody knows. None: it says nothing
    about the pattern, because a person cut the run off.
    """
    if status == "cancelled":
        return None
    if status == "failed":
        return Outcome.FAILURE
    if is_valid is False:
        return Outcome.PARTIAL
    if status == "completed" or is_valid:
        return Outcome.SUCCESS
    return extract_outcome(text)


def extract_outcome(text: str) -> Outcome:
    """What the words of a result say: only a success without a failure or a denial near it is one."""
    lowered = unicodedata.normalize("NFKC", text).casefold()
    if _FAILURE.search(lowered):
        return Outcome.FAILURE
    for match in _SUCCESS.finditer(lowered):
        if not _NEGATION.search(lowered[max(0, match.start() - _NEAR) : match.end()]):
            return Outcome.SUCCESS
        return Outcome.FAILURE
    return Outcome.PARTIAL


def load_words(path: Path) -> Mapping[str, frozenset[str]]:
    """Words by task type as *path* has them, in its order; the table of the program where there is no such file.

    The file is a YAML map from a task type to a list of words. Raises CannotRead, saying what
    is wrong with it.
    """
    if not is_there(path):
        return DEFAULT_WORDS
    try:
        loaded = load_yaml(read_file(path, _SIZE_LIMIT).decode("utf-8"))
    except ValueError as error:  # UnicodeDecodeError among them
        detail = str(error).rstrip(".")
        raise CannotRead(_("“{path}” cannot be read: {reason}.").format(path=path, reason=detail)) from error
    return _checked(loaded, path)


def _checked(loaded: object, path: Path) -> Mapping[str, frozenset[str]]:
    is_table = isinstance(loaded, dict) and all(
        isinstance(name, str) and isinstance(words, list) and all(isinstance(word, str) for word in words)
        for name, words in loaded.items()
    )
    if not is_table or not isinstance(loaded, dict):
        text = _("“{path}” must be a map from a task type to a list of words, such as “shell: [run, execute]”.")
        raise CannotRead(text.format(path=path))
    return MappingProxyType({name: frozenset(word.casefold() for word in words) for name, words in loaded.items()})
