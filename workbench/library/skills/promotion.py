"""From a proven pattern to a file: drafted, reviewed, then written and marked in one go."""

from __future__ import annotations

import difflib
import enum
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from workbench.disk.atomic import make_folder, put_new_folder, remove_file, remove_folder, replace_file
from workbench.disk.files import is_there, is_writable, look_at, read_file, why
from workbench.errors import CannotRead, CannotSave, ChangedOnDisk, WorkbenchError
from workbench.i18n import _, ngettext, numeral
from workbench.library.entries import DEFAULT_THRESHOLD, PatternEntry, PromotionEvent, PromotionState, Variant
from workbench.library.rows import add_event
from workbench.library.skills.playbook_text import file_stem, playbook_text, step_list_text
from workbench.library.skills.rules import FILE_NAME, check_skill_text
from workbench.library.skills.skill_text import skill_of, text_digest
from workbench.library.store import PatternStore

_VERSIONS_LIMIT = 1000


class NotPromotable(WorkbenchError):
    """The pattern cannot be promoted now; the text says why."""


class PromotionKind(enum.Enum):
    """What a pattern becomes."""

    SKILL = "skill"
    PLAYBOOK = "playbook"
    STEPLIST = "step-list"


@dataclass(frozen=True, slots=True)
class Draft:
    """A text that waits for a person's yes.

    *path*: the file that it will be. *replaced*: the text there now, which is ours and
    unedited; None: there is none. *edited*: the text of an earlier version that a person has
    edited, which is why this is a version of its own; None: there is none.
    """

    pattern_id: str
    kind: PromotionKind
    text: str
    path: Path
    replaced: str | None = None
    edited: str | None = None

    @property
    def digest(self) -> str:
        """Changes with every byte of the text."""
        return text_digest(self.text)

    @property
    def diff(self) -> str:
        """The unified diff against what is there, empty when there is nothing or no difference."""
        before = self.edited if self.edited is not None else self.replaced
        if before is None:
            return ""
        lines = difflib.unified_diff(before.splitlines(), self.text.splitlines(), "before", "after", lineterm="")
        return "\n".join(lines)


def why_not_promotable(entry: PatternEntry, threshold: int = DEFAULT_THRESHOLD) -> str:
    """Why *entry* cannot be promoted now, in words; empty when it can."""
    if entry.state is PromotionState.ACCEPTED:
        return _("This pattern has already been promoted. Undo the promotion to promote it again.")
    if entry.state is PromotionState.REJECTED:
        return _("This pattern was rejected. Undo the rejection to promote it.")
    if entry.state is PromotionState.SUPERSEDED:
        return _("This pattern was replaced by another one.")
    if entry.success_count < threshold:
        return ngettext(
            "It has {has} of the {count} success needed.", "It has {has} of the {count} successes needed.", threshold
        ).format(has=numeral(entry.success_count))
    if not entry.tool_sequence:
        return _("It uses no tools, so it has no steps to write.")
    return ""


def draft_promotion(store: PatternStore, pattern_id: str, folder: Path, kind: PromotionKind) -> Draft:
    """What promoting the pattern into *folder* would write. Writes nothing; raises UnknownPattern.

    A file that a person has edited is never replaced: the draft becomes another version beside it.
    """
    entry, variants = store.entry(pattern_id), store.variants(pattern_id)
    known = frozenset(event.digest for event in store.history(pattern_id) if event.digest)
    edited: str | None = None
    for version in range(1, _VERSIONS_LIMIT):
        path, text = _WRITERS[kind](entry, variants, version)
        target = folder / path
        found = _text_at(target)
        if found is None and not (kind is PromotionKind.SKILL and is_there(target.parent)):
            return Draft(pattern_id, kind, text, target, None, edited)
        if found is not None and (found == text or text_digest(found) in known):
            return Draft(pattern_id, kind, text, target, found, edited)
        edited = found if edited is None else edited
    raise NotPromotable(_("There are too many versions of it in “{folder}”.").format(folder=folder))


def promote(store: PatternStore, draft: Draft, threshold: int = DEFAULT_THRESHOLD) -> Path:
    """The file that was written; the pattern counts as promoted exactly when the file is there.

    Raises NotPromotable, CannotSave (nothing was written and nothing marked), StoreFailed,
    UnknownPattern.
    """
    reason = why_not_promotable(store.entry(draft.pattern_id), threshold)
    if reason:
        raise NotPromotable(reason)
    _check(draft)
    event = PromotionEvent("", PromotionState.ACCEPTED, str(draft.path), draft.digest, draft.kind.value)
    placed: _Placed | None = None
    try:
        with store.database.writing() as connection:
            add_event(connection, draft.pattern_id, event)
            placed = _place(draft.path, draft.text, draft.replaced)
    except BaseException:  # whatever ends it, Ctrl+C too, library and folder say the same
        if placed is not None:
            _take_back(placed)
        raise
    return draft.path


def _check(draft: Draft) -> None:
    """Refuse a skill that is not valid; ours always are, unless the draft was changed on the way."""
    if draft.kind is not PromotionKind.SKILL:
        return
    problems = check_skill_text(draft.text, draft.path.parent.name)
    if problems:
        raise NotPromotable(_("The skill is not valid: {why}").format(why=problems[0].message))


def _text_at(path: Path) -> str | None:
    """What stands in *path*, None when there is no file."""
    try:
        return read_file(path).decode("utf-8", "surrogateescape")
    except CannotRead:
        return None


def _skill(entry: PatternEntry, variants: tuple[Variant, ...], version: int) -> tuple[Path, str]:
    skill = skill_of(entry, variants, version)
    return Path(skill.name, FILE_NAME), skill.text


def _playbook(entry: PatternEntry, variants: tuple[Variant, ...], version: int) -> tuple[Path, str]:
    return Path(f"{file_stem(entry, version)}.md"), playbook_text(entry, variants)


def _step_list(entry: PatternEntry, variants: tuple[Variant, ...], version: int) -> tuple[Path, str]:
    return Path(f"{file_stem(entry, version)}.yaml"), step_list_text(entry, variants)


_Writer = Callable[[PatternEntry, tuple[Variant, ...], int], tuple[Path, str]]
_WRITERS: dict[PromotionKind, _Writer] = {
    PromotionKind.SKILL: _skill,
    PromotionKind.PLAYBOOK: _playbook,
    PromotionKind.STEPLIST: _step_list,
}


@dataclass(frozen=True, slots=True)
class _Placed:
    """What was put where. *before*: the bytes that were there, None: nothing was. *folder*: a folder that is new."""

    path: Path
    before: bytes | None
    folder: Path | None


def _place(path: Path, text: str, expected: str | None) -> _Placed:
    """Write *text* to *path* so that nobody ever sees half of it.

    *expected*: what stands there now; None: nothing. The draft is written outside the folder
    that programs look for skills in, then moved. Raises ChangedOnDisk when something else
    stands there, CannotSave when it cannot be written; then all is as before.
    """
    data = text.encode("utf-8", "surrogateescape")
    try:
        before = read_file(path) if is_there(path) else None
        if before != (None if expected is None else expected.encode("utf-8", "surrogateescape")):
            raise ChangedOnDisk(
                _("“{path}” was changed by someone else in the meantime, so it was left unchanged.").format(path=path)
            )
        if before == data:
            return _Placed(path, before, None)
        folder = _move_in(path, data)
    except (OSError, ValueError) as error:
        text = _("“{path}” could not be written: {reason}. The pattern can still be promoted.")
        raise CannotSave(text.format(path=path, reason=why(error))) from error
    return _Placed(path, before, folder)


def _take_back(placed: _Placed) -> None:
    """Make everything as it was before *placed*."""
    with suppress(OSError):
        if placed.folder is not None:
            remove_folder(placed.folder)
        elif placed.before is None:
            remove_file(placed.path)
        else:
            replace_file(placed.path, placed.before)


def _move_in(path: Path, data: bytes) -> Path | None:
    """Write beside, then move; gives the new folder where the text brought one of its own."""
    if path.name != FILE_NAME or is_there(path.parent):
        make_folder(path.parent)
        replace_file(path, data)
        return None
    root = path.parent.parent
    make_folder(root)
    put_new_folder(path.parent, path.name, data, _draft_root(root))
    return path.parent


def _draft_root(root: Path) -> Path:
    """The folder above *root* where it can be written to and is of the same disk, else *root*."""
    one, other = look_at(root.parent).identity, look_at(root).identity
    is_same_disk = one is not None and other is not None and one[0] == other[0]
    return root.parent if is_same_disk and is_writable(root.parent) else root
