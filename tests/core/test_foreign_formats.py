"""Other programs' files: named, never read as a playbook; and ours stay ours, half-typed and broken ones as well."""

from __future__ import annotations

import json

import pytest

from workbench.model.format import foreign_format
from workbench.model.kinds import FileKind
from workbench.model.snapshot import derive
from workbench.syntax.text import SourceText

NAMED = {
    "github-workflow": "name: Garden\non: [push]\njobs:\n  water:\n    steps:\n      - name: Pour\n        run: pour\n",
    "github-action": "name: Pour\ndescription: Pours\nruns:\n  using: composite\n  steps:\n  - run: pour\n",
    "gitlab-ci": "stages:\n  - water\n\nwater beds:\n  stage: water\npour:\n  stage: water\n  script:\n    - pour\n",
    "ansible-playbook": "---\n# The garden.\n\n- hosts: beds\n  tasks:\n    - name: Pour\n      shell: pour\n",
    "ansible-tasks": "---\n- name: Fill the can\n  copy: src=tap dest=can\n\n- name: Pour\n  command: pour\n",
    "ansible-role": "galaxy_info:\n  author: me\n  description: Gardens\ndependencies: []\n",
    "prometheus-rules": "# made\ngroups:\n- name: garden\n  rules:\n  - alert: DrySoil\n    expr: soil < 3\n",
    "alertmanager": "route:\n  receiver: me\nreceivers:\n- name: me\n",
    "prometheus": "global:\n  scrape_interval: 5s\nscrape_configs:\n- job_name: beds\n",
    "compose": "services:\n  can:\n    image: can:2\n    ports:\n      - 80:80\n",
    "kubernetes": "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: can\n---\napiVersion: v1\nkind: Pod\n",
    "helm-chart": "apiVersion: v2\nname: can\nversion: 1.0.0\n",
    "helm-values": "replicaCount: 1\nimage:\n  repository: can\n",
    "cloud-build": "steps:\n- name: gcr.io/garden/can\n  args: [pour]\n- name: tap\n  id: tap\n  args: []\n",
    "azure-pipeline": "trigger:\n- main\npool:\n  vmImage: bed\nsteps:\n- script: pour\n  displayName: Pour\n",
    "circleci": "version: 2.1\njobs:\n  pour:\n    steps:\n      - checkout\nworkflows:\n  all:\n    jobs: [pour]\n",
    "buildkite": "steps:\n  - label: Pour\n    command: pour\n",
    "woodpecker": "steps:\n  - name: pour\n    image: can\n    commands:\n      - pour\n",
    "promptflow": "inputs:\n  plant:\n    type: string\nnodes:\n- name: pour\n  source: pour.py\n- name: wait\n",
    "xsoar": "id: dry\nname: Dry soil\nversion: -1\nstarttaskid: '0'\ntasks:\n  '0':\n    id: '0'\n    taskid: a\n",
    "openapi": "openapi: 3.0.0\ninfo:\n  title: Can\npaths: {}\n",
    "cloudformation": "Resources:\n  Can:\n    Type: Garden::Can\n    Properties:\n      Size: 3\n",
    "sigma": "title: Dry\nlogsource:\n  product: soil\ndetection:\n  condition: dry\n",
    "script": "answers:\n- when: asked\n  answer: yes\ntools:\n- name: pour\n",
}
NAMED_JSON: dict[str, object] = {
    "n8n": {"name": "Garden", "nodes": [{"id": "a", "name": "Sun", "type": "trigger"}], "connections": {}},
    "cacao": {"type": "playbook", "spec_version": "cacao-2.0", "id": "playbook--1", "name": "Dry", "workflow": {}},
    "json-schema": {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Can", "type": "object"},
    "package": {"name": "can", "version": "1.0.0", "dependencies": {"tap": "1"}},
    "terraform": {"resource": {"can": {"a": {"size": 3}}}},
    "step-functions": {"StartAt": "Pour", "States": {"Pour": {"Type": "Task", "End": True}}},
    "mcp-servers": {"mcpServers": {"can": {"command": "can"}}},
    "stix": {"type": "bundle", "id": "bundle--1", "objects": []},
    "typescript": {"compilerOptions": {"strict": True}},
}
UNNAMED = (
    "---\n# What is told.\n\n- name: restart the tap\n  pour: name=tap state=restarted\n",
    "inputs:\n  plant: rose\nplaces:\n- bed\n",
    "soil_port: 3306\n",
    "# Who waters\n\nkeeper: [vera]\n",
    "steps:\n- do: pour\n  with: can\n- do: wait\n  with: time\n",
    '{"plant": "rose", "id": 3}',
    '[{"id": "a", "name": "b"}, {"id": "c"}]',
    '["rose", "tulip"]',
    '// as I like it\n{\n  "plants": ["rose"]\n}\n',
    '{"plant": "rose", "li',
)
OURS = (
    "steps:",
    "steps:\n",
    "steps:\n- ",
    "steps:\n- id",
    "steps:\n- i: a\n",
    "steps:\n- name: pour\n  description: Pour\n",
    "id: a\nname: A\n",
    "id: a\nname: A\nsteps:\n- id: a\n  descr",
    "id: a\nname: A\nsteps:\n- id: a\n  description: x\n  expected_tools: [x\nnonsense\n",
    "id: a\nname: A\nsteps:\n- id: a\n  description: |\n    ## Main\n    1. Dig\n    2. Rest\n",
    "# My list\n\nid: a\nname: A\nsteps: []\n",
    "---\nid: a\nname: A\nsteps:\n- id: a\n  description: x\n...\n",
    "playbook_id: a\ntitle: A\nstep_groups:\n- title: B\n  steps:\n  - id: c\n",
    "steps:\n- label: Pour\n  command: pour\n  expected_tools: [pour]\n",
    "  id: a\n  name: A\n  steps:\n  - id: a\n",
    '{"steps": [',
    '{"id": "a", "name": "A", "steps": [{"id": "b", "desc',
    '{"id": "a", "name": "A"}',
)
GRAPHS = (
    "version: playbook.v2\nid: a\nname: A\nsteps:\n- id: a\n",
    '{"version": "playbook.v2", "id": "a", "steps": []}',
)
MARKDOWN = (
    "# Plan of the garden\n\nStatus: draft\n\n## Work\n\n1. Dig.\n\n```yaml\nsteps:\n  - dig\n```\n",
    "Note: this is how we do it.\n\nWe dig first.\n",
    "# Tea\n\nIngredients:\n\n- leaves\n- water\n",
    "---\ntitle: Tea\nweight: 20\n---\n",
    "---\nname: tea\ndescription: Makes tea\n",
    "---\ntitle: Tea\n---\n\n- Boil: three minutes\n- Rest: two\n",
    "# Links\n\n- Bed: the long one\n- Can: the red one\n",
    "# Tea\n\n- ingredients:\n  - leaves\n  - water\n- tools:\n  - can\n",
    "[the can](can.md) is red\n",
    "{% raw %}\n# Tea\n{% endraw %}\n",
    "steps:\n\n1. Boil the water.\n2. Pour it.\n3. Wait.\n4. Drink.\n",
    "{",
    "todo:",
    "- name: x",
)


def kind_of(text: str) -> FileKind:
    """The kind of the file with *text*."""
    return derive(SourceText(text)).program.kind


def key_of(text: str) -> str:
    """What the format of another program is called that *text* has."""
    found = foreign_format(text)
    return found.key if found else ""


@pytest.mark.parametrize(("key", "text"), NAMED.items(), ids=NAMED.keys())
def test_a_file_of_another_program_is_named(key: str, text: str) -> None:
    assert (kind_of(text), key_of(text)) == (FileKind.FOREIGN, key)


@pytest.mark.parametrize(("key", "value"), NAMED_JSON.items(), ids=NAMED_JSON.keys())
@pytest.mark.parametrize("indent", [None, 2])
def test_json_of_another_program_is_named(key: str, value: object, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    assert (kind_of(text), key_of(text)) == (FileKind.FOREIGN, key)


@pytest.mark.parametrize("text", UNNAMED)
def test_data_that_nobody_knows_is_no_playbook(text: str) -> None:
    assert (kind_of(text), key_of(text)) == (FileKind.FOREIGN, "")


@pytest.mark.parametrize("text", OURS)
def test_a_step_list_is_one_from_its_first_word_on(text: str) -> None:
    assert kind_of(text) is FileKind.STEPLIST


@pytest.mark.parametrize("text", GRAPHS)
def test_a_graph_says_its_version(text: str) -> None:
    assert kind_of(text) is FileKind.GRAPH


@pytest.mark.parametrize("text", MARKDOWN)
def test_markdown_with_words_and_colons_stays_markdown(text: str) -> None:
    assert kind_of(text).is_markdown


@pytest.mark.parametrize("text", [*NAMED.values(), *OURS, *MARKDOWN])
def test_line_ends_blank_lines_and_comments_do_not_change_what_a_file_is(text: str) -> None:
    kinds = {kind_of(text), kind_of(text.replace("\n", "\r\n")), kind_of(text.replace("\n", "\r"))}
    assert kinds == {kind_of(text)}
    assert text[-1:] != "\n" or kind_of(text + "\n\n") is kind_of(text)


@pytest.mark.parametrize("text", NAMED.values(), ids=NAMED.keys())
def test_another_program_s_file_has_no_findings_and_no_steps(text: str) -> None:
    snapshot = derive(SourceText(text))
    assert snapshot.diagnostics == ()
    assert snapshot.program.playbooks == ()
    assert snapshot.program.foreign.startswith("This is ")


@pytest.mark.parametrize("line", ["{{- if .Values.on }}", "{% if on %}", "# why", "%YAML 1.2\n---"])
def test_what_templates_and_comments_say_first_does_not_hide_a_format(line: str) -> None:
    text = f"{line}\napiVersion: v1\nkind: Pod\nmetadata:\n  name: {{{{ .Name }}}}\n{{{{- end }}}}\n"
    assert key_of(text) == "kubernetes"
