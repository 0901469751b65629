"""The pages of the guide and of the rules, in the language of the person.

A page of the guide is a markdown file per language, ``resources/help/<language>/<name>.md``. Each heading is followed
by a line ``<!-- topics: if, branch -->``: the first is the *name* by which links, F1 and the terminal reach the
section, the same in all languages; the others are words for it. A line ``{{example: if.md}}`` stands for the file of
that name in ``resources/help/examples``, which a window can open, and ``{{file: if.output.txt}}`` for one that is only
shown. ``[F5](key:run.start)``: the keys of an action: a window shows those that it has now. ``[Run](name:run.start)``
is what it is called.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from workbench.i18n import language
from workbench.model.checks.rules import rule_codes, rule_page
from workbench.regex import regex
from workbench.resources import resource_path, resource_stems, resource_text

CONTENTS = "contents"
"""The name of the page that lists all others, in their order."""
SOURCE = "en"
"""The language that the guide is written in first."""
_FOLDER = "help"
_EXAMPLES = "help/examples"
_LANGUAGES = {"md": "markdown", "yaml": "yaml", "json": "json"}
_HEADING = regex(r"^(?P<marks>#{1,3}) (?P<title>.+)\n<!-- topics: (?P<topics>.+) -->\n", re.MULTILINE)
_LINE = regex(r"^\{\{(?P<what>example|file): (?P<name>[\w.-]+)\}\}$", re.MULTILINE)
LINK = regex(r"\[(?P<words>[^\]\n]+)\]\((?P<kind>help|key|name):(?P<target>[^)\s]+)\)")
"""A link of a page: to a topic, or to the keys or the name of an action. None leads out of the guide."""


@dataclass(frozen=True, slots=True)
class Example:
    """What a page shows, and what can be opened. *name*: with its ending. *language*: of its fence.

    *path*: its file; None where it stands in the page alone.
    """

    name: str
    language: str
    text: str
    path: Path | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands below it, up to the next heading. *name*: its topic; *words*: other words for it."""

    name: str
    words: tuple[str, ...]
    title: str
    level: int
    text: str


@dataclass(frozen=True)
class Page:
    """One page: *sections* in their order, the first one with its title. *examples*: in the order of the page."""

    name: str
    sections: tuple[Section, ...]
    examples: tuple[Example, ...] = ()
    is_rule: bool = False

    @property
    def title(self) -> str:
        """The heading of the page."""
        return self.sections[0].title

    @cached_property
    def text(self) -> str:
        """The page as markdown, examples included."""
        return "\n".join(f"{'#' * each.level} {each.title}\n{each.text}" for each in self.sections)


def page_names() -> tuple[str, ...]:
    """The names of the pages of the guide in the order of the contents, which come first."""
    found = (match["target"] for match in LINK.finditer(_source(CONTENTS, language())) if match["kind"] == "help")
    known = set(resource_stems(f"{_FOLDER}/{language()}", ".md"))
    return (CONTENTS, *dict.fromkeys(name for name in found if name in known - {CONTENTS}))


def page(name: str) -> Page | None:
    """The page called *name*: one of the guide, or that of the finding with this code; None where there is none."""
    if name in page_names():
        return guide_page(name, language())
    return _page_of_rule(name)


def pages() -> tuple[Page, ...]:
    """All pages of the guide, and then those of the rules."""
    return tuple(found for name in (*page_names(), *rule_codes()) if (found := page(name)) is not None)


@cache
def _source(name: str, code: str) -> str:
    return resource_text(f"{_FOLDER}/{code}/{name}.md")


@cache
def guide_page(name: str, code: str) -> Page:
    """The page of the guide called *name* in the language *code*. Raises FileNotFoundError."""
    source = _source(name, code)
    heads = list(_HEADING.finditer(source))
    ends = [*(head.start() for head in heads[1:]), len(source)]
    used = [example(match["name"]) for match in _LINE.finditer(source) if match["what"] == "example"]
    sections = (_section(head, source[head.end() : end]) for head, end in zip(heads, ends, strict=True))
    return Page(name, tuple(sections), tuple(used))


def _section(head: re.Match[str], text: str) -> Section:
    first, *others = (word.strip() for word in head["topics"].split(","))
    return Section(first, tuple(others), head["title"], len(head["marks"]), _LINE.sub(_filled, text))


def _filled(line: re.Match[str]) -> str:
    shown = example(line["name"])
    return f"~~~~{shown.language}\n{shown.text}~~~~"


@cache
def example(name: str) -> Example:
    """The example in the file *name*. Raises FileNotFoundError, for that would be a mistake of ours."""
    file = f"{_EXAMPLES}/{name}"
    return Example(name, _LANGUAGES.get(name.rpartition(".")[2], "text"), resource_text(file), resource_path(file))


def _page_of_rule(code: str) -> Page | None:
    found = rule_page(code)
    if found is None:
        return None
    _title, _end, text = found.text.partition("\n")
    shown = [(part, each) for part, each in (("before", found.before), ("after", found.after)) if each]
    examples = tuple(Example(f"{code}-{part}", found.language, each) for part, each in shown)
    return Page(code, (Section(code, (), found.title, 1, text),), examples, is_rule=True)
