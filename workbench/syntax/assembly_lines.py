"""One line of playbook assembly: ``02.01:CND While $n > 0``.

Numbers are compared component by component; two digits are a convention, not a rule.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.regex import regex

CODES = frozenset({"EXE", "QUE", "YLD", "CND", "JMP", "RET", "CHK", "TNK", "LOP", "ELS"})
"""The eight codes of the language and the two that older compilers wrote."""

# no longer than what marks a list item: Python reads no more than some thousand digits as a number
NUMBER = r"\d{1,9}(?:\.\d{1,9})*"
_LINE = regex(rf"(?P<number>{NUMBER}):(?P<code>[A-Z]+):?(?P<content>[^\r\n]*)")
_TRIGGER = regex(r"T(?P<number>\d{1,9}):(?P<code>[A-Z]{3})(?:[ \t]+(?P<content>[^\r\n]*))?")


@dataclass(frozen=True, slots=True)
class AssemblyLine:
    """A step of assembly. *number* as written, *content* trimmed."""

    number: str
    code: str
    content: str


def parse_assembly_line(text: str) -> AssemblyLine | None:
    """The line in *text*, or None where it is no line of assembly. One colon after the code is dropped."""
    match = _LINE.fullmatch(text.strip())
    return AssemblyLine(match["number"], match["code"], match["content"].strip()) if match else None


def parse_trigger_line(text: str) -> AssemblyLine | None:
    """The trigger in ``T1:CND $x > 3``, or None."""
    match = _TRIGGER.fullmatch(text.strip())
    return AssemblyLine(match["number"], match["code"], (match["content"] or "").strip()) if match else None


def number_key(number: str) -> tuple[int, ...]:
    """What numbers are ordered by: ``01`` < ``01.01`` < ``01.02`` < ``02`` < ``10``."""
    return tuple(int(part) for part in number.split("."))


def parent_number(number: str) -> str:
    """The number that *number* is nested in, empty at top level."""
    return number.rpartition(".")[0]


def next_number(number: str) -> str:
    """The number after *number* at the same level, as wide as it is."""
    above, _dot, last = number.rpartition(".")
    following = str(int(last) + 1).zfill(max(2, len(last)))
    return f"{above}.{following}" if above else following
