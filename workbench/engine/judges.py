"""Who judges in a run, kind by kind, and what models may use: values that stand in the journal with the run."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

from workbench.engine.ports import Purpose, Request, RequestKind


class JudgeKind(enum.Enum):
    """Who judges. REPLAY: an earlier run, whose answers are given once more."""

    PERSON = "person"
    SCRIPT = "script"
    REPLAY = "replay"
    MODEL = "model"


class Subject(enum.Enum):
    """What is judged.

    STEPS: steps that nobody can carry out exactly. CONDITIONS: whether something holds. TRIGGERS: which of them are the
    case. REACT: the next act of a playbook without steps. RAW: playbooks that are one request. TURNS: of step lists.
    """

    STEPS = "steps"
    CONDITIONS = "conditions"
    TRIGGERS = "triggers"
    REACT = "react"
    RAW = "raw"
    TURNS = "turns"


@dataclass(frozen=True, slots=True)
class JudgeOf:
    """Who judges one subject."""

    subject: Subject
    judge: JudgeKind


@dataclass(frozen=True, slots=True)
class Judges:
    """Who judges in a run. *usual*: what is in none of *others*.

    *endpoint*, *model*: which models; empty for the default. *replay*: the run whose answers are given once more.
    *is_proposing*: what a model answers stands in the form, and a person accepts or changes it. *is_handing_over*: a
    model may say that it does not know, and where it does or fails the person is asked.
    """

    usual: JudgeKind = JudgeKind.PERSON
    others: tuple[JudgeOf, ...] = ()
    endpoint: str = ""
    model: str = ""
    replay: str = ""
    is_proposing: bool = False
    is_handing_over: bool = False

    def of(self, subject: Subject) -> JudgeKind:
        """Who judges *subject*, where the playbook says nothing else."""
        return next((one.judge for one in reversed(self.others) if one.subject is subject), self.usual)

    def with_judge(self, subject: Subject, judge: JudgeKind) -> Judges:
        """These, but *judge* for *subject*."""
        kept = (one for one in self.others if one.subject is not subject)
        return replace(self, others=(*kept, JudgeOf(subject, judge)))

    @property
    def kinds(self) -> frozenset[JudgeKind]:
        """All that occur; a playbook can choose among them and the person."""
        return frozenset({self.usual, JudgeKind.PERSON, *(one.judge for one in self.others)})


@dataclass(frozen=True, slots=True)
class Limits:
    """What models may use; 0: as much as they want.

    Of each judged step: *turns*, *seconds*, *step_cost_usd*. Of the whole run: *requests*, *tokens*, *cost_usd*.
    """

    turns: int = 12
    seconds: float = 0.0
    step_cost_usd: float = 0.0
    requests: int = 0
    tokens: int = 0
    cost_usd: float = 0.0


_BY_PURPOSE = {
    Purpose.TRIGGERS: Subject.TRIGGERS,
    Purpose.MESSAGE: Subject.TRIGGERS,
    Purpose.REACT: Subject.REACT,
    Purpose.RAW: Subject.RAW,
    Purpose.TURN: Subject.TURNS,
}


def subject_of(request: Request) -> Subject | None:
    """What *request* asks to be judged; None where it is a question for a person, whoever judges."""
    if request.kind not in (RequestKind.JUDGE, RequestKind.DECIDE):
        return None
    is_condition = request.kind is RequestKind.DECIDE
    return _BY_PURPOSE.get(request.purpose, Subject.CONDITIONS if is_condition else Subject.STEPS)
