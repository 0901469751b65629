"""What git has of a file: the content that it had in a revision. Only read, and nothing of git's own is changed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from workbench.disk.files import LARGEST_FILE, real_path
from workbench.errors import CannotRead
from workbench.i18n import _

_PATIENCE_S = 30.0


def read_revision(path: Path, revision: str) -> bytes:
    """The bytes of the file *path* in *revision*, as git keeps them. Raises CannotRead."""
    whole = real_path(path)
    if revision.startswith("-"):
        raise CannotRead(_("“{revision}” is no revision.").format(revision=revision))
    # the plumbing starts no program that an attribute of the repository names
    data = _git(whole.parent, "cat-file", "blob", f"{revision}:./{whole.name}")
    if len(data) > LARGEST_FILE:
        raise CannotRead(_("“{name}” is too large in this revision.").format(name=path.name))
    return data


def _git(folder: Path, *words: str) -> bytes:
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words],  # noqa: S607 - whichever git the person has
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env=environment,
            timeout=_PATIENCE_S,
            check=False,
        )
    except FileNotFoundError as error:
        raise CannotRead(_("The program git is not installed, so there is nothing to compare with.")) from error
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise CannotRead(_("git did not answer: {reason}.").format(reason=error)) from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise CannotRead(_("git has no such file: {reason}.").format(reason=said[-1] if said else done.returncode))
    return done.stdout
