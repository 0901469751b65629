"""What can be inserted by typing: kinds of steps, playbooks, Python functions, snippets; found by a few letters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.gui.words.fuzzy import match_score
from workbench.gui.words.kinds import KINDS, PLAIN
from workbench.i18n import _
from workbench.model.kinds import FileKind
from workbench.model.meaning import StepKind
from workbench.model.program import Parameter, Program

_LIMIT = 12


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One thing to insert. *text*: the words of the new step. *blank*: the part that is still to be written."""

    title: str
    detail: str
    text: str
    kind: StepKind
    blank: str = ""


def kinds() -> tuple[Suggestion, ...]:
    """What is offered per kind of step, with words that a person writes over."""
    return tuple(
        Suggestion(str(sample.title), str(sample.detail), sample.text, kind, sample.blank)
        for kind, spec in KINDS.items()
        for sample in spec.samples
    )


def snippets() -> tuple[Suggestion, ...]:
    """Wordings that come up again and again."""
    step, ask = StepKind.STEP, StepKind.ASK
    return (
        Suggestion(_("Ask yes/no"), _("Snippet"), "Ask user whether to go on as $go_on:bool", ask, "to go on"),
        Suggestion(_("Wait for user"), _("Snippet"), "Wait for user to confirm", step, "to confirm"),
        Suggestion(_("Extract value"), _("Snippet"), "Extract $value from the text", step, "$value from the text"),
        Suggestion(_("Exit the loop"), _("Snippet"), "break", step),
        Suggestion(_("Next round"), _("Snippet"), "continue", step),
    )


def plain() -> tuple[Suggestion, ...]:
    """What is understood in any list of things to do; nothing in it would make a program of a procedure."""
    item, loop = "item in the list", StepKind.LOOP
    return (
        *[each for each in kinds() if each.kind in PLAIN and "$" not in each.text],
        Suggestion(_("For each"), _("Once for each item"), f"For each {item}", loop, item),
        Suggestion(_("Go back"), _("Snippet"), "Go back to step 1", StepKind.STEP, "1"),
    )


def blank_in(text: str) -> str:
    """The part of *text* that is still to be written, where it is what is inserted; else empty."""
    return next((each.blank for each in (*kinds(), *snippets(), *plain()) if each.text == text), "")


def insertable(program: Program) -> tuple[Suggestion, ...]:
    """What can be inserted into *program*: a list knows one kind of step, a procedure few, a foreign file none."""
    if program.foreign:
        return ()
    if program.format.is_steplist:
        return tuple(each for each in kinds() if each.kind is StepKind.STEP)
    if program.kind in (FileKind.PROCEDURE, FileKind.SKILL):
        return plain()
    return (*kinds(), *callables(program), *snippets())


def callables(program: Program) -> Iterator[Suggestion]:
    """Calls of the playbooks and Python functions of *program*."""
    for playbook in program.playbooks:
        if playbook.name:
            text = f"{playbook.name}({_arguments(playbook.parameters)})"
            yield Suggestion(playbook.name, _("Playbook"), text, StepKind.CALL)
    for function in program.functions:
        detail = function.description.split("\n")[0] or _("Python function")
        yield Suggestion(function.name, detail, f"{function.name}({_arguments(function.parameters)})", StepKind.CALL)


def _arguments(parameters: tuple[Parameter, ...]) -> str:
    return ", ".join(f"${each.name}" for each in parameters if each.default is None)


def matching(program: Program, query: str) -> tuple[Suggestion, ...]:
    """What fits *query*, best first, and last the typed words as they are."""
    everything = insertable(program)
    if not query.strip():
        return everything[:_LIMIT]
    scored = [(score, index) for index, each in enumerate(everything) if (score := _score(query, each)) is not None]
    found = [everything[index] for _score_, index in sorted(scored, key=lambda pair: (-pair[0], pair[1]))]
    if is_sentence(query, found):
        return (as_typed(query), *found[: _LIMIT - 1])
    return (*found[: _LIMIT - 1], as_typed(query))


def is_sentence(query: str, found: list[Suggestion]) -> bool:
    """True when somebody writes out a step rather than looking for one: several words, of which no title begins so."""
    written = query.strip().casefold()
    return " " in written and not any(each.title.casefold().startswith(written) for each in found)


def as_typed(query: str) -> Suggestion:
    """The typed words as a step."""
    return Suggestion(query.strip(), _("Insert as text"), query.strip(), StepKind.STEP)


def _score(query: str, suggestion: Suggestion) -> int | None:
    """The better fit of title and text."""
    scores = (match_score(query, suggestion.title), match_score(query, suggestion.text))
    return max((score for score in scores if score is not None), default=None)
