"""What a step means, as rows of words a person reads."""

from __future__ import annotations

from workbench.gui.inspector.listed_words import listed_rows
from workbench.i18n import _
from workbench.model.meaning import (
    Ask,
    Assign,
    Branch,
    BranchForm,
    Call,
    Condition,
    End,
    Judge,
    Jump,
    JumpForm,
    Loop,
    LoopForm,
    Meaning,
    Note,
    Return,
    StepListEntry,
    Tell,
    TriggerEvent,
    Variable,
)
from workbench.syntax.expressions import Expression

Row = tuple[str, str]


def rows_of(meaning: Meaning) -> tuple[Row, ...]:
    """Label and value of everything that was read from the step, what decides it first."""
    match meaning:
        case Judge(outputs=outputs):
            return (_done_by_judgement(), *_variables(_("Fills in"), outputs))
        case Assign(target=target, value=value):
            return (_row(_("Sets"), written(target)), _row(_("To"), value.source), *_reads(value))
        case Ask(variables=variables):
            return (_row(_("Asks"), _("the person")), *_variables(_("Fields"), variables))
        case Tell(template=template):
            wording = _("exactly as written") if template is not None else _("worded from these words")
            return (_row(_("Tells"), _("the person")), _row(_("Wording"), wording))
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
            return listed_rows(meaning)
        case Return(value=value, text=text):
            shown = value.source if value is not None else (text or _("nothing"))
            judged = () if value is not None or not text else (_done_by_judgement(),)
            return (_row(_("Returns"), shown), *judged)
        case End():
            return (_row(_("Ends"), _("the program")),)
        case Jump(form=form, number=number):
            return (_row(_("Goes"), _JUMPS[form].format(number=number)),)
        case TriggerEvent():
            return _trigger_rows(meaning)
        case Note():
            return (_row(_("For"), _("whoever carries out the playbook")),)
    return (_row(_("Kept"), _("word for word, and not carried out")),)


_JUMPS = {
    JumpForm.BREAK: _("out of the loop"),
    JumpForm.CONTINUE: _("to the next round"),
    JumpForm.GO_TO: _("to step {number}"),
}


def _row(label: str, value: str) -> Row:
    return label, value


def _done_by_judgement() -> Row:
    return _("Decided by"), _("a person or a model")


def _variables(label: str, variables: tuple[Variable, ...]) -> tuple[Row, ...]:
    return ((label, ", ".join(map(written, variables))),) if variables else ()


def written(variable: Variable) -> str:
    """*variable* as it is written in a step."""
    return ("$" if variable.is_state else "") + variable.name + (f": {variable.type}" if variable.type else "")


def _reads(*expressions: Expression | None) -> tuple[Row, ...]:
    names = dict.fromkeys(name for expression in expressions if expression for name in expression.names)
    shown = ", ".join(f"${name}" if is_state else name for name, is_state in names)
    return ((_("Reads"), shown),) if shown else ()


def _call_rows(call: Call) -> tuple[Row, ...]:
    how = ((_("Found"), _("from the sentence")),) if call.is_resolved else ()
    arguments = tuple((argument.name or _("Argument"), argument.value.source) for argument in call.arguments)
    result = ((_("Result"), written(call.result)),) if call.result is not None else ()
    return ((_("Calls"), call.target), *how, *arguments, *result)


def _condition_rows(condition: Condition) -> tuple[Row, ...]:
    row = (_("Condition"), condition.text)
    if condition.test is None:
        return (row, _done_by_judgement())
    return (row, *_reads(condition.test))


def _branch_rows(branch: Branch) -> tuple[Row, ...]:
    condition = () if branch.condition is None else _condition_rows(branch.condition)
    otherwise = ((_("Taken"), _("when nothing above was")),) if branch.form is BranchForm.OTHERWISE else ()
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
        rows.append((_("Goes on"), _("until it holds") if _ends_when_true(loop) else _("while it holds")))
        rows += _condition_rows(loop.condition)
    return (*rows, *(rows_of(loop.action) if loop.action is not None else ()))


def _ends_when_true(loop: Loop) -> bool:
    return loop.form in (LoopForm.UNTIL, LoopForm.REPEAT)


def _trigger_rows(event: TriggerEvent) -> tuple[Row, ...]:
    if event.is_start:
        return ((_("Starts"), _("with the program")),)
    if event.condition is not None:
        return _condition_rows(event.condition)
    return ((_("Starts"), _("when this happens")), _done_by_judgement())
