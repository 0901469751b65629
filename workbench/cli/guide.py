"""``workbench help [TOPIC]``: the guide, as text of the width of the terminal."""

from __future__ import annotations

import argparse
import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from workbench.cli.terminal import FINE, UNUSABLE, Commands, add_command, complain, show, show_json
from workbench.help.pages import CONTENTS, LINK, Page, Section, page, page_names
from workbench.help.searching import Hit, search
from workbench.help.topics import Topic, shown_page, similar_topics, topic_of
from workbench.i18n import _
from workbench.model.checks.rules import rule_codes
from workbench.regex import regex

_WIDEST, _NARROWEST, _USUAL = 100, 40, 80
_CODE_INDENT = "    "
_GAP = "  "
_FENCE = "~~~~"
_FOUND = 12
_KEYS = "keys"
_ITEM = regex(r"(?P<indent> *)(?P<marker>[-*]|\d+\.) ")
_MARKS = regex(r"\*\*?(?=\S)([^*\n]+?)\*\*?")


def register(commands: Commands) -> None:
    """Add the command to *commands*."""
    parser = add_command(
        commands,
        "help",
        _("explain the language, the program and its findings"),
        "help loops",
        _(
            "Without a topic, the chapters are listed. A topic is a chapter, a word of the language, or the code of "
            "a finding."
        ),
    )
    parser.add_argument("topic", nargs="*", metavar="TOPIC", help=_("what is to be explained"))
    parser.add_argument("--search", metavar="WORDS", default="", help=_("list where the words are found"))
    parser.add_argument("--list", action="store_true", dest="is_list", help=_("list every topic"))
    parser.add_argument("--json", action="store_true", help=_("with --search: print the list as JSON"))
    parser.set_defaults(execute=execute, parser=parser)


def execute(options: argparse.Namespace) -> int:
    """Explain, list or search."""
    word = " ".join(options.topic)
    if options.search and (word or options.is_list):
        options.parser.error(_("--search takes its own words; leave the topic out"))
    if options.json and not options.search:
        options.parser.error(_("--json works only with --search"))
    if options.search:
        return _search(options.search, is_json=options.json)
    if options.is_list:
        show("\n".join(_all_topics()))
        return FINE
    topic = topic_of(word or CONTENTS)
    if topic is None:
        return _refuse(word)
    show(_explained(topic))
    if topic.page == _KEYS and not topic.section and options.list_keys is not None:
        show("\n" + "\n".join(_keys(options.list_keys)))
    return FINE


def _keys(list_keys: Callable[[], Sequence[Sequence[tuple[str, str, str]]]]) -> Iterator[str]:
    """The keys of the window as they are set now, menu by menu."""
    try:
        tables = list_keys()
    except ImportError as error:
        yield _("The keys of the window cannot be listed, since Qt could not be loaded: {reason}.").format(reason=error)
        return
    head = [_("Action"), _("Shortcut"), _("Where")]
    widths = _widths([head, *(list(row) for rows in tables for row in rows)])
    for rows in tables:
        yield from _row(head, widths)
        yield from _row(["-" * width for width in widths], widths)
        for row in rows:
            yield from _row(list(row), widths)
        yield ""


def _refuse(word: str) -> int:
    """Say that there is no such topic, and where to look."""
    near = ", ".join(similar_topics(word))
    message = _("There is no topic called “{word}”.").format(word=word)
    if near:
        message += " " + _("Similar ones: {near}.").format(near=near)
    complain(message + " " + _("“workbench help --search WORDS” looks in all pages."))
    return UNUSABLE


def _all_topics() -> Iterator[str]:
    """Each page with its topics, a line for each; last the codes of the findings."""
    found = (page(name) for name in page_names())
    for each in filter(None, found):
        yield each.title
        yield from (f"{_CODE_INDENT}{section.name:<24}{section.title}" for section in each.sections)
    yield _("Findings")
    yield from (f"{_CODE_INDENT}{code}" for code in rule_codes())


def _search(words: str, *, is_json: bool) -> int:
    """List the sections that have *words*, the best first."""
    hits = search(words, _FOUND)
    if is_json:
        show_json([_facts(hit) for hit in hits])
        return FINE
    if not hits:
        complain(_("Nothing was found for “{words}”.").format(words=words))
        return UNUSABLE
    show("\n\n".join(_told(hit) for hit in hits))
    return FINE


def _facts(hit: Hit) -> dict[str, str]:
    return {"topic": _name(hit.topic), "title": hit.title, "page": hit.page_title, "excerpt": hit.excerpt}


def _told(hit: Hit) -> str:
    where = hit.title if hit.title == hit.page_title else f"{hit.page_title} › {hit.title}"
    return f"{where}  [workbench help {_name(hit.topic)}]\n{_wrapped(hit.excerpt, _CODE_INDENT)}"


def _name(topic: Topic) -> str:
    return shown_page(topic).sections[topic.section].name


def _explained(topic: Topic) -> str:
    """The page of *topic*, or one section of it with those below it; last, where its links lead."""
    found = shown_page(topic)
    sections = _sections_at(found, topic.section)
    text = "\n".join(f"{'#' * each.level} {each.title}\n{each.text}" for each in sections)
    if topic.page == CONTENTS:
        text = LINK.sub(lambda match: f"{match['words']} [{match['target']}]", text)
    shown = "\n".join(_lines_of(text)).strip("\n")
    if topic.section:
        shown = f"{found.title} ›\n\n{shown}"
    if topic.page == CONTENTS:
        return shown
    targets = [match["target"] for match in LINK.finditer(text) if match["kind"] == "help"]
    known = [target for target in dict.fromkeys(targets) if topic_of(target)]
    further = _wrapped(_("See also: {topics}").format(topics=", ".join(known)), "") if known else ""
    return f"{shown}\n\n{further}".rstrip()


def _sections_at(found: Page, index: int) -> tuple[Section, ...]:
    """The section at *index* with those that are nested in it; all of them where it is the first."""
    head, *rest = found.sections[index:]
    end = next((at for at, section in enumerate(rest) if section.level <= head.level), len(rest))
    return (head, *rest[:end])


def _lines_of(text: str) -> Iterator[str]:
    """*text* as lines that fit: code as it is, tables in columns, everything else wrapped."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith(_FENCE):
            yield from (f"{_CODE_INDENT}{code}".rstrip() for code in iter(lambda: next(lines, _FENCE), _FENCE))
        elif line.startswith("#"):
            yield from _heading(line)
        elif line.startswith("|"):
            rest = iter(lambda: next(lines, ""), "")
            yield from _table([line, *rest])
            yield ""
        else:
            yield _item(line)


def _heading(line: str) -> Iterator[str]:
    marks, _space, title = line.partition(" ")
    yield title.upper() if len(marks) == 1 else title
    if len(marks) < 3:
        yield ("=" if len(marks) == 1 else "-") * len(title)


def _item(line: str) -> str:
    """A paragraph or an item; both stand on one line of the source."""
    match = _ITEM.match(line)
    if match is None:
        return _wrapped(_plain(line), "")
    indent = match["indent"] + " " * (len(match["marker"]) + 1)
    return _wrapped(_plain(line[match.end() :]), indent, match["indent"] + match["marker"] + " ")


def _wrapped(text: str, indent: str, first: str | None = None) -> str:
    begin = indent if first is None else first
    return textwrap.fill(
        text, _width(), initial_indent=begin, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )


def _plain(text: str) -> str:
    """*text* without the marks of markdown; code keeps its back-ticks, which say where it begins and ends."""
    linked = LINK.sub(r"\g<words>", text)
    pieces = linked.split("`")
    return "`".join(_MARKS.sub(r"\1", piece) if index % 2 == 0 else piece for index, piece in enumerate(pieces))


def _table(lines: list[str]) -> Iterator[str]:
    """The rows of a table in columns; what is too wide is wrapped in its column."""
    rows = [[_plain(cell.strip().replace("\\|", "|")) for cell in _cells(line)] for line in lines]
    head, body = rows[0], rows[2:]
    widths = _widths([head, *body])
    yield from _row(head, widths)
    yield from _row(["-" * width for width in widths], widths)
    for row in body:
        yield from _row(row, widths)


def _cells(line: str) -> list[str]:
    return re.split(r"(?<!\\)\|", line.strip().strip("|"))


def _widths(rows: list[list[str]]) -> list[int]:
    """How wide each column is: as its widest cell, but what is too much is taken from the widest columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    room = _width() - len(_GAP) * (len(widths) - 1)
    while sum(widths) > room and max(widths) > 8:
        widths[widths.index(max(widths))] -= 1
    return widths


def _row(cells: list[str], widths: list[int]) -> Iterator[str]:
    columns = zip(cells, widths, strict=True)
    wrapped = [textwrap.wrap(cell, width, break_on_hyphens=False) or [""] for cell, width in columns]
    for parts in zip_longest(*wrapped, fillvalue=""):
        yield _GAP.join(f"{part:<{width}}" for part, width in zip(parts, widths, strict=True)).rstrip()


def _width() -> int:
    """How many letters fit on a line: those of the terminal as far as lines can be read, else the usual number."""
    try:
        columns = int(os.environ.get("COLUMNS") or os.get_terminal_size(sys.stdout.fileno()).columns)
    except (OSError, ValueError):
        columns = _USUAL
    return min(max(columns, _NARROWEST), _WIDEST)
