"""What is known of what stands at a place, and the signature of the call that is being written there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from workbench.assist.callables import Callable, callable_named
from workbench.assist.data_places import data_place
from workbench.assist.keys import TOOL_FIELDS, file_rules, list_rules, setting_rules, values_of
from workbench.assist.names import Place, place_at, variables_at
from workbench.assist.values import NOTHING, Around, Hover, SignatureHelp
from workbench.assist.writing import DOTTED, ITEM, OpenCall, call_at, setting_owner, word_at
from workbench.i18n import N_, LazyText, _
from workbench.model.meaning import Branch, Call, Group, Judge, Loop, StepKind, actions_of
from workbench.model.program import Step
from workbench.model.queries import Queries
from workbench.model.sentences.calls import PLAN_AND_DO
from workbench.model.step_names import names_of
from workbench.syntax.blocks import BlockKind
from workbench.syntax.text import Span, line_start

_LONGEST = 300
_DOES: Mapping[StepKind, tuple[LazyText, LazyText]] = {
    StepKind.TRIGGER: (N_("Trigger"), N_("The playbook starts by itself when this happens.")),
    StepKind.STEP: (N_("Step"), N_("A person or a model does what the words say.")),
    StepKind.ASK: (N_("Ask"), N_("The run asks, and waits for the answer. Each variable gets a field.")),
    StepKind.TELL: (N_("Tell"), N_("The text is told. What stands in braces is filled in.")),
    StepKind.ASSIGN: (N_("Assign"), N_("The runtime computes the value and keeps it in the variable.")),
    StepKind.CALL: (N_("Call"), N_("A playbook or a tool is called; what it returns can be kept.")),
    StepKind.DECISION: (N_("Decision"), N_("The steps below are carried out where the condition holds.")),
    StepKind.LOOP: (N_("Loop"), N_("The steps below are carried out again and again.")),
    StepKind.RETURN: (N_("Return"), N_("The playbook ends here, and gives the value to whoever called it.")),
    StepKind.END: (N_("End"), N_("The program ends here.")),
    StepKind.NOTE: (N_("Note"), N_("A remark for whoever carries out the playbook.")),
}


_PLANS = N_("A plan is asked for. A playbook is made of it, and carried out once that is allowed.")


def hover(document: Queries, offset: int, around: Around = NOTHING) -> Hover | None:
    """What is known of what stands at *offset* of *document*; None where there is nothing to say."""
    if document.program.foreign:
        return None
    if document.program.format.is_steplist:
        return _of_field(document, offset, around)
    place, text = place_at(document, offset), document.text
    span = word_at(text, offset)
    word = span.of(text)
    if word.startswith("$"):
        return _of_variable(place, span, word, around)
    if word and text[span.end : span.end + 1] == "(":
        dotted = DOTTED.search(text, line_start(text, span.start), span.end)
        called = callable_named(place.program, around, dotted.group() if dotted else word, place.agent)
        if called is not None:
            return Hover(span, called.signature, tuple(_lines_of(called)))
    return _of_table(document, place, offset) or _of_setting(document, span, word) or _of_kind(place, offset)


def _of_variable(place: Place, span: Span, name: str, around: Around) -> Hover | None:
    known = variables_at(place).get(name)
    names = names_of(place.document, place.step) if place.step is not None else None
    told = next((one for one in (*names.reads, *names.writes) if one.name == name), None) if names is not None else None
    type_ = (told.type if told is not None else "") or (known.type if known is not None else "")
    lines: list[str] = []
    if known is None:
        lines.append(_("Nothing sets it."))
    elif known.setter is None:
        lines.append(_("{name}: {where}").format(name=name, where=known.where(place.document)))
    else:
        where = known.where(place.document)
        lines.append(_("Set in {where}: {words}").format(where=where, words=_short(known.setter.text)))
    value = around.values.get(name)
    if value is not None:
        lines.append(_("Last run: {value}").format(value=_short(value)))
    return Hover(span, f"{name}: {type_}" if type_ else name, tuple(lines))


def _short(words: str) -> str:
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"


def _lines_of(called: Callable) -> Iterator[str]:
    if called.words:
        yield _short(called.words)
    if called.owner != called.words:
        yield called.owner


def _of_table(document: Queries, place: Place, offset: int) -> Hover | None:
    """The rule of a name in front matter, or below ``deviation`` of a playbook."""
    is_front = place.block >= 0 and document.blocks[place.block].kind is BlockKind.FRONT_MATTER
    at = data_place(document, offset) if is_front or place.step is None else None
    if at is None or at.key or not (is_front or at.above):
        return None
    rule = file_rules(at.above).get(at.word)
    return None if rule is None else Hover(at.span, at.word, (str(rule), *_values(values_of(at.word, at.above))))


def _of_setting(document: Queries, span: Span, word: str) -> Hover | None:
    text = document.text
    is_key = (
        bool(word)
        and text[span.end : span.end + 1] == ":"
        and not text[line_start(text, span.start) : span.start].strip()
    )
    owner = setting_owner(document, span.end) if is_key else None
    rule = setting_rules(is_agent=owner).get(word) if owner is not None else None
    return None if rule is None else Hover(span, word, (str(rule), *_values(values_of(word))))


def _values(values: tuple[str, ...]) -> Iterator[str]:
    if values:
        yield _("Values: {values}").format(values=", ".join(values))


def _of_kind(place: Place, offset: int) -> Hover | None:
    """What the kind of a step does, at its marker and its first word."""
    step = place.step
    if step is None or step.item is None or step.kind not in _DOES:
        return None
    document = place.document
    head = document.head_span(step.id)
    first = word_at(document.text, head.start)
    start = line_start(document.text, head.start)
    marker = ITEM.match(document.text, start)
    span = Span(marker.start() if marker is not None else start, max(first.end, head.start))
    if not span.start <= offset <= span.end:
        return None
    title, does = _DOES[step.kind]
    if any(isinstance(each, Call) and each.target == PLAN_AND_DO for each in actions_of(step.meaning)):
        does = _PLANS
    address = document.address(step.id)
    lines = (str(does), *_judged(step))
    return Hover(span, f"{address} · {title}", lines)


def _judged(step: Step) -> Iterator[str]:
    """Whether the runtime decides by itself."""
    meaning = step.meaning
    condition = meaning.condition if isinstance(meaning, Branch | Loop) else None
    if condition is not None:
        is_exact = condition.test is not None
        yield _("The runtime decides the condition.") if is_exact else _("Whoever judges decides the condition.")
    elif isinstance(meaning, Judge | Group) and step.kind is not StepKind.STEP:
        yield str(_DOES[StepKind.STEP][1])


def _of_field(document: Queries, offset: int, around: Around) -> Hover | None:
    """The rule of a field of a step list, or what a tool does that is named there."""
    at = data_place(document, offset)
    if at is None or not at.word:
        return None
    if at.key:
        tool = next((each for each in around.tools if each.name == at.word), None) if at.key in TOOL_FIELDS else None
        return Hover(at.span, at.word, (tool.description, tool.source)) if tool is not None else None
    rule = list_rules(at.above, is_graph=document.program.format.is_graph).get(at.word)
    if rule is None:
        return None
    return Hover(at.span, at.word, (str(rule), *_values(values_of(at.word, at.above))))


def signature_help(document: Queries, offset: int, around: Around = NOTHING) -> SignatureHelp | None:
    """The signature of the call that is open at *offset*; None where none is, or nothing is known of it."""
    if document.program.foreign or document.program.format.is_steplist:
        return None
    before = document.text[line_start(document.text, offset) : offset]
    return signature_in_words(place_at(document, offset), before, around)


def signature_in_words(place: Place, before: str, around: Around = NOTHING) -> SignatureHelp | None:
    """The same for the words *before* the caret, of a step at *place*."""
    call = call_at(before)
    found = callable_named(place.program, around, call.name, place.agent) if call is not None else None
    if call is None or found is None:
        return None
    words = found.words.split("\n")[0]
    return SignatureHelp(found.signature, found.parameter_spans(), _active(found, call), words)


def _active(found: Callable, call: OpenCall) -> int:
    """Which parameter is being written: the one of its name, else the one at its place."""
    names = [each.name for each in found.parameters]
    if call.keyword in names:
        return names.index(call.keyword)
    return call.argument if call.argument < len(names) else -1
