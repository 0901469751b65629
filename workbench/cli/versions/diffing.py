"""``workbench diff``: what differs between two versions of a playbook, also as git calls it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.cli.reading import add_kind_option, chapters_of_file, kind_of_file, read_source
from workbench.cli.terminal import FINDINGS, FINE, Commands, add_command, show, show_exactly, show_json
from workbench.disk.outputs import write_output
from workbench.disk.revisions import read_revision
from workbench.errors import CannotRead
from workbench.i18n import _
from workbench.model.kinds import kind_named
from workbench.model.snapshot import Snapshot, derive
from workbench.model.versions.comparing import compare_versions
from workbench.model.versions.differences import (
    Differences,
    Fate,
    FieldChange,
    HunkKind,
    PartChange,
    Standing,
    StepChange,
)
from workbench.pages.version_words import (
    fate_words,
    own_steps,
    part_line,
    part_words,
    place_words,
    plain,
    sign_of,
    summary_of,
    told_field,
)
from workbench.syntax.text import SourceText, split_lines

_FROM_GIT = (7, 9)
"""So many arguments git gives to a program that shows differences; more of them where a file was renamed."""
_HEAD = "HEAD"


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "diff",
        _("show what differs between two versions of a playbook"),
        "diff playbooks/refund.md --rev HEAD~3",
        _(
            "Says which steps came, went, changed, moved or were reordered. With one FILE, it is compared with what "
            "git has of it. Takes the arguments that git gives as well. "
            "Exit code: 0 both are the same, 1 they differ, 2 one cannot be read."
        ),
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help=_("the old and the new file, or one file in git"))
    parser.add_argument("--rev", metavar="REV", default="", help=_("compare with this revision of git, not HEAD"))
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=_("print a JSON object"))
    form.add_argument("--html", action="store_true", help=_("print an HTML page"))
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help=_("write an HTML page"))
    parser.add_argument("--lines", action="store_true", help=_("also print every line that differs"))
    add_kind_option(parser)
    parser.set_defaults(execute=show_versions)


def show_versions(options: argparse.Namespace) -> int:
    """Show how the versions that *options* name differ."""
    if len(options.files) in _FROM_GIT:
        return _show_to_git(options)
    old, new = _versions(options)
    differences = compare_versions(old.snapshot, new.snapshot)
    if options.output is not None or options.html:
        _give_page(differences, (old.name, new.name), options.output)
    elif options.json:
        show_json({"old": old.name, "new": new.name, **_as_json(differences)})
    else:
        show(f"--- {old.name}")
        show(f"+++ {new.name}")
        _show_lines(differences, has_all=options.lines)
    is_same = old.snapshot.source.encode() == new.snapshot.source.encode()
    return FINE if is_same else FINDINGS


def _show_to_git(options: argparse.Namespace) -> int:
    """The same, as git wants it: whatever differs, another exit code than 0 would end git itself."""
    name, old, new = Path(options.files[0]), Path(options.files[1]), Path(options.files[4])
    show(f"diff {options.files[-2] if len(options.files) > min(_FROM_GIT) else name}")
    try:
        versions = [_read(each, name, options.kind) for each in (old, new)]
        _show_lines(compare_versions(*versions), has_all=options.lines)
    except CannotRead as error:
        show(str(error))
    return FINE


def _give_page(differences: Differences, names: tuple[str, str], output: Path | None) -> None:
    from workbench.pages.version_page import version_page  # noqa: PLC0415 - most look at it in the terminal

    page = version_page(differences, names)
    if output is None:
        show_exactly(page)
    else:
        write_output(output, page.encode("utf-8", "backslashreplace"))


@dataclass(frozen=True, slots=True)
class _Version:
    name: str
    snapshot: Snapshot


def _versions(options: argparse.Namespace) -> tuple[_Version, _Version]:
    """The versions that are meant, the old one first. Raises CannotRead."""
    paths = [Path(each) for each in options.files]
    if len(paths) > 2 or (len(paths) == 2 and options.rev):
        raise CannotRead(_("Name two files, or one and with --rev a revision of git."))
    new = _Version(str(paths[-1]), _read(paths[-1], paths[-1], options.kind))
    if len(paths) == 2:
        return _Version(str(paths[0]), _read(paths[0], paths[-1], options.kind)), new
    revision = options.rev or _HEAD
    source = SourceText.decode(read_revision(paths[0], revision))
    return _Version(f"{paths[0]} ({revision})", _snapshot(source, paths[0], options.kind)), new


def _read(path: Path, known_as: Path, kind: str) -> Snapshot:
    """The version in *path*; git gives an empty one for a file that was not there."""
    is_missing = str(path) == os.devnull
    return _snapshot(SourceText("") if is_missing else read_source(path), known_as, kind)


def _snapshot(source: SourceText, known_as: Path, kind: str) -> Snapshot:
    """*source* read as *kind*, else as the person has said of the file *known_as*."""
    wanted = kind_named(kind) or kind_of_file(known_as)
    return derive(source, wanted=wanted, chapters=chapters_of_file(known_as))


def _show_lines(differences: Differences, *, has_all: bool) -> None:
    for sentence in summary_of(differences):
        show(f"- {' '.join(sentence.split())}")
    title = _("Line by line") if has_all else _("Text around the steps")
    blocks = (
        _titled(_("Parts"), [line for each in differences.parts for line in _part_lines(each)]),
        _titled(_("Steps"), [line for each in own_steps(differences) for line in _step_lines(each)]),
        _titled(title, list(_text_lines(differences, frozenset(HunkKind) if has_all else {HunkKind.TEXT}))),
    )
    for block in blocks:
        for line in block:
            show(line)


def _titled(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield title
        yield from (f"  {line}" for line in lines)


def _part_lines(change: PartChange) -> Iterator[str]:
    yield f"{sign_of(change.fates)} {' '.join(part_line(change).split())}"
    yield from _field_lines(change.fields)


def _field_lines(fields: Sequence[FieldChange]) -> Iterator[str]:
    for each in map(told_field, fields):
        yield f"    {each.what}: {' '.join(each.was.split())} → {' '.join(each.now.split())}"


def _step_lines(change: StepChange) -> Iterator[str]:
    """A step in a line: what is gone of its words stands in ``[-…-]``, what came in ``{+…+}``, as git writes it."""
    is_changed = Fate.CHANGED in change.fates
    words = "".join(_piece(each.was, each.now) for each in change.words) if is_changed else change.standing.text
    told = f" ({fate_words(change.fates)})" if change.fates.isdisjoint({Fate.ADDED, Fate.REMOVED}) else ""
    yield f"{sign_of(change.fates)} {place_words(change)}  {' '.join(words.split())}{told}"
    yield from _field_lines(change.fields)


def _piece(was: str, now: str) -> str:
    if was == now:
        return was
    return (f"[-{was}-]" if was else "") + (f"{{+{now}+}}" if now else "")


def _text_lines(differences: Differences, kinds: Collection[HunkKind]) -> Iterator[str]:
    """The lines that differ in hunks of *kinds*."""
    for hunk in differences.hunks:
        if hunk.kind in kinds:
            yield _("line {old} → line {new}").format(old=hunk.lines[0], new=hunk.lines[1])
            yield from (f"- {line.rstrip()}" for line in split_lines(hunk.was))
            yield from (f"+ {line.rstrip()}" for line in split_lines(hunk.now))


def _as_json(differences: Differences) -> dict[str, object]:
    is_same = differences.old.source.encode() == differences.new.source.encode()
    return {
        "differs": not is_same,
        "only_layout": differences.is_only_layout,
        "summary": list(summary_of(differences)),
        "parts": [_part_as_json(each) for each in differences.parts],
        "steps": [_step_as_json(each) for each in differences.steps],
        "hunks": [
            {
                "old": {"line": each.lines[0], "text": each.was},
                "new": {"line": each.lines[1], "text": each.now},
                "kind": each.kind.value,
                "steps": list(each.steps),
            }
            for each in differences.hunks
        ],
    }


def _part_as_json(change: PartChange) -> dict[str, object]:
    lines = {"old_line": change.lines[0], "new_line": change.lines[1]}
    return {"part": part_words(change.part), **_fates_as_json(change), **lines}


def _step_as_json(change: StepChange) -> dict[str, object]:
    sides = {"old": _standing_as_json(change.old), "new": _standing_as_json(change.new)}
    return {**_fates_as_json(change), **sides, "words": [{"was": one.was, "now": one.now} for one in change.words]}


def _fates_as_json(change: PartChange | StepChange) -> dict[str, object]:
    fields = [
        {"about": one.about.value, "name": one.name, "was": plain(one.was), "now": plain(one.now)}
        for one in change.fields
    ]
    return {"fates": sorted(fate.value for fate in change.fates), "fields": fields}


def _standing_as_json(standing: Standing | None) -> dict[str, object] | None:
    if standing is None:
        return None
    places: dict[str, object] = {"address": standing.address, "line": standing.line, "parent": standing.parent}
    return {**places, "text": standing.text}
