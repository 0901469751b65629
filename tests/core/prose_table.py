"""Sentences that people write in procedures, with what each is, from ``tests/data/procedures/sentences.txt``.

Below each sentence stands what it is: ``text``; ``text, perhaps → 3`` where a person decides about a way;
``→ 3``; ``if …: what is done``, ``else if``, ``otherwise``; ``loop``. ``> `` begins a sentence with steps below it.
"""

from __future__ import annotations

from pathlib import Path

from workbench.model.meaning import Action, Branch, Judge, Jump, Loop
from workbench.model.sentences.prose.reading import classify_prose

_FILE = Path(__file__).parents[1] / "data" / "procedures" / "sentences.txt"


def table() -> list[tuple[str, str]]:
    """Each sentence as it stands in the file, and what it is."""
    lines = [line for line in _FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("# ")]
    return [(sentence, said.strip()) for sentence, said in zip(lines[::2], lines[1::2], strict=True)]


def said(sentence: str) -> str:
    """What *sentence* is, in the words of the file."""
    match classify_prose(sentence.removeprefix("> "), sentence.startswith("> ")):
        case Branch(form=form, condition=condition, action=action):
            head = f"{form.value} {condition.text}" if condition else form.value
            return f"{head}: {_action(action)}" if action else f"{head}:"
        case Loop(form=form, text=text, condition=condition, items=items, action=action):
            head = f"loop {form.value} [{condition.text if condition else items.source if items else text}]"
            return f"{head}: {_action(action)}" if action else head
        case Jump(number=number):
            return f"→ {number}"
        case Judge(text=text, outcomes=outcomes):
            assert text == sentence.removeprefix("> ")
            return ", perhaps ".join(("text", *_ways(outcomes)))
    raise AssertionError(sentence)


def _action(action: Action) -> str:
    if isinstance(action, Jump):
        return f"→ {action.number}"
    assert isinstance(action, Judge)
    return ", perhaps ".join((action.text, *_ways(action.outcomes)))


def _ways(outcomes: tuple[Action, ...]) -> list[str]:
    return [_way(way) for way in outcomes if isinstance(way, Jump)]


def _way(jump: Jump) -> str:
    return f"→ {jump.number}" if jump.last in ("", jump.number) else f"→ {jump.number} to {jump.last}"
