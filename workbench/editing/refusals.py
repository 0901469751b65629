"""Reasons that more than one verb has to say no."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.editing.commands import Refusal
from workbench.i18n import _
from workbench.model.program import Step, StepId
from workbench.model.snapshot import Snapshot

_SHOWN = 40
"""How much of a text a reason cites."""


def no_such_step() -> Refusal:
    """The step is not there (any more)."""
    return Refusal("no-such-step", _("This step is no longer in the document."))


def no_such_place() -> Refusal:
    """The place does not exist."""
    return Refusal("no-such-place", _("This place is no longer in the document."))


def in_python() -> Refusal:
    """A function has no steps."""
    return Refusal("in-python", _("This playbook is written in Python. Edit it in the source."))


def one_text() -> Refusal:
    """A single request has no steps."""
    return Refusal("one-text", _("This playbook is a single request and has no steps. Edit its text in the source."))


def no_such_playbook(name: str) -> Refusal:
    """No playbook has this name."""
    return Refusal("no-such-playbook", _("There is no playbook called “{name}”.").format(name=name))


def no_words() -> Refusal:
    """Nothing was written."""
    return Refusal("no-words", _("A step needs text. To remove the step, delete it."))


def nothing_to_paste() -> Refusal:
    """The piece of source is blank."""
    return Refusal("nothing-to-paste", _("There is nothing to paste."))


def would_merge() -> Refusal:
    """The text around the place would swallow what is put there, or the other way round."""
    return Refusal("would-merge", _("The step would merge with adjacent text. Edit the source instead."))


def only_read() -> Refusal:
    """What stands at the place is no list of steps."""
    return Refusal("only-read", _("What stands here is text to read, not a list of steps. Edit it in the source."))


def damaged() -> Refusal:
    """Something in or beside the step never ends."""
    return Refusal("damaged", _("A comment or code fence here is not closed. Close it in the source first."))


def raw_inside() -> Refusal:
    """A raw block cannot be nested."""
    return Refusal(
        "raw-inside",
        _("Text that is kept as written can be placed between the steps of a playbook, but not inside a step."),
    )


def heading_inside() -> Refusal:
    """A heading cannot be nested in a list item."""
    return Refusal("heading", _("A heading cannot stand inside a step of a list. Move it beside other headings."))


def below_heading(step: Step) -> Refusal:
    """What is put below a heading stands in it."""
    message = _("What stands below “{title}” is part of it. Move the step into it, or above it.")
    return Refusal("below-heading", message.format(title=step.block.title))


def takes_in(step: Step) -> Refusal:
    """A heading takes in what stands below it."""
    message = _(
        "A heading takes in everything below it, here “{text}”. Move it directly above another heading or to the end."
    )
    return Refusal("takes-in", message.format(text=shortened(step.text)))


def too_low() -> Refusal:
    """There are only six levels."""
    return Refusal("too-low", _("There are only six levels of headings. Move the headings inside this one out first."))


def shortened(text: str) -> str:
    """The beginning of *text*, on one line."""
    words = " ".join(text.split())
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN].rstrip()}…"


def is_damaged(step: Step) -> bool:
    """True when something in the block of *step* never ends."""
    return any(problem.is_open for problem in step.block.problems)


def refuse_steps(snapshot: Snapshot, steps: Iterable[StepId]) -> Refusal | None:
    """Why nothing can be done with *steps*: none given, or one is not there."""
    ids = tuple(steps)
    if not ids:
        return Refusal("no-steps", _("Select a step first."))
    return None if all(is_drawn(snapshot, step) for step in ids) else no_such_step()


def is_drawn(snapshot: Snapshot, step: StepId) -> bool:
    """True when *step* is there and stands in a playbook."""
    return snapshot.has(step) and snapshot.placed_at_block(snapshot.where[step]) is not None


def refuse_damage(snapshot: Snapshot, steps: Iterable[StepId]) -> Refusal | None:
    """Why text of *steps* cannot be carried elsewhere."""
    return damaged() if any(is_damaged(snapshot.step(step)) for step in steps) else None
