"""What can be written at a place, best first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import nsmallest

from workbench.assist.callables import callable_named, parameter_text
from workbench.assist.data_places import data_place
from workbench.assist.keys import ID_FIELDS, TOOL_FIELDS, file_rules, list_rules, setting_rules, values_of
from workbench.assist.names import Known, Place, place_at, variables_at
from workbench.assist.openings import calls, fitting, insertable, triggers
from workbench.assist.values import NOTHING, Around, Completion, CompletionKind, Completions
from workbench.assist.writing import ITEM, SETTING, call_at, setting_owner
from workbench.i18n import LazyText, _
from workbench.model.kinds import FileKind
from workbench.model.meaning import StepKind
from workbench.model.queries import Queries
from workbench.regex import regex
from workbench.syntax.blocks import BlockKind
from workbench.syntax.text import Span, line_start

_MOST = 50
_VARIABLE = regex(r"\$\w*$")
_NAME = regex(r"[^\W\d]\w*(?:\.\w*)*$")
_REST = regex(r"\w*")
_HUMP = regex(r"(?<=[a-z0-9])(?=[A-Z])|_")
_SECTION = regex(r"[ ]{0,3}###[ \t]+(?P<word>\w*)$")
_SECTIONS = ("Triggers", "Steps", "Notes")
_NO_STEPS = frozenset({BlockKind.FENCE, BlockKind.CODE, BlockKind.COMMENT, BlockKind.FRONT_MATTER, BlockKind.SHEBANG})


def completions(document: Queries, offset: int, around: Around = NOTHING) -> Completions:
    """What can be written at *offset* of *document*."""
    program = document.program
    if program.foreign:
        return Completions(Span(offset, offset))
    if program.format.is_steplist:
        return _in_data(document, offset, around)
    place = place_at(document, offset)
    start = line_start(document.text, offset)
    before = document.text[start:offset]
    if _is_code(place, offset):
        return _in_front_matter(document, place, offset) or Completions(Span(offset, offset))
    section = _SECTION.match(before)
    if section is not None:
        return _listed(section["word"], offset, (Completion(each, "", each, CompletionKind.KEY) for each in _SECTIONS))
    if place.step is None or place.step.kind is StepKind.RAW:
        found = _in_table(document, offset) or _setting(document, offset, before)
        if found is not None:
            return found
    item = ITEM.match(before)
    at = item.end() if item is not None else len(before)
    words = _Words(before, at, start, document.text[offset:])
    return _in_words(place, words, around)


def completions_in_words(place: Place, words: str, at: int, around: Around = NOTHING) -> Completions:
    """What can be written at *at* of *words*, those of a step at *place*; positions count in *words*."""
    return _in_words(place, _Words(words[:at], 0, 0, words[at:]), around)


def names_in_words(place: Place, words: str, at: int, around: Around = NOTHING) -> Completions:
    """The names that are begun at *at* of *words*, and no other ways to begin a step; often there are none."""
    if place.program.foreign or place.program.format.is_steplist:
        return Completions(Span(at, at))
    # people write such words themselves in what is written for people
    known = around if place.program.kind is FileKind.PROGRAM else NOTHING
    found = _names(place, _Words(words[:at], at, 0, words[at:]), known)
    begun = words[found.span.start : at]
    is_begun = begun.startswith("$") or len(begun) > 1
    return found if is_begun and not found.is_whole else Completions(found.span)


@dataclass(frozen=True, slots=True)
class _Words:
    """A line that is being written. *before*: up to the caret; *first*: where the words of the step begin in it, its
    length where no step begins. *start*: where the line stands; *after*: what follows the caret.
    """

    before: str
    first: int
    start: int
    after: str

    def span(self, at: int) -> Span:
        """From *at* of the line to the end of the word that the caret is in."""
        rest = _REST.match(self.after)
        return Span(self.start + at, self.start + len(self.before) + (rest.end() if rest is not None else 0))


def _is_code(place: Place, offset: int) -> bool:
    """Whether *offset* stands in code, a comment or front matter."""
    if place.block < 0:
        return False
    block = place.document.blocks[place.block]
    inner = offset - place.document.block_starts[place.block]
    item = place.step.item if place.step is not None else None
    return block.kind in _NO_STEPS or (item is not None and any(one.start < inner < one.end for one in item.fences))


def _in_words(place: Place, words: _Words, around: Around) -> Completions:
    is_step = words.first < len(words.before) or not words.before.strip() or ITEM.fullmatch(words.before) is not None
    found = _openings(place, words, words.before[words.first :], around) if is_step else None
    return found if found is not None else _names(place, words, around)


def _names(place: Place, words: _Words, around: Around) -> Completions:
    """The names that go on with what is written last."""
    variable = _VARIABLE.search(words.before)
    if variable is not None:
        return _variables(place, words.span(variable.start()), variable.group(), around)
    name = _NAME.search(words.before)
    begun = name.group() if name is not None else ""
    offered = (
        *_parameters(place, words.before, around),
        *calls(place.program, around, place.agent),
        *_locals(place, around),
    )
    span = words.span(len(words.before) - len(begun))
    return _best(begun, span, offered)


def _openings(place: Place, words: _Words, written: str, around: Around) -> Completions | None:
    """How the step can begin; None where so much is written that it is none of that."""
    is_trigger = place.step is not None and place.step.kind is StepKind.TRIGGER
    offered = triggers() if is_trigger else insertable(place.program, around, place.agent)
    if not written.strip():
        return Completions(words.span(len(words.before)), offered[:_MOST])
    found = fitting(offered, written)
    if " " in written.strip():  # somebody writes a step out; what begins so can still be meant
        found = [each for each in found if each.text.casefold().startswith(written.casefold())]
    if not found or "(" in written or "$" in written:
        return None
    return Completions(words.span(words.first), tuple(found[:_MOST]))


def _variables(place: Place, span: Span, begun: str, around: Around) -> Completions:
    """The variables that fit *begun*: those with a value at the place before those that get it later."""
    own = place.playbook.name if place.playbook is not None else ""
    ranked: list[tuple[int, bool, bool, str, str]] = []
    everything, letters = variables_at(place), begun[1:]
    for name, known in everything.items():
        rank = None if name == begun or name[0] != "$" else fit(letters, name[1:]) if letters else 0
        if rank is not None:
            ranked.append((rank, not known.is_early, known.playbook != own, name.casefold(), name))
    best = nsmallest(_MOST, ranked)
    items = tuple(_variable(everything[each[-1]], place, around) for each in best)
    is_whole = begun in everything and (place.step is None or everything[begun].setter is not place.step)
    return Completions(span, items, len(ranked) <= _MOST, is_whole)


def _variable(known: Known, place: Place, around: Around) -> Completion:
    where = known.where(place.document)
    detail = " · ".join(filter(None, (known.type, where)))
    value = around.values.get(known.name)
    told = (
        known.setter.text if known.setter is not None else "",
        _("Last run: {value}").format(value=value) if value is not None else "",
        "" if known.is_early else _("It gets its value further down."),
    )
    words = "\n".join(filter(None, told))
    return Completion(known.name, detail, known.name, CompletionKind.VARIABLE, StepKind.ASSIGN, words=words)


def _locals(place: Place, around: Around) -> Iterator[Completion]:
    """The names without a dollar sign that the playbook has."""
    for name, known in variables_at(place).items():
        if name[0] != "$" and known.setter is not place.step:
            yield _variable(known, place, around)


def _parameters(place: Place, before: str, around: Around) -> Iterator[Completion]:
    """The parameters of the call that is being written, by name."""
    call = call_at(before)
    found = callable_named(place.program, around, call.name, place.agent) if call is not None else None
    for each in found.parameters if found is not None and found.kind is not CompletionKind.PLAYBOOK else ():
        yield Completion(each.name, parameter_text(each), f"{each.name}=", CompletionKind.KEY)


def fit(begun: str, name: str) -> int | None:
    """How well *begun* fits *name*, 0 is best: as written, in other letters, in the middle; None where it does not."""
    if name.startswith(begun):
        return 0
    if len(begun) > len(name):
        return None
    low, wanted = name.casefold(), begun.casefold()
    if low.startswith(wanted):
        return 1
    if any(part.casefold().startswith(wanted) for part in _HUMP.split(name)[1:]):
        return 2
    return 3 if len(wanted) > 1 and wanted in low else None


def _best(begun: str, span: Span, offered: Iterable[Completion]) -> Completions:
    """Those of *offered* that fit *begun*, the best first, each once."""
    found: dict[str, tuple[int, Completion]] = {}
    for each in offered:
        rank = fit(begun, each.label)
        if rank is not None and each.text != begun:
            found.setdefault(each.label, (rank, each))
    items = [each for _rank_, each in sorted(found.values(), key=lambda pair: pair[0])]
    return Completions(span, tuple(items[:_MOST]), len(items) <= _MOST, begun in found)


def _listed(begun: str, offset: int, offered: Iterable[Completion]) -> Completions:
    return _best(begun, Span(offset - len(begun), offset), offered)


def _setting(document: Queries, offset: int, before: str) -> Completions | None:
    """A setting of the agent or the playbook whose heading stands above; None where none can stand."""
    written = SETTING.match(before)
    owner = setting_owner(document, offset) if written is not None else None
    if written is None or owner is None:
        return None
    if written["value"] is None:
        rules = setting_rules(is_agent=owner)
        return _listed(written["key"], offset, _keys(rules, "{}: "))
    values = values_of(written["key"])
    return _listed(written["value"].lstrip(), offset, _plain_values(values)) if values else None


def _in_front_matter(document: Queries, place: Place, offset: int) -> Completions | None:
    """What a file can say of itself, and of its plans and deviations; None where *offset* is not in front matter."""
    if place.block < 0 or document.blocks[place.block].kind is not BlockKind.FRONT_MATTER:
        return None
    return _in_table(document, offset, is_top=True)


def _in_table(document: Queries, offset: int, *, is_top: bool = False) -> Completions | None:
    """A name, or its value, below ``deviation`` or ``plans``; *is_top*: above these as well."""
    at = data_place(document, offset)
    if at is None or not (is_top or at.above):
        return None
    rules, begun = file_rules(at.above), at.word[: offset - at.span.start]
    if at.key:
        values = values_of(at.key, at.above) if at.key in rules else ()
        return _best(begun, at.span, _plain_values(values)) if values else None
    return _best(begun, at.span, _keys(rules, "{}: ", at.above)) if rules else None


def _keys(
    rules: Mapping[str, LazyText | None] | Mapping[str, LazyText], form: str, above: tuple[str, ...] = ()
) -> Iterator[Completion]:
    for name, rule in rules.items():
        yield Completion(
            name, str(rule or ""), form.format(name), CompletionKind.KEY, words=", ".join(values_of(name, above))
        )


def _plain_values(values: Iterable[str]) -> Iterator[Completion]:
    return (Completion(each, "", each, CompletionKind.VALUE) for each in values)


def _in_data(document: Queries, offset: int, around: Around) -> Completions:
    """What can be written in a step list."""
    at = data_place(document, offset)
    if at is None:
        return Completions(Span(offset, offset))
    begun = at.word[: offset - at.span.start]
    program = document.program
    if not at.key:
        form = "{}" if program.format.is_json else "{}: "
        return _best(begun, at.span, _keys(list_rules(at.above, is_graph=program.format.is_graph), form, at.above))
    if at.key in TOOL_FIELDS:
        tools = (Completion(each.name, each.description, each.name, CompletionKind.TOOL) for each in around.tools)
        return _best(begun, at.span, (*tools, *_plain_values(_tools_of(document))))
    if at.key in ID_FIELDS:
        return _best(begun, at.span, _plain_values(_ids_of(document)))
    return _best(begun, at.span, _plain_values(values_of(at.key, at.above)))


def _tools_of(document: Queries) -> list[str]:
    """The tools that the steps of the list expect."""
    from workbench.model.steplists.program import fields_of  # noqa: PLC0415 - no program needs it

    steps = (step for playbook in document.program.playbooks for root in playbook.steps for step in root.walk())
    fields = (fields_of(step) for step in steps)
    return sorted({tool for each in fields if each is not None for tool in each.expected_tools})


def _ids_of(document: Queries) -> list[str]:
    steps = (step for playbook in document.program.playbooks for root in playbook.steps for step in root.walk())
    return [found for step in steps if (found := getattr(step.meaning, "id", ""))]
