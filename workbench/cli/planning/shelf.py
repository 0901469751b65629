"""``workbench shelf``: generated playbooks, found again, used, given to others; and notes about the person."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from workbench.cli.running.store import shelf_file_in
from workbench.cli.terminal import (
    FINDINGS,
    FINE,
    Commands,
    add_command,
    complain,
    hand_out,
    show,
    show_exactly,
    show_json,
)
from workbench.disk.atomic import write_new_file
from workbench.disk.files import is_there, read_file
from workbench.disk.outputs import write_file
from workbench.engine.language.procedures.start import who
from workbench.errors import CannotSave
from workbench.i18n import _, numeral
from workbench.planning.shelf.bundle import LARGEST, bundle_of, read_bundle
from workbench.planning.shelf.entries import Entry, Note
from workbench.planning.shelf.notes import Notes
from workbench.planning.shelf.promoting import promote
from workbench.planning.shelf.reusing import copy_of, take_copy
from workbench.planning.shelf.store import Shelf, describe

_Verb = Callable[[argparse.Namespace, Shelf], int]


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "shelf",
        _("find, use and exchange generated playbooks"),
        'shelf search "give money back"',
        _("Exit code: 0 success, 1 nothing found, 2 the shelf or a file cannot be used."),
    )
    verbs = parser.add_subparsers(title=_("verbs"), metavar="VERB", required=True)
    _add_looking(verbs)
    _add_using(verbs)
    _add_notes(verbs)


def _verb(verbs: Commands, name: str, summary: str, example: str, execute: _Verb) -> argparse.ArgumentParser:
    parser = add_command(verbs, name, summary, example)
    parser.add_argument("--store", type=Path, metavar="DIR", help=_("run store (default: yours)"))
    parser.add_argument("--json", action="store_true", help=_("print JSON"))

    def with_shelf(options: argparse.Namespace) -> int:
        with _shelf_of(options) as shelf:
            return execute(options, shelf)

    parser.set_defaults(execute=with_shelf)
    return parser


def _named(verbs: Commands, name: str, summary: str, example: str, execute: _Verb) -> argparse.ArgumentParser:
    parser = _verb(verbs, name, summary, example, execute)
    parser.add_argument("id", metavar="ID", help=_("id of the playbook, the beginning of it, or the title"))
    return parser


def _add_looking(verbs: Commands) -> None:
    listed = _verb(verbs, "list", _("list the playbooks on the shelf"), "shelf list --tag money", _list)
    listed.add_argument("--tag", default="", help=_("only those with this tag"))
    search = _verb(verbs, "search", _("find playbooks by a goal in words"), 'shelf search "give money back"', _search)
    search.add_argument("goal", metavar="GOAL", help=_("the goal in words"))
    search.add_argument("--limit", type=int, default=10, metavar="N")
    shown = _named(verbs, "show", _("show a playbook, where it comes from, and its runs"), "shelf show 3f2a", _show)
    _add_version(shown)


def _add_version(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--version", type=int, default=0, metavar="N", help=_("a version (default: the newest)"))


def _add_using(verbs: Commands) -> None:
    reuse = _named(
        verbs, "reuse", _("print a playbook, or write it to a file"), "shelf reuse 3f2a -o refund.md", _reuse
    )
    reuse.add_argument("-o", "--output", type=Path, metavar="OUT", help=_("write to OUT, which must not exist"))
    reuse.add_argument("--notes", action="store_true", help=_("weave your notes in, and tell what each has changed"))
    _add_version(reuse)
    promoted = _named(
        verbs, "promote", _("put a playbook into a project as ordinary files"), "shelf promote 3f2a .", _promote
    )
    promoted.add_argument("folder", type=Path, metavar="DIR", help=_("target folder"))
    exported = _named(
        verbs, "export", _("write a playbook to one file, to be given to others"), "shelf export 3f2a a.json", _export
    )
    exported.add_argument("file", type=Path, metavar="FILE")
    taken = _verb(
        verbs, "import", _("take an exported playbook in, once it is checked"), "shelf import a.json", _import
    )
    taken.add_argument("file", type=Path, metavar="FILE")
    _add_describing(verbs)
    _named(verbs, "remove", _("take a playbook off the shelf"), "shelf remove 3f2a", _remove)


def _add_describing(verbs: Commands) -> None:
    tagged = _named(verbs, "tag", _("give a playbook other tags"), "shelf tag 3f2a money orders", _tag)
    tagged.add_argument("tags", nargs="*", metavar="TAG")
    words = _("give a playbook another title or owner")
    named = _named(verbs, "describe", words, 'shelf describe 3f2a --title "Refund"', _describe)
    named.add_argument("--title", default="", metavar="TEXT", help=_("the title"))
    named.add_argument("--owner", default=None, metavar="NAME", help=_("whose playbook it is"))


def _add_notes(verbs: Commands) -> None:
    _verb(verbs, "notes", _("list what was noted about your wishes, and what came of it"), "shelf notes", _notes)
    added = _verb(verbs, "note", _("add a note, or change one"), 'shelf note "Amounts are in euros"', _note)
    added.add_argument("text", metavar="TEXT")
    added.add_argument("--id", default="", metavar="ID", help=_("the note that is changed"))
    for name, summary in (
        ("use-note", _("weave a note into what is generated")),
        ("ignore-note", _("leave a note out of what is generated")),
        ("forget-note", _("remove a note")),
    ):
        parser = _verb(verbs, name, summary, f"shelf {name} 3f2a", _steer_note)
        parser.add_argument("id", metavar="ID", help=_("id of the note, or its beginning"))
        parser.set_defaults(how=name)


@contextmanager
def _shelf_of(options: argparse.Namespace) -> Iterator[Shelf]:
    shelf = Shelf(shelf_file_in(options.store), who())
    try:
        yield shelf
    finally:
        shelf.close()


def entry_line(entry: Entry) -> str:
    """*entry* in one line, with what tells it from others of its title."""
    tags = f"  [{', '.join(entry.tags)}]" if entry.tags else ""
    version = _("version {number}").format(number=numeral(entry.version))
    return f"{entry.id}  {entry.title}  {version}  {entry.made}  {entry.record}{tags}"


def entry_lines(entries: Sequence[Entry]) -> Iterator[str]:
    """Each of *entries*; where several have one title, with the goal that each was made for."""
    titles = Counter(each.title.casefold() for each in entries)
    for each in entries:
        goal = "\n    " + _("Goal: {goal}").format(goal=each.goal) if titles[each.title.casefold()] > 1 else ""
        yield entry_line(each) + goal


def entry_as_json(entry: Entry) -> dict[str, Any]:
    """*entry* as JSON."""
    names = "id title goal description format owner version made_at used_at by successes failures".split()
    return {**{name: getattr(entry, name) for name in names}, "tags": list(entry.tags)}


def _list(options: argparse.Namespace, shelf: Shelf) -> int:
    found = shelf.entries(options.tag)
    if options.json:
        show_json({"playbooks": [entry_as_json(each) for each in found]})
    for line in () if options.json else entry_lines(found):
        show(line)
    return FINE


def _search(options: argparse.Namespace, shelf: Shelf) -> int:
    found = shelf.search(options.goal, max(0, options.limit))
    if options.json:
        show_json({"playbooks": [{**entry_as_json(each.entry), "fit": round(each.fit, 3)} for each in found]})
    for each, line in () if options.json else zip(found, entry_lines([one.entry for one in found]), strict=True):
        show(f"{numeral(each.fit, '.0%'):>5}  {line}")
    return FINE if found else FINDINGS


def _show(options: argparse.Namespace, shelf: Shelf) -> int:
    entry, kept, runs = shelf.entry(options.id), shelf.kept(options.id, options.version), shelf.runs(options.id)
    if options.json:
        origin = {name: getattr(kept.origin, name) for name in ("goal", "by", "cycle", "patterns", "notes", "context")}
        told = [{"run": each.run, "at": each.at, "success": each.is_success, "error": each.error} for each in runs]
        show_json({**entry_as_json(entry), "origin": origin, "runs": told, "text": kept.text, "plan": dict(kept.plan)})
        return FINE
    show(entry_line(entry))
    show(_("Goal: {goal}").format(goal=kept.origin.goal))
    show(_("Made {at}, by {by}").format(at=entry.made_at[:19], by=kept.origin.by or "–"))
    if kept.origin.patterns:
        show(_("Worked before: {patterns}").format(patterns=kept.origin.patterns))
    noted = {each.id: each for each in Notes(shelf).all()}
    for name in kept.origin.notes:
        show(_("Note: {text}").format(text=noted[name].text if name in noted else name))
    for each in Notes(shelf).effects(cycle=kept.origin.cycle) if kept.origin.cycle else ():
        show(f"  {each.place}: {each.before} → {each.after or '–'}")
    for run in runs[:10]:
        show(f"  {run.at[:19]}  {run.run}  {_('succeeded') if run.is_success else run.error}")
    show("")
    show_exactly(kept.text)
    return FINE


def _reuse(options: argparse.Namespace, shelf: Shelf) -> int:
    kept = shelf.kept(options.id, options.version)
    if options.output is not None and is_there(options.output):
        raise CannotSave(_("“{name}” is there already. Choose another name.").format(name=options.output.name))
    copy, entry = copy_of(kept, Notes(shelf).all() if options.notes else ()), shelf.entry(options.id)
    options.quiet = False
    hand_out(options, copy.text)
    take_copy(shelf, entry, options.version or entry.version, copy)
    for each in copy.effects:
        complain(f"{each.note}  {each.place}: {each.before} → {each.after or '–'}")
    if options.json:
        show_json({"text": copy.text, "notes": [{"note": each.note, "place": each.place} for each in copy.effects]})
    return FINE


def _promote(options: argparse.Namespace, shelf: Shelf) -> int:
    for path in promote(shelf.kept(options.id), options.folder):
        show(_("Wrote {path}.").format(path=path))
    return FINE


def _export(options: argparse.Namespace, shelf: Shelf) -> int:
    data = bundle_of(shelf.entry(options.id), shelf.kept(options.id))
    write_file(options.file, data, write_new_file)
    show(_("Wrote {path}.").format(path=options.file))
    return FINE


def _import(options: argparse.Namespace, shelf: Shelf) -> int:
    kept, problems = read_bundle(read_file(options.file, LARGEST + 1), options.file.name)
    for each in problems:
        show(each.words)
    show(entry_line(shelf.put(kept)))
    return FINE


def _tag(options: argparse.Namespace, shelf: Shelf) -> int:
    show(entry_line(shelf.tag(options.id, options.tags)))
    return FINE


def _describe(options: argparse.Namespace, shelf: Shelf) -> int:
    entry = describe(shelf, options.id, title=options.title, owner=options.owner)
    show(entry_line(entry) + (f"  {entry.owner}" if entry.owner else ""))
    return FINE


def _remove(options: argparse.Namespace, shelf: Shelf) -> int:
    entry = shelf.entry(options.id)
    shelf.remove(entry.id)
    show(_("Removed {id}.").format(id=entry.id))
    return FINE


def _note_line(note: Note) -> str:
    switched = "" if note.is_on else "  " + _("(not used)")
    return f"{note.id}  {note.text}{switched}"


def _notes(options: argparse.Namespace, shelf: Shelf) -> int:
    notes = Notes(shelf)
    if options.json:
        fields = "id text old new about is_on made_at".split()
        told = [{**{name: getattr(each, name) for name in fields}, "source": each.source.value} for each in notes.all()]
        show_json({"notes": told})
        return FINE
    for note in notes.all():
        show(_note_line(note))
        for each in notes.effects(note.id):
            show(f"    {each.at[:19]}  {each.cycle[:8]}  {each.place}: {each.before} → {each.after or '–'}")
    return FINE


def _note(options: argparse.Namespace, shelf: Shelf) -> int:
    notes = Notes(shelf)
    note = notes.change(options.id, options.text) if options.id else notes.add(Note("", options.text))
    show(_note_line(note))
    return FINE


def _steer_note(options: argparse.Namespace, shelf: Shelf) -> int:
    notes = Notes(shelf)
    note = notes.named(options.id)
    if options.how == "forget-note":
        notes.forget(note.id)
        show(_("Removed {id}.").format(id=note.id))
        return FINE
    show(_note_line(notes.switch(note.id, is_on=options.how == "use-note")))
    return FINE
