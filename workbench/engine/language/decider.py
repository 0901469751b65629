"""What a run of a playbook in markdown does next: the machine decides, by the program as it was at the start.

Commands under a judged step are run for whoever is asked about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from workbench.engine.background import Background
from workbench.engine.decider import (
    AskJudgement,
    BeginStep,
    Decider,
    Decision,
    Draft,
    Drafts,
    Settled,
    Standing,
    Tools,
    Where,
    draft_at,
)
from workbench.engine.expressions.data import as_data
from workbench.engine.expressions.evaluation import EvaluationFailed, Filling
from workbench.engine.fields import typed
from workbench.engine.journal.journal import Keeps
from workbench.engine.journal.run_events import (
    CallResolved,
    ProgramStart,
    RunCreated,
    StepEntered,
    ToolError,
    ToolResult,
)
from workbench.engine.judging.context import prompt
from workbench.engine.language.about import background_of, callable_spec
from workbench.engine.language.calling import bind
from workbench.engine.language.leaving import passed_over
from workbench.engine.language.machine import (
    ALWAYS,
    DONE,
    call_answered,
    decide,
    given,
    instruction_at,
    is_dropped,
    step_failed,
    tools_for,
)
from workbench.engine.language.making import is_about_plan, told_for_plan
from workbench.engine.language.procedures.matter import as_details, is_in_chapter, matter_at, with_matter
from workbench.engine.language.procedures.start import chosen_chapters, is_procedure, title_of, values_given, who
from workbench.engine.language.program.book import Book, PlaybookTarget, entry_of, type_of, waits_at_once
from workbench.engine.language.program.linked import keep_linked
from workbench.engine.language.python_calls import for_python, seen_by_python
from workbench.engine.language.triggers import is_for_python
from workbench.engine.language.turn import Rules, StepFailed, Turn
from workbench.engine.language.wording import written_values
from workbench.engine.options import RunOptions
from workbench.engine.ports import (
    CalledBack,
    InDoubtChoice,
    LookedUp,
    Purpose,
    Request,
    RequestKind,
    SetByTool,
    StepCommand,
)
from workbench.engine.state.fold import RunFold
from workbench.engine.state.frames import Intent
from workbench.engine.state.judging_rules import question
from workbench.errors import RunFailed
from workbench.i18n import _
from workbench.model.meaning import Variable
from workbench.model.number_types import NumberTypes
from workbench.model.shell_blocks import shell_blocks
from workbench.model.snapshot import Snapshot
from workbench.syntax.expressions import parse_template
from workbench.tools.command_lines import why_needs_shell
from workbench.tools.permissions import SHELL_SCRIPT
from workbench.tools.values import Asking, CallSafety


class LanguageDecider(Decider):
    """A decider that keeps nothing: each answer follows from the fold and the book alone."""

    def __init__(self, book: Book, rules: Rules, tools: Tools) -> None:
        self.snapshot = book.snapshot
        self.tools = tools
        self._book = book
        self._rules = rules

    def _learned(self, fold: RunFold) -> Book:
        """The program, with what the run has written itself."""
        if fold.world.written:
            self._book.learn(fold.world.written)
        return self._book

    def _turn(self, fold: RunFold) -> Turn:
        book = self._learned(fold)
        return Turn(fold, book, self._rules, instruction_at(fold, book))

    def decide(self, fold: RunFold) -> Decision:
        """The next thing to do; see ``machine``."""
        decision = decide(fold, self._learned(fold), self._rules)
        if isinstance(decision, tuple) and isinstance(decision[0].payload, StepEntered):
            return BeginStep(decision)
        if isinstance(decision, AskJudgement) and fold.frames:
            turn = self._turn(fold)
            return AskJudgement(with_commands(turn, self.tools, with_matter(turn, decision.request)))
        return decision

    def given(self, fold: RunFold, request: Request, answer: dict[str, Any]) -> Drafts:
        """The events that *answer* was given."""
        return given(fold, self._learned(fold), self._rules, request, answer)

    def not_given(self, fold: RunFold, problem: RunFailed) -> Drafts:
        """The event that the step at hand failed."""
        return (step_failed(fold, self._learned(fold), str(problem)),)

    def background(self, fold: RunFold) -> Background:
        """The playbook at work, its variables, and what may be called where that is the question."""
        background = background_of(fold, self._learned(fold))
        request = fold.pending or question(fold)
        names = request.choices if request is not None and request.purpose is Purpose.REACT else ()
        choices = tuple(callable_spec(self._learned(fold), fold.top.agent, name) for name in names if name != DONE)
        if is_about_plan(request):
            background = replace(background, knowledge=_told_for_plan(fold, self._learned(fold), self.tools))
        if request is None or not is_in_chapter(fold, self._learned(fold)):
            return replace(background, choices=choices)
        matter = matter_at(fold, self._learned(fold), request.step)
        return replace(background, choices=choices, details=as_details(matter) if matter is not None else ())

    def place(self, fold: RunFold) -> Where:
        """The step at hand, and the span of the call."""
        at = instruction_at(fold, self._learned(fold))
        return Where(at.address, at.line, _intent(fold).span)

    def returned(self, fold: RunFold, result: ToolResult) -> Drafts:
        """The event that the call gave something."""
        return (call_answered(fold, self._learned(fold), result),)

    def broke(self, fold: RunFold, message: str) -> Drafts:
        """The event that the call failed."""
        text = _("{tool} failed: {message}").format(tool=_intent(fold).tool, message=message)
        error = ToolError(text, is_raised=is_for_python(fold, self._learned(fold)))
        return (draft_at(self.place(fold), error, "tool"),)

    def called_back(self, fold: RunFold, asked: CalledBack | SetByTool) -> Draft:
        """The event by which what Python asks for begins, or is done. Raises RunFailed."""
        turn = self._turn(fold)
        try:
            return for_python(turn, asked)
        except StepFailed as error:
            raise RunFailed(str(error)) from error

    def looked_up(self, fold: RunFold, asked: LookedUp) -> Any:
        """What Python wants to know of its agent."""
        return seen_by_python(self._turn(fold), asked)

    def standing(self, fold: RunFold) -> Standing:
        """The variables in view, and what every playbook knows."""
        turn = self._turn(fold) if fold.frames else None
        return Standing(fold.known if turn is None else turn.lookup, lambda: passed_over(turn))

    def doubt(self, fold: RunFold, _said: InDoubtChoice | None) -> Request:
        """What became of the call; with its result, unless nothing waits for that."""
        intent, at = _intent(fold), instruction_at(fold, self._learned(fold))
        text = _("{call} was started before the run was interrupted. Whether it was done is unknown.")
        return Request(
            f"q{fold.next_seq}",
            RequestKind.IN_DOUBT,
            at.address,
            text.format(call=f"{intent.tool}({written_values(intent.positional, dict(intent.named))})"),
            (Variable("result", is_state=False),) if not is_dropped(at, fold.top) else (),
            tuple(choice.value for choice in InDoubtChoice),
        )

    def resolved(self, fold: RunFold, settled: Settled) -> Drafts:
        """The event that the call is made again, or has given what was said."""
        resolved = CallResolved(settled.how, settled.value, settled.text)
        if resolved.how is InDoubtChoice.AGAIN:
            return (draft_at(self.place(fold), resolved, "user"),)
        return (call_answered(fold, self._learned(fold), resolved),)


def _told_for_plan(fold: RunFold, book: Book, tools: Tools) -> str:
    """What whoever plans should know: the form of a plan, and what it can have called."""
    frame = fold.top
    names = tuple(name for name in tools_for(book, frame.agent, frame.playbook) if name not in ALWAYS)
    return "\n\n".join((prompt("plan"), told_for_plan(book, names, frame.agent, tools.offered(type_of(frame.agent)))))


def _intent(fold: RunFold) -> Intent:
    """The call at hand."""
    assert fold.intent is not None
    return fold.intent


def origin_of(snapshot: Snapshot, journal: Keeps, options: RunOptions) -> RunCreated:
    """What the first event says of a run of *snapshot*.

    Raises RunFailed where there is nothing to run, or an argument is missing or does not fit.
    """
    book = Book(snapshot)
    if is_procedure(snapshot.program):
        return _origin_of_procedure(snapshot, journal, options)
    target = _target(book, options.playbook)
    begins = not waits_at_once(book, options.playbook)
    return RunCreated(
        playbook=target.playbook.name,
        path=options.path,
        pb_hash=journal.keep(snapshot.source.encode()),
        script=options.script,
        arguments=_arguments(target, options.arguments, book.number_types, is_begun=begins),
        program=replace(
            _started(options, target.agent, _starts(book, target, options.playbook) if begins else ()),
            tells_apart=any(each.own_address for each in snapshot.program.playbooks),
            is_alone=bool(options.playbook),
        ),
        python_memory_mb=options.python_memory_mb,
        goes_on=not options.playbook and book.watches.go_on,
        message=options.message,
    )


def _origin_of_procedure(snapshot: Snapshot, journal: Keeps, options: RunOptions) -> RunCreated:
    """What the first event says of a run that goes through the chapters of a procedure."""
    names = options.chapters or ((options.playbook,) if options.playbook else ())
    chapters = chosen_chapters(snapshot.program, names)
    return RunCreated(
        playbook=title_of(snapshot.program),
        path=options.path,
        pb_hash=journal.keep(snapshot.source.encode()),
        read_as=snapshot.program.kind.value,
        chapters=dict(snapshot.deriver.chapters) or None,
        script=options.script,
        arguments=values_given(snapshot, options.arguments),
        program=replace(
            _started(options, chapters[0].agent, tuple((each.agent, each.playbook.name) for each in chapters)),
            is_alone=bool(names),
        ),
        python_memory_mb=options.python_memory_mb,
        person=who(),
        ticks=options.ticks,
        linked=keep_linked(snapshot, options.path, journal),
    )


def _started(options: RunOptions, agent: str, starts: tuple[tuple[str, str], ...]) -> ProgramStart:
    """How a run with *options* was started, of which *agent* begins with *starts*."""
    return ProgramStart(
        agent=agent,
        starts=starts,
        is_trusted=options.is_trusted,
        python_timeout_s=options.python_timeout_s,
        max_depth=options.max_depth,
        max_steps=options.max_steps,
        artifact_threshold=options.artifact_threshold,
    )


def _target(book: Book, name: str) -> PlaybookTarget:
    """The playbook *name*, or where *book* begins. Raises RunFailed where there is none."""
    target = entry_of(book, name)
    if target is not None:
        return target
    if book.program.foreign:
        raise RunFailed(_("{reason} There is nothing in it to run.").format(reason=book.program.foreign))
    if not name:
        raise RunFailed(_("There is no playbook to run. Add a playbook (## Name) with at least one step."))
    message = _("There is no playbook {name} in this file. It has: {names}.")
    known = [playbook.address for playbook in book.program.playbooks]
    known += [function.name for agent in book.program.agents for function in agent.functions]
    names = ", ".join(known) or _("none")
    raise RunFailed(message.format(name=name, names=names))


def starts_of_text(book: Book, chosen: str) -> tuple[tuple[str, str], ...]:
    """What a run of *book* begins by itself; *chosen*: the only playbook that it was to begin, empty for none.

    Raises RunFailed where there is nothing to begin.
    """
    if is_procedure(book.program):
        names = (chosen,) if chosen else ()
        return tuple((each.agent, each.playbook.name) for each in chosen_chapters(book.program, names))
    return () if waits_at_once(book, chosen) else _starts(book, _target(book, chosen), chosen)


def _starts(book: Book, first: PlaybookTarget, chosen: str) -> tuple[tuple[str, str], ...]:
    """The playbooks that are begun one after the other: *first*, and unless it was *chosen*, all others that start."""
    others = book.starts if not chosen else ()
    return tuple(dict.fromkeys((target.agent, target.playbook.name) for target in (first, *others)))


def _arguments(
    target: PlaybookTarget, given: Mapping[str, Any], types: NumberTypes, *, is_begun: bool
) -> dict[str, Any]:
    """*given* as data, of the types that the parameters of *target* want, which *is_begun*; *types*: of the program.

    Raises RunFailed.
    """
    playbook = target.playbook
    fields = {one.name: Variable(one.name, one.is_state, one.type) for one in playbook.parameters}
    arguments: dict[str, Any] = {}
    for name, value in given.items():
        field = types.typed(target.agent, playbook.name, fields.get(name, Variable(name)))
        try:
            arguments[name] = typed(field, as_data(value))
        except ValueError as error:
            message = _("The value of {name} does not fit: {problem}.")
            raise RunFailed(message.format(name=name, problem=str(error).removesuffix("."))) from error
    if not is_begun:
        return arguments
    try:
        bind(playbook, (), {name: value for name, value in arguments.items() if name in fields})
    except StepFailed as error:
        raise RunFailed(str(error)) from error
    return arguments


_JUDGED = frozenset({RequestKind.JUDGE, RequestKind.DECIDE})
_SHELL = "shell"


def with_commands(turn: Turn, tools: Tools, request: Request) -> Request:
    """*request* with the commands that stand under its step, placeholders filled in."""
    step = turn.book.snapshot.at_address(turn.at.address)
    if request.matter is not None:
        return replace(request, commands=tuple(_command(turn, tools, text) for text in request.matter.commands))
    if step is None or request.kind not in _JUDGED or request.purpose is not Purpose.STEP:
        return request
    written = (_filled(turn, text) for text in shell_blocks(step))
    return replace(request, commands=tuple(_command(turn, tools, text) for text in written))


def _command(turn: Turn, tools: Tools, text: str) -> StepCommand:
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    line, *more = lines or [""]
    needs_shell = _("It has more than one line.") if more else why_needs_shell(line)
    if not needs_shell:
        problem = _problem(turn, tools, _SHELL, line)
        return StepCommand(text, "" if problem else _SHELL, {"command": line}, problem)
    if not _problem(turn, tools, SHELL_SCRIPT, text):
        return StepCommand(text, SHELL_SCRIPT, {"script": text})
    message = _("Only a shell can run this, and the tool sh is not allowed here. {reason}")
    return StepCommand(text, problem=message.format(reason=needs_shell))


def _problem(turn: Turn, tools: Tools, tool: str, line: str) -> str:
    """Why *tool* cannot run *line*; empty where it can."""
    agent = type_of(turn.frame.agent)
    if turn.book.resolve(agent, tool) is not None:
        return _("In this file, {tool} means something else than the tool.").format(tool=tool)
    try:
        safety = turn.rules.tool_safety(agent, tool)
    except RunFailed as error:
        return str(error)
    if safety is None:
        return _("There is no tool called {name}.").format(name=tool)
    intent = Intent("", tool, agent, CallSafety.UNSAFE, "", (line,))
    permission = tools.permission(intent, turn.frame.playbook)
    return permission.reason if permission.asking is Asking.FORBIDDEN else ""


def _filled(turn: Turn, text: str) -> str:
    """*text* with the placeholders that have a value filled in; all other braces are those of the shell."""
    filling, filled = Filling(turn.lookup), ""
    for piece in parse_template(text).pieces:
        if isinstance(piece, str):
            filled += piece
            continue
        written = f"{{{piece.source}}}"
        try:
            filled += written if filled.endswith("$") or not piece.names else filling.text_of(piece)
        except EvaluationFailed:
            filled += written
    return filled
