"""What is meant by a name that is nowhere: a known one that is nearly the same, or a playbook that is to be made."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

from workbench.i18n import _
from workbench.model.meaning import Call
from workbench.model.program import Playbook, SectionKind, Step
from workbench.model.queries import Queries
from workbench.regex import regex
from workbench.syntax.blocks import BlockKind
from workbench.syntax.change import TextEdit
from workbench.syntax.diagnostics import Fix
from workbench.syntax.lines import COMMENT
from workbench.syntax.signatures import normalise_name
from workbench.syntax.text import Span, line_end

_ENOUGH = 100
"""How many names get a suggestion in one check: comparing costs time, and more help nobody."""
_LIMIT = 500


class Nearest:
    """Suggests names out of *known*, unless they are very many; each asked name is compared once."""

    def __init__(self, *known: Collection[str]) -> None:
        are_few = sum(map(len, known)) <= _LIMIT
        self._known = sorted({name for names in known for name in names}) if are_few else []
        self._found: dict[str, str] = {}

    def to(self, name: str) -> str:
        """The nearest known name, or empty."""
        if name not in self._found:
            if len(self._found) >= _ENOUGH:
                return ""
            near = get_close_matches(name, self._known, 1)
            self._found[name] = near[0] if near else ""
        return self._found[name]


def is_other_in_row(one: str, other: str) -> bool:
    """Whether both are told apart by a number or a letter alone, as steps are: then neither is meant by the other."""
    return _ORDINAL.sub("", one) == _ORDINAL.sub("", other)


_ORDINAL = regex(r"\d+|(?<![^\W_])[A-Za-z](?![^\W_])")
_VARIABLE = regex(r"\$?([^\W\d]\w*)")
_WORDS = regex(r"[^\W\d_]+?(?=[A-Z][a-z]|[\d_]|$)|\d+")
_NUMBER = regex(r"\d+")


def new_playbook(document: Queries, step: Step, call: Call) -> tuple[Fix, ...]:
    """A fix that makes the playbook that *call* in *step* names, below the one that calls; none where that is implied.

    Its parameters are those of the call. Its first step says what the name says; where a result is wanted, it finds one
    and returns it. All is written as the calling playbook is.
    """
    owner, _dot, name = call.target.rpartition(".")
    placed = document.placed_at_block(document.where[step.id])
    if placed is None or placed.playbook.heading is None or placed.playbook.is_implied or normalise_name(name).problem:
        return ()
    agent = document.program.agent_of(placed.playbook)
    if agent is None or owner not in ("", agent.name):
        return ()
    at, end = document.block_starts[placed.stop], line_end(document.text)
    above, below = document.text[:at], document.text[at:]
    lines = len(above) - len(above.rstrip("\r\n"))
    lead = end * max(0, 2 - lines // len(end))
    written = end.join(_lines(document, placed.playbook, name, call))
    insert = f"{lead}{written}{end}{end if below else ''}"
    return (Fix(_("Create playbook {name}").format(name=name), (TextEdit(Span(at, at), insert),)),)


def _lines(document: Queries, like: Playbook, name: str, call: Call) -> list[str]:
    """The lines of the new playbook, with headings, empty lines and markers as *like* has them."""
    assert like.heading is not None
    sections = [section for section in like.sections if section.kind is SectionKind.STEPS]
    heading = next((section.heading for section in sections if section.heading is not None), None)
    signs = _parameters(document, call)
    found = ["#" * like.heading.level + f" {name}" + (f"({', '.join(signs)})" if signs else "")]
    found += [""] if _is_spaced(document, like.heading) else []
    if heading is not None:
        found += [COMMENT.sub("", heading.text).rstrip()]
        found += [""] if _is_spaced(document, heading) else []
    result = f"{'$' if call.result.is_state else ''}{call.result.name}" if call.result is not None else ""
    words = " ".join(_WORDS.findall(name)).lower()
    steps = [f"Find {result}", f"Return {result}"] if result else [words[:1].upper() + words[1:]]
    first = next((one for section in sections for one in section.steps if one.item is not None), None)
    item = first.item if first is not None else None
    marker, indent = (document.marker(first), item.indent) if first is not None and item is not None else ("-", "")
    return found + [f"{indent}{_numbered(marker, place)} {each}" for place, each in enumerate(steps, 1)]


def _is_spaced(document: Queries, heading: object) -> bool:
    """Whether an empty line stands below *heading*."""
    blocks = document.blocks
    return any(one is heading and two.kind is BlockKind.BLANK for one, two in zip(blocks, blocks[1:], strict=False))


def _parameters(document: Queries, call: Call) -> list[str]:
    """A name for each argument of *call*: its own, that of the variable, or one for a value."""
    declared = [one for playbook in document.program.playbooks for one in playbook.parameters]
    sign = "" if declared and not any(one.is_state for one in declared) else "$"
    found: list[str] = []
    for argument in call.arguments:
        is_variable = _VARIABLE.fullmatch(argument.value.source)
        name = argument.name or (is_variable[1] if is_variable else "value")
        number = sum(each == name or each.startswith(f"{name}_") for each in found)
        found.append(f"{name}_{number + 1}" if number else name)
    return [f"{sign}{each}" for each in found]


def _numbered(marker: str, place: int) -> str:
    """*marker* as that of the step at *place*."""
    return _NUMBER.sub(lambda match: f"{place:0{len(match[0])}d}" if match[0][0] == "0" else str(place), marker)
