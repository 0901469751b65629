"""What changes when a file of a project gets another name or place: the links that lead to it, and its own.

Only what is to be written is worked out here, from what the files hold now; nothing is changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from posixpath import dirname, normpath, relpath

from workbench.disk.files import is_file, is_there, read_file, real_path
from workbench.disk.listing import folders_below
from workbench.errors import CannotRead, CannotSave
from workbench.i18n import _
from workbench.model.links import RUNBOOK_ENDINGS, is_plain_path, path_span, targets_of, written_path
from workbench.model.snapshot import derive
from workbench.project.index import LARGEST_INDEXED, joined_path, wiki_name
from workbench.regex import regex
from workbench.syntax.change import TextChange, TextEdit
from workbench.syntax.links import WIKIS, Link
from workbench.syntax.text import SourceText, Span
from workbench.tools.confinement import is_protected
from workbench.visible import visible

_LETTERS = regex(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class LinkEdits:
    """What changes in one file. *path*: from the project on, the old one of the renamed file. *data*: what it holds."""

    path: str
    data: bytes
    edits: tuple[TextEdit, ...]

    @property
    def source(self) -> SourceText:
        """Its text now."""
        return SourceText.decode(self.data)

    @property
    def text_after(self) -> str:
        """Its text afterwards."""
        return TextChange(self.edits).apply(self.source.text)

    @property
    def data_after(self) -> bytes:
        """What it holds afterwards."""
        return self.source.with_text(self.text_after).encode()


@dataclass(frozen=True, slots=True)
class Renaming:
    """The file *old* of the project in the folder *root* is to be called *new*; both from the project on.

    *changes*: to the files that link to it, and to itself where its links count from another folder then.
    *files*: all that there are.
    """

    root: Path
    old: str
    new: str
    changes: tuple[LinkEdits, ...]
    files: frozenset[str]

    @property
    def count(self) -> int:
        """How many links change."""
        return sum(len(change.edits) for change in self.changes)

    def edits_in(self, path: str, text: str) -> tuple[TextEdit, ...]:
        """What changes in *text*, which stands in place of what the file *path* holds."""
        return tuple(_Planned(self.root, self.old, self.new, self.files).edits(path, text))


def renaming_of(root: Path, old: str, new: str) -> Renaming:
    """What calling the file *old* *new* changes. Raises CannotRead and CannotSave where that cannot be done."""
    root = real_path(root)
    return _planned(root, old, _checked(root, old, new))


def relinking_of(root: Path, old: str, new: str) -> Renaming:
    """What changes where links that lead to *old* are to lead to *new*, and both files stay."""
    planned = _planned(real_path(root), old, new)
    return replace(planned, changes=tuple(change for change in planned.changes if change.path != old))


def _planned(root: Path, old: str, new: str) -> Renaming:
    files = frozenset(folder.path_of(file.name) for folder in folders_below(root) for file in folder.files)
    changes = tuple(_Planned(root, old, new, files).changes())
    return Renaming(root, old, new, changes, files)


def _checked(root: Path, old: str, new: str) -> str:
    """*new* without detours."""
    if not is_file(root / old):
        raise CannotRead(_("There is no file “{name}”.").format(name=visible(old)))
    return new_name(root, new)


def new_name(root: Path, new: str) -> str:
    """*new*, from the folder *root* of the project on, without detours. Raises CannotSave where it is none to give."""
    root = real_path(root)
    goal = normpath(new) if is_plain_path(new) else ""
    place = real_path(root / goal)
    if not goal or goal.startswith(("..", "/")) or not place.is_relative_to(root) or is_protected(_parts(root, place)):
        raise CannotSave(_("“{name}” is not a name for a file of this project.").format(name=visible(new)))
    if is_there(root / goal):
        message = _("There is something called “{name}” already. Choose another name.")
        raise CannotSave(message.format(name=visible(goal)))
    return goal


def _parts(root: Path, place: Path) -> tuple[str, ...]:
    return place.relative_to(root).parts


@dataclass(frozen=True, slots=True)
class _Planned:
    root: Path
    old: str
    new: str
    files: frozenset[str]

    def changes(self) -> Iterator[LinkEdits]:
        """All changes, by path."""
        for path in sorted(self.files):
            if not path.lower().endswith(RUNBOOK_ENDINGS):
                continue
            try:
                data = read_file(self.root / path, LARGEST_INDEXED)
            except CannotRead:
                continue  # what cannot be read cannot be changed either, and links nowhere
            text = SourceText.decode(data).text
            if path == self.old or self._may_name(text):
                edits = tuple(self.edits(path, text))
                if edits:
                    yield LinkEdits(path, data, edits)

    def _may_name(self, text: str) -> bool:
        """False where *text* surely does not link to the file: plain letters of its name are always written as such."""
        stem = self.old.rpartition("/")[2].rpartition(".")[0]
        return max(_LETTERS.findall(stem.lower()), key=len, default="") in text.lower()

    def edits(self, path: str, text: str) -> Iterator[TextEdit]:
        """What changes in the *text* of the file *path*."""
        for link in targets_of(derive(SourceText(text))):
            span = path_span(link, text)
            insert = self._wiki(link) if link.form in WIKIS else self._relative(path, link, span, text)
            if insert and insert != span.of(text):
                yield TextEdit(span, insert)

    def _wiki(self, link: Link) -> str:
        """The new name in a wiki link to the file; empty where it leads elsewhere, or stays as it is."""
        name = wiki_name(f"{link.path}.md") if link.path else ""
        is_same = name != wiki_name(self.old) or wiki_name(self.old) == wiki_name(self.new)
        if is_same or any(wiki_name(path) == name for path in self.files if path != self.old):
            return ""
        return self.new.rpartition("/")[2].rpartition(".")[0]

    def _relative(self, path: str, link: Link, span: Span, text: str) -> str:
        """The path that *link* in the file *path* has afterwards; empty where it stays as it is."""
        target = joined_path(path, link.path) if is_plain_path(link.path) else ""
        here = self.new if path == self.old else path
        is_moved = path == self.old and dirname(self.old) != dirname(self.new) and not link.path.startswith("/")
        if not target or (target != self.old and not (is_moved and self._is_there(target))):
            return ""
        goal = self.new if target == self.old else target
        end = "/" if link.path.endswith("/") else ""
        if link.path.startswith("/"):
            return written_path(f"/{goal}", span, text)
        found = relpath(goal, dirname(here) or ".")
        is_dotted = link.path.startswith("./") and not found.startswith("..")
        return written_path(f"./{found}{end}" if is_dotted else found + end, span, text)

    def _is_there(self, target: str) -> bool:
        return target in self.files or is_there(self.root / target)
