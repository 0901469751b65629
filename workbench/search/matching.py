"""What is looked for in a text, and where it stands: words, whole words, and regular expressions with a limit.

A regular expression can take longer than anybody lives; nothing in our own process could stop it, nor go on meanwhile.
So it is tried in a child process (``regex_child``), which gives up after a second of its own time.

All is looked for in the text with line feeds for line ends, so that ``\\n``, ``^`` and ``$`` mean the same in every
file, and no match begins or ends between CR and LF.
"""

from __future__ import annotations

import contextlib
import json
import re
import signal
import subprocess
import threading
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.errors import Cancelled
from workbench.i18n import _, numeral
from workbench.syntax.text import Span
from workbench.tools.children.guarding import bare_environment, python_words

MOST_MATCHES = 50_000
LIMIT_S = 1.0
_CHILD = Path(__file__).with_name("regex_child.py")
_LONGEST_EXPRESSION = 2_000
_PATIENCE_S = 10.0


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for: *words*, or what they say as a regular expression.

    *is_case*: small and capital letters differ. *is_word*: no letter or digit may go on before or behind it.
    *tag*: only in what has this tag; without words, all that has it.
    """

    words: str
    is_case: bool = False
    is_word: bool = False
    is_regex: bool = False
    tag: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is looked for."""
        return not (self.words or self.tag)


@dataclass(frozen=True, slots=True)
class Match:
    """Where something was found; it may be empty. *groups*: the parts of a regular expression, None without a match.

    *is_as_read*: it stands there for people only, with marks in between; so it cannot be replaced.
    """

    span: Span
    groups: tuple[Span | None, ...] = ()
    is_as_read: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What was found, in the order of the text. *trouble*: why it could not be looked for. *is_cut*: there is more."""

    matches: tuple[Match, ...] = ()
    trouble: str = ""
    is_cut: bool = False


class Finder:
    """Looks for things in one text after the other. Its child lives from the first expression until ``close``."""

    def __init__(self, limit_s: float = LIMIT_S) -> None:
        self._limit_s = limit_s
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._is_cancelled = False

    def find(self, query: Query, text: str, within: Span | None = None) -> Found:
        """Where *query* stands in *text*, or only *within* a part of it. Raises Cancelled after ``cancel``."""
        if not query.words:
            return Found()
        lined = Lined(text)
        start = lined.inside(within.start) if within else 0
        last = within.end if within else len(text)
        if query.is_regex:
            return self._find_expression(query, lined, start, last)
        return _cut(_limited(_plain(query), lined, start, last))

    def cancel(self) -> None:
        """Have whatever is being looked for given up, now and for good; callable from any thread."""
        with self._lock:
            self._is_cancelled = True
            if self._child is not None:
                self._child.kill()

    def close(self) -> None:
        """End the child."""
        with self._lock:
            child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait()
            for stream in (child.stdin, child.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):  # what was not sent is not wanted any more
                        stream.close()

    def _find_expression(self, query: Query, lined: Lined, start: int, last: int) -> Found:
        if len(query.words) > _LONGEST_EXPRESSION:
            message = _("An expression can have {limit} characters, and this one has {count}.")
            return Found(trouble=message.format(limit=numeral(_LONGEST_EXPRESSION), count=numeral(len(query.words))))
        order = {
            "pattern": _whole_word(query.words) if query.is_word else query.words,
            "flags": _flags(query),
            "start": start,
            "most": MOST_MATCHES + 1,
            "limit_s": self._limit_s,
        }
        answer = self._asked(order, lined.text)
        if "error" in answer:
            return Found(trouble=_trouble(answer))
        return _cut(
            match
            for starts in answer["spans"]
            if (match := lined.match(starts)).span.end <= last and match.span.start <= last
        )

    def _asked(self, order: dict[str, Any], text: str) -> dict[str, Any]:
        """What the child answers; one that died of it took too long."""
        data = text.encode("utf-8", "surrogatepass")
        line = json.dumps({**order, "size": len(data)}).encode("ascii")
        child = self._started()
        assert child.stdin is not None and child.stdout is not None
        try:
            with _clock(child):
                child.stdin.write(line + b"\n" + data)
                child.stdin.flush()
                answer = child.stdout.readline()
        except OSError:
            answer = b""
        if answer:
            return dict(json.loads(answer))
        self.close()
        if self._is_cancelled:
            raise Cancelled
        return {"error": "", "late": True}

    def _started(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._is_cancelled:
                raise Cancelled
            if self._child is None:
                self._child = subprocess.Popen(
                    python_words(_CHILD), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=bare_environment()
                )
            return self._child


@contextlib.contextmanager
def _clock(child: subprocess.Popen[bytes]) -> Iterator[None]:
    """Ends *child* after a while where it has no clock of its own."""
    if hasattr(signal, "setitimer"):
        yield
        return
    clock = threading.Timer(_PATIENCE_S, child.kill)
    clock.start()
    try:
        yield
    finally:
        clock.cancel()


def _flags(query: Query) -> int:
    return int(re.MULTILINE if query.is_case else re.MULTILINE | re.IGNORECASE)


def _whole_word(pattern: str) -> str:
    return rf"(?<!\w)(?:{pattern})(?!\w)"


def _plain(query: Query) -> re.Pattern[str]:
    """The words of *query* as an expression, which takes time in proportion to the text."""
    words = query.words.replace("\r\n", "\n").replace("\r", "\n")
    pattern = re.escape(words)
    if query.is_word:
        before = r"(?<!\w)" if re.match(r"\w", words) else ""
        behind = r"(?!\w)" if re.match(r"\w", words[-1]) else ""
        pattern = before + pattern + behind
    return re.compile(pattern, _flags(query))


def _limited(pattern: re.Pattern[str], lined: Lined, start: int, last: int) -> Iterator[Match]:
    for match in pattern.finditer(lined.text, start):
        found = lined.match(list(match.span()))
        if found.span.end > last:
            return
        yield found


def _cut(found: Iterator[Match]) -> Found:
    matches: list[Match] = []
    for match in found:
        if len(matches) == MOST_MATCHES:
            return Found(tuple(matches), is_cut=True)
        matches.append(match)
    return Found(tuple(matches))


def _trouble(answer: dict[str, Any]) -> str:
    if answer.get("late"):
        return _("This expression takes too long. Make it simpler: one repetition inside another is often the cause.")
    if answer.get("at") is None:
        return _("This cannot be read as an expression: {reason}.").format(reason=answer["error"])
    message = _("This cannot be read as an expression at character {place}: {reason}.")
    return message.format(place=numeral(answer["at"] + 1), reason=answer["error"])


class Lined:
    """A text with line feeds for all line ends, and where each place of it was before. *text*: with line feeds."""

    def __init__(self, text: str) -> None:
        self._ends: list[int] = []
        if "\r" not in text:
            self.text = text
            return
        self._ends = [match.end() - count for count, match in enumerate(re.finditer("\r\n", text), 1)]
        self.text = text.replace("\r\n", "\n").replace("\r", "\n")

    def place(self, at: int) -> int:
        """Where the place *at* of ``text`` is in the text as it was."""
        return at + bisect_right(self._ends, at) if self._ends else at

    def inside(self, place: int) -> int:
        """The place of ``text`` for one in the text as it was; between CR and LF, the one behind both."""
        low, high = 0, len(self.text)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.place(middle) >= place else (middle + 1, high)
        return low

    def match(self, starts: list[int]) -> Match:
        """The match whose start and end, and those of each group, are *starts*; -1 for a group without a match."""
        spans = [
            Span(self.place(start), self.place(end)) if start >= 0 else None
            for start, end in zip(starts[::2], starts[1::2], strict=True)
        ]
        assert spans[0] is not None
        return Match(spans[0], tuple(spans[1:]))
