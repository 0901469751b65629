"""Playbooks that a run makes: of a text or a plan that it is given, or of a plan that a step says is needed.

What is made is checked as a part of the program before it is journaled. It can call what the program can call, with the
same permissions, and brings no Python and no other files. How many may be made, how large, how deep, and who has to
allow it, is said by the file and its project (``PlanRules``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from workbench.engine.decider import Draft
from workbench.engine.expressions.evaluation import UnknownName
from workbench.engine.journal.cycle_events import PlanMade, PlanSentBack, PlaybookReviewed
from workbench.engine.journal.language_events import PlaybookWritten
from workbench.engine.journal.run_events import InputAsked
from workbench.engine.language.about import callable_spec
from workbench.engine.language.program.book import Book, PlaybookTarget, type_of, written_source
from workbench.engine.language.turn import StepFailed, Turn
from workbench.engine.language.wording import asking
from workbench.engine.ports import Request, RequestKind
from workbench.engine.state.frames import Planning
from workbench.errors import RunFailed
from workbench.i18n import _, ngettext, numeral
from workbench.model.checks.calls import Around
from workbench.model.checks.empty import hollow_steps
from workbench.model.checks.families import check_markdown
from workbench.model.kinds import FileKind
from workbench.model.meaning import StepKind, Variable
from workbench.model.plans.plan import Plan, PlanRefused, plan_from_json, plan_to_json
from workbench.model.plans.policies import MOST_CHARACTERS, PLANS, Approval, PlanRules, plan_rules
from workbench.model.plans.writing import playbooks_of
from workbench.model.program import Agent, Playbook
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.diagnostics import Severity
from workbench.syntax.imports import import_line
from workbench.syntax.signatures import normalise_name
from workbench.syntax.text import SourceText
from workbench.tools.values import ToolSpec

ROUNDS = 3
"""How often a plan is sent back before its step fails."""
PLAN = Variable("plan", is_state=False, type="dict")
ACCEPTED = Variable("accepted", is_state=False, type="bool")
_BY_RULES = "rules"
_ASKED = "asked"


@dataclass(frozen=True, slots=True)
class Ready:
    """A playbook that was made of a plan, and may be carried out now. *arguments*: by name."""

    target: PlaybookTarget
    arguments: dict[str, Any]


def rules_for(turn: Turn) -> PlanRules:
    """What the run may make: what its file says, and what its project makes stricter."""
    start = turn.state.origin.program
    said = dict(turn.book.program.front_matter).get(PLANS)
    return plan_rules(said, start.plans if start is not None else None)


def plan_and_do(turn: Turn, goal: str) -> Draft | Ready:
    """The next event of a step that has *goal* planned and then done; what is ready to be carried out, in the end.

    The plan is asked for, at most three times; somebody allows what is made of it; its playbooks are written.
    Raises StepFailed where it may not be, or does not come to that.
    """
    planning, answer = turn.frame.planning or Planning(), turn.frame.answer
    if planning.plan is None:
        if answer is not None:
            return _planned(turn, planning, answer["values"][PLAN.name])
        _check_room(turn)
        if planning.round >= ROUNDS:
            message = _("no plan that can be used came of it: {problems}")
            raise StepFailed(message.format(problems="; ".join(planning.problems)))
        return _question(turn, goal, planning.problems)
    plan = plan_from_json(planning.plan)
    texts = _texts_of(turn, plan, planning.names)
    if not planning.is_allowed:
        return _allowed(turn, planning, texts)
    for name, text in texts[len(planning.names) :]:
        return turn.draft(PlaybookWritten(type_of(turn.agent), name, text))
    target = turn.book.playbook(type_of(turn.agent), texts[0][0])
    assert target is not None, "it was just written"
    return Ready(target, dict(_arguments(turn, plan)))


def is_about_plan(request: Request | None) -> bool:
    """Whether *request* asks for a plan."""
    return request is not None and PLAN in request.fields


def told_for_plan(book: Book, names: tuple[str, ...], agent: str, tools: tuple[ToolSpec, ...]) -> str:
    """What whoever plans can have called: the playbooks *names* of *agent*, and *tools*."""
    specs = [*(callable_spec(book, agent, name) for name in names), *tools]
    return "\n".join(["What can be called:", *(f"- {_line(each)}" for each in specs)])


def _line(spec: ToolSpec) -> str:
    needed = spec.schema.get("required") or ()
    words = ", ".join(name if name in needed else f"{name}?" for name in spec.schema.get("properties") or {})
    return f"{spec.name}({words})" + (f": {' '.join(spec.description.split())}" if spec.description else "")


def _question(turn: Turn, goal: str, problems: tuple[str, ...]) -> Draft:
    rules = rules_for(turn)
    text = _("Plan how to reach this goal: {goal}").format(goal=goal)
    limit = ngettext("It may have {count} step.", "It may have {count} steps.", rules.steps)
    lines = [text, limit.format(count=numeral(rules.steps))]
    if problems:
        lines += [_("What was wrong with the plan before:"), *problems]
    request = replace(asking(turn, RequestKind.JUDGE, "", (PLAN,)), text="\n".join(lines))
    return turn.opening(InputAsked.of(request))


def _planned(turn: Turn, planning: Planning, data: object) -> Draft:
    """The event that the answer *data* is a plan that can be used, or is sent back with what is wrong in it."""
    try:
        plan = plan_from_json(data)
        texts = _texts_of(turn, plan, ())
        problems = [*_too_much(turn, texts), *_without_value(turn, plan)]
        for name, text in texts:
            _checked(turn, name, text, frozenset(each for each, _text in texts))
    except PlanRefused as error:
        problems = list(error.problems)
    except StepFailed as error:
        problems = [str(error)]
    if problems:
        return turn.draft(PlanSentBack(tuple(problems), planning.round + 1))
    return turn.draft(PlanMade(plan_to_json(plan), _who(turn)))


def _who(turn: Turn) -> str:
    """Who has answered: a model by its name, else whoever was asked."""
    answering = turn.frame.answering
    return (answering.judge if answering is not None else "") or _ASKED


def _allowed(turn: Turn, planning: Planning, texts: tuple[tuple[str, str], ...]) -> Draft:
    """The event that the playbooks may be carried out, or not; the question, where a person says so."""
    if rules_for(turn).approve is Approval.RULES:
        return turn.draft(PlaybookReviewed(True, _BY_RULES))
    answer = turn.frame.answer
    if answer is None:
        return _may_it(turn, texts)
    is_accepted, reason = answer["values"][ACCEPTED.name] is True, str(answer.get("text") or "")
    if not is_accepted and not reason:
        raise StepFailed(_("what was made for it was not accepted."))
    count = planning.round + (not is_accepted)
    return turn.draft(PlaybookReviewed(is_accepted, _who(turn), reason, count))


def _may_it(turn: Turn, texts: tuple[tuple[str, str], ...]) -> Draft:
    """The question to a person, whoever judges: whether what was made may be carried out."""
    words = _("The run has made this, and goes on with it. Is that right?")
    text = "\n\n".join([words, *(text for _name, text in texts)])
    request = replace(asking(turn, RequestKind.ASK, "", (ACCEPTED,)), text=text)
    return turn.opening(InputAsked.of(request))


def _texts_of(turn: Turn, plan: Plan, own: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The playbooks of *plan*, with names that are free, or *own*."""
    return playbooks_of(plan, "", lambda name: name not in own and _is_taken(turn, name))


def _is_taken(turn: Turn, name: str) -> bool:
    agent = type_of(turn.agent)
    return turn.book.resolve(agent, f"{agent}.{name}") is not None


def _arguments(turn: Turn, plan: Plan) -> Iterator[tuple[str, Any]]:
    """The values of the parameters of *plan*: the variables of their names."""
    for each in plan.parameters:
        yield each.name, turn.lookup(each.name, True)


def _without_value(turn: Turn, plan: Plan) -> Iterator[str]:
    for each in plan.parameters:
        try:
            turn.lookup(each.name, True)
        except UnknownName:
            yield _("parameters: {name} has no value here. Say it in the steps, or find it out by one.").format(
                name=f"${each.name}"
            )


def _check_room(turn: Turn) -> None:
    """Raise StepFailed where the run may make nothing more."""
    rules, state = rules_for(turn), turn.state
    if rules.approve is Approval.NEVER:
        raise StepFailed(_("no playbooks may be made here (plans: approve: never)."))
    made = len(state.world.written)
    if made >= rules.number:
        message = ngettext(
            "this run has made {count} playbook, which is the limit (plans: number).",
            "this run has made {count} playbooks, which is the limit (plans: number).",
            made,
        )
        raise StepFailed(message.format(count=numeral(made)))
    written = turn.book.written
    depth = sum((type_of(frame.agent), frame.playbook) in written for frame in state.frames)
    if depth >= rules.depth:
        message = _("playbooks that the run has made stand too deep here for another (plans: depth): {depth}.")
        raise StepFailed(message.format(depth=numeral(depth)))
    if rules.usd and state.used.cost_usd >= rules.usd:
        message = _("models have cost too much in this run for more to be made (plans: usd): ${cost}, limit ${limit}.")
        costs = (numeral(state.used.cost_usd, ".2f"), numeral(rules.usd, ".2f"))
        raise StepFailed(message.format(cost=costs[0], limit=costs[1]))


def _too_much(turn: Turn, texts: tuple[tuple[str, str], ...]) -> Iterator[str]:
    """Why *texts* are more than the run may make at once."""
    rules, left = rules_for(turn), rules_for(turn).number - len(turn.state.world.written)
    if len(texts) > left:
        message = _("It makes more playbooks than the run still may (plans: number): {count} instead of {left}.")
        yield message.format(count=numeral(len(texts)), left=numeral(left))
    for name, text in texts:
        count = _steps_in(derive(SourceText(written_source("A", name, text)), wanted=FileKind.PROGRAM))
        if count > rules.steps:
            message = _("{name} has too many steps (plans: steps): {count} instead of at most {limit}.")
            yield message.format(name=name, count=numeral(count), limit=numeral(rules.steps))
        if len(text) > MOST_CHARACTERS:
            message = _("{name} is too long, counted in characters: {count} instead of at most {limit}.")
            yield message.format(name=name, count=numeral(len(text)), limit=numeral(MOST_CHARACTERS))


def _steps_in(snapshot: Snapshot) -> int:
    return sum(1 for playbook in snapshot.program.playbooks for step in playbook.steps for _ in step.walk())


def create_playbook(turn: Turn, name: str, given: object) -> Draft:
    """``CreatePlaybook(name, given)``: *given* is a plan, or a text that holds steps, or a whole playbook.

    Raises StepFailed where it is none that can be used, or may not be made.
    """
    _check_room(turn)
    agent, wanted = type_of(turn.agent), normalise_name(name).name
    texts = _given_texts(turn, wanted, given)
    others = frozenset(each for each, _text in texts)
    made = _checked(turn, texts[0][0], texts[0][1], others)
    if _is_taken(turn, made):
        raise StepFailed(_("there is already a playbook {name}.").format(name=made))
    for problem in _too_much(turn, tuple(each for each in texts if not _is_ours(turn, *each))):
        raise StepFailed(problem)
    asked = _asked_first(turn, texts)
    if asked is not None:
        return asked
    for own, text in texts[1:]:
        if not _is_ours(turn, own, text):
            if turn.is_inner or turn.frame.intents:
                raise StepFailed(_("a plan with reactions can only be given to a step of its own."))
            _checked(turn, own, text, others)
            return turn.draft(PlaybookWritten(agent, own, text))
    return turn.giving(PlaybookWritten(agent, made, texts[0][1]), made)


def _given_texts(turn: Turn, name: str, given: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(given, Mapping):
        return ((name, str(given)),)
    try:
        plan = plan_from_json(given)
    except PlanRefused as error:
        raise StepFailed(_("the plan cannot be used: {problems}").format(problems="; ".join(error.problems))) from error
    texts = playbooks_of(plan, name, frozenset[str]().__contains__)
    for own, text in texts[1:]:
        if _is_taken(turn, own) and not _is_ours(turn, own, text):
            raise StepFailed(_("there is already a playbook {name}.").format(name=own))
    return texts


def _is_ours(turn: Turn, name: str, text: str) -> bool:
    """Whether the run has written exactly this already."""
    return turn.state.world.written.get((type_of(turn.agent), name)) == text


def _asked_first(turn: Turn, texts: tuple[tuple[str, str], ...]) -> Draft | None:
    """The question whether it may be made, where the file or the project wants that asked; None once it may."""
    if rules_for(turn).approve is not Approval.ASK:
        return None
    if turn.is_inner or turn.frame.intents:
        raise StepFailed(_("a person has to allow it, so it can only be made by a step of its own."))
    answer = turn.frame.answer
    if answer is None:
        return _may_it(turn, texts)
    if answer["values"].get(ACCEPTED.name) is not True:
        reason = str(answer.get("text") or "")
        raise StepFailed(_("what was made for it was not accepted.") + (f" {reason}" if reason else ""))
    return None


def is_allowing(answer: Mapping[str, Any] | None) -> bool:
    """Whether *answer* says whether what was made may be carried out."""
    return answer is not None and ACCEPTED.name in answer.get("values", {})


def _checked(turn: Turn, name: str, text: str, others: frozenset[str] = frozenset()) -> str:
    """The name of the playbook that *text* is, made with *others*; raises StepFailed with what is wrong in it."""
    agent = type_of(turn.agent)
    source = written_source(agent, name, text)
    snapshot = derive(SourceText(source), wanted=FileKind.PROGRAM)
    playbook = _only_one(snapshot, name)
    added, lines = source.count("\n", 0, source.index(text)), snapshot.lines
    around = Around((*turn.book.program.agents, *_written(turn.book)), partial(_is_known, turn, agent, others))
    found = [
        (lines.line(each.span.start), each.message)
        for each in check_markdown(snapshot, around)
        if each.severity is Severity.ERROR or each.code == "branch-without-if"
    ]
    found += [
        (snapshot.line(each.id) - 1, _("“{text}” leads nowhere.").format(text=each.text))
        for each in hollow_steps(playbook)
    ]
    found += [
        (at, _("A generated playbook may not import other files."))
        for at, line in enumerate(source.splitlines())
        if import_line(line) is not None
    ]
    if snapshot.program.agents[0].python:
        found.append((added, _("A generated playbook may not bring Python with it.")))
    if found:
        head = _("{name} was not made, because its text is not right:").format(name=playbook.name)
        line = _("line {line}: {message}")
        told = [line.format(line=numeral(at + 1 - added), message=message) for at, message in sorted(found)]
        raise StepFailed("\n".join([head, *told]))
    return playbook.name


def _only_one(snapshot: Snapshot, name: str) -> Playbook:
    """The playbook of *snapshot*, which must hold one, with something to carry out."""
    program, playbooks = snapshot.program, snapshot.program.playbooks
    if len(playbooks) == 1 and len(program.agents) == 1:
        has_steps = any(each.kind is not StepKind.RAW for each in playbooks[0].steps)
        if playbooks[0].description or has_steps:
            return playbooks[0]
    raise StepFailed(_("the text of {name} must contain one playbook; a list of steps is enough.").format(name=name))


def _written(book: Book) -> Iterator[Agent]:
    """The agents once more, with what the run has written for them."""
    for agent in book.program.agents:
        own = tuple(playbook for (owner, _name), playbook in book.written.items() if owner == agent.name)
        yield replace(agent, playbooks=own, functions=())


def _is_known(turn: Turn, agent: str, others: frozenset[str], name: str) -> bool:
    """Whether *agent* can call a tool *name*; one of whom nobody can say it may be there."""
    try:
        return name in others or name in turn.book.made or turn.rules.tool_safety(agent, name) is not None
    except RunFailed:
        return True
