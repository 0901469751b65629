"""``workbench rename FILE NEW``: another name for a file, or for something in it, and all that names it kept true."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from workbench.cli.terminal import FINE, UNUSABLE, Commands, add_command, complain, show, show_difference
from workbench.disk.files import absolute, is_folder, project_folder, real_path
from workbench.disk.places import places
from workbench.editing.commands import Refusal
from workbench.editing.keeping.many_files import write_together, writings
from workbench.editing.keeping.renaming_files import check_unchanged, rename_file, update_links
from workbench.editing.symbol_renaming import rename_symbol
from workbench.engine.permissions import move_said
from workbench.errors import CannotRead, CannotSave
from workbench.i18n import _, ngettext, numeral
from workbench.project.renaming import Renaming, renaming_of
from workbench.search.across import Project
from workbench.search.symbols import symbol_named
from workbench.settings import change_settings, with_renamed


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "rename",
        _("give a file another name, and update the links to it"),
        "rename restart.md how/restart-the-shop.md --update-links",
        _("Only files of the same project are changed: the repository of the file, else its folder."),
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("new", metavar="NEW", help=_("the new name, or a folder to move it into"))
    parser.add_argument(
        "--symbol",
        metavar="NAME",
        help=_(
            "rename this variable ($total, Check.total), playbook, function or tool of FILE, in all files that mean it"
        ),
    )
    parser.add_argument("--update-links", action="store_true", help=_("change the links that lead to it"))
    parser.add_argument("--dry-run", action="store_true", help=_("print the changes without writing them"))
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Rename, and say how many links lead to the old name where they are not to change."""
    if options.symbol is not None:
        return _rename_symbol(options)
    renaming = _renaming(options.file, Path(options.new))
    if options.dry_run:
        for change in renaming.changes if options.update_links else ():
            show_difference(Path(change.path), change.source.text, change.text_after)
    elif options.update_links:
        check_unchanged(renaming)
        _rename(renaming, is_updated=True)
    else:
        _rename(renaming, is_updated=False)
    _tell(renaming, is_updated=options.update_links, is_done=not options.dry_run)
    return FINE


def _rename_symbol(options: argparse.Namespace) -> int:
    """Rename what is called so in the file, there and wherever else it is meant."""
    root = real_path(project_folder(options.file))
    path = real_path(absolute(options.file)).relative_to(root).as_posix()
    project = Project(root)
    if path not in project.files:
        raise CannotRead(_("There is no file “{name}”.").format(name=options.file))
    symbol = symbol_named(project.snapshot(path), options.symbol)
    changes = rename_symbol(project, path, symbol, options.new)
    if isinstance(changes, Refusal):
        complain(changes.message)
        return UNUSABLE
    if options.dry_run:
        for change in changes:
            show_difference(Path(change.path), change.file.text, change.text_after)
    else:
        write_together(root, writings(changes))
    count = sum(len(change.edits) for change in changes)
    count_words = ngettext("{count} place", "{count} places", count)
    files = ngettext("in {count} file", "in {count} files", len(changes))
    words = _("Would rename {name} to {new}") if options.dry_run else _("Renamed {name} to {new}")
    show(f"{words.format(name=options.symbol, new=options.new)}: {count_words} {files}")
    return FINE


def _rename(renaming: Renaming, *, is_updated: bool) -> None:
    """Give the file its new name; what the person has said of it goes along, whatever becomes of the links."""
    rename_file(renaming)
    try:
        if is_updated:
            update_links(renaming)
    finally:
        old, new = renaming.root / renaming.old, renaming.root / renaming.new
        change_settings(places(), partial(with_renamed, old=old, new=new))
        move_said(places().permissions_file, old, new)


def _renaming(file: Path, new: Path) -> Renaming:
    root = real_path(project_folder(file))
    goal = absolute(new / file.name if is_folder(new) else new)
    folder = real_path(goal.parent)
    if not folder.is_relative_to(root):
        message = _("“{name}” is outside of the project in “{folder}”, so links cannot lead there.")
        raise CannotSave(message.format(name=new, folder=root))
    old = real_path(absolute(file).parent) / file.name
    return renaming_of(root, old.relative_to(root).as_posix(), (folder / goal.name).relative_to(root).as_posix())


def _tell(renaming: Renaming, *, is_updated: bool, is_done: bool) -> None:
    names = {"name": renaming.old, "new": renaming.new}
    words = _("Renamed {name} to {new}") if is_done else _("Would rename {name} to {new}")
    show(words.format(**names))
    if not renaming.count:
        return
    if is_updated:
        words = ngettext("{count} link changes with it", "{count} links change with it", renaming.count)
    else:
        words = ngettext(
            "{count} link no longer fits; --update-links changes it",
            "{count} links no longer fit; --update-links changes them",
            renaming.count,
        )
    show(words.format(count=numeral(renaming.count)))
