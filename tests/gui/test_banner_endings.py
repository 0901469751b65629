"""Every line above the document names its cause, and goes when that is over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from workbench.disk.places import Places
from workbench.editing.commands import AddPlaybook, EditText
from workbench.editing.document import Document
from workbench.errors import CannotSave
from workbench.gui.banners.banner_stack import Banner, Choice
from workbench.gui.banners.startup_offers import StartupOffers
from workbench.gui.control.notices import Cause, Notice, NoticeKind
from workbench.gui.shell.main_window import MainWindow
from workbench.syntax.change import TextEdit
from workbench.syntax.text import Span

TEXT = "# Desk\n\n## Main\n\n- $n = 1\n- Return $n\n"
Ending = Callable[[QtBot, MainWindow, Path], None]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A playbook."""
    path = tmp_path / "desk.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture
def opened(window: MainWindow, file: Path) -> MainWindow:
    """The window with the playbook open."""
    window.context.documents.open(file)
    return window


def typed(window: MainWindow, text: str = "x") -> None:
    window.context.documents.execute(EditText((TextEdit(Span(0, 0), text),)))


def causes(window: MainWindow) -> list[Cause]:
    return [banner.notice.cause for banner in window.banners.banners]


def another_file(_qtbot: QtBot, window: MainWindow, _file: Path) -> None:
    window.context.documents.open_text("# Other\n")


def an_edit(_qtbot: QtBot, window: MainWindow, _file: Path) -> None:
    typed(window)


def a_save(_qtbot: QtBot, window: MainWindow, _file: Path) -> None:
    typed(window)
    assert window.files.save()


def a_merge(_qtbot: QtBot, window: MainWindow, file: Path) -> None:
    typed(window)
    file.write_text(TEXT + "- $m = 2\n", encoding="utf-8")
    window.context.documents.check_disk()
    window.context.documents.take_from_disk()


def a_reload(_qtbot: QtBot, window: MainWindow, file: Path) -> None:
    file.write_text(TEXT + "- $m = 2\n", encoding="utf-8")
    window.context.documents.check_disk()


def a_run(qtbot: QtBot, window: MainWindow, _file: Path) -> None:
    with qtbot.waitSignal(window.context.runs.run_finished):
        window.context.runs.start()


def a_run_that_is_shown(qtbot: QtBot, window: MainWindow, file: Path) -> None:
    a_run(qtbot, window, file)
    window.context.notices.report(CannotSave("again"), Cause.JOURNAL)
    assert window.context.runs.run is not None
    with qtbot.waitSignal(window.context.shown.run_shown):
        window.context.shown.show(window.context.runs.run.id)


def a_setting(_qtbot: QtBot, window: MainWindow, _file: Path) -> None:
    window.context.settings.change(lambda settings: replace(settings, text_scale=1.25))


def a_record(_qtbot: QtBot, window: MainWindow, _file: Path) -> None:
    window.context.recorder.recorded.emit(None)


def patterns_that_are_read(_qtbot: QtBot, window: MainWindow, _file: Path) -> None:
    window.panes.panel("patterns").refresh()  # type: ignore[attr-defined]


def an_export(_qtbot: QtBot, window: MainWindow, _file: Path) -> None:
    window.context.notices.settle(Cause.OTHER_FILE)  # as every way to write or read such a file says when it is done


def the_command_done(_qtbot: QtBot, window: MainWindow, _file: Path) -> None:
    window.context.actions.action("view.fit").trigger()


def markers_taken_out(_qtbot: QtBot, window: MainWindow, _file: Path) -> None:
    typed(window)


ENDINGS: list[tuple[Cause, Ending]] = [
    *((Cause.TEXT, ending) for ending in (an_edit, another_file)),
    *((Cause.CONFLICTS, ending) for ending in (markers_taken_out, a_save, another_file)),
    (Cause.DOCUMENT, another_file),
    *((Cause.SAVING, ending) for ending in (a_save, a_merge, a_reload, another_file)),
    (Cause.OPENING, another_file),
    *((Cause.OTHER_FILE, ending) for ending in (an_export, another_file)),
    *((Cause.COMMAND, ending) for ending in (the_command_done, another_file)),
    (Cause.RUN, a_run),
    *((Cause.JOURNAL, ending) for ending in (a_run, a_run_that_is_shown)),
    *((Cause.PATTERNS, ending) for ending in (a_record, patterns_that_are_read)),
    (Cause.SETTINGS, a_setting),
]


@pytest.mark.parametrize(("cause", "ending"), ENDINGS, ids=lambda each: getattr(each, "__name__", str(each)))
def test_a_line_goes_when_its_cause_is_over(
    qtbot: QtBot, opened: MainWindow, file: Path, cause: Cause, ending: Ending
) -> None:
    topic = "view.fit" if cause is Cause.COMMAND else ""
    opened.context.notices.report(CannotSave("No."), cause, topic)
    assert causes(opened) == [cause]
    ending(qtbot, opened, file)
    assert cause not in causes(opened)


def test_every_cause_has_an_ending() -> None:
    """FILE and OFFER end with what they tell, see below; PERSON is ended by nobody else; MOMENT is no line."""
    assert {cause for cause, _ending in ENDINGS} == set(Cause) - {
        *(Cause.FILE, Cause.OFFER, Cause.PERSON, Cause.MOMENT)
    }


@pytest.mark.parametrize("ending", dict.fromkeys(ending for cause, ending in ENDINGS if cause is not Cause.COMMAND))
def test_what_only_the_person_ends_stays(qtbot: QtBot, opened: MainWindow, file: Path, ending: Ending) -> None:
    opened.context.notices.report(CannotSave("No."), Cause.PERSON)
    ending(qtbot, opened, file)
    assert Cause.PERSON in causes(opened)


def shown(window: MainWindow) -> tuple[Banner, ...]:
    return window.banners.banners


def test_a_save_that_was_refused_is_forgotten_with_its_file(opened: MainWindow, file: Path) -> None:
    typed(opened)
    file.write_text(TEXT + "- $m = 2\n", encoding="utf-8")
    assert not opened.files.save()
    opened.context.documents.take_from_disk()
    assert opened.files.save()
    opened.context.documents.open_text("# Other\n")
    assert shown(opened) == ()


def test_a_file_that_cannot_be_opened_is_forgotten_when_another_one_is(opened: MainWindow, tmp_path: Path) -> None:
    opened.files.open_path(tmp_path / "nowhere.md")
    assert causes(opened) == [Cause.OPENING]
    opened.context.documents.open_text("# Other\n")
    assert shown(opened) == ()


def test_a_file_that_is_there_again_is_not_told_to_be_gone(opened: MainWindow, file: Path) -> None:
    file.unlink()
    opened.context.documents.check_disk()
    assert causes(opened) == [Cause.FILE]
    file.write_text(TEXT, encoding="utf-8")
    opened.context.documents.check_disk()
    assert shown(opened) == ()


def test_choosing_to_save_elsewhere_and_giving_it_up_tells_no_end(
    opened: MainWindow, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.gui.files.file_dialogs.ask_where_to_save", lambda *_: None)
    monkeypatch.setattr(opened.context.documents, "save", refuse)
    typed(opened)
    file.unlink()
    opened.context.documents.check_disk()
    shown(opened)[0].buttons[0].click()
    assert Cause.FILE in causes(opened)


def refuse(*_arguments: object) -> None:
    raise CannotSave("The disk is full.")


def test_a_choice_that_failed_can_be_chosen_again(opened: MainWindow) -> None:
    notice = Notice(NoticeKind.WARNING, "Well?", Cause.DOCUMENT)
    opened.banners.show_banner("well", notice, (Choice("Try", refuse),))
    shown(opened)[0].buttons[0].click()
    assert [banner.notice.text for banner in shown(opened)] == ["Well?", "The disk is full."]


def test_unsaved_changes_that_were_offered_are_not_once_their_file_is_open(
    window: MainWindow, own_places: Places, file: Path
) -> None:
    cut_off = Document.open(file, own_places.edits_dir)
    cut_off.execute(AddPlaybook("Other"))
    del cut_off
    StartupOffers(window.context, window.banners).show_offers()
    assert causes(window) == [Cause.OFFER]
    window.context.documents.open(file)
    assert Cause.OFFER not in causes(window)


def test_a_run_that_was_offered_is_not_once_it_goes_on(
    qtbot: QtBot, window: MainWindow, another_window: MainWindow
) -> None:
    window.context.documents.open_text("# Desk\n\n## Main\n\n- Ask user for $name\n")
    window.context.runs.start()
    qtbot.waitUntil(lambda: window.context.runs.request is not None)
    assert window.context.runs.run is not None
    window.context.runs.leave()
    StartupOffers(another_window.context, another_window.banners).show_offers()
    qtbot.waitUntil(lambda: Cause.OFFER in causes(another_window))
    another_window.context.runs.resume(window.context.runs.run.id)
    qtbot.waitUntil(lambda: another_window.context.runs.request is not None)
    assert not any(banner.topic.startswith("resume") for banner in shown(another_window))


def test_no_line_is_shown_without_a_cause(opened: MainWindow) -> None:
    with pytest.raises(ValueError, match="names no cause"):
        opened.banners.show_banner("well", Notice(NoticeKind.WARNING, "Well?"))
