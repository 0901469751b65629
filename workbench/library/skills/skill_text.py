"""The text of a SKILL.md for a proven pattern, valid for every reader."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from dataclasses import dataclass

from workbench import __version__
from workbench.library.entries import PatternEntry, Variant, sequence_text, worked
from workbench.library.skills.rules import DESCRIPTION_LIMIT, NAME_LIMIT, RESERVED_WORDS

GENERATOR = "playbook-workbench"
TOOLS_KEY = "tools"

_HEX_LENGTH = 8
_HINT_LINES = 40
_HINT_LINE_LIMIT = 500
_DESCRIPTION_PART = 600
_TITLE_LIMIT = 80
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill that is not yet anywhere: *name* is also that of its folder."""

    name: str
    text: str

    @property
    def digest(self) -> str:
        """Changes with every byte of the text."""
        return text_digest(self.text)


def text_digest(text: str) -> str:
    """SHA-256 of *text* as it is written, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def skill_of(entry: PatternEntry, variants: tuple[Variant, ...], version: int = 1) -> Skill:
    """The skill that the best-proven variant of *entry* makes; the first of *variants* is that one.

    *version*: 2 and more for a second text beside one that a person has edited.
    """
    best = best_variant(entry, variants)
    name = skill_name(entry, version)
    front = (
        "---",
        f"name: {name}",
        f"description: {_quoted(skill_description(entry, best))}",
        "metadata:",
        *(f"  {key}: {_quoted(value)}" for key, value in _metadata(entry, best, version)),
        "---",
    )
    body = _body(entry, best, tuple(other for other in variants if other is not best))
    return Skill(name, "\n".join((*front, "", *body)) + "\n")


def best_variant(entry: PatternEntry, variants: tuple[Variant, ...]) -> Variant:
    """The best-proven order; for an imported pattern without records of ours its published sequence."""
    proven = next((each for each in variants if each.success_count > 0), None)
    if proven is not None:
        return proven
    counts = (entry.success_count, entry.failure_count)
    return Variant(entry.pattern_id, entry.tool_sequence, *counts, entry.created_at, entry.last_seen)


def skill_name(entry: PatternEntry, version: int = 1) -> str:
    """An ASCII name of at most 64 characters that no other pattern has."""
    tail = entry.pattern_id[:_HEX_LENGTH] + (f"-{version}" if version > 1 else "")
    slug = _slug(f"{entry.task_type} {entry.title}")[: NAME_LIMIT - len(tail) - 1].strip("-")
    return f"{slug or 'pattern'}-{tail}"


def skill_description(entry: PatternEntry, best: Variant) -> str:
    """What it does and when to use it, in one line of plain text."""
    what = one_line(entry.title)[:_DESCRIPTION_PART].strip().rstrip(".")
    kind = one_line(entry.task_type)[:60].strip()
    tools = one_line(", ".join(dict.fromkeys(best.tools)))[:200].strip()
    when = f"Use when a task of type {kind} calls for it" if kind else "Use when a task calls for it"
    with_tools = f", with the tools {tools}" if tools else ""
    return f"{what or 'Follows a proven sequence of tools'}. {when}{with_tools}."[:DESCRIPTION_LIMIT]


def one_line(text: str) -> str:
    """*text* in one line without control characters, angle brackets and runs of dashes."""
    kept = "".join(" " if unicodedata.category(each) in _UNSAFE else each for each in text)
    replaced = kept.replace("<", "‹").replace(">", "›")
    return re.sub(r"\s+", " ", re.sub(r"-{3,}", "–", replaced)).strip()


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").casefold()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    for word in RESERVED_WORDS:
        # replacing may join two halves to the word again
        while word in slug:
            slug = slug.replace(word, "model")
    return slug


def _quoted(text: str) -> str:
    """*text* as a single-quoted YAML scalar."""
    return "'" + text.replace("'", "''") + "'"


def _metadata(entry: PatternEntry, best: Variant, version: int) -> tuple[tuple[str, str], ...]:
    return (
        ("pattern-id", entry.pattern_id),
        ("task-type", exact_text(entry.task_type)),
        (TOOLS_KEY, json_text(list(best.tools))),
        ("successes", str(best.success_count)),
        ("failures", str(best.failure_count)),
        ("status", "accepted"),
        ("generator", GENERATOR),
        ("generator-version", __version__),
        ("version", str(version)),
    )


def exact_text(text: str) -> str:
    """*text* as it is where it is harmless, else as JSON, which begins with a quotation mark."""
    is_plain = text.isascii() and text.isprintable() and text == text.strip() and text
    return text if is_plain and not re.search(r"^\"|[<>]|--", text) else json_text(text)


def json_text(value: object) -> str:
    """*value* as JSON in plain ASCII, without angle brackets and runs of dashes: exact in any reader."""
    text = json.dumps(value, ensure_ascii=True)
    for mark in "<>":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return re.sub(r"-(?=-)|(?<=-)-", "\\\\u002d", text)


def _body(entry: PatternEntry, best: Variant, others: tuple[Variant, ...]) -> tuple[str, ...]:
    title = one_line(entry.title)[:_TITLE_LIMIT].strip() or "Proven sequence"
    return (
        f"# {_escaped(title)}",
        "",
        "Carry out these steps in this order.",
        "",
        *_steps(best),
        "",
        *_hint(entry.prompt_template),
        *_evidence(entry, best),
        *_other_orders(others),
    )


def _steps(best: Variant) -> tuple[str, ...]:
    counts = best.repeats if len(best.repeats) == len(best.tools) else (1,) * len(best.tools)
    lines = []
    for number, (tool, count) in enumerate(zip(best.tools, counts, strict=True), start=1):
        again = "" if count == 1 else f", as often as needed ({count} times in the record)"
        lines.append(f"{number}. Use {code_span(tool)}{again}.")
    return tuple(lines) or ("1. No tool is needed.",)


def code_span(text: str) -> str:
    """*text* as inline code, whatever back-ticks are in it."""
    shown = one_line(text)[:_HINT_LINE_LIMIT]
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def _hint(hint: str) -> tuple[str, ...]:
    """How the task was asked for, quoted line by line so that nothing in it acts as markup of ours."""
    lines = [one_line(line)[:_HINT_LINE_LIMIT] for line in hint.splitlines()]
    kept = [line for line in lines if line][:_HINT_LINES]
    if not kept:
        return ()
    return ("## Hint", "", "It was asked for in these words:", "", *(f"> {_escaped(line)}" for line in kept), "")


def _evidence(entry: PatternEntry, best: Variant) -> tuple[str, ...]:
    lines = ["## Evidence", "", f"- {worked(entry.success_count, entry.attempts).capitalize()}, all orders counted."]
    if (best.success_count, best.failure_count) != (entry.success_count, entry.failure_count):
        tried = worked(best.success_count, best.success_count + best.failure_count)
        lines.append(f"- This order {tried}.")
    lines.append(f"- First seen {_date(entry.created_at)}, last seen {_date(entry.last_seen or entry.created_at)}.")
    return tuple(lines)


def _other_orders(others: tuple[Variant, ...]) -> tuple[str, ...]:
    if not others:
        return ()
    lines = [
        f"- {code_span(sequence_text(each.tools, each.repeats))}: "
        f"{worked(each.success_count, each.success_count + each.failure_count)}"
        for each in others[:10]
    ]
    return ("", "## Other orders", "", *lines)


def _date(at: str) -> str:
    return one_line(at)[:10] or "long ago"


def _escaped(text: str) -> str:
    """*text* with the characters that markdown would read as markup disarmed."""
    return re.sub(r"([\\`*_\[\]#|~!])", r"\\\1", text)
