"""Findings about calls: what is not there, what nobody may call, and what a call in prose leaves open."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.check import snapshot_of
from tests.core.cli_driver import Terminal
from workbench.planning.lessons import findings_beside
from workbench.syntax.change import TextChange

MAIN = "# Shop\n## Main\n### Triggers\n- When the program starts\n### Steps\n"
REMOTE = "\n# {head}\n{meta}\n"
SERVER = "remote:\n  type: mcp\n  url: http://127.0.0.1:1/mcp\n"
PAY = "\n## ProcessPayment($total)\n### Steps\n- Return $total\n"


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    """A terminal without a display."""
    return Terminal(capsys)


def found(text: str) -> list[tuple[str, str]]:
    """Code and message of each finding in *text*."""
    return [(one.code, one.message) for one in snapshot_of(text).diagnostics]


@pytest.mark.parametrize(("head", "meta"), [("M:MCP", SERVER), ("M", SERVER), ("M:MCP", "")])
def test_what_a_server_offers_is_no_unknown_call(head: str, meta: str) -> None:
    codes = [code for code, _message in found(f"{MAIN}- M.tool(1)\n- Return M.other($x)\n{REMOTE}".format(**locals()))]
    assert "unknown-call" not in codes


def test_a_call_of_nothing_says_who_will_be_asked() -> None:
    assert found(f"{MAIN}- Nobody()\n") == [
        (
            "unknown-call",
            "There is no playbook, function or tool called Nobody. Whoever judges is asked.",
        )
    ]


def test_tools_that_are_built_in_and_those_of_the_project_are_known(tmp_path: Path) -> None:
    (tmp_path / "workbench.toml").write_text('[tools]\nmodules = ["extra.py"]\n')
    (tmp_path / "extra.py").write_text("@playbook\ndef shout(text):\n    return text\n")
    snapshot = snapshot_of(f'{MAIN}- shout("a")\n- whisper("a")\n- shell("ls")\n')
    messages = [one.message for one in findings_beside(snapshot, str(tmp_path / "a.md"))]
    assert [message.partition(".")[0] for message in messages] == [
        "There is no playbook, function or tool called whisper"
    ]


def test_the_command_line_looks_at_the_python_of_the_project_too(tmp_path: Path, terminal: Terminal) -> None:
    (tmp_path / "workbench.toml").write_text('[tools]\nmodules = ["extra.py"]\n')
    (tmp_path / "extra.py").write_text("@playbook\ndef shout(text):\n    return text\n")
    (tmp_path / "a.md").write_text(f'{MAIN}- shout("a")\n')
    assert terminal.run("check", str(tmp_path / "a.md")).code == 0
    (tmp_path / "extra.py").unlink()
    assert terminal.run("check", str(tmp_path / "a.md")).code == 1


ENTRY = "cli_entry: true\n### Steps\n- Return 1\n"


def test_two_entries_for_the_command_line_are_an_error_that_names_both() -> None:
    text = f"# Shop\n## First\n{ENTRY}\n## Second\n{ENTRY}"
    message = "“cli_entry: true” is set for both First and Second. A run begins with First. Remove one of them."
    assert ("second-entry", message) in found(text)
    python = "```python\n@playbook(cli_entry=True)\ndef third():\n    return 1\n```\n"
    assert [code for code, _m in found(f"# Shop\n{python}## First\n{ENTRY}")].count("second-entry") == 1
    assert "second-entry" not in [code for code, _message in found(f"# Shop\n## First\n{ENTRY}")]


WORKER = "\n# Worker\n## Secret\n### Steps\n- Return 1\n\n## Open\npublic: true\n### Steps\n- Secret()\n"


@pytest.mark.parametrize(
    ("call", "is_found"),
    [("Worker.Secret()", True), ("Secret()", True), ("Run Secret", True), ("Worker.Open()", False), ("Open()", False)],
)
def test_a_call_of_what_another_agent_keeps_to_itself_is_found(call: str, is_found: bool) -> None:  # noqa: FBT001
    messages = [message for code, message in found(f"{MAIN}- {call}\n{WORKER}") if code == "not-public"]
    wanted = ["Secret of Worker is not public, so Shop cannot call it. Mark it “public: true”."]
    assert messages == (wanted if is_found else [])


def test_a_call_in_prose_says_what_will_be_asked_for() -> None:
    asks = [message for code, message in found(f"{MAIN}- Process payment\n{PAY}") if code == "call-asks"]
    assert asks == ["This calls ProcessPayment, but nothing sets total, so whoever judges is asked for that."]
    asks = [message for code, message in found(f"{MAIN}- Process payment of 20\n{PAY}") if code == "call-asks"]
    assert asks == ["This calls ProcessPayment and says more than a call can, so whoever judges is asked for total."]
    assert found(f"{MAIN}- $total = 20\n- Process payment\n{PAY}") == []


def test_words_that_lead_back_are_no_endless_recursion_but_what_is_called_is() -> None:
    text = "# Desk\n## PrepareReturn\n### Steps\n- Check the figures\n\n## CheckFigures\n### Steps\n- {step}\n"
    message = "These words mean {}, which leads back to {}. Where that goes on, they are judged."
    assert found(text.format(step="Prepare the return")) == [
        ("words-lead-back", message.format("CheckFigures", "PrepareReturn")),
        ("words-lead-back", message.format("PrepareReturn", "CheckFigures")),
    ]
    assert [code for code, _m in found(text.format(step="Run PrepareReturn"))] == ["words-lead-back"]
    called = text.replace("Check the figures", "CheckFigures()").format(step="PrepareReturn()")
    assert [code for code, _m in found(called)] == ["endless-recursion", "endless-recursion"]


NESTED = ["$x = {}(1) + 1", "If {}(1) > 2, end program", "Return Main2({}(1))", 'Tell user "{{{}(1)}}"', "Log([{}(1)])"]


@pytest.mark.parametrize("step", NESTED)
def test_what_is_called_within_an_expression_is_found_too(step: str) -> None:
    others = "\n## Main2($n)\n### Steps\n- Return $n\n\n## Log($n)\n### Steps\n- Return $n\n"
    codes = [code for code, _m in found(f"{MAIN}- {step.format('Nobody')}\n{others}{WORKER}")]
    assert codes.count("unknown-call") == 1
    codes = [code for code, _m in found(f"{MAIN}- {step.format('Worker.Secret')}\n{others}{WORKER}")]
    assert codes.count("not-public") == 1


INVITING = "# Desk\n## Main\n### Steps\n- Review()\n## Review\nmeeting: true\n{setting}\n### Steps\n- Return 1\n"
JOINING = "# Legal\n## Join\nmeeting: true\n### Steps\n- Return 1\n# Ann:Human\n"


@pytest.mark.parametrize(
    ("setting", "written"),
    [
        ("required_attendees: [Legal, Legl]", "Legl"),
        ("required_attendees: Ann, Legl", "Legl"),
        ("optional_attendees:\n- Ann\n- Legl", "Legl"),
        ("required_attendees: [legal, ann, agent 1001, Legal:1001]", ""),
    ],
)
def test_whoever_the_settings_of_a_meeting_invite_is_there(setting: str, written: str) -> None:
    snapshot = snapshot_of(INVITING.format(setting=setting) + JOINING)
    wrong = [one for one in snapshot.diagnostics if one.code == "unknown-attendee"]
    assert [one.span.of(snapshot.text) for one in wrong] == [written] * bool(written)
    assert [one.fixes[0].title for one in wrong] == ["Change to Legal"] * bool(written)


def test_the_settings_of_a_playbook_that_is_no_meeting_invite_nobody() -> None:
    text = INVITING.format(setting="required_attendees: [Legl]").replace("meeting: true\n", "", 1)
    assert [code for code, _message in found(text + JOINING)] == []


def created(text: str, name: str) -> str:
    """*text* with the playbook *name* made, as the fix makes it."""
    fixes = [fix for one in snapshot_of(text).diagnostics for fix in one.fixes]
    fix = next(each for each in fixes if each.title == f"Create playbook {name}")
    assert not fix.is_safe
    after = TextChange(fix.edits).apply(text)
    assert "unknown-call" not in [code for code, message in found(after) if f"called {name}." in message]
    return after


SPACED = "# Shop\n\n## Main\n\n### Steps\n\n01. $r = CheckOrder($id, 5, $o.total, total=3)\n02. Weigh()"
TIGHT = "# Shop\r\n## Main\r\n* Notify_all(name, 1) <!-- #x -->\r\n\r\n## Other(x)\r\n* Return x\r\n"


def test_a_playbook_is_made_of_a_call_that_wants_one_in_the_style_of_the_file() -> None:
    signature = "## CheckOrder($id, $value, $value_2, $total)"
    assert created(SPACED, "CheckOrder") == f"{SPACED}\n\n{signature}\n\n### Steps\n\n01. Find $r\n02. Return $r\n"
    assert created(SPACED, "Weigh") == f"{SPACED}\n\n## Weigh\n\n### Steps\n\n01. Weigh\n"
    written = "## Notify_all(name, value)\r\n* Notify all\r\n\r\n## Other"
    assert created(TIGHT, "Notify_all") == TIGHT.replace("## Other", written)
    agents = "# Tax\n## A\n### Steps\n- Tax.Sum()\n\n# Desk\n## B\n### Steps\n- A()\n"
    assert "\n\n## Sum\n### Steps\n- Sum\n\n# Desk" in created(agents, "Sum")


@pytest.mark.parametrize("text", ["# Shop\n- Nobody()\n- $x = 1\n- Tell user $x\n", f"{MAIN}- Other.No()\n\n# Other\n"])
def test_no_playbook_is_made_where_nobody_can_say_under_which_heading(text: str) -> None:
    assert [fix.title for one in snapshot_of(text).diagnostics for fix in one.fixes if "Create" in fix.title] == []


def test_the_terminal_offers_to_make_a_playbook_as_well(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(f"{MAIN}- Nobody()\n")
    assert "fix: Create playbook Nobody" in terminal.run("check", path).out
