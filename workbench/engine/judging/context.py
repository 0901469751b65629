"""What a model is sent about a question, part by part: what stays the same first, so that providers' caches work.

Nothing that a later step names is lost: such a variable is always there, whole or with its beginning and the way to
load the rest. What was said and done gets the room that is left, the newest first. The words that are ours are short
texts in ``resources/prompts``, each with its version in its first line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from workbench.engine.background import Background
from workbench.engine.expressions.data import canonical
from workbench.engine.journal.model_events import ModelWish
from workbench.engine.judges import Judges
from workbench.engine.judging.memory import FrameMemory, preview
from workbench.engine.judging.names import Names
from workbench.engine.judging.wanted import (
    LOAD,
    answer_schema,
    control_tools,
    instruction_of,
    is_act,
    may_call_tools,
)
from workbench.engine.ports import Request
from workbench.engine.schemas import object_schema
from workbench.engine.state.judging import Judging, ModelTurn
from workbench.providers.values import Message, ModelRequest, Role, ToolOffer, ToolWish
from workbench.resources import resource_text
from workbench.tools.values import ToolSpec

WHOLE = 2_000
"""So many characters of a value are shown; of a longer one the beginning, and the rest is loaded when asked for."""
PIECE = 6_000
THE_STEP = "the step"
_PREVIEW = 600
_LEAST = 40
_MOST_BEFORE = 6_000
_MOST_BELOW = 2_000
_MOST_OTHERS = 2_000
_MOST_NAMED = 12_000
_MOST_TURNS = 24_000
_MOST_PLAYBOOK = 6_000


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that a request is made of. *below*: the frames that wait for this one, the innermost last.

    *tools*: what may be called. *is_last*: no call is possible any more. *problem*: with the last answer.
    """

    request: Request
    background: Background
    memory: FrameMemory
    below: tuple[FrameMemory, ...] = ()
    loop: Judging | None = None
    tools: tuple[ToolSpec, ...] = ()
    is_last: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Sent:
    """A request, how many tokens each part of it has, estimated, and what the names of its tools stand for."""

    request: ModelRequest
    names: Names
    tokens: Mapping[str, int] = field(default_factory=dict)


def compose(scene: Scene, judges: Judges) -> Sent:
    """What is sent."""
    offers, names = _offers(scene, judges)
    stable = {"system": _system(scene, judges, has_tools=bool(offers)), "playbook": _playbook(scene.background)}
    first = {
        "below": _below(scene.below),
        "before": _before(scene.memory),
        "variables": _variables(scene.background),
        "step": _step(scene, judges),
    }
    turns = _turns(scene, names)
    sent = ModelRequest(
        judges.endpoint,
        judges.model,
        "\n\n".join(filter(None, stable.values())),
        (Message(Role.USER, "\n\n".join(filter(None, first.values()))), *turns),
        offers,
        answer_schema(scene.request, may_hand_over=judges.is_handing_over),
    )
    texts = {
        **stable,
        **first,
        "tools": "".join(one.name + one.description + canonical(one.schema) for one in offers),
        "answer": canonical(sent.schema) if sent.schema is not None else "",
        "turns": "".join(map(_words, turns)),
    }
    return Sent(sent, names, {name: tokens_in(text) for name, text in texts.items() if text})


def tokens_in(text: str) -> int:
    """About how many tokens *text* has: one for four letters of ASCII, two for three others."""
    plain = sum(letter < "\x80" for letter in text) if not text.isascii() else len(text)
    return -(-plain // 4) + -(-(len(text) - plain) * 2 // 3)


def _words(message: Message) -> str:
    return message.text + "".join(f"{wish.name}{wish.written or canonical(wish.arguments)}" for wish in message.wishes)


def _offers(scene: Scene, judges: Judges) -> tuple[tuple[ToolOffer, ...], Names]:
    """The tools as the model sees them, under names that every provider takes."""
    request, background = scene.request, scene.background
    own = control_tools(request, may_hand_over=judges.is_handing_over)
    specs: Iterable[ToolSpec] = ()
    if is_act(request):
        specs = background.choices
    elif may_call_tools(request):
        specs = scene.tools
    offered = [ToolOffer(one.name, one.description, one.schema) for one in specs]
    if may_call_tools(request) and (offered or _is_anything_long(scene)):
        offered.append(_load_offer())
    names = Names((*(one.name for one in offered), *(one.name for one in own)))
    if scene.is_last and not is_act(request):
        return (), names
    given = (*offered, *own)
    return tuple(ToolOffer(names.safe(one.name), one.description, one.schema) for one in given), names


def _load_offer() -> ToolOffer:
    properties = {"name": {"type": "string"}, "start": {"type": "integer"}}
    words = "Gives what is shown only by its beginning, ending in “… (characters, name)”, from the character start on."
    return ToolOffer(LOAD, words, object_schema(properties, ("name",)))


def _is_anything_long(scene: Scene) -> bool:
    lengths = [len(_text(value)) for _name, value in scene.background.variables]
    is_cut = sum(lengths) > _MOST_NAMED or any(length > WHOLE for length in lengths)
    return is_cut or bool(scene.background.artifacts) or len(scene.request.text) > PIECE


def _system(scene: Scene, judges: Judges, *, has_tools: bool) -> str:
    parts = [prompt("system")]
    if has_tools and may_call_tools(scene.request):
        parts.append(prompt("tools"))
    if judges.is_handing_over:
        parts.append(prompt("unsure_tool" if is_act(scene.request) else "unsure"))
    return "\n\n".join(parts)


def _playbook(background: Background) -> str:
    parts = [f"# {background.title}", background.description]
    if background.notes:
        parts.append("\n".join(["## Notes", *(f"- {note}" for note in background.notes)]))
    told = _cut("\n\n".join(filter(None, parts)), _MOST_PLAYBOOK)
    return f"{told}\n\n## Worked before\n{background.worked}" if background.worked else told


def _below(frames: tuple[FrameMemory, ...]) -> str:
    """What waits for this playbook, each with the last that was said and done there."""
    lines: list[str] = []
    for frame in frames:
        lines += [f"{frame.title}:", *(f"- {entry}" for entry in list(frame.entries)[-5:])]
    return _section("Called from", _newest(lines, _MOST_BELOW))


def _before(memory: FrameMemory) -> str:
    lines = [f"- {entry}" for entry in memory.entries]
    if memory.dropped:
        lines.insert(0, f"- ({memory.dropped} earlier entries are left out)")
    return _section("Said and done before", _newest(lines, _MOST_BEFORE))


def _newest(lines: list[str], most: int) -> list[str]:
    """As many of *lines* as there is room for, from the end."""
    kept: list[str] = []
    for line in reversed(lines):
        most -= len(line) + 1
        if most < 0:
            kept.append("- (earlier entries are left out)")
            break
        kept.append(line)
    return kept[::-1]


def _section(title: str, lines: list[str]) -> str:
    return "\n".join([f"## {title}", *lines]) if lines else ""


def _variables(background: Background) -> str:
    """Those that a step names, each: of this step first, of later ones shorter where they are many; then the others."""
    now, later, others = _by_need(background)
    lines = [f"{name} = {shown(name, value)}" for name, value in now]
    is_much = sum(min(len(_text(value)), WHOLE) for _name, value in later) > _MOST_NAMED
    limit = max(_LEAST, _MOST_NAMED // len(later)) if is_much else WHOLE
    lines += [f"{name} = {shown(name, value, limit)}" for name, value in later]
    left, unshown = _MOST_OTHERS, []
    for name, value in others:
        line = f"{name} = {shown(name, value)}"
        left -= len(line)
        if left >= 0:
            lines.append(line)
        else:
            unshown.append(name)
    if unshown:
        lines.append("(and " + ", ".join(unshown) + ")")
    artifacts = [f"{name}: {preview(value)}" for name, value in background.artifacts.items()]
    if artifacts:
        lines += ["Artifacts:", *_newest(artifacts, _MOST_OTHERS)]
    return _section("Variables", lines)


_Variables = list[tuple[str, Any]]


def _by_need(background: Background) -> tuple[_Variables, _Variables, _Variables]:
    """The variables that this step names, that other steps name, and the others."""
    found: tuple[_Variables, _Variables, _Variables] = [], [], []
    for name, value in background.variables:
        word = name.lstrip("$")
        found[0 if word in background.now else 1 if word in background.named else 2].append((name, value))
    return found


def shown(name: str, value: Any, limit: int = WHOLE) -> str:
    """*value* as a model sees it: whole, or where it is longer than *limit* its beginning and how the rest is had."""
    text = _text(value)
    if len(text) <= limit:
        return text
    return f"{text[: min(limit, _PREVIEW)]}… ({len(text)} characters, “{name}”)"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else canonical(value)


def _step(scene: Scene, judges: Judges) -> str:
    request, background = scene.request, scene.background
    text = shown(THE_STEP, request.text, PIECE)
    parts = [f"## Now: {request.step}", text, *background.details, background.knowledge]
    parts.append(prompt(instruction_of(request)))
    if request.fields and instruction_of(request) in ("fields", "triggers", "work"):
        parts.append("\n".join(f"- {one.name}" + (f": {one.type}" if one.type else "") for one in request.fields))
    return "\n\n".join(part for part in parts if part)


def _turns(scene: Scene, names: Names) -> tuple[Message, ...]:
    """The conversation since the question was asked; the results of older calls are shortened first."""
    loop = scene.loop
    if loop is None:
        return ()
    messages: list[Message] = []
    room = _MOST_TURNS
    for number in range(len(loop.turns) - 1, -1, -1):
        made, room = _turn(loop.turns[number], number, names, room)
        messages = [*made, *messages]
    if scene.problem and not loop.turns[-1].problem:
        messages += _repair(loop.turns[-1], len(loop.turns) - 1, scene.problem)
    elif scene.is_last and loop.turns:
        messages.append(Message(Role.USER, prompt("last_turn")))
    return tuple(messages)


def _turn(turn: ModelTurn, number: int, names: Names, room: int) -> tuple[list[Message], int]:
    wishes = tuple(
        ToolWish(_id_of(wish, number, index), names.safe(wish.tool), wish.arguments, wish.written)
        for index, wish in enumerate(turn.wishes)
    )
    made = [Message(Role.ASSISTANT, turn.text, wishes)]
    for index, (wish, result) in enumerate(zip(wishes, turn.results, strict=False)):
        name = result_name(turn.wishes[index].tool, number + 1, index + 1)
        text = shown(name, result.value) if room > WHOLE else preview(result.value, _PREVIEW // 2)
        room -= len(text)
        made.append(Message(Role.TOOL, text, answers=wish.id, is_error=result.is_error))
    if turn.problem:
        made += _repair(turn, number, turn.problem)
    return made, room


def result_name(tool: str, turn: int, index: int) -> str:
    """Under which name the result of a call in a loop can be loaded."""
    return f"{tool}#{turn}.{index}"


def _id_of(wish: ModelWish, number: int, index: int) -> str:
    return wish.id or f"w{number}.{index}"


def _repair(turn: ModelTurn, number: int, problem: str) -> list[Message]:
    """Why the last answer did not do: as the result of the calls that were wanted, or said."""
    text = prompt("repair").format(problem=problem)
    if not turn.wishes:
        return [Message(Role.USER, text)]
    ids = (_id_of(wish, number, index) for index, wish in enumerate(turn.wishes))
    return [Message(Role.TOOL, text, answers=one, is_error=True) for one in ids]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


@cache
def prompt(name: str) -> str:
    """The prompt *name*, without its version."""
    _version, text = resource_text(f"prompts/{name}.md").split("\n", 1)
    return text.strip()
