"""The observer that needs no model: a verdict for every step of a playbook, by rule, before anything is carried out."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.engine.journal.cycle_events import StepVerdict
from workbench.i18n import _
from workbench.model.inner_calls import calls_in
from workbench.model.meaning import Loop
from workbench.model.program import Step
from workbench.model.snapshot import Snapshot
from workbench.planning.plan import Plan
from workbench.planning.request import PlanRequest
from workbench.tools.values import CallSafety

_LIMITS = ("up to", "at most")


def verdicts_on(snapshot: Snapshot, plan: Plan, request: PlanRequest) -> tuple[StepVerdict, ...]:
    """What the rules say about each step of *snapshot*, and about the whole of it.

    A step is not fine where it calls what the plan does not want called, or goes round with no end in sight; of the
    whole, what the plan wants called has to be called. That a call may do harm is told and held against nothing: leave
    is asked for when it is made.
    """
    if snapshot.program.format.is_steplist:
        return _of_list(snapshot, plan)
    wanted, called = plan.calls, set[str]()
    own = {one.name for one in snapshot.program.playbooks}
    found: list[StepVerdict] = []
    for playbook in snapshot.program.playbooks:
        for step in (step for each in playbook.steps for step in each.walk()):
            names = [call.target.rpartition(".")[2] for call in calls_in(step) if not call.is_resolved]
            called.update(names)
            reasons = [*_unplanned(names, wanted | own, request), *_endless(step)]
            told = reasons or list(_harmful(names, request))
            found.append(StepVerdict(snapshot.address(step.id), not reasons, " ".join(told)))
    return (*found, *_missing(wanted - called))


def _of_list(snapshot: Snapshot, plan: Plan) -> tuple[StepVerdict, ...]:
    text = snapshot.text
    steps = [step for playbook in snapshot.program.playbooks for each in playbook.steps for step in each.walk()]
    found = [StepVerdict(snapshot.address(step.id), True) for step in steps]
    return (*found, *_missing({name for name in plan.calls if name not in text}))


def _unplanned(names: list[str], known: frozenset[str] | set[str], request: PlanRequest) -> Iterator[str]:
    for name in names:
        if name not in known and request.offer(name) is not None:
            yield _("The plan does not want {name} called.").format(name=name)


def _endless(step: Step) -> Iterator[str]:
    loop = step.meaning
    is_judged = isinstance(loop, Loop) and loop.condition is not None and loop.condition.test is None
    if is_judged and not any(words in step.text.lower() for words in _LIMITS):
        yield _("It goes round until somebody judges otherwise, and nothing limits it.")


def _harmful(names: list[str], request: PlanRequest) -> Iterator[str]:
    offers = filter(None, map(request.offer, names))
    unsafe = [each.name for each in offers if each.safety is CallSafety.UNSAFE]
    if unsafe:
        yield _("{name} may change something in the world; leave is asked for.").format(name=", ".join(unsafe))


def _missing(names: set[str] | frozenset[str]) -> Iterator[StepVerdict]:
    for name in sorted(names):
        yield StepVerdict("", False, _("The plan wants {name} called, and no step does it.").format(name=name))
