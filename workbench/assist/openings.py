"""What can be inserted as a new step: kinds of steps, playbooks, Python functions, tools, snippets; found by a few
letters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from workbench.assist.callables import callables_of
from workbench.assist.fuzzy import match_score
from workbench.assist.values import NOTHING, Around, Completion, CompletionKind
from workbench.editing.commands import CONDITION, ITEMS
from workbench.i18n import N_, LazyText, _
from workbench.model.kinds import FileKind
from workbench.model.meaning import StepKind
from workbench.model.program import Agent, Program

_LIMIT = 12
_GOAL = "reach the goal"
PLAIN = frozenset({StepKind.STEP, StepKind.DECISION, StepKind.LOOP})
"""The kinds of steps that procedures and skills have: their other sentences are text."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A step that is offered. *text*: the words of the new step. *blank*: the part that a person writes over."""

    title: LazyText
    detail: LazyText
    text: str
    blank: str = ""


SAMPLES: Mapping[StepKind, tuple[Sample, ...]] = {
    StepKind.STEP: (Sample(N_("Step"), N_("Something to do"), "Do something", "Do something"),),
    StepKind.ASK: (Sample(N_("Ask"), N_("Ask the user for values"), "Ask user for $answer", "$answer"),),
    StepKind.TELL: (Sample(N_("Tell"), N_("Say something to the user"), 'Tell user "Hello"', "Hello"),),
    StepKind.ASSIGN: (Sample(N_("Assign"), N_("Compute a value"), "$value = 1", "1"),),
    StepKind.DECISION: (
        Sample(N_("If"), N_("Only when a condition is true"), f"If {CONDITION}", CONDITION),
        Sample(N_("Else if"), N_("If the above is false and this is true"), f"Else if {CONDITION}", CONDITION),
        Sample(N_("Otherwise"), N_("When no condition above is true"), "Otherwise"),
    ),
    StepKind.LOOP: (
        Sample(N_("For each"), N_("Once for each item"), f"For each {ITEMS}", ITEMS),
        Sample(N_("While"), N_("While a condition is true"), f"While {CONDITION}", CONDITION),
        Sample(N_("Repeat"), N_("A fixed number of times"), "Repeat 3 times", "3"),
    ),
    StepKind.RETURN: (Sample(N_("Return"), N_("Return a value from the playbook"), "Return the result", "the result"),),
    StepKind.END: (Sample(N_("End"), N_("End the program"), "End program"),),
}
"""What is offered of each kind of step, in the order in which it is offered."""


def kinds() -> tuple[Completion, ...]:
    """What is offered per kind of step, with words that a person writes over."""
    return tuple(
        Completion(str(one.title), str(one.detail), one.text, step=kind, blank=one.blank)
        for kind, samples in SAMPLES.items()
        for one in samples
    )


def snippets() -> tuple[Completion, ...]:
    """Wordings that come up again and again."""
    detail, ask = _("Snippet"), StepKind.ASK
    go_on = "Ask user whether to go on as $go_on:bool"
    return (
        Completion(_("Ask yes/no"), detail, go_on, step=ask, blank="to go on"),
        Completion(_("Wait for user"), detail, "Wait for user to confirm", blank="to confirm"),
        Completion(_("Extract value"), detail, "Extract $value from the text", blank="$value from the text"),
        Completion(_("Plan and do"), detail, f"Plan how to {_GOAL}, then do it", step=StepKind.CALL, blank=_GOAL),
        Completion(_("Exit the loop"), detail, "break"),
        Completion(_("Next round"), detail, "continue"),
    )


def plain() -> tuple[Completion, ...]:
    """What is understood in any list of things to do; nothing in it would make a program of a procedure."""
    item, loop = "item in the list", StepKind.LOOP
    return (
        *[each for each in kinds() if each.step in PLAIN and "$" not in each.text],
        Completion(_("For each"), _("Once for each item"), f"For each {item}", step=loop, blank=item),
        Completion(_("Go back"), _("Snippet"), "Go back to step 1", blank="1"),
    )


def triggers() -> tuple[Completion, ...]:
    """How triggers begin."""
    wordings = (
        (N_("Start"), N_("When the program begins"), "When program starts", ""),
        (N_("Condition"), N_("When a condition becomes true"), "When $value > 1", "$value > 1"),
        (N_("Message"), N_("When the user says something"), "When the user says hello", "hello"),
        (N_("Time"), N_("Again and again"), "Every 10 minutes", "10 minutes"),
    )
    return tuple(
        Completion(str(title), str(detail), text, step=StepKind.TRIGGER, blank=blank)
        for title, detail, text, blank in wordings
    )


def blank_in(text: str) -> str:
    """The part of *text* that is still to be written, where it is what is inserted; else empty."""
    return next((each.blank for each in (*kinds(), *snippets(), *plain()) if each.text == text), "")


def insertable(program: Program, around: Around = NOTHING, caller: Agent | None = None) -> tuple[Completion, ...]:
    """What can be inserted into *program*: a list knows one kind of step, a procedure few, a foreign file none.

    *caller*: whose steps these are, where that is known.
    """
    if program.foreign:
        return ()
    if program.format.is_steplist:
        return tuple(each for each in kinds() if each.step is StepKind.STEP)
    if program.kind in (FileKind.PROCEDURE, FileKind.SKILL):
        return plain()
    return (*kinds(), *calls(program, around, caller), *snippets())


def calls(program: Program, around: Around, caller: Agent | None) -> Iterator[Completion]:
    """Calls of what *program* has and of the tools *around* it, as *caller* makes them."""
    for one in callables_of(program, around, caller):
        needed = [f"${each.name}" for each in one.parameters if each.default is None]
        text, blank = f"{one.name}({', '.join(needed)})", needed[0] if needed else ""
        words = one.words.split("\n")[0]
        detail = one.owner if one.kind is CompletionKind.PLAYBOOK else words or one.owner
        yield Completion(one.name, detail, text, one.kind, StepKind.CALL, blank, words)


def matching(program: Program, query: str, around: Around, caller: Agent | None) -> tuple[Completion, ...]:
    """What fits *query* in a step of *caller*, best first, and last the typed words as they are."""
    everything = insertable(program, around, caller)
    if not query.strip():
        return everything[:_LIMIT]
    found = fitting(everything, query)
    if is_sentence(query, found):
        return (as_typed(query), *found[: _LIMIT - 1])
    return (*found[: _LIMIT - 1], as_typed(query))


def fitting(offered: tuple[Completion, ...], query: str) -> list[Completion]:
    """Those of *offered* that have the letters of *query*, best first."""
    scored = [(score, index) for index, each in enumerate(offered) if (score := _score(query, each)) is not None]
    return [offered[index] for _score_, index in sorted(scored, key=lambda pair: (-pair[0], pair[1]))]


def is_sentence(query: str, found: list[Completion]) -> bool:
    """True when somebody writes out a step rather than looking for one: several words, of which no title begins so."""
    written = query.strip().casefold()
    return " " in written and not any(each.label.casefold().startswith(written) for each in found)


def as_typed(query: str) -> Completion:
    """The typed words as a step."""
    return Completion(query.strip(), _("Insert as text"), query.strip())


def _score(query: str, offered: Completion) -> int | None:
    """The better fit of title and text."""
    scores = (match_score(query, offered.label), match_score(query, offered.text))
    return max((score for score in scores if score is not None), default=None)
