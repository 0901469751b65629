"""Judges as an earlier run did: its answers, step by step and in their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.run_events import InputAsked, InputGiven
from workbench.engine.judges import subject_of
from workbench.engine.judging.telling import as_answer
from workbench.engine.ports import Answer, Purpose, Request, RequestKind

_Place = tuple[str, RequestKind, Purpose]


class ReplayJudge:
    """The judgements of one run, each given once."""

    def __init__(self, events: Iterable[RunEvent]) -> None:
        self._answers: dict[_Place, deque[Mapping[str, Any]]] = {}
        for place, answer in _judged(events):
            self._answers.setdefault(place, deque()).append(answer)

    def catch_up(self, events: Iterable[RunEvent]) -> None:
        """Leave out what a run that is gone on with has been given before."""
        for place, _answer in _judged(events):
            if self._answers.get(place):
                self._answers[place].popleft()

    def answer_to(self, request: Request) -> Answer | None:
        """The next answer to *request*; None where none is left."""
        left = self._answers.get((request.step, request.kind, request.purpose))
        return as_answer(request, left.popleft()) if left else None


def _judged(events: Iterable[RunEvent]) -> Iterable[tuple[_Place, Mapping[str, Any]]]:
    """The judgements in *events*, with the place of each."""
    asked: dict[str, Request] = {}
    for event in events:
        match event.payload:
            case InputAsked() as question:
                asked[event.span] = question.request_at(event.step)
            case InputGiven(answer=answer):
                request = asked.pop(event.span, None)
                if request is not None and subject_of(request) is not None:
                    yield (request.step, request.kind, request.purpose), answer
