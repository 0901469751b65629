"""Long chains of what people do to a document: typing in bursts, commands, pastes, undo, redo, and what befalls it.

After each step the laws hold that every view relies on; at the end everything is undone and done again.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from tests.core import editing_cases, steplist_cases
from workbench.editing.commands import Command, EditText, MoveSteps
from workbench.editing.document import Document
from workbench.model.snapshot import Snapshot
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

STEPS_IN_A_CHAIN = 150
LONGEST_BURST = 12
LONG = 12_000
KEYS = [*"ab 12-#:`\"'|", "\n", "\n", "- ", "  ", "\t", "<!--", "-->", "```", "$x", "ä", "\r\n"]
PASTED = {
    False: ["- New\n", "- a\n  - b\n", "### Steps\n- a\n", "## Main\n", "```sh\nx\n```\n", "\n", "text\n", "<!--"],
    True: ["- id: x\n  description: y\n", "  - id: n\n", "hints: [a, b]\n", "{", "}", '"', "&a ", "*a", "\n", "# c\n"],
}
KINDS = [
    [path for path in editing_cases.FILES if path.stat().st_size < LONG],
    [path for path in steplist_cases.FILES if path.suffix == ".json"],
    [path for path in steplist_cases.FILES if path.suffix != ".json"],
]


class Chain:
    """A document in *file*, and somebody who works on it as *source* chooses.

    *was*, *will*: the texts that undo and redo have to lead to, one after the other; None where a restart joined what
    was done before it.
    """

    def __init__(self, file: Path, source: random.Random) -> None:
        self._source = source
        self._ticks = 0.0
        self._file = file
        self._open()
        self._first = self.document.snapshot.text
        self._was: list[str | None] = []
        self._will: list[str] = []

    def _open(self) -> None:
        self.document = Document.open(self._file, self._file.with_suffix(".edits"))
        self.document._history._clock = self._clock

    def _clock(self) -> float:
        return self._ticks

    def run(self, count: int = STEPS_IN_A_CHAIN) -> None:
        """Do *count* things at random, undo all of them, and do them all again."""
        things = (
            *(self._type, self._command, self._paste),
            *(self._back_and_forth, self._take_from_disk, self._save_or_crash),
        )
        done = 0
        while done < count:
            done += self._source.choices(things, [12, 10, 4, 6, 2, 1])[0]()
        entries = len(self._was)
        self._undo(entries)
        assert not self.document.can_undo
        self._redo(entries)

    def _do(self, command: Command) -> None:
        self._note(lambda: self.document.execute(command))

    def _note(self, act: Callable[[], object]) -> None:
        before = self.document.snapshot
        act()
        if self.document.snapshot is before:
            return
        entries = len(self.document._history.entries)
        assert len(self._was) <= entries <= len(self._was) + 1
        self._was += [before.text] * (entries - len(self._was))
        self._will.clear()
        check_ids(self.document.snapshot)

    def _type(self) -> int:
        text = self.document.snapshot.text
        caret = self._source.randrange(len(text) + 1)
        keys = self._source.randint(1, LONGEST_BURST)
        self._ticks += self._source.choice([0.0, 2.0])
        for _key in range(keys):
            if caret and self._source.random() < 0.15:
                caret -= 1
                self._do(EditText((TextEdit(Span(caret, caret + 1), ""),)))
                continue
            key = self._source.choice(KEYS)
            for letter in key:
                self._do(EditText((TextEdit(Span(caret, caret), letter),)))
                caret += 1
        return keys

    def _command(self) -> int:
        command = random_command(self.document.snapshot, self._source)
        if command is not None:
            self._do(command)
        return 1

    def _paste(self) -> int:
        text = self.document.snapshot.text
        places = sorted(self._source.choices(range(len(text) + 1), k=2))
        start, end = places[0], min(places[1], places[0] + self._source.choice([0, 0, 30, 300]))
        pasted = [*PASTED[self.document.snapshot.program.format.is_steplist], text[start:end], ""]
        self._do(EditText((TextEdit(Span(start, end), self._source.choice(pasted)),), "Paste"))
        return 1

    def _back_and_forth(self) -> int:
        back = min(self._source.randint(1, 6), len(self._was))
        self._undo(back)
        self._redo(self._source.randint(0, back))
        return 1

    def _undo(self, count: int) -> None:
        for _time in range(count):
            self._will.append(self.document.snapshot.text)
            assert self.document.undo() is not None
            check_ids(self.document.snapshot)
            expected = self._was.pop()
            assert expected is None or self.document.snapshot.text == expected

    def _redo(self, count: int) -> None:
        for _time in range(count):
            self._was.append(self.document.snapshot.text)
            assert self.document.redo() is not None
            check_ids(self.document.snapshot)
            assert self.document.snapshot.text == self._will.pop()

    def _take_from_disk(self) -> int:
        text = self._file.read_bytes()
        at = self._source.randrange(len(text) + 1)
        self._file.write_bytes(text[:at] + b"\n- theirs\n" + text[at:])
        self._note(self.document.take_from_disk)
        return 1

    def _save_or_crash(self) -> int:
        if self._source.random() < 0.5:
            self.document.save()
            return 1
        text = self.document.snapshot.text
        del self.document
        self._open()
        self.document.recover()
        assert self.document.snapshot.text == text
        entries = len(self.document._history.entries)
        self._was = [self._first, *[None] * entries][:entries]
        self._will.clear()
        return 1


def check_ids(snapshot: Snapshot) -> None:
    """No two steps have one id, and each is found where it stands."""
    ids = [step_id for names in snapshot.block_ids for step_id in names]
    assert len(ids) == len(set(ids)), "two steps have one id"
    assert snapshot.where == {step_id: index for index, names in enumerate(snapshot.block_ids) for step_id in names}
    steps = {step.id for root in snapshot.roots if root is not None for step in root.walk()}
    assert steps <= set(ids)


def random_command(snapshot: Snapshot, source: random.Random) -> Command | None:
    """A command on some step, or None where there is none."""
    if snapshot.program.format.is_steplist:
        steps = steplist_cases.steps_of(snapshot)
        if not steps:
            return None
        step = source.choice(steps)
        edits = [*steplist_cases.field_edits(step), *steplist_cases.structure_edits(snapshot, step)]
        return source.choice([*(edit.command for edit in edits), *steplist_cases.text_edits(step)])
    steps = editing_cases.steps_of(snapshot)
    if not steps:
        return None
    step_id = source.choice(steps).id
    if source.random() < 0.4:
        return MoveSteps((step_id,), source.choice(editing_cases.places_of(snapshot)))
    return source.choice(list(editing_cases.commands_on(snapshot, step_id)))


def run_chain(folder: Path, seed: int) -> None:
    """One chain that *seed* chooses, on a copy of a file in *folder*."""
    source = random.Random(seed)
    original = source.choice(KINDS[seed % len(KINDS)])
    file = folder / f"chain{seed}{original.suffix}"
    file.write_bytes(original.read_bytes())
    Chain(file, source).run()
    file.unlink()
