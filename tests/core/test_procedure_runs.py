"""A run of a procedure goes through its chapters, asks how each step went, and ends with a report."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path

import pytest

from tests.conftest import DATA
from tests.core.engine_driver import Played, finished, play
from tests.core.model_driver import FakeModel, data, judge, options
from workbench.engine.audit.report import report_of
from workbench.engine.audit.report_markdown import as_markdown
from workbench.engine.backends.script import ScriptBackend
from workbench.engine.fields import shown_name
from workbench.engine.journal.choices import RunStatus
from workbench.engine.journal.journal import Journal
from workbench.engine.options import RunOptions
from workbench.engine.ports import Answer, Purpose, Request
from workbench.engine.scripts import parse_script
from workbench.engine.starting import start_run
from workbench.errors import RunFailed
from workbench.model.kinds import FileKind
from workbench.model.procedures.matter import Table
from workbench.model.snapshot import Snapshot, derive
from workbench.syntax.text import SourceText

LIFT = """# Slow lift

## Meaning

- It is slow.

## Diagnosis

1. Read the panel of <lift-id>.
2. If it shows more than 40 seconds, open the doors.

## Mitigation

1. Change the fuse.
"""


def procedure(text: str) -> Snapshot:
    """The snapshot of a procedure."""
    return derive(SourceText(text), wanted=FileKind.PROCEDURE)


def _played(text: str, folder: Path, answers: str = "", **options: object) -> Played:
    return play(procedure(text), folder, f"answers:\n{answers}" if answers else "", RunOptions(**options))  # type: ignore[arg-type]


YES = (
    "- {step: Diagnosis:01}\n- {step: Diagnosis:02, decision: true}\n- {step: Diagnosis:02}\n- {step: Mitigation:01}\n"
)


def test_a_run_goes_through_all_chapters_that_have_steps_in_order(tmp_path: Path) -> None:
    played = _played(LIFT, tmp_path, YES)
    assert played.steps() == ["Diagnosis:01", "Diagnosis:02", "Mitigation:01"]
    assert played.state.status is RunStatus.COMPLETED


def test_a_run_is_called_like_its_document(tmp_path: Path) -> None:
    assert _played(LIFT, tmp_path, YES).state.origin.playbook == "Slow lift"


def test_chosen_chapters_are_gone_through_in_the_order_of_the_file(tmp_path: Path) -> None:
    answers = "- {step: Mitigation:01}\n"
    assert _played(LIFT, tmp_path, answers, chapters=("Mitigation",)).steps() == ["Mitigation:01"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Repair", "There is no chapter Repair in this file. It has: Diagnosis, Mitigation."),
        ("Meaning", "The chapter “Meaning” has no step to carry out. Chapters with steps: Diagnosis, Mitigation."),
    ],
)
def test_a_chapter_that_cannot_be_gone_through_is_refused(name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(RunFailed) as refused:
        _played(LIFT, tmp_path, chapters=(name,))
    assert str(refused.value) == said


def test_a_file_without_steps_says_that_there_is_nothing_to_do(tmp_path: Path) -> None:
    with pytest.raises(RunFailed) as refused:
        _played("# Lift\n\n## Meaning\n\nIt is slow.\n", tmp_path)
    assert str(refused.value) == "Nothing in this file is to be carried out: none of its chapters has a step."


def test_what_is_left_open_is_filled_in_in_questions(tmp_path: Path) -> None:
    asked = _played(LIFT, tmp_path, YES, arguments={"lift_id": "L7"}).bodies("input.asked")
    assert asked[0]["text"] == "Read the panel of L7."


def test_a_value_that_is_left_empty_stays_as_it_is_written(tmp_path: Path) -> None:
    asked = _played(LIFT, tmp_path, YES, arguments={"lift_id": ""}).bodies("input.asked")
    assert asked[0]["text"] == "Read the panel of <lift-id>."


def test_a_value_with_a_line_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunFailed, match="lift_id has a line end"):
        _played(LIFT, tmp_path, arguments={"lift_id": "a\nb"})


BELT = """# Belt

## Steps

1. Take the belt off.
   - Keep the bolts.
2. Put it on.
"""


def _how(*said: str) -> str:
    return "".join(f"- {{step: Steps:01, {each}}}\n" for each in said)


def test_a_step_that_is_skipped_is_left_with_all_below_it(tmp_path: Path) -> None:
    played = _played(BELT, tmp_path, _how("how: skip") + "- {step: Steps:02}\n")
    assert played.steps() == ["Steps:01", "Steps:02"]
    assert [body["status"] for body in played.bodies("step.exited")] == ["skipped", "done"]


def test_a_step_that_did_not_work_can_be_tried_again(tmp_path: Path) -> None:
    answers = _how("how: did not work, text: it is stuck", "then: try again", "how: done")
    played = _played(BELT, tmp_path, answers + "- {step: Steps:01.01}\n- {step: Steps:02}\n")
    assert played.steps() == ["Steps:01", "Steps:01.01", "Steps:02"]
    assert len(played.bodies("input.asked")) == 5


def test_a_step_that_did_not_work_can_be_passed_over(tmp_path: Path) -> None:
    played = _played(BELT, tmp_path, _how("how: did not work", "then: go on") + "- {step: Steps:02}\n")
    assert [body["status"] for body in played.bodies("step.exited")] == ["failed", "done"]


def test_a_step_that_did_not_work_can_end_the_run(tmp_path: Path) -> None:
    played = _played(BELT, tmp_path, _how("how: did not work", "then: stop"))
    assert played.state.status is RunStatus.FAILED
    assert played.state.error == "Steps:01 (line 5) failed: it did not work, and the run was stopped."


def test_a_jump_back_goes_to_the_step_of_its_chapter(tmp_path: Path) -> None:
    text = "# Valve\n\n## Steps\n\n1. Turn it.\n2. If it drips, go to step 1.\n3. Close it.\n"
    yes, no = "- {step: Steps:02, decision: true}\n", "- {step: Steps:02, decision: false}\n"
    answers = "- {step: Steps:01}\n" + yes + "- {step: Steps:01}\n" + no + "- {step: Steps:03}\n"
    steps = [step.removeprefix("Steps:") for step in _played(text, tmp_path, answers).steps()]
    assert steps == ["01", "02", "01", "02", "03"]


class Asked(ScriptBackend):
    """A script that keeps what it was asked."""

    def __init__(self, script: str) -> None:
        super().__init__(parse_script(script))
        self.requests: list[Request] = []

    def judge(self, request: Request) -> Answer:
        """The script's answer."""
        self.requests.append(request)
        return super().judge(request)


def _asked(text: str, folder: Path, answers: str, arguments: dict[str, str] | None = None) -> list[Request]:
    journal, backend = Journal(folder / "runs.sqlite"), Asked(f"answers:\n{answers}")
    finished(start_run(procedure(text), journal, backend, RunOptions(arguments=arguments or {})), journal)
    return backend.requests


OVEN = """# Cold oven

## Mitigation

Wear gloves; the oven is <oven>.

### 1. Light it

Turn the gas on at <oven>.

```bash
ovenctl light <oven>
```

| Knob | Turn |
|---|---|
| left | <turns> |

**Constraints:**
- You MUST keep the door open
- You SHOULD wait

### 2. Look

- Is it warm?
- If it is cold, call the <owner>.
- Otherwise, bake.
"""


def test_a_question_has_prose_rules_commands_and_tables_of_its_step_filled_in(tmp_path: Path) -> None:
    answers = "- {}\n- {}\n- {decision: true}\n- {}\n"
    asked = _asked(OVEN, tmp_path, answers, {"oven": "O1", "turns": "2"})
    first, matter = asked[0], asked[0].matter
    assert matter is not None
    assert first.text == "1. Light it"
    assert matter.above == ("Mitigation",)
    assert matter.prose == "Wear gloves; the oven is O1.\n\nTurn the gas on at O1."
    assert matter.rules == ("You MUST keep the door open", "You SHOULD wait")
    assert [command.text for command in first.commands] == ["ovenctl light O1"]
    assert (matter.tables[0].head, matter.tables[0].rows) == (("Knob", "Turn"), (("left", "2"),))


def test_a_heading_that_only_holds_steps_is_not_asked_about(tmp_path: Path) -> None:
    asked = _asked(OVEN, tmp_path, "- {}\n- {}\n- {decision: true}\n- {}\n")
    assert [each.text for each in asked] == ["1. Light it", "Is it warm?", "it is cold", "call the <owner>"]
    assert asked[1].matter is not None and asked[1].matter.above == ("Mitigation", "2. Look")


def _places(request: Request) -> str:
    assert request.matter is not None
    return " › ".join(request.matter.above)


def test_a_question_in_a_loop_says_what_its_round_is_about(tmp_path: Path) -> None:
    text = "# Rooms\n\n## Steps\n\n1. For each room in the house, open the window:\n   - Count the chairs.\n"
    asked = _asked(text, tmp_path, "- {values: {items: [hall, loft]}}\n" + "- {}\n" * 4)
    head = "Steps › For each room in the house, open the window:"
    places = ["Steps › hall (1 of 2)", f"{head} › hall (1 of 2)", "Steps › loft (2 of 2)", f"{head} › loft (2 of 2)"]
    assert [_places(request) for request in asked[1:]] == places


def test_a_question_in_a_counted_loop_says_which_round_it_is(tmp_path: Path) -> None:
    text = "# Rooms\n\n## Steps\n\n1. Repeat 2 times:\n   - Knock.\n"
    asked = _asked(text, tmp_path, "- {}\n- {}\n")
    rounds = ["Steps › Repeat 2 times: › round 1 of 2", "Steps › Repeat 2 times: › round 2 of 2"]
    assert [_places(request) for request in asked] == rounds


def test_a_condition_shows_what_follows_from_either_answer(tmp_path: Path) -> None:
    asked = _asked(OVEN, tmp_path, "- {}\n- {}\n- {decision: true}\n- {}\n")
    matter = asked[2].matter
    assert matter is not None
    assert (matter.if_yes, matter.if_no) == (("call the <owner>",), ("Otherwise, bake.",))


def _report(played: Played) -> str:
    text = as_markdown(report_of(played.events, played.run.snapshot.program), dt.UTC)
    times = {dt.datetime.fromtimestamp(event.at_ns / 1e9, dt.UTC) for event in played.events}
    for time in times:
        text = text.replace(time.strftime("%Y-%m-%d %H:%M:%S"), "DATE").replace(time.strftime("%H:%M:%S"), "TIME")
    return text


def test_the_report_says_what_was_done_skipped_and_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "ada")
    answers = (
        "- {step: Diagnosis:01, text: 52 seconds}\n- {step: Diagnosis:02, decision: true}\n"
        "- {step: Diagnosis:02, how: did not work, text: locked}\n- {step: Diagnosis:02, then: go on}\n"
        "- {step: Mitigation:01, how: skip}\n"
    )
    assert _report(_played(LIFT, tmp_path, answers, arguments={"lift_id": "L7"})) == (
        "# Report: Slow lift\n\n- Completed (DATE – DATE)\n- 1 step done, 1 step skipped, 1 step did not work\n"
        "- Carried out by ada\n- lift_id = L7\n\n"
        "## Diagnosis\n\n- **01** Read the panel of L7. (done · TIME)\n  > 52 seconds\n"
        "- **02** If it shows more than 40 seconds, open the doors. (yes · did not work · TIME)\n  > locked\n\n"
        "## Mitigation\n\n- **01** Change the fuse. (skipped · TIME)\n"
    )


def test_a_procedure_of_the_tests_data_is_read_as_one() -> None:
    text = (DATA / "procedures" / "slow-lift.md").read_text("utf-8")
    assert derive(SourceText(text)).program.kind is FileKind.PROCEDURE


def test_what_stands_above_the_first_step_of_a_group_belongs_to_that_step(tmp_path: Path) -> None:
    text = "# Room\n\n## Diagnosis\n\n### At the door\n\nThe seal is grey.\n\n- Check the seal.\n- Close the door.\n"
    first, second = _asked(text, tmp_path, "- {}\n- {}\n")
    assert first.matter is not None and second.matter is not None
    assert (first.matter.prose, second.matter.prose) == ("The seal is grey.", "")


def test_a_model_gets_prose_rules_and_commands_and_says_how_the_step_went(tmp_path: Path) -> None:
    light = "### 1. Light it\n\nTurn <oven> on.\n\n```sh\nlight <oven>\n```\n\n- You MUST wait\n\n"
    text = f"# Oven\n\n## Steps\n\n{light}### 2. Look\n\nIs it warm?\n"
    model = FakeModel([data(note="It burns.", how="done"), data(note="", how="skip")])
    played = judge(procedure(text), tmp_path, model, options(model, arguments={"oven": "O1"}))
    sent = model.sent[0].messages[0].text
    assert "Turn O1 on.\n\n- You MUST wait\n\n```sh\nlight O1\n```" in sent
    assert [body["answer"] for body in played.bodies("input.given")] == [
        {"values": {"how": "done"}, "text": "It burns."},
        {"values": {"how": "skip"}, "text": ""},
    ]
    assert played.state.status is RunStatus.COMPLETED


def test_where_a_model_says_that_a_step_did_not_work_a_person_decides(tmp_path: Path) -> None:
    model = FakeModel([data(note="No gas.", how="did not work")])
    played = judge(procedure("# Oven\n\n## Steps\n\n1. Light it.\n2. Look.\n"), tmp_path, model)
    assert played.state.pending is not None
    assert played.state.pending.purpose is Purpose.AFTERWARDS


def test_a_row_of_a_table_of_steps_is_asked_about_as_a_row(tmp_path: Path) -> None:
    rows = "| Step | Action | Where |\n|---|---|---|\n| 1 | Count it | <room> |\n| 2 | Close it | here |\n"
    text = f"# Till\n\n## Steps\n\n{rows}"
    first, second = _asked(text, tmp_path, "- {}\n- {}\n", {"room": "office"})
    assert first.matter is not None and second.matter is not None
    assert (first.text, first.matter.above) == ("Count it", ("Steps",))
    assert first.matter.tables == (Table(("Step", "Action", "Where"), (("1", "Count it", "office"),)),)
    assert (second.matter.prose, second.matter.tables[0].rows) == ("", (("2", "Close it", "here"),))


def test_links_of_a_linked_procedure_count_from_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "how to").mkdir()
    text = "# Flood\n\n1. See [drain](<how to/drain.md>)\n2. See [valve](valve.md)\n"
    (tmp_path / "valve.md").write_text("# Valve\n\n1. Turn it\n", "utf-8")
    drain = "# Drain\n\n1. See [a](valve.md#x), [b](../valve.md), [c](#x), [d](/x.md) and [e](https://x.example)\n"
    (tmp_path / "how to" / "drain.md").write_text(drain, "utf-8")
    journal, backend = (
        Journal(tmp_path / "runs.sqlite"),
        Asked("answers:\n- {call: how to/drain.md}\n- {}\n- {}\n- {}\n"),
    )
    finished(start_run(procedure(text), journal, backend, RunOptions(path=str(tmp_path / "flood.md"))), journal)
    matter = backend.requests[1].matter
    assert matter is not None
    assert [(link.target, link.path) for link in matter.links] == [
        *(("how%20to/valve.md#x", ""), ("how%20to/../valve.md", "valve.md"), ("how%20to/drain.md#x", "")),
        *(("/x.md", ""), ("https://x.example", "")),
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="no file has such a name there")
def test_the_path_of_a_linked_procedure_may_have_a_colon(tmp_path: Path) -> None:
    (tmp_path / "how").mkdir()
    (tmp_path / "how" / "a:b.md").write_text("# Valve\n\n## Steps\n\n1. Turn it\n", "utf-8")
    text = "# Flood\n\n## Steps\n\n1. See [valve](how/a:b.md)\n"
    answers = "- {call: 'how/a:b.md'}\n- {step: 'how/a:b.md/Steps:1'}\n- {step: Steps:01}\n"
    played = _played(text, tmp_path, answers, path=str(tmp_path / "flood.md"))
    assert (played.state.status, played.steps()) == (RunStatus.COMPLETED, ["Steps:01", "how/a:b.md/Steps:01"])


def test_a_command_that_opens_on_the_line_of_its_number_is_what_its_step_asks_for(tmp_path: Path) -> None:
    text = "# Tidy\n\n## Steps\n\n1. Look.\n2. ```sh\n   ls\n   pwd\n   ```\n3. Go on.\n"
    asked = _asked(text, tmp_path, "- {}\n- {}\n- {}\n")
    assert [request.step for request in asked] == ["Steps:01", "Steps:02", "Steps:03"]
    assert asked[1].matter is not None and asked[1].matter.commands == ("ls\npwd",)


def test_later_paragraphs_of_a_step_are_its_prose(tmp_path: Path) -> None:
    text = "# Tidy\n\n## Steps\n\n1. Look at it\n   closely.\n\n   It blinks,\n   and beeps.\n\n   It is blue.\n2. Go\n"
    asked = _asked(text, tmp_path, "- {}\n- {}\n")
    assert asked[0].text == "Look at it closely."
    assert asked[0].matter is not None and asked[0].matter.prose == "It blinks,\nand beeps.\n\nIt is blue."


def test_the_list_of_a_loop_is_called_what_its_sentence_goes_through(tmp_path: Path) -> None:
    asked = _asked(
        "# Rooms\n\n## Steps\n\n1. **For each affected host**:\n   - Count.\n",
        tmp_path,
        "- {values: {items: [hall]}}\n- {}\n",
    )
    assert asked[0].matter is not None
    assert [shown_name(field, asked[0].text) for field in asked[0].fields] == ["each affected host"]
    assert shown_name(asked[0].fields[0]) == "items"
