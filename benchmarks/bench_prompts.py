"""What models are sent: requests per judged step, and tokens part by part, over the samples and a long run."""

from __future__ import annotations

import re
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.measure import Figure, at_most
from workbench.cli.reading import whole_program
from workbench.engine.backends.script import scripted
from workbench.engine.journal.events import RunEvent
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.model_events import ModelAsked
from workbench.engine.judges import JudgeKind, Judges
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer
from workbench.engine.scripts import parse_script
from workbench.engine.starting import start_run
from workbench.model.snapshot import Snapshot, derive
from workbench.providers.values import ModelReply, ModelRequest, ToolWish
from workbench.resources import sample_playbooks
from workbench.syntax.text import SourceText

_NOW = re.compile(r"^## Now: (\S+)", re.MULTILINE)
_STEPS = 200
_LIMIT = 10_000
"""Tokens that the context of a long run stays below."""


def figures() -> Iterator[Figure]:
    """All figures of this part."""
    per_step: list[int] = []
    parts: dict[str, list[int]] = defaultdict(list)
    requests = steps = 0
    for path in sample_playbooks():
        script = path.with_suffix(".script.yaml").read_text("utf-8")
        asked = _asked(whole_program([path]).snapshot, _Scripted(script), script)
        requests += len(asked)
        steps += len({one.request for one in asked})
        per_step += [sum(one.tokens.values()) for one in asked]
        for one in asked:
            for part, tokens in one.tokens.items():
                parts[part].append(tokens)
    yield at_most("requests per judged step of the samples", requests / steps, 1.001, "requests")
    yield at_most("prompt of a judged step of the samples, on average", statistics.mean(per_step), 2_000, "tokens")
    yield Figure("the largest of them", max(per_step), "tokens")
    for part, found in parts.items():
        yield Figure(f"of the average: {part}", sum(found) / len(per_step), "tokens")
    long = _asked(_long(), _Writer(), "")
    yield at_most(
        f"largest context of {_STEPS} judged steps", max(sum(one.tokens.values()) for one in long), _LIMIT, "tokens"
    )


class _Scripted:
    """A model that answers as a script says."""

    def __init__(self, script: str) -> None:
        self._left = list(parse_script(script).answers)

    def complete(self, request: ModelRequest, on_delta: Callable[[str], None]) -> ModelReply:
        """The next answer for the step that is asked about."""
        found = _NOW.search(request.messages[0].text)
        assert found is not None
        entry = next((one for one in self._left if one.step == found[1]), None)
        if entry is None:
            return ModelReply("", dict.fromkeys((request.schema or {})["properties"], False))
        self._left.remove(entry)
        return _reply(request, entry.answer)

    def cancel(self) -> None:
        """Nothing ever waits here."""


def _reply(request: ModelRequest, answer: Answer) -> ModelReply:
    values: dict[str, Any] = dict(answer.values)
    if answer.decision is not None:
        return ModelReply("", {"reason": "", "decision": answer.decision})
    if any(tool.name == "done" for tool in request.tools):
        action = str(values.get("action", "done"))
        given = {"result": values.get("result")} if action == "done" else values.get("arguments", {})
        return ModelReply("", wishes=(ToolWish("1", re.sub(r"\W", "_", action), given),))
    if request.schema is None:
        return ModelReply(answer.text or str(next(iter(values.values()), "done")))
    return ModelReply("", values or dict.fromkeys(request.schema["properties"], answer.text))


class _Writer:
    """A model that writes long texts into whatever it is asked for."""

    def complete(self, request: ModelRequest, on_delta: Callable[[str], None]) -> ModelReply:
        """A thousand words."""
        schema = request.schema or {"properties": {}}
        return ModelReply("word " * 100, dict.fromkeys(schema["properties"], "word " * 1_000))

    def cancel(self) -> None:
        """Nothing ever waits here."""


def _long() -> Snapshot:
    steps = "".join(f"- Write $text_{number}:str from $text_{max(0, number - 1)}\n" for number in range(_STEPS))
    return derive(SourceText(f"# Book\n## Main\n### Steps\n{steps}- Return $text_0\n"))


def _asked(snapshot: Snapshot, model: _Scripted | _Writer, script: str) -> list[ModelAsked]:
    """What *model* is asked in a run of *snapshot*."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "runs.sqlite")
        options = RunOptions(
            is_trusted=True,
            judges=Judges(JudgeKind.MODEL),
            client=lambda: model,
            path=str(Path(folder) / "book.md"),
            once=True,
        )
        run = start_run(snapshot, journal, scripted(script, snapshot.program.format), options)
        run.wait()
        events: tuple[RunEvent, ...] = journal.read(run.id)
        journal.close()
        assert run.halt is None and not run.state.error, run.halt or run.state.error
    return [event.payload for event in events if isinstance(event.payload, ModelAsked)]
