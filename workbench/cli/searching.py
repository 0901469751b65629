"""``workbench search TEXT``: finds text in the files of a project by playbook and step, and replaces it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from workbench.cli.terminal import (
    FINDINGS,
    FINE,
    UNUSABLE,
    Commands,
    add_command,
    complain,
    show,
    show_difference,
    show_json,
)
from workbench.disk.files import absolute, is_folder, is_there, project_folder, real_path
from workbench.editing.keeping.many_files import write_together, writings
from workbench.errors import CannotRead
from workbench.i18n import _, ngettext
from workbench.model.snapshot import Snapshot, derive
from workbench.search.files import FileFound, replaced, search_files, texts_below
from workbench.search.matching import Finder, Match, Query
from workbench.search.replacing import Replacement


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "search",
        _("find text in the files of a project, and replace it"),
        'search "on-call" playbooks --replace "on duty" --write',
        _("Exit code 0 where something was found, else 1. Files of one project are changed together, or none is."),
    )
    parser.add_argument("text", metavar="TEXT", help=_("what is looked for"))
    parser.add_argument(
        "files", nargs="*", type=Path, metavar="FILE", help=_("files or folders; without one, the project")
    )
    parser.add_argument("--regex", action="store_true", help=_("TEXT is a regular expression"))
    parser.add_argument("--word", action="store_true", help=_("whole words only"))
    parser.add_argument("--case", action="store_true", help=_("small and capital letters differ"))
    parser.add_argument(
        "--tag", default="", help=_("only in steps with this tag; where TEXT is empty, all steps that have it")
    )
    parser.add_argument("--replace", metavar="NEW", help=_("print what would change with NEW in its place"))
    parser.add_argument("--keep-case", action="store_true", help=_("NEW in small letters or capitals as each match is"))
    parser.add_argument("--write", action="store_true", help=_("change the files"))
    parser.add_argument("--json", action="store_true", help=_("print the matches as JSON"))
    parser.set_defaults(execute=execute, parser=parser)


def execute(options: argparse.Namespace) -> int:
    """Print what was found, or what changes."""
    query = Query(options.text, options.case, options.word, options.regex, options.tag)
    if query.is_empty:
        options.parser.error(_("TEXT is empty; with --tag, it finds all that has the tag"))
    root, only = _places(options.files)
    with closing(Finder()) as finder:
        found = list(search_files(finder, query, texts_below(root, only=only)))
    if found and found[-1].found.trouble:
        complain(found[-1].found.trouble)
        return UNUSABLE
    if options.replace is not None:
        _replace(root, found, options)
    elif options.json:
        show_json([each for file in found for each in _told(file)])
    else:
        _show(found)
    return FINE if found else FINDINGS


def _places(files: Sequence[Path]) -> tuple[Path, tuple[str, ...]]:
    """The project that *files* are in, and their paths in it."""
    wanted = [real_path(absolute(file)) for file in files or [Path()]]
    for written, place in zip(files, wanted, strict=False):
        if not is_there(place):
            raise CannotRead(_("There is no file “{name}”.").format(name=written))
    root = real_path(project_folder(wanted[0] / "x" if is_folder(wanted[0]) else wanted[0]))
    for place in wanted:
        if not place.is_relative_to(root):
            message = _("“{name}” is outside of the project in “{folder}”.")
            raise CannotRead(message.format(name=place, folder=root))
    return root, tuple(place.relative_to(root).as_posix() for place in wanted) if files else ()


def _told(file: FileFound) -> Iterator[dict[str, Any]]:
    """Each match as a value: where it is, and the step that it is in."""
    snapshot = derive(file.file.source)
    for match in file.found.matches:
        line, words, place = file.line_of(match)
        told = {"file": file.file.path, "line": line, "column": place.start + 1, "text": words}
        yield {**told, "match": match.span.of(file.file.text), **_step(snapshot, match)}


def _step(snapshot: Snapshot, match: Match) -> dict[str, str]:
    step = snapshot.step_at(match.span.start)
    if step is None:
        return {}
    return {"playbook": snapshot.playbook_of(step).address, "step": snapshot.address(step)}


def _show(found: Sequence[FileFound]) -> None:
    for file in found:
        show(file.file.path)
        for each in _told(file):
            at = _("line {line}").format(line=each["line"])
            show(f"  {each.get('step') or '-'}  {at}: {each['text'].strip()}")
    count = sum(len(file.found.matches) for file in found)
    words = ngettext("{count} match", "{count} matches", count)
    files = ngettext("in {count} file", "in {count} files", len(found))
    show(f"{words} {files}" if found else _("No matches"))


def _replace(root: Path, found: Sequence[FileFound], options: argparse.Namespace) -> None:
    replacement = Replacement(options.replace, options.keep_case, options.regex, options.text)
    changes = [change for file in found if (change := replaced(file, replacement)).edits]
    if options.write:
        write_together(root, writings(changes))
    else:
        for change in changes:
            show_difference(Path(change.path), change.file.text, change.text_after)
    count = sum(len(file.found.matches) for file in found)
    words = ngettext("Replaced {count} match", "Replaced {count} matches", count)
    if not options.write:
        words = ngettext("Would replace {count} match", "Would replace {count} matches", count)
    files = ngettext("in {count} file", "in {count} files", len(changes))
    show(f"{words} {files}")
