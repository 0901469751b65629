"""Two agents can have a playbook of one name each: every step of either has an address and a place of its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.check import check_command, finder, snapshot_of
from tests.core.cli_driver import Terminal
from tests.core.engine_driver import begin, finished, play, scripted, wait_for
from tests.core.test_judging_choice import MODEL
from workbench.assist.hovering import signature_help
from workbench.assist.openings import insertable
from workbench.cli.main import parser_for
from workbench.cli.running.serving import server_for
from workbench.editing.commands import AddPlaybook, ExtractPlaybook, MoveSteps, Place, RenamePlaybook
from workbench.engine.debugging.breakpoints import parse_breakpoint
from workbench.engine.journal.codec import encoded
from workbench.engine.journal.journal import Journal
from workbench.engine.journal.run_events import RunCreated
from workbench.engine.judging.choosing import who_judges
from workbench.engine.options import RunOptions
from workbench.engine.starting import read_as_begun
from workbench.model.flow import flow_of_program
from workbench.model.layout.focusing import called_from
from workbench.model.program import Playbook
from workbench.model.snapshot import Snapshot, addressed_by_names
from workbench.syntax.text import SourceText

DESK = "# Desk\n\n## Main\n\n### Triggers\n\n- When program starts\n\n### Steps\n\n- Check(1)\n- Clerk.Main(2)\n\n"
DESK_CHECK = "## Check($n)\n\n### Steps\n\n- Tell user desk {$n}\n\n"
CLERK = "# Clerk\n\n## Main($n)\npublic: true\n\n### Steps\n\n- Check($n, 3)\n- Tell user done\n\n"
CLERK_CHECK = "## Check($n, $m)\njudge: person\n\n### Steps\n\n- Tell user clerk {$n} {$m}\n- Weigh it up\n"
ANSWERS = "answers: [{text: Done.}]"
TEXT = DESK + DESK_CHECK + CLERK + CLERK_CHECK


@pytest.fixture(name="both")
def _both() -> Snapshot:
    return snapshot_of(TEXT)


def addresses(snapshot: Snapshot) -> list[str]:
    """The addresses of the playbooks, in the order of the text."""
    return [each.address for each in snapshot.program.playbooks]


def test_the_first_of_a_name_is_addressed_by_it_and_the_others_with_their_agent(both: Snapshot) -> None:
    assert addresses(both) == ["Main", "Check", "Clerk.Main", "Clerk.Check"]


def test_the_name_of_the_agent_may_be_said_of_the_first_as_well(both: Snapshot) -> None:
    assert both.program.playbook("Desk.Check") is both.program.playbook("Check")
    assert both.at_address("Desk.Check:01") is both.at_address("Check:01") is not None


def test_two_of_one_name_in_one_agent_are_counted() -> None:
    check = "## Check\n\n### Steps\n\n- A\n\n"
    assert addresses(snapshot_of(f"# Desk\n\n{check}{check}# Desk\n\n{check}")) == [
        "Check",
        "Desk.Check.2",
        "Desk.Check.3",
    ]


NAMES = st.sampled_from(["Check", "check it", "Main", "Desk", "Pay"])


@given(agents=st.lists(st.tuples(st.sampled_from(["Desk", "Clerk"]), st.lists(NAMES, max_size=4)), max_size=4))
def test_every_step_is_found_at_its_address(agents: list[tuple[str, list[str]]]) -> None:
    text = ""
    for agent, names in agents:
        text += f"# {agent}\n\n- Directly under it\n\n" if not names else f"# {agent}\n\n"
        text += "".join(f"## {name}\n\n### Steps\n\n- If $a\n  - Do it\n- Done\n\n" for name in names)
    snapshot = snapshot_of(text)
    assert len(set(addresses(snapshot))) == len(snapshot.program.playbooks)
    for step in (each for root in snapshot.roots if root for each in root.walk()):
        assert snapshot.at_address(snapshot.address(step.id)) is step


def test_a_step_moved_to_the_top_of_the_second_goes_there() -> None:
    moved = CLERK.replace("- Tell user done\n", "")
    check_command(
        TEXT,
        lambda find: MoveSteps((find("Tell user done"),), Place("Clerk.Check")),
        DESK + DESK_CHECK + moved + CLERK_CHECK.replace("Steps\n\n", "Steps\n\n- Tell user done\n"),
    )


def test_a_playbook_is_added_behind_the_second(both: Snapshot) -> None:
    change = check_command(
        TEXT,
        lambda _find: AddPlaybook("Pay", "Clerk.Main"),
        TEXT.replace("\n## Check($n, $m)", "\n## Pay\n\n### Steps\n\n## Check($n, $m)"),
    )
    owner = change.after.program.agent_of(next(one for one in change.after.program.playbooks if one.name == "Pay"))
    assert owner is not None
    assert owner.name == "Clerk"


def test_what_is_extracted_stays_with_its_agent() -> None:
    change = check_command(
        TEXT,
        lambda find: ExtractPlaybook((find("Weigh it up"),), "Weigh"),
        TEXT.replace("- Weigh it up\n", "- Weigh()\n\n## Weigh()\n\n### Steps\n\n- Weigh it up\n"),
    )
    assert [one.name for one in change.after.program.agents[1].playbooks] == ["Main", "Check", "Weigh"]


def test_the_second_gets_another_name_with_its_own_calls_alone() -> None:
    check_command(
        TEXT,
        lambda _find: RenamePlaybook("Clerk.Check", "Look"),
        DESK + DESK_CHECK + CLERK.replace("Check($n", "Look($n") + CLERK_CHECK.replace("## Check", "## Look"),
    )


def test_where_the_first_has_another_name_the_second_is_the_first() -> None:
    change = check_command(
        TEXT,
        lambda _find: RenamePlaybook("Check", "Look"),
        TEXT.replace("- Check(1)", "- Look(1)").replace("## Check($n)", "## Look($n)"),
    )
    assert addresses(change.after) == ["Main", "Look", "Clerk.Main", "Check"]


def test_a_call_leads_to_the_playbook_of_its_own_agent(both: Snapshot) -> None:
    find = finder(both)
    titles = [called_from(both, find(words)) for words in ("Check(1)", "Clerk.Main(2)", "Check($n, 3)")]
    assert [one.address for one in titles if isinstance(one, Playbook)] == ["Check", "Clerk.Main", "Clerk.Check"]


def test_the_graph_has_each_playbook_and_the_calls_between_them(both: Snapshot) -> None:
    graph = flow_of_program(both)
    found = {(a, b) for a, b, kind in graph.edges(data="kind") if kind == "call"}
    find = finder(both)
    assert found == {
        (find("Check(1)"), "playbook:Check"),
        (find("Clerk.Main(2)"), "playbook:Clerk.Main"),
        (find("Check($n, 3)"), "playbook:Clerk.Check"),
    }
    assert nx.get_node_attributes(graph, "step")[find("Weigh it up")] == "Clerk.Check:02"


def test_arguments_are_those_of_the_playbook_of_the_own_agent(both: Snapshot) -> None:
    assert not [each for each in both.diagnostics if each.code.endswith(("argument", "arguments"))]


def test_arguments_that_do_not_fit_the_own_one_are_told() -> None:
    wrong = snapshot_of(TEXT.replace("- Check(1)", "- Check(1, 2)").replace("- Check($n, 3)", "- Check($n)"))
    codes = [each.code for each in wrong.diagnostics if each.code.endswith(("argument", "arguments"))]
    assert codes == ["too-many-arguments", "missing-argument"]


def test_a_name_that_two_others_have_means_what_is_offered() -> None:
    offered = TEXT.replace("## Check($n, $m)\n", "## Check($n, $m)\npublic: true\n")
    third = snapshot_of(offered + "\n# Guest\n\n## Visit\n\n### Steps\n\n- Check(1, 2)\n")
    assert not [each for each in third.diagnostics if each.code.endswith(("argument", "arguments"))]


def test_who_judges_is_said_by_the_own_playbook(both: Snapshot) -> None:
    kind = who_judges(both, both.step(finder(both)("Weigh it up")), MODEL)
    assert kind is not None
    assert kind.value == "person"


def test_a_run_tells_the_steps_of_the_two_apart(both: Snapshot, tmp_path: Path) -> None:
    played = play(both, tmp_path, ANSWERS)
    assert played.steps() == [
        "Main:01", "Check:01", "Main:02", "Clerk.Main:01", "Clerk.Check:01", "Clerk.Check:02", "Clerk.Main:02",
    ]  # fmt: skip
    assert played.told() == ["Tell user desk 1", "Tell user clerk 2 3", "Tell user done"]


def _origin(played_events: object) -> RunCreated:
    first = next(iter(played_events))  # type: ignore[call-overload]
    assert isinstance(first.payload, RunCreated)
    return first.payload


def test_only_a_run_of_such_a_text_says_so(both: Snapshot, tmp_path: Path) -> None:
    apart, plain = play(both, tmp_path, ANSWERS), play("- Tell user hello\n", tmp_path)
    assert encoded(_origin(apart.events))["tells_apart"] is True
    assert "tells_apart" not in encoded(_origin(plain.events))


def test_a_run_of_an_earlier_version_keeps_the_addresses_that_it_has_told(both: Snapshot, tmp_path: Path) -> None:
    origin = _origin(play(both, tmp_path, ANSWERS).events)
    assert origin.program is not None
    earlier = replace(origin, program=replace(origin.program, tells_apart=False))
    assert addresses(read_as_begun(SourceText(TEXT), origin)) == addresses(both)
    assert addresses(read_as_begun(SourceText(TEXT), earlier)) == ["Main", "Check", "Main", "Check"]


def test_addressed_by_names_the_first_is_meant(both: Snapshot) -> None:
    plain = addressed_by_names(both)
    assert plain.at_address("Check:01") is both.at_address("Check:01")
    assert plain.address(finder(both)("Weigh it up")) == "Check:02"


def test_a_text_without_such_playbooks_is_addressed_as_it_is() -> None:
    alone = snapshot_of(DESK + DESK_CHECK)
    assert addressed_by_names(alone) is alone


def test_the_command_line_edits_the_second(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "both.md"
    file.write_text(TEXT)
    assert terminal.run("edit", file, "insert", "Tell user thanks", "--into", "Clerk.Check").code == 0
    assert file.read_text() == TEXT + "- Tell user thanks\n"
    assert terminal.run("edit", file, "delete", "Clerk.Check:01").code == 0
    assert file.read_text() == TEXT.replace("- Tell user clerk {$n} {$m}\n", "") + "- Tell user thanks\n"


def test_both_are_served_under_names_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "both.md"
    file.write_text(
        TEXT.replace("## Check($n)\n", "## Check($n)\npublic: true\n").replace("judge:", "public: true\njudge:")
    )
    options = parser_for(["running.serving"]).parse_args(["serve", str(file), "--store", str(tmp_path)])
    tools = {each.name: (each.playbook, [*each.schema["properties"]]) for each in server_for(options).offers}
    assert tools == {
        "Main": ("Main", []),
        "Check": ("Check", ["n"]),
        "Clerk.Main": ("Clerk.Main", ["n"]),
        "Clerk.Check": ("Clerk.Check", ["n", "m"]),
    }


@pytest.mark.parametrize(("wanted", "steps"), [("Check", ["Check:01"]), ("Clerk.Main", ["Clerk.Main:01"])])
def test_a_run_begins_with_the_one_that_is_wanted(
    both: Snapshot, tmp_path: Path, wanted: str, steps: list[str]
) -> None:
    options = RunOptions(is_trusted=True, playbook=wanted, arguments={"n": 1})
    assert play(both, tmp_path, ANSWERS, options).steps()[:1] == steps


def test_a_breakpoint_in_the_second_stops_there_alone(both: Snapshot, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.sqlite")
    options = RunOptions(is_trusted=True, breakpoints=(parse_breakpoint("Clerk.Check:01"),))
    run = begin(both, journal, scripted(ANSWERS), options)
    seen = wait_for(run, "run.paused")
    assert [each.step for each in seen if each.name == "step.entered"][-1] == "Clerk.Main:01"
    run.stop()
    finished(run, journal)


def test_the_signature_told_while_writing_is_that_of_the_own_agent(both: Snapshot) -> None:
    told = [signature_help(both, TEXT.index(words) + len("Check(")) for words in ("Check(1)", "Check($n, 3)")]
    assert [each.label for each in told if each is not None] == ["Check($n)", "Check($n, $m)"]


@pytest.mark.parametrize("step", ["Check:01", "Desk.Check:1"])
def test_a_run_begins_at_a_step_however_its_address_is_written(terminal: Terminal, tmp_path: Path, step: str) -> None:
    file = tmp_path / "both.md"
    file.write_text(TEXT)
    done = terminal.run("run", file, "--store", tmp_path, "--from-step", step, "--set", "n=1")
    assert "Tell user desk 1" in done.out


@pytest.mark.parametrize("written", ["Clerk.Check:02", "Check:02"])
def test_a_script_may_name_the_step_with_its_agent_or_without(both: Snapshot, tmp_path: Path, written: str) -> None:
    played = play(both, tmp_path, f"answers: [{{step: '{written}', text: Done.}}]")
    assert played.steps()[-1] == "Clerk.Main:02"


def test_what_is_offered_while_writing_means_what_it_says(both: Snapshot) -> None:
    desk, clerk = both.program.agents
    own = [
        [each.text for each in insertable(both.program, caller=agent) if "Check" in each.text]
        for agent in (desk, clerk)
    ]
    assert own == [["Check($n)", "Clerk.Check($n, $m)"], ["Desk.Check($n)", "Check($n, $m)"]]
