"""Is a generated playbook right? Everything that our checks find, what a generated one may not bring, and the observer.

A generated playbook can call what was offered, its own playbooks, and what every agent has; it brings no Python, no
servers, no other files and no commands. So nothing in it widens what a run may do. The observer needs no model: it has
a verdict for every step, by rule, before anything is carried out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.engine.backends.limits import tools_named
from workbench.engine.journal.cycle_events import StepVerdict
from workbench.i18n import _
from workbench.model.checks.calls import Around
from workbench.model.checks.families import check_markdown
from workbench.model.checks.names import BUILT_IN
from workbench.model.checks.nearest import Nearest
from workbench.model.inner_calls import calls_in
from workbench.model.kinds import FileKind
from workbench.model.loader.loading import PlaybookLoadError, load_text
from workbench.model.loader.steplist import PlaybookStep
from workbench.model.meaning import Call, Loop, StepKind
from workbench.model.program import Step
from workbench.model.shell_blocks import shell_blocks
from workbench.model.snapshot import Snapshot, derive
from workbench.planning.plan import Plan
from workbench.planning.request import Offer, PlanRequest, PlaybookFormat
from workbench.syntax.diagnostics import Severity
from workbench.syntax.imports import import_line
from workbench.syntax.text import SourceText, Span
from workbench.tools.values import CallSafety

_OWN_KEYS = frozenset({"title", "description", "tags", "tools", "deviation"})
"""What the front matter of a generated playbook may say: all else could name judges, tools or servers."""
_LIMITS = ("up to", "at most")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong, or doubtful. *line*, *column*: from 1. *severity*: error, warning or info."""

    line: int
    column: int
    code: str
    severity: str
    message: str

    @property
    def is_error(self) -> bool:
        """Whether the playbook cannot go on with it."""
        return self.severity == "error"

    @property
    def words(self) -> str:
        """It in one line."""
        return f"{self.line}:{self.column} {self.severity} {self.code}: {self.message}"


def read_text(text: str, format_: PlaybookFormat) -> Snapshot:
    """*text* as the cycle reads it."""
    return derive(SourceText(text), wanted=FileKind.PROGRAM if format_ is PlaybookFormat.MARKDOWN else None)


def problems_in(text: str, request: PlanRequest) -> tuple[Problem, ...]:
    """All that is wrong or doubtful in *text*, in its order."""
    snapshot = read_text(text, request.format)
    if request.format is PlaybookFormat.MARKDOWN:
        found = _Markdown(snapshot, request).problems()
    else:
        found = _in_step_list(snapshot, request)
    return tuple(sorted(found, key=lambda each: (each.line, each.column, each.code)))


class _Markdown:
    def __init__(self, snapshot: Snapshot, request: PlanRequest) -> None:
        self._snapshot = snapshot
        self._offers = {each.name: each for each in request.offers}
        self._imports = request.imports
        playbooks = [one for agent in snapshot.program.agents for one in agent.playbooks]
        self._own = {name for one in playbooks for name in (one.name, one.written) if name}
        self._nearest = Nearest(self._offers, self._own)

    def problems(self) -> Iterator[Problem]:
        """All of them."""
        snapshot = self._snapshot
        around = Around(knows=self._offers.__contains__)
        found = [each for each in check_markdown(snapshot, around) if each.code != "unknown-call"]
        yield from (self._at(each.span, each.code, each.message, each.severity) for each in found)
        steps = [step for one in snapshot.program.playbooks for each in one.steps for step in each.walk()]
        if not steps:
            yield self._at(Span(0, 0), "no-steps", _("There are no steps in it."))
        for step in steps:
            yield from self._of_step(step)
        yield from self._brought()

    def _of_step(self, step: Step) -> Iterator[Problem]:
        span = self._snapshot.text_span(step.id)
        if step.kind is StepKind.RAW and import_line(span.of(self._snapshot.text)) is None:
            yield self._at(span, "no-step", _("This is text among the steps, and no step that could be carried out."))
        if shell_blocks(step) and "shell" not in self._offers:
            yield self._at(span, "not-offered", _("A command stands under this step, and shell is not offered here."))
        for call in calls_in(step):
            if not call.is_resolved:
                yield from self._of_call(span, call)

    def _of_call(self, span: Span, call: Call) -> Iterator[Problem]:
        name = call.target.rpartition(".")[2]
        offer = self._offers.get(call.target) or self._offers.get(name)
        if offer is not None:
            yield from self._arguments(span, call, offer)
        elif name not in self._own and (name not in BUILT_IN or "." in call.target):
            close = self._nearest.to(name)
            hint = _(" Did you mean {name}?").format(name=close) if close else ""
            message = _("There is nothing to call named {name} here.").format(name=call.target)
            yield self._at(span, "unknown-call", message + hint)

    def _arguments(self, span: Span, call: Call, offer: Offer) -> Iterator[Problem]:
        known = offer.parameters
        named = [each.name for each in call.arguments if each.name]
        count = len(call.arguments) - len(named)
        is_free = offer.schema.get("additionalProperties") is True or not (known or "properties" in offer.schema)
        unknown = [name for name in named if name not in known and not is_free]
        given = {*named, *known[:count]}
        if unknown:
            message = _("{tool} has no parameter {name}. It has: {names}.")
            text = message.format(tool=offer.name, name=unknown[0], names=", ".join(known) or _("none"))
            yield self._at(span, "unknown-argument", text)
        if count > len(known):
            text = _("{tool} is given too many values.").format(tool=offer.name)
            yield self._at(span, "too-many-arguments", text)
        missing = sorted(offer.needed - given)
        if missing:
            text = _("{tool} needs a value for {name}.").format(tool=offer.name, name=", ".join(missing))
            yield self._at(span, "missing-argument", text)

    def _brought(self) -> Iterator[Problem]:
        """What a generated playbook may not have."""
        program, text = self._snapshot.program, self._snapshot.text
        for agent in program.agents:
            if agent.functions or agent.python:
                yield self._at(Span(0, 0), "brings-python", _("A generated playbook may not bring Python with it."))
            if agent.kind != "AI" or "remote" in dict(agent.metadata):
                message = _("A generated playbook may not bring agents of other kinds: {name}.")
                yield self._at(Span(0, 0), "brings-agent", message.format(name=agent.name))
        for name in sorted((tools_named(program.front_matter) or frozenset()) - self._offers.keys()):
            message = _("There is nothing to call named {name} here.").format(name=name)
            yield self._at(Span(0, 0), "unknown-call", message)
        for name in dict(program.front_matter):
            if name not in _OWN_KEYS:
                message = _("A generated playbook may not say “{name}” in its front matter.")
                yield self._at(Span(0, 0), "brings-settings", message.format(name=name))
        for at, line in enumerate(text.splitlines(), 1):
            wanted = import_line(line)
            if wanted is not None and wanted.path not in self._imports:
                message = _("A generated playbook may not import other files.")
                yield Problem(at, 1, "brings-import", "error", message)

    def _at(self, span: Span, code: str, message: str, severity: Severity = Severity.ERROR) -> Problem:
        line, column = self._snapshot.lines.position(span.start)
        return Problem(line + 1, column + 1, code, severity.value, message)


def _in_step_list(snapshot: Snapshot, request: PlanRequest) -> Iterator[Problem]:
    """What is wrong in a step list: what its own checks say, and tools that were not offered."""
    if not snapshot.program.format.is_steplist:
        yield Problem(1, 1, "no-step-list", "error", _("This is no step list."))
        return
    for each in snapshot.diagnostics:
        yield Problem(snapshot.lines.line(each.span.start) + 1, 1, each.code, each.severity.value, each.message)
    try:
        playbook = load_text(snapshot.text)
    except PlaybookLoadError as error:
        if all(each.severity is not Severity.ERROR for each in snapshot.diagnostics):
            yield Problem(1, 1, "unreadable", "error", str(error))
        return
    if not playbook.steps:
        yield Problem(1, 1, "no-steps", "error", _("There are no steps in it."))
    known = {each.name for each in request.offers}
    for step in playbook.steps:
        yield from _of_entry(snapshot, step, known)


def _of_entry(snapshot: Snapshot, step: PlaybookStep, known: set[str]) -> Iterator[Problem]:
    at = snapshot.text.find(step.id)
    line = snapshot.lines.line(at) + 1 if at >= 0 else 1
    for tool in step.expected_tools:
        if tool not in known:
            message = _("There is nothing to call named {name} here.").format(name=tool)
            yield Problem(line, 1, "unknown-call", "error", message)
    if step.uses:
        yield Problem(line, 1, "brings-skill", "error", _("A generated playbook may not use skills."))


def verdicts_on(snapshot: Snapshot, plan: Plan, request: PlanRequest) -> tuple[StepVerdict, ...]:
    """What the rules say about each step of *snapshot*, and about the whole of it.

    A step is not fine where it calls what the plan does not want called, or goes round with no end in sight; of the
    whole, what the plan wants called has to be called. That a call may do harm is told and held against nothing: leave
    is asked for when it is made.
    """
    if snapshot.program.format.is_steplist:
        return _verdicts_on_list(snapshot, plan)
    wanted, called = plan.calls, set[str]()
    own = {one.name for one in snapshot.program.playbooks}
    found: list[StepVerdict] = []
    for playbook in snapshot.program.playbooks:
        for step in (step for each in playbook.steps for step in each.walk()):
            names = [_offered_as(call.target, request) for call in calls_in(step) if not call.is_resolved]
            called.update(names)
            reasons = [*_unplanned(names, wanted | own, request), *_endless(step)]
            told = reasons or list(_harmful(names, request))
            found.append(StepVerdict(snapshot.address(step.id), not reasons, " ".join(told)))
    return (*found, *_missing(wanted - called))


def _verdicts_on_list(snapshot: Snapshot, plan: Plan) -> tuple[StepVerdict, ...]:
    text = snapshot.text
    steps = [step for playbook in snapshot.program.playbooks for each in playbook.steps for step in each.walk()]
    found = [StepVerdict(snapshot.address(step.id), True) for step in steps]
    return (*found, *_missing({name for name in plan.calls if name not in text}))


def _offered_as(target: str, request: PlanRequest) -> str:
    """The name by which *target* is offered: the whole of it for a tool of a server, else without the agent."""
    return target if request.offer(target) is not None else target.rpartition(".")[2]


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
