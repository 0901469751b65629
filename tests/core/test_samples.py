"""The sample playbooks: each runs to its end, and leaves a pattern to learn from."""

from __future__ import annotations

import json
from pathlib import Path

from tests.core.cli_driver import Done, Terminal
from workbench.engine.scripts import script_beside
from workbench.resources import sample_playbooks

RESULTS = {
    "disk-full": "freed: debug logging was left on",
    "incident-triage": "mitigated",
    "onboarding": 4,
    "order-status": "shipped",
    "refund": 189.0,
    "research": 40,
}


def run_sample(terminal: Terminal, sample: Path, store: Path, *options: str) -> Done:
    """What running *sample* with its own script did."""
    script = script_beside(sample)
    return terminal.run("run", sample, "--script", script, "--store", store, "--json", *options)


def test_a_sample_runs_to_its_end_with_its_script(terminal: Terminal, tmp_path: Path, sample: Path) -> None:
    done = run_sample(terminal, sample, tmp_path, "--trust")
    last = json.loads(done.out.splitlines()[-1])
    assert (done.code, last["type"]) == (0, "run.completed"), done.err
    assert last["body"]["return"] == RESULTS[sample.stem]


def test_the_python_of_a_sample_does_not_run_untrusted(terminal: Terminal, tmp_path: Path) -> None:
    refund = next(sample for sample in sample_playbooks() if sample.stem == "refund")
    done = run_sample(terminal, refund, tmp_path)
    assert done.code == 2
    assert "--trust" in done.err


def test_samples_leave_patterns_to_learn_from(terminal: Terminal, tmp_path: Path) -> None:
    for sample in sample_playbooks()[-3:]:
        run_sample(terminal, sample, tmp_path, "--trust")
    patterns = terminal.run("patterns", "list", "--store", tmp_path, "--json").json
    assert len(patterns) == 3


def test_a_sample_without_its_script_needs_somebody(terminal: Terminal, tmp_path: Path, sample: Path) -> None:
    done = terminal.run("run", sample, "--store", tmp_path, "--trust")
    assert done.code == 3
