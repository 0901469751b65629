"""The pages that explain what each finding means: one per code, shipped with the program.

A page is written once, in English; its headings and paragraphs are texts like any other, so the catalogues hold
them and an example stands in one place for all languages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from workbench.i18n import _
from workbench.regex import regex
from workbench.resources import resource_stems, resource_text

_FOLDER = "help/rules"
_EXAMPLE = regex(r"^## (?P<part>Before|After)\n\n~~~~(?P<language>\w+)\n(?P<text>.*?)~~~~$", re.MULTILINE | re.DOTALL)
# a fence as a whole, the line with the code, or a line to translate
_TEXT = regex(r"^~~~~.*?^~~~~$|^`[^`\n]+`$|^(?P<mark>#{1,2} |)(?P<text>[^#\s~\n][^\n]*)$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class RulePage:
    """The explanation of a code. *before* gives the finding and *after* does not; both empty where neither is shown."""

    code: str
    title: str
    text: str
    language: str = ""
    before: str = ""
    after: str = ""


def rule_codes() -> tuple[str, ...]:
    """The codes of all findings, by name."""
    return resource_stems(_FOLDER, ".md")


def rule_page(code: str) -> RulePage | None:
    """The page of *code*, or None where there is no such finding."""
    if code not in rule_codes():
        return None
    source = resource_text(f"{_FOLDER}/{code}.md")
    examples = {match["part"]: match for match in _EXAMPLE.finditer(source)}
    text = _translated(source)
    title = text.split("\n", 1)[0].removeprefix("# ")
    if "Before" not in examples or "After" not in examples:
        return RulePage(code, title, text)
    before, after = examples["Before"], examples["After"]
    return RulePage(code, title, text, before["language"], before["text"], after["text"])


def page_texts(source: str) -> list[str]:
    """The headings and paragraphs of a page that are translated: neither examples nor the code."""
    return [match["text"] for match in _TEXT.finditer(source) if match["text"]]


def _translated(source: str) -> str:
    """The page *source* in the language of the person."""
    return _TEXT.sub(lambda match: match["mark"] + _(match["text"]) if match["text"] else match[0], source)
