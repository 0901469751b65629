"""Saved runs: a recorded run as a file beside its playbook, which says whether that still does the same.

The first line says what is replayed, each other line is one event. What follows from the text anyway, and what only
this machine knows, is left out: so the file can be read, kept with the playbook, and replayed anywhere.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from posixpath import normpath
from typing import Any

from workbench.disk.atomic import make_folder, replace_file
from workbench.disk.files import home_folder, is_there, read_file, real_path
from workbench.disk.outputs import write_file
from workbench.engine.expressions.data import canonical
from workbench.engine.journal.codec import decoded, encoded
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import RunCreated
from workbench.engine.replaying.recording import NotKept, Recording, Today, recorded
from workbench.engine.replaying.replay import Replay, check_beginning, replay_recording
from workbench.engine.state.fold import fold
from workbench.errors import CannotRead
from workbench.i18n import _, language

ENDING = ".run.jsonl"
FOLDER = ".runs"
_MARK = "workbench saved run"
_VERSION = 1
_RUN = "run"
_LEFT_OUT = frozenset({"pc", "old", "reads", "noted", "person", "path", "pb_hash", "plan_hash", "linked", "tokens"})
_LEFT_OUT_IN = {
    "model.asked": ("context",),
    "llm.request": ("context",),
    "state.edited": ("by",),
    "run.forked": ("by", "old", "new", "text"),
}
_LARGEST = 64 << 20


@dataclass(frozen=True, slots=True)
class SavedRun:
    """A recorded run from a file. *name*: of the test. *playbooks*: its file, and others that belong to it.

    *language*, *zone*: those in which the run spoke, and its clock went: ``+02:00``.
    """

    name: str
    playbooks: tuple[Path, ...]
    language: str
    zone: str
    recording: Recording


def place_for(playbook: Path, recording: Recording) -> Path:
    """Where *recording*, of the file *playbook*, is saved: beside it, under a name that no other has."""
    state = fold(recording.events)
    name = re.sub(r"[^a-z0-9]+", "-", f"{state.origin.playbook} {state.status.value}".lower()).strip("-") or _RUN
    folder, number = folder_of(playbook), 1
    while is_there(folder / f"{name}{'' if number == 1 else f'-{number}'}{ENDING}"):
        number += 1
    return folder / f"{name}{'' if number == 1 else f'-{number}'}{ENDING}"


def folder_of(playbook: Path) -> Path:
    """Where the saved runs of *playbook* are."""
    return playbook.with_name(playbook.stem + FOLDER)


def save_test(
    journal: Journal, run: RunId, playbooks: Sequence[Path], out: Path | None = None, spoken: str = ""
) -> Path:
    """The file in which *run*, of the first of *playbooks*, is saved: *out*, or one beside the playbook.

    The others form one program with it. *spoken*: the language that the run spoke; empty for the one spoken now.

    Raises StoreFailed where the run is damaged, RunFailed where it is not of the whole text, CannotSave.
    """
    recording = recorded(journal, run)
    check_beginning(recording)
    file = out or place_for(playbooks[0], recording)
    text = recording.texts.kept(recording.origin.pb_hash).decode("utf-8", "replace")
    written = saved_text(recording, [_way(each, file) for each in playbooks], text, spoken or language())
    write_file(file, written.encode("utf-8", "backslashreplace"), _put)
    return file


def _put(file: Path, data: bytes) -> None:
    make_folder(file.parent)
    replace_file(file, data)


def _way(playbook: Path, file: Path) -> str:
    """The way from the folder of *file* to *playbook*, as it is written everywhere."""
    target, here = real_path(playbook), real_path(file.parent)
    common = next((up for up in (here, *here.parents) if target.is_relative_to(up)), None)
    if common is None:
        return target.as_posix()
    steps = len(here.relative_to(common).parts)
    return "/".join([".."] * steps + [target.relative_to(common).as_posix()])


def saved_text(recording: Recording, playbooks: Sequence[str], text: str, spoken: str) -> str:
    """*recording* as a file. *playbooks*: the ways to its files. *text*: what the run was begun with."""
    began_ns = recording.events[0].at_ns
    head = {
        "format": _MARK,
        "version": _VERSION,
        "playbook": playbooks[0],
        **({"with": playbooks[1:]} if playbooks[1:] else {}),
        "language": spoken,
        "zone": _zone_at(began_ns),
        "began_ns": began_ns,
    }
    lines = [_line(event, began_ns) for event in recording.events]
    written = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in (head, *lines))
    return _anywhere(written, recording, text)


def _anywhere(written: str, recording: Recording, text: str) -> str:
    """*written*, without the id of the run, and without folders of this machine which the playbook does not name."""
    path = recording.origin.path
    folders = {str(Path(path).parent): "‹folder›"} if path else {}
    folders[str(home_folder())] = "‹home›"
    for folder, sign in folders.items():
        quoted = json.dumps(folder, ensure_ascii=False)[1:-1]
        if len(folder) > 1 and folder not in text:
            written = re.sub(rf"{re.escape(quoted)}(?![\w.-])", sign, written)
    return written.replace(recording.run, _RUN)


def _zone_at(at_ns: int) -> str:
    """How far the clock of this machine was from UTC."""
    return dt.datetime.fromtimestamp(at_ns / 1e9).astimezone().isoformat()[-6:]


def _line(event: RunEvent, began_ns: int) -> dict[str, Any]:
    body = {name: value for name, value in encoded(event.payload).items() if name not in _LEFT_OUT}
    for name in _LEFT_OUT_IN.get(event.name, ()):
        body.pop(name, None)
    usual = RunEvent(event.run, 0, event.payload, 0, 0)
    around = {
        name: getattr(event, name)
        for name in ("step", "line", "actor", "attempt")
        if getattr(event, name) != getattr(usual, name)
    }
    ordered = json.loads(canonical(body))
    return {"event": event.name, "after_ns": event.at_ns - began_ns, **around, "body": ordered}


def read_saved(file: Path) -> SavedRun:
    """The run in *file*. Raises CannotRead for what is missing, damaged, of another program or another version."""
    lines = _lines_of(file)
    head = lines[0]
    if head.get("format") != _MARK:
        raise CannotRead(_("“{name}” is no saved run of Playbook Workbench.").format(name=file.name))
    if head.get("version") != _VERSION:
        message = _("“{name}” was saved by another version of Playbook Workbench ({version}).")
        raise CannotRead(message.format(name=file.name, version=head.get("version")))
    ways, spoken, zone = [head.get("playbook"), *_list(head.get("with"))], head.get("language"), head.get("zone")
    began_ns = head.get("began_ns")
    is_written = all(isinstance(each, str) for each in (*ways, spoken, zone))
    if (
        not is_written
        or type(began_ns) is not int
        or any(each.startswith("/") for each in ways)
        or not re.fullmatch(r"[+-]\d\d:\d\d", str(zone))
    ):
        raise _damaged(file, 1)
    events = tuple(_event(file, seq, line, began_ns) for seq, line in enumerate(lines[1:]))
    if not events or not isinstance(events[0].payload, RunCreated):
        raise _damaged(file, 2)
    name = file.name.removesuffix(ENDING)
    playbooks = tuple(Path(normpath((file.parent / each).as_posix())) for each in ways)
    return SavedRun(name, playbooks, str(spoken), str(zone), Recording(events, NotKept()))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _lines_of(file: Path) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    try:
        text = read_file(file, _LARGEST).decode()
    except UnicodeDecodeError as error:
        raise CannotRead(_("“{name}” is not a text file.").format(name=file.name)) from error
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise _damaged(file, number) from error
        if not isinstance(value, dict):
            raise _damaged(file, number)
        found.append(value)
    return found


def _damaged(file: Path, line: int) -> CannotRead:
    message = _("“{name}” is damaged in line {line}.")
    return CannotRead(message.format(name=file.name, line=line))


_KINDS: Mapping[str, type] = {"event": str, "after_ns": int, "step": str, "line": int, "actor": str, "attempt": int}


def _event(file: Path, seq: int, line: Mapping[str, Any], began_ns: int) -> RunEvent:
    given: dict[str, Any] = {"step": "", "line": 0, "actor": "engine", "attempt": 1, "after_ns": 0, **line}
    if not isinstance(given.get("body"), dict) or any(type(given.get(key)) is not kind for key, kind in _KINDS.items()):
        raise _damaged(file, seq + 2)
    payload = decoded(given["event"], given["body"])
    event = RunEvent(RunId(_RUN), seq, payload, began_ns + given["after_ns"], 0, step=given["step"], line=given["line"])
    return replace(event, actor=given["actor"], attempt=given["attempt"])


def replay_saved(saved: SavedRun, text: Today) -> Replay:
    """*saved*, carried out once more on *text*. Raises CannotRead where its events are none that a run has."""
    try:
        return replay_recording(saved.recording, text)
    except (LookupError, TypeError, ValueError, AttributeError, AssertionError) as error:  # anybody may have edited it
        message = _("“{name}” is damaged: its events are none that a run has.")
        raise CannotRead(message.format(name=saved.name)) from error
