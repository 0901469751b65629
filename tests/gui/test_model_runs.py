"""A run that a model judges, in the window: what it says is seen while it comes, with what it cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event

import pytest
from pytestqt.qtbot import QtBot

from tests.model_replies import Answer, Asked, Reply
from tests.model_server import ModelServer
from workbench.engine.journal.run_events import JudgesChosen
from workbench.engine.judges import JudgeKind, Judges, Limits
from workbench.engine.judging import asking
from workbench.engine.ports import Answer as Given
from workbench.gui.control.context import WindowContext
from workbench.gui.control.running.run_judges import with_judges
from workbench.gui.inspector.inspector_panel import InspectorPanel
from workbench.gui.models.context_dialog import ContextDialog
from workbench.gui.resume.resume_dialog import offer_resume
from workbench.gui.runs.card import Card, CardKind
from workbench.gui.runs.run_panel import RunPanel
from workbench.providers.endpoints import Endpoint, ModelFacts, WireProtocol
from workbench.providers.known import with_endpoint

BOOK = "# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Find out the $mood of Ada\n- Return $mood\n"
PRICES = (ModelFacts("scripted", input_usd=10.0, output_usd=20.0),)

Judged = Callable[..., ModelServer]


@pytest.fixture
def judged(context: WindowContext) -> Iterator[Judged]:
    """Opens the playbook, judged by a model that says what it is told to."""
    servers: list[ModelServer] = []

    def judge(
        answer: Callable[[Asked], Answer], judges: Judges | None = None, limits: Limits | None = None
    ) -> ModelServer:
        server = ModelServer(answer)
        server.__enter__()
        servers.append(server)
        endpoint = Endpoint("here", WireProtocol.OPENAI, server.url, model="scripted", models=PRICES)
        chosen = JudgesChosen(judges or Judges(JudgeKind.MODEL), limits or Limits())
        context.settings.change(lambda settings: with_judges(with_endpoint(settings, endpoint), None, chosen))
        context.documents.open_text(BOOK)
        return server

    yield judge
    for server in servers:
        server.__exit__(None, None, None)


@pytest.fixture
def panel(qtbot: QtBot, context: WindowContext) -> RunPanel:
    """The pane of the run."""
    pane = RunPanel(context)
    qtbot.addWidget(pane)
    pane.show()
    return pane


def cheerful(_asked: Asked) -> Reply:
    return Reply(data={"mood": "cheerful"}, usage=(100, 10, 0))


def cards(panel: RunPanel) -> list[Card]:
    """The cards of models."""
    return [card for card in panel.conversation.cards if card.kind is CardKind.MODEL]


def test_the_answer_is_told_with_what_it_took(
    qtbot: QtBot, judged: Judged, panel: RunPanel, context: WindowContext
) -> None:
    judged(cheerful)
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.start()
    (card,) = cards(panel)
    assert (card.text, card.outcome) == ('{"mood": "cheerful"}', "scripted · tokens: 100 + 10 · $0.0012")
    assert "1 request, 110 tokens, $0.0012" in panel.header.words


def test_the_answer_is_seen_while_it_comes(
    qtbot: QtBot, judged: Judged, panel: RunPanel, context: WindowContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "_BEAT_S", 0)  # the scripted model speaks faster than any other
    rest = Event()
    judged(lambda _asked: Reply(('{"mood": ', '"glad"}'), waits=rest, pauses_after=2))
    context.runs.start()
    qtbot.waitUntil(lambda: any(card.text.startswith('{"mood"') for card in cards(panel)))
    assert "asking a model" in panel.header.words
    assert panel.form is None
    with qtbot.waitSignal(context.runs.run_finished) as finished:
        rest.set()
    assert finished.args[0].result == "glad"


def test_what_is_proposed_waits_for_a_person(
    qtbot: QtBot, judged: Judged, panel: RunPanel, context: WindowContext
) -> None:
    judged(cheerful, Judges(JudgeKind.MODEL, is_proposing=True))
    context.runs.start()
    qtbot.waitUntil(lambda: panel.form is not None)
    assert "waiting for you" in panel.header.words
    assert cards(panel)[-1].text == 'Proposes: mood = "cheerful"'
    assert panel.form is not None
    panel.form.fields[0].propose("gloomy")
    with qtbot.waitSignal(context.runs.run_finished) as finished:
        panel.form.submit("done")
    assert finished.args[0].result == "gloomy"


def test_what_a_model_does_not_know_is_handed_over(
    qtbot: QtBot, judged: Judged, panel: RunPanel, context: WindowContext
) -> None:
    judged(lambda _asked: Reply("I cannot tell."), Judges(JudgeKind.MODEL, is_handing_over=True))
    context.runs.start()
    qtbot.waitUntil(lambda: panel.form is not None)
    assert cards(panel)[-1].text.startswith("Handed over to you: ")
    request = context.runs.request
    assert request is not None
    with qtbot.waitSignal(context.runs.run_finished) as finished:
        context.runs.answer(request.id, Given((("mood", "calm"),)))
    assert finished.args[0].result == "calm"


def test_the_inspector_says_who_will_judge(qtbot: QtBot, judged: Judged, context: WindowContext) -> None:
    inspector = InspectorPanel(context)
    qtbot.addWidget(inspector)
    judged(cheerful, Judges(JudgeKind.MODEL, model="big"))
    context.selection.select((context.documents.snapshot.program.playbooks[0].steps[0].id,))
    assert ("Decided by", "a model (big)") in inspector.page.meaning.rows
    context.settings.change(lambda settings: with_judges(settings, None, JudgesChosen(Judges(), Limits())))
    assert ("Decided by", "you") in inspector.page.meaning.rows


def test_a_run_that_has_used_what_it_may_says_so_and_goes_on_with_more(
    qtbot: QtBot, judged: Judged, panel: RunPanel, context: WindowContext
) -> None:
    server = judged(cheerful, limits=Limits(tokens=1))
    with qtbot.waitSignals([context.runs.run_refused, context.runs.run_finished]):
        context.runs.start()
    assert not server.requests
    assert context.runs.run is not None
    with qtbot.waitSignal(context.runs.run_finished) as finished:
        context.runs.resume(context.runs.run.id, Limits(tokens=100_000))
    assert finished.args[0].result == "cheerful"


def test_what_was_sent_can_be_read_word_for_word(
    qtbot: QtBot, judged: Judged, panel: RunPanel, context: WindowContext
) -> None:
    server = judged(cheerful)
    with qtbot.waitSignal(context.runs.run_finished):
        context.runs.start()
    assert context.runs.run is not None
    dialog = ContextDialog(context.runs.host, context.runs.host.events(context.runs.run.id), panel)
    sent = server.requests[0].body["messages"]
    assert all(message["content"] in dialog.text.toPlainText() for message in sent)
    assert dialog.list.count() == 1
    assert "Tokens, estimated: " in dialog.parts.text()


def test_a_run_without_a_model_says_that_nothing_was_sent(context: WindowContext, panel: RunPanel) -> None:
    assert ContextDialog(context.runs.host, (), panel).parts.text() == "No model has been asked in this run."


def test_a_run_that_goes_on_is_given_new_limits(
    qtbot: QtBot, judged: Judged, panel: RunPanel, context: WindowContext
) -> None:
    judged(cheerful, limits=Limits(tokens=1))
    with qtbot.waitSignals([context.runs.run_refused, context.runs.run_finished]):
        context.runs.start()
    assert context.runs.run is not None
    dialog = offer_resume(context, context.runs.run.id, panel)
    assert dialog.limits.lines["tokens"].text() == "1"
    dialog.limits.lines["tokens"].setText("many")
    dialog.resume_button.click()
    assert dialog.said.text().startswith("“many” is not a limit")
    dialog.limits.lines["tokens"].setText("50000")
    with qtbot.waitSignal(context.runs.run_finished) as finished:
        dialog.resume_button.click()
    assert finished.args[0].result == "cheerful"
