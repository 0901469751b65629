"""``workbench graph``: the flow as JSON that networkx reads back."""

from __future__ import annotations

from pathlib import Path

import networkx as nx

from tests.core.cli_driver import Terminal

EDGE_KINDS = {"next", "yes", "no", "repeat", "call", "jump"}


def test_networkx_reads_the_graph_of_every_sample(terminal: Terminal, sample: Path) -> None:
    done = terminal.run("graph", sample)
    graph = nx.node_link_graph(done.json, edges="edges")
    assert done.code == 0
    assert all({"kind", "label", "line", "step", "playbook"} <= data.keys() for _, data in graph.nodes(data=True))
    assert {data["kind"] for _, _, data in graph.edges(data=True)} <= EDGE_KINDS


def test_a_node_knows_its_line_and_its_address(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("# A\n\n## Main\n### Steps\n- $x = 1\n- If $x > 1\n  - Return $x\n", encoding="utf-8")
    nodes = {node["step"]: node for node in terminal.run("graph", path).json["nodes"]}
    assert (nodes["Main:02.01"]["line"], nodes["Main:02.01"]["kind"]) == (7, "return")


def test_a_file_without_playbooks_has_an_empty_graph(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("", encoding="utf-8")
    done = terminal.run("graph", path)
    assert (done.code, done.json["nodes"]) == (0, [])


def test_a_missing_file_is_unreadable(terminal: Terminal, tmp_path: Path) -> None:
    assert terminal.run("graph", tmp_path / "missing.md").code == 2
