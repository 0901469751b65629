"""Playbooks with one random change each, and where a run of them first does something else: by running them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.core.engine_driver import Played, finished
from tests.core.programs import FOLDER, PROGRAMS, expected
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import InputGiven
from workbench.engine.judging.telling import as_answer
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer, Request
from workbench.engine.replaying.recording import Today
from workbench.engine.replaying.replay import replay
from workbench.engine.scripts import parse_script, script_beside
from workbench.engine.starting import start_run
from workbench.errors import InputNeeded, RunFailed, StoreFailed
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText

_WITHOUT = frozenset({"login", "oven"})
"""Secrets, which no record tells, and times, which are others in every run."""
PLAIN = [
    file.stem
    for file in PROGRAMS
    if not {"```python", "!import"} & set(file.read_text("utf-8").split()) and file.stem not in _WITHOUT
]
"""The programs that can be run on in a changed form without anything being carried out."""

_STEP = re.compile(r"\s*(?:[-*]|\d+\.)\s+\S")
_MOST_STEPS = 500
_MOST_EVENTS = 3_000


class InOrder(ScriptBackend):
    """Gives the answers of an earlier run one after the other, whatever step asks."""

    def __init__(self, script: str, events: Sequence[RunEvent]) -> None:
        super().__init__(parse_script(script))
        self._answers = [event.payload.answer for event in events if isinstance(event.payload, InputGiven)]

    def judge(self, request: Request) -> Answer:
        """The next answer."""
        if not self._answers:
            raise InputNeeded("no answer is left")
        return as_answer(request, self._answers.pop(0))


class Bounded(Journal):
    """A journal that is full soon: a changed text may do something for ever."""

    def _write(self, events: Sequence[RunEvent], source: RunId | None = None) -> Sequence[RunEvent]:
        if events[-1].seq > _MOST_EVENTS:
            raise StoreFailed("the journal is full")
        return super()._write(events, source)


@dataclass(frozen=True, slots=True)
class Original:
    """A run of a playbook as it is. *arguments*: what it was started with."""

    text: str
    script: str
    arguments: dict[str, Any]
    played: Played
    journal: Journal


def original(text: str, script: str, arguments: dict[str, Any], journal: Journal) -> Original:
    """The run of *text*, answered by *script*."""
    backend = ScriptBackend(parse_script(script))
    return Original(text, script, arguments, _played(derive(SourceText(text)), journal, backend, arguments), journal)


def _played(snapshot: Snapshot, journal: Journal, backend: ScriptBackend, arguments: dict[str, Any]) -> Played:
    options = RunOptions(arguments=arguments, max_steps=_MOST_STEPS)
    return finished(start_run(snapshot, journal, backend, options), journal)


def first_difference(one: Original, text: str, folder: Path) -> int | None:
    """The first event in which a run of *text*, with the same answers and results, is another; None where none is."""
    journal = Bounded(folder / "mutated.sqlite")
    try:
        events = _played(
            derive(SourceText(text)), journal, InOrder(one.script, one.played.events), one.arguments
        ).events
    except RunFailed:
        return 0
    finally:
        journal.close()
    before, now = [[_content(each) for each in some] for some in (one.played.events, events)]
    found = (at for at, (old, new) in enumerate(zip(before, now, strict=False)) if old != new)
    return next(found, None if len(before) == len(now) else min(len(before), len(now)))


_NOT_TOLD = {"pc", "old", "reads", "pb_hash", "trigger"}


def _content(event: RunEvent) -> str:
    """What *event* says happened, without where its step stands, and how an exact one is worded."""
    left_out = _NOT_TOLD | ({"text"} if event.name == "step.entered" else set())
    body = {name: value for name, value in encoded(event.payload).items() if name not in left_out}
    told = re.sub(r"[\w.]+:[\d.]+ \(line \d+\)", "a step", repr((event.name, event.actor, sorted(body.items()))))
    return told.replace(event.run, "run")


def original_of(name: str, folder: Path) -> Original:
    """The run of the program *name*."""
    file = FOLDER / f"{name}.md"
    script = script_beside(file)
    journal = Journal(folder / "runs.sqlite")
    answers = script.read_text("utf-8") if script is not None else ""
    return original(file.read_text("utf-8"), answers, expected(file).arguments, journal)


def check_mutation(one: Original, seed: int, folder: Path) -> None:
    """Hold that the replay of *one* on its text with the change *seed* diverges where a run of that text does."""
    folder.mkdir(parents=True, exist_ok=True)
    text = mutated(one.text, seed)
    wanted = first_difference(one, text, folder)
    divergence = replay(one.journal, RunId(one.played.run.id), Today(SourceText(text))).divergence
    found = None if divergence is None else divergence.recorded.seq
    assert found == wanted, f"change {seed}: event {found}, not {wanted}"


Change = Callable[[random.Random, list[str], int], list[str]]
"""Changes the line with that index of a text."""


def mutated(text: str, seed: int) -> str:
    """*text* with the random change *seed*, which changes it."""
    chance = random.Random(seed)
    lines = text.split("\n")
    at_step = [at for at, line in enumerate(lines) if _STEP.match(line)]
    while True:
        changed = chance.choice(_CHANGES)(chance, list(lines), chance.choice(at_step))
        if changed != lines:
            return "\n".join(changed)


def _deleted(_chance: random.Random, lines: list[str], at: int) -> list[str]:
    return lines[:at] + lines[at + 1 :]


def _doubled(_chance: random.Random, lines: list[str], at: int) -> list[str]:
    return [*lines[: at + 1], lines[at], *lines[at + 1 :]]


def _swapped(_chance: random.Random, lines: list[str], at: int) -> list[str]:
    if at + 1 < len(lines):
        lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return lines


def _with_step_before(chance: random.Random, lines: list[str], at: int) -> list[str]:
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    new = chance.choice(['- Tell user "new"', "- $new = 1", "- If 1 > 2", "- Ask user for $new", "- New($x)"])
    return [*lines[:at], f"{indent}{new}", *lines[at:]]


def _with_note(chance: random.Random, lines: list[str], at: int) -> list[str]:
    return [*lines[:at], chance.choice(["<!-- a note -->", ""]), *lines[at:]]


def _moved_in(_chance: random.Random, lines: list[str], at: int) -> list[str]:
    lines[at] = f"  {lines[at]}"
    return lines


def _moved_out(_chance: random.Random, lines: list[str], at: int) -> list[str]:
    lines[at] = lines[at].removeprefix("  ")
    return lines


_WORDS = [
    ("==", "!="),
    (">", "<="),
    ("<", ">="),
    (" is ", " is not "),
    ("If ", "If not "),
    ("Otherwise", "If 1 > 2"),
    ("break", "continue"),
    ("Return ", "Return not "),
    ("Tell user", "Ask user"),
    ("While", "If"),
    ("+", "-"),
    ("and", "or"),
    ("true", "false"),
    ("user", "Ada"),
    ("$", "$other_"),
    ('"', '"not '),
    ("(", "(1, "),
    (".", "!"),
]


def _reworded(chance: random.Random, lines: list[str], at: int) -> list[str]:
    fitting = [pair for pair in _WORDS if pair[0] in lines[at]]
    if fitting:
        lines[at] = lines[at].replace(*chance.choice(fitting), 1)
    return lines


def _renumbered(chance: random.Random, lines: list[str], at: int) -> list[str]:
    lines[at] = re.sub(r"(?<![\w.])\d+", lambda found: str(int(found[0]) + chance.randint(1, 3)), lines[at], count=1)
    return lines


def _misspelt(chance: random.Random, lines: list[str], at: int) -> list[str]:
    words = list(re.finditer(r"[A-Za-z]{3,}", lines[at]))
    if words:
        word = chance.choice(words)
        lines[at] = f"{lines[at][: word.start()]}{word[0]}x{lines[at][word.end() :]}"
    return lines


_CHANGES: list[Change] = [
    _deleted,
    _doubled,
    _swapped,
    _with_step_before,
    _with_note,
    _moved_in,
    _moved_out,
    _reworded,
    _reworded,
    _reworded,
    _renumbered,
    _misspelt,
]
