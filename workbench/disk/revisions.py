"""What git has of files: their revisions, and how they stand to the last commit.

Everything is asked of the program ``git``, and only read. A folder from somebody else can hold a repository whose
settings name programs: monitors, filters, hooks, signers, helpers that fetch. So only the plumbing is asked, which
starts few of them, and those are switched off; what would need a filter is worked out here. No question takes longer
than a person waits, or gives more than can be held.
"""

from __future__ import annotations

import enum
import hashlib
import os
import subprocess
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from workbench.disk.files import LARGEST_FILE, Kind, Stamp, look_at, read_file, real_path
from workbench.errors import CannotRead
from workbench.i18n import _

HEAD = "HEAD"
MOST_REVISIONS = 1_000
_PATIENCE_S = 30.0
_MOST_COMPARED = 10_000
_LARGEST_LIST = 32 * 1024 * 1024
_OFF = (
    *("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "-c", "log.showSignature=false"),
    *("-c", "i18n.logOutputEncoding=UTF-8", "-c", "core.quotePath=false", "--no-pager", "--literal-pathspecs"),
)
"""What a repository could have git start, or say otherwise."""
_SETTINGS = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "LC_ALL": "C"}
"""Nothing is written, and nothing is fetched."""
_OF_A_REPOSITORY = frozenset(
    f"GIT_{each}"
    for each in ("DIR", "WORK_TREE", "INDEX_FILE", "OBJECT_DIRECTORY", "COMMON_DIR", "PREFIX", "NAMESPACE")
)
"""What git sets for its own children: another repository may be meant here."""
_RECORD, _FIELD = "\x1e", "\x1f"


class GitState(enum.Enum):
    """How a file stands to the last commit. ADDED: it is new, and will be in the next one."""

    MODIFIED = "modified"
    ADDED = "added"
    UNTRACKED = "untracked"
    CONFLICTED = "conflicted"


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit that changed a file. *time_s*: seconds since 1970; *name*: of the file then, from the top folder."""

    id: str
    author: str
    time_s: int
    subject: str
    name: str


@dataclass(frozen=True, slots=True)
class Repository:
    """Where git keeps what it has of a folder. *top*: the folder that all names begin at; *git_dir*: its own one."""

    top: Path
    git_dir: Path


def read_revision(path: Path, revision: str, name: str = "") -> bytes:
    """The bytes of the file *path* in *revision*, as git keeps them; *name*: as it was called. Raises CannotRead."""
    whole = real_path(path)
    if revision.startswith("-"):
        raise CannotRead(_("“{revision}” is no revision.").format(revision=revision))
    what = f"{revision}:{name}" if name else f"{revision}:./{whole.name}"
    data = _git(whole.parent, "cat-file", "blob", what, most=LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise CannotRead(_("“{name}” is too large in this revision.").format(name=path.name))
    return data


def read_committed(path: Path) -> bytes | None:
    """The bytes of the file *path* in the last commit, also where it had another name; None where it has none."""
    try:
        return read_revision(path, HEAD)
    except CannotRead:
        former = _former_name(real_path(path))
    return read_revision(path, HEAD, former) if former else None


def _former_name(whole: Path) -> str:
    """What the file *whole* is called in the last commit, where its new name is staged; empty for nothing."""
    try:
        own = _text(_git(whole.parent, "ls-files", "--full-name", "-z", "--", whole.name)).rstrip("\0")
        raw = _text(_git(whole.parent, "diff-index", "--cached", "-M", "--raw", "-z", "--no-ext-diff", HEAD))
    except CannotRead:
        return ""
    changes = _raw_changes(raw) if own else ()
    return next((before for _kind, before, now in changes if now == own and before != now), "")


def revisions_of(path: Path) -> tuple[Revision, ...]:
    """The commits that changed the file *path*, the newest first, also while it had other names. Raises CannotRead."""
    whole = real_path(path)
    form = f"--format={_RECORD}%H{_FIELD}%an{_FIELD}%at{_FIELD}%s{_FIELD}"
    quiet = ("--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-color", "--no-notes")
    words = ("log", "--follow", *quiet, "-z", "--name-only", form, f"-n{MOST_REVISIONS}", "--", whole.name)
    records = _text(_git(whole.parent, *words, most=_LARGEST_LIST)).split(_RECORD)[1:]
    return tuple(_revisions(records))


def _revisions(records: list[str]) -> Iterator[Revision]:
    name = ""
    for record in records:
        commit, author, time, subject, rest = record.split(_FIELD, 4)
        names = [each for each in rest.replace("\n", "\0").split("\0") if each]
        name = names[-1] if names else name
        if name:
            yield Revision(commit, author, int(time) if time.isdecimal() else 0, subject, name)


def repository_of(folder: Path) -> Repository | None:
    """The repository that *folder* is in; None where there is none, it has no files, or git is not installed."""
    try:
        found = _text(_git(folder, "rev-parse", "--show-toplevel", "--absolute-git-dir")).splitlines()
    except CannotRead:
        return None
    return Repository(Path(found[0]), Path(found[1])) if len(found) == 2 and all(found) else None


Digests = dict[Path, tuple[Stamp, frozenset[str]]]
"""What git would know files as, with what each looked like when it was read."""


def states_in(folder: Path, endings: tuple[str, ...] = (), known: Digests | None = None) -> Mapping[Path, GitState]:
    """How the files in *folder* stand to the last commit, those that differ from it. Empty where git knows none.

    *endings*: of the names of files that are looked at; none for all. *known*: files that were looked at before, and
    need not be read again.
    """
    repository = repository_of(folder)
    if repository is None:
        return {}
    states: dict[str, GitState] = {}
    try:
        untracked = _git(folder, "ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", ".")
        states.update(dict.fromkeys(_names(untracked), GitState.UNTRACKED))
        states.update(_staged(folder))
        listed = _names(_git(folder, "ls-files", "--stage", "--full-name", "-z", "--", "."))
        states.update(_modified(repository.top, [each for each in listed if each.endswith(endings or "")], known))
    except CannotRead:
        return {}
    return {repository.top / name: state for name, state in states.items() if name.endswith(endings or "")}


def _staged(folder: Path) -> Iterator[tuple[str, GitState]]:
    """What is in the index, and not so in the last commit; all of it where there is no commit."""
    try:
        raw = _git(folder, "diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-ext-diff", HEAD, "--", ".")
    except CannotRead:
        yield from ((each, GitState.ADDED) for each in _names(_git(folder, "ls-files", "--full-name", "-z", "--", ".")))
        return
    for kind, _before, name in _raw_changes(_text(raw)):
        yield name, GitState.ADDED if kind == "A" else GitState.MODIFIED


def _modified(top: Path, listed: list[str], known: Digests | None) -> Iterator[tuple[str, GitState]]:
    """What is *listed* in the index, and not so in the folder. git is not asked to compare: it would start filters."""
    digests: Digests = {} if known is None else known
    other: dict[str, GitState] = {}
    for line in listed[:_MOST_COMPARED]:
        head, _tab, name = line.partition("\t")
        mode, blob, stage = head.split(" ")
        if stage != "0":
            yield name, GitState.CONFLICTED
        elif mode.startswith("100") and blob not in _digests_of(top / name, blob, digests):
            other[name] = GitState.MODIFIED
    yield from ((name, state) for name, state in other.items() if not is_kept_otherwise(top / name))


def _digests_of(path: Path, blob: str, known: Digests) -> frozenset[str]:
    """What git would know the file *path* as, as it is and with other line ends; *blob*: such an id, for its kind."""
    look = look_at(path)
    if look.stamp is None:
        return frozenset({blob} if look.kind is Kind.MISSING else ())  # that it is gone, nobody sees in a list of files
    if path not in known or known[path][0] != look.stamp:
        try:
            data = read_file(path)
        except CannotRead:
            return frozenset()
        make = hashlib.sha256 if len(blob) == len(hashlib.sha256().hexdigest()) else hashlib.sha1
        every = {data, data.replace(b"\r\n", b"\n")}
        known[path] = look.stamp, frozenset(make(b"blob %d\0%b" % (len(each), each)).hexdigest() for each in every)
    return known[path][1]


def _raw_changes(raw: str) -> Iterator[tuple[str, str, str]]:
    """The kind, the name before and the name now of each change that git lists in its raw form."""
    parts = iter(raw.split("\0"))
    for head in parts:
        if not head.startswith(":"):
            continue
        kind, name = head.rpartition(" ")[2][:1], next(parts, "")
        yield kind, name, next(parts, name) if kind in {"R", "C"} else name


def changes_line_ends(path: Path) -> bool:
    """Whether git keeps the file *path* with other line ends than it has here, by settings or attributes."""
    whole = real_path(path)
    values = _attributes(whole, "text", "eol")
    if "text" in values:
        return values["text"] != "unset"
    if "eol" in values:
        return True
    try:
        return _text(_git(whole.parent, "config", "--get", "core.autocrlf")).strip().lower() in {"true", "input"}
    except CannotRead:
        return False


def is_kept_otherwise(path: Path) -> bool:
    """Whether git keeps the file *path* as what a program or another encoding makes of it, so that nobody can tell
    without starting something how it differs.
    """
    return bool(_attributes(real_path(path), "filter", "ident", "working-tree-encoding"))


def _attributes(whole: Path, *wanted: str) -> dict[str, str]:
    """Which of the *wanted* attributes the file *whole* has."""
    try:
        told = _text(_git(whole.parent, "check-attr", "-z", *wanted, "--", whole.name)).split("\0")
    except CannotRead:
        return {}
    return {name: value for name, value in zip(told[1::3], told[2::3], strict=False) if value != "unspecified"}


def _names(data: bytes) -> list[str]:
    return [each for each in _text(data).split("\0") if each]


def _text(data: bytes) -> str:
    return os.fsdecode(data)


def _git(folder: Path, *words: str, most: int = _LARGEST_LIST) -> bytes:
    """What git says, up to *most* bytes of it. Raises CannotRead."""
    own = {key: value for key, value in os.environ.items() if key not in _OF_A_REPOSITORY}
    command = ["git", *_OFF, "-C", str(folder), *words]
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**own, **_SETTINGS}
        )
    except FileNotFoundError as error:
        raise CannotRead(_("The program git is not installed, so there is nothing to compare with.")) from error
    except (OSError, ValueError) as error:
        raise CannotRead(_("git did not answer: {reason}.").format(reason=error)) from error
    return _answer(process, most)


def _answer(process: subprocess.Popen[bytes], most: int) -> bytes:
    """What *process* writes, up to *most* bytes; it is ended where it takes too long, or writes more."""
    patience = threading.Timer(_PATIENCE_S, process.kill)
    patience.daemon = True
    patience.start()
    with process:
        assert process.stdout is not None and process.stderr is not None
        try:
            data = process.stdout.read(most)
            is_cut = len(data) == most
            if is_cut:
                process.kill()
            said = process.stderr.read(LARGEST_FILE).decode("utf-8", "replace").strip().splitlines()
            code = process.wait()
        finally:
            is_late = not patience.is_alive()
            patience.cancel()
            process.kill()
    if is_late:
        raise CannotRead(_("git did not answer: {reason}.").format(reason=_("it took too long")))
    if code and not is_cut:
        raise CannotRead(_("git has no such file: {reason}.").format(reason=said[-1] if said else code))
    return data
