"""What the inspector says about a step, as rows of words a person reads: its meaning, comment, source, last run."""

from __future__ import annotations

from workbench.editing.surgery.disabling import DISABLED
from workbench.engine.outcomes import outcome_labels
from workbench.gui.control.running.run_marks import StepMark
from workbench.gui.words.values import duration_words
from workbench.i18n import N_, _, ngettext, numeral
from workbench.model.inner_calls import waits_for_call
from workbench.model.meaning import (
    BY_THEMSELVES,
    Ask,
    Assign,
    Branch,
    BranchForm,
    Call,
    Condition,
    End,
    Group,
    Judge,
    Jump,
    JumpForm,
    Loop,
    LoopForm,
    Meaning,
    Note,
    Return,
    Several,
    StepListEntry,
    StepListForm,
    Tell,
    TriggerEvent,
    Variable,
    Wait,
)
from workbench.model.program import Step
from workbench.model.sentences.calls import PLAN_AND_DO
from workbench.model.snapshot import Snapshot
from workbench.regex import regex
from workbench.syntax.lines import COMMENT
from workbench.vocabulary import Status

Row = tuple[str, str]
_FORMS = {
    StepListForm.STEP: N_("a step with expected tools"),
    StepListForm.GROUP: N_("a phase with its own steps"),
    StepListForm.TASK: N_("a task for a person"),
    StepListForm.APPROVAL: N_("a step that waits for approval"),
}
BY_JUDGEMENT = (N_("Decided by"), N_("a person or a model"))
LINE_END = regex(r"\r\n|\r|\n")


def rows_in(document: Snapshot, step: Step) -> tuple[Row, ...]:
    """The same as ``rows_of``, as *step* stands in *document*."""
    if waits_for_call(step.meaning, document.structure.callables.names):
        return ((_("Starts"), _("when this happens")),)
    return rows_of(step.meaning)


def rows_of(meaning: Meaning) -> tuple[Row, ...]:
    """Label and value of everything that was read from the step, what decides it first."""
    match meaning:
        case Judge(outputs=outputs, outcomes=outcomes):
            may_follow = tuple((_("May be followed by"), label) for label in outcome_labels(outcomes))
            return (_done_by_judgement(), *_variables(_("Fills in"), outputs), *may_follow)
        case Several(parts=parts):
            return tuple(row for part in parts for row in rows_of(part))
        case Assign(target=target, value=value, place=place):
            return (_row(_("Sets"), written(target) if place is None else place.source), _row(_("To"), value.source))
        case Ask(variables=variables, target=target):
            return (_row(_("Asks"), target or _("the person")), *_variables(_("Fields"), variables))
        case Tell(template=template, target=target):
            wording = _("exactly as written") if template is not None else _("reworded from this text")
            return (_row(_("Tells"), target or _("the person")), _row(_("Wording"), wording))
        case Call():
            return _call_rows(meaning)
        case Branch():
            return _branch_rows(meaning)
        case Loop():
            return _loop_rows(meaning)
    return _other_rows(meaning)


def _other_rows(meaning: Meaning) -> tuple[Row, ...]:
    match meaning:
        case StepListEntry():
            return steplist_rows(meaning)
        case Return(value=value, text=text):
            shown = value.source if value is not None else (text or _("empty"))
            judged = () if value is not None or not text else (_done_by_judgement(),)
            return (_row(_("Returns"), shown), *judged)
        case End():
            return (_row(_("Ends"), _("the program")),)
        case Jump(form=form, number=number):
            return (_row(_("Goes to"), _JUMPS[form].format(number=number)),)
        case Wait():
            return (_row(_("Waits"), _("by the clock")),)
        case TriggerEvent():
            return _trigger_rows(meaning)
        case Group(is_read=True):
            return (_row(_("Holds"), _("text to read; none of it is carried out")),)
        case Group():
            return (_row(_("Holds"), _("the steps below it; nothing is done for the heading itself")),)
        case Note():
            return (_row(_("For"), _("the person or model running the playbook")),)
    return (_row(_("Kept"), _("as written, not carried out")),)


_JUMPS = {
    JumpForm.BREAK: N_("exit the loop"),
    JumpForm.CONTINUE: N_("next round"),
    JumpForm.GO_TO: N_("step {number}"),
}


def _row(label: str, value: str) -> Row:
    return label, value


def _done_by_judgement() -> Row:
    label, value = BY_JUDGEMENT
    return str(label), str(value)


def _variables(label: str, variables: tuple[Variable, ...]) -> tuple[Row, ...]:
    return ((label, ", ".join(map(written, variables))),) if variables else ()


def written(variable: Variable) -> str:
    """*variable* as it is written in a step."""
    return ("$" if variable.is_state else "") + variable.name + (f": {variable.type}" if variable.type else "")


def _call_rows(call: Call) -> tuple[Row, ...]:
    how = ((_("Derived from"), _("the sentence")),) if call.is_resolved else ()
    arguments = tuple((argument.name or _("Argument"), argument.value.source) for argument in call.arguments)
    result = ((_("Result"), written(call.result)),) if call.result is not None else ()
    if call.target == PLAN_AND_DO and call.text:
        return ((_("Plans, then does"), call.arguments[0].value.source.strip('"')), *result)
    return ((_("Calls"), call.target), *how, *arguments, *_variables(_("Asks for"), call.asked), *result)


def _condition_rows(condition: Condition) -> tuple[Row, ...]:
    row = (_("Condition"), condition.text)
    if condition.test is None:
        return (row, _done_by_judgement())
    return (row,)


def _branch_rows(branch: Branch) -> tuple[Row, ...]:
    condition = () if branch.condition is None else _condition_rows(branch.condition)
    otherwise = ((_("Taken"), _("when no branch above was taken")),) if branch.form is BranchForm.OTHERWISE else ()
    action = rows_of(branch.action) if branch.action is not None else ()
    return (*condition, *otherwise, *action)


def _loop_rows(loop: Loop) -> tuple[Row, ...]:
    rows: list[Row] = []
    if loop.form is LoopForm.FOR_EACH:
        rows.append((_("For each"), written(loop.variable) if loop.variable is not None else loop.text))
        rows.append((_("In"), loop.items.source) if loop.items is not None else _done_by_judgement())
    elif loop.form is LoopForm.REPEAT and loop.items is not None:
        rows.append((_("Rounds"), loop.items.source))
    if loop.condition is not None:
        rows.append((_("Repeats"), _("until this is true") if _ends_when_true(loop) else _("while this is true")))
        rows += _condition_rows(loop.condition)
    return (*rows, *(rows_of(loop.action) if loop.action is not None else ()))


def _ends_when_true(loop: Loop) -> bool:
    return loop.form in (LoopForm.UNTIL, LoopForm.REPEAT)


def _trigger_rows(event: TriggerEvent) -> tuple[Row, ...]:
    if event.is_start:
        return ((_("Starts"), _("with the program")),)
    if event.condition is not None:
        return _condition_rows(event.condition)
    if event.timing is not None:
        return ((_("Starts"), _("by the clock")),)
    if event.moment in BY_THEMSELVES:
        is_end = event.moment == "end"
        return ((_("Starts"), _("when the program ends") if is_end else _("when its agent is invited to a meeting")),)
    if event.hearing is not None:
        judged = (_done_by_judgement(),) if event.hearing.is_judged else ()
        return ((_("Starts"), _("when a message fits")), *judged)
    return ((_("Starts"), _("when this happens")), _done_by_judgement())


def steplist_rows(meaning: StepListEntry) -> tuple[tuple[str, str], ...]:
    """What *meaning* is and, in a graph, what it comes after and leads to."""
    rows = [(_("Type"), str(_FORMS[meaning.form]))]
    if meaning.after:
        rows.append((_("After"), ", ".join(meaning.after)))
    rows += [(branch.label or _("Leads to"), f"→ {branch.target}") for branch in meaning.branches]
    return tuple(rows)


def source_rows(step: Step, snapshot: Snapshot) -> tuple[Row, ...]:
    """Which lines the step owns, and what stands inside it."""
    span = snapshot.owned_span(step.id)
    first = snapshot.lines.line(span.start) + 1
    last = snapshot.lines.line(max(span.start, span.end - 1)) + 1
    lines = numeral(first) if first == last else f"{numeral(first)}–{numeral(last)}"
    rows = [(_("Lines"), lines), (_("Address"), snapshot.address(step.id).rstrip(":"))]
    if step.children:
        rows.append((_("Steps inside"), numeral(sum(1 for _inner in step.walk()) - 1)))
    if step.item is not None and step.item.fences:
        rows.append((_("Code blocks"), numeral(len(step.item.fences))))
    return tuple(rows)


def comment_rows(step: Step) -> tuple[Row, ...]:
    """The comments that the step owns: directly above it, and among its own words."""
    item = step.item
    if item is None:
        return ()
    text = step.block.text
    own = text[item.owned.start : item.lines.start] + text[item.text.start : _end_of_line(text, item.text.end)]
    return tuple(row for match in COMMENT.finditer(own) if (row := _comment_row(match.group()))[1])


def _comment_row(comment: str) -> Row:
    """What *comment* says, or which step it keeps from being carried out."""
    words, mark = _plain(comment), _plain(DISABLED)
    if comment.startswith(DISABLED):
        return _("Disabled step"), words.removeprefix(mark).strip()
    return _("Comment text"), words


def _end_of_line(text: str, offset: int) -> int:
    """Where the line that holds *offset* ends: a comment may stand behind the words."""
    end = LINE_END.search(text, offset)
    return end.start() if end else len(text)


def _plain(comment: str) -> str:
    """The words of an HTML comment."""
    words = comment.strip().removeprefix("<!--").removesuffix("-->")
    return " ".join(words.split())


def run_rows(mark: StepMark | None) -> tuple[Row, ...]:
    """How the step did in the last run; nothing where it was not reached."""
    if mark is None:
        return ()
    rows = [(_("Status"), str(Status[mark.status.name])), (_("Duration"), duration_words(mark.elapsed_ms))]
    if mark.visits > 1:
        rows.append((_("Entered"), ngettext("{count} time", "{count} times", mark.visits)))
    if mark.iterations:
        rows.append((_("Rounds"), numeral(mark.iterations)))
    if mark.detail:
        rows.append((_("Says"), mark.detail))
    return tuple(rows)
