"""The person's own table of words that speak for a task type."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import yaml

from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.library.classification import DEFAULT_WORDS

FILE_NAME = "task-types.yaml"
_SIZE_LIMIT = 1 << 20


def load_words(path: Path) -> Mapping[str, frozenset[str]]:
    """Words by task type as *path* has them, in its order; the table of the program where there is no such file.

    The file is a YAML map from a task type to a list of words. Raises CannotRead, saying what
    is wrong with it.
    """
    try:
        if path.stat().st_size > _SIZE_LIMIT:
            raise CannotRead(_("“{path}” is too long for a table of words.").format(path=path))
        loaded = yaml.safe_load(path.read_text("utf-8"))
    except FileNotFoundError:
        return DEFAULT_WORDS
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        detail = str(error).partition("\n")[0]
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
