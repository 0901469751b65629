"""The formats of other programs that are known by name: one row for each, and how its files are told by their top."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workbench.i18n import N_, LazyText
from workbench.model.foreign.sketch import Sketch

_CI_JOB = frozenset({"script", "extends", "trigger"})
_CLOUD_BUILD = frozenset({"args", "entrypoint", "waitFor", "env", "script", "secretEnv", "volumes", "dir"})
_AZURE = frozenset({"task", "script", "bash", "pwsh", "powershell", "checkout", "template"})
_PLAY = frozenset({"hosts", "import_playbook", "ansible.builtin.import_playbook"})
_TASK = frozenset(
    "action apt assert become block command copy debug delegate_to fail file get_url git import_role import_tasks "
    "include include_role include_tasks lineinfile local_action loop notify package pip register role script service "
    "set_fact shell stat systemd template uri user wait_for when with_items yum".split()
)
_OF_SCRIPTS = frozenset({"answers", "tools", "calls", "approvals", "messages", "clock"})
_MODULE = ("ansible.", "community.", "win_")


@dataclass(frozen=True, slots=True)
class ForeignFormat:
    """One format. *key*: a short word for programs. *what*: what such a file is, with its article. *fits*: whether the
    top of a text is that of such a file.
    """

    key: str
    what: LazyText
    fits: Callable[[Sketch], bool]


def _is_ansible_tasks(top: Sketch) -> bool:
    return (
        top.is_list
        and not top.is_json
        and (bool(top.items & _TASK) or any(key.startswith(_MODULE) for key in top.items))
    )


def _is_gitlab(top: Sketch) -> bool:
    if top.is_json or top.has("steps") or top.has("services", "version"):
        return False
    jobs = [key for key, below in top.below.items() if below & _CI_JOB]
    return bool(jobs) and (top.has("stages") or "jobs" not in top.top)


def _is_cloud_build(top: Sketch) -> bool:
    step = top.under("steps")
    has_more = bool({"images", "substitutions", "artifacts", "availableSecrets"} & set(top.top))
    return "name" in step and (bool(step & _CLOUD_BUILD) or has_more or top.has("options"))


def _is_azure(top: Sketch) -> bool:
    begins = bool({"trigger", "pool", "pr", "resources", "parameters"} & set(top.top)) and "on" not in top.top
    works = bool({"steps", "jobs", "stages"} & set(top.top)) and bool((top.deep | top.under("steps")) & _AZURE)
    return (begins and works) or bool(top.under("steps") & {"task", "checkout", "pwsh"})


def _is_xsoar(top: Sketch) -> bool:
    is_playbook = top.has("tasks") and (top.has("starttaskid") or {"taskid", "nexttasks"} <= top.deep)
    return is_playbook or top.has("commonfields") or (top.has("configuration") and "commands" in top.under("script"))


def _is_json_schema(top: Sketch) -> bool:
    says = "json-schema.org" in top.top.get("$schema", "")
    return says or (top.has("properties", "type") and (top.has("$schema") or top.has("required") or top.has("$id")))


def _is_package(top: Sketch) -> bool:
    return top.is_json and top.has("name") and bool({"dependencies", "devDependencies", "engines"} & set(top.top))


FORMATS = (
    ForeignFormat("cacao", N_("a CACAO playbook"), lambda top: top.top.get("spec_version", "").startswith("cacao")),
    ForeignFormat("cacao", N_("a CACAO playbook"), lambda top: top.has("workflow", "workflow_start")),
    ForeignFormat(
        "n8n",
        N_("an n8n workflow"),
        lambda top: top.has("nodes") and (top.has("connections") or "typeVersion" in top.under("nodes")),
    ),
    ForeignFormat("xsoar", N_("a Cortex XSOAR file"), _is_xsoar),
    ForeignFormat(
        "github-workflow",
        N_("a GitHub workflow"),
        lambda top: top.has("jobs") and (top.has("on") or bool({"runs-on", "uses"} & top.deep)),
    ),
    ForeignFormat("github-action", N_("a GitHub action"), lambda top: bool({"using", "main"} & top.under("runs"))),
    ForeignFormat("circleci", N_("a CircleCI configuration"), lambda top: top.has("version", "jobs", "workflows")),
    ForeignFormat("circleci", N_("a CircleCI configuration"), lambda top: top.has("version", "jobs", "orbs")),
    ForeignFormat("azure-pipeline", N_("an Azure pipeline"), _is_azure),
    ForeignFormat("cloud-build", N_("a Google Cloud Build file"), _is_cloud_build),
    ForeignFormat("ansible-playbook", N_("an Ansible playbook"), lambda top: top.is_list and bool(top.items & _PLAY)),
    ForeignFormat("ansible-tasks", N_("a file of Ansible tasks"), _is_ansible_tasks),
    ForeignFormat("ansible-role", N_("an Ansible role"), lambda top: top.has("galaxy_info")),
    ForeignFormat(
        "prometheus-rules",
        N_("a file of Prometheus rules"),
        lambda top: (
            top.has("groups") and "expr" in top.deep | top.under("groups") and bool({"alert", "record"} & top.deep)
        ),
    ),
    ForeignFormat("alertmanager", N_("an Alertmanager configuration"), lambda top: top.has("route", "receivers")),
    ForeignFormat("prometheus", N_("a Prometheus configuration"), lambda top: top.has("scrape_configs")),
    ForeignFormat("helm-chart", N_("a Helm chart"), lambda top: top.has("apiVersion", "name", "version")),
    ForeignFormat("kubernetes", N_("a Kubernetes manifest"), lambda top: top.has("apiVersion", "kind")),
    ForeignFormat(
        "compose",
        N_("a Docker Compose file"),
        lambda top: top.has("services") and bool({"image", "build", "ports", "volumes", "environment"} & top.deep),
    ),
    ForeignFormat("openapi", N_("an OpenAPI description"), lambda top: top.has("openapi") or top.has("swagger")),
    ForeignFormat("cloudformation", N_("a CloudFormation template"), lambda top: top.has("AWSTemplateFormatVersion")),
    ForeignFormat(
        "cloudformation",
        N_("a CloudFormation template"),
        lambda top: top.has("Resources") and {"Type", "Properties"} <= top.deep,
    ),
    ForeignFormat("step-functions", N_("a Step Functions state machine"), lambda top: top.has("StartAt", "States")),
    ForeignFormat(
        "promptflow",
        N_("a prompt flow"),
        lambda top: top.has("nodes") and ({"source", "type"} <= top.under("nodes") | top.deep or top.has("outputs")),
    ),
    ForeignFormat("drone", N_("a Drone pipeline"), lambda top: top.has("kind", "steps") and top.has("type")),
    ForeignFormat(
        "woodpecker", N_("a Woodpecker pipeline"), lambda top: {"image", "commands"} <= top.under("steps") | top.deep
    ),
    ForeignFormat(
        "buildkite",
        N_("a Buildkite pipeline"),
        lambda top: bool({"label", "command", "commands", "plugins", "wait"} & top.under("steps")),
    ),
    ForeignFormat("bitbucket", N_("a Bitbucket pipeline"), lambda top: top.has("pipelines") and "step" in top.deep),
    ForeignFormat("gitlab-ci", N_("a GitLab CI configuration"), _is_gitlab),
    ForeignFormat(
        "terraform",
        N_("a Terraform file"),
        lambda top: top.has("terraform_version") or (top.is_json and (top.has("resource") or top.has("terraform"))),
    ),
    ForeignFormat("json-schema", N_("a JSON schema"), _is_json_schema),
    ForeignFormat("package", N_("a package description of Node.js"), _is_package),
    ForeignFormat("typescript", N_("a TypeScript configuration"), lambda top: top.has("compilerOptions")),
    ForeignFormat("notebook", N_("a Jupyter notebook"), lambda top: top.has("cells", "nbformat")),
    ForeignFormat("grafana", N_("a Grafana dashboard"), lambda top: top.has("panels") and top.has("schemaVersion")),
    ForeignFormat("postman", N_("a Postman collection"), lambda top: top.has("info", "item")),
    ForeignFormat("stix", N_("a STIX bundle"), lambda top: top.has("type", "objects", "id")),
    ForeignFormat("sigma", N_("a Sigma rule"), lambda top: top.has("logsource", "detection")),
    ForeignFormat("mcp-servers", N_("a list of MCP servers"), lambda top: top.has("mcpServers")),
    ForeignFormat("helm-values", N_("the values of a Helm chart"), lambda top: top.has("replicaCount", "image")),
    ForeignFormat(
        "script",
        N_("a script of answers for runs"),
        lambda top: set(top.top) <= _OF_SCRIPTS and bool(top.top),
    ),
)


def format_of(top: Sketch) -> ForeignFormat | None:
    """The format of the file with *top*; None where it is none that is known by name."""
    return next((each for each in FORMATS if each.fits(top)), None)
