"""What whoever judges in a playbook should know: the playbook, its notes, the variables, and what may be called."""

from __future__ import annotations

from typing import Any

from workbench.engine.background import Background
from workbench.engine.language.program.book import Book, PlaybookTarget, type_of
from workbench.engine.schemas import object_schema, schema_of_parameters
from workbench.engine.state.frames import LiveFrame
from workbench.engine.state.live_run import LiveRun
from workbench.regex import regex
from workbench.tools.values import CallSafety, ToolSpec

_WORD = regex(r"[^\W\d]\w*")
_TEXT = {"type": "string"}
_BUILT_IN = {
    "Say": ("Says something to the user.", object_schema({"message": _TEXT}, ("message",))),
    "SaveArtifact": (
        "Keeps a text under a name.",
        object_schema({"name": _TEXT, "summary": _TEXT, "value": _TEXT}, ("name", "summary", "value")),
    ),
    "LoadArtifact": ("Gives what is kept under a name.", object_schema({"artifact_name": _TEXT}, ("artifact_name",))),
}


def in_view(run: LiveRun) -> tuple[tuple[str, Any], ...]:
    """The variables that the frame at work sees, by name."""
    frame = run.top
    agent = {f"${name}": value for name, value in run.agents[frame.agent].items()}
    own = {f"${name}": value for name, value in frame.parameters.items()}
    view = {**agent, **own, **frame.locals}
    return tuple(sorted((name, value) for name, value in view.items() if not name.lstrip("$").startswith("_")))


def about_playbook(run: LiveRun, book: Book) -> str:
    """What a person who judges may read of the playbook at work: what it is for, its notes, what is under the step."""
    background = background_of(run, book)
    parts = (background.description, *(f"- {note}" for note in background.notes), *background.details)
    return "\n".join(filter(None, parts))


def background_of(run: LiveRun, book: Book) -> Background:
    """What is known in the frame at work."""
    frame = run.top
    if not run.frames:
        return _between(run, book)
    agent = book.agent(type_of(frame.agent))
    target = book.playbook(type_of(frame.agent), frame.playbook)
    assert target is not None, "a frame is of a playbook"
    playbook = target.playbook
    step = book.snapshot.at_address(frame.open[-1].step) if frame.open else None
    descriptions = (agent.description if agent is not None else "", frame.description or playbook.description)
    goal = next((line.strip() for line in descriptions[1].splitlines() if line.strip()), "")
    return Background(
        agent=frame.agent,
        title=playbook.title or playbook.name,
        description="\n\n".join(part.strip() for part in descriptions if part.strip()),
        notes=tuple(note.text for note in playbook.notes),
        details=step.details if step is not None else (),
        variables=in_view(run),
        named=_named(frame, book),
        now=frozenset(_WORD.findall(step.text)) if step is not None else frozenset(),
        artifacts={name: one.value for name, one in run.world.artifacts.items()},
        task=" ".join(filter(None, (playbook.title if playbook.name != "Main" else "", goal))),
    )


def _between(run: LiveRun, book: Book) -> Background:
    """What is known between playbooks: the program, and what its agents have."""
    agents = [agent for agent in book.program.agents if agent.kind != "Human"]
    texts = [agent.description.strip() for agent in agents]
    return Background(
        agent=run.agent or agents[0].name,
        title=agents[0].title,
        description="\n\n".join(text for text in texts if text),
        notes=(),
        details=(),
        variables=(),
        named=frozenset(),
        artifacts={name: one.value for name, one in run.world.artifacts.items()},
    )


def _named(frame: LiveFrame, book: Book) -> frozenset[str]:
    """The words that the steps of the playbook use: a loop may lead back to any of them."""
    code = book.code(frame.agent, frame.playbook)
    return frozenset(word for line in code.instructions for word in _WORD.findall(line.text))


def callable_spec(book: Book, agent: str, name: str) -> ToolSpec:
    """What *agent* is told about the playbook or Python that *name* calls."""
    if name in _BUILT_IN:
        description, schema = _BUILT_IN[name]
        return ToolSpec(name, description, schema, CallSafety.UNSAFE, "")
    target = book.resolve(type_of(agent), name)
    if isinstance(target, PlaybookTarget):
        description, parameters = target.playbook.description, target.playbook.parameters
    else:
        function = book.function(target.agent, target.name) if target is not None else None
        description, parameters = (function.description, function.parameters) if function is not None else ("", ())
    return ToolSpec(name, description.strip(), schema_of_parameters(parameters), CallSafety.UNSAFE, "")
