"""Findings as annotations of GitHub and as SARIF, and the hook that checks playbooks before a commit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import pytest
import yaml

from tests.core.cli_driver import Terminal

BROKEN = (
    "# Desk\n\n## Main\n### Steps\n- Nowhere(1)\n- $sum = 3\n- Check($sum\n\n"
    "## Check($total)\n### Steps\n- Return $total\n"
)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A playbook with findings, in a folder below the current one, under a name with signs that have to be escaped."""
    folder = tmp_path / "on call, 50%"
    folder.mkdir()
    path = folder / "désk: a.md"
    path.write_text(BROKEN, "utf-8")
    monkeypatch.chdir(tmp_path)
    return path


def annotations(out: str) -> list[tuple[str, dict[str, str], str]]:
    """The commands in *out* as GitHub's runner reads them: which it is, its properties, its text."""
    found = []
    for line in out.splitlines():
        head, text = line.removeprefix("::").split("::", 1)
        name, _space, properties = head.partition(" ")
        pairs = dict(pair.split("=", 1) for pair in properties.split(","))
        found.append((name, {key: plain(value) for key, value in pairs.items()}, plain(text)))
    return found


def plain(text: str) -> str:
    """*text* without the escapes of the runner."""
    for escape, sign in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(escape, sign)
    return text


def test_every_finding_is_an_annotation_at_its_line_of_the_file(terminal: Terminal, desk: Path) -> None:
    findings = terminal.run("check", desk, "--json").json
    done = terminal.run("check", desk, "--format", "github")
    told = [(facts["title"], int(facts["line"]), facts["file"], text) for _name, facts, text in annotations(done.out)]
    name = f"{desk.parent.name}/{desk.name}"
    assert told == [(each["code"], each["line"], name, each["message"]) for each in findings]
    assert (done.code, len(told) > 1) == (1, True)


def test_the_weight_of_a_finding_is_that_of_its_annotation(terminal: Terminal, desk: Path) -> None:
    words = {"error": "error", "warning": "warning", "info": "notice"}
    findings = terminal.run("check", desk, "--json").json
    names = [name for name, _facts, _text in annotations(terminal.run("check", desk, "--format", "github").out)]
    assert names == [words[each["severity"]] for each in findings]


def test_a_sarif_log_has_every_finding_with_its_place_and_its_rule(terminal: Terminal, desk: Path) -> None:
    findings = terminal.run("check", desk, "--json").json
    log = terminal.run("check", desk, "--format", "sarif").json
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result, finding in zip(run["results"], findings, strict=True):
        place = result["locations"][0]["physicalLocation"]
        region = place["region"]
        assert rules[result["ruleIndex"]] == result["ruleId"] == finding["code"]
        assert unquote(place["artifactLocation"]["uri"]) == f"{desk.parent.name}/{desk.name}"
        assert (region["startLine"], region["startColumn"]) == (finding["line"], finding["column"])
        assert (region["endLine"], region["endColumn"]) == (finding["end_line"], finding["end_column"])
        assert result["message"]["text"] == finding["message"]
    assert (log["version"], run["columnKind"]) == ("2.1.0", "unicodeCodePoints")


def test_the_fixes_of_a_sarif_log_are_those_that_are_offered(terminal: Terminal, desk: Path) -> None:
    findings = terminal.run("check", desk, "--json").json
    (run,) = terminal.run("check", desk, "--format", "sarif").json["runs"]
    offered = [[fix["title"] for fix in each["fixes"] if fix["edits"]] for each in findings]
    assert [[fix["description"]["text"] for fix in each.get("fixes", ())] for each in run["results"]] == offered
    assert any(offered)


REGION = {"startLine", "startColumn", "endLine", "endColumn"}
LEVELS = {"none", "note", "warning", "error"}


def check_region(region: dict[str, Any]) -> None:
    """A region as SARIF 2.1.0 has it, 3.30: lines and columns from 1, and the end is not before the start."""
    assert set(region) == REGION
    assert all(type(each) is int and each >= 1 for each in region.values())
    assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])


def check_message(message: dict[str, Any]) -> None:
    """3.11: a message has a text that is not empty."""
    assert set(message) == {"text"}
    assert isinstance(message["text"], str)
    assert message["text"]


def check_location(location: dict[str, Any]) -> None:
    """3.4: a relative URI has no scheme, no slash at its start, and nothing that is to be escaped."""
    assert set(location) == {"uri"}
    parsed = urlsplit(location["uri"])
    assert (parsed.scheme, parsed.netloc, location["uri"][:1] == "/") == ("", "", False)
    assert quote(unquote(location["uri"])) == location["uri"]


def check_result(result: dict[str, Any], rules: list[str]) -> None:
    """3.27 and 3.55: what a result needs, and what its fixes need."""
    assert {"ruleId", "ruleIndex", "level", "message", "locations"} <= set(result) <= {*RESULT, "fixes"}
    assert rules[result["ruleIndex"]] == result["ruleId"]
    assert result["level"] in LEVELS
    check_message(result["message"])
    (place,) = result["locations"]
    assert set(place) == {"physicalLocation"}
    check_location(place["physicalLocation"]["artifactLocation"])
    check_region(place["physicalLocation"]["region"])
    for fix in result.get("fixes", ()):
        check_message(fix["description"])
        assert fix["artifactChanges"]
        for change in fix["artifactChanges"]:
            check_location(change["artifactLocation"])
            assert change["replacements"]
            for replacement in change["replacements"]:
                check_region(replacement["deletedRegion"])
                assert set(replacement["insertedContent"]) == {"text"}


RESULT = ("ruleId", "ruleIndex", "level", "message", "locations")


def test_a_sarif_log_has_the_shape_that_the_standard_wants(terminal: Terminal, desk: Path) -> None:
    """Written down here from the standard itself (SARIF 2.1.0, OASIS): nobody says who may use the published schema."""
    other = desk.parents[1] / "crlf.md"
    other.write_bytes(BROKEN.replace("\n", "\r\n").encode() + "- \U0001f600 $gone \u202e\r\n".encode())
    log = terminal.run("check", desk, other, "--format", "sarif").json
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert set(run) == {"tool", "columnKind", "results"}
    driver = run["tool"]["driver"]
    assert {"name", "rules"} <= set(driver)
    rules = [rule["id"] for rule in driver["rules"]]
    assert len(set(rules)) == len(rules) == len({result["ruleId"] for result in run["results"]})
    for rule in driver["rules"]:
        check_message(rule["shortDescription"])
        assert rule["help"]["text"]
    for result in run["results"]:
        check_result(result, rules)
    assert len({str(result["locations"][0]["physicalLocation"]["artifactLocation"]) for result in run["results"]}) == 2


def test_a_sarif_log_without_findings_is_one_as_well(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("# A\n\n## Main\n### Steps\n- $x = 1\n- Return $x\n", "utf-8")
    (run,) = terminal.run("check", path, "--format", "sarif").json["runs"]
    assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])


@pytest.mark.parametrize(("form", "nothing"), [("github", ""), ("json", "[]\n")])
def test_without_findings_there_is_nothing_to_tell(terminal: Terminal, tmp_path: Path, form: str, nothing: str) -> None:
    path = tmp_path / "a.md"
    path.write_text("# A\n\n## Main\n### Steps\n- $x = 1\n- Return $x\n", "utf-8")
    done = terminal.run("check", path, "--format", form)
    assert (done.code, done.out) == (0, nothing)


def test_the_hook_for_commits_calls_a_command_that_there_is(terminal: Terminal, desk: Path) -> None:
    (hook,) = yaml.safe_load((Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text("utf-8"))
    program, *command = hook["entry"].split()
    done = terminal.run(*command, desk)
    assert (program, done.code, done.err) == ("workbench", 1, "")


def test_a_line_of_json_tells_of_each_file_and_of_what_its_findings_depend_on(
    terminal: Terminal, desk: Path, tmp_path: Path
) -> None:
    texts = {
        "links.md": "# A\n\n## Main\n### Steps\n- Tell user [more](none.md)\n",
        "imports.md": "!import other.md\n# A\n\n## Main\n### Steps\n- Tell user 1\n",
        "other.md": "",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "list.txt").write_bytes(f"links.md\r\nimports.md\n\nnone.md\n{desk}\n".encode())
    done = terminal.run("check", "--format", "jsonl", "--files-from", "list.txt")
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert [(Path(each["file"]).name, each["depends_on"]) for each in lines] == [
        ("links.md", "links"),
        ("imports.md", "project"),
        (desk.name, "project"),
    ]
    assert lines[2]["findings"] == terminal.run("check", desk, "--json").json
    assert (done.code, "none.md" in done.err) == (2, True)
