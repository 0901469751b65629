"""The pattern library at 100,000 patterns, beside the published approach of one JSON file."""

from __future__ import annotations

import hashlib
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.measure import Figure, at_least, at_most, cpu_ms
from workbench.library.exchange import import_patterns
from workbench.library.listing import PatternQuery, Sort
from workbench.library.relevance.relevance import relevant_to
from workbench.library.relevance.synthesizer import Fragment, synthesize
from workbench.library.store import PatternStore

_MANY = 100_000
_FEW = 100
_RECORDS = 200
_TYPES = ("shell", "web", "file", "shell+file", "git", "orders")
_WORDS = (
    "deploy service api build test release rollback database backup restore invoice refund customer order ticket "
    "report upload image server disk memory network firewall certificate queue"
).split()
_TASK = "please deploy the api service with rollback and run the tests"


def figures() -> Iterator[Figure]:
    """All figures of this part."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "many.json").write_text(json.dumps(_entries(_MANY)))
        (place / "few.json").write_text(json.dumps(_entries(_FEW)))
        many, few = PatternStore(place / "many.sqlite"), PatternStore(place / "few.sqlite")
        import_patterns(few, place / "few.json")
        import_patterns(many, place / "many.json")
        yield from _store_figures(many, few, place)
        many.close()
        yield from _panel_figures(place)
    yield from _synthesizer_figures()


def _entries(count: int) -> list[dict[str, Any]]:
    source = random.Random(count)
    return [
        {
            "pattern_id": "",
            "task_type": source.choice(_TYPES),
            "description": " ".join(source.choices(_WORDS, k=5)) + f" {number}",
            "tool_sequence": [f"tool_{source.randrange(300)}" for _tool in range(source.randint(2, 6))]
            + [f"t{number}"],
            "prompt_template": "",
            "success_count": source.randint(1, 9),
            "created_at": "2026-01-01T00:00:00+00:00",
            "promoted": False,
        }
        for number in range(count)
    ]


def _store_figures(many: PatternStore, few: PatternStore, place: Path) -> Iterator[Figure]:
    large, small = _record_ms(many), _record_ms(few)
    yield at_most("record, 100,000 patterns, on the disk when it returns", large, 5)
    yield at_most("the same, times what it costs at 100 patterns", large / small, 2, "x")
    by_type = cpu_ms(lambda: many.get_relevant("shell"))
    yield at_most("relevant by task type, 100,000 patterns", by_type, 10)
    yield at_most("relevant by the words of a task, 100,000 patterns", cpu_ms(lambda: relevant_to(many, _TASK)), 10)
    yield at_most("promotable, the first 50, 100,000 patterns", cpu_ms(lambda: many.get_promotable(limit=50)), 10)
    peer = _JsonPlaybook(place / "many.json")
    theirs = cpu_ms(lambda: peer.record("shell", "d", ["new"], ""), 1)
    yield Figure("one JSON file (published approach): record, 100,000 patterns", theirs)
    yield at_least("record, times as fast as one JSON file", theirs / large, 100)
    found = cpu_ms(lambda: _JsonPlaybook(place / "many.json").get_relevant("shell"), 1)
    yield Figure("one JSON file (published approach): relevant, 100,000 patterns", found)
    yield at_least("relevant, times as fast as one JSON file", found / by_type, 100)


def _record_ms(store: PatternStore) -> float:
    """Median CPU time of one record, half of them new patterns."""
    times = []
    for number in range(_RECORDS):
        tools = ["tool_1", f"new_{number}"] if number % 2 else ["tool_1", "again"]
        start = time.process_time()
        store.record("shell", f"measured {number}", tools)
        times.append((time.process_time() - start) * 1000)
    return statistics.median(times)


def _panel_figures(place: Path) -> Iterator[Figure]:
    """The panel itself, offscreen, over the large store."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication, QWidget  # noqa: PLC0415 - the rest needs no Qt

    from workbench.disk.places import Places  # noqa: PLC0415
    from workbench.gui.control.context import window_context  # noqa: PLC0415
    from workbench.gui.patterns.patterns_panel import PatternsPanel  # noqa: PLC0415

    application = QApplication.instance() or QApplication([])
    data = place / "data"
    data.mkdir()
    (place / "many.sqlite").rename(data / "patterns.sqlite")
    owner = QWidget()
    context = window_context(Places(place / "config", data, place / "state"), owner)
    made: list[PatternsPanel] = []

    def open_panel() -> None:
        made.append(PatternsPanel(context, owner))
        made[-1].resize(320, 900)
        owner.show()
        made[-1].show()
        application.processEvents()

    open_panel()
    yield at_most("the panel opens, 100,000 patterns", cpu_ms(open_panel, 3), 200)
    panel = made[-1]
    assert panel.store.count() > _MANY
    yield at_most(
        "one key typed into the search, 100,000 patterns", _slowest_key_ms(panel.filters.query_changed.emit), 50
    )
    yield at_most("another order, 100,000 patterns", cpu_ms(lambda: panel.filters.choose_sort(Sort.RELIABLE), 3), 100)
    yield at_most("all rows, when somebody scrolls to the end", cpu_ms(lambda: _scroll_to_the_end(panel), 3), 200)


def _scroll_to_the_end(panel: Any) -> None:
    panel.refresh()
    panel.list.scrollToBottom()
    assert panel.model.rowCount() > _MANY


def _slowest_key_ms(ask: Callable[[object], object]) -> float:
    """The slowest key of a word that is typed."""
    word = "deploy rollback 99xyz"
    return max(cpu_ms(lambda end=end: ask(PatternQuery(text=word[:end])), 3) for end in range(1, len(word) + 1))


def _synthesizer_figures() -> Iterator[Figure]:
    source = random.Random(7)
    vocabulary = [f"word{number}" for number in range(400)]
    for count, limit_ms in ((1_000, 200), (10_000, 2_000)):
        fragments = [Fragment("learnings", " ".join(source.choices(vocabulary, k=14))) for _number in range(count)]
        spent = cpu_ms(lambda given=fragments: synthesize(given, _TASK), 3)
        yield at_most(f"synthesizer, {count:,} fragments", spent, limit_ms)


class _JsonPlaybook:
    """The published approach, as it is described: everything is read, changed and written again each time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._entries: dict[str, dict[str, Any]] = {
            self._id(entry["task_type"], entry["tool_sequence"]): entry for entry in json.loads(path.read_text())
        }

    def record(self, task_type: str, description: str, tools: list[str], hint: str) -> None:
        """Count one use."""
        self.__init__(self._path)  # type: ignore[misc]
        entry = self._entries.setdefault(
            self._id(task_type, tools), {"task_type": task_type, "tool_sequence": tools, "success_count": 0}
        )
        entry.update(description=description, prompt_template=hint, success_count=entry["success_count"] + 1)
        draft = self._path.with_suffix(".tmp")
        draft.write_text(json.dumps(list(self._entries.values()), indent=2))
        draft.replace(self._path)

    def get_relevant(self, task_type: str, top_k: int = 3) -> list[dict[str, Any]]:
        """The most often recorded of a type."""
        fitting = [entry for entry in self._entries.values() if entry["task_type"] == task_type]
        return sorted(fitting, key=lambda entry: -entry["success_count"])[:top_k]

    @staticmethod
    def _id(task_type: str, tools: list[str]) -> str:
        return hashlib.sha256(f"{task_type}:{','.join(sorted(tools))}".encode()).hexdigest()[:16]


def main() -> None:
    """Print the figures of this part alone."""
    for figure in figures():
        print(figure, flush=True)


if __name__ == "__main__":
    main()
