"""Characters that nobody sees: where a text has some, and the text with a sign for each.

Foreign text (a file, a name, what a tool gave back) may hold control characters that a terminal obeys, marks that turn
the direction of what follows, and characters of no width in which words hide. Wherever such text is shown, it is shown
with signs. What writing needs is left alone: joiners in emoji and in scripts that join their letters, breaks of no
width in scripts without spaces, direction marks in a text that runs from right to left, the tags of a flag, one
variation selector behind a character, and a byte order mark at the beginning.
"""

from __future__ import annotations

from collections.abc import Iterator

from workbench.regex import regex

RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001eeff"
_JOINING = RIGHT_TO_LEFT + "\u0900-\u0dff\u0f00-\u109f\u1780-\u18af"
_WITHOUT_SPACES = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_EMOJI = "\u00a9\u00ae\u2190-\u2bff\u3030\u303d\u3297\u3299\ufe0f\U0001f000-\U0001faff"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_TAGS = "\U000e0020-\U000e007f"
# beside tab and line ends: the C0 and C1 controls, and those bytes that are not UTF-8 which old terminals take for C1
_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\udc80-\udc9f"
_HIDDEN = regex(
    rf"[{_CONTROLS}\u115f\u1160\u180e\u2028-\u202e\u2060-\u206f\u3164\uffa0\ufff9-\ufffb\U000e0001]|\r(?!\n)"
    rf"|(?<![{_WITHOUT_SPACES}])\u200b|(?<![{_JOINING}])\u200c|(?<![{_JOINING}{_EMOJI}])\u200d|(?<!\A)\ufeff"
    rf"|(?<=[{_SELECTORS}])[{_SELECTORS}]|(?<![\U0001f3f4{_TAGS}])[{_TAGS}]+"
)
_DIRECTION = regex("[\u061c\u200e\u200f]")
_RUNS_LEFT = regex(f"[{RIGHT_TO_LEFT}]")
# counts as printed, and needs a closer look: blank letters, and what changes the character before it
_DOUBTFUL = frozenset(map(chr, (0x115F, 0x1160, 0x3164, 0xFFA0, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
_LONGEST = 4


def hidden(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each stretch of *text* that nobody would see."""
    rules = (_HIDDEN,) if _RUNS_LEFT.search(text) else (_HIDDEN, _DIRECTION)
    start = end = -1
    for found in sorted(match.span() for rule in rules for match in rule.finditer(text)):
        if found[0] != end:
            if start >= 0:
                yield start, end
            start = found[0]
        end = found[1]
    if start >= 0:
        yield start, end


def visible(text: str) -> str:
    """*text* with a sign for each hidden character; the text itself, as a rule."""
    if all(map(str.isprintable, text.split("\n"))) and _DOUBTFUL.isdisjoint(text):
        return text
    pieces: list[str] = []
    at = 0
    for start, end in hidden(text):
        more = "…" if end - start > _LONGEST else ""
        pieces += (text[at:start], *map(_sign, text[start : min(end, start + _LONGEST)]), more)
        at = end
    return "".join((*pieces, text[at:])) if pieces else text


def _sign(character: str) -> str:
    return f"⟨U+{ord(character):04X}⟩"
