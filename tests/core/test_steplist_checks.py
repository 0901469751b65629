"""What is wrong in a step list is said all at once, with its lines and with fixes."""

from __future__ import annotations

import json

import pytest

from tests.core.steplist_cases import DATA, opened
from workbench.model.snapshot import Snapshot, derive
from workbench.planning.request import DeviationKind, PlanRequest, PlaybookFormat, Policy
from workbench.syntax.change import TextChange
from workbench.syntax.data.yaml_writing import dump_yaml
from workbench.syntax.diagnostics import Severity
from workbench.syntax.text import SourceText


def codes(snapshot: Snapshot) -> list[tuple[str, int]]:
    """Code and line (from 1) of every error."""
    errors = [one for one in snapshot.diagnostics if one.severity is Severity.ERROR]
    return [(one.code, snapshot.lines.line(one.span.start) + 1) for one in errors]


def test_typos_are_found_with_the_nearest_name_and_both_lines() -> None:
    snapshot = opened(DATA / "steplists" / "typos.yaml")
    assert codes(snapshot) == [
        ("unknown-key", 3),
        ("unknown-key", 4),
        ("unknown-key", 8),
        ("unknown-key", 9),
        ("duplicate-id", 10),
        ("duplicate-key", 13),
    ]
    messages = [one.message for one in snapshot.diagnostics]
    assert "on lines 6 and 10" in messages[4]
    assert "on lines 12 and 13" in messages[5]
    fixes = [fix for one in snapshot.diagnostics for fix in one.fixes]
    mended = TextChange(tuple(edit for fix in fixes for edit in fix.edits)).apply(snapshot.text)
    assert "strict_sequence: true" in mended
    assert "max_tool_calls: 3" in mended


@pytest.mark.parametrize("is_json", [False, True])
def test_what_a_list_says_of_deviations_counts_and_what_means_nothing_is_told(is_json: bool) -> None:
    steps = [{"id": "b", "description": "c"}]
    for said, problems in (
        ({"failed": "retry", "drift": "stop"}, []),
        ({"faild": "retry", "drift": "stopp"}, ["faild", "stopp"]),
        ("12 %", []),  # their own affair
    ):
        whole = {"id": "a", "name": "A", "metadata": {"deviation": said, "owner": "ada"}, "steps": steps}
        snapshot = derive(SourceText(json.dumps(whole, indent=1) if is_json else dump_yaml(whole, 80)))
        found = [one for one in snapshot.diagnostics if one.code == "metadata-value"]
        assert [one.span.of(snapshot.text).strip('"') for one in found] == problems
        assert all(one.severity is Severity.WARNING for one in found)
        wanted = Policy.RETRY if said == {"failed": "retry", "drift": "stop"} else Policy.ASK
        request = PlanRequest("x", format=PlaybookFormat.STEPLIST)
        assert request.policy_for(DeviationKind.FAILED, snapshot.program, "a:01") is wanted


def test_words_that_are_no_text_are_all_explained_and_can_be_quoted() -> None:
    snapshot = opened(DATA / "steplists" / "words-that-are-not-text.yaml")
    assert len(snapshot.diagnostics) == 11
    assert all("quotes" in one.message for one in snapshot.diagnostics)
    edits = tuple(edit for one in snapshot.diagnostics for fix in one.fixes for edit in fix.edits)
    mended = derive(SourceText(TextChange(edits).apply(snapshot.text)))
    assert mended.diagnostics == ()


def test_the_other_files_have_no_errors_or_the_one_that_they_are_to_have() -> None:
    assert codes(opened(DATA / "steplists" / "every-style.yaml")) == []
    assert codes(opened(DATA / "steplists" / "graph-v2.yaml")) == []
    assert codes(opened(DATA / "steplists" / "no-final-newline.json")) == [("duplicate-key", 5)]
    assert len(opened(DATA / "steplists" / "every-style.yaml").program.playbooks[0].steps) == 8


def test_what_a_graph_refers_to_must_be_there() -> None:
    snapshot = opened(DATA / "steplist_corpus" / "graph-dangling.yaml")
    assert codes(snapshot) == [("dangling-reference", 8), ("dangling-reference", 11)]


def test_an_element_that_cannot_be_read_hides_nothing_in_the_others() -> None:
    damaged = '- id: a\n  description: "open\n'
    text = f"id: a\nname: A\nsteps:\n{damaged}- id: b\n  descripton: two\n- id: c\n  description: three\n"
    snapshot = derive(SourceText(text))
    assert codes(snapshot) == [("yaml-syntax", 6), ("missing-field", 6), ("unknown-key", 7)]
    assert [step.kind.value for step in snapshot.program.playbooks[0].steps] == ["raw", "step", "step"]
