"""``workbench history``: the states of a file that are kept on this computer; shown, named and restored."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path

from workbench.cli.reading import kind_of_file
from workbench.cli.terminal import FINE, Commands, add_command, show, show_exactly, show_json
from workbench.disk.files import is_there
from workbench.disk.places import places
from workbench.editing.document import Document
from workbench.editing.keeping import storage
from workbench.editing.keeping.states import KeptState, Reason, name_state, read_state, states_beside, states_of
from workbench.errors import CannotRead
from workbench.i18n import N_, _
from workbench.syntax.text import SourceText

REASONS = {
    Reason.FOUND: N_("was there before"),
    Reason.SAVED: N_("saved"),
    Reason.OUTSIDE: N_("from another program"),
    Reason.NAMED: N_("kept"),
}
_LIST, _SHOW, _RESTORE, _NAME = "list", "show", "restore", "name"


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "history",
        _("show and restore earlier states of a file"),
        "history playbooks/refund.md restore 3",
        _(
            "The window and this command keep what a file was on this computer, also where there is no git. "
            "“list” lists the states, the newest first, “show” prints one, “restore” makes the file what it was, "
            "and “name” gives one a name, or takes it away. Restoring can be undone in the window."
        ),
    )
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument("verb", nargs="?", choices=(_LIST, _SHOW, _RESTORE, _NAME), default=_LIST, metavar="VERB")
    parser.add_argument("state", nargs="?", default="", metavar="STATE", help=_("its number in the list, or its name"))
    parser.add_argument("--as", dest="name", default="", metavar="TEXT", help=_("with “name”: the new name"))
    parser.add_argument("--json", action="store_true", help=_("print a JSON object"))
    parser.set_defaults(execute=show_history)


def show_history(options: argparse.Namespace) -> int:
    """Do with the states of a file what *options* say."""
    states = states_of(states_beside(places().edits_dir), options.file)
    if options.verb == _LIST:
        _list(states, options)
    else:
        state = _state_called(states, options.state)
        if options.verb == _SHOW:
            show_exactly(SourceText.decode(read_state(state)).text)
        elif options.verb == _NAME:
            name_state(state, options.name)
        else:
            _restore(options.file, state)
    return FINE


def _list(states: tuple[KeptState, ...], options: argparse.Namespace) -> None:
    if options.json:
        show_json({"file": str(options.file), "states": [_as_json(each) for each in states]})
        return
    if not states:
        show(_("No states of “{name}” are kept yet.").format(name=options.file.name))
    for number, state in enumerate(states, 1):
        moment = datetime.fromtimestamp(state.time_s, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")
        show("  ".join(filter(None, (f"{number:>3}", moment, str(REASONS[state.reason]), state.name))))


def _as_json(state: KeptState) -> dict[str, object]:
    moment = datetime.fromtimestamp(state.time_s, UTC).isoformat()
    return {"time": moment, "reason": state.reason.value, "name": state.name, "digest": state.digest}


def _state_called(states: tuple[KeptState, ...], which: str) -> KeptState:
    """The state that *which* is the number or the name of. Raises CannotRead."""
    if which.isdecimal() and 0 < int(which) <= len(states):
        return states[int(which) - 1]
    found = [state for state in states if which and state.name == which]
    if not found:
        raise CannotRead(_("There is no state “{which}”. “list” lists all of them.").format(which=which))
    return found[0]


def _restore(path: Path, state: KeptState) -> None:
    """Make the file what it was, as one edit that the window can undo; where it is gone, it is written anew."""
    if not is_there(path):
        storage.save(path, read_state(state), None)
        return
    document = Document.open(path, places().edits_dir, wanted=kind_of_file(path))
    try:
        if document.restore_state(state) is not None:
            document.save()
    finally:
        document.close()
