"""The words of a line of markdown as people read them: bold, emphasis, code, links; without their marks.

Text is code before it is prose: only what is plainly a mark is one. A star between two numbers, the underscores of a
name, a pattern of files and a placeholder in angle brackets stay as they are written, also where markdown would take
them for marks. Reading takes time in proportion to the text, whatever stands in it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from workbench.regex import regex


class Stretch(NamedTuple):
    """Words that look alike. *link*: what they lead to, as written. A break in *text* is one that was asked for."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    strike: bool = False
    link: str = ""

    @property
    def is_plain(self) -> bool:
        """True for words that nothing sets apart."""
        return not any(self[1:])


@lru_cache(maxsize=8192)
def stretches_of(text: str) -> tuple[Stretch, ...]:
    """*text* as it is read, its lines joined by blanks."""
    if "\n" in text or "\r" in text:
        text = _BREAKS.sub(" ", text)
    if not has_marks(text):
        return (Stretch(text),) if text else ()
    return _Reader(text).read()


def stretches_of_lines(text: str) -> tuple[Stretch, ...]:
    """*text* as it is read, line by line: what somebody says keeps its lines."""
    found: list[Stretch] = []
    for line in text.splitlines():
        found += (*([Stretch("\n")] if found else []), *stretches_of(line))
    return tuple(_joined(found))


def has_marks(text: str) -> bool:
    """False where nothing in *text* could be a mark: most texts have none, and this is quick."""
    return _ANY_MARK.search(text) is not None or "://" in text


def plain_words(text: str) -> str:
    """*text* without marks, on one line."""
    if "\n" not in text and "\r" not in text and not has_marks(text):
        return text
    return "".join([stretch.text for stretch in stretches_of(text)]).replace("\n", " ")


_BREAKS = regex(r"\r\n|\r|\n")
_ANY_MARK = regex(r"[*_`\[<~&\\]")
ENTITY = r"&(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});"
"""What stands for a character; without a semicolon it is a part of an address: ``?page=2&region=north``."""
_TOKEN = regex(
    r"""(?P<ticks>`+)
    |(?P<name>(?<!\w)__[a-z0-9]+(?:_[a-z0-9]+)*__(?!\w))
    |(?P<marks>\*+|_+|~~+)
    |\\(?P<escaped>[*_`\[\]<>~|\#&!])
    |(?P<entity>"""
    + ENTITY
    + r""")
    |<(?P<address>(?:https?://|mailto:)[^\s<>]+)>
    |<(?P<end>/?)(?P<tag>[A-Za-z][A-Za-z0-9]*)(?P<attributes>(?:\s[^<>]*|/)?)>
    |(?P<open>!?\[)
    |(?P<close>\])
    |(?P<url>(?<!\w)https?://[^\s<>"'`*|\\]+)""",
    re.VERBOSE,
)
_TARGET = regex(
    r"""\(\s*(?:<([^<>\n]*)>|([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*))
    (?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)""",
    re.VERBOSE,
)
_LABEL = regex(r"\[()([^\[\]\n]{1,200})\]")
_NUMBER_ESCAPE = regex(r"\A\s*\d{1,9}\\[.)]")
_HREF = regex(r"""\s(?:href|src)\s*=\s*["']?([^\s"'>]*)""")
_ALT = regex(r"""\salt\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_BOLD, _ITALIC, _CODE, _STRIKE, _NOTHING = range(5)
_OF_TAGS = {
    **dict.fromkeys(("b", "strong"), _BOLD),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), _ITALIC),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), _CODE),
    **dict.fromkeys(("s", "del", "strike"), _STRIKE),
    **dict.fromkeys(
        ("u", "ins", "mark", "small", "big", "sub", "sup", "span", "font", "abbr", "a", "summary"), _NOTHING
    ),
}
_LINES = frozenset({"br", "hr"})
_GONE = frozenset({"p", "div", "center", "details"})
_DEEPEST = 2
_LONGEST_RUN = 3
# the first letters of scripts that are written without blanks
_WIDE = "\u2e80"


@dataclass(slots=True, eq=False)
class _Token:
    """Something in the text: words (*stretches*), or a mark that may open or close (*sort* tells which with which)."""

    source: str
    stretches: tuple[Stretch, ...] = ()
    sort: str = ""
    count: int = 1
    opens: bool = False
    closes: bool = False
    link: str = ""
    depth: int = 0
    changes: list[tuple[int, int, str]] = field(default_factory=list)


class _Reader:
    """One text on its way through."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[_Token] = []
        self.brackets: list[int] = []
        self.ticks: dict[int, list[int]] = {}
        for run in _TICKS.finditer(text):
            self.ticks.setdefault(len(run[0]), []).append(run.start())

    def read(self) -> tuple[Stretch, ...]:
        """The stretches of the text."""
        number = _NUMBER_ESCAPE.match(self.text)
        at = 0
        if number is not None:
            self._words(number[0][:-2] + number[0][-1])
            at = number.end()
        while (found := _TOKEN.search(self.text, at)) is not None:
            self._words(self.text[at : found.start()])
            at = self._take(found)
        self._words(self.text[at:])
        return _styled(self.tokens)

    def _words(self, words: str) -> None:
        if words:
            self.tokens.append(_Token(words, (Stretch(words),)))

    def _take(self, found: re.Match[str]) -> int:
        """Take what was found; where to go on."""
        match found.lastgroup:
            case "ticks":
                return self._code(found)
            case "marks":
                self.tokens.append(_emphasis(self.text, found))
            case "escaped":
                self._words(found["escaped"])
            case "entity":
                self._words(character(found[0]))
            case "address" | "url":
                return self._address(found)
            case "attributes":
                self._tag(found)
            case "open":
                self.brackets.append(len(self.tokens))
                self._words(found[0])
            case "close":
                return self._close(found)
            case _:
                self._words(found[0])
        return found.end()

    def _code(self, found: re.Match[str]) -> int:
        """What stands between two equal rows of back-ticks."""
        same = self.ticks.get(len(found[0]), [])
        place = bisect_left(same, found.end())
        if place == len(same):
            self._words(found[0])
            return found.end()
        code = self.text[found.end() : same[place]].replace("\n", " ")
        if len(code) > 1 and code[0] == code[-1] == " " and code.strip():
            code = code[1:-1]
        self.tokens.append(_Token(code, (Stretch(code, code=True),)))
        return same[place] + len(found[0])

    def _address(self, found: re.Match[str]) -> int:
        """An address that stands in the text as such, without the punctuation of its sentence."""
        if found["address"]:
            address, end = found["address"], found.end()
        else:
            address = found[0].rstrip(".,;:!?_~]}")
            if address.count("(") < address.count(")"):
                address = address[: address.rindex(")")].rstrip(".,;:!?_~]}")
            end = found.start() + len(address)
        self.tokens.append(_Token(address, (Stretch(address.removeprefix("mailto:"), link=address),), depth=1))
        return end

    def _tag(self, found: re.Match[str]) -> None:
        name, attributes = found["tag"].lower(), found["attributes"]
        if name in _LINES:
            self.tokens.append(_Token(found[0], (Stretch("\n"),)))
        elif name == "img":
            alt = _ALT.search(attributes)
            self._words((alt[1] or alt[2] or "") if alt else found[0])
        elif name in _OF_TAGS and not attributes.endswith("/"):
            href = _HREF.search(attributes) if name == "a" else None
            is_end = bool(found["end"])
            link = href[1] if href else ""
            self.tokens.append(_Token(found[0], (), f"<{name}>", 1, not is_end, is_end, link))
        elif name not in _GONE:
            self._words(found[0])

    def _close(self, found: re.Match[str]) -> int:
        """The end of the words of a link, or just a bracket."""
        opening = self.brackets.pop() if self.brackets else None
        target = _TARGET.match(self.text, found.end()) if opening is not None else None
        target = target or (_LABEL.match(self.text, found.end()) if opening is not None else None)
        made = self._linked(opening, target) if opening is not None and target is not None else None
        if opening is None or target is None or made is None:
            self._words(found[0])
            return found.end()
        self.tokens[opening:] = [made]
        return target.end()

    def _linked(self, opening: int, target: re.Match[str]) -> _Token | None:
        """The words from the bracket *opening* on as a link or a picture; None where they can be neither."""
        is_picture = self.tokens[opening].source == "!["
        if opening > 0 and not is_picture and _is_word(self.tokens[opening - 1].source[-1:]):
            return None  # an index, and its call
        inside = self.tokens[opening + 1 :]
        if target[0][0] == "[" and not any(each.source.isidentifier() or " " in each.source for each in inside):
            return None  # numbers of a list
        depth = max((token.depth for token in inside), default=0)
        if depth >= _DEEPEST or any(each.link for token in inside for each in token.stretches):
            self.brackets.clear()  # whatever stands around is none either
            return None
        address = target[1] or target[2] or ""
        words = _styled(inside) or (Stretch(address),)
        link = "" if is_picture else address
        return _Token("]", tuple([each._replace(link=link) for each in words]), depth=depth + 1)


_TICKS = regex(r"`+")


def _is_word(character: str) -> bool:
    """True for what a name or a number could be made of."""
    return character == "_" or (character.isalnum() and character < _WIDE)


def _emphasis(text: str, found: re.Match[str]) -> _Token:
    """A row of stars, underscores or tildes, with what it can do where it stands."""
    row = found[0]
    before = text[found.start() - 1] if found.start() else " "
    after = text[found.end()] if found.end() < len(text) else " "
    token = _Token(row, (), row[0], len(row))
    if row[0] == "~":
        token.opens = len(row) == 2 and not after.isspace()
        token.closes = len(row) == 2 and not before.isspace()
    elif len(row) <= _LONGEST_RUN:
        is_star = row[0] == "*"
        token.opens = (_star_opens if is_star else _score_opens)(len(row), before, after)
        token.closes = (_star_closes if is_star else _score_closes)(len(row), before, after)
    return token


def _star_opens(count: int, before: str, after: str) -> bool:
    """Not after a word or a bracket, as in a product, nor before what makes it a pattern of files."""
    if after.isspace() or _is_word(before) or before in ")]}/.\\":
        return False
    if after in "/,;:)]}?%=|" or (after == "." and count == 1):
        return False
    return not (before in _QUOTES and after in _QUOTES)


def _star_closes(count: int, before: str, after: str) -> bool:
    if before.isspace() or before in "([{/=|,;":
        return False
    return not _is_word(after) or (count == 2 and (before.isalpha() or before in ":.!?：。！？）”"))


def _score_opens(_count: int, before: str, after: str) -> bool:
    """Underscores are parts of names and paths but where blanks or plain punctuation stand around them."""
    return not after.isspace() and (before.isspace() or before in "([{\"'“‘«*~—–…")


def _score_closes(_count: int, before: str, after: str) -> bool:
    return not before.isspace() and (after.isspace() or after in ".,;:!?)]}\"'”’»*~—–…")


_QUOTES = "\"'"


def character(entity: str) -> str:
    """What *entity* stands for; itself where that is nothing."""
    import html.entities  # noqa: PLC0415 - its table is large, and few texts have entities

    return html.unescape(entity) if entity[1] == "#" else html.entities.html5.get(entity[1:], entity)


def _styled(tokens: Sequence[_Token]) -> tuple[Stretch, ...]:
    """The words of *tokens*, as their marks want them; marks that have no other end are words."""
    _pair(tokens)
    state = [0] * 5
    links: list[str] = []
    found: list[Stretch] = []
    for token in tokens:
        rest: tuple[Stretch, ...] = ()
        if token.sort:
            rest = (Stretch(token.source if token.sort[0] == "<" and token.count else token.source[: token.count]),)
        for style, change, link in (one for one in token.changes if one[1] < 0):
            state[style] += change
            if link:
                links.pop()
        found += [_dressed(each, state, links) for each in (*rest, *token.stretches) if each.text]
        for style, change, link in (one for one in token.changes if one[1] > 0):
            state[style] += change
            if link:
                links.append(link)
    return tuple(_joined(found))


def _dressed(stretch: Stretch, state: Sequence[int], links: Sequence[str]) -> Stretch:
    text, bold, italic, code, strike, link = stretch
    return Stretch(
        text,
        bold or state[_BOLD] > 0,
        italic or state[_ITALIC] > 0,
        code or state[_CODE] > 0,
        strike or state[_STRIKE] > 0,
        link or (links[-1] if links else ""),
    )


def _joined(stretches: Iterable[Stretch]) -> Iterable[Stretch]:
    """*stretches*, those that look alike as one."""
    same: list[str] = []
    look: tuple[object, ...] = ()
    last: Stretch | None = None
    for stretch in stretches:
        if last is not None and stretch[1:] != look:
            yield last._replace(text="".join(same))
            same = []
        last, look = stretch, stretch[1:]
        same.append(stretch.text)
    if last is not None:
        yield last._replace(text="".join(same))


def _pair(tokens: Sequence[_Token]) -> None:
    """Find for each mark that can close the nearest one that it closes; what stands open between the two is words."""
    stack: list[_Token] = []
    waiting: dict[str, int] = {}
    for token in tokens:
        if not token.sort:
            continue
        while token.closes and token.count and waiting.get(token.sort):
            opener = stack[-1]
            if opener.sort != token.sort or not _match(opener, token) or not opener.count:
                waiting[opener.sort] -= 1
                stack.pop()
        if token.opens and token.count:
            stack.append(token)
            waiting[token.sort] = waiting.get(token.sort, 0) + 1


def _match(opener: _Token, closer: _Token) -> bool:
    """Close *opener* with *closer* where they are alike."""
    sort = opener.sort
    if sort[0] == "<" or sort == "~":
        taken, style = opener.count, _OF_TAGS.get(sort[1:-1], _STRIKE)
    elif opener.count >= 2 and closer.count >= 2:
        taken, style = 2, _BOLD
    elif opener.count != 2 and closer.count != 2:
        taken, style = 1, _ITALIC
    else:
        return False
    opener.count -= taken
    closer.count -= taken
    opener.changes.append((style, 1, opener.link))
    closer.changes.append((style, -1, opener.link))
    return True
