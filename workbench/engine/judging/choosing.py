"""Who judges a step: what the run says, and what the playbook says of itself.

A playbook chooses among the judges that its run has, and may always ask for a person. It cannot bring a model in: a
file from somebody else would otherwise decide who gets to read what a run knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from workbench.engine.judges import JudgeKind, Judges, Subject
from workbench.model.meaning import Branch, Judge, Loop, Meaning, Return, Several, StepListEntry
from workbench.model.program import Playbook, PlaybookMode, Step
from workbench.model.snapshot import Snapshot
from workbench.regex import regex

KEY = "judge"
_COMMENT = regex(r"<!--\s*judge:\s*(?P<judge>[a-z]+)\s*-->")
_FIELD = regex(r"""^[\s-]*["']?judge["']?\s*:\s*["']?(?P<judge>[a-z]+)""", re.MULTILINE)
_MODES = {PlaybookMode.REACT: Subject.REACT, PlaybookMode.RAW: Subject.RAW}


def who_judges(snapshot: Snapshot, step: Step, judges: Judges) -> JudgeKind | None:
    """Who judges *step* of *snapshot*; None where nothing in it is judged."""
    subject = subject_of_step(step)
    if subject is None:
        return None
    return Choice(snapshot).at(step, snapshot.playbook_of(step.id).address, subject, judges)


def who_judges_playbook(snapshot: Snapshot, playbook: Playbook, judges: Judges) -> JudgeKind | None:
    """Who judges *playbook* as a whole; None where it is carried out step by step."""
    subject = _MODES.get(playbook.mode)
    return None if subject is None else Choice(snapshot).of(playbook.address, subject, judges)


def subject_of_step(step: Step) -> Subject | None:
    """What there is to judge in *step*; None where it is carried out exactly."""
    return Subject.TURNS if isinstance(step.meaning, StepListEntry) else _subject_of(step.meaning)


def _subject_of(meaning: Meaning | None) -> Subject | None:
    match meaning:
        case Judge():
            return Subject.STEPS
        case Return(value=None, text=text) if text:
            return Subject.STEPS
        case Several(parts=parts):
            return next(filter(None, map(_subject_of, parts)), None)
        case Branch(condition=condition, action=action):
            is_judged = condition is not None and condition.test is None
            return Subject.CONDITIONS if is_judged else _subject_of(action)
        case Loop(condition=condition, items=items, action=action):
            is_judged = condition is not None and condition.test is None and items is None
            return Subject.CONDITIONS if is_judged else _subject_of(action)
        case _:
            return None


class Choice:
    """What one file says about who judges; read once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        program = snapshot.program
        self._file = dict(program.front_matter).get(KEY)
        self._playbooks = {one.address: dict(one.metadata).get(KEY) for one in program.playbooks}

    def of(self, address: str, subject: Subject, judges: Judges) -> JudgeKind:
        """Who judges *subject* at *address*: what is said there, of the playbook, of the file, else of the run."""
        return self.at(self._snapshot.at_address(address), address.partition(":")[0], subject, judges)

    def at(self, step: Step | None, playbook: str, subject: Subject, judges: Judges) -> JudgeKind:
        """The same at *step* of the playbook with that address; None: at the playbook itself."""
        noted = None if step is None else _noted_at(self._snapshot, step)
        written = (noted, self._playbooks.get(playbook), self._file)
        found = (_kind(each, subject) for each in written)
        said = next((kind for kind in found if kind is not None and kind in judges.kinds), None)
        return judges.of(subject) if said is None else said


def _kind(written: object, subject: Subject) -> JudgeKind | None:
    """What *written*, a word or words by subject, says of *subject*; None where that is nothing."""
    if isinstance(written, Mapping):
        written = written.get(subject.value)
    return next((kind for kind in JudgeKind if kind.value == written), None)


def _noted_at(snapshot: Snapshot, step: Step) -> str | None:
    """What a note at *step* says: ``<!-- judge: person -->`` above it or behind its words; a field, in a list."""
    if "judge" not in step.block.text:
        return None
    if isinstance(step.meaning, StepListEntry):
        found = _FIELD.search(step.block.text)
    else:
        start, end = snapshot.owned_span(step.id).start, snapshot.text_span(step.id).end
        behind = snapshot.text[end:].partition("\n")[0]
        found = _COMMENT.search(snapshot.text[start:end] + behind)
    return None if found is None else found["judge"]
