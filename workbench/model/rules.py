"""The pages that explain what each finding means: one per code, shipped with the program."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workbench.resources import resource_path

_FOLDER = "help/rules"
_EXAMPLE = re.compile(
    r"^## (?P<part>Before|After)\n\n~~~~(?P<language>\w+)\n(?P<text>.*?)~~~~$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class RulePage:
    """The explanation of a code. *before* gives the finding and *after* does not; both empty where neither is shown."""

    code: str
    title: str
    text: str
    language: str = ""
    before: str = ""
    after: str = ""

    @property
    def has_example(self) -> bool:
        """True where the page shows an example."""
        return bool(self.language)


def rule_codes() -> tuple[str, ...]:
    """The codes of all findings, by name."""
    return tuple(sorted(path.stem for path in resource_path(_FOLDER).glob("*.md")))


def rule_page(code: str) -> RulePage | None:
    """The page of *code*, or None where there is no such finding."""
    if code not in rule_codes():
        return None
    text = resource_path(f"{_FOLDER}/{code}.md").read_text(encoding="utf-8")
    examples = {match["part"]: match for match in _EXAMPLE.finditer(text)}
    title = text.split("\n", 1)[0].removeprefix("# ")
    if "Before" not in examples or "After" not in examples:
        return RulePage(code, title, text)
    before, after = examples["Before"], examples["After"]
    return RulePage(code, title, text, before["language"], before["text"], after["text"])
