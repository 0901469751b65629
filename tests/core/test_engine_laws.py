"""The fold of the journal is the live state; a journal cut anywhere gives a shorter, valid one."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.core.engine_driver import book, finished, scripted
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.codec import decoded, encoded
from workbench.engine.journal.events import RunEvent, RunId
from workbench.engine.journal.journal import Journal
from workbench.engine.language.machine import decide
from workbench.engine.language.program.book import Book
from workbench.engine.language.turn import Rules
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer, Request, RequestKind
from workbench.engine.scripts import parse_script
from workbench.engine.starting import resume_run, start_run
from workbench.engine.state.fold import RunFold, advance, fold
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText

_VALUES = st.sampled_from(["1", "$a + 1", "[1, 2]", "'text'", "len([1])", "$b"])
_TESTS = st.sampled_from(["$a == 1", "$a > 2", "the sky is blue"])


def _simple(indent: str) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(st.sampled_from("ab"), _VALUES).map(lambda pair: f"{indent}- ${pair[0]} = {pair[1]}\n"),
        st.just(f"{indent}- Ask user for $a\n"),
        st.just(f'{indent}- Tell user "a is {{$a}}"\n'),
        st.just(f"{indent}- Other($a)\n"),
        st.just(f"{indent}- $b = Weather($a)\n"),
        st.just(f"{indent}- Look around\n"),
    )


def _nested(indent: str, depth: int) -> st.SearchStrategy[str]:
    if depth == 0:
        return _simple(indent)
    body = st.lists(_nested(indent + "  ", depth - 1), min_size=1, max_size=3).map("".join)
    heads = st.one_of(
        _TESTS.map(lambda test: f"{indent}- If {test}\n"),
        st.just(f"{indent}- For each $x in [1, 2]\n"),
        st.just(f"{indent}- Repeat 2 times\n"),
        st.just(f"{indent}- Otherwise\n"),
    )
    jumps = st.sampled_from(["", f"{indent}  - continue\n", f"{indent}  - break\n", f"{indent}  - Return $a\n"])
    return st.one_of(_simple(indent), st.tuples(heads, body, jumps).map("".join))


_PROGRAMS = st.lists(_nested("", 2), min_size=1, max_size=5).map(
    lambda steps: book("- $a = 1\n- $b = 2\n" + "".join(steps) + "\n## Other($v)\n### Steps\n- $c = $v\n- Return $c\n")
)


class _Agreeable(ScriptBackend):
    """Answers every question by itself, always the same."""

    def __init__(self) -> None:
        super().__init__(parse_script("tools: {Weather: 3}"))

    def judge(self, request: Request) -> Answer:
        if request.kind is RequestKind.DECIDE:
            return Answer(decision=len(request.step) % 2 == 0)
        return Answer(values=tuple((field.name, 2) for field in request.fields))


@contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp())
    yield folder
    shutil.rmtree(folder)


def _played(snapshot: Snapshot, folder: Path) -> tuple[tuple[RunEvent, ...], object]:
    journal = Journal(folder / "runs.sqlite")
    played = finished(start_run(snapshot, journal, _Agreeable(), RunOptions(max_steps=200)), journal)
    journal.close()
    return played.events, played.state


def _essence(events: tuple[RunEvent, ...]) -> list[object]:
    """*events* without what differs from run to run."""
    return [(e.seq, e.name, e.span, e.parent, e.step, {**encoded(e.payload), "key": "", "pb_hash": ""}) for e in events]


@settings(max_examples=examples(40))
@given(_PROGRAMS)
def test_the_fold_of_the_journal_is_the_live_state(snapshot: Snapshot) -> None:
    with _folder() as folder:
        events, state = _played(snapshot, folder)
    assert fold(events) == state


@settings(max_examples=examples(25))
@given(_PROGRAMS)
def test_the_same_program_and_answers_give_the_same_events(snapshot: Snapshot) -> None:
    with _folder() as first, _folder() as second:
        assert _essence(_played(snapshot, first)[0]) == _essence(_played(snapshot, second)[0])


@settings(max_examples=examples(25))
@given(_PROGRAMS, st.data())
def test_a_fold_can_be_gone_on_with_from_any_point(snapshot: Snapshot, data: st.DataObject) -> None:
    with _folder() as folder:
        events, state = _played(snapshot, folder)
    cut = data.draw(st.integers(0, len(events) - 1))
    assert advance(advance(fold(events[:cut]), events[cut : cut + 1]), events[cut + 1 :]) == state


@settings(max_examples=examples(30))
@given(_PROGRAMS, st.data())
def test_a_run_resumed_from_any_event_ends_as_it_would_have(snapshot: Snapshot, data: st.DataObject) -> None:
    with _folder() as folder:
        events, _state = _played(snapshot, folder)
        cut = data.draw(st.integers(1, len(events) - 1))
        again = _resumed_from(events[:cut], snapshot, folder)
    whole = [(event.name, event.step, dict(encoded(event.payload)).get("new")) for event in events]
    assert [kind for kind in again if kind[0] not in {"run.resumed", "run.paused"}] == whole


def _resumed_from(events: tuple[RunEvent, ...], snapshot: Snapshot, folder: Path) -> list[tuple[str, str, object]]:
    journal = Journal(folder / "cut.sqlite")
    journal.append(events)
    journal.keep(snapshot.source.encode())
    played = finished(resume_run(events[0].run, journal, _Agreeable()), journal)
    journal.close()
    return [(event.name, event.step, dict(encoded(event.payload)).get("new")) for event in played.events]


@settings(max_examples=examples(25))
@given(st.data())
def test_a_journal_cut_at_any_byte_holds_a_shorter_run(data: st.DataObject) -> None:
    with _folder() as folder:
        log, whole = _unclosed_journal(folder)
        size = data.draw(st.integers(0, len(log)))
        junk = data.draw(st.binary(max_size=40))
        (folder / "copy.sqlite-wal").write_bytes(log[:size] + junk)
        journal = Journal(folder / "copy.sqlite")
        events = journal.read(RunId("r"))
        journal.close()
    assert events == whole[: len(events)]
    assert fold(events).next_seq == len(events)


def _unclosed_journal(folder: Path) -> tuple[bytes, tuple[RunEvent, ...]]:
    """What is in the write-ahead log of a journal that was not closed, and what was written; ``copy`` is its file."""
    journal = Journal(folder / "runs.sqlite")
    journal.close()
    journal = Journal(folder / "runs.sqlite")
    events = [RunEvent(RunId("r"), 0, decoded("run.created", {"playbook": "", "path": ""}), 0, 0)]
    events += [RunEvent(RunId("r"), seq, decoded("log", {"n": "x" * (seq * 40)}), seq, seq) for seq in range(1, 20)]
    for event in events:
        journal.append([event])
    shutil.copy(folder / "runs.sqlite", folder / "copy.sqlite")
    log = (folder / "runs.sqlite-wal").read_bytes()
    journal.close()
    return log, tuple(events)


def test_deciding_changes_nothing() -> None:
    snapshot = book("- $a = 1\n- If $a == 1\n  - Return $a\n")
    state = RunFold(fold([RunEvent(RunId("r"), 0, decoded("run.created", _ORIGIN), 0, 0)]))
    before = state.state()
    first = decide(state, Book(snapshot), Rules(lambda agent, name: None))
    assert (decide(state, Book(snapshot), Rules(lambda agent, name: None)), state.state()) == (first, before)


_ORIGIN = {"playbook": "Main", "agent": "Book", "arguments": {}, "path": ""}


def test_code_is_the_same_however_often_it_is_made(sample: Path) -> None:
    snapshots = [derive(SourceText.decode(sample.read_bytes())) for _count in range(2)]
    for playbook in snapshots[0].program.playbooks:
        codes = [Book(each).code("", playbook.name) for each in snapshots]
        assert [str(line) for line in codes[0].instructions] == [str(line) for line in codes[1].instructions]


def test_every_sample_runs_to_its_end_with_its_script(sample: Path, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    backend = scripted(sample.with_suffix(".script.yaml").read_text(encoding="utf-8"))
    snapshot = derive(SourceText.decode(sample.read_bytes()))
    played = finished(start_run(snapshot, journal, backend, RunOptions(is_trusted=True)), journal)
    assert played.state.status is RunStatus.COMPLETED, played.state.error or played.run.halt
    assert fold(played.events) == played.state


@pytest.mark.parametrize("name", ["deep-branches.pb", "free-metadata.pb", "runbook.md", "singular.pb", "unicode.pb"])
def test_odd_files_run_or_say_why_not(name: str, tmp_path: Path) -> None:
    data = Path(__file__).parents[1] / "data" / "markdown" / name
    journal = Journal(tmp_path / "runs.sqlite")
    options = RunOptions(arguments={"näme": "Ada"}, max_steps=300)
    played = finished(start_run(derive(SourceText.decode(data.read_bytes())), journal, _Agreeable(), options), journal)
    assert played.state.is_over
    assert fold(played.events) == played.state
