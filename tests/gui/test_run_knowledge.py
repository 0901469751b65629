"""What has worked before, in the context of step lists that are run from the window."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from workbench.disk.places import Places
from workbench.engine.journal.codec import encoded
from workbench.gui.control.context import WindowContext, window_context
from workbench.library.store import PatternStore

REFUND = """\
id: refund
name: Refund an order
steps:
  - id: find
    description: Find the order
    expected_tools: [lookup_order]
"""


def teach(places: Places) -> None:
    """Let the library know a pattern that has worked three times."""
    store = PatternStore(places.patterns_file)
    for _round in range(3):
        store.record("refund", "Refund an order", ("lookup_order", "issue_refund"))
    store.close()


def contexts_told(context: WindowContext) -> list[str]:
    """What whoever walks the list was told in each turn so far."""
    assert context.runs.run is not None
    events = context.runs.host.events(context.runs.run.id)
    return [encoded(event.payload)["context"] for event in events if event.name == "llm.request"]


def wait_for_question(qtbot: QtBot, context: WindowContext) -> None:
    """Wait until the run asks the person."""
    qtbot.waitUntil(lambda: context.runs.request is not None)


def test_a_list_run_from_the_window_is_told_what_has_worked_before(
    qtbot: QtBot, context: WindowContext, own_places: Places
) -> None:
    teach(own_places)
    context.documents.open_text(REFUND)
    context.runs.start()
    wait_for_question(qtbot, context)
    assert "lookup_order -> issue_refund" in contexts_told(context)[0]


def test_a_list_that_goes_on_in_the_window_is_told_too(
    qtbot: QtBot, context: WindowContext, own_places: Places
) -> None:
    context.documents.open_text(REFUND)
    context.runs.start()
    wait_for_question(qtbot, context)
    context.runs.leave()
    teach(own_places)
    later = window_context(own_places, context.runs)
    later.runs.resume(context.runs.host.runs()[0].id)
    wait_for_question(qtbot, later)
    assert "lookup_order -> issue_refund" in contexts_told(later)[-1]
    later.runs.leave()


def test_a_damaged_library_holds_up_no_run(qtbot: QtBot, context: WindowContext, own_places: Places) -> None:
    own_places.data_dir.mkdir(parents=True, exist_ok=True)
    own_places.patterns_file.write_bytes(b"no library at all\n" * 100)
    context.documents.open_text(REFUND)
    context.runs.start()
    wait_for_question(qtbot, context)
    assert len(contexts_told(context)) == 1
